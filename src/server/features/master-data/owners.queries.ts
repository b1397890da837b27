import type { Owner, OwnerSortKey, OwnerWithTrucks } from '../../../shared/contract/owners.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { Page } from '../../sql/paging.ts';
import { nameRank, recordTable, type RecordListQuery } from './records.queries.ts';
import { selectLastDeclarations } from '../tds/declarations.queries.ts';
import { selectTrucksOf } from './trucks.queries.ts';

type OwnerField = 'name' | 'contactNumber' | 'address' | 'accountNo' | 'ifsc' | 'panNo' | 'branchName' | 'language';

const trucksOfOwner = 'FROM trucks t WHERE t.subadmin_id = $1 AND t.owner_id = r.id AND t.deleted_at IS NULL';

/** SQL of a search for owners; the owner's row is `r`. */
export const ownerSearch = {
  matches: (term: string): string =>
    `r.id = ANY (ARRAY(
       SELECT f.id FROM owners_with(${term}) AS f UNION ALL SELECT t.owner_id FROM trucks_with(${term}) AS t))`,
  rank: (term: string): string => nameRank('r.name', term),
};

export const ownerTable = recordTable<Owner, OwnerField, OwnerSortKey>({
  record: 'owner',
  fields: ['name', 'contactNumber', 'address', 'accountNo', 'ifsc', 'panNo', 'branchName', 'language'],
  absent: { language: 'English' },
  computed: { subadminId: 'r.subadmin_id', holdReason: 'r.hold_reason' },
  ...ownerSearch,
  sorts: {
    name: 'lower(r.name)',
    contactNumber: 'r.contact_number',
    trucksCount: `(SELECT count(*) ${trucksOfOwner})`,
    createdAt: 'r.created_at',
  },
  defaultSort: 'name',
});

/** Returns a page of owners with their trucks, of all owners or of those that match the search. */
export async function listOwners(db: TenantDb, query: RecordListQuery<OwnerSortKey>): Promise<Page<OwnerWithTrucks>> {
  const { data, pagination } = await ownerTable.list(db, query);
  return { data: await withTrucks(db, data), pagination };
}

export async function selectOwnerWithTrucks(db: TenantDb, id: string): Promise<OwnerWithTrucks | null> {
  const owner = await ownerTable.get(db, id);
  return owner && ((await withTrucks(db, [owner]))[0] ?? null);
}

async function withTrucks(db: TenantDb, owners: readonly Owner[]): Promise<OwnerWithTrucks[]> {
  const [trucks, declarations] = await Promise.all([
    selectTrucksOf(db, owners),
    selectLastDeclarations(
      db,
      owners.map(({ id }) => id),
    ),
  ]);
  return owners.map((owner) => {
    const own = trucks.get(owner.id) ?? [];
    return { ...owner, trucksCount: own.length, trucks: own, declaration: declarations.get(owner.id) ?? null };
  });
}

/**
 * Locks an owner that a record is about to reference, so that it cannot be deleted before the commit. Returns nothing when
 * it is gone.
 */
export function holdOwner(db: TenantDb, id: string): Promise<{ name: string } | undefined> {
  return db.first<{ name: string }>(
    'SELECT name FROM owners WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE',
    [db.tenantId, id],
    'hold-owner',
  );
}

/**
 * Returns by owner id the number of challans and trucks that refer to the owner and so prevent its deletion. Owners
 * without any are missing.
 */
export async function countUsesOf(
  db: TenantDb,
  ids: readonly string[],
): Promise<Map<string, { challans: number; trucks: number }>> {
  const { rows } = await db.query<{ id: string; challans: number; trucks: number }>(
    // The roll-up and the open differences contain the owner's own challans. Challans with the owner as discounter are
    // found with an index.
    `SELECT id, sum(challans)::int AS challans, sum(trucks)::int AS trucks
     FROM (
       SELECT owner_id AS id, challans, 0 AS trucks FROM challan_totals_by_owner
       WHERE subadmin_id = $1 AND owner_id = ANY ($2::uuid[])
       UNION ALL
       SELECT owner_id, challans, 0 FROM open_challan_totals WHERE subadmin_id = $1 AND owner_id = ANY ($2::uuid[])
       UNION ALL
       SELECT discounter_id, 1, 0 FROM challans
       WHERE subadmin_id = $1 AND discounter_id = ANY ($2::uuid[]) AND discounter_id <> owner_id AND deleted_at IS NULL
       UNION ALL
       SELECT owner_id, 0, 1 FROM trucks
       WHERE subadmin_id = $1 AND owner_id = ANY ($2::uuid[]) AND deleted_at IS NULL
     ) AS uses
     GROUP BY id HAVING sum(challans) > 0 OR sum(trucks) > 0`,
    [db.tenantId, ids],
  );
  return new Map(rows.map(({ id, ...uses }) => [id, uses]));
}
