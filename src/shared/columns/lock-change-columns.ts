import type { LockChange } from '../contract/period-lock-acts.ts';
import type { Column } from './define.ts';
import { shownChange } from './shown-change.ts';

const changesText = ({ changes }: LockChange): string =>
  changes
    .map((change) => {
      const { before, after } = shownChange(change);
      return `${change.label}: ${before} → ${after}`;
    })
    .join(', ');

/** What was changed in locked days while the lock was lifted. */
export const lockChangeColumns: readonly Column<LockChange>[] = [
  {
    key: 'name',
    label: 'Record',
    kind: 'reference',
    width: 150,
    least: 144,
    value: ({ name }) => name || 'Opening balance',
  },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 150 },
  { key: 'day', label: 'Day', kind: 'date', width: 100 },
  { key: 'action', label: 'Act', kind: 'text', width: 120 },
  { key: 'changes', label: 'Changes', kind: 'text', width: 320, least: 214, value: changesText },
  { key: 'at', label: 'Changed At', kind: 'datetime', width: 140 },
  { key: 'actor', label: 'Changed By', kind: 'text', width: 130 },
  { key: 'reason', label: 'Lifted Because', kind: 'text', width: 160, least: 134 },
];
