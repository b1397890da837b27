import type { Upkeep } from '../../shared/contract/health.ts';
import type { GlobalDb } from '../db/tenant.ts';

export type UpkeepKind = 'check' | 'backup';

export interface Business {
  id: string;
  name: string;
}

/** Returns every business, including deleted ones. */
export async function selectBusinesses(db: GlobalDb): Promise<Business[]> {
  const { rows } = await db.query<Business>('SELECT subadmin_id AS id, name FROM tenants_to_check()');
  return rows;
}

export async function insertUpkeep(db: GlobalDb, kind: UpkeepKind): Promise<string> {
  const { rows } = await db.query<{ id: string }>('INSERT INTO upkeep (kind) VALUES ($1) RETURNING id', [kind]);
  // The insert returns the one row it made.
  return rows[0]!.id;
}

export async function endUpkeep(db: GlobalDb, id: string, isGood: boolean, summary: string): Promise<void> {
  await db.query(
    'UPDATE upkeep SET ended_at = clock_timestamp(), is_good = $2, summary = left($3, 1000) WHERE id = $1',
    [id, isGood, summary],
  );
}

/**
 * SQL: whether the work was already done this night, which begins at 02:30 in India. Interrupted work is started again
 * an hour later.
 */
const ranThisNight = `EXISTS (SELECT FROM upkeep WHERE kind = $1
  AND began_at >= (date_trunc('day', now() AT TIME ZONE 'Asia/Kolkata' - interval '150 minutes')
    + interval '150 minutes') AT TIME ZONE 'Asia/Kolkata'
  AND (ended_at IS NOT NULL OR began_at > now() - interval '1 hour'))`;

/**
 * SQL: the same for an additional backup: whether one began in the last hour, so that a failing one is not restarted at
 * once.
 */
const ranWithinHour = `EXISTS (SELECT FROM upkeep WHERE kind = $1 AND began_at > now() - interval '1 hour')`;

/** Claims the work of this night. Returns null when another process on the same database has already claimed it. */
export async function claimTonight(db: GlobalDb, kind: UpkeepKind, isAdditional = false): Promise<string | null> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('nightly ' || $1, 0))", [kind]);
  await db.query("DELETE FROM upkeep WHERE began_at < now() - interval '400 days'");
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO upkeep (kind) SELECT $1 WHERE NOT ${isAdditional ? ranWithinHour : ranThisNight} RETURNING id`,
    [kind],
  );
  return rows[0]?.id ?? null;
}

/** Returns the last upkeep of a kind, and when one last ended well. */
export async function selectUpkeep(db: GlobalDb, kind: UpkeepKind): Promise<Upkeep | null> {
  const [upkeep] = await db.records<Upkeep>(
    `SELECT began_at AS "beganAt", ended_at AS "endedAt", is_good AS "isGood", summary,
       (SELECT max(ended_at) FROM upkeep WHERE kind = $1 AND is_good) AS "goodAt"
     FROM upkeep WHERE kind = $1 ORDER BY began_at DESC LIMIT 1`,
    [kind],
    'select-upkeep',
  );
  return upkeep ?? null;
}
