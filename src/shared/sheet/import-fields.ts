import { challanFields } from '../contract/challan-fields.ts';
import type { ImportKind } from '../contract/imports.ts';
import { ownerFields } from '../contract/owners.ts';
import { petrolPumpFields } from '../contract/petrol-pumps.ts';
import { tagFields } from '../contract/tags.ts';
import { truckFields } from '../contract/trucks.ts';
import { challanSheetFields } from './challan-sheet-fields.ts';

/**
 * The columns that a file of each kind may have (docs/specification.md §22), with the headings that other people's tables
 * use for them. The form's label comes first, and the template has these labels.
 */
export interface ImportField {
  name: string;
  label: string;
  /** The possible headings of its column, the best one first. */
  names: readonly string[];
}

/** The nouns of each kind: the plural for menus and the singular for sentences. */
export const importNouns = {
  owners: ['Owners', 'owner'],
  trucks: ['Trucks', 'truck'],
  tags: ['Tags', 'tag'],
  'petrol-pumps': ['Petrol Pumps', 'petrol pump'],
  challans: ['Past Challans', 'past challan'],
  'opening-balances': ['Opening Balances', 'opening balance'],
} as const satisfies Readonly<Record<ImportKind, readonly [string, string]>>;

const field = (name: string, label: string, ...names: string[]): ImportField => ({
  name,
  label,
  names: [label, ...names],
});

const contact = ['Contact', 'Contact No', 'Mobile', 'Mobile No', 'Mobile Number', 'Phone', 'Phone No', 'Phone Number'];
const wheels = field(
  'noOfWheels',
  truckFields.noOfWheels.label,
  'No of Wheels',
  'Number of Wheels',
  'Wheel',
  'Wheeler',
);
const vehicleType = field(
  'typeOfVehicle',
  truckFields.typeOfVehicle.label,
  'Type of Vehicle',
  'Truck Type',
  'Body Type',
  'Type',
);
const truckNumbers = [
  'Truck No',
  'Truck Nos',
  'Vehicle Nos',
  'Trucks',
  'Truck',
  'Vehicle No',
  'Vehicle Number',
  'Vehicles',
  'Lorry No',
  'Reg No',
];
/** The columns that name an existing owner, by name or by PAN. */
const namedOwner = [
  field(
    'ownerName',
    truckFields.ownerId.label,
    'Owner',
    'Truck Owner',
    'Vehicle Owner',
    'Party Name',
    'Party',
    'Name',
    'Ledger',
    'Particulars',
  ),
  field('ownerPan', 'Owner PAN', 'PAN', 'PAN No', 'PAN Number'),
];

export const importFields: Readonly<Record<ImportKind, readonly ImportField[]>> = {
  owners: [
    field('name', ownerFields.name.label, 'Name', 'Owner', 'Truck Owner', 'Vehicle Owner', 'Party Name', 'Party'),
    field('contactNumber', ownerFields.contactNumber.label, ...contact),
    field('address', ownerFields.address.label, 'Owner Address', 'Place'),
    field('accountNo', ownerFields.accountNo.label, 'Account No', 'Account', 'A/C No', 'A/C', 'Bank Account'),
    field('ifsc', ownerFields.ifsc.label, 'IFSC', 'IFS Code', 'Bank IFSC'),
    field('panNo', ownerFields.panNo.label, 'PAN', 'PAN No', 'PAN Card', 'PAN Card No'),
    field('branchName', ownerFields.branchName.label, 'Branch', 'Bank Branch', 'Bank Name', 'Bank'),
    field('language', ownerFields.language.label, 'Language', 'Preferred Language'),
    field('trucks', 'Truck Numbers', 'Truck Number', ...truckNumbers),
    wheels,
    vehicleType,
  ],
  trucks: [
    field('truckNumber', truckFields.truckNumber.label, ...truckNumbers, 'Registration No'),
    ...namedOwner,
    wheels,
    vehicleType,
  ],
  tags: [
    field('name', tagFields.name.label, 'Tag', 'Tag Name', 'Project', 'Work Order'),
    field('color', tagFields.color.label, 'Colour', 'Tag Color'),
    field('description', tagFields.description.label, 'Details', 'Remarks'),
  ],
  'petrol-pumps': [
    field('name', petrolPumpFields.name.label, 'Pump', 'Pump Name', 'Petrol Pump', 'Petrol Pump Name', 'Fuel Station'),
    field('contactNumber', petrolPumpFields.contactNumber.label, ...contact),
    field('address', petrolPumpFields.address.label, 'Place', 'Location', 'Pump Address'),
  ],
  challans: [
    ...challanSheetFields.map(({ name, names }) => ({
      name,
      label: name === 'materialRate' ? 'Material Rate per MT' : challanFields[name].label,
      names,
    })),
    field('paid', 'Paid', 'Payment Status', 'Is Paid', 'Paid or Unpaid'),
    field('paidOn', 'Paid On', 'Paid Date', 'Date Paid', 'Payment Date', 'Date of Payment', 'Paid At'),
    field(
      'paymentReference',
      'Payment Reference',
      'Payment no',
      'UTR',
      'UTR No',
      'Reference No',
      'Ref No',
      'Cheque No',
    ),
    field(
      'netAmountPayable',
      challanFields.netAmountPayable.label,
      'Net',
      'Net Amount',
      'Net Payable',
      'Amount Payable',
    ),
  ],
  'opening-balances': [
    ...namedOwner,
    field('asOf', 'At the End of', 'As Of', 'As On', 'As On Date', 'Balance Date', 'Date', 'Day'),
    field('amount', 'Balance', 'Opening Balance', 'Closing Balance', 'Opening', 'Amount', 'Due', 'Outstanding'),
    field('note', 'Note', 'Remarks', 'Narration', 'Comment'),
  ],
};

export const importFieldOf = (kind: ImportKind, name: string): ImportField | undefined =>
  importFields[kind].find((one) => one.name === name);
