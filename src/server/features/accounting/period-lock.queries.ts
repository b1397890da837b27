import type { LockAct, LockChange } from '../../../shared/contract/period-lock-acts.ts';
import type { PeriodLock } from '../../../shared/contract/period-lock.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';
import { offsetOf, selectPage, type Page, type Paging } from '../../sql/paging.ts';

/** The lock is the last of its acts (migration 015), where triggers keep it. */

/** The day up to which the books are locked now; null where they are not, or the lock is lifted. */
export async function selectLockedUpTo(db: TenantDb): Promise<string | null> {
  const row = await db.first<{ upTo: string }>(
    `SELECT l.up_to::text AS "upTo" FROM (
       SELECT up_to, open_until FROM period_lock_acts WHERE subadmin_id = $1 ORDER BY act_no DESC LIMIT 1
     ) AS l WHERE l.open_until IS NULL OR l.open_until <= clock_timestamp()`,
    [db.tenantId],
    'select-locked-up-to',
  );
  return row?.upTo ?? null;
}

/** The same for a write, until whose end nobody locks anything else. */
export async function holdLockedUpTo(db: TenantDb): Promise<string | null> {
  const [, upTo] = await Promise.all([
    db.query(
      `SELECT pg_advisory_xact_lock_shared(hashtextextended('period-lock:' || $1::text, 0))`,
      [db.tenantId],
      'hold-period-lock',
    ),
    selectLockedUpTo(db),
  ]);
  return upTo;
}

const unlocked: PeriodLock = {
  upTo: null,
  lockedBy: '',
  lockedAt: null,
  openUntil: null,
  liftedBy: '',
  reason: '',
  version: 0,
};

/** A lift that has ended is not shown. */
export async function selectPeriodLock(db: TenantDb): Promise<PeriodLock> {
  const [lock] = await db.records<PeriodLock>(
    `SELECT l.up_to AS "upTo", ${actorName('locker')} AS "lockedBy", first.created_at AS "lockedAt",
       CASE WHEN l.is_open THEN l.open_until END AS "openUntil",
       CASE WHEN l.is_open THEN ${actorName('lifter')} ELSE '' END AS "liftedBy",
       CASE WHEN l.is_open THEN l.reason ELSE '' END AS reason, l.act_no AS version
     FROM (
         SELECT *, coalesce(open_until > clock_timestamp(), false) AS is_open
         FROM period_lock_acts WHERE subadmin_id = $1 ORDER BY act_no DESC LIMIT 1
       ) AS l
       JOIN LATERAL (
         SELECT * FROM period_lock_acts WHERE subadmin_id = $1 AND kind = 'lock' AND up_to = l.up_to ORDER BY act_no LIMIT 1
       ) AS first ON true
       JOIN accounts locker ON locker.id = first.created_by
       JOIN accounts lifter ON lifter.id = l.created_by`,
    [db.tenantId],
    'select-period-lock',
  );
  return lock ?? unlocked;
}

/** What is done with the lock. `hours` is of a lift; its reason is not ''. */
export type NewAct = { kind: 'lock'; upTo: string } | { kind: 'lift'; upTo: string; reason: string; hours: number };

/** Adds an act. The caller has its turn and has read the lock, whose version is `after`. */
export async function insertLockAct(db: TenantDb, caller: Caller, after: number, act: NewAct): Promise<void> {
  const { reason, hours } = act.kind === 'lift' ? act : { reason: '', hours: null };
  await db.query(
    `INSERT INTO period_lock_acts (subadmin_id, act_no, kind, up_to, open_until, reason, created_at, created_by)
     SELECT $1, $2, $3, $4::date, at + $5::int * interval '1 hour', $6, at, $7 FROM (SELECT clock_timestamp() AS at) AS moment`,
    [db.tenantId, after + 1, act.kind, act.upTo, hours, reason, caller.accountId],
    'insert-lock-act',
  );
}

export const selectLockActs = (db: TenantDb, paging: Paging): Promise<Page<LockAct>> =>
  selectPage(
    db,
    paging,
    'period_lock_acts WHERE subadmin_id = $1',
    `SELECT l.act_no::text AS id, l.kind, l.up_to AS "upTo", l.created_at AS at, ${actorName('a')} AS by, l.reason,
         CASE WHEN least(l.open_until, next.created_at) <= clock_timestamp() AND l.kind = 'lift'
           THEN least(l.open_until, next.created_at) END AS "endedAt",
         (SELECT count(DISTINCT (c.record, c.record_id))::int FROM period_lock_changes c
          WHERE c.subadmin_id = $1 AND c.act_no = l.act_no) AS "changedCount"
       FROM period_lock_acts l JOIN accounts a ON a.id = l.created_by
         LEFT JOIN period_lock_acts next ON next.subadmin_id = $1 AND next.act_no = l.act_no + 1
       WHERE l.subadmin_id = $1 ORDER BY l.act_no DESC LIMIT $2 OFFSET $3`,
    [db.tenantId],
    'select-lock-acts',
  );

/** A line as the history has it, with the record and the lift. */
export type ChangedRow = Omit<LockChange, 'changes'> & {
  changes: Record<string, [unknown, unknown]>;
  batch: string | null;
};

/**
 * SQL: what the triggers noted of each lift, with who did it from the history, the entries of opening balances and the payments.
 * A write that began before a lift ended may write its history a moment after.
 */
const changedLines = `WITH lifts AS (
    SELECT l.act_no, l.reason, l.created_at AS from_at, least(l.open_until + interval '1 minute', next.created_at) AS until_at
    FROM period_lock_acts l LEFT JOIN period_lock_acts next ON next.subadmin_id = $1 AND next.act_no = l.act_no + 1
    WHERE l.subadmin_id = $1 AND l.kind = 'lift'
  ), changed AS (
    SELECT c.record, c.record_id, min(c.day) AS day, l.reason, l.from_at, l.until_at
    FROM lifts l JOIN period_lock_changes c ON c.subadmin_id = $1 AND c.act_no = l.act_no
    GROUP BY c.record, c.record_id, l.act_no, l.reason, l.from_at, l.until_at
  ), lines AS (
    SELECT c.*, h.id::text AS id, h.at, h.actor_id, h.action, h.changes, h.batch_id,
      (SELECT k.owner_id FROM challans k WHERE k.subadmin_id = $1 AND k.id = c.record_id) AS owner_id
    FROM changed c JOIN history h ON h.subadmin_id = $1 AND h.entity = 'challan' AND h.entity_id = c.record_id
      AND h.at >= c.from_at AND h.at < c.until_at
    WHERE c.record = 'challan' AND (h.action IN ('created', 'deleted', 'taken back', 'restored') OR h.changes ?| $2::text[])
    UNION ALL
    SELECT c.*, o.owner_id || '-' || o.entry_no, o.created_at, o.created_by, 'updated',
      jsonb_build_object('amount', jsonb_build_array(b.amount::text, o.amount::text), 'asOf', jsonb_build_array(b.as_of, o.as_of)),
      NULL, o.owner_id
    FROM changed c JOIN owner_opening_balances o ON o.subadmin_id = $1 AND o.owner_id = c.record_id
        AND o.created_at >= c.from_at AND o.created_at < c.until_at
      LEFT JOIN owner_opening_balances b ON b.subadmin_id = $1 AND b.owner_id = o.owner_id AND b.entry_no = o.entry_no - 1
    WHERE c.record = 'opening-balance'
    UNION ALL
    SELECT c.*, p.id::text, p.created_at, p.created_by, 'created',
      jsonb_build_object('paidOn', jsonb_build_array(NULL, p.paid_on), 'totalAmount', jsonb_build_array(NULL, p.total_amount::text)),
      NULL, NULL
    FROM changed c JOIN payment_batches p ON p.subadmin_id = $1 AND p.id = c.record_id
    WHERE c.record = 'payment'
  )`;

/** Returns a page of what was changed during lifts, the newest first. `lockedFields`: names in the history of a challan. */
export async function selectLockChanges(
  db: TenantDb,
  lockedFields: readonly string[],
  paging: Paging,
): Promise<{ rows: ChangedRow[]; count: number }> {
  const [rows, counted] = await Promise.all([
    db.records<ChangedRow>(
      `${changedLines}
       SELECT l.id, l.at, ${actorName('a')} AS actor, l.action, l.changes, l.record, l.record_id AS "recordId", l.day, l.reason,
         (SELECT b.number FROM batches b WHERE b.subadmin_id = $1 AND b.id = l.batch_id) AS batch,
         coalesce((SELECT o.name FROM owners o WHERE o.subadmin_id = $1 AND o.id = l.owner_id), '') AS "ownerName",
         coalesce(CASE l.record
           WHEN 'challan' THEN (SELECT c.challan_number FROM challans c WHERE c.subadmin_id = $1 AND c.id = l.record_id)
           WHEN 'payment' THEN (SELECT p.number FROM payment_batches p WHERE p.subadmin_id = $1 AND p.id = l.record_id)
         END, '') AS name
       FROM lines l JOIN accounts a ON a.id = l.actor_id
       ORDER BY l.at DESC, l.id DESC LIMIT $3 OFFSET $4`,
      [db.tenantId, lockedFields, paging.limit, offsetOf(paging)],
      'select-lock-changes',
    ),
    db.query<{ count: number }>(
      `${changedLines} SELECT count(*)::int AS count FROM lines`,
      [db.tenantId, lockedFields],
      'count-lock-changes',
    ),
  ]);
  return { rows, count: counted.rows[0]?.count ?? 0 };
}
