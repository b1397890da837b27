/**
 * Columns as data, for grids and for files. Each column has a kind. One map turns kinds into the behaviour of the grid
 * (web/kit/grid), another into the text of files (server/files). Both are CellMaps, so a new kind does not compile until both
 * have it.
 */

/** The value of a cell of each kind. Decimals are strings as in the API; days and instants are ISO 8601. */
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
  /** A day or instant, shown DD/MM/YY (the challan list). */
  shortDate: string | null;
  /** An instant, shown DD/MM/YYYY HH:mm. */
  datetime: string | null;
  /** Yes or no, shown by one of two words; a grid may show a checkbox. */
  flag: boolean;
  /** A word with a tone. The word is the value, because colour must never be the only sign. */
  status: Status;
  tag: { name: string; color: string } | null;
}
export type ColumnKind = keyof CellValues;

export interface Status {
  label: string;
  /** 'none': the row has no such state. Its dash has no colour behind it. */
  tone: 'good' | 'warn' | 'bad' | 'neutral' | 'none';
}

interface ColumnBase {
  /** The heading, in the grid and in the file. */
  label: string;
  /** The width in pixels at comfortable density. */
  width: number;
  /** The smallest width in pixels, where the values need more than the minimum of the kind. */
  least?: number;
  pin?: 'left' | 'right';
  /** The `sortBy` value of the list's call. Without it the list cannot be sorted by the column. */
  sortKey?: string;
  /** The key in the list's summary of the sum that the totals row shows. */
  total?: string;
  /** Shown where the value is empty ('Not provided', 'Pending'). */
  empty?: string;
  /** The words for the values of a flag: [true, false]. */
  words?: readonly [string, string];
  /** Text is cut after this many characters; the tooltip has all of it (docs/specification.md §7.2). */
  cutAt?: number;
  /** The column is hidden until the user adds it. */
  isOffered?: true;
  /** false: the column is shown on screen only. */
  export?: false;
}

/** The fields of a row with the type that a kind needs. Only these can be a column's key without a `value`. */
type FieldOf<Row, Value> = {
  [Field in keyof Row & string]: Row[Field] extends Value ? Field : never;
}[keyof Row & string];

type ColumnOf<Row, Kind extends ColumnKind> = ColumnBase & { kind: Kind } & (
    { key: FieldOf<Row, CellValues[Kind]>; value?: undefined } | { key: string; value: (row: Row) => CellValues[Kind] }
  );

/** A column for a type of rows. Its key is a field of the row, unless `value` computes the cell. */
export type Column<Row> = { [Kind in ColumnKind]: ColumnOf<Row, Kind> }[ColumnKind];

/** A function for each kind of column. A missing kind does not compile. */
export type CellMap<Result> = {
  readonly [Kind in ColumnKind]: (value: CellValues[Kind], column: ColumnBase) => Result;
};

/** The value of the cell before formatting, for copying, comparing and tests; undefined where the row came without the field. */
export function cellValue<Row>(column: Column<Row>, row: Row): CellValues[ColumnKind] | undefined {
  if (column.value) return column.value(row);
  // Safe: ColumnOf allows a column without `value` only where the key is a field of the right type.
  return row[column.key as keyof Row] as CellValues[ColumnKind] | undefined;
}

/** Applies the function for the column's kind to the cell of a row. */
export function mapCell<Row, Result>(cells: CellMap<Result>, column: Column<Row>, row: Row): Result {
  // Safe: ColumnOf ties the value to the kind; the compiler cannot follow that through the union.
  const cell = cells[column.kind] as (value: CellValues[ColumnKind], column: ColumnBase) => Result;
  return cell(cellValue(column, row) ?? null, column);
}

/** A line of a file: a record, or sums by the key of their column. */
export type TableLine<Row> = { row: Row } | { sums: Readonly<Record<string, string>> };

export type { ColumnBase };

/** The kinds that are numbers: aligned right, and never quoted in a file. */
export const numericKinds: ReadonlySet<ColumnKind> = new Set(['money', 'weight', 'liters', 'percent', 'count']);

export const noStatus: Status = { label: '–', tone: 'none' };

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
