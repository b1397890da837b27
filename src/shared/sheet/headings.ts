import { headingKey } from '../calc/column-headings.ts';
import { isBlankRow, type Table } from './table-cells.ts';

/** A field that a column of a table can hold, and the keys of its possible headings, the best one first. */
export interface SheetField<Name extends string> {
  name: Name;
  keys: readonly string[];
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
 * Finds the row of headings: the one that names the most fields. It names at least two, or it is the heading of the only
 * column. Headings may take two rows: 'Weight' above 'Loading' is tried as 'Weight Loading', as 'Loading Weight' and then as
 * 'Loading'. An empty cell gets the heading of the row above.
 */
export function recognise<Name extends string>(
  table: Table,
  fields: readonly SheetField<Name>[],
  within: number = headingRows,
): Mapping<Name> {
  const ranks = ranksOf(fields);
  let best: { count: number; row: number; columns: (Name | null)[]; headings: string[] } | undefined;
  for (let row = 0; row < Math.min(table.length, within); row += 1) {
    const cells = table[row] ?? [];
    if (isBlankRow(cells)) continue;
    const spread = spreadOver(table[row - 1] ?? []);
    const names = cells.map((cell, column) => namesOf(cell, spread[column] ?? ''));
    const columns = assign(names, ranks);
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

interface Rank<Name> {
  name: Name;
  /** The place among the headings of the field, and then that of the field: the lowest wins. */
  rank: number;
}

function ranksOf<Name extends string>(fields: readonly SheetField<Name>[]): ReadonlyMap<string, Rank<Name>> {
  const ranks = new Map<string, Rank<Name>>();
  for (const [at, { name, keys }] of fields.entries()) {
    for (const [place, key] of keys.entries()) {
      if (!ranks.has(key)) ranks.set(key, { name, rank: place * fields.length + at });
    }
  }
  return ranks;
}

/**
 * Assigns fields to columns. Of two columns for one field the better heading wins: the one that comes first among the field's
 * headings. With equal headings it is the left column.
 */
function assign<Name extends string>(
  columns: readonly (readonly string[])[],
  ranks: ReadonlyMap<string, Rank<Name>>,
): (Name | null)[] {
  const found: (Name | null)[] = columns.map(() => null);
  const choices = columns
    .flatMap((keys, column) => keys.flatMap((key) => ({ column, ...ranks.get(key) })))
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.column - b.column);
  for (const { name, column } of choices) {
    if (name !== undefined && found[column] === null && !found.includes(name)) found[column] = name;
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
