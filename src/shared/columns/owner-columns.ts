import type { OwnerCard, OwnerListItem } from '../contract/owners.ts';
import type { Truck } from '../contract/trucks.ts';
import type { Column } from './define.ts';

/** Owner management (part 1 §2). */
export const ownerColumns: readonly Column<OwnerListItem>[] = [
  {
    key: 'name',
    label: 'Name',
    kind: 'reference',
    width: 260,
    least: 160,
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

/** How many trucks, and the first of them by number: '3: OD09AB1234, OD09AB1235, …'. */
function truckSummary({ trucks, trucksCount }: OwnerCard): string {
  if (trucksCount === 0) return '';
  const named = trucks.slice(0, 2).map(({ truckNumber }) => truckNumber);
  return `${trucksCount}: ${[...named, ...(trucksCount > named.length ? ['…'] : [])].join(', ')}`;
}

/** A masked value without the length of what is hidden, which would push its last four out of a narrow cell. */
const lastFour = (masked: string): string => masked.replace(/^•+/, '••••');

/** Copy owners (part 1 §2): truck summary, banking details and the owning account; masked by the server (ruling 8). */
export const ownerCardColumns: readonly Column<OwnerCard>[] = [
  { key: 'name', label: 'Name', kind: 'reference', width: 190, pin: 'left' },
  {
    key: 'contactNumber',
    label: 'Contact',
    kind: 'identifier',
    width: 110,
    value: (row) => lastFour(row.contactNumber),
  },
  { key: 'trucks', label: 'Trucks', kind: 'text', width: 240, empty: 'No trucks', value: truckSummary },
  { key: 'accountNo', label: 'Account No', kind: 'identifier', width: 120, value: (row) => lastFour(row.accountNo) },
  { key: 'ifsc', label: 'IFSC', kind: 'identifier', width: 150, empty: 'Not provided' },
  { key: 'branchName', label: 'Branch', kind: 'text', width: 140 },
  { key: 'panNo', label: 'PAN', kind: 'identifier', width: 128, value: (row) => lastFour(row.panNo) },
  {
    key: 'bannerName',
    label: 'Subadmin',
    kind: 'text',
    width: 200,
    value: (row) => row.currentSubAdmin.bannerName,
  },
];
