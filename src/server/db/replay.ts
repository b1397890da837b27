import { createWriteStream, existsSync } from 'node:fs';
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { inIndia } from '../../shared/calc/moments.ts';
import { OperatorError } from '../operator-error.ts';
import { opened } from './backup-programs.ts';
import { withClient } from './client.ts';
import type { Copied } from './embedded-backup.ts';
import { layoutOf } from './embedded-cluster.ts';
import { EmbeddedError, startEmbedded, type EmbeddedOptions } from './embedded.ts';
import { archivedIn, chainFrom, folderOf, isSegment, readJson, segmentAfter, type Archived } from './log-series.ts';

export interface Until {
  /** 'latest': to the end of the archived log. */
  moment: Date | 'latest';
  /** Where the archived log is (WAL_DIR). */
  directory: string;
}

export interface Replayed {
  /** The last change that was replayed; null: none, the backup is as it was. */
  lastChange: Date | null;
}

/** A folder in the cluster, because its user must reach it: PostgreSQL asks for segments there, and is given them there. */
const requests = 'restoring';

/**
 * It takes a segment that is there; else it asks by an empty file, again each second, and waits for it or for a no. It gives up when
 * the folder is gone, and after ten minutes, so that a restore that was killed leaves nothing running. PostgreSQL makes one % of two.
 */
const restoreCommand =
  `n=0; until test -e ${requests}/%f; do test $((n%%20)) -gt 0 || : > ${requests}/%f.wanted; test -e ${requests}/%f.no && exit 1; ` +
  `n=$((n+1)); test -d ${requests} && test $n -lt 12000 || exit 1; sleep 0.05; done; ` +
  `rm -f ${requests}/%f.wanted; mv ${requests}/%f %p`;

/** So many segments are unpacked before they are asked for. */
const ahead = 4;

/** A day of a busy office is replayed in minutes; only what hangs takes as long. */
const replayWithinMs = 24 * 3_600_000;

/**
 * Replays the archived log onto a backup that was just put into `dataDir`, up to a moment (docs/architecture.md §6.5). What it
 * refuses is said in one line; the caller then throws the directory away.
 */
export async function replay(
  dataDir: string,
  { moment, directory }: Until,
  key: Buffer | null,
  options: Partial<EmbeddedOptions> = {},
): Promise<Replayed> {
  const { cluster, copied: copiedFile } = layoutOf(dataDir);
  const copied = await readJson<Copied>(copiedFile);
  if (copied === null) {
    throw new OperatorError(
      'This backup was made while no log was archived (WAL_DIR): it can be restored as it is only, without --until.',
    );
  }
  const folder = folderOf(directory, { id: copied.series });
  const archived = await archivedIn(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new OperatorError(`The log of this backup is not there: ${folder}. Name the folder it is in by WAL_DIR.`);
  });
  const { chain, gap } = chainFrom(copied.from, archived);
  checkMoment(moment, copied, chain, gap, folder);

  const source = await serveSegments(cluster, folder, archived, key);
  try {
    await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600, flush: true });
    await giveLike(cluster, join(cluster, 'recovery.signal'));
    const start = (target: Record<string, string>) =>
      startEmbedded({
        ...options,
        dataDir,
        readyWithinMs: replayWithinMs,
        settings: {
          ...options.settings,
          archive_mode: 'off',
          // Nobody reads before the end; a replay that others may read keeps more books.
          hot_standby: 'off',
          restore_command: restoreCommand,
          ...target,
        },
      });
    const target = {
      ...(moment !== 'latest' && { recovery_target_time: `${moment.toISOString().slice(0, 23).replace('T', ' ')}+00` }),
      recovery_target_action: 'promote',
    };
    const database = await start(target).catch((error: unknown) => {
      if (source.failure !== undefined) throw source.failure;
      // No change is later than the moment: all of the log is wanted, as was seen by the time at which it was closed.
      if (error instanceof EmbeddedError && error.message.includes('recovery ended before configured'))
        return start({});
      throw error;
    });
    const lastChange = await withClient(database.url, 'restore', async (client) => {
      const { rows } = await client.query<{ at: Date | null }>('SELECT pg_last_xact_replay_timestamp() AS at');
      return rows[0]?.at ?? null;
    }).finally(() => database.stop());
    if (source.failure !== undefined) throw source.failure;
    return { lastChange };
  } finally {
    await source.close();
    await rm(copiedFile, { force: true });
  }
}

/** Before anything is replayed: whether the log leads to that moment. */
function checkMoment(
  moment: Date | 'latest',
  { endedAt, from }: Copied,
  chain: readonly Archived[],
  gap: string | undefined,
  folder: string,
): void {
  // A change takes its time a moment before it is in the log.
  const end = Math.max((chain.at(-1)?.closedAt.getTime() ?? 0) - 1_000, Date.parse(endedAt));
  const reach = inIndia(new Date(end), 'ms');
  if (moment !== 'latest' && moment.getTime() < Date.parse(endedAt)) {
    throw new OperatorError(
      `This backup is of ${inIndia(new Date(endedAt), 'ms')}, which is after that moment: take an older backup, or a later moment.`,
    );
  }
  if (moment !== 'latest' && moment.getTime() <= end) return;
  if (gap !== undefined) {
    const what = gap === from ? 'none of it can be replayed' : `without it the log reaches to ${reach}`;
    throw new OperatorError(`The log has a gap: ${gap} is missing in ${folder}; ${what}.`);
  }
  if (moment === 'latest') return;
  throw new OperatorError(
    `The log in ${folder} reaches to ${reach}: give that moment or an earlier one, or --until latest for all of it.`,
  );
}

interface SegmentSource {
  /** Why a segment could not be given. */
  failure: unknown;
  close(): Promise<void>;
}

/** Gives PostgreSQL the segments that it asks for, decrypted and unpacked, and a few that it will ask for next. */
async function serveSegments(
  cluster: string,
  folder: string,
  archived: readonly Archived[],
  key: Buffer | null,
): Promise<SegmentSource> {
  const place = join(cluster, requests);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { mode: 0o700 });
  await giveLike(cluster, place);
  const files = new Map(archived.map(({ name, file }) => [name, join(folder, file)]));
  const closing = new AbortController();
  /** What PostgreSQL will ask for next. */
  let cursor: string | undefined;

  async function unpack(name: string): Promise<boolean> {
    const file = files.get(name);
    if (file === undefined) return false;
    const temporary = join(place, `${name}.new`);
    const packed = await opened(file, key);
    try {
      await pipeline([...packed, createGunzip(), createWriteStream(temporary, { mode: 0o600 })]);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error;
      throw new OperatorError(
        `The log does not open: ${basename(file)} belongs to another key, or it was changed, or its end is missing.`,
        { cause: error },
      );
    }
    await giveLike(cluster, temporary);
    await rename(temporary, join(place, name));
    return true;
  }

  async function serve(): Promise<void> {
    const names = await readdir(place);
    const wanted = names.filter((one) => one.endsWith('.wanted')).map((one) => one.slice(0, -'.wanted'.length));
    for (const name of wanted) {
      await rm(join(place, `${name}.wanted`), { force: true });
      // Looked up now: PostgreSQL may have taken it away since the names were read, and asks for it once more.
      const isThere =
        existsSync(join(place, name)) ||
        (await unpack(name).catch((error: unknown) => {
          self.failure ??= error;
          return false;
        }));
      if (!isThere) await writeFile(join(place, `${name}.no`), '');
      else if (isSegment(name)) cursor = segmentAfter(name);
    }
    const prepared = names.filter(isSegment).length;
    for (let count = prepared; cursor !== undefined && count < ahead; count += 1) {
      // Whatever is wrong with it is said when it is asked for.
      if (names.includes(cursor) || (await unpack(cursor).catch(() => false))) cursor = segmentAfter(cursor);
      else cursor = undefined;
    }
  }

  const serving = (async () => {
    while (!closing.signal.aborted) {
      await serve().catch((error: unknown) => (self.failure ??= error));
      await wait(20, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  })();

  const self: SegmentSource = {
    failure: undefined,
    close: async () => {
      closing.abort();
      await serving;
      await rm(place, { recursive: true, force: true });
    },
  };
  return self;
}

/** What root makes in the cluster belongs to the user who runs the database. */
async function giveLike(like: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(like);
  await chown(file, uid, gid);
}
