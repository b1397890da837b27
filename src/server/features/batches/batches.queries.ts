import {
  batchRecords,
  type Batch,
  type BatchKind,
  type BatchLine,
  type BatchRecord,
} from '../../../shared/contract/batches.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { nameOfRecord } from '../master-data/records.queries.ts';
import { offsetOf, selectPage, type Page, type Paging } from '../../sql/paging.ts';
import { actorName } from '../../sql/actor.ts';

/** A record that a batch wrote. */
export interface WrittenRecord {
  record: BatchRecord;
  id: string;
  versionAfter: number;
  /** null when the batch created the record; otherwise the earlier stored values, by their names in the API. */
  before: Readonly<Record<string, unknown>> | null;
}

const selectBatches = (batches: string): string => `
  SELECT b.id, b.kind, b.number, b.title, b.amount, b.line_count AS "lineCount", b.created_at AS "createdAt",
    ${actorName('maker')} AS "createdBy", b.undone_at AS "undoneAt", ${actorName('undoer')} AS "undoneBy", b.undone_count AS "undoneCount",
    b.facts
  FROM (${batches}) AS b
    JOIN accounts maker ON maker.id = b.created_by
    LEFT JOIN accounts undoer ON undoer.id = b.undone_by
  ORDER BY b.created_at DESC, b.id DESC`;

/** Returns a page of the batches, the newest first. */
export function selectBatchPage(db: TenantDb, query: Paging & { kind?: BatchKind | undefined }): Promise<Page<Batch>> {
  const those = 'batches WHERE subadmin_id = $1 AND ($2::text IS NULL OR kind = $2)';
  return selectPage(
    db,
    query,
    those,
    selectBatches(`SELECT * FROM ${those} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`),
    [db.tenantId, query.kind ?? null],
    'select-batches',
  );
}

export async function selectBatch(db: TenantDb, id: string): Promise<Batch | null> {
  const [batch] = await db.records<Batch>(
    selectBatches('SELECT * FROM batches WHERE subadmin_id = $1 AND id = $2'),
    [db.tenantId, id],
    'select-batch',
  );
  return batch ?? null;
}

/**
 * Reads a batch and locks it until the transaction ends. When two calls undo it at once, the second sees what the first
 * did.
 */
export async function lockBatch(db: TenantDb, id: string): Promise<Batch | null> {
  const locked = db.query(
    'SELECT FROM batches WHERE subadmin_id = $1 AND id = $2 FOR UPDATE',
    [db.tenantId, id],
    'lock-batch',
  );
  const [, batch] = await Promise.all([locked, selectBatch(db, id)]);
  return batch;
}

/** SQL: the name of the record of the line `l`. An owner may have several declarations, so its day is added. */
const nameOf = (record: BatchRecord): string => {
  const name = nameOfRecord(record === 'opening-balance' ? 'owner' : record, 'l.record_id');
  if (record !== 'declaration') return name;
  return `${name} || ', ' ||
    (SELECT to_char(r.received_on, 'DD/MM/YYYY') FROM declarations r WHERE r.subadmin_id = $1 AND r.id = l.record_id)`;
};
const names = batchRecords.map((record) => `WHEN '${record}' THEN ${nameOf(record)}`);

/** Returns a page of a batch's records with their current names, in the order in which the batch wrote them. */
export async function selectBatchLines(db: TenantDb, batchId: string, paging: Paging): Promise<BatchLine[]> {
  const { rows } = await db.query<BatchLine>(
    `SELECT l.record, l.record_id AS id, l.before IS NULL AS "isCreated", CASE l.record ${names.join(' ')} END AS name
     FROM batch_lines l
     WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.line_no > $3::bigint AND l.line_no <= $3 + $4
     ORDER BY l.line_no`,
    // Lines are numbered from 1 without a gap.
    [db.tenantId, batchId, offsetOf(paging), paging.limit],
    'select-batch-lines',
  );
  return rows;
}

/** SQL: how many later batches changed the record of the line `l` and were undone for it. */
const undoneLater = `SELECT count(*) FROM history h
  JOIN batch_lines later ON later.subadmin_id = $1 AND later.batch_id = h.batch_id AND later.record = l.record
    AND later.record_id = l.record_id
  WHERE h.subadmin_id = $1 AND h.entity = l.record AND h.entity_id = l.record_id AND h.action IN ('set back', 'restored')
    AND later.version_after > l.version_after`;
/** SQL: the same of an opening balance, which has no history but its entries. Its version is the number of the entry. */
const undoneLaterOpenings = `SELECT count(*) FROM batch_lines later
  JOIN batches b ON b.subadmin_id = $1 AND b.id = later.batch_id
  JOIN owner_opening_balances e ON e.subadmin_id = $1 AND e.owner_id = later.record_id AND e.entry_no = later.version_after + 1
    AND e.created_at >= b.undone_at AND e.created_by = b.undone_by
  WHERE later.subadmin_id = $1 AND later.record = 'opening-balance' AND later.record_id = l.record_id
    AND later.version_after > l.version_after`;

/**
 * Returns everything that a batch wrote, in its order. `versionAfter` is the version at which a record counts as not changed
 * since: a later batch that was undone adds two to the version, one for its change and one for setting it back.
 */
export async function selectWritten(db: TenantDb, batchId: string): Promise<WrittenRecord[]> {
  const { rows } = await db.query<WrittenRecord>(
    `SELECT l.record, l.record_id AS id, l.before, (l.version_after
       + 2 * CASE WHEN l.record = 'opening-balance' THEN (${undoneLaterOpenings}) ELSE (${undoneLater}) END)::int AS "versionAfter"
     FROM batch_lines l WHERE l.subadmin_id = $1 AND l.batch_id = $2 ORDER BY l.line_no`,
    [db.tenantId, batchId],
    'select-written',
  );
  return rows;
}

export interface NewBatch {
  kind: BatchKind;
  title: string;
  amount: string;
  lines: readonly WrittenRecord[];
  facts?: Readonly<Record<string, string>>;
}

export async function insertBatch(db: TenantDb, caller: Caller, number: string, batch: NewBatch): Promise<string> {
  const { kind, title, amount, lines, facts = {} } = batch;
  const { id } = await db.one<{ id: string }>(
    `WITH batch AS (
       INSERT INTO batches (subadmin_id, kind, number, title, amount, line_count, created_by, facts)
       VALUES ($1, $3, $4, $5, $6, cardinality($8::text[]), $2, $7)
       RETURNING id
     ), lines AS (
       INSERT INTO batch_lines (subadmin_id, batch_id, line_no, record, record_id, version_after, before)
       SELECT $1, batch.id, line_no, record, record_id, version_after, before::jsonb
       FROM batch, unnest($8::text[], $9::uuid[], $10::int[], $11::text[]) WITH ORDINALITY
         AS line (record, record_id, version_after, before, line_no)
     )
     SELECT id FROM batch`,
    [
      db.tenantId,
      caller.accountId,
      kind,
      number,
      title,
      amount,
      JSON.stringify(facts),
      lines.map(({ record }) => record),
      lines.map(({ id }) => id),
      lines.map(({ versionAfter }) => versionAfter),
      lines.map(({ before }) => before && JSON.stringify(before)),
    ],
  );
  return id;
}

export async function updateUndone(db: TenantDb, caller: Caller, id: string, count: number): Promise<void> {
  await db.query(
    `UPDATE batches SET undone_at = now(), undone_by = $3, undone_count = $4 WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id, caller.accountId, count],
    'update-batch-undone',
  );
}
