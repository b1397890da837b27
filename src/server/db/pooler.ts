import type { Pool, PoolClient } from 'pg';

/**
 * Removes `pooler` from a URL and returns whether it says `pooler=transaction`. A pooler in transaction mode, such as
 * PgBouncer, gives each transaction any connection of the server. So nothing may belong to a connection: each
 * transaction makes its own settings, and statements have no names.
 */
export function removePoolerParameter(url: URL): boolean {
  const given = url.searchParams.get('pooler');
  url.searchParams.delete('pooler');
  return given === 'transaction';
}

const settingsByPool = new WeakMap<Pool, string>();

export function adaptToPooler(pool: Pool, settings: Readonly<Record<string, string>>): void {
  const all = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = '${value}'; `);
  settingsByPool.set(pool, all.join(''));
  pool.on('connect', removeStatementNames);
}

const pooledClients = new WeakSet<PoolClient>();
const isPooled = (client: PoolClient): boolean => pooledClients.has(client);

/** Returns the settings with which a transaction of this pool begins, after its BEGIN. */
export const settingsOf = (pool: Pool): string => settingsByPool.get(pool) ?? '';

function removeStatementNames(client: PoolClient): void {
  pooledClients.add(client);
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const nameless = (asked: unknown, ...rest: unknown[]): unknown =>
    isNamed(asked) ? query({ ...asked, name: undefined }, ...rest) : query(asked, ...rest);
  // The cast is safe: the same function, without the name.
  client.query = nameless as PoolClient['query'];
}

const isNamed = (asked: unknown): asked is { name: string } =>
  typeof asked === 'object' && asked !== null && 'name' in asked && 'text' in asked;

/**
 * Puts a connection back as it was when it was made: a statement may have left settings, locks, cursors or channels on it, which
 * would reach the next transaction. It is sent behind `end`, the end of a transaction, and in one packet with it where the
 * connection is pipelined. Returns the error of a broken connection. A pooler does it itself.
 */
export function restoreBehind(client: PoolClient, end: Promise<unknown>): Promise<Error | undefined> | undefined {
  if (isPooled(client)) return undefined;
  const restore = () => client.query('RESET ALL; CLOSE ALL; UNLISTEN *; SELECT pg_advisory_unlock_all()');
  return (client.pipeline ? restore() : end.then(restore)).then(
    () => undefined,
    (broken: Error) => broken,
  );
}
