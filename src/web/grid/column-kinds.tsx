import { formatDate, formatDateTime, formatShortDate } from '../../shared/calc/dates.ts';
import { formatAmount, formatINR, formatPercentage } from '../../shared/calc/money.ts';
import type { CellMap, ColumnBase, ColumnKind, Status } from '../../shared/columns/define.ts';

/** What the grid shows for each kind of column; '' is an empty cell (its column may name a word for that). */
const orEmpty = (value: string | null | undefined, format: (text: string) => string): string =>
  value === null || value === undefined || value === '' ? '' : format(value);

export const shownText: CellMap<string> = {
  text: (value, column) => cut(value ?? '', column),
  identifier: (value) => value ?? '',
  reference: (value) => value,
  money: (value) => orEmpty(value, formatINR),
  weight: (value) => orEmpty(value, formatAmount),
  liters: (value) => orEmpty(value, formatAmount),
  percent: (value) => orEmpty(value, (text) => `${formatPercentage(text)} %`),
  count: (value) => (value === null ? '' : value.toLocaleString('en-IN')),
  date: (value) => orEmpty(value, formatDate),
  shortDate: (value) => orEmpty(value, formatShortDate),
  datetime: (value) => orEmpty(value, formatDateTime),
  flag: (value, column) => flagWord(value, column),
  status: (value) => value.label,
  tag: (value) => value?.name ?? '',
};

/** What Ctrl+C copies: figures raw, so that a spreadsheet reads them as figures; dates in full. */
export const copiedText: CellMap<string> = {
  ...shownText,
  text: (value) => value ?? '',
  money: (value) => value ?? '',
  weight: (value) => value ?? '',
  liters: (value) => value ?? '',
  percent: (value) => value ?? '',
  count: (value) => (value === null ? '' : String(value)),
  shortDate: (value) => orEmpty(value, formatDate),
};

function flagWord(value: boolean, column: ColumnBase): string {
  const [yes, no] = column.words ?? ['Yes', 'No'];
  return value ? yes : no;
}

/** docs/specification.md §7.2: cut with an ellipsis only where something was cut; the title has all of it. */
function cut(text: string, { cutAt }: ColumnBase): string {
  const signs = [...text];
  return cutAt !== undefined && signs.length > cutAt ? `${signs.slice(0, cutAt).join('')}…` : text;
}

/** How the cells of a kind are aligned and how the column grows. */
interface KindLook {
  align: 'left' | 'right' | 'center';
  /** Takes a share of the width that is left over; the others stop a little above their own width. */
  grows: boolean;
  /** In a narrow window: pixels below which the column never goes; up to 1, a share of its own width. */
  least: number;
  /** Figures and dates are first wanted largest or newest first. */
  descFirst: boolean;
  className?: string;
}

const words: KindLook = { align: 'left', grows: true, least: 0.62, descFirst: false };
const figures = (least: number): KindLook => ({ align: 'right', grows: false, least, descFirst: true });
const days = (least: number): KindLook => ({ align: 'left', grows: false, least, descFirst: true });

export const kindLooks: Readonly<Record<ColumnKind, KindLook>> = {
  text: words,
  identifier: { ...words, least: 0.75, className: 'nums' },
  reference: { ...words, least: 136, className: 'cd-reference nums' },
  tag: { ...words, least: 0.55 },
  status: { ...words, grows: false, least: 84 },
  flag: { align: 'center', grows: false, least: 56, descFirst: true },
  money: figures(116),
  weight: figures(80),
  liters: figures(80),
  percent: figures(64),
  count: figures(60),
  date: days(98),
  shortDate: days(78),
  datetime: days(138),
};

export const statusTones: Readonly<Record<Status['tone'], string>> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-danger-soft text-danger',
  neutral: 'bg-sunken text-muted',
};
