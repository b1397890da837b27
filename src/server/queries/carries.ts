import type { PaymentCarry } from '../../shared/contract/payment-batches.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { isStillPaid, type Reversed } from './payments.ts';
import { againWhenTaken } from './unique.ts';

/** What an owner owes, carried into its next payment (docs/specification.md §10.10). */

/** SQL: what waits for the next payment of each owner. */
export const carriedByOwner = `SELECT k.owner_id, sum(k.amount) AS amount FROM open_carries k WHERE k.subadmin_id = $1 GROUP BY k.owner_id`;

/**
 * SQL: what carries add to what a payment pays, or take off it: as it was made, or what was taken back of that since. Without
 * an owner it is of all its owners.
 */
export const carriesOf = (which: 'made' | 'back' | 'now', batchId: string, ownerId?: string): string =>
  `(SELECT coalesce(sum(k.amount), 0) FROM carry_events k WHERE k.subadmin_id = $1 AND k.batch_id = ${batchId}${
    ownerId === undefined ? '' : ` AND k.owner_id = ${ownerId}`
  }${which === 'now' ? '' : ` AND k.kind IN (${which === 'made' ? "'carry', 'deduct'" : "'restore', 'cancel'"})`})`;

/** What waits for the next payment of these owners. */
export async function selectCarriedByOwner(db: TenantDb, ownerIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ owner_id: string; amount: string }>(
    `SELECT owner_id, round(amount, 2) AS amount FROM (${carriedByOwner}) AS carried
     WHERE owner_id = ANY ($2::uuid[])`,
    [db.tenantId, ownerIds],
    'select-carried-by-owner',
  );
  return new Map(rows.map((row) => [row.owner_id, row.amount]));
}

/** A carry with a part in a payment of an owner that this transaction has taken challans back from. */
export interface TouchedCarry {
  carryId: string;
  /** Its last event: 'deduct' where a payment has used it. */
  kind: 'carry' | 'deduct' | 'restore' | 'cancel';
  eventNo: number;
  amount: string;
  ownerId: string;
  ownerName: string;
  batchId: string;
  number: string;
  /** The payment that carried it, and the one that the last event belongs to. */
  madeIn: string;
  lastIn: string;
  lastNumber: string;
  /** What the payment still pays the owner: challans, and their sum with all that its carries come to. */
  challansLeft: number;
  amountLeft: string;
}

/**
 * SQL: payments and owners of what this transaction has just reversed, where a carry has a part in them. A payment gets its
 * carries when it is made, so that none can be added meanwhile.
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
 * Of two that take back challans of one owner and payment, the second must see what the first left: it waits, and reads
 * afterwards.
 */
export async function lockTouchedCarries(db: TenantDb, what: Reversed): Promise<TouchedCarry[]> {
  const [touched, value] = touchedBy(what);
  const { rowCount } = await db.query(`${touched} LIMIT 1`, [db.tenantId, value]);
  if (rowCount === 0) return [];
  await db.query(`SELECT pg_advisory_xact_lock(hashtextextended('carries:' || $1, 0))`, [db.tenantId]);
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

/** Of two events of one carry at once the second one's transaction is run again. */
export async function insertCarryEvents(
  db: TenantDb,
  caller: Caller,
  events: readonly CarryEvent[],
  reason: string,
): Promise<void> {
  await againWhenTaken(
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
 * What was carried or deducted for these owners of a payment, or for all of them, each with the payment at its other end and
 * whether it was taken back.
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

/** The challans that a payment settled by carrying, where the carry was not taken back. */
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

/** What carries come to in what these payments still pay an owner, and how many challans each still pays of it. */
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
