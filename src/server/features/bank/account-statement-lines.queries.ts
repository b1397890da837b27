import type { AccountLine } from '../../../shared/contract/bank-answers.ts';
import type { StatementLine } from '../../../shared/bank-answers/account-statement.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { notUndone } from './bank-answers.queries.ts';
import { actorName } from '../../sql/actor.ts';
import { selectPage, type Page, type Paging } from '../../sql/paging.ts';

/** The lines of an account's statements, as they were imported. */

/** Returns the number of an account, including a hidden one; null for another tenant's account. */
export async function selectAccountNo(db: TenantDb, id: string): Promise<string | null> {
  const row = await db.first<{ accountNo: string }>(
    'SELECT account_no AS "accountNo" FROM bank_accounts WHERE subadmin_id = $1 AND id = $2',
    [db.tenantId, id],
    'select-bank-account-number',
  );
  return row?.accountNo ?? null;
}

/** Stores a statement without the lines whose key exists already. Returns how many lines were new. */
export async function insertStatement(
  db: TenantDb,
  caller: Caller,
  statement: { bankAccountId: string; fileName: string; lines: readonly (StatementLine & { rowKey: string })[] },
): Promise<number> {
  const { bankAccountId, fileName, lines } = statement;
  const rows = lines.map((line) => ({
    row: line.row,
    key: line.rowKey,
    day: line.day,
    value: line.valueDay || null,
    narration: line.narration.slice(0, 2_000),
    reference: line.reference.slice(0, 200),
    side: line.side,
    amount: line.amount,
    balance: line.balance || null,
  }));
  const { rows: answer } = await db.query<{ added: number }>(
    `WITH given AS MATERIALIZED (
       SELECT r.*, decode(r.key, 'hex') AS row_key
       FROM jsonb_to_recordset($5::jsonb) AS r (row integer, key text, day date, value date, narration text, reference text,
         side text, amount numeric, balance numeric)
     ), fresh AS MATERIALIZED (
       SELECT * FROM given WHERE NOT EXISTS (
         SELECT FROM bank_statement_lines s
         WHERE s.subadmin_id = $1 AND s.bank_account_id = $3 AND s.row_key = given.row_key)
     ), import AS (
       INSERT INTO bank_statement_imports (subadmin_id, bank_account_id, file_name, line_count, new_count, created_by)
       SELECT $1, $3, $4, (SELECT count(*) FROM given), (SELECT count(*) FROM fresh), $2
       RETURNING id
     ), added AS (
       INSERT INTO bank_statement_lines (subadmin_id, bank_account_id, import_id, row_no, row_key, day, value_on, narration,
         reference, side, amount, balance)
       SELECT $1, $3, import.id, row, row_key, day, value, narration, reference, side, amount, balance FROM fresh, import
       RETURNING 1
     )
     SELECT count(*)::int AS added FROM added`,
    [db.tenantId, caller.accountId, bankAccountId, fileName, JSON.stringify(rows)],
  );
  return answer[0]?.added ?? 0;
}

const columns = `s.id, s.day::text AS day, s.narration, s.reference, s.side, s.amount, s.balance`;
const isAccepted = `EXISTS (SELECT FROM bank_answer_lines a
  WHERE a.subadmin_id = $1 AND a.statement_line_id = s.id AND ${notUndone('a')})`;
/** SQL: joins the last note of a line as `n`. */
const lastNote = `LEFT JOIN LATERAL (
    SELECT note_no, is_aside, note, created_at, created_by FROM bank_statement_notes
    WHERE subadmin_id = $1 AND line_id = s.id ORDER BY note_no DESC LIMIT 1
  ) AS n ON true`;

/** Returns the lines that are neither accepted nor set aside, the oldest first. */
export async function selectOpenStatementLines(db: TenantDb, bankAccountId: string): Promise<AccountLine[]> {
  const { rows } = await db.query<AccountLine>(
    `SELECT ${columns} FROM bank_statement_lines s ${lastNote}
     WHERE s.subadmin_id = $1 AND s.bank_account_id = $2 AND n.is_aside IS NOT TRUE AND NOT ${isAccepted}
     ORDER BY s.day, s.row_no, s.id`,
    [db.tenantId, bankAccountId],
  );
  return rows;
}

/** Returns how many of these lines there are up to a day, over all accounts, and their sum. */
export function sumOpenStatementLines(db: TenantDb, to: string): Promise<{ count: number; amount: string }> {
  return db.one<{ count: number; amount: string }>(
    `SELECT count(*)::int AS count, round(coalesce(sum(s.amount), 0), 2) AS amount FROM bank_statement_lines s ${lastNote}
     WHERE s.subadmin_id = $1 AND s.day <= $2::date AND n.is_aside IS NOT TRUE AND NOT ${isAccepted}`,
    [db.tenantId, to],
    'sum-open-statement-lines',
  );
}

export interface StatementLineState extends AccountLine {
  bankAccountId: string;
  isAccepted: boolean;
  isAside: boolean;
  noteNo: number;
}

export async function selectStatementLines(db: TenantDb, ids: readonly string[]): Promise<StatementLineState[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<StatementLineState>(
    `SELECT ${columns}, s.bank_account_id AS "bankAccountId", ${isAccepted} AS "isAccepted",
       n.is_aside IS TRUE AS "isAside", coalesce(n.note_no, 0) AS "noteNo"
     FROM bank_statement_lines s ${lastNote}
     WHERE s.subadmin_id = $1 AND s.id = ANY ($2::uuid[])`,
    [db.tenantId, ids],
  );
  return rows;
}

export async function insertNotes(
  db: TenantDb,
  caller: Caller,
  lines: readonly { id: string; noteNo: number }[],
  { isAside, note }: { isAside: boolean; note: string },
): Promise<void> {
  await db.query(
    `INSERT INTO bank_statement_notes (subadmin_id, line_id, note_no, is_aside, note, created_by)
     SELECT $1, line_id, note_no + 1, $5, $6, $2 FROM unnest($3::uuid[], $4::int[]) AS r (line_id, note_no)`,
    [db.tenantId, caller.accountId, lines.map(({ id }) => id), lines.map(({ noteNo }) => noteNo), isAside, note],
  );
}

type AsideLine = AccountLine & { note: string; setAsideAt: string; setAsideBy: string };

/** Returns a page of the lines that were set aside, the newest first. */
export function selectSetAside(db: TenantDb, query: { bankAccountId: string } & Paging): Promise<Page<AsideLine>> {
  const source = `bank_statement_lines s ${lastNote} WHERE s.subadmin_id = $1 AND s.bank_account_id = $2 AND n.is_aside`;
  return selectPage(
    db,
    query,
    source,
    `SELECT ${columns}, n.note, n.created_at AS "setAsideAt",
         (SELECT ${actorName('a')} FROM accounts a WHERE a.id = n.created_by) AS "setAsideBy"
       FROM ${source} ORDER BY s.day DESC, s.row_no DESC, s.id LIMIT $3 OFFSET $4`,
    [db.tenantId, query.bankAccountId],
  );
}
