import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { builtinModules } from 'node:module';
import { satisfies, validRange } from 'semver';
import { describe, expect, it } from 'vitest';

/** The versions of Node that the README promises, and what an installation for use alone has to bring. */
const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Package {
  engines?: { node?: string };
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const project = JSON.parse(read('package.json')) as Package;
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> };

/** The oldest of each line that `engines` names. */
const oldest = ['20.19.0', '22.13.0', '24.0.0'];

describe('Node', () => {
  it('is promised as the same range in package.json and README', () => {
    const range = project.engines?.node ?? '';
    expect(validRange(range)).not.toBeNull();
    for (const version of [...oldest, process.versions.node]) expect(satisfies(version, range), version).toBe(true);
    for (const version of ['20.18.3', '21.7.3', '22.12.0', '23.11.0']) expect(satisfies(version, range)).toBe(false);
    expect(read('README.md')).toContain('Node 20 (20.19 or newer), 22 (22.13 or newer) or 24');
  });

  it.each(oldest)('%s is a version that every package supports, so that npm ci warns of none', (version) => {
    const refusing = Object.entries(packages).filter(([, { engines }]) => {
      return engines?.node !== undefined && !satisfies(version, engines.node);
    });
    expect(refusing.map(([name, { engines }]) => `${name}: ${engines?.node}`)).toEqual([]);
  });
});

describe('npm ci --omit=dev', () => {
  it('installs all that the server imports', () => {
    const installed = { ...project.dependencies, ...project.optionalDependencies };
    const files = ['src/server', 'src/shared'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
    );
    const missing = files.flatMap((file) => {
      const imports = [...read(file).matchAll(/(?:from\s+|^import\s+|import\()\s*'([^'.\s][^'\s]*)'/gm)];
      return imports
        .map(([, name = '']) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name) && !(name in installed))
        .map((name) => `${file}: ${name}`);
    });
    expect(files.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });
});
