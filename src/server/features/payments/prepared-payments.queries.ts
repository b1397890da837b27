import type { PreparedAct, PreparedPayment, PreparedState } from '../../../shared/contract/prepared-payments.ts';
import { PREPARED_DAYS } from '../../../shared/contract/prepared-payments.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';
import { offsetOf } from '../../sql/paging.ts';
import { comparedWeeks } from './payment-preparation.queries.ts';
import { countRows } from '../../sql/statements.ts';

/** Runs a part of the transaction and takes back everything that it wrote; its result stays. */
export async function tryOut<T>(db: TenantDb, work: () => Promise<T>): Promise<T> {
  await db.query('SAVEPOINT tried', []);
  const result = await work();
  await db.query('ROLLBACK TO SAVEPOINT tried', []);
  return result;
}

/** What an act pays or takes back: what was reviewed, and what is compared with it at the release. */
export interface Reviewed {
  challans: number;
  owners: number;
  amount: string;
  /** What is transferred to owners, so that one below zero does not lower it. */
  transferred: string;
  /** A hash of the challans with their amounts, and of the accounts of the owners. */
  fingerprint: string;
  ownerIds: string[];
  /** How many of the challans have a TP No that another challan has too. */
  twins: number;
}

/** Returns what the present transaction has paid with a batch, or taken back of it. */
export async function selectReviewed(db: TenantDb, batchId: string, kind: 'pay' | 'reverse'): Promise<Reviewed> {
  const { rows } = await db.query<Reviewed>(
    `WITH lines AS (
       SELECT challan_id, owner_id, amount FROM payment_lines
       WHERE subadmin_id = $1 AND batch_id = $2 AND kind = $3 AND created_at = now()
     ), moved AS (
       SELECT owner_id, amount FROM lines
       UNION ALL
       SELECT owner_id, CASE $3 WHEN 'pay' THEN amount ELSE -amount END FROM carry_events
       WHERE subadmin_id = $1 AND batch_id = $2 AND created_at = now()
     ), owners_of AS (
       SELECT m.owner_id, sum(m.amount) AS amount, min(concat_ws(' ', o.account_no, o.ifsc, o.name)) AS account
       FROM moved m JOIN owners o ON o.subadmin_id = $1 AND o.id = m.owner_id GROUP BY m.owner_id
     )
     SELECT (SELECT count(*)::int FROM lines) AS challans, count(*)::int AS owners,
       round(coalesce(sum(amount), 0), 2) AS amount, round(coalesce(sum(greatest(amount, 0)), 0), 2) AS transferred,
       coalesce(array_agg(owner_id::text ORDER BY owner_id), '{}') AS "ownerIds",
       (SELECT count(*)::int FROM lines JOIN challans c ON c.subadmin_id = $1 AND c.id = lines.challan_id
        WHERE EXISTS (SELECT FROM challans other
          WHERE other.subadmin_id = $1 AND other.tp_key = c.tp_key AND other.id <> c.id AND other.deleted_at IS NULL)) AS twins,
       md5(concat((SELECT string_agg(concat_ws(' ', challan_id, amount), ',' ORDER BY challan_id) FROM lines), ';',
         string_agg(concat_ws(' ', owner_id, amount, account), ',' ORDER BY owner_id))) AS fingerprint
     FROM owners_of`,
    [db.tenantId, batchId, kind],
    'select-reviewed',
  );
  const [row] = rows;
  if (!row) throw new Error('Sums are always one row');
  return row;
}

export async function insertPrepared(
  db: TenantDb,
  caller: Caller,
  prepared: { number: string; act: PreparedAct; reviewed: Reviewed },
): Promise<string> {
  const { number, act, reviewed } = prepared;
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO prepared_payments
       (subadmin_id, number, act, challan_count, owner_count, amount, fingerprint, created_by, owner_ids, twin_count, expires_at)
     VALUES ($1, $2, $3::jsonb, $4, $5, $6, $7, $8, $9::uuid[], $10, now() + interval '${PREPARED_DAYS} days') RETURNING id`,
    [
      db.tenantId,
      number,
      JSON.stringify(act),
      reviewed.challans,
      reviewed.owners,
      reviewed.amount,
      reviewed.fingerprint,
      caller.accountId,
      reviewed.ownerIds,
      reviewed.twins,
    ],
    'insert-prepared-payment',
  );
  // Safe: an insert of one row returns one.
  return rows[0]!.id;
}

const state = `CASE WHEN p.state = 'prepared' AND p.expires_at <= now() THEN 'expired' ELSE p.state END`;
const isOpen = `p.state = 'prepared' AND p.expires_at > now()`;

/** A prepared act as the API shows it, without what depends on who asks. */
export type StoredPrepared = Omit<PreparedPayment, 'isOwn' | 'cannotRelease' | 'unusual'> & {
  createdBy: string;
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

/** SQL: `UnusualFacts` of the prepared act `p`. */
const facts = `CASE WHEN ${isOpen} AND NOT p.act ? 'reverse' THEN jsonb_build_object(
    'changed', ARRAY(SELECT o.name FROM owners o WHERE o.subadmin_id = $1 AND o.id = ANY (p.owner_ids) AND o.id IN (
      SELECT k.entity_id FROM account_changes k WHERE k.subadmin_id = $1
        AND (k.changed_at > now() - interval '14 days' OR k.confirmed_at IS NULL AND NOT k.was_alone)) ORDER BY o.name, o.id),
    'neverPaid', (SELECT count(*) FROM unnest(p.owner_ids) AS paid (id) WHERE NOT EXISTS (
      SELECT FROM payment_batch_owners b WHERE b.subadmin_id = $1 AND b.owner_id = paid.id)),
    'largest', (SELECT max(total_amount)::text FROM payment_batches
      WHERE subadmin_id = $1 AND created_at >= now() - make_interval(weeks => ${comparedWeeks})),
    'twins', p.twin_count) END`;

const columns = `p.id, p.number, p.act ? 'reverse' AS "isReversal", p.challan_count AS "challanCount",
  p.owner_count AS "ownerCount", p.amount, ${actorName('author')} AS "preparedBy", p.created_at AS "createdAt",
  p.expires_at AS "expiresAt", ${state} AS state, p.reason,
  CASE WHEN decider.id IS NOT NULL THEN ${actorName('decider')} END AS "decidedBy", p.decided_at AS "decidedAt",
  CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'number', b.number) END AS payment,
  p.created_by AS "createdBy", ${facts} AS facts`;
const joins = `JOIN accounts author ON author.id = p.created_by LEFT JOIN accounts decider ON decider.id = p.decided_by
  LEFT JOIN payment_batches b ON b.subadmin_id = $1
    AND b.id = coalesce(p.batch_id, (p.act -> 'reverse' ->> 'id')::uuid)`;

export async function selectPreparedPage(
  db: TenantDb,
  query: { page: number; limit: number; show?: 'open' | 'done' | undefined },
): Promise<{ data: StoredPrepared[]; count: number }> {
  const shown = { open: isOpen, done: `NOT (${isOpen})`, all: 'true' }[query.show ?? 'all'];
  const of = `prepared_payments p WHERE p.subadmin_id = $1 AND ${shown}`;
  const [data, count] = await Promise.all([
    db.records<StoredPrepared>(
      `SELECT ${columns} FROM (SELECT * FROM ${of} ORDER BY p.created_at DESC, p.id DESC LIMIT $2 OFFSET $3) AS p ${joins}
       ORDER BY p.created_at DESC, p.id DESC`,
      [db.tenantId, query.limit, offsetOf(query)],
      `select-prepared-${query.show ?? 'all'}`,
    ),
    countRows(db, of, [db.tenantId], `count-prepared-${query.show ?? 'all'}`),
  ]);
  return { data, count };
}

export async function selectPrepared(db: TenantDb, id: string): Promise<StoredPrepared | undefined> {
  const [row] = await db.records<StoredPrepared>(
    `SELECT ${columns} FROM prepared_payments p ${joins} WHERE p.subadmin_id = $1 AND p.id = $2`,
    [db.tenantId, id],
    'select-prepared-payment',
  );
  return row;
}

export interface LockedPrepared {
  number: string;
  act: PreparedAct;
  state: PreparedState;
  createdBy: string;
  reviewed: Pick<Reviewed, 'challans' | 'owners' | 'amount' | 'fingerprint'>;
}

/** Locks a prepared act, so that of two who decide at once the second sees what the first did. */
export async function lockPrepared(db: TenantDb, id: string): Promise<LockedPrepared | undefined> {
  const { rows } = await db.query<Omit<LockedPrepared, 'reviewed'> & LockedPrepared['reviewed']>(
    `SELECT p.number, p.act, ${state} AS state, p.created_by AS "createdBy", p.challan_count AS challans,
       p.owner_count AS owners, p.amount, p.fingerprint
     FROM prepared_payments p WHERE p.subadmin_id = $1 AND p.id = $2 FOR UPDATE`,
    [db.tenantId, id],
    'lock-prepared-payment',
  );
  const [row] = rows;
  if (!row) return undefined;
  const { number, act, state: now, createdBy, ...reviewed } = row;
  return { number, act, state: now, createdBy, reviewed };
}

export async function updateDecided(
  db: TenantDb,
  caller: Caller,
  id: string,
  decided: { state: 'released' | 'sent-back' | 'withdrawn'; reason?: string; batchId?: string | null },
): Promise<void> {
  await db.query(
    `UPDATE prepared_payments SET state = $3, reason = $4, batch_id = $5, decided_by = $6, decided_at = now()
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id, decided.state, decided.reason ?? '', decided.batchId ?? null, caller.accountId],
    'update-prepared-payment',
  );
}
