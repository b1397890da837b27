import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import {
  GlobalTransaction,
  TenantTransaction,
  sendInOnePacket,
  type BoundTransaction,
  type GlobalDb,
  type TenantDb,
  type TransactionMode,
} from './bound-transaction.ts';
import { cancelStatement, Interrupt, TransactionStopped } from './interrupt.ts';
import { restoreBehind, settingsOf } from './pooler.ts';
import { bindTenant, noTenant } from './proof.ts';

export type { GlobalDb, TenantDb, TransactionMode } from './bound-transaction.ts';

/** The connection broke during COMMIT. Whether the work was saved is unknown, so it must not simply be repeated. */
export class CommitUnknownError extends Error {
  override name = 'CommitUnknownError';
  constructor(cause: unknown) {
    super('The connection to the database broke while the change was being saved', { cause });
  }
}

/** Runs `work` in a second transaction of the same tenant. It only reads, and sees what is there when it begins. */
export type InSnapshot = <T>(work: (db: TenantDb) => Promise<T>) => Promise<T>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const beginStatement = { read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', write: 'BEGIN' } as const;
const maxRetries = 3;

/**
 * Runs `work` in one transaction bound to the tenant. When `signal` fires, the transaction is cancelled in the database
 * too and rolled back. `hidesBankDetails`: for somebody who does not see them in full. Only http, db and the seed may call this.
 */
export function withTenant<T>(
  pool: Pool,
  tenantId: string,
  mode: TransactionMode,
  work: (db: TenantDb) => Promise<T>,
  signal?: AbortSignal,
  hidesBankDetails = false,
): Promise<T> {
  if (!uuid.test(tenantId)) return Promise.reject(new Error('A tenant is named by a UUID'));
  return runTransaction<TenantTransaction, T>(
    pool,
    tenantId,
    mode,
    (client) => new TenantTransaction(client, mode, tenantId),
    work,
    signal,
    hidesBankDetails,
  );
}

/** Like withTenant, in a transaction that sees no tenant's rows. Only http, db and the seed may call this. */
export function withGlobal<T>(
  pool: Pool,
  mode: TransactionMode,
  work: (db: GlobalDb) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return runTransaction<GlobalTransaction, T>(
    pool,
    noTenant,
    mode,
    (client) => new GlobalTransaction(client, mode),
    work,
    signal,
  );
}

/**
 * Runs `work`, a single statement, as its own transaction, without the two round trips of BEGIN and COMMIT, which the
 * session check of every request would have to pay. The statement sees no tenant's rows, and a session or account only
 * by its secret. Only http and db may call this.
 */
export async function withGlobalStatement<T>(pool: Pool, work: (db: GlobalDb) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const db = new GlobalTransaction(client, 'read');
  try {
    return await work(db);
  } finally {
    db.close();
    // The pool itself notices a broken connection.
    client.release();
  }
}

async function runTransaction<D extends BoundTransaction, T>(
  pool: Pool,
  tenant: string,
  mode: TransactionMode,
  open: (client: PoolClient) => D,
  work: (db: D) => Promise<T>,
  signal: AbortSignal | undefined,
  hidesBankDetails = false,
): Promise<T> {
  // What the statements set is local to the transaction.
  const opening = [`${beginStatement[mode]}; ${settingsOf(pool)}`, bindTenant(pool, tenant, hidesBankDetails)] as const;
  for (let retry = 0; ; retry += 1) {
    const client = await pool.connect();
    if (signal?.aborted) {
      client.release();
      throw new TransactionStopped();
    }
    try {
      return await runOnce(client, opening, mode, open(client), work, signal);
    } catch (error) {
      // A read cannot fail because of a conflict, and it may already have streamed half an answer, so it is not
      // retried.
      if (mode === 'read' || retry === maxRetries || !isRetryable(error)) throw error;
    }
    await wait((5 + Math.random() * 20) * 2 ** retry);
  }
}

async function runOnce<D extends BoundTransaction, T>(
  client: PoolClient,
  [begin, bind]: readonly [string, QueryConfig],
  mode: TransactionMode,
  db: D,
  work: (db: D) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const interrupt = signal && new Interrupt(client, signal, () => db.close());
  // On a pipelined connection the first statement is sent right after the opening, without waiting for the answer to
  // the opening.
  sendInOnePacket(client);
  const opened = client.pipeline
    ? Promise.all([client.query(begin), client.query(bind)])
    : client.query(begin).then(() => client.query(bind));
  opened.catch(() => undefined);
  let result: T;
  try {
    if (!client.pipeline) await opened;
    result = await work(db);
    await opened;
    if (db.isCopying) throw new Error('The work ended before its stream did');
    if (interrupt?.cancelled) throw new TransactionStopped();
    interrupt?.startCommit();
    db.close();
  } catch (error) {
    db.close();
    interrupt?.startCommit();
    if (interrupt?.cancelled) {
      await interrupt.cancelled;
      client.release(true);
    } else if (db.finished) giveBack(client, await db.finished, db.restored);
    else await rollback(client, db);
    interrupt?.end();
    throw interrupt?.cancelled ? new TransactionStopped(error) : error;
  }
  if (mode === 'read') interrupt?.end();
  if (db.finished) {
    void db.finished.then((error) => giveBack(client, error, db.restored));
    return result;
  }
  if (mode === 'read') {
    // Nothing depends on the outcome of this COMMIT, so the answer is sent first.
    setImmediate(() => {
      sendInOnePacket(client);
      const committed = client.query('COMMIT');
      const restored = restoreBehind(client, committed);
      committed.then(
        () => giveBack(client, undefined, restored),
        (error: Error) => giveBack(client, error),
      );
    });
    return result;
  }
  try {
    await commit(client, db.last);
  } finally {
    interrupt?.end();
  }
  return result;
}

/**
 * Gives a connection back to its pool. On a pipelined one the next transaction is behind what restores it; of another it waits.
 */
function giveBack(
  client: PoolClient,
  error?: Error,
  restored = error ? undefined : restoreBehind(client, Promise.resolve()),
): void {
  if (error !== undefined || restored === undefined || client.pipeline) client.release(error);
  else void restored.then((broken) => client.release(broken));
}

async function commit(client: PoolClient, last: Promise<unknown> | undefined): Promise<void> {
  let command: string;
  sendInOnePacket(client);
  const committed = client.query('COMMIT');
  const restored = restoreBehind(client, committed);
  try {
    command = (await committed).command;
    // The last statement was answered before the COMMIT. When it failed, PostgreSQL has rolled back.
    if (command !== 'COMMIT') await last;
  } catch (error) {
    if (isRefusal(error)) {
      giveBack(client, undefined, restored);
      throw error;
    }
    client.release(true);
    throw new CommitUnknownError(error);
  }
  giveBack(client, undefined, restored);
  // When a statement failed before, PostgreSQL answers COMMIT with ROLLBACK and not with an error.
  if (command !== 'COMMIT') throw new Error('Nothing was saved: the error of a statement was not passed on');
}

async function rollback(client: PoolClient, db: BoundTransaction): Promise<void> {
  if (db.isCopying) {
    await cancelStatement(client);
    client.release(true);
    return;
  }
  try {
    await client.query('ROLLBACK');
    giveBack(client);
  } catch {
    client.release(true);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether the error is a serialization failure or a deadlock, also inside a wrapping error. */
function isRetryable(error: unknown): boolean {
  if (error instanceof CommitUnknownError) return false;
  const code = codeOf(error);
  if (code === '40001' || code === '40P01') return true;
  return error instanceof Error && error.cause !== undefined && isRetryable(error.cause);
}

/** Whether the database answered COMMIT with an error, which means a rollback, unless the database is shutting down. */
function isRefusal(error: unknown): boolean {
  return /^(?!57P|08|XX)[0-9A-Z]{5}$/.test(codeOf(error));
}
