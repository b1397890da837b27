import { declarationMark } from './declaration-status.ts';
import { ownerFields, type CopiedOwner, type OwnerCard, type OwnerWithTrucks } from '../contract/owners.ts';
import { petrolPumpFields, type PetrolPump } from '../contract/petrol-pumps.ts';
import { subadminFields, type Subadmin } from '../contract/subadmins.ts';
import { tagFields, type Tag } from '../contract/tags.ts';
import { truckFields, type Truck } from '../contract/trucks.ts';
import { activeStatus, headed, noStatus, type Column } from './define.ts';

/** The grids of master data. Headings and kinds come from the tables of fields. */

/** Owner management (docs/specification.md §6.1). */
export const ownerColumns: readonly Column<OwnerWithTrucks>[] = [
  { key: 'name', ...headed(ownerFields.name), width: 230, least: 134, sortKey: 'name' },
  { key: 'contactNumber', ...headed(ownerFields.contactNumber), width: 120, least: 100, sortKey: 'contactNumber' },
  { key: 'address', ...headed(ownerFields.address), width: 250, least: 71, empty: 'Not provided' },
  { key: 'accountNo', ...headed(ownerFields.accountNo), width: 168, least: 162 },
  { key: 'ifsc', ...headed(ownerFields.ifsc), width: 126, least: 118, empty: 'Not provided' },
  { key: 'panNo', ...headed(ownerFields.panNo), width: 120, least: 112 },
  { key: 'branchName', ...headed(ownerFields.branchName), width: 120, least: 64 },
  { key: 'trucksCount', label: 'Trucks', kind: 'count', width: 76, sortKey: 'trucksCount', total: 'totalTrucks' },
  {
    key: 'declaration',
    label: 'Declaration',
    kind: 'status',
    width: 160,
    least: 152,
    value: ({ declaration }) => (declaration ? declarationMark(declaration) : noStatus),
  },
  { key: 'language', ...headed(ownerFields.language), width: 110, isOffered: true },
];

/** The trucks of one owner (docs/specification.md §6.1). */
export const ownerTruckColumns: readonly Column<Truck>[] = [
  { key: 'truckNumber', ...headed(truckFields.truckNumber), kind: 'text', width: 160 },
  { key: 'typeOfVehicle', ...headed(truckFields.typeOfVehicle), width: 140 },
  { key: 'noOfWheels', ...headed(truckFields.noOfWheels), width: 90 },
  { key: 'createdAt', label: 'Created', kind: 'date', width: 120 },
];

/** The count of an owner's trucks and the first of them: '3: OD09AB1234, OD09AB1235, …'. */
function truckSummary({ trucks, trucksCount }: OwnerCard): string {
  if (trucksCount === 0) return '';
  const named = trucks.slice(0, 2).map(({ truckNumber }) => truckNumber);
  return `${trucksCount}: ${[...named, ...(trucksCount > named.length ? ['…'] : [])].join(', ')}`;
}

/**
 * A masked value with a fixed number of dots. One dot for each hidden character would push the last four characters out of
 * a narrow cell.
 */
const lastFour = (masked: string): string => masked.replace(/^•+/, '••••');

/** Why an owner need not be copied, in short; access.ts has the sentence. */
const inYourListWords = { copied: 'Copied before', 'same-pan': 'Same PAN' } as const;

/** 'Copy Owners' (docs/specification.md §6.4). The server has masked the values. */
export const ownerCardColumns: readonly Column<OwnerCard>[] = [
  { key: 'name', ...headed(ownerFields.name), width: 190, pin: 'left' },
  {
    key: 'inYourList',
    label: 'Your List',
    kind: 'text',
    width: 120,
    value: ({ inYourList }) => (inYourList === null ? null : inYourListWords[inYourList]),
  },
  {
    key: 'contactNumber',
    ...headed(ownerFields.contactNumber),
    width: 110,
    value: (row) => lastFour(row.contactNumber),
  },
  { key: 'trucks', label: 'Trucks', kind: 'text', width: 240, empty: 'No trucks', value: truckSummary },
  {
    key: 'accountNo',
    ...headed(ownerFields.accountNo),
    width: 130,
    value: (row) => lastFour(row.accountNo),
  },
  { key: 'ifsc', ...headed(ownerFields.ifsc), width: 150, empty: 'Not provided' },
  { key: 'branchName', ...headed(ownerFields.branchName), width: 140 },
  { key: 'panNo', ...headed(ownerFields.panNo), width: 128, value: (row) => lastFour(row.panNo) },
  {
    key: 'bannerName',
    label: 'Subadmin',
    kind: 'text',
    width: 200,
    value: (row) => row.currentSubAdmin.bannerName,
  },
];

/** The owners that one business copied from another (docs/specification.md §6.6). */
export const copiedOwnerColumns: readonly Column<CopiedOwner>[] = [
  { key: 'name', label: 'Owner Name', kind: 'text', width: 240, pin: 'left' },
  { key: 'from', label: 'From', kind: 'text', width: 240 },
  { key: 'to', label: 'To', kind: 'text', width: 240 },
  { key: 'copiedAt', label: 'Copied At', kind: 'datetime', width: 150 },
  { key: 'by', label: 'Copied By', kind: 'text', width: 240 },
];

/** Trucks (docs/specification.md §7.1). */
export const truckColumns: readonly Column<Truck>[] = [
  { key: 'truckNumber', ...headed(truckFields.truckNumber), width: 180, pin: 'left', sortKey: 'truckNumber' },
  {
    key: 'ownerName',
    label: truckFields.ownerId.label,
    kind: 'text',
    width: 240,
    sortKey: 'ownerName',
    empty: 'Unknown',
    value: (row) => row.owner.name,
  },
  { key: 'noOfWheels', ...headed(truckFields.noOfWheels), width: 100, sortKey: 'noOfWheels' },
  { key: 'typeOfVehicle', ...headed(truckFields.typeOfVehicle), width: 180, sortKey: 'typeOfVehicle' },
];

/** Tags (docs/specification.md §7.2). The page adds the action 'Check Usage'. */
export const tagColumns: readonly Column<Tag>[] = [
  {
    key: 'name',
    label: tagFields.name.label,
    kind: 'tag',
    width: 220,
    pin: 'left',
    sortKey: 'name',
    value: (row) => ({ name: row.name, color: row.color }),
  },
  { key: 'description', ...headed(tagFields.description), width: 420, cutAt: 60 },
  { key: 'createdAt', label: 'Created', kind: 'date', width: 130, sortKey: 'createdAt' },
];

/** Petrol pumps (docs/specification.md §7.3). */
export const petrolPumpColumns: readonly Column<PetrolPump>[] = [
  { key: 'name', ...headed(petrolPumpFields.name), width: 260, pin: 'left' },
  { key: 'contactNumber', ...headed(petrolPumpFields.contactNumber), width: 150 },
  { key: 'address', ...headed(petrolPumpFields.address), width: 380 },
  { key: 'createdAt', label: 'Created At', kind: 'datetime', width: 150 },
];

/** Sub-admin management (docs/specification.md §5.1). */
export const subadminColumns: readonly Column<Subadmin>[] = [
  { key: 'email', ...headed(subadminFields.email), width: 204, pin: 'left' },
  { key: 'bannerName', ...headed(subadminFields.bannerName), width: 230, least: 166 },
  { key: 'gstNo', ...headed(subadminFields.gstNo), width: 216 },
  { key: 'contactNumber', ...headed(subadminFields.contactNumber), width: 140, least: 120 },
  { key: 'officeAddress', ...headed(subadminFields.officeAddress), width: 240 },
  {
    key: 'isActive',
    label: subadminFields.isActive.label,
    kind: 'status',
    width: 100,
    value: (row) => activeStatus(row.isActive),
  },
  { key: 'people', label: 'People', kind: 'count', width: 84, isOffered: true },
  { key: 'lastSeenAt', label: 'Last Seen', kind: 'datetime', width: 140, empty: 'Never', isOffered: true },
];
