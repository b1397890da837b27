import { cp, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findNative, prepareBinaries } from '../../../src/ops/embedded-binaries.ts';
import { startEmbedded } from '../../../src/ops/embedded.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { releaseWarning, shortVersion } from '../../../src/server/db/postgres-release.ts';
import { readEnv } from '../../../src/server/env.ts';
import { upgradeDatabase } from '../../../src/ops/upgrade-database.ts';
import { findOlderPostgres, postgresMissing } from '../../../src/tasks/postgres.ts';
import { postmasterOf, query, removeDirectories, temporaryDirectory } from '../embedded-run.ts';
import { testSettings } from '../global-setup.ts';

// The programs of the system, by a copy of the embedded ones at another place.
let system: string;
let dataDir: string;
const start = () => startEmbedded({ dataDir, isDurable: false, settings: testSettings });
const programOf = async () => readlink(`/proc/${postmasterOf(dataDir)}/exe`);

beforeAll(async () => {
  dataDir = await temporaryDirectory();
  system = join(await temporaryDirectory(), 'native');
  await prepareBinaries(findNative(), [], dataDir);
  await cp(findNative(), system, { recursive: true, verbatimSymlinks: true });
  const database = await start();
  await migrate(database.url);
  await query(database.url, "CREATE TABLE kept AS SELECT 'a row' AS row");
  await database.stop();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(removeDirectories);

describe('POSTGRES_BIN', () => {
  it('runs the same files with the programs of the system, and without it with our own again', async () => {
    for (const place of [system, undefined]) {
      vi.stubEnv('POSTGRES_BIN', place && join(place, 'bin'));
      const database = await start();
      expect((await programOf()).startsWith(system)).toBe(place !== undefined);
      expect(await query(database.url, 'SELECT row FROM kept')).toEqual([['a row']]);
      await database.stop();
    }
  });

  it('is tried by the command that upgrades, which checks the books', async () => {
    vi.stubEnv('POSTGRES_BIN', join(system, 'bin'));
    const said: string[] = [];
    await upgradeDatabase({ dataDir, say: (line) => said.push(line) });
    expect(said.join('\n')).toMatch(/no difference[^]*The programs of POSTGRES_BIN run this database as it is\./);
  });

  it('is refused in one sentence: an older PostgreSQL, no programs, a server of your own', async () => {
    const older = findOlderPostgres();
    if (older === undefined) throw new Error(postgresMissing);
    vi.stubEnv('POSTGRES_BIN', older);
    const sentence = /^POSTGRES_BIN has PostgreSQL \d+, and a database of this program needs 17 or 18\.$/;
    await expect(start()).rejects.toThrow(sentence);
    await expect(startEmbedded({ dataDir: await temporaryDirectory() })).rejects.toThrow(sentence);
    vi.stubEnv('POSTGRES_BIN', dataDir);
    await expect(start()).rejects.toThrow('POSTGRES_BIN must be the folder with the programs postgres and initdb');
    expect(() => readEnv({ POSTGRES_BIN: system, DATABASE_URL: 'postgres://a:b@localhost/c' })).toThrow(
      'POSTGRES_BIN must be absent with DATABASE_URL',
    );
  });

  it('is refused where the programs lack an extension of the data, or sort in another way', async () => {
    vi.stubEnv('POSTGRES_BIN', join(system, 'bin'));
    const control = 'share/postgresql/extension/pg_trgm.control';
    await rm(join(system, control));
    await expect(start()).rejects.toThrow(
      'The programs of POSTGRES_BIN cannot run this database: they lack the extension pg_trgm (Debian: postgresql-contrib).',
    );
    await cp(join(findNative(), control), join(system, control));
    const database = await start();
    const sorts = (version: string) =>
      query(database.url, `UPDATE pg_database SET datcollversion = '${version}' WHERE datname = 'postgres'`);
    const [[own] = []] = await query(database.url, "SELECT datcollversion FROM pg_database WHERE datname = 'postgres'");
    await sorts('0');
    await database.stop();
    await expect(start()).rejects.toThrow('they sort texts in another way (C.UTF-8 1 instead of 0)');
    vi.stubEnv('POSTGRES_BIN', undefined);
    const again = await start();
    await query(again.url, `UPDATE pg_database SET datcollversion = '${String(own)}' WHERE datname = 'postgres'`);
    await again.stop();
  });
});

it.each([
  ['18.4', '2026-11-28', '18.6 is out since August 2026: update it (docs/running.md §8)'],
  ['18.6', '2026-11-28', null],
  ['18.7', '2028-01-01', null],
  [
    '15.19',
    '2027-04-01',
    'Versions after August 2026 are not known here: see whether there is a newer one (docs/running.md §8)',
  ],
  ['15.18 (Debian 15.18-0+deb12u1)', '2026-11-28', '15.19 is out since August 2026: update it (docs/running.md §8)'],
  ['19beta1', '2026-11-28', null],
])('of PostgreSQL %s on %s an operator reads: %s', (version, day, warning) => {
  expect(releaseWarning(version, new Date(day))).toBe(warning);
  expect(shortVersion(version)).toMatch(/^\d+(\.\d+)?$/);
});
