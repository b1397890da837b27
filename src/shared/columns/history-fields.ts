import {
  challanFields,
  detailOrder,
  sentName,
  type ChallanFieldName,
  type SentName,
  type StoredField,
} from '../contract/challan-fields.ts';
import type { FieldKind } from '../contract/fields.ts';
import type { HistoryRecord, HistoryValueKind } from '../contract/history.ts';

/** How a History tab shows a recorded field: its label, and how its values are formatted. */
export interface HistoryField {
  label: string;
  kind: HistoryValueKind;
  /** The words of a yes or no: [true, false]. */
  words?: readonly [string, string];
  /** The value is the id of one of these, and is shown by its name. */
  names?: 'owners' | 'tags' | 'petrol_pumps';
  /** Only the fact that it changed is shown. */
  isSecret?: true;
}

const text = (label: string): HistoryField => ({ label, kind: 'text' });

const challanKinds: Readonly<Record<FieldKind, HistoryValueKind>> = {
  text: 'text',
  identifier: 'text',
  reference: 'text',
  money: 'money',
  weight: 'weight',
  liters: 'liters',
  percent: 'percent',
  date: 'date',
  instant: 'date',
  count: 'text',
  flag: 'text',
  record: 'text',
};

/** Beside what a save stores, the two that are changed by other means. */
type RecordedField = StoredField | 'paymentStatus' | 'hsdVerified';
const flagWords = { paymentStatus: ['Paid', 'Unpaid'], hsdVerified: ['Verified', 'Not verified'] } as const;
const recordTables = { owner: 'owners', discounter: 'owners', tag: 'tags', petrolPump: 'petrol_pumps' } as const;

const isRecorded = (name: ChallanFieldName): name is RecordedField =>
  name in flagWords || challanFields[name].origin !== 'server';

/** A challan's fields in the order of its details. */
const challanHistory = Object.fromEntries(
  detailOrder.filter(isRecorded).map((name) => {
    const { label, kind } = challanFields[name];
    return [
      sentName(name),
      {
        label,
        kind: challanKinds[kind],
        ...(name in flagWords && { words: flagWords[name as keyof typeof flagWords] }),
        ...(name in recordTables && { names: recordTables[name as keyof typeof recordTables] }),
      },
    ];
  }),
  // Exactly the fields that are recorded.
) as { readonly [N in RecordedField as SentName<N>]: HistoryField };

/**
 * The fields of each record in the order of its screen, which is the order its changes are listed in.
 */
export const historyFields = {
  owner: {
    name: text('Owner Name'),
    contactNumber: text('Contact Number'),
    address: text('Address'),
    accountNo: text('Account Number'),
    ifsc: text('IFSC Code'),
    panNo: text('PAN Number'),
    branchName: text('Branch Name'),
    copiedFrom: text('Copied From'),
    fileName: text('File'),
    recordCount: text('Challans'),
  },
  truck: {
    truckNumber: text('Truck Number'),
    ownerId: { ...text('Owner Name'), names: 'owners' },
    noOfWheels: text('Wheels'),
    typeOfVehicle: text('Vehicle Type'),
  },
  tag: { name: text('Name'), color: text('Color'), description: text('Description') },
  'petrol-pump': { name: text('Name'), contactNumber: text('Contact Number'), address: text('Address') },
  subadmin: {
    email: text('Email'),
    bannerName: text('Banner Name'),
    gstNo: text('GST No'),
    contactNumber: text('Contact Number'),
    officeAddress: text('Office Address'),
    isActive: { ...text('Status'), words: ['Active', 'Inactive'] },
    password: { ...text('Password'), isSecret: true },
  },
  challan: challanHistory,
} satisfies Readonly<Record<HistoryRecord, Readonly<Record<string, HistoryField>>>>;

export const fieldsOf = (record: HistoryRecord): Readonly<Record<string, HistoryField>> => historyFields[record];
