import type { ChallanSummary } from '../../../shared/contract/challan.ts';
import type { ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { filteredColumns, rollUpConditions } from './challans-filter.queries.ts';
import { Parameters, preparedName, type Bind } from '../../sql/statements.ts';

/** The tag of the rows that a roll-up by day has over all tags (migration 005). */
export const allTags = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The columns of a summary over parts with payment_status, challans and net_amount. */
const summaryColumns = `
  coalesce(sum(challans), 0)::int AS "totalCount", coalesce(sum(net_amount), 0.00)::text AS "totalAmount",
  coalesce(sum(challans) FILTER (WHERE payment_status), 0)::int AS "paidCount",
  coalesce(sum(net_amount) FILTER (WHERE payment_status), 0.00)::text AS "paidAmount",
  coalesce(sum(challans) FILTER (WHERE NOT payment_status), 0)::int AS "unpaidCount",
  coalesce(sum(net_amount) FILTER (WHERE NOT payment_status), 0.00)::text AS "unpaidAmount"`;

/** The same over challans themselves. */
export const countedColumns = `
  count(*)::int AS "totalCount", coalesce(sum(net_amount_payable), 0.00)::text AS "totalAmount",
  count(*) FILTER (WHERE payment_status)::int AS "paidCount",
  coalesce(sum(net_amount_payable) FILTER (WHERE payment_status), 0.00)::text AS "paidAmount",
  count(*) FILTER (WHERE NOT payment_status)::int AS "unpaidCount",
  coalesce(sum(net_amount_payable) FILTER (WHERE NOT payment_status), 0.00)::text AS "unpaidAmount"`;

/** A table of totals. It covers a filter when it has every column that the filter uses. */
export interface RollUp {
  table: string;
  columns: readonly string[];
  /** SQL: further conditions on its rows, where those of the filter alone would add up too many. */
  rowsOf?: (filter: ChallanFilter) => string[];
  /** It is written in the same transaction as the rows that it adds up, so it needs no open differences. */
  isAlwaysCurrent?: boolean;
}

export const byTag: RollUp = { table: 'challan_totals_by_tag', columns: ['tag_id', 'payment_status'] };
export const byDay: RollUp = {
  table: 'challan_totals_by_day',
  columns: ['deposited_on', 'tag_id', 'payment_status'],
  // It has rows of each tag, and rows over all tags.
  rowsOf: ({ tagId }) => (tagId === undefined ? [`tag_id = '${allTags}'`] : []),
};
/** Has unpaid challans only. The row of the day 'infinity' is the total of all days (migration 005). */
export const unpaidByOwnerDay: RollUp = {
  table: 'challan_unpaid_by_owner_day',
  columns: ['owner_id', 'deposited_on'],
};

/**
 * The sums of payments, which are written with the payment: each line is the net of a challan on the payment's day. A sum
 * without challans is an amount that was carried or deducted.
 */
export const byPaidDay: RollUp = {
  table: `(SELECT subadmin_id, owner_id, paid_on, true AS payment_status, batch_id, challans, amount AS net_amount
    FROM payment_sums WHERE challans <> 0) AS paid`,
  columns: ['paid_on', 'owner_id', 'payment_status'],
  isAlwaysCurrent: true,
};

/**
 * SQL: a condition on challans `c` that payments of these days paid. No index has that day, so they are found by the lines of the
 * payments. Not beside conditions that another index finds: each of its challans would be looked for among all of these.
 */
export const ofPayments = (days: string): string =>
  `c.id = ANY (ARRAY(
     SELECT l.challan_id FROM payment_lines AS l WHERE l.subadmin_id = $1 AND l.kind = 'pay'
       AND l.batch_id IN (SELECT batch_id FROM payment_sums WHERE subadmin_id = $1 AND ${days})))`;

/** SQL: the totals by owner, which have paid and unpaid challans in one row, as two rows. */
export const ownersByStatus = `(SELECT subadmin_id, owner_id, tag_id, of_status.*
    FROM challan_totals_by_owner AS k CROSS JOIN LATERAL (VALUES
      (true, k.paid_challans, k.paid_amount, k.paid_tds),
      (false, k.challans - k.paid_challans, k.net_amount - k.paid_amount, k.tds_amount - k.paid_tds)
    ) AS of_status (payment_status, challans, net_amount, tds_amount)) AS of_owner`;
export const byOwner: RollUp = {
  table: ownersByStatus,
  columns: ['owner_id', 'tag_id', 'payment_status'],
};

/** The roll-ups in the order in which they are tried: the one with fewer rows first. */
const rollUps: readonly RollUp[] = [byTag, byDay, byOwner, byPaidDay];

/** Whether the roll-up has every column of the filter. */
export const coversFilter = ({ columns }: RollUp, filter: ChallanFilter): boolean =>
  filteredColumns(filter).every((column) => columns.includes(column));

/** The roll-up that covers this filter. Undefined when none does: then the challans themselves must be counted. */
export const rollUpOf = (filter: ChallanFilter): RollUp | undefined =>
  rollUps.find((rollUp) => coversFilter(rollUp, filter));

/** SQL: the rows of a roll-up that covers the filter, and the open differences. Together they are exact at any moment. */
export function totalParts(filter: ChallanFilter, rollUp: RollUp, measures: string, bind: Bind): string {
  const { table, rowsOf, isAlwaysCurrent = false } = rollUp;
  const conditions = ['subadmin_id = $1', ...rollUpConditions(filter, bind)];
  const sources = [
    `${table} WHERE ${[...conditions, ...(rowsOf?.(filter) ?? [])].join(' AND ')}`,
    ...(isAlwaysCurrent ? [] : [`open_challan_totals WHERE ${conditions.join(' AND ')}`]),
  ];
  return sources.map((source) => `SELECT ${measures} FROM ${source}`).join(' UNION ALL ');
}

/** Counts and sums of a filter, from the roll-up that covers it and the open differences. */
export function selectRolledTotals(db: TenantDb, filter: ChallanFilter, rollUp: RollUp): Promise<ChallanSummary> {
  const { values, bind } = new Parameters(db);
  const parts = totalParts(filter, rollUp, 'payment_status, challans, net_amount', bind);
  const text = `SELECT ${summaryColumns} FROM (${parts}) AS parts`;
  return db.one<ChallanSummary>(text, values, preparedName('challan-totals', text));
}
