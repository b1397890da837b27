import { formatDate, addDays } from '../../../shared/calc/dates.ts';
import { monthOf, type Days } from '../../../shared/calc/day-ranges.ts';
import {
  groupFigureNames,
  type ChallanGroup,
  type GroupFigure,
  type GroupFigures,
  type GroupKey,
  type GroupSort,
} from '../../../shared/contract/challan-groups.ts';
import { challanListFilters, type ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import { none } from '../../../shared/filters/define.ts';
import { setTexts, textsOfFilter } from '../../../shared/filters/filter-texts.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { offsetOf, type Paging } from '../../sql/paging.ts';
import { fetchInBatches, Parameters, type Bind } from '../../sql/statements.ts';
import { allOf, chosenConditions } from './challans-many.queries.ts';
import { driver } from './challans-filter.queries.ts';

/**
 * The groups of challans (docs/specification.md §33). The challans are added up by the columns of the keys as they are stored,
 * which several processes of the database can do at once. What these columns have in common, as upper and lower case of a place
 * or the days of a month, is put together afterwards, over some thousand rows instead of all challans.
 */

interface Key {
  /** SQL: the columns of challan `c` by which challans are added up. */
  columns: readonly string[];
  /** SQL: the join that these columns need. */
  join?: string;
  /** SQL over these columns: what is the same in all challans of a group; null where there is none. */
  same: (...columns: string[]) => string;
  /** SQL over these columns: the text that `filters` takes, as one of the challans has it. Default: `same`. */
  text?: (...columns: string[]) => string;
  /** SQL: where the name comes from, if it is not that text. */
  named?: { table: string; name: string };
  /** What people read, for a name or text of SQL. Default: itself. */
  label?: (text: string) => string;
  none: string;
  /** How the group filters the list. `filter` has what is set. */
  filters: (text: string | null, filter: ChallanFilter, name: string | null) => ChallanFilter;
}

const record = (column: string, table: string, name: 'ownerId' | 'tagId' | 'petrolPumpId', without: string): Key => ({
  columns: [`c.${column}`],
  same: (id) => `${id}::text`,
  named: { table, name: 'name' },
  none: without,
  filters: (id) => ({ [name]: id ?? none }),
});

const stored = (column: string, name: 'materialIs' | 'loadingPlaceIs' | 'unloadingPlaceIs'): Key => ({
  columns: [`c.${column}`],
  same: (value) => `lower(${value})`,
  text: (value) => value,
  none: '',
  filters: (text) => ({ [name]: text ?? '' }),
});

/**
 * The days of the deposit, which is the day that the list shows and filters by. `first` is SQL: the first day of theirs, by which
 * challans are added up at once, because there are many more days.
 */
const days = (first: string, daysOf: (first: string) => Days, label: (days: Days) => string): Key => ({
  columns: [first],
  same: (day) => `${day}::text`,
  label: (first) => label(daysOf(first)),
  none: 'Not deposited',
  filters: (first, { depositedStartDate = '', depositedEndDate = '9999-12-31' }) => {
    if (first === null) return { depositedDate: none };
    const { from, to } = daysOf(first);
    return {
      depositedStartDate: from > depositedStartDate ? from : depositedStartDate,
      depositedEndDate: to < depositedEndDate ? to : depositedEndDate,
    };
  },
});

/** Between the two places of a route, in the text of SQL. No stored place has it. */
const between = '\n';

const keys: { readonly [K in GroupKey]: Key } = {
  owner: record('owner_id', 'owners', 'ownerId', ''),
  tag: record('tag_id', 'tags', 'tagId', 'Without a tag'),
  route: {
    columns: ['c.loading_place', 'c.unloading_place'],
    same: (from, to) => `lower(${from} || E'\\n' || ${to})`,
    text: (from, to) => `${from} || E'\\n' || ${to}`,
    label: (text) => text.replace(between, ' → '),
    none: '',
    filters: (text) => {
      const [loadingPlaceIs, unloadingPlaceIs] = (text ?? '').split(between);
      return { loadingPlaceIs, unloadingPlaceIs };
    },
  },
  loadingPlace: stored('loading_place', 'loadingPlaceIs'),
  unloadingPlace: stored('unloading_place', 'unloadingPlaceIs'),
  vehicle: {
    columns: ['c.vehicle_key', 'c.vehicle_no'],
    same: (key) => key,
    text: (_, plate) => plate!,
    none: '',
    filters: (text) => ({ vehicleIs: text ?? '' }),
  },
  driver: {
    columns: ['c.driver_name'],
    same: (name) => driver(name),
    text: (name) => `CASE WHEN ${driver(name)} IS NOT NULL THEN ${name} END`,
    none: 'Without a driver',
    filters: (text) => ({ driverIs: text ?? none }),
  },
  material: stored('material', 'materialIs'),
  pump: record('petrol_pump_id', 'petrol_pumps', 'petrolPumpId', 'Without a petrol pump'),
  month: days(
    "date_trunc('month', c.deposited_on::timestamp)::date",
    monthOf,
    ({ from }) => `${monthNames[Number(from.slice(5, 7)) - 1]} ${from.slice(0, 4)}`,
  ),
  week: days(
    // That was a Monday.
    "c.deposited_on - (c.deposited_on - date '1900-01-01') % 7",
    (first) => ({ from: first, to: addDays(first, 6) }),
    ({ from, to }) => `${formatDate(from)} to ${formatDate(to)}`,
  ),
  paid: {
    columns: ['c.payment_status'],
    same: (isPaid) => `CASE WHEN ${isPaid} THEN 'Paid' ELSE 'Unpaid' END`,
    none: '',
    filters: (text) => ({ paymentStatus: text === 'Paid' }),
  },
  payment: {
    columns: ['paying.batch_id'],
    // All lines at once: looked up for each challan, as the list does for its page, they take ten times as long.
    join: `LEFT JOIN (
        SELECT challan_id, pay_cycle, batch_id FROM payment_lines WHERE subadmin_id = $1 AND kind = 'pay'
      ) AS paying ON paying.challan_id = c.id AND paying.pay_cycle = c.pay_cycle AND c.payment_status`,
    same: (id) => `${id}::text`,
    named: { table: 'payment_batches', name: 'number' },
    none: 'Without a payment',
    filters: (_, _filter, number) => ({ paymentIs: number ?? none }),
  },
};

/** SQL: what is added up of challans, and the figures that follow from these sums. The database keeps the arithmetic of a challan. */
const added = {
  challan_count: 'count(*)',
  loading_weight: 'sum(c.loading_weight)',
  unloading_weight: 'sum(c.unloading_weight)',
  shortage_amount: 'sum(c.shortage_amount)',
  tds_amount: 'sum(c.tds_amount)',
  hsd_amount: 'sum(c.hsd_amount)',
  advance_money: 'sum(c.advance_money)',
  office_charges: 'sum(c.office_charges)',
  material_shortage_amount: 'sum(c.material_shortage_amount)',
  net_amount_payable: 'sum(c.net_amount_payable)',
  paid_amount: 'coalesce(sum(c.net_amount_payable) FILTER (WHERE c.payment_status), 0.00)',
} as const;
const sumNames = Object.keys(added);

export const figures: { readonly [F in GroupFigure]: string } = {
  challanCount: 'challan_count',
  loadingWeight: 'loading_weight',
  unloadingWeight: 'unloading_weight',
  differenceWeight: '(loading_weight - unloading_weight)',
  shortageAmount: 'shortage_amount',
  freight: '(net_amount_payable + tds_amount + hsd_amount + advance_money + office_charges + material_shortage_amount)',
  tdsAmount: 'tds_amount',
  hsdAmount: 'hsd_amount',
  advanceMoney: 'advance_money',
  officeCharges: 'office_charges',
  materialShortageAmount: 'material_shortage_amount',
  netAmountPayable: 'net_amount_payable',
  paidAmount: 'paid_amount',
  unpaidAmount: '(net_amount_payable - paid_amount)',
};
const figureColumns = groupFigureNames
  .map((name) => `${figures[name]}::${name === 'challanCount' ? 'int' : 'text'} AS "${name}"`)
  .join(', ');
const sumsOfSums = sumNames.map((name) => `coalesce(sum(${name}), 0.00) AS ${name}`).join(', ');

export interface GroupsQuery {
  groupBy: readonly GroupKey[];
  sortBy: GroupSort;
  sortOrder: 'asc' | 'desc';
}

/** A row of the statement. Level 0 has the sums of all challans, and how many groups and rows there are. */
type Row = GroupFigures & {
  level: 0 | 1 | 2;
  same1: string;
  text1: string | null;
  name1: string | null;
  same2: string;
  text2: string | null;
  name2: string | null;
  groups: number | null;
  lines: number | null;
};

/** SQL: the rows of a page, or all of them; last is the row of level 0. */
function groupsStatement({ groupBy, sortBy, sortOrder }: GroupsQuery, conditions: string, page: string): string {
  const levels = groupBy.map((key, index) => ({ ...keys[key], at: index + 1 }));
  const parts = levels.flatMap(({ columns, at }) => columns.map((sql, index) => ({ sql, as: `k${at}_${index}` })));
  const grouped = levels.flatMap(({ columns, same, text = same, named, at }) => {
    const own = columns.map((_, index) => `p.k${at}_${index}`);
    const name = named ? `n${at}.${named.name}` : text(...own);
    // An empty text stands for null, so that the levels are joined by hash.
    return [
      `coalesce(${same(...own)}, '') COLLATE "C" AS same${at}`,
      `min((${text(...own)}) COLLATE "C") AS text${at}`,
      `min((${name}) COLLATE "C") AS name${at}`,
    ];
  });
  const names = levels.flatMap(({ named, at }) =>
    named ? [`LEFT JOIN ${named.table} AS n${at} ON n${at}.subadmin_id = $1 AND n${at}.id = p.k${at}_0`] : [],
  );
  const joins = [...new Set(levels.flatMap(({ join }) => join ?? []))];
  const isPaired = groupBy.length > 1;
  const sortOf = (at: number, of: string): string =>
    sortBy === 'name' ? `lower(${of}.name${at})` : figures[sortBy].replaceAll(/[a-z_]+/g, (name) => `${of}.${name}`);
  const noSecond = `'' AS same2, NULL::text AS text2, NULL::text AS name2`;
  const sums = (of: string): string => sumNames.map((name) => `${of}.${name}`).join(', ');
  return `WITH parts AS MATERIALIZED (
      SELECT ${parts.map(({ sql, as }) => `${sql} AS ${as}`).join(', ')},
        ${Object.entries(added)
          .map(([name, sql]) => `${sql} AS ${name}`)
          .join(', ')}
      FROM challans AS c ${joins.join(' ')} WHERE ${conditions}
      GROUP BY ${parts.map(({ sql }) => sql).join(', ')}
    ), pairs AS MATERIALIZED (
      SELECT ${grouped.join(', ')}${isPaired ? '' : `, ${noSecond}`}, ${sumsOfSums}
      FROM parts AS p ${names.join(' ')} GROUP BY same1${isPaired ? ', same2' : ''}
    ), firsts AS MATERIALIZED (
      SELECT same1, min(text1) AS text1, min(name1) AS name1, ${sumsOfSums} FROM pairs GROUP BY same1
    ), lines AS (
      SELECT 1 AS level, f.same1, f.text1, f.name1, ${noSecond}, ${sums('f')}, ${sortOf(1, 'f')} AS sort1, NULL AS sort2
      FROM firsts AS f
      ${
        isPaired
          ? `UNION ALL SELECT 2, f.same1, f.text1, f.name1, p.same2, p.text2, p.name2, ${sums('p')},
        ${sortOf(1, 'f')}, ${sortOf(2, 'p')}
      FROM pairs AS p JOIN firsts AS f USING (same1)`
          : ''
      }
    ), page AS (
      SELECT * FROM lines
      ORDER BY sort1 ${sortOrder} NULLS LAST, same1, level, sort2 ${sortOrder} NULLS LAST, same2 ${page}
    )
    SELECT level, same1, text1, name1, same2, text2, name2, ${figureColumns}, NULL::int AS groups, NULL::int AS lines
    FROM page
    UNION ALL
    SELECT 0, '', NULL, NULL, '', NULL, NULL, ${figureColumns}, groups, lines
    FROM (SELECT ${sumsOfSums}, count(*)::int AS groups,
        ${isPaired ? '((SELECT count(*) FROM pairs) + count(*))::int' : 'count(*)::int'} AS lines FROM firsts) AS all_sums`;
}

/**
 * The conditions on challans, after the transaction was told how to find their groups: helpers of the database add up beside it, and
 * the sums of some thousand groups stay in memory (docs/decisions.md 171). Without statistics of the ledger the lines of payments
 * could be planned to be read for each challan.
 */
async function prepare(db: TenantDb, filter: ChallanFilter, { groupBy }: GroupsQuery, bind: Bind): Promise<string> {
  await db.query('SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0.01');
  await db.query("SET LOCAL work_mem = '64MB'");
  if (groupBy.includes('payment')) await db.query('SET LOCAL enable_nestloop = off');
  return chosenConditions(allOf(filter), bind);
}

interface GroupsPage {
  groups: ChallanGroup[];
  totals: GroupFigures;
  groupCount: number;
  /** Of both levels. */
  lineCount: number;
}

export async function selectGroups(
  db: TenantDb,
  filter: ChallanFilter,
  query: GroupsQuery & Paging,
): Promise<GroupsPage> {
  const { values, bind } = new Parameters(db);
  const conditions = await prepare(db, filter, query, bind);
  const page = `LIMIT ${query.limit} OFFSET ${bind(offsetOf(query))}`;
  const { rows } = await db.query<Row>(groupsStatement(query, conditions, page), values);
  // Safe: the last row is that of all challans.
  const all = rows.at(-1)!;
  return {
    groups: rows.slice(0, -1).map((row) => groupOf(row, query.groupBy, filter)),
    totals: figuresOf(all),
    groupCount: all.groups ?? 0,
    lineCount: all.lines ?? 0,
  };
}

/** All groups, some at a time, and with the last of them the sums of all challans. */
export async function* fetchGroups(
  db: TenantDb,
  filter: ChallanFilter,
  query: GroupsQuery,
): AsyncGenerator<{ groups: ChallanGroup[]; totals?: GroupFigures }> {
  const { values, bind } = new Parameters(db);
  const text = groupsStatement(query, await prepare(db, filter, query, bind), '');
  for await (const rows of fetchInBatches<Row>(db, 'challan_groups', text, values)) {
    const all = rows.find(({ level }) => level === 0);
    const groups = rows.filter((row) => row !== all).map((row) => groupOf(row, query.groupBy, filter));
    yield { groups, ...(all && { totals: figuresOf(all) }) };
  }
}

const figuresOf = (row: Row): GroupFigures =>
  // Safe: these are exactly the figures.
  Object.fromEntries(groupFigureNames.map((name) => [name, row[name]])) as GroupFigures;

function groupOf(row: Row, groupBy: readonly GroupKey[], filter: ChallanFilter): ChallanGroup {
  // Safe: there is a first key, and a second one where a row has level 2.
  const [first, second] = groupBy.map((key) => keys[key]) as [Key, Key];
  const own = first.filters(row.text1, filter, row.name1);
  const both = row.level === 1 ? own : { ...own, ...second.filters(row.text2, { ...filter, ...own }, row.name2) };
  return {
    // Safe: level 0 is not a group.
    level: row.level as 1 | 2,
    id: JSON.stringify(row.level === 1 ? [row.same1] : [row.same1, row.same2]),
    first: labelOf(first, row.name1),
    second: row.level === 1 ? null : labelOf(second, row.name2),
    filters: setTexts(challanListFilters, textsOfFilter(challanListFilters, both)),
    ...figuresOf(row),
  };
}

const labelOf = ({ label, none: without }: Key, name: string | null): string =>
  name === null ? without : (label?.(name) ?? name);

const monthNames = 'January February March April May June July August September October November December'.split(' ');
