import { formatCount } from '../calc/count-text.ts';
import { ageBuckets, type OwnerAgeing } from '../contract/dashboard.ts';
import type { MonthPack } from '../contract/month-packs.ts';
import type { Column } from './define.ts';
import { monthText } from './hsd-verification-columns.ts';

/** 2048 → '2 kB' */
const sizeText = (size: number): string => `${formatCount(Math.ceil(size / 1024))} kB`;

/** The packs that were made (docs/specification.md §32.4). */
export const monthPackColumns: readonly Column<MonthPack>[] = [
  { key: 'number', label: 'Number', kind: 'reference', width: 146, least: 136, pin: 'left' },
  { key: 'month', label: 'Month', kind: 'text', width: 150, least: 124, value: ({ month }) => monthText(month) },
  {
    key: 'earlierCount',
    label: 'Is',
    kind: 'status',
    width: 190,
    least: 174,
    value: ({ earlierCount }) =>
      earlierCount === 0
        ? { label: 'First of the month', tone: 'neutral' }
        : { label: 'Differs from earlier', tone: 'warn' },
  },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 104 },
  { key: 'netAmount', label: 'Net Amount', kind: 'money', width: 160, least: 134 },
  { key: 'size', label: 'Size', kind: 'text', width: 90, least: 78, value: ({ size }) => sizeText(size) },
  { key: 'sha256', label: 'SHA-256', kind: 'text', width: 160 },
  { key: 'createdBy', label: 'Made By', kind: 'text', width: 180 },
  { key: 'createdAt', label: 'Made At', kind: 'datetime', width: 146 },
];

/** A transfer of the month in a pack: what a payment transferred to an owner, or what of it came back. */
export interface PackTransfer {
  number: string;
  day: string;
  cameBack: boolean;
  ownerName: string;
  accountNo: string;
  ifsc: string;
  amount: string;
  accountName: string | null;
  reference: string;
  utr: string;
}
export const packTransferColumns: readonly Column<PackTransfer>[] = [
  { key: 'number', label: 'Payment No', kind: 'reference', width: 140 },
  { key: 'day', label: 'Day', kind: 'date', width: 110 },
  { key: 'cameBack', label: 'What', kind: 'flag', width: 110, words: ['Came back', 'Paid'] },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 240 },
  { key: 'accountNo', label: 'A/c', kind: 'identifier', width: 160 },
  { key: 'ifsc', label: 'IFSC', kind: 'identifier', width: 120 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 140 },
  { key: 'accountName', label: 'Paid From', kind: 'text', width: 160 },
  { key: 'reference', label: 'Reference', kind: 'identifier', width: 160 },
  { key: 'utr', label: 'UTR', kind: 'identifier', width: 180 },
];

/** What an owner was owed at the end of the month: the closing balance of its statement (docs/specification.md §26.1). */
export interface PackBalance {
  ownerName: string;
  contactNumber: string;
  panNo: string;
  payable: string;
  paid: string;
  balance: string;
}
export const packBalanceColumns: readonly Column<PackBalance>[] = [
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 240 },
  { key: 'contactNumber', label: 'Contact', kind: 'identifier', width: 120 },
  { key: 'panNo', label: 'PAN', kind: 'identifier', width: 120 },
  { key: 'payable', label: 'Payable', kind: 'money', width: 140 },
  { key: 'paid', label: 'Paid', kind: 'money', width: 140 },
  { key: 'balance', label: 'Balance', kind: 'money', width: 140 },
];

/** The buckets whose sums a pack's control totals have. */
export const packAgeingSums: readonly (keyof OwnerAgeing)[] = ['total', ...ageBuckets];

/** The diesel of the month's challans by pump, and what the pump billed for the month (docs/specification.md §11.7). */
export interface PackHsd {
  pumpName: string;
  challanCount: number;
  hsdAmount: string;
  verifiedAmount: string;
  billedAmount: string;
  disputedAmount: string;
}
export const packHsdColumns: readonly Column<PackHsd>[] = [
  { key: 'pumpName', label: 'Petrol Pump', kind: 'text', width: 240 },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 100 },
  { key: 'hsdAmount', label: 'HSD', kind: 'money', width: 140 },
  { key: 'verifiedAmount', label: 'Verified', kind: 'money', width: 140 },
  { key: 'billedAmount', label: 'Billed for the Month', kind: 'money', width: 160 },
  { key: 'disputedAmount', label: 'Disputed', kind: 'money', width: 140 },
];

/** A control total of a pack: how many rows a file has, or the sum of one of its columns. */
export interface PackTotal {
  file: string;
  what: string;
  count: number | null;
  amount: string | null;
}
export const packTotalColumns: readonly Column<PackTotal>[] = [
  { key: 'file', label: 'File', kind: 'text', width: 200 },
  { key: 'what', label: 'What', kind: 'text', width: 200 },
  { key: 'count', label: 'Count', kind: 'count', width: 100 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 160 },
];
