import type {
  PreparedAct,
  PreparedOwner,
  PreparedPayment,
  PreparedState,
} from '../../../shared/contract/prepared-payments.ts';
import { PREPARED_DAYS } from '../../../shared/contract/prepared-payments.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';
import { selectPage, type Page, type Paging } from '../../sql/paging.ts';
import { comparedWeeks } from './payment-preparation.queries.ts';

/** Runs a part of the transaction and takes back everything that it wrote; its result stays. */
export async function tryOut<T>(db: TenantDb, work: () => Promise<T>): Promise<T> {
  await db.query('SAVEPOINT tried', []);
  const result = await work();
  await db.query('ROLLBACK TO SAVEPOINT tried', []);
  return result;
}

/** What an act pays one owner, or takes back: what was reviewed, and what is compared with it at the release. */
export interface ReviewedOwner {
  ownerId: string;
  name: string;
  challanIds: string[];
  amount: string;
  /** How many of the challans have a TP No that another challan has too. */
  twins: number;
  /** A hash of the challans with their amounts, and of the account that the payment has. */
  fingerprint: string;
}

/** Returns what the present transaction has paid with a batch, or taken back of it. */
export const selectReviewed = (db: TenantDb, batchId: string, kind: 'pay' | 'reverse'): Promise<ReviewedOwner[]> =>
  db.records<ReviewedOwner>(
    // Added up in one pass: sums that are joined would be read again for each owner.
    `WITH moved AS (
       SELECT l.owner_id, l.amount, l.challan_id, EXISTS (SELECT FROM challans other
           WHERE other.subadmin_id = $1 AND other.tp_key = c.tp_key AND other.id <> c.id AND other.deleted_at IS NULL) AS is_twin
       FROM payment_lines l JOIN challans c ON c.subadmin_id = $1 AND c.id = l.challan_id
       WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.kind = $3 AND l.created_at = now()
       UNION ALL
       SELECT owner_id, CASE $3 WHEN 'pay' THEN amount ELSE -amount END, NULL, false FROM carry_events
       WHERE subadmin_id = $1 AND batch_id = $2 AND created_at = now()
     ), sums AS (
       SELECT owner_id, array_agg(challan_id::text ORDER BY challan_id) FILTER (WHERE challan_id IS NOT NULL) AS ids,
         round(sum(amount), 2) AS amount, (count(*) FILTER (WHERE is_twin))::int AS twins,
         string_agg(concat_ws(' ', challan_id, amount), ',' ORDER BY challan_id, amount) AS text
       FROM moved GROUP BY owner_id
     )
     SELECT sums.owner_id AS "ownerId", o.name, coalesce(sums.ids, '{}') AS "challanIds", sums.amount, sums.twins,
       md5(concat_ws(';', sums.text, paid.account_no, paid.ifsc, paid.name)) AS fingerprint
     FROM sums JOIN owners o ON o.subadmin_id = $1 AND o.id = sums.owner_id
       LEFT JOIN payment_batch_owners paid ON paid.subadmin_id = $1 AND paid.batch_id = $2 AND paid.owner_id = sums.owner_id
     ORDER BY o.name, o.id`,
    [db.tenantId, batchId, kind],
    'select-reviewed',
  );

export async function insertPrepared(
  db: TenantDb,
  caller: Caller,
  prepared: { number: string; act: PreparedAct; challans: number; amount: string; owners: readonly ReviewedOwner[] },
): Promise<string> {
  const { number, act, challans, amount, owners } = prepared;
  const { id } = await db.one<{ id: string }>(
    `WITH prepared AS (
       INSERT INTO prepared_payments (subadmin_id, number, act, challan_count, owner_count, amount, created_by, expires_at)
       VALUES ($1, $2, $3::jsonb, $4, $5, $6, $7, now() + interval '${PREPARED_DAYS} days') RETURNING id
     ), of_owners AS (
       INSERT INTO prepared_payment_owners (subadmin_id, prepared_id, owner_id, challan_ids, amount, twin_count, fingerprint)
       SELECT $1, prepared.id, o."ownerId", o."challanIds", o.amount, o.twins, o.fingerprint
       FROM prepared, jsonb_to_recordset($8::jsonb)
         AS o ("ownerId" uuid, "challanIds" uuid[], amount numeric, twins integer, fingerprint text)
     )
     SELECT id FROM prepared`,
    [
      db.tenantId,
      number,
      JSON.stringify(act),
      challans,
      owners.length,
      amount,
      caller.accountId,
      JSON.stringify(owners),
    ],
    'insert-prepared-payment',
  );
  return id;
}

const state = `CASE WHEN p.state = 'prepared' AND p.expires_at <= now() THEN 'expired' ELSE p.state END`;
const isOpen = `p.state = 'prepared' AND p.expires_at > now()`;

/** A prepared act as the API shows it, without what depends on who asks. */
export type StoredPrepared = Omit<PreparedPayment, 'isOwn' | 'cannotRelease' | 'unusual'> & {
  createdBy: string;
  /** What is transferred to owners, so that one below zero does not lower it. */
  transferred: string;
  /** What may be unusual about a payment that waits; null: it is another act, or does not wait. */
  facts: UnusualFacts | null;
};

/** What of a payment somebody looks at twice before releasing it (docs/specification.md §28.6). */
export interface UnusualFacts {
  /** The names of owners whose account was changed in the last 14 days, or is not confirmed. */
  changed: string[];
  /** How many owners were never paid before. */
  neverPaid: number;
  /** The largest payment of the business in the last twelve weeks; null: there was none. */
  largest: string | null;
  twins: number;
}

/** SQL: the account of the owner `w` of a prepared act was changed in the last 14 days, or is not confirmed. */
const isChanged = `w.owner_id IN (SELECT k.entity_id FROM account_changes k WHERE k.subadmin_id = $1
  AND (k.changed_at > now() - interval '14 days' OR k.confirmed_at IS NULL AND NOT k.was_alone))`;
const isNeverPaid = `NOT EXISTS (SELECT FROM payment_batch_owners b WHERE b.subadmin_id = $1 AND b.owner_id = w.owner_id)`;

/** SQL: the prepared act `p` is a payment that waits, so that somebody may look at what is unusual about it. */
const waits = `${isOpen} AND NOT p.act ? 'reverse'`;

/** SQL: the owners of the prepared act `p`, added up. One below zero does not lower what is transferred. */
const joinOwners = `CROSS JOIN LATERAL (
    SELECT coalesce(sum(greatest(w.amount, 0)), 0)::text AS transferred, sum(w.twin_count) AS twins,
      coalesce(array_agg(o.name ORDER BY o.name, o.id) FILTER (WHERE ${waits} AND ${isChanged}), '{}') AS changed,
      count(*) FILTER (WHERE ${waits} AND ${isNeverPaid}) AS never_paid,
      count(*) FILTER (WHERE w.is_left_out) AS left_out, (sum(w.amount) FILTER (WHERE w.is_left_out))::text AS left_out_amount
    FROM prepared_payment_owners w JOIN owners o ON o.subadmin_id = $1 AND o.id = w.owner_id
    WHERE w.subadmin_id = $1 AND w.prepared_id = p.id
  ) AS sums`;

/** SQL: `UnusualFacts` of the prepared act `p`. */
const facts = `CASE WHEN ${waits} THEN jsonb_build_object(
    'changed', sums.changed, 'neverPaid', sums.never_paid, 'twins', sums.twins,
    'largest', (SELECT max(total_amount)::text FROM payment_batches
      WHERE subadmin_id = $1 AND created_at >= now() - make_interval(weeks => ${comparedWeeks}))) END`;

const columns = `p.id, p.number, p.act ? 'reverse' AS "isReversal", p.challan_count AS "challanCount",
  p.owner_count AS "ownerCount", p.amount, ${actorName('author')} AS "preparedBy", p.created_at AS "createdAt",
  p.expires_at AS "expiresAt", ${state} AS state, p.reason,
  CASE WHEN decider.id IS NOT NULL THEN ${actorName('decider')} END AS "decidedBy", p.decided_at AS "decidedAt",
  CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'number', b.number) END AS payment,
  CASE WHEN sums.left_out > 0 THEN json_build_object('ownerCount', sums.left_out, 'amount', sums.left_out_amount) END AS "leftOut",
  p.created_by AS "createdBy", sums.transferred, ${facts} AS facts`;
const joins = `JOIN accounts author ON author.id = p.created_by LEFT JOIN accounts decider ON decider.id = p.decided_by
  LEFT JOIN payment_batches b ON b.subadmin_id = $1
    AND b.id = coalesce(p.batch_id, (p.act -> 'reverse' ->> 'id')::uuid)
  ${joinOwners}`;

export function selectPreparedPage(
  db: TenantDb,
  query: Paging & { show?: 'open' | 'done' | undefined },
): Promise<Page<StoredPrepared>> {
  const shown = { open: isOpen, done: `NOT (${isOpen})`, all: 'true' }[query.show ?? 'all'];
  const of = `prepared_payments p WHERE p.subadmin_id = $1 AND ${shown}`;
  return selectPage(
    db,
    query,
    of,
    `SELECT ${columns} FROM (SELECT * FROM ${of} ORDER BY p.created_at DESC, p.id DESC LIMIT $2 OFFSET $3) AS p ${joins}
     ORDER BY p.created_at DESC, p.id DESC`,
    [db.tenantId],
    `select-prepared-${query.show ?? 'all'}`,
  );
}

/** Returns who made what waits, and what it transfers; at most 200. */
export const selectOpenPrepared = (db: TenantDb): Promise<{ createdBy: string; amount: string }[]> =>
  db.records(
    `SELECT p.created_by AS "createdBy", sums.transferred AS amount FROM prepared_payments p ${joinOwners}
     WHERE p.subadmin_id = $1 AND ${isOpen} LIMIT 200`,
    [db.tenantId],
    'select-open-prepared',
  );

export async function selectPrepared(db: TenantDb, id: string): Promise<StoredPrepared | undefined> {
  const [row] = await db.records<StoredPrepared>(
    `SELECT ${columns} FROM prepared_payments p ${joins} WHERE p.subadmin_id = $1 AND p.id = $2`,
    [db.tenantId, id],
    'select-prepared-payment',
  );
  return row;
}

/** An owner of a prepared act, with what may be unusual about it while the act waits. */
export type StoredPreparedOwner = Omit<PreparedOwner, 'unusual'> & {
  isChanged: boolean;
  isNeverPaid: boolean;
  twins: number;
};

/** Returns a page of the owners of a prepared act: those with something unusual first, then by name. */
export const selectPreparedOwners = (db: TenantDb, id: string, paging: Paging): Promise<Page<StoredPreparedOwner>> =>
  selectPage(
    db,
    paging,
    'prepared_payment_owners w WHERE w.subadmin_id = $1 AND w.prepared_id = $2',
    `SELECT found.* FROM (
         SELECT w.owner_id AS "ownerId", o.name, w.challan_count AS "challanCount", w.amount, w.is_left_out AS "isLeftOut",
           waits AND ${isChanged} AS "isChanged", waits AND ${isNeverPaid} AS "isNeverPaid",
           CASE WHEN waits THEN w.twin_count ELSE 0 END AS twins
         FROM prepared_payment_owners w JOIN owners o ON o.subadmin_id = $1 AND o.id = w.owner_id
           JOIN (SELECT p.id, ${waits} AS waits FROM prepared_payments p WHERE p.subadmin_id = $1) AS p
             ON p.id = w.prepared_id
         WHERE w.subadmin_id = $1 AND w.prepared_id = $2
       ) AS found
       ORDER BY "isChanged" OR "isNeverPaid" OR twins > 0 DESC, name, "ownerId" LIMIT $3 OFFSET $4`,
    [db.tenantId, id],
    'select-prepared-owners',
  );

export interface LockedPrepared {
  number: string;
  act: PreparedAct;
  state: PreparedState;
  createdBy: string;
  owners: ReviewedOwner[];
}

/**
 * Locks a prepared act, so that of two who decide at once the second sees what the first did. Its owners have the challans that were
 * not deleted since.
 */
export async function lockPrepared(db: TenantDb, id: string): Promise<LockedPrepared | undefined> {
  const row = await db.first<Omit<LockedPrepared, 'owners'>>(
    `SELECT p.number, p.act, ${state} AS state, p.created_by AS "createdBy"
     FROM prepared_payments p WHERE p.subadmin_id = $1 AND p.id = $2 FOR UPDATE`,
    [db.tenantId, id],
    'lock-prepared-payment',
  );
  if (!row) return undefined;
  const owners = await db.records<ReviewedOwner>(
    `SELECT w.owner_id AS "ownerId", o.name, w.amount, w.twin_count AS twins, w.fingerprint, ARRAY(
         SELECT c.id FROM challans c WHERE c.subadmin_id = $1 AND c.id = ANY (w.challan_ids) AND c.deleted_at IS NULL) AS "challanIds"
     FROM prepared_payment_owners w JOIN owners o ON o.subadmin_id = $1 AND o.id = w.owner_id
     WHERE w.subadmin_id = $1 AND w.prepared_id = $2 ORDER BY o.name, o.id`,
    [db.tenantId, id],
    'select-prepared-reviewed',
  );
  return { ...row, owners };
}

export async function updateLeftOut(db: TenantDb, id: string, ownerIds: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE prepared_payment_owners SET is_left_out = true
     WHERE subadmin_id = $1 AND prepared_id = $2 AND owner_id = ANY ($3::uuid[])`,
    [db.tenantId, id, ownerIds],
    'update-left-out',
  );
}

export async function updateDecided(
  db: TenantDb,
  caller: Caller,
  id: string,
  decided: { state: 'released' | 'sent-back' | 'withdrawn'; reason?: string | undefined; batchId?: string | null },
): Promise<void> {
  await db.query(
    `UPDATE prepared_payments SET state = $3, reason = $4, batch_id = $5, decided_by = $6, decided_at = now()
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id, decided.state, decided.reason ?? '', decided.batchId ?? null, caller.accountId],
    'update-prepared-payment',
  );
}
