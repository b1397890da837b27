import type { StatementFilters } from '../../../shared/contract/bank-statement.ts';
import type { Caller } from '../../caller.ts';
import { financialYearOf } from '../../sql/counters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { bareConditions } from '../challans/challans-filter.queries.ts';
import { keepHolds, notHeld } from '../challans/holds.queries.ts';
import {
  belowZeroOf,
  decidedOwners,
  isCarried,
  isLeftOut,
  isPaidOut,
  outcomesOf,
  type OwnerTotals,
} from './payable.queries.ts';
import type { Bind } from '../../sql/statements.ts';
import { retryWhenTaken } from '../../sql/conflicts.ts';

/**
 * An answer lists at most this many chosen challans (docs/specification.md §14.10). The batch's file has all of them.
 */
const listedChallans = 5_000;

/** The challans of a payment. `single` is one challan's own checkbox or form. */
export type PaymentChoice = (
  | { kind: 'selected' | 'single'; challanIds: readonly string[] }
  /** Paid on a day in the past (YYYY-MM-DD). The time when it was recorded is stored too. */
  | { kind: 'import'; challanIds: readonly string[]; paidOn: string }
  | { kind: 'filter'; filters: StatementFilters; excludeChallanIds: readonly string[] }
) & {
  /** Leaves out owners whose chosen challans, less the deductions, come to less than zero. */
  skipsNegativeOwners?: boolean;
  /**
   * The open carries to deduct (docs/specification.md §10.10): those of all paid owners, or these ids. By default none. The
   * checkbox of a challan, an import and an undo deduct none, because they do not decide what is transferred.
   */
  deducts?: 'open' | readonly string[];
  /** Owners below zero that are not left out. What each of them owes is carried into its next payment. */
  carries?: readonly CarriedOwner[];
  /** The lines that pay these challans were sent to the bank before, so nothing more is transferred. */
  isAtBank?: true;
};

/** An owner and the amount that it owes, as the user confirmed it. */
interface CarriedOwner {
  ownerId: string;
  amount: string;
}

/** A refusal names at most this many challans on hold. */
const maxNamedHeld = 3;

/** SQL: the condition that the line `back` reverses the paying line `line`. */
export const isReversalOf = (line: string): string =>
  `back.subadmin_id = $1 AND back.challan_id = ${line}.challan_id AND back.pay_cycle = ${line}.pay_cycle AND back.kind = 'reverse'`;

/** SQL: the paying line `line` was not reversed. */
export const isStillPaid = (line: string): string =>
  `NOT EXISTS (SELECT FROM payment_lines back WHERE ${isReversalOf(line)})`;

/** SQL: the day of an instant in Asia/Kolkata. */
export const dayIn = (instant: string): string => `(${instant} AT TIME ZONE 'Asia/Kolkata')::date`;

/** SQL: the number of a payment that is recorded now, from the value of its counter. */
export const paymentNumber = (value: string): string =>
  `'PAY-' || ${financialYearOf('now()')} || '-' || lpad(${value}::text, greatest(6, length(${value}::text)), '0')`;

/**
 * Columns that a payment copies from the owner and from the challan, so that the ledger shows them as they were when paid.
 */
export const copiedOwnerColumns = ['name', 'contact_number', 'account_no', 'ifsc', 'branch_name', 'pan_no'];
export const copiedChallanColumns = [
  'challan_number',
  'tp_no',
  'vehicle_no',
  'material',
  'loading_place',
  'unloading_place',
  'loading_at',
  'unloading_at',
  'deposited_at',
];
export const columnsOf = (table: string, columns: readonly string[]): string =>
  columns.map((column) => `${table}.${column}`).join(', ');

export interface PaidRow extends Pick<OwnerTotals, 'paid_challans' | 'paid_challan_amount' | 'paid_amount'> {
  batch_id: string | null;
  number: string | null;
  /** The time of the transaction. The batch and its lines have it, and `paid_at` too, except in an import. */
  at: Date;
  /** Chosen challans that exist. Paid ones are included only if ids were chosen. */
  found_count: number;
  /** The owners whose negative sum was carried. */
  carried: (CarriedOwner & { challans: number })[];
  /** Challans of owners that were left out because their sum is negative. */
  left_out_challans: number;
  left_out_owners: number;
  /** Some of the challans that were chosen by id and are on hold. If there are any, nothing may be paid. */
  held: { challanNumber: string; reason: string; ownerName: string | null }[];
  held_count: number;
  line_count: number;
  line_amount: string;
  /** In the order of the lines; null above `listedChallans`. */
  challan_ids: string[] | null;
}

/** What the fragments of a payment take from the choice, as SQL. */
interface Asked {
  /** The chosen challans `c`, and those of them that are locked. */
  chosen: string;
  locked: string;
  /** Neither challan `c` nor its owner is on hold. An import records the past, so it does not matter what is on hold today. */
  mayPay: string;
  isImport: boolean;
  /** The open carry `k` is deducted. */
  isDeducted: string;
  /** The owners of these challans as `outcomesOf` takes them. Below zero each is carried, or else this is done. */
  dueOf: (challans: string, belowZero: 'leaveOut' | 'pay') => string;
  skipsNegativeOwners: boolean;
  paidOn: string;
  appliedFilters: string;
}

function askedBy(choice: PaymentChoice, bind: Bind): Asked {
  const { deducts = [], carries = [], skipsNegativeOwners = false } = choice;
  const appliedFilters = bind(JSON.stringify(choice.kind === 'filter' ? choice.filters : {}));
  const paidOn = bind(choice.kind === 'import' ? choice.paidOn : null);
  const chosen = chosenConditions(choice, bind);
  const isImport = choice.kind === 'import';
  const mayPay = isImport ? 'true' : notHeld();
  const carriedIds = bind(carries.map(({ ownerId }) => ownerId));
  return {
    chosen,
    // A filter never chooses challans on hold. Ids can choose them, and are refused then.
    locked: choice.kind === 'filter' ? `${chosen} AND ${mayPay}` : chosen,
    mayPay,
    isImport,
    isDeducted: deducts === 'open' ? 'true' : `k.carry_id = ANY (${bind(deducts)}::uuid[])`,
    dueOf: (challans, belowZero) => `
      SELECT c.*, 0 AS held_challans, 0 AS held_amount, coalesce(k.amount, 0) AS carried,
        ${belowZeroOf('c.owner_id', carriedIds, belowZero)} AS below_zero
      FROM (SELECT owner_id, count(*) AS challans, sum(net_amount_payable) AS amount FROM ${challans} GROUP BY owner_id) AS c
        LEFT JOIN (SELECT owner_id, sum(amount) AS amount FROM open GROUP BY owner_id) AS k USING (owner_id)`,
    skipsNegativeOwners,
    paidOn,
    appliedFilters,
  };
}

/** SQL: the chosen challans, locked and as they are then (`locked`), and those that are on hold and refuse the payment (`held`). */
const lockedChallans = ({ locked, isImport }: Asked): string => `
  locked AS MATERIALIZED (
    SELECT c.id, c.owner_id, c.challan_number, c.net_amount_payable, c.payment_status, c.hold_reason FROM challans c
    WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND ${locked}
    ORDER BY ${lockOrder} FOR UPDATE OF c
  ), held AS MATERIALIZED (
    SELECT l.challan_number, coalesce(nullif(l.hold_reason, ''), h.hold_reason) AS reason,
      CASE WHEN l.hold_reason = '' THEN h.name END AS owner_name
    FROM locked l LEFT JOIN owners h ON h.subadmin_id = $1 AND h.id = l.owner_id AND h.hold_reason <> ''
    WHERE ${!isImport} AND NOT l.payment_status AND (l.hold_reason <> '' OR h.id IS NOT NULL)
  )`;

/** SQL: the carries to deduct (`open`), and the owners of the locked challans that are left out, with how many these are (`left_out`). */
const ownersLeftOut = ({ isDeducted, dueOf, skipsNegativeOwners }: Asked): string => `
  open AS MATERIALIZED (
    SELECT k.owner_id, k.carry_id, k.event_no, k.amount FROM open_carries k WHERE k.subadmin_id = $1 AND ${isDeducted}
  ), left_out AS MATERIALIZED (
    SELECT owner_id, challans
    FROM (${outcomesOf(`(${dueOf(`locked WHERE ${skipsNegativeOwners} AND NOT payment_status`, 'leaveOut')}) AS due`)}) AS found
    WHERE ${isLeftOut}
  )`;

/**
 * SQL: the challans that become paid (`paid`). It repeats the condition of the lock instead of joining its rows: while a business
 * is being filled, its statistics say "one row", and a join that is planned for one row takes minutes for 50,000. No index has the
 * columns that are written, so the updates stay heap-only.
 */
const paidChallans = ({ chosen, mayPay, paidOn }: Asked): string => `
  paid AS (
    UPDATE challans c
    SET payment_status = true, paid_at = coalesce(${paidOn}::date::timestamp AT TIME ZONE 'Asia/Kolkata', now()),
      updated_at = clock_timestamp(), version = c.version + 1
    WHERE (SELECT count(*) FROM locked) > 0
      AND c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.payment_status AND ${chosen}
      AND ${mayPay} AND c.owner_id NOT IN (SELECT owner_id FROM left_out)
    RETURNING c.id, c.pay_cycle, c.owner_id, c.tag_id, c.net_amount_payable, c.created_at, ${columnsOf('c', copiedChallanColumns)}
  )`;

/**
 * SQL: their owners (`decided`) and the `totals` of the payment. Both follow from what became paid: a challan that another transaction
 * made unpaid while this one waited for its lock is locked as unpaid, but this statement does not see it so, and does not pay it.
 */
const paidOwners = ({ dueOf }: Asked): string => `${decidedOwners(dueOf('paid', 'pay'))}, totals AS (
    SELECT count(*)::int AS paid_owners, coalesce(sum(challans), 0)::int AS paid_challans,
      round(coalesce(sum(amount), 0), 2) AS paid_challan_amount,
      round(coalesce(sum(balance) FILTER (WHERE ${isPaidOut}), 0), 2) AS paid_amount
    FROM decided
  )`;

/**
 * SQL: the `batch` with its number, which is taken last, when every challan is locked, so that other payments wait for the counter
 * only during the commit.
 */
const writtenBatch = ({ appliedFilters, paidOn }: Asked): string => `
  counter AS (
    INSERT INTO counters AS k (subadmin_id, name, value)
    SELECT $1, 'payment-' || ${financialYearOf('now()')}, 1 FROM totals WHERE paid_challans > 0
    ON CONFLICT (subadmin_id, name) DO UPDATE SET value = k.value + 1
    RETURNING value
  ), batch AS (
    INSERT INTO payment_batches
      (subadmin_id, number, kind, created_by, screen, updated_count, total_amount, owner_count, applied_filters, paid_on)
    SELECT $1, ${paymentNumber('value')}, $3, $2, $4, paid_challans, paid_amount, paid_owners, ${appliedFilters}::jsonb,
      coalesce(${paidOn}::date, ${dayIn('now()')})
    FROM counter, totals
    RETURNING id, number
  )`;

/** SQL: what the ledger has of the batch: its owners, its `lines` from the challans that became paid, and the events of carries. */
const writtenLines = `
  owners_of_batch AS (
    INSERT INTO payment_batch_owners (subadmin_id, batch_id, owner_id, ${copiedOwnerColumns.join(', ')})
    SELECT $1, batch.id, o.id, ${columnsOf('o', copiedOwnerColumns)}
    FROM batch, decided JOIN owners o ON o.subadmin_id = $1 AND o.id = decided.owner_id
  ), lines AS (
    INSERT INTO payment_lines
      (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, tag_name, created_by,
       ${copiedChallanColumns.join(', ')})
    SELECT $1, paid.id, paid.pay_cycle, 'pay', batch.id,
      row_number() OVER (ORDER BY lower(o.name), o.id, paid.created_at, paid.id),
      o.id, paid.net_amount_payable, coalesce(t.name, ''), $2, ${columnsOf('paid', copiedChallanColumns)}
    FROM paid
      JOIN owners o ON o.subadmin_id = $1 AND o.id = paid.owner_id
      LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = paid.tag_id,
      batch
    RETURNING challan_id, line_no, amount
  ), events AS (
    INSERT INTO carry_events (subadmin_id, carry_id, event_no, kind, batch_id, owner_id, amount, screen, created_by)
    SELECT $1, carry_id, event_no + 1, 'deduct', batch.id, owner_id, -amount, $4, $2 FROM batch, open
    WHERE owner_id IN (SELECT owner_id FROM decided)
    UNION ALL
    SELECT $1, gen_random_uuid(), 1, 'carry', batch.id, owner_id, -balance, $4, $2 FROM batch, decided WHERE ${isCarried}
  )`;

/** SQL: the `PaidRow`. */
const answer = `
  SELECT batch.id AS batch_id, batch.number, now() AS at, (SELECT count(*)::int FROM locked) AS found_count,
    (SELECT count(*)::int FROM held) AS held_count,
    (SELECT coalesce(json_agg(json_build_object('challanNumber', challan_number, 'reason', reason,
         'ownerName', owner_name) ORDER BY challan_number), '[]')
     FROM (SELECT * FROM held ORDER BY challan_number LIMIT ${maxNamedHeld}) AS few) AS held,
    paid_challans, paid_challan_amount, paid_amount,
    (SELECT coalesce(sum(challans), 0)::int FROM left_out) AS left_out_challans,
    (SELECT count(*)::int FROM left_out) AS left_out_owners,
    (SELECT coalesce(json_agg(json_build_object('ownerId', owner_id, 'amount', round(-balance, 2)::text,
         'challans', challans)), '[]') FROM decided WHERE ${isCarried}) AS carried,
    (SELECT count(*)::int FROM lines) AS line_count,
    (SELECT round(coalesce(sum(amount), 0), 2) FROM lines) AS line_amount,
    CASE WHEN paid_challans <= ${listedChallans}
      THEN (SELECT coalesce(array_agg(challan_id ORDER BY line_no), '{}') FROM lines) END AS challan_ids
  FROM totals LEFT JOIN batch ON true`;

/**
 * Pays challans in one statement (docs/security.md §5.2), whose fragments stand above in their order. It locks the challans in the
 * order of their ids, so that two payments that overlap cannot deadlock. A challan that another transaction changed while this one
 * waited for its lock is read again, so the amounts are those at the moment of payment.
 */
export async function insertPayment(db: TenantDb, caller: Caller, choice: PaymentChoice): Promise<PaidRow> {
  const values: unknown[] = [db.tenantId, caller.accountId, choice.kind, caller.screen];
  const asked = askedBy(choice, (value) => `$${values.push(value)}`);
  const fragments = [lockedChallans, ownersLeftOut, paidChallans, paidOwners, writtenBatch].map((of) => of(asked));
  // The payment of one challan always has the same text, and planning it takes longer than running it. The statement for many
  // challans has no name: it is planned for the ids that it gets.
  const { kind, deducts = [], carries = [], skipsNegativeOwners } = choice;
  const isPlainSingle = kind === 'single' && deducts.length === 0 && carries.length === 0 && !skipsNegativeOwners;
  const [, , { rows }] = await Promise.all([
    isPlainSingle || db.query(`SET LOCAL statement_timeout = '${statementLimit}'`),
    // Locked before the statement, so that its snapshot has every hold that was made earlier.
    keepHolds(db),
    // If another payment has deducted a carry in the meantime, the transaction is run again and sees that payment.
    retryWhenTaken(
      db.query<PaidRow>(
        `WITH ${[...fragments, writtenLines].join(',')} ${answer}`,
        values,
        isPlainSingle ? 'pay-one' : undefined,
      ),
    ),
  ]);
  const row = rows[0];
  if (!row) throw new Error('A payment returns one row');
  return row;
}

/** Time for 100,000 challans on a busy machine. Other statements end after 20 s (db/pool.ts). */
const statementLimit = '24s';

/**
 * SQL: the order of the ids. It is written as a function of the id. If it were the id itself, the planner would avoid the
 * sort and scan the primary key through the tenant's whole history.
 */
const lockOrder = 'uuid_send(c.id)';

/** SQL: the chosen challans. Ids include paid ones, which are skipped and counted. A filter has only unpaid ones. */
function chosenConditions(choice: PaymentChoice, bind: Bind): string {
  // A single payment is a prepared statement, which is planned once. With a list of ids the planner would expect ten of them
  // and plan again for each shorter list.
  if (choice.kind === 'single') return `c.id = ${bind(choice.challanIds[0])}::uuid`;
  if (choice.kind !== 'filter') return `c.id = ANY (${bind(choice.challanIds)}::uuid[])`;
  const excluded = choice.excludeChallanIds;
  return [
    ...bareConditions({ ...choice.filters, paymentStatus: false }, bind),
    ...(excluded.length > 0 ? [`c.id <> ALL (${bind(excluded)}::uuid[])`] : []),
  ].join(' AND ');
}

/** What to reverse: everything that a batch still pays, or these challans, whichever batches paid them. */
export type Reversed =
  | { batchId: string }
  | {
      challanIds: readonly string[];
      /** By challan id: the reason of this challan, where it differs from that of the others. */
      reasons?: Readonly<Record<string, string>>;
    };

export interface ReversedRow {
  batch_id: string | null;
  unpaid_count: number;
  line_count: number;
  line_amount: string;
  /** The same without challans below zero. */
  line_gross: string;
}

/**
 * Reverses payments. The challans with a line to reverse are locked in the order of their ids. If the line is their live line
 * (the payment of their current pay cycle), they become unpaid in a new cycle, each with a line that reverses its payment. A
 * challan that the batch no longer pays stays as it is. Ids are used instead of joins for the reason given at
 * `paidChallans`.
 */
export async function insertReversal(
  db: TenantDb,
  caller: Caller,
  what: Reversed,
  reason: string,
): Promise<ReversedRow> {
  const isBatch = 'batchId' in what;
  const [which, id] = isBatch ? ['batch_id = $2', what.batchId] : ['challan_id = ANY ($2::uuid[])', what.challanIds];
  const lines = await db.query<{ challan_id: string; pay_cycle: number }>(
    `SELECT challan_id, pay_cycle FROM payment_lines WHERE subadmin_id = $1 AND ${which} AND kind = 'pay'`,
    [db.tenantId, id],
  );
  const locked = await db.query<{ id: string; pay_cycle: number }>(
    `SELECT c.id, c.pay_cycle FROM challans c
     WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.payment_status AND c.deleted_at IS NULL
     ORDER BY ${lockOrder} FOR UPDATE`,
    [db.tenantId, [...new Set(lines.rows.map((line) => line.challan_id))]],
  );
  const cycles = new Map(locked.rows.map((challan) => [challan.id, challan.pay_cycle]));
  const live = lines.rows.filter((line) => cycles.get(line.challan_id) === line.pay_cycle);
  return db.one<ReversedRow>(
    `WITH unpaid AS (
       UPDATE challans c
       SET payment_status = false, paid_at = NULL, pay_cycle = c.pay_cycle + 1, updated_at = clock_timestamp(),
         version = c.version + 1
       WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.payment_status
       RETURNING 1
     ), lines AS (
       INSERT INTO payment_lines
         (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, challan_number, reason, created_by,
          screen)
       SELECT $1, challan_id, pay_cycle, 'reverse', batch_id, line_no, owner_id, amount, challan_number,
         coalesce($7::jsonb ->> challan_id::text, $3), $4, $5
       FROM payment_lines
       WHERE subadmin_id = $1 AND kind = 'pay' AND challan_id = ANY ($2::uuid[])
         AND ${isBatch ? 'batch_id = $6' : 'pay_cycle = ($6::jsonb ->> challan_id::text)::integer'}
       RETURNING batch_id, amount
     ), totals AS (
       SELECT min(batch_id::text)::uuid AS batch_id, count(*)::int AS line_count,
         round(coalesce(sum(amount), 0), 2) AS line_amount, round(coalesce(sum(greatest(amount, 0)), 0), 2) AS line_gross
       FROM lines
     )
     SELECT batch_id, (SELECT count(*)::int FROM unpaid) AS unpaid_count, line_count, line_amount, line_gross FROM totals`,
    [
      db.tenantId,
      live.map((line) => line.challan_id),
      reason,
      caller.accountId,
      caller.screen,
      // A batch has one line per challan. A challan has one line per cycle, and only the live one counts.
      isBatch
        ? what.batchId
        : JSON.stringify(Object.fromEntries(live.map((line) => [line.challan_id, line.pay_cycle]))),
      JSON.stringify((!isBatch && what.reasons) || {}),
    ],
  );
}

/** Records that a whole payment was reversed. */
export async function insertReversalOfBatch(
  db: TenantDb,
  caller: Caller,
  batchId: string,
  reason: string,
  { reversedCount, reversedAmount }: { reversedCount: number; reversedAmount: string },
): Promise<void> {
  await db.query(
    `INSERT INTO payment_reversals (subadmin_id, batch_id, reason, created_by, reversed_count, reversed_amount)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [db.tenantId, batchId, reason, caller.accountId, reversedCount, reversedAmount],
    'insert-payment-reversal',
  );
}
