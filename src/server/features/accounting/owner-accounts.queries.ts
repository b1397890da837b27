import type {
  OwnerAccount,
  OwnerAccountSortKey,
  OwnerAccountTotals,
  OwnerPayment,
  OwnerPaymentTotals,
  OwnerPaymentWithTrips,
  OwnerTrip,
} from '../../../shared/contract/accounting.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { newestBankLine } from '../bank/bank-lines.queries.ts';
import { carriedByOwner, carriesOf } from '../payments/carries.queries.ts';
import { ownerSearch } from '../master-data/owners.queries.ts';
import { offsetOf, type Paging } from '../../sql/paging.ts';
import { balancesOn, openingByOwner } from './owner-statements.queries.ts';
import { isReversalOf } from '../payments/payments.queries.ts';
import { Parameters } from '../../sql/statements.ts';

/** Accounts of owners: what they are owed and were paid (docs/specification.md §9.1). */

interface AccountQuery {
  page: number;
  limit: number;
  search?: string | undefined;
  /** The day of the balances; without it there are none, and an order by them is that by name. */
  asOn?: string | undefined;
  sortBy?: OwnerAccountSortKey | undefined;
  sortOrder: 'asc' | 'desc';
}

/** The orders of the list. An owner without a day comes last in both directions. */
const orderings: Readonly<Record<OwnerAccountSortKey, (direction: string) => string>> = {
  name: (direction) => `lower(name) ${direction}`,
  contactNumber: (direction) => `contact_number ${direction}`,
  trucksCount: (direction) => `trucks ${direction}`,
  createdAt: (direction) => `created_at ${direction}`,
  unpaidAmount: (direction) => `unpaid_amount ${direction}`,
  carriedAmount: (direction) => `carried_amount ${direction}`,
  openingBalance: (direction) => `opening_balance ${direction}`,
  balanceAsOn: (direction) => `balance_as_on ${direction}`,
  oldestDue: (direction) => `oldest_due ${direction} NULLS LAST`,
  lastPaidOn: (direction) => `last_paid_on ${direction} NULLS LAST`,
  paidThisMonth: (direction) => `paid_this_month ${direction}`,
};

/**
 * SQL: the first deposited day of the unpaid challans of `owners`, from the roll-up corrected by the open differences.
 */
const oldestDue = (owners: string): string => `
  SELECT owner_id, min(deposited_on) AS day FROM (
    SELECT t.owner_id, t.deposited_on FROM challan_unpaid_by_owner_day AS t
      LEFT JOIN open ON open.owner_id = t.owner_id AND open.deposited_on = t.deposited_on
    WHERE t.subadmin_id = $1 AND t.deposited_on > '-infinity' AND t.deposited_on < 'infinity'
      AND t.challans + coalesce(open.challans, 0) > 0 AND t.owner_id IN (SELECT id FROM ${owners})
    UNION ALL
    SELECT owner_id, deposited_on FROM open WHERE deposited_on > '-infinity' AND challans > 0
  ) AS days GROUP BY owner_id`;

/** SQL: the day of the newest payment that still pays something to `owner`. */
const lastPaid = (owner: string): string => `
  SELECT s.paid_on AS day FROM payment_sums AS s WHERE s.subadmin_id = $1 AND s.owner_id = ${owner}
  GROUP BY s.paid_on, s.recorded_at, s.batch_id HAVING sum(s.challans) > 0
  ORDER BY s.paid_on DESC, s.recorded_at DESC, s.batch_id DESC LIMIT 1`;

interface AccountRow extends Omit<OwnerAccount, 'id' | 'payments'> {
  owners: number;
  /** The sums of all owners. */
  summary: OwnerAccountTotals;
  /** Without any owner there is one row with only the sums. */
  id: string | null;
}

/**
 * Returns a page of the owners with what each is owed and was paid, and the sums of all owners that match. Everything
 * comes from maintained totals. The two days are looked up only for the page, unless the list is sorted by one of them.
 * `month` is the first day of the month.
 */
export async function selectOwnerAccounts(
  db: TenantDb,
  { page, limit, search = '', sortBy, sortOrder, asOn }: AccountQuery,
  month: string,
): Promise<{ data: OwnerAccount[]; summary: OwnerAccountTotals; count: number }> {
  const { values, bind } = new Parameters(db);
  const term = search === '' ? undefined : bind(search);
  const day = asOn === undefined ? undefined : bind(asOn);
  const isByDue = sortBy === 'oldestDue';
  const isByPaid = sortBy === 'lastPaidOn';
  const by = orderings[sortBy ?? 'name'](sortOrder === 'asc' ? 'ASC' : 'DESC');
  // A search without a chosen order lists its best matches first.
  const order = [...(term !== undefined && sortBy === undefined ? ['rank'] : []), by, 'lower(name)', 'id'].join(', ');
  const rows = await db.records<AccountRow>(
    `WITH open AS MATERIALIZED (
       SELECT owner_id, deposited_on, sum(challans) AS challans, sum(net_amount) AS amount FROM open_challan_totals
       WHERE subadmin_id = $1 AND NOT payment_status GROUP BY owner_id, deposited_on
     ), unpaid AS (
       SELECT owner_id, sum(challans)::int AS challans, sum(amount) AS amount FROM (
         SELECT owner_id, challans, net_amount AS amount FROM challan_unpaid_by_owner_day
         WHERE subadmin_id = $1 AND deposited_on = 'infinity'
         UNION ALL SELECT owner_id, challans, amount FROM open) AS parts
       GROUP BY owner_id
     ), paid AS (
       SELECT owner_id, sum(amount) AS amount FROM payment_sums
       WHERE subadmin_id = $1 AND paid_on >= ${bind(month)}::date GROUP BY owner_id
     ), carried AS (${carriedByOwner}), opening AS (${openingByOwner}),
     ${day === undefined ? '' : `balances AS (${balancesOn(day)}),`} counted AS (
       SELECT owner_id, count(*)::int AS trucks FROM trucks
       WHERE subadmin_id = $1 AND deleted_at IS NULL GROUP BY owner_id
     ), matched AS MATERIALIZED (
       SELECT r.id, r.name, r.contact_number, r.address, r.hold_reason, r.created_at,
         ${term === undefined ? '0' : ownerSearch.rank(term)} AS rank
       FROM owners AS r WHERE r.subadmin_id = $1 AND r.deleted_at IS NULL
         ${term === undefined ? '' : `AND (${ownerSearch.matches(term)})`}
     ), found AS MATERIALIZED (
       SELECT matched.*, coalesce(counted.trucks, 0) AS trucks, coalesce(unpaid.challans, 0) AS unpaid_count,
         round(coalesce(unpaid.amount, 0), 2) AS unpaid_amount, round(coalesce(carried.amount, 0), 2) AS carried_amount,
         round(coalesce(opening.amount, 0), 2) AS opening_balance,
         ${day === undefined ? 'NULL::numeric' : 'round(coalesce(balances.payable - balances.paid, 0), 2)'} AS balance_as_on, round(coalesce(paid.amount, 0), 2) AS paid_this_month
         ${isByDue ? ', due.day AS oldest_due' : ''}${isByPaid ? ', last.day AS last_paid_on' : ''}
       FROM matched LEFT JOIN counted ON counted.owner_id = matched.id
         LEFT JOIN unpaid ON unpaid.owner_id = matched.id
         LEFT JOIN carried ON carried.owner_id = matched.id
         LEFT JOIN opening ON opening.owner_id = matched.id
         ${day === undefined ? '' : 'LEFT JOIN balances ON balances.owner_id = matched.id'}
         LEFT JOIN paid ON paid.owner_id = matched.id
         ${isByDue ? `LEFT JOIN (${oldestDue('matched')}) AS due ON due.owner_id = matched.id` : ''}
         ${isByPaid ? `LEFT JOIN LATERAL (${lastPaid('matched.id')}) AS last ON true` : ''}
     ), page AS MATERIALIZED (
       SELECT *, row_number() OVER (ORDER BY ${order}) AS place FROM found
       ORDER BY place LIMIT ${bind(limit)} OFFSET ${bind(offsetOf({ page, limit }))}
     ), totals AS (
       SELECT count(*)::int AS owners, json_build_object('totalTrucks', coalesce(sum(trucks), 0),
           'unpaidCount', coalesce(sum(unpaid_count), 0), 'unpaidAmount', round(coalesce(sum(unpaid_amount), 0), 2)::text,
           'carriedAmount', round(coalesce(sum(carried_amount), 0), 2)::text,
           'openingBalance', round(coalesce(sum(opening_balance), 0), 2)::text,
           ${day === undefined ? '' : `'balanceAsOn', round(coalesce(sum(balance_as_on), 0), 2)::text,`}
           'paidThisMonth', round(coalesce(sum(paid_this_month), 0), 2)::text) AS summary
       FROM found
     )
     SELECT totals.*, page.id, page.name, page.contact_number AS "contactNumber", page.address,
       page.hold_reason AS "holdReason", page.created_at AS "createdAt", page.trucks AS "trucksCount",
       page.unpaid_count AS "unpaidCount", page.unpaid_amount AS "unpaidAmount", page.carried_amount AS "carriedAmount",
       page.opening_balance AS "openingBalance",
       ${day === undefined ? '' : 'page.balance_as_on AS "balanceAsOn",'} ${isByDue ? 'page.oldest_due' : 'due.day'} AS "oldestDue",
       ${isByPaid ? 'page.last_paid_on' : 'last.day'} AS "lastPaidOn", page.paid_this_month AS "paidThisMonth"
     FROM totals LEFT JOIN page ON true
       ${isByDue ? '' : `LEFT JOIN (${oldestDue('page')}) AS due ON due.owner_id = page.id`}
       ${isByPaid ? '' : `LEFT JOIN LATERAL (${lastPaid('page.id')}) AS last ON true`}
     ORDER BY page.place`,
    values,
  );
  const [first] = rows;
  if (!first) throw new Error('Totals are always one row');
  const owners = rows.flatMap(({ id, ...owner }) => (id === null ? [] : [{ id, ...owner }]));
  const payments = await selectNewestPayments(
    db,
    owners.map(({ id }) => id),
  );
  return {
    data: owners.map((owner) => ({ ...owner, payments: payments.get(owner.id) ?? [] })),
    summary: first.summary,
    count: first.owners,
  };
}

/** A payment, whose it is, and the range of its lines. */
type PaymentRow = OwnerPayment & { ownerId: string; firstLine: number; lastLine: number };

/**
 * SQL: a slice of the payments of each of these owners, the newest first. Parameters: tenant, owners, limit, offset.
 */
const paymentsOf = `
  SELECT o.id AS "ownerId", p.batch_id AS "batchId", b.number, p.paid_on AS "paidOn", p.challans AS "challanCount",
    p.amount, p.paid_challans AS "paidCount", p.paid_amount AS "paidAmount", p.first_line AS "firstLine",
    p.last_line AS "lastLine", bank.state AS "bankState", coalesce(bank.utr, '') AS utr
  FROM unnest($2::uuid[]) AS o (id) CROSS JOIN LATERAL (
      SELECT s.batch_id, s.paid_on, s.recorded_at, (sum(s.challans) FILTER (WHERE s.challans > 0))::int AS challans,
        round(sum(s.amount) FILTER (WHERE s.challans > 0) + ${carriesOf('made', 's.batch_id', 'o.id')}, 2) AS amount, sum(s.challans)::int AS paid_challans,
        round(sum(s.amount), 2) AS paid_amount, min(s.first_line) AS first_line, max(s.last_line) AS last_line
      FROM payment_sums AS s WHERE s.subadmin_id = $1 AND s.owner_id = o.id
      GROUP BY s.paid_on, s.recorded_at, s.batch_id
      ORDER BY s.paid_on DESC, s.recorded_at DESC, s.batch_id DESC LIMIT $3 OFFSET $4
    ) AS p
    JOIN payment_batches AS b ON b.subadmin_id = $1 AND b.id = p.batch_id
    LEFT JOIN LATERAL (${newestBankLine('p.batch_id', 'o.id')}) AS bank ON true
  ORDER BY o.id, p.paid_on DESC, p.recorded_at DESC, p.batch_id DESC`;

/** This many payments are shown under an expanded owner; a dialog shows all of them. */
const newest = 5;

async function selectNewestPayments(
  db: TenantDb,
  ownerIds: readonly string[],
): Promise<ReadonlyMap<string, OwnerPayment[]>> {
  const byOwner = new Map<string, OwnerPayment[]>(ownerIds.map((id) => [id, []]));
  if (ownerIds.length === 0) return byOwner;
  const rows = await db.records<PaymentRow>(paymentsOf, [db.tenantId, ownerIds, newest, 0], 'owner-payments');
  for (const row of rows) byOwner.get(row.ownerId)?.push(row);
  return byOwner;
}

/**
 * Returns a page of the payments of one owner, each with its trips as they were when they were paid, and the sums of
 * all payments.
 */
export async function selectOwnerPayments(
  db: TenantDb,
  ownerId: string,
  paging: Paging,
): Promise<{ data: OwnerPaymentWithTrips[]; summary: OwnerPaymentTotals; count: number }> {
  const [rows, sums] = await Promise.all([
    db.records<PaymentRow>(paymentsOf, [db.tenantId, [ownerId], paging.limit, offsetOf(paging)], 'owner-payments'),
    db.query<OwnerPaymentTotals & { count: number }>(
      `SELECT count(DISTINCT batch_id)::int AS count,
         coalesce(sum(challans) FILTER (WHERE challans > 0), 0)::int AS "challanCount",
         round(coalesce(sum(amount) FILTER (WHERE challans > 0), 0) + (
           SELECT coalesce(sum(k.amount), 0) FROM carry_events AS k
           WHERE k.subadmin_id = $1 AND k.owner_id = $2 AND k.kind IN ('carry', 'deduct')), 2) AS amount,
         coalesce(sum(challans), 0)::int AS "paidCount", round(coalesce(sum(amount), 0), 2) AS "paidAmount"
       FROM payment_sums WHERE subadmin_id = $1 AND owner_id = $2`,
      [db.tenantId, ownerId],
      'sum-owner-payments',
    ),
  ]);
  // An aggregate without GROUP BY returns one row.
  const { count, ...summary } = sums.rows[0]!;
  const data = rows.map((row) => ({ ...row, trips: [] as OwnerTrip[] }));
  const byId = new Map(data.map((payment) => [payment.batchId, payment]));
  const trips = await db.records<OwnerTrip & { batchId: string }>(
    `SELECT l.batch_id AS "batchId", l.challan_id AS "challanId", l.challan_number AS "challanNumber", l.tp_no AS "tpNo",
       l.vehicle_no AS "vehicleNo", l.loading_at AS "loadingDate",
       concat_ws(' → ', nullif(l.loading_place, ''), nullif(l.unloading_place, '')) AS route, l.amount,
       back.created_at AS "reversedAt"
     FROM unnest($3::uuid[], $4::integer[], $5::integer[]) AS p (batch_id, first_line, last_line)
       JOIN payment_lines AS l ON l.subadmin_id = $1 AND l.batch_id = p.batch_id AND l.kind = 'pay'
         AND l.line_no BETWEEN p.first_line AND p.last_line AND l.owner_id = $2
       LEFT JOIN payment_lines AS back ON ${isReversalOf('l')}
     ORDER BY l.batch_id, l.line_no`,
    [
      db.tenantId,
      ownerId,
      rows.map(({ batchId }) => batchId),
      rows.map(({ firstLine }) => firstLine),
      rows.map(({ lastLine }) => lastLine),
    ],
    'owner-payment-trips',
  );
  for (const { batchId, ...trip } of trips) byId.get(batchId)?.trips.push(trip);
  return { data, summary, count };
}
