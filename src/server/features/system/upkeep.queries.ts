import type { Upkeep } from '../../../shared/contract/health.ts';
import type { GlobalDb } from '../../db/tenant.ts';

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
  const { id } = await db.one<{ id: string }>('INSERT INTO upkeep (kind) VALUES ($1) RETURNING id', [kind]);
  return id;
}

export async function endUpkeep(db: GlobalDb, id: string, isGood: boolean, summary: string): Promise<void> {
  await db.query(
    'UPDATE upkeep SET ended_at = clock_timestamp(), is_good = $2, summary = left($3, 1000) WHERE id = $1',
    [id, isGood, summary],
  );
}

/** SQL: the instant to judge by. Without one ($2 is null) it is now by the clock of the database, which all servers share. */
const at = 'coalesce($2::timestamptz, now())';
/** SQL: the time in India since 02:30, when a night begins there: its days are nights and the days that follow them. */
const sinceNight = `(${at} AT TIME ZONE 'Asia/Kolkata' - interval '150 minutes')`;

/** SQL: whether the work was already done since the night began. Interrupted work is started again an hour later. */
const ranThisNight = `EXISTS (SELECT FROM upkeep WHERE kind = $1
  AND began_at >= (date_trunc('day', ${sinceNight}) + interval '150 minutes') AT TIME ZONE 'Asia/Kolkata'
  AND (ended_at IS NOT NULL OR began_at > ${at} - interval '1 hour'))`;

/**
 * SQL: the same for an additional backup: whether one began in the last hour, so that a failing one is not restarted at
 * once.
 */
const ranWithinHour = `EXISTS (SELECT FROM upkeep WHERE kind = $1 AND began_at > ${at} - interval '1 hour')`;

/**
 * SQL: whether it is between 02:30 and 06:30 in India, or no such work ended well in the last 48 hours. The check reads
 * every challan, so it is done in office hours only where the server does not run at night.
 */
const isNightOrOverdue = `(extract(hour FROM ${sinceNight}) < 4 OR NOT EXISTS (
  SELECT FROM upkeep WHERE kind = $1 AND is_good AND ended_at > ${at} - interval '48 hours'))`;

/** Claims the work of this night. Returns null when another process on the same database has already claimed it. */
export async function claimTonight(
  db: GlobalDb,
  kind: UpkeepKind,
  { isAdditional = false, now }: { isAdditional?: boolean; now?: Date | undefined } = {},
): Promise<string | null> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('nightly ' || $1, 0))", [kind]);
  await db.query("DELETE FROM upkeep WHERE began_at < now() - interval '400 days'");
  const row = await db.first<{ id: string }>(
    `INSERT INTO upkeep (kind) SELECT $1 WHERE NOT ${isAdditional ? ranWithinHour : ranThisNight}
       AND ${kind === 'check' ? isNightOrOverdue : 'true'} RETURNING id`,
    [kind, now ?? null],
  );
  return row?.id ?? null;
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
