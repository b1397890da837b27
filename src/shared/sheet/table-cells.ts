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

/**
 * Lays out merged cells: the text is in the first cell that is seen, and the others are empty. Hidden rows and columns are
 * left out. A hidden cell takes a place only in a hidden column, where Excel hides the cells as well.
 */
export function layOut(written: readonly WrittenRow[], hiddenColumns: ReadonlySet<number> = new Set()): Table {
  const table: Table = written.map(() => []);
  /** For each column, the first row below the merged cells above. */
  const free: number[] = [];
  for (const [row, { cells }] of written.entries()) {
    let column = 0;
    for (const { text, columns, rows, isHidden } of cells) {
      while ((free[column] ?? 0) > row) column += 1;
      if (isHidden && !hiddenColumns.has(column)) continue;
      const places = Array.from({ length: Math.min(Math.max(1, columns), widest - column) }, (_, at) => column + at);
      const end = Math.min(row + Math.max(1, rows), written.length);
      const seenRow = written.findIndex(({ isHidden: isGone }, at) => at >= row && at < end && !isGone);
      const seenColumn = places.find((place) => !hiddenColumns.has(place));
      if (seenColumn !== undefined) (table[seenRow] ?? [])[seenColumn] = text;
      for (const place of places) free[place] = end;
      column += places.length;
    }
  }
  return table
    .filter((_, row) => !written[row]?.isHidden)
    .map((row) => Array.from(row, (text) => text ?? '').filter((_, column) => !hiddenColumns.has(column)));
}

/** A table with clean cells and rows of equal length, without the empty rows and columns at its end. */
export function squared(table: Table): Table {
  const clean = table.map((row) => Array.from(row, (cell) => cleanText(cell ?? '')));
  const width = Math.max(0, ...clean.map((row) => row.findLastIndex((cell) => cell !== '') + 1));
  const height = clean.findLastIndex((row) => row.some((cell) => cell !== '')) + 1;
  return clean.slice(0, height).map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ''));
}

export const isBlankRow = (row: readonly string[]): boolean => row.every((cell) => cell === '');
