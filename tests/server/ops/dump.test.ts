import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBackup, backupName } from '../../../src/ops/backups.ts';
import { createKeyFile, readKey } from '../../../src/ops/backup-cipher.ts';
import { restoreIntoServer } from '../../../src/ops/restore.ts';
import { defaultBackups } from '../../../src/server/env.ts';
import { findOlderPostgres } from '../../../src/tasks/postgres.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../database.ts';

async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

// Only beside a server of this version (vite.config.ts): a trial starts an embedded one.
describe("a backup of a server's database", { timeout: 300_000 }, () => {
  let database: TestDatabase;
  let directory: string;
  let path: string | undefined;
  beforeAll(async () => {
    path = process.env.PATH;
    process.env.PATH = `${findOlderPostgres()}:${path}`;
    directory = await mkdtemp(join(tmpdir(), 'challan-desk-dump-'));
    database = await freshDatabase();
    await query(
      database.url,
      `INSERT INTO accounts (role, email, password_hash, banner_name) VALUES ('subadmin', 'a@b.example', 'x', 'KOEL Transport');
       INSERT INTO tags (subadmin_id, name) SELECT id, 'Mines' FROM accounts`,
    );
  });
  afterAll(async () => {
    process.env.PATH = path;
    await rm(directory, { recursive: true, force: true });
    await database.drop();
  });

  it('says in one line which program it lacks', async () => {
    process.env.PATH = directory;
    const made = makeBackup(
      { url: database.url, dataDir: null, workDir: directory },
      join(directory, 'none'),
      defaultBackups,
    );
    await expect(made).rejects.toThrow(/^The program pg_dump, of PostgreSQL's client programs .* was not found\.$/);
    process.env.PATH = `${findOlderPostgres()}:${path}`;
  });

  it('is tried out in an embedded one, encrypted, and restores into an empty database alone', async () => {
    const keyFile = join(directory, 'key');
    await createKeyFile(keyFile);
    const key = await readKey(keyFile);
    const origin = { url: database.url, dataDir: null, workDir: join(directory, 'work') };
    const settings = { ...defaultBackups, keyFile };
    const target = join(directory, backupName(origin, settings, new Date('2026-11-23T02:30:00Z')));
    const { isGood, summary } = await makeBackup(origin, target, settings);
    expect(summary).toMatch(/^2026-11-23-02-30-00\.dump\.encrypted in .* 1 business: no difference/);
    expect(isGood).toBe(true);
    expect((await readdir(dirname(target))).sort()).toEqual(['2026-11-23-02-30-00.dump.encrypted', 'key', 'work']);
    expect(await readdir(origin.workDir)).toEqual([]);

    const other = await emptyDatabase();
    const ofEverybody = `SELECT has_database_privilege('public', current_database(), 'TEMPORARY') AS temporary`;
    // As PostgreSQL makes a database; the tests' own are made without it.
    await query(
      other.url,
      `DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO PUBLIC', current_database()); END $$`,
    );
    try {
      const cut = join(directory, 'cut');
      await writeFile(cut, (await readFile(target)).subarray(0, -1));
      await expect(restoreIntoServer(cut, other.url, key)).rejects.toThrow('The backup does not open');
      await restoreIntoServer(target, other.url, key);
      const everything = `SELECT name, a.banner_name FROM tags t JOIN accounts a ON a.id = t.subadmin_id`;
      expect(await query(other.url, everything)).toEqual([{ name: 'Mines', banner_name: 'KOEL Transport' }]);
      const rights = `SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,
          (SELECT array_agg(concat_ws(' ', a.grantee::regrole, a.privilege_type) ORDER BY a.grantee::regrole::text, a.privilege_type) FROM aclexplode(c.relacl) AS a
           WHERE a.grantee <> c.relowner) AS rights
        FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v') ORDER BY 1`;
      expect(await query(other.url, rights)).toEqual(await query(database.url, rights));
      expect(await query(other.url, ofEverybody)).toEqual([{ temporary: false }]);
      await expect(restoreIntoServer(target, other.url, key)).rejects.toThrow('The database is not empty');
    } finally {
      await other.drop();
    }
  });
});
