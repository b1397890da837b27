import { MoneyError } from './money.ts';

/**
 * Cells of our CSV files (docs/specification.md §13.1). Three kinds: text, identifiers (account, TP, contact: text that
 * a spreadsheet would take for a number or a date) and numbers. Text is always quoted, numbers never, an absent value
 * is an empty cell without quotes.
 */

/** UTF-8 byte order mark: without it Excel shows ₹ and Odia as wrong characters. */
export const CSV_BOM = '\ufeff';
export const CSV_LINE_END = '\r\n';

/**
 * Text that a spreadsheet could run as a formula. It begins with = + - @, tab or CR (docs/specification.md §13.1), with a
 * line feed, NUL or one of the full-width signs, or with one of the signs after spaces, because some programs trim first.
 */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for here
const FORMULA_START = /^(?:[\t\r\n\0]|[\s\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/** Digits with the signs of numbers and dates: 000123, 1-2, 3/4, 12.50, 10:30. */
const NUMBER_LIKE = /^(?=\D*\d)[\d\s.,:/-]*$/;
const EXPONENT_LIKE = /^\d+(\.\d*)?E[+-]?\d+$/i;
/** 5-Mar, MAR5, 24 january: a month's name with digits before or after it. */
const MONTH_LIKE =
  /^(?=.*\d)(\d{1,4}[-/\s]?)?(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)([-/\s]?\d{1,4})?$/i;
/** A whole number that a spreadsheet shows and keeps as it is; from 12 digits on it shows 2.40901E+12. */
const PLAIN_INTEGER = /^[1-9]\d{0,10}$/;

/** Puts an apostrophe in front of text that could be a formula. Everything else stays as it is. */
export function formulaSafe(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text;
}

/** As formulaSafe, and also an apostrophe in front of text that would lose zeros or digits or become a date. */
export function identifierSafe(text: string): string {
  const isAltered =
    (NUMBER_LIKE.test(text) && !PLAIN_INTEGER.test(text)) || EXPONENT_LIKE.test(text) || MONTH_LIKE.test(text);
  return isAltered ? `'${text}` : formulaSafe(text);
}

/** RFC 4180: in quotes, quotes doubled. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

export function csvText(value: string | null | undefined): string {
  return value === null || value === undefined ? '' : quoted(formulaSafe(value));
}

export function csvIdentifier(value: string | null | undefined): string {
  return value === null || value === undefined ? '' : quoted(identifierSafe(value));
}

/**
 * A number stays a number, also a negative one. Only plain decimals are accepted: any other text would reach the file
 * without the apostrophe that guards text.
 */
export function csvNumber(value: string | number | null | undefined): string {
  return value === null || value === undefined || value === '' ? '' : plainNumber(value);
}

/** A plain decimal as it is, digit for digit; anything else throws. */
export function plainNumber(value: string | number): string {
  const text = String(value);
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new MoneyError(`Not a number for a file: ${JSON.stringify(text)}`);
  return text;
}

/** A line of cells that csvText, csvIdentifier or csvNumber made. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}${CSV_LINE_END}`;
}
