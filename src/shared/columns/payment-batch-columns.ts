import { formatCount } from '../calc/count-text.ts';
import { dayOf } from '../calc/dates.ts';
import type { PaymentBatch, PaymentLine, PaymentOwner } from '../contract/payment-batches.ts';
import { paymentKinds, paymentStates } from '../filters/payment-filters.ts';
import { bankState } from './bank-columns.ts';
import type { Column, Status } from './define.ts';

/** What a carry is called on screens and on paper. The payment's file uses the same words (server/features/payments/payment-batches.queries.ts). */
export const carryWords = (carry: { kind: 'carry' | 'deduct'; otherNumber: string | null }): string =>
  carry.kind === 'carry' ? 'Carried into the next payment' : `Deduction: carried from ${carry.otherNumber ?? ''}`;

/** A payment is paid, paid in part because some lines were reversed, or undone. */
function paymentState(batch: Pick<PaymentBatch, 'reversedAt' | 'paidCount' | 'updatedCount'>): Status {
  if (batch.reversedAt !== null) return { label: paymentStates.undone, tone: 'neutral' };
  return stateOf(batch.paidCount, batch.updatedCount);
}

/** The status of a payment that paid `paid` challans, of which `left` are still paid. */
export const stateOf = (left: number, paid: number): Status => {
  if (left === 0) return { label: paymentStates.undone, tone: 'neutral' };
  return left < paid ? { label: paymentStates.partly, tone: 'warn' } : { label: paymentStates.paid, tone: 'good' };
};

/** When the payment was made. Where it was recorded on a later day, only its day is known. */
const paidAt = ({ paidOn, createdAt }: PaymentBatch): string =>
  paidOn === dayOf(createdAt) ? createdAt : `${paidOn}T00:00:00+05:30`;

/** 'Anil Jena · CH-2627-000443' for a single challan, 'Anil Jena' for a single owner, else '12 owners'. */
const paidTo = ({ owner, challan, ownerCount }: PaymentBatch): string => {
  if (!owner) return `${formatCount(ownerCount)} owners`;
  return challan ? `${owner.name} · ${challan.challanNumber}` : owner.name;
};

/** The 'Payments' page. */
export const paymentBatchColumns: readonly Column<PaymentBatch>[] = [
  { key: 'number', label: 'Payment No', kind: 'reference', width: 136, pin: 'left', sortKey: 'number' },
  { key: 'createdAt', label: 'Paid At', kind: 'datetime', width: 140, sortKey: 'paidOn', value: paidAt },
  { key: 'paidTo', label: 'Paid To', kind: 'text', width: 220, value: paidTo },
  // Before the counts, so that it is in sight when the details stand beside the list at 1366 pixels.
  {
    key: 'totalAmount',
    label: 'Total Amount',
    kind: 'money',
    width: 150,
    least: 134,
    sortKey: 'totalAmount',
    total: 'totalAmount',
  },
  { key: 'updatedCount', label: 'Challans', kind: 'count', width: 118, least: 106, sortKey: 'updatedCount' },
  { key: 'ownerCount', label: 'Owners', kind: 'count', width: 90, least: 80, sortKey: 'ownerCount' },
  { key: 'reversedAt', label: 'Status', kind: 'status', width: 128, least: 122, value: paymentState },
  {
    key: 'paidAmount',
    label: 'Amount Still Paid',
    kind: 'money',
    width: 150,
    sortKey: 'paidAmount',
    total: 'paidAmount',
  },
  { key: 'kind', label: 'Chosen By', kind: 'text', width: 160, least: 94, value: (row) => paymentKinds[row.kind] },
  // Only offered: a business signs in with one email, so the value is nearly always the same.
  { key: 'createdBy', label: 'Paid By', kind: 'text', width: 170, isOffered: true },
  { key: 'reversedReason', label: 'Reason', kind: 'text', width: 130 },
];

/** The owners of a payment. Each is a line of what is sent to the bank. */
export const paymentOwnerColumns: readonly Column<PaymentOwner>[] = [
  // Beside the list at 1366 pixels these two are in sight, and the rest by scrolling.
  { key: 'name', label: 'Owner', kind: 'text', width: 220, least: 96 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 140, total: 'totalAmount' },
  // At least 18 digits.
  { key: 'accountNo', label: 'Account Number', kind: 'identifier', width: 176, least: 166 },
  { key: 'ifsc', label: 'IFSC', kind: 'identifier', width: 124, least: 112 },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 92 },
  {
    key: 'paidCount',
    label: 'Status',
    kind: 'status',
    width: 128,
    least: 122,
    value: (row) => stateOf(row.paidCount, row.challanCount),
  },
  {
    key: 'bankState',
    label: 'At the Bank',
    kind: 'status',
    width: 116,
    least: 102,
    value: (row) => bankState(row.bankState),
  },
  { key: 'paidAmount', label: 'Amount Still Paid', kind: 'money', width: 150, total: 'paidAmount' },
  { key: 'utr', label: 'UTR', kind: 'identifier', width: 160, least: 146 },
];

/** What the columns of the owners show in the row of a challan under its owner. */
export const paymentLineColumns: Readonly<Record<string, Column<PaymentLine>>> = {
  name: { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 136 },
  accountNo: { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 150 },
  ifsc: { key: 'vehicleNo', label: 'Vehicle No', kind: 'identifier', width: 124 },
  amount: { key: 'amount', label: 'Amount', kind: 'money', width: 140 },
  paidCount: {
    key: 'reversedAt',
    label: 'Status',
    kind: 'status',
    width: 110,
    value: (row) => stateOf(row.reversedAt === null ? 1 : 0, 1),
  },
  // The bank gets one line for the owner, so a challan has no state there.
  bankState: { key: 'bankState', label: 'At the Bank', kind: 'text', width: 116, value: () => null },
};
