import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../server/operator-error.ts';
import { layoutOf, syncDirectory } from './embedded-cluster.ts';
import { copyOwner } from './embedded-user.ts';

/**
 * The archived log of an embedded database is in `WAL_DIR/<series>`, one file per segment. A series is the log of one
 * data directory. A restored data directory begins a new series, because it writes segments with the same names and
 * other content.
 */
export interface Series {
  id: string;
  /** The directory of all series (WAL_DIR) when this one began. */
  directory: string;
  /**
   * PostgreSQL's system identifier of the cluster. A cluster that replaces another one must not continue its series.
   */
  system: string;
  /** A fingerprint of the key (`keyMark`). A backup and the log that is replayed onto it must use the same key. */
  key: string;
  /**
   * The first segment that the newest good backup needs. Absent: there is no backup yet onto which the log can be
   * replayed.
   */
  base?: string;
}

export const seriesFolder = (directory: string, series: { id: string }): string => join(directory, series.id);

/** Returns the series to which a data directory writes; null when it has none yet or its file is damaged. */
export async function readSeries(dataDir: string): Promise<Series | null> {
  const known = await readJson<Series>(layoutOf(dataDir).series);
  return known !== null && /^[0-9a-f]{12}$/.test(known.id) ? known : null;
}

/** Returns a fingerprint of the key. It reveals nothing of the key, which is random. */
const keyFingerprint = (key: Buffer | null): string =>
  key === null ? 'none' : createHash('sha256').update('challan-desk log').update(key).digest('hex').slice(0, 16);

/**
 * Opens the series of a data directory, or begins a new one when there is none or it belongs to another cluster or key.
 * The folder of a series is created only then: a missing folder means that a disk is not mounted.
 */
export async function openSeries(dataDir: string, directory: string, key: Buffer | null): Promise<Series> {
  const known = await readSeries(dataDir);
  const system = await systemIdOf(dataDir);
  const isAnother = known === null || known.system !== system || known.key !== keyFingerprint(key);
  if (isAnother) return beginSeries(dataDir, directory, key);
  if (existsSync(seriesFolder(directory, known))) {
    if (known.directory !== directory) await writeSeries(dataDir, { ...known, directory });
    return known;
  }
  if (known.directory !== directory) return beginSeries(dataDir, directory, key);
  throw new OperatorError(
    `${seriesFolder(directory, known)} is not there. Mount its disk or put it back; to begin anew, remove ${layoutOf(dataDir).series}`,
  );
}

export async function beginSeries(dataDir: string, directory: string, key: Buffer | null): Promise<Series> {
  const system = await systemIdOf(dataDir);
  const series: Series = { id: randomBytes(6).toString('hex'), directory, system, key: keyFingerprint(key) };
  await mkdir(seriesFolder(directory, series), { recursive: true, mode: 0o700 });
  await syncDirectory(directory);
  await writeSeries(dataDir, series);
  return series;
}

/** Records the first segment of the log that is needed, or null when there is no such backup any more. */
export async function setBase(dataDir: string, id: string, base: string | null): Promise<void> {
  const known = await readSeries(dataDir);
  if (known === null || known.id !== id) return;
  const { base: _, ...rest } = known;
  await writeSeries(dataDir, { ...rest, ...(base === null ? {} : { base }) });
}

/** Whether the archived log continues from a good backup until now without a gap. */
export async function hasBase(dataDir: string, directory: string): Promise<boolean> {
  const known = await readSeries(dataDir);
  if (known?.base === undefined) return false;
  const { gap } = chainFrom(known.base, await listArchived(seriesFolder(directory, known)));
  return gap === undefined;
}

async function writeSeries(dataDir: string, series: Series): Promise<void> {
  const file = layoutOf(dataDir).series;
  await writeFile(`${file}.new`, `${JSON.stringify(series)}\n`, { mode: 0o600, flush: true });
  // The next start may be done by the owner of the directory and not by root.
  await copyOwner(dataDir, `${file}.new`);
  await rename(`${file}.new`, file);
  await syncDirectory(dataDir);
}

export async function readJson<T>(file: string): Promise<T | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return 'null';
    throw error;
  });
  try {
    // The cast is safe: only this program writes these files.
    return JSON.parse(text) as T | null;
  } catch {
    return null;
  }
}

/** Returns the system identifier: the first eight bytes of the control file. */
async function systemIdOf(dataDir: string): Promise<string> {
  const control = await readFile(join(layoutOf(dataDir).cluster, 'global', 'pg_control'));
  return control.readBigUInt64LE(0).toString();
}

export interface ArchivedFile {
  file: string;
  /** PostgreSQL's name of the file: a segment, or the history of a timeline or of a backup. */
  name: string;
  /** When PostgreSQL closed the file. What was committed before is in this file or an earlier one. */
  closedAt: Date;
}

/**
 * Returns the file name in the archive. It contains the time, because a copy of the archive often loses the times of
 * its files.
 */
export function archivedName(name: string, closedAt: Date, isEncrypted: boolean): string {
  return `${name}.${closedAt.toISOString().replace(/[-:.]/g, '')}.gz${isEncrypted ? '.encrypted' : ''}`;
}

const archivedPattern =
  /^([0-9A-F]{24}(?:\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.gz(?:\.encrypted)?$/;

export async function listArchived(folder: string): Promise<ArchivedFile[]> {
  return (await readdir(folder)).sort().flatMap((file) => {
    const [, name, year, month, day, hour, minute, second, ms] = archivedPattern.exec(file) ?? [];
    if (name === undefined) return [];
    return [{ file, name, closedAt: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`) }];
  });
}

export const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name);

/**
 * Returns the name of the segment after this one. Segments have the default size of 16 MB, because this program creates
 * the cluster.
 */
export function segmentAfter(name: string): string {
  const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');
  const next = Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16), 16) + 1;
  return name.slice(0, 8) + hex(Math.floor(next / 256)) + hex(next % 256);
}

/** Returns the consecutive segments from `first` on. `gap` is the missing segment when later ones exist. */
export function chainFrom(first: string, archived: readonly ArchivedFile[]): { chain: ArchivedFile[]; gap?: string } {
  const segments = new Map(archived.filter(({ name }) => isSegment(name)).map((one) => [one.name, one]));
  const chain: ArchivedFile[] = [];
  let next = first;
  for (let one = segments.get(next); one !== undefined; one = segments.get(next)) {
    chain.push(one);
    next = segmentAfter(next);
  }
  const isMissing = [...segments.keys()].some((name) => name.slice(0, 8) === first.slice(0, 8) && name > next);
  return { chain, ...(isMissing && { gap: next }) };
}

/**
 * Removes the files that were closed before a moment, in every series, and then the empty folders of other series. Pass
 * the moment at which the oldest kept backup began, because a backup needs no log from before its beginning.
 */
export async function removeLogBefore(directory: string, moment: Date, current: string | undefined): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isDirectory() || !/^[0-9a-f]{12}$/.test(entry.name)) continue;
    const folder = join(directory, entry.name);
    for (const { file, closedAt } of await listArchived(folder)) {
      if (closedAt < moment) await rm(join(folder, file));
    }
    if (entry.name !== current && (await readdir(folder)).length === 0) await rmdir(folder);
  }
}
