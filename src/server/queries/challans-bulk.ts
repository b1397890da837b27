import type { SelectionOfMany } from '../../shared/contract/challans-bulk.ts';
import type { TenantDb } from '../db/tenant.ts';
import { challansOf, Parameters, type Bind } from './challans-filter.ts';
import { storedRow, type StoredChallan } from './challans-many.ts';

/**
 * The challans of a selection, at most `limit` of them, in the order in which every statement that locks many takes them
 * (queries/payments.ts). With a lock, each is read as it is when it has been locked.
 */
export async function selectSelected(
  db: TenantDb,
  selection: SelectionOfMany,
  { limit, isLocked }: { limit: number; isLocked: boolean },
): Promise<StoredChallan[]> {
  const { values, bind } = new Parameters(db);
  const rows = await db.texts(
    `SELECT ${storedRow.columns} FROM challans AS c
     WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND ${conditionsOf(selection, bind)}
     ORDER BY uuid_send(c.id) LIMIT ${bind(limit)}${isLocked ? ' FOR UPDATE OF c' : ''}`,
    values,
  );
  return rows.map((row) => storedRow.read(row));
}

function conditionsOf(selection: SelectionOfMany, bind: Bind): string {
  if (selection.by === 'ids') return `c.id = ANY (${bind(selection.challanIds)}::uuid[])`;
  const { filters, excludeChallanIds: excluded } = selection;
  const { source, conditions } = challansOf(filters, bind);
  const matching = source === 'challans AS c' ? conditions : `c.id IN (SELECT c.id FROM ${source} WHERE ${conditions})`;
  return excluded.length === 0 ? matching : `${matching} AND c.id <> ALL (${bind(excluded)}::uuid[])`;
}
