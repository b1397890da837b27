import type { OwnerCard, OwnerWithTrucks } from '../contract/owners.ts';
import type { Truck } from '../contract/trucks.ts';
import type { Column } from './define.ts';

const name: Column<OwnerWithTrucks> = {
  key: 'name',
  label: 'Name',
  kind: 'reference',
  width: 230,
  least: 150,
  sortKey: 'name',
};
const contact: Column<OwnerWithTrucks> = {
  key: 'contactNumber',
  label: 'Contact',
  kind: 'identifier',
  width: 120,
  sortKey: 'contactNumber',
};
const address: Column<OwnerWithTrucks> = {
  key: 'address',
  label: 'Address',
  kind: 'text',
  width: 250,
  least: 120,
  empty: 'Not provided',
};
const trucksCount = {
  key: 'trucksCount',
  kind: 'count',
  sortKey: 'trucksCount',
  total: 'totalTrucks',
} as const;

/** Owner management (docs/specification.md §6.1). */
export const ownerColumns: readonly Column<OwnerWithTrucks>[] = [
  name,
  contact,
  address,
  { key: 'accountNo', label: 'Account Number', kind: 'identifier', width: 162, least: 162 },
  { key: 'ifsc', label: 'IFSC', kind: 'identifier', width: 126, least: 126, empty: 'Not provided' },
  { key: 'panNo', label: 'PAN', kind: 'identifier', width: 120, least: 120 },
  { key: 'branchName', label: 'Branch', kind: 'text', width: 120, least: 84 },
  { ...trucksCount, label: 'Trucks', width: 84 },
];

/** The owners in accounting (docs/specification.md §9.1). */
export const accountingOwnerColumns: readonly Column<OwnerWithTrucks>[] = [
  name,
  contact,
  address,
  { ...trucksCount, label: 'Trucks Count', width: 120 },
];

/** The trucks of one owner (docs/specification.md §6.1). */
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

/**
 * A masked value with a fixed number of dots: one dot per hidden character would push the last four out of a narrow
 * cell.
 */
const lastFour = (masked: string): string => masked.replace(/^•+/, '••••');

/** Why an owner need not be copied; access.ts says it in a sentence. */
const inYourListWords = { copied: 'Copied before', 'same-pan': 'Same PAN' } as const;

/**
 * Copy owners (docs/specification.md §6.4): truck summary, banking details and the owning account; masked by the
 * server.
 */
export const ownerCardColumns: readonly Column<OwnerCard>[] = [
  { key: 'name', label: 'Name', kind: 'reference', width: 190, pin: 'left' },
  {
    key: 'inYourList',
    label: 'Your List',
    kind: 'text',
    width: 120,
    value: ({ inYourList }) => (inYourList === null ? null : inYourListWords[inYourList]),
  },
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
