import type { QueryOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Tag, TagSortKey, TagUsage } from '../../shared/contract/tags.ts';
import type { TenantDb } from '../db/tenant.ts';
import { nameRank } from './name-rank.ts';
import { offsetOf } from './paging.ts';
import { selectRecord } from './records.ts';

export interface TagValues {
  name: string;
  color: string;
  description: string;
}

interface TagRow {
  id: string;
  name: string;
  color: string;
  description: string;
  created_at: Date;
  updated_at: Date;
  version: number;
}

function toTag(row: TagRow): Tag {
  return {
    id: row.id,
    name: row.name,
    color: row.color,
    description: row.description,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}

const columns = 'id, name, color, description, created_at, updated_at, version';
const matches = `subadmin_id = $1 AND deleted_at IS NULL AND ($2 = '' OR strpos(lower(name), lower($2)) > 0)`;
const sortExpressions: Record<TagSortKey, string> = { name: 'lower(name)', createdAt: 'created_at' };

/**
 * A page of tags, of those whose name contains the search text if there is one: the best match first, unless an order is
 * asked for.
 */
export async function listTags(
  db: TenantDb,
  query: QueryOf<typeof contract.tags.list>,
): Promise<{ tags: Tag[]; totalCount: number }> {
  const { sortOrder, search = '' } = query;
  const isRanked = search !== '' && query.sortBy === undefined;
  const sortBy = query.sortBy ?? 'name';
  const rank = isRanked ? `${nameRank('name', '$2')}, ` : '';
  const [page, counted] = await Promise.all([
    db.query<TagRow>(
      `SELECT ${columns} FROM tags WHERE ${matches}
       ORDER BY ${rank}${sortExpressions[sortBy]} ${sortOrder}, id ${sortOrder} LIMIT $3 OFFSET $4`,
      [db.tenantId, search, query.limit, offsetOf(query)],
      `list-tags-${isRanked ? 'ranked-' : ''}${sortBy}-${sortOrder}`,
    ),
    db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM tags WHERE ${matches}`,
      [db.tenantId, search],
      'count-tags',
    ),
  ]);
  return { tags: page.rows.map(toTag), totalCount: counted.rows[0]?.count ?? 0 };
}

export async function selectTag(db: TenantDb, id: string): Promise<Tag | null> {
  const row = await selectRecord<TagRow>(db, 'tags', columns, id);
  return row && toTag(row);
}

export async function lockTag(db: TenantDb, id: string): Promise<Tag | null> {
  const row = await selectRecord<TagRow>(db, 'tags', columns, id, 'FOR UPDATE');
  return row && toTag(row);
}

/** From the maintained totals and the open differences (migration 004): exact, however many challans carry the tag. */
export async function selectTagUsage(db: TenantDb, id: string): Promise<TagUsage> {
  const { rows } = await db.query<{ paid: number; unpaid: number }>(
    `SELECT coalesce(sum(challans) FILTER (WHERE payment_status), 0)::int AS paid,
       coalesce(sum(challans) FILTER (WHERE NOT payment_status), 0)::int AS unpaid
     FROM (
       SELECT payment_status, challans FROM challan_totals_by_tag WHERE subadmin_id = $1 AND tag_id = $2
       UNION ALL
       SELECT payment_status, challans FROM challan_deltas WHERE subadmin_id = $1 AND tag_id = $2) AS counted`,
    [db.tenantId, id],
    'select-tag-usage',
  );
  const { paid, unpaid } = rows[0] ?? { paid: 0, unpaid: 0 };
  const totalChallans = paid + unpaid;
  return { totalChallans, paidChallans: paid, unpaidChallans: unpaid, canDelete: totalChallans === 0 };
}

export async function insertTag(db: TenantDb, values: TagValues): Promise<Tag> {
  const { rows } = await db.query<TagRow>(
    `INSERT INTO tags (subadmin_id, name, color, description) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
    [db.tenantId, values.name, values.color, values.description],
    'insert-tag',
  );
  // An insert without a conflict clause returns its row.
  return toTag(rows[0]!);
}

export async function updateTag(db: TenantDb, id: string, values: TagValues): Promise<Tag> {
  const { rows } = await db.query<TagRow>(
    `UPDATE tags SET name = $3, color = $4, description = $5, updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2 RETURNING ${columns}`,
    [db.tenantId, id, values.name, values.color, values.description],
    'update-tag',
  );
  // The caller holds the row's lock.
  return toTag(rows[0]!);
}
