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

/** Shorter numbers have too many neighbours to mean anything. */
const leastLength = 4;

/** How a TP key of a bill could be that of a challan: it has lost zeros in front, or one character differs; else null. */
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

/** A spreadsheet shows a long number as 2.40901E+12: its last digits are lost, so it can never match. */
export function hasLostDigits(tpText: string): boolean {
  return /^\d(\.\d+)?E\+\d+$/.test(tpKey(tpText));
}
