import type { PaymentBatch, PaymentLine } from '../contract/payment-batches.ts';
import type { Column } from './define.ts';

const kindWords: Record<PaymentBatch['kind'], string> = {
  selected: 'Selected challans',
  filter: 'All matching a filter',
  single: 'One challan',
};

/** The Payments page. */
export const paymentBatchColumns: readonly Column<PaymentBatch>[] = [
  { key: 'number', label: 'Payment No', kind: 'reference', width: 136, pin: 'left' },
  { key: 'createdAt', label: 'Paid At', kind: 'datetime', width: 150 },
  { key: 'createdBy', label: 'Paid By', kind: 'text', width: 130 },
  { key: 'kind', label: 'Chosen By', kind: 'text', width: 140, value: (row) => kindWords[row.kind] },
  { key: 'updatedCount', label: 'Challans', kind: 'count', width: 100 },
  { key: 'ownerCount', label: 'Owners', kind: 'count', width: 90 },
  { key: 'totalAmount', label: 'Total Amount', kind: 'money', width: 150 },
  {
    key: 'reversedAt',
    label: 'Status',
    kind: 'status',
    width: 110,
    value: (row) => (row.reversedAt === null ? { label: 'Paid', tone: 'good' } : { label: 'Undone', tone: 'neutral' }),
  },
  { key: 'reversedReason', label: 'Reason', kind: 'text', width: 190 },
];

/** A payment's challans. */
export const paymentLineColumns: readonly Column<PaymentLine>[] = [
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 136, pin: 'left' },
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 150 },
  { key: 'vehicleNo', label: 'Vehicle No', kind: 'text', width: 130 },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 200 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 140, total: 'totalAmount' },
  {
    key: 'reversedAt',
    label: 'Status',
    kind: 'status',
    width: 110,
    value: (row) => (row.reversedAt === null ? { label: 'Paid', tone: 'good' } : { label: 'Undone', tone: 'neutral' }),
  },
];
