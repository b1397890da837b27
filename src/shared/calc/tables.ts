import { cellNumberText } from './hsd.ts';

/** Tables of any columns, as files and the clipboard hold them (docs/specification.md §13.5). */

/** Rows of one sheet with a value, beside those for headings. */
export const TABLE_MAX_ROWS = 5_000;
/** A title, a blank and a merged heading may be above the rows. */
export const TABLE_HEADING_ROWS = 20;
export const TABLE_MAX_SHEETS = 50;

/** Larger numbers have lost digits in the file; their exponent says so. */
const exactUpTo = 2 ** 53;

/**
 * The text of a spreadsheet's number as a person typed it: without the noise of floating point, without the grouping and
 * the currency of its format, with the zeros that its format puts in front ('000123'). `shown` is what the sheet shows.
 */
export function numberText(value: number, shown: string): string {
  if (Math.abs(value) >= exactUpTo) return value.toExponential().toUpperCase();
  if (/%\s*$/.test(shown)) return `${cellNumberText(value * 100)}%`;
  const digits = shown.replace(/₹|Rs\.?|INR|[\s,()+$€_-]/gi, '');
  const isNumberOnly = /^\d*\.?\d*(E[+-]?\d+)?$/i.test(digits);
  // In a column that is too narrow a sheet shows #### instead of the number.
  const isHidden = /^#+$/.test(digits);
  return (isNumberOnly && !/^0\d/.test(digits)) || isHidden ? cellNumberText(value) : shown;
}
