import type { PaymentCarry } from '../../../shared/contract/payment-batches.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { isStillPaid, type Reversed } from './payments.queries.ts';
import { retryWhenTaken, takeTurns } from '../../sql/conflicts.ts';

/** Carries: what an owner owes, carried into its next payment (docs/specification.md §10.10). */

/** SQL: the amount by owner that waits for the owner's next payment. */
export const carriedByOwner = `SELECT k.owner_id, sum(k.amount) AS amount FROM open_carries k WHERE k.subadmin_id = $1 GROUP BY k.owner_id`;

/**
 * SQL: the sum of the carries of a payment: as the payment was made ('made'), what was undone since ('back'), or both
 * ('now'). Without `ownerId` it covers all owners of the payment.
 */
export const carriesOf = (which: 'made' | 'back' | 'now', batchId: string, ownerId?: string): string =>
  `(SELECT coalesce(sum(k.amount), 0) FROM carry_events k WHERE k.subadmin_id = $1 AND k.batch_id = ${batchId}${
    ownerId === undefined ? '' : ` AND k.owner_id = ${ownerId}`
  }${which === 'now' ? '' : ` AND k.kind IN (${which === 'made' ? "'carry', 'deduct'" : "'restore', 'cancel'"})`})`;

/** Returns the amounts that wait for the next payment of these owners. */
export async function selectCarriedByOwner(db: TenantDb, ownerIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ owner_id: string; amount: string }>(
    `SELECT owner_id, round(amount, 2) AS amount FROM (${carriedByOwner}) AS carried
     WHERE owner_id = ANY ($2::uuid[])`,
    [db.tenantId, ownerIds],
    'select-carried-by-owner',
  );
  return new Map(rows.map((row) => [row.owner_id, row.amount]));
}

/** A carry that is part of a payment of an owner some of whose challans this transaction has just reversed. */
export interface TouchedCarry {
  carryId: string;
  /** The kind of its last event; 'deduct' when a payment has used it. */
  kind: 'carry' | 'deduct' | 'restore' | 'cancel';
  eventNo: number;
  amount: string;
  ownerId: string;
  ownerName: string;
  batchId: string;
  number: string;
  /** The payment that created the carry, and the payment of its last event. */
  madeIn: string;
  lastIn: string;
  lastNumber: string;
  /** What the payment still pays the owner: the number of challans, and their sum together with the carries. */
  challansLeft: number;
  amountLeft: string;
}

/**
 * SQL: the payments and owners that this transaction has just reversed and that have a carry. A payment gets its
 * carries when it is made, so none can be added in the meantime.
 */
function touchedBy(what: Reversed): [sql: string, value: unknown] {
  const [which, value] =
    'batchId' in what ? ['r.batch_id = $2', what.batchId] : ['r.challan_id = ANY ($2::uuid[])', what.challanIds];
  const sql = `SELECT DISTINCT r.batch_id, r.owner_id FROM payment_lines r
    WHERE r.subadmin_id = $1 AND ${which} AND r.kind = 'reverse' AND r.created_at = now() AND EXISTS (
      SELECT FROM carry_events k
      WHERE k.subadmin_id = $1 AND k.batch_id = r.batch_id AND k.owner_id = r.owner_id)`;
  return [sql, value];
}

/**
 * Locks and reads the carries that this transaction's reversals affect. When two transactions reverse challans of the
 * same owner and payment, the second waits here and then reads what the first left.
 */
export async function lockTouchedCarries(db: TenantDb, what: Reversed): Promise<TouchedCarry[]> {
  const [touched, value] = touchedBy(what);
  const { rowCount } = await db.query(`${touched} LIMIT 1`, [db.tenantId, value]);
  if (rowCount === 0) return [];
  await takeTurns(db, 'carries');
  const { rows } = await db.query<TouchedCarry>(
    `WITH touched AS MATERIALIZED (${touched}), rest AS (
       SELECT t.batch_id, t.owner_id, count(l.challan_id)::int AS challans, coalesce(sum(l.amount), 0) AS amount
       FROM touched t LEFT JOIN payment_lines l ON l.subadmin_id = $1 AND l.batch_id = t.batch_id
         AND l.owner_id = t.owner_id AND l.kind = 'pay' AND ${isStillPaid('l')}
       GROUP BY t.batch_id, t.owner_id
     ), carries AS (
       SELECT DISTINCT t.batch_id, t.owner_id, k.carry_id
       FROM touched t JOIN carry_events k ON k.subadmin_id = $1 AND k.batch_id = t.batch_id AND k.owner_id = t.owner_id
     )
     SELECT carries.carry_id AS "carryId", last.kind, last.event_no AS "eventNo", abs(last.amount) AS amount,
       carries.owner_id AS "ownerId", o.name AS "ownerName", carries.batch_id AS "batchId", b.number,
       made.batch_id AS "madeIn", last.batch_id AS "lastIn", used.number AS "lastNumber", rest.challans AS "challansLeft",
       round(rest.amount + ${carriesOf('now', 'carries.batch_id', 'carries.owner_id')}, 2) AS "amountLeft"
     FROM carries JOIN rest USING (batch_id, owner_id)
       JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = carries.batch_id
       JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = carries.batch_id AND o.owner_id = carries.owner_id
       JOIN carry_events made ON made.subadmin_id = $1 AND made.carry_id = carries.carry_id AND made.event_no = 1
       CROSS JOIN LATERAL (
         SELECT * FROM carry_events k WHERE k.subadmin_id = $1 AND k.carry_id = carries.carry_id
         ORDER BY k.event_no DESC LIMIT 1
       ) AS last
       JOIN payment_batches used ON used.subadmin_id = $1 AND used.id = last.batch_id
     ORDER BY b.number, lower(o.name), carries.carry_id`,
    [db.tenantId, value],
  );
  return rows;
}

export interface CarryEvent {
  carryId: string;
  eventNo: number;
  kind: 'restore' | 'cancel';
  batchId: string;
  ownerId: string;
  amount: string;
}

/** Adds events to carries. When two transactions add an event to the same carry, the second one is retried. */
export async function insertCarryEvents(
  db: TenantDb,
  caller: Caller,
  events: readonly CarryEvent[],
  reason: string,
): Promise<void> {
  await retryWhenTaken(
    db.query(
      `INSERT INTO carry_events
         (subadmin_id, carry_id, event_no, kind, batch_id, owner_id, amount, reason, screen, created_by)
       SELECT $1, r."carryId", r."eventNo", r.kind, r."batchId", r."ownerId", r.amount, $3, $4, $5
       FROM jsonb_to_recordset($2::jsonb) AS r ("carryId" uuid, "eventNo" integer, kind text, "batchId" uuid,
         "ownerId" uuid, amount numeric)`,
      [db.tenantId, JSON.stringify(events), reason.slice(0, 500), caller.screen, caller.accountId],
    ),
  );
}

/**
 * Returns what was carried or deducted for these owners of a payment, or for all of them, each with the other payment
 * of the carry and whether it was undone.
 */
export async function selectPaymentCarries(
  db: TenantDb,
  batchId: string,
  ownerIds: readonly string[] | null,
): Promise<Map<string, PaymentCarry[]>> {
  const { rows } = await db.query<PaymentCarry & { ownerId: string }>(
    `SELECT k.owner_id AS "ownerId", k.kind, k.amount, other.number AS "otherNumber", other.id AS "otherId",
       EXISTS (SELECT FROM carry_events back WHERE back.subadmin_id = $1 AND back.carry_id = k.carry_id
         AND CASE k.kind WHEN 'carry' THEN back.kind = 'cancel' ELSE back.event_no = k.event_no + 1 END) AS "isBack"
     FROM carry_events k
       LEFT JOIN LATERAL (
         SELECT b.id, b.number FROM carry_events e JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = e.batch_id
         WHERE e.subadmin_id = $1 AND e.carry_id = k.carry_id AND CASE k.kind WHEN 'deduct' THEN e.event_no = 1
           ELSE e.kind = 'deduct' AND e.event_no = (SELECT max(l.event_no) FROM carry_events l
             WHERE l.subadmin_id = $1 AND l.carry_id = k.carry_id) END
       ) AS other ON true
     WHERE k.subadmin_id = $1 AND k.batch_id = $2 AND ($3::uuid[] IS NULL OR k.owner_id = ANY ($3))
       AND k.kind IN ('carry', 'deduct')
     ORDER BY k.kind DESC, other.number`,
    [db.tenantId, batchId, ownerIds],
    'select-payment-carries',
  );
  const byOwner = new Map<string, PaymentCarry[]>();
  for (const { ownerId, ...carry } of rows) byOwner.set(ownerId, [...(byOwner.get(ownerId) ?? []), carry]);
  return byOwner;
}

/** Returns the challans that a payment settled by carrying, when the carry was not cancelled. */
export async function selectCarriedChallans(db: TenantDb, batchId: string, ownerId: string): Promise<string[]> {
  const { rows } = await db.query<{ challan_id: string }>(
    `SELECT l.challan_id FROM payment_lines l
     WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.owner_id = $3 AND l.kind = 'pay'
       AND ${isStillPaid('l')}
       AND EXISTS (SELECT FROM carry_events k
         WHERE k.subadmin_id = $1 AND k.batch_id = $2 AND k.owner_id = $3 AND k.kind = 'carry')
       AND NOT EXISTS (SELECT FROM carry_events k
         WHERE k.subadmin_id = $1 AND k.batch_id = $2 AND k.owner_id = $3 AND k.kind = 'cancel')`,
    [db.tenantId, batchId, ownerId],
    'select-carried-challans',
  );
  return rows.map((row) => row.challan_id);
}

/** Returns by payment the sum of the carries in what it still pays the owner, and how many challans it still pays. */
export async function selectCarriedByPayment(
  db: TenantDb,
  ownerId: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, { carried: string; challans: number }>> {
  const { rows } = await db.query<{ number: string; carried: string; challans: number }>(
    `SELECT b.number, round(k.amount, 2) AS carried, (
         SELECT coalesce(sum(s.challans), 0)::int FROM payment_sums s
         WHERE s.subadmin_id = $1 AND s.owner_id = $2 AND s.batch_id = b.id) AS challans
     FROM (
         SELECT batch_id, sum(amount) AS amount FROM carry_events
         WHERE subadmin_id = $1 AND owner_id = $2 GROUP BY batch_id HAVING sum(amount) <> 0
       ) AS k JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = k.batch_id
     WHERE b.number = ANY ($3::text[])`,
    [db.tenantId, ownerId, numbers],
    'select-carried-by-payment',
  );
  return new Map(rows.map(({ number, ...its }) => [number, its]));
}
