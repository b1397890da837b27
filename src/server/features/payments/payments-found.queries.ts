import { possibleNumbers } from '../../../shared/calc/challan-number.ts';
import { vehicleKey } from '../../../shared/calc/keys.ts';
import type { PaymentSortKey, PaymentTotals } from '../../../shared/contract/payment-batches.ts';
import { filterNames, type FilterOfList } from '../../../shared/filters/define.ts';
import { paymentFilters } from '../../../shared/filters/payment-filters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { conditions, platesWith, type Condition } from '../../sql/filter-conditions.ts';
import { offsetOf } from '../../sql/paging.ts';
import { escapeLike, Parameters, type Bind } from '../../sql/statements.ts';

type PaymentFilter = FilterOfList<typeof paymentFilters>;

export interface PaymentQuery extends PaymentFilter {
  page: number;
  limit: number;
  sortBy: PaymentSortKey;
  sortOrder: 'asc' | 'desc';
}

/** SQL: the ids of challans with this number, or with this part of a TP number or of a vehicle number. */
function challanIdsOf(term: string, today: string, bind: Bind): string {
  const key = vehicleKey(term);
  return [
    `SELECT c.id FROM challans AS c WHERE c.subadmin_id = $1
       AND c.challan_number = ANY (${bind(possibleNumbers('CH', term, today))}::text[])`,
    // For fewer than three letters the whole index would be read (docs/architecture.md §6.4).
    ...([...term].length >= 3 ? [`SELECT c.id FROM search_challans_by_tp(${bind(term)}) AS c`] : []),
    ...(key.length >= 3
      ? [
          `SELECT c.id FROM challans AS c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL
             AND c.vehicle_key = ANY (${platesWith('$1', bind(escapeLike(key)))})`,
        ]
      : []),
  ].join(' UNION ');
}

/** SQL: the ids of the payments that a search finds. */
function paymentIdsOf(term: string, today: string, bind: Bind): string {
  const pattern = `'%' || ${bind(escapeLike(term))} || '%'`;
  return [
    `SELECT b.id FROM payment_batches AS b WHERE b.subadmin_id = $1 AND b.number ILIKE ${pattern}`,
    // By the owner's name at the time of the payment, or by its current name.
    `SELECT o.batch_id FROM payment_batch_owners AS o WHERE o.subadmin_id = $1 AND (o.name ILIKE ${pattern}
       OR o.owner_id IN (SELECT p.id FROM owners AS p WHERE p.subadmin_id = $1 AND p.name ILIKE ${pattern}))`,
    `SELECT l.batch_id FROM payment_lines AS l WHERE l.subadmin_id = $1 AND l.kind = 'pay'
       AND l.challan_id IN (${challanIdsOf(term, today, bind)})`,
    // By a UTR that the bank gave, even if the line failed later.
    `SELECT v.batch_id FROM bank_line_events AS e JOIN bank_lines_of_payments AS v
         ON v.subadmin_id = $1 AND v.file_id = e.file_id AND v.line_no = e.line_no
       WHERE e.subadmin_id = $1 AND e.utr ILIKE ${pattern}`,
  ].join(' UNION ');
}

type Name = keyof typeof paymentFilters;

const stateExpression = `CASE WHEN back.batch_id IS NULL THEN 'paid' WHEN back.lines = b.updated_count THEN 'undone' ELSE 'partly' END`;

/** SQL: what each filter compares, over payments `b` and the sums `back` of what was reversed of each. */
const columns: { readonly [N in Exclude<Name, 'search' | 'ownerId'>]: string } = {
  startDate: 'b.paid_on',
  endDate: 'b.paid_on',
  state: stateExpression,
  kind: 'b.kind',
  personId: 'b.created_by',
  amountFrom: 'b.total_amount',
  amountTo: 'b.total_amount',
};

function conditionsOf(filter: PaymentFilter, today: string, bind: Bind): string[] {
  return filterNames(paymentFilters).flatMap((name) => {
    const value = filter[name];
    if (value === undefined || value === '') return [];
    if (name === 'search') return [`b.id IN (${paymentIdsOf(value, today, bind)})`];
    if (name === 'ownerId') {
      return [
        `b.id IN (SELECT o.batch_id FROM payment_batch_owners AS o
           WHERE o.subadmin_id = $1 AND o.owner_id = ${bind(value)})`,
      ];
    }
    // The condition of the filter's own kind takes its value.
    const condition = conditions[paymentFilters[name].kind] as Condition<unknown>;
    return [condition(value, { column: columns[name], none: null, tenant: '$1', bind })];
  });
}

const orderings: Readonly<Record<PaymentSortKey, (direction: string) => string>> = {
  paidOn: (direction) => `paid_on ${direction}, created_at ${direction}`,
  number: (direction) => `number ${direction}`,
  updatedCount: (direction) => `updated_count ${direction}`,
  ownerCount: (direction) => `owner_count ${direction}`,
  totalAmount: (direction) => `total_amount ${direction}`,
  paidAmount: (direction) => `paid_amount ${direction}`,
};

interface FoundRow {
  ids: string[];
  payments: number;
  updated_count: number;
  total_amount: string;
  paid_count: number;
  paid_amount: string;
}

/** SQL: what was taken back of payments, a row for each reversed line and for each carry that was undone. */
const takenBack = `(
  SELECT l.batch_id, 1 AS lines, l.amount FROM payment_lines AS l WHERE l.subadmin_id = $1 AND l.kind = 'reverse'
  UNION ALL
  SELECT k.batch_id, 0, -k.amount FROM carry_events AS k
  WHERE k.subadmin_id = $1 AND k.kind IN ('restore', 'cancel')) AS taken`;

/** SQL: the sums of payments that a filter leaves. What was taken back is added up for each payment. */
const sumsOfSome = (where: string, slice: string): string => `
  WITH back AS MATERIALIZED (
    SELECT batch_id, sum(lines)::int AS lines, sum(amount) AS amount FROM ${takenBack} GROUP BY batch_id
  ), found AS MATERIALIZED (
    SELECT b.id, b.number, b.paid_on, b.created_at, b.updated_count, b.owner_count, b.total_amount,
      b.updated_count - coalesce(back.lines, 0) AS paid_count, b.total_amount - coalesce(back.amount, 0) AS paid_amount
    FROM payment_batches AS b LEFT JOIN back ON back.batch_id = b.id
    WHERE ${where}
  )
  SELECT count(*)::int AS payments, coalesce(sum(updated_count), 0)::int AS updated_count,
    round(coalesce(sum(total_amount), 0), 2) AS total_amount, coalesce(sum(paid_count), 0)::int AS paid_count,
    round(coalesce(sum(paid_amount), 0), 2) AS paid_amount, ARRAY(SELECT id FROM found ${slice}) AS ids
  FROM found`;

/**
 * SQL: the sums of all payments. What was taken back is added up once for all of them. The order is that of the table, so
 * that neighbours are read together.
 */
const sumsOfAll = (ids: string): string => `
  SELECT payments, updated_count::int, round(total_amount, 2) AS total_amount,
    (updated_count - back.lines)::int AS paid_count, round(total_amount - back.amount, 2) AS paid_amount,
    ARRAY(${ids}) AS ids
  FROM (
    SELECT count(*)::int AS payments, coalesce(sum(updated_count), 0) AS updated_count,
      coalesce(sum(total_amount), 0) AS total_amount
    FROM (SELECT updated_count, total_amount FROM payment_batches WHERE subadmin_id = $1
      ORDER BY created_at DESC, id DESC OFFSET 0) AS b
  ) AS made CROSS JOIN (
    SELECT coalesce(sum(lines), 0) AS lines, coalesce(sum(amount), 0) AS amount FROM ${takenBack}
  ) AS back`;

/**
 * SQL: the payments that can be among the first `rows` by day, the newest day first. Of the `rows` payments that were
 * recorded last, the earliest day is taken: at least so many payments are of that day or a later one, so none of the days
 * before is among the first. A payment is never of a later day than the one on which it was recorded (migration 006), so
 * the payments that were recorded before that day are not read.
 */
const newestByDay = (rows: string): string => `
  (SELECT min(paid_on)::timestamp AT TIME ZONE 'Asia/Kolkata' AS since FROM (
     SELECT paid_on FROM payment_batches WHERE subadmin_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${rows}
   ) AS newest OFFSET 0) AS first_day
  CROSS JOIN LATERAL (
    SELECT * FROM payment_batches WHERE subadmin_id = $1 AND created_at >= first_day.since OFFSET 0) AS b`;

/**
 * The ids of a page of payments in their order, and the sums of all that match. There are far fewer payments than challans,
 * so they are counted each time. What was reversed comes from an index that has only the reversing lines.
 */
export async function findPayments(
  db: TenantDb,
  query: PaymentQuery,
  today: string,
): Promise<{ ids: string[]; count: number; summary: PaymentTotals }> {
  const { values, bind } = new Parameters(db);
  const { page, limit, sortBy, sortOrder, ...filter } = query;
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const filtered = conditionsOf(filter, today, bind);
  const isAll = filtered.length === 0 && sortBy !== 'paidAmount';
  const offset = offsetOf({ page, limit });
  const slice = `ORDER BY ${orderings[sortBy](direction)}, id ${direction} LIMIT ${bind(limit)} OFFSET ${bind(offset)}`;
  const isNewestFirst = sortBy === 'paidOn' && sortOrder === 'desc';
  const { rows } = await db.query<FoundRow>(
    isAll
      ? sumsOfAll(
          `SELECT b.id FROM ${isNewestFirst ? newestByDay(bind(offset + limit)) : 'payment_batches AS b'}
           WHERE b.subadmin_id = $1 ${slice}`,
        )
      : sumsOfSome(['b.subadmin_id = $1', ...filtered].join(' AND '), slice),
    values,
  );
  const [row] = rows;
  if (!row) throw new Error('Totals are always one row');
  return {
    ids: row.ids,
    count: row.payments,
    summary: {
      updatedCount: row.updated_count,
      totalAmount: row.total_amount,
      paidCount: row.paid_count,
      paidAmount: row.paid_amount,
    },
  };
}
