import type { AnswerItem, BankAnswer, BankLineAtBank } from '../../../shared/contract/bank-answers.ts';
import type { QueryOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import { bankLineFilters } from '../../../shared/filters/bank-line-filters.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { linesWithState, stateOf } from './bank-lines.queries.ts';
import { conditions } from '../../sql/filter-conditions.ts';
import { offsetOf, selectPage, type Page, type Paging } from '../../sql/paging.ts';
import { dayIn, isStillPaid } from '../payments/payments.queries.ts';
import { Parameters, type Bind } from '../../sql/statements.ts';
import { actorName } from '../../sql/actor.ts';

/** Lines that were sent to the bank, and the batches that accepted its answers (docs/specification.md §25). */

const today = dayIn('now()');

const lineColumns = `l.file_id || '-' || l.line_no AS id, l.file_id AS "fileId", l.line_no AS "lineNo", f.number AS "fileNumber", f.account_name AS "accountName",
  f.file_on::text AS "sentOn", ${today} - f.file_on AS days, l.batch_id AS "batchId", b.number AS "paymentNumber",
  l.owner_id AS "ownerId", l.name, l.account_no AS "accountNo", l.amount, l.route, l.reference, ${stateOf} AS state,
  coalesce(e.utr, '') AS utr, e.event_on::text AS "eventOn", coalesce(e.reason, '') AS reason,
  coalesce(e.source, '') AS source`;
const lineSource = `${linesWithState}
  JOIN bank_files f ON f.subadmin_id = $1 AND f.id = l.file_id
  JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id`;

const ageOf = `CASE WHEN ${today} - f.file_on <= 1 THEN '0-1' WHEN ${today} - f.file_on <= 3 THEN '2-3'
  WHEN ${today} - f.file_on <= 7 THEN '4-7' ELSE '8+' END`;

const sorts: Readonly<Record<QueryOf<typeof contract.bankAnswers.listLines>['sortBy'], string>> = {
  sentOn: 'f.file_on',
  amount: 'l.amount',
  name: 'lower(l.name)',
  reference: 'l.reference',
  state: stateOf,
};

const answered = { column: dayIn('e.created_at'), none: null, tenant: '$1' };

type LineFilter = QueryOf<typeof contract.bankAnswers.listLines>;

function lineConditions({ account, state, age, search, ...days }: LineFilter, bind: Bind): string {
  const holds = (columns: readonly string[], term: string): string =>
    `(${columns.map((column) => `strpos(lower(${column}), lower(${term})) > 0`).join(' OR ')})`;
  return [
    'l.subadmin_id = $1',
    ...(account === undefined ? [] : [`f.bank_account_id = ${bind(account)}`]),
    ...(state === 'all' ? [] : [`${stateOf} = ${bind(state ?? 'in-file')}`]),
    ...(age === undefined ? [] : [`${ageOf} = ${bind(age)}`]),
    ...(['answeredStartDate', 'answeredEndDate'] as const).flatMap((name) =>
      days[name] === undefined ? [] : [conditions[bankLineFilters[name].kind](days[name], { ...answered, bind })],
    ),
    ...(search === undefined
      ? []
      : [holds(['l.reference', 'l.name', 'l.account_no', 'e.utr', 'b.number', 'f.number'], bind(search))]),
  ].join(' AND ');
}

export async function selectLinesAtBank(db: TenantDb, filter: LineFilter) {
  const { values, bind } = new Parameters(db);
  const where = lineConditions(filter, bind);
  const order = filter.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const [page, counted] = await Promise.all([
    db.query<BankLineAtBank>(
      `SELECT ${lineColumns} FROM ${lineSource} WHERE ${where}
       ORDER BY ${sorts[filter.sortBy]} ${order}, f.number ${order}, l.line_no ${order}
       LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, filter.limit, offsetOf(filter)],
    ),
    db.query<{ lines: number; amount: string }>(
      `SELECT count(*)::int AS lines, round(coalesce(sum(l.amount), 0), 2) AS amount FROM ${lineSource} WHERE ${where}`,
      values,
    ),
  ]);
  // An aggregate without GROUP BY returns one row.
  return { lines: page.rows, totals: counted.rows[0]! };
}

/** A line in the form in which it is compared with answers and statements. */
export interface ComparedLine extends BankLineAtBank {
  /** Whether a withdrawal of a statement was accepted for it. */
  isBooked: boolean;
}

const isBooked = `EXISTS (
  SELECT FROM bank_answer_lines a JOIN bank_statement_lines s ON s.subadmin_id = $1 AND s.id = a.statement_line_id
  WHERE a.subadmin_id = $1 AND a.file_id = l.file_id AND a.line_no = l.line_no AND s.side = 'out' AND ${notUndone('a')})`;

/** SQL: a condition that the accepted line was not undone. */
export function notUndone(alias: string): string {
  return `NOT EXISTS (SELECT FROM bank_answer_undos u WHERE u.subadmin_id = $1 AND u.answer_id = ${alias}.answer_id
    AND u.answer_no = ${alias}.answer_no)`;
}

/**
 * Returns the lines that the bank may still say something about: without an answer, or sent in the last year. Of one
 * paying account, or of these payees' accounts (without leading zeros). Lines with one of these references (letters and
 * digits), or that were executed with one of these UTRs, are returned however old they are.
 */
export async function selectComparable(
  db: TenantDb,
  of:
    { bankAccountId: string } | { accounts: readonly string[]; references: readonly string[]; utrs: readonly string[] },
): Promise<ComparedLine[]> {
  const isRecent = `(${stateOf} = 'in-file' OR f.file_on > ${today} - 366)`;
  const [which, values] =
    'bankAccountId' in of
      ? [`f.bank_account_id = $2 AND ${isRecent}`, [of.bankAccountId]]
      : [
          `(ltrim(l.account_no, '0') = ANY ($2::text[]) AND ${isRecent} OR replace(l.reference, '-', '') = ANY ($3::text[])
            OR (l.file_id, l.line_no) IN (
              SELECT file_id, line_no FROM bank_line_events
              WHERE subadmin_id = $1 AND event = 'executed' AND utr <> '' AND utr = ANY ($4::text[])))`,
          [of.accounts, of.references, of.utrs],
        ];
  const { rows } = await db.query<ComparedLine>(
    `SELECT ${lineColumns}, ${isBooked} AS "isBooked" FROM ${lineSource}
     WHERE l.subadmin_id = $1 AND ${which} ORDER BY f.file_on, f.number, l.line_no`,
    [db.tenantId, ...values],
  );
  return rows;
}

type LineKey = Pick<AnswerItem, 'fileId' | 'lineNo'>;

const keysOf = (lines: readonly LineKey[]): [string[], number[]] => [
  lines.map(({ fileId }) => fileId),
  lines.map(({ lineNo }) => lineNo),
];

export const lineKey = ({ fileId, lineNo }: LineKey): string => `${fileId} ${lineNo}`;

/**
 * Returns the payments of these lines, and for each one by which payment, of none of these, challans of it are paid now;
 * null: by none.
 */
export async function selectPaymentsOfLines(
  db: TenantDb,
  lines: readonly LineKey[],
): Promise<(LineKey & { batchId: string; paidAgainBy: string | null })[]> {
  const { rows } = await db.query<LineKey & { batchId: string; paidAgainBy: string | null }>(
    `SELECT v.file_id AS "fileId", v.line_no AS "lineNo", v.batch_id AS "batchId", (
       SELECT min(b.number)
       FROM payment_lines p
         JOIN payment_lines again ON again.subadmin_id = $1 AND again.challan_id = p.challan_id AND again.kind = 'pay'
         JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = again.batch_id
       WHERE p.subadmin_id = $1 AND p.batch_id = v.batch_id AND p.owner_id = v.owner_id AND p.kind = 'pay'
         AND ${isStillPaid('again')} AND again.batch_id NOT IN (
           SELECT o.batch_id FROM bank_lines_of_payments o
           WHERE o.subadmin_id = $1 AND o.file_id = v.file_id AND o.line_no = v.line_no)
     ) AS "paidAgainBy"
     FROM bank_lines_of_payments v
     WHERE v.subadmin_id = $1 AND (v.file_id, v.line_no) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))`,
    [db.tenantId, ...keysOf(lines)],
  );
  return rows;
}

export interface StandingAnswer extends LineKey {
  /** The number of the act. */
  number: string;
  state: 'executed' | 'failed' | 'returned';
  utr: string;
  day: string | null;
}

/** Returns the answers of these lines that were not undone, in their order. */
export async function selectStandingAnswers(db: TenantDb, lines: readonly LineKey[]): Promise<StandingAnswer[]> {
  if (lines.length === 0) return [];
  const { rows } = await db.query<StandingAnswer>(
    `SELECT a.file_id AS "fileId", a.line_no AS "lineNo", b.number, e.event AS state, e.utr, e.event_on::text AS day
     FROM unnest($2::uuid[], $3::int[]) AS asked (file_id, line_no)
       JOIN bank_answer_lines a ON a.subadmin_id = $1 AND a.file_id = asked.file_id AND a.line_no = asked.line_no
       JOIN bank_answers b ON b.subadmin_id = $1 AND b.id = a.answer_id
       JOIN bank_line_events e
         ON e.subadmin_id = $1 AND e.file_id = a.file_id AND e.line_no = a.line_no AND e.event_no = a.event_no
     WHERE ${notUndone('a')} ORDER BY e.event_no`,
    [db.tenantId, ...keysOf(lines)],
    'select-standing-answers',
  );
  return rows;
}

export interface AnsweredLine extends BankLineAtBank {
  eventNo: number;
  bankAccountId: string;
}

export async function selectAnswered(db: TenantDb, lines: readonly LineKey[]): Promise<AnsweredLine[]> {
  const { rows } = await db.query<AnsweredLine>(
    `SELECT ${lineColumns}, coalesce(e.event_no, 0) AS "eventNo", f.bank_account_id AS "bankAccountId"
     FROM ${lineSource}
     WHERE l.subadmin_id = $1 AND (l.file_id, l.line_no) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))`,
    [db.tenantId, ...keysOf(lines)],
  );
  return rows;
}

/** Locks the challans that these lines still pay, in the same order as a payment does. */
export async function lockChallansOf(
  db: TenantDb,
  lines: readonly LineKey[],
): Promise<{ challanId: string; fileId: string; lineNo: number; version: number }[]> {
  const { rows } = await db.query<{ challanId: string; fileId: string; lineNo: number; version: number }>(
    `SELECT c.id AS "challanId", v.file_id AS "fileId", v.line_no AS "lineNo", c.version
     FROM bank_lines_of_payments v
       JOIN payment_lines p ON p.subadmin_id = $1 AND p.batch_id = v.batch_id AND p.owner_id = v.owner_id AND p.kind = 'pay'
       JOIN challans c ON c.subadmin_id = $1 AND c.id = p.challan_id AND c.pay_cycle = p.pay_cycle
     WHERE v.subadmin_id = $1 AND (v.file_id, v.line_no) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))
       AND c.payment_status AND c.deleted_at IS NULL
     ORDER BY uuid_send(c.id) FOR UPDATE OF c`,
    [db.tenantId, ...keysOf(lines)],
  );
  return rows;
}

export interface NewEvent extends LineKey {
  eventNo: number;
  event: 'executed' | 'failed' | 'returned' | 'reopened';
  utr: string;
  day: string | null;
  reason: string;
  source: string;
}

export async function insertEvents(db: TenantDb, caller: Caller, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db.query(
    `INSERT INTO bank_line_events
       (subadmin_id, file_id, line_no, event_no, event, utr, event_on, reason, source, created_by)
     SELECT $1, r."fileId", r."lineNo", r."eventNo", r.event, r.utr, r.day, r.reason, r.source, $3
     FROM jsonb_to_recordset($2::jsonb) AS r ("fileId" uuid, "lineNo" integer, "eventNo" integer, event text, utr text,
       day date, reason text, source text)`,
    [db.tenantId, JSON.stringify(events), caller.accountId],
  );
}

export interface AcceptedLine extends LineKey {
  outcome: AnswerItem['outcome'];
  eventNo: number | null;
  statementLineId: string | null;
}

export async function insertAnswer(
  db: TenantDb,
  caller: Caller,
  answer: { number: string; source: string; fileName: string; lines: readonly AcceptedLine[] },
): Promise<string> {
  const { id } = await db.one<{ id: string }>(
    `WITH answer AS (
       INSERT INTO bank_answers (subadmin_id, number, source, file_name, created_by) VALUES ($1, $3, $4, $5, $2) RETURNING id
     ), lines AS (
       INSERT INTO bank_answer_lines
         (subadmin_id, answer_id, answer_no, file_id, line_no, outcome, event_no, statement_line_id)
       SELECT $1, answer.id, r.no, r."fileId", r."lineNo", r.outcome, r."eventNo", r."statementLineId"
       FROM answer, ROWS FROM (jsonb_to_recordset($6::jsonb) AS ("fileId" uuid, "lineNo" integer, outcome text,
         "eventNo" integer, "statementLineId" uuid)) WITH ORDINALITY AS r ("fileId", "lineNo", outcome, "eventNo",
         "statementLineId", no)
     )
     SELECT id FROM answer`,
    [db.tenantId, caller.accountId, answer.number, answer.source, answer.fileName, JSON.stringify(answer.lines)],
  );
  return id;
}

/** Records the challans that the answer made unpaid, with their version afterwards. */
export async function insertAnswerChallans(
  db: TenantDb,
  answerId: string,
  challans: readonly { challanId: string; fileId: string; lineNo: number }[],
): Promise<void> {
  if (challans.length === 0) return;
  await db.query(
    `INSERT INTO bank_answer_challans (subadmin_id, answer_id, file_id, line_no, challan_id, version_after)
     SELECT $1, $2, r."fileId", r."lineNo", r."challanId", c.version
     FROM jsonb_to_recordset($3::jsonb) AS r ("fileId" uuid, "lineNo" integer, "challanId" uuid)
       JOIN challans c ON c.subadmin_id = $1 AND c.id = r."challanId"`,
    [db.tenantId, answerId, JSON.stringify(challans)],
  );
}

const selectAnswers = (answers: string): string => `
  SELECT a.id, a.number, a.source, a.file_name AS "fileName", a.created_at AS "createdAt", ${actorName('maker')} AS "createdBy",
    counted.*,
    (SELECT count(*)::int FROM bank_answer_undos u WHERE u.subadmin_id = $1 AND u.answer_id = a.id) AS "undoneCount",
    unpaid.*
  FROM (${answers}) AS a
    JOIN accounts maker ON maker.id = a.created_by
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS "lineCount", count(*) FILTER (WHERE outcome = 'executed')::int AS "executedCount",
        count(*) FILTER (WHERE outcome = 'failed')::int AS "failedCount",
        count(*) FILTER (WHERE outcome = 'returned')::int AS "returnedCount",
        count(*) FILTER (WHERE outcome = 'known')::int AS "knownCount"
      FROM bank_answer_lines l WHERE l.subadmin_id = $1 AND l.answer_id = a.id
    ) AS counted
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS "unpaidCount", round(coalesce(sum(p.amount), 0) - (
          SELECT coalesce(sum(k.amount), 0) FROM carry_events k
          WHERE k.subadmin_id = $1 AND k.created_at = a.created_at AND k.kind IN ('restore', 'cancel')
            AND (k.batch_id, k.owner_id) IN (
              SELECT v.batch_id, v.owner_id FROM bank_answer_lines l JOIN bank_lines_of_payments v
                ON v.subadmin_id = $1 AND v.file_id = l.file_id AND v.line_no = l.line_no
              WHERE l.subadmin_id = $1 AND l.answer_id = a.id)
        ), 2) AS "unpaidAmount"
      FROM bank_answer_challans c
        CROSS JOIN LATERAL (
          SELECT amount FROM payment_lines p
          WHERE p.subadmin_id = $1 AND p.challan_id = c.challan_id AND p.kind = 'reverse' AND p.created_at = a.created_at
          LIMIT 1
        ) AS p
      WHERE c.subadmin_id = $1 AND c.answer_id = a.id
    ) AS unpaid
  ORDER BY a.created_at DESC, a.id DESC`;

/** Returns a page of the accepted answers, the newest first. */
export const selectAnswerPage = (db: TenantDb, query: Paging): Promise<Page<BankAnswer>> =>
  selectPage(
    db,
    query,
    'bank_answers WHERE subadmin_id = $1',
    selectAnswers(
      'SELECT * FROM bank_answers WHERE subadmin_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3',
    ),
    [db.tenantId],
    'select-bank-answers',
  );

export async function selectAnswer(db: TenantDb, id: string): Promise<BankAnswer | null> {
  const [answer] = await db.records<BankAnswer>(
    selectAnswers('SELECT * FROM bank_answers WHERE subadmin_id = $1 AND id = $2'),
    [db.tenantId, id],
    'select-bank-answer',
  );
  return answer ?? null;
}
