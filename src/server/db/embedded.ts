import { mkdirSync } from 'node:fs';
import { lchown, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { backUp } from './embedded-backup.ts';
import { findNative, prepareBinaries } from './embedded-binaries.ts';
import { ensureCluster, layoutOf } from './embedded-cluster.ts';
import { EmbeddedError, ownDirectory } from './embedded-owner.ts';
import { startServer, type Server, type ServerPlan } from './embedded-process.ts';
import { chooseUser, giveTo, type DatabaseUser, type RunAs } from './embedded-user.ts';

export { EmbeddedError } from './embedded-owner.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** Told what a person should know: a first start, a database that died and is started again. */
  log?: (message: string) => void;
  /** Server settings beside or instead of ours. */
  settings?: Record<string, string>;
  /** False only in tests: nothing is flushed to the disk, so a power cut loses everything. */
  isDurable?: boolean;
  /** The folder with PostgreSQL's programs; by default that of the npm package. */
  native?: string;
  /** Where a copy of it may go when the database's user cannot reach it; the first that serves. */
  copyInto?: string[];
}

export interface EmbeddedDatabase {
  /** Connects as the superuser, to the database `postgres`. Holds the password: never log it. */
  url: string;
  port: number;
  /** Asks the server to stop, waits until it has, and gives the directory back. End the pools first. */
  stop(): Promise<void>;
  /** Copies the running database into `targetDir` (absent or empty), which is a data directory afterwards. */
  backup(targetDir: string): Promise<void>;
}

/** What paid in measurements of this application's load (database.md, point 8), and what keeps data out of the log. */
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
 * until `stop`: a server that dies is started again on the same port. What a person can mend is an EmbeddedError.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new EmbeddedError('On Windows the embedded database is not available: set DATABASE_URL.');
  }
  const dataDir = resolve(options.dataDir);
  const log = options.log ?? (() => undefined);
  const isDurable = options.isDurable ?? true;
  const layout = layoutOf(dataDir);
  const user = chooseUser(layout.cluster);
  await makeDirectory(dataDir, user);
  const giveBack = ownDirectory(dataDir);
  try {
    const users = user === null ? [] : [user.server, user.initdb];
    const binaries = await prepareBinaries(options.native ?? findNative(), users, dataDir, options.copyInto);
    const password = await ensureCluster(dataDir, binaries, user, isDurable);
    await turnLog(layout.log);
    if (user?.isOwner) await handOver(dataDir, user.server);
    const plan: ServerPlan = {
      cluster: layout.cluster,
      logFile: layout.log,
      binaries,
      user: user?.server ?? null,
      settings: { ...settings, ...(isDurable ? {} : careless), ...options.settings },
    };
    const server = await startServer(plan);
    const stop = keepRunning(plan, server, log);
    const url = `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`;
    return {
      url,
      port: server.port,
      stop: () => stop().finally(giveBack),
      backup: (targetDir) => backUp(dataDir, url, resolve(targetDir)),
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}

async function makeDirectory(dataDir: string, user: DatabaseUser | null): Promise<void> {
  const made = mkdirSync(dataDir, { recursive: true });
  if (made !== undefined && user?.isOwner) await giveTo(made, user.server);
}

/** One old log beside the current one. */
async function turnLog(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found !== null && found.size > logLimit) await rename(file, `${file}.1`);
  await writeFile(file, '', { flag: 'a', mode: 0o600 });
}

/** What root has made here: the owner of the directory may be the next to start the program, and not as root. */
async function handOver(dataDir: string, owner: RunAs): Promise<void> {
  for (const name of await readdir(dataDir)) await lchown(join(dataDir, name), owner.uid, owner.gid);
}

/** Starts the server again whenever it ends by itself, and returns what ends it for good. */
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
      // The stop may have come while the server was starting.
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
