import type { TenantDb } from '../db/tenant.ts';

/** What master data has in common: a record is found by its id while it lives, and deleted softly. */
export type RecordTable = 'owners' | 'trucks' | 'tags' | 'petrol_pumps';

/**
 * One living record, as `columns` has it: the table's one select list, for the prepared statements are named by the table
 * alone. With a lock it is held until the transaction ends, also against the FOR KEY SHARE of a challan that is about to
 * name it.
 */
export async function selectRecord<Row extends object>(
  db: TenantDb,
  table: RecordTable,
  columns: string,
  id: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Row | null> {
  const { rows } = await db.query<Row>(
    `SELECT ${columns} FROM ${table} WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL ${lock}`,
    [db.tenantId, id],
    `${lock === '' ? 'select' : 'lock'}-record-${table}`,
  );
  return rows[0] ?? null;
}

/** Hides the record; challans that name it keep it (ruling 12). The caller holds its lock. */
export async function removeRecord(db: TenantDb, table: RecordTable, id: string): Promise<void> {
  await db.query(
    `UPDATE ${table} SET deleted_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id],
    `remove-record-${table}`,
  );
}

export type NamedTable = Exclude<RecordTable, 'trucks'>;

/** The names of records, deleted ones too, by their ids; others' and unknown ids have none. */
export async function selectNames(
  db: TenantDb,
  table: NamedTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; name: string }>(
    `SELECT id, name FROM ${table} WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])`,
    [db.tenantId, ids],
    `select-names-${table}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
