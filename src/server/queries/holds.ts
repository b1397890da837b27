import type { TenantDb } from '../db/tenant.ts';

/** What is on hold is not paid (docs/specification.md §10.8). */

/** Ids of the owners that are on hold; few, from an index of their own. */
export const heldOwners = (tenant = '$1'): string =>
  `SELECT h.id FROM owners AS h WHERE h.subadmin_id = ${tenant} AND h.hold_reason <> ''`;

/** Challans `c` that are not on hold, neither themselves nor with their owner. */
export const notHeld = (tenant = '$1'): string => `c.hold_reason = '' AND c.owner_id NOT IN (${heldOwners(tenant)})`;

/** Ids of the challans that are on hold, from two indexes: few, where `NOT (notHeld)` by itself reads every challan. */
export const heldChallans = (tenant = '$1'): string =>
  `SELECT own.id FROM challans AS own
     WHERE own.subadmin_id = ${tenant} AND own.deleted_at IS NULL AND own.hold_reason <> ''
   UNION ALL
   SELECT of.id FROM challans AS of
     WHERE of.subadmin_id = ${tenant} AND of.deleted_at IS NULL AND of.owner_id IN (${heldOwners(tenant)})`;

/**
 * A payment and a hold of an owner are never at once: the payment holds this lock shared, the hold alone. Whichever comes
 * second waits for the other's commit, and its next statement sees what that wrote. A challan of its own needs none: both
 * lock its row.
 */
const lock = (mode: '' | '_shared') =>
  `SELECT pg_advisory_xact_lock${mode}(hashtextextended('holds:' || current_tenant(), 0))`;
export const lockHoldsShared = lock('_shared');

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
