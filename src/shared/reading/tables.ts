import { cellNumberText } from './pump-bill.ts';

/** Tables with any columns, from files and from the clipboard (docs/specification.md §13.5). */

/** The most rows with a value in one sheet, not counting the rows for headings. */
export const TABLE_MAX_ROWS = 5_000;
/** How many rows may be above the data: a title, a blank row, a merged heading. */
export const TABLE_HEADING_ROWS = 20;
export const TABLE_MAX_SHEETS = 50;

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
  const isNumberOnly = /^\d*\.?\d*(E[+-]?\d+)?$/i.test(digits);
  // A sheet shows #### instead of a number when the column is too narrow.
  const isHidden = /^#+$/.test(digits);
  return (isNumberOnly && !/^0\d/.test(digits)) || isHidden ? cellNumberText(value) : shown;
}
