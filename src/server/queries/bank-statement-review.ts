import type { SelectionReview, StatementFilters } from '../../shared/contract/bank-statement.ts';
import type { TenantDb } from '../db/tenant.ts';
import { bareConditions, challansOf, Parameters } from './challans-filter.ts';
import { ownerTotals, unpaidByOwner, type OwnerTotals } from './bank-statement.ts';

/** Chosen challans, or everything of the filter less the exclusions. */
interface ReviewedSelection {
  filters: StatementFilters;
  challanIds?: readonly string[] | undefined;
  excludeChallanIds: readonly string[];
}

interface NamedRow {
  id: string;
  owner_id: string;
  amount: string;
  is_paid: boolean;
  is_matching: boolean;
}

/** What a selection covers now, and what happened to the challans it names. Reads one snapshot. */
export async function reviewSelection(db: TenantDb, selection: ReviewedSelection): Promise<SelectionReview> {
  const { filters, challanIds, excludeChallanIds } = selection;
  const names = [...new Set(challanIds ?? excludeChallanIds)];
  const [totals, named] = await Promise.all([
    selectTotals(db, filters, names, challanIds === undefined),
    selectNamed(db, filters, names),
  ]);
  const open = named.filter((row) => row.is_matching && !row.is_paid);
  const paid = named.filter((row) => row.is_paid);
  return {
    count: totals.total_challans,
    totalAmount: totals.total_amount,
    ownerCount: totals.total_owners,
    negativeOwnerCount: totals.negative_count,
    negativeOwners: totals.negative_owners,
    challans: open.map(nameOf),
    paid: paid.map(nameOf),
    paidCount: paid.length,
    goneCount: names.length - open.length - paid.length,
  };
}

const nameOf = (row: NamedRow) => ({ challanId: row.id, ownerId: row.owner_id, netAmountPayable: row.amount });

async function selectNamed(db: TenantDb, filters: StatementFilters, names: readonly string[]): Promise<NamedRow[]> {
  if (names.length === 0) return [];
  const { values, bind } = new Parameters(db);
  const isMatching = bareConditions(filters, bind).join(' AND ') || 'true';
  const { rows } = await db.query<NamedRow>(
    `SELECT c.id, c.owner_id, c.net_amount_payable AS amount, c.payment_status AS is_paid,
       coalesce(${isMatching}, false) AS is_matching
     FROM challans c
     WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND c.id = ANY (${bind(names)}::uuid[])
     ORDER BY c.created_at, c.id`,
    values,
  );
  return rows;
}

/** Count, owners and sum of the selection; the filter's own sums come from the roll-up where it holds them. */
async function selectTotals(
  db: TenantDb,
  filters: StatementFilters,
  names: readonly string[],
  areExcluded: boolean,
): Promise<OwnerTotals> {
  const { values, bind } = new Parameters(db);
  const { source, conditions } = challansOf({ ...filters, paymentStatus: false }, bind);
  const namedByOwner = `SELECT c.owner_id, count(*) AS challans, sum(c.net_amount_payable) AS amount FROM ${source}
    WHERE ${conditions} AND c.id = ANY (${bind(names)}::uuid[])
    GROUP BY c.owner_id`;
  const chosen = areExcluded
    ? `SELECT sums.owner_id, sums.challans - coalesce(excluded.challans, 0) AS challans,
         sums.amount - coalesce(excluded.amount, 0) AS amount
       FROM (${unpaidByOwner(filters, bind)}) AS sums LEFT JOIN (${namedByOwner}) AS excluded USING (owner_id)`
    : namedByOwner;
  const { rows } = await db.query<OwnerTotals>(
    `WITH found AS (
       SELECT o.id, o.name, chosen.challans, chosen.amount
       FROM (${chosen}) AS chosen JOIN owners o ON o.subadmin_id = $1 AND o.id = chosen.owner_id
       WHERE chosen.challans > 0
     ) ${ownerTotals}`,
    values,
  );
  const [totals] = rows;
  if (!totals) throw new Error('Totals are always one row');
  return totals;
}
