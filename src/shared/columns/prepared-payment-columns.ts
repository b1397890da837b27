import type { PreparedOwner, PreparedPayment, PreparedState } from '../contract/prepared-payments.ts';
import type { Column, Status } from './define.ts';

export const preparedStates: Readonly<Record<PreparedState, Status>> = {
  prepared: { label: 'To release', tone: 'warn' },
  released: { label: 'Released', tone: 'good' },
  'sent-back': { label: 'Sent back', tone: 'bad' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
};

export const preparedWhat = ({ isReversal, payment }: PreparedPayment): string =>
  isReversal ? `Undo of ${payment?.number ?? 'a payment'}` : 'Payment';

const unusualText = ({ unusual }: { unusual: readonly string[] }): string | null =>
  unusual.length === 0 ? null : unusual.join('. ');

/** 'To Release': a row is what one person has prepared. */
export const preparedPaymentColumns: readonly Column<PreparedPayment>[] = [
  { key: 'number', label: 'Number', kind: 'reference', width: 146, least: 136, pin: 'left' },
  { key: 'createdAt', label: 'Prepared At', kind: 'datetime', width: 140 },
  { key: 'preparedBy', label: 'Prepared By', kind: 'text', width: 180 },
  {
    key: 'what',
    label: 'What',
    kind: 'text',
    width: 190,
    value: preparedWhat,
  },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 92 },
  { key: 'ownerCount', label: 'Owners', kind: 'count', width: 86 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 140 },
  {
    key: 'unusual',
    label: 'Unusual',
    kind: 'text',
    width: 260,
    least: 116,
    empty: '—',
    value: unusualText,
  },
  { key: 'state', label: 'State', kind: 'status', width: 120, least: 106, value: ({ state }) => preparedStates[state] },
  { key: 'expiresAt', label: 'Until', kind: 'datetime', width: 140 },
  { key: 'decidedBy', label: 'Decided By', kind: 'text', width: 170, empty: '—' },
  {
    key: 'payment',
    label: 'Payment No',
    kind: 'text',
    width: 140,
    empty: '—',
    value: ({ payment, isReversal }) => (isReversal ? null : (payment?.number ?? null)),
  },
  {
    key: 'leftOut',
    label: 'Left Out',
    kind: 'money',
    width: 130,
    empty: '—',
    value: ({ leftOut }) => leftOut?.amount ?? null,
  },
  { key: 'reason', label: 'Reason', kind: 'text', width: 220, empty: '—' },
];

/** The owners of a prepared payment. */
export const preparedOwnerColumns: readonly Column<PreparedOwner>[] = [
  { key: 'name', label: 'Owner', kind: 'text', width: 240, least: 134 },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 92 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 140 },
  { key: 'unusual', label: 'Unusual', kind: 'text', width: 320, empty: '—', value: unusualText },
  {
    key: 'isLeftOut',
    label: 'State',
    kind: 'text',
    width: 110,
    empty: '—',
    value: ({ isLeftOut }) => (isLeftOut ? 'Left out' : null),
  },
];
