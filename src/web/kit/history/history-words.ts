import { dayOf, formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR, formatPercentage, formatWeight } from '../../../shared/calc/money.ts';
import type { HistoryChange, HistoryValueKind } from '../../../shared/contract/history.ts';

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

const minute = 60_000;
const units = [
  ['day', 24 * 60 * minute],
  ['hour', 60 * minute],
  ['minute', minute],
] as const;
/** For older entries the date says more than a count of days. */
const longestAgo = 31 * 24 * 60 * minute;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** The relative time: '5 minutes ago', 'yesterday'; '' if the date alone says more. `now` is in milliseconds. */
export function ago(at: string, now: number): string {
  const passed = now - Date.parse(at);
  if (passed >= longestAgo) return '';
  const unit = units.find(([, length]) => passed >= length);
  return unit ? words.format(-Math.floor(passed / unit[1]), unit[0]) : 'just now';
}
