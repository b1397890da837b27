import type { z } from 'zod';
import type { dashboardQuery } from '../../../shared/contract/accounting.ts';
import type { dashboardFilters } from '../../../shared/filters/challan-filters.ts';
import type { FilterOfList } from '../../../shared/filters/define.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { rollUpConditions, noneId } from '../challans/challans-filter.queries.ts';
import { rollUpOf } from '../challans/challans-totals.queries.ts';
import { Parameters, preparedName } from '../../sql/statements.ts';

export type DashboardFilter = FilterOfList<typeof dashboardFilters>;

/** Converts the query of a dashboard call, where startDate and endDate are deposited days. */
export const dashboardFilterOf = ({
  startDate,
  endDate,
  ...others
}: z.output<typeof dashboardQuery>): DashboardFilter => ({
  ...others,
  depositedStartDate: startDate,
  depositedEndDate: endDate,
});

/** The counts and sums of one tag, from which its other figures are derived. */
export interface TagSums {
  /** null for challans without a tag. */
  tagId: string | null;
  tagName: string | null;
  color: string | null;
  challanCount: number;
  totalAmount: string;
  paidCount: number;
  unpaidCount: number;
  paidAmount: string;
  unpaidAmount: string;
  loadingWeight: string;
  unloadingWeight: string;
}

/**
 * Returns the sums of each tag from the roll-ups and the open differences (migration 005), in one statement and so from
 * one snapshot. The result has every tag of the account, including those without challans (docs/specification.md §4.2),
 * and challans without a tag if there are any or they were requested. The largest amount comes first.
 *
 * The roll-up is joined by the wanted tags, because the one by day also has rows over all tags, and its index keeps
 * each tag's days together.
 */
export async function selectTagSums(db: TenantDb, filter: DashboardFilter): Promise<TagSums[]> {
  const { values, bind } = new Parameters(db);
  const { tagId, ...days } = filter;
  const rollUp = rollUpOf(filter);
  if (!rollUp) throw new Error('The dashboard has only filters that a roll-up holds');
  const key = tagId === undefined ? undefined : `${bind(tagId === 'none' ? noneId : tagId)}::uuid`;
  const ofKey = (column: string): string => (key === undefined ? '' : `AND ${column} = ${key}`);
  const ofDays = rollUpConditions(days, bind)
    .map((condition) => `AND ${condition}`)
    .join(' ');
  const measures = 'payment_status, challans, net_amount, loading_weight, unloading_weight';

  const text = `WITH wanted AS (
       SELECT id, name, color, deleted_at IS NULL AS is_listed FROM tags WHERE subadmin_id = $1 ${ofKey('id')}
       UNION ALL
       SELECT '${noneId}', NULL, NULL, ${tagId === 'none'} ${key === undefined ? '' : `WHERE ${key} = '${noneId}'`}
     ), parts AS (
       SELECT tag_id, payment_status, sum(challans) AS challans, sum(net_amount) AS net_amount,
         sum(loading_weight) AS loading_weight, sum(unloading_weight) AS unloading_weight
       FROM (
         SELECT wanted.id AS tag_id, ${measures}
         FROM wanted JOIN ${rollUp.table} AS r ON r.subadmin_id = $1 AND r.tag_id = wanted.id ${ofDays}
         UNION ALL
         SELECT tag_id, ${measures} FROM open_challan_totals WHERE subadmin_id = $1 ${ofKey('tag_id')} ${ofDays}
       ) AS rows
       GROUP BY tag_id, payment_status
     )
     SELECT nullif(wanted.id, '${noneId}') AS "tagId", wanted.name AS "tagName", wanted.color,
       coalesce(sum(challans), 0)::int AS "challanCount", coalesce(sum(net_amount), 0.00)::text AS "totalAmount",
       coalesce(sum(challans) FILTER (WHERE payment_status), 0)::int AS "paidCount",
       coalesce(sum(challans) FILTER (WHERE NOT payment_status), 0)::int AS "unpaidCount",
       coalesce(sum(net_amount) FILTER (WHERE payment_status), 0.00)::text AS "paidAmount",
       coalesce(sum(net_amount) FILTER (WHERE NOT payment_status), 0.00)::text AS "unpaidAmount",
       coalesce(sum(loading_weight), 0.00)::text AS "loadingWeight",
       coalesce(sum(unloading_weight), 0.00)::text AS "unloadingWeight"
     FROM wanted LEFT JOIN parts ON parts.tag_id = wanted.id
     GROUP BY wanted.id, wanted.name, wanted.color, wanted.is_listed
     HAVING wanted.is_listed OR sum(challans) > 0
     ORDER BY coalesce(sum(net_amount), 0) DESC, coalesce(sum(challans), 0) DESC, lower(wanted.name) NULLS LAST, wanted.id`;
  const { rows } = await db.query<TagSums>(text, values, preparedName('tag-analytics', text));
  return rows;
}
