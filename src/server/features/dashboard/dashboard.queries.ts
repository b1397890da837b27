import {
  ageBuckets,
  mostPeriods,
  oldestDays,
  type OwnerAgeing,
  type Period,
  type PeriodUnit,
  type UnpaidByAge,
  type ageingSortKeys,
} from '../../../shared/contract/dashboard.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { notDeposited } from '../challans/challans-filter.queries.ts';
import { byDay, totalParts } from '../challans/challans-totals.queries.ts';
import { offsetOf } from '../../sql/paging.ts';
import { Parameters, preparedName } from '../../sql/statements.ts';
import type { DashboardFilter } from './tag-analytics.queries.ts';

/**
 * Returns challans by period (week, month or year) of the deposited day, in order and without gaps, from the roll-up by
 * day and the open differences (migration 005). A year is a few hundred rows, whatever the number of challans. The
 * periods run from the first to the last requested day; without these, from the first to the last deposited day.
 * Without any deposited challan there are no periods.
 */
export async function selectPeriods(
  db: TenantDb,
  filter: DashboardFilter,
): Promise<{ unit: PeriodUnit; periods: Period[] }> {
  const { values, bind } = new Parameters(db);
  const { depositedStartDate: start, depositedEndDate: end } = filter;
  const measures = 'deposited_on, payment_status, challans, net_amount';
  const text = `WITH by_day AS (
       SELECT deposited_on, payment_status, sum(challans) AS challans, sum(net_amount) AS net_amount
       FROM (${totalParts(filter, byDay, measures, bind)}) AS parts
       WHERE deposited_on > '${notDeposited}'
       GROUP BY deposited_on, payment_status HAVING sum(challans) > 0
     ), bounds AS (
       SELECT ${start ? `${bind(start)}::date` : 'min(deposited_on)'} AS first,
         ${end ? `${bind(end)}::date` : 'max(deposited_on)'} AS last
       FROM by_day HAVING count(*) > 0
     ), chosen AS (
       SELECT first, last, CASE
           WHEN (date_trunc('week', last::timestamp)::date - date_trunc('week', first::timestamp)::date) / 7 < ${mostPeriods}
             THEN 'week'
           WHEN (extract(year FROM last) - extract(year FROM first)) * 12 + extract(month FROM last)
             - extract(month FROM first) < ${mostPeriods} THEN 'month'
           ELSE 'year'
         END AS unit
       FROM bounds
     ), periods AS (
       SELECT unit, first, last, begun::date AS begun, (begun + ('1 ' || unit)::interval)::date - 1 AS ended
       FROM chosen,
         generate_series(date_trunc(unit, first::timestamp), last::timestamp, ('1 ' || unit)::interval) AS begun
     ), sums AS (
       SELECT date_trunc(unit, deposited_on::timestamp)::date AS begun, sum(challans) AS challans,
         sum(net_amount) AS net_amount, sum(challans) FILTER (WHERE payment_status) AS paid,
         sum(net_amount) FILTER (WHERE payment_status) AS paid_amount
       FROM by_day, chosen GROUP BY 1
     )
     SELECT unit, greatest(begun, first)::text AS "startDate", least(ended, last)::text AS "endDate",
       coalesce(challans, 0)::int AS "challanCount", coalesce(net_amount, 0.00)::text AS "totalAmount",
       coalesce(paid, 0)::int AS "paidCount", coalesce(paid_amount, 0.00)::text AS "paidAmount",
       (coalesce(challans, 0) - coalesce(paid, 0))::int AS "unpaidCount",
       (coalesce(net_amount, 0.00) - coalesce(paid_amount, 0.00))::text AS "unpaidAmount"
     FROM periods LEFT JOIN sums USING (begun)
     ORDER BY begun`;
  const { rows } = await db.query<Period & { unit: PeriodUnit }>(text, values, preparedName('periods', text));
  // The schema of the answer removes the unit of each row.
  return { unit: rows[0]?.unit ?? 'week', periods: rows };
}

/**
 * SQL conditions: the days of the roll-up in each bucket; `$2` is today. Days older than all buckets with an end are in
 * none of them.
 */
const daysOf: Readonly<Record<string, string>> = {
  total: `deposited_on = 'infinity'`,
  notDeposited: `deposited_on = '-infinity'`,
  ...Object.fromEntries(
    Object.entries(oldestDays).map(([bucket, days], index, all) => {
      const younger = all[index - 1];
      return [
        bucket,
        `deposited_on >= $2::date - ${days} AND deposited_on < ${younger ? `$2::date - ${younger[1]}` : `'infinity'`}`,
      ];
    }),
  ),
};
const oldest = Math.max(...Object.values(oldestDays));

const column = { count: (bucket: string) => `"${bucket} count"`, amount: (bucket: string) => `"${bucket} amount"` };

const buckets = ['total', ...ageBuckets];
const summed = buckets.filter((bucket) => bucket !== 'over45');
const younger = summed.filter((bucket) => bucket !== 'total');

/**
 * SQL: count and sum of each bucket over rows of the roll-up. Counts are cast to int, because summing numeric values is
 * most of the cost.
 */
const bucketSums = summed
  .map((bucket) =>
    [
      `coalesce(sum(challans::int) FILTER (WHERE ${daysOf[bucket]}), 0) AS ${column.count(bucket)}`,
      `coalesce(sum(net_amount) FILTER (WHERE ${daysOf[bucket]}), 0) AS ${column.amount(bucket)}`,
    ].join(', '),
  )
  .join(',\n      ');

/** SQL: the bucket over 45 days is the total minus the other buckets. */
const rest = (of: (bucket: string) => string): string => [of('total'), ...younger.map(of)].join(' - ');

/** SQL: count and amount of every bucket in the form of the answer. */
const shown = (of: (column: string) => string): string =>
  buckets
    .map((bucket) => {
      const [count, amount] = [of(column.count(bucket)), of(column.amount(bucket))];
      return `'${bucket}', json_build_object('count', ${count}::int, 'amount', round(${amount}, 2)::text)`;
    })
    .join(', ');

/**
 * The order with the oldest debt first: by the amount in the oldest bucket, then in the next one, and so on. So the
 * first page shows who has waited longest.
 */
const oldestFirst = ageBuckets
  .filter((bucket) => bucket !== 'notDeposited')
  .toReversed()
  .map(column.amount);

interface AgeingQuery {
  page: number;
  limit: number;
  sortBy: (typeof ageingSortKeys)[number];
  sortOrder: 'asc' | 'desc';
}

/**
 * Returns the unpaid amounts of each owner by days since the deposit: a page of the owners, and the sums over all of
 * them. The data comes from the roll-up of migration 005 and the open differences, in one statement and so from one
 * snapshot. `today` is the day in Asia/Kolkata.
 */
export async function selectOwnerAgeing(
  db: TenantDb,
  today: string,
  query: AgeingQuery,
): Promise<{ owners: OwnerAgeing[]; ownerCount: number; totals: UnpaidByAge }> {
  // Parallel workers are switched off: summing a few thousand rows is faster than starting them.
  const withoutHelpers = db.query('SET LOCAL max_parallel_workers_per_gather = 0');
  const aged = db.query<{ ownerCount: number; totals: UnpaidByAge; owners: OwnerAgeing[] | null }>(
    `WITH parts AS (
       SELECT owner_id, deposited_on, challans, net_amount FROM challan_unpaid_by_owner_day
       WHERE subadmin_id = $1 AND (deposited_on >= $2::date - ${oldest} OR deposited_on = '-infinity')
       UNION ALL
       SELECT owner_id, unnest(ARRAY[deposited_on, 'infinity']), challans, net_amount FROM open_challan_totals
       WHERE subadmin_id = $1 AND NOT payment_status
     ), sums AS (
       SELECT owner_id, ${bucketSums}
       FROM parts GROUP BY owner_id
     ), owing AS MATERIALIZED (
       SELECT *, ${rest(column.count)} AS ${column.count('over45')}, ${rest(column.amount)} AS ${column.amount('over45')}
       FROM sums WHERE ${column.count('total')} > 0
     ), names AS MATERIALIZED (
       SELECT id, name FROM owners WHERE subadmin_id = $1
     ), page AS (
       SELECT owing.*, o.name, row_number() OVER (ORDER BY ${orderOf(query)}) AS place
       FROM owing JOIN names AS o ON o.id = owing.owner_id
       ORDER BY place LIMIT $3 OFFSET $4
     )
     SELECT (SELECT count(*)::int FROM owing) AS "ownerCount",
       (SELECT json_build_object(${shown((name) => `coalesce(sum(${name}), 0)`)}) FROM owing) AS totals,
       (SELECT json_agg(json_build_object('ownerId', owner_id, 'ownerName', name, ${shown((name) => name)})
          ORDER BY place) FROM page) AS owners`,
    [db.tenantId, today, query.limit, offsetOf(query)],
    `owner-ageing-${query.sortBy}-${query.sortOrder}`,
  );
  const [, { rows }] = await Promise.all([withoutHelpers, aged]);
  // The statement has three scalar subqueries, so it returns one row; an aggregate without GROUP BY always has a
  // result.
  const { owners, ownerCount, totals } = rows[0]!;
  return { owners: owners ?? [], ownerCount, totals };
}

function orderOf({ sortBy, sortOrder }: AgeingQuery): string {
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const keys: Record<AgeingQuery['sortBy'], string[]> = {
    oldest: [...oldestFirst, column.amount('total')],
    total: [column.amount('total')],
    ownerName: ['lower(o.name)'],
  };
  return [...keys[sortBy].map((key) => `${key} ${direction}`), 'lower(o.name)', 'o.id'].join(', ');
}
