import type { ReleaseRule } from '../../../shared/contract/prepared-payments.ts';
import type { Seat } from '../../../shared/contract/seats.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';
import { dayIn } from './payments.queries.ts';

/** SQL: the rule that counts now: a looser one as soon as its time has come. */
const inForce = `CASE WHEN r.next_at <= now() THEN r.next ELSE r.rule END`;

/** Returns the rule of the business; undefined: it never had one. */
export async function selectReleaseRule(db: TenantDb): Promise<ReleaseRule | undefined> {
  const row = await db.first<{ rule: ReleaseRule }>(
    `SELECT ${inForce} AS rule FROM release_rules r WHERE r.subadmin_id = $1`,
    [db.tenantId],
    'select-release-rule',
  );
  return row?.rule;
}

/** Returns the rule, and whether any changed account of an owner waits; a payment asks for more only then. */
export async function selectPaymentChecks(db: TenantDb): Promise<{ rule: ReleaseRule | null; isChanged: boolean }> {
  const { rule, is_changed: isChanged } = await db.one<{ rule: ReleaseRule | null; is_changed: boolean }>(
    `SELECT (SELECT ${inForce} FROM release_rules r WHERE r.subadmin_id = $1) AS rule,
       EXISTS (SELECT FROM account_changes k
         WHERE k.subadmin_id = $1 AND k.confirmed_at IS NULL AND NOT k.was_alone AND k.entity = 'owner') AS is_changed`,
    [db.tenantId],
    'select-payment-checks',
  );
  return { rule, isChanged };
}

interface StoredRule {
  rule: ReleaseRule;
  /** A looser rule that waits; null: none does. */
  next: ReleaseRule | null;
  nextAt: string | null;
  nextBy: string | null;
  nextByName: string;
  version: number;
}

export async function selectStoredRule(db: TenantDb): Promise<StoredRule | undefined> {
  const [row] = await db.records<StoredRule>(
    `SELECT ${inForce} AS rule, CASE WHEN r.next_at <= now() THEN NULL ELSE r.next END AS next, r.next_at AS "nextAt",
       r.next_by AS "nextBy", coalesce(${actorName('a')}, '') AS "nextByName", r.version
     FROM release_rules r LEFT JOIN accounts a ON a.id = r.next_by WHERE r.subadmin_id = $1`,
    [db.tenantId],
    'select-stored-rule',
  );
  return row;
}

/** Locks the rule, so that two changes of it come one after the other. A business without one gets one that is off. */
export async function lockReleaseRule(db: TenantDb, accountId: string, off: ReleaseRule): Promise<void> {
  await db.query(
    `INSERT INTO release_rules AS r (subadmin_id, rule, set_by, version) VALUES ($1, $3::jsonb, $2, 0)
     ON CONFLICT (subadmin_id) DO UPDATE SET version = r.version`,
    [db.tenantId, accountId, JSON.stringify(off)],
    'lock-release-rule',
  );
}

/** Sets the rule that counts now. A looser one that waited is given up. */
export async function updateReleaseRule(db: TenantDb, accountId: string, rule: ReleaseRule): Promise<void> {
  await db.query(
    `UPDATE release_rules SET rule = $3::jsonb, set_by = $2, set_at = now(), next = NULL, next_at = NULL, next_by = NULL,
       version = version + 1
     WHERE subadmin_id = $1`,
    [db.tenantId, accountId, JSON.stringify(rule)],
    'update-release-rule',
  );
}

/** Lets a looser rule wait: for a second owner, or these hours. `rule` is the one that counts until then. */
export async function updateNextRule(
  db: TenantDb,
  accountId: string,
  { rule, next, hours }: { rule: ReleaseRule; next: ReleaseRule; hours: number | null },
): Promise<void> {
  await db.query(
    `UPDATE release_rules SET rule = $3::jsonb, next = $4::jsonb, next_by = $2,
       next_at = now() + $5::int * interval '1 hour', version = version + 1
     WHERE subadmin_id = $1`,
    [db.tenantId, accountId, JSON.stringify(rule), JSON.stringify(next), hours],
    'update-next-rule',
  );
}

/** Somebody of the business, as far as it matters for releasing. */
export interface Colleague {
  id: string;
  seat: Seat;
  /** May sign in now: has joined, is switched on, and the last day is not over. */
  isLive: boolean;
  /** Who gave the person a link that was made or used within the last 24 hours; null: nobody. */
  letInBy: string | null;
}

export async function selectColleagues(db: TenantDb): Promise<Colleague[]> {
  const { rows } = await db.query<Colleague>(
    `SELECT a.id, coalesce(a.seat, 'owner') AS seat,
       a.is_active AND a.deleted_at IS NULL AND (a.business_id IS NULL OR a.joined_at IS NOT NULL)
         AND (a.ends_on IS NULL OR a.ends_on >= ${dayIn('now()')}) AS "isLive",
       CASE WHEN a.let_in_at > now() - interval '24 hours' THEN a.let_in_by END AS "letInBy"
     FROM accounts a WHERE a.id = $1 OR a.business_id = $1`,
    [db.tenantId],
    'select-colleagues',
  );
  return rows;
}

/**
 * What these accounts paid directly today in India, and the largest payment that the present transaction makes: what is
 * transferred to owners, so that one below zero does not lower it. A payment that a second person released does not count,
 * nor one that pays again what is at the bank because an answer was undone.
 * Payments of a business are made one after the other from their number on, so that of two at once the second sees the first.
 */
export async function selectPaidToday(
  db: TenantDb,
  accountIds: readonly string[],
): Promise<{ largest: string; today: string }> {
  const { rows } = await db.query<{ largest: string; today: string }>(
    `WITH mine AS MATERIALIZED (
       SELECT b.id, b.created_at >= now() AS is_now FROM payment_batches b
       WHERE b.subadmin_id = $1 AND b.created_by = ANY ($2::uuid[])
         AND b.created_at >= ${dayIn('now()')}::timestamp AT TIME ZONE 'Asia/Kolkata'
         AND NOT EXISTS (SELECT FROM prepared_payments p WHERE p.subadmin_id = $1 AND p.batch_id = b.id)
         AND NOT EXISTS (SELECT FROM bank_line_payments p WHERE p.subadmin_id = $1 AND p.batch_id = b.id)
     ), moved AS (
       SELECT l.batch_id, l.owner_id, l.amount FROM mine
         JOIN payment_lines l ON l.subadmin_id = $1 AND l.batch_id = mine.id AND l.kind = 'pay'
       UNION ALL
       SELECT k.batch_id, k.owner_id, k.amount FROM mine
         JOIN carry_events k ON k.subadmin_id = $1 AND k.batch_id = mine.id AND k.kind IN ('carry', 'deduct')
     ), of_owners AS (
       SELECT batch_id, greatest(sum(amount), 0) AS amount FROM moved GROUP BY batch_id, owner_id
     ), of_payments AS (
       SELECT mine.is_now, sum(o.amount) AS amount FROM mine JOIN of_owners o ON o.batch_id = mine.id
       GROUP BY mine.id, mine.is_now
     )
     SELECT round(coalesce(max(amount) FILTER (WHERE is_now), 0), 2) AS largest, round(coalesce(sum(amount), 0), 2) AS today
     FROM of_payments`,
    [db.tenantId, accountIds],
    'select-paid-today',
  );
  const [row] = rows;
  if (!row) throw new Error('Sums are always one row');
  return row;
}
