import { ACCOUNT_PATTERN, IFSC_PATTERN } from '../../../shared/calc/identity.ts';
import type { SelectionReview, StatementFilters } from '../../../shared/contract/bank-statement.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { joinFailedTransfer } from '../bank/bank-lines.queries.ts';
import { carriedByOwner } from './carries.queries.ts';
import { bareConditions, challansOf } from '../challans/challans-filter.queries.ts';
import { heldByOwner, ownerTotals, unpaidByOwner, type OwnerTotals } from './bank-statement.queries.ts';
import { heldOf, isPaid } from './payable.queries.ts';
import { heldOwners, notHeld } from '../challans/holds.queries.ts';
import { Parameters } from '../../sql/statements.ts';

/** The chosen challans, or all challans of the filter except the exclusions. */
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
  is_held: boolean;
}

/**
 * Returns what a selection covers now, and what happened to the challans it names. Call it in a transaction that reads
 * one snapshot.
 */
export async function reviewSelection(
  db: TenantDb,
  { accountId }: Caller,
  selection: ReviewedSelection,
): Promise<SelectionReview> {
  const { filters, challanIds, excludeChallanIds } = selection;
  const names = [...new Set(challanIds ?? excludeChallanIds)];
  const [totals, named, held, largestPayment] = await Promise.all([
    selectTotals(db, filters, names, challanIds === undefined),
    selectNamed(db, filters, names),
    countHeld(db, filters),
    selectLargestPayment(db, accountId),
  ]);
  const unpaid = named.filter((row) => row.is_matching && !row.is_paid);
  const open = unpaid.filter((row) => !row.is_held);
  const paid = named.filter((row) => row.is_paid);
  return {
    count: totals.total_challans,
    totalAmount: totals.total_amount,
    ownerCount: totals.total_owners,
    negativeOwnerCount: totals.negative_count,
    negativeOwners: totals.negative_owners,
    negativeChallanCount: totals.negative_challans,
    negativeAmount: totals.negative_amount,
    negativeCarriedAmount: totals.negative_carried,
    deductedAmount: totals.deducted_amount,
    largestPayment,
    incompleteOwnerCount: totals.incomplete_count,
    incompleteOwners: totals.incomplete_owners,
    failedOwnerCount: totals.failed_count,
    failedOwners: totals.failed_owners,
    challans: open.map(nameOf),
    paid: paid.map(nameOf),
    paidCount: paid.length,
    goneCount: names.length - unpaid.length - paid.length,
    heldCount: unpaid.length - open.length,
    heldMatchingCount: held,
  };
}

const nameOf = (row: NamedRow) => ({ challanId: row.id, ownerId: row.owner_id, netAmountPayable: row.amount });

async function selectNamed(db: TenantDb, filters: StatementFilters, names: readonly string[]): Promise<NamedRow[]> {
  if (names.length === 0) return [];
  const { values, bind } = new Parameters(db);
  const isMatching = bareConditions(filters, bind).join(' AND ') || 'true';
  const { rows } = await db.query<NamedRow>(
    `SELECT c.id, c.owner_id, c.net_amount_payable AS amount, c.payment_status AS is_paid,
       coalesce(${isMatching}, false) AS is_matching, NOT (${notHeld()}) AS is_held
     FROM challans c
     WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND c.id = ANY (${bind(names)}::uuid[])
     ORDER BY c.created_at, c.id`,
    values,
  );
  return rows;
}

/** Counts the unpaid challans of the filter that are on hold. */
async function countHeld(db: TenantDb, filters: StatementFilters): Promise<number> {
  const { values, bind } = new Parameters(db);
  const { rows } = await db.query<{ count: number }>(
    `SELECT coalesce(sum(${heldOf('challans')}), 0)::int AS count
     FROM (${unpaidByOwner(filters, bind)}) AS sums JOIN owners o ON o.subadmin_id = $1 AND o.id = sums.owner_id
       LEFT JOIN (${heldByOwner(filters, bind)}) AS held ON held.owner_id = o.id`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** A payment above the largest of these weeks is unusual (docs/specification.md §10.3). */
const comparedWeeks = 12;

async function selectLargestPayment(db: TenantDb, accountId: string): Promise<string | null> {
  const { rows } = await db.query<{ largest: string | null }>(
    `SELECT max(total_amount) AS largest FROM payment_batches
     WHERE subadmin_id = $1 AND created_at >= now() - make_interval(weeks => ${comparedWeeks}) AND created_by = $2`,
    [db.tenantId, accountId],
    'select-largest-payment',
  );
  return rows[0]?.largest ?? null;
}

interface SelectionTotals extends OwnerTotals {
  incomplete_count: number;
  incomplete_owners: SelectionReview['incompleteOwners'];
  failed_count: number;
  failed_owners: SelectionReview['failedOwners'];
}

/** SQL: why a bank file cannot pay an owner, as accountProblem says it. The owner row of the statement shows the same. */
const missing = `CASE WHEN account_no = '' THEN 'no account number'
  WHEN account_no !~ '${ACCOUNT_PATTERN.source}' THEN 'account number not 9 to 18 digits'
  WHEN ifsc = '' THEN 'no IFSC'
  WHEN ifsc !~ '${IFSC_PATTERN.source}' THEN 'IFSC not 4 letters, a 0 and 6 more' END`;
const maxNames = 5;

/**
 * Returns count, owners and sum of the selection. The sums of the whole filter come from the roll-up when it has them.
 */
async function selectTotals(
  db: TenantDb,
  filters: StatementFilters,
  names: readonly string[],
  areExcluded: boolean,
): Promise<SelectionTotals> {
  const { values, bind } = new Parameters(db);
  const { source, conditions } = challansOf({ ...filters, paymentStatus: false }, bind);
  const namedByOwner = `SELECT c.owner_id, count(*) AS challans, sum(c.net_amount_payable) AS amount FROM ${source}
    WHERE ${conditions} AND ${notHeld()} AND c.id = ANY (${bind(names)}::uuid[])
    GROUP BY c.owner_id`;
  const chosen = areExcluded
    ? `SELECT sums.owner_id, sums.challans - coalesce(held.challans, 0) - coalesce(excluded.challans, 0) AS challans,
         sums.amount - coalesce(held.amount, 0) - coalesce(excluded.amount, 0) AS amount
       FROM (${unpaidByOwner(filters, bind)}) AS sums
         LEFT JOIN (${heldByOwner(filters, bind)}) AS held USING (owner_id)
         LEFT JOIN (${namedByOwner}) AS excluded USING (owner_id)
       WHERE sums.owner_id NOT IN (${heldOwners()})`
    : namedByOwner;
  const { rows } = await db.query<SelectionTotals>(
    `WITH found AS (
       SELECT o.id, o.name, o.account_no, o.ifsc, chosen.challans, chosen.amount, 0 AS held_challans, 0 AS held_amount,
         coalesce(carried.amount, 0) AS carried
       FROM (${chosen}) AS chosen JOIN owners o ON o.subadmin_id = $1 AND o.id = chosen.owner_id
         LEFT JOIN (${carriedByOwner}) AS carried ON carried.owner_id = o.id
       WHERE chosen.challans > 0
     ), incomplete AS (
       SELECT id, name, ${missing} AS missing FROM found WHERE ${isPaid} AND ${missing} IS NOT NULL
     ), failed AS (
       SELECT found.id, found.name, fails.failure FROM found ${joinFailedTransfer('found.id', 'found')}
       WHERE ${isPaid} AND fails.failure IS NOT NULL
     ), totals AS (${ownerTotals})
     SELECT totals.*, (SELECT count(*)::int FROM incomplete) AS incomplete_count,
       (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'missing', missing) ORDER BY lower(name), id), '[]')
        FROM (SELECT * FROM incomplete ORDER BY lower(name), id LIMIT ${maxNames}) AS first) AS incomplete_owners,
       (SELECT count(*)::int FROM failed) AS failed_count,
       (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'failedTransfer', failure) ORDER BY lower(name), id), '[]')
        FROM (SELECT * FROM failed ORDER BY lower(name), id LIMIT ${maxNames}) AS first) AS failed_owners
     FROM totals`,
    values,
  );
  const [totals] = rows;
  if (!totals) throw new Error('Totals are always one row');
  return totals;
}
