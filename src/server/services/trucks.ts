import { holdOwner } from '../queries/owners.ts';
import { truckTable } from '../queries/trucks.ts';
import { invalidReference } from '../refusal.ts';
import { recordWrites } from './records.ts';

export const truckWrites = recordWrites({
  table: truckTable,
  once: {
    field: 'truckNumber',
    index: 'trucks_number',
    code: 'TRUCK_EXISTS',
    message: (truckNumber) => `Truck ${truckNumber} is already in your list`,
  },
  hold: async (db, { ownerId }) => {
    if (ownerId === undefined || (await holdOwner(db, ownerId))) return undefined;
    return invalidReference('ownerId', 'owner');
  },
});
