import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { ArchivePlan } from '../../src/ops/log-archive.ts';
import { backUp, type CopyMetadata } from '../../src/ops/embedded-backup.ts';
import { startEmbedded, type EmbeddedDatabase } from '../../src/ops/embedded.ts';
import { listArchived, readSeries, type ArchivedFile } from '../../src/ops/log-series.ts';
import { restoreEmbedded } from '../../src/ops/restore.ts';
import { query, temporaryDirectory } from './embedded-run.ts';
import { testSettings } from './global-setup.ts';

export const patient = { timeout: 60_000 };

/** Careless about power cuts, which no test makes; the archive itself is flushed. */
export function startArchived(
  dataDir: string,
  archive: ArchivePlan | undefined,
  log: (message: string) => void = () => undefined,
  others: Record<string, string> = {},
): Promise<EmbeddedDatabase> {
  const settings = { ...testSettings, io_method: 'sync', ...others };
  const often = archive && { everyMs: 50, againMs: 50, ...archive };
  return startEmbedded({ dataDir, isDurable: false, settings, log, archive: often });
}

const clockOf = async (url: string): Promise<Date> =>
  (await query(url, "SELECT date_trunc('milliseconds', clock_timestamp())"))[0]?.[0] as Date;

/** The moment of now, by the database's clock; the next change is after it. */
export async function momentIn(url: string): Promise<Date> {
  const moment = await clockOf(url);
  await vi.waitUntil(async () => (await clockOf(url)).getTime() > moment.getTime() + 1, { ...patient, interval: 1 });
  return moment;
}

/** Closes the segment at hand, as the time limit does, until the archive says that it reaches to a moment. */
export async function archiveTo(database: EmbeddedDatabase, moment: Date): Promise<void> {
  const reaches = async (): Promise<boolean> => {
    await query(database.url, "SELECT pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()");
    return (database.archive?.().archivedAt?.getTime() ?? 0) - 1_000 > moment.getTime();
  };
  await vi.waitUntil(reaches, { ...patient, interval: 300 });
}

/** A backup onto which the archived log can be replayed: made once the archive has begun, and all of its log is there. */
export async function backUpArchived(
  dataDir: string,
  database: EmbeddedDatabase,
  target: string,
  directory: string,
): Promise<CopyMetadata> {
  const waiting = () => database.archive?.().waitingBytes;
  await vi.waitUntil(async () => (await readSeries(dataDir)) !== null, patient);
  const copied = await backUp(dataDir, database.url, target);
  if (copied === null) throw new Error('The log was not archived while the backup was made.');
  // Its note comes after the segments that it needs.
  const isThere = async (): Promise<boolean> => {
    const names = (await listArchived(join(directory, copied.series))).map(({ name }) => name);
    return names.some((name) => name.startsWith(copied.from) && name.endsWith('.backup')) && waiting() === 0;
  };
  await vi.waitUntil(isThere, patient);
  return copied;
}

/** Of the one series in a folder, its folder and files. */
export async function seriesIn(directory: string): Promise<{ folder: string; files: ArchivedFile[] }> {
  const names = await readdir(directory);
  expect(names).toHaveLength(1);
  const folder = join(directory, names[0] ?? '');
  return { folder, files: await listArchived(folder) };
}

export const idsIn = async (url: string) => (await query(url, 'SELECT id FROM row ORDER BY id')).flat();
export const insert = (url: string, id: number) => query(url, `INSERT INTO row VALUES (${id}, repeat('x', 500))`);

/** What a restore to the end of the log brings back. */
export async function latestOf(
  base: string,
  directory: string,
  start: (dataDir: string) => Promise<EmbeddedDatabase>,
): Promise<unknown[]> {
  const dataDir = join(await temporaryDirectory(), 'data');
  await restoreEmbedded(base, dataDir, null, { moment: 'latest', directory });
  return idsIn((await start(dataDir)).url);
}
