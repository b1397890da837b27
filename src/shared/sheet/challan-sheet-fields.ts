import { challanFields, challanFile, type PaperField } from '../contract/challan-fields.ts';
import type { SheetField } from './headings.ts';

/**
 * The columns of the entry sheet in the order of the paper form, with the headings that other people's tables use for them.
 * A payment cannot be typed here. The material shortage can be typed, because its rate may not be known (the challan file
 * has only the amount); otherwise it is computed.
 */
export type SheetColumn = Exclude<PaperField, 'paymentStatus'> | 'materialRate';

const synonyms = {
  tpNo: [
    'TP Number',
    'Transit Pass No',
    'Transit Pass Number',
    'Transit Pass',
    'TP Serial No',
    'Challan TP',
    'Pass No',
  ],
  loadingDate: [
    'Date',
    'Load Date',
    'Date of Loading',
    'Loaded On',
    'TP Date',
    'Challan Date',
    'Dispatch Date',
    'Trip Date',
  ],
  unloadingDate: ['Unload Date', 'Date of Unloading', 'Unloaded On', 'Delivery Date', 'Receipt Date'],
  vehicleNo: [
    'Vehicle Number',
    'Truck No',
    'Truck Number',
    'Truck',
    'Lorry No',
    'Lorry',
    'Registration No',
    'Reg No',
    'Gadi No',
    'Veh No',
  ],
  material: ['Item', 'Goods', 'Commodity', 'Mineral', 'Product', 'Material Name'],
  ownerName: ['Truck Owner', 'Vehicle Owner', 'Name of Owner', 'Party', 'Party Name', 'Transporter'],
  ownerContactNumber: [
    'Contact No',
    'Contact Number',
    'Owner Contact',
    'Owner Contact No',
    'Mobile',
    'Mobile No',
    'Mobile Number',
    'Phone',
    'Phone No',
    'Phone Number',
    'Mob',
    'Mob No',
  ],
  discounter: ['Discounter Name', 'Discount Party'],
  tag: ['Tag Name', 'Project', 'Work Order', 'Job'],
  petrolPump: ['Pump Name', 'Petrol Pump Name', 'Fuel Station', 'Filling Station', 'Diesel Pump'],
  loadingPlace: ['Loading Point', 'Load Place', 'Source', 'Mines', 'Loaded At', 'From Place', 'Origin'],
  unloadingPlace: ['Unloading Point', 'Unload Place', 'Destination', 'Unloaded At', 'To Place', 'Siding'],
  loadingWeight: [
    'Loading Wt',
    'Load Wt',
    'Load Weight',
    'Loading Qty',
    'Loading Quantity',
    'Loading',
    'Loaded Weight',
    'Dispatch Weight',
    'Challan Weight',
    'Weight',
    'Net Weight',
    'Qty',
  ],
  unloadingWeight: [
    'Unloading Wt',
    'Unload Wt',
    'Unl Wt',
    'Unload Weight',
    'Unloading Qty',
    'Unloading Quantity',
    'Unloading',
    'Unloaded Weight',
    'Received Weight',
    'Receipt Weight',
  ],
  ratePerMT: ['Rate / MT', 'Rate per Ton', 'Rate per Tonne', 'Freight Rate'],
  tdsPercentage: ['TDS Percent', 'TDS Rate', 'TDS in %', 'TDS (%)'],
  hsdPricePerLiter: [
    'HSD Price',
    'HSD Rate',
    'Diesel Rate',
    'Diesel Price',
    'Price per Liter',
    'Rate per Liter',
    'HSD Rate per Liter',
    'HSD Price per Litre',
    'HSD Rs/L',
  ],
  hsdInLiters: [
    'HSD Liters',
    'HSD Litres',
    'HSD Ltr',
    'HSD Qty',
    'HSD in Litres',
    'Diesel Liters',
    'Diesel Litres',
    'Diesel Ltr',
    'Diesel Qty',
    'Liters',
    'Litres',
    'Ltr',
    'Ltrs',
    'Diesel in Ltr',
  ],
  advanceMoney: ['Cash Advance', 'Advance Amount', 'Advance Paid', 'Cash', 'Adv', 'Cash Adv'],
  officeCharges: ['Office Charge', 'Office Expense', 'Office Expenses', 'Office Exp', 'Commission', 'Other Charges'],
  discountWeight: ['Discount Wt', 'Allowed Shortage', 'Shortage Allowance', 'Permitted Shortage'],
  materialRate: ['Material Rate per MT', 'Material Rate', 'Material Price', 'Shortage Rate'],
  materialShortageAmount: ['Material Shortage Amt', 'Shortage Recovery'],
  driverName: ['Driver', 'Name of Driver'],
  drivingLicenseNo: [
    'Driving Licence No',
    'DL No',
    'DL Number',
    'License No',
    'Licence No',
    'Driving License',
    'Driving Licence',
    'DL',
  ],
  vehicleType: ['Type of Vehicle', 'Truck Type'],
  vehicleWheel: ['Wheels', 'Vehicle Wheel', 'No of Wheels', 'Wheel', 'Wheeler'],
  remarks: ['Remark', 'Note', 'Notes', 'Comment', 'Comments', 'Narration'],
  dataEntryBy: ['Entered By', 'Entry By', 'Operator', 'Typed By'],
  depositedAt: ['Deposited Date', 'Deposit Date', 'Date of Deposit', 'Deposited At'],
} as const satisfies Readonly<Record<SheetColumn, readonly string[]>>;

/** The headings of a column: first that of our own files, then the form's label, then what other people call it. */
function namesOf(name: SheetColumn): readonly string[] {
  if (name === 'materialRate') return synonyms[name];
  const { label, kind } = challanFields[name];
  const own = challanFile[name]?.[0];
  return [...(own ? [own] : []), label, ...(kind === 'weight' ? [`${label} (MT)`] : []), ...synonyms[name]];
}

// Safe: Object.keys widens to string, but these are the table's keys.
export const sheetColumns = Object.keys(synonyms) as SheetColumn[];

export const challanSheetFields: readonly SheetField<SheetColumn>[] = sheetColumns.map((name) => ({
  name,
  names: namesOf(name),
}));
