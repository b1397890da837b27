import { lstatSync, mkdirSync, readlinkSync, statSync } from 'node:fs';
import { lchown, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { reasonOf } from '../server/operator-error.ts';
import { setAppPassword } from '../server/db/app-role.ts';
import { backUp } from './embedded-backup.ts';
import { findPrograms, prepareBinaries, systemPrograms } from './embedded-binaries.ts';
import { ensureCluster, layoutOf, type Layout } from './embedded-cluster.ts';
import { EmbeddedError, claimDirectory } from './embedded-owner.ts';
import { archiveLog, archivingSettings, clearMarkers, type ArchiveState, type ArchivePlan } from './log-archive.ts';
import { startServer, type Server, type ServerPlan } from './embedded-process.ts';
import { chooseUser, changeOwner, type DatabaseUser, type RunAs } from './embedded-user.ts';
import { checkVersion } from './embedded-version.ts';

export { EmbeddedError } from './embedded-owner.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** Prints a line for the operator, such as a first start or a database that died and is restarted. */
  log?: (message: string) => void;
  /** Where the log is archived, so that the database can be restored to any moment. Absent: it is not archived. */
  archive?: ArchivePlan | undefined;
  /** Server settings in addition to ours or instead of them. */
  settings?: Record<string, string>;
  /** False only in tests: nothing is flushed to the disk, so a power cut loses everything. */
  isDurable?: boolean;
  /** How long the start may take. The replay of a long log needs more than the default. */
  readyWithinMs?: number;
  /** The folder above the `bin` of PostgreSQL's programs. Default: that of POSTGRES_BIN, else that of the npm package. */
  native?: string;
  /** The caller has already claimed the directory for this process (claimDirectory). */
  isOwned?: boolean;
  /**
   * Where the programs may be copied to when the database's user cannot reach them. The first usable folder is taken.
   */
  copyInto?: string[];
}

export interface EmbeddedDatabase {
  /** Connects as the superuser to the database `postgres`. The URL contains the password, so never log it. */
  url: string;
  /** Connects with the role of requests. */
  appUrl: string;
  port: number;
  /** Stops the server, waits until it has ended, and releases the directory. End the pools first. */
  stop(): Promise<void>;
  /** Copies the running database into `targetDir` (absent or empty), which then is a data directory. */
  backup(targetDir: string): Promise<void>;
  /** Returns the state of the log archive. Absent: the log is not archived. */
  archive?: (() => ArchiveState) | undefined;
}

/**
 * Settings that were faster in measurements of this product's load (docs/architecture.md §6.2), and settings that keep
 * user data out of the log.
 */
const settings = {
  cluster_name: 'challan-desk',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  max_wal_size: '512MB',
  // Our statements are short: compiling one takes longer than running it.
  jit: 'off',
  log_timezone: 'UTC',
  // Parameters, the values in "Key (…) already exists" and the text of a failed statement contain account numbers and
  // PANs.
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

const unsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const maxLogBytes = 10 * 1024 * 1024;

/**
 * Starts the PostgreSQL that comes with the program, on its own directory `<dataDir>/postgres`, and keeps it running
 * until `stop`: a server that dies is restarted on the same port.
 * @throws EmbeddedError for errors that the operator can fix
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new EmbeddedError('On Windows the embedded database is not available: set DATABASE_URL.');
  }
  const dataDir = resolve(options.dataDir);
  try {
    return await startInDirectory(dataDir, options);
  } catch (error) {
    const reason = error instanceof EmbeddedError ? undefined : reasonOf(error);
    if (reason === undefined) throw error;
    throw new EmbeddedError(`The data directory ${dataDir} cannot be used: ${reason}.`, { cause: error });
  }
}

async function startInDirectory(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => undefined);
  const isDurable = options.isDurable ?? true;
  const layout = layoutOf(dataDir);
  checkDirectory(dataDir);
  const user = chooseUser(layout.cluster);
  await makeDirectory(dataDir, user);
  const release = options.isOwned ? () => undefined : claimDirectory(dataDir);
  try {
    const users = user === null ? [] : [user.server, user.initdb];
    const binaries = await prepareBinaries(options.native ?? findPrograms(), users, dataDir, options.copyInto);
    checkVersion(layout.cluster, binaries, user?.server ?? null);
    const password = await ensureCluster(dataDir, binaries, user, isDurable);
    await rotateLog(layout.log);
    if (user?.isOwner) await giveToOwner(dataDir, user.server);
    const plan: ServerPlan = {
      cluster: layout.cluster,
      logFile: layout.log,
      binaries,
      user: user?.server ?? null,
      settings: {
        ...settings,
        ...(isDurable ? {} : unsafeSettings),
        ...(options.archive && archivingSettings),
        ...options.settings,
      },
      ...(options.readyWithinMs !== undefined && { readyWithinMs: options.readyWithinMs }),
    };
    if (options.archive) await clearMarkers(layout.cluster);
    const server = await startServer(plan);
    const url = `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${server.port}/postgres`;
    const appUrl = await checkConnection(url, layout, server).catch(async (error: unknown) => {
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
          .finally(release),
      backup: async (targetDir) => void (await backUp(dataDir, url, resolve(targetDir))),
      archive: archive?.state,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Refuses a path that is no directory. A link to an unmounted disk is refused too, because the data would go to the
 * wrong place.
 */
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

/**
 * Checks that the running server accepts connections: the password may be another one, or files may be damaged. Returns
 * the URL for the app.
 */
async function checkConnection(url: string, { cluster, password }: Layout, server: Server): Promise<string> {
  const client = new Client({ connectionString: url, application_name: 'challan-desk start' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (systemPrograms() !== undefined) await checkPrograms(client);
    const appUrl = await setAppPassword(client, url);
    await client.end();
    return appUrl;
  } catch (error) {
    if (error instanceof EmbeddedError) throw error;
    // pg's client refuses an empty password with a SASL error.
    const isPassword =
      error instanceof Error && (('code' in error && error.code === '28P01') || error.message.startsWith('SASL'));
    throw new EmbeddedError(
      isPassword
        ? `The password in ${password} is not that of the database in ${cluster}: put the file back that belongs to it.`
        : `The database in ${cluster} takes no connections: ${server.firstFatalError() ?? reasonOf(error) ?? String(error)}`,
      { cause: error },
    );
  }
}

/**
 * Refuses other programs than those that made the database where the same data would mean something else to them. What they
 * can see in the files themselves (version, size of a block) PostgreSQL refuses before.
 */
async function checkPrograms(client: Client): Promise<void> {
  const { rows } = await client.query<{ what: string }>(
    `SELECT 'sort texts in another way (' || coalesce(datlocale, datcollate) || ' '
         || coalesce(pg_database_collation_actual_version(oid), 'without a version') || ' instead of ' || datcollversion || ')' AS what
     FROM pg_database
     WHERE datname = current_database() AND datcollversion IS DISTINCT FROM pg_database_collation_actual_version(oid)
     UNION ALL
     SELECT 'lack the extension ' || extname || ' (Debian: postgresql-contrib)' FROM pg_extension
     WHERE extname NOT IN (SELECT name FROM pg_available_extensions)`,
  );
  const [found] = rows;
  if (found !== undefined)
    throw new EmbeddedError(`The programs of POSTGRES_BIN cannot run this database: they ${found.what}.`);
}

async function makeDirectory(dataDir: string, user: DatabaseUser | null): Promise<void> {
  const made = mkdirSync(dataDir, { recursive: true });
  if (made !== undefined && user?.isOwner) await changeOwner(made, user.server);
}

/** Rotates the log file: one old file is kept next to the current one. */
async function rotateLog(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found !== null && found.size > maxLogBytes) await rename(file, `${file}.1`);
  await writeFile(file, '', { flag: 'a', mode: 0o600 });
}

/** Gives the files that root created here to the owner of the directory, who may start the program next. */
async function giveToOwner(dataDir: string, owner: RunAs): Promise<void> {
  for (const name of await readdir(dataDir)) await lchown(join(dataDir, name), owner.uid, owner.gid);
}

/** Restarts the server whenever it ends by itself; returns a function that stops it. */
function keepRunning(plan: ServerPlan, first: Server, log: (message: string) => void): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = first;

  async function restart(): Promise<void> {
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
      await restart();
      // The database may have been stopped while it was starting.
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
