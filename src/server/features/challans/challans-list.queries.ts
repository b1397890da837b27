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
import {
  pageOf,
  selectByGroup,
  selectByIds,
  sliceOf,
  type ChallanListQuery,
  type ChallanPage,
  type Slice,
} from './challans-page.queries.ts';
import {
  byPaidDay,
  countedColumns,
  coversFilter,
  rollUpOf,
  selectBoundsOf,
  selectRolledTotals,
  type CreatedBounds,
  type RollUp,
} from './challans-totals.queries.ts';
import { Parameters, preparedName, type Bind } from '../../sql/statements.ts';

/**
 * One page of the challans of a filter with the sums of all of them. The page's ids are found first, by an index in the
 * order asked for, and only those rows are read and joined. Totals come from a roll-up if one covers the filter.
 * Otherwise the matching challans are found once, for the totals and for the page.
 */
export async function selectChallanPage<T>(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery<T>,
): Promise<ChallanPage<T>> {
  const rollUp = rollUpOf(filter);
  const created = creationOrder(query);
  if (!rollUp) return selectCounted(db, filter, query, await selectBoundsOf(db, filter));
  const grouping = groupingOf(query.order);
  if (grouping && coversFilter(grouping.rollUp, filter)) return selectByGroup(db, filter, grouping, query);

  const page = pageOf(query);
  const isNear = page.offset <= nearOffset;
  if (isUnfiltered(filter) && created && !isNear) return selectFarPage(db, rollUp, query, page, created);
  // Near the beginning, and without a time range that must be read first, both statements are sent together.
  if (!rollUp.hasBounds && rollUp !== byPaidDay && isNear && (created || isUnfiltered(filter))) {
    const both = Promise.all([selectRolledTotals(db, filter, rollUp), selectPage(db, filter, query, page, null)]);
    db.finish();
    const [{ summary }, challans] = await both;
    return { challans, summary };
  }

  const { summary, bounds } = await selectRolledTotals(db, filter, rollUp);
  const rest = summary.totalCount - page.offset;
  if (rest <= 0) return { challans: [], summary };
  const isMany = summary.totalCount > manyChallans;
  const slice = created ? nearerEnd(page, rest) : page;
  if (isMany && !created && slice.offset <= nearOffset) {
    const scanned = await selectByScan(db, filter, query, slice, 1_000);
    if (scanned) return { challans: scanned, summary };
  }
  const few = rollUp === byPaidDay && !isMany ? (bind: Bind) => ofPayments(filter, bind) : undefined;
  const challans = selectPage(db, filter, query, nearerEnd(page, rest), bounds, few);
  db.finish();
  return { challans: await challans, summary };
}

/** A page whose sums may still have to be counted. Only a page that more challans follow can be without them. */
interface ChallanRows<T> {
  challans: T[];
  summary: ChallanSummary | null;
  hasNext: boolean;
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
  const page = pageOf(query);
  const whole = ({ challans, summary }: ChallanPage<T>): ChallanRows<T> => ({
    challans,
    summary,
    hasNext: page.offset + challans.length < summary.totalCount,
  });
  if (rollUpOf(filter)) return whole(await selectChallanPage(db, filter, query));
  const bounds = await selectBoundsOf(db, filter);
  if (isQuickToTest(filter) && page.offset <= nearOffset) {
    // The row after the page says that there is a next one.
    const wanted = { ...page, limit: page.limit + 1 };
    const scanned = await selectByScan(db, filter, query, wanted, 10_000, creationOrder(query) ? bounds : null);
    if (scanned) return { challans: scanned.slice(0, page.limit), summary: null, hasNext: true };
  }
  return whole(await selectCounted(db, filter, query, bounds));
}

/** The sums of the challans of a filter. */
export async function selectChallanSums(db: TenantDb, filter: ChallanFilter): Promise<ChallanSummary> {
  const rollUp = rollUpOf(filter);
  if (rollUp) return (await selectRolledTotals(db, filter, rollUp)).summary;
  const { values, bind } = new Parameters(db);
  const hits = await hitsOf(db, filter, bind, await selectBoundsOf(db, filter));
  // Each parameter of a statement needs a type, and a search by TP number has its own tenant.
  const { rows } = await db.query<ChallanSummary>(
    `SELECT ${countedColumns} FROM (${hits}) AS hits WHERE $1::uuid IS NOT NULL`,
    values,
  );
  // An aggregate without GROUP BY returns one row.
  return rows[0]!;
}

const isUnfiltered = (filter: ChallanFilter): boolean => filteredColumns(filter).length === 0;

/**
 * A page far down the whole list in order of creation. Reading starts at the day of the page's first challan; the days are
 * added up from the beginning of the list only as far as that day.
 */
async function selectFarPage<T>(
  db: TenantDb,
  rollUp: RollUp,
  query: ChallanListQuery<T>,
  page: Slice,
  created: 'asc' | 'desc',
): Promise<ChallanPage<T>> {
  const { values, bind } = new Parameters(db);
  const isDescending = created === 'desc';
  const offset = bind(page.offset);
  const instant = (day: string): string => `(${day}::timestamp AT TIME ZONE 'UTC')`;
  const text = `WITH start AS MATERIALIZED (
      SELECT upto - challans AS before, ${isDescending ? instant('(created_on + 1)') : instant('created_on')} AS edge
      FROM (
        SELECT created_on, challans, sum(challans) OVER (ORDER BY created_on ${created}) AS upto
        FROM challan_counts_by_created_day WHERE subadmin_id = $1
      ) AS days
      WHERE upto > ${offset}::bigint ORDER BY created_on ${created} LIMIT 1
    )
    SELECT ${query.shape.columns} FROM (
      SELECT c.id FROM challans AS c
      WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL
        AND c.created_at ${isDescending ? '<' : '>='} (SELECT edge FROM start)
      ORDER BY ${orderOf(query.order)} LIMIT ${page.limit} OFFSET ${offset}::bigint - (SELECT before FROM start)
    ) AS page
    JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${query.shape.joins} ORDER BY ${orderOf(query.order)}`;
  const both = Promise.all([
    selectRolledTotals(db, {}, rollUp),
    planOnce(db),
    db.texts(text, values, nameOf(text, query, page)),
  ]);
  db.finish();
  const [{ summary }, , rows] = await both;
  return { challans: rows.map((row) => query.shape.read(row)), summary };
}

/** Up to this many matching challans are sorted. More are read in an index's order until the page is full. */
const manyChallans = 5_000;

/**
 * Finds a page of a filter that many challans match: reads a limited number of challans in an index's order and keeps those
 * that match: `atLeast` challans, and 20 for each row up to the end of the page. Returns undefined when these do not fill the page.
 */
async function selectByScan<T>(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery<T>,
  slice: Slice,
  atLeast: number,
  bounds: CreatedBounds | null = null,
): Promise<T[] | undefined> {
  const order = creationOrder(query)
    ? orderOf(query.order, slice.isReversed)
    : indexOrderOf(query.order, slice.isReversed);
  if (!order) return undefined;
  const { values, bind } = new Parameters(db);
  const ids = `SELECT c.id FROM (
      SELECT c.* FROM challans AS c
      WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL ${betweenOf(bounds, bind)}
      ORDER BY ${order} LIMIT ${atLeast + 20 * (slice.offset + slice.limit)}
    ) AS c WHERE ${bareConditions(filter, bind).join(' AND ')} ORDER BY ${order} ${sliceOf(slice, bind)}`;
  const [, challans] = await Promise.all([keepToIndexes(db), selectByIds(db, ids, query, values)]);
  if (challans.length === slice.limit) return challans;
  await db.query('SET LOCAL enable_sort = on');
  return undefined;
}

/** Up to this offset, skipping rows is cheaper than looking up the day of the page first. */
const nearOffset = 2_000;

/** The same page, counted from the end if that skips fewer rows. `rest` is the number of rows from the offset to the end. */
function nearerEnd(page: Slice, rest: number): Slice {
  const limit = Math.min(page.limit, rest);
  const fromEnd = rest - limit;
  return fromEnd < page.offset ? { offset: fromEnd, limit, isReversed: true } : { ...page, limit };
}

/** The direction of a list that is sorted by creation only; undefined for any other order. */
function creationOrder({ order }: { order: ChallanOrder }): 'asc' | 'desc' | undefined {
  return order.length === 1 && order[0]?.key === 'createdAt' ? order[0].order : undefined;
}

/** The page sizes of the list (docs/specification.md §3.4). */
const usualLimits: readonly number[] = [10, 20, 50, 100];

/**
 * Only common statements are prepared, because each prepared statement takes memory. The limit is part of the text and not
 * a parameter: for an unknown limit the planner expects a tenth of the table and would join whole tables.
 */
function nameOf(text: string, query: ChallanListQuery<unknown>, { limit }: Slice): string | undefined {
  const isPrepared = query.shape.isPrepared && creationOrder(query) !== undefined && usualLimits.includes(limit);
  return isPrepared ? preparedName('challans', text) : undefined;
}

/**
 * Each prepared statement of this file has one good plan. Without this setting the planner would plan again on every
 * call with a range or an offset, which costs more than the page itself.
 */
async function planOnce(db: TenantDb): Promise<void> {
  await db.query('SET LOCAL plan_cache_mode = force_generic_plan');
}

/** Makes the planner read an order from its index, also while the table has no statistics from which it would choose so. */
async function keepToIndexes(db: TenantDb): Promise<void> {
  await db.query('SET LOCAL enable_sort = off');
}

function betweenOf(bounds: CreatedBounds | null, bind: Bind): string {
  if (bounds === null) return '';
  return `AND c.created_at >= ${bind(bounds.first)}::timestamptz AND c.created_at <= ${bind(bounds.last)}::timestamptz`;
}

/**
 * SQL: challans by paid day. No index has that day, so they are found by the lines of the payments that were made on these
 * days.
 */
const ofPayments = (filter: ChallanFilter, bind: Bind): string =>
  `c.subadmin_id = $1 AND c.id = ANY (ARRAY(
     SELECT l.challan_id FROM payment_lines AS l WHERE l.subadmin_id = $1 AND l.kind = 'pay'
       AND l.batch_id IN (SELECT batch_id FROM ${byPaidDay.table}
         WHERE ${['subadmin_id = $1', ...rollUpConditions(filterOn(filter, ['paid_on']), bind)].join(' AND ')})))`;

async function selectPage<T>(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery<T>,
  slice: Slice,
  bounds: CreatedBounds | null,
  few?: (bind: Bind) => string,
): Promise<T[]> {
  const parameters = new Parameters(db);
  const { bind } = parameters;
  const isByCreation = creationOrder(query) !== undefined;
  const scan = isUnfiltered(filter) && !bounds ? indexOrderOf(query.order, slice.isReversed) : undefined;
  const { source, conditions } = challansOf(filter, bind, { isInCreationOrder: isByCreation && bounds !== null });
  const between = betweenOf(bounds, bind);
  // OFFSET 0 makes the planner find the challans first and sort them afterwards.
  const from = few ? `(SELECT c.* FROM challans AS c WHERE ${few(bind)} OFFSET 0) AS c` : source;
  const inner = (columns: string) => `SELECT ${columns} FROM ${from} ${joinsOf(query.order)}
    WHERE ${conditions} ${between} ORDER BY ${scan ?? orderOf(query.order, slice.isReversed)} ${sliceOf(slice, bind)}`;
  // To skip the rows before the page, only their ids are read, from the index. When no row is skipped, whole rows are read
  // at once. Any other order sorts ids only, because sorting whole rows took 1.7 times as long.
  // A search by TP number returns some columns only.
  const isReadAtOnce = isByCreation && slice.offset === 0 && !isTpIndexed(filter);
  const page = isReadAtOnce
    ? `(${inner('c.*')}) AS c`
    : `(${inner('c.id')}) AS page
       JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id`;
  const text = `SELECT ${query.shape.columns} FROM ${page} ${query.shape.joins} ORDER BY ${orderOf(query.order)}`;
  // For few challans the statement has no name, so that the planner sees how many challans the values match.
  const name = few ? undefined : nameOf(text, query, slice);
  const [, , , rows] = await Promise.all([
    few && db.query('SET LOCAL enable_seqscan = off'),
    name === undefined ? undefined : planOnce(db),
    scan && keepToIndexes(db),
    db.texts(text, parameters.values, name),
  ]);
  return rows.map((row) => query.shape.read(row));
}

/**
 * SQL: the challans of a filter that no roll-up covers, with what totals and the default order need. A search by TP number looks
 * through the few challans that the rest of the filter leaves, where a roll-up says that they are few, else through its index.
 */
async function hitsOf(db: TenantDb, filter: ChallanFilter, bind: Bind, bounds: CreatedBounds | null): Promise<string> {
  const { tpNo: _, ...beside } = filter;
  const rollUp = isTpIndexed(filter) && !isUnfiltered(beside) ? rollUpOf(beside) : undefined;
  const isFew = rollUp && (await selectRolledTotals(db, beside, rollUp)).summary.totalCount <= manyChallans;
  const { source, conditions } = challansOf(filter, bind, {
    isInCreationOrder: bounds !== null,
    isSearched: !isFew,
  });
  return `SELECT c.id, c.created_at, c.payment_status, c.net_amount_payable FROM ${source}
    WHERE ${conditions} ${betweenOf(bounds, bind)}`;
}

/** A page of a filter that no roll-up covers: the challans are found once, and both totals and page come from them. */
async function selectCounted<T>(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery<T>,
  bounds: CreatedBounds | null,
): Promise<ChallanPage<T>> {
  const parameters = new Parameters(db);
  const { bind } = parameters;
  const hits = await hitsOf(db, filter, bind, bounds);
  // The search returns the column of the default order. Any other order needs the rows.
  const found =
    creationOrder(query) !== undefined
      ? 'hits AS c'
      : `hits JOIN challans AS c ON c.subadmin_id = $1 AND c.id = hits.id ${joinsOf(query.order)}`;
  const slice = pageOf(query);
  const text = `WITH hits AS MATERIALIZED (${hits}), totals AS MATERIALIZED (
       SELECT ${countedColumns} FROM hits
     ), page AS MATERIALIZED (
       SELECT c.id FROM ${found} ORDER BY ${orderOf(query.order)} ${sliceOf(slice, bind)}
     )
     SELECT totals.*, ${query.shape.columns}
     FROM totals LEFT JOIN (page JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${query.shape.joins}) ON true
     ORDER BY ${orderOf(query.order)}`;
  const rows = await db.texts(text, parameters.values, nameOf(text, query, slice));
  // There is always a row with the totals; on an empty page its challan is null.
  const [totalCount, totalAmount, paidCount, paidAmount, unpaidCount, unpaidAmount] = rows[0]!.map(String);
  return {
    challans: rows.filter((row) => row[countedTotals] !== null).map((row) => query.shape.read(row, countedTotals)),
    summary: {
      totalCount: Number(totalCount),
      totalAmount: totalAmount!,
      paidCount: Number(paidCount),
      paidAmount: paidAmount!,
      unpaidCount: Number(unpaidCount),
      unpaidAmount: unpaidAmount!,
    },
  };
}

/** The number of columns in countedColumns. The challan's columns follow, its id first. */
const countedTotals = 6;
