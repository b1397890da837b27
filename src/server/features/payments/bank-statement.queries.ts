import {
  type OwedChallan,
  type OwedOwner,
  type StatementChallan,
  type StatementSummary,
} from '../../../shared/contract/bank-statement.ts';
import type { BankFileRow } from '../../../shared/columns/bank-statement-columns.ts';
import type { statementFilters } from '../../../shared/filters/challan-filters.ts';
import type { FilterOfList } from '../../../shared/filters/define.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { joinFailedTransfer } from '../bank/bank-lines.queries.ts';
import { carriedByOwner } from './carries.queries.ts';
import { bareConditions, challansOf, filterOn, rollUpConditions } from '../challans/challans-filter.queries.ts';
import {
  allTags,
  byDay,
  byOwner,
  coversFilter,
  totalParts,
  unpaidByOwnerDay,
} from '../challans/challans-totals.queries.ts';
import { decidedOwners, heldOf, negativeOwners, ownerTotals, type OwnerTotals } from './payable.queries.ts';
import { offsetOf, type Paging } from '../../sql/paging.ts';
import { boolean, instant, recordRow, reference, text, type RecordRow } from '../../sql/record-row.ts';
import { fetchInBatches, Parameters, preparedName, type Bind } from '../../sql/statements.ts';

export type StatementFilter = FilterOfList<typeof statementFilters>;

type OwnerOfPage = Omit<OwedOwner, 'challans' | 'oldestDeposit'>;

/**
 * SQL: count and sum by owner of the unpaid challans that are on hold themselves. OFFSET 0 makes the planner read them
 * from their own index, even when no statistics say how few they are; the filter then only removes some.
 */
export function heldByOwner(filter: StatementFilter, bind: Bind): string {
  return `SELECT c.owner_id, count(*) AS challans, sum(c.net_amount_payable) AS amount FROM (
      SELECT held.* FROM challans AS held
      WHERE held.subadmin_id = $1 AND held.deleted_at IS NULL AND held.hold_reason <> '' OFFSET 0
    ) AS c WHERE ${bareConditions({ ...filter, paymentStatus: false }, bind).join(' AND ')} GROUP BY c.owner_id`;
}

interface OwnerRow extends OwnerTotals {
  id: string | null;
  name: string;
  contact_number: string;
  account_no: string;
  ifsc: string;
  branch_name: string;
  failure: OwnerOfPage['failedTransfer'];
  hold_reason: string;
  held_challans: number;
  held_sum: string;
  carried_sum: string;
  unpaid_count: number;
  unpaid_amount: string;
}

/** Returns a page of the owners with unpaid challans under the filter, by name, and the sums of the whole filter. */
export async function selectStatementOwners(
  db: TenantDb,
  filter: StatementFilter,
  paging: Paging,
): Promise<{ owners: OwnerOfPage[]; summary: StatementSummary }> {
  const { values, bind } = new Parameters(db);
  const sql = `WITH sums AS (${unpaidByOwner(filter, bind)}),
     ${decidedOwners(`
       SELECT o.id, o.name, o.contact_number, o.account_no, o.ifsc, o.branch_name, o.hold_reason, sums.challans,
         sums.amount, ${heldOf('challans')} AS held_challans, ${heldOf('amount')} AS held_amount,
         coalesce(carried.amount, 0) AS carried, 'leaveOut' AS below_zero
       FROM sums JOIN (${ownersOf(filter, bind)}) AS o ON o.id = sums.owner_id
         LEFT JOIN (${heldByOwner(filter, bind)}) AS held ON held.owner_id = o.id
         LEFT JOIN (${carriedByOwner}) AS carried ON carried.owner_id = o.id`)}, ${ownerTotals},
     page AS (
       SELECT * FROM decided ORDER BY lower(name), id LIMIT ${bind(paging.limit)} OFFSET ${bind(offsetOf(paging))}
     )
     SELECT totals.*, ${negativeOwners} AS negative_owners, page.id, page.name, page.contact_number, page.account_no, page.ifsc, page.branch_name,
       fails.failure, page.hold_reason, page.held_challans::int AS held_challans, round(page.held_amount, 2) AS held_sum, round(page.carried, 2) AS carried_sum,
       page.challans::int AS unpaid_count, round(page.amount, 2) AS unpaid_amount
     FROM totals LEFT JOIN page ON true ${joinFailedTransfer('page.id', 'page')}
     ORDER BY lower(page.name), page.id`;
  const { rows } = await db.query<OwnerRow>(sql, values, nameOf(sql, filter));
  const first = rows[0];
  if (!first) throw new Error('Totals are always one row');
  return {
    owners: rows.flatMap((row) => (row.id === null ? [] : [toOwner({ ...row, id: row.id })])),
    summary: {
      totalOwners: first.total_owners,
      totalChallans: first.total_challans,
      totalUnpaidAmount: first.total_amount,
      negativeOwnerCount: first.negative_count,
      negativeOwners: first.negative_owners,
      negativeChallanCount: first.negative_challans,
      negativeAmount: first.negative_amount,
      negativeCarriedAmount: first.negative_carried,
      deductedAmount: first.deducted_amount,
      heldCount: first.held_count,
      heldAmount: first.held_amount,
      matching: { count: first.open_count, amount: first.open_amount },
      payment: { count: first.paid_challans, amount: first.paid_amount },
    },
  };
}

/** Planning took a sixth of the time. Only the statement without a filter is prepared: it is asked for most. */
const nameOf = (sql: string, filter: StatementFilter): string | undefined =>
  Object.keys(filter).length === 0 ? preparedName('bank-statement', sql) : undefined;

/**
 * SQL: the owners that a statement may name. OFFSET 0 makes the planner read them once and join them. Otherwise it
 * expects few owners and looked up each of 1,500 separately, which was most of the statement's time.
 */
function ownersOf({ ownerId }: StatementFilter, bind: Bind): string {
  return `SELECT id, name, contact_number, account_no, ifsc, branch_name, hold_reason FROM owners
    WHERE subadmin_id = $1 ${ownerId === undefined ? '' : `AND id = ${bind(ownerId)}`} OFFSET 0`;
}

function toOwner(row: OwnerRow & { id: string }): OwnerOfPage {
  return {
    id: row.id,
    name: row.name,
    contactNumber: row.contact_number,
    accountNo: row.account_no,
    ifsc: row.ifsc,
    branchName: row.branch_name,
    failedTransfer: row.failure,
    holdReason: row.hold_reason,
    heldCount: row.held_challans,
    heldAmount: row.held_sum,
    carriedAmount: row.carried_sum,
    unpaidAmount: row.unpaid_amount,
    unpaidCount: row.unpaid_count,
  };
}

/**
 * SQL: count and sum of unpaid challans by owner, from the roll-ups and the open differences when they have the filter.
 * A tag within days is counted, and so is one owner within days, whose challans are few.
 */
export function unpaidByOwner(filter: StatementFilter, bind: Bind): string {
  const parts = unpaidParts(filter, bind);
  if (parts === undefined) {
    const { source, conditions } = challansOf({ ...filter, paymentStatus: false }, bind);
    return `SELECT c.owner_id, count(*) AS challans, sum(c.net_amount_payable) AS amount
      FROM ${source} WHERE ${conditions} GROUP BY c.owner_id`;
  }
  return `SELECT owner_id, sum(challans) AS challans, sum(net_amount) AS amount
    FROM (${parts}) AS parts GROUP BY owner_id HAVING sum(challans) > 0`;
}

function unpaidParts(filter: StatementFilter, bind: Bind): string | undefined {
  if (!filter.ownerId && coversFilter(unpaidByOwnerDay, filter)) return unpaidOfDays(filter, bind);
  const unpaid = { ...filter, paymentStatus: false };
  return coversFilter(byOwner, unpaid)
    ? totalParts(unpaid, byOwner, 'owner_id, challans, net_amount', bind)
    : undefined;
}

/**
 * SQL: the unpaid parts from the roll-up by owner and day. When most unpaid challans are within the days, the few
 * outside are subtracted from the row that each owner has over all days.
 */
function unpaidOfDays(filter: StatementFilter, bind: Bind): string {
  const owners = rollUpConditions(filterOn(filter, ['owner_id']), bind);
  const days = rollUpConditions(filterOn(filter, ['deposited_on']), bind);
  const where = (conditions: readonly string[]): string => ['subadmin_id = $1', ...conditions].join(' AND ');
  // OFFSET 0: the days are read once for all owners. A part of a name may be that of thousands, and each would be looked up alone.
  const rows = (sign: '+' | '-', ...conditions: string[]): string =>
    `SELECT owner_id, ${sign}challans AS challans, ${sign}net_amount AS net_amount
     FROM (SELECT * FROM ${unpaidByOwnerDay.table} WHERE ${where(conditions)} OFFSET 0) AS of_days
     WHERE ${owners.join(' AND ') || 'true'}`;
  const open = `SELECT owner_id, challans, net_amount FROM open_challan_totals WHERE ${where(['NOT payment_status', ...owners, ...days])}`;
  const [ofAllDays, ofOneDay] = ["deposited_on = 'infinity'", "deposited_on < 'infinity'"];
  if (days.length === 0) return `${rows('+', ofAllDays)} UNION ALL ${open}`;
  const within = `(${days.join(' AND ')})`;
  const isMost = '(SELECT is_most FROM share)';
  return `WITH share AS MATERIALIZED (
      SELECT coalesce(2 * sum(challans) FILTER (WHERE ${within}) > sum(challans), false) AS is_most
      FROM ${byDay.table} WHERE subadmin_id = $1 AND tag_id = '${allTags}' AND NOT payment_status
    )
    ${rows('+', ofOneDay, within, `NOT ${isMost}`)}
    UNION ALL ${rows('+', ofAllDays, isMost)}
    UNION ALL ${rows('-', ofOneDay, `NOT ${within}`, isMost)}
    UNION ALL ${open}`;
}

/** The unpaid challans of an owner under a filter, in the order of creation. */
interface Unpaid<Challan> {
  /** The earliest deposited day; null: none was deposited. */
  oldestDeposit: string | null;
  challans: Challan[];
}

/** Returns the unpaid challans of these owners under the filter, by owner. */
export type SelectUnpaid<Challan> = (
  db: TenantDb,
  filter: StatementFilter,
  ownerIds: readonly string[],
) => Promise<ReadonlyMap<string, Unpaid<Challan>>>;

const statementChallan = recordRow<StatementChallan>({
  challanId: text('c.id'),
  challanNumber: text('c.challan_number'),
  tpNo: text('c.tp_no'),
  vehicleNo: text('c.vehicle_no'),
  material: text('c.material'),
  loadingPlace: text('c.loading_place'),
  unloadingPlace: text('c.unloading_place'),
  loadingDate: instant('c.loading_at'),
  unloadingDate: instant('c.unloading_at'),
  depositedAt: instant('c.deposited_at'),
  netAmountPayable: text('c.net_amount_payable'),
  tag: reference({ id: text('t.id'), name: text('t.name'), color: text('t.color') }),
  holdReason: text('c.hold_reason'),
  paymentStatus: boolean('c.payment_status'),
});

const owedChallan = recordRow<OwedChallan>({
  challanId: text('c.id'),
  netAmountPayable: text('c.net_amount_payable'),
  holdReason: text('c.hold_reason'),
});

/** Everything that the statement shows of a challan. */
export const selectStatementChallans: SelectUnpaid<StatementChallan> = (...of) =>
  selectUnpaid(...of, statementChallan, 'LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = c.tag_id');

/** What is chosen and paid of a challan. */
export const selectOwedChallans: SelectUnpaid<OwedChallan> = (...of) => selectUnpaid(...of, owedChallan);

async function selectUnpaid<Challan>(
  db: TenantDb,
  filter: StatementFilter,
  ownerIds: readonly string[],
  challan: RecordRow<Challan>,
  joins = '',
): Promise<ReadonlyMap<string, Unpaid<Challan>>> {
  const byOwner = new Map<string, Unpaid<Challan>>();
  if (ownerIds.length === 0) return byOwner;
  const { values, bind } = new Parameters(db);
  // The owners of the page are already chosen by these filters.
  const { ownerId: _, ownerName: __, ...ofChallans } = filter;
  const { source, conditions } = challansOf({ ...ofChallans, paymentStatus: false }, bind);
  const sql = `SELECT c.owner_id, c.deposited_on, ${challan.columns} FROM ${source} ${joins}
     WHERE ${conditions} AND c.owner_id = ANY (${bind(ownerIds)}::uuid[])
     ORDER BY c.created_at, c.id`;
  const rows = await db.texts(sql, values, nameOf(sql, filter));
  for (const row of rows) {
    const [ownerId = null, day = null] = row;
    if (ownerId === null) continue;
    const unpaid = byOwner.get(ownerId) ?? { oldestDeposit: null, challans: [] };
    byOwner.set(ownerId, unpaid);
    if (day !== null && (unpaid.oldestDeposit === null || day < unpaid.oldestDeposit)) unpaid.oldestDeposit = day;
    unpaid.challans.push(challan.read(row, 2));
  }
  return byOwner;
}

/** A line of a bank or payment file, with the owner it belongs to: two owners may have the same name. */
export interface FileLine extends BankFileRow {
  ownerId: string;
  /** Whether the line is no challan but a carried or deducted amount. */
  isCarry: boolean;
}

export interface FileLineRow {
  owner_id: string;
  owner_name: string;
  contact_number: string;
  account_no: string;
  ifsc: string;
  branch_name: string;
  pan_no: string;
  challan_number: string;
  tp_no: string;
  vehicle_no: string;
  loading_place: string;
  unloading_place: string;
  loading_at: Date | null;
  unloading_at: Date | null;
  deposited_at: Date | null;
  amount: string;
  tag_name: string | null;
  is_carry?: boolean;
}

export function toFileLine(row: FileLineRow, paymentStatus: boolean): FileLine {
  return {
    ownerId: row.owner_id,
    isCarry: row.is_carry ?? false,
    ownerName: row.owner_name,
    contactNumber: row.contact_number,
    accountNo: row.account_no,
    ifsc: row.ifsc,
    branchName: row.branch_name,
    panNo: row.pan_no,
    challanNumber: row.challan_number,
    tpNo: row.tp_no,
    vehicleNo: row.vehicle_no,
    loadingPlace: row.loading_place,
    unloadingPlace: row.unloading_place,
    loadingDate: row.loading_at?.toISOString() ?? null,
    unloadingDate: row.unloading_at?.toISOString() ?? null,
    depositedAt: row.deposited_at?.toISOString() ?? null,
    netAmountPayable: row.amount,
    tagName: row.tag_name,
    paymentStatus,
  };
}

/** Yields every line of the statement in its order, in batches, because the whole file may not fit in memory. */
export async function* statementLines(db: TenantDb, filter: StatementFilter): AsyncGenerator<FileLine[]> {
  const { values, bind } = new Parameters(db);
  const { source, conditions } = challansOf({ ...filter, paymentStatus: false }, bind);
  yield* fetchLines(
    db,
    `SELECT o.id AS owner_id, o.name AS owner_name, o.contact_number, o.account_no, o.ifsc, o.branch_name, o.pan_no,
       c.challan_number, c.tp_no, c.vehicle_no, c.loading_place, c.unloading_place, c.loading_at, c.unloading_at,
       c.deposited_at, c.net_amount_payable AS amount, t.name AS tag_name
     FROM ${source}
       JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
       LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = c.tag_id
     WHERE ${conditions}
     ORDER BY lower(o.name), o.id, c.created_at, c.id`,
    values,
    false,
  );
}

/** Reads file lines through a cursor of the transaction. */
export async function* fetchLines(
  db: TenantDb,
  text: string,
  values: readonly unknown[],
  paymentStatus: boolean,
): AsyncGenerator<FileLine[]> {
  for await (const rows of fetchInBatches<FileLineRow>(db, 'file_lines', text, values))
    yield rows.map((row) => toFileLine(row, paymentStatus));
}
