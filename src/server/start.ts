import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { startEmbedded, type EmbeddedDatabase } from './db/embedded.ts';
import { startMaintenance } from './db/maintenance.ts';
import { migrate } from './db/migrate.ts';
import { createPool } from './db/pool.ts';
import { withGlobal } from './db/tenant.ts';
import type { Env } from './env.ts';
import type { Pools } from './http/implement.ts';
import type { Limits } from './http/limits.ts';
import { hashPassword } from './services/passwords.ts';
import { hasAdmin, insertAdminIfNone } from './queries/logins.ts';

export interface RunningServer {
  app: FastifyInstance;
  /** Where it listens. */
  url: string;
  /** The database as the owner of the schema: for the seed alone. */
  databaseUrl: string;
  stop(): Promise<void>;
}

export interface StartOptions {
  env: Env;
  webRoot: string;
  /** Told what a person should read: the first admin, a database that starts. */
  say: (line: string) => void;
  /** How long a stop waits for calls under way; then their connections are cut. Below the 30 s of F11 by what comes after. */
  drainMs?: number;
  /** Other limits than the usual ones, for tests. */
  limits?: Partial<Limits>;
}

const role = 'challan_app';

/** The order of a start: database, migrations, pools, first admin, app, port. What is begun is undone when a later step fails. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { env, webRoot, say, drainMs = 24_000, limits = {} } = options;
  const database = await openDatabase(env, say);
  let app: FastifyInstance | undefined;
  let pools: Pools | undefined;
  try {
    await migrate(database.url);
    const log = (error: Error) =>
      app?.log.warn({ code: (error as { code?: string }).code }, 'a database connection broke');
    pools = {
      main: createPool(database.url, { role, max: 10, onError: log }),
      stream: createPool(database.url, { role, max: 8, pipeline: false, statementTimeoutMs: 120_000, onError: log }),
    };
    await bootstrapAdmin(pools, env, say);

    let isStopping = false;
    app = await buildApp({
      pools,
      logLevel: env.logLevel,
      publicUrl: env.publicUrl,
      trustProxy: env.trustProxy,
      webRoot,
      isStopping: () => isStopping,
      limits,
    });
    const callsUnderWay = countCalls(app);
    const maintenance = startMaintenance(pools.main, app.log);
    const url = await app.listen({ port: env.port, host: env.host });

    const stopped = { app, pools };
    return {
      app,
      url,
      databaseUrl: database.url,
      stop: async () => {
        isStopping = true;
        const atRest = maintenance.stop();
        // Calls under way are finished first, then nothing holds a connection, then the database may go.
        await closeApp(stopped.app, callsUnderWay, drainMs);
        // A connection that does not come back is closed by the database's own end.
        await atMost(2_000, Promise.all([atRest, endPools(stopped.pools)]));
        await database.embedded?.stop();
      },
    };
  } catch (error) {
    await app?.close();
    if (pools) await endPools(pools);
    await database.embedded?.stop();
    throw error;
  }
}

/** How many calls are under way. A connection that has asked nothing, or not yet all of its question, is none. */
function countCalls({ server }: FastifyInstance): () => number {
  let count = 0;
  server.on('request', (_, response) => {
    count += 1;
    response.once('close', () => (count -= 1));
  });
  return () => count;
}

/** Nobody new is let in, who is in is waited for; a reader who never ends, or a line that says nothing, is cut off. */
async function closeApp(app: FastifyInstance, callsUnderWay: () => number, drainMs: number): Promise<void> {
  const closed = app.close();
  const until = performance.now() + drainMs;
  // At least once: what was on its way when the door was closed is answered as well.
  do await Promise.race([closed, wait(100)]);
  while (callsUnderWay() > 0 && performance.now() < until);
  app.server.closeAllConnections();
  await atMost(1_000, closed);
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, wait(ms, undefined, { ref: false })]);
}

async function endPools(pools: Pools): Promise<void> {
  await Promise.all([pools.main.end(), pools.stream.end()]);
}

async function openDatabase(
  env: Env,
  say: (line: string) => void,
): Promise<{ url: string; embedded: EmbeddedDatabase | undefined }> {
  if (env.databaseUrl !== undefined) return { url: env.databaseUrl, embedded: undefined };
  const embedded = await startEmbedded({ dataDir: path.resolve(env.dataDir), log: say });
  return { url: embedded.url, embedded };
}

/** The first admin of an empty database: named by the environment, else with a random password that is shown once. */
async function bootstrapAdmin(pools: Pools, env: Env, say: (line: string) => void): Promise<void> {
  if (await withGlobal(pools.main, 'read', hasAdmin)) return;
  const email = (env.adminEmail ?? 'admin@localhost').toLowerCase();
  const password = env.adminPassword ?? randomBytes(15).toString('base64url');
  const hash = await hashPassword(password);
  const isNew = await withGlobal(pools.main, 'write', (db) => insertAdminIfNone(db, email, hash));
  if (!isNew) return;
  if (env.adminPassword === undefined) {
    say(`First start: admin ${email}, password ${password} (shown only this once; sign in at /adminlogin)`);
  } else {
    say(`First start: admin ${email} with the password of ADMIN_PASSWORD (sign in at /adminlogin)`);
  }
}
