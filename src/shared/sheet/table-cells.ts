/** A table of text, from a file or from the clipboard. */
export type Table = string[][];

/** A row as an HTML table writes it: a merged cell occurs only once. */
export interface WrittenRow {
  isHidden: boolean;
  cells: readonly { text: string; columns: number; rows: number }[];
}

/** As many columns as a spreadsheet can have: a wider span would only fill the memory. */
const widest = 16_384;

/** Lays out merged cells: the first cell gets the text and the others are empty. Hidden rows are left out. */
export function layOut(written: readonly WrittenRow[]): Table {
  const table: Table = [];
  /** For each column, how many more rows a merged cell from above takes. */
  const taken: number[] = [];
  for (const { cells, isHidden } of written) {
    const row: string[] = [];
    let column = 0;
    const skipTaken = (): void => {
      while ((taken[column] ?? 0) > 0) {
        taken[column] = (taken[column] ?? 0) - 1;
        row[column] ??= '';
        column += 1;
      }
    };
    for (const { text, columns, rows } of cells) {
      skipTaken();
      const end = Math.min(column + Math.max(1, columns), widest);
      for (let first = true; column < end; column += 1, first = false) {
        row[column] = first ? text : '';
        taken[column] = Math.max(0, rows - 1);
      }
    }
    skipTaken();
    if (!isHidden) table.push(row);
  }
  return table;
}

/** Invisible characters: those that come from chats and web pages, and control characters. Line ends and tabs stay. */
const invisible = /\p{Cf}|(?![\t\n])\p{Cc}/gu;

/**
 * The text of a cell without invisible characters, and without the apostrophe that marks text in spreadsheets and in our own
 * files (docs/specification.md §13.1).
 */
export const cleanCell = (text: string): string =>
  text
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(/\r\n?/g, '\n')
    .replace(invisible, '')
    .trim()
    .replace(/^'(?=.)/, '');

/** A table with clean cells and rows of equal length, without the empty rows and columns at its end. */
export function squared(table: Table): Table {
  const clean = table.map((row) => Array.from(row, (cell) => cleanCell(cell ?? '')));
  const width = Math.max(0, ...clean.map((row) => row.findLastIndex((cell) => cell !== '') + 1));
  const height = clean.findLastIndex((row) => row.some((cell) => cell !== '')) + 1;
  return clean.slice(0, height).map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ''));
}

export const isBlankRow = (row: readonly string[]): boolean => row.every((cell) => cell === '');
