import { randomUUID } from 'node:crypto';
import { addDays, dayOf } from '../../../shared/calc/dates.ts';
import { sum } from '../../../shared/calc/money.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { WrittenRecord } from '../batches/batches.queries.ts';
import { refuseWhenTaken, takeTurns } from '../../sql/conflicts.ts';
import { insertHistoryLines } from '../history/history.queries.ts';
import { selectImportOf } from './imports.queries.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import { petrolPumpTable } from '../master-data/petrol-pumps.queries.ts';
import { tagTable } from '../master-data/tags.queries.ts';
import { truckTable } from '../master-data/trucks.queries.ts';
import { Refusal } from '../../refusal.ts';
import { recordBatch } from '../batches/batches.service.ts';
import { createWithin } from '../challans/challans-create.service.ts';

/**
 * Adds a few records for trying the product (docs/specification.md §23.2). Each has a mark in its name, and all are one
 * batch, whose undo removes them again.
 */

const mark = '(sample)';
const owners = [
  { name: `Bikash Mohanta ${mark}`, contactNumber: '9437000001', accountNo: '00012345001', panNo: 'SAMPL0001A' },
  { name: `Sanjukta Naik ${mark}`, contactNumber: '9437000002', accountNo: '00012345002', panNo: 'SAMPL0002B' },
  { name: `Ravi Roadlines ${mark}`, contactNumber: '9437000003', accountNo: '00012345003', panNo: 'SAMPL0003C' },
];
/** Each truck with the index of its owner. */
const trucks = [
  ['OD 09 SAMPLE 1', 0],
  ['OD 09 SAMPLE 2', 0],
  ['OD 14 SAMPLE 3', 1],
  ['OD 14 SAMPLE 4', 2],
] as const;
const tags = [
  { name: `JODA-PARADIP ${mark}`, color: '#3B82F6', description: 'Joda mines to Paradip port' },
  { name: `BARBIL-SIDING ${mark}`, color: '#10B981', description: 'Barbil to the siding' },
];
const pump = { name: `Maa Tarini Filling Station ${mark}`, contactNumber: '9437000009', address: 'Main road, Joda' };
/** Each trip: index of the truck, index of the tag, tonnes loaded, tonnes unloaded, days ago. */
const trips = [
  [0, 0, '25.40', '25.32', 9],
  [1, 0, '24.10', '24.06', 8],
  [2, 1, '18.75', '18.75', 6],
  [3, 1, '21.00', '20.88', 5],
  [0, 0, '25.90', '25.81', 3],
  [2, 1, '19.20', '19.24', 2],
] as const;

const alreadyAdded = (): Refusal =>
  new Refusal('VALIDATION_ERROR', 'The sample data is there already. Take it out before you load it again.');

export async function addSample(db: TenantDb, caller: Caller) {
  await takeTurns(db, 'import');
  if (await selectImportOf(db, 'sample', mark)) throw alreadyAdded();
  const withIds = <T>(records: readonly T[]): Map<string, T> => new Map(records.map((one) => [randomUUID(), one]));
  const madeOwners = withIds(
    owners.map((owner) => ({ ...owner, address: 'Barbil', ifsc: 'SBIN0001234', branchName: 'Barbil' })),
  );
  const ownerIds = [...madeOwners.keys()];
  // Safe, here and below: each index is one of the lists above.
  const madeTrucks = withIds(
    trucks.map(([truckNumber, at]) => ({
      truckNumber,
      noOfWheels: 12,
      typeOfVehicle: 'Tipper',
      ownerId: ownerIds[at]!,
    })),
  );
  const madeTags = withIds(tags);
  const madePumps = withIds([pump]);
  await ownerTable.insertMany(db, madeOwners);
  await refuseWhenTaken(truckTable.insertMany(db, madeTrucks), ['trucks_number'], alreadyAdded);
  await refuseWhenTaken(tagTable.insertMany(db, madeTags), ['tags_name'], alreadyAdded);
  await petrolPumpTable.insertMany(db, madePumps);
  const [tagIds, pumpIds, today] = [[...madeTags.keys()], [...madePumps.keys()], dayOf(new Date())];
  const challans = await createWithin(
    db,
    trips.map(([truck, tag, loadingWeight, unloadingWeight, daysAgo], index) => {
      const [vehicleNo, at] = trucks[truck]!;
      const day = addDays(today, -daysAgo);
      return {
        ownerId: ownerIds[at]!,
        ownerName: owners[at]!.name,
        ownerContactNumber: owners[at]!.contactNumber,
        tagId: tagIds[tag]!,
        ...(index % 2 === 0 && { petrolPumpId: pumpIds[0]!, hsdPricePerLiter: '92.64', hsdInLiters: '60.00' }),
        tpNo: `SAMPLE-${index + 1}`,
        vehicleNo,
        loadingDate: day,
        unloadingDate: addDays(day, 1),
        depositedAt: addDays(day, 1),
        material: 'Iron ore fines',
        loadingPlace: 'Joda',
        unloadingPlace: tag === 0 ? 'Paradip Port' : 'Barbil Siding',
        loadingWeight,
        unloadingWeight,
        ratePerMT: '950.00',
        tdsPercentage: '1.0',
        advanceMoney: '4000.00',
        officeCharges: '100.00',
        materialShortageAmount: '0.00',
        remarks: 'Sample data',
      };
    }),
  );
  const createdLines = <R extends WrittenRecord['record']>(
    record: R,
    of: Iterable<string>,
  ): (WrittenRecord & { record: R })[] => [...of].map((id) => ({ record, id, versionAfter: 1, before: null }));
  const lines = [
    ...createdLines('owner', ownerIds),
    ...createdLines('truck', madeTrucks.keys()),
    ...createdLines('tag', tagIds),
    ...createdLines('petrol-pump', pumpIds),
    ...createdLines(
      'challan',
      challans.map(({ id }) => id),
    ),
  ];
  const batch = await recordBatch(db, caller, {
    kind: 'import',
    title: 'Sample data',
    amount: sum(challans.map(({ netAmountPayable }) => netAmountPayable)),
    lines,
    facts: { kind: 'sample', file: 'Sample data', sha256: mark },
  });
  await insertHistoryLines(
    db,
    caller,
    lines.map(({ record, id }) => ({ entity: record, entityId: id, action: 'created' })),
    batch.id,
  );
  return { id: batch.id, number: batch.number, title: batch.title };
}
