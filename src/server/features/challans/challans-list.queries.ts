import type { ChallanSummary } from '../../../shared/contract/challan.ts';
import type { ChallanOrder } from '../../../shared/contract/challan-order.ts';
import type { ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import {
  bareConditions,
  challansOf,
  filteredColumns,
  filterOn,
  isQuickToTest,
  isTpIndexed,
  rollUpConditions,
} from './challans-filter.queries.ts';
import { groupingOf, indexOrderOf, joinsOf, orderOf } from './challans-order.queries.ts';
import type { ListShape } from './challans-row.queries.ts';
import {
  byPaidDay,
  countedColumns,
  coversFilter,
  ofPayments,
  rollUpOf,
  selectRolledTotals,
  totalParts,
  type RollUp,
} from './challans-totals.queries.ts';
import { nearerEnd, pageOf, sliceOf, type Slice } from '../../sql/paging.ts';
import { Parameters, preparedName, type Bind } from '../../sql/statements.ts';

/**
 * The challan list: a page of the challans of a filter in an order, with the sums of all of them. The first roll-up that has every
 * column of the filter gives the sums, and `ways` says which statement finds the rows then:
 *
 *   filters, alone or together                      roll-up (challans-totals.queries.ts)
 *   none; tag, paid or unpaid                       byTag      challan_totals_by_tag
 *   these and the deposited day or days             byDay      challan_totals_by_day
 *   tag, paid or unpaid, the owner or its name      byOwner    challan_totals_by_owner
 *   paid days, paid or unpaid, the owner            byPaidDay  payment_sums
 *   any other, also beside these                    none: a page near the beginning is scanned where the filter is quick to test
 *                                                   (selectChallanRows), else the challans are found once (selectCounted)
 *
 * Filtered by tag and sorted by owner: byTag has the sums. No way before the sums has this filter in this order, so the count
 * decides: of more than 5,000 challans the pages near an end are read in the order of owners (selectByScan). Where that does not
 * fill the page, where it is far from both ends, or of fewer, the tag's challans are found by their index and sorted (selectBySort).
 */

interface ChallanListQuery<T> {
  page: number;
  limit: number;
  order: ChallanOrder;
  shape: ListShape<T>;
}

interface ChallanPage<T> {
  challans: T[];
  /** The totals of the whole filter, not only of the page (docs/specification.md §3.4). */
  summary: ChallanSummary;
}

/** A page whose sums may still have to be counted. Only a page that more challans follow can be without them. */
interface ChallanRows<T> {
  challans: T[];
  summary: ChallanSummary | null;
  hasNext: boolean;
}

/** What a way gets. How many challans match, only those that are `counted`. */
interface Asked<T> {
  db: TenantDb;
  filter: ChallanFilter;
  query: ChallanListQuery<T>;
  slice: Slice;
  rollUp: RollUp | undefined;
  count: number;
}

/** A way to find the rows of a page. One that would read too much returns undefined, and the next way is taken. */
interface Way {
  filters: string;
  orders: string;
  fits: (asked: Asked<unknown>) => boolean;
  find: <T>(asked: Asked<T>) => Promise<T[] | undefined>;
  /** It is sent after the sums, because it needs their count. The others are sent together with them. */
  isCounted?: boolean;
}

/**
 * The first way that has the filter and the order answers. Beside each is the processor time of the database for a page of a
 * business of 300,000, and of the way that would answer without it, at a load of 4 to 16. challans-list.test.ts asks for each.
 */
const ways: readonly Way[] = [
  {
    // Two thirds down the list: 3.5 ms. Skipping the rows in the index: 58 ms.
    filters: 'none',
    orders: 'creation, from row 2,000 on',
    fits: (asked) => isUnfiltered(asked.filter) && isByCreation(asked.query) && !isNear(asked.slice),
    find: selectFarPage,
  },
  {
    // By tag, the first page: 7 ms. Sorted: 302 ms.
    filters: 'columns of the roll-up by this tag or day',
    orders: 'tag, deposited day',
    fits: ({ filter, query: { order } }) => {
      const grouping = groupingOf(order);
      return grouping !== undefined && coversFilter(grouping.rollUp, filter);
    },
    find: selectByGroup,
  },
  {
    // By TP number: 5.7 ms. Sorted: 1,727 ms.
    filters: 'none',
    orders: 'creation, TP number, vehicle, owner, net, loading day',
    fits: (asked) => hasIndex(asked) && isNear(asked.slice),
    find: selectByIndex,
  },
  {
    // The last page: 0.1 ms. From the beginning: 10 ms for each 12,000 challans. A half-year that is over: 7 ms. Sorted: 77 ms.
    filters: 'none; days that many match, alone or beside others',
    orders: 'the same from row 2,000 on, from the nearer end; creation',
    fits: hasIndex,
    find: selectByIndex,
    isCounted: true,
  },
  {
    // The unpaid: 2.9 ms. Sorted: 1,138 ms.
    filters: 'any other that many match, or that no index finds',
    orders: 'the same, near the beginning',
    fits: (asked) => isNear(asked.slice) && (asked.count > manyChallans || !isFound(asked.filter)),
    find: selectByScan,
    isCounted: true,
  },
  {
    // An owner, a tag or a month: found by its index.
    filters: 'any',
    orders: 'any',
    fits: () => true,
    find: selectBySort,
    isCounted: true,
  },
];

/** A page with the sums of all challans of the filter. */
export async function selectChallanPage<T>(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery<T>,
): Promise<ChallanPage<T>> {
  const rollUp = rollUpOf(filter);
  const asked = { db, filter, query, slice: pageOf(query), rollUp, count: 0 };
  if (!rollUp) return selectCounted(asked);
  const first = ways.find(({ fits, isCounted }) => !isCounted && fits(asked));
  const totals = selectRolledTotals(db, filter, rollUp);
  if (first) {
    const [summary, challans] = await Promise.all([totals, first.find(asked)]);
    return { challans: challans ?? [], summary };
  }
  const summary = await totals;
  const { totalCount: count } = summary;
  if (count <= asked.slice.offset) return { challans: [], summary };
  const known = { ...asked, count, slice: nearerEnd(asked.slice, count - asked.slice.offset) };
  for (const way of ways) {
    const challans = way.isCounted && way.fits(known) ? await way.find(known) : undefined;
    if (challans) return { challans, summary };
  }
  throw new Error('The last way finds every page');
}

/**
 * The same page, but without the sums where no roll-up has them and the rows are found without them. `selectChallanSums` adds
 * up the rest.
 */
export async function selectChallanRows<T>(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery<T>,
): Promise<ChallanRows<T>> {
  const slice = pageOf(query);
  if (!rollUpOf(filter) && isQuickToTest(filter) && isNear(slice)) {
    // The row after the page says that there is a next one.
    const wanted = { ...slice, limit: slice.limit + 1 };
    const scanned = await selectByScan({ db, filter, query, slice: wanted, rollUp: undefined, count: 0 });
    if (scanned) return { challans: scanned.slice(0, slice.limit), summary: null, hasNext: true };
  }
  const { challans, summary } = await selectChallanPage(db, filter, query);
  return { challans, summary, hasNext: slice.offset + challans.length < summary.totalCount };
}

/** The sums of the challans of a filter. */
export async function selectChallanSums(db: TenantDb, filter: ChallanFilter): Promise<ChallanSummary> {
  const rollUp = rollUpOf(filter);
  if (rollUp) return selectRolledTotals(db, filter, rollUp);
  const { values, bind } = new Parameters(db);
  const hits = await hitsOf(db, filter, bind);
  // Each parameter of a statement needs a type, and a search by TP number has its own tenant.
  return db.one<ChallanSummary>(`SELECT ${countedColumns} FROM (${hits}) AS hits WHERE $1::uuid IS NOT NULL`, values);
}

const isUnfiltered = (filter: ChallanFilter): boolean => filteredColumns(filter).length === 0;

const isByCreation = ({ order }: { order: ChallanOrder }): boolean =>
  order.length === 1 && order[0]?.key === 'createdAt';

/** Up to this offset, skipping rows is cheaper than looking up the day of the page or the number of challans first. */
const isNear = ({ offset }: Slice): boolean => offset <= 2_000;

/** The days that the index in order of creation has (migration 020). */
const daysInOrder: readonly string[] = ['deposited_on', 'loading_on'];

const hasColumn = (filter: ChallanFilter, columns: readonly string[]): boolean =>
  filteredColumns(filter).some((column) => columns.includes(column));

/** Whether the challans of a filter are found by an index, or by the lines of payments. All days up to one are nearly all challans. */
const isFound = (filter: ChallanFilter): boolean =>
  hasColumn(filter, ['tag_id', 'owner_id', 'paid_on']) || Boolean(filter.depositedStartDate ?? filter.depositedDate);

/** Up to this many challans are found by such an index and sorted. Of more, some are probably among the newest. */
const manyChallans = 5_000;

/**
 * Whether an index has the challans of the filter in the order asked for, with few others. That in order of creation says the days of
 * each challan, so those of other days are not read (docs/decisions.md 178); that of no other filter has the day of payment.
 */
function hasIndex({ filter, query, count }: Asked<unknown>): boolean {
  if (isUnfiltered(filter)) return indexOrderOf(query.order, false) !== undefined;
  return isByCreation(query) && count > manyChallans && hasColumn(filter, [...daysInOrder, 'paid_on']);
}

/**
 * The rows of a page that a statement finds. Most find ids first, because skipping or sorting whole rows takes 1.7 times as long.
 * The first page in order of creation is read at once: 1.7 instead of 2.05 ms. `plan`: it does not depend on the values.
 */
async function selectRows<T>(
  { db, query, slice }: Asked<T>,
  found: (columns: string) => string,
  values: readonly unknown[],
  plan?: Plan,
): Promise<T[]> {
  const { order, shape } = query;
  const page =
    plan && isByCreation(query) && slice.offset === 0
      ? `(${found('c.*')}) AS c`
      : `(${found('c.id')}) AS page JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id`;
  const text = `SELECT ${shape.columns} FROM ${page} ${shape.joins} ORDER BY ${orderOf(order)}`;
  const name = plan && nameOf(text, query);
  const [, rows] = await Promise.all([plan && db.query(plans[plan]), db.texts(text, values, name)]);
  return rows.map((row) => shape.read(row));
}

/** Reading starts at the day of the page's first challan; the days before it are added up only as far as that day. */
async function selectFarPage<T>({ db, query, slice }: Asked<T>): Promise<T[]> {
  const { values, bind } = new Parameters(db);
  const direction = query.order[0]?.order === 'asc' ? 'asc' : 'desc';
  const isDescending = direction === 'desc';
  const offset = bind(slice.offset);
  const text = `WITH start AS MATERIALIZED (
      SELECT upto - challans AS before, (created_on + ${isDescending ? 1 : 0})::timestamp AT TIME ZONE 'UTC' AS edge
      FROM (
        SELECT created_on, challans, sum(challans) OVER (ORDER BY created_on ${direction}) AS upto
        FROM challan_counts_by_created_day WHERE subadmin_id = $1
      ) AS days
      WHERE upto > ${offset}::bigint ORDER BY created_on ${direction} LIMIT 1
    )
    SELECT ${query.shape.columns} FROM (
      SELECT c.id FROM challans AS c
      WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL
        AND c.created_at ${isDescending ? '<' : '>='} (SELECT edge FROM start)
      ORDER BY ${orderOf(query.order)} LIMIT ${slice.limit} OFFSET ${offset}::bigint - (SELECT before FROM start)
    ) AS page
    JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${query.shape.joins} ORDER BY ${orderOf(query.order)}`;
  const found = Promise.all([db.query(plans.inOrder), db.texts(text, values, nameOf(text, query))]);
  db.finish();
  return (await found)[1].map((row) => query.shape.read(row));
}

/** The counts of the values show which values the page has, and only their challans are read and sorted. */
async function selectByGroup<T>(asked: Asked<T>): Promise<T[]> {
  const { db, filter, query, slice } = asked;
  // Safe: the way fits.
  const { rollUp, column, type, none, name, join } = groupingOf(query.order)!;
  const ofGroups = new Parameters(db);
  // Values with the same name are one group. Those without a name are the last group.
  const { rows: groups } = await db.query<{ members: string[]; challans: number }>(
    `SELECT array_agg(DISTINCT ${column}::text) AS members, sum(challans)::int AS challans
     FROM (${totalParts(filter, rollUp, `${column}, challans`, ofGroups.bind)}) AS parts ${join}
     GROUP BY ${name} HAVING sum(challans) > 0 ORDER BY ${name} ${query.order[0]?.order ?? 'desc'} NULLS LAST`,
    ofGroups.values,
  );
  const members: string[] = [];
  let [before, upto] = [0, 0];
  for (const group of groups) {
    upto += group.challans;
    if (upto <= slice.offset) before = upto;
    else members.push(...group.members);
    if (upto >= slice.offset + slice.limit) break;
  }
  if (members.length === 0) return [];
  const { values, bind } = new Parameters(db);
  const isMember = `(c.${column} = ANY (${bind(members)}::${type}[])${members.includes(none) ? ` OR c.${column} IS NULL` : ''})`;
  return sorted({ ...asked, slice: { ...slice, offset: slice.offset - before } }, values, bind, [
    'c.subadmin_id = $1',
    'c.deleted_at IS NULL',
    isMember,
    ...bareConditions(filter, bind),
  ]);
}

/** Reads the ids of an index until the page is full, and then the rows of these. */
async function selectByIndex<T>(asked: Asked<T>): Promise<T[]> {
  const { db, filter, query, slice } = asked;
  const { values, bind } = new Parameters(db);
  const { conditions } = challansOf(filter, bind);
  const rows = `ORDER BY ${indexOrderOf(query.order, slice.isReversed)} ${sliceOf(slice, bind)}`;
  const text = (columns: string): string => `SELECT ${columns} FROM challans AS c WHERE ${conditions} ${rows}`;
  const found = selectRows(asked, text, values, 'inOrder');
  db.finish();
  return found;
}

/**
 * Reads a limited number of challans in an index's order, in order of creation only those of the days asked for, and keeps those that
 * match: 1,000, or 10,000 where the other way is to count, and 20 for each row up to the end of the page. Returns undefined when these
 * do not fill the page.
 */
async function selectByScan<T>(asked: Asked<T>): Promise<T[] | undefined> {
  const { db, filter, query, slice, rollUp } = asked;
  const order = indexOrderOf(query.order, slice.isReversed);
  if (!order) return undefined;
  const { values, bind } = new Parameters(db);
  const days = isByCreation(query) ? bareConditions(filterOn(filter, daysInOrder), bind) : [];
  const atLeast = isByCreation(query) || !rollUp ? 10_000 : 1_000;
  // A power of two, so that the pages of a list are few prepared texts.
  const upto = 2 ** Math.ceil(Math.log2(slice.offset + slice.limit));
  const read = `SELECT c.* FROM challans AS c WHERE ${['c.subadmin_id = $1', 'c.deleted_at IS NULL', ...days].join(' AND ')}
    ORDER BY ${order} LIMIT ${atLeast + 20 * upto}`;
  const kept = `WHERE ${['true', ...bareConditions(filter, bind)].join(' AND ')} ORDER BY ${order} ${sliceOf(slice, bind)}`;
  const text = (columns: string): string => `SELECT ${columns} FROM (${read}) AS c ${kept}`;
  const challans = await selectRows(asked, text, values, 'inOrder');
  if (challans.length === slice.limit) return challans;
  // The next way is planned for its values.
  await db.query('SET LOCAL plan_cache_mode = auto; SET LOCAL enable_sort = on');
  return undefined;
}

/** Finds all challans of the filter and sorts them. */
async function selectBySort<T>(asked: Asked<T>): Promise<T[]> {
  const { db, filter, rollUp, count } = asked;
  const { values, bind } = new Parameters(db);
  const isOfDays = rollUp === byPaidDay && filter.ownerId === undefined;
  const paid = isOfDays ? [ofPayments(rollUpConditions(filterOn(filter, ['paid_on']), bind).join(' AND '))] : [];
  const plan = rollUp !== byPaidDay && count <= manyChallans && isFound(filter) ? 'found' : undefined;
  return sorted(asked, values, bind, [...paid, challansOf(filter, bind).conditions], plan);
}

/**
 * The challans `c` of these conditions are found first and only then sorted. Without OFFSET 0 the planner reads all newer challans
 * for a month that has one late entry: 548 instead of 98 ms.
 */
function sorted<T>(
  asked: Asked<T>,
  values: readonly unknown[],
  bind: Bind,
  conditions: readonly string[],
  plan?: Plan,
): Promise<T[]> {
  const { order } = asked.query;
  const rows = `ORDER BY ${orderOf(order, asked.slice.isReversed)} ${sliceOf(asked.slice, bind)}`;
  const text = (columns: string): string =>
    `SELECT ${columns} FROM (SELECT c.* FROM challans AS c WHERE ${conditions.join(' AND ')} OFFSET 0) AS c ${joinsOf(order)} ${rows}`;
  const found = selectRows(asked, text, values, plan);
  asked.db.finish();
  return found;
}

/** The page sizes of the list (docs/specification.md §3.4). */
const usualLimits: readonly number[] = [10, 20, 50, 100];

/**
 * Only common statements are prepared, because each prepared statement takes memory. The limit is part of the text and not
 * a parameter: for an unknown limit the planner expects a tenth of the table and would join whole tables.
 */
function nameOf(text: string, query: ChallanListQuery<unknown>): string | undefined {
  const isPrepared = query.shape.isPrepared && isByCreation(query) && usualLimits.includes(query.limit);
  return isPrepared ? preparedName('challans', text) : undefined;
}

/**
 * Each prepared statement of this file has one good plan. Planned again, as the planner would with a range or an offset, a page of
 * the unpaid takes 7.5 instead of 2.9 ms. In order: without the second setting it finds all challans of the days and sorts them, 81
 * instead of 7 ms of a half-year.
 */
const plans = {
  inOrder: 'SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_sort = off',
  found: 'SET LOCAL plan_cache_mode = force_generic_plan',
};
type Plan = keyof typeof plans;

/**
 * SQL: the challans of a filter that no roll-up covers, with what totals and the default order need. A search by TP number looks
 * through the few challans that the rest of the filter leaves, where a roll-up says that they are few, else through its index.
 */
async function hitsOf(db: TenantDb, filter: ChallanFilter, bind: Bind): Promise<string> {
  const { tpNo: _, ...beside } = filter;
  const rollUp = isTpIndexed(filter) && !isUnfiltered(beside) ? rollUpOf(beside) : undefined;
  const isFew = rollUp && (await selectRolledTotals(db, beside, rollUp)).totalCount <= manyChallans;
  const { source, conditions } = challansOf(filter, bind, { isSearched: !isFew });
  return `SELECT c.id, c.created_at, c.payment_status, c.net_amount_payable FROM ${source}
    WHERE ${conditions}`;
}

/** A page of a filter that no roll-up covers: the challans are found once, and both totals and page come from them. */
async function selectCounted<T>({ db, filter, query, slice }: Asked<T>): Promise<ChallanPage<T>> {
  const parameters = new Parameters(db);
  const { bind } = parameters;
  const hits = await hitsOf(db, filter, bind);
  // The search returns the column of the default order. Any other order needs the rows.
  const found = isByCreation(query)
    ? 'hits AS c'
    : `hits JOIN challans AS c ON c.subadmin_id = $1 AND c.id = hits.id ${joinsOf(query.order)}`;
  const text = `WITH hits AS MATERIALIZED (${hits}), totals AS MATERIALIZED (
       SELECT ${countedColumns} FROM hits
     ), page AS MATERIALIZED (
       SELECT c.id FROM ${found} ORDER BY ${orderOf(query.order)} ${sliceOf(slice, bind)}
     )
     SELECT row_to_json(totals), ${query.shape.columns}
     FROM totals LEFT JOIN (page JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${query.shape.joins}) ON true
     ORDER BY ${orderOf(query.order)}`;
  const rows = await db.texts(text, parameters.values, nameOf(text, query));
  // There is always a row with the totals, whose columns are those of a summary; on an empty page its challan is null.
  return {
    challans: rows.filter((row) => row[1] !== null).map((row) => query.shape.read(row, 1)),
    summary: JSON.parse(rows[0]![0]!) as ChallanSummary,
  };
}
