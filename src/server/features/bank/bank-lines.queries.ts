import type { CheckedLine, SentLine } from '../../../shared/contract/bank-files.ts';
import type { Route } from '../../../shared/bank/layout.ts';
import type { LineState } from '../../../shared/bank/lines.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { carriesOf } from '../payments/carries.queries.ts';
import { offsetOf, type Paging } from '../../sql/paging.ts';
import { isStillPaid } from '../payments/payments.queries.ts';

/**
 * SQL: the lines of bank files as `l`, each with its last event as `e`. The last event is the state of the line. A line
 * without an event, or whose last event reopened it, is 'in-file'.
 */
export const linesWithState = `bank_file_lines l
  LEFT JOIN LATERAL (
    SELECT event, event_no, utr, event_on, reason, source, created_at FROM bank_line_events
    WHERE subadmin_id = l.subadmin_id AND file_id = l.file_id AND line_no = l.line_no
    ORDER BY event_no DESC LIMIT 1
  ) AS e ON true`;
export const stateOf = `CASE WHEN e.event IS NULL OR e.event = 'reopened' THEN 'in-file' ELSE e.event END`;

/**
 * SQL: the line of an owner in a payment that the bank has or has executed, or else the newest, with its file and state.
 * Both parameters are expressions of the surrounding statement.
 */
export const newestBankLine = (batchId: string, ownerId: string): string =>
  `SELECT f.number, ${stateOf} AS state, e.utr
   FROM ${linesWithState} JOIN bank_files f ON f.subadmin_id = $1 AND f.id = l.file_id
   WHERE l.subadmin_id = $1 AND (l.file_id, l.line_no) IN (
     SELECT v.file_id, v.line_no FROM bank_lines_of_payments v
     WHERE v.subadmin_id = $1 AND v.batch_id = ${batchId} AND v.owner_id = ${ownerId})
   ORDER BY ${stateOf} IN ('in-file', 'executed') DESC, f.created_at DESC, f.number DESC LIMIT 1`;

/** SQL: joins how the last transfer to an owner's account failed, as `fails.failure`, to rows that name the account. */
export const joinFailedTransfer = (ownerId: string, account: string, alias = 'fails'): string =>
  `LEFT JOIN failed_transfers ${alias} ON ${alias}.subadmin_id = $1 AND ${alias}.owner_id = ${ownerId}
     AND ${alias}.account_no = ${account}.account_no AND ${alias}.ifsc = ${account}.ifsc`;

/**
 * Locks the challans that these payments still pay, in the same order as a payment does. Nobody can reverse or send
 * them in the meantime.
 */
export async function lockStillPaid(db: TenantDb, batchIds: readonly string[]): Promise<void> {
  await db.query(
    `SELECT c.id FROM challans c
     WHERE c.subadmin_id = $1 AND c.payment_status AND c.id IN (
       SELECT challan_id FROM payment_lines WHERE subadmin_id = $1 AND batch_id = ANY ($2::uuid[]) AND kind = 'pay')
     ORDER BY uuid_send(c.id) FOR UPDATE OF c`,
    [db.tenantId, batchIds],
  );
}

/** A line without its route, which follows from the paying account. */
export type StillPaid = Omit<CheckedLine, 'route'>;

interface StillPaidRow extends Omit<StillPaid, 'sent'> {
  sent_in: string | null;
  state: LineState | null;
}

/** Returns what these payments still pay, by payment and owner, in the order of the payments' files. */
export async function selectStillPaid(db: TenantDb, batchIds: readonly string[]): Promise<StillPaid[]> {
  const { rows } = await db.query<StillPaidRow>(
    `WITH paid AS MATERIALIZED (
       SELECT p.batch_id, p.owner_id, count(*)::int AS challans,
         round(sum(p.amount) + ${carriesOf('now', 'p.batch_id', 'p.owner_id')}, 2) AS amount,
         min(p.line_no) AS first_line
       FROM payment_lines p
       WHERE p.subadmin_id = $1 AND p.batch_id = ANY ($2::uuid[]) AND p.kind = 'pay' AND ${isStillPaid('p')}
       GROUP BY p.batch_id, p.owner_id
     )
     SELECT paid.batch_id AS "batchId", b.number AS "paymentNumber", paid.owner_id AS "ownerId", o.name,
       o.account_no AS "accountNo", o.ifsc, o.branch_name AS branch, paid.challans AS "challanCount", paid.amount,
       (SELECT nullif(h.hold_reason, '') FROM owners h WHERE h.subadmin_id = $1 AND h.id = paid.owner_id) AS hold,
       CASE WHEN n.id IS NOT NULL THEN json_build_object('name', n.name, 'accountNo', n.account_no, 'ifsc', n.ifsc,
         'branch', n.branch_name, 'failedTransfer', fails_now.failure) END AS today,
       newest.number AS sent_in, newest.state,
       fails.failure AS "failedTransfer", b.kind = 'import' AS "isImported",
       (SELECT count(*)::int FROM bank_file_lines l WHERE l.subadmin_id = $1 AND l.batch_id = paid.batch_id) AS "linesBefore"
     FROM paid
       JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = paid.batch_id
       JOIN payment_batch_owners o
         ON o.subadmin_id = $1 AND o.batch_id = paid.batch_id AND o.owner_id = paid.owner_id
       LEFT JOIN owners n ON n.subadmin_id = $1 AND n.id = paid.owner_id AND n.deleted_at IS NULL
         AND (n.name, n.account_no, n.ifsc) <> (o.name, o.account_no, o.ifsc)
       LEFT JOIN LATERAL (${newestBankLine('paid.batch_id', 'paid.owner_id')}) AS newest ON true
       ${joinFailedTransfer('o.owner_id', 'o')}
       ${joinFailedTransfer('n.id', 'n', 'fails_now')}
     ORDER BY b.number, paid.first_line`,
    [db.tenantId, batchIds],
  );
  return rows.map(({ sent_in, state, ...row }) => ({
    ...row,
    sent: sent_in === null || state === null ? null : { fileNumber: sent_in, state },
  }));
}

export interface NewBankLine {
  batchId: string;
  ownerId: string;
  amount: string;
  name: string;
  accountNo: string;
  ifsc: string;
  route: Route;
  reference: string;
}

/** Stores the lines of a file in their order. */
export async function insertBankLines(db: TenantDb, fileId: string, lines: readonly NewBankLine[]): Promise<void> {
  const rows = lines.map((line, index) => ({
    line_no: index + 1,
    batch_id: line.batchId,
    owner_id: line.ownerId,
    amount: line.amount,
    name: line.name,
    account_no: line.accountNo,
    ifsc: line.ifsc,
    route: line.route,
    reference: line.reference,
  }));
  await db.query(
    `INSERT INTO bank_file_lines
       (subadmin_id, file_id, line_no, batch_id, owner_id, amount, name, account_no, ifsc, route, reference)
     SELECT $1, $2, r.line_no, r.batch_id, r.owner_id, r.amount, r.name, r.account_no, r.ifsc, r.route, r.reference
     FROM jsonb_populate_recordset(NULL::bank_file_lines, $3::jsonb) AS r`,
    [db.tenantId, fileId, JSON.stringify(rows)],
  );
}

/** Returns a page of a file's lines with their state. */
export async function selectBankLines(db: TenantDb, fileId: string, paging: Paging): Promise<SentLine[]> {
  const { rows } = await db.query<SentLine>(
    `SELECT l.line_no AS "lineNo", l.batch_id AS "batchId", b.number AS "paymentNumber", l.owner_id AS "ownerId", l.name,
       l.account_no AS "accountNo", l.ifsc, l.amount, l.route, l.reference, ${stateOf} AS state,
       coalesce(e.utr, '') AS utr, e.event_on AS "eventOn", coalesce(e.reason, '') AS reason,
       CASE WHEN (o.account_no, o.ifsc) <> (l.account_no, l.ifsc)
         THEN json_build_object('accountNo', o.account_no, 'ifsc', o.ifsc) END AS "insteadOf"
     FROM ${linesWithState} JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
       JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = l.batch_id AND o.owner_id = l.owner_id
     WHERE l.subadmin_id = $1 AND l.file_id = $2 AND l.line_no > $3::bigint AND l.line_no <= $3 + $4
     ORDER BY l.line_no`,
    // Lines are numbered from 1 without a gap, so that a page is a range of numbers.
    [db.tenantId, fileId, offsetOf(paging), paging.limit],
    'select-bank-lines',
  );
  return rows;
}

export interface LineAtBank {
  file_id: string;
  line_no: number;
  event_no: number;
  state: LineState;
  number: string;
  name: string;
}

/** SQL: the lines that the bank has or has executed, of the payments and owners that the query `of` names. */
const linesAtBank = (of: string): string =>
  `SELECT l.file_id, l.line_no, coalesce(e.event_no, 0) AS event_no, ${stateOf} AS state, f.number, l.name, paid.*
   FROM (${of}) AS paid, ${linesWithState}, bank_files f
   WHERE l.subadmin_id = $1 AND (l.file_id, l.line_no) IN (
       SELECT v.file_id, v.line_no FROM bank_lines_of_payments v
       WHERE v.subadmin_id = $1 AND v.batch_id = paid.batch_id AND v.owner_id = paid.owner_id)
     AND f.subadmin_id = $1 AND f.id = l.file_id AND ${stateOf} IN ('in-file', 'executed')
   ORDER BY f.number, l.line_no`;

/**
 * Returns the lines of payments that this transaction has just reversed and that the bank has or has executed. A line
 * covers one owner of one payment, so any reversed challan of the owner affects it.
 */
export async function selectReversedAtBank(
  db: TenantDb,
  what: { batchId: string } | { challanIds: readonly string[] },
): Promise<LineAtBank[]> {
  const [which, id] =
    'batchId' in what ? ['r.batch_id = $2', what.batchId] : ['r.challan_id = ANY ($2::uuid[])', what.challanIds];
  const { rows } = await db.query<LineAtBank>(
    linesAtBank(`SELECT DISTINCT r.batch_id, r.owner_id FROM payment_lines r
      WHERE r.subadmin_id = $1 AND ${which} AND r.kind = 'reverse' AND r.created_at = now()`),
    [db.tenantId, id],
  );
  return rows;
}

/** Returns by challan the line at the bank that pays it, of those of these challans whose money the bank has or has sent. */
export async function selectAtBank(db: TenantDb, challanIds: readonly string[]): Promise<Map<string, LineAtBank>> {
  const { rows } = await db.query<LineAtBank & { challan_id: string }>(
    `WITH live AS (
       SELECT p.challan_id, p.batch_id, p.owner_id FROM payment_lines p
       WHERE p.subadmin_id = $1 AND p.challan_id = ANY ($2::uuid[]) AND p.kind = 'pay' AND ${isStillPaid('p')}
     )
     SELECT * FROM live JOIN (${linesAtBank('SELECT DISTINCT batch_id, owner_id FROM live')}) AS line USING (batch_id, owner_id)`,
    [db.tenantId, challanIds],
  );
  return new Map(rows.map((row) => [row.challan_id, row]));
}

/** Returns the lines of a file that the bank has not answered. */
export async function selectUnanswered(db: TenantDb, fileId: string): Promise<LineAtBank[]> {
  const { rows } = await db.query<LineAtBank>(
    `SELECT l.file_id, l.line_no, coalesce(e.event_no, 0) AS event_no, 'in-file' AS state, f.number, l.name
     FROM ${linesWithState} JOIN bank_files f ON f.subadmin_id = $1 AND f.id = l.file_id
     WHERE l.subadmin_id = $1 AND l.file_id = $2 AND ${stateOf} = 'in-file' ORDER BY l.line_no`,
    [db.tenantId, fileId],
    'select-unanswered-bank-lines',
  );
  return rows;
}

/**
 * Adds a 'failed' event to each line. If another transaction adds an event at the same time, the primary key of the
 * events is violated.
 */
export async function insertFailures(
  db: TenantDb,
  caller: Caller,
  lines: readonly Pick<LineAtBank, 'file_id' | 'line_no' | 'event_no'>[],
  { reason, source }: { reason: string; source: 'withdrawn' | 'reversal' },
): Promise<void> {
  await db.query(
    `INSERT INTO bank_line_events (subadmin_id, file_id, line_no, event_no, event, reason, source, created_by)
     SELECT $1, r.file_id, r.line_no, r.event_no + 1, 'failed', $3, $4, $5
     FROM jsonb_to_recordset($2::jsonb) AS r (file_id uuid, line_no integer, event_no integer)`,
    [db.tenantId, JSON.stringify(lines), reason, source, caller.accountId],
  );
}
