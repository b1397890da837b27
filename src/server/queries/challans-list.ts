import type { Challan, ChallanSortKey, ChallanSummary } from '../../shared/contract/challan.ts';
import type { TenantDb } from '../db/tenant.ts';
import { challanConditions, challanSource, Parameters, type ChallanFilter } from './challans-filter.ts';
import { challanColumns, challanJoins, presentChallan, type ChallanRow } from './challans-row.ts';
import {
  countedColumns,
  isBounded,
  isRolledUp,
  selectRolledTotals,
  shapeOf,
  type CreatedBounds,
} from './challans-totals.ts';
import { offsetOf } from './paging.ts';

export interface ChallanListQuery {
  page: number;
  limit: number;
  sortBy: ChallanSortKey;
  sortOrder: 'asc' | 'desc';
}

export interface ChallanPage {
  challans: Challan[];
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
  if (!isRolledUp(filter)) return selectCounted(db, filter, query);

  const page = pageOf(query);
  // Without bounds to wait for and near the beginning, both travel together.
  if (!isBounded(filter) && page.offset <= nearPages) {
    const [{ summary }, challans] = await Promise.all([
      selectRolledTotals(db, filter),
      selectPage(db, filter, query, page, null),
    ]);
    return { challans, summary };
  }

  const { summary, bounds } = await selectRolledTotals(db, filter);
  const rest = summary.totalCount - page.offset;
  if (rest <= 0) return { challans: [], summary };
  const challans = await selectPage(db, filter, query, nearerEnd(page, rest), bounds);
  return { challans, summary };
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
function orderOf({ sortBy, sortOrder }: ChallanListQuery, isReversed: boolean = false): string {
  const direction = (sortOrder === 'asc') !== isReversed ? 'ASC' : 'DESC';
  const nulls = nullable.includes(sortBy) ? ` NULLS ${isReversed ? 'FIRST' : 'LAST'}` : '';
  return `${orderings[sortBy]} ${direction}${nulls}, c.id ${direction}`;
}

const tagOf = (query: ChallanListQuery): string =>
  query.sortBy === 'tagName' ? 'LEFT JOIN tags AS t ON t.subadmin_id = $1 AND t.id = c.tag_id' : '';

/** Only the default order's statements are prepared: the others are rare, and each prepared one costs memory for ever. */
function nameOf(kind: string, filter: ChallanFilter, query: ChallanListQuery, more: string): string | undefined {
  if (query.sortBy !== 'createdAt' || filter.loadingFrom || filter.loadingTo) return undefined;
  return `${kind}-${shapeOf(filter)}-${query.sortOrder}${more}`;
}

/**
 * The outer LIMIT is never reached; it tells the planner, which cannot know the parameter, that few ids come out, so that
 * it reads these rows by key instead of the whole table.
 */
const fewIds = 'LIMIT 100';

async function selectPage(
  db: TenantDb,
  filter: ChallanFilter,
  query: ChallanListQuery,
  slice: Slice,
  bounds: CreatedBounds | null,
): Promise<Challan[]> {
  const parameters = new Parameters(db);
  const { bind } = parameters;
  const conditions = challanConditions(filter, bind);
  const between = bounds
    ? `AND c.created_at >= ${bind(bounds.first)}::timestamptz AND c.created_at <= ${bind(bounds.last)}::timestamptz`
    : '';
  const { rows } = await db.query<ChallanRow>(
    `SELECT ${challanColumns}
     FROM (
       SELECT id FROM (
         SELECT c.id FROM challans AS c ${tagOf(query)} WHERE ${conditions} ${between}
         ORDER BY ${orderOf(query, slice.isReversed)} LIMIT ${bind(slice.limit)} OFFSET ${bind(slice.offset)}
       ) AS found ${fewIds}
     ) AS page
     JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${challanJoins}
     ORDER BY ${orderOf(query)}`,
    parameters.values,
    nameOf('challan-page', filter, query, `${slice.isReversed ? '-r' : ''}${bounds ? '-b' : ''}`),
  );
  return rows.map(presentChallan);
}

/** For filters that no roll-up holds: found once, then counted, and the page taken from what was found. */
async function selectCounted(db: TenantDb, filter: ChallanFilter, query: ChallanListQuery): Promise<ChallanPage> {
  const parameters = new Parameters(db);
  const { bind } = parameters;
  const source = challanSource(filter, bind);
  const conditions = challanConditions(filter, bind);
  // The hits carry the default order; any other reads it from the rows.
  const found =
    query.sortBy === 'createdAt'
      ? 'hits AS c'
      : `hits JOIN challans AS c ON c.subadmin_id = $1 AND c.id = hits.id ${tagOf(query)}`;
  const slice = pageOf(query);
  const { rows } = await db.query<ChallanSummary & (ChallanRow | { id: null })>(
    `WITH hits AS MATERIALIZED (
       SELECT c.id, c.created_at, c.payment_status, c.net_amount_payable FROM ${source} WHERE ${conditions}
     ), totals AS MATERIALIZED (
       SELECT ${countedColumns} FROM hits
     ), page AS MATERIALIZED (
       SELECT id FROM (
         SELECT c.id FROM ${found} ORDER BY ${orderOf(query)} LIMIT ${bind(slice.limit)} OFFSET ${bind(slice.offset)}
       ) AS found ${fewIds}
     )
     SELECT totals.*, ${challanColumns}
     FROM totals LEFT JOIN (page JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${challanJoins}) ON true
     ORDER BY ${orderOf(query)}`,
    parameters.values,
    nameOf('challan-hits', filter, query, ''),
  );
  // The totals are always there, with one empty challan where the page has none.
  const { totalCount, totalAmount, paidCount, paidAmount, unpaidCount, unpaidAmount } = rows[0]!;
  return {
    challans: rows.filter((row): row is ChallanSummary & ChallanRow => row.id !== null).map(presentChallan),
    summary: { totalCount, totalAmount, paidCount, paidAmount, unpaidCount, unpaidAmount },
  };
}
