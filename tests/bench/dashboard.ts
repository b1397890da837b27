import type { PoolClient } from 'pg';
import { addDays } from '../../src/shared/calc/dates.ts';
import { commonestTag } from '../../src/sample-data/trade.ts';
import { compare, cpuOf, type Comparison } from './compare.ts';
import type { Context } from './context.ts';
import { ms, times, type Line } from './table.ts';

/** A call, and two ways to do the same in SQL: the best that we know (from the roll-ups), and counting the challans. */
interface DashboardCase {
  what: string;
  path: string;
  /** The count and the amount in the answer, to check that all three agree. */
  figures: (answer: never) => [count: number, amount: string];
  best: Statement;
  recount: Statement;
}

interface Statement {
  /** Each row has `challans` and `amount`. Their sums over all rows are the figures of the answer. */
  text: string;
  values: unknown[];
}

interface Analytics {
  data: { totals: { challanCount: number; totalAmount: string } };
}
interface Weeks {
  data: { periods: { challanCount: number; totalAmount: string }[] };
}
interface Accounts {
  pagination: { totalCount: number };
  summary: { balanceAsOn: string };
}
interface Ageing {
  meta: { today: string; totals: { total: { count: number; amount: string } } };
}

/** The dashboard of the largest business, compared with the same figures in SQL and with counting the challans. */
export async function measureDashboard(context: Context): Promise<Line[]> {
  const { data, large, say, isQuick } = context;
  const tag = data.large.tagOfName.get(commonestTag);
  if (!tag) throw new Error('Every business has the commonest tag');
  const { meta } = await large.ask<Ageing>('GET', '/api/dashboard/owner-ageing');
  const lines: Line[] = [];
  for (const item of casesOf(data.large.id, tag.id, meta.today)) {
    say(`  ${item.what}`);
    const client = await context.sql.connect();
    try {
      const run = prepare(client);
      await mustAgree(context, item, run);
      const ask = async (): Promise<void> => {
        const { status } = await large.send('GET', item.path);
        if (status !== 200) throw new Error(`${item.path}: ${status}`);
      };
      const rounds = isQuick ? 4 : 8;
      const best = await compare(context.processes, ask, () => run(`${item.what} best`, item.best), rounds);
      const recount = await compare(context.processes, ask, () => run(`${item.what} recount`, item.recount), rounds);
      lines.push(...report(item.what, best, recount));
    } catch (error) {
      lines.push({ what: item.what, measured: 'failed', note: error instanceof Error ? error.message : String(error) });
    } finally {
      client.release();
    }
  }
  return lines;
}

let prepared = 0;
type Run = (name: string, statement: Statement) => Promise<{ challans: number; amount: string }[]>;

function prepare(client: PoolClient): Run {
  const names = new Map<string, string>();
  return async (name, { text, values }) => {
    if (!names.has(name)) names.set(name, `dashboard ${(prepared += 1)}`);
    const known = names.get(name) ?? name;
    const { rows } = await client.query<{ challans: number; amount: string }>({ name: known, text, values });
    return rows;
  };
}

async function mustAgree({ large }: Context, item: DashboardCase, run: Run): Promise<void> {
  // The cast is safe: each case reads the answer of its own call.
  const api = item.figures((await large.ask('GET', item.path)) as never);
  for (const side of ['best', 'recount'] as const) {
    const rows = await run(`${item.what} ${side}`, item[side]);
    const count = rows.reduce((total, row) => total + row.challans, 0);
    // Amounts are added up in paise, as whole numbers.
    const paise = rows.reduce((total, row) => total + BigInt(row.amount.replace('.', '')), 0n);
    if (count !== api[0] || paise !== BigInt(api[1].replace('.', ''))) {
      throw new Error(`${item.what}: the API has ${api.join(' of ')}, ${side} SQL ${count} of ${paise} paise`);
    }
  }
}

const allTags = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function casesOf(tenant: string, tagId: string, today: string): DashboardCase[] {
  const analytics = ({ data }: Analytics): [number, string] => [data.totals.challanCount, data.totals.totalAmount];
  const weeks = ({ data }: Weeks): [number, string] => [
    data.periods.reduce((total, { challanCount }) => total + challanCount, 0),
    data.periods
      .reduce((total, { totalAmount }) => total + BigInt(totalAmount.replace('.', '')), 0n)
      .toString()
      .replace(/(\d\d)$/, '.$1'),
  ];
  const [from, to] = [addDays(today, -120), addDays(today, -31)];
  return [
    {
      what: 'tag analytics',
      path: '/api/accounting/tag-analytics',
      figures: analytics,
      best: { text: byTag('challan_totals_by_tag', ''), values: [tenant] },
      recount: { text: recountByTag(''), values: [tenant] },
    },
    {
      what: 'tag analytics of 90 days',
      path: `/api/accounting/tag-analytics?startDate=${from}&endDate=${to}`,
      figures: analytics,
      best: { text: byTag('challan_totals_by_day', 'AND deposited_on BETWEEN $2 AND $3'), values: [tenant, from, to] },
      recount: { text: recountByTag('AND deposited_on BETWEEN $2 AND $3'), values: [tenant, from, to] },
    },
    {
      what: 'challans by week, all dates',
      path: '/api/dashboard/weeks',
      figures: weeks,
      best: { text: byWeek(`AND tag_id = '${allTags}'`, ''), values: [tenant] },
      recount: { text: recountByWeek(''), values: [tenant] },
    },
    {
      what: 'challans by week of one tag',
      path: `/api/dashboard/weeks?tagId=${tagId}`,
      figures: weeks,
      best: { text: byWeek('AND tag_id = $2', 'AND tag_id = $2'), values: [tenant, tagId] },
      recount: { text: recountByWeek('AND tag_id = $2'), values: [tenant, tagId] },
    },
    {
      what: 'owner ageing',
      path: '/api/dashboard/owner-ageing',
      figures: ({ meta }: Ageing) => [meta.totals.total.count, meta.totals.total.amount],
      best: { text: aged(unpaidRolledUp, "FILTER (WHERE deposited_on = 'infinity')"), values: [tenant, today] },
      recount: { text: aged(unpaidRecounted, ''), values: [tenant, today] },
    },
    {
      what: 'balances of the owners as on a day',
      path: `/api/accounting/owners?limit=50&asOn=${from}`,
      figures: ({ pagination, summary }: Accounts) => [pagination.totalCount, summary.balanceAsOn],
      // Nothing is kept by day, so both are a count.
      best: { text: balances, values: [tenant, from] },
      recount: { text: balances, values: [tenant, from] },
    },
  ];
}

const measures = 'payment_status, challans, net_amount, loading_weight, unloading_weight';
const ofTag = `sum(challans)::int AS challans, sum(net_amount)::text AS amount,
  sum(challans) FILTER (WHERE payment_status) AS paid, sum(net_amount) FILTER (WHERE payment_status) AS paid_amount,
  sum(loading_weight) AS loading_weight, sum(unloading_weight) AS unloading_weight`;

const byTag = (table: string, days: string): string => `
  SELECT t.name, t.color, sums.* FROM (
    SELECT tag_id, ${ofTag} FROM (
      SELECT tag_id, ${measures} FROM ${table} WHERE subadmin_id = $1 AND tag_id <> '${allTags}' ${days}
      UNION ALL
      SELECT tag_id, ${measures} FROM open_challan_totals WHERE subadmin_id = $1 ${days}) AS parts
    GROUP BY tag_id) AS sums
  LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = sums.tag_id`;

const recountByTag = (days: string): string => `
  SELECT t.name, t.color, sums.* FROM (
    SELECT tag_id, count(*)::int AS challans, sum(net_amount_payable)::text AS amount,
      count(*) FILTER (WHERE payment_status) AS paid, sum(net_amount_payable) FILTER (WHERE payment_status) AS paid_amount,
      sum(loading_weight) AS loading_weight, sum(unloading_weight) AS unloading_weight
    FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL ${days} GROUP BY tag_id) AS sums
  LEFT JOIN tags t ON t.subadmin_id = $1 AND t.id = sums.tag_id`;

const byWeek = (ofRollUp: string, ofDeltas: string): string => `
  SELECT date_trunc('week', deposited_on::timestamp) AS week, sum(challans)::int AS challans,
    sum(net_amount)::text AS amount, sum(net_amount) FILTER (WHERE payment_status) AS paid_amount
  FROM (
    SELECT deposited_on, payment_status, challans, net_amount FROM challan_totals_by_day
    WHERE subadmin_id = $1 AND deposited_on > '-infinity' ${ofRollUp}
    UNION ALL
    SELECT deposited_on, payment_status, challans, net_amount FROM open_challan_totals
    WHERE subadmin_id = $1 AND deposited_on > '-infinity' ${ofDeltas}) AS parts
  GROUP BY 1 ORDER BY 1`;

const recountByWeek = (ofTag: string): string => `
  SELECT date_trunc('week', deposited_on::timestamp) AS week, count(*)::int AS challans,
    sum(net_amount_payable)::text AS amount, sum(net_amount_payable) FILTER (WHERE payment_status) AS paid_amount
  FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND deposited_on IS NOT NULL ${ofTag}
  GROUP BY 1 ORDER BY 1`;

/**
 * The unpaid challans by owner and deposited day, from the roll-up: the days that are at most 45 days old, the total of all
 * days ('infinity') and the challans without a day ('-infinity').
 */
const unpaidRolledUp = `
  SELECT owner_id, deposited_on, challans, net_amount FROM challan_unpaid_by_owner_day
  WHERE subadmin_id = $1 AND (deposited_on >= $2::date - 45 OR deposited_on = '-infinity')
  UNION ALL
  SELECT owner_id, unnest(ARRAY[deposited_on, 'infinity']), challans, net_amount FROM open_challan_totals
  WHERE subadmin_id = $1 AND NOT payment_status`;

const unpaidRecounted = `
  SELECT owner_id, coalesce(deposited_on, '-infinity') AS deposited_on, 1 AS challans, net_amount_payable AS net_amount
  FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND NOT payment_status`;

const youngest = [-1_000_000, 8, 16, 31];
const within = (index: number): string =>
  `deposited_on BETWEEN $2::date - ${[7, 15, 30, 45][index]} AND ${index === 0 ? "'2999-12-31'" : `$2::date - ${youngest[index]}`}`;
const ofAges = youngest
  .map(
    (_, index) => `coalesce(sum(challans) FILTER (WHERE ${within(index)}), 0) AS count_${index},
      coalesce(sum(net_amount) FILTER (WHERE ${within(index)}), 0) AS amount_${index}`,
  )
  .join(', ');

/** The ten owners who have been owed the most for the longest, and the sums of all owners. */
const aged = (source: string, ofAll: string): string => `
  WITH sums AS MATERIALIZED (
    SELECT owner_id, sum(challans) ${ofAll} AS challans, sum(net_amount) ${ofAll} AS amount, ${ofAges},
      coalesce(sum(net_amount) FILTER (WHERE deposited_on = '-infinity'), 0) AS amount_5
    FROM (${source}) AS parts GROUP BY owner_id
  ), owing AS (
    SELECT *, amount - amount_0 - amount_1 - amount_2 - amount_3 - amount_5 AS amount_4 FROM sums WHERE challans > 0
  ), totals AS (SELECT sum(challans)::int AS challans, sum(amount)::text AS amount, sum(amount_0), sum(amount_1),
      sum(amount_2), sum(amount_3), sum(amount_4), sum(amount_5), count(*) FROM owing)
  SELECT totals.*, page.owners FROM totals, (
    SELECT json_agg(top) AS owners FROM (
      SELECT o.name, owing.* FROM owing JOIN owners o ON o.subadmin_id = $1 AND o.id = owing.owner_id
      ORDER BY amount_4 DESC, amount_3 DESC LIMIT 10) AS top) AS page`;

/** A row for each owner: its challans up to a day, less what was paid and not taken back up to then, and its opening balance. */
const balances = `
  SELECT 1 AS challans, (coalesce(c.amount, 0) - coalesce(p.amount, 0) - coalesce(k.amount, 0) + coalesce(b.amount, 0))::numeric(18, 2)::text AS amount
  FROM owners o
  LEFT JOIN (SELECT owner_id, sum(net_amount_payable) AS amount FROM challans
    WHERE subadmin_id = $1 AND deleted_at IS NULL
      AND coalesce(deposited_on, (created_at AT TIME ZONE 'Asia/Kolkata')::date) <= $2 GROUP BY owner_id) AS c ON c.owner_id = o.id
  LEFT JOIN (SELECT owner_id, sum(amount) AS amount FROM (
      SELECT l.owner_id, l.amount FROM payment_lines l JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
      WHERE l.subadmin_id = $1 AND l.kind = 'pay' AND b.paid_on <= $2
      UNION ALL SELECT owner_id, -amount FROM payment_lines
      WHERE subadmin_id = $1 AND kind = 'reverse' AND (created_at AT TIME ZONE 'Asia/Kolkata')::date <= $2) AS moved
    GROUP BY owner_id) AS p ON p.owner_id = o.id
  LEFT JOIN (SELECT k.owner_id, sum(k.amount) AS amount FROM carry_events k JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = k.batch_id
    WHERE k.subadmin_id = $1 AND CASE WHEN k.kind IN ('carry', 'deduct') THEN b.paid_on ELSE (k.created_at AT TIME ZONE 'Asia/Kolkata')::date END <= $2 GROUP BY k.owner_id) AS k ON k.owner_id = o.id
  LEFT JOIN LATERAL (SELECT amount, as_of FROM owner_opening_balances
    WHERE subadmin_id = $1 AND owner_id = o.id ORDER BY entry_no DESC LIMIT 1) AS b ON b.as_of <= $2
  WHERE o.subadmin_id = $1 AND o.deleted_at IS NULL`;

function report(what: string, best: Comparison, recount: Comparison): Line[] {
  const ratio = best.api.p50 / best.sql.p50;
  const cpu = cpuOf(best.api) / cpuOf(best.sql);
  const gain = recount.sql.p50 / recount.api.p50;
  return [
    { what: `${what}: p50`, measured: ms(best.api.p50), sql: ms(best.sql.p50), ratio: times(ratio) },
    {
      what: `${what}: CPU (database + Node)`,
      measured: ms(cpuOf(best.api)),
      sql: ms(cpuOf(best.sql)),
      ratio: times(cpu),
    },
    {
      what: `${what}: against a recount`,
      measured: ms(recount.api.p50),
      sql: ms(recount.sql.p50),
      ratio: `1 / ${gain.toFixed(1)}`,
      note: 'the challans themselves counted',
    },
  ];
}
