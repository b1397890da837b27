import type { TallyChanged, TallyExport } from '../contract/tally.ts';
import { tallyChangeWords } from '../filters/tally-filters.ts';
import type { Column, Status } from './define.ts';

/** The files that were made for Tally. */
export const tallyExportColumns: readonly Column<TallyExport>[] = [
  { key: 'number', label: 'Number', kind: 'identifier', width: 146, least: 136, pin: 'left' },
  {
    key: 'kind',
    label: 'What',
    kind: 'text',
    width: 110,
    value: ({ kind }) => (kind === 'period' ? 'Period' : 'Changes'),
  },
  { key: 'from', label: 'From', kind: 'date', width: 104 },
  { key: 'to', label: 'To', kind: 'date', width: 104 },
  { key: 'voucherCount', label: 'Vouchers', kind: 'count', width: 96 },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 96 },
  { key: 'transferCount', label: 'Payments', kind: 'count', width: 104, least: 94 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 160 },
  { key: 'createdBy', label: 'Made By', kind: 'text', width: 180 },
  { key: 'createdAt', label: 'Made At', kind: 'datetime', width: 146 },
];

const tones: Readonly<Record<TallyChanged['change'], Status['tone']>> = {
  changed: 'warn',
  deleted: 'bad',
  reversed: 'bad',
  added: 'neutral',
};

/** What is not in Tally as it is now. */
export const tallyChangedColumns: readonly Column<TallyChanged>[] = [
  { key: 'name', label: 'Number', kind: 'reference', width: 150, least: 140, pin: 'left' },
  {
    key: 'change',
    label: 'What',
    kind: 'status',
    width: 120,
    least: 106,
    value: ({ change }) => ({ label: tallyChangeWords[change], tone: tones[change] }),
  },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 220 },
  { key: 'day', label: 'Day', kind: 'date', width: 104 },
  { key: 'amountExported', label: 'In Tally', kind: 'money', width: 150, empty: '–' },
  { key: 'amountNow', label: 'Now', kind: 'money', width: 150, empty: '–' },
  { key: 'exportNumber', label: 'Exported In', kind: 'identifier', width: 146, empty: '–' },
  { key: 'exportedAt', label: 'Exported At', kind: 'datetime', width: 146, empty: '–' },
];
