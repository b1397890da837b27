import type { PaymentBatch, PaymentLine, PaymentReference } from '../../shared/contract/payment-batches.ts';
import type { TenantDb } from '../db/tenant.ts';
import { fetchLines, type FileLine } from './bank-statement.ts';
import { offsetOf } from './paging.ts';

interface BatchRow {
  id: string;
  number: string;
  created_at: Date;
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
}

function toBatch(row: BatchRow): PaymentBatch {
  return {
    id: row.id,
    number: row.number,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    kind: row.kind,
    updatedCount: row.updated_count,
    totalAmount: row.total_amount,
    ownerCount: row.owner_count,
    paidCount: row.paid_count,
    paidAmount: row.paid_amount,
    paidOwnerCount: row.paid_owner_count,
    reversedAt: row.reversed_at?.toISOString() ?? null,
    reversedReason: row.reversed_reason,
    reversedBy: row.reversed_by,
    appliedFilters: row.kind === 'filter' ? row.applied_filters : null,
  };
}

/**
 * A batch is reversed when none of its lines is live any more: by its reversal, or because each of its challans was
 * unmarked one by one; then the last of those lines says when, why and by whom. Lines are read only where no reversal
 * is (after it nothing is live), and only the reversing ones; owners are counted again only where some lines are live
 * and some are not.
 */
const selectBatches = (batches: string) => `
  WITH b AS (${batches})
  SELECT b.id, b.number, b.created_at, maker.email AS created_by, b.kind, b.updated_count, b.total_amount, b.owner_count,
    b.applied_filters, gone.created_at AS reversed_at, gone.reason AS reversed_reason, undoer.email AS reversed_by,
    CASE WHEN r.batch_id IS NULL THEN b.updated_count - back.lines ELSE 0 END AS paid_count,
    CASE WHEN r.batch_id IS NULL THEN b.total_amount - back.amount ELSE 0.00 END AS paid_amount,
    CASE WHEN r.batch_id IS NOT NULL OR back.lines = b.updated_count THEN 0
      WHEN back.lines = 0 THEN b.owner_count ELSE live.owners END AS paid_owner_count
  FROM b
    JOIN accounts maker ON maker.id = b.created_by
    LEFT JOIN payment_reversals r ON r.subadmin_id = $1 AND r.batch_id = b.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS lines, round(coalesce(sum(l.amount), 0), 2) AS amount FROM payment_lines l
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
  ORDER BY b.created_at DESC, b.id DESC`;

export async function countPaymentBatches(db: TenantDb): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM payment_batches WHERE subadmin_id = $1',
    [db.tenantId],
    'count-payment-batches',
  );
  return rows[0]?.count ?? 0;
}

/** Newest first. */
export async function selectPaymentBatches(
  db: TenantDb,
  paging: { page: number; limit: number },
): Promise<PaymentBatch[]> {
  const { rows } = await db.query<BatchRow>(
    selectBatches(`SELECT * FROM payment_batches WHERE subadmin_id = $1
      ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`),
    [db.tenantId, paging.limit, offsetOf(paging)],
    'select-payment-batches',
  );
  return rows.map(toBatch);
}

/** Payments of these numbers, the newest first. */
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
  owner_name: string;
  amount: string;
  reversed_at: Date | null;
}

/** A page of a batch's lines, as they were when they were paid, in the order of its file. */
export async function selectPaymentLines(
  db: TenantDb,
  batchId: string,
  paging: { page: number; limit: number },
): Promise<PaymentLine[]> {
  const { rows } = await db.query<LineRow>(
    `SELECT l.challan_id, l.challan_number, l.tp_no, l.vehicle_no, l.owner_id, o.name AS owner_name, l.amount,
       back.created_at AS reversed_at
     FROM payment_lines l
       JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = l.batch_id AND o.owner_id = l.owner_id
       LEFT JOIN payment_lines back ON back.subadmin_id = $1 AND back.challan_id = l.challan_id
         AND back.pay_cycle = l.pay_cycle AND back.kind = 'reverse'
     WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.kind = 'pay' AND l.line_no > $3::bigint AND l.line_no <= $3 + $4
     ORDER BY l.line_no`,
    // Lines are numbered from 1 without a gap, so that a page is a range of numbers; a far one is past every integer.
    [db.tenantId, batchId, offsetOf(paging), paging.limit],
    'select-payment-lines',
  );
  return rows.map((row) => ({
    challanId: row.challan_id,
    challanNumber: row.challan_number,
    tpNo: row.tp_no,
    vehicleNo: row.vehicle_no,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    amount: row.amount,
    reversedAt: row.reversed_at?.toISOString() ?? null,
  }));
}

/** Every line of a batch with its owner, both as they were when it was paid, so the file never changes. */
export function paymentFileLines(db: TenantDb, batchId: string): AsyncGenerator<FileLine[]> {
  return fetchLines(
    db,
    `SELECT o.owner_id, o.name AS owner_name, o.contact_number, o.account_no, o.ifsc, o.branch_name, o.pan_no,
       l.challan_number, l.tp_no, l.vehicle_no, l.loading_place, l.unloading_place, l.loading_at, l.unloading_at,
       l.deposited_at, l.amount, nullif(l.tag_name, '') AS tag_name
     FROM payment_lines l
       JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = l.batch_id AND o.owner_id = l.owner_id
     WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.kind = 'pay'
     ORDER BY l.line_no`,
    [db.tenantId, batchId],
    true,
  );
}
