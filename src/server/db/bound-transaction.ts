import type { Readable } from 'node:stream';
import { escapeLiteral, type CustomTypesConfig, type PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** `read` sees one snapshot of the database for all its statements and cannot write; `write` reads what is committed. */
export type TransactionMode = 'read' | 'write';

export interface Rows<T> {
  rows: T[];
  rowCount: number;
}

interface BoundDb {
  /**
   * Runs one statement inside this transaction. With a name it is prepared once per connection and reused (30 % more
   * throughput): a name always belongs to the same text, so never build the text of a named statement dynamically.
   */
  query<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Rows<T>>;
  /** The same with every column as the text that PostgreSQL writes, in the order of the select list (see record-row.ts). */
  texts(text: string, values: readonly unknown[], name?: string): Promise<(string | null)[][]>;
  /**
   * Streams `COPY … TO STDOUT`, on a pool made with `pipeline: false`. COPY takes no parameters: values go into its
   * text by `literal`. Stay inside the transaction until the stream has ended; a stream that is abandoned cancels the
   * statement in the database and closes the connection.
   */
  copyOut(text: string): Readable;
  /**
   * For a read, call it after the last statement: COMMIT is sent together with the statements instead of by itself,
   * which saves a round trip. Statements under way are answered; later ones are refused.
   */
  finish(): void;
  /**
   * For the last statement of a write, whose rows nobody needs: COMMIT is sent without waiting for its answer, which saves a
   * round trip while the transaction holds its locks. If it fails, nothing is saved, and its error is that of the commit.
   */
  withCommit(last: Promise<unknown>): void;
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

/** One transaction as the handler sees it; tenant.ts opens and ends it. */
export class BoundTransaction implements BoundDb {
  #client: PoolClient | null;
  #isCopying = false;
  readonly #mode: TransactionMode;
  /** What is awaited together with the COMMIT. */
  last: Promise<unknown> | undefined;
  /** Settles when an early COMMIT was answered; holds the error if the connection broke. */
  finished: Promise<Error | undefined> | undefined;

  constructor(client: PoolClient, mode: TransactionMode) {
    this.#client = client;
    this.#mode = mode;
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
    // The two calls by which pg ends a query. The state of the stream is not enough: it ends when its reader gives up,
    // while the connection is still receiving rows.
    const protocol = copy as unknown as { handleError(error: Error): void; handleReadyForQuery(): void };
    const { handleError } = protocol;
    protocol.handleError = (error) => {
      this.#isCopying = false;
      handleError.call(copy, error);
    };
    protocol.handleReadyForQuery = () => {
      this.#isCopying = false;
    };
    // The error after the cancel arrives when the reader is gone; without a listener it would end the process.
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

  withCommit(last: Promise<unknown>): void {
    this.last = last;
    // Awaited by the commit, or of no interest when the transaction is rolled back.
    last.catch(() => undefined);
  }

  literal(value: string): string {
    return escapeLiteral(value);
  }

  get isCopying(): boolean {
    return this.#isCopying;
  }

  /** After this the handle cannot be used: the connection may already serve another tenant. */
  close(): void {
    this.#client = null;
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
