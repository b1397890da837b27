import type { Challan } from '../../../shared/contract/challan.ts';
import type { Caller } from '../../caller.ts';
import { financialYearOf } from '../../sql/counters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { noneId } from '../challans/challans-filter.queries.ts';
import { challanJoins, challanRow } from '../challans/challans-row.queries.ts';
import { keepHolds, notHeld } from '../challans/holds.queries.ts';
import { columnsOf, dayIn, copiedChallanColumns, copiedOwnerColumns, paymentNumber } from './payments.queries.ts';

/**
 * Handles the checkboxes of many challans in one statement (docs/decisions.md 96). Each challan gets its own payment, as if
 * its checkbox were the only one. Challans that are locked, on hold, in a bank file or settled with a carry are left out
 * here. The statements of payments.queries.ts handle them, because these can wait for a lock and refuse.
 */

/**
 * The highest number of challans in a statement (defaultLimits.batched in http/limits.ts). Every list of ids is filled up to
 * this length, because the planner would plan again for each list that is shorter than it expects.
 */
const listLength = 16;
const padIds = (ids: readonly string[]): string[] => [
  ...ids,
  ...Array<string>(Math.max(0, listLength - ids.length)).fill(noneId),
];

export interface LockedForPayment {
  id: string;
  version: number;
  isPaid: boolean;
  /** The challan itself or its owner is on hold. */
  isOnHold: boolean;
}

/** Locks those of these challans that no other transaction has locked. It never waits, so their order does not matter. */
export async function lockFreeChallans(db: TenantDb, ids: readonly string[]): Promise<LockedForPayment[]> {
  const [, { rows }] = await Promise.all([
    // Locked before the statement, so that its snapshot has every hold that was made earlier.
    keepHolds(db),
    db.query<LockedForPayment>(
      `SELECT c.id, c.version, c.payment_status AS "isPaid", NOT (${notHeld()}) AS "isOnHold" FROM challans c
       WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.deleted_at IS NULL
       FOR UPDATE OF c SKIP LOCKED`,
      [db.tenantId, padIds(ids)],
      'lock-free-challans',
    ),
  ]);
  return rows;
}

interface ChangedRow {
  challan_id: string;
  /** Whether the changed challan has its line in the ledger, and a paid one its net amount there. */
  agrees: boolean;
}

/**
 * Pays challans that the caller has locked and found unpaid, each in a batch of its own, in the order of their creation. The
 * times of the batches are a microsecond apart, so that lists by time show them in the order of their numbers.
 */
export async function insertSinglePayments(
  db: TenantDb,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<ChangedRow>(
    `WITH paid AS (
       UPDATE challans c
       SET payment_status = true, paid_at = now(), updated_at = clock_timestamp(), version = c.version + 1
       WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.deleted_at IS NULL AND NOT c.payment_status
       RETURNING c.*
     ), numbered AS MATERIALIZED (
       SELECT paid.*, gen_random_uuid() AS batch_id, row_number() OVER (ORDER BY created_at, id) AS n FROM paid
     ), counter AS (
       INSERT INTO counters AS k (subadmin_id, name, value)
       SELECT $1, 'payment-' || ${financialYearOf('now()')}, count(*) FROM numbered HAVING count(*) > 0
       ON CONFLICT (subadmin_id, name) DO UPDATE SET value = k.value + excluded.value
       RETURNING value
     ), batches AS (
       INSERT INTO payment_batches
         (subadmin_id, id, created_at, number, kind, created_by, screen, updated_count, total_amount, owner_count, paid_on)
       SELECT $1, batch_id, now() + (n - 1) * interval '1 microsecond',
         ${paymentNumber('value')}, 'single', $3, $4, 1, round(net_amount_payable, 2), 1, ${dayIn('now()')}
       FROM numbered, LATERAL (SELECT counter.value - (SELECT count(*) FROM numbered) + n AS value FROM counter) AS number
     ), owners_of_batches AS (
       INSERT INTO payment_batch_owners
         (subadmin_id, batch_id, owner_id, ${copiedOwnerColumns.join(', ')})
       SELECT $1, batch_id, o.id, ${columnsOf('o', copiedOwnerColumns)}
       FROM numbered JOIN owners o ON o.subadmin_id = $1 AND o.id = numbered.owner_id
     ), lines AS (
       INSERT INTO payment_lines
         (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, tag_name, created_by,
          ${copiedChallanColumns.join(', ')})
       SELECT $1, p.id, p.pay_cycle, 'pay', p.batch_id, 1, p.owner_id, p.net_amount_payable, coalesce(t.name, ''), $3,
         ${columnsOf('p', copiedChallanColumns)}
       FROM numbered p LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = p.tag_id
       RETURNING challan_id, amount
     )
     SELECT p.id AS challan_id, l.amount IS NOT DISTINCT FROM p.net_amount_payable AS agrees
     FROM numbered p LEFT JOIN lines l ON l.challan_id = p.id`,
    [db.tenantId, padIds(ids), caller.accountId, caller.screen],
    'pay-each',
  );
  return checkedIds(rows);
}

/**
 * Makes challans unpaid that the caller has locked and found paid, each by a line on the batch that had paid it. Returns the
 * challans that it made unpaid. It leaves out challans that are in a bank file or were settled with a carry. The condition on
 * the ids is repeated for the lines: while the statistics say "one row", the join alone would look up the challan of every
 * line of the business.
 */
export async function insertSingleReversals(
  db: TenantDb,
  caller: Caller,
  ids: readonly string[],
  reason: string,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<ChangedRow>(
    `WITH live AS MATERIALIZED (
       SELECT l.* FROM challans c JOIN payment_lines l
         ON l.subadmin_id = $1 AND l.challan_id = c.id AND l.pay_cycle = c.pay_cycle AND l.kind = 'pay'
         AND l.challan_id = ANY ($2::uuid[])
       WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.deleted_at IS NULL AND c.payment_status
         AND NOT EXISTS (SELECT FROM carry_events k
           WHERE k.subadmin_id = $1 AND k.batch_id = l.batch_id AND k.owner_id = l.owner_id)
         AND NOT EXISTS (SELECT FROM bank_lines_of_payments v
           WHERE v.subadmin_id = $1 AND v.batch_id = l.batch_id AND v.owner_id = l.owner_id)
     ), unpaid AS (
       UPDATE challans c
       SET payment_status = false, paid_at = NULL, pay_cycle = c.pay_cycle + 1, updated_at = clock_timestamp(),
         version = c.version + 1
       WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.id IN (SELECT challan_id FROM live)
       RETURNING c.id
     ), lines AS (
       INSERT INTO payment_lines
         (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, challan_number, reason, created_by,
          screen)
       SELECT $1, challan_id, pay_cycle, 'reverse', batch_id, line_no, owner_id, amount, challan_number, $3, $4, $5
       FROM live
       RETURNING challan_id
     )
     SELECT coalesce(u.id, l.challan_id) AS challan_id, u.id IS NOT DISTINCT FROM l.challan_id AS agrees
     FROM unpaid u FULL JOIN lines l ON l.challan_id = u.id`,
    [db.tenantId, padIds(ids), reason, caller.accountId, caller.screen],
    'unpay-each',
  );
  return checkedIds(rows);
}

/** The invariant before COMMIT (docs/security.md §5.2): the ledger records exactly what was changed. */
function checkedIds(rows: readonly ChangedRow[]): string[] {
  if (!rows.every(({ agrees }) => agrees)) throw new Error('The lines of payments do not agree with their challans');
  return rows.map(({ challan_id }) => challan_id);
}

export async function selectChallans(db: TenantDb, ids: readonly string[]): Promise<Map<string, Challan>> {
  if (ids.length === 0) return new Map();
  const rows = await db.texts(
    `SELECT ${challanRow.columns} FROM challans AS c ${challanJoins}
     WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.deleted_at IS NULL`,
    [db.tenantId, padIds(ids)],
    'select-some-challans',
  );
  return new Map(rows.map((row) => challanRow.read(row)).map((challan) => [challan.id, challan]));
}
