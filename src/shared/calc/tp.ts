import { asciiDigits } from './digits.ts';

/**
 * What TP numbers are compared by: upper case, without any spaces, and 12345.0 is 12345 (docs/specification.md §11.2).
 * Leading zeros count: '000123' is not '123'.
 */
export function tpKey(text: string): string {
  return asciiDigits(text)
    .replace(/\s/g, '')
    .toUpperCase()
    .replace(/^(\d+)\.0+$/, '$1');
}

/** Too many shorter numbers differ in only one character, so that a near match of them means nothing. */
const leastLength = 4;

/**
 * How the TP key of a bill may still mean that of a challan: leading zeros were lost, or one character is replaced, missing
 * or added. null: it does not.
 */
export function nearness(billed: string, challan: string): 'zeros' | 'character' | null {
  if (billed === challan) return null;
  const withoutZeros = billed.replace(/^0+/, '');
  if (withoutZeros !== '' && withoutZeros === challan.replace(/^0+/, '')) return 'zeros';
  const [short, long] = billed.length <= challan.length ? [billed, challan] : [challan, billed];
  if (short.length < leastLength || long.length - short.length > 1) return null;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = same + (long.length === short.length ? 1 : 0);
  return short.slice(rest) === long.slice(same + 1) ? 'character' : null;
}

/** Whether a spreadsheet has shortened a long number to 2.40901E+12: its last digits are lost, so it can never match. */
export function hasLostDigits(tpText: string): boolean {
  return /^\d(\.\d+)?E\+\d+$/.test(tpKey(tpText));
}
