import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Truck } from '../../shared/contract/trucks.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { changesBetween, insertHistory } from '../queries/history.ts';
import { holdOwner } from '../queries/owners.ts';
import { insertTruck, lockTruck, updateTruck as updateTruckRow } from '../queries/trucks.ts';
import { removeRecord } from '../queries/records.ts';
import { isTaken } from '../queries/unique.ts';
import { invalidReference, notFound, Refusal, versionConflict } from '../refusal.ts';

const fields = ['truckNumber', 'typeOfVehicle', 'noOfWheels', 'ownerId'] as const;

export async function createTruck(
  db: TenantDb,
  caller: Caller,
  input: BodyOf<typeof contract.trucks.create>,
): Promise<Truck> {
  const owner = await holdOwner(db, input.ownerId);
  if (!owner) throw invalidReference('ownerId', 'owner');
  const values = { ...input, typeOfVehicle: input.typeOfVehicle ?? '' };
  const truck = await refusingTwins(input.truckNumber, insertTruck(db, values, owner.name));
  await insertHistory(db, caller, { entity: 'truck', entityId: truck.id, action: 'created' });
  return truck;
}

export async function updateTruck(
  db: TenantDb,
  caller: Caller,
  id: string,
  { version, ...input }: BodyOf<typeof contract.trucks.update>,
): Promise<Truck> {
  // The owner before the truck, in the order in which deleting an owner takes its locks.
  const owner = input.ownerId === undefined ? undefined : await holdOwner(db, input.ownerId);
  const before = await lockTruck(db, id);
  if (!before) throw notFound('Truck');
  if (version !== undefined && version !== before.version) throw versionConflict('truck', before);
  if (owner === null) throw invalidReference('ownerId', 'owner');
  const after = { ...before, ...input };
  const changes = changesBetween(before, after, fields);
  if (Object.keys(changes).length === 0) return before;
  const saved = await refusingTwins(after.truckNumber, updateTruckRow(db, id, after, (owner ?? before.owner).name));
  await insertHistory(db, caller, { entity: 'truck', entityId: id, action: 'updated', changes });
  return saved;
}

export async function removeTruck(db: TenantDb, caller: Caller, id: string): Promise<void> {
  if (!(await lockTruck(db, id))) throw notFound('Truck');
  await removeRecord(db, 'trucks', id);
  await insertHistory(db, caller, { entity: 'truck', entityId: id, action: 'deleted' });
}

/** A number is in an account once, compared without spaces, hyphens and case (ruling 11). */
async function refusingTwins(truckNumber: string, saving: Promise<Truck>): Promise<Truck> {
  try {
    return await saving;
  } catch (error) {
    if (!isTaken(error, 'trucks_number')) throw error;
    const message = `Truck ${truckNumber} is already in your list`;
    throw new Refusal('TRUCK_EXISTS', message, { fields: { truckNumber: message } });
  }
}
