import type { OpeningEntry, StatementLine, StatementPrint } from '../../../shared/contract/owner-statements.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { newestBankLine } from '../bank/bank-lines.queries.ts';
import { freight } from '../challans/challans-row.queries.ts';
import { offsetOf, selectPage, type Page, type Paging } from '../../sql/paging.ts';
import { dayIn } from '../payments/payments.queries.ts';
import { actorName } from '../../sql/actor.ts';

/** Statements of owners (docs/specification.md §26). */

export interface StatementOwner {
  id: string;
  name: string;
  contactNumber: string;
}

/** Returns an owner, including a deleted one, because its printed statements remain. */
export function selectStatementOwner(db: TenantDb, id: string): Promise<StatementOwner | undefined> {
  return db.first<StatementOwner>(
    `SELECT id, name, contact_number AS "contactNumber" FROM owners
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id],
    'select-statement-owner',
  );
}

/** SQL: the columns of `entries` that only challans have, for sources without them. */
const noTrip = "'', '', '', ''";
const noFigures = 'NULL, NULL, NULL, NULL, NULL, NULL';

/**
 * SQL: everything that a statement of the owner $2 consists of. Each source is one kind of line with its day, what it
 * adds (`payable`) and what it subtracts (`paid`). Within a day the order is: challans, then payments and their changes
 * in the order in which they were recorded, then the opening balance, which is that of the end of the day. To add a
 * kind of line, add a source here.
 */
const entries = `
  SELECT 'challan' AS kind, coalesce(c.deposited_on, ${dayIn('c.created_at')}) AS day, 0 AS place, c.created_at AS at,
    c.id AS "recordId", c.challan_number AS number, c.tp_no AS "tpNo", c.vehicle_no AS "vehicleNo",
    c.loading_place AS "loadingPlace", c.unloading_place AS "unloadingPlace",
    NULL::int AS "challanCount", '' AS utr, '' AS note,
    ${freight} AS freight, c.tds_amount AS tds,
    c.hsd_amount AS hsd, c.advance_money AS advance, c.office_charges AS office, c.material_shortage_amount AS shortage,
    c.net_amount_payable AS payable, NULL::numeric AS paid
  FROM challans c WHERE c.subadmin_id = $1 AND c.owner_id = $2 AND c.deleted_at IS NULL
  UNION ALL
  SELECT 'payment', b.paid_on, 1, b.created_at, b.id, b.number, ${noTrip}, p.challans,
    coalesce(CASE WHEN bank.state IN ('executed', 'returned') THEN bank.utr END, ''), '', ${noFigures}, NULL, p.amount
  FROM (
    SELECT batch_id, count(*)::int AS challans, sum(amount) AS amount FROM payment_lines
    WHERE subadmin_id = $1 AND owner_id = $2 AND kind = 'pay' GROUP BY batch_id
  ) AS p
    JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = p.batch_id
    LEFT JOIN LATERAL (${newestBankLine('p.batch_id', '$2')}) AS bank ON true
  UNION ALL
  SELECT 'reversal', ${dayIn('r.created_at')}, 1, r.created_at, b.id, b.number, ${noTrip}, r.challans, '', r.reason,
    ${noFigures}, NULL, -r.amount
  FROM (
    SELECT batch_id, created_at, reason, count(*)::int AS challans, sum(amount) AS amount FROM payment_lines
    WHERE subadmin_id = $1 AND owner_id = $2 AND kind = 'reverse' GROUP BY batch_id, created_at, reason
  ) AS r
    JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = r.batch_id
  UNION ALL
  -- The amount keeps its sign: it is what a payment did not pay out because it was carried or deducted, or what it paid
  -- more because a deduction was restored.
  SELECT 'carry', CASE WHEN k.kind IN ('carry', 'deduct') THEN b.paid_on ELSE ${dayIn('k.created_at')} END, 1, k.created_at,
    b.id, b.number, ${noTrip}, NULL, '', k.reason, ${noFigures}, NULL, k.amount
  FROM carry_events k JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = k.batch_id
  WHERE k.subadmin_id = $1 AND k.owner_id = $2
  UNION ALL
  SELECT CASE h.changes -> 'holdReason' ->> 1 WHEN '' THEN 'release' ELSE 'hold' END, ${dayIn('h.at')}, 1, h.at,
    c.id, coalesce(c.challan_number, ''), ${noTrip}, NULL, '', h.changes -> 'holdReason' ->> 1, ${noFigures}, NULL, NULL
  FROM history h
    LEFT JOIN challans c ON h.entity = 'challan' AND c.subadmin_id = $1 AND c.id = h.entity_id
  WHERE h.subadmin_id = $1 AND h.changes ? 'holdReason'
    AND (h.entity = 'owner' AND h.entity_id = $2
      OR h.entity = 'challan' AND c.owner_id = $2 AND c.deleted_at IS NULL)
  UNION ALL
  SELECT 'opening', o.as_of, 2, o.created_at, NULL, '', ${noTrip}, NULL, '', o.note, ${noFigures}, o.amount, NULL
  FROM (
    SELECT * FROM owner_opening_balances WHERE subadmin_id = $1 AND owner_id = $2 ORDER BY entry_no DESC LIMIT 1
  ) AS o WHERE o.amount <> 0`;

/** Without any line there is one row with only the opening balance and the number of lines. */
type EntryRow = Omit<StatementLine, 'id' | 'kind'> & {
  opening: string;
  line_count: number;
  kind: StatementLine['kind'] | null;
  place: number;
  at: string;
};

export interface StatementPeriod {
  /** null: the period begins with the first line. */
  startDate: string | null;
  endDate: string;
}

/**
 * Returns the lines of a period with the balance after each, and the balance before the first. One statement reads
 * everything, so all of it comes from one snapshot. More than `most` lines are counted but not returned.
 */
export async function selectStatementLines(
  db: TenantDb,
  ownerId: string,
  { startDate, endDate }: StatementPeriod,
  most: number,
): Promise<{ opening: string; count: number; lines: StatementLine[] }> {
  // Not a named statement, so that it is planned for this owner.
  const rows = await db.records<EntryRow>(
    `WITH entries AS MATERIALIZED (${entries}), totals AS (
       SELECT round(coalesce(sum(coalesce(payable, 0) - coalesce(paid, 0)) FILTER (WHERE day < $3::date), 0), 2) AS opening,
         (count(*) FILTER (WHERE day >= coalesce($3::date, '-infinity') AND day <= $4::date))::int AS line_count
       FROM entries
     )
     SELECT totals.opening, totals.line_count, line.*,
       round(totals.opening + coalesce(sum(coalesce(line.payable, 0) - coalesce(line.paid, 0)) OVER (
         ORDER BY line.day, line.place, line.at, line.kind, line.number, line."recordId", line.note
         ROWS UNBOUNDED PRECEDING), 0), 2) AS balance
     FROM totals LEFT JOIN LATERAL (
       SELECT * FROM entries
       WHERE totals.line_count <= $5 AND day >= coalesce($3::date, '-infinity') AND day <= $4::date
     ) AS line ON true
     ORDER BY line.day, line.place, line.at, line.kind, line.number, line."recordId", line.note`,
    [db.tenantId, ownerId, startDate, endDate, most],
  );
  return {
    opening: rows[0]?.opening ?? '0.00',
    count: rows[0]?.line_count ?? 0,
    // A print stores its lines as they are here.
    lines: rows.flatMap(({ opening: _opening, line_count: _count, place: _place, at: _at, kind, ...line }, index) =>
      kind === null ? [] : [{ id: String(index + 1), kind, ...line }],
    ),
  };
}

export type NewPrint = Omit<StatementPrint, 'id' | 'createdAt' | 'createdBy' | 'changedAt'> & {
  content: string;
  sha256: Buffer;
  at: Date;
};

export async function insertStatementPrint(db: TenantDb, caller: Caller, made: NewPrint): Promise<string> {
  const { id } = await db.one<{ id: string }>(
    `INSERT INTO owner_statements (subadmin_id, number, owner_id, owner_name, start_on, end_on, opening, closing, line_count,
       content, sha256, created_at, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     RETURNING id`,
    [
      db.tenantId,
      made.number,
      made.ownerId,
      made.ownerName,
      made.startDate,
      made.endDate,
      made.opening,
      made.closing,
      made.lineCount,
      made.content,
      made.sha256,
      made.at,
      caller.accountId,
    ],
    'insert-statement-print',
  );
  return id;
}

const printColumns = `s.id, s.number, s.owner_id AS "ownerId", s.owner_name AS "ownerName", s.start_on AS "startDate",
  s.end_on AS "endDate", s.opening, s.closing, s.line_count AS "lineCount", s.created_at AS "createdAt",
  ${actorName('a')} AS "createdBy",
  (SELECT max(c.written_at) FROM period_lock_changes c
   WHERE c.subadmin_id = $1 AND c.written_at > s.created_at AND c.day <= s.end_on
     AND (c.owner_id = s.owner_id OR c.record = 'payment' AND EXISTS (SELECT FROM payment_batch_owners o
       WHERE o.subadmin_id = $1 AND o.batch_id = c.record_id AND o.owner_id = s.owner_id))) AS "changedAt"`;

/** Returns the newest print of an owner and period, by the hash of what it says. */
export function selectLastPrint(
  db: TenantDb,
  ownerId: string,
  { startDate, endDate }: StatementPeriod,
): Promise<{ id: string; sha256: Buffer } | undefined> {
  return db.first<{ id: string; sha256: Buffer }>(
    `SELECT id, sha256 FROM owner_statements
     WHERE subadmin_id = $1 AND owner_id = $2 AND start_on IS NOT DISTINCT FROM $3::date AND end_on = $4::date
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    [db.tenantId, ownerId, startDate, endDate],
    'select-last-statement-print',
  );
}

export async function selectStatementPrints(
  db: TenantDb,
  ownerId: string,
  paging: Paging,
): Promise<{ data: StatementPrint[]; count: number }> {
  const rows = await db.records<Omit<StatementPrint, 'id'> & { count: number; id: string | null }>(
    `SELECT (SELECT count(*)::int FROM owner_statements WHERE subadmin_id = $1 AND owner_id = $2) AS count, page.*
     FROM (VALUES (true)) AS always LEFT JOIN (
       SELECT ${printColumns} FROM owner_statements s JOIN accounts a ON a.id = s.created_by
       WHERE s.subadmin_id = $1 AND s.owner_id = $2
       ORDER BY s.created_at DESC, s.id DESC LIMIT $3 OFFSET $4
     ) AS page ON true
     ORDER BY page."createdAt" DESC, page.id DESC`,
    [db.tenantId, ownerId, paging.limit, offsetOf(paging)],
    'select-statement-prints',
  );
  return {
    count: rows[0]?.count ?? 0,
    data: rows.flatMap(({ id, ...print }) => (id === null ? [] : [{ id, ...print }])),
  };
}

/** Returns a print with the stored content from which its files are written. */
export async function selectStatementPrint(
  db: TenantDb,
  id: string,
): Promise<{ print: StatementPrint; content: string; sha256: Buffer } | undefined> {
  const [found] = await db.records<StatementPrint & { content: string; sha256: Buffer }>(
    `SELECT ${printColumns}, s.content, s.sha256
     FROM owner_statements s JOIN accounts a ON a.id = s.created_by
     WHERE s.subadmin_id = $1 AND s.id = $2`,
    [db.tenantId, id],
    'select-statement-print',
  );
  if (!found) return undefined;
  const { content, sha256, ...print } = found;
  return { print, content, sha256 };
}

export interface NewOpening {
  ownerId: string;
  asOf: string;
  amount: string;
  note: string;
}

/**
 * Locks the owners and returns how many exist. They are locked in the order of their ids, so that two calls for the
 * same owners wait for each other and do not deadlock.
 */
export async function lockStatementOwners(db: TenantDb, ownerIds: readonly string[]): Promise<number> {
  const { rowCount } = await db.query(
    `SELECT FROM owners WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL
     ORDER BY uuid_send(id) FOR NO KEY UPDATE`,
    [db.tenantId, ownerIds],
    'lock-statement-owners',
  );
  return rowCount;
}

/** Adds entries for owners that are locked and each given once. Returns by owner id the number of its new entry. */
export async function insertOpenings(
  db: TenantDb,
  caller: Caller,
  openings: readonly NewOpening[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ ownerId: string; entryNo: number }>(
    `INSERT INTO owner_opening_balances (subadmin_id, owner_id, entry_no, as_of, amount, note, created_by)
     SELECT $1, n.owner_id, 1 + coalesce(
         (SELECT max(entry_no) FROM owner_opening_balances o WHERE o.subadmin_id = $1 AND o.owner_id = n.owner_id), 0),
       n.as_of, n.amount, n.note, $2
     FROM unnest($3::uuid[], $4::date[], $5::numeric[], $6::text[]) AS n (owner_id, as_of, amount, note)
     RETURNING owner_id AS "ownerId", entry_no AS "entryNo"`,
    [
      db.tenantId,
      caller.accountId,
      openings.map(({ ownerId }) => ownerId),
      openings.map(({ asOf }) => asOf),
      openings.map(({ amount }) => amount),
      openings.map(({ note }) => note),
    ],
    'insert-owner-openings',
  );
  return new Map(rows.map(({ ownerId, entryNo }) => [ownerId, entryNo]));
}

/**
 * SQL: what each owner's statement says up to the end of a day: the sums of the same lines as `entries`, which a test compares.
 * `day` is a parameter. It reads all challans up to that day.
 */
export const balancesOn = (day: string): string => `
  SELECT owner_id, sum(payable) AS payable, sum(paid) AS paid FROM (
    SELECT owner_id, net_amount_payable AS payable, 0 AS paid FROM challans
    WHERE subadmin_id = $1 AND deleted_at IS NULL AND coalesce(deposited_on, ${dayIn('created_at')}) <= ${day}::date
    UNION ALL
    SELECT l.owner_id, 0, CASE l.kind WHEN 'pay' THEN l.amount ELSE -l.amount END
    FROM payment_lines l JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
    WHERE l.subadmin_id = $1 AND CASE l.kind WHEN 'pay' THEN b.paid_on ELSE ${dayIn('l.created_at')} END <= ${day}::date
    UNION ALL
    SELECT k.owner_id, 0, k.amount
    FROM carry_events k JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = k.batch_id
    WHERE k.subadmin_id = $1
      AND CASE WHEN k.kind IN ('carry', 'deduct') THEN b.paid_on ELSE ${dayIn('k.created_at')} END <= ${day}::date
    UNION ALL
    SELECT owner_id, amount, 0 FROM (
      SELECT DISTINCT ON (owner_id) owner_id, amount, as_of FROM owner_opening_balances
      WHERE subadmin_id = $1 ORDER BY owner_id, entry_no DESC) AS opening
    WHERE as_of <= ${day}::date
  ) AS lines GROUP BY owner_id`;

/** SQL: what each owner was owed apart from the challans, by its last entry. */
export const openingByOwner = `SELECT DISTINCT ON (owner_id) owner_id, amount FROM owner_opening_balances
  WHERE subadmin_id = $1 ORDER BY owner_id, entry_no DESC`;

/** The last entry of an owner, which is the one that counts. */
export type LastOpening = NewOpening & { entryNo: number };

export async function selectLastOpenings(db: TenantDb, ownerIds: readonly string[]): Promise<Map<string, LastOpening>> {
  // Not a named statement, so that it is planned for these owners.
  const { rows } = await db.query<LastOpening>(
    `SELECT DISTINCT ON (owner_id) owner_id AS "ownerId", entry_no AS "entryNo", as_of::text AS "asOf",
       amount::text AS amount, note
     FROM owner_opening_balances WHERE subadmin_id = $1 AND owner_id = ANY ($2::uuid[])
     ORDER BY owner_id, entry_no DESC`,
    [db.tenantId, ownerIds],
  );
  return new Map(rows.map((row) => [row.ownerId, row]));
}

export const selectOpenings = (db: TenantDb, ownerId: string, paging: Paging): Promise<Page<OpeningEntry>> =>
  selectPage(
    db,
    paging,
    'owner_opening_balances WHERE subadmin_id = $1 AND owner_id = $2',
    `SELECT o.entry_no AS "entryNo", o.as_of AS "asOf", o.amount, o.note, o.created_at AS "createdAt", ${actorName('a')} AS "createdBy"
     FROM owner_opening_balances o JOIN accounts a ON a.id = o.created_by
     WHERE o.subadmin_id = $1 AND o.owner_id = $2 ORDER BY o.entry_no DESC LIMIT $3 OFFSET $4`,
    [db.tenantId, ownerId],
    'select-owner-openings',
  );
