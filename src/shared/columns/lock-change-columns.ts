import { dayOf, formatDate, formatDateTime } from '../calc/dates.ts';
import { formatINR, formatPercentage, formatWeight } from '../calc/money.ts';
import type { HistoryChange, HistoryValueKind } from '../contract/history.ts';
import type { LockChange } from '../contract/period-lock.ts';
import type { Column } from './define.ts';

const formats: Readonly<Record<HistoryValueKind, (value: string) => string>> = {
  text: (value) => value,
  money: formatINR,
  weight: (value) => `${formatWeight(value)} MT`,
  liters: (value) => `${formatWeight(value)} L`,
  percent: (value) => `${formatPercentage(value)} %`,
  date: formatDate,
};

/** Both values of a change as text; '—' for empty. */
export function shownChange({ kind, before, after }: HistoryChange): { before: string; after: string } {
  // Two times on the same day: show the times, because the dates alone would look equal.
  const isSameDay = kind === 'date' && before !== null && after !== null && dayOf(before) === dayOf(after);
  const format = isSameDay ? formatDateTime : formats[kind];
  return { before: before === null ? '—' : format(before), after: after === null ? '—' : format(after) };
}

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
    least: 150,
    value: ({ name }) => name || 'Opening balance',
  },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 150 },
  { key: 'day', label: 'Day', kind: 'date', width: 100 },
  { key: 'action', label: 'Act', kind: 'text', width: 120 },
  { key: 'changes', label: 'Changes', kind: 'text', width: 320, least: 220, value: changesText },
  { key: 'at', label: 'Changed At', kind: 'datetime', width: 140 },
  { key: 'actor', label: 'Changed By', kind: 'text', width: 130 },
  { key: 'reason', label: 'Lifted Because', kind: 'text', width: 160, least: 140 },
];
