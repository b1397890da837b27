import { cp, mkdir, readdir, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { makeScheduledBackup } from '../../../src/ops/backups.ts';
import { createKeyFile } from '../../../src/ops/backup-cipher.ts';
import { backUp } from '../../../src/ops/embedded-backup.ts';
import type { EmbeddedDatabase } from '../../../src/ops/embedded.ts';
import type { ArchivePlan } from '../../../src/ops/log-archive.ts';
import { listArchived, chainFrom, hasBase, readSeries, removeLogBefore, setBase } from '../../../src/ops/log-series.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { restoreEmbedded } from '../../../src/ops/restore.ts';
import { defaultBackups } from '../../../src/server/env.ts';
import { backUpArchived, insert, latestOf, patient, seriesIn, startArchived } from '../archived.ts';
import { kill, processTree, query, removeDirectories, run, temporaryDirectory } from '../embedded-run.ts';

const started = new Set<EmbeddedDatabase>();
const said: string[] = [];
afterEach(async () => {
  for (const one of started) await one.stop();
  started.clear();
  said.length = 0;
});
afterAll(removeDirectories);

async function start(dataDir: string, archive?: ArchivePlan): Promise<EmbeddedDatabase> {
  const database = await startArchived(dataDir, archive, (message) => said.push(message));
  started.add(database);
  return database;
}

async function stop(database: EmbeddedDatabase): Promise<void> {
  started.delete(database);
  await database.stop();
}

const segmentOf = async (url: string) =>
  String((await query(url, 'SELECT pg_walfile_name(pg_current_wal_insert_lsn())'))[0]?.[0]);

/** Closes the segment at hand and says its name. */
async function closeSegment(url: string): Promise<string> {
  const name = await segmentOf(url);
  await query(url, "SELECT pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()");
  return name;
}

describe('the archive of the log', { timeout: 300_000 }, () => {
  it('that is away stops nothing, is seen, and has all of it when it is back', async () => {
    const [dataDir, away] = [join(await temporaryDirectory(), 'data'), await temporaryDirectory()];
    const directory = join(away, 'wal');
    const database = await start(dataDir, { directory });
    const look = () => database.archive!();
    await query(database.url, 'CREATE TABLE row (id int, text text)');
    await insert(database.url, 1);
    await backUpArchived(dataDir, database, join(away, 'base'), directory);

    await rename(directory, join(away, 'elsewhere'));
    for (const id of [2, 3, 4]) {
      await insert(database.url, id);
      await closeSegment(database.url);
    }
    await expect.poll(() => look().waitingBytes, patient).toBe(3 * 16 * 1024 * 1024);
    // What waits is counted before it is tried.
    await expect.poll(() => look().trouble, patient).toContain('is not there. Mount its disk or put it back');
    expect(look().waitingSince?.getTime()).toBeGreaterThan(look().archivedAt?.getTime() ?? 0);
    // Not made anew where its disk is not mounted.
    expect(await readdir(away)).not.toContain('wal');
    const complaints = () => said.filter((line) => line.startsWith('The log of the database is not archived: '));
    expect(complaints()).toHaveLength(1);

    await rename(join(away, 'elsewhere'), directory);
    await expect.poll(look, patient).toMatchObject({ trouble: null, waitingBytes: 0, waitingSince: null });
    expect(said.at(-1)).toBe('The log of the database is archived again.');
    expect(complaints()).toHaveLength(1);
    await stop(database);
    expect(await latestOf(join(away, 'base'), directory, start)).toEqual([1, 2, 3, 4]);
  });

  it('that is away at the start, or for which the key is not there, stops nothing either', async () => {
    const [dataDir, away] = [join(await temporaryDirectory(), 'data'), await temporaryDirectory()];
    await writeFile(join(away, 'file'), '');
    const one = await start(dataDir, { directory: join(away, 'file', 'wal') });
    await expect.poll(() => one.archive!().trouble, patient).toContain('leads through a file that is not a directory');
    await stop(one);
    const keyFile = join(away, 'backups.key');
    const other = await start(dataDir, { directory: join(away, 'wal'), keyFile });
    await expect.poll(() => other.archive!().trouble, patient).toContain('cannot be read (BACKUP_KEY_FILE)');
    await query(other.url, 'CREATE TABLE row (id int, text text)');
    await closeSegment(other.url);
    // Nothing of it in clear in the meantime.
    await createKeyFile(keyFile);
    await expect.poll(() => other.archive!(), patient).toMatchObject({ trouble: null, waitingBytes: 0 });
    const { files } = await seriesIn(join(away, 'wal'));
    expect(files.filter(({ file }) => !file.endsWith('.encrypted'))).toEqual([]);
  });

  it('lets the log go before it fills the disk of the books, and says that a backup is wanted', async () => {
    const [dataDir, away] = [join(await temporaryDirectory(), 'data'), await temporaryDirectory()];
    const directory = join(away, 'wal');
    let free = Number.MAX_SAFE_INTEGER;
    const database = await start(dataDir, { directory, freeBytes: () => Promise.resolve(free) });
    await query(database.url, 'CREATE TABLE row (id int, text text)');
    const copied = await backUpArchived(dataDir, database, join(away, 'base'), directory);
    await setBase(dataDir, copied.series, copied.from);
    expect(await hasBase(dataDir, directory)).toBe(true);

    await rename(directory, join(away, 'elsewhere'));
    await insert(database.url, 1);
    await closeSegment(database.url);
    await insert(database.url, 2);
    await closeSegment(database.url);
    await expect.poll(() => database.archive!().waitingBytes, patient).toBe(2 * 16 * 1024 * 1024);
    // As much again is free: nothing is let go.
    free = 2 * 16 * 1024 * 1024;
    await insert(database.url, 3);
    await closeSegment(database.url);
    await expect
      .poll(() => said.at(-1), patient)
      .toMatch(/^The disk of the database is getting full: 5\d MB of its log/);
    expect(await hasBase(dataDir, directory)).toBe(false);
    const statusOf = () => readdir(join(dataDir, 'postgres', 'pg_wal', 'archive_status'));
    await closeSegment(database.url);
    await expect
      .poll(async () => (await statusOf()).filter((name) => name.endsWith('.ready')).length, patient)
      .toBeLessThan(2);

    await rename(join(away, 'elsewhere'), directory);
    await insert(database.url, 4);
    await stop(database);
    expect(database.archive!().trouble).toBeNull();
    const at = join(await temporaryDirectory(), 'data');
    await expect(restoreEmbedded(join(away, 'base'), at, null, { moment: 'latest', directory })).rejects.toThrow(
      /^The log has a gap: [0-9A-F]{24} is missing in /,
    );
    expect(await readdir(at)).toEqual([]);
  });

  it('has a change within a minute, without a full segment', async () => {
    const [dataDir, away] = [join(await temporaryDirectory(), 'data'), await temporaryDirectory()];
    const one = await start(dataDir, { directory: join(away, 'wal') });
    expect(await query(one.url, 'SHOW archive_timeout')).toEqual([['55s']]);
    await stop(one);
    const quick = await startArchived(dataDir, { directory: join(away, 'wal') }, undefined, { archive_timeout: '1' });
    started.add(quick);
    await query(quick.url, 'CREATE TABLE row (id int, text text)');
    const name = await segmentOf(quick.url);
    const names = async () => (await seriesIn(join(away, 'wal'))).files.map((file) => file.name);
    await expect.poll(names, patient).toContain(name);
  });

  it('goes on in another series with another key, and where a file of it is damaged', async () => {
    const [dataDir, away] = [join(await temporaryDirectory(), 'data'), await temporaryDirectory()];
    const directory = join(away, 'wal');
    const keyFile = join(away, 'backups.key');
    await createKeyFile(keyFile);
    const idIn = async (plan: ArchivePlan) => {
      const database = await start(dataDir, plan);
      await stop(database);
      expect(database.archive!()).toMatchObject({ trouble: null, waitingBytes: 0 });
      return (await readSeries(dataDir))?.id;
    };
    const clear = await idIn({ directory });
    expect(await idIn({ directory })).toBe(clear);
    const encrypted = await idIn({ directory, keyFile });
    expect(encrypted).not.toBe(clear);
    expect(await idIn({ directory, keyFile })).toBe(encrypted);

    // Archived, but PostgreSQL was not told before the kill.
    const states = join(dataDir, 'postgres', 'pg_wal', 'archive_status');
    const isSegmentDone = (name: string) => /^[0-9A-F]{24}\.done$/.test(name);
    const again = async () => {
      const name = (await readdir(states)).filter(isSegmentDone).sort().at(-1) ?? '';
      await rename(join(states, name), join(states, name.replace('.done', '.ready')));
      return name.slice(0, 24);
    };
    await again();
    expect(await idIn({ directory, keyFile })).toBe(encrypted);
    const name = await again();
    const folder = join(directory, encrypted ?? '');
    const file = (await listArchived(folder)).find((one) => one.name === name)?.file ?? '';
    await truncate(join(folder, file), 200);
    expect(await idIn({ directory, keyFile })).not.toBe(encrypted);
  });

  it('of a copied data directory is one of its own', async () => {
    const [dataDir, away] = [join(await temporaryDirectory(), 'data'), await temporaryDirectory()];
    const directory = join(away, 'wal');
    const first = await start(dataDir, { directory });
    await query(first.url, 'CREATE TABLE row (id int, text text)');
    await stop(first);
    const copy = join(await temporaryDirectory(), 'data');
    await cp(dataDir, copy, { recursive: true });
    for (const [of, id] of [
      [dataDir, 1],
      [copy, 2],
    ] as const) {
      const database = await start(of, { directory });
      await insert(database.url, id);
      await stop(database);
    }
    expect(said.filter((line) => line.includes('goes on in a series of its own'))).toHaveLength(1);
    const [one, other] = [await readSeries(dataDir), await readSeries(copy)];
    expect(one?.id).not.toBe(other?.id);
    expect((await readdir(directory)).sort()).toEqual([one?.id, other?.id].sort());
  });

  it('is kept as long as the oldest backup needs it', async () => {
    const [dataDir, backups] = [join(await temporaryDirectory(), 'data'), await temporaryDirectory()];
    const walDirectory = join(backups, 'wal');
    const database = await start(dataDir, { directory: walDirectory });
    await migrate(database.url);
    const { folder, files } = await expect
      .poll(() => seriesIn(walDirectory).catch(() => ({ folder: '', files: [] })), patient)
      .toMatchObject({ folder: expect.stringContaining(walDirectory) })
      .then(() => seriesIn(walDirectory));
    const old = '000000010000000000000000.20200101T000000000Z.gz';
    const others = ['0123456789ab', 'ba9876543210'].map((name) => join(walDirectory, name));
    for (const place of [folder, ...others]) {
      await mkdir(place, { recursive: true });
      await writeFile(join(place, old), '');
    }
    const young = '00000001000000000000000F.20991231T000000000Z.gz';
    await writeFile(join(others[1] ?? '', young), '');
    await writeFile(join(walDirectory, 'notes.txt'), '');
    const settings = { ...defaultBackups, daily: 1, weekly: 1, walDirectory };
    expect(
      (await makeScheduledBackup({ url: database.url, dataDir, workDir: dataDir }, backups, settings)).isGood,
    ).toBe(true);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(files.map(({ file }) => file)));
    expect(await readdir(folder)).not.toContain(old);
    expect((await readdir(walDirectory)).sort()).toEqual(
      [folder.slice(walDirectory.length + 1), 'ba9876543210', 'notes.txt'].sort(),
    );
    expect(await readdir(others[1] ?? '')).toEqual([young]);
    // Of before the moment, and not the file that was closed at it.
    await removeLogBefore(walDirectory, new Date('2099-12-31T00:00:00.000Z'), undefined);
    expect(await readdir(others[1] ?? '')).toEqual([young]);
  });
});

describe.skipIf(process.platform !== 'linux')('a kill in the middle of archiving', { timeout: 300_000 }, () => {
  it('loses nothing: every acknowledged row is in the archive afterwards', async () => {
    const [dataDir, away] = [join(await temporaryDirectory(), 'data'), await temporaryDirectory()];
    const directory = join(away, 'wal');
    const acknowledged: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const app = run({ dataDir, isWriting: true, archive: { directory, intervalMs: 1 } });
      const url = await app.url;
      const rows = () => app.messages.flatMap((message) => message.acknowledged ?? []);
      await expect.poll(() => rows().length, patient).toBeGreaterThan(20);
      if (round === 0) {
        await expect.poll(() => readSeries(dataDir), patient).not.toBeNull();
        await backUp(dataDir, url, join(away, 'base'));
      }
      const closed = await closeSegment(url);
      // While its file is written, or just after.
      const isBegun = async () => {
        const [name = ''] = await readdir(directory);
        return (await readdir(join(directory, name))).some((file) => file.startsWith(closed));
      };
      await expect.poll(isBegun, { ...patient, interval: 1 }).toBe(true);
      kill(processTree(app.child.pid ?? 0));
      await app.ended;
      acknowledged.push(...rows());
    }
    const database = await start(dataDir, { directory });
    await stop(database);
    const { folder, files } = await seriesIn(directory);
    expect(chainFrom(files.find(({ name }) => name.length === 24)?.name ?? '', files).gap).toBeUndefined();
    expect((await readdir(folder)).filter((file) => file.endsWith('.new'))).toEqual([]);
    const there = new Set(await latestOf(join(away, 'base'), directory, start));
    expect(acknowledged.length).toBeGreaterThan(80);
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
  });
});
