import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startEmbedded } from '../../../src/ops/embedded.ts';
import { projectRoot } from '../../../src/tasks/run.ts';
import { postmasterOf, query, removeDirectories, run, temporaryDirectory } from '../embedded-run.ts';

const settings = { shared_buffers: '32MB', io_method: 'sync' };
const start = (dataDir: string) => startEmbedded({ dataDir, settings, isDurable: false });

afterAll(removeDirectories);

describe('the embedded database', () => {
  it('is made on the first start, and is the same on the next', async () => {
    const dataDir = join(await temporaryDirectory(), 'deep', 'data');
    const first = await start(dataDir);
    await query(first.url, "CREATE TABLE kept AS SELECT 'कोयला' AS text");
    await first.stop();
    expect(existsSync(join(dataDir, 'app.pid'))).toBe(false);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    const second = await start(dataDir);
    expect(await query(second.url, 'SELECT text FROM kept')).toEqual([['कोयला']]);
    await second.stop();
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password']);
  });

  it('lets the app in as a role of its own, also into a cluster whose role could not sign in', async () => {
    const dataDir = await temporaryDirectory();
    const first = await start(dataDir);
    await query(first.url, 'ALTER ROLE challan_app NOLOGIN PASSWORD NULL');
    await first.stop();
    const second = await start(dataDir);
    try {
      expect(await query(second.appUrl, 'SELECT session_user')).toEqual([['challan_app']]);
      for (const step of [
        'SET ROLE postgres',
        "SELECT set_config('role', 'postgres', false)",
        "SELECT pg_read_file('PG_VERSION')",
      ]) {
        await expect(query(second.appUrl, step)).rejects.toMatchObject({ code: '42501' });
      }
      // Nobody else finds this password, and the next start has another.
      await expect(query(first.appUrl.replace(`:${first.port}`, `:${second.port}`), 'SELECT 1')).rejects.toMatchObject({
        code: '28P01',
      });
    } finally {
      await second.stop();
    }
  });

  it('is UTF-8 with the built-in C.UTF-8, behind a password, on 127.0.0.1 alone', async () => {
    const dataDir = await temporaryDirectory();
    const database = await start(dataDir);
    try {
      expect(
        await query(
          database.url,
          `SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale, current_setting('listen_addresses'),
             current_setting('unix_socket_directories'), current_setting('data_checksums'),
             (SELECT array_agg(DISTINCT auth_method) FROM pg_hba_file_rules)
           FROM pg_database WHERE datname = current_database()`,
        ),
      ).toEqual([['UTF8', 'b', 'C.UTF-8', '127.0.0.1', '', 'on', ['scram-sha-256']]]);
      expect(await query(database.url, "SELECT lower('ÀÉ'), upper('ß') ")).toEqual([['àé', 'ß']]);

      const password = new URL(database.url).password;
      expect(password).toMatch(/^[\w-]{43}$/);
      const file = join(dataDir, 'postgres.password');
      expect([(await readFile(file, 'utf8')).trim(), (await stat(file)).mode & 0o777]).toEqual([password, 0o600]);
      expect((await stat(join(dataDir, 'postgres'))).mode & 0o077).toBe(0);

      const wrong = database.url.replace(password, 'wrong');
      await expect(query(wrong, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
      const outside = Object.values(networkInterfaces())
        .flat()
        .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
      if (outside) {
        const elsewhere = database.url.replace('127.0.0.1', outside);
        await expect(query(elsewhere, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      }
    } finally {
      await database.stop();
    }
  });

  it('is tuned as measured, unless a setting is given', async () => {
    const database = await startEmbedded({ dataDir: await temporaryDirectory(), settings: { work_mem: '8MB' } });
    const names = ['shared_buffers', 'work_mem', 'random_page_cost', 'max_wal_size', 'fsync', 'synchronous_commit'];
    const values = await query(
      database.url,
      `SELECT current_setting(name) FROM unnest('{${names.join(',')}}'::text[]) WITH ORDINALITY AS n(name, at) ORDER BY at`,
    );
    await database.stop();
    expect(values.flat()).toEqual(['256MB', '8MB', '1.1', '512MB', 'on', 'on']);
  });

  it('writes no value of anyone into its log', async () => {
    const dataDir = await temporaryDirectory();
    const database = await start(dataDir);
    const canary = 'ABCPK1234Z';
    await query(database.url, 'CREATE TABLE owner (pan text UNIQUE, CHECK (length(pan) = 10))');
    await query(database.url, `INSERT INTO owner VALUES ('${canary}')`);
    await expect(query(database.url, `INSERT INTO owner VALUES ('${canary}')`)).rejects.toMatchObject({
      code: '23505',
    });
    await expect(query(database.url, `INSERT INTO owner VALUES ('${canary}x')`)).rejects.toMatchObject({
      code: '23514',
    });
    await expect(query(database.url, `SELECT '${canary}' FROM nowhere`)).rejects.toMatchObject({ code: '42P01' });
    await database.stop();
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('duplicate key value');
    expect(log).not.toContain(canary);
  });

  it('does not take a half-made cluster for a whole one', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'postgres.new-1234', 'data', 'base'), { recursive: true });
    await writeFile(join(dataDir, 'postgres.new-1234', 'data', 'PG_VERSION'), '18\n');
    // Killed while initdb works, five times at different moments.
    for (const pause of [0, 60, 120, 200, 300]) {
      const starting = run({ dataDir });
      await expect.poll(() => existsSync(join(dataDir, 'app.pid')), { timeout: 20_000, interval: 5 }).toBe(true);
      await wait(pause);
      starting.child.kill('SIGKILL');
      await starting.ended;
    }
    const database = await start(dataDir);
    expect(await query(database.url, 'SELECT 1')).toEqual([[1]]);
    await database.stop();
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
  });

  it('says in one line why it cannot start, and lets go of the directory', async () => {
    const dataDir = await temporaryDirectory();
    const reason = await startEmbedded({ dataDir, settings: { shared_buffers: 'plenty' } }).catch(
      (error: Error) => error.message,
    );
    expect(reason).toBe(
      `The database did not start: invalid value for parameter "shared_buffers": "plenty" (log: ${join(dataDir, 'postgres.log')})`,
    );
    const database = await start(dataDir);
    await database.stop();
  });
});

describe('backup', { timeout: 300_000 }, () => {
  it('copies the running database into a directory that is a data directory itself', async () => {
    const dataDir = await temporaryDirectory();
    const target = join(await temporaryDirectory(), 'backup');
    const writing = run({ dataDir, isWriting: true });
    const url = await writing.url;
    await expect.poll(() => writing.messages.length, { timeout: 20_000 }).toBeGreaterThan(200);
    writing.child.kill('SIGINT');
    await writing.ended;

    const database = await start(dataDir);
    await query(database.url, "INSERT INTO row (text) SELECT repeat('y', 2000) FROM generate_series(1, 20000)");
    const before = await query(database.url, 'SELECT count(*) FROM row');
    const over = new AbortController();
    const load = (async () => {
      while (!over.signal.aborted) await query(database.url, "INSERT INTO row (text) VALUES ('during')");
    })();
    await database.backup(target);
    over.abort();
    await load;
    await expect(database.backup(target)).rejects.toThrow('is not empty');
    await query(database.url, 'DROP TABLE row');
    await database.stop();

    const restored = await start(target);
    expect(new URL(restored.url).password).toBe(new URL(url).password);
    const after = await query(restored.url, 'SELECT count(*), count(DISTINCT id) FROM row');
    expect(Number(after[0]?.[0])).toBeGreaterThanOrEqual(Number(before[0]?.[0]));
    expect(after[0]?.[0]).toBe(after[0]?.[1]);
    await query(restored.url, 'CREATE EXTENSION amcheck');
    await query(restored.url, "SELECT bt_index_check('row_pkey', true)");
    expect(await query(restored.url, "SELECT count(*) FROM verify_heapam('row')")).toEqual([['0']]);
    expect(postmasterOf(target)).toBeGreaterThan(0);
    await restored.stop();
  });

  it('is a command, for a database that runs and for one that does not', async () => {
    const dataDir = await temporaryDirectory();
    const copies = await temporaryDirectory();
    const backup = (name: string, from = dataDir) =>
      promisify(execFile)('npx', ['tsx', 'src/tasks/backup.ts', join(copies, name)], {
        cwd: projectRoot,
        env: { ...process.env, DATA_DIR: from, DATABASE_URL: '' },
      });

    const database = await start(dataDir);
    await query(database.url, "CREATE TABLE note AS SELECT 'kept' AS text");
    expect((await backup('running')).stdout).toContain(`to ${join(copies, 'running')} (`);
    await database.stop();
    await backup('stopped');
    await expect(backup('running')).rejects.toThrow('is not empty');
    const nowhere = join(copies, 'nowhere');
    await expect(backup('nothing', nowhere)).rejects.toThrow(`There is no database in ${nowhere}.`);
    expect(existsSync(nowhere)).toBe(false);

    for (const name of ['running', 'stopped']) {
      const copy = await start(join(copies, name));
      expect(await query(copy.url, 'SELECT text FROM note')).toEqual([['kept']]);
      await copy.stop();
    }
  });
});
