/**
 * Grid columns as data. One map turns kinds into grid behaviour (web/grid), another into CSV text (server/files): both are
 * CellMaps, so a new kind does not compile until both know it.
 */

/** What a cell of each kind holds. Decimals are the API's strings; days and instants are ISO 8601. */
export interface CellValues {
  text: string | null;
  /** Text that looks like a number and must keep its zeros: TP, account, contact, IFSC. */
  identifier: string | null;
  /** The record's own number, which opens it. */
  reference: string;
  money: string | null;
  weight: string | null;
  liters: string | null;
  percent: string | null;
  count: number | null;
  /** A day or instant, shown DD/MM/YYYY. */
  date: string | null;
  /** The same, shown DD/MM/YY (the challan list). */
  shortDate: string | null;
  /** An instant, shown DD/MM/YYYY HH:mm. */
  datetime: string | null;
  /** A yes or no with its two words; in a grid it may be a checkbox. */
  flag: boolean;
  /** A word with a tone; the word is the value; colour is never the only sign. */
  status: Status;
  tag: { name: string; color: string } | null;
}
export type ColumnKind = keyof CellValues;

export interface Status {
  label: string;
  tone: 'good' | 'warn' | 'bad' | 'neutral';
}

interface ColumnBase {
  /** The heading, in the grid and in the file. */
  label: string;
  /** Pixels at comfortable density. */
  width: number;
  /** Pixels that its values need, where they need more than the minimum of its kind. It never gets narrower. */
  least?: number;
  pin?: 'left' | 'right';
  /** The sortBy value of the list's contract; without it the column cannot be sorted. */
  sortKey?: string;
  /** Key of the list's summary whose sum is shown in the totals row. */
  total?: string;
  /** Shown where the value is empty ('Not provided', 'Pending'). */
  empty?: string;
  /** The words of a flag: [true, false]. */
  words?: readonly [string, string];
  /** Text is cut after this many characters, the whole of it in the title (docs/specification.md §7.2). */
  cutAt?: number;
  /** Only offered: hidden until the user shows it. */
  isOffered?: true;
  /** false: on screen only. */
  export?: false;
}

/** Fields of a row that hold what a kind needs: only those may be named without a `value`. */
type FieldOf<Row, Value> = {
  [Field in keyof Row & string]: Row[Field] extends Value ? Field : never;
}[keyof Row & string];

type ColumnOf<Row, Kind extends ColumnKind> = ColumnBase & { kind: Kind } & (
    { key: FieldOf<Row, CellValues[Kind]>; value?: undefined } | { key: string; value: (row: Row) => CellValues[Kind] }
  );

/** A column of a row type: its key is a field of the row, or `value` says where the cell comes from. */
export type Column<Row> = { [Kind in ColumnKind]: ColumnOf<Row, Kind> }[ColumnKind];

/** One function for each kind; a missing kind does not compile. */
export type CellMap<Result> = {
  readonly [Kind in ColumnKind]: (value: CellValues[Kind], column: ColumnBase) => Result;
};

/** The value of the cell before formatting, for copying, comparing and tests. */
export function cellValue<Row>(column: Column<Row>, row: Row): CellValues[ColumnKind] {
  if (column.value) return column.value(row);
  // Without a `value` the key is a field of the row that holds the kind's value: ColumnOf lets no other key pass.
  return row[column.key as keyof Row] as CellValues[ColumnKind];
}

/** The cell of this column and row through a map of kinds. */
export function mapCell<Row, Result>(cells: CellMap<Result>, column: Column<Row>, row: Row): Result {
  // Kind, map entry and value belong together by ColumnOf; the compiler cannot follow that through the union.
  const cell = cells[column.kind] as (value: CellValues[ColumnKind], column: ColumnBase) => Result;
  return cell(cellValue(column, row), column);
}

/** A line of a file, a record or sums: column key → value. */
export type TableLine<Row> = { row: Row } | { sums: Readonly<Record<string, string>> };

export type { ColumnBase };

/** Columns of numbers: aligned right, never quoted in a file. */
export const numericKinds: ReadonlySet<ColumnKind> = new Set(['money', 'weight', 'liters', 'percent', 'count']);

export const paidStatus = (isPaid: boolean): Status =>
  isPaid ? { label: 'Paid', tone: 'good' } : { label: 'Pending', tone: 'warn' };

export const activeStatus = (isActive: boolean): Status =>
  isActive ? { label: 'Active', tone: 'good' } : { label: 'Inactive', tone: 'neutral' };

/** The heading and kind of a column that shows a field of a record. */
export const headed = <Kind extends ColumnKind>(field: {
  label: string;
  kind: Kind;
  heading?: string;
}): { label: string; kind: Kind } => ({ label: field.heading ?? field.label, kind: field.kind });
