import type { StatementFilters } from '../../shared/contract/bank-statement.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { statementConditions } from './bank-statement-filter.ts';

/** More chosen challans than this are not listed in an answer (wire.md): the batch's file has them. */
export const listedChallans = 5_000;

export type PaymentKind = 'selected' | 'filter' | 'single';

/** Which challans a payment is about. `single` is one challan's own checkbox or form. */
export type PaymentChoice =
  | { kind: 'selected' | 'single'; challanIds: readonly string[] }
  | { kind: 'filter'; filters: StatementFilters; excludeChallanIds: readonly string[] };

/** Of the transaction's day in Asia/Kolkata, April to March: '2627' (calc/dates.ts says the same). */
const financialYear = `(to_char(now() AT TIME ZONE 'Asia/Kolkata' - interval '3 months', 'YY')
  || to_char(now() AT TIME ZONE 'Asia/Kolkata' + interval '9 months', 'YY'))`;

export interface PaidRow {
  batch_id: string | null;
  number: string | null;
  /** The transaction's time: of the batch, of its lines and of `paid_at`. */
  at: Date;
  /** Challans that were chosen and are there; paid ones are among them only where ids were chosen. */
  found_count: number;
  paid_count: number;
  paid_amount: string;
  line_count: number;
  line_amount: string;
  /** In the order of the lines; null above `listedChallans`. */
  challan_ids: string[] | null;
}

/**
 * Pays: one statement locks the challans in id order, so that two payments that overlap cannot deadlock, changes those
 * still unpaid, and writes batch, owners and lines from the rows the change returned (safety.md, rule 20). What another
 * transaction changed while this one waited for a lock is read anew, so amounts are those at the moment of payment.
 *
 * Only payment_status, paid_at, updated_at and version are written: no index names them, the updates stay heap-only.
 * The batch's number comes last, when every challan is locked: nobody waits for the counter longer than for a commit.
 */
export async function insertPayment(db: TenantDb, caller: Caller, choice: PaymentChoice): Promise<PaidRow> {
  const values: unknown[] = [db.tenantId, caller.accountId, choice.kind];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const appliedFilters = bind(JSON.stringify(choice.kind === 'filter' ? choice.filters : {}));
  const { rows } = await db.query<PaidRow>(
    `WITH chosen AS MATERIALIZED (${chosenChallans(choice, bind)}),
     paid AS (
       UPDATE challans c
       SET payment_status = true, paid_at = now(), updated_at = clock_timestamp(), version = c.version + 1
       FROM chosen
       WHERE c.subadmin_id = $1 AND c.id = chosen.id AND NOT c.payment_status AND c.deleted_at IS NULL
       RETURNING c.id, c.pay_cycle, c.owner_id, c.tag_id, c.net_amount_payable, c.challan_number, c.tp_no, c.vehicle_no,
         c.material, c.loading_place, c.unloading_place, c.loading_at, c.unloading_at, c.deposited_at, c.created_at
     ), totals AS (
       SELECT count(*)::int AS challans, round(coalesce(sum(net_amount_payable), 0), 2) AS amount,
         count(DISTINCT owner_id)::int AS owners
       FROM paid
     ), counter AS (
       INSERT INTO counters AS k (subadmin_id, name, value)
       SELECT $1, 'payment-' || ${financialYear}, 1 FROM totals WHERE challans > 0
       ON CONFLICT (subadmin_id, name) DO UPDATE SET value = k.value + 1
       RETURNING value
     ), batch AS (
       INSERT INTO payment_batches
         (subadmin_id, number, kind, created_by, updated_count, total_amount, owner_count, applied_filters)
       SELECT $1, 'PAY-' || ${financialYear} || '-' || lpad(value::text, greatest(6, length(value::text)), '0'),
         $3, $2, challans, amount, owners, ${appliedFilters}::jsonb
       FROM counter, totals
       RETURNING id, number
     ), owners_of_batch AS (
       INSERT INTO payment_batch_owners
         (subadmin_id, batch_id, owner_id, name, contact_number, account_no, ifsc, branch_name, pan_no)
       SELECT $1, batch.id, o.id, o.name, o.contact_number, o.account_no, o.ifsc, o.branch_name, o.pan_no
       FROM batch, owners o
       WHERE o.subadmin_id = $1 AND o.id IN (SELECT owner_id FROM paid)
     ), lines AS (
       INSERT INTO payment_lines
         (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, challan_number, tp_no, vehicle_no,
          material, loading_place, unloading_place, loading_at, unloading_at, deposited_at, tag_name, created_by)
       SELECT $1, paid.id, paid.pay_cycle, 'pay', batch.id,
         row_number() OVER (ORDER BY lower(o.name), o.id, paid.created_at, paid.id),
         o.id, paid.net_amount_payable, paid.challan_number, paid.tp_no, paid.vehicle_no, paid.material,
         paid.loading_place, paid.unloading_place, paid.loading_at, paid.unloading_at, paid.deposited_at,
         coalesce(t.name, ''), $2
       FROM paid
         JOIN owners o ON o.subadmin_id = $1 AND o.id = paid.owner_id
         LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = paid.tag_id,
         batch
       RETURNING challan_id, line_no, amount
     )
     SELECT batch.id AS batch_id, batch.number, now() AS at,
       (SELECT count(*)::int FROM chosen) AS found_count,
       totals.challans AS paid_count, totals.amount AS paid_amount,
       (SELECT count(*)::int FROM lines) AS line_count,
       (SELECT round(coalesce(sum(amount), 0), 2) FROM lines) AS line_amount,
       CASE WHEN totals.challans <= ${listedChallans}
         THEN (SELECT coalesce(array_agg(challan_id ORDER BY line_no), '{}') FROM lines) END AS challan_ids
     FROM totals LEFT JOIN batch ON true`,
    values,
  );
  const row = rows[0];
  if (!row) throw new Error('A payment returns one row');
  return row;
}

/** Ids: also the paid ones among them, which are skipped and counted. A filter: only what is unpaid. */
function chosenChallans(choice: PaymentChoice, bind: (value: unknown) => string): string {
  if (choice.kind !== 'filter') {
    return `SELECT c.id FROM challans c
      WHERE c.subadmin_id = $1 AND c.id = ANY (${bind(choice.challanIds)}::uuid[]) AND c.deleted_at IS NULL
      ORDER BY c.id FOR UPDATE`;
  }
  const excluded = choice.excludeChallanIds;
  return `SELECT c.id FROM challans c
    WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.payment_status
      ${statementConditions(choice.filters, bind)}
      ${excluded.length > 0 ? `AND NOT EXISTS (SELECT FROM unnest(${bind(excluded)}::uuid[]) AS x (id) WHERE x.id = c.id)` : ''}
    ORDER BY c.id FOR UPDATE OF c`;
}

export interface ReversedRow {
  batch_id: string | null;
  reversed_count: number;
  reversed_amount: string;
  line_count: number;
  line_amount: string;
}

/**
 * Takes payments back: the challans whose live line is meant are locked in id order and become unpaid in a new pay cycle,
 * each with a line that reverses its payment. A challan that this batch no longer pays is left as it is.
 */
export async function insertReversal(
  db: TenantDb,
  caller: Caller,
  what: { batchId: string } | { challanId: string },
  reason: string,
): Promise<ReversedRow> {
  const isBatch = 'batchId' in what;
  const { rows } = await db.query<ReversedRow>(
    isBatch ? reverseBatch : reverseChallan,
    [db.tenantId, isBatch ? what.batchId : what.challanId, caller.accountId, reason],
    isBatch ? 'reverse-payment' : 'reverse-challan-payment',
  );
  const row = rows[0];
  if (!row) throw new Error('A reversal returns one row');
  return row;
}

/** `live` are the payment's lines to take back: a 'pay' line of the challan's present cycle. */
const reversal = (of: string, ending: string) => `
  WITH live AS MATERIALIZED (
    SELECT c.id, p.pay_cycle, p.batch_id, p.line_no, p.owner_id, p.amount, p.challan_number
    FROM payment_lines p
      JOIN challans c ON c.subadmin_id = $1 AND c.id = p.challan_id AND c.pay_cycle = p.pay_cycle
    WHERE p.subadmin_id = $1 AND ${of} AND p.kind = 'pay' AND c.payment_status AND c.deleted_at IS NULL
    ORDER BY c.id FOR UPDATE OF c
  ), unpaid AS (
    UPDATE challans c
    SET payment_status = false, paid_at = NULL, pay_cycle = c.pay_cycle + 1, updated_at = clock_timestamp(),
      version = c.version + 1
    FROM live
    WHERE c.subadmin_id = $1 AND c.id = live.id AND c.pay_cycle = live.pay_cycle AND c.payment_status
    RETURNING c.id
  ), lines AS (
    INSERT INTO payment_lines
      (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, challan_number, reason, created_by)
    SELECT $1, live.id, live.pay_cycle, 'reverse', live.batch_id, live.line_no, live.owner_id, live.amount,
      live.challan_number, $4, $3
    FROM live JOIN unpaid ON unpaid.id = live.id
    RETURNING amount
  ), totals AS (
    SELECT (SELECT count(*)::int FROM unpaid) AS reversed_count, count(*)::int AS line_count,
      round(coalesce(sum(amount), 0), 2) AS line_amount
    FROM lines
  )${ending}`;

const reverseBatch = reversal(
  'p.batch_id = $2',
  `, record AS (
    INSERT INTO payment_reversals (subadmin_id, batch_id, reason, created_by, reversed_count, reversed_amount)
    SELECT $1, $2, $4, $3, line_count, line_amount FROM totals WHERE line_count > 0
  )
  SELECT $2::uuid AS batch_id, reversed_count, (SELECT round(coalesce(sum(amount), 0), 2) FROM live) AS reversed_amount,
    line_count, line_amount
  FROM totals`,
);

const reverseChallan = reversal(
  'p.challan_id = $2',
  `
  SELECT (SELECT batch_id FROM live) AS batch_id, reversed_count,
    (SELECT round(coalesce(sum(amount), 0), 2) FROM live) AS reversed_amount, line_count, line_amount
  FROM totals`,
);

/** Holds the challan until the transaction ends; what is read after it is the challan's newest state. */
export async function lockChallan(db: TenantDb, challanId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'SELECT FROM challans WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE',
    [db.tenantId, challanId],
    'lock-challan-for-payment',
  );
  return rowCount === 1;
}
