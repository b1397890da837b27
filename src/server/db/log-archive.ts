import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { reasonOf } from '../operator-error.ts';
import { Encrypt, readKey } from './backup-cipher.ts';
import { opened } from './backup-programs.ts';
import { layoutOf, syncDirectory } from './embedded-cluster.ts';
import { archivedIn, beginSeries, fileNameOf, folderOf, openSeries, readSeries, setBase } from './log-series.ts';

export interface ArchivePlan {
  /** Where the series are (WAL_DIR). */
  directory: string;
  /** What encrypts them (BACKUP_KEY_FILE); absent: nothing. */
  keyFile?: string | undefined;
  /** Other times than the usual ones, and another look at the disk, for tests. */
  everyMs?: number;
  againMs?: number;
  freeBytes?: (folder: string) => Promise<number>;
}

export interface ArchiveLook {
  /** Why the last round did not archive what waited; null: it did. */
  trouble: string | null;
  /** The end of what is archived. */
  archivedAt: Date | null;
  /** What is complete and not archived, and since when the first of it waits. */
  waitingBytes: number;
  waitingSince: Date | null;
}

export interface LogArchive {
  look(): ArchiveLook;
  /** Once the database has stopped: archives what it left, as far as that is quickly done. */
  stop(): Promise<void>;
}

/** In the cluster, because its user must reach it: an empty file for each segment that is archived. */
const marks = 'archived';
/** In the same folder while nothing can be archived: the database need not wait for each segment. */
const refused = 'refused';

/**
 * What PostgreSQL is started with. It calls a segment archived when our mark of it is there, which is set after the bytes are on
 * the disk of the archive; until then it keeps the segment. It asks a few times, then once a minute. A minute is what may be lost:
 * a segment with work in it is closed after 55 s.
 */
export const archivingSettings = {
  wal_level: 'replica',
  archive_mode: 'on',
  archive_timeout: '55',
  archive_command: `n=0; until test -e ${marks}/%f; do test -e ${marks}/${refused} && exit 1; n=$((n+1)); test $n -lt 20 || exit 1; sleep 0.1; done`,
};

/** Before the database starts: no mark is left of an earlier run, which may have been of another archive. */
export async function clearMarks(cluster: string): Promise<void> {
  await rm(join(cluster, marks), { recursive: true, force: true });
  await mkdir(join(cluster, marks));
  // Its user looks into it, whatever the usual rights of new folders are.
  await chmod(join(cluster, marks), 0o755);
}

interface Waiting {
  name: string;
  closedAt: Date;
  bytes: number;
}

/** The name is archived already, with another content: this data directory is a copy of another one, or the file is damaged. */
class OtherContent extends Error {}

/**
 * Archives the log of a running cluster: each segment that PostgreSQL has closed is packed, encrypted where there is a key,
 * flushed, and only then given its name in the archive (docs/architecture.md §6.5).
 */
export function archiveLog(dataDir: string, plan: ArchivePlan, log: (message: string) => void): LogArchive {
  const { cluster } = layoutOf(dataDir);
  const { everyMs = 500, againMs = 5_000, freeBytes = freeIn } = plan;
  const stopping = new AbortController();
  /** What the archive's folder holds of this series, by PostgreSQL's names; read once, and again after trouble. */
  let series: { id: string; files: Map<string, string> } | null = null;
  let now: ArchiveLook = { trouble: null, archivedAt: null, waitingBytes: 0, waitingSince: null };

  async function open(key: Buffer | null): Promise<NonNullable<typeof series>> {
    if (series !== null) return series;
    const { id } = await openSeries(dataDir, plan.directory, key);
    const archived = await archivedIn(folderOf(plan.directory, { id }));
    const last = archived.map(({ closedAt }) => closedAt.getTime()).reduce((one, other) => Math.max(one, other), 0);
    if (last > 0) now = { ...now, archivedAt: new Date(last) };
    return (series = { id, files: new Map(archived.map(({ name, file }) => [name, file])) });
  }

  async function archive({ name, closedAt }: Waiting, key: Buffer | null): Promise<void> {
    const { id, files } = await open(key);
    const folder = folderOf(plan.directory, { id });
    const source = join(cluster, 'pg_wal', name);
    const there = files.get(name);
    if (there !== undefined) {
      if (!(await isSame(source, join(folder, there), key))) throw new OtherContent(name);
      return;
    }
    const file = fileNameOf(name, closedAt, key !== null);
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
      // On a full disk it would keep others from fitting.
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncDirectory(folder);
    files.set(name, file);
  }

  async function archiveAll(waiting: readonly Waiting[]): Promise<void> {
    if (waiting.length === 0 && series !== null) return;
    const key = plan.keyFile === undefined ? null : await readKey(plan.keyFile);
    await open(key);
    for (const [index, one] of waiting.entries()) {
      try {
        await archive(one, key);
      } catch (error) {
        if (!(error instanceof OtherContent)) throw error;
        log(`The archive has another ${one.name}, or one that does not open: the log goes on in a series of its own.`);
        const { id } = await beginSeries(dataDir, plan.directory, key);
        series = { id, files: new Map() };
        await archive(one, key);
      }
      await writeFile(join(cluster, marks, one.name), '');
      now = { ...now, archivedAt: one.closedAt, ...amountOf(waiting.slice(index + 1)) };
    }
  }

  /** One look at what PostgreSQL has closed. */
  async function round(): Promise<void> {
    try {
      const waiting = await waitingIn(cluster);
      now = { ...now, ...amountOf(waiting) };
      try {
        await archiveAll(waiting);
        if (now.trouble !== null) {
          await rm(join(cluster, marks, refused), { force: true });
          log('The log of the database is archived again.');
        }
        now = { ...now, trouble: null };
      } catch (error) {
        series = null;
        const trouble = (reasonOf(error) ?? (error as Error).message).replace(/\.$/, '');
        if (now.trouble === null) log(`The log of the database is not archived: ${trouble}.`);
        now = { ...now, trouble };
        await writeFile(join(cluster, marks, refused), '');
        await letGoIfFull();
      }
    } catch (error) {
      // The cluster's own disk: the database says more about it.
      now = { ...now, trouble: reasonOf(error) ?? String(error) };
    }
  }

  /** The books go first: what waits may take as much of the disk as it leaves free, and no more. */
  async function letGoIfFull(): Promise<void> {
    const waiting = await waitingIn(cluster);
    const { waitingBytes } = (now = { ...now, ...amountOf(waiting) });
    if (waitingBytes === 0 || waitingBytes <= (await freeBytes(cluster))) return;
    // The gap is known before it is made.
    const known = await readSeries(dataDir);
    if (known !== null) await setBase(dataDir, known.id, null);
    for (const { name } of waiting) await writeFile(join(cluster, marks, name), '');
    await rm(join(cluster, marks, refused), { force: true });
    now = { ...now, ...amountOf([]) };
    log(
      `The disk of the database is getting full: ${Math.ceil(waitingBytes / 1e6)} MB of its log were let go without being archived. The next backup is the first that can be restored to a moment.`,
    );
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await round();
      const pause = now.trouble === null ? everyMs : againMs;
      await wait(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  })();

  return {
    look: () => now,
    stop: async () => {
      stopping.abort();
      // A disk that does not answer must not keep the program from ending; PostgreSQL has the segments still.
      await Promise.race([running.then(round), wait(5_000, undefined, { ref: false })]);
    },
  };
}

/** What PostgreSQL has closed and we have not marked, the oldest first. Marks that it has seen are removed. */
async function waitingIn(cluster: string): Promise<Waiting[]> {
  const states = join(cluster, 'pg_wal', 'archive_status');
  const names = (await readdir(states)).filter((name) => name.endsWith('.ready')).map((name) => name.slice(0, -6));
  const marked = new Set(await readdir(join(cluster, marks)));
  const ready = new Set(names);
  for (const mark of marked)
    if (mark !== refused && !ready.has(mark)) await rm(join(cluster, marks, mark), { force: true });
  const waiting: Waiting[] = [];
  for (const name of names.filter((one) => !marked.has(one)).sort()) {
    const closed = await statIfThere(join(states, `${name}.ready`));
    const segment = await statIfThere(join(cluster, 'pg_wal', name));
    // PostgreSQL removes by itself what it calls ready and has no more.
    if (closed && segment) waiting.push({ name, closedAt: closed.mtime, bytes: segment.size });
  }
  return waiting;
}

const amountOf = (waiting: readonly Waiting[]) => ({
  waitingBytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
  waitingSince: waiting[0]?.closedAt ?? null,
});

async function statIfThere(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function isSame(source: string, archived: string, key: Buffer | null): Promise<boolean> {
  const [one, other] = [createHash('sha256'), createHash('sha256')];
  await pipeline(createReadStream(source), one);
  try {
    const packed: [Readable, ...NodeJS.ReadWriteStream[]] = await opened(archived, key);
    await pipeline([...packed, createGunzip(), other]);
  } catch (error) {
    // The disk does not answer; anything else is of the file's content.
    if (error instanceof Error && 'syscall' in error) throw error;
    return false;
  }
  return one.digest().equals(other.digest());
}
