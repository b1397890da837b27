import type { Readable } from 'node:stream';
import {
  DefaultQueryExecutor,
  PostgresDialect,
  SingleConnectionProvider,
  Transaction,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely';
import { escapeLiteral, type CustomTypesConfig, type PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
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

/** Leaves every value as it came. */
const asText: CustomTypesConfig = { getTypeParser: () => (value: string) => value };

const dialect = new PostgresDialect({
  pool: async () => Promise.reject(new Error('Transactions bring their own connection')),
});
const driver = dialect.createDriver();
const compiler = dialect.createQueryCompiler();
const adapter = dialect.createAdapter();

/** One transaction as its work sees it; opened, ended and given back by tenant.ts. */
export class BoundTransaction implements BoundDb, DatabaseConnection {
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

export class TenantTransaction extends BoundTransaction implements TenantDb {
  readonly scope = 'tenant';
  readonly tenantId: string;

  constructor(client: PoolClient, mode: TransactionMode, tenantId: string) {
    super(client, mode);
    this.tenantId = tenantId;
  }
}

export class GlobalTransaction extends BoundTransaction implements GlobalDb {
  readonly scope = 'global';
}
