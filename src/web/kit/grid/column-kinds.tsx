import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDate, formatDateTime, formatShortDate } from '../../../shared/calc/dates.ts';
import { formatAmount, formatINR, formatPercentage } from '../../../shared/calc/money.ts';
import {
  cellValue,
  mapCell,
  type CellMap,
  type Column,
  type ColumnBase,
  type ColumnKind,
  type Status,
} from '../../../shared/columns/define.ts';
import type { GridTree } from './grid-types.ts';

const orEmpty = (value: string | null | undefined, format: (text: string) => string): string =>
  value === null || value === undefined || value === '' ? '' : format(value);

/** The text that the grid shows for each kind of column. For '' the column may define a text for empty cells. */
export const shownText: CellMap<string> = {
  text: (value, column) => truncate(value ?? '', column),
  identifier: (value) => value ?? '',
  reference: (value) => value,
  money: (value) => orEmpty(value, formatINR),
  weight: (value) => orEmpty(value, formatAmount),
  liters: (value) => orEmpty(value, formatAmount),
  percent: (value) => orEmpty(value, (text) => `${formatPercentage(text)} %`),
  count: (value) => (value === null ? '' : formatCount(value)),
  date: (value) => orEmpty(value, formatDate),
  shortDate: (value) => orEmpty(value, formatShortDate),
  datetime: (value) => orEmpty(value, formatDateTime),
  flag: (value, column) => flagWord(value, column),
  status: (value) => value.label,
  tag: (value) => value?.name ?? '',
};

/** What a cell shows: its value, or the column's text for an empty one unless the value is still to come. */
export const cellText = <Row,>(column: Column<Row>, row: Row, tree: GridTree<Row> | undefined): string =>
  mapCell(shownText, column, row) ||
  (tree?.missing?.(row) === undefined && cellValue(column, row) !== undefined ? (column.empty ?? '') : '');

/** The text that Ctrl+C copies: plain numbers, so that a spreadsheet reads them as numbers, and full dates. */
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

/** Truncates long text with an ellipsis; the cell's title has the full text (docs/specification.md §7.2). */
function truncate(text: string, { cutAt }: ColumnBase): string {
  const characters = [...text];
  return cutAt !== undefined && characters.length > cutAt ? `${characters.slice(0, cutAt).join('')}…` : text;
}

/** The alignment of a kind's cells, and how its column grows and shrinks. */
interface KindLayout {
  align: 'left' | 'right' | 'center';
  /** The column takes a share of the remaining width. Other columns grow only a little beyond their own width. */
  grows: boolean;
  /** The minimum width: up to 1 a share of the column's own width, above 1 pixels. */
  least: number;
  /** The first click sorts descending: for numbers and dates users want the largest or newest first. */
  descFirst: boolean;
  className?: string;
}

const words: KindLayout = { align: 'left', grows: true, least: 0.62, descFirst: false };
const figures = (least: number): KindLayout => ({ align: 'right', grows: false, least, descFirst: true });
const days = (least: number): KindLayout => ({ align: 'left', grows: false, least, descFirst: true });

export const kindLayouts: Readonly<Record<ColumnKind, KindLayout>> = {
  text: words,
  identifier: { ...words, least: 0.75, className: 'nums' },
  reference: { ...words, least: 130, className: 'cd-reference nums' },
  tag: { ...words, least: 0.55 },
  status: { ...words, grows: false, least: 78 },
  flag: { align: 'center', grows: false, least: 50, descFirst: true },
  money: figures(110),
  weight: figures(74),
  liters: figures(74),
  percent: figures(58),
  count: figures(54),
  date: days(92),
  shortDate: days(72),
  datetime: days(132),
};

export const statusTones: Readonly<Record<Status['tone'], string>> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-danger-soft text-danger',
  neutral: 'bg-line text-muted',
  none: 'text-muted',
};
