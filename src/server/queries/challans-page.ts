import type { ChallanSummary } from '../../shared/contract/challan.ts';
import type { ChallanOrder } from '../../shared/contract/challan-order.ts';
import type { TenantDb } from '../db/tenant.ts';
import { noneId } from './challans-filter.ts';
import { orderOf, type Grouping } from './challans-order.ts';
import type { ListShape } from './challans-row.ts';
import { byRoute, byTag, selectRolledTotals, totalParts, type RollUp } from './challans-totals.ts';
import { offsetOf } from './paging.ts';
import { Parameters, type Bind } from './statements.ts';

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

/** The roll-up that has the number of challans of each value of the column. */
const rollUpBy = (column: Grouping['column']): RollUp => (column === 'tag_id' ? byTag : byRoute);

/**
 * A page of the whole list, sorted by a column with few values. The counts of the values show which values the page has, and
 * only the ids of their challans are read.
 */
export async function selectByGroup<T>(
  db: TenantDb,
  { column, name, join, isInOrder }: Grouping,
  query: ChallanListQuery<T>,
  page: Slice,
): Promise<ChallanPage<T>> {
  const direction = query.order[0]?.order ?? 'desc';
  const rollUp = rollUpBy(column);
  const groupParameters = new Parameters(db);
  const [{ summary }, { rows: groups }] = await Promise.all([
    selectRolledTotals(db, {}, byTag),
    // Values with the same name are one group. Those without a name are the last group.
    db.query<{ members: string[]; challans: number }>(
      `SELECT array_agg(DISTINCT ${column}::text) AS members, sum(challans)::int AS challans
       FROM (${totalParts({}, rollUp, `${column}, challans`, groupParameters.bind)}) AS parts ${join}
       GROUP BY ${name} HAVING sum(challans) > 0 ORDER BY ${name} ${direction} NULLS LAST`,
      groupParameters.values,
    ),
  ]);
  const { values, bind } = new Parameters(db);
  const parts: string[] = [];
  let before = 0;
  for (const { members, challans } of groups) {
    const offset = Math.max(0, page.offset - before);
    const limit = Math.min(challans, page.offset + page.limit - before) - offset;
    before += challans;
    if (limit <= 0) continue;
    const slice = { ...page, offset, limit };
    const ids = (condition: string, end: string): string =>
      `SELECT c.id FROM challans AS c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND ${condition} ${end}`;
    const found = isInOrder
      ? // An index has the ids of each value in their order.
        members
          .map(
            (member) =>
              `(${ids(`c.${column} = ${bind(member)}`, `ORDER BY c.id ${direction} LIMIT ${bind(offset + limit)}`)})`,
          )
          .join(' UNION ALL ')
      : // OFFSET 0: the challans of the group come from its index, and only then are they sorted.
        ids(
          members.includes(noneId) ? `c.${column} IS NULL` : `c.${column} = ANY (${bind(members)}::uuid[])`,
          'OFFSET 0',
        );
    parts.push(`(SELECT c.id FROM (${found}) AS c ORDER BY c.id ${direction} ${sliceOf(slice, bind)})`);
  }
  if (parts.length === 0) return { challans: [], summary };
  const challans = selectByIds(db, parts.join(' UNION ALL '), query, values);
  db.finish();
  return { challans: await challans, summary };
}
