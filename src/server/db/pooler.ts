import type { Pool, PoolClient } from 'pg';

/**
 * A pooler in transaction mode, such as PgBouncer, gives each transaction any connection of the server. So nothing may belong
 * to a connection: settings are made by each transaction, and no statement has a name. The URL says so: `pooler=transaction`.
 */
export function takePooler(url: URL): boolean {
  const given = url.searchParams.get('pooler');
  url.searchParams.delete('pooler');
  return given === 'transaction';
}

const settingsByPool = new WeakMap<Pool, string>();

export function throughPooler(pool: Pool, settings: Readonly<Record<string, string>>): void {
  const all = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = '${value}'; `);
  settingsByPool.set(pool, all.join(''));
  pool.on('connect', withoutNames);
}

/** What a transaction of this pool begins with, after its BEGIN. */
export const settingsOf = (pool: Pool): string => settingsByPool.get(pool) ?? '';

function withoutNames(client: PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const nameless = (asked: unknown, ...rest: unknown[]): unknown =>
    isNamed(asked) ? query({ ...asked, name: undefined }, ...rest) : query(asked, ...rest);
  // The same function without the name.
  client.query = nameless as PoolClient['query'];
}

const isNamed = (asked: unknown): asked is { name: string } =>
  typeof asked === 'object' && asked !== null && 'name' in asked && 'text' in asked;
