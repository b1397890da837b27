import type {
  PaymentBatch,
  PaymentLine,
  PaymentOwner,
  PaymentTotals,
} from '../../../shared/contract/payment-batches.ts';
import type { PaymentReference } from '../../../shared/contract/palette.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { fetchLines, toFileLine, type FileLine, type FileLineRow } from './bank-statement.queries.ts';
import { newestBankLine } from '../bank/bank-lines.queries.ts';
import { carriesOf, selectPaymentCarries } from './carries.queries.ts';
import { offsetOf, type Paging } from '../../sql/paging.ts';
import { findPayments, type PaymentQuery } from './payments-found.queries.ts';
import { isReversalOf } from './payments.queries.ts';
import { countRows, escapeLike } from '../../sql/statements.ts';
import { actorName } from '../../sql/actor.ts';

/**
 * SQL: payments with their current state. A payment counts as reversed when none of its lines is live any more: by its
 * reversal, or because each of its challans was unmarked one by one. In the second case the last of those lines says
 * when, why and by whom.
 *
 * Lines are read only when there is no reversal (after it nothing is live), and only the reversing ones. Owners are
 * counted again only when some lines are live and some are not. The only owner and the only line have a LIMIT, because as plain
 * joins the planner reads every line of a large payment for them.
 */
const selectBatches = (batches: string) => `
  WITH b AS (${batches})
  SELECT b.id, b.number, b.created_at AS "createdAt", b.paid_on AS "paidOn", ${actorName('maker')} AS "createdBy", b.kind,
    b.updated_count AS "updatedCount", b.total_amount AS "totalAmount", b.owner_count AS "ownerCount",
    CASE b.kind WHEN 'filter' THEN b.applied_filters END AS "appliedFilters",
    gone.created_at AS "reversedAt", gone.reason AS "reversedReason", ${actorName('undoer')} AS "reversedBy",
    CASE WHEN only_owner.owner_id IS NOT NULL
      THEN json_build_object('id', only_owner.owner_id, 'name', only_owner.name) END AS owner,
    CASE WHEN only_line.challan_id IS NOT NULL
      THEN json_build_object('id', only_line.challan_id, 'challanNumber', only_line.challan_number) END AS challan,
    CASE WHEN r.batch_id IS NULL THEN b.updated_count - back.lines ELSE 0 END AS "paidCount",
    CASE WHEN r.batch_id IS NULL THEN b.total_amount - back.amount ELSE 0.00 END AS "paidAmount",
    CASE WHEN r.batch_id IS NOT NULL OR back.lines = b.updated_count THEN 0
      WHEN back.lines = 0 THEN b.owner_count ELSE live.owners END AS "paidOwnerCount"
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
    LEFT JOIN LATERAL (
      SELECT o.owner_id, o.name FROM payment_batch_owners o
      WHERE b.owner_count = 1 AND o.subadmin_id = $1 AND o.batch_id = b.id LIMIT 1
    ) AS only_owner ON true
    LEFT JOIN LATERAL (
      SELECT l.challan_id, l.challan_number FROM payment_lines l
      WHERE b.updated_count = 1 AND l.subadmin_id = $1 AND l.batch_id = b.id AND l.kind = 'pay' LIMIT 1
    ) AS only_line ON true`;

/** Returns a page of the payments of a filter. */
export async function selectPaymentBatches(
  db: TenantDb,
  query: PaymentQuery,
  today: string,
): Promise<{ data: PaymentBatch[]; summary: PaymentTotals; count: number }> {
  const { ids, summary, count } = await findPayments(db, query, today);
  const batches = await db.records<PaymentBatch>(
    selectBatches('SELECT * FROM payment_batches WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])'),
    [db.tenantId, ids],
    'select-payment-batches',
  );
  const found = new Map(batches.map((batch) => [batch.id, batch]));
  return { data: ids.flatMap((id) => found.get(id) ?? []), summary, count };
}

/** Returns the payments with these numbers, the newest first. */
export const selectPaymentsByNumber = (db: TenantDb, numbers: readonly string[]): Promise<PaymentReference[]> =>
  db.records(
    `SELECT id, number, created_at AS "createdAt", updated_count AS "updatedCount", total_amount AS "totalAmount"
     FROM payment_batches WHERE subadmin_id = $1 AND number = ANY ($2) ORDER BY created_at DESC, id DESC`,
    [db.tenantId, numbers],
    'select-payments-by-number',
  );

/** Returns the newest payments of which a line has a UTR that ends in this text. It reads all answers: there are few per challan. */
export const selectPaymentsByUtr = (db: TenantDb, utr: string, limit: number): Promise<PaymentReference[]> =>
  db.records(
    `WITH hits AS MATERIALIZED (
       SELECT file_id, line_no FROM bank_line_events WHERE subadmin_id = $1 AND utr ILIKE '%' || $2)
     SELECT id, number, created_at AS "createdAt", updated_count AS "updatedCount", total_amount AS "totalAmount"
     FROM payment_batches WHERE subadmin_id = $1 AND id IN (
       SELECT v.batch_id FROM hits JOIN bank_lines_of_payments AS v
         ON v.subadmin_id = $1 AND v.file_id = hits.file_id AND v.line_no = hits.line_no)
     ORDER BY created_at DESC, id DESC LIMIT $3`,
    [db.tenantId, escapeLike(utr), limit],
    'select-payments-by-utr',
  );

export async function selectPaymentBatch(db: TenantDb, id: string): Promise<PaymentBatch | undefined> {
  const [batch] = await db.records<PaymentBatch>(
    selectBatches('SELECT * FROM payment_batches WHERE subadmin_id = $1 AND id = $2'),
    [db.tenantId, id],
    'select-payment-batch',
  );
  return batch;
}

const lineColumns = `l.challan_id AS "challanId", l.challan_number AS "challanNumber", l.tp_no AS "tpNo",
  l.vehicle_no AS "vehicleNo", l.owner_id AS "ownerId", l.amount, back.created_at AS "reversedAt"`;
/**
 * SQL: the 'pay' lines `l` of a payment, each with its reversal. The LIMIT makes the planner look up the reversal of each line
 * that is shown, instead of reading all reversals of the business.
 */
const linesOfBatch = `payment_lines l
    LEFT JOIN LATERAL (SELECT back.created_at FROM payment_lines back WHERE ${isReversalOf('l')} LIMIT 1) AS back ON true
  WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.kind = 'pay'`;

/** Returns a page of a payment's lines, as they were when they were paid, in the order of its file. */
export const selectPaymentLines = (db: TenantDb, batchId: string, paging: Paging): Promise<PaymentLine[]> =>
  db.records(
    // Materialized: otherwise the planner begins with the owners, and reads the lines of each of them.
    `WITH page AS MATERIALIZED (
       SELECT l.line_no, ${lineColumns} FROM ${linesOfBatch} AND l.line_no > $3::bigint AND l.line_no <= $3 + $4
     )
     SELECT page.*, o.name AS "ownerName"
     FROM page JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = $2 AND o.owner_id = page."ownerId"
     ORDER BY page.line_no`,
    // Lines are numbered from 1 without a gap, so a page is a range of numbers. The cast is needed because the number
    // of a far page exceeds an integer.
    [db.tenantId, batchId, offsetOf(paging), paging.limit],
    'select-payment-lines',
  );

/** Without any owner there is one row with only their number. */
type OwnerRow = Omit<PaymentOwner, 'ownerId' | 'carries' | 'challans'> & { ownerId: string | null; found: number };

/**
 * Returns a page of a payment's owners in the order of its file, each with all its challans. `search` is a part of a
 * name, a phone or an account number.
 */
export async function selectPaymentOwners(
  db: TenantDb,
  batchId: string,
  { search = '', ...paging }: { search?: string | undefined; page: number; limit: number },
): Promise<{ owners: PaymentOwner[]; count: number }> {
  const rows = await db.records<OwnerRow>(
    `WITH sums AS (
       SELECT o.owner_id, min(s.first_line) AS first_line, (sum(s.challans) FILTER (WHERE s.challans > 0))::int AS challans,
         sum(s.amount) FILTER (WHERE s.challans > 0) AS amount, sum(s.challans)::int AS paid_challans,
         round(sum(s.amount), 2) AS paid_amount
       FROM payment_batches AS b
         JOIN payment_batch_owners AS o ON o.subadmin_id = $1 AND o.batch_id = b.id
         JOIN payment_sums AS s ON s.subadmin_id = $1 AND s.owner_id = o.owner_id AND s.paid_on = b.paid_on
           AND s.recorded_at = b.created_at AND s.batch_id = b.id
       WHERE b.subadmin_id = $1 AND b.id = $2 AND (o.name ILIKE $3 OR o.contact_number LIKE $3
           OR o.account_no ILIKE $3 AND NOT hides_bank_details())
       GROUP BY o.owner_id
     ), page AS (
       SELECT owner_id, first_line, challans, round(amount + ${carriesOf('made', '$2', 'sums.owner_id')}, 2) AS amount,
         paid_challans, paid_amount
       FROM sums ORDER BY first_line LIMIT $4 OFFSET $5
     )
     SELECT o.owner_id AS "ownerId", o.name, o.contact_number AS "contactNumber", o.account_no AS "accountNo", o.ifsc,
       o.branch_name AS "branchName", page.challans AS "challanCount", page.amount, page.paid_challans AS "paidCount",
       page.paid_amount AS "paidAmount", bank.state AS "bankState", bank.number AS "bankFile",
       coalesce(bank.utr, '') AS utr, totals.found
     FROM (SELECT count(*)::int AS found FROM sums) AS totals
       LEFT JOIN (page JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = $2 AND o.owner_id = page.owner_id)
         ON true
       LEFT JOIN LATERAL (${newestBankLine('$2', 'page.owner_id')}) AS bank ON true
     ORDER BY page.first_line`,
    [db.tenantId, batchId, `%${escapeLike(search)}%`, paging.limit, offsetOf(paging)],
    'select-payment-owners',
  );
  const owners = rows.flatMap(({ ownerId, ...owner }): PaymentOwner[] =>
    ownerId === null ? [] : [{ ownerId, ...owner, carries: [], challans: [] }],
  );
  const byId = new Map(owners.map((owner) => [owner.ownerId, owner]));
  const ownerIds = [...byId.keys()];
  const [lines, carries] = await Promise.all([
    db.records<Omit<PaymentLine, 'ownerName'>>(
      `SELECT ${lineColumns} FROM ${linesOfBatch} AND l.owner_id = ANY ($3::uuid[]) ORDER BY l.line_no`,
      [db.tenantId, batchId, ownerIds],
      'select-payment-owner-lines',
    ),
    selectPaymentCarries(db, batchId, ownerIds),
  ]);
  for (const [ownerId, its] of carries) byId.get(ownerId)?.carries.push(...its);
  for (const line of lines) {
    const owner = byId.get(line.ownerId);
    owner?.challans.push({ ...line, ownerName: owner.name });
  }
  return { owners, count: rows[0]?.found ?? 0 };
}

const fileOwnerColumns =
  'o.owner_id, o.name AS owner_name, o.contact_number, o.account_no, o.ifsc, o.branch_name, o.pan_no';

/**
 * Yields every line of a payment with its owner, both as they were when it was paid, so the file never changes. Lines are numbered
 * by owner. What was carried for an owner follows its last line.
 */
export async function* paymentFileLines(db: TenantDb, batchId: string): AsyncGenerator<FileLine[]> {
  const carries = new Map<string, FileLine[]>();
  for (const carry of await selectFileCarries(db, batchId))
    carries.set(carry.ownerId, [...(carries.get(carry.ownerId) ?? []), carry]);
  let owner: string | undefined;
  // The owner has a LIMIT, so that the lines are read in their order, and the first ones come at once.
  const lines = fetchLines(
    db,
    `SELECT ${fileOwnerColumns},
       l.challan_number, l.tp_no, l.vehicle_no, l.loading_place, l.unloading_place, l.loading_at, l.unloading_at,
       l.deposited_at, l.amount, nullif(l.tag_name, '') AS tag_name
     FROM payment_lines l CROSS JOIN LATERAL (
       SELECT * FROM payment_batch_owners WHERE subadmin_id = $1 AND batch_id = $2 AND owner_id = l.owner_id LIMIT 1) AS o
     WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.kind = 'pay' ORDER BY l.line_no`,
    [db.tenantId, batchId],
    true,
  );
  for await (const some of lines) {
    const shown: FileLine[] = [];
    for (const line of some) {
      if (owner !== undefined && owner !== line.ownerId) shown.push(...(carries.get(owner) ?? []));
      owner = line.ownerId;
      shown.push(line);
    }
    yield shown;
  }
  const last = owner === undefined ? undefined : carries.get(owner);
  if (last) yield last;
}

async function selectFileCarries(db: TenantDb, batchId: string): Promise<FileLine[]> {
  const { rows } = await db.query<FileLineRow>(
    `SELECT ${fileOwnerColumns},
       CASE k.kind WHEN 'carry' THEN 'Carried into the next payment' ELSE 'Deduction: carried from ' || made.number END AS challan_number,
       '' AS tp_no, '' AS vehicle_no, '' AS loading_place, '' AS unloading_place, NULL AS loading_at, NULL AS unloading_at,
       NULL AS deposited_at, k.amount, NULL AS tag_name, true AS is_carry
     FROM carry_events k
       JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = k.batch_id AND o.owner_id = k.owner_id
       JOIN carry_events first ON first.subadmin_id = $1 AND first.carry_id = k.carry_id AND first.event_no = 1
       JOIN payment_batches made ON made.subadmin_id = $1 AND made.id = first.batch_id
     WHERE k.subadmin_id = $1 AND k.batch_id = $2 AND k.kind IN ('carry', 'deduct')
     ORDER BY k.kind = 'carry', challan_number`,
    [db.tenantId, batchId],
    'select-file-carries',
  );
  return rows.map((row) => toFileLine(row, true));
}

/** Counts how many of these payments exist. */
export const countPresentPayments = (db: TenantDb, ids: readonly string[]): Promise<number> =>
  countRows(
    db,
    'payment_batches WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])',
    [db.tenantId, ids],
    'count-present-payments',
  );
