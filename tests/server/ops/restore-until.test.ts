import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKeyFile, readKey } from '../../../src/ops/backup-cipher.ts';
import { backUp } from '../../../src/ops/embedded-backup.ts';
import type { EmbeddedDatabase } from '../../../src/ops/embedded.ts';
import type { ArchivePlan } from '../../../src/ops/log-archive.ts';
import { listArchived, chainFrom } from '../../../src/ops/log-series.ts';
import { restoreEmbedded } from '../../../src/ops/restore.ts';
import { inIndia } from '../../../src/shared/calc/dates.ts';
import { projectRoot } from '../../../src/tasks/run.ts';
import { archiveTo, backUpArchived, idsIn, insert, latestOf, momentIn, seriesIn, startArchived } from '../archived.ts';
import { query, removeDirectories, temporaryDirectory } from '../embedded-run.ts';

const started = new Set<EmbeddedDatabase>();
afterEach(async () => {
  for (const one of started) await one.stop();
  started.clear();
});
afterAll(removeDirectories);

async function start(dataDir: string, archive?: ArchivePlan): Promise<EmbeddedDatabase> {
  const database = await startArchived(dataDir, archive);
  started.add(database);
  return database;
}

async function stop(database: EmbeddedDatabase): Promise<void> {
  started.delete(database);
  await database.stop();
}

describe('npm run restore with --until', { timeout: 300_000 }, () => {
  let base: string;
  let directory: string;
  let keyFile: string;
  let ended: Date;
  let middle: Date;

  beforeAll(async () => {
    const [dataDir, away] = [join(await temporaryDirectory(), 'data'), await temporaryDirectory()];
    [base, directory, keyFile] = [join(away, 'base'), join(away, 'wal'), join(away, 'backups.key')];
    await createKeyFile(keyFile);
    const database = await startArchived(dataDir, { directory, keyFile });
    await query(database.url, 'CREATE TABLE row (id int, text text)');
    const copied = await backUpArchived(dataDir, database, base, directory);
    ended = new Date(copied.endedAt);
    await insert(database.url, 1);
    middle = await momentIn(database.url);
    await archiveTo(database, middle);
    await insert(database.url, 2);
    await archiveTo(database, await momentIn(database.url));
    await database.stop();
  }, 300_000);

  async function refusal(moment: Date | 'latest', other: { from?: string; key?: Buffer | null; wal?: string } = {}) {
    const dataDir = join(await temporaryDirectory(), 'data');
    const key = other.key === undefined ? await readKey(keyFile) : other.key;
    const error: unknown = await restoreEmbedded(other.from ?? base, dataDir, key, {
      moment,
      directory: other.wal ?? directory,
    }).then(
      () => new Error('It was not refused.'),
      (reason: unknown) => reason,
    );
    // Nothing half restored.
    expect(await readdir(dataDir)).toEqual([]);
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    return message;
  }

  /** The archive as it is, to be spoilt. */
  async function copyOfLog(): Promise<{ wal: string; folder: string; segments: string[] }> {
    const wal = join(await temporaryDirectory(), 'wal');
    await cp(directory, wal, { recursive: true });
    const { folder, files } = await seriesIn(wal);
    const { from } = JSON.parse(await readFile(join(base, 'postgres', 'copied.json'), 'utf8')) as { from: string };
    return { wal, folder, segments: chainFrom(from, files).chain.map(({ file }) => file) };
  }

  it('refuses a moment before the end of the backup, and one after the end of the log', async () => {
    expect(await refusal(new Date(ended.getTime() - 1))).toBe(
      `This backup is of ${inIndia(ended, 'ms')}, which is after that moment: take an older backup, or a later moment.`,
    );
    const late = await refusal(new Date('2099-01-01T00:00:00Z'));
    const reach = /^The log in \S+ reaches to (\S+ \S+): give that moment or an earlier one, or --until latest/.exec(
      late,
    )?.[1];
    const dataDir = join(await temporaryDirectory(), 'data');
    // The moment that it names is one that it accepts, though no change is later.
    await restoreEmbedded(base, dataDir, await readKey(keyFile), { moment: new Date(reach ?? ''), directory });
    // What was restored is archived, backed up and restored itself.
    const wal = join(await temporaryDirectory(), 'wal');
    const database = await start(dataDir, { directory: wal });
    const ids = await idsIn(database.url);
    expect(ids.length).toBeGreaterThan(0);
    const second = join(await temporaryDirectory(), 'base');
    const copied = await backUpArchived(dataDir, database, second, wal);
    expect(copied.from).toMatch(/^00000002/);
    await insert(database.url, 10);
    await stop(database);
    expect(await latestOf(second, wal, start)).toEqual([...ids, 10]);
  });

  it('refuses a log with a segment missing, but not a moment before the gap', async () => {
    const { wal, folder, segments } = await copyOfLog();
    const files = await listArchived(folder);
    const last = segments.at(-2) ?? '';
    await rm(join(folder, last));
    expect(await refusal('latest', { wal })).toMatch(
      new RegExp(`^The log has a gap: ${last.slice(0, 24)} is missing in ${folder}; without it the log reaches to `),
    );
    expect(files.length).toBeGreaterThan(3);
    const dataDir = join(await temporaryDirectory(), 'data');
    const replayed = await restoreEmbedded(base, dataDir, await readKey(keyFile), { moment: middle, directory: wal });
    expect(replayed?.lastChange?.getTime()).toBeLessThanOrEqual(middle.getTime());
    const database = await start(dataDir);
    expect(await idsIn(database.url)).toEqual([1]);
    await rm(join(folder, segments[0] ?? ''));
    expect(await refusal(middle, { wal })).toContain('none of it can be replayed');
  });

  it('refuses a log that another key belongs to, that has no key, that is damaged, or that is not there', async () => {
    const other = join(await temporaryDirectory(), 'other.key');
    await createKeyFile(other);
    const notOpened = /^The log does not open: \S+ belongs to another key, or it was changed, or its end is missing\.$/;
    expect(await refusal('latest', { key: await readKey(other) })).toMatch(notOpened);
    expect(await refusal('latest', { key: null })).toMatch(/ is encrypted: name its key file in BACKUP_KEY_FILE\.$/);
    const { wal, folder, segments } = await copyOfLog();
    await truncate(join(folder, segments.at(-1) ?? ''), 100);
    expect(await refusal('latest', { wal })).toMatch(notOpened);
    const empty = await temporaryDirectory();
    expect(await refusal('latest', { wal: empty })).toMatch(
      new RegExp(`^The log of this backup is not there: ${empty}/[0-9a-f]{12}\\. Name the folder`),
    );
  });

  it('refuses what is no moment, and a server, before it looks at anything', async () => {
    const restore = (args: string[], env: NodeJS.ProcessEnv = {}) =>
      promisify(execFile)('npx', ['tsx', 'src/tasks/restore.ts', ...args], {
        cwd: projectRoot,
        env: { ...process.env, DATA_DIR: join(base, 'not-made'), DATABASE_URL: '', ...env },
      }).then(
        () => 'It was not refused.',
        ({ stderr }: { stderr: string }) =>
          stderr.split('\n').filter((line) => line !== '' && !line.startsWith('npm ')),
      );
    expect(await restore([base, '--until', 'yesterday'])).toEqual([
      `--until is no moment: write it as '2026-11-23 09:14:00+05:30' (without an offset it is a time in India), or latest.`,
    ]);
    expect(await restore([base, '--until'])).toEqual([expect.stringMatching(/^Usage: npm run restore -- <backup> /)]);
    expect(await restore([base, '--to', 'latest'])).toEqual([expect.stringMatching(/^Usage: /)]);
    const DATABASE_URL = 'postgres://a:b@127.0.0.1:1/c';
    expect(await restore([base, '--until', 'latest'], { DATABASE_URL })).toEqual([
      '--until is for the embedded database: a server replays its own log (docs/running.md).',
    ]);
    expect(await readdir(base)).not.toContain('not-made');
  });

  it('refuses a backup that was made without the archive', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const database = await start(dataDir);
    const from = join(await temporaryDirectory(), 'one');
    expect(await backUp(dataDir, database.url, from)).toBeNull();
    expect(await refusal('latest', { from })).toMatch(/^This backup was made while no log was archived \(WAL_DIR\)/);
  });
});
