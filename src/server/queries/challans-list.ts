import type { ChallanSortKey, ChallanSummary } from '../../shared/contract/challan.ts';
import type { TenantDb } from '../db/tenant.ts';
import {
  challanConditions,
  challanSource,
  isDepositedRange,
  Parameters,
  type Bind,
  type ChallanFilter,
} from './challans-filter.ts';
import { challanJoins, challanRow } from './challans-row.ts';
import {
  countedColumns,
  isBounded,
  isRolledUp,
  selectRolledTotals,
  shapeOf,
  type CreatedBounds,
} from './challans-totals.ts';
import { JsonText, type TextRow } from './json-row.ts';
import { offsetOf } from './paging.ts';

export interface ChallanOrder {
  sortBy: ChallanSortKey;
  sortOrder: 'asc' | 'desc';
}

export interface ChallanListQuery extends ChallanOrder {
  page: number;
  limit: number;
}

export interface ChallanPage {
  /** An array of challans. */
  challans: JsonText;
  /** Over the whole filter (ruling 32). */
  summary: ChallanSummary;
}

/**
 * One page of the challans of a filter with the sums of all of them. The page's ids are found first, by an index in the
 * order asked for, and only those rows are read and joined. Totals come from the roll-ups wherever these hold the filter;
 * otherwise the challans of the filter are found once and both counted and paged.
 */
export async function selectChallanPage(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery,
): Promise<ChallanPage> {
  if (!isRolledUp(filter)) return selectCounted(db, filter, query, await boundsOfCounted(db, filter));

  const page = pageOf(query);
  // Without bounds to wait for and near the beginning, both travel together.
  if (!isBounded(filter) && page.offset <= nearPages) {
    const both = Promise.all([selectRolledTotals(db, filter), selectPage(db, filter, query, page, null)]);
    db.finish();
    const [{ summary }, challans] = await both;
    return { challans, summary };
  }

  if (isUnfiltered(filter) && query.sortBy === 'createdAt') return selectFarPage(db, filter, query, page);

  const { summary, bounds } = await selectRolledTotals(db, filter);
  const rest = summary.totalCount - page.offset;
  if (rest <= 0) return { challans: challansText([]), summary };
  const challans = selectPage(db, filter, query, nearerEnd(page, rest), bounds);
  db.finish();
  return { challans: await challans, summary };
}

const isUnfiltered = (filter: ChallanFilter): boolean => Object.values(filter).every((value) => value === undefined);

/** Far down the whole list in order of creation: the walk begins at the day that holds the page's first challan. */
async function selectFarPage(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery,
  page: Slice,
): Promise<ChallanPage> {
  const [{ summary }, start] = await Promise.all([
    selectRolledTotals(db, filter),
    selectStart(db, page.offset, query.sortOrder),
  ]);
  if (start === null) return { challans: challansText([]), summary };
  const { skipped, ...bounds } = start;
  const challans = selectPage(db, filter, query, { ...page, offset: page.offset - skipped }, bounds);
  db.finish();
  return { challans: await challans, summary };
}

/** The day that holds the challan at an offset, as bounds of a walk from its edge, and how many come before it. */
async function selectStart(
  db: TenantDb,
  offset: number,
  sortOrder: 'asc' | 'desc',
): Promise<(CreatedBounds & { skipped: number }) | null> {
  const isDescending = sortOrder === 'desc';
  const { rows } = await db.query<CreatedBounds & { skipped: number }>(
    `SELECT (upto - challans)::int AS skipped,
       ${isDescending ? "'-infinity'" : "(created_on::timestamp AT TIME ZONE 'UTC')::text"} AS first,
       ${isDescending ? "((created_on + 1)::timestamp AT TIME ZONE 'UTC' - interval '1 microsecond')::text" : "'infinity'"} AS last
     FROM (
       SELECT created_on, challans, sum(challans) OVER (ORDER BY created_on ${sortOrder}) AS upto
       FROM challan_counts_by_created_day WHERE subadmin_id = $1
     ) AS days
     WHERE upto > $2 ORDER BY upto, created_on ${sortOrder} LIMIT 1`,
    [db.tenantId, offset],
    `challans-start-${sortOrder}`,
  );
  return rows[0] ?? null;
}

/**
 * No roll-up holds an owner's challans of some days, but one knows when the challans of those days were made: of the owner's
 * challans, which an index has in that order, only these are looked at.
 */
async function boundsOfCounted(db: TenantDb, filter: ChallanFilter): Promise<CreatedBounds | null> {
  if (filter.tpNo) return null;
  const { ownerId: _, loadingFrom, loadingTo, ...wider } = filter;
  const days = isDepositedRange(filter) ? wider : { ...wider, loadingFrom, loadingTo };
  return (await selectRolledTotals(db, days)).bounds;
}

interface Slice {
  offset: number;
  limit: number;
  /** Counted from the other end of the order. */
  isReversed: boolean;
}

/** Up to here a walk over the skipped rows costs less than asking first how many there are. */
const nearPages = 2_000;

function pageOf(query: ChallanListQuery): Slice {
  return { offset: offsetOf(query), limit: query.limit, isReversed: false };
}

/** The same page with as few skipped rows as can be; `rest` rows begin at its offset. */
function nearerEnd(page: Slice, rest: number): Slice {
  const limit = Math.min(page.limit, rest);
  const fromEnd = rest - limit;
  return fromEnd < page.offset ? { offset: fromEnd, limit, isReversed: true } : { ...page, limit };
}

/** The allow-list of orders, as expressions over `c`; a tag's name needs its join. */
const orderings: Record<ChallanSortKey, string> = {
  createdAt: 'c.created_at',
  challanNumber: 'c.challan_number',
  tpNo: 'c.tp_no',
  vehicleNo: 'c.vehicle_no',
  ownerName: 'lower(c.owner_name)',
  tagName: 'lower(t.name)',
  material: 'lower(c.material)',
  loadingDate: 'c.loading_at',
  unloadingDate: 'c.unloading_at',
  depositedAt: 'c.deposited_at',
  netAmountPayable: 'c.net_amount_payable',
  paymentStatus: 'c.payment_status',
  hsdVerified: 'c.hsd_verified',
};
const nullable: readonly ChallanSortKey[] = ['tagName', 'depositedAt'];

/** Nulls last in both directions, the id breaks ties (wire.md). */
export function orderOf({ sortBy, sortOrder }: ChallanOrder, isReversed: boolean = false): string {
  const direction = (sortOrder === 'asc') !== isReversed ? 'ASC' : 'DESC';
  const nulls = nullable.includes(sortBy) ? ` NULLS ${isReversed ? 'FIRST' : 'LAST'}` : '';
  return `${orderings[sortBy]} ${direction}${nulls}, c.id ${direction}`;
}

const tagOf = (query: ChallanListQuery): string =>
  query.sortBy === 'tagName' ? 'LEFT JOIN tags AS t ON t.subadmin_id = $1 AND t.id = c.tag_id' : '';

/** The page sizes of the list (part 2 §2.1). */
const usualLimits: readonly number[] = [10, 20, 50, 100];

/**
 * Only the usual statements are prepared: each costs memory for ever. The limit stands in their text, not in a parameter:
 * an unknown one the planner takes for a tenth of the table, and would join that with whole tables.
 */
function nameOf(kind: string, filter: ChallanFilter, query: ChallanListQuery, { limit, offset, isReversed }: Slice) {
  if (query.sortBy !== 'createdAt') return undefined;
  if (!usualLimits.includes(limit)) return undefined;
  const order = `${query.sortOrder}${isReversed ? '-reversed' : ''}`;
  return `${kind}-${shapeOf(filter)}-${order}-${limit}${offset === 0 ? '' : '-later'}`;
}

/**
 * The prepared statements of this file have one good plan each, the one they are written for. Without this the planner
 * would make a new one each time wherever a parameter is a range or an offset, which costs more than the page itself.
 */
async function planOnce(db: TenantDb): Promise<void> {
  await db.query('SET LOCAL plan_cache_mode = force_generic_plan');
}

const sliceOf = ({ limit, offset }: Slice, bind: Bind): string =>
  `LIMIT ${limit}${offset === 0 ? '' : ` OFFSET ${bind(offset)}`}`;

function betweenOf(bounds: CreatedBounds | null, bind: Bind): string {
  if (bounds === null) return '';
  return `AND c.created_at >= ${bind(bounds.first)}::timestamptz AND c.created_at <= ${bind(bounds.last)}::timestamptz`;
}

async function selectPage(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery,
  slice: Slice,
  bounds: CreatedBounds | null,
): Promise<JsonText> {
  const parameters = new Parameters(db);
  const { bind } = parameters;
  const isDefault = query.sortBy === 'createdAt';
  const conditions = challanConditions(filter, bind, { isWalk: isDefault && bounds !== null });
  const between = betweenOf(bounds, bind);
  const inner = (columns: string) => `SELECT ${columns} FROM challans AS c ${tagOf(query)}
    WHERE ${conditions} ${between} ORDER BY ${orderOf(query, slice.isReversed)} ${sliceOf(slice, bind)}`;
  // Skipped rows are skipped in the index; without any, the rows of the page are read at once.
  const page =
    slice.offset === 0
      ? `(${inner('c.*')}) AS c`
      : `(${inner('c.id')}) AS page JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id`;
  const name = nameOf(bounds ? 'challans-between' : 'challans', filter, query, slice);
  const [, rows] = await Promise.all([
    name === undefined ? undefined : planOnce(db),
    db.texts(
      `SELECT ${challanRow.columns} FROM ${page} ${challanJoins} ORDER BY ${orderOf(query)}`,
      parameters.values,
      name,
    ),
  ]);
  return challansText(rows);
}

/** `from`: where a challan's columns begin. */
function challansText(rows: readonly TextRow[], from: number = 0): JsonText {
  return new JsonText(`[${rows.map((row) => challanRow.write(row, from)).join(',')}]`);
}

/** For filters that no roll-up holds: found once, then counted, and the page taken from what was found. */
async function selectCounted(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery,
  bounds: CreatedBounds | null,
): Promise<ChallanPage> {
  const parameters = new Parameters(db);
  const { bind } = parameters;
  const source = challanSource(filter, bind);
  const conditions = challanConditions(filter, bind, { isWalk: bounds !== null });
  const between = betweenOf(bounds, bind);
  // The hits carry the default order; any other reads it from the rows.
  const found =
    query.sortBy === 'createdAt'
      ? 'hits AS c'
      : `hits JOIN challans AS c ON c.subadmin_id = $1 AND c.id = hits.id ${tagOf(query)}`;
  const slice = pageOf(query);
  const rows = await db.texts(
    `WITH hits AS MATERIALIZED (
       SELECT c.id, c.created_at, c.payment_status, c.net_amount_payable FROM ${source} WHERE ${conditions} ${between}
     ), totals AS MATERIALIZED (
       SELECT ${countedColumns} FROM hits
     ), page AS MATERIALIZED (
       SELECT c.id FROM ${found} ORDER BY ${orderOf(query)} ${sliceOf(slice, bind)}
     )
     SELECT totals.*, ${challanRow.columns}
     FROM totals LEFT JOIN (page JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${challanJoins}) ON true
     ORDER BY ${orderOf(query)}`,
    parameters.values,
    nameOf(bounds ? 'challans-counted-between' : 'challans-counted', filter, query, slice),
  );
  // The totals are always there, with one empty challan where the page has none.
  const [totalCount, totalAmount, paidCount, paidAmount, unpaidCount, unpaidAmount] = rows[0]!.map(String);
  return {
    challans: challansText(
      rows.filter((row) => row[countedTotals] !== null),
      countedTotals,
    ),
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

/** How many columns countedColumns has: behind them comes the challan, its id first. */
const countedTotals = 6;
