import { vehicleKey } from '../../../shared/calc/keys.ts';
import type { Truck, TruckSortKey, VehicleDetails } from '../../../shared/contract/trucks.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { beginsWord, recordTable, typedVehicleKey } from './records.queries.ts';
import { countRows } from '../../sql/statements.ts';

/** SQL: whether a plate contains the typed term. A term of only spaces and hyphens has no key and finds nothing. */
const holdsKey = (typed: string): string =>
  `(${typedVehicleKey(typed)} <> '' AND strpos(r.truck_key, ${typedVehicleKey(typed)}) > 0)`;

/**
 * SQL: a column of the truck's owner, looked up for each row. A join would lose a locked truck whose owner has just
 * changed.
 */
const ownerOf = (column: string): string =>
  `(SELECT ${column} FROM owners o WHERE o.subadmin_id = r.subadmin_id AND o.id = r.owner_id)`;

export const truckTable = recordTable<Truck, 'truckNumber' | 'typeOfVehicle' | 'noOfWheels' | 'ownerId', TruckSortKey>({
  record: 'truck',
  fields: ['truckNumber', 'typeOfVehicle', 'noOfWheels', 'ownerId'],
  computed: { owner: `jsonb_build_object('id', r.owner_id, 'name', coalesce(${ownerOf('o.name')}, ''))` },
  // Both functions read an index (migration 003), so only matching trucks and owners are read.
  matches: (term) => `r.id = ANY (ARRAY(
    SELECT f.id FROM trucks_with(${term}) AS f
    UNION ALL
    SELECT k.id FROM trucks k WHERE k.subadmin_id = $1 AND k.deleted_at IS NULL
      AND k.owner_id = ANY (ARRAY(SELECT o.id FROM owners_with(${term}, true) AS o))))`,
  // A match of the number ranks before one of the owner's name.
  rank: (term) =>
    `CASE WHEN r.truck_key = ${typedVehicleKey(term)} THEN 0 WHEN starts_with(r.truck_key, ${typedVehicleKey(term)}) THEN 1
       WHEN ${beginsWord('r.truck_number', term)} THEN 2 WHEN ${holdsKey(term)} THEN 3 ELSE 4 END`,
  sorts: {
    truckNumber: 'r.truck_key',
    ownerName: ownerOf('lower(o.name)'),
    noOfWheels: 'r.no_of_wheels',
    typeOfVehicle: 'lower(r.type_of_vehicle)',
    createdAt: 'r.created_at',
  },
  defaultSort: 'truckNumber',
});

export const countTrucks = (db: TenantDb): Promise<number> =>
  countRows(db, 'trucks WHERE subadmin_id = $1 AND deleted_at IS NULL', [db.tenantId], 'count-trucks');

/** Returns the trucks of these owners, by number. */
export async function selectTrucksOf(
  db: TenantDb,
  owners: readonly { id: string; name: string }[],
): Promise<Map<string, Truck[]>> {
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  const byOwner = new Map<string, Truck[]>(owners.map(({ id }) => [id, []]));
  if (owners.length === 0) return byOwner;
  const trucks = await db.records<Omit<Truck, 'owner'>>(
    `SELECT ${truckTable.storedColumns} FROM trucks r
     WHERE r.subadmin_id = $1 AND r.owner_id = ANY ($2) AND r.deleted_at IS NULL ORDER BY r.truck_key, r.id`,
    [db.tenantId, [...names.keys()]],
    'select-trucks-of-owners',
  );
  for (const truck of trucks) {
    const owner = { id: truck.ownerId, name: names.get(truck.ownerId) ?? '' };
    byOwner.get(owner.id)?.push({ ...truck, owner });
  }
  return byOwner;
}

export async function selectTruckIdsOf(db: TenantDb, ownerIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM trucks WHERE subadmin_id = $1 AND owner_id = ANY ($2) AND deleted_at IS NULL',
    [db.tenantId, ownerIds],
    'select-truck-ids-of-owners',
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns the vehicles with these numbers and their owners, by the number as it was typed. Unknown numbers are missing.
 */
export async function selectVehicles(
  db: TenantDb,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, VehicleDetails>> {
  const { rows } = await db.query<VehicleDetails & { key: string }>(
    `SELECT r.truck_key AS key, jsonb_build_object('id', o.id, 'name', o.name, 'contactNumber', o.contact_number) AS owner,
       jsonb_build_object('truckNumber', r.truck_number, 'typeOfVehicle', r.type_of_vehicle,
         'noOfWheels', r.no_of_wheels) AS vehicle
     FROM trucks r JOIN owners o ON o.subadmin_id = r.subadmin_id AND o.id = r.owner_id
     WHERE r.subadmin_id = $1 AND r.deleted_at IS NULL AND r.truck_key = ANY ($2::text[])`,
    [db.tenantId, [...new Set(numbers.map(vehicleKey))]],
    'select-vehicles',
  );
  const vehicles = new Map(rows.map(({ key, ...vehicle }) => [key, vehicle]));
  return new Map(
    numbers.flatMap((typed): [string, VehicleDetails][] => {
      const vehicle = vehicles.get(vehicleKey(typed));
      return vehicle ? [[typed, vehicle]] : [];
    }),
  );
}

/** Deletes the trucks of a deleted owner (docs/specification.md §6.3), each with its own line of history. */
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
