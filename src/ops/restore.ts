import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { escapeIdentifier, type Client } from 'pg';
import { OperatorError } from '../server/operator-error.ts';
import { openFile, restoreServer, rolesIn, unpackCopy } from './backup-programs.ts';
import { withClient } from '../server/db/client.ts';
import { copyBackup, type CopyMetadata } from './embedded-backup.ts';
import { installCluster, layoutOf } from './embedded-cluster.ts';
import { claimDirectory } from './embedded-owner.ts';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { inIndia } from '../shared/calc/dates.ts';
import { copyOwner } from './embedded-user.ts';
import { EmbeddedError, startEmbedded, type EmbeddedOptions } from './embedded.ts';
import {
  chainFrom,
  isSegment,
  listArchived,
  readJson,
  segmentAfter,
  seriesFolder,
  type ArchivedFile,
} from './log-series.ts';

/**
 * Restores a backup of the embedded database into an empty data directory. An interrupted restore leaves the directory
 * empty. At its next start the database recovers to the moment of the backup. With `until`, the log is replayed further
 * before the cluster is put in place.
 */
export async function restoreEmbedded(
  source: string,
  dataDir: string,
  key: Buffer | null,
  until?: ReplayTarget,
): Promise<ReplayResult | undefined> {
  checkSource(source);
  await mkdir(dataDir, { recursive: true });
  const others = (await readdir(dataDir)).filter((name) => !/^(postgres\.new-|app\.pid)/.test(name));
  if (others.length > 0) {
    throw new OperatorError(`${dataDir} is not empty: a backup is restored into an empty directory only (DATA_DIR).`);
  }
  const release = claimDirectory(dataDir);
  try {
    const isCopy = (await stat(source)).isDirectory();
    let replayed: ReplayResult | undefined;
    await installCluster(dataDir, async (directory) => {
      await (isCopy ? copyBackup(source, directory) : unpackCopy(source, directory, key));
      if (until) replayed = await replay(directory, until, key);
    });
    return replayed;
  } finally {
    release();
  }
}

/**
 * Restores a backup of a server's database into an empty database, all or nothing, with the programs in `folder` or on
 * the PATH.
 */
export async function restoreIntoServer(
  source: string,
  url: string,
  key: Buffer | null,
  folder?: string,
): Promise<void> {
  checkSource(source);
  const roles = await rolesIn(source, key, folder);
  await withClient(url, 'restore', async (client) => {
    const { rows } = await client.query<{ tables: number }>(
      `SELECT count(*)::int AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    if (rows[0]?.tables !== 0) {
      throw new OperatorError('The database is not empty: a backup is restored into an empty one only (DATABASE_URL).');
    }
    for (const role of roles) await ensureRole(client, role);
  });
  await restoreServer(source, url, key, folder);
  await withClient(url, 'restore', async (client) => {
    await client.query('ANALYZE');
    // A backup does not contain the rights on the database itself. A new database lets everybody create temporary
    // tables, so that right is revoked.
    await client.query(`REVOKE TEMPORARY ON DATABASE ${escapeIdentifier(client.database ?? '')} FROM PUBLIC`);
  });
}

function checkSource(source: string): void {
  if (!existsSync(source)) throw new OperatorError(`There is no backup at ${source}.`);
}

/**
 * Creates a role as migration 001 does, without rights of its own. The user who restores must be able to make it the
 * owner of objects.
 */
async function ensureRole(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean; is_me: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS is_there, current_user = $1 AS is_me`,
    [role],
  );
  if (rows[0]?.is_me) return;
  const name = escapeIdentifier(role);
  if (!rows[0]?.is_there) await client.query(`CREATE ROLE ${name} NOLOGIN NOBYPASSRLS NOINHERIT`);
  const { rows: rights } = await client.query<{ may: boolean }>(
    `SELECT pg_has_role(current_user, $1, CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) AS may`,
    [role],
  );
  if (!rights[0]?.may) await client.query(`GRANT ${name} TO CURRENT_USER`);
}

interface ReplayTarget {
  /** 'latest' replays to the end of the archived log. */
  moment: Date | 'latest';
  /** The directory of the archived log (WAL_DIR). */
  directory: string;
}

interface ReplayResult {
  /** The time of the last replayed change; null when none was replayed and the backup is unchanged. */
  lastChange: Date | null;
}

/**
 * The folder in which PostgreSQL requests segments and gets them. It is in the cluster, because the database's user
 * must reach it.
 */
const requestFolder = 'restoring';

/**
 * PostgreSQL's restore command. It takes a segment that is present. Otherwise it requests the segment with an empty
 * file, again every second, and waits for the segment or for a refusal. It gives up when the folder is gone, and after
 * ten minutes, so that a killed restore leaves nothing running. PostgreSQL turns %% into %.
 */
const restoreCommand =
  `n=0; until test -e ${requestFolder}/%f; do test $((n%%20)) -gt 0 || : > ${requestFolder}/%f.wanted; test -e ${requestFolder}/%f.no && exit 1; ` +
  `n=$((n+1)); test -d ${requestFolder} && test $n -lt 12000 || exit 1; sleep 0.05; done; ` +
  `rm -f ${requestFolder}/%f.wanted; mv ${requestFolder}/%f %p`;

/** How many segments are unpacked in advance. */
const prefetchCount = 4;

/**
 * The time limit of a replay. A day of a busy office is replayed in minutes, so only a replay that hangs takes as long.
 */
const replayWithinMs = 24 * 3_600_000;

/**
 * Replays the archived log onto a backup that was just put into `dataDir`, up to a moment (docs/architecture.md §6.5).
 * @throws OperatorError with one line; the caller then removes the directory
 */
async function replay(
  dataDir: string,
  { moment, directory }: ReplayTarget,
  key: Buffer | null,
  options: Partial<EmbeddedOptions> = {},
): Promise<ReplayResult> {
  const { cluster, copied: copiedFile } = layoutOf(dataDir);
  const copied = await readJson<CopyMetadata>(copiedFile);
  if (copied === null) {
    throw new OperatorError(
      'This backup was made while no log was archived (WAL_DIR): it can be restored as it is only, without --until.',
    );
  }
  const folder = seriesFolder(directory, { id: copied.series });
  const archived = await listArchived(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new OperatorError(`The log of this backup is not there: ${folder}. Name the folder it is in by WAL_DIR.`);
  });
  const { chain, gap } = chainFrom(copied.from, archived);
  refuseUnreachable(moment, copied, chain, gap, folder);

  const source = await serveSegments(cluster, folder, archived, key);
  try {
    await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600, flush: true });
    await copyOwner(cluster, join(cluster, 'recovery.signal'));
    const start = (target: Record<string, string>) =>
      startEmbedded({
        ...options,
        dataDir,
        readyWithinMs: replayWithinMs,
        settings: {
          ...options.settings,
          archive_mode: 'off',
          // Nobody reads before the end. A replay with readers would need more bookkeeping.
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
      // There is no change after the moment, so the whole log is replayed. That it reaches to the moment was checked
      // with the time at which it was closed.
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

/** Checks before the replay that the log reaches to the moment. */
function refuseUnreachable(
  moment: Date | 'latest',
  { endedAt, from }: CopyMetadata,
  chain: readonly ArchivedFile[],
  gap: string | undefined,
  folder: string,
): void {
  // A change gets its timestamp a moment before it is in the log.
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
  /** Why a segment could not be provided. */
  failure: unknown;
  close(): Promise<void>;
}

/** Provides the segments that PostgreSQL requests, decrypted and uncompressed, and prepares the next few. */
async function serveSegments(
  cluster: string,
  folder: string,
  archived: readonly ArchivedFile[],
  key: Buffer | null,
): Promise<SegmentSource> {
  const place = join(cluster, requestFolder);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { mode: 0o700 });
  await copyOwner(cluster, place);
  const files = new Map(archived.map(({ name, file }) => [name, join(folder, file)]));
  const closing = new AbortController();
  /** The segment that PostgreSQL will request next. */
  let cursor: string | undefined;

  async function unpack(name: string): Promise<boolean> {
    const file = files.get(name);
    if (file === undefined) return false;
    const temporary = join(place, `${name}.new`);
    const packed = await openFile(file, key);
    try {
      await pipeline([...packed, createGunzip(), createWriteStream(temporary, { mode: 0o600 })]);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error;
      throw new OperatorError(
        `The log does not open: ${basename(file)} belongs to another key, or it was changed, or its end is missing.`,
        { cause: error },
      );
    }
    await copyOwner(cluster, temporary);
    await rename(temporary, join(place, name));
    return true;
  }

  async function serve(): Promise<void> {
    const names = await readdir(place);
    const wanted = names.filter((one) => one.endsWith('.wanted')).map((one) => one.slice(0, -'.wanted'.length));
    for (const name of wanted) {
      await rm(join(place, `${name}.wanted`), { force: true });
      // Checked again now, because PostgreSQL may have taken the segment since the names were read, and requested it
      // once more.
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
    for (let count = prepared; cursor !== undefined && count < prefetchCount; count += 1) {
      // An error here is ignored. It is reported when PostgreSQL requests the segment.
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
