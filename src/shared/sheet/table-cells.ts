import { cleanText } from '../reading/text.ts';

/** A table of text, from a file or from the clipboard. */
export type Table = string[][];

/** A cell as an HTML table writes it: a merged cell occurs only once, with the columns and rows that it takes. */
interface WrittenCell {
  text: string;
  columns: number;
  rows: number;
  isHidden?: boolean;
}
export interface WrittenRow {
  isHidden: boolean;
  cells: readonly WrittenCell[];
}

/** As many columns as a spreadsheet can have: a wider span would only fill the memory. */
const widest = 16_384;

/** Cells of one column that are merged. The text is in the row `first` of the table, and the rows down to `last` have none. */
export interface Merge {
  column: number;
  first: number;
  last: number;
}

interface LaidOut {
  table: Table;
  merges: Merge[];
  /** How many rows with a text were left out because they are hidden. */
  hiddenRows: number;
}

/**
 * Lays out merged cells: the text is in the first cell that is seen, and the others are empty. Hidden rows are left out, and
 * hidden columns unless `keepsColumns`. A hidden cell takes a place only in a hidden column, where Excel hides the cells as well.
 */
export function layOut(
  written: readonly WrittenRow[],
  hiddenColumns: ReadonlySet<number> = new Set(),
  keepsColumns = false,
): LaidOut {
  const rows: Table = written.map(() => []);
  const isSeen = (column: number): boolean => keepsColumns || !hiddenColumns.has(column);
  const merges: Merge[] = [];
  /** For each column, the first row below the merged cells above. */
  const free: number[] = [];
  for (const [row, { cells }] of written.entries()) {
    let column = 0;
    for (const { text, columns, rows: height, isHidden } of cells) {
      while ((free[column] ?? 0) > row) column += 1;
      if (isHidden && !hiddenColumns.has(column)) continue;
      // Beyond the widest table every cell has the last place, so that a reader with a limit sees it.
      column = Math.min(column, widest - 1);
      const places = Array.from({ length: Math.min(Math.max(1, columns), widest - column) }, (_, at) => column + at);
      const end = Math.min(row + Math.max(1, height), written.length);
      let first = row;
      while (first < end && written[first]?.isHidden) first += 1;
      const seenColumn = places.find(isSeen);
      if (seenColumn !== undefined && first < end) {
        (rows[first] ?? [])[seenColumn] = text;
        if (end > first + 1 && text !== '') merges.push({ column: seenColumn, first, last: end - 1 });
      }
      for (const place of places) free[place] = end;
      column += places.length;
    }
  }
  /** The place of each row and column among those that stay. */
  let count = 0;
  const rowPlaces = written.map(({ isHidden }) => (isHidden ? count : (count += 1) - 1));
  const columnPlace = (column: number): number =>
    column - (keepsColumns ? 0 : [...hiddenColumns].filter((hidden) => hidden < column).length);
  return {
    table: rows
      .filter((_, row) => !written[row]?.isHidden)
      .map((row) => Array.from(row, (text) => text ?? '').filter((_, column) => isSeen(column))),
    merges: merges.flatMap(({ column, first, last }) => {
      const [from = 0, to = 0] = [rowPlaces[first], rowPlaces[last]];
      const end = written[last]?.isHidden ? to - 1 : to;
      return end > from ? [{ column: columnPlace(column), first: from, last: end }] : [];
    }),
    hiddenRows: written.filter(({ isHidden, cells }) => isHidden && cells.some(({ text }) => text !== '')).length,
  };
}

/** Whether a merged cell of this kind of value means its rows together: a sum that is filled down would count several times. */
export const isShared = (kind: string | null): boolean =>
  kind === 'money' || kind === 'balance' || kind === 'weight' || kind === 'liters';

/**
 * The table with the text of merged cells in each of their rows, in the columns that `isFilled` names: the owner once and four
 * trucks beside it.
 */
export function filledDown(table: Table, merges: readonly Merge[], isFilled: (column: number) => boolean): Table {
  const filled = table.map((row) => [...row]);
  for (const { column, first, last } of merges) {
    if (!isFilled(column)) continue;
    for (const row of filled.slice(first + 1, last + 1)) {
      while (row.length < column) row.push('');
      row[column] ||= table[first]?.[column] ?? '';
    }
  }
  return filled;
}

/** A table with clean cells and rows of equal length, without the empty rows and columns at its end. */
export function squared(table: Table): Table {
  const clean = table.map((row) => Array.from(row, (cell) => cleanText(cell ?? '')));
  const width = Math.max(0, ...clean.map((row) => row.findLastIndex((cell) => cell !== '') + 1));
  const height = clean.findLastIndex((row) => row.some((cell) => cell !== '')) + 1;
  return clean.slice(0, height).map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ''));
}

export const isBlankRow = (row: readonly string[]): boolean => row.every((cell) => cell === '');
