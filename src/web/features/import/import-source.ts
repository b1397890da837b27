import { CSV_BOM, csvIdentifier, csvLine } from '../../../shared/calc/csv-text.ts';
import { safeNamePart } from '../../../shared/calc/file-names.ts';
import { importFieldOf, importFields, requiredFields } from '../../../shared/sheet/import-fields.ts';
import type { ImportKind } from '../../../shared/contract/imports.ts';
import { mappedRows, recognise, type Mapping } from '../../../shared/sheet/headings.ts';
import { dayFirst, monthFirstExample } from '../../../shared/reading/day-order.ts';
import { filledDown, isShared, squared, type Table } from '../../../shared/sheet/table-cells.ts';
import { isOnlyTotal } from '../../../shared/sheet/total-rows.ts';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { hiddenRowsText, readAs, rowsTooLong, type TableKind } from '../../../shared/reading/tables.ts';
import type { PastedTable } from '../../kit/sheet/clipboard.ts';
import {
  isMonthFirstRemembered,
  rememberedMapping,
  rememberMapping,
  rememberMonthFirst,
} from '../../kit/sheet/column-memory.ts';
import { hasSameHeadings } from '../../kit/sheet/saved-again.tsx';

/** The opened file or pasted table, and the field of each column. */
export interface Source {
  /** The name of the file, or 'Pasted rows'. */
  name: string;
  sha256: string | null;
  /** The opened file; undefined for pasted rows. */
  file?: File | undefined;
  /** What the file is; null for pasted rows. */
  kind: TableKind | null;
  sheets: readonly SourceSheet[];
  sheet: number;
  mapping: Mapping<string>;
  fills: readonly Fill[];
  /** The user has said that its dates have the month first. */
  isMonthFirst: boolean;
  /** What the user does with the rows that have more cells than there are headings; undefined: nothing was said yet. */
  longRows: 'left out' | 'taken' | undefined;
}

/** A sheet of a file, or the pasted rows. */
type SourceSheet = Omit<TableSheet, 'rows'> & { table: Table };

/** The value that a field gets in every row where its cell is empty or where the table has no column for it. */
export interface Fill {
  field: string;
  /** The column whose text is used; null uses `text`. */
  column: number | null;
  text: string;
}

/** undefined: the sheet has no rows. */
export function makeSource(
  kind: ImportKind,
  file: Pick<Source, 'name' | 'sha256' | 'kind' | 'file'>,
  sheets: readonly TableSheet[],
  sheet: number,
): Source | undefined {
  const tables = sheets.map(({ rows, ...more }) => ({ ...more, table: squared(rows) }));
  const table = tables[sheet]?.table ?? [];
  return table.length === 0
    ? undefined
    : withMapping(kind, { ...file, sheets: tables, sheet }, recognise(table, importFields[kind]));
}

/** The pasted rows as the only sheet of a source. */
export const pastedSheet = ({ table, merges, hiddenRows }: PastedTable): TableSheet => ({
  name: 'Pasted rows',
  rows: table,
  rowNumbers: table.map((_, at) => at + 1),
  merges: [...merges],
  hiddenRows,
  hiddenColumns: [],
  openQuotes: [],
});

/** What was read, in one line; '' where pasted rows need no word. */
export function readAsOf({ kind, sheets, sheet }: Source): string {
  if (kind !== null) return readAs(kind, sheets, sheet);
  const { hiddenRows = 0 } = sheets[sheet] ?? {};
  return hiddenRows > 0 ? hiddenRowsText(hiddenRows) : '';
}

export const tableOf = ({ sheets, sheet }: Source): Table => sheets[sheet]?.table ?? [];

export const withSheet = (kind: ImportKind, source: Source, sheet: number): Source =>
  withMapping(kind, { ...source, sheet }, recognise(source.sheets[sheet]?.table ?? [], importFields[kind]));

/** A table with the columns and the order of dates that the user chose for another one with the same headings. */
function withMapping(
  kind: ImportKind,
  source: Pick<Source, 'name' | 'sha256' | 'kind' | 'file' | 'sheets' | 'sheet'>,
  found: Mapping<string>,
): Source {
  const isField = (name: unknown): name is string => importFields[kind].some((field) => field.name === name);
  const mapping = rememberedMapping(memoryKey(kind), found, isField);
  const isMonthFirst = found.hasHeadings && isMonthFirstRemembered(memoryKey(kind), found.headings);
  return { ...source, mapping, fills: [], isMonthFirst, longRows: undefined };
}

/** A file that was saved again, with the columns and fills that were chosen for it before, where its headings are the same. */
export const withChoicesOf = (source: Source, before: Source): Source =>
  hasSameHeadings(tableOf(before), tableOf(source), before.mapping.firstRow)
    ? { ...source, mapping: before.mapping, fills: before.fills, isMonthFirst: before.isMonthFirst }
    : source;

/** `row` counts from 1 and is the row of the headings; 0 means that there are none. */
export function withHeadingRow(kind: ImportKind, source: Source, row: number): Source {
  const table = tableOf(source);
  const fields = importFields[kind];
  if (row === 0) {
    const width = table[0]?.length ?? 0;
    const columns = Array.from({ length: width }, (_, column) => fields[column]?.name ?? null);
    return { ...source, mapping: { headings: columns.map(() => ''), columns, firstRow: 0, hasHeadings: false } };
  }
  const headings = table[row - 1] ?? [];
  const { columns } = recognise([headings], fields);
  const { fills } = source;
  return { ...withMapping(kind, source, { headings, columns, firstRow: row, hasHeadings: true }), fills };
}

/**
 * The fields that have a column or a fill, in the order of the kind, and the texts of each row in these fields. `places` are
 * the indexes of the rows in the table.
 */
export function rowsOf(kind: ImportKind, source: Source): { fields: string[]; rows: string[][]; places: number[] } {
  const { columns } = source.mapping;
  const table = filledTable(kind, source);
  const fillOf = new Map(source.fills.map((fill) => [fill.field, fill]));
  const fields = importFields[kind]
    .map(({ name }) => name)
    .filter((name) => columns.includes(name) || fillOf.has(name));
  const leftOut = new Set(source.longRows === 'left out' ? longRows(source) : []);
  // A summary of balances ends with their sum, which no owner is owed.
  const isSum = (owner = ''): boolean => kind === 'opening-balances' && isOnlyTotal(owner);
  const used = mappedRows(table, source.mapping).filter(
    ({ row, values }) =>
      !leftOut.has(row) && !isSum(values['ownerName']) && Object.values(values).some((text) => text !== ''),
  );
  const isTurned = (name: string): boolean => source.isMonthFirst && importFieldOf(kind, name)?.kind === 'day';
  const rows = used.map(({ row, values }) =>
    fields.map((name) => {
      const own = values[name] ?? '';
      const fill = fillOf.get(name);
      const text = own !== '' || !fill || fill.column === null ? own : (table[row]?.[fill.column] ?? '');
      return text === '' && fill?.column === null ? fill.text : isTurned(name) ? dayFirst(text) : text;
    }),
  );
  return { fields, rows, places: used.map(({ row }) => row) };
}

/** The rows with what is merged down a column in each of them, where the column is used and has no amounts. */
function filledTable(kind: ImportKind, source: Source): Table {
  const { columns, firstRow } = source.mapping;
  const merges = (source.sheets[source.sheet]?.merges ?? []).filter(({ first }) => first >= firstRow);
  return filledDown(tableOf(source), merges, (column) => {
    const field = columns[column] ? importFieldOf(kind, columns[column]) : undefined;
    return field !== undefined && !isShared(field.kind);
  });
}

/** The indexes of the rows that have more cells than there are headings. A column that is used needs no heading. */
export function longRows(source: Source): number[] {
  const { headings, columns, firstRow, hasHeadings } = source.mapping;
  if (!hasHeadings) return [];
  return rowsTooLong(
    tableOf(source),
    columns.map((name, column) => headings[column] || (name ?? '')),
    firstRow,
  );
}

/** The numbers of rows in the file, by their indexes. */
export const numbersOf = ({ sheets, sheet }: Source, rows: readonly number[]): number[] =>
  rows.map((row) => sheets[sheet]?.rowNumbers[row] ?? row + 1);

/**
 * A date of the table that can only have its month first. Then every date of the table may be meant so, and the user is asked;
 * undefined: there is none, or the user has said it.
 */
export function monthFirstDate(kind: ImportKind, source: Source): string | undefined {
  const { fields, rows } = rowsOf(kind, source);
  const days = fields.flatMap((name, at) => (importFieldOf(kind, name)?.kind === 'day' ? [at] : []));
  return source.isMonthFirst ? undefined : monthFirstExample(rows.flatMap((row) => days.map((at) => row[at] ?? '')));
}

/** The labels of the fields that every row needs and for which there is neither a column nor a fill. */
export function missingFields(kind: ImportKind, { mapping, fills }: Source): string[] {
  const given = new Set([
    ...mapping.columns,
    ...fills.filter(({ column, text }) => column !== null || text !== '').map(({ field }) => field),
  ]);
  return requiredFields[kind]
    .filter((names) => !names.some((name) => given.has(name)))
    .map((names) => names.map((name) => importFieldOf(kind, name)?.label ?? name).join(' or '));
}

/**
 * The rows that were left out as a CSV file that can be corrected and imported again: their fields, the columns of the table
 * that were not used, and why each was left out.
 */
export function leftOutFile(
  kind: ImportKind,
  source: Source,
  {
    fields,
    rows,
  }: {
    fields: readonly string[];
    rows: readonly { place: number | undefined; texts: readonly string[]; why: string }[];
  },
): { content: string; filename: string; contentType: string } {
  const { headings, columns } = source.mapping;
  const unused = columns.flatMap((name, at) => (name === null ? [at] : []));
  const table = tableOf(source);
  const lines = [
    [
      ...fields.map((name) => importFieldOf(kind, name)?.label ?? name),
      ...unused.map((at) => headings[at] || `Column ${at + 1}`),
      'Why Left Out',
    ],
    ...rows.map(({ place = -1, texts, why }) => [...texts, ...unused.map((at) => table[place]?.[at] ?? ''), why]),
  ];
  return {
    content: CSV_BOM + lines.map((cells) => csvLine(cells.map(csvIdentifier))).join(''),
    filename: `${safeNamePart(source.name.replace(/\.\w+$/, ''))}_left_out.csv`,
    contentType: 'text/csv;charset=utf-8',
  };
}

const memoryKey = (kind: ImportKind): string => `import.${kind}.columns`;

export function rememberColumns(kind: ImportKind, { mapping, isMonthFirst }: Source): void {
  const { headings, columns, hasHeadings } = mapping;
  if (!hasHeadings) return;
  rememberMapping(memoryKey(kind), headings, columns);
  rememberMonthFirst(memoryKey(kind), headings, isMonthFirst);
}
