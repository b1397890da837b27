import { createHash } from 'node:crypto';
import type { Pool, QueryConfig } from 'pg';
import { statementName } from './bound-transaction.ts';

/** The tenant of a transaction whose data belongs to none. */
export const noTenant = '';

const keys = new WeakMap<Pool, Buffer>();

/**
 * Returns the key with which the server proves to the database which tenant a transaction is for (migration 001). It is
 * derived from the password of the role of requests: every process that may serve requests has it, and no statement of
 * these can read it.
 */
export function serverKey(url: string): Buffer {
  return createHash('sha256')
    .update(`challan-desk ${decodeURIComponent(new URL(url).password)}`)
    .digest();
}

/** Remembers the key with which the transactions of a pool are proven. */
export function registerKey(pool: Pool, url: string): Pool {
  keys.set(pool, serverKey(url));
  return pool;
}

/**
 * Returns the statement that binds a transaction to a tenant. A statement that sets another tenant lacks its proof and
 * sees nothing. Tenant and proof are parameters: every connection of the role can read the texts of the others in
 * pg_stat_activity, but not their parameters. `hidesBankDetails`: of somebody who does not see them in full.
 */
export function bindTenant(pool: Pool, tenant: string, hidesBankDetails = false): QueryConfig {
  const key = keys.get(pool);
  if (key === undefined) throw new Error('A pool of the app is made by createPool');
  const inner = createHash('sha256').update(key).update(tenant).digest();
  const proof = createHash('sha256').update(key).update(inner).digest('hex');
  const bound = "SELECT set_config('app.tenant', $1, true), set_config('app.proof', $2, true)";
  return hidesBankDetails
    ? {
        name: statementName('bind-tenant-hiding'),
        text: `${bound}, set_config('app.hides_bank_details', 'on', true)`,
        values: [tenant, proof],
      }
    : { name: statementName('bind-tenant'), text: bound, values: [tenant, proof] };
}
