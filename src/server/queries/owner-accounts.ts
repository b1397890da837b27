import type {
  OwnerAccount,
  OwnerAccountSortKey,
  OwnerAccountTotals,
  OwnerPayment,
  OwnerPaymentTotals,
  OwnerPaymentWithTrips,
  OwnerTrip,
} from '../../shared/contract/accounting.ts';
import type { TenantDb } from '../db/tenant.ts';
import { newestBankLine } from './bank-lines.ts';
import { carriedByOwner, carriesOf } from './carries.ts';
import { ownerSearch } from './owners.ts';
import { offsetOf } from './paging.ts';
import { openingByOwner } from './owner-statements.ts';
import { isReversalOf } from './payments.ts';
import { Parameters } from './statements.ts';

/** Accounts of owners: what they are owed and were paid (docs/specification.md §9.1). */

interface AccountQuery {
  page: number;
  limit: number;
  search?: string | undefined;
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

interface AccountRow {
  owners: number;
  total_trucks: number;
  total_unpaid_count: number;
  total_unpaid: string;
  total_carried: string;
  total_opening: string;
  total_this_month: string;
  id: string | null;
  name: string;
  contact_number: string;
  address: string;
  hold_reason: string;
  created_at: Date;
  trucks: number;
  unpaid_count: number;
  unpaid_amount: string;
  carried_amount: string;
  opening_balance: string;
  paid_this_month: string;
  oldest_due: string | null;
  last_paid_on: string | null;
}

/**
 * Returns a page of the owners with what each is owed and was paid, and the sums of all owners that match. Everything
 * comes from maintained totals. The two days are looked up only for the page, unless the list is sorted by one of them.
 * `month` is the first day of the month.
 */
export async function selectOwnerAccounts(
  db: TenantDb,
  { page, limit, search = '', sortBy, sortOrder }: AccountQuery,
  month: string,
): Promise<{ data: OwnerAccount[]; summary: OwnerAccountTotals; count: number }> {
  const { values, bind } = new Parameters(db);
  const term = search === '' ? undefined : bind(search);
  const isByDue = sortBy === 'oldestDue';
  const isByPaid = sortBy === 'lastPaidOn';
  const by = orderings[sortBy ?? 'name'](sortOrder === 'asc' ? 'ASC' : 'DESC');
  // A search without a chosen order lists its best matches first.
  const order = [...(term !== undefined && sortBy === undefined ? ['rank'] : []), by, 'lower(name)', 'id'].join(', ');
  const { rows } = await db.query<AccountRow>(
    `WITH open AS MATERIALIZED (
       SELECT owner_id, deposited_on, sum(challans) AS challans, sum(net_amount) AS amount FROM challan_deltas
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
     ), carried AS (${carriedByOwner}), opening AS (${openingByOwner}), counted AS (
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
         round(coalesce(opening.amount, 0), 2) AS opening_balance, round(coalesce(paid.amount, 0), 2) AS paid_this_month
         ${isByDue ? ', due.day AS oldest_due' : ''}${isByPaid ? ', last.day AS last_paid_on' : ''}
       FROM matched LEFT JOIN counted ON counted.owner_id = matched.id
         LEFT JOIN unpaid ON unpaid.owner_id = matched.id
         LEFT JOIN carried ON carried.owner_id = matched.id
         LEFT JOIN opening ON opening.owner_id = matched.id
         LEFT JOIN paid ON paid.owner_id = matched.id
         ${isByDue ? `LEFT JOIN (${oldestDue('matched')}) AS due ON due.owner_id = matched.id` : ''}
         ${isByPaid ? `LEFT JOIN LATERAL (${lastPaid('matched.id')}) AS last ON true` : ''}
     ), page AS MATERIALIZED (
       SELECT *, row_number() OVER (ORDER BY ${order}) AS place FROM found
       ORDER BY place LIMIT ${bind(limit)} OFFSET ${bind(offsetOf({ page, limit }))}
     ), totals AS (
       SELECT count(*)::int AS owners, coalesce(sum(trucks), 0)::int AS total_trucks,
         coalesce(sum(unpaid_count), 0)::int AS total_unpaid_count,
         round(coalesce(sum(unpaid_amount), 0), 2) AS total_unpaid,
         round(coalesce(sum(carried_amount), 0), 2) AS total_carried,
         round(coalesce(sum(opening_balance), 0), 2) AS total_opening,
         round(coalesce(sum(paid_this_month), 0), 2) AS total_this_month
       FROM found
     )
     SELECT totals.*, page.id, page.name, page.contact_number, page.address, page.hold_reason, page.created_at,
       page.trucks, page.unpaid_count, page.unpaid_amount, page.carried_amount, page.opening_balance,
       page.paid_this_month,
       ${isByDue ? 'page.oldest_due' : 'due.day'}::text AS oldest_due,
       ${isByPaid ? 'page.last_paid_on' : 'last.day'}::text AS last_paid_on
     FROM totals LEFT JOIN page ON true
       ${isByDue ? '' : `LEFT JOIN (${oldestDue('page')}) AS due ON due.owner_id = page.id`}
       ${isByPaid ? '' : `LEFT JOIN LATERAL (${lastPaid('page.id')}) AS last ON true`}
     ORDER BY page.place`,
    values,
  );
  const [first] = rows;
  if (!first) throw new Error('Totals are always one row');
  const owners = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ id, ...row }]));
  const payments = await selectNewestPayments(
    db,
    owners.map(({ id }) => id),
  );
  return {
    data: owners.map((row) => ({
      id: row.id,
      name: row.name,
      contactNumber: row.contact_number,
      address: row.address,
      holdReason: row.hold_reason,
      createdAt: row.created_at.toISOString(),
      trucksCount: row.trucks,
      unpaidCount: row.unpaid_count,
      unpaidAmount: row.unpaid_amount,
      carriedAmount: row.carried_amount,
      openingBalance: row.opening_balance,
      oldestDue: row.oldest_due,
      lastPaidOn: row.last_paid_on,
      paidThisMonth: row.paid_this_month,
      payments: payments.get(row.id) ?? [],
    })),
    summary: {
      totalTrucks: first.total_trucks,
      unpaidCount: first.total_unpaid_count,
      unpaidAmount: first.total_unpaid,
      carriedAmount: first.total_carried,
      openingBalance: first.total_opening,
      paidThisMonth: first.total_this_month,
    },
    count: first.owners,
  };
}

interface PaymentRow {
  owner_id: string;
  batch_id: string;
  number: string;
  paid_on: string;
  challans: number;
  amount: string;
  paid_challans: number;
  paid_amount: string;
  first_line: number;
  last_line: number;
  bank_state: OwnerPayment['bankState'];
  utr: string | null;
}

/**
 * SQL: a slice of the payments of each of these owners, the newest first. Parameters: tenant, owners, limit, offset.
 */
const paymentsOf = `
  SELECT o.id AS owner_id, p.batch_id, b.number, p.paid_on::text AS paid_on, p.challans, p.amount, p.paid_challans,
    p.paid_amount, p.first_line, p.last_line, bank.state AS bank_state, bank.utr
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

const toPayment = (row: PaymentRow): OwnerPayment => ({
  batchId: row.batch_id,
  number: row.number,
  paidOn: row.paid_on,
  challanCount: row.challans,
  amount: row.amount,
  paidCount: row.paid_challans,
  paidAmount: row.paid_amount,
  bankState: row.bank_state,
  utr: row.utr ?? '',
});

/** This many payments are shown under an expanded owner; a dialog shows all of them. */
const newest = 5;

async function selectNewestPayments(
  db: TenantDb,
  ownerIds: readonly string[],
): Promise<ReadonlyMap<string, OwnerPayment[]>> {
  const byOwner = new Map<string, OwnerPayment[]>(ownerIds.map((id) => [id, []]));
  if (ownerIds.length === 0) return byOwner;
  const { rows } = await db.query<PaymentRow>(paymentsOf, [db.tenantId, ownerIds, newest, 0], 'owner-payments');
  for (const row of rows) byOwner.get(row.owner_id)?.push(toPayment(row));
  return byOwner;
}

interface TripRow {
  batch_id: string;
  challan_id: string;
  challan_number: string;
  tp_no: string;
  vehicle_no: string;
  loading_at: Date | null;
  loading_place: string;
  unloading_place: string;
  amount: string;
  reversed_at: Date | null;
}

/**
 * Returns a page of the payments of one owner, each with its trips as they were when they were paid, and the sums of
 * all payments.
 */
export async function selectOwnerPayments(
  db: TenantDb,
  ownerId: string,
  paging: { page: number; limit: number },
): Promise<{ data: OwnerPaymentWithTrips[]; summary: OwnerPaymentTotals; count: number }> {
  const [{ rows }, sums] = await Promise.all([
    db.query<PaymentRow>(paymentsOf, [db.tenantId, [ownerId], paging.limit, offsetOf(paging)], 'owner-payments'),
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
  const data = rows.map((row) => ({ ...toPayment(row), trips: [] as OwnerTrip[] }));
  const byId = new Map(data.map((payment) => [payment.batchId, payment]));
  const lines = await db.query<TripRow>(
    `SELECT l.batch_id, l.challan_id, l.challan_number, l.tp_no, l.vehicle_no, l.loading_at, l.loading_place,
       l.unloading_place, l.amount, back.created_at AS reversed_at
     FROM unnest($3::uuid[], $4::integer[], $5::integer[]) AS p (batch_id, first_line, last_line)
       JOIN payment_lines AS l ON l.subadmin_id = $1 AND l.batch_id = p.batch_id AND l.kind = 'pay'
         AND l.line_no BETWEEN p.first_line AND p.last_line AND l.owner_id = $2
       LEFT JOIN payment_lines AS back ON ${isReversalOf('l')}
     ORDER BY l.batch_id, l.line_no`,
    [
      db.tenantId,
      ownerId,
      rows.map((row) => row.batch_id),
      rows.map((row) => row.first_line),
      rows.map((row) => row.last_line),
    ],
    'owner-payment-trips',
  );
  for (const line of lines.rows) {
    byId.get(line.batch_id)?.trips.push({
      challanId: line.challan_id,
      challanNumber: line.challan_number,
      tpNo: line.tp_no,
      vehicleNo: line.vehicle_no,
      loadingDate: line.loading_at?.toISOString() ?? null,
      route: [line.loading_place, line.unloading_place].filter(Boolean).join(' → '),
      amount: line.amount,
      reversedAt: line.reversed_at?.toISOString() ?? null,
    });
  }
  return { data, summary, count };
}
