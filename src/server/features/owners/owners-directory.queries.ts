import type { CopiedByOthers, CopiedOwner, CopyAllowance, Owner, OwnerCard } from '../../../shared/contract/owners.ts';
import type { Truck } from '../../../shared/contract/trucks.ts';
import type { Caller } from '../../caller.ts';
import type { GlobalDb, TenantDb } from '../../db/tenant.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import { integerOffsetOf, paginationOf, selectPage, type Page, type Paging } from '../../sql/paging.ts';
import { truckTable } from '../master-data/trucks.queries.ts';
import { actorName } from '../../sql/actor.ts';

/**
 * What one account may see of another's owners. Database functions bypass row-level security and mask what they return
 * (docs/specification.md §6.5). Copying uses the full values, which stay inside the server.
 */

type DirectoryRow = Owner & { bannerName: string; inYourList: OwnerCard['inYourList'] };

/**
 * Returns the owners of other active accounts, masked, by name. The account `own` is excluded; it is null for an admin.
 */
export async function listDirectory(
  db: GlobalDb,
  own: string | null,
  query: Paging & { search?: string | undefined },
): Promise<Page<OwnerCard>> {
  const select = (limit: number, offset: number) =>
    db.records<DirectoryRow & { totalCount: number }>(
      `SELECT ${ownerTable.columns}, r.banner_name AS "bannerName", r.in_your_list AS "inYourList", r.total_count::int AS "totalCount"
       FROM (SELECT *, '' AS hold_reason, 'English' AS language FROM owners_directory($1, $2, $3, $4)) AS r`,
      [own, query.search ?? '', limit, offset],
    );
  const rows = await select(query.limit, integerOffsetOf(query));
  // A page past the end has no row that contains the count.
  const counted = rows.length === 0 && query.page > 1 ? (await select(1, 0))[0] : rows[0];
  const trucks = await selectDirectoryTrucks(db, rows);
  const data = rows.map(({ bannerName, inYourList, totalCount: _counted, ...row }) => {
    const itsTrucks = trucks.get(row.id) ?? [];
    return {
      ...row,
      trucksCount: itsTrucks.length,
      trucks: itsTrucks,
      inYourList,
      currentSubAdmin: { bannerName },
    };
  });
  return { data, pagination: paginationOf(query, counted?.totalCount ?? 0) };
}

async function selectDirectoryTrucks(db: GlobalDb, owners: readonly DirectoryRow[]): Promise<Map<string, Truck[]>> {
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  const byOwner = new Map<string, Truck[]>(owners.map(({ id }) => [id, []]));
  if (owners.length === 0) return byOwner;
  const trucks = await db.records<Truck>(
    `SELECT ${truckTable.columns} FROM owners_directory_trucks($1) AS r ORDER BY r.created_at, r.id`,
    [[...names.keys()]],
  );
  for (const truck of trucks) {
    const { ownerId } = truck;
    // The caller may not read the other account's owners, so the name comes from the directory.
    byOwner.get(ownerId)?.push({ ...truck, owner: { id: ownerId, name: names.get(ownerId) ?? '' } });
  }
  return byOwner;
}

/** Whether this account sees others' owners and they see its own. `accountId` is null for an admin. */
export async function isInDirectory(db: GlobalDb, accountId: string | null): Promise<boolean> {
  const { is_on } = await db.one<{ is_on: boolean }>(
    'SELECT is_in_directory($1) AS is_on',
    [accountId],
    'is-in-directory',
  );
  return is_on;
}

/** Returns how many owners a business may still copy today. */
export function selectCopyAllowance(db: GlobalDb | TenantDb, accountId: string): Promise<CopyAllowance> {
  return db.one<CopyAllowance>(
    'SELECT per_day AS "perDay", remaining AS "left" FROM copy_allowance($1)',
    [accountId],
    'select-copy-allowance',
  );
}

/** The notice names this many of them. */
const maxNamed = 5;

/** Returns own owners that other businesses copied in the last 30 days, the newest first, without deleted ones. */
export async function selectCopiedByOthers(db: TenantDb): Promise<CopiedByOthers> {
  const rows = await db.records<{ id: string; name: string; copiedAt: string; count: number }>(
    `SELECT o.id, o.name, max(h.at) AS "copiedAt", count(*) OVER ()::int AS count
     FROM history h JOIN owners o ON o.subadmin_id = $1 AND o.id = h.entity_id AND o.deleted_at IS NULL
     WHERE h.subadmin_id = $1 AND h.action = 'copied by another business' AND h.at >= now() - interval '30 days'
     GROUP BY o.id, o.name ORDER BY max(h.at) DESC, o.id LIMIT ${maxNamed}`,
    [db.tenantId],
    'select-copied-by-others',
  );
  const owners = rows.map(({ id, name, copiedAt }) => ({ id, name, copiedAt }));
  return { count: rows[0]?.count ?? 0, lastAt: owners[0]?.copiedAt ?? null, owners };
}

const copyHistory = `h.subadmin_id = $1 AND h.entity = 'owner'
  AND h.action IN ('copied from another business', 'copied by another business')`;

/** Returns what this business copied, and what others copied from it, from the history of both sides. */
export const listCopied = (db: TenantDb, query: Paging): Promise<Page<CopiedOwner>> =>
  selectPage(
    db,
    query,
    `history h WHERE ${copyHistory}`,
    `SELECT h.id, o.name, h.at AS "copiedAt",
         CASE WHEN h.is_own THEN h.changes -> 'copiedFrom' ->> 1 ELSE own.banner_name END AS "from",
         CASE WHEN h.is_own THEN own.banner_name ELSE actor.banner_name END AS "to",
         CASE WHEN h.is_own THEN ${actorName('actor')} ELSE actor.banner_name END AS "by"
       FROM (SELECT h.*, h.action = 'copied from another business' AS is_own FROM history h WHERE ${copyHistory}
           ORDER BY h.at DESC, h.id DESC LIMIT $2 OFFSET $3) h
         JOIN owners o ON o.subadmin_id = $1 AND o.id = h.entity_id
         JOIN accounts own ON own.id = $1 JOIN accounts actor ON actor.id = h.actor_id
       ORDER BY h.at DESC, h.id DESC`,
    [db.tenantId],
    'list-copied',
  );

/** Returns the copies of all businesses, for an admin. */
export async function listAllCopied(db: GlobalDb, query: Paging): Promise<Page<CopiedOwner>> {
  const [data, counted] = await Promise.all([
    db.records<CopiedOwner>(
      `SELECT id, name, from_banner AS "from", to_banner AS "to", copied_at AS "copiedAt", email AS "by" FROM copied_owners($1, $2)`,
      [query.limit, integerOffsetOf(query)],
      'list-all-copied',
    ),
    db.query<{ count: number }>('SELECT count_copied_owners() AS count', [], 'count-all-copied'),
  ]);
  return { data, pagination: paginationOf(query, counted.rows[0]?.count ?? 0) };
}

export interface OwnerToCopy {
  /** The requested id; the list keeps the order of the request. */
  wanted: string;
  /** Null when it cannot be copied: unknown, the caller's own, or of a closed account. */
  source: { id: string; subadminId: string; name: string } | null;
}

export async function selectOwnersToCopy(db: TenantDb, ids: readonly string[]): Promise<OwnerToCopy[]> {
  const { rows } = await db.query<{
    wanted: string;
    id: string | null;
    subadmin_id: string;
    name: string;
  }>(
    `SELECT w.id AS wanted, s.id, s.subadmin_id, s.name
     FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, place)
     LEFT JOIN LATERAL owner_to_copy(w.id) AS s ON true ORDER BY w.place`,
    [ids],
  );
  return rows.map((row) => ({
    wanted: row.wanted,
    source: row.id === null ? null : { id: row.id, subadminId: row.subadmin_id, name: row.name },
  }));
}

/**
 * Returns why an owner counts as already in the caller's list, or null when it does not (docs/specification.md §6.4).
 */
export async function selectReasonNotToCopy(db: TenantDb, sourceId: string): Promise<OwnerCard['inYourList']> {
  const row = await db.first<{ reason: OwnerCard['inYourList'] }>(
    'SELECT in_your_list AS reason FROM owner_to_copy($1)',
    [sourceId],
    'select-reason-not-to-copy',
  );
  return row?.reason ?? null;
}

interface CopyResult {
  id: string;
  truckIds: string[];
  /** The truck numbers that were left out, because the caller already has them. */
  skippedTrucks: string[];
}

/**
 * Copies an owner and its trucks from one account to the other, inside the database; returns null when the owner is
 * gone. It is one statement, so it reads one snapshot of the source: an owner that is deleted in the meantime is copied
 * with its trucks or not at all (docs/specification.md §6.4).
 */
export async function insertCopiedOwner(db: TenantDb, sourceId: string): Promise<CopyResult | null> {
  const { rows } = await db.query<{ owner_id: string; truck_number: string | null; truck_id: string | null }>(
    `WITH copy AS (
         SELECT id FROM copy_owner($2) AS id WHERE id IS NOT NULL),
       source AS (SELECT * FROM owners_directory_trucks(ARRAY[$2::uuid])),
       copied AS (
         INSERT INTO trucks (subadmin_id, truck_number, type_of_vehicle, no_of_wheels, owner_id)
         SELECT $1, truck_number, type_of_vehicle, no_of_wheels, copy.id FROM copy, source
         ON CONFLICT (subadmin_id, truck_key) WHERE deleted_at IS NULL DO NOTHING
         RETURNING id, truck_number)
     SELECT copy.id AS owner_id, s.truck_number, c.id AS truck_id
     FROM copy LEFT JOIN source s ON true LEFT JOIN copied c ON c.truck_number = s.truck_number
     ORDER BY s.truck_number`,
    [db.tenantId, sourceId],
    'insert-copied-owner',
  );
  const id = rows[0]?.owner_id;
  // The account was closed or the owner deleted since it was read.
  if (id === undefined) return null;
  return {
    id,
    truckIds: rows.flatMap((row) => (row.truck_id === null ? [] : [row.truck_id])),
    skippedTrucks: rows.flatMap((row) =>
      row.truck_number === null || row.truck_id !== null ? [] : [row.truck_number],
    ),
  };
}

/** Records the copy in the history of both accounts (docs/specification.md §6.5). */
export async function insertCopyHistory(
  db: TenantDb,
  caller: Caller,
  source: { id: string; subadminId: string },
  copied: CopyResult,
): Promise<void> {
  await Promise.all([
    db.query(
      `INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
       VALUES ($1, 'owner', $2, 'copied from another business', $3, $4, jsonb_build_object('copiedFromId', jsonb_build_array(NULL, $5::text),
         'copiedFrom', (SELECT jsonb_build_array(NULL, banner_name) FROM accounts WHERE id = $6)))`,
      [db.tenantId, copied.id, caller.accountId, caller.screen, source.id, source.subadminId],
    ),
    db.query(
      `INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, screen)
       SELECT $1, 'truck', id, 'copied with its owner', $3, $4 FROM unnest($2::uuid[]) AS id`,
      [db.tenantId, copied.truckIds, caller.accountId, caller.screen],
    ),
    db.query('SELECT record_copied_from($1, $2)', [source.subadminId, source.id]),
  ]);
}
