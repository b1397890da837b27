import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { layoutOf, syncDirectory } from './embedded-cluster.ts';

/**
 * Where the archived log of an embedded database is: `WAL_DIR/<series>`, a file for each segment. A series is the log of one
 * data directory. A restored one begins another, because it writes segments of the same names with other content.
 */
export interface Series {
  id: string;
  /** The folder of all series when this one began (WAL_DIR). */
  directory: string;
  /** PostgreSQL's own number of the cluster: one that was put in the place of another does not go on with its series. */
  system: string;
  /** Tells the key from another one (`keyMark`): a backup and the log that is replayed onto it must open with the same. */
  key: string;
  /** The first segment that the newest good backup needs; absent: there is no backup yet that the log can be replayed onto. */
  base?: string;
}

export const folderOf = (directory: string, series: { id: string }): string => join(directory, series.id);

/** The series that a data directory writes; null: it has none yet, or its file is damaged. */
export async function readSeries(dataDir: string): Promise<Series | null> {
  const known = await readJson<Series>(layoutOf(dataDir).series);
  return known !== null && /^[0-9a-f]{12}$/.test(known.id) ? known : null;
}

/** Says nothing of the key, which is random. */
export const keyMark = (key: Buffer | null): string =>
  key === null ? 'none' : createHash('sha256').update('challan-desk log').update(key).digest('hex').slice(0, 16);

/**
 * The series of a data directory, begun if there is none, or for another cluster or key. Its folder is made only then: a folder that
 * is gone is a disk that is not mounted.
 */
export async function openSeries(dataDir: string, directory: string, key: Buffer | null): Promise<Series> {
  const known = await readSeries(dataDir);
  const system = await systemOf(dataDir);
  const isAnother = known === null || known.system !== system || known.key !== keyMark(key);
  if (isAnother) return beginSeries(dataDir, directory, key);
  if (existsSync(folderOf(directory, known))) {
    if (known.directory !== directory) await writeSeries(dataDir, { ...known, directory });
    return known;
  }
  if (known.directory !== directory) return beginSeries(dataDir, directory, key);
  throw new OperatorError(
    `${folderOf(directory, known)} is not there. Mount its disk or put it back; to begin anew, remove ${layoutOf(dataDir).series}`,
  );
}

export async function beginSeries(dataDir: string, directory: string, key: Buffer | null): Promise<Series> {
  const system = await systemOf(dataDir);
  const series: Series = { id: randomBytes(6).toString('hex'), directory, system, key: keyMark(key) };
  await mkdir(folderOf(directory, series), { recursive: true, mode: 0o700 });
  await syncDirectory(directory);
  await writeSeries(dataDir, series);
  return series;
}

/** Says from which segment on the log is needed, or that there is no such backup any more. */
export async function setBase(dataDir: string, id: string, base: string | null): Promise<void> {
  const known = await readSeries(dataDir);
  if (known === null || known.id !== id) return;
  const { base: _, ...rest } = known;
  await writeSeries(dataDir, { ...rest, ...(base === null ? {} : { base }) });
}

/** Whether the log leads from a good backup to now without a gap. */
export async function hasBase(dataDir: string, directory: string): Promise<boolean> {
  const known = await readSeries(dataDir);
  if (known?.base === undefined) return false;
  const { gap } = chainFrom(known.base, await archivedIn(folderOf(directory, known)));
  return gap === undefined;
}

async function writeSeries(dataDir: string, series: Series): Promise<void> {
  const file = layoutOf(dataDir).series;
  await writeFile(`${file}.new`, `${JSON.stringify(series)}\n`, { mode: 0o600, flush: true });
  // The next start may be by the owner of the directory and not by root.
  if (process.getuid?.() === 0) {
    const { uid, gid } = await stat(dataDir);
    await chown(`${file}.new`, uid, gid);
  }
  await rename(`${file}.new`, file);
  await syncDirectory(dataDir);
}

export async function readJson<T>(file: string): Promise<T | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return 'null';
    throw error;
  });
  try {
    // Only this program writes these files.
    return JSON.parse(text) as T | null;
  } catch {
    return null;
  }
}

/** The first eight bytes of the control file. */
async function systemOf(dataDir: string): Promise<string> {
  const control = await readFile(join(layoutOf(dataDir).cluster, 'global', 'pg_control'));
  return control.readBigUInt64LE(0).toString();
}

export interface Archived {
  file: string;
  /** PostgreSQL's name of it: a segment, or the history of a timeline or of a backup. */
  name: string;
  /** When PostgreSQL was done with it: what was committed before is in it or in an earlier one. */
  closedAt: Date;
}

/** In the file's name, because a copy of the archive often loses the times of its files. */
export function fileNameOf(name: string, closedAt: Date, isEncrypted: boolean): string {
  return `${name}.${closedAt.toISOString().replace(/[-:.]/g, '')}.gz${isEncrypted ? '.encrypted' : ''}`;
}

const named =
  /^([0-9A-F]{24}(?:\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.gz(?:\.encrypted)?$/;

export async function archivedIn(folder: string): Promise<Archived[]> {
  return (await readdir(folder)).sort().flatMap((file) => {
    const [, name, year, month, day, hour, minute, second, ms] = named.exec(file) ?? [];
    if (name === undefined) return [];
    return [{ file, name, closedAt: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`) }];
  });
}

export const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name);

/** The segment after another one; they have the usual 16 MB, because this program makes the cluster. */
export function segmentAfter(name: string): string {
  const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');
  const next = Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16), 16) + 1;
  return name.slice(0, 8) + hex(Math.floor(next / 256)) + hex(next % 256);
}

/** The segments from `first` on that follow each other, and the one that is missing where later ones are there. */
export function chainFrom(first: string, archived: readonly Archived[]): { chain: Archived[]; gap?: string } {
  const segments = new Map(archived.filter(({ name }) => isSegment(name)).map((one) => [one.name, one]));
  const chain: Archived[] = [];
  let next = first;
  for (let one = segments.get(next); one !== undefined; one = segments.get(next)) {
    chain.push(one);
    next = segmentAfter(next);
  }
  const isMissing = [...segments.keys()].some((name) => name.slice(0, 8) === first.slice(0, 8) && name > next);
  return { chain, ...(isMissing && { gap: next }) };
}

/**
 * Removes what was closed before a moment, in every series, and the folders of series that are empty then. Give it the moment at
 * which the oldest kept backup began: a backup needs no log of before its beginning.
 */
export async function removeLogBefore(directory: string, moment: Date, current: string | undefined): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isDirectory() || !/^[0-9a-f]{12}$/.test(entry.name)) continue;
    const folder = join(directory, entry.name);
    for (const { file, closedAt } of await archivedIn(folder)) {
      if (closedAt < moment) await rm(join(folder, file));
    }
    if (entry.name !== current && (await readdir(folder)).length === 0) await rmdir(folder);
  }
}
