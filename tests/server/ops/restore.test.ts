import { execFile } from 'node:child_process';
import { watch } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  checkBackupSettings,
  commandLimit,
  expiredBackups,
  makeBackup,
  makeScheduledBackup,
  type Origin,
} from '../../../src/ops/backups.ts';
import { createKeyFile, readKey } from '../../../src/ops/backup-cipher.ts';
import { startEmbedded, type EmbeddedDatabase } from '../../../src/ops/embedded.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { restoreEmbedded } from '../../../src/ops/restore.ts';
import { defaultBackups } from '../../../src/server/env.ts';
import { projectRoot } from '../../../src/tasks/run.ts';
import { testSettings } from '../global-setup.ts';

const directories: string[] = [];
const temporaryDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'challan-desk-restore-'));
  directories.push(directory);
  return directory;
};

/** One database for all tests: they only read it. */
let database: EmbeddedDatabase;
let origin: Origin;
let keyFile: string;
const started: EmbeddedDatabase[] = [];

const start = async (dataDir: string): Promise<EmbeddedDatabase> => {
  const one = await startEmbedded({ dataDir, isDurable: false, settings: { ...testSettings, io_method: 'sync' } });
  started.push(one);
  return one;
};

async function query<T extends object>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  const dataDir = await temporaryDirectory();
  database = await startEmbedded({ dataDir, isDurable: false, settings: { ...testSettings, io_method: 'sync' } });
  await migrate(database.url);
  await query(
    database.url,
    `INSERT INTO accounts (role, email, password_hash, banner_name) VALUES ('subadmin', 'a@b.example', 'x', 'KOEL Transport')`,
  );
  origin = { url: database.url, dataDir, workDir: dataDir };
  keyFile = join(dataDir, 'backups.key');
  await createKeyFile(keyFile);
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});
afterAll(async () => {
  await database.stop();
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
});

const bannersOf = async (dataDir: string): Promise<string[]> => {
  const { url } = await start(dataDir);
  return (await query<{ name: string }>(url, 'SELECT banner_name AS name FROM accounts')).map(({ name }) => name);
};
const oneLine = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  const { message } = error as Error;
  expect(message).not.toContain('\n');
  return message;
};

// A trial starts a cluster of its own, and a command the whole program.
describe('a backup', { timeout: 300_000 }, () => {
  it.each(['a copy', 'an encrypted file'])(
    'as %s is restored and checked when it is made, and restores',
    async (kind) => {
      const target = join(await temporaryDirectory(), 'one');
      const key = kind === 'a copy' ? {} : { keyFile };
      const { isGood, summary } = await makeBackup(origin, target, { ...defaultBackups, ...key });
      expect(summary).toMatch(/^one in [\d.]+ s; restored and checked in [\d.]+ s: 1 business: no difference/);
      expect(isGood).toBe(true);
      const last = await query<{ summary: string; is_good: boolean }>(
        database.url,
        "SELECT summary, is_good FROM upkeep WHERE kind = 'backup' ORDER BY began_at DESC LIMIT 1",
      );
      expect(last).toEqual([{ summary, is_good: true }]);
      // What it was tried out in is gone.
      expect(await readdir(join(target, '..'))).toEqual(['one']);

      const dataDir = join(await temporaryDirectory(), 'data');
      await restoreEmbedded(target, dataDir, kind === 'a copy' ? null : await readKey(keyFile));
      expect(await bannersOf(dataDir)).toEqual(['KOEL Transport']);
      expect(await oneLine(restoreEmbedded(target, dataDir, null))).toBe(
        `${dataDir} is not empty: a backup is restored into an empty directory only (DATA_DIR).`,
      );
    },
  );

  it('has settings that are checked before the first night', async () => {
    const directory = await temporaryDirectory();
    const own = join(directory, 'own.key');
    await createKeyFile(own);
    await mkdir(join(directory, '2026-11-23-02-30-00'));
    const said: string[] = [];
    const check = () => checkBackupSettings({ ...defaultBackups, directory, keyFile: own }, (line) => said.push(line));
    await check();
    await chmod(own, 0o644);
    await check();
    const plain = `1 backup in ${directory} (BACKUP_DIR) from before the key is not encrypted: remove what you do not need.`;
    const open = `Others can read the key file ${own} (BACKUP_KEY_FILE): chmod 600 it, or whoever reads it opens every backup.`;
    expect(said).toEqual([plain, open, plain]);
    await rm(own);
    expect(await oneLine(check())).toMatch(/^The key file \S+ cannot be read \(BACKUP_KEY_FILE\): /);
  });

  it('is followed by a command that cannot hold up the night', async () => {
    const target = join(await temporaryDirectory(), 'one');
    const { ms } = commandLimit;
    commandLimit.ms = 1_000;
    try {
      const made = makeBackup(origin, target, { ...defaultBackups, command: 'sleep 600 & wait; true' });
      expect(await oneLine(made)).toBe('one is made; BACKUP_COMMAND was ended after 1 s.');
    } finally {
      commandLimit.ms = ms;
    }
  });

  it('that is encrypted holds nothing in clear, and opens with its own key alone', async () => {
    const parent = await temporaryDirectory();
    const target = join(parent, 'one');
    const seen = new Set<string>();
    const watcher = watch(parent, { recursive: true }, (_, name) => void seen.add(String(name)));
    await makeBackup(origin, target, { ...defaultBackups, keyFile });
    watcher.close();
    expect((await readFile(target)).includes('KOEL')).toBe(false);
    // Beside it there was never more than the encrypted file, before it got its name.
    expect(seen.size).toBeGreaterThan(1);
    expect([...seen].filter((name) => !/^one(\.new-[0-9a-f]{12}(\/(file|backup\.pid))?)?$/.test(name))).toEqual([]);
    // And nothing of the copy is left in the data directory.
    expect((await readdir(origin.workDir)).filter((name) => name.includes('.new-'))).toEqual([]);
    const dataDir = join(await temporaryDirectory(), 'data');
    expect(await oneLine(restoreEmbedded(target, dataDir, null))).toBe(
      `${target} is encrypted: name its key file in BACKUP_KEY_FILE.`,
    );
    const other = join(await temporaryDirectory(), 'other.key');
    await createKeyFile(other);
    const notOpened = 'The backup does not open: it belongs to another key, or it was changed, or its end is missing.';
    expect(await oneLine(restoreEmbedded(target, dataDir, await readKey(other)))).toBe(notOpened);
    const written = await readFile(other);
    expect(await oneLine(createKeyFile(other))).toBe(`No key was made: ${other} is there already.`);
    expect(await readFile(other)).toEqual(written);
    expect(await oneLine(readKey(`${other}.gone`))).toMatch(
      /^The key file \S+\.gone cannot be read \(BACKUP_KEY_FILE\): /,
    );

    const key = await readKey(keyFile);
    const whole = await readFile(target);
    const head = whole.length % 1000;
    const chunk = 1024 * 1024 + 16;
    const first = 33 + 16;
    const changed: [string, Buffer][] = [
      ['one bit', Buffer.from(whole.map((byte, at) => (at === whole.length - head - 1 ? byte ^ 1 : byte)))],
      ['no last byte', whole.subarray(0, -1)],
      ['no last chunk', whole.subarray(0, first + chunk)],
      [
        'two chunks the other way round',
        Buffer.concat([
          whole.subarray(0, first),
          whole.subarray(first + chunk, first + 2 * chunk),
          whole.subarray(first, first + chunk),
          whole.subarray(first + 2 * chunk),
        ]),
      ],
    ];
    expect(whole.length).toBeGreaterThan(first + 2 * chunk);
    for (const [what, bytes] of changed) {
      const file = join(await temporaryDirectory(), 'changed');
      await writeFile(file, bytes);
      expect([what, await oneLine(restoreEmbedded(file, dataDir, key))]).toEqual([what, notOpened]);
      // Nothing of it is left behind.
      expect(await readdir(dataDir)).toEqual([]);
    }
    await restoreEmbedded(target, dataDir, key);
    expect(await bannersOf(dataDir)).toEqual(['KOEL Transport']);
  });

  it('that cannot be restored is no good one, and the admin is shown why', async () => {
    const target = join(await temporaryDirectory(), 'one');
    await makeBackup(origin, target, defaultBackups);
    await truncate(join(target, 'postgres', 'global', 'pg_control'), 0);
    const dataDir = join(await temporaryDirectory(), 'data');
    await restoreEmbedded(target, dataDir, null);
    await expect(startEmbedded({ dataDir })).rejects.toThrow('did not start');
    const failing = makeBackup(origin, join(target, 'postgres', 'x', 'y'), { ...defaultBackups, command: 'false' });
    expect(await oneLine(failing)).toBe('y is made; BACKUP_COMMAND ended with 1.');
    const last = await query<{ summary: string; is_good: boolean }>(
      database.url,
      "SELECT summary, is_good FROM upkeep WHERE kind = 'backup' ORDER BY began_at DESC LIMIT 1",
    );
    expect(last).toEqual([{ summary: 'y is made; BACKUP_COMMAND ended with 1.', is_good: false }]);
  });

  it('an interrupted restore is begun again', async () => {
    const target = join(await temporaryDirectory(), 'one');
    await makeBackup(origin, target, defaultBackups);
    const dataDir = await temporaryDirectory();
    // What a killed restore leaves: half a cluster under its temporary name, and the file of a process that is gone.
    await mkdir(join(dataDir, 'postgres.new-0123456789ab', 'postgres'), { recursive: true });
    await cp(
      join(target, 'postgres', 'PG_VERSION'),
      join(dataDir, 'postgres.new-0123456789ab', 'postgres', 'PG_VERSION'),
    );
    await writeFile(join(dataDir, 'app.pid'), '4194304 long ago\n');
    await restoreEmbedded(target, dataDir, null);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.password']);
    expect(await bannersOf(dataDir)).toEqual(['KOEL Transport']);
  });
});

describe('the schedule', { timeout: 300_000 }, () => {
  it('keeps the newest of each of 14 days and 8 weeks', () => {
    const names = Array.from({ length: 100 }, (_, day) => {
      const at = new Date(Date.UTC(2026, 10, 22) - day * 86_400_000).toISOString().slice(0, 10);
      return [`${at}-21-00-00.encrypted`, `${at}-02-30-00.encrypted`];
    }).flat();
    const others = ['notes.txt', '2026-11-22', 'one.new-0123456789ab', '2026-01-01-00-00-00.old'];
    const gone = new Set(expiredBackups([...names, ...others], defaultBackups));
    const kept = names.filter((name) => !gone.has(name));
    expect(kept.every((name) => name.includes('-21-00-00'))).toBe(true);
    const daily = kept.slice(0, 14).map((name) => name.slice(0, 10));
    expect([daily[0], daily.at(-1)]).toEqual(['2026-11-22', '2026-11-09']);
    // Sundays of the weeks before.
    expect(kept.slice(14).map((name) => name.slice(0, 10))).toEqual([
      '2026-11-08',
      '2026-11-01',
      '2026-10-25',
      '2026-10-18',
      '2026-10-11',
      '2026-10-04',
    ]);
    expect([...gone].filter((name) => others.includes(name))).toEqual([]);
  });

  it('puts a backup into its directory, runs the command, and removes what is too old', async () => {
    const directory = await temporaryDirectory();
    const command = 'f() { echo "$1" > "$(dirname "$1")/told"; }; f';
    await mkdir(join(directory, '2020-01-01-00-00-00'));
    await mkdir(join(directory, '2019-12-01-00-00-00'));
    const settings = { directory, keyFile, daily: 1, weekly: 2, command };
    const { isGood } = await makeScheduledBackup(origin, directory, settings);
    expect(isGood).toBe(true);
    const names = (await readdir(directory)).sort();
    expect(names).toEqual(['2020-01-01-00-00-00', expect.stringMatching(/^[-\d]{19}\.encrypted$/), 'told']);
    expect((await readFile(join(directory, 'told'), 'utf8')).trim()).toBe(join(directory, names[1] ?? ''));
  });
});

describe('npm run restore', { timeout: 300_000 }, () => {
  it('restores into an empty DATA_DIR, checks it, and refuses one that is in use', async () => {
    const target = join(await temporaryDirectory(), 'one');
    await makeBackup(origin, target, defaultBackups);
    const dataDir = join(await temporaryDirectory(), 'data');
    const run = (task: string, ...args: string[]) =>
      promisify(execFile)('npx', ['tsx', `src/tasks/${task}.ts`, ...args], {
        cwd: projectRoot,
        env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
      });
    const { stdout } = await run('restore', target);
    expect(stdout).toContain(`Restored ${target} to ${dataDir} in `);
    expect(stdout).toContain('ok    KOEL Transport: payments and challans agree\n');
    expect(stdout).toMatch(/\n1 business: no difference \([\d.]+ s\)\.\n$/);
    await expect(run('restore', target)).rejects.toThrow('is not empty: a backup is restored into an empty directory');
    expect((await run('verify')).stdout).toContain('1 business: no difference');
  });
});
