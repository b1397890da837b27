import { shortVersion } from '../../db/postgres-release.ts';
import type { GlobalDb, TenantDb } from '../../db/tenant.ts';

/** Returns the tenants whose totals have at least this many open differences. */
export async function selectTenantsToFold(db: GlobalDb, atLeast: number): Promise<string[]> {
  const { rows } = await db.query<{ subadmin_id: string }>(
    'SELECT subadmin_id FROM tenants_to_fold($1)',
    [atLeast],
    'tenants-to-fold',
  );
  return rows.map((row) => row.subadmin_id);
}

/** Folds a tenant's open differences into the roll-ups. Returns how many were folded. */
export async function foldTotals(db: GlobalDb | TenantDb, tenantId: string): Promise<number> {
  const { folded } = await db.one<{ folded: number }>(
    'SELECT fold_totals_of($1)::int AS folded',
    [tenantId],
    'fold-challan-totals',
  );
  return folded;
}

export async function forgetOldIdempotencyKeys(db: GlobalDb): Promise<void> {
  await db.query('SELECT forget_old_idempotency_keys()');
}

/** Checks that the database answers. */
export async function selectOne(db: GlobalDb): Promise<void> {
  await db.query('SELECT 1 AS one');
}

/** Returns the version of PostgreSQL, such as 18.4. */
export async function selectVersion(db: GlobalDb): Promise<string> {
  const row = await db.one<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  return shortVersion(row.version);
}

/** Checks that the database takes writes: it is no replica, not read-only, and its log has room. */
export async function writeReadiness(db: GlobalDb): Promise<void> {
  await db.query('UPDATE readiness SET checked_at = now()');
}
