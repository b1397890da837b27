import { headingKey, headingKeys, type HeadingKind } from '../calc/column-headings.ts';
import { challanFields } from '../contract/challan-fields.ts';
import { declarationFields } from '../contract/declarations.ts';
import type { ImportKind } from '../contract/imports.ts';
import { ownerFields } from '../contract/owners.ts';
import { petrolPumpFields } from '../contract/petrol-pumps.ts';
import { tagFields } from '../contract/tags.ts';
import { truckFields } from '../contract/trucks.ts';
import { cleanText } from '../reading/text.ts';
import { readValue, type Reading, type ValueKind } from '../reading/values.ts';
import { challanSheetFields, labelOf, valueKindOf } from './challan-sheet-fields.ts';
import type { SheetField } from './headings.ts';

/**
 * The columns that a file of each kind may have (docs/specification.md §22), with the kinds of columns that other
 * people's tables have for them. The form's label comes first, and the template has these labels.
 */
export interface ImportField extends SheetField<string> {
  label: string;
  /** How its cells are read; null: they hold words of their own (Yes, No). */
  kind: ValueKind | null;
}

/** The nouns of each kind: the plural for menus and the singular for sentences. */
export const importNouns = {
  owners: ['Owners', 'owner'],
  trucks: ['Trucks', 'truck'],
  tags: ['Tags', 'tag'],
  'petrol-pumps': ['Petrol Pumps', 'petrol pump'],
  challans: ['Past Challans', 'past challan'],
  'opening-balances': ['Opening Balances', 'opening balance'],
  declarations: ['Declarations', 'declaration'],
} as const satisfies Readonly<Record<ImportKind, readonly [string, string]>>;

/** Fields that are not read as plain text. */
const kindOf: Readonly<Record<string, ValueKind | null>> = {
  contactNumber: 'phone',
  accountNo: 'account',
  ifsc: 'ifsc',
  panNo: 'pan',
  ownerPan: 'pan',
  trucks: 'vehicles',
  truckNumber: 'vehicle',
  paid: null,
  paidOn: 'day',
  paymentReference: 'reference',
  netAmountPayable: 'balance',
  receivedOn: 'day',
  validUntil: 'day',
  withdrawnOn: 'day',
  asOf: 'day',
  amount: 'balance',
  debit: 'money',
  credit: 'money',
};

const field = (name: string, label: string, ...kinds: HeadingKind[]): ImportField => ({
  name,
  label,
  kind: kindOf[name] === undefined ? 'text' : kindOf[name],
  keys: [headingKey(label), ...headingKeys(...kinds)],
});

const wheels = field('noOfWheels', truckFields.noOfWheels.label, 'vehicleWheel');
const vehicleType = field('typeOfVehicle', truckFields.typeOfVehicle.label, 'vehicleType', 'type');
/** The columns that name an existing owner, by name or by PAN. */
const namedOwner = [
  field('ownerName', truckFields.ownerId.label, 'ownerName', 'name', 'ledger', 'particulars'),
  field('ownerPan', 'Owner PAN', 'pan'),
];

export const importFields: Readonly<Record<ImportKind, readonly ImportField[]>> = {
  owners: [
    field('name', ownerFields.name.label, 'name', 'ownerName'),
    field('contactNumber', ownerFields.contactNumber.label, 'contactNumber'),
    field('address', ownerFields.address.label, 'address', 'place'),
    field('accountNo', ownerFields.accountNo.label, 'accountNo'),
    field('ifsc', ownerFields.ifsc.label, 'ifsc'),
    field('panNo', ownerFields.panNo.label, 'pan'),
    field('branchName', ownerFields.branchName.label, 'branch'),
    field('language', ownerFields.language.label, 'language'),
    field('trucks', 'Truck Numbers', 'vehicles', 'vehicleNo'),
    wheels,
    vehicleType,
  ],
  trucks: [
    field('truckNumber', truckFields.truckNumber.label, 'vehicleNo', 'vehicles'),
    ...namedOwner,
    wheels,
    vehicleType,
  ],
  tags: [
    field('name', tagFields.name.label, 'name', 'tag'),
    field('color', tagFields.color.label, 'color'),
    field('description', tagFields.description.label, 'description', 'remarks'),
  ],
  'petrol-pumps': [
    field('name', petrolPumpFields.name.label, 'name', 'petrolPump'),
    field('contactNumber', petrolPumpFields.contactNumber.label, 'contactNumber'),
    field('address', petrolPumpFields.address.label, 'address', 'place'),
  ],
  challans: [
    ...challanSheetFields.map((one) => ({
      ...one,
      label: labelOf(one.name),
      kind: valueKindOf(one.name),
    })),
    field('paid', 'Paid', 'isPaid', 'paymentStatus'),
    field('paidOn', 'Paid On', 'paidOn'),
    field('paymentReference', 'Payment Reference', 'paymentNo', 'utr', 'reference', 'chequeOrReference', 'cheque'),
    field('netAmountPayable', challanFields.netAmountPayable.label, 'netAmountPayable'),
  ],
  'opening-balances': [
    ...namedOwner,
    field('asOf', 'At the End of', 'asOf', 'date'),
    field('amount', 'Balance', 'openingBalance', 'balance', 'amount', 'outstanding'),
    // Of a group summary, which has a balance in one of two columns.
    field('debit', 'Debit', 'withdrawal'),
    field('credit', 'Credit', 'deposit'),
    field('note', 'Note', 'remarks', 'narration'),
  ],
  declarations: [
    ...namedOwner,
    field('receivedOn', declarationFields.receivedOn.label, 'date'),
    field('carriages', declarationFields.carriages.label),
    field('panNo', 'Declared PAN'),
    field('validUntil', declarationFields.validUntil.label),
    field('withdrawnOn', declarationFields.withdrawnOn.label),
    field('note', declarationFields.note.label, 'remarks', 'narration'),
  ],
};

/** The fields that every row needs. Of those that stand together one is enough. */
export const requiredFields: Readonly<Record<ImportKind, readonly (readonly string[])[]>> = {
  owners: [['name'], ['contactNumber'], ['accountNo'], ['panNo'], ['branchName']],
  trucks: [['truckNumber'], ['ownerName', 'ownerPan'], ['noOfWheels']],
  tags: [['name']],
  'petrol-pumps': [['name'], ['contactNumber']],
  // The owner comes from the truck where the file has no column for it, and empty deductions mean that there were none.
  challans: [
    ['tpNo'],
    ['loadingDate'],
    ['unloadingDate'],
    ['vehicleNo'],
    ['material'],
    ['tag'],
    ['loadingPlace'],
    ['unloadingPlace'],
    ['loadingWeight'],
    ['unloadingWeight'],
    ['ratePerMT'],
    ['tdsPercentage'],
    ['depositedAt'],
  ],
  'opening-balances': [['ownerName', 'ownerPan'], ['asOf'], ['amount', 'debit', 'credit']],
  declarations: [['ownerName', 'ownerPan'], ['receivedOn'], ['carriages']],
};

export const importFieldOf = (kind: ImportKind, name: string): ImportField | undefined =>
  importFields[kind].find((one) => one.name === name);

type FieldText = { field: string; message: string };

/** A row of a file: the values of its cells by field, what cannot be read, and what is taken but should be looked at. */
export interface ReadRow {
  texts: Readonly<Record<string, string>>;
  errors: readonly FieldText[];
  doubts: readonly FieldText[];
}

export function readImportRow(fields: readonly ImportField[], cells: readonly string[], today: string): ReadRow {
  const texts: Record<string, string> = {};
  const errors: FieldText[] = [];
  const doubts: FieldText[] = [];
  for (const [index, { name, label, kind }] of fields.entries()) {
    const text = cells[index] ?? '';
    const read: Reading = kind === null ? { value: cleanText(text) } : readValue(kind, text, { today, label });
    texts[name] = 'value' in read ? read.value : '';
    if ('problem' in read) errors.push({ field: name, message: read.problem });
    else if (read.doubt !== undefined) doubts.push({ field: name, message: read.doubt });
  }
  return { texts, errors, doubts };
}
