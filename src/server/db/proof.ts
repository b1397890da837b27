import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/** In place of a tenant, for a transaction of what belongs to none. */
export const noTenant = '';

const keys = new WeakMap<Pool, Buffer>();

/**
 * The key with which the server proves to the database for whom a transaction is (migration 043). From the password of
 * the role that requests work as: every process that may serve requests has it, and no statement of theirs can read it.
 */
export function serverKey(url: string): Buffer {
  return createHash('sha256')
    .update(`challan-desk ${decodeURIComponent(new URL(url).password)}`)
    .digest();
}

/** Remembers with which key the transactions of a pool are proven. */
export function provenBy(pool: Pool, url: string): Pool {
  keys.set(pool, serverKey(url));
  return pool;
}

/** What binds a transaction to a tenant: a statement that names another one lacks its proof, and sees nothing. */
export function bindingTo(pool: Pool, tenant: string): string {
  const key = keys.get(pool);
  if (key === undefined) throw new Error('A pool of the app is made by createPool');
  const inner = createHash('sha256').update(key).update(tenant).digest();
  const proof = createHash('sha256').update(key).update(inner).digest('hex');
  return `SET LOCAL app.tenant = '${tenant}'; SET LOCAL app.proof = '${proof}'`;
}
