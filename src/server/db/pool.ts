import { Pool, types, type ClientConfig, type CustomTypesConfig } from 'pg';
import { OperatorError, reasonOf } from '../operator-error.ts';
import { takePooler, throughPooler } from './pooler.ts';
import { provenBy } from './proof.ts';
import { watchSlow, type SlowWatch } from './slow-statements.ts';

interface PoolOptions {
  max?: number;
  /** False for the pool that streams COPY: pg refuses custom queries on a pipelined connection. */
  pipeline?: boolean;
  statementTimeoutMs?: number;
  /** How long to wait for a free connection and for a lock, where it is not what the app waits. */
  waitMs?: { connection: number; lock: number };
  /** Told of each statement that took long. */
  slow?: SlowWatch;
  /** Called for each idle connection that broke. */
  onError?: (error: Error) => void;
}

/** PostgreSQL's own numbers of the types; pg names only some of them. */
const oid = {
  int8: 20,
  date: 1082,
  numeric: 1700,
  int8Array: 1016,
  dateArray: 1182,
  numericArray: 1231,
  textArray: 1009,
};
const exactScalars = new Set([oid.int8, oid.date, oid.numeric]);
const exactArrays = new Set([oid.int8Array, oid.dateArray, oid.numericArray]);

/**
 * Exact values stay text: numeric and bigint would lose digits as JS numbers, and a `date` read as a Date shifts by the
 * server's zone. Only a timestamptz becomes a Date. (Numbers inside json are floats all the same: cast them to text.)
 */
const exactTypes: CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    if (exactScalars.has(type)) return (text: string) => text;
    return types.getTypeParser(exactArrays.has(type) ? oid.textArray : type, format);
  },
};

/**
 * The connections of the app. Time limits: 3 s for a free connection, 20 s for a statement, 5 s for a
 * lock, 30 s of doing nothing inside a transaction (docs/security.md §4.4).
 */
export function createPool(url: string, options: PoolOptions = {}): Pool {
  const waitMs = options.waitMs ?? { connection: 3_000, lock: 5_000 };
  const settings = {
    statement_timeout: String(options.statementTimeoutMs ?? 20_000),
    lock_timeout: String(waitMs.lock),
    idle_in_transaction_session_timeout: '30000',
    TimeZone: 'UTC',
    // On by default in other servers: compiling our short statements takes up to a hundred times their run.
    jit: 'off',
  };
  const target = new URL(url);
  const isPooled = takePooler(target);
  const pool = new Pool({
    ...connectionOf(target, isPooled ? {} : settings),
    max: options.max ?? 10,
    connectionTimeoutMillis: waitMs.connection,
    pipeline: options.pipeline ?? true,
    types: exactTypes,
  });
  pool.on('error', (error) => options.onError?.(error));
  // pg-pool takes its own listener away from a connection in use: without this one, a connection that breaks between two
  // statements of a transaction would end the process. The transaction gets the error from its next statement.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { slow } = options;
  if (slow) pool.on('connect', (client) => watchSlow(client, slow));
  if (isPooled) throughPooler(pool, settings);
  return provenBy(pool, url);
}

/** Settings go into the start-up packet: no round trip, and a connection without them never exists. */
function connectionOf(url: URL, settings: Record<string, string>): ClientConfig {
  const given = url.searchParams.get('options');
  // pg lets the URL's own `options` win over the configuration's, so the two are joined here.
  url.searchParams.delete('options');
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return { connectionString: url.href, options: [...(given ? [given] : []), ...ours].join(' ') };
}

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
/** pg and pg-pool give these errors no code, only a text. */
const awayMessages = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
];

/** Whether an error says that the database cannot be reached just now, or has no connection free: 503, try again. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (awayCodes.has(code)) return true;
  // Class 08 connection, 53 resources (disk full, too many connections), 57P0x shutdown and recovery. 25006: the server takes
  // no writes, because it is not yet the primary or no longer.
  if (/^(08...|53...|57P0[1-5]|25006)$/.test(code)) return true;
  if (awayMessages.some((message) => error.message.startsWith(message))) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true;
  return error.cause !== undefined && isDatabaseAway(error.cause);
}

/** What happened with a database while the program starts, as one line that names the server and never the password. */
export function explainedBy(url: string, error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error;
  const isConnection = isDatabaseAway(error) || error.message.startsWith('The server does not support SSL');
  const reason = reasonOf(error) ?? (isConnection ? error.message : undefined);
  if (reason === undefined) return error;
  // A socket's address has none.
  const { host } = new URL(url);
  return new OperatorError(`The database${host && ` at ${host}`} cannot be used: ${reason}`, { cause: error });
}
