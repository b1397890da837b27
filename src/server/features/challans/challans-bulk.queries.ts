import type { BulkSelection } from '../../../shared/contract/challans-bulk.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import { challansOf } from './challans-filter.queries.ts';
import { storedRow, type StoredChallan } from './challans-many.queries.ts';
import { Parameters, type Bind } from '../../sql/statements.ts';

/**
 * The challans of a selection, at most `limit` of them, in the order in which every statement locks many challans
 * (server/features/payments/payments.queries.ts). With `isLocked` they are locked, and each is read as it is once its lock is held.
 */
export async function selectSelected(
  db: TenantDb,
  selection: BulkSelection,
  { limit, isLocked }: { limit: number; isLocked: boolean },
): Promise<StoredChallan[]> {
  const { values, bind } = new Parameters(db);
  const rows = await db.texts(
    `SELECT ${storedRow.columns} FROM challans AS c
     WHERE ${chosenConditions(selection, bind)}
     ORDER BY uuid_send(c.id) LIMIT ${bind(limit)}${isLocked ? ' FOR UPDATE OF c' : ''}`,
    values,
  );
  return rows.map((row) => storedRow.read(row));
}

/** Challans that are chosen by their ids, or by a filter without some of its challans. */
export type ChosenChallans =
  | { by: 'ids'; challanIds: readonly string[] }
  | { by: 'filter'; filters: ChallanFilter; excludeChallanIds: readonly string[] };

/** All challans of a filter. */
export const allOf = (filters: ChallanFilter): ChosenChallans => ({ by: 'filter', filters, excludeChallanIds: [] });

/** SQL: the conditions on challans `c`. They never match deleted challans or those of other tenants. */
export function chosenConditions(chosen: ChosenChallans, bind: Bind, tenant = '$1'): string {
  const ofTenant = `c.subadmin_id = ${tenant} AND c.deleted_at IS NULL`;
  if (chosen.by === 'ids') return `${ofTenant} AND c.id = ANY (${bind(chosen.challanIds)}::uuid[])`;
  const { filters, excludeChallanIds: excluded } = chosen;
  const { source, conditions } = challansOf(filters, bind, { tenant });
  const matching =
    source === 'challans AS c'
      ? conditions
      : `${ofTenant} AND c.id IN (SELECT c.id FROM ${source} WHERE ${conditions})`;
  return excluded.length === 0 ? matching : `${matching} AND c.id <> ALL (${bind(excluded)}::uuid[])`;
}
