import { formatCount } from '../calc/count-text.ts';
import { cellNumberText } from './pump-bill.ts';

/** Tables with any columns, from files and from the clipboard (docs/specification.md §13.5). */

/** The most rows with a value in one sheet, not counting the rows for headings. */
export const TABLE_MAX_ROWS = 5_000;
/** How many rows may be above the data: a title, a blank row, a merged heading. */
export const TABLE_HEADING_ROWS = 20;
export const TABLE_MAX_SHEETS = 50;

/** The names that a file may have. Its content decides how it is read. */
export const tableFileTypes = ['.csv', '.xlsx', '.xls', '.ods', '.txt'] as const;
export const isTableName = (fileName: string): boolean =>
  tableFileTypes.some((type) => fileName.trim().toLowerCase().endsWith(type));
export const chooseTableFile = `Choose a ${tableFileTypes.slice(0, -1).join(', ')} or ${tableFileTypes.at(-1)} file.`;

/** What a file can be by its content. */
export const tableKinds = ['xlsx', 'xls', 'xml', 'ods', 'html', 'comma', 'semicolon', 'tab', 'pipe', 'tilde'] as const;
export type TableKind = (typeof tableKinds)[number];
const kindWords: Readonly<Record<TableKind, string>> = {
  xlsx: 'an Excel workbook',
  xls: 'an old Excel workbook',
  xml: 'an XML spreadsheet',
  ods: 'an OpenDocument spreadsheet',
  html: 'an HTML table',
  comma: 'text with commas',
  semicolon: 'text with semicolons',
  tab: 'text with tabs',
  pipe: 'text with pipe signs',
  tilde: 'text with tildes',
};

interface ReadSheet {
  hiddenRows: number;
  hiddenColumns: readonly number[];
  openQuotes: readonly number[];
}

/** 'Read as an HTML table, sheet 1 of 2. 3 hidden rows were left out'. `place` counts from 0. */
export function readAs(kind: TableKind, sheets: readonly ReadSheet[], place: number): string {
  const { hiddenRows = 0, hiddenColumns = [], openQuotes = [] } = sheets[place] ?? {};
  const ofSheets = sheets.length > 1 ? `, sheet ${place + 1} of ${sheets.length}` : '';
  const [hidden, quotes] = [listed(hiddenColumns.map(columnLetters)), listed(openQuotes)];
  return [
    `Read as ${kindWords[kind]}${ofSheets}`,
    ...(hiddenRows > 0 ? [hiddenRowsText(hiddenRows)] : []),
    ...(hiddenColumns.length > 0
      ? [hiddenColumns.length === 1 ? `Column ${hidden} is hidden` : `Columns ${hidden} are hidden`]
      : []),
    ...(openQuotes.length > 0
      ? [`A quotation mark is never closed in ${openQuotes.length === 1 ? 'row' : 'rows'} ${quotes}`]
      : []),
  ].join('. ');
}

export const hiddenRowsText = (count: number): string =>
  count === 1 ? '1 hidden row was left out' : `${formatCount(count)} hidden rows were left out`;

/** 'Row 3 has', 'Rows 3, 5 and 12 more have' more cells than there are headings. */
export const tooLongText = (rowNumbers: readonly number[]): string =>
  `${rowNumbers.length === 1 ? 'Row' : 'Rows'} ${listed(rowNumbers)} ${rowNumbers.length === 1 ? 'has' : 'have'} more cells than there are headings`;
/** Why such a row is not taken as it is. */
export const tooLongReason =
  'A separator inside a value that is not in quotes moves all that follows into the next column.';

const mostListed = 5;
function listed(items: readonly (string | number)[]): string {
  const rest = items.length - mostListed;
  return `${items.slice(0, mostListed).join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
}

/** 'A' for 0, 'AB' for 27. */
const columnLetters = (column: number): string =>
  (column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

/**
 * The indexes of the rows with a text right of the last heading, from the row `from` on. What stands there may have been moved by
 * a separator inside a value, so such a row is named and never taken silently.
 */
export function rowsTooLong(rows: readonly (readonly string[])[], headings: readonly string[], from: number): number[] {
  const end = headings.findLastIndex((text) => text.trim() !== '') + 1;
  if (end === 0) return [];
  return rows.flatMap((row, at) => (at >= from && row.slice(end).some((text) => text.trim() !== '') ? [at] : []));
}

/** A spreadsheet keeps 15 digits. Larger numbers are written with an exponent, so that a person can see what is lost. */
const exactBelow = 1e15;
/** The units of weights and liters in a format: 25.34 MT. Kilograms stay, so that the field can name them. */
const unit = /(?<=\d)\s*(MT|M\.T\.|T|tons?|tonnes?|L|ltrs?|litres?|liters?)\.?$/i;

/**
 * The text of a spreadsheet's number as a person typed it: without floating-point noise, without the grouping and the
 * currency sign or the unit of its format, but with the leading zeros of its format ('000123'). `shown` is what the sheet shows.
 */
export function numberText(value: number, shown: string): string {
  if (Math.abs(value) >= exactBelow) return value.toExponential().toUpperCase();
  if (/%\s*$/.test(shown)) return `${cellNumberText(value * 100)}%`;
  const digits = shown.replace(unit, '').replace(/₹|Rs\.?|INR|[\s,()+$€_-]/gi, '');
  const isNumberOnly = /^\d*(?:\.\d*)?(E[+-]?\d+)?$/i.test(digits);
  // A format may show 1234.5 as 1234 1/2.
  const isFraction = /^\s*-?(\d+ +)?\d+\/\d+\s*$/.test(shown);
  // A sheet shows #### instead of a number when the column is too narrow.
  const isHidden = /^#+$/.test(digits);
  return (isNumberOnly && !/^0\d/.test(digits)) || isFraction || isHidden ? cellNumberText(value) : shown;
}
