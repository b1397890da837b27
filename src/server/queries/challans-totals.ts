import type { ChallanSummary } from '../../shared/contract/challan.ts';
import type { TenantDb } from '../db/tenant.ts';
import { isDepositedRange, isLoadingRange, Parameters, type Bind, type ChallanFilter } from './challans-filter.ts';

/** Between which instants the challans of a filter were made, to the microsecond: text, which a Date would cut. */
export interface CreatedBounds {
  first: string;
  last: string;
}

/** Keys of the roll-ups (migration 004). */
export const withoutTag = '00000000-0000-0000-0000-000000000000';
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

/**
 * Whether one of the roll-ups holds this filter: each knows tag and payment, and beside them either the owner or the
 * deposited or the loading day.
 */
export function isRolledUp(filter: ChallanFilter): boolean {
  if (filter.tpNo) return false;
  return [filter.ownerId !== undefined, isDepositedRange(filter), isLoadingRange(filter)].filter(Boolean).length < 2;
}

/**
 * Whether the totals of this filter tell bounds that a page in order of creation profits from: payment and days have no
 * index in that order; owner, tag and "without a tag" have.
 */
export function isBounded(filter: ChallanFilter): boolean {
  if (filter.ownerId !== undefined) return false;
  return isDepositedRange(filter) || isLoadingRange(filter) || filter.paymentStatus !== undefined;
}

/**
 * Counts and sums of a filter from roll-up and open differences, in one statement and so of one moment; for a filter that
 * isBounded also the bounds. Ask only where isRolledUp.
 */
export async function selectRolledTotals(
  db: TenantDb,
  filter: ChallanFilter,
): Promise<{ summary: ChallanSummary; bounds: CreatedBounds | null }> {
  const parameters = new Parameters(db);
  const hasBounds = isBounded(filter);
  const measures = `payment_status, challans, net_amount${hasBounds ? ', first_created_at, last_created_at' : ''}`;
  const shared = sharedConditions(filter, parameters.bind);
  const tag =
    filter.tagId === undefined ? undefined : parameters.bind(filter.tagId === 'none' ? withoutTag : filter.tagId);
  const ofTag = tag === undefined ? '' : ` AND tag_id = ${tag}`;
  // Over all tags the roll-ups by day have rows of their own; in the others the tags are added up.
  const ofRollUp = hasBounds && tag === undefined ? ` AND tag_id = '${allTags}'` : ofTag;
  const { rows } = await db.query<ChallanSummary & { first?: string; last?: string }>(
    `SELECT ${summaryColumns}
       ${hasBounds ? ', min(first_created_at)::text AS first, max(last_created_at)::text AS last' : ''}
     FROM (
       SELECT ${measures} FROM ${rollUpOf(filter)} WHERE subadmin_id = $1${ofRollUp}${shared}
       UNION ALL
       SELECT ${measures} FROM challan_deltas WHERE subadmin_id = $1${ofTag}${shared}
     ) AS parts`,
    parameters.values,
    `challan-totals-${shapeOf(filter)}`,
  );
  // An aggregate without GROUP BY returns one row.
  const { first, last, ...summary } = rows[0]!;
  return { summary, bounds: first && last ? { first, last } : null };
}

function rollUpOf(filter: ChallanFilter): string {
  if (isLoadingRange(filter)) return 'challan_totals_by_loading_day';
  if (isBounded(filter)) return 'challan_totals_by_day';
  return filter.ownerId === undefined ? 'challan_totals_by_tag' : 'challan_totals_by_owner';
}

function sharedConditions(filter: ChallanFilter, bind: Bind): string {
  const conditions: string[] = [];
  if (filter.ownerId) conditions.push(`owner_id = ${bind(filter.ownerId)}`);
  if (filter.paymentStatus !== undefined)
    conditions.push(filter.paymentStatus ? 'payment_status' : 'NOT payment_status');
  if (filter.loadingFrom) conditions.push(`loading_on >= ${bind(filter.loadingFrom)}::date`);
  if (filter.loadingTo) conditions.push(`loading_on <= ${bind(filter.loadingTo)}::date`);
  // What was not deposited is the day -infinity, which a range without a beginning must still leave out.
  if (filter.isNotDeposited) conditions.push(`deposited_on = '-infinity'`);
  if (filter.depositedFrom) conditions.push(`deposited_on >= ${bind(filter.depositedFrom)}::date`);
  else if (filter.depositedTo) conditions.push(`deposited_on > '-infinity'`);
  if (filter.depositedTo) conditions.push(`deposited_on <= ${bind(filter.depositedTo)}::date`);
  return conditions.map((condition) => ` AND ${condition}`).join('');
}

/** Names the text of a statement that is built from a filter: the same for the same text, different for a different one. */
export function shapeOf(filter: ChallanFilter): string {
  const tag = filter.tagId === undefined ? '' : filter.tagId === 'none' ? 'n' : 't';
  const paid = filter.paymentStatus === undefined ? '' : filter.paymentStatus ? 'p' : 'u';
  const flags = [
    filter.ownerId && 'o',
    filter.loadingFrom && 'l',
    filter.loadingTo && 'm',
    filter.isNotDeposited && 'w',
    filter.depositedFrom && 'd',
    filter.depositedTo && 'e',
    filter.tpNo && (([...filter.tpNo].length >= 3 && 's') || 'i'),
  ];
  return [tag, paid, ...flags].filter(Boolean).join('') || 'all';
}
