import type { HistoryValueKind } from '../contract/history.ts';

/** What a History tab says of a recorded field: its name as on the screens, and how its values read. */
export interface HistoryField {
  label: string;
  kind: HistoryValueKind;
  /** The words of a yes or no: [true, false]. */
  words?: readonly [string, string];
  /** The value is the id of one of these, and is shown by its name. */
  names?: 'owners' | 'tags' | 'petrol_pumps';
  /** That it changed is all that is ever said. */
  isSecret?: true;
}

const text = (label: string): HistoryField => ({ label, kind: 'text' });
const money = (label: string): HistoryField => ({ label, kind: 'money' });
const weight = (label: string): HistoryField => ({ label, kind: 'weight' });
const date = (label: string): HistoryField => ({ label, kind: 'date' });

/**
 * The fields of each record in the order of its screen, which is the order its changes are listed in. A challan's fields
 * are all that a write stores (a test compares the two).
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
  challan: {
    tpNo: text('TP No'),
    vehicleNo: text('Vehicle No'),
    loadingDate: date('Loading Date'),
    unloadingDate: date('Unloading Date'),
    material: text('Material'),
    tagId: { ...text('Tag'), names: 'tags' },
    ownerName: text('Owner Name'),
    ownerContactNumber: text('Owner Contact Number'),
    discounterId: { ...text('Discounter'), names: 'owners' },
    petrolPumpId: { ...text('Petrol Pump'), names: 'petrol_pumps' },
    loadingPlace: text('Loading Place'),
    unloadingPlace: text('Unloading Place'),
    loadingWeight: weight('Loading Weight'),
    unloadingWeight: weight('Unloading Weight'),
    differenceWeight: weight('Difference Weight'),
    discountWeight: weight('Discount Weight'),
    ratePerMT: money('Rate per MT'),
    tdsPercentage: { label: 'TDS Percentage', kind: 'percent' },
    tdsAmount: money('TDS Amount'),
    hsdPricePerLiter: money('HSD Price per Liter'),
    hsdInLiters: { label: 'HSD in Liters', kind: 'liters' },
    hsdAmount: money('HSD Amount'),
    advanceMoney: money('Advance Money'),
    officeCharges: money('Office Charges'),
    shortageAmount: money('Shortage Amount'),
    materialShortageAmount: money('Material Shortage Amount'),
    netAmountPayable: money('Net Amount Payable'),
    driverName: text('Driver Name'),
    drivingLicenseNo: text('Driving License No'),
    vehicleType: text('Vehicle Type'),
    vehicleWheel: text('Vehicle Wheels'),
    dataEntryBy: text('Data Entry By'),
    depositedAt: date('Deposited On'),
    remarks: text('Remarks'),
    paymentStatus: { ...text('Payment Status'), words: ['Paid', 'Unpaid'] },
    hsdVerified: { ...text('HSD Verified'), words: ['Verified', 'Not verified'] },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, HistoryField>>>>;

/** Whose history there is. */
export type HistoryRecord = keyof typeof historyFields;

export const fieldsOf = (record: HistoryRecord): Readonly<Record<string, HistoryField>> => historyFields[record];
