import { randomBytes } from 'node:crypto';
import { Server } from 'node:net';
import path from 'node:path';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { LogHealth } from '../shared/contract/health.ts';
import { buildApp } from './app.ts';
import { prepareAppRole, checkAppRole } from './db/app-role.ts';
import { layoutOf } from '../ops/embedded-cluster.ts';
import { startEmbedded, type EmbeddedDatabase } from '../ops/embedded.ts';
import type { ArchiveState } from '../ops/log-archive.ts';
import { hasBase } from '../ops/log-series.ts';
import { checkBackupSettings, makeScheduledBackup } from '../ops/backups.ts';
import { startMaintenance } from './maintenance.ts';
import { checkMigrated, migrate } from './db/migrate.ts';
import { createPool, toOperatorError } from './db/pool.ts';
import { watchReplica } from './db/read-replica.ts';
import type { SlowStatement } from './db/slow-statements.ts';
import { withGlobal } from './db/tenant.ts';
import { archivePlan, defaultBackups, type Env } from './env.ts';
import { trackConnections, readTls } from './http/tls.ts';
import type { Pools } from './http/implement.ts';
import { defaultLimits, type Limits } from './http/limits.ts';
import { watchEventLoop } from './http/overload.ts';
import { LogStream } from './http/log-stream.ts';
import { hashPassword } from './features/session/passwords.service.ts';
import { weaknessOf } from './features/session/weak-passwords.service.ts';
import { OperatorError } from './operator-error.ts';
import { releaseWarning } from './db/postgres-release.ts';
import { selectVersion } from './features/system/maintenance.queries.ts';
import { demandOfAdmins } from './features/session/second-steps.service.ts';
import { hasAdmin, insertAdminIfNone } from './features/session/logins.queries.ts';

export interface RunningServer {
  app: FastifyInstance;
  /** The address at which it listens. */
  url: string;
  /** Connects as the owner of the schema. Only the sample data uses it. */
  databaseUrl: string;
  stop(): Promise<void>;
}

interface StartOptions {
  env: Env;
  webRoot: string;
  /** Prints a line for the operator, such as the first admin's password or that the database starts. */
  say: (line: string) => void;
  /**
   * How long a stop waits for running calls before their connections are cut, in milliseconds. It must be less than 30
   * s, because closing the pools and the database comes after it.
   */
  drainMs?: number;
  /** Other limits than the defaults, for tests. */
  limits?: Partial<Limits>;
}

/** A statement that takes at least this many milliseconds is logged, unless SLOW_STATEMENT_MS says otherwise. */
const defaultSlowMs = 1_000;

/** There is one log stream for the process; it flushes when the process ends. */
const standardOutput = new LogStream();

/**
 * Starts the server in this order: database, migrations, pools, first admin, app, port. When a step fails, the earlier
 * ones are undone.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { env, webRoot, say, drainMs = 24_000, limits = {} } = options;
  if (env.backups) await checkBackupSettings(env.backups, say);
  for (const line of env.unknown ?? []) say(line);
  const database = await openDatabase(env, say);
  let app: FastifyInstance | undefined;
  /** The steps that undo what was started so far. They run in reverse order. */
  const undo: (() => unknown)[] = [() => database.embedded?.stop()];
  try {
    await prepareDatabase(database);
    const log = (error: Error) =>
      app?.log.warn({ code: (error as { code?: string }).code }, 'a database connection broke');
    const slow = {
      fromMs: env.slowStatementMs ?? defaultSlowMs,
      say: (found: SlowStatement) => app?.log.warn(found, 'slow statement'),
    };
    const poolsOf = (url: string) => ({
      main: createPool(url, { max: 10, onError: log, slow }),
      stream: createPool(url, { max: 8, pipeline: false, statementTimeoutMs: 120_000, onError: log, slow }),
    });
    const primary = poolsOf(database.url);
    const replica =
      env.databaseReadUrl === undefined
        ? undefined
        : watchReplica(primary.main, poolsOf(env.databaseReadUrl), (isUsable, reason) =>
            app?.log.warn({ isUsable, reason }, 'the state of the replica (DATABASE_READ_URL) changed'),
          );
    const pools: Pools = { ...primary, ...(replica && { replica }) };
    undo.push(() => endPools(pools));
    let isStopping = false;
    const lag = watchEventLoop(limits.lagMs ?? env.shedLagMs ?? defaultLimits.lagMs);
    undo.push(lag.stop);
    const metrics = env.metricsPort === undefined ? undefined : new (await import('prom-client')).Registry();
    const served = (app = await buildApp({
      pools,
      metrics,
      logLevel: env.logLevel,
      log: standardOutput,
      publicUrl: env.publicUrl,
      secondStepKeyFile: path.resolve(env.secondStepKeyFile ?? path.join(env.dataDir, 'second-step.key')),
      trustProxy: env.trustProxy,
      apiDocs: env.apiDocs,
      ...(env.tls && { tls: readTls(env.tls, say) }),
      logArchive: database.embedded?.archive && logHealth(database.embedded.archive),
      directories: {
        ...(database.embedded && { data: layoutOf(path.resolve(env.dataDir)).cluster }),
        ...(env.backups?.directory !== undefined && { backups: path.resolve(env.backups.directory) }),
        ...(env.backups?.walDirectory !== undefined && { log: path.resolve(env.backups.walDirectory) }),
      },
      webRoot,
      isStopping: () => isStopping,
      isOverloaded: lag.isTooLong,
      limits,
    }));
    undo.push(() => served.close());
    const { directory, ...backups } = env.backups ?? {};
    const walDirectory = archivePlan(env.backups)?.directory;
    const origin = {
      url: database.adminUrl ?? database.url,
      dataDir: database.embedded ? path.resolve(env.dataDir) : null,
      workDir: path.resolve(env.dataDir),
    };
    const maintenance = startMaintenance(
      pools.main,
      served.log,
      {},
      directory === undefined
        ? undefined
        : (claimed) => makeScheduledBackup(origin, path.resolve(directory), { ...defaultBackups, ...backups }, claimed),
      async () =>
        origin.dataDir !== null && walDirectory !== undefined && !(await hasBase(origin.dataDir, walDirectory)),
    );
    undo.push(maintenance.stop);
    const connections = trackConnections(served);
    const metricsServer =
      metrics &&
      (await explainListenError('METRICS_PORT', async () =>
        (await import('./metrics.ts')).serveMetrics(metrics, env.metricsPort ?? 0),
      ));
    undo.push(() => metricsServer?.close());
    const url = await explainListenError('PORT or HOST', () => served.listen({ port: env.port, host: env.host }));
    const version = await withGlobal(pools.main, 'read', selectVersion);
    say([`The database is PostgreSQL ${version}.`, releaseWarning(version)].join(' ').trim());
    // After everything that may fail: the password of the first admin is shown only once.
    await bootstrapAdmin(pools, env, say)
      .then(() => withGlobal(pools.main, 'write', (db) => demandOfAdmins(db, env.adminSecondStep ?? false)))
      .catch((error: unknown) => {
        throw toOperatorError(database.url, error);
      });
    return {
      app: served,
      url,
      databaseUrl: database.adminUrl ?? database.url,
      stop: async () => {
        isStopping = true;
        lag.stop();
        metricsServer?.close();
        const maintenanceStopped = maintenance.stop();
        // The order is: running calls, pools, database.
        await closeApp(served, drainMs, connections);
        // A connection that was not returned to its pool is closed when the database stops.
        await waitAtMost(2_000, Promise.all([maintenanceStopped, endPools(pools)]));
        await database.embedded?.stop();
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

/** Converts the state of the log archive to the form of the API and the metrics. */
const logHealth = (archiveState: () => ArchiveState) => (): LogHealth => {
  const { archivedAt, waitingSince, ...rest } = archiveState();
  return {
    ...rest,
    archivedAt: archivedAt?.toISOString() ?? null,
    waitingSince: waitingSince?.toISOString() ?? null,
  };
};

async function explainListenError<T>(settings: string, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    // A system error says that the address is in use, does not belong to this machine, or is not permitted.
    const isSystem = error instanceof Error && 'syscall' in error;
    if (!isSystem) throw error;
    throw new OperatorError(`The app cannot listen (${error.message}). Set ${settings}, or stop the other program.`, {
      cause: error,
    });
  }
}

/** How long open connections may still send a request, which is refused, before they are closed. */
const refuseBeforeCloseMs = 1_000;

/**
 * Waits for the running calls while new ones are refused, and only then closes the port. A reader that never finishes,
 * or an idle connection, is cut off.
 */
async function closeApp(app: FastifyInstance, drainMs: number, connections: { destroyAll: () => void }): Promise<void> {
  await waitUntil(() => app.callsUnderWay() === 0, drainMs);
  await acceptWaiting(app.server, refuseBeforeCloseMs);
  // The HTTP server's own close would reset connections that have not sent a request yet.
  Server.prototype.close.call(app.server);
  let isEmpty = false;
  app.server.once('close', () => (isEmpty = true));
  await waitUntil(() => isEmpty, refuseBeforeCloseMs);
  const closed = app.close();
  connections.destroyAll();
  await waitAtMost(1_000, closed);
}

/**
 * Accepts the connections that the operating system has already made, because closing the port would reset them. Each
 * turn of the event loop accepts one connection; after a turn without a new one, none is waiting.
 */
async function acceptWaiting(server: Server, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  let accepted = true;
  server.on('connection', () => (accepted = true));
  while (accepted && performance.now() < end) {
    accepted = false;
    await setImmediate();
  }
}

async function waitUntil(condition: () => boolean, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!condition() && performance.now() < end) await wait(20);
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, wait(ms, undefined, { ref: false })]);
}

async function endPools(pools: Pools): Promise<void> {
  const { main, stream, replica } = pools;
  replica?.stop();
  await Promise.all([main, stream, ...(replica ? [replica.main, replica.stream] : [])].map((pool) => pool.end()));
}

interface OpenDatabase {
  /** Connects with the role of requests. */
  url: string;
  /** Connects as the owner of the schema. Only used here, to migrate. */
  adminUrl: string | undefined;
  embedded: EmbeddedDatabase | undefined;
}

async function openDatabase(env: Env, say: (line: string) => void): Promise<OpenDatabase> {
  const { databaseUrl, databaseAdminUrl } = env;
  if (databaseUrl !== undefined) return { url: databaseUrl, adminUrl: databaseAdminUrl, embedded: undefined };
  const embedded = await startEmbedded({
    dataDir: path.resolve(env.dataDir),
    log: say,
    archive: archivePlan(env.backups),
  });
  return { url: embedded.appUrl, adminUrl: embedded.url, embedded };
}

/** Migrates the schema. Refuses to start when the role of requests has rights that bypass the schema's rules. */
async function prepareDatabase({ url, adminUrl }: OpenDatabase): Promise<void> {
  if (new URL(url).password === '') {
    throw new OperatorError(
      'DATABASE_URL must contain a password: the server proves with it who its statements are for.',
    );
  }
  if (adminUrl !== undefined) await migrate(adminUrl);
  await checkAppRole(url);
  if (adminUrl === undefined) await checkMigrated(url);
  else await prepareAppRole(adminUrl, url);
}

/**
 * Creates the first admin of an empty database, from the environment or with a random password that is printed once.
 */
async function bootstrapAdmin(pools: Pools, env: Env, say: (line: string) => void): Promise<void> {
  if (await withGlobal(pools.main, 'read', hasAdmin)) return;
  const email = (env.adminEmail ?? 'admin@localhost').toLowerCase();
  const password = env.adminPassword ?? randomBytes(15).toString('base64url');
  const weakness = weaknessOf(password, [email]);
  if (weakness !== null) throw new OperatorError(`ADMIN_PASSWORD cannot be used: ${weakness}`);
  const hash = await hashPassword(password);
  const isNew = await withGlobal(pools.main, 'write', (db) => insertAdminIfNone(db, email, hash));
  if (!isNew) return;
  if (env.adminPassword === undefined) {
    say(`First start: admin ${email}, password ${password} (shown only this once; sign in at /adminlogin)`);
  } else {
    say(`First start: admin ${email} with the password of ADMIN_PASSWORD (sign in at /adminlogin)`);
  }
}
