import type { Challan } from '../contract/challan.ts';
import type { Column } from './define.ts';

/** The challan list (docs/specification.md §8.1); view, edit and delete are the page's actions. */
export const challanColumns: readonly Column<Challan>[] = [
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 136, pin: 'left', sortKey: 'challanNumber' },
  // Two TP numbers often differ only in their last digits, so they are never cut.
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 172, least: 164, sortKey: 'tpNo' },
  { key: 'vehicleNo', label: 'Vehicle No', kind: 'text', width: 150, least: 107, sortKey: 'vehicleNo' },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 180, least: 94, sortKey: 'ownerName' },
  { key: 'tag', label: 'Tag', kind: 'tag', width: 140, least: 120, sortKey: 'tagName' },
  {
    key: 'depositedAt',
    label: 'Deposited Date',
    kind: 'shortDate',
    width: 100,
    sortKey: 'depositedAt',
    empty: 'Pending',
  },
  {
    key: 'netAmountPayable',
    label: 'Net Amount',
    kind: 'money',
    width: 140,
    sortKey: 'netAmountPayable',
    total: 'totalAmount',
  },
  {
    key: 'paymentStatus',
    label: 'Paid',
    kind: 'flag',
    width: 80,
    sortKey: 'paymentStatus',
    words: ['Paid', 'Unpaid'],
  },
  {
    key: 'hsdVerified',
    label: 'HSD Verified',
    kind: 'flag',
    width: 110,
    sortKey: 'hsdVerified',
    words: ['HSD verified', 'HSD not verified'],
  },
];

/** An owner's challans in accounting (docs/specification.md §9.2). */
export const ownerChallanColumns: readonly Column<Challan>[] = [
  { key: 'challanNumber', label: 'Challan No.', kind: 'reference', width: 136, pin: 'left', sortKey: 'challanNumber' },
  { key: 'tpNo', label: 'TP No.', kind: 'identifier', width: 150, sortKey: 'tpNo' },
  {
    key: 'depositedAt',
    label: 'Deposited Date',
    kind: 'date',
    width: 130,
    sortKey: 'depositedAt',
    empty: 'Not deposited',
  },
  { key: 'vehicleNo', label: 'Vehicle No.', kind: 'text', width: 130, sortKey: 'vehicleNo' },
  {
    key: 'netAmountPayable',
    label: 'Net Amount',
    kind: 'money',
    width: 140,
    sortKey: 'netAmountPayable',
    total: 'totalPayableAmount',
  },
  { key: 'tag', label: 'Tag', kind: 'tag', width: 150, sortKey: 'tagName' },
  {
    key: 'paymentStatus',
    label: 'Payment Status',
    kind: 'status',
    width: 130,
    sortKey: 'paymentStatus',
    value: (row) => (row.paymentStatus ? { label: 'Paid', tone: 'good' } : { label: 'Unpaid', tone: 'warn' }),
  },
];
