import type { TenantDb } from '../../db/tenant.ts';

/** Holds: challans and owners on hold are not paid (docs/specification.md §10.8). */

/** SQL: the ids of the owners that are on hold. They are few and have their own index. */
export const heldOwners = (tenant = '$1'): string =>
  `SELECT h.id FROM owners AS h WHERE h.subadmin_id = ${tenant} AND h.hold_reason <> ''`;

/** SQL: a condition that challan `c` is not on hold, neither itself nor through its owner. */
export const notHeld = (tenant = '$1'): string => `c.hold_reason = '' AND c.owner_id NOT IN (${heldOwners(tenant)})`;

/**
 * SQL: the ids of the challans that are on hold, from two indexes. They are few, whereas `NOT (notHeld)` alone would
 * read every challan.
 */
export const heldChallans = (tenant = '$1'): string =>
  `SELECT own.id FROM challans AS own
     WHERE own.subadmin_id = ${tenant} AND own.deleted_at IS NULL AND own.hold_reason <> ''
   UNION ALL
   SELECT of.id FROM challans AS of
     WHERE of.subadmin_id = ${tenant} AND of.deleted_at IS NULL AND of.owner_id IN (${heldOwners(tenant)})`;

/**
 * SQL: the lock that keeps payments and holds of owners apart. Payments take it shared, a hold takes it exclusively.
 * Whichever comes second waits for the other's commit, and its next statement sees the result. A hold of a challan does
 * not need this lock, because both lock the challan's row.
 */
const lock = (mode: '' | '_shared') =>
  `SELECT pg_advisory_xact_lock${mode}(hashtextextended('holds:' || current_tenant(), 0))`;

/** No owner is put on hold until the commit. A payment that reads who is on hold before it pays does this first. */
export async function keepHolds(db: TenantDb): Promise<void> {
  await db.query(lock('_shared'), [], 'lock-holds-shared');
}

/** Returns the reasons of those of these owners that are on hold, by id. No owner is put on hold until the commit. */
export async function lockOwnerHolds(db: TenantDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const [, { rows }] = await Promise.all([
    keepHolds(db),
    db.query<{ id: string; reason: string }>(
      `SELECT id, hold_reason AS reason FROM owners
       WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) AND hold_reason <> ''`,
      [db.tenantId, ids],
      'select-owner-holds',
    ),
  ]);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

export async function updateOwnerHold(db: TenantDb, id: string, reason: string): Promise<void> {
  await db.query(
    `UPDATE owners SET hold_reason = $3, updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id, reason],
    'update-owner-hold',
  );
}

export async function lockHolds(db: TenantDb): Promise<void> {
  await db.query(lock(''), [], 'lock-holds');
}

export async function updateChallanHold(db: TenantDb, id: string, reason: string): Promise<void> {
  await db.query(
    `UPDATE challans SET hold_reason = $3, updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id, reason],
    'update-challan-hold',
  );
}
