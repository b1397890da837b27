import { subtract } from '../../../shared/calc/money.ts';
import { ACCOUNT_PATTERN, IFSC_PATTERN } from '../../../shared/calc/identity.ts';
import type { PaymentAsked, SelectionReview, StatementFilters } from '../../../shared/contract/bank-statement.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { joinFailedTransfer } from '../bank/bank-lines.queries.ts';
import { carriedByOwner } from './carries.queries.ts';
import { bareConditions, challansOf } from '../challans/challans-filter.queries.ts';
import { heldByOwner, unpaidByOwner } from './bank-statement.queries.ts';
import {
  belowZeroOf,
  decidedOwners,
  heldOf,
  isLeftOut,
  isNotNegative,
  isPaidOut,
  negativeOwners,
  ownerTotals,
  type OwnerTotals,
} from './payable.queries.ts';
import { heldOwners, notHeld } from '../challans/holds.queries.ts';
import { Parameters } from '../../sql/statements.ts';

interface NamedRow {
  id: string;
  owner_id: string;
  amount: string;
  is_paid: boolean;
  is_matching: boolean;
  is_held: boolean;
}

/**
 * Returns what a selection covers now, what a payment of it pays, and what happened to the challans it names. Call it in a
 * transaction that reads one snapshot.
 */
export async function reviewSelection(
  db: TenantDb,
  { accountId }: Caller,
  asked: PaymentAsked,
): Promise<Omit<SelectionReview, 'needsRelease' | 'changedAccounts'> & { prepared: Preparation }> {
  const names = namesIn(asked);
  const [prepared, named, matching, largestPayment] = await Promise.all([
    preparePayment(db, asked),
    selectNamed(db, asked.filters, names),
    selectMatching(db, asked.filters),
    selectLargestPayment(db, accountId),
  ]);
  const unpaid = named.filter((row) => row.is_matching && !row.is_paid);
  const open = unpaid.filter((row) => !row.is_held);
  const paid = named.filter((row) => row.is_paid);
  return {
    count: prepared.total_challans,
    totalAmount: prepared.total_amount,
    ownerCount: prepared.total_owners,
    negativeOwnerCount: prepared.negative_count,
    negativeOwners: prepared.negative_owners,
    negativeChallanCount: prepared.negative_challans,
    negativeAmount: prepared.negative_amount,
    negativeCarriedAmount: prepared.negative_carried,
    deductedAmount: prepared.deducted_amount,
    payment: {
      count: prepared.paid_challans,
      amount: prepared.paid_amount,
      ownerCount: prepared.paid_owners,
      deductedAmount: prepared.paid_deducted,
      carriedAmount: prepared.paid_carried,
      leftOutCount: prepared.left_out_challans,
      leftOutOwnerCount: prepared.left_out_owners,
    },
    notPaid: {
      count: matching.challans - prepared.paid_challans,
      amount: subtract(matching.amount, prepared.paid_challan_amount),
    },
    largestPayment,
    incompleteOwnerCount: prepared.incomplete_count,
    incompleteOwners: prepared.incomplete_owners,
    failedOwnerCount: prepared.failed_count,
    failedOwners: prepared.failed_owners,
    prepared,
    challans: open.map(nameOf),
    paid: paid.map(nameOf),
    paidCount: paid.length,
    goneCount: names.length - unpaid.length - paid.length,
    heldCount: unpaid.length - open.length,
    heldMatchingCount: matching.held,
  };
}

const namesIn = ({ challanIds, excludeChallanIds }: PaymentAsked): string[] => [
  ...new Set(challanIds ?? excludeChallanIds),
];

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

/** Returns how many unpaid challans of the filter are on hold, and the number and sum of the others. */
async function selectMatching(db: TenantDb, filters: StatementFilters) {
  const { values, bind } = new Parameters(db);
  const { rows } = await db.query<{ held: number; challans: number; amount: string }>(
    `SELECT coalesce(sum(${heldOf('challans')}), 0)::int AS held,
       coalesce(sum(sums.challans) - sum(${heldOf('challans')}), 0)::int AS challans,
       round(coalesce(sum(sums.amount) - sum(${heldOf('amount')}), 0), 2) AS amount
     FROM (${unpaidByOwner(filters, bind)}) AS sums JOIN owners o ON o.subadmin_id = $1 AND o.id = sums.owner_id
       LEFT JOIN (${heldByOwner(filters, bind)}) AS held ON held.owner_id = o.id`,
    values,
  );
  const [row] = rows;
  if (!row) throw new Error('Sums are always one row');
  return row;
}

/** A payment above the largest of these weeks is unusual (docs/specification.md §10.3). */
export const comparedWeeks = 12;

async function selectLargestPayment(db: TenantDb, accountId: string): Promise<string | null> {
  const row = await db.first<{ largest: string | null }>(
    `SELECT max(total_amount) AS largest FROM payment_batches
     WHERE subadmin_id = $1 AND created_at >= now() - make_interval(weeks => ${comparedWeeks}) AND created_by = $2`,
    [db.tenantId, accountId],
    'select-largest-payment',
  );
  return row?.largest ?? null;
}

/** What a payment would do now, over all owners of the asked challans. */
export interface Preparation extends OwnerTotals {
  /** The owners that are left out. */
  left_out_ids: string[];
  incomplete_count: number;
  incomplete_owners: SelectionReview['incompleteOwners'];
  failed_count: number;
  failed_owners: SelectionReview['failedOwners'];
  /** The owners that are paid and whose changed account waits. */
  changed_ids: string[];
}

/** SQL: why a bank file cannot pay an owner, as accountProblem says it. The owner row of the statement shows the same. */
const missing = `CASE WHEN account_no = '' THEN 'no account number'
  WHEN account_no !~ '${ACCOUNT_PATTERN.source}' THEN 'account number not 9 to 18 digits'
  WHEN ifsc = '' THEN 'no IFSC'
  WHEN ifsc !~ '${IFSC_PATTERN.source}' THEN 'IFSC not 4 letters, a 0 and 6 more' END`;
const maxNames = 5;

/**
 * Prepares a payment: the same for the bank statement and for a selection of the challan list. What is on hold is not in it. The sums
 * of a whole filter come from the roll-up when it has them.
 */
export async function preparePayment(db: TenantDb, asked: PaymentAsked): Promise<Preparation> {
  const { filters, challanIds, paysNegative, carries } = asked;
  const { values, bind } = new Parameters(db);
  const { source, conditions } = challansOf({ ...filters, paymentStatus: false }, bind);
  const namedByOwner = `SELECT c.owner_id, count(*) AS challans, sum(c.net_amount_payable) AS amount FROM ${source}
    WHERE ${conditions} AND ${notHeld()} AND c.id = ANY (${bind(namesIn(asked))}::uuid[])
    GROUP BY c.owner_id`;
  const chosen =
    challanIds === undefined
      ? `SELECT sums.owner_id, sums.challans - coalesce(held.challans, 0) - coalesce(excluded.challans, 0) AS challans,
         sums.amount - coalesce(held.amount, 0) - coalesce(excluded.amount, 0) AS amount
       FROM (${unpaidByOwner(filters, bind)}) AS sums
         LEFT JOIN (${heldByOwner(filters, bind)}) AS held USING (owner_id)
         LEFT JOIN (${namedByOwner}) AS excluded USING (owner_id)
       WHERE sums.owner_id NOT IN (${heldOwners()})`
      : namedByOwner;
  const carriedIds = carries.map(({ ownerId }) => ownerId);
  const { rows } = await db.query<Preparation>(
    `WITH ${decidedOwners(`
       SELECT o.id, o.name, o.account_no, o.ifsc, chosen.challans, chosen.amount, 0 AS held_challans, 0 AS held_amount,
         coalesce(carried.amount, 0) AS carried,
         ${belowZeroOf('o.id', bind(carriedIds), paysNegative ? 'pay' : 'leaveOut')} AS below_zero
       FROM (${chosen}) AS chosen JOIN owners o ON o.subadmin_id = $1 AND o.id = chosen.owner_id
         LEFT JOIN (${carriedByOwner}) AS carried ON carried.owner_id = o.id
       WHERE chosen.challans > 0`)}, ${ownerTotals},
     incomplete AS (
       SELECT id, name, ${missing} AS missing FROM decided WHERE ${isNotNegative} AND ${missing} IS NOT NULL
     ), failed AS (
       SELECT decided.id, decided.name, fails.failure FROM decided ${joinFailedTransfer('decided.id', 'decided')}
       WHERE ${isNotNegative} AND fails.failure IS NOT NULL
     )
     SELECT totals.*, ${negativeOwners} AS negative_owners, ARRAY (SELECT id::text FROM decided WHERE ${isLeftOut} ORDER BY id) AS left_out_ids,
       ARRAY (SELECT k.entity_id::text FROM account_changes k WHERE k.subadmin_id = $1 AND k.confirmed_at IS NULL
         AND k.entity_id IN (SELECT id FROM decided WHERE ${isPaidOut})) AS changed_ids,
       (SELECT count(*)::int FROM incomplete) AS incomplete_count,
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
