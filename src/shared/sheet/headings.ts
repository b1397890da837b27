import { isBlankRow, type Table } from './table-cells.ts';

/** A field that a column of a table can hold, and its possible headings, the best one first. */
export interface SheetField<Name extends string> {
  name: Name;
  names: readonly string[];
}

/** Which field each column of a table holds. */
export interface Mapping<Name extends string> {
  /** The heading of each column; '' where the table has no headings. */
  headings: readonly string[];
  /** null: the column is not used. */
  columns: readonly (Name | null)[];
  /** The index of the first row below the headings, where the data begin. */
  firstRow: number;
  /** false: the columns were taken in the order of the fields. */
  hasHeadings: boolean;
}

/** How many rows are searched for headings: titles and addresses may come before them. */
const headingRows = 20;

/**
 * What headings are compared by: lower case, without spaces and punctuation. 'T.P. No' is 'tpno'. % and ₹ become words, so
 * that 'TDS %' and 'TDS' are different headings.
 */
export const headingKey = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('%', 'percent')
    .replaceAll('₹', 'rs')
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '');

/**
 * Finds the row of headings: the one that names the most fields. It names at least two, or it is the heading of the only
 * column. Headings may take two rows: 'Weight' above 'Loading' is tried as 'Weight Loading', as 'Loading Weight' and then as
 * 'Loading'. An empty cell gets the heading of the row above.
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

/** Repeats the text of a merged cell over its columns. A row with a single text is a title and gives no headings. */
function spreadOver(row: readonly string[]): string[] {
  if (row.filter((cell) => cell !== '').length < 2) return [];
  let last = '';
  return row.map((cell) => (last = cell === '' ? last : cell));
}

const headingOf = (cell: string, above: string): string => (cell === '' ? above : cell).replace(/\s+/g, ' ');

/** The possible names of a column, the best one first. */
const namesOf = (cell: string, above: string): string[] =>
  [above && cell ? `${above} ${cell}` : '', above && cell ? `${cell} ${above}` : '', cell || above]
    .map(headingKey)
    .filter((key) => key !== '');

/**
 * Assigns fields to columns. Of two columns for one field the better name wins: the one that comes first in the field's
 * names. With equal names it is the left column.
 */
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

/** The key under which a mapping is remembered: the next file of the same kind has the same headings. */
export const headingsKey = ({ headings }: Pick<Mapping<string>, 'headings'>): string =>
  headings.map(headingKey).join('|');

/** The rows below the headings as values by field, without blank rows. `row` is the index in the table. */
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
