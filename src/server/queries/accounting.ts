import type { OwnerSummary } from '../../shared/contract/accounting.ts';
import type { TenantDb } from '../db/tenant.ts';
import { challanConditions, isDepositedRange, Parameters, type ChallanFilter } from './challans-filter.ts';
import { selectRolledTotals, shapeOf, withoutTag } from './challans-totals.ts';

/** The challans of one owner; of the other filters those that the owner's screen has (part 2 §2.4). */
export type OwnerChallanFilter = { ownerId: string } & Pick<
  ChallanFilter,
  'paymentStatus' | 'tagId' | 'depositedFrom' | 'depositedTo'
>;

export async function selectOwnerName(db: TenantDb, id: string): Promise<string | null> {
  const { rows } = await db.query<{ name: string }>(
    'SELECT name FROM owners WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL',
    [db.tenantId, id],
    'select-owner-name',
  );
  return rows[0]?.name ?? null;
}

/** The sums of one owner's challans, over parts with payment_status, challans, net_amount and tds_amount. */
const summaryColumns = `
  coalesce(sum(challans), 0)::int AS "totalCount", coalesce(sum(net_amount), 0.00)::text AS "totalPayableAmount",
  coalesce(sum(net_amount) FILTER (WHERE payment_status), 0.00)::text AS "totalPaidAmount",
  coalesce(sum(net_amount) FILTER (WHERE NOT payment_status), 0.00)::text AS "totalUnpaidAmount",
  coalesce(sum(tds_amount), 0.00)::text AS "totalTds",
  coalesce(sum(challans) FILTER (WHERE payment_status), 0)::int AS "paidCount",
  coalesce(sum(challans) FILTER (WHERE NOT payment_status), 0)::int AS "unpaidCount"`;

/** Over the whole filter, never the page (ruling 32). */
export function selectOwnerSummary(db: TenantDb, filter: OwnerChallanFilter): Promise<OwnerSummary> {
  return isDepositedRange(filter) ? selectCountedSummary(db, filter) : selectRolledSummary(db, filter);
}

/** From the owners' roll-up and the open differences, in one statement and so of one moment (migration 004). */
async function selectRolledSummary(db: TenantDb, filter: OwnerChallanFilter): Promise<OwnerSummary> {
  const parameters = new Parameters(db);
  const conditions = [`subadmin_id = $1 AND owner_id = ${parameters.bind(filter.ownerId)}`];
  if (filter.tagId !== undefined)
    conditions.push(`tag_id = ${parameters.bind(filter.tagId === 'none' ? withoutTag : filter.tagId)}`);
  if (filter.paymentStatus !== undefined)
    conditions.push(filter.paymentStatus ? 'payment_status' : 'NOT payment_status');
  const part = (table: string): string =>
    `SELECT payment_status, challans, net_amount, tds_amount FROM ${table} WHERE ${conditions.join(' AND ')}`;
  const { rows } = await db.query<OwnerSummary>(
    `SELECT ${summaryColumns}
     FROM (${part('challan_totals_by_owner')} UNION ALL ${part('challan_deltas')}) AS parts`,
    parameters.values,
    `owner-summary-${shapeOf(filter)}`,
  );
  // An aggregate without GROUP BY returns one row.
  return rows[0]!;
}

/**
 * No roll-up holds an owner's challans of some days, but one knows between which instants the challans of those days were
 * made: of the owner's challans, which an index has in that order, only these are read.
 */
async function selectCountedSummary(db: TenantDb, filter: OwnerChallanFilter): Promise<OwnerSummary> {
  const { ownerId: _, ...days } = filter;
  const { bounds } = await selectRolledTotals(db, days);
  const parameters = new Parameters(db);
  const { bind } = parameters;
  const conditions = challanConditions(filter, bind, { isWalk: true });
  const { rows } = await db.query<OwnerSummary>(
    `SELECT ${summaryColumns}
     FROM (
       SELECT c.payment_status, 1 AS challans, c.net_amount_payable AS net_amount, c.tds_amount FROM challans AS c
       WHERE ${conditions} AND c.created_at >= ${bind(bounds?.first ?? 'infinity')}::timestamptz
         AND c.created_at <= ${bind(bounds?.last ?? '-infinity')}::timestamptz
     ) AS parts`,
    parameters.values,
    `owner-summary-counted-${shapeOf(filter)}`,
  );
  // As above.
  return rows[0]!;
}
