import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { escapeLiteral, type PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { restoreBehind } from './pooler.ts';
import { answerTypeParsers, textTypeParsers } from './type-parsers.ts';

/**
 * `read` sees one snapshot of the database in all its statements and cannot write. `write` sees what is committed when
 * each statement begins.
 */
export type TransactionMode = 'read' | 'write';

export interface Rows<T> {
  rows: T[];
  rowCount: number;
}

interface BoundDb {
  /**
   * Runs one statement in this transaction. A statement with a name is prepared once per connection and reused (30 %
   * more throughput). A name always belongs to the same text, so never build the text of a named statement dynamically.
   */
  query<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Rows<T>>;
  /** The first row of `query`. */
  first<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<T | undefined>;
  /** The first row of a statement that always has one. */
  one<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<T>;
  /**
   * Like `query`, but returns only the rows, and an instant in them is text in the form of the API. So a row whose columns
   * are named as in the API is a record of the API.
   */
  records<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<T[]>;
  /**
   * Like `query`, but returns every column as PostgreSQL's text, in the order of the select list (see record-row.ts).
   */
  texts(text: string, values: readonly unknown[], name?: string): Promise<(string | null)[][]>;
  /**
   * Streams `COPY … TO STDOUT`, on a pool made with `pipeline: false`. COPY takes no parameters: values go into its
   * text by `literal`. Stay inside the transaction until the stream has ended; a stream that is abandoned cancels the
   * statement in the database and closes the connection.
   */
  copyOut(text: string): Readable;
  /**
   * For a read: call it after the last statement. COMMIT is then sent together with the statements, which saves a round
   * trip. Running statements are answered; later ones are refused.
   */
  finish(): void;
  /**
   * For the last statement of a write whose rows nobody needs: COMMIT is sent without waiting for its answer, which
   * saves a round trip while the transaction holds its locks. When the statement fails, nothing is saved, and the
   * commit throws its error.
   */
  withCommit(lastStatement: Promise<unknown>): void;
  /** Quotes a value for the text of a COPY. In all other statements values are parameters. */
  literal(value: string): string;
}

/** A transaction that is bound to one tenant. Row-level security shows it nothing of other tenants. */
export interface TenantDb extends BoundDb {
  readonly scope: 'tenant';
  readonly tenantId: string;
}

/**
 * A transaction for data that belongs to no tenant (accounts, sessions). Row-level security shows it no tenant's rows.
 */
export interface GlobalDb extends BoundDb {
  readonly scope: 'global';
}

/** Prepared statements have names that a statement cannot guess, so that it cannot put another one in their place. */
const nameMark = randomBytes(6).toString('base64url');
export const statementName = (name: string): string => `${name} ${nameMark}`;

const statementOf = (text: string, values: readonly unknown[] | undefined, name: string | undefined) => ({
  text,
  ...(values ? { values: [...values] } : {}),
  ...(name ? { name: statementName(name) } : {}),
});

/**
 * Sends everything of this turn of the event loop in one packet: the opening or the end of a transaction and the statements that
 * do not wait for each other. One system call for each would cost more than the statements. A connection that is not pipelined
 * sends one statement at a time.
 */
export function sendInOnePacket(client: PoolClient): void {
  if (!client.pipeline) return;
  // The types leave pg's connection out. Its stream is the socket, which pg itself corks in the same way.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** One transaction as the handler sees it; tenant.ts opens and ends it. */
export class BoundTransaction implements BoundDb {
  #client: PoolClient | null;
  #isCopying = false;
  readonly #mode: TransactionMode;
  /** The statement that is awaited together with the COMMIT. */
  last: Promise<unknown> | undefined;
  /** Resolves when an early COMMIT was answered, with the error if the connection broke. */
  finished: Promise<Error | undefined> | undefined;
  /** What restores the connection behind an early COMMIT. */
  restored: ReturnType<typeof restoreBehind>;

  constructor(client: PoolClient, mode: TransactionMode) {
    this.#client = client;
    this.#mode = mode;
  }

  async query<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Rows<T>> {
    const result = await this.#use().query<T>(statementOf(text, values, name));
    return { rows: result.rows, rowCount: result.rowCount ?? 0 };
  }

  async first<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<T | undefined> {
    return (await this.query<T>(text, values, name)).rows[0];
  }

  async one<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<T> {
    const row = await this.first<T>(text, values, name);
    if (!row) throw new Error('A statement that always has a row had none');
    return row;
  }

  async records<T extends object>(text: string, values?: readonly unknown[], name?: string): Promise<T[]> {
    const query = { ...statementOf(text, values, name), types: answerTypeParsers };
    return (await this.#use().query<T>(query)).rows;
  }

  async texts(text: string, values: readonly unknown[], name?: string): Promise<(string | null)[][]> {
    const query = { ...statementOf(text, values, name), rowMode: 'array' as const, types: textTypeParsers };
    return (await this.#use().query<(string | null)[]>(query)).rows;
  }

  copyOut(text: string): Readable {
    const client = this.#use();
    if (client.pipeline) throw new Error('COPY needs a pool made with pipeline: false');
    const copy = copyTo(text);
    // pg ends a query with one of these two calls. The state of the stream is not enough: it ends when its reader gives
    // up, while the connection still receives rows.
    const protocol = copy as unknown as { handleError(error: Error): void; handleReadyForQuery(): void };
    const { handleError } = protocol;
    protocol.handleError = (error) => {
      this.#isCopying = false;
      handleError.call(copy, error);
    };
    protocol.handleReadyForQuery = () => {
      this.#isCopying = false;
    };
    // The error after a cancel arrives when the reader is gone. Without a listener it would end the process.
    copy.on('error', () => undefined);
    this.#isCopying = true;
    return client.query(copy);
  }

  finish(): void {
    if (this.#mode !== 'read') throw new Error('Only a read may end before its work has');
    const client = this.#use();
    // Without pipelining, COMMIT would wait in pg's queue and save nothing.
    if (!client.pipeline) return;
    this.finished = client.query('COMMIT').then(
      () => undefined,
      (error: Error) => error,
    );
    this.restored = restoreBehind(client, this.finished);
    this.close();
  }

  withCommit(last: Promise<unknown>): void {
    this.last = last;
    // The commit awaits it. After a rollback its error does not matter.
    last.catch(() => undefined);
  }

  literal(value: string): string {
    return escapeLiteral(value);
  }

  get isCopying(): boolean {
    return this.#isCopying;
  }

  /** Closes the handle. After this it cannot be used, because the connection may already serve another tenant. */
  close(): void {
    this.#client = null;
  }

  #use(): PoolClient {
    if (this.#client === null) throw new Error('This transaction is over');
    sendInOnePacket(this.#client);
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
