import { formatShortDate } from '../calc/dates.ts';
import type { OwnerAccount, OwnerPayment, OwnerTrip } from '../contract/accounting.ts';
import { ownerFields } from '../contract/owners.ts';
import { bankState } from './bank-columns.ts';
import { headed, type Column, type Status } from './define.ts';
import { stateOf } from './payment-batch-columns.ts';

/** The owners in accounting (docs/specification.md §9.1). */
export const ownerAccountColumns: readonly Column<OwnerAccount>[] = [
  { key: 'name', ...headed(ownerFields.name), width: 210, least: 170, sortKey: 'name' },
  { key: 'contactNumber', ...headed(ownerFields.contactNumber), width: 150, least: 100, sortKey: 'contactNumber' },
  { key: 'address', ...headed(ownerFields.address), width: 180, least: 80, empty: 'Not provided' },
  {
    key: 'trucksCount',
    label: 'Trucks Count',
    kind: 'count',
    width: 116,
    least: 72,
    sortKey: 'trucksCount',
    total: 'totalTrucks',
  },
  {
    key: 'unpaidAmount',
    label: 'Unpaid',
    kind: 'money',
    width: 150,
    least: 144,
    sortKey: 'unpaidAmount',
    total: 'unpaidAmount',
  },
  { key: 'oldestDue', label: 'Oldest Due', kind: 'date', width: 104, sortKey: 'oldestDue' },
  { key: 'lastPaidOn', label: 'Last Paid', kind: 'date', width: 104, sortKey: 'lastPaidOn' },
  {
    key: 'paidThisMonth',
    label: 'Paid This Month',
    kind: 'money',
    width: 150,
    least: 140,
    sortKey: 'paidThisMonth',
    total: 'paidThisMonth',
  },
  {
    key: 'carriedAmount',
    label: 'To Deduct',
    kind: 'money',
    width: 120,
    least: 106,
    sortKey: 'carriedAmount',
    total: 'carriedAmount',
  },
  {
    key: 'openingBalance',
    label: 'Opening Balance',
    kind: 'money',
    width: 150,
    least: 124,
    sortKey: 'openingBalance',
    total: 'openingBalance',
    isOffered: true,
  },
];

const statusOf = ({ paidCount, challanCount }: OwnerPayment): Status => stateOf(paidCount, challanCount);

/** 'Paid · Executed': how much of the payment is still paid, and what the bank did with it. */
function statusWithBank(payment: OwnerPayment): Status {
  const state = statusOf(payment);
  return payment.bankState === null
    ? state
    : { ...state, label: `${state.label} · ${bankState(payment.bankState).label}` };
}

/** The same with the balance on a day (docs/specification.md §9.1). */
export const ownerAccountColumnsOn = (day: string): readonly Column<OwnerAccount>[] =>
  ownerAccountColumns.toSpliced(4, 0, {
    key: 'balanceAsOn',
    label: `Balance ${formatShortDate(day)}`,
    kind: 'money',
    width: 150,
    least: 144,
    value: ({ balanceAsOn = null }) => balanceAsOn,
    sortKey: 'balanceAsOn',
    total: 'balanceAsOn',
  });

/** What the columns of the owners show in the row of a payment under its owner. */
export const accountPaymentColumns: Readonly<Record<string, Column<OwnerPayment>>> = {
  name: { key: 'number', label: 'Payment No', kind: 'reference', width: 136 },
  contactNumber: { key: 'utr', label: 'UTR', kind: 'identifier', width: 140 },
  address: { key: 'status', label: 'Status', kind: 'status', width: 180, value: statusWithBank },
  trucksCount: { key: 'challanCount', label: 'Challans', kind: 'count', width: 104 },
  lastPaidOn: { key: 'paidOn', label: 'Paid On', kind: 'date', width: 104 },
  paidThisMonth: { key: 'amount', label: 'Amount', kind: 'money', width: 140 },
};

/** The payments of one owner. */
export const ownerPaymentColumns: readonly Column<OwnerPayment>[] = [
  { key: 'number', label: 'Payment No', kind: 'reference', width: 180, least: 170 },
  { key: 'paidOn', label: 'Paid On', kind: 'date', width: 100, least: 88 },
  { key: 'utr', label: 'UTR', kind: 'identifier', width: 170, least: 124 },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 122, least: 110, total: 'challanCount' },
  {
    key: 'bankState',
    label: 'At the Bank',
    kind: 'status',
    width: 150,
    least: 104,
    value: (row) => bankState(row.bankState),
  },
  { key: 'amount', label: 'Amount', kind: 'money', width: 130, total: 'amount' },
  { key: 'status', label: 'Status', kind: 'status', width: 100, least: 94, value: statusOf },
  { key: 'paidAmount', label: 'Amount Still Paid', kind: 'money', width: 140, total: 'paidAmount', isOffered: true },
];

/** What the columns of the payments show in the row of a trip under its payment. */
export const ownerTripColumns: Readonly<Record<string, Column<OwnerTrip>>> = {
  number: { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 160 },
  paidOn: { key: 'loadingDate', label: 'Loaded', kind: 'date', width: 110 },
  utr: { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 170 },
  challanCount: { key: 'vehicleNo', label: 'Vehicle No', kind: 'identifier', width: 110 },
  bankState: { key: 'route', label: 'Route', kind: 'text', width: 150 },
  amount: { key: 'amount', label: 'Amount', kind: 'money', width: 130 },
  status: {
    key: 'reversedAt',
    label: 'Status',
    kind: 'status',
    width: 120,
    value: ({ reversedAt }) => stateOf(reversedAt === null ? 1 : 0, 1),
  },
};
