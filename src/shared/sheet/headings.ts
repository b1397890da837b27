import { isBlankRow, type Table } from './table-cells.ts';

/** A field that a column of a table can be: what it is called, best name first. */
export interface SheetField<Name extends string> {
  name: Name;
  names: readonly string[];
}

/** Which column of a table is which field. */
export interface Mapping<Name extends string> {
  /** The text over each column; '' where the table has no headings. */
  headings: readonly string[];
  /** null: the column is not used. */
  columns: readonly (Name | null)[];
  /** The first row below the headings, from 0; what is above it is no data. */
  firstRow: number;
  /** Without headings the columns were taken in the order of the fields. */
  hasHeadings: boolean;
}

/** In so many rows a table's headings are looked for: titles and addresses of a business come before them. */
const headingRows = 20;

/** Without case, spaces and punctuation: 'T.P. No' is 'tpno'. A percentage and an amount keep their sign. */
export const headingKey = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('%', 'percent')
    .replaceAll('₹', 'rs')
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '');

/**
 * Finds the heading row: the one that names most fields, at least two of them, or the only column. A merged heading over
 * two rows counts as both: 'Weight' over 'Loading' is 'Weight Loading', 'Loading Weight' and, when nothing has that name,
 * 'Loading'; a heading merged downwards is that of the row above.
 */
export function recognise<Name extends string>(
  table: Table,
  fields: readonly SheetField<Name>[],
  within: number = headingRows,
): Mapping<Name> {
  let best: { count: number; row: number; columns: (Name | null)[]; headings: string[] } | undefined;
  for (let row = 0; row < Math.min(table.length, within); row += 1) {
    const cells = table[row] ?? [];
    if (isBlankRow(cells)) continue;
    const spread = spreadOver(table[row - 1] ?? []);
    const names = cells.map((cell, column) => namesOf(cell, spread[column] ?? ''));
    const columns = assign(names, fields);
    const count = columns.filter((name) => name !== null).length;
    const isOnly = count === 1 && cells.filter((cell) => cell !== '').length === 1 && cells.length === 1;
    if ((count >= 2 || isOnly) && count > (best?.count ?? 0)) {
      best = { count, row, columns, headings: cells.map((cell, column) => headingOf(cell, spread[column] ?? '')) };
    }
  }
  if (best) {
    return { headings: best.headings, columns: best.columns, firstRow: best.row + 1, hasHeadings: true };
  }
  const width = table[0]?.length ?? 0;
  return {
    headings: Array.from({ length: width }, () => ''),
    columns: Array.from({ length: width }, (_, column) => fields[column]?.name ?? null),
    firstRow: 0,
    hasHeadings: false,
  };
}

/** A merged cell's text over all columns it reaches over; a title over the whole table is no heading of its columns. */
function spreadOver(row: readonly string[]): string[] {
  if (row.filter((cell) => cell !== '').length < 2) return [];
  let last = '';
  return row.map((cell) => (last = cell === '' ? last : cell));
}

const headingOf = (cell: string, above: string): string => (cell === '' ? above : cell).replace(/\s+/g, ' ');

/** What a column may be called, best first. */
const namesOf = (cell: string, above: string): string[] =>
  [above && cell ? `${above} ${cell}` : '', above && cell ? `${cell} ${above}` : '', cell || above]
    .map(headingKey)
    .filter((key) => key !== '');

/** The better name wins: of two columns for one field the one whose name comes first in the field's names, else the left. */
function assign<Name extends string>(
  columns: readonly (readonly string[])[],
  fields: readonly SheetField<Name>[],
): (Name | null)[] {
  const found: (Name | null)[] = columns.map(() => null);
  const isTaken = new Set<Name>();
  const longest = Math.max(0, ...fields.map(({ names }) => names.length));
  for (let rank = 0; rank < longest; rank += 1) {
    for (const { name, names } of fields) {
      const key = headingKey(names[rank] ?? '');
      if (key === '' || isTaken.has(name)) continue;
      const column = columns.findIndex((keys, index) => found[index] === null && keys.includes(key));
      if (column === -1) continue;
      found[column] = name;
      isTaken.add(name);
    }
  }
  return found;
}

/** The same file or sheet next time has the same headings: what is remembered of a mapping is kept under this. */
export const headingsKey = ({ headings }: Pick<Mapping<string>, 'headings'>): string =>
  headings.map(headingKey).join('|');

/** The rows below the headings as values of fields, blank rows left out; each with its place in the table, from 0. */
export function mappedRows<Name extends string>(
  table: Table,
  { columns, firstRow }: Pick<Mapping<Name>, 'columns' | 'firstRow'>,
): { row: number; values: Partial<Record<Name, string>> }[] {
  return table.slice(firstRow).flatMap((cells, index) => {
    if (isBlankRow(cells)) return [];
    const values: Partial<Record<Name, string>> = {};
    for (const [column, name] of columns.entries()) if (name !== null) values[name] = cells[column] ?? '';
    return [{ row: firstRow + index, values }];
  });
}
