import type { OwnerToWrite } from '../../../shared/contract/payment-batches.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { newestBankLine } from '../bank/bank-lines.queries.ts';
import { carriesOf } from './carries.queries.ts';
import { isStillPaid } from './payments.queries.ts';
import { actorName } from '../../sql/actor.ts';

/** SQL: the 'pay' lines `p` of a payment that were not reversed. */
const stillPaid = `payment_lines p
  WHERE p.subadmin_id = $1 AND p.batch_id = $2 AND p.kind = 'pay' AND ${isStillPaid('p')}`;

/**
 * Returns the owners that a payment still pays, by name, with the messages that were sent to them
 * (docs/specification.md §10.9).
 */
export const selectOwnersToWrite = (db: TenantDb, batchId: string): Promise<OwnerToWrite[]> =>
  db.records(
    `WITH paid AS MATERIALIZED (
       SELECT p.owner_id, count(*)::int AS challans,
         round(sum(p.amount) + ${carriesOf('now', '$2', 'p.owner_id')}, 2) AS amount
       FROM ${stillPaid} GROUP BY p.owner_id
     ), sent AS (
       SELECT DISTINCT ON (m.owner_id) m.owner_id, m.created_at, m.created_by, count(*) OVER (PARTITION BY m.owner_id)::int AS times
       FROM payment_messages m WHERE m.subadmin_id = $1 AND m.batch_id = $2
       ORDER BY m.owner_id, m.created_at DESC
     )
     SELECT paid.owner_id AS "ownerId", o.name, o.contact_number AS "contactNumber", o.language,
       paid.challans AS "challanCount", paid.amount,
       CASE WHEN newest.state = 'executed' THEN newest.utr ELSE '' END AS utr,
       sent.created_at AS "sentAt", ${actorName('sender')} AS "sentBy", coalesce(sent.times, 0) AS "sentCount"
     FROM paid
       JOIN owners o ON o.subadmin_id = $1 AND o.id = paid.owner_id
       LEFT JOIN LATERAL (${newestBankLine('$2', 'paid.owner_id')}) AS newest ON true
       LEFT JOIN sent ON sent.owner_id = paid.owner_id
       LEFT JOIN accounts sender ON sender.id = sent.created_by
     ORDER BY lower(o.name), paid.owner_id`,
    [db.tenantId, batchId],
    'select-owners-to-write',
  );

/** Returns the ids of the owner's challans that the payment still pays, and of those that are unpaid. */
export async function selectPaidAndOpen(db: TenantDb, batchId: string, ownerId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT p.challan_id AS id FROM ${stillPaid} AND p.owner_id = $3
     UNION ALL
     SELECT c.id FROM challans c
     WHERE c.subadmin_id = $1 AND c.owner_id = $3 AND c.deleted_at IS NULL AND NOT c.payment_status`,
    [db.tenantId, batchId, ownerId],
  );
  return rows.map(({ id }) => id);
}

export async function insertPaymentMessage(
  db: TenantDb,
  caller: Caller,
  { batchId, ownerId, reportId }: { batchId: string; ownerId: string; reportId: string },
): Promise<void> {
  await db.query(
    `INSERT INTO payment_messages (subadmin_id, batch_id, owner_id, report_id, created_by) VALUES ($1, $2, $3, $4, $5)`,
    [db.tenantId, batchId, ownerId, reportId, caller.accountId],
  );
}
