import type { TenantDb } from '../db/tenant.ts';
import { tableOf, type RecordTable, type RowOf, type Stored } from './records.ts';

/** One import of an account at a time, so that the second sees what the first imported. */
export async function lockImporting(db: TenantDb): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(hashtextextended('import:' || $1, 0))`, [db.tenantId]);
}

/** By what the records of a file are found: SQL over the record's row `r`. */
export const importKeys = {
  panNo: 'r.pan_no',
  accountNo: 'r.account_no',
  truckNumber: 'r.truck_key',
} as const;

/** The records with one of these values, the oldest first; deleted ones not. */
export async function selectByKey<R extends Stored>(
  db: TenantDb,
  table: Pick<RecordTable<R, never, string>, 'record' | 'columns' | 'toRecord'>,
  key: keyof typeof importKeys,
  values: readonly string[],
): Promise<R[]> {
  if (values.length === 0) return [];
  // Without a name: it is planned for the values it is given.
  const { rows } = await db.query<RowOf<R>>(
    `SELECT ${table.columns} FROM ${tableOf(table.record)} r
     WHERE r.subadmin_id = $1 AND r.deleted_at IS NULL AND ${importKeys[key]} = ANY ($2::text[])
     ORDER BY r.created_at, r.id`,
    [db.tenantId, [...new Set(values)]],
  );
  return rows.map((row) => table.toRecord(row));
}

/** The newest import of the same file that was not undone. */
export async function selectImportOf(
  db: TenantDb,
  kind: string,
  sha256: string,
): Promise<{ id: string; number: string; createdAt: string } | null> {
  const { rows } = await db.query<{ id: string; number: string; createdAt: Date }>(
    `SELECT id, number, created_at AS "createdAt" FROM batches
     WHERE subadmin_id = $1 AND kind = 'import' AND undone_at IS NULL
       AND facts @> jsonb_build_object('kind', $2::text, 'sha256', $3::text)
     ORDER BY created_at DESC LIMIT 1`,
    [db.tenantId, kind, sha256],
    'select-import-of',
  );
  const row = rows[0];
  return row ? { ...row, createdAt: row.createdAt.toISOString() } : null;
}
