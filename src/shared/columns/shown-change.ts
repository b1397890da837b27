import { dayOf, formatDate, formatDateTime } from '../calc/dates.ts';
import { formatINR, formatPercentage, formatWeight } from '../calc/money.ts';
import type { HistoryChange, HistoryValueKind } from '../contract/history.ts';

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
