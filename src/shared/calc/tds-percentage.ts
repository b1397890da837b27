import { compare, formatPercentage, normalizeTyped, numberExpected, roundHalfUp, type TypedAmount } from './money.ts';

const least = '0.1';
const most = '100';

/** docs/specification.md §8.3.2: from 0.1 to 100; null: within. */
export function tdsRangeError(percentage: string): string | null {
  if (compare(percentage, least) < 0) return 'TDS percentage must be greater than 0';
  return compare(percentage, most) > 0 ? 'TDS percentage cannot exceed 100%' : null;
}

/**
 * A typed TDS percentage, rounded to one decimal: as an amount, and "2%" and "2 %" as well. Rounding never brings it into
 * the range: 0.05 is refused, not read as 0.1.
 */
export function readTdsPercentage(text: string): TypedAmount {
  const typed = normalizeTyped(text.replace(/(\S)\s*%\s*$/, '$1'), mostDecimals);
  if ('error' in typed) return typed.error === numberExpected ? { error: 'Enter a percentage such as 1.5.' } : typed;
  if (typed.value === '') return typed;
  const value = roundHalfUp(typed.value, 1);
  const error = tdsRangeError(typed.value);
  if (error && !tdsRangeError(value)) return { error };
  return { value, rounded: compare(value, typed.value) !== 0 };
}

/** As many as `normalizeTyped` reads: all that was typed. */
const mostDecimals = 30;

/**
 * Said beside a typed percentage that is not the owner's usual one, which is that of its last challan
 * (docs/specification.md §27.6). It never keeps anybody from saving.
 */
export function unusualTds(
  text: string,
  usual: string | undefined,
  of: 'last challan' | 'last other challan' = 'last challan',
): string | undefined {
  const read = readTdsPercentage(text);
  if (!usual || 'error' in read || read.value === '' || compare(read.value, usual) === 0) return undefined;
  return `The owner’s ${of} has ${formatPercentage(usual)} %`;
}
