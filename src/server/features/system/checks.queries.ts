import type { TenantDb } from '../../db/tenant.ts';
import { noneId, notDeposited } from '../challans/challans-filter.queries.ts';
import { allTags, ownersByStatus } from '../challans/challans-totals.queries.ts';
import { ledgerDifferences } from './checks-ledger.queries.ts';

/**
 * The result of a check: the number of differences, and a few examples by number or key (never an amount or an
 * account).
 */
export interface Found {
  differences: number;
  examples: string[];
}

/** A check that the books of a business are consistent: a query that returns a row for each difference. */
export interface Check {
  name: string;
  /** SQL: `$1` is the tenant; each row has `rule` and `wrong`. */
  differences: string;
}

const tag = `coalesce(tag_id, '${noneId}')`;
const deposited = `coalesce(deposited_on, '${notDeposited}')`;
/** The sums of a roll-up, each with what a challan adds to it. Not every roll-up has the weights. */
const sums = { challans: '1', net_amount: 'net_amount_payable' };
const withWeights = { ...sums, loading_weight: 'loading_weight', unloading_weight: 'unloading_weight' };

/**
 * SQL: the keys for which a roll-up plus the open differences is not equal to the challans themselves, in any measure.
 */
const totalsDifferences = (
  table: string,
  keys: readonly string[],
  ofChallan: readonly string[],
  measures: Record<string, string>,
  where = 'true',
): string => {
  const key = keys.join(', ');
  const columns = [key, ...Object.keys(measures)].join(', ');
  const isOff = Object.keys(measures)
    .map((measure) => `sum(${measure}) <> 0`)
    .join(' OR ');
  return `SELECT '${/challan_\w+/.exec(table)?.[0]}' AS rule, concat_ws(' ', ${key}) AS wrong FROM (
    SELECT ${columns} FROM ${table} WHERE subadmin_id = $1 AND ${where}
    UNION ALL SELECT ${columns} FROM open_challan_totals WHERE subadmin_id = $1
    UNION ALL
    SELECT ${[...ofChallan, ...Object.values(measures).map((measure) => `-${measure}`)].join(', ')}
    FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL
  ) AS parts GROUP BY ${key} HAVING ${isOff}`;
};

const sumsOfOwners = (which: string): string => `SELECT (sum(w.challan_count)::int, sum(w.amount), count(*)::int)
  FROM prepared_payment_owners w WHERE w.subadmin_id = $1 AND w.prepared_id = p.id AND ${which}`;

/** SQL: numbers of prepared payments with a gap, and those that are not the sum of their owners or were not paid as reviewed. */
const preparedDifferences = `
  SELECT 'prepared_payments without a gap' AS rule, coalesce(made.name, k.name) AS wrong
  FROM (SELECT 'prepared-' || split_part(number, '-', 2) AS name, count(*) AS count FROM prepared_payments
      WHERE subadmin_id = $1 GROUP BY 1) AS made
    FULL JOIN (SELECT name, value FROM counters WHERE subadmin_id = $1 AND name LIKE 'prepared-%') AS k ON k.name = made.name
  WHERE made.count IS DISTINCT FROM k.value
  UNION ALL
  SELECT 'prepared as its owners', p.number FROM prepared_payments p
  WHERE p.subadmin_id = $1 AND ROW(p.challan_count, p.amount, p.owner_count) IS DISTINCT FROM (${sumsOfOwners('true')})
  UNION ALL
  SELECT 'released as reviewed', p.number
  FROM prepared_payments p LEFT JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = p.batch_id
  WHERE p.subadmin_id = $1 AND p.state = 'released' AND NOT p.act ? 'reverse'
    AND ROW(b.updated_count, b.total_amount, b.owner_count) IS DISTINCT FROM (${sumsOfOwners('NOT w.is_left_out')})`;

const unpaidDifferences = `
  SELECT 'challan_unpaid_by_owner_day' AS rule, concat_ws(' ', owner_id, deposited_on) AS wrong FROM (
    SELECT owner_id, deposited_on, challans, net_amount FROM challan_unpaid_by_owner_day WHERE subadmin_id = $1
    UNION ALL
    SELECT owner_id, coalesce(deposited_on, 'infinity'), sum(n), sum(amount) FROM (
      SELECT owner_id, deposited_on, challans AS n, net_amount AS amount FROM open_challan_totals
      WHERE subadmin_id = $1 AND NOT payment_status
      UNION ALL
      SELECT owner_id, ${deposited}, -1, -net_amount_payable FROM challans
      WHERE subadmin_id = $1 AND deleted_at IS NULL AND NOT payment_status
    ) AS parts GROUP BY GROUPING SETS ((owner_id, deposited_on), (owner_id))
  ) AS all_parts GROUP BY owner_id, deposited_on HAVING sum(challans) <> 0 OR sum(net_amount) <> 0`;

const countDifferences = `
  SELECT 'challan_counts_by_created_day' AS rule, created_on::text AS wrong FROM (
    SELECT created_on, challans AS n FROM challan_counts_by_created_day WHERE subadmin_id = $1
    UNION ALL
    SELECT (created_at AT TIME ZONE 'UTC')::date, -1 FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL
  ) AS parts GROUP BY created_on HAVING sum(n) <> 0`;

/** SQL: plates that are missing in challan_vehicles, and would not be found by a part of them. */
const missingVehicles = `
  SELECT DISTINCT 'challan_vehicles' AS rule, vehicle_key AS wrong FROM challans AS c WHERE subadmin_id = $1 AND NOT EXISTS (
    SELECT FROM challan_vehicles AS v WHERE v.subadmin_id = $1 AND v.vehicle_key = c.vehicle_key)`;

/** SQL: payments and owners whose sum differs from the lines, reversals, carries and deductions. */
const sumDifferences = `
  SELECT 'payment_sums' AS rule, concat_ws(' ', batch_id, owner_id) AS wrong FROM (
    SELECT batch_id, owner_id, paid_on, recorded_at, challans AS n, amount FROM payment_sums WHERE subadmin_id = $1
    UNION ALL
    SELECT l.batch_id, l.owner_id, b.paid_on, b.created_at, -l.n, -l.amount FROM (
      SELECT batch_id, owner_id, CASE kind WHEN 'pay' THEN 1 ELSE -1 END AS n,
        CASE kind WHEN 'pay' THEN amount ELSE -amount END AS amount
      FROM payment_lines WHERE subadmin_id = $1
      UNION ALL SELECT batch_id, owner_id, 0, amount FROM carry_events WHERE subadmin_id = $1
    ) AS l LEFT JOIN payment_batches AS b ON b.subadmin_id = $1 AND b.id = l.batch_id
  ) AS parts GROUP BY batch_id, owner_id, paid_on, recorded_at HAVING sum(n) <> 0 OR sum(amount) <> 0`;

/** The checks. Each is one line in the result. The totals are those of migration 005. */
export const checks: readonly Check[] = [
  { name: 'payments and challans agree', differences: ledgerDifferences },
  { name: 'what each payment paid each owner', differences: sumDifferences },
  { name: 'prepared and released payments', differences: preparedDifferences },
  { name: 'unpaid by owner and day', differences: unpaidDifferences },
  { name: 'challans by day of creation', differences: countDifferences },
  { name: 'plates of challans', differences: missingVehicles },
  {
    name: 'totals by tag',
    differences: totalsDifferences(
      'challan_totals_by_tag',
      ['tag_id', 'payment_status'],
      [tag, 'payment_status'],
      withWeights,
    ),
  },
  {
    name: 'totals by owner',
    differences: totalsDifferences(
      ownersByStatus,
      ['owner_id', 'tag_id', 'payment_status'],
      ['owner_id', tag, 'payment_status'],
      { ...sums, tds_amount: 'tds_amount' },
    ),
  },
  {
    name: 'totals by day',
    differences: [
      totalsDifferences(
        'challan_totals_by_day',
        ['tag_id', 'deposited_on', 'payment_status'],
        [tag, deposited, 'payment_status'],
        withWeights,
        `tag_id <> '${allTags}'`,
      ),
      totalsDifferences(
        'challan_totals_by_day',
        ['deposited_on', 'payment_status'],
        [deposited, 'payment_status'],
        withWeights,
        `tag_id = '${allTags}'`,
      ),
    ].join(' UNION ALL '),
  },
];

/** Runs one check. Call it in a transaction that reads one snapshot. */
export function selectDifferences(db: TenantDb, { differences }: Check): Promise<Found> {
  return db.one<Found>(
    `SELECT count(*)::int AS differences, coalesce((array_agg(rule || ': ' || wrong ORDER BY rule, wrong))[1:3], '{}') AS examples
     FROM (${differences}) AS found`,
    [db.tenantId],
  );
}
