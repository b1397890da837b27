import type { Tag, TagSortKey, TagUsage } from '../../../shared/contract/tags.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { recordTable } from './records.queries.ts';

export const tagTable = recordTable<Tag, 'name' | 'color' | 'description', TagSortKey>({
  record: 'tag',
  fields: ['name', 'color', 'description'],
  sorts: { name: 'lower(r.name)', createdAt: 'r.created_at' },
  defaultSort: 'name',
});

/**
 * Reads the usage from the maintained totals and the open differences (migration 005). It is exact, however many
 * challans have the tag.
 */
export async function selectTagUsage(db: TenantDb, id: string): Promise<TagUsage> {
  const { paid, unpaid } = await db.one<{ paid: number; unpaid: number }>(
    `SELECT coalesce(sum(challans) FILTER (WHERE payment_status), 0)::int AS paid,
       coalesce(sum(challans) FILTER (WHERE NOT payment_status), 0)::int AS unpaid
     FROM (
       SELECT payment_status, challans FROM challan_totals_by_tag WHERE subadmin_id = $1 AND tag_id = $2
       UNION ALL
       SELECT payment_status, challans FROM open_challan_totals WHERE subadmin_id = $1 AND tag_id = $2) AS counted`,
    [db.tenantId, id],
    'select-tag-usage',
  );
  const totalChallans = paid + unpaid;
  return { totalChallans, paidChallans: paid, unpaidChallans: unpaid, canDelete: totalChallans === 0 };
}

/** Returns how many challans have each of these tags. Unused tags are missing. */
export async function countTagged(db: TenantDb, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; challans: number }>(
    `SELECT tag_id AS id, sum(challans)::int AS challans
     FROM (
       SELECT tag_id, challans FROM challan_totals_by_tag WHERE subadmin_id = $1 AND tag_id = ANY ($2::uuid[])
       UNION ALL
       SELECT tag_id, challans FROM open_challan_totals WHERE subadmin_id = $1 AND tag_id = ANY ($2::uuid[])) AS counted
     GROUP BY tag_id`,
    [db.tenantId, ids],
  );
  return new Map(rows.map(({ id, challans }) => [id, challans]));
}
