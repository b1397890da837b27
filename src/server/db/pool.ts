import { Pool, type ClientConfig } from 'pg';
import { OperatorError, reasonOf } from '../operator-error.ts';
import { removePoolerParameter, adaptToPooler } from './pooler.ts';
import { registerKey } from './proof.ts';
import { reportSlowStatements, type SlowStatementOptions } from './slow-statements.ts';
import { exactTypeParsers } from './type-parsers.ts';

interface PoolOptions {
  max?: number;
  /** False for the pool that streams COPY: pg refuses custom queries on a pipelined connection. */
  pipeline?: boolean;
  statementTimeoutMs?: number;
  /** How long to wait for a free connection and for a lock, in milliseconds, when not the app's defaults. */
  waitMs?: { connection: number; lock: number };
  /** Called for each slow statement. */
  slow?: SlowStatementOptions;
  /** Called for each idle connection that broke. */
  onError?: (error: Error) => void;
}

/**
 * Creates a pool of connections for the app. Time limits: 3 s for a free connection, 20 s for a statement, 5 s for a
 * lock, 30 s of idling inside a transaction (docs/security.md §4.4).
 */
export function createPool(url: string, options: PoolOptions = {}): Pool {
  const waitMs = options.waitMs ?? { connection: 3_000, lock: 5_000 };
  // Every setting on which a request relies. The role, the database or the server may have others, and a statement that was
  // smuggled in could give them to the role.
  const settings = {
    statement_timeout: String(options.statementTimeoutMs ?? 20_000),
    lock_timeout: String(waitMs.lock),
    idle_in_transaction_session_timeout: '30000',
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    synchronous_commit: 'on',
    row_security: 'on',
    search_path: 'public',
    bytea_output: 'hex',
    standard_conforming_strings: 'on',
    // JIT is on by default in other servers. Compiling our short statements takes up to a hundred times as long as
    // running them.
    jit: 'off',
  };
  // A pooler's connections get the settings above in each transaction, which these would come too late for.
  const ofSession = {
    default_transaction_isolation: 'read\\ committed',
    default_transaction_read_only: 'off',
    default_transaction_deferrable: 'off',
  };
  const target = new URL(url);
  const isPooled = removePoolerParameter(target);
  const pool = new Pool({
    ...connectionOf(target, isPooled ? {} : { ...settings, ...ofSession }),
    max: options.max ?? 10,
    connectionTimeoutMillis: waitMs.connection,
    pipeline: options.pipeline ?? true,
    types: exactTypeParsers,
  });
  pool.on('error', (error) => options.onError?.(error));
  // pg-pool removes its own listener from a connection in use. Without this listener, a connection that breaks between
  // two statements of a transaction would end the process. The next statement of the transaction gets the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { slow } = options;
  if (slow) pool.on('connect', (client) => reportSlowStatements(client, slow));
  if (isPooled) adaptToPooler(pool, settings);
  return registerKey(pool, url);
}

/**
 * Builds the configuration of a connection. Settings go into the start-up packet: that costs no round trip, and a
 * connection without them never exists.
 */
function connectionOf(url: URL, settings: Record<string, string>): ClientConfig {
  const given = url.searchParams.get('options');
  // In pg the URL's own `options` override those of the configuration, so both are joined here.
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
/** pg and pg-pool give these errors only a text and no code. */
const awayMessages = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
];

/**
 * Whether an error says that the database cannot be reached now or has no free connection. Such a call is answered with
 * 503 and may be retried.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (awayCodes.has(code)) return true;
  // Class 08: connection errors. Class 53: resources (disk full, too many connections). 57P0x: shutdown and recovery.
  // 25006: the server is read-only, because it is not the primary yet or any more.
  if (/^(08...|53...|57P0[1-5]|25006)$/.test(code)) return true;
  if (awayMessages.some((message) => error.message.startsWith(message))) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true;
  return error.cause !== undefined && isDatabaseAway(error.cause);
}

/**
 * Converts an error of the database into one line that names the server and never the password. Other errors are
 * returned unchanged.
 */
export function toOperatorError(url: string, error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error;
  const isConnection = isDatabaseAway(error) || error.message.startsWith('The server does not support SSL');
  const reason = reasonOf(error) ?? (isConnection ? error.message : undefined);
  if (reason === undefined) return error;
  // The URL of a socket has no host.
  const { host } = new URL(url);
  return new OperatorError(`The database${host && ` at ${host}`} cannot be used: ${reason}`, { cause: error });
}
