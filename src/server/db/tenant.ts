import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DefaultQueryExecutor,
  PostgresDialect,
  SingleConnectionProvider,
  Transaction,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely';
import { escapeLiteral, type CustomTypesConfig, type Pool, type PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { cancelStatement } from './cancel.ts';
import type { Database } from './schema.ts';

/** `read` sees one snapshot of the database for all its statements and cannot write; `write` reads what is committed. */
export type TransactionMode = 'read' | 'write';

export interface Rows<T> {
  rows: T[];
  rowCount: number;
}

interface BoundDb {
  /** Kysely inside this transaction. */
  readonly kysely: Transaction<Database>;
  /**
   * Runs one statement inside this transaction. With a name it is prepared once per connection and reused (30 % more
   * throughput): a name belongs to one text for good, so never build the text of a named statement.
   */
  query<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Rows<T>>;
  /** The same with every column as the text that PostgreSQL writes, in the order of the select list (see json-row.ts). */
  texts(text: string, values: readonly unknown[], name?: string): Promise<(string | null)[][]>;
  /**
   * Streams `COPY … TO STDOUT`, on a pool made with `pipeline: false`. COPY takes no parameters: values go into
   * its text by `literal`. Stay inside the transaction until the stream has ended; a stream given up early cancels the
   * statement in the database and costs the connection.
   */
  copyOut(text: string): Readable;
  /**
   * For a read, called once nothing more will be asked: COMMIT travels with the statements just sent instead of by itself,
   * which costs as much as a statement. Statements under way are answered; later ones are refused.
   */
  finish(): void;
  /** A value quoted for the text of a COPY; everywhere else values are parameters. */
  literal(value: string): string;
}

/** A transaction that is bound to one tenant; row-level security shows it nothing else. */
export interface TenantDb extends BoundDb {
  readonly scope: 'tenant';
  readonly tenantId: string;
}

/** A transaction for what belongs to no tenant (accounts, sessions); row-level security shows it no tenant's rows. */
export interface GlobalDb extends BoundDb {
  readonly scope: 'global';
}

/** The connection broke during COMMIT: whether the work was kept is not known, so it must not simply be done again. */
export class CommitUnknownError extends Error {
  override name = 'CommitUnknownError';
  constructor(cause: unknown) {
    super('The connection to the database broke while the change was being saved', { cause });
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const begin = { read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', write: 'BEGIN' } as const;
const retries = 3;

/** Runs `work` in one transaction bound to the tenant. Only http, db and the seed may call this. */
export function withTenant<T>(
  pool: Pool,
  tenantId: string,
  mode: TransactionMode,
  work: (db: TenantDb) => Promise<T>,
): Promise<T> {
  if (!uuid.test(tenantId)) return Promise.reject(new Error('A tenant is named by a UUID'));
  // One simple-protocol message, so one round trip; it takes no parameters, hence the check above. The setting is local
  // to the transaction: it cannot leak into whatever uses the connection next.
  const opening = `${begin[mode]}; SET LOCAL app.tenant = '${tenantId}'`;
  return run<TenantTransaction, T>(
    pool,
    opening,
    mode,
    (client) => new TenantTransaction(client, mode, tenantId),
    work,
  );
}

/** Runs `work` in one transaction that sees no tenant's rows. Only http, db and the seed may call this. */
export function withGlobal<T>(pool: Pool, mode: TransactionMode, work: (db: GlobalDb) => Promise<T>): Promise<T> {
  return run<GlobalTransaction, T>(pool, begin[mode], mode, (client) => new GlobalTransaction(client, mode), work);
}

/**
 * Runs `work`, which is a single statement that sees no tenant's rows, as a transaction of its own: without the two round
 * trips of BEGIN and COMMIT, which the session check of every request would pay. Only http and db may call this.
 */
export async function withGlobalStatement<T>(pool: Pool, work: (db: GlobalDb) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const db = new GlobalTransaction(client, 'read');
  try {
    return await work(db);
  } finally {
    db.close();
    // A connection that broke is no longer queryable, which the pool sees for itself.
    client.release();
  }
}

/**
 * What is sent until the end of this turn of the event loop leaves in one packet: the opening of a transaction and the
 * statements that do not wait for one another. A call of the system for each costs more than the statements do.
 */
function sendTogether(client: PoolClient): void {
  // The types leave pg's connection out; its stream is the socket, which pg itself corks in the same way.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function run<D extends BoundTransaction, T>(
  pool: Pool,
  opening: string,
  mode: TransactionMode,
  open: (client: PoolClient) => D,
  work: (db: D) => Promise<T>,
): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    const client = await pool.connect();
    try {
      return await runOnce(client, opening, mode, open(client), work);
    } catch (error) {
      // A read has nothing to be rolled back by others, and may already have streamed half an answer.
      if (mode === 'read' || retry === retries || !isRetryable(error)) throw error;
    }
    await wait((5 + Math.random() * 20) * 2 ** retry);
  }
}

async function runOnce<D extends BoundTransaction, T>(
  client: PoolClient,
  opening: string,
  mode: TransactionMode,
  db: D,
  work: (db: D) => Promise<T>,
): Promise<T> {
  // On a pipelined connection the first statement of the work travels right behind the opening, without waiting for it.
  if (client.pipeline) sendTogether(client);
  const opened = client.query(opening);
  opened.catch(() => undefined);
  let result: T;
  try {
    if (!client.pipeline) await opened;
    result = await work(db);
    await opened;
    if (db.isCopying) throw new Error('The work ended before its stream did');
    db.close();
  } catch (error) {
    db.close();
    if (db.finished) client.release(await db.finished);
    else await rollback(client, db);
    throw error;
  }
  if (db.finished) {
    void db.finished.then((error) => client.release(error));
    return result;
  }
  if (mode === 'read') {
    // Nothing depends on the outcome: the answer need not wait for this round trip, and is sent first.
    setImmediate(() => {
      client.query('COMMIT').then(
        () => client.release(),
        (error: Error) => client.release(error),
      );
    });
    return result;
  }
  await commit(client);
  return result;
}

async function commit(client: PoolClient): Promise<void> {
  let command: string;
  try {
    command = (await client.query('COMMIT')).command;
  } catch (error) {
    if (isRefusal(error)) {
      client.release();
      throw error;
    }
    client.release(true);
    throw new CommitUnknownError(error);
  }
  client.release();
  // PostgreSQL answers COMMIT with ROLLBACK, not with an error, when a statement had failed before.
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
    client.release();
  } catch {
    client.release(true);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Serialization failure or deadlock, also where a caller wrapped it. */
function isRetryable(error: unknown): boolean {
  if (error instanceof CommitUnknownError) return false;
  const code = codeOf(error);
  if (code === '40001' || code === '40P01') return true;
  return error instanceof Error && error.cause !== undefined && isRetryable(error.cause);
}

/** An answer of the database itself to COMMIT means that it was rolled back, unless it speaks of its own end. */
function isRefusal(error: unknown): boolean {
  return /^(?!57P|08|XX)[0-9A-Z]{5}$/.test(codeOf(error));
}

/** Leaves every value as it came. */
const asText: CustomTypesConfig = { getTypeParser: () => (value: string) => value };

const dialect = new PostgresDialect({
  pool: async () => Promise.reject(new Error('Transactions bring their own connection')),
});
const driver = dialect.createDriver();
const compiler = dialect.createQueryCompiler();
const adapter = dialect.createAdapter();

class BoundTransaction implements BoundDb, DatabaseConnection {
  #client: PoolClient | null;
  #kysely: Transaction<Database> | undefined;
  #isCopying = false;
  readonly #mode: TransactionMode;
  /** Settles when a COMMIT sent early was answered, with the error of a connection that broke. */
  finished: Promise<Error | undefined> | undefined;

  constructor(client: PoolClient, mode: TransactionMode) {
    this.#client = client;
    this.#mode = mode;
  }

  get kysely(): Transaction<Database> {
    this.#kysely ??= new Transaction<Database>({
      config: { dialect },
      dialect,
      driver,
      executor: new DefaultQueryExecutor(compiler, adapter, new SingleConnectionProvider(this)),
    });
    return this.#kysely;
  }

  async query<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Rows<T>> {
    const query = { text, ...(values ? { values: [...values] } : {}), ...(name ? { name } : {}) };
    const result = await this.#use().query<T>(query);
    return { rows: result.rows, rowCount: result.rowCount ?? 0 };
  }

  async texts(text: string, values: readonly unknown[], name?: string): Promise<(string | null)[][]> {
    const query = { text, values: [...values], ...(name ? { name } : {}), rowMode: 'array' as const, types: asText };
    return (await this.#use().query<(string | null)[]>(query)).rows;
  }

  copyOut(text: string): Readable {
    const client = this.#use();
    if (client.pipeline) throw new Error('COPY needs a pool made with pipeline: false');
    const copy = copyTo(text);
    // The two calls by which pg ends a query. The stream's own state will not do: it is over for its reader as soon as
    // that one gives up, while the connection is still full of rows.
    const protocol = copy as unknown as { handleError(error: Error): void; handleReadyForQuery(): void };
    const { handleError } = protocol;
    protocol.handleError = (error) => {
      this.#isCopying = false;
      handleError.call(copy, error);
    };
    protocol.handleReadyForQuery = () => {
      this.#isCopying = false;
    };
    // The error that answers the cancelling comes when the reader is gone; without a listener it would end the process.
    copy.on('error', () => undefined);
    this.#isCopying = true;
    return client.query(copy);
  }

  finish(): void {
    if (this.#mode !== 'read') throw new Error('Only a read may end before its work has');
    const client = this.#use();
    // Without a pipeline COMMIT would wait in pg's queue, where it saves nothing.
    if (!client.pipeline) return;
    this.finished = client.query('COMMIT').then(
      () => undefined,
      (error: Error) => error,
    );
    this.close();
  }

  literal(value: string): string {
    return escapeLiteral(value);
  }

  get isCopying(): boolean {
    return this.#isCopying;
  }

  /** From here on the handle is dead: the connection may already serve another tenant. */
  close(): void {
    this.#client = null;
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#use().query(compiled.sql, [...compiled.parameters]);
    // Kysely's own PostgresDriver hands rows over in the same way: the type is what the query builder derived.
    const rows = result.rows as R[];
    return { rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator, and this one only refuses
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Use copyOut to stream');
  }

  #use(): PoolClient {
    if (this.#client === null) throw new Error('This transaction is over');
    return this.#client;
  }
}

class TenantTransaction extends BoundTransaction implements TenantDb {
  readonly scope = 'tenant';
  readonly tenantId: string;

  constructor(client: PoolClient, mode: TransactionMode, tenantId: string) {
    super(client, mode);
    this.tenantId = tenantId;
  }
}

class GlobalTransaction extends BoundTransaction implements GlobalDb {
  readonly scope = 'global';
}
