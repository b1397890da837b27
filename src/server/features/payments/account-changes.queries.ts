import type { ChangedAccount } from '../../../shared/contract/bank-statement.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';

/** Changed accounts that nobody has confirmed yet (docs/specification.md §28.7). The database notes them with the history. */

/** SQL: the change `k` keeps money from its account: somebody else may confirm it. */
const isBlocking = `NOT k.was_alone AND can_another_confirm($1, k.changed_by)`;

/** SQL: the record of the change `k`: an owner `o` or a paying account `p`. */
const joinRecords = `LEFT JOIN owners o ON o.subadmin_id = $1 AND o.id = k.entity_id
    LEFT JOIN bank_accounts p ON p.subadmin_id = $1 AND p.id = k.entity_id`;

export type StoredChange = Omit<ChangedAccount, 'isOwn'> & { changedById: string };

/** SQL: `StoredChange` of the last open change of each record. One that nobody else could confirm when it was made counts for 14 days. */
const openChanges = (condition: string): string => `
  SELECT DISTINCT ON (k.entity_id) k.entity AS record, k.entity_id AS id, coalesce(o.name, p.name) AS name, ${actorName('a')} AS "changedBy",
    k.changed_by AS "changedById", k.changed_at AS "changedAt", ${isBlocking} AS "isBlocking"
  FROM account_changes k ${joinRecords} JOIN accounts a ON a.id = k.changed_by
  WHERE k.subadmin_id = $1 AND k.confirmed_at IS NULL AND coalesce(o.deleted_at, p.deleted_at) IS NULL
    AND (NOT k.was_alone OR k.changed_at > now() - interval '14 days') AND ${condition}
  ORDER BY k.entity_id, ${isBlocking} DESC, k.changed_at DESC`;

export const selectChangedAccounts = (db: TenantDb): Promise<StoredChange[]> =>
  db.records(
    `SELECT * FROM (${openChanges('true')}) AS changes ORDER BY "changedAt" DESC, id LIMIT 200`,
    [db.tenantId],
    'select-changed-accounts',
  );

/** Returns those whose owners the present transaction has paid. */
export const selectPaidChanges = (db: TenantDb, { accountId }: Caller): Promise<StoredChange[]> =>
  db.records(
    openChanges(`${isBlocking} AND k.entity_id IN (
      SELECT b.owner_id FROM payment_batches p JOIN payment_batch_owners b ON b.subadmin_id = $1 AND b.batch_id = p.id
      WHERE p.subadmin_id = $1 AND p.created_by = $2 AND p.created_at >= now())`),
    [db.tenantId, accountId],
    'select-paid-changes',
  );

/** Returns those of these owners and paying accounts that wait to be confirmed. */
export const selectBlockingChanges = (db: TenantDb, ids: readonly string[]): Promise<StoredChange[]> =>
  db.records(openChanges(`${isBlocking} AND k.entity_id = ANY ($2::uuid[])`), [db.tenantId, ids]);

interface OpenChanges extends Pick<ChangedAccount, 'record'> {
  /** The ids of the changes. */
  changes: string[];
  changedBy: string[];
  accountNo: string;
}

/** Locks the open changes of an owner or a paying account. Returns who made them, and the account as it is now; undefined: none is open. */
export async function lockChanges(db: TenantDb, id: string): Promise<OpenChanges | undefined> {
  const { rows } = await db.query<{ id: string; record: ChangedAccount['record']; by: string; accountNo: string }>(
    `SELECT k.id, k.entity AS record, k.changed_by AS by, coalesce(o.account_no, p.account_no) AS "accountNo"
     FROM account_changes k ${joinRecords}
     WHERE k.subadmin_id = $1 AND k.entity_id = $2 AND k.confirmed_at IS NULL AND coalesce(o.deleted_at, p.deleted_at) IS NULL
     FOR UPDATE OF k`,
    [db.tenantId, id],
    'lock-account-changes',
  );
  return (
    rows[0] && {
      record: rows[0].record,
      accountNo: rows[0].accountNo,
      changes: rows.map(({ id: change }) => change),
      changedBy: rows.map(({ by }) => by),
    }
  );
}

export async function updateConfirmed(db: TenantDb, caller: Caller, changes: string[], called: string): Promise<void> {
  // Those that were looked at: a change that came since waits by itself.
  await db.query(
    `UPDATE account_changes SET confirmed_by = $3, confirmed_at = now(), called = $4
     WHERE subadmin_id = $1 AND id = ANY ($2)`,
    [db.tenantId, changes, caller.accountId, called],
    'confirm-account',
  );
}
