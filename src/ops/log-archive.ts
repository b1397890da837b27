import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { reasonOf } from '../server/operator-error.ts';
import { Encrypt, readKey } from './backup-cipher.ts';
import { openFile } from './backup-programs.ts';
import { layoutOf, statIfThere, syncDirectory } from './embedded-cluster.ts';
import {
  listArchived,
  beginSeries,
  archivedName,
  seriesFolder,
  openSeries,
  readSeries,
  setBase,
} from './log-series.ts';

export interface ArchivePlan {
  /** The directory of all series (WAL_DIR). */
  directory: string;
  /** The key file that encrypts the segments (BACKUP_KEY_FILE). Absent: they are not encrypted. */
  keyFile?: string | undefined;
  /** Other times than the defaults, and another check of the free disk space, for tests. */
  intervalMs?: number;
  retryMs?: number;
  freeBytes?: (folder: string) => Promise<number>;
}

export interface ArchiveState {
  /** Why the last round failed to archive the waiting segments; null when it succeeded. */
  trouble: string | null;
  /** The time up to which the log is archived. */
  archivedAt: Date | null;
  /** How much of the log is complete but not archived, and since when the oldest of these segments waits. */
  waitingBytes: number;
  waitingSince: Date | null;
}

export interface LogArchive {
  state(): ArchiveState;
  /** Call this after the database has stopped. Archives the remaining segments, as far as that is quickly done. */
  stop(): Promise<void>;
}

/**
 * A folder with an empty marker file for each archived segment. It is in the cluster, because the database's user must
 * reach it.
 */
const markerFolder = 'archived';
/** A file in the same folder while archiving fails, so that the database does not wait for each segment. */
const failingMarker = 'refused';

/**
 * The settings with which PostgreSQL is started. PostgreSQL considers a segment archived when our marker for it exists.
 * The marker is written after the segment is flushed to the disk of the archive; until then PostgreSQL keeps the
 * segment. It checks for the marker a few times, and then once a minute. A segment with changes is closed after 55 s,
 * so at most a minute of changes may be lost.
 */
export const archivingSettings = {
  wal_level: 'replica',
  archive_mode: 'on',
  archive_timeout: '55',
  archive_command: `n=0; until test -e ${markerFolder}/%f; do test -e ${markerFolder}/${failingMarker} && exit 1; n=$((n+1)); test $n -lt 20 || exit 1; sleep 0.1; done`,
};

/** Removes the markers of earlier runs, which may belong to another archive. Call it before the database starts. */
export async function clearMarkers(cluster: string): Promise<void> {
  await rm(join(cluster, markerFolder), { recursive: true, force: true });
  await mkdir(join(cluster, markerFolder));
  // The database's user must read this folder, whatever the umask is.
  await chmod(join(cluster, markerFolder), 0o755);
}

interface WaitingSegment {
  name: string;
  closedAt: Date;
  bytes: number;
}

/**
 * A segment of this name is archived already with other content: this data directory is a copy of another one, or the
 * archived file is damaged.
 */
class DifferentContentError extends Error {}

/**
 * Archives the log of a running cluster. Each segment that PostgreSQL has closed is compressed, encrypted when there is
 * a key, flushed, and only then renamed to its final name in the archive (docs/architecture.md §6.5).
 */
export function archiveLog(dataDir: string, plan: ArchivePlan, log: (message: string) => void): LogArchive {
  const { cluster } = layoutOf(dataDir);
  const { intervalMs = 500, retryMs = 5_000, freeBytes = freeBytesOf } = plan;
  const stopping = new AbortController();
  /** The files of this series in the archive, by PostgreSQL's names. They are read once, and again after an error. */
  let series: { id: string; files: Map<string, string> } | null = null;
  let current: ArchiveState = { trouble: null, archivedAt: null, waitingBytes: 0, waitingSince: null };

  async function open(key: Buffer | null): Promise<NonNullable<typeof series>> {
    if (series !== null) return series;
    const { id } = await openSeries(dataDir, plan.directory, key);
    const archived = await listArchived(seriesFolder(plan.directory, { id }));
    const last = archived.map(({ closedAt }) => closedAt.getTime()).reduce((one, other) => Math.max(one, other), 0);
    if (last > 0) current = { ...current, archivedAt: new Date(last) };
    return (series = { id, files: new Map(archived.map(({ name, file }) => [name, file])) });
  }

  async function archive({ name, closedAt }: WaitingSegment, key: Buffer | null): Promise<void> {
    const { id, files } = await open(key);
    const folder = seriesFolder(plan.directory, { id });
    const source = join(cluster, 'pg_wal', name);
    const archivedFile = files.get(name);
    if (archivedFile !== undefined) {
      if (!(await hasSameContent(source, join(folder, archivedFile), key))) throw new DifferentContentError(name);
      return;
    }
    const file = archivedName(name, closedAt, key !== null);
    const temporary = join(folder, `${name}.new`);
    try {
      await pipeline([
        createReadStream(source),
        createGzip(),
        ...(key ? [new Encrypt(key)] : []),
        createWriteStream(temporary, { mode: 0o600, flush: true }),
      ]);
      await rename(temporary, join(folder, file));
    } catch (error) {
      // On a full disk the temporary file would leave no room for others.
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncDirectory(folder);
    files.set(name, file);
  }

  async function archiveAll(waiting: readonly WaitingSegment[]): Promise<void> {
    if (waiting.length === 0 && series !== null) return;
    const key = plan.keyFile === undefined ? null : await readKey(plan.keyFile);
    await open(key);
    for (const [index, one] of waiting.entries()) {
      try {
        await archive(one, key);
      } catch (error) {
        if (!(error instanceof DifferentContentError)) throw error;
        log(`The archive has another ${one.name}, or one that does not open: the log goes on in a series of its own.`);
        const { id } = await beginSeries(dataDir, plan.directory, key);
        series = { id, files: new Map() };
        await archive(one, key);
      }
      await writeFile(join(cluster, markerFolder, one.name), '');
      current = { ...current, archivedAt: one.closedAt, ...amountOf(waiting.slice(index + 1)) };
    }
  }

  /** Archives everything that PostgreSQL has closed by now. */
  async function round(): Promise<void> {
    try {
      const waiting = await findWaiting(cluster);
      current = { ...current, ...amountOf(waiting) };
      try {
        await archiveAll(waiting);
        if (current.trouble !== null) {
          await rm(join(cluster, markerFolder, failingMarker), { force: true });
          log('The log of the database is archived again.');
        }
        current = { ...current, trouble: null };
      } catch (error) {
        series = null;
        const trouble = (reasonOf(error) ?? (error as Error).message).replace(/\.$/, '');
        if (current.trouble === null) log(`The log of the database is not archived: ${trouble}.`);
        current = { ...current, trouble };
        await writeFile(join(cluster, markerFolder, failingMarker), '');
        await dropIfDiskFull();
      }
    } catch (error) {
      // The cluster's own disk failed. The database itself reports more about that.
      current = { ...current, trouble: reasonOf(error) ?? String(error) };
    }
  }

  /**
   * Gives up waiting segments when the disk gets full, because the database itself is more important. Waiting segments
   * may take as much of the disk as they leave free, and no more.
   */
  async function dropIfDiskFull(): Promise<void> {
    const waiting = await findWaiting(cluster);
    const { waitingBytes } = (current = { ...current, ...amountOf(waiting) });
    if (waitingBytes === 0 || waitingBytes <= (await freeBytes(cluster))) return;
    // The gap is recorded before it is made.
    const known = await readSeries(dataDir);
    if (known !== null) await setBase(dataDir, known.id, null);
    for (const { name } of waiting) await writeFile(join(cluster, markerFolder, name), '');
    await rm(join(cluster, markerFolder, failingMarker), { force: true });
    current = { ...current, ...amountOf([]) };
    log(
      `The disk of the database is getting full: ${Math.ceil(waitingBytes / 1e6)} MB of its log were let go without being archived. The next backup is the first that can be restored to a moment.`,
    );
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await round();
      const pause = current.trouble === null ? intervalMs : retryMs;
      await wait(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  })();

  return {
    state: () => current,
    stop: async () => {
      stopping.abort();
      // A disk that does not answer must not keep the program from ending. PostgreSQL still has the segments.
      await Promise.race([running.then(round), wait(5_000, undefined, { ref: false })]);
    },
  };
}

/**
 * Returns the segments that PostgreSQL has closed and that have no marker yet, the oldest first. Removes markers that
 * PostgreSQL has seen.
 */
async function findWaiting(cluster: string): Promise<WaitingSegment[]> {
  const states = join(cluster, 'pg_wal', 'archive_status');
  const names = (await readdir(states)).filter((name) => name.endsWith('.ready')).map((name) => name.slice(0, -6));
  const marked = new Set(await readdir(join(cluster, markerFolder)));
  const ready = new Set(names);
  for (const mark of marked)
    if (mark !== failingMarker && !ready.has(mark)) await rm(join(cluster, markerFolder, mark), { force: true });
  const waiting: WaitingSegment[] = [];
  for (const name of names.filter((one) => !marked.has(one)).sort()) {
    const closed = await statIfThere(join(states, `${name}.ready`));
    const segment = await statIfThere(join(cluster, 'pg_wal', name));
    // PostgreSQL itself removes the status file of a segment that no longer exists.
    if (closed && segment) waiting.push({ name, closedAt: closed.mtime, bytes: segment.size });
  }
  return waiting;
}

const amountOf = (waiting: readonly WaitingSegment[]) => ({
  waitingBytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
  waitingSince: waiting[0]?.closedAt ?? null,
});

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function hasSameContent(source: string, archived: string, key: Buffer | null): Promise<boolean> {
  const [one, other] = [createHash('sha256'), createHash('sha256')];
  await pipeline(createReadStream(source), one);
  try {
    const packed: [Readable, ...NodeJS.ReadWriteStream[]] = await openFile(archived, key);
    await pipeline([...packed, createGunzip(), other]);
  } catch (error) {
    // A system error means that the disk does not answer. Any other error comes from the file's content.
    if (error instanceof Error && 'syscall' in error) throw error;
    return false;
  }
  return one.digest().equals(other.digest());
}
