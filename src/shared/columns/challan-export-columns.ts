import type { Column } from './define.ts';

/**
 * One line of the challan and owner files (ruling 44), flat, as the server streams it: every matching challan, without
 * building the wire's nested records.
 */
export interface ChallanExportRow {
  challanNumber: string;
  tpNo: string;
  vehicleNo: string;
  ownerName: string;
  ownerContactNumber: string;
  discounterName: string | null;
  tagName: string | null;
  petrolPumpName: string | null;
  material: string;
  loadingPlace: string;
  unloadingPlace: string;
  loadingDate: string;
  unloadingDate: string;
  loadingWeight: string;
  unloadingWeight: string;
  differenceWeight: string;
  discountWeight: string;
  ratePerMT: string;
  tdsPercentage: string | null;
  tdsAmount: string;
  hsdPricePerLiter: string;
  hsdInLiters: string;
  hsdAmount: string;
  advanceMoney: string;
  officeCharges: string;
  shortageAmount: string;
  materialShortageAmount: string;
  netAmountPayable: string;
  paymentStatus: boolean;
  hsdVerified: boolean;
  depositedAt: string | null;
  remarks: string;
  createdAt: string;
}

const yesNo = ['Yes', 'No'] as const;

/** Ruling 44, in its order. Every key is the row's field, so that a query may select by key. */
export const challanExportColumns: readonly Column<ChallanExportRow>[] = [
  { key: 'challanNumber', label: 'No', kind: 'reference', width: 160 },
  { key: 'tpNo', label: 'TP', kind: 'identifier', width: 150 },
  { key: 'vehicleNo', label: 'Vehicle', kind: 'text', width: 130 },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 200 },
  { key: 'ownerContactNumber', label: 'Contact', kind: 'identifier', width: 120 },
  { key: 'discounterName', label: 'Discounter', kind: 'text', width: 160 },
  { key: 'tagName', label: 'Tag', kind: 'text', width: 140 },
  { key: 'petrolPumpName', label: 'Pump', kind: 'text', width: 160 },
  { key: 'material', label: 'Material', kind: 'text', width: 140 },
  { key: 'loadingPlace', label: 'From', kind: 'text', width: 140 },
  { key: 'unloadingPlace', label: 'To', kind: 'text', width: 140 },
  { key: 'loadingDate', label: 'Loading date', kind: 'date', width: 110 },
  { key: 'unloadingDate', label: 'Unloading date', kind: 'date', width: 110 },
  { key: 'loadingWeight', label: 'Loading MT', kind: 'weight', width: 100 },
  { key: 'unloadingWeight', label: 'Unloading MT', kind: 'weight', width: 100 },
  { key: 'differenceWeight', label: 'Difference', kind: 'weight', width: 100 },
  { key: 'discountWeight', label: 'Discount MT', kind: 'weight', width: 100 },
  { key: 'ratePerMT', label: 'Rate', kind: 'money', width: 100 },
  { key: 'tdsPercentage', label: 'TDS %', kind: 'percent', width: 80 },
  { key: 'tdsAmount', label: 'TDS', kind: 'money', width: 100 },
  { key: 'hsdPricePerLiter', label: 'HSD ₹/L', kind: 'money', width: 90 },
  { key: 'hsdInLiters', label: 'HSD L', kind: 'liters', width: 90 },
  { key: 'hsdAmount', label: 'HSD', kind: 'money', width: 110 },
  { key: 'advanceMoney', label: 'Advance', kind: 'money', width: 110 },
  { key: 'officeCharges', label: 'Office', kind: 'money', width: 100 },
  { key: 'shortageAmount', label: 'Shortage', kind: 'money', width: 110 },
  { key: 'materialShortageAmount', label: 'Material shortage', kind: 'money', width: 120 },
  { key: 'netAmountPayable', label: 'Net', kind: 'money', width: 130, total: 'totalAmount' },
  { key: 'paymentStatus', label: 'Paid', kind: 'flag', width: 70, words: yesNo },
  { key: 'hsdVerified', label: 'HSD verified', kind: 'flag', width: 90, words: yesNo },
  { key: 'depositedAt', label: 'Deposited', kind: 'date', width: 110 },
  { key: 'remarks', label: 'Remarks', kind: 'text', width: 200 },
  { key: 'createdAt', label: 'Created', kind: 'datetime', width: 140 },
];
