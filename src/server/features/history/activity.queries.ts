import type { ActivityDay } from '../../../shared/contract/activity.ts';
import type { HistoryRecord } from '../../../shared/contract/history.ts';
import type { FilterOfList } from '../../../shared/filters/define.ts';
import type { activityFilters } from '../../../shared/filters/activity-filters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';
import { offsetOf, type Paging } from '../../sql/paging.ts';
import { countRows, Parameters } from '../../sql/statements.ts';
import { nameOfRecord } from '../master-data/records.queries.ts';
import { tenantEntities, type HistoryRow } from './history-list.queries.ts';

/** SQL: the account `a` is of the business, or the admin's; and its name. */
const isOfBusiness = `(a.role = 'admin' OR $1 IN (a.id, a.business_id))`;
const nameOfActor = `CASE WHEN a.role = 'admin' THEN 'admin' ELSE ${actorName('a')} END`;

/** SQL: the moment in India at which a day begins. */
const start = (day: string): string => `${day}::date::timestamp AT TIME ZONE 'Asia/Kolkata'`;

/** SQL: everything that was done from the day `from` to the day `to`, each act with what it counts as (ActivityDay). */
const acts = (from: string, to: string): string => {
  const within = (column: string): string =>
    `${column} >= ${start(from)} AND ${column} < ${start(`(${to}::date + 1)`)}`;
  return `
    SELECT actor_id AS person, at, 1 AS count, 0 AS amount,
      CASE WHEN entity = 'subadmin' THEN 'settings' WHEN entity <> 'challan' THEN 'masterData'
        WHEN action IN ('created', 'restored') THEN 'recorded' WHEN action IN ('deleted', 'taken back') THEN 'deleted'
        ELSE 'changed' END AS kind
    FROM history WHERE subadmin_id = $1 AND ${within('at')}
    UNION ALL
    SELECT created_by, created_at, updated_count, total_amount, 'paid'
    FROM payment_batches WHERE subadmin_id = $1 AND ${within('created_at')}
    UNION ALL
    SELECT created_by, recorded_at, 1, amount, 'takenBack'
    FROM payment_lines WHERE subadmin_id = $1 AND kind = 'reverse' AND ${within('recorded_at')}`;
};

const counted = (kind: string, column = 'count'): string =>
  `coalesce(sum(${column}) FILTER (WHERE kind = '${kind}'), 0)${column === 'count' ? '::int' : '::numeric(18,2)'}`;

/**
 * Returns a page of what people of the business, and the admin, did in these days: a row for each person and day, the newest
 * day first. What another business copied is not theirs.
 */
export async function selectActivity(
  db: TenantDb,
  {
    personId,
    startDate,
    endDate,
    ...paging
  }: FilterOfList<typeof activityFilters> & { startDate: string; endDate: string } & Paging,
): Promise<{ rows: ActivityDay[]; totalCount: number }> {
  const { values, bind } = new Parameters(db);
  const days = `
    SELECT (acts.at AT TIME ZONE 'Asia/Kolkata')::date AS day, a.id AS person_id,
      ${nameOfActor} AS person,
      ${counted('settings')} AS settings, ${counted('recorded')} AS recorded, ${counted('changed')} AS changed,
      ${counted('deleted')} AS deleted, ${counted('masterData')} AS "masterData",
      ${counted('paid')} AS paid, ${counted('paid', 'amount')} AS "paidAmount",
      ${counted('takenBack')} AS "takenBack", ${counted('takenBack', 'amount')} AS "takenBackAmount"
    FROM (${acts(bind(startDate), bind(endDate))}) AS acts
      JOIN accounts a ON a.id = acts.person AND ${isOfBusiness}
    ${personId === undefined ? '' : `WHERE a.id = ${bind(personId)}`}
    GROUP BY 1, 2, 3`;
  const filterValues = [...values];
  const [rows, totalCount] = await Promise.all([
    db.records<ActivityDay>(
      `SELECT person_id || ' ' || day AS id, day::text AS day, person_id AS "personId", person, settings, recorded, changed,
         deleted, "masterData", paid, "paidAmount"::text AS "paidAmount", "takenBack", "takenBackAmount"::text AS "takenBackAmount"
       FROM (${days}) AS days ORDER BY days.day DESC, lower(person), person_id
       LIMIT ${bind(paging.limit)} OFFSET ${bind(offsetOf(paging))}`,
      values,
    ),
    countRows(db, `(${days}) AS days`, filterValues),
  ]);
  return { rows, totalCount };
}

export interface ActivityRow extends HistoryRow {
  /** null for an act on many records. */
  entity: HistoryRecord | null;
  entityId: string;
  /** The name or number of the record; '' where it has none. */
  name: string;
}

/** SQL: the name by which people know the record of the line `h`. */
const name = `coalesce(CASE h.entity ${tenantEntities
  .map((entity) => `WHEN '${entity}' THEN ${nameOfRecord(entity, 'h.entity_id')}`)
  .join(' ')} END, '')`;

const ofDay = (column: string): string => `${column} >= ${start('$3')} AND ${column} < ${start('($3::date + 1)')}`;

/**
 * SQL: the acts of the person $2 on the day $3. A payment is one act, whatever it paid, and so are a sheet, an import or a change
 * of more than one record, and what was taken back of a payment at one moment.
 */
const entries = `
  SELECT h.id::text AS id, h.at, h.screen, h.action, h.changes, h.entity, h.entity_id, h.batch_id,
    NULL::uuid AS payment_id, NULL::numeric AS amount, '' AS reason
  FROM history h LEFT JOIN batches b ON b.subadmin_id = $1 AND b.id = h.batch_id
  WHERE h.subadmin_id = $1 AND h.actor_id = $2 AND ${ofDay('h.at')} AND coalesce(b.line_count, 1) = 1
  UNION ALL
  SELECT b.id || '-made', b.created_at, '', b.title || ', ' || b.line_count || ' records', '{}', NULL, NULL, b.id, NULL, NULL, ''
  FROM batches b WHERE b.subadmin_id = $1 AND b.created_by = $2 AND ${ofDay('b.created_at')} AND b.line_count > 1
  UNION ALL
  SELECT b.id || '-undone', b.undone_at, '', 'undone: ' || b.title || ', ' || b.line_count || ' records', '{}', NULL, NULL, b.id, NULL, NULL, ''
  FROM batches b WHERE b.subadmin_id = $1 AND b.undone_by = $2 AND ${ofDay('b.undone_at')} AND b.line_count > 1
  UNION ALL
  SELECT b.id || '-pay', b.created_at, b.screen, 'pay', '{}', NULL, NULL, NULL, b.id, b.total_amount, ''
  FROM payment_batches b WHERE b.subadmin_id = $1 AND b.created_by = $2 AND ${ofDay('b.created_at')}
  UNION ALL
  SELECT l.batch_id || '-reverse-' || min(l.recorded_at), min(l.recorded_at), min(l.screen), 'reverse', '{}', NULL, NULL, NULL,
    l.batch_id, sum(l.amount), min(l.reason)
  FROM payment_lines l
  WHERE l.subadmin_id = $1 AND l.kind = 'reverse' AND l.created_by = $2 AND ${ofDay('l.recorded_at')}
  GROUP BY l.batch_id, l.created_at`;

/**
 * Returns a page of what one person did on one day (YYYY-MM-DD, in India): changes of people, rights and settings first, then the
 * newest first. Nothing for somebody of another business.
 */
export async function selectActivityEntries(
  db: TenantDb,
  { personId, day, ...paging }: { personId: string; day: string } & Paging,
): Promise<{ rows: ActivityRow[]; totalCount: number }> {
  const values = [db.tenantId, personId, day];
  const [rows, totalCount] = await Promise.all([
    db.records<ActivityRow>(
      `WITH h AS (
         SELECT * FROM (${entries}) AS all_entries
         ORDER BY entity IS NOT DISTINCT FROM 'subadmin' DESC, at DESC, id LIMIT $4 OFFSET $5)
       SELECT h.id, h.at, h.screen, h.action, h.changes, h.entity, h.entity_id AS "entityId", ${name} AS name,
         ${nameOfActor} AS actor,
         (SELECT b.number FROM batches b WHERE b.subadmin_id = $1 AND b.id = h.batch_id) AS batch,
         CASE WHEN h.payment_id IS NOT NULL THEN jsonb_build_object('id', h.payment_id, 'amount', h.amount::text, 'reason', h.reason,
           'number', (SELECT p.number FROM payment_batches p WHERE p.subadmin_id = $1 AND p.id = h.payment_id)) END AS payment
       FROM h JOIN accounts a ON a.id = $2 AND ${isOfBusiness}
       ORDER BY h.entity IS NOT DISTINCT FROM 'subadmin' DESC, h.at DESC, h.id`,
      [...values, paging.limit, offsetOf(paging)],
      'select-activity-entries',
    ),
    countRows(
      db,
      `(${entries}) AS entries JOIN accounts a ON a.id = $2 AND ${isOfBusiness}`,
      values,
      'count-activity-entries',
    ),
  ]);
  return { rows, totalCount };
}
