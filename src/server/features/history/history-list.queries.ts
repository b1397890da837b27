import { historyRecords, type HistoryPeople, type HistoryRecord } from '../../../shared/contract/history.ts';
import type { GlobalDb, TenantDb } from '../../db/tenant.ts';
import { integerOffsetOf, offsetOf, type Paging } from '../../sql/paging.ts';
import { tableOf } from '../master-data/records.queries.ts';
import { actorName } from '../../sql/actor.ts';

/** The records that have a History tab. Deleted records keep their history, so nothing here checks deleted_at. */
export type TenantEntity = Exclude<HistoryRecord, 'subadmin'>;

export interface HistoryRow {
  id: string;
  at: string;
  /** The name or email of the person, 'admin', or '' for another business. */
  actor: string;
  screen: string;
  /** The action as it was recorded; 'pay' and 'reverse' for a line of the ledger. */
  action: string;
  changes: Record<string, [unknown, unknown]>;
  /** The number of the batch that wrote the record, or whose undo did; null otherwise. */
  batch: string | null;
  /** The payment of a line of the ledger; null otherwise. */
  payment: { id: string; number: string; amount: string; reason: string } | null;
}

/** The entities of a business: all except the account itself. */
export const tenantEntities = historyRecords.filter((name): name is TenantEntity => name !== 'subadmin');

/** Whether the record is, or was, one of this account. */
export async function isRecord(db: TenantDb, entity: TenantEntity, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM ${tableOf(entity)} WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id],
    `is-record-${entity}`,
  );
  return rowCount === 1;
}

const recorded = `SELECT h.id::text AS id, h.at, h.at AS written_at, h.actor_id, h.screen, h.action, h.changes,
    NULL::uuid AS payment_id, NULL::text AS payment_number, NULL::numeric AS amount, '' AS reason, h.batch_id
  FROM history h WHERE h.subadmin_id = $1 AND h.entity = $2 AND h.entity_id = $3`;

/**
 * SQL: the ledger is the history of payments (migration 006). A line shows the time of its payment, but is listed in
 * the order in which it was written, between the earlier and later changes of the challan.
 */
const paid = `SELECT l.pay_cycle || '-' || l.kind, l.created_at, l.recorded_at, l.created_by,
    CASE l.kind WHEN 'pay' THEN b.screen ELSE l.screen END, l.kind, '{}'::jsonb,
    l.batch_id, b.number, l.amount, l.reason, NULL::uuid
  FROM payment_lines l JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
  WHERE l.subadmin_id = $1 AND l.challan_id = $3`;

const linesOf = (entity: HistoryRecord): string => (entity === 'challan' ? `${recorded} UNION ALL ${paid}` : recorded);

/**
 * Returns a page of a record's history, the newest first. Which other business copied an owner is not shown
 * (docs/specification.md §6.5).
 */
export async function selectHistory(
  db: TenantDb,
  entity: HistoryRecord,
  id: string,
  query: Paging & { personId?: string | undefined },
): Promise<{ rows: HistoryRow[]; totalCount: number; people: HistoryPeople }> {
  const lines = linesOf(entity);
  const values = [db.tenantId, entity, id, query.personId ?? null];
  const isBy = '($4::uuid IS NULL OR lines.actor_id = $4)';
  const [rows, counted] = await Promise.all([
    db.records<HistoryRow>(
      `WITH lines AS (${lines})
       SELECT lines.id, lines.at, lines.screen, lines.action, lines.changes,
         CASE WHEN a.role = 'admin' THEN 'admin' WHEN $1 IN (a.id, a.business_id) THEN ${actorName('a')} ELSE '' END AS actor,
         (SELECT b.number FROM batches b WHERE b.subadmin_id = $1 AND b.id = lines.batch_id) AS batch,
         CASE WHEN lines.payment_id IS NOT NULL THEN jsonb_build_object(
           'id', lines.payment_id, 'number', lines.payment_number, 'amount', lines.amount::text, 'reason', lines.reason)
         END AS payment
       FROM lines JOIN accounts a ON a.id = lines.actor_id
       WHERE ${isBy}
       ORDER BY lines.written_at DESC, lines.id DESC LIMIT $5 OFFSET $6`,
      [...values, query.limit, offsetOf(query)],
      `select-history-${entity}`,
    ),
    db.query<{ count: number; people: HistoryPeople }>(
      `SELECT count(*) FILTER (WHERE ${isBy})::int AS count,
         coalesce(jsonb_agg(DISTINCT jsonb_build_object('id', a.id, 'name', ${actorName('a')}))
           FILTER (WHERE $1 IN (a.id, a.business_id)), '[]') AS people
       FROM (${lines}) AS lines JOIN accounts a ON a.id = lines.actor_id`,
      values,
      `count-history-${entity}`,
    ),
  ]);
  // An aggregate returns one row.
  const { count, people } = counted.rows[0]!;
  return { rows, totalCount: count, people };
}

/** Whether the id is, or was, a sub-admin account. */
export async function isSubadmin(db: GlobalDb, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM accounts WHERE id = $1 AND role = 'subadmin'`,
    [id],
    'is-record-subadmin',
  );
  return rowCount === 1;
}

/**
 * Returns a page of the changes of an account itself, through the one database function that bypasses row-level
 * security for it.
 */
export async function selectAccountHistory(
  db: GlobalDb,
  id: string,
  query: Paging,
): Promise<{ rows: HistoryRow[]; totalCount: number }> {
  const [rows, counted] = await Promise.all([
    db.records<HistoryRow>(
      `SELECT id::text AS id, at, actor, screen, action, changes, NULL AS batch, NULL AS payment FROM account_history($1, $2, $3)`,
      [id, query.limit, integerOffsetOf(query)],
      'select-account-history',
    ),
    db.query<{ count: number }>('SELECT count_account_history($1) AS count', [id], 'count-account-history'),
  ]);
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}
