import { csvIdentifier, csvLine, csvNumber, csvText } from '../../shared/calc/csv-text.ts';
import { formatDate, formatDateTime, formatShortDate } from '../../shared/calc/dates.ts';
import { mapCell, type CellMap, type Column } from '../../shared/columns/define.ts';

/**
 * The one CSV writer (ruling 44): UTF-8 with a byte order mark, CRLF, the columns of shared/columns in their order. Text
 * is always quoted and never a formula, identifiers keep their zeros, numbers stay numbers, an absent value is nothing.
 */
export const csvContentType = 'text/csv; charset=utf-8';

const cells: CellMap<string> = {
  text: csvText,
  identifier: csvIdentifier,
  reference: csvIdentifier,
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

/** The columns that go into a file. */
function exported<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.filter((column) => column.export !== false);
}

/** The line of headings; a file starts with the byte order mark in front of it. */
export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return csvLine(exported(columns).map(({ label }) => csvText(label)));
}

export function csvRow<Row>(columns: readonly Column<Row>[], row: Row): string {
  return csvLine(exported(columns).map((column) => mapCell(cells, column, row)));
}
