import { lstatSync, mkdirSync, readlinkSync, statSync } from 'node:fs';
import { lchown, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { reasonOf } from '../operator-error.ts';
import { openForApp } from './app-role.ts';
import { backUp } from './embedded-backup.ts';
import { findNative, prepareBinaries } from './embedded-binaries.ts';
import { ensureCluster, layoutOf, type Layout } from './embedded-cluster.ts';
import { EmbeddedError, ownDirectory } from './embedded-owner.ts';
import { archiveLog, archivingSettings, clearMarks, type ArchiveLook, type ArchivePlan } from './log-archive.ts';
import { startServer, type Server, type ServerPlan } from './embedded-process.ts';
import { chooseUser, giveTo, type DatabaseUser, type RunAs } from './embedded-user.ts';
import { checkVersion } from './embedded-version.ts';

export { EmbeddedError } from './embedded-owner.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** Prints what the operator should know: a first start, a database that died and is started again. */
  log?: (message: string) => void;
  /** Where its log is archived, so that it can be restored to any moment; absent: nowhere. */
  archive?: ArchivePlan | undefined;
  /** Server settings beside or instead of ours. */
  settings?: Record<string, string>;
  /** False only in tests: nothing is flushed to the disk, so a power cut loses everything. */
  isDurable?: boolean;
  /** How long the start may take; a replay of much log needs more than the usual time. */
  readyWithinMs?: number;
  /** The folder with PostgreSQL's programs; by default that of the npm package. */
  native?: string;
  /** The caller has taken the directory for this process already (ownDirectory). */
  isOwned?: boolean;
  /** Where a copy of it may go when the database's user cannot reach it; the first usable one is taken. */
  copyInto?: string[];
}

export interface EmbeddedDatabase {
  /** Connects as the superuser, to the database `postgres`. Holds the password: never log it. */
  url: string;
  /** Connects as the role that requests work as. */
  appUrl: string;
  port: number;
  /** Asks the server to stop, waits until it has, and gives the directory back. End the pools first. */
  stop(): Promise<void>;
  /** Copies the running database into `targetDir` (absent or empty), which is a data directory afterwards. */
  backup(targetDir: string): Promise<void>;
  /** How the archive of its log fares; absent: it is not archived. */
  archive?: (() => ArchiveLook) | undefined;
}

/**
 * Settings that were faster in measurements of this product's load (docs/architecture.md §6.2), and those that keep
 * data out of the log.
 */
const settings = {
  cluster_name: 'challan-desk',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  max_wal_size: '512MB',
  // Short statements: compiling one takes longer than running it.
  jit: 'off',
  log_timezone: 'UTC',
  // Parameters, the values in "Key (…) already exists" and the text of a failed statement hold account numbers and PANs.
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const logLimit = 10 * 1024 * 1024;

/**
 * Starts the PostgreSQL that comes with the program, on its own directory `<dataDir>/postgres`, and keeps it running
 * until `stop`: a server that dies is started again on the same port. Errors that the operator can fix are EmbeddedErrors.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new EmbeddedError('On Windows the embedded database is not available: set DATABASE_URL.');
  }
  const dataDir = resolve(options.dataDir);
  try {
    return await startIn(dataDir, options);
  } catch (error) {
    const reason = error instanceof EmbeddedError ? undefined : reasonOf(error);
    if (reason === undefined) throw error;
    throw new EmbeddedError(`The data directory ${dataDir} cannot be used: ${reason}.`, { cause: error });
  }
}

async function startIn(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => undefined);
  const isDurable = options.isDurable ?? true;
  const layout = layoutOf(dataDir);
  checkDirectory(dataDir);
  const user = chooseUser(layout.cluster);
  await makeDirectory(dataDir, user);
  const giveBack = options.isOwned ? () => undefined : ownDirectory(dataDir);
  try {
    const users = user === null ? [] : [user.server, user.initdb];
    const binaries = await prepareBinaries(options.native ?? findNative(), users, dataDir, options.copyInto);
    checkVersion(layout.cluster, binaries, user?.server ?? null);
    const password = await ensureCluster(dataDir, binaries, user, isDurable);
    await turnLog(layout.log);
    if (user?.isOwner) await handOver(dataDir, user.server);
    const plan: ServerPlan = {
      cluster: layout.cluster,
      logFile: layout.log,
      binaries,
      user: user?.server ?? null,
      settings: {
        ...settings,
        ...(isDurable ? {} : careless),
        ...(options.archive && archivingSettings),
        ...options.settings,
      },
      ...(options.readyWithinMs !== undefined && { readyWithinMs: options.readyWithinMs }),
    };
    if (options.archive) await clearMarks(layout.cluster);
    const server = await startServer(plan);
    const url = `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${server.port}/postgres`;
    const appUrl = await tryOut(url, layout, server).catch(async (error: unknown) => {
      await server.stop('immediate');
      throw error;
    });
    const stop = keepRunning(plan, server, log);
    const archive = options.archive && archiveLog(dataDir, options.archive, log);
    return {
      url,
      appUrl,
      port: server.port,
      stop: () =>
        stop()
          .finally(() => archive?.stop())
          .finally(giveBack),
      backup: async (targetDir) => void (await backUp(dataDir, url, resolve(targetDir))),
      archive: archive?.look,
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** An existing path must be a directory; a link to an unmounted disk would be filled in the wrong place. */
function checkDirectory(dataDir: string): void {
  const found = lstatSync(dataDir, { throwIfNoEntry: false });
  if (found === undefined) return;
  const target = statSync(dataDir, { throwIfNoEntry: false });
  if (target === undefined) {
    throw new EmbeddedError(
      `The data directory ${dataDir} is a link to ${readlinkSync(dataDir)}, which is not there. Is its disk mounted?`,
    );
  }
  if (!target.isDirectory()) {
    throw new EmbeddedError(`The data directory ${dataDir} is a file: set DATA_DIR to a directory.`);
  }
}

/** A running server may still refuse connections: another password, or damaged files. Returns the app's own way in. */
async function tryOut(url: string, { cluster, password }: Layout, server: Server): Promise<string> {
  const client = new Client({ connectionString: url, application_name: 'challan-desk start' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const appUrl = await openForApp(client, url);
    await client.end();
    return appUrl;
  } catch (error) {
    // The client refuses an empty password.
    const isPassword =
      error instanceof Error && (('code' in error && error.code === '28P01') || error.message.startsWith('SASL'));
    throw new EmbeddedError(
      isPassword
        ? `The password in ${password} is not that of the database in ${cluster}: put the file back that belongs to it.`
        : `The database in ${cluster} takes no connections: ${server.complaint() ?? reasonOf(error) ?? String(error)}`,
      { cause: error },
    );
  }
}

async function makeDirectory(dataDir: string, user: DatabaseUser | null): Promise<void> {
  const made = mkdirSync(dataDir, { recursive: true });
  if (made !== undefined && user?.isOwner) await giveTo(made, user.server);
}

/** Keeps one old log beside the current one. */
async function turnLog(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found !== null && found.size > logLimit) await rename(file, `${file}.1`);
  await writeFile(file, '', { flag: 'a', mode: 0o600 });
}

/** Gives what root made here to the owner of the directory, who may start the program next. */
async function handOver(dataDir: string, owner: RunAs): Promise<void> {
  for (const name of await readdir(dataDir)) await lchown(join(dataDir, name), owner.uid, owner.gid);
}

/** Restarts the server whenever it ends by itself; returns a function that stops it. */
function keepRunning(plan: ServerPlan, first: Server, log: (message: string) => void): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = first;

  async function startAgain(): Promise<void> {
    for (let pause = 100; !signal.aborted; pause = Math.min(pause * 2, 5_000)) {
      try {
        current = await startServer(plan, first.port);
        log('The database is back.');
        return;
      } catch (error) {
        log(error instanceof Error ? error.message : String(error));
      }
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await current.ended;
      if (signal.aborted) return;
      log('The database ended unexpectedly; starting it again.');
      await startAgain();
      // It may have been stopped while it was starting.
      if (signal.aborted) return current.stop();
    }
  }

  const watching = watch();
  return async () => {
    stopping.abort();
    await current.stop();
    await watching;
  };
}
