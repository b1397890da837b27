import type { PaymentBatch, PaymentLine } from '../contract/payment-batches.ts';
import type { Column, Status } from './define.ts';

const kindWords: Record<PaymentBatch['kind'], string> = {
  selected: 'Selected challans',
  filter: 'All matching a filter',
  single: 'One challan',
};

/** Fully paid, paid in part because some lines were reversed, or no longer paid. */
function paymentState(batch: Pick<PaymentBatch, 'reversedAt' | 'paidCount' | 'updatedCount'>): Status {
  if (batch.reversedAt !== null) return { label: 'Undone', tone: 'neutral' };
  return batch.paidCount < batch.updatedCount
    ? { label: 'Partly undone', tone: 'warn' }
    : { label: 'Paid', tone: 'good' };
}

/** The Payments page. */
export const paymentBatchColumns: readonly Column<PaymentBatch>[] = [
  { key: 'number', label: 'Payment No', kind: 'reference', width: 136, pin: 'left' },
  { key: 'createdAt', label: 'Paid At', kind: 'datetime', width: 140 },
  { key: 'createdBy', label: 'Paid By', kind: 'text', width: 120 },
  { key: 'kind', label: 'Chosen By', kind: 'text', width: 130, value: (row) => kindWords[row.kind] },
  { key: 'updatedCount', label: 'Challans', kind: 'count', width: 118, least: 112 },
  { key: 'ownerCount', label: 'Owners', kind: 'count', width: 90, least: 86 },
  { key: 'totalAmount', label: 'Total Amount', kind: 'money', width: 140 },
  { key: 'reversedAt', label: 'Status', kind: 'status', width: 128, least: 128, value: paymentState },
  { key: 'paidAmount', label: 'Amount Still Paid', kind: 'money', width: 150 },
  { key: 'reversedReason', label: 'Reason', kind: 'text', width: 150 },
];

/** A payment's challans. */
export const paymentLineColumns: readonly Column<PaymentLine>[] = [
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 136, pin: 'left' },
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 150 },
  { key: 'vehicleNo', label: 'Vehicle No', kind: 'text', width: 130 },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 200 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 140, total: 'paidAmount' },
  {
    key: 'reversedAt',
    label: 'Status',
    kind: 'status',
    width: 110,
    value: (row) => (row.reversedAt === null ? { label: 'Paid', tone: 'good' } : { label: 'Undone', tone: 'neutral' }),
  },
];
