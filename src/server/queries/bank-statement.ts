import type { StatementChallan, StatementOwner, StatementSummary } from '../../shared/contract/bank-statement.ts';
import type { BankFileRow } from '../../shared/columns/bank-statement-columns.ts';
import type { TenantDb } from '../db/tenant.ts';
import { escapeLike, statementConditions } from './bank-statement-filter.ts';
import { withoutTag } from './challans-totals.ts';
import { offsetOf } from './paging.ts';

export interface StatementFilter {
  ownerId?: string | undefined;
  ownerName?: string | undefined;
  tagId?: string | undefined;
  depositedStartDate?: string | undefined;
  depositedEndDate?: string | undefined;
}

type OwnerOfPage = Omit<StatementOwner, 'challans'>;

interface OwnerRow {
  total_owners: number;
  total_challans: number;
  total_amount: string;
  id: string | null;
  name: string;
  contact_number: string;
  account_no: string;
  ifsc: string;
  branch_name: string;
  unpaid_count: number;
  unpaid_amount: string;
}

/** Owners with unpaid challans under the filter, a page of them by name, and the sums of the whole filter. */
export async function selectStatementOwners(
  db: TenantDb,
  filter: StatementFilter,
  paging: { page: number; limit: number },
): Promise<{ owners: OwnerOfPage[]; summary: StatementSummary }> {
  const values: unknown[] = [db.tenantId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const { rows } = await db.query<OwnerRow>(
    `WITH sums AS (${unpaidByOwner(filter, bind)}),
     found AS (
       SELECT o.id, o.name, o.contact_number, o.account_no, o.ifsc, o.branch_name, sums.challans, sums.amount
       FROM sums JOIN owners o ON o.subadmin_id = $1 AND o.id = sums.owner_id
       ${filter.ownerName ? `WHERE lower(o.name) LIKE '%' || lower(${bind(escapeLike(filter.ownerName))}) || '%'` : ''}
     ), totals AS (
       SELECT count(*)::int AS total_owners, coalesce(sum(challans), 0)::int AS total_challans,
         round(coalesce(sum(amount), 0), 2) AS total_amount
       FROM found
     ), page AS (
       SELECT * FROM found ORDER BY lower(name), id LIMIT ${bind(paging.limit)} OFFSET ${bind(offsetOf(paging))}
     )
     SELECT totals.*, page.id, page.name, page.contact_number, page.account_no, page.ifsc, page.branch_name,
       page.challans::int AS unpaid_count, round(page.amount, 2) AS unpaid_amount
     FROM totals LEFT JOIN page ON true
     ORDER BY lower(page.name), page.id`,
    values,
  );
  const first = rows[0];
  if (!first) throw new Error('Totals are always one row');
  return {
    owners: rows.flatMap((row) => (row.id === null ? [] : [toOwner({ ...row, id: row.id })])),
    summary: {
      totalOwners: first.total_owners,
      totalChallans: first.total_challans,
      totalUnpaidAmount: first.total_amount,
    },
  };
}

function toOwner(row: OwnerRow & { id: string }): OwnerOfPage {
  return {
    id: row.id,
    name: row.name,
    contactNumber: row.contact_number,
    accountNo: row.account_no,
    ifsc: row.ifsc,
    branchName: row.branch_name,
    unpaidAmount: row.unpaid_amount,
    unpaidCount: row.unpaid_count,
  };
}

/**
 * Count and sum of unpaid challans by owner. Without deposited days the roll-up and the open differences know them; with
 * days they are counted, by the index on the deposited day.
 */
function unpaidByOwner(filter: StatementFilter, bind: (value: unknown) => string): string {
  if (filter.depositedStartDate || filter.depositedEndDate) {
    return `SELECT c.owner_id, count(*) AS challans, sum(c.net_amount_payable) AS amount FROM challans c
      WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.payment_status
        ${statementConditions({ ...filter, ownerName: undefined }, bind)}
      GROUP BY c.owner_id`;
  }
  const conditions = [
    'subadmin_id = $1 AND NOT payment_status',
    ...(filter.ownerId ? [`owner_id = ${bind(filter.ownerId)}`] : []),
    ...(filter.tagId ? [`tag_id = ${bind(filter.tagId === 'none' ? withoutTag : filter.tagId)}`] : []),
  ].join(' AND ');
  return `SELECT owner_id, sum(challans) AS challans, sum(net_amount) AS amount FROM (
      SELECT owner_id, challans, net_amount FROM challan_totals_by_owner WHERE ${conditions}
      UNION ALL
      SELECT owner_id, challans, net_amount FROM challan_deltas WHERE ${conditions}
    ) AS parts
    GROUP BY owner_id HAVING sum(challans) > 0`;
}

interface ChallanRow {
  owner_id: string;
  id: string;
  challan_number: string;
  tp_no: string;
  vehicle_no: string;
  material: string;
  loading_place: string;
  unloading_place: string;
  loading_at: Date;
  unloading_at: Date;
  deposited_at: Date | null;
  net_amount_payable: string;
  tag_id: string | null;
  tag_name: string | null;
  tag_color: string | null;
}

/** The unpaid challans of these owners under the filter, by owner; each owner's in the order they were made. */
export async function selectStatementChallans(
  db: TenantDb,
  filter: StatementFilter,
  ownerIds: readonly string[],
): Promise<Map<string, StatementChallan[]>> {
  const values: unknown[] = [db.tenantId, ownerIds];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const { rows } = await db.query<ChallanRow>(
    `SELECT c.owner_id, c.id, c.challan_number, c.tp_no, c.vehicle_no, c.material, c.loading_place, c.unloading_place,
       c.loading_at, c.unloading_at, c.deposited_at, c.net_amount_payable, t.id AS tag_id, t.name AS tag_name,
       t.color AS tag_color
     FROM challans c LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = c.tag_id
     WHERE c.subadmin_id = $1 AND c.owner_id = ANY ($2::uuid[]) AND c.deleted_at IS NULL AND NOT c.payment_status
       ${statementConditions({ ...filter, ownerId: undefined, ownerName: undefined }, bind)}
     ORDER BY c.created_at, c.id`,
    values,
  );
  const byOwner = new Map<string, StatementChallan[]>(ownerIds.map((id) => [id, []]));
  for (const row of rows) byOwner.get(row.owner_id)?.push(toChallan(row));
  return byOwner;
}

function toChallan(row: ChallanRow): StatementChallan {
  return {
    challanId: row.id,
    challanNumber: row.challan_number,
    tpNo: row.tp_no,
    vehicleNo: row.vehicle_no,
    material: row.material,
    loadingPlace: row.loading_place,
    unloadingPlace: row.unloading_place,
    loadingDate: row.loading_at.toISOString(),
    unloadingDate: row.unloading_at.toISOString(),
    depositedAt: row.deposited_at?.toISOString() ?? null,
    netAmountPayable: row.net_amount_payable,
    tag: row.tag_id === null ? null : { id: row.tag_id, name: row.tag_name ?? '', color: row.tag_color ?? '' },
    paymentStatus: false,
  };
}

/** A line of a bank or payment file, with the owner it belongs to: two owners may bear one name. */
export interface FileLine extends BankFileRow {
  ownerId: string;
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
}

export function toFileLine(row: FileLineRow, paymentStatus: boolean): FileLine {
  return {
    ownerId: row.owner_id,
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

/** Every line of the statement, in its order, a few at a time: the file may be longer than memory is wide. */
export async function* statementLines(db: TenantDb, filter: StatementFilter): AsyncGenerator<FileLine[]> {
  const values: unknown[] = [db.tenantId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  yield* fetchLines(
    db,
    `SELECT o.id AS owner_id, o.name AS owner_name, o.contact_number, o.account_no, o.ifsc, o.branch_name, o.pan_no,
       c.challan_number, c.tp_no, c.vehicle_no, c.loading_place, c.unloading_place, c.loading_at, c.unloading_at,
       c.deposited_at, c.net_amount_payable AS amount, t.name AS tag_name
     FROM challans c
       JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
       LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = c.tag_id
     WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.payment_status
       ${statementConditions(filter, bind)}
     ORDER BY lower(o.name), o.id, c.created_at, c.id`,
    values,
    false,
  );
}

const linesAtOnce = 1_000;

/** Reads file lines through a cursor, which lives as long as the transaction. */
export async function* fetchLines(
  db: TenantDb,
  text: string,
  values: readonly unknown[],
  paymentStatus: boolean,
): AsyncGenerator<FileLine[]> {
  await db.query(`DECLARE file_lines NO SCROLL CURSOR FOR ${text}`, values);
  for (;;) {
    const { rows } = await db.query<FileLineRow>(`FETCH ${linesAtOnce} FROM file_lines`);
    if (rows.length > 0) yield rows.map((row) => toFileLine(row, paymentStatus));
    if (rows.length < linesAtOnce) break;
  }
  await db.query('CLOSE file_lines');
}
