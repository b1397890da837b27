import { randomBytes } from 'node:crypto';
import { Server } from 'node:net';
import path from 'node:path';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { LogHealth } from '../shared/contract/health.ts';
import { buildApp } from './app.ts';
import { acceptProofs, checkAppRole } from './db/app-role.ts';
import { startEmbedded, type EmbeddedDatabase } from './db/embedded.ts';
import type { ArchiveLook } from './db/log-archive.ts';
import { hasBase } from './db/log-series.ts';
import { makeScheduledBackup } from './backups.ts';
import { startMaintenance } from './maintenance.ts';
import { checkMigrated, migrate } from './db/migrate.ts';
import { createPool, explainedBy } from './db/pool.ts';
import { watchReplica } from './db/read-replica.ts';
import type { SlowStatement } from './db/slow-statements.ts';
import { withGlobal } from './db/tenant.ts';
import { archivePlan, usualBackups, type Env } from './env.ts';
import { trackConnections, readTls } from './http/tls.ts';
import type { Pools } from './http/implement.ts';
import { defaultLimits, type Limits } from './http/limits.ts';
import { watchEventLoop } from './http/overload.ts';
import { LogStream } from './http/log-stream.ts';
import { hashPassword } from './services/passwords.ts';
import { weaknessOf } from './services/weak-passwords.ts';
import { OperatorError } from './operator-error.ts';
import { hasAdmin, insertAdminIfNone } from './queries/logins.ts';

export interface RunningServer {
  app: FastifyInstance;
  /** Where it listens. */
  url: string;
  /** Connects as the owner of the schema; only for the sample data. */
  databaseUrl: string;
  stop(): Promise<void>;
}

interface StartOptions {
  env: Env;
  webRoot: string;
  /** Prints what the operator should read: the first admin, a database that starts. */
  say: (line: string) => void;
  /**
   * How long a stop waits for calls under way; then their connections are cut. Less than 30 s, because closing pools
   * and database comes after it.
   */
  drainMs?: number;
  /** Other limits than the usual ones, for tests. */
  limits?: Partial<Limits>;
}

/** From then on a statement is logged, where SLOW_STATEMENT_MS does not say otherwise. */
const usualSlowMs = 1_000;

/** One for the process, whose end it waits for. */
const standardOutput = new LogStream();

/**
 * The order of a start: database, migrations, pools, first admin, app, port. When a step fails, the earlier ones are
 * undone.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { env, webRoot, say, drainMs = 24_000, limits = {} } = options;
  const database = await openDatabase(env, say);
  let app: FastifyInstance | undefined;
  /** Undoes what was done so far, the last first. */
  const undo: (() => unknown)[] = [() => database.embedded?.stop()];
  try {
    await prepareDatabase(database);
    const log = (error: Error) =>
      app?.log.warn({ code: (error as { code?: string }).code }, 'a database connection broke');
    const slow = {
      fromMs: env.slowStatementMs ?? usualSlowMs,
      say: (found: SlowStatement) => app?.log.warn(found, 'a statement took long'),
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
            app?.log.warn({ isUsable, reason }, 'the replica of DATABASE_READ_URL'),
          );
    const pools: Pools = { ...primary, ...(replica && { replica }) };
    undo.push(() => endPools(pools));
    await bootstrapAdmin(pools, env, say).catch((error: unknown) => {
      throw explainedBy(database.url, error);
    });

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
      trustProxy: env.trustProxy,
      ...(env.tls && { tls: readTls(env.tls) }),
      logArchive: database.embedded?.archive && logHealth(database.embedded.archive),
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
    };
    const maintenance = startMaintenance(
      pools.main,
      served.log,
      {},
      directory === undefined
        ? undefined
        : (claimed) => makeScheduledBackup(origin, path.resolve(directory), { ...usualBackups, ...backups }, claimed),
      async () =>
        origin.dataDir !== null && walDirectory !== undefined && !(await hasBase(origin.dataDir, walDirectory)),
    );
    undo.push(maintenance.stop);
    const connections = trackConnections(served);
    const metricsServer =
      metrics &&
      (await listening('METRICS_PORT', async () =>
        (await import('./metrics.ts')).serveMetrics(metrics, env.metricsPort ?? 0),
      ));
    undo.push(() => metricsServer?.close());
    const url = await listening('PORT or HOST', () => served.listen({ port: env.port, host: env.host }));
    return {
      app: served,
      url,
      databaseUrl: database.adminUrl ?? database.url,
      stop: async () => {
        isStopping = true;
        lag.stop();
        metricsServer?.close();
        const atRest = maintenance.stop();
        // First the running calls end, then the pools, then the database.
        await closeApp(served, drainMs, connections);
        // A connection that is not returned is closed when the database stops.
        await atMost(2_000, Promise.all([atRest, endPools(pools)]));
        await database.embedded?.stop();
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

/** As the API and the figures say it. */
const logHealth = (look: () => ArchiveLook) => (): LogHealth => {
  const { archivedAt, waitingSince, ...rest } = look();
  return {
    ...rest,
    archivedAt: archivedAt?.toISOString() ?? null,
    waitingSince: waitingSince?.toISOString() ?? null,
  };
};

async function listening<T>(settings: string, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    // The address is in use, not of this machine, or not permitted: the system's error names it.
    const isSystem = error instanceof Error && 'syscall' in error;
    if (!isSystem) throw error;
    throw new OperatorError(`The app cannot listen (${error.message}). Set ${settings}, or stop the other program.`, {
      cause: error,
    });
  }
}

/** How long open connections may still send a request and be refused before they are closed. */
const lastWordsMs = 1_000;

/**
 * Waits for running calls while new ones are refused; only then the port is closed. A reader who never ends, or an idle
 * connection, is cut off.
 */
async function closeApp(app: FastifyInstance, drainMs: number, connections: { destroyAll: () => void }): Promise<void> {
  await until(() => app.callsUnderWay() === 0, drainMs);
  await acceptWaiting(app.server, lastWordsMs);
  // Not the HTTP server's own close, which would reset connections that have not sent a request yet.
  Server.prototype.close.call(app.server);
  let isEmpty = false;
  app.server.once('close', () => (isEmpty = true));
  await until(() => isEmpty, lastWordsMs);
  const closed = app.close();
  connections.destroyAll();
  await atMost(1_000, closed);
}

/**
 * The close resets connections that the system has made and we have not yet accepted. Each turn of the event loop
 * accepts one; after a turn without any none is waiting.
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

async function until(isSo: () => boolean, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!isSo() && performance.now() < end) await wait(20);
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, wait(ms, undefined, { ref: false })]);
}

async function endPools(pools: Pools): Promise<void> {
  const { main, stream, replica } = pools;
  replica?.stop();
  await Promise.all([main, stream, ...(replica ? [replica.main, replica.stream] : [])].map((pool) => pool.end()));
}

interface OpenDatabase {
  /** As the role of requests. */
  url: string;
  /** As the owner of the schema; used here only, to bring it up to date. */
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

/** Brings the schema up to date, and refuses a role for requests that could step past its rules. */
async function prepareDatabase({ url, adminUrl }: OpenDatabase): Promise<void> {
  if (new URL(url).password === '') {
    throw new OperatorError(
      'DATABASE_URL must contain a password: the server proves with it who its statements are for.',
    );
  }
  if (adminUrl !== undefined) await migrate(adminUrl);
  await checkAppRole(url);
  if (adminUrl === undefined) await checkMigrated(url);
  else await acceptProofs(adminUrl, url);
}

/** The first admin of an empty database: named by the environment, else with a random password that is shown once. */
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
