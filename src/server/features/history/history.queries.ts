import type { HistoryRecord } from '../../../shared/contract/history.ts';
import type { Caller } from '../../caller.ts';
import type { GlobalDb, TenantDb } from '../../db/tenant.ts';

/** The API's field → [before, after]. */
export type Changes = Record<string, readonly [unknown, unknown]>;

/** Returns the fields whose value differs; an empty object when nothing changed. */
export function changesBetween<T extends object>(before: T, after: T, fields: readonly (keyof T & string)[]): Changes {
  const changes: Record<string, readonly [unknown, unknown]> = {};
  for (const field of fields) {
    if (before[field] !== after[field]) changes[field] = [before[field], after[field]];
  }
  return changes;
}

export interface HistoryLine {
  /** 'subadmin' is the business's own account, changed from within the business. */
  entity: HistoryRecord;
  entityId: string;
  action: string;
  changes?: Changes;
}

/** Adds one line of history, in the transaction of the change itself. */
export const insertHistory = (db: TenantDb, caller: Caller, line: HistoryLine): Promise<void> =>
  insertHistoryLines(db, caller, [line]);

/** Adds many lines of history in their order. `batchId` is the batch to which they belong. */
export async function insertHistoryLines(
  db: TenantDb,
  caller: Caller,
  lines: readonly HistoryLine[],
  batchId: string | null = null,
): Promise<void> {
  if (lines.length === 0) return;
  await db.query(
    `INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, screen, changes, batch_id)
     SELECT $1, entity, entity_id, action, $2, $3, changes::jsonb, $8
     FROM unnest($4::text[], $5::uuid[], $6::text[], $7::text[]) WITH ORDINALITY
       AS line (entity, entity_id, action, changes, line_no)
     ORDER BY line_no`,
    [
      db.tenantId,
      caller.accountId,
      caller.screen,
      lines.map(({ entity }) => entity),
      lines.map(({ entityId }) => entityId),
      lines.map(({ action }) => action),
      lines.map(({ changes = {} }) => JSON.stringify(changes)),
      batchId,
    ],
    'insert-history',
  );
}

/**
 * Adds a line to the history of a sub-admin account for a change from outside its business. It is stored with the
 * account.
 */
export async function insertAccountHistory(
  db: GlobalDb,
  caller: Pick<Caller, 'accountId' | 'screen'>,
  line: { accountId: string; action: string; changes?: Changes },
): Promise<void> {
  await db.query('SELECT record_account_change($1, $2, $3, $4, $5)', [
    line.accountId,
    caller.accountId,
    line.action,
    caller.screen,
    JSON.stringify(line.changes ?? {}),
  ]);
}
