import { CSV_BOM, csvIdentifier, csvLine, csvNumber, csvText } from '../../shared/calc/csv-text.ts';
import { formatDate, formatDateTime, formatShortDate } from '../../shared/calc/dates.ts';
import { mapCell, numericKinds, type CellMap, type Column, type TableLine } from '../../shared/columns/define.ts';

/**
 * The only CSV writer (docs/specification.md §13.1): UTF-8 with a byte order mark, CRLF, the columns of shared/columns
 * in their order. Text is always quoted and never a formula, numbers stay numbers, and an absent value is an empty
 * cell.
 */
export const csvContentType = 'text/csv; charset=utf-8';

const exactCells: CellMap<string> = {
  text: csvText,
  identifier: csvText,
  reference: csvText,
  money: csvNumber,
  weight: csvNumber,
  liters: csvNumber,
  percent: csvNumber,
  count: csvNumber,
  date: (value) => csvText(value === null ? null : formatDate(value)),
  shortDate: (value) => csvText(value === null ? null : formatShortDate(value)),
  datetime: (value) => csvText(value === null ? null : formatDateTime(value)),
  flag: (value, column) => csvText((column.words ?? ['Yes', 'No'])[value ? 0 : 1]),
  status: (value) => csvText(value.label),
  tag: (value) => csvText(value?.name),
};

/** For files that have no .xlsx variant: identifiers get an apostrophe where a spreadsheet would drop their zeros. */
const guardedCells: CellMap<string> = { ...exactCells, identifier: csvIdentifier, reference: csvIdentifier };

/** Returns the columns that belong into a file. */
export function exportedColumns<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.filter((column) => column.export !== false);
}

/** Returns the line of headings. A file has the byte order mark before it. */
export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return csvLine(exportedColumns(columns).map(({ label }) => csvText(label)));
}

export function csvRow<Row>(columns: readonly Column<Row>[], row: Row): string {
  return csvLine(exportedColumns(columns).map((column) => mapCell(guardedCells, column, row)));
}

/**
 * Yields a whole file of exact values in pieces. Identifiers are written as they are stored (docs/specification.md
 * §13.1).
 */
export async function* csvPieces<Row>(
  columns: readonly Column<Row>[],
  lines: AsyncIterable<readonly TableLine<Row>[]>,
  intro?: string,
): AsyncGenerator<string> {
  const shown = exportedColumns(columns);
  const textOf = (line: TableLine<Row>): string =>
    csvLine(
      shown.map((column) => {
        if ('row' in line) return mapCell(exactCells, column, line.row);
        const value = line.sums[column.key];
        return numericKinds.has(column.kind) ? csvNumber(value) : csvText(value);
      }),
    );
  let text = CSV_BOM + (intro === undefined ? '' : csvLine([csvText(intro)])) + csvHeader(columns);
  for await (const some of lines) {
    yield text + some.map(textOf).join('');
    text = '';
  }
  if (text !== '') yield text;
}
