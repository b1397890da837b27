import type { Truck } from '../contract/trucks.ts';
import type { Column } from './define.ts';

/** Trucks (docs/specification.md §7.1). */
export const truckColumns: readonly Column<Truck>[] = [
  { key: 'truckNumber', label: 'Truck Number', kind: 'reference', width: 180, pin: 'left', sortKey: 'truckNumber' },
  {
    key: 'ownerName',
    label: 'Owner Name',
    kind: 'text',
    width: 240,
    sortKey: 'ownerName',
    empty: 'Unknown',
    value: (row) => row.owner.name,
  },
  { key: 'noOfWheels', label: 'Wheels', kind: 'count', width: 100, sortKey: 'noOfWheels' },
  { key: 'typeOfVehicle', label: 'Vehicle Type', kind: 'text', width: 180, sortKey: 'typeOfVehicle' },
];
