import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSampleData } from '../../../src/sample-data/load.ts';
import { startEmbedded, type EmbeddedDatabase } from '../../../src/ops/embedded.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { createPool } from '../../../src/server/db/pool.ts';
import { withGlobal, withTenant } from '../../../src/server/db/tenant.ts';
import { readEnv } from '../../../src/server/env.ts';
import { sealWritten } from '../../../src/server/features/system/seals.queries.ts';
import { selectBusinesses } from '../../../src/server/features/system/upkeep.queries.ts';
import { startServer } from '../../../src/server/start.ts';
import { upgradeDatabase } from '../../../src/ops/upgrade-database.ts';
import { findOlderPostgres, postgresMissing } from '../../../src/tasks/postgres.ts';
import { projectRoot } from '../../../src/tasks/run.ts';
import { canMount, query, removeDirectories, temporaryDirectory } from '../embedded-run.ts';
import { testSettings } from '../global-setup.ts';
import { makeOlderCluster } from '../support/older-cluster.ts';

// A database of the oldest PostgreSQL of this machine (vite.config.ts), taken over by the program's own.
let programs: string;
let version: string;
let whole: string;
let contents: unknown[][];
let rights: unknown[][];

const startOld = (dataDir: string): Promise<EmbeddedDatabase> =>
  startEmbedded({ dataDir, native: dirname(programs), isDurable: false, settings: testSettings });
const startNew = (dataDir: string): Promise<EmbeddedDatabase> =>
  startEmbedded({ dataDir, isDurable: false, settings: { ...testSettings, io_method: 'sync' } });

/** How many rows each table has, and a sum of all that is in them. */
async function contentsOf(url: string): Promise<unknown[][]> {
  const tables = await query(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
  const all: unknown[][] = [];
  for (const [table] of tables) {
    const sum = `SELECT count(*), sum(('x' || left(md5(t::text), 15))::bit(60)::bigint) FROM ${String(table)} AS t`;
    all.push([table, ...((await query(url, sum))[0] ?? [])]);
  }
  return all;
}

const rightsOf = (url: string): Promise<unknown[][]> =>
  query(
    url,
    `SELECT c.relkind, c.relname, c.relowner::regrole::text, c.relrowsecurity, c.relforcerowsecurity, (
       SELECT array_agg(concat_ws(' ', a.grantee::regrole, a.privilege_type) ORDER BY a.grantee::regrole::text, a.privilege_type)
       FROM aclexplode(c.relacl) AS a WHERE a.grantee <> c.relowner)
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'S')
     UNION ALL
     SELECT 'f', p.oid::regprocedure::text, p.proowner::regrole::text, p.prosecdef, false, (
       SELECT array_agg(concat_ws(' ', a.grantee::regrole, a.privilege_type) ORDER BY a.grantee::regrole::text, a.privilege_type)
       FROM aclexplode(p.proacl) AS a WHERE a.grantee <> p.proowner)
     FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
     UNION ALL
     SELECT 'p', polname || ' ' || polrelid::regclass, (SELECT string_agg(role::regrole::text, ' ' ORDER BY role::regrole::text) FROM unnest(polroles) AS role), polpermissive, false,
       ARRAY[pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)] FROM pg_policy
     UNION ALL
     SELECT 'd', datname, datdba::regrole::text, has_database_privilege('public', oid, 'TEMPORARY'),
       has_database_privilege('challan_app', oid, 'TEMPORARY'), NULL FROM pg_database WHERE datname = current_database()
     UNION ALL
     SELECT 'l', rolname, rolcanlogin::text, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb, rolinherit, NULL
     FROM pg_roles WHERE rolname !~ '^pg_'
     ORDER BY 1, 2`,
  );

beforeAll(async () => {
  const found = findOlderPostgres();
  if (found === undefined) throw new Error(postgresMissing);
  programs = found;
  whole = await temporaryDirectory();
  await makeOlderCluster(programs, join(whole, 'postgres'), join(whole, 'postgres.password'));
  version = (await readFile(join(whole, 'postgres', 'PG_VERSION'), 'utf8')).trim();
  const database = await startOld(whole);
  await migrate(database.url);
  await loadSampleData(database.url, { size: 'S', seed: 1, asOf: '2026-11-20' });
  const pool = createPool(database.url, { max: 1 });
  for (const { id } of await withGlobal(pool, 'read', selectBusinesses)) {
    expect(await withTenant(pool, id, 'write', (db) => sealWritten(db, 0))).toBeGreaterThan(0);
  }
  await pool.end();
  contents = await contentsOf(database.url);
  rights = await rightsOf(database.url);
  await database.stop();
}, 300_000);
afterAll(removeDirectories);

async function copyOfWhole(): Promise<string> {
  const dataDir = join(await temporaryDirectory(), 'data');
  execFileSync('cp', ['-a', whole, dataDir]);
  return dataDir;
}

async function upgrade(dataDir: string, folder: string | undefined = programs): Promise<string> {
  const lines: string[] = [];
  await upgradeDatabase({ dataDir, programs: folder, say: (line) => lines.push(line) });
  return lines.join('\n');
}

const versionIn = async (dataDir: string, name = 'postgres'): Promise<string> =>
  (await readFile(join(dataDir, name, 'PG_VERSION'), 'utf8')).trim();

/** What is in the data directory, without logs and what a start makes. */
const namesIn = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith('postgres') && name !== 'postgres.log').sort();

async function expectAllThere(dataDir: string): Promise<void> {
  expect(await namesIn(dataDir)).toEqual(['postgres', `postgres.old-${version}`, 'postgres.password']);
  expect(await versionIn(dataDir)).toBe('18');
  const database = await startNew(dataDir);
  try {
    expect(await contentsOf(database.url)).toEqual(contents);
    expect(await rightsOf(database.url)).toEqual(rights);
  } finally {
    await database.stop();
  }
}

// Each run starts two clusters and makes one.
describe('a database of an older PostgreSQL', { timeout: 600_000 }, () => {
  it('is taken over whole, with its rights and its chain, and served; the old one is kept', async () => {
    const dataDir = await copyOfWhole();
    await expect(startNew(dataDir)).rejects.toThrow(
      `The database in ${join(dataDir, 'postgres')} is of PostgreSQL ${version}, and this program comes with PostgreSQL 18: take it over once with npm run upgrade:database`,
    );
    const said = await upgrade(dataDir);
    expect(said).toMatch(/^ok {4}.*: payments and challans agree$/m);
    expect(said).toMatch(/^ok {4}.*: chain of what was written once$/m);
    expect(said).toMatch(/^ {6}.*: [1-9]\d* seals, the last [0-9a-f]{64}$/m);
    expect(said).toMatch(/^\d business(es)?: no difference \([\d.]+ s\)\.$/m);
    expect(said).toContain(`The old one is ${join(dataDir, `postgres.old-${version}`)}: remove it`);
    await expectAllThere(dataDir);

    const server = await startServer({
      env: readEnv({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }),
      webRoot: '',
      say: () => undefined,
    });
    try {
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
      await expect(upgrade(dataDir)).rejects.toThrow(/^Another Challan Desk \(process \d+\) already uses /);
    } finally {
      await server.stop();
    }
    expect(await upgrade(dataDir)).toBe(
      `The database in ${join(dataDir, 'postgres')} is of PostgreSQL 18: there is nothing to do.`,
    );

    // The way back: what is kept is the database as it was.
    await rm(join(dataDir, 'postgres'), { recursive: true });
    await rename(join(dataDir, `postgres.old-${version}`), join(dataDir, 'postgres'));
    const old = await startOld(dataDir);
    try {
      await expect(upgrade(dataDir)).rejects.toThrow(/^Another Challan Desk \(process \d+\) already uses /);
      expect(await contentsOf(old.url)).toEqual(contents);
    } finally {
      await old.stop();
    }
  });

  it('may be a link to another disk, where the new one is then too', async () => {
    const dataDir = await copyOfWhole();
    const disk = await temporaryDirectory();
    await rename(join(dataDir, 'postgres'), join(disk, 'cluster'));
    await symlink(join(disk, 'cluster'), join(dataDir, 'postgres'));
    await upgrade(dataDir);
    expect((await readdir(disk)).sort()).toEqual(['cluster', `cluster.old-${version}`]);
    expect(await namesIn(dataDir)).toEqual(['postgres', 'postgres.password']);
    expect(await versionIn(dataDir)).toBe('18');
  });

  it('is refused in one sentence where something is missing or in the way, and stays as it was', async () => {
    const dataDir = await copyOfWhole();
    const before = await namesIn(dataDir);
    const empty = await temporaryDirectory();
    await expect(upgrade(empty)).rejects.toThrow(`There is no database in ${empty}.`);
    await expect(upgrade(dataDir, empty)).rejects.toThrow(
      `There is no program postgres in ${join(empty, 'bin')}: npm run upgrade:database -- <folder of its programs>`,
    );
    const other = await temporaryDirectory();
    await mkdir(join(other, 'bin'));
    await writeFile(join(other, 'bin', 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 13.1"\n', { mode: 0o755 });
    await expect(upgrade(dataDir, other)).rejects.toThrow(
      `The programs in ${other} are of PostgreSQL 13, and the database is of ${version}.`,
    );
    await mkdir(join(dataDir, `postgres.old-${version}`));
    await expect(upgrade(dataDir)).rejects.toThrow(`postgres.old-${version} when a new one replaces it, and that is`);
    await rm(join(dataDir, `postgres.old-${version}`), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '13\n');
    await expect(upgradeDatabase({ dataDir, say: () => undefined })).rejects.toThrow(
      'The database was made by PostgreSQL 13, whose programs were not found: install them (Debian: postgresql-13), or name their folder: npm run upgrade:database -- <folder of its programs>',
    );
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '19\n');
    await expect(upgrade(dataDir)).rejects.toThrow('so it is older than its data: use the version of the program');
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), `${version}\n`);
    expect(await namesIn(dataDir)).toEqual(before);
    const old = await startOld(dataDir);
    try {
      expect(await contentsOf(old.url)).toEqual(contents);
    } finally {
      await old.stop();
    }
  });

  it.skipIf(!canMount())('is refused on a disk without room, and where it is the disk itself', async () => {
    const size = Number(execFileSync('du', ['-sm', whole], { encoding: 'utf8' }).split('\t')[0]);
    const disk = await temporaryDirectory();
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size + 32}m,mode=755`, 'none', disk]);
    try {
      execFileSync('cp', ['-a', whole, join(disk, 'data')]);
      await expect(upgrade(join(disk, 'data'))).rejects.toThrow(
        /^The upgrade needs about [\d,]+ MB beside .*, and the disk has [\d,]+ MB free: make room there first\.$/,
      );
      const dataDir = await temporaryDirectory();
      execFileSync('cp', ['-a', join(whole, 'postgres.password'), dataDir]);
      await symlink(disk, join(dataDir, 'postgres'));
      execFileSync('sh', ['-c', 'mv "$0"/data/postgres/* "$0" && rm -r "$0/data"', disk]);
      await expect(upgrade(dataDir)).rejects.toThrow(
        `${disk} is where a disk is mounted, and the database is replaced as a whole: mount the disk one directory higher.`,
      );
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('is not replaced where rows are missing in the new one; the newest pg_dump is taken', async () => {
    const dataDir = await copyOfWhole();
    const old = await startOld(dataDir);
    await query(old.url, 'CREATE DATABASE of_somebody');
    await old.stop();
    // Says to be newer than the real one, which it runs, and leaves something out.
    const folder = join(await temporaryDirectory(), 'bin');
    await mkdir(folder);
    const dump = `#!/bin/sh
[ "$1" = --version ] && { echo 'pg_dump (PostgreSQL) 18.4'; exit; }
exec ${programs}/pg_dump --exclude-table-data=seals "$@"
`;
    await writeFile(join(folder, 'pg_dump'), dump, { mode: 0o755 });
    for (const name of ['postgres', 'pg_restore']) await symlink(join(programs, name), join(folder, name));
    const lines: string[] = [];
    await expect(upgradeDatabase({ dataDir, programs: folder, say: (line) => lines.push(line) })).rejects.toThrow(
      /^The upgrade was given up; the database is as it was: of the [1-9]\d* rows of "public"\."seals", 0 were taken over\.$/,
    );
    expect(lines).toContain(`Reading it with pg_dump 18 in ${folder} …`);
    expect(lines).toContain("The database of_somebody is none of this program's: it stays in the old cluster alone.");
    expect(await namesIn(dataDir)).toEqual(['postgres', 'postgres.password']);
    expect(await versionIn(dataDir)).toBe(version);
  });

  it('whose books differ is not replaced', async () => {
    const dataDir = await copyOfWhole();
    const old = await startOld(dataDir);
    await query(
      old.url,
      "SET session_replication_role = 'replica'; UPDATE challans SET payment_status = false, paid_at = NULL WHERE payment_status",
    );
    await old.stop();
    await expect(upgrade(dataDir)).rejects.toThrow('The upgrade was given up, because the books differ; the database');
    expect(await namesIn(dataDir)).toEqual(['postgres', 'postgres.password']);
    expect(await versionIn(dataDir)).toBe(version);
  });
});

describe('npm run upgrade:database', { timeout: 600_000 }, () => {
  const run = (dataDir: string) => {
    const child = spawn(process.execPath, ['src/tasks/run-task.js', 'upgrade-database', programs], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
    return { child, output: () => output, ended };
  };

  it('is begun again after a kill in any step, and completed after one between its renames', async () => {
    const dataDir = await copyOfWhole();
    const steps = ['Starting the database', 'Reading it with', 'Writing it into', 'Checking it', 'ok    '];
    for (const step of steps) {
      const { child, output, ended } = run(dataDir);
      await expect.poll(() => output().includes(step) || child.exitCode, { timeout: 120_000 }).toBe(true);
      child.kill('SIGKILL');
      await ended;
      expect([step, await versionIn(dataDir)]).toEqual([step, version]);
      expect(existsSync(join(dataDir, `postgres.old-${version}`))).toBe(false);
    }
    const last = run(dataDir);
    await expect
      .poll(() => last.output().includes('Putting it in place') || last.child.exitCode, { timeout: 120_000 })
      .toBe(true);
    last.child.kill('SIGKILL');
    await last.ended;
    const again = run(dataDir);
    expect(await again.ended, again.output()).toBe(0);
    await expectAllThere(dataDir);

    // As a kill between the two renames leaves it.
    const work = join(dataDir, 'postgres.new-0123456789ab');
    await mkdir(work);
    await rename(join(dataDir, 'postgres'), join(work, 'postgres'));
    await writeFile(join(work, 'checked'), `${version}\n`);
    await expect(startNew(dataDir)).rejects.toThrow(
      'An upgrade of the database was interrupted: complete it with npm run upgrade:database',
    );
    const completing = run(dataDir);
    expect(await completing.ended, completing.output()).toBe(0);
    expect(completing.output()).toMatch(
      /^The upgrade that was interrupted is complete\.\n.*: there is nothing to do\.\n$/,
    );
    await expectAllThere(dataDir);
  });
});
