import { asciiDigits } from './digits.ts';

/**
 * TP numbers compare trimmed, upper-case and without inner spaces; a number shown as 12345.0 is 12345
 * (docs/specification.md §11.2). Zeros in front count: '000123' is not '123'.
 */
export function tpKey(text: string): string {
  return asciiDigits(text)
    .replace(/\s/g, '')
    .toUpperCase()
    .replace(/^(\d+)\.0+$/, '$1');
}

/** A spreadsheet shows a long number as 2.40901E+12: its last digits are lost, so it can never match. */
export function hasLostDigits(tpText: string): boolean {
  return /^\d(\.\d+)?E\+\d+$/.test(tpKey(tpText));
}
