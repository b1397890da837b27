import type { QueryOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Truck, TruckSortKey, VehicleDetails } from '../../shared/contract/trucks.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { beginsAWord } from './name-rank.ts';
import { offsetOf } from './paging.ts';

export interface TruckValues {
  truckNumber: string;
  typeOfVehicle: string;
  noOfWheels: number;
  ownerId: string;
}

export interface TruckRow {
  id: string;
  truck_number: string;
  type_of_vehicle: string;
  no_of_wheels: number;
  owner_id: string;
  owner_name: string;
  created_at: Date;
  updated_at: Date;
  version: number;
}

export function toTruck(row: TruckRow): Truck {
  return {
    id: row.id,
    truckNumber: row.truck_number,
    typeOfVehicle: row.type_of_vehicle,
    noOfWheels: row.no_of_wheels,
    ownerId: row.owner_id,
    owner: { id: row.owner_id, name: row.owner_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}

const columns = `t.id, t.truck_number, t.type_of_vehicle, t.no_of_wheels, t.owner_id, o.name AS owner_name,
  t.created_at, t.updated_at, t.version`;
const trucksWithOwner = `trucks t JOIN owners o ON o.subadmin_id = t.subadmin_id AND o.id = t.owner_id`;
/** As truck_key is made (migration 002): a term of spaces and hyphens alone has no key and finds nothing. */
const keyOf = (parameter: string): string => `upper(regexp_replace(${parameter}, '[\\s-]', '', 'g'))`;

const sortExpressions: Record<TruckSortKey, string> = {
  truckNumber: 't.truck_key',
  ownerName: 'lower(o.name)',
  noOfWheels: 't.no_of_wheels',
  typeOfVehicle: 'lower(t.type_of_vehicle)',
  createdAt: 't.created_at',
};

export async function listTrucks(
  db: TenantDb,
  query: QueryOf<typeof contract.trucks.list>,
): Promise<{ trucks: Truck[]; totalCount: number }> {
  const { sortBy, sortOrder } = query;
  const [page, totalCount] = await Promise.all([
    db.query<TruckRow>(
      `SELECT ${columns} FROM ${trucksWithOwner}
       WHERE t.subadmin_id = $1 AND t.deleted_at IS NULL
       ORDER BY ${sortExpressions[sortBy]} ${sortOrder}, t.id ${sortOrder} LIMIT $2 OFFSET $3`,
      [db.tenantId, query.limit, offsetOf(query)],
      `list-trucks-${sortBy}-${sortOrder}`,
    ),
    countTrucks(db),
  ]);
  return { trucks: page.rows.map(toTruck), totalCount };
}

export async function countTrucks(db: TenantDb): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM trucks WHERE subadmin_id = $1 AND deleted_at IS NULL',
    [db.tenantId],
    'count-trucks',
  );
  return rows[0]?.count ?? 0;
}

/** Trucks whose number contains the term without spaces, hyphens and case (ruling 11), best match first; `count` is not cut. */
export async function searchTrucks(
  db: TenantDb,
  term: string,
  atMost: number,
): Promise<{ trucks: Truck[]; count: number }> {
  const { rows } = await db.query<TruckRow & { count: number }>(
    `SELECT ${columns}, (count(*) OVER ())::int AS count FROM ${trucksWithOwner}
     WHERE t.subadmin_id = $1 AND t.deleted_at IS NULL
       AND ${keyOf('$2')} <> '' AND strpos(t.truck_key, ${keyOf('$2')}) > 0
     ORDER BY CASE WHEN t.truck_key = ${keyOf('$2')} THEN 0 WHEN starts_with(t.truck_key, ${keyOf('$2')}) THEN 1
       WHEN ${beginsAWord('t.truck_number', '$2')} THEN 2 ELSE 3 END, t.truck_key, t.id LIMIT $3`,
    [db.tenantId, term, atMost],
    'search-trucks',
  );
  return { trucks: rows.map(toTruck), count: rows[0]?.count ?? 0 };
}

/** The trucks of some owners, by number. */
export async function selectTrucksOf(db: TenantDb, ownerIds: readonly string[]): Promise<Map<string, Truck[]>> {
  const byOwner = new Map<string, Truck[]>(ownerIds.map((id) => [id, []]));
  if (ownerIds.length === 0) return byOwner;
  const { rows } = await db.query<TruckRow>(
    `SELECT ${columns} FROM ${trucksWithOwner}
     WHERE t.subadmin_id = $1 AND t.owner_id = ANY ($2) AND t.deleted_at IS NULL ORDER BY t.truck_key, t.id`,
    [db.tenantId, ownerIds],
    'select-trucks-of-owners',
  );
  for (const row of rows) byOwner.get(row.owner_id)?.push(toTruck(row));
  return byOwner;
}

export async function selectVehicle(db: TenantDb, vehicleNumber: string): Promise<VehicleDetails | null> {
  const { rows } = await db.query<TruckRow & { owner_contact: string }>(
    `SELECT ${columns}, o.contact_number AS owner_contact FROM ${trucksWithOwner}
     WHERE t.subadmin_id = $1 AND t.truck_key = ${keyOf('$2')} AND t.deleted_at IS NULL`,
    [db.tenantId, vehicleNumber],
    'select-vehicle',
  );
  const row = rows[0];
  if (!row) return null;
  return {
    owner: { id: row.owner_id, name: row.owner_name, contactNumber: row.owner_contact },
    vehicle: { truckNumber: row.truck_number, typeOfVehicle: row.type_of_vehicle, noOfWheels: row.no_of_wheels },
  };
}

/** The truck, locked until the transaction ends; only the truck, so that its owner's other trucks stay free. */
export async function lockTruck(db: TenantDb, id: string): Promise<Truck | null> {
  const { rows } = await db.query<TruckRow>(
    `SELECT ${columns} FROM ${trucksWithOwner}
     WHERE t.subadmin_id = $1 AND t.id = $2 AND t.deleted_at IS NULL FOR UPDATE OF t`,
    [db.tenantId, id],
    'lock-truck',
  );
  return rows[0] ? toTruck(rows[0]) : null;
}

export async function insertTruck(db: TenantDb, values: TruckValues, ownerName: string): Promise<Truck> {
  const { rows } = await db.query<Omit<TruckRow, 'owner_name'>>(
    `INSERT INTO trucks (subadmin_id, truck_number, type_of_vehicle, no_of_wheels, owner_id)
     VALUES ($1, $2, $3, $4, $5)
     RETURNING id, truck_number, type_of_vehicle, no_of_wheels, owner_id, created_at, updated_at, version`,
    [db.tenantId, values.truckNumber, values.typeOfVehicle, values.noOfWheels, values.ownerId],
    'insert-truck',
  );
  // An insert without a conflict clause returns its row.
  return toTruck({ ...rows[0]!, owner_name: ownerName });
}

export async function updateTruck(db: TenantDb, id: string, values: TruckValues, ownerName: string): Promise<Truck> {
  const { rows } = await db.query<Omit<TruckRow, 'owner_name'>>(
    `UPDATE trucks SET truck_number = $3, type_of_vehicle = $4, no_of_wheels = $5, owner_id = $6,
       updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2
     RETURNING id, truck_number, type_of_vehicle, no_of_wheels, owner_id, created_at, updated_at, version`,
    [db.tenantId, id, values.truckNumber, values.typeOfVehicle, values.noOfWheels, values.ownerId],
    'update-truck',
  );
  // The caller holds the row's lock.
  return toTruck({ ...rows[0]!, owner_name: ownerName });
}

/** The trucks of a deleted owner go with it (ruling 12), each with its own line of history. */
export async function removeTrucksOf(db: TenantDb, caller: Caller, ownerId: string): Promise<void> {
  await db.query(
    `WITH gone AS (
       UPDATE trucks SET deleted_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
       WHERE subadmin_id = $1 AND owner_id = $2 AND deleted_at IS NULL RETURNING id)
     INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, screen)
     SELECT $1, 'truck', id, 'deleted with its owner', $3, $4 FROM gone ORDER BY id`,
    [db.tenantId, ownerId, caller.accountId, caller.screen],
    'remove-trucks-of-owner',
  );
}
