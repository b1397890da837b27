import type { ChallanSummary } from '../../../shared/contract/challan.ts';
import type { ChallanOrder } from '../../../shared/contract/challan-order.ts';
import type { ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { bareConditions } from './challans-filter.queries.ts';
import { joinsOf, orderOf, type Grouping } from './challans-order.queries.ts';
import type { ListShape } from './challans-row.queries.ts';
import { selectRolledTotals, totalParts } from './challans-totals.queries.ts';
import { offsetOf } from '../../sql/paging.ts';
import { Parameters, type Bind } from '../../sql/statements.ts';

export interface ChallanListQuery<T> {
  page: number;
  limit: number;
  order: ChallanOrder;
  shape: ListShape<T>;
}

export interface ChallanPage<T> {
  challans: T[];
  /** The totals of the whole filter, not only of the page (docs/specification.md §3.4). */
  summary: ChallanSummary;
}

/** The rows of a page within the sorted list. */
export interface Slice {
  offset: number;
  limit: number;
  /** The offset counts from the end of the list. */
  isReversed: boolean;
}

export function pageOf(query: { page: number; limit: number }): Slice {
  return { offset: offsetOf(query), limit: query.limit, isReversed: false };
}

export const sliceOf = ({ limit, offset }: Slice, bind: Bind): string =>
  `LIMIT ${limit}${offset === 0 ? '' : ` OFFSET ${bind(offset)}`}`;

export const selectByIds = async <T>(
  db: TenantDb,
  ids: string,
  { order, shape }: ChallanListQuery<T>,
  values: readonly unknown[],
): Promise<T[]> => {
  const rows = await db.texts(
    `SELECT ${shape.columns} FROM (${ids}) AS page
     JOIN challans AS c ON c.subadmin_id = $1 AND c.id = page.id ${shape.joins} ORDER BY ${orderOf(order)}`,
    values,
  );
  return rows.map((row) => shape.read(row));
};

/**
 * A page of a list that is sorted by a column of a roll-up, which also has the filter. The counts of the values show which values
 * the page has, and only their challans are read and sorted.
 */
export async function selectByGroup<T>(
  db: TenantDb,
  filter: ChallanFilter,
  { rollUp, column, type, none, name, join }: Grouping,
  query: ChallanListQuery<T>,
): Promise<ChallanPage<T>> {
  const page = pageOf(query);
  const ofGroups = new Parameters(db);
  const [{ summary }, { rows: groups }] = await Promise.all([
    selectRolledTotals(db, filter, rollUp),
    // Values with the same name are one group. Those without a name are the last group.
    db.query<{ members: string[]; challans: number }>(
      `SELECT array_agg(DISTINCT ${column}::text) AS members, sum(challans)::int AS challans
       FROM (${totalParts(filter, rollUp, `${column}, challans`, ofGroups.bind)}) AS parts ${join}
       GROUP BY ${name} HAVING sum(challans) > 0 ORDER BY ${name} ${query.order[0]?.order ?? 'desc'} NULLS LAST`,
      ofGroups.values,
    ),
  ]);
  const members: string[] = [];
  let [before, upto] = [0, 0];
  for (const group of groups) {
    upto += group.challans;
    if (upto <= page.offset) before = upto;
    else members.push(...group.members);
    if (upto >= page.offset + page.limit) break;
  }
  if (members.length === 0) return { challans: [], summary };
  const { values, bind } = new Parameters(db);
  const isMember = `(c.${column} = ANY (${bind(members)}::${type}[])${none !== undefined && members.includes(none) ? ` OR c.${column} IS NULL` : ''})`;
  // OFFSET 0: the challans are found first and only then sorted.
  const challans = selectByIds(
    db,
    `SELECT c.id FROM (SELECT c.* FROM challans AS c
       WHERE ${['c.subadmin_id = $1', 'c.deleted_at IS NULL', isMember, ...bareConditions(filter, bind)].join(' AND ')} OFFSET 0
     ) AS c ${joinsOf(query.order)}
     ORDER BY ${orderOf(query.order)} ${sliceOf({ ...page, offset: page.offset - before }, bind)}`,
    query,
    values,
  );
  db.finish();
  return { challans: await challans, summary };
}
