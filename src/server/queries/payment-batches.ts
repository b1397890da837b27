import type {
  PaymentBatch,
  PaymentLine,
  PaymentOwner,
  PaymentReference,
  PaymentTotals,
} from '../../shared/contract/payment-batches.ts';
import type { TenantDb } from '../db/tenant.ts';
import { fetchLines, type FileLine } from './bank-statement.ts';
import { newestBankLine } from './bank-lines.ts';
import { carriesOf, selectPaymentCarries } from './carries.ts';
import { offsetOf } from './paging.ts';
import { findPayments, type PaymentQuery } from './payments-found.ts';
import { isReversalOf } from './payments.ts';
import { countRows, escapeLike } from './statements.ts';

interface BatchRow {
  id: string;
  number: string;
  created_at: Date;
  paid_on: string;
  created_by: string;
  kind: PaymentBatch['kind'];
  updated_count: number;
  total_amount: string;
  owner_count: number;
  paid_count: number;
  paid_amount: string;
  paid_owner_count: number;
  applied_filters: Record<string, string>;
  reversed_at: Date | null;
  reversed_reason: string | null;
  reversed_by: string | null;
  owner_id: string | null;
  owner_name: string | null;
  challan_id: string | null;
  challan_number: string | null;
}

function toBatch(row: BatchRow): PaymentBatch {
  return {
    id: row.id,
    number: row.number,
    createdAt: row.created_at.toISOString(),
    paidOn: row.paid_on,
    createdBy: row.created_by,
    kind: row.kind,
    updatedCount: row.updated_count,
    totalAmount: row.total_amount,
    ownerCount: row.owner_count,
    paidCount: row.paid_count,
    paidAmount: row.paid_amount,
    paidOwnerCount: row.paid_owner_count,
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name ?? '' },
    challan: row.challan_id === null ? null : { id: row.challan_id, challanNumber: row.challan_number ?? '' },
    reversedAt: row.reversed_at?.toISOString() ?? null,
    reversedReason: row.reversed_reason,
    reversedBy: row.reversed_by,
    appliedFilters: row.kind === 'filter' ? row.applied_filters : null,
  };
}

/**
 * SQL: payments with their current state. A payment counts as reversed when none of its lines is live any more: by its
 * reversal, or because each of its challans was unmarked one by one. In the second case the last of those lines says
 * when, why and by whom.
 *
 * Lines are read only when there is no reversal (after it nothing is live), and only the reversing ones. Owners are
 * counted again only when some lines are live and some are not.
 */
const selectBatches = (batches: string) => `
  WITH b AS (${batches})
  SELECT b.id, b.number, b.created_at, b.paid_on::text AS paid_on, maker.email AS created_by, b.kind, b.updated_count, b.total_amount, b.owner_count,
    b.applied_filters, gone.created_at AS reversed_at, gone.reason AS reversed_reason, undoer.email AS reversed_by,
    only_owner.owner_id, only_owner.name AS owner_name, only_line.challan_id, only_line.challan_number,
    CASE WHEN r.batch_id IS NULL THEN b.updated_count - back.lines ELSE 0 END AS paid_count,
    CASE WHEN r.batch_id IS NULL THEN b.total_amount - back.amount ELSE 0.00 END AS paid_amount,
    CASE WHEN r.batch_id IS NOT NULL OR back.lines = b.updated_count THEN 0
      WHEN back.lines = 0 THEN b.owner_count ELSE live.owners END AS paid_owner_count
  FROM b
    JOIN accounts maker ON maker.id = b.created_by
    LEFT JOIN payment_reversals r ON r.subadmin_id = $1 AND r.batch_id = b.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS lines,
        round(coalesce(sum(l.amount), 0) - ${carriesOf('back', 'b.id')}, 2) AS amount FROM payment_lines l
      WHERE r.batch_id IS NULL AND l.subadmin_id = $1 AND l.batch_id = b.id AND l.kind = 'reverse'
    ) AS back
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS owners FROM (
        SELECT FROM payment_lines l
        WHERE back.lines > 0 AND back.lines < b.updated_count AND l.subadmin_id = $1 AND l.batch_id = b.id
        GROUP BY l.owner_id
        HAVING count(*) FILTER (WHERE l.kind = 'pay') > count(*) FILTER (WHERE l.kind = 'reverse')) AS owners_left
    ) AS live
    LEFT JOIN LATERAL (
      SELECT r.created_at, r.reason, r.created_by WHERE r.batch_id IS NOT NULL
      UNION ALL
      (SELECT l.created_at, l.reason, l.created_by FROM payment_lines l
       WHERE back.lines = b.updated_count AND l.subadmin_id = $1 AND l.batch_id = b.id AND l.kind = 'reverse'
       ORDER BY l.created_at DESC LIMIT 1)
    ) AS gone ON true
    LEFT JOIN accounts undoer ON undoer.id = gone.created_by
    LEFT JOIN payment_batch_owners only_owner
      ON b.owner_count = 1 AND only_owner.subadmin_id = $1 AND only_owner.batch_id = b.id
    LEFT JOIN payment_lines only_line
      ON b.updated_count = 1 AND only_line.subadmin_id = $1 AND only_line.batch_id = b.id AND only_line.kind = 'pay'`;

/** Returns a page of the payments of a filter. */
export async function selectPaymentBatches(
  db: TenantDb,
  query: PaymentQuery,
  today: string,
): Promise<{ data: PaymentBatch[]; summary: PaymentTotals; count: number }> {
  const { ids, summary, count } = await findPayments(db, query, today);
  const { rows } = await db.query<BatchRow>(
    selectBatches('SELECT * FROM payment_batches WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])'),
    [db.tenantId, ids],
    'select-payment-batches',
  );
  const found = new Map(rows.map((row) => [row.id, toBatch(row)]));
  return { data: ids.flatMap((id) => found.get(id) ?? []), summary, count };
}

/** Returns the payments with these numbers, the newest first. */
export async function selectPaymentsByNumber(db: TenantDb, numbers: readonly string[]): Promise<PaymentReference[]> {
  const { rows } = await db.query<Pick<BatchRow, 'id' | 'number' | 'created_at' | 'updated_count' | 'total_amount'>>(
    `SELECT id, number, created_at, updated_count, total_amount FROM payment_batches
     WHERE subadmin_id = $1 AND number = ANY ($2) ORDER BY created_at DESC, id DESC`,
    [db.tenantId, numbers],
    'select-payments-by-number',
  );
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    createdAt: row.created_at.toISOString(),
    updatedCount: row.updated_count,
    totalAmount: row.total_amount,
  }));
}

export async function selectPaymentBatch(db: TenantDb, id: string): Promise<PaymentBatch | undefined> {
  const { rows } = await db.query<BatchRow>(
    selectBatches('SELECT * FROM payment_batches WHERE subadmin_id = $1 AND id = $2'),
    [db.tenantId, id],
    'select-payment-batch',
  );
  return rows[0] && toBatch(rows[0]);
}

interface LineRow {
  challan_id: string;
  challan_number: string;
  tp_no: string;
  vehicle_no: string;
  owner_id: string;
  amount: string;
  reversed_at: Date | null;
}

const lineColumns =
  'l.challan_id, l.challan_number, l.tp_no, l.vehicle_no, l.owner_id, l.amount, back.created_at AS reversed_at';
/** SQL: the 'pay' lines `l` of a payment, each with its reversal. */
const linesOfBatch = `payment_lines l LEFT JOIN payment_lines back ON ${isReversalOf('l')}
  WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.kind = 'pay'`;

function toLine(row: LineRow, ownerName: string): PaymentLine {
  return {
    challanId: row.challan_id,
    challanNumber: row.challan_number,
    tpNo: row.tp_no,
    vehicleNo: row.vehicle_no,
    ownerId: row.owner_id,
    ownerName,
    amount: row.amount,
    reversedAt: row.reversed_at?.toISOString() ?? null,
  };
}

/** Returns a page of a payment's lines, as they were when they were paid, in the order of its file. */
export async function selectPaymentLines(
  db: TenantDb,
  batchId: string,
  paging: { page: number; limit: number },
): Promise<PaymentLine[]> {
  const { rows } = await db.query<LineRow & { owner_name: string }>(
    `SELECT page.*, o.name AS owner_name
     FROM (
         SELECT l.line_no, ${lineColumns} FROM ${linesOfBatch} AND l.line_no > $3::bigint AND l.line_no <= $3 + $4
       ) AS page
       JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = $2 AND o.owner_id = page.owner_id
     ORDER BY page.line_no`,
    // Lines are numbered from 1 without a gap, so a page is a range of numbers. The cast is needed because the number
    // of a far page exceeds an integer.
    [db.tenantId, batchId, offsetOf(paging), paging.limit],
    'select-payment-lines',
  );
  return rows.map((row) => toLine(row, row.owner_name));
}

interface OwnerRow {
  owner_id: string | null;
  name: string;
  contact_number: string;
  account_no: string;
  ifsc: string;
  branch_name: string;
  challans: number;
  amount: string;
  paid_challans: number;
  paid_amount: string;
  bank_state: PaymentOwner['bankState'];
  bank_file: string | null;
  utr: string | null;
  found: number;
}

/**
 * Returns a page of a payment's owners in the order of its file, each with all its challans. `search` is a part of a
 * name, a phone or an account number.
 */
export async function selectPaymentOwners(
  db: TenantDb,
  batchId: string,
  { search = '', ...paging }: { search?: string | undefined; page: number; limit: number },
): Promise<{ owners: PaymentOwner[]; count: number }> {
  const { rows } = await db.query<OwnerRow>(
    `WITH found AS (
       SELECT o.owner_id FROM payment_batch_owners o
       WHERE o.subadmin_id = $1 AND o.batch_id = $2
         AND (o.name ILIKE $3 OR o.contact_number LIKE $3 OR o.account_no ILIKE $3)
     ), sums AS (
       SELECT l.owner_id, min(l.line_no) AS first_line, count(*)::int AS challans,
         round(sum(l.amount) + ${carriesOf('made', '$2', 'l.owner_id')}, 2) AS amount,
         count(*) FILTER (WHERE back.challan_id IS NULL)::int AS paid_challans,
         round(coalesce(sum(l.amount) FILTER (WHERE back.challan_id IS NULL), 0)
           + ${carriesOf('now', '$2', 'l.owner_id')}, 2) AS paid_amount
       FROM ${linesOfBatch} AND l.owner_id IN (SELECT owner_id FROM found)
       GROUP BY l.owner_id
     ), page AS (
       SELECT * FROM sums ORDER BY first_line LIMIT $4 OFFSET $5
     )
     SELECT o.owner_id, o.name, o.contact_number, o.account_no, o.ifsc, o.branch_name, page.challans, page.amount,
       page.paid_challans, page.paid_amount, bank.state AS bank_state, bank.number AS bank_file, bank.utr, totals.found
     FROM (SELECT count(*)::int AS found FROM sums) AS totals
       LEFT JOIN (page JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = $2 AND o.owner_id = page.owner_id)
         ON true
       LEFT JOIN LATERAL (${newestBankLine('$2', 'page.owner_id')}) AS bank ON true
     ORDER BY page.first_line`,
    [db.tenantId, batchId, `%${escapeLike(search)}%`, paging.limit, offsetOf(paging)],
    'select-payment-owners',
  );
  const owners = rows.flatMap((row): PaymentOwner[] =>
    row.owner_id === null
      ? []
      : [
          {
            ownerId: row.owner_id,
            name: row.name,
            contactNumber: row.contact_number,
            accountNo: row.account_no,
            ifsc: row.ifsc,
            branchName: row.branch_name,
            challanCount: row.challans,
            amount: row.amount,
            paidCount: row.paid_challans,
            paidAmount: row.paid_amount,
            bankState: row.bank_state,
            bankFile: row.bank_file,
            utr: row.utr ?? '',
            carries: [],
            challans: [],
          },
        ],
  );
  const byId = new Map(owners.map((owner) => [owner.ownerId, owner]));
  const ownerIds = [...byId.keys()];
  const [lines, carries] = await Promise.all([
    db.query<LineRow>(
      `SELECT ${lineColumns} FROM ${linesOfBatch} AND l.owner_id = ANY ($3::uuid[]) ORDER BY l.line_no`,
      [db.tenantId, batchId, ownerIds],
      'select-payment-owner-lines',
    ),
    selectPaymentCarries(db, batchId, ownerIds),
  ]);
  for (const [ownerId, its] of carries) byId.get(ownerId)?.carries.push(...its);
  for (const line of lines.rows) {
    const owner = byId.get(line.owner_id);
    owner?.challans.push(toLine(line, owner.name));
  }
  return { owners, count: rows[0]?.found ?? 0 };
}

/** Yields every line of a payment with its owner, both as they were when it was paid, so the file never changes. */
export function paymentFileLines(db: TenantDb, batchId: string): AsyncGenerator<FileLine[]> {
  return fetchLines(
    db,
    `SELECT o.owner_id, o.name AS owner_name, o.contact_number, o.account_no, o.ifsc, o.branch_name, o.pan_no,
       l.challan_number, l.tp_no, l.vehicle_no, l.loading_place, l.unloading_place, l.loading_at, l.unloading_at,
       l.deposited_at, l.amount, nullif(l.tag_name, '') AS tag_name, false AS is_carry, l.line_no, 0 AS after
     FROM payment_lines l
       JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = l.batch_id AND o.owner_id = l.owner_id
     WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.kind = 'pay'
     UNION ALL
     SELECT o.owner_id, o.name, o.contact_number, o.account_no, o.ifsc, o.branch_name, o.pan_no,
       CASE k.kind WHEN 'carry' THEN 'Carried into the next payment' ELSE 'Deduction: carried from ' || made.number END,
       '', '', '', '', NULL, NULL, NULL, k.amount, NULL, true,
       (SELECT max(l.line_no) FROM payment_lines l WHERE l.subadmin_id = $1 AND l.batch_id = $2
         AND l.owner_id = k.owner_id AND l.kind = 'pay'), CASE k.kind WHEN 'deduct' THEN 1 ELSE 2 END
     FROM carry_events k
       JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = k.batch_id AND o.owner_id = k.owner_id
       JOIN carry_events first ON first.subadmin_id = $1 AND first.carry_id = k.carry_id AND first.event_no = 1
       JOIN payment_batches made ON made.subadmin_id = $1 AND made.id = first.batch_id
     WHERE k.subadmin_id = $1 AND k.batch_id = $2 AND k.kind IN ('carry', 'deduct')
     ORDER BY line_no, after, challan_number`,
    [db.tenantId, batchId],
    true,
  );
}

/** Counts how many of these payments exist. */
export const countPresentPayments = (db: TenantDb, ids: readonly string[]): Promise<number> =>
  countRows(
    db,
    'payment_batches WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])',
    [db.tenantId, ids],
    'count-present-payments',
  );
