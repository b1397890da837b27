import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { notUndone, type NewEvent } from './bank-answers.queries.ts';

/** Reads and writes for undoing an accepted answer of the bank. */

export interface UndoableLine {
  answerNo: number;
  fileId: string;
  lineNo: number;
  outcome: 'executed' | 'failed' | 'returned' | 'known';
  /** The number of the event that the answer wrote; null when it wrote none. */
  eventNo: number | null;
  ownerId: string;
  reference: string;
  name: string;
  /** The newest other answer that the line has; null when it has none. */
  otherAnswer: string | null;
  /** Whether a line of a statement was accepted for it in another answer, as a payment that was executed already. */
  isKnown: boolean;
}

/** Returns the lines of an answer that were not undone yet, in the order in which they were accepted. */
export async function selectUndoable(db: TenantDb, answerId: string): Promise<UndoableLine[]> {
  const { rows } = await db.query<UndoableLine>(
    `SELECT a.answer_no AS "answerNo", a.file_id AS "fileId", a.line_no AS "lineNo", a.outcome, a.event_no AS "eventNo",
       l.owner_id AS "ownerId", l.reference, l.name, other.number AS "otherAnswer", other.is_known IS TRUE AS "isKnown"
     FROM bank_answer_lines a
       JOIN bank_file_lines l ON l.subadmin_id = $1 AND l.file_id = a.file_id AND l.line_no = a.line_no
       LEFT JOIN LATERAL (
         SELECT max(b.number) AS number, bool_or(o.outcome = 'known') AS is_known
         FROM bank_answer_lines o JOIN bank_answers b ON b.subadmin_id = $1 AND b.id = o.answer_id
         WHERE o.subadmin_id = $1 AND o.file_id = a.file_id AND o.line_no = a.line_no AND o.answer_id <> a.answer_id
           AND ${notUndone('o')}
       ) AS other ON true
     WHERE a.subadmin_id = $1 AND a.answer_id = $2 AND ${notUndone('a')} ORDER BY a.answer_no`,
    [db.tenantId, answerId],
    'select-undoable-answers',
  );
  return rows;
}

export interface LineEvent {
  fileId: string;
  lineNo: number;
  eventNo: number;
  event: NewEvent['event'];
  utr: string;
  day: string | null;
  reason: string;
  source: string;
  /** false: it was undone, or an undo wrote it. What still counts of a line are its other events. */
  isStanding: boolean;
}

/** Returns every event of the lines of an answer, in their order. */
export async function selectEventsOf(db: TenantDb, answerId: string): Promise<LineEvent[]> {
  const { rows } = await db.query<LineEvent>(
    `SELECT e.file_id AS "fileId", e.line_no AS "lineNo", e.event_no AS "eventNo", e.event, e.utr, e.event_on::text AS day,
       e.reason, e.source, e.source <> 'undo' AND NOT EXISTS (
         SELECT FROM bank_answer_lines a
         WHERE a.subadmin_id = $1 AND a.file_id = e.file_id AND a.line_no = e.line_no AND a.event_no = e.event_no
           AND NOT ${notUndone('a')}) AS "isStanding"
     FROM bank_line_events e
     WHERE e.subadmin_id = $1 AND (e.file_id, e.line_no) IN (
       SELECT file_id, line_no FROM bank_answer_lines WHERE subadmin_id = $1 AND answer_id = $2)
     ORDER BY e.file_id, e.line_no, e.event_no`,
    [db.tenantId, answerId],
    'select-events-of-answer',
  );
  return rows;
}

export interface UnpaidChallan {
  challanId: string;
  fileId: string;
  lineNo: number;
  challanNumber: string;
  /** Whether the challan is unpaid and still as the answer left it. */
  isUntouched: boolean;
  holdReason: string;
  owner: { name: string; holdReason: string };
}

/** Locks the challans that an answer made unpaid, in the same order as a payment does. */
export async function lockUnpaid(db: TenantDb, answerId: string): Promise<UnpaidChallan[]> {
  const { rows } = await db.query<UnpaidChallan>(
    `SELECT a.challan_id AS "challanId", a.file_id AS "fileId", a.line_no AS "lineNo", c.challan_number AS "challanNumber",
       NOT c.payment_status AND c.deleted_at IS NULL AND c.version = a.version_after AS "isUntouched",
       c.hold_reason AS "holdReason", json_build_object('name', o.name, 'holdReason', o.hold_reason) AS owner
     FROM bank_answer_challans a JOIN challans c ON c.subadmin_id = $1 AND c.id = a.challan_id
       JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
     WHERE a.subadmin_id = $1 AND a.answer_id = $2 ORDER BY uuid_send(c.id) FOR UPDATE OF c`,
    [db.tenantId, answerId],
    'lock-unpaid-by-answer',
  );
  return rows;
}

/**
 * Returns the carries to which the failed and returned lines of an answer gave their deductions back, and whether a
 * carry is unchanged since. When the lines are paid again, they deduct these carries again.
 */
export async function selectRestored(
  db: TenantDb,
  answerId: string,
): Promise<{ carryId: string; fileId: string; lineNo: number; isUntouched: boolean }[]> {
  const { rows } = await db.query<{ carryId: string; fileId: string; lineNo: number; isUntouched: boolean }>(
    `SELECT DISTINCT k.carry_id AS "carryId", v.file_id AS "fileId", v.line_no AS "lineNo", NOT EXISTS (
       SELECT FROM carry_events later
       WHERE later.subadmin_id = $1 AND later.carry_id = k.carry_id AND later.event_no > k.event_no) AS "isUntouched"
     FROM bank_answers a
       JOIN bank_answer_challans c ON c.subadmin_id = $1 AND c.answer_id = a.id
       JOIN bank_lines_of_payments v ON v.subadmin_id = $1 AND v.file_id = c.file_id AND v.line_no = c.line_no
       JOIN carry_events k ON k.subadmin_id = $1 AND k.batch_id = v.batch_id AND k.owner_id = v.owner_id
         AND k.kind = 'restore' AND k.created_at = a.created_at
     WHERE a.subadmin_id = $1 AND a.id = $2`,
    [db.tenantId, answerId],
    'select-restored-by-answer',
  );
  return rows;
}

export async function insertUndos(
  db: TenantDb,
  caller: Caller,
  answerId: string,
  answerNos: readonly number[],
): Promise<void> {
  await db.query(
    `INSERT INTO bank_answer_undos (subadmin_id, answer_id, answer_no, created_by)
     SELECT $1, $2, no, $4 FROM unnest($3::int[]) AS no`,
    [db.tenantId, answerId, answerNos, caller.accountId],
    'insert-answer-undos',
  );
}

/** Links the lines to a further payment that they pay. */
export async function insertLinePayments(
  db: TenantDb,
  batchId: string,
  lines: readonly { fileId: string; lineNo: number; ownerId: string }[],
): Promise<void> {
  await db.query(
    `INSERT INTO bank_line_payments (subadmin_id, file_id, line_no, batch_id, owner_id)
     SELECT $1, r."fileId", r."lineNo", $2, r."ownerId"
     FROM jsonb_to_recordset($3::jsonb) AS r ("fileId" uuid, "lineNo" integer, "ownerId" uuid)`,
    [db.tenantId, batchId, JSON.stringify(lines)],
  );
}
