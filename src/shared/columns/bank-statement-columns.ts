import { formatDate } from '../calc/dates.ts';
import type { StatementChallan } from '../contract/bank-statement.ts';
import { paidStatus } from './define.ts';
import type { Column, Status } from './define.ts';

/** 'Joda → Paradip Port' */
function routeOf(trip: { loadingPlace: string; unloadingPlace: string }): string {
  return `${trip.loadingPlace} → ${trip.unloadingPlace}`;
}

/** 'Iron ore, Joda → Paradip Port' */
const tripOf = (row: StatementChallan): string => `${row.material}, ${routeOf(row)}`;

interface TripDates {
  loadingDate: string | null;
  unloadingDate: string | null;
  depositedAt: string | null;
}

/** 'Loading 01/04/2026, unloading 02/04/2026, deposited 04/04/2026' */
export function datesOf(trip: TripDates): string {
  const day = (value: string | null) => (value ? formatDate(value) : '–');
  return `Loading ${day(trip.loadingDate)}, unloading ${day(trip.unloadingDate)}, deposited ${day(trip.depositedAt)}`;
}

export const statementStatus = ({
  holdReason,
  paymentStatus,
}: Pick<StatementChallan, 'holdReason' | 'paymentStatus'>): Status =>
  holdReason === '' ? paidStatus(paymentStatus) : { label: `On hold: ${holdReason}`, tone: 'bad' };

/** The challans under an owner (docs/specification.md §10.1). The widths fit all columns on a screen of 1366 pixels. */
export const statementChallanColumns: readonly Column<StatementChallan>[] = [
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 156, least: 143 },
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 172, least: 158 },
  { key: 'vehicleNo', label: 'Vehicle No', kind: 'identifier', width: 144, least: 102 },
  // Wide enough for 18 digits and for the owner's IFSC, which are in these columns in the row of the owner.
  { key: 'trip', label: 'Material and Route', kind: 'text', width: 198, least: 161, value: tripOf },
  { key: 'loadingDate', label: 'Loading', kind: 'date', width: 120, least: 106 },
  { key: 'unloadingDate', label: 'Unloading', kind: 'date', width: 98, least: 87 },
  { key: 'depositedAt', label: 'Deposited', kind: 'date', width: 114, least: 106, empty: 'Not deposited' },
  // Wide enough for the owner's sum, which is bold and may be crores.
  { key: 'netAmountPayable', label: 'Amount', kind: 'money', width: 150, least: 140, total: 'totalUnpaidAmount' },
  { key: 'tag', label: 'Tag', kind: 'tag', width: 120, least: 72 },
  { key: 'paymentStatus', label: 'Status', kind: 'status', width: 118, least: 113, value: statementStatus },
];

/** A line of the file of the bank statement or of a payment: a challan with the bank details of its owner. */
export interface BankFileRow {
  ownerName: string;
  contactNumber: string;
  accountNo: string;
  ifsc: string;
  branchName: string;
  panNo: string;
  challanNumber: string;
  tpNo: string;
  vehicleNo: string;
  loadingPlace: string;
  unloadingPlace: string;
  loadingDate: string | null;
  unloadingDate: string | null;
  depositedAt: string | null;
  netAmountPayable: string;
  tagName: string | null;
  paymentStatus: boolean;
}

/** Columns and order of docs/specification.md §13.3. The subtotals of owners and the grand total are under 'Net'. */
export const bankFileColumns: readonly Column<BankFileRow>[] = [
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 200 },
  { key: 'contactNumber', label: 'Contact', kind: 'identifier', width: 120 },
  { key: 'accountNo', label: 'Account', kind: 'identifier', width: 180 },
  { key: 'ifsc', label: 'IFSC', kind: 'identifier', width: 120 },
  { key: 'branchName', label: 'Branch', kind: 'text', width: 140 },
  { key: 'panNo', label: 'PAN', kind: 'identifier', width: 110 },
  { key: 'challanNumber', label: 'Challan', kind: 'reference', width: 160 },
  { key: 'tpNo', label: 'TP', kind: 'identifier', width: 150 },
  { key: 'vehicleNo', label: 'Vehicle', kind: 'text', width: 130 },
  { key: 'route', label: 'Route', kind: 'text', width: 220, value: routeOf },
  { key: 'dates', label: 'Dates', kind: 'text', width: 300, value: datesOf },
  { key: 'netAmountPayable', label: 'Net', kind: 'money', width: 130, total: 'totalUnpaidAmount' },
  { key: 'tagName', label: 'Tag', kind: 'text', width: 140 },
  { key: 'paymentStatus', label: 'Status', kind: 'status', width: 90, value: (row) => paidStatus(row.paymentStatus) },
];

/** The same in a workbook. Each date has a column of its own, so that it can be sorted and filtered. */
export const bankSheetColumns: readonly Column<BankFileRow>[] = bankFileColumns.flatMap((column) =>
  column.key === 'dates'
    ? ([
        { key: 'loadingDate', label: 'Loading date', kind: 'date', width: 98 },
        { key: 'unloadingDate', label: 'Unloading date', kind: 'date', width: 108 },
        { key: 'depositedAt', label: 'Deposited date', kind: 'date', width: 108 },
      ] satisfies Column<BankFileRow>[])
    : [column],
);
