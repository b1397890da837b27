import {
  compare,
  formatPercentage,
  isZero,
  normalizeTyped,
  numberExpected,
  roundHalfUp,
  type TypedAmount,
} from './money.ts';

export const declaredError = 'TDS percentage is 0 while a declaration of the owner is valid';

const least = '0.1';
const most = '100';

/** The error of a percentage outside 0.1 to 100 (docs/specification.md §8.3.2); null: it is inside. */
export function tdsRangeError(percentage: string): string | null {
  if (compare(percentage, least) < 0) return 'TDS percentage must be greater than 0';
  return compare(percentage, most) > 0 ? 'TDS percentage cannot exceed 100%' : null;
}

/**
 * Reads a typed TDS percentage and rounds it to one decimal. It accepts what an amount field accepts, and also "2%" and
 * "2 %". Rounding never brings a value into the range: 0.05 is refused and not read as 0.1.
 */
export function readTdsPercentage(text: string): TypedAmount {
  const typed = normalizeTyped(text.replace(/(\S)\s*%\s*$/, '$1'), mostDecimals);
  if ('error' in typed) return typed.error === numberExpected ? { error: 'Enter a percentage such as 1.5.' } : typed;
  if (typed.value === '') return typed;
  const value = roundHalfUp(typed.value, 1);
  const error = tdsRangeError(typed.value);
  if (error && !tdsRangeError(value)) return { error };
  return { value, isRounded: compare(value, typed.value) !== 0 };
}

/** As many decimals as `normalizeTyped` accepts, so that nothing that was typed is rounded before the range is checked. */
const mostDecimals = 30;

/**
 * The hint beside a typed percentage that differs from the owner's usual one, which is that of the owner's last challan
 * (docs/specification.md §27.6). It does not prevent saving.
 */
export function unusualTds(
  text: string,
  usual: string | undefined,
  of: 'last challan' | 'last other challan' = 'last challan',
): string | undefined {
  const read = readTdsPercentage(text);
  if (!usual || isZero(usual) || 'error' in read || read.value === '' || compare(read.value, usual) === 0)
    return undefined;
  return `The owner’s ${of} has ${formatPercentage(usual)} %`;
}
