import type { ChangedAccount } from '../../../shared/contract/bank-statement.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';

/** Changed accounts of owners that nobody has confirmed yet (docs/specification.md §28.7). The database notes them with the history. */

/** SQL: the change `k` keeps money from its owner: somebody else may confirm it. */
const isBlocking = `NOT k.was_alone AND can_another_confirm($1, k.changed_by)`;

export type StoredChange = Omit<ChangedAccount, 'isOwn'> & { changedById: string };

/** SQL: `StoredChange` of the last open change of each owner. One that nobody else could confirm when it was made counts for 14 days. */
const openChanges = (condition: string): string => `
  SELECT DISTINCT ON (k.owner_id) k.owner_id AS "ownerId", o.name AS "ownerName", ${actorName('a')} AS "changedBy",
    k.changed_by AS "changedById", k.changed_at AS "changedAt", ${isBlocking} AS "isBlocking"
  FROM account_changes k JOIN owners o ON o.subadmin_id = $1 AND o.id = k.owner_id JOIN accounts a ON a.id = k.changed_by
  WHERE k.subadmin_id = $1 AND k.confirmed_at IS NULL AND o.deleted_at IS NULL
    AND (NOT k.was_alone OR k.changed_at > now() - interval '14 days') AND ${condition}
  ORDER BY k.owner_id, ${isBlocking} DESC, k.changed_at DESC`;

export const selectChangedAccounts = (db: TenantDb): Promise<StoredChange[]> =>
  db.records(
    `SELECT * FROM (${openChanges('true')}) AS changes ORDER BY "changedAt" DESC, "ownerId" LIMIT 200`,
    [db.tenantId],
    'select-changed-accounts',
  );

/** Returns those whose owners the present transaction has paid. */
export const selectPaidChanges = (db: TenantDb, { accountId }: Caller): Promise<StoredChange[]> =>
  db.records(
    openChanges(`${isBlocking} AND k.owner_id IN (
      SELECT b.owner_id FROM payment_batches p JOIN payment_batch_owners b ON b.subadmin_id = $1 AND b.batch_id = p.id
      WHERE p.subadmin_id = $1 AND p.created_by = $2 AND p.created_at >= now())`),
    [db.tenantId, accountId],
    'select-paid-changes',
  );

/** Returns those of these owners to whom no money may go yet. */
export const selectBlockingChanges = (db: TenantDb, ownerIds: readonly string[]): Promise<StoredChange[]> =>
  db.records(openChanges(`${isBlocking} AND k.owner_id = ANY ($2::uuid[])`), [db.tenantId, ownerIds]);

/** Locks the open changes of an owner. Returns who made them, and the account as it is now; undefined: none is open. */
export async function lockChanges(
  db: TenantDb,
  ownerId: string,
): Promise<{ changedBy: string[]; accountNo: string } | undefined> {
  const { rows } = await db.query<{ by: string; accountNo: string }>(
    `SELECT k.changed_by AS by, o.account_no AS "accountNo"
     FROM account_changes k JOIN owners o ON o.subadmin_id = $1 AND o.id = k.owner_id
     WHERE k.subadmin_id = $1 AND k.owner_id = $2 AND k.confirmed_at IS NULL AND o.deleted_at IS NULL
     FOR UPDATE OF k FOR SHARE OF o`,
    [db.tenantId, ownerId],
    'lock-account-changes',
  );
  return rows[0] && { changedBy: rows.map(({ by }) => by), accountNo: rows[0].accountNo };
}

export async function updateConfirmed(db: TenantDb, caller: Caller, ownerId: string, called: string): Promise<void> {
  await db.query(
    `UPDATE account_changes SET confirmed_by = $3, confirmed_at = now(), called = $4
     WHERE subadmin_id = $1 AND owner_id = $2 AND confirmed_at IS NULL`,
    [db.tenantId, ownerId, caller.accountId, called],
    'confirm-account',
  );
}
