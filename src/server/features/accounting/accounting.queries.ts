import type { OwnerSummary } from '../../../shared/contract/accounting.ts';
import type { ownerChallanFilters } from '../../../shared/filters/challan-filters.ts';
import type { FilterOfList } from '../../../shared/filters/define.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { challansOf } from '../challans/challans-filter.queries.ts';
import { byOwner, coversFilter, totalParts } from '../challans/challans-totals.queries.ts';
import { Parameters, preparedName } from '../../sql/statements.ts';

/** The challans of one owner, with the filters of the owner's screen (docs/specification.md §9.2). */
export type OwnerChallanFilter = { ownerId: string } & FilterOfList<typeof ownerChallanFilters>;

export async function selectOwnerName(db: TenantDb, id: string): Promise<string | null> {
  const row = await db.first<{ name: string }>(
    'SELECT name FROM owners WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL',
    [db.tenantId, id],
    'select-owner-name',
  );
  return row?.name ?? null;
}

/** SQL: the sums of one owner's challans. The source must have payment_status, challans, net_amount and tds_amount. */
const summaryColumns = `
  coalesce(sum(challans), 0)::int AS "totalCount", coalesce(sum(net_amount), 0.00)::text AS "totalPayableAmount",
  coalesce(sum(net_amount) FILTER (WHERE payment_status), 0.00)::text AS "totalPaidAmount",
  coalesce(sum(net_amount) FILTER (WHERE NOT payment_status), 0.00)::text AS "totalUnpaidAmount",
  coalesce(sum(tds_amount), 0.00)::text AS "totalTds",
  coalesce(sum(challans) FILTER (WHERE payment_status), 0)::int AS "paidCount",
  coalesce(sum(challans) FILTER (WHERE NOT payment_status), 0)::int AS "unpaidCount"`;

/** Returns the sums over the whole filter, never over one page (docs/specification.md §3.4). */
export function selectOwnerSummary(db: TenantDb, filter: OwnerChallanFilter): Promise<OwnerSummary> {
  return coversFilter(byOwner, filter) ? selectRolledSummary(db, filter) : selectCountedSummary(db, filter);
}

/** Reads the owners' roll-up and the open differences in one statement, so that both come from one snapshot. */
function selectRolledSummary(db: TenantDb, filter: OwnerChallanFilter): Promise<OwnerSummary> {
  const { values, bind } = new Parameters(db);
  const parts = totalParts(filter, byOwner, 'payment_status, challans, net_amount, tds_amount', bind);
  const text = `SELECT ${summaryColumns} FROM (${parts}) AS parts`;
  return db.one<OwnerSummary>(text, values, preparedName('owner-summary', text));
}

/** Counts the challans, where the filter has days: no roll-up has an owner's challans of some days. */
function selectCountedSummary(db: TenantDb, filter: OwnerChallanFilter): Promise<OwnerSummary> {
  const { values, bind } = new Parameters(db);
  const { source, conditions } = challansOf(filter, bind);
  const text = `SELECT ${summaryColumns}
     FROM (
       SELECT c.payment_status, 1 AS challans, c.net_amount_payable AS net_amount, c.tds_amount FROM ${source}
       WHERE ${conditions}
     ) AS parts`;
  return db.one<OwnerSummary>(text, values, preparedName('owner-summary', text));
}
