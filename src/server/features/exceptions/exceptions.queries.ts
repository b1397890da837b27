import { addDays } from '../../../shared/calc/dates.ts';
import type { Exception, ExceptionSort, RouteShortage } from '../../../shared/contract/exceptions.ts';
import {
  exceptionKinds,
  leastTrips,
  usualDays,
  type exceptionFilters,
  type ExceptionKindName,
} from '../../../shared/filters/exception-kinds.ts';
import type { FilterOfList } from '../../../shared/filters/define.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';
import { offsetOf, type Paging } from '../../sql/paging.ts';
import { Parameters, type Bind } from '../../sql/statements.ts';
import { driver } from '../challans/challans-filter.queries.ts';
import { freight } from '../challans/challans-row.queries.ts';
import { dayIn } from '../payments/payments.queries.ts';

/**
 * What is unusual is counted from the challans each time (docs/specification.md §35). Weights, litres and rates are compared as
 * whole hundredths, which sort much faster than decimals; an effect is computed from them exactly and rounded once.
 */

/** Of a normal distribution this is 3.5 standard deviations: 1.4826 medians of the distances are one of them. */
const manyDistances = '3.5 * 1.4826';
/**
 * Most trips lose little and some much more, so the median distance says too little of these. Of a normal distribution the most
 * that nine of ten trips lose is 1.2816 standard deviations above the median.
 */
const skewed: ReadonlySet<string> = new Set<ExceptionKindName>(['shortage']);
/** How far the average trip of a pattern is off that of all, in standard deviations of such an average. */
const farPattern = 4;
/** More trips than these, the last ones, say no more of what is usual. */
const enoughTrips = 40_000;
/** A vehicle is looked for on a trip that was loaded at most so many days before. */
const longestTrip = 31;

const arrow = `' → '`;
const routeOf = (c: string): string => `${c}.loading_place || ${arrow} || ${c}.unloading_place`;
/** SQL: when a day begins. */
const startOf = (day: string): string => `(${day}::timestamp AT TIME ZONE 'Asia/Kolkata')`;
/** SQL: what groups are made by. A number is sorted much faster than the texts of two places. */
const keyOf = (text: string): string => `hashtextextended(${text}, 0)`;
const hundredths = (amount: string): string => `(${amount} * 100)::bigint`;

interface Usual {
  /** The columns of `base` that name a group; none: all challans. */
  by: readonly string[];
  /** The column of `base` that is compared, by kind. */
  of: Readonly<Partial<Record<ExceptionKindName, string>>>;
  where?: string;
}
const usuals = {
  route: { by: ['route'], of: { shortage: 'shortage', rate: 'rate', days: 'days' } },
  wheels: { by: ['wheels'], of: { weight: 'weight' }, where: 'wheels > 0' },
  diesel: { by: ['route', 'wheels'], of: { liters: 'liters' }, where: 'liters > 0 AND wheels > 0' },
  business: { by: [], of: { late: 'late' } },
} satisfies Record<string, Usual>;

/** SQL: the tables of a group's medians (`x_usual`), and of how far off is unusual (`x_far`, which has the medians too). */
function usualTables(name: string, { by, of, where = 'true' }: Usual): string {
  const kinds = Object.entries(of) as [ExceptionKindName & keyof typeof leastFar, string][];
  const half = 'percentile_disc(0.5) WITHIN GROUP';
  const columns = by.map((column) => `${column}, `).join('');
  const grouped = by.length === 0 ? '' : `GROUP BY ${by.join(', ')}`;
  const medians = kinds.flatMap(([kind, column]) => [
    `${half} (ORDER BY ${column}) AS usual_${kind}`,
    ...(skewed.has(kind) ? [`percentile_disc(0.9) WITHIN GROUP (ORDER BY ${column}) AS high_${kind}`] : []),
  ]);
  const far = kinds.map(
    ([kind, column]) =>
      `max(usual_${kind}) AS usual_${kind},
       greatest(${manyDistances} * (${half} (ORDER BY abs(${column} - usual_${kind}))), ${leastFar[kind]}
         ${skewed.has(kind) ? `, 3.5 / 1.2816 * max(high_${kind} - usual_${kind})` : ''}) AS far_${kind}`,
  );
  const join = by.length === 0 ? 'CROSS JOIN' : 'JOIN';
  const using = by.length === 0 ? '' : `USING (${by.join(', ')})`;
  return `${name}_usual AS MATERIALIZED (
    SELECT ${columns}${medians.join(', ')} FROM base WHERE ${where} ${grouped} HAVING count(*) >= ${leastTrips}
  ), ${name}_far AS MATERIALIZED (
    SELECT ${columns}${far.join(', ')} FROM base ${join} ${name}_usual ${using} WHERE ${where} ${grouped}
    HAVING count(*) >= ${leastTrips}
  )`;
}
const leastFar = Object.fromEntries(
  Object.entries(exceptionKinds).map(([kind, row]) => [kind, 'least' in row ? row.least : 0]),
) as Record<ExceptionKindName, number>;

/** SQL: what a row of `found` has. `effect` is rounded here, so that sums are sums of what is shown. */
function finding(
  kind: ExceptionKindName,
  { usual = 'NULL', actual = 'NULL', other = 'NULL', effect }: Record<'effect', string> & Record<string, string>,
  from: string,
  table = 'base',
): string {
  return `SELECT '${kind}' AS kind, ${kind === 'tp' ? 'b.tp_key' : 'b.id::text'} AS subject, b.id AS challan_id,
      b.loading_on AS day, b.route, 1 AS trips, ${usual}::numeric AS usual, ${actual}::numeric AS actual, ${other}::uuid AS other_id,
      round(${effect}, 2) AS effect
    FROM ${table} AS b ${from}`;
}
const above = (kind: ExceptionKindName, table: keyof typeof usuals, column: string, effect: string, off?: string) => {
  const { by }: Usual = usuals[table];
  const on = by.length === 0 ? 'CROSS JOIN' : 'JOIN';
  return finding(
    kind,
    { usual: `u.usual_${kind}`, actual: `b.${column}`, effect },
    `${on} ${table}_far AS u ${by.length === 0 ? '' : `USING (${by.join(', ')})`}
     WHERE b.is_asked AND ${off ?? `b.${column} - u.usual_${kind}`} > u.far_${kind}`,
  );
};
const patternKinds = { driverShortage: 'driver', vehicleShortage: 'vehicle_key', ownerShortage: 'owner_id' } as const;

const found = [
  above('shortage', 'route', 'shortage', '(b.shortage - u.usual_shortage)::numeric * b.rate / 10000'),
  `${above('liters', 'diesel', 'liters', '(b.liters - u.usual_liters)::numeric * b.price / 10000')} AND b.liters > 0`,
  above('weight', 'wheels', 'weight', '(b.weight - u.usual_weight)::numeric * b.rate / 10000'),
  // A rate that several trips have is another rate, not a wrong one. A change of the rate is unusual only at first.
  `${above('rate', 'route', 'rate', 'abs(b.rate - u.usual_rate)::numeric * b.paid_weight / 10000', 'abs(b.rate - u.usual_rate)')}
     AND abs(b.rate - u.usual_rate) * 50 > u.usual_rate AND NOT EXISTS (
       SELECT FROM common_rates AS k WHERE k.route = b.route AND k.rate = b.rate)`,
  above('days', 'route', 'days', 'b.freight'),
  above('late', 'business', 'late', 'b.freight'),
  finding(
    'tp',
    { other: 't.ids[1]', effect: 'b.freight' },
    'JOIN twins AS t USING (tp) WHERE b.is_asked AND b.id <> t.ids[1]',
  ),
  finding(
    'overlap',
    { other: `split_part(b.busy, ' ', 2)`, effect: 'b.freight' },
    `LEFT JOIN twins AS t ON t.tp = b.tp AND t.ids[1] <> b.id
     WHERE b.is_asked AND split_part(b.busy, ' ', 1)::date > b.loading_on AND t.tp IS NULL`,
    'vehicle_trips',
  ),
  ...Object.entries(patternKinds).map(
    ([
      kind,
      column,
    ]) => `SELECT '${kind}', p.${column}::text, NULL, split_part(p.last, ' ', 1)::date, NULL, p.trips, p.usual, p.actual,
      split_part(p.last, ' ', 2)::uuid, p.effect
    FROM patterns AS p WHERE p.${column} IS NOT NULL`,
  ),
  `SELECT 'hsd', h.subject, NULL, h.day, NULL, 0, NULL, NULL, NULL, h.amount FROM unused_diesel AS h`,
].join('\n UNION ALL ');

/** SQL: ten-thousandths of a rupee as whole paise, half up. Whole numbers are added much faster than decimals. */
const wholePaise = (amount: string): string => `(${amount} + CASE WHEN ${amount} < 0 THEN -50 ELSE 50 END) / 100`;

const patterns = `scored AS MATERIALIZED (
  SELECT b.driver, nullif(b.vehicle_key, '') AS vehicle_key, b.owner_id, b.shortage, b.is_asked, u.usual_shortage,
    CASE WHEN b.is_asked THEN (b.loading_on || ' ' || b.id) COLLATE "C" END AS trip,
    CASE WHEN b.is_asked THEN ${wholePaise('(b.shortage - u.usual_shortage) * b.rate')} END AS excess,
    greatest(-1, least(1, (b.shortage - u.usual_shortage) / u.far_shortage::float8)) AS distance
  FROM base AS b JOIN route_far AS u USING (route)
), everyone AS MATERIALIZED (
  SELECT avg(distance) AS mean, nullif(stddev_pop(distance), 0) AS deviation FROM scored
), patterns AS MATERIALIZED (
  SELECT driver, vehicle_key, owner_id, count(*)::int AS trips, max(trip) AS last,
    round(avg(usual_shortage)) AS usual, round(avg(shortage)) AS actual, round(sum(excess) / 100, 2) AS effect
  FROM scored CROSS JOIN everyone
  GROUP BY GROUPING SETS ((driver), (vehicle_key), (owner_id))
  HAVING count(*) >= ${leastTrips} AND sum(excess) > 0
    AND avg(shortage - usual_shortage) >= ${leastFar.driverShortage}
    AND (avg(distance) - max(mean)) * sqrt(count(*)) > ${farPattern} * max(deviation)
)`;

/**
 * SQL: which TP numbers are on several challans, the first one first; and for each trip which earlier one of its vehicle is unloaded
 * last, as 'day id'. Both read only `base`: how many challans an index would give is not known for a new business.
 */
const conflicts = `twins AS MATERIALIZED (
  SELECT tp, array_agg(id ORDER BY created_at, id) AS ids FROM base WHERE tp_key <> '' GROUP BY tp HAVING count(*) > 1
), vehicle_trips AS MATERIALIZED (
  SELECT b.*, max((unloading_on || ' ' || id) COLLATE "C") OVER (PARTITION BY vehicle ORDER BY loading_on, unloading_on, created_at, id
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS busy
  FROM base AS b WHERE is_recent AND vehicle_key <> ''
)`;

/**
 * SQL: rows of bills that are still no challan's, of vehicles that had no trip on that day. Of a row that comes again the newest
 * one counts. The date is text that somebody may have typed wrong, so it is compared with days and not cast.
 */
const unusedDiesel = (from: string, to: string, uploadedFrom: string): string => `unused_diesel AS MATERIALIZED (
  SELECT h.* FROM (
    SELECT DISTINCT ON (subject) number_key(r.vehicle_no) || ' ' || r.bill_date || ' ' || r.tp_key AS subject, r.vehicle_no,
      ${keyOf('number_key(r.vehicle_no)')} AS vehicle, ${from} + n.n AS day, r.amount, r.tp_no, r.tp_key, r.kind,
      a.row_no AS accepted_row
    FROM hsd_uploads AS u JOIN hsd_upload_rows AS r ON r.subadmin_id = $1 AND r.upload_id = u.id
      JOIN generate_series(0, ${to} - ${from}) AS n (n) ON r.bill_date = (${from} + n.n)::text
      LEFT JOIN hsd_acceptances AS a ON a.subadmin_id = $1 AND a.upload_id = r.upload_id AND a.row_no = r.row_no
    WHERE u.subadmin_id = $1 AND u.created_at >= ${uploadedFrom} AND r.amount > 0
      AND number_key(r.vehicle_no) <> ''
    ORDER BY subject, u.created_at DESC, r.row_no
  ) AS h
  WHERE h.kind = 'not-found' AND h.accepted_row IS NULL
    AND NOT EXISTS (SELECT FROM base AS b WHERE b.tp_key = h.tp_key AND b.tp_key <> '')
    AND NOT EXISTS (
    SELECT FROM base AS b WHERE b.vehicle = h.vehicle AND b.loading_on <= h.day AND b.unloading_on >= h.day)
)`;

export type ExceptionFilter = FilterOfList<typeof exceptionFilters>;
export interface ExceptionQuery extends ExceptionFilter {
  sortBy: ExceptionSort;
  sortOrder: 'asc' | 'desc';
}

/** The days of a filter: the first one that is asked for, and the first whose trips are read. */
async function daysOf(db: TenantDb, { days = '30' }: ExceptionFilter, today: string) {
  const isByEntry = days === 'entered';
  const first = addDays(today, isByEntry ? -6 : 1 - Number(days));
  const earliest = addDays(isByEntry ? today : first, -usualDays);
  const row = await db.first<{ day: string }>(
    `SELECT loading_on::text AS day FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND loading_on <= $2
     ORDER BY loading_on DESC OFFSET ${enoughTrips} LIMIT 1`,
    [db.tenantId, today],
    'first-day-of-exceptions',
  );
  const needed = addDays(first, -longestTrip);
  const enough = row?.day ?? earliest;
  const latest = enough < needed ? enough : needed;
  return { isByEntry, today, first, earliest, from: latest < earliest ? earliest : latest };
}

/** SQL: all that is unusual in the days of a filter, as tables up to `listed`. */
function listed(filter: ExceptionFilter, days: Awaited<ReturnType<typeof daysOf>>, bind: Bind): string {
  const { isByEntry } = days;
  const [to, first, from] = [days.today, days.first, days.from].map((day) => `${bind(day)}::date`) as [
    string,
    string,
    string,
  ];
  // What was entered lately may have been loaded at any time, but within the days that say what is usual.
  const asked = isByEntry ? `c.created_at >= ${startOf(first)}` : `c.loading_on >= ${first}`;
  const those = (condition: string): string =>
    `SELECT c.* FROM challans AS c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND ${condition}`;
  // Two parts, each with its index: for one condition with OR all challans would be read.
  const read = [
    those(`c.loading_on BETWEEN ${from} AND ${to}`),
    ...(isByEntry
      ? [those(`${asked} AND c.loading_on >= ${bind(days.earliest)}::date AND c.loading_on < ${from}`)]
      : []),
  ].join(' UNION ALL ');
  const conditions = [
    ...(filter.kind === undefined ? [] : [`e.kind = ${bind(filter.kind)}`]),
    ...(filter.route === undefined ? [] : [`e.route = ${keyOf(`lower(${bind(filter.route)}::text)`)}`]),
    ...(filter.fine === 'also' ? [] : [`f.id IS ${filter.fine === 'only' ? 'NOT ' : ''}NULL`]),
  ];
  return `WITH base AS MATERIALIZED (
    SELECT c.id, c.owner_id, c.vehicle_key, ${driver('c.driver_name')} AS driver, c.tp_key, ${keyOf('c.tp_key')} AS tp,
      ${keyOf('c.vehicle_key')} AS vehicle, c.created_at, c.loading_on, c.unloading_on,
      ${keyOf(`lower(${routeOf('c')})`)} AS route, coalesce(c.vehicle_wheel, t.no_of_wheels) AS wheels,
      ${hundredths('greatest(0, c.difference_weight - c.discount_weight)')} AS shortage, ${hundredths('c.loading_weight')} AS weight,
      ${hundredths('least(c.loading_weight, c.unloading_weight)')} AS paid_weight, ${hundredths('c.rate_per_mt')} AS rate,
      ${hundredths('c.hsd_in_liters')} AS liters, ${hundredths('c.hsd_price_per_liter')} AS price,
      (c.unloading_on - c.loading_on) * 100::bigint AS days,
      greatest(0, ${dayIn('c.created_at')} - c.unloading_on) * 100::bigint AS late,
      ${freight} AS freight, c.shortage_amount, ${asked} AS is_asked,
      ${isByEntry ? 'true' : `c.loading_on >= ${first} - ${longestTrip}`} AS is_recent
    FROM (${read}) AS c LEFT JOIN trucks AS t ON t.subadmin_id = $1 AND t.truck_key = c.vehicle_key AND t.deleted_at IS NULL
  ), ${Object.entries(usuals)
    .map(([name, usual]) => usualTables(name, usual))
    .join(', ')},
  common_rates AS MATERIALIZED (SELECT route, rate FROM base GROUP BY 1, 2 HAVING count(*) >= ${leastTrips}),
  ${conflicts}, ${patterns}, ${unusedDiesel(isByEntry ? from : first, to, startOf(first))},
  found AS MATERIALIZED (${found}),
  patterned AS MATERIALIZED (
    SELECT e.*, CASE WHEN e.challan_id IS NOT NULL AND e.kind <> 'tp' THEN c.vehicle_key || ' ' || lower(${routeOf('c')}) END AS pattern
    FROM found AS e LEFT JOIN challans AS c ON c.subadmin_id = $1 AND c.id = e.challan_id
    WHERE e.effect > 0
  ), listed AS MATERIALIZED (
    SELECT e.*, f.id AS fine_id FROM patterned AS e LEFT JOIN LATERAL (
      SELECT f.id FROM exception_fines AS f WHERE f.subadmin_id = $1 AND f.taken_back_at IS NULL AND f.kind = e.kind
        AND f.subject IN (e.subject, e.pattern) ORDER BY f.created_at LIMIT 1) AS f ON true
    ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
  )`;
}

const inUnits = (column: string): string => `round(${column} / 100, 2)::text`;

/** SQL: a row of the answer from an exception `e`. The other challan of a pattern is its last trip, which has the name as it is written. A TP No is on several challans, so its id has the challan too. */
const exceptionRow = `e.kind || ' ' || coalesce(e.challan_id::text, e.subject) AS id, e.kind, e.subject, e.pattern,
  e.challan_id AS "challanId", c.challan_number AS "challanNumber", coalesce(c.tp_no, h.tp_no) AS "tpNo", e.day,
  ${routeOf('c')} AS route, coalesce(c.vehicle_no, h.vehicle_no, CASE e.kind WHEN 'vehicleShortage' THEN other.vehicle_no END) AS "vehicleNo",
  coalesce(nullif(c.driver_name, ''), CASE e.kind WHEN 'driverShortage' THEN other.driver_name END) AS "driverName", o.id AS "ownerId", coalesce(c.owner_name, o.name) AS "ownerName",
  e.trips AS "tripCount", ${inUnits('e.usual')} AS usual, ${inUnits('e.actual')} AS actual, CASE WHEN e.challan_id IS NOT NULL THEN other.challan_number END AS "otherNumber",
  e.effect::text AS effect,
  CASE WHEN f.id IS NOT NULL THEN json_build_object('id', f.id, 'reason', f.reason, 'createdBy', ${actorName('a')}, 'createdAt',
    to_char(f.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS fine`;
const exceptionJoins = `LEFT JOIN challans AS c ON c.subadmin_id = $1 AND c.id = e.challan_id
  LEFT JOIN challans AS other ON other.subadmin_id = $1 AND other.id = e.other_id
  LEFT JOIN unused_diesel AS h ON e.kind = 'hsd' AND h.subject = e.subject
  LEFT JOIN owners AS o ON o.subadmin_id = $1
    AND o.id = coalesce(c.owner_id, CASE WHEN e.kind = 'ownerShortage' THEN e.subject::uuid END)
  LEFT JOIN exception_fines AS f ON f.subadmin_id = $1 AND f.id = e.fine_id
  LEFT JOIN accounts AS a ON a.id = f.created_by`;

/** The tables of half a year of a large business are sorted in memory. The question is rare. */
const sortInMemory = "SET LOCAL work_mem = '64MB'";

/** So many routes are in the plot. */
const plottedRoutes = 10;

interface Page {
  count: number;
  effect: string;
  data: Exception[];
  routes: RouteShortage[];
}

/** Returns a page of exceptions with the sum of all of them, and the routes that lose most. Without paging it has all of them. */
export async function selectExceptions(
  db: TenantDb,
  query: ExceptionQuery,
  today: string,
  paging?: Paging,
): Promise<Page> {
  const days = await daysOf(db, query, today);
  await db.query(sortInMemory);
  const { values, bind } = new Parameters(db);
  const tables = listed(query, days, bind);
  const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const order = `ORDER BY ${query.sortBy === 'day' ? 'e.day' : 'e.effect'} ${direction}, e.kind, e.subject, e.challan_id`;
  const slice = paging ? `LIMIT ${bind(paging.limit)} OFFSET ${bind(offsetOf(paging))}` : '';
  return db.one<Page>(
    `${tables}, lossy AS (
       SELECT b.route, count(*)::int AS "challanCount", sum(b.shortage_amount) AS amount, min(b.id::text)::uuid AS one
       FROM base AS b WHERE b.is_asked AND b.shortage_amount > 0 GROUP BY b.route
       ORDER BY amount DESC, b.route LIMIT ${plottedRoutes}
     )
     SELECT (SELECT count(*)::int FROM listed) AS count, (SELECT round(coalesce(sum(effect), 0), 2)::text FROM listed) AS effect,
       (SELECT coalesce(json_agg(page), '[]') FROM (
         SELECT ${exceptionRow} FROM (SELECT e.* FROM listed AS e ${order} ${slice}) AS e ${exceptionJoins} ${order}) AS page) AS data,
       (SELECT coalesce(json_agg(json_build_object('route', ${routeOf('c')}, 'challanCount', l."challanCount",
           'amount', round(l.amount, 2)::text) ORDER BY l.amount DESC, l.route), '[]')
         FROM lossy AS l JOIN challans AS c ON c.subadmin_id = $1 AND c.id = l.one) AS routes`,
    values,
  );
}

/**
 * Returns how many exceptions there are that are not fine, and what they cost: of a challan with several the largest, and without
 * the patterns, which repeat what single challans lost.
 */
export async function selectExceptionSums(
  db: TenantDb,
  filter: ExceptionFilter,
  today: string,
): Promise<{ count: number; effect: string }> {
  const days = await daysOf(db, filter, today);
  await db.query(sortInMemory);
  const { values, bind } = new Parameters(db);
  return db.one<{ count: number; effect: string }>(
    `${listed(filter, days, bind)}
     SELECT (SELECT count(*)::int FROM listed) AS count, round(coalesce(sum(most), 0), 2)::text AS effect
     FROM (
       SELECT max(effect) AS most FROM listed WHERE kind <> ALL (${bind(Object.keys(patternKinds))}::text[])
       GROUP BY coalesce(challan_id::text, subject)) AS once`,
    values,
  );
}

export interface FineItem {
  kind: ExceptionKindName;
  subject: string;
}

/** Remembers subjects as fine. Those that are fine already keep their reason. */
export async function insertFines(db: TenantDb, caller: Caller, items: readonly FineItem[], reason: string) {
  const { rowCount } = await db.query(
    `INSERT INTO exception_fines (subadmin_id, kind, subject, reason, created_by)
     SELECT DISTINCT $1::uuid, i.kind, i.subject, $4, $5::uuid FROM unnest($2::text[], $3::text[]) AS i (kind, subject)
     ON CONFLICT (subadmin_id, kind, subject) WHERE taken_back_at IS NULL DO NOTHING`,
    [db.tenantId, items.map(({ kind }) => kind), items.map(({ subject }) => subject), reason, caller.accountId],
    'insert-exception-fines',
  );
  return rowCount ?? 0;
}

/** Returns how many of these ids are challans of the business, deleted ones too. */
export async function countChallansOf(db: TenantDb, ids: readonly string[]): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    'SELECT count(*)::int AS count FROM challans WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])',
    [db.tenantId, ids],
    'count-challans-of-exceptions',
  );
  return count;
}

/** Forgets these; those that somebody else took back meanwhile are left out of the count. */
export async function updateFinesTakenBack(db: TenantDb, caller: Caller, ids: readonly string[]): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE exception_fines SET taken_back_at = clock_timestamp(), taken_back_by = $3
     WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) AND taken_back_at IS NULL`,
    [db.tenantId, ids, caller.accountId],
    'take-back-exception-fines',
  );
  return rowCount ?? 0;
}
