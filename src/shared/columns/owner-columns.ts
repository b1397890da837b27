import type { OwnerCard, OwnerListItem } from '../contract/owners.ts';
import type { Truck } from '../contract/trucks.ts';
import type { Column } from './define.ts';

/** Owner management (part 1 §2). */
export const ownerColumns: readonly Column<OwnerListItem>[] = [
  {
    key: 'name',
    label: 'Name',
    kind: 'reference',
    width: 240,
    pin: 'left',
    sortKey: 'name',
    value: (row) => row.owner.name,
  },
  {
    key: 'contactNumber',
    label: 'Contact',
    kind: 'identifier',
    width: 140,
    sortKey: 'contactNumber',
    value: (row) => row.owner.contactNumber,
  },
  {
    key: 'address',
    label: 'Address',
    kind: 'text',
    width: 320,
    empty: 'Not provided',
    value: (row) => row.owner.address,
  },
  { key: 'trucksCount', label: 'Trucks', kind: 'count', width: 90, sortKey: 'trucksCount', total: 'totalTrucks' },
];

/** The trucks of one owner (part 1 §2, mode 'trucks'). */
export const ownerTruckColumns: readonly Column<Truck>[] = [
  { key: 'truckNumber', label: 'Truck Number', kind: 'text', width: 160 },
  { key: 'typeOfVehicle', label: 'Vehicle Type', kind: 'text', width: 140 },
  { key: 'noOfWheels', label: 'Wheels', kind: 'count', width: 90 },
  { key: 'createdAt', label: 'Created', kind: 'date', width: 120 },
];

/** Copy owners (part 1 §2): truck summary, banking details and the owning account; masked by the server (ruling 8). */
export const ownerCardColumns: readonly Column<OwnerCard>[] = [
  { key: 'name', label: 'Name', kind: 'reference', width: 220, pin: 'left' },
  { key: 'contactNumber', label: 'Contact', kind: 'identifier', width: 130 },
  { key: 'trucksCount', label: 'Trucks', kind: 'count', width: 90 },
  { key: 'accountNo', label: 'Account No', kind: 'identifier', width: 170 },
  { key: 'ifsc', label: 'IFSC', kind: 'identifier', width: 120, empty: 'Not provided' },
  { key: 'branchName', label: 'Branch', kind: 'text', width: 160 },
  { key: 'panNo', label: 'PAN', kind: 'identifier', width: 120 },
  {
    key: 'bannerName',
    label: 'Sub-admin',
    kind: 'text',
    width: 180,
    value: (row) => row.currentSubAdmin.bannerName,
  },
];
