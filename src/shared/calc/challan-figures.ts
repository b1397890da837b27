import {
  atLeastZero,
  isAmount,
  lesser,
  MoneyError,
  multiply,
  parseAmount,
  roundHalfUp,
  subtract,
  sum,
} from './money.ts';

/**
 * The one calculation of a challan (docs/specification.md §8.4). In words:
 *   difference weight     = loading − unloading (signed)
 *   charged weight        = the lesser of loading and unloading
 *   TDS amount            = TDS percent of charged weight × rate; 0 while a part of it is empty
 *   HSD amount            = HSD price per liter × HSD liters
 *   shortage amount       = max(0, difference − discount weight) × rate; shown, not deducted
 *   material shortage     = max(0, difference − discount weight) × material rate
 *   net amount payable    = charged weight × rate − TDS − HSD − advance − material shortage − office charges
 * Every line is computed exactly and rounded half-up to two decimals once. The rounded lines are subtracted, so printed
 * lines add up. A blank unloading weight gives TDS 0 and no net.
 */

export const amountInputs = [
  'loadingWeight',
  'unloadingWeight',
  'ratePerMT',
  'tdsPercentage',
  'hsdPricePerLiter',
  'hsdInLiters',
  'advanceMoney',
  'officeCharges',
  'discountWeight',
  'materialRate',
  'materialShortageAmount',
] as const;
export type AmountInput = (typeof amountInputs)[number];

/**
 * Decimal strings as the API accepts them; empty, null and absent mean the same. A materialShortageAmount that is given is
 * used as it is, because it is an input of the API and its rate is not stored. Otherwise it is computed from materialRate.
 */
export type ChallanAmountsInput = { readonly [Field in AmountInput]?: string | null | undefined };

export const derivedFields = [
  'differenceWeight',
  'tdsAmount',
  'hsdAmount',
  'shortageAmount',
  'materialShortageAmount',
  'netAmountPayable',
] as const;
export type DerivedField = (typeof derivedFields)[number];

/** The figures of a challan that are computed and stored, with two decimals. null: not known, shown as "—". */
export interface ChallanFigures {
  differenceWeight: string | null;
  chargedWeight: string | null;
  /** charged weight × rate, the first line of the sum */
  grossAmount: string | null;
  tdsAmount: string;
  hsdAmount: string;
  shortageAmount: string;
  materialShortageAmount: string;
  netAmountPayable: string | null;
}

/** The amount of a field, or null where it is empty. Throws MoneyError for text that is not an amount. */
export function given(input: ChallanAmountsInput, field: AmountInput): string | null {
  const value = input[field];
  if (value === undefined || value === null || value === '') return null;
  if (!isAmount(value)) throw new MoneyError(`${field} is not an amount: ${JSON.stringify(value)}`);
  return parseAmount(value);
}

export function orZero(value: string | null): string {
  return value ?? '0.00';
}

/** The weight that a shortage is charged for: max(0, difference − discount weight). */
export function excessWeight(input: ChallanAmountsInput): string {
  const loading = given(input, 'loadingWeight');
  const unloading = given(input, 'unloadingWeight');
  if (loading === null || unloading === null) return '0.00';
  return atLeastZero(subtract(subtract(loading, unloading), orZero(given(input, 'discountWeight'))));
}

/** charged × rate × percent / 100, rounded once. 0 when one of the three is empty. */
function tdsOf(charged: string | null, rate: string | null, percentage: string | null): string {
  if (charged === null || rate === null || percentage === null) return '0.00';
  return atLeastZero(roundHalfUp(multiply(multiply(multiply(charged, rate), percentage), '0.01')));
}

export function netOf(gross: string | null, deductions: readonly string[]): string | null {
  return gross === null ? null : subtract(gross, sum(deductions));
}

/** Only the figures, for sample data and the server; computeChallan adds the breakdown that people read. */
export function challanFigures(input: ChallanAmountsInput): ChallanFigures {
  const loading = given(input, 'loadingWeight');
  const unloading = given(input, 'unloadingWeight');
  const rate = given(input, 'ratePerMT');
  const known = loading !== null && unloading !== null;
  const charged = known ? lesser(loading, unloading) : null;
  const excess = excessWeight(input);
  const grossAmount = charged === null || rate === null ? null : roundHalfUp(multiply(charged, rate));
  const tdsAmount = tdsOf(charged, rate, given(input, 'tdsPercentage'));
  const hsdAmount = roundHalfUp(
    multiply(orZero(given(input, 'hsdPricePerLiter')), orZero(given(input, 'hsdInLiters'))),
  );
  const materialShortageAmount =
    given(input, 'materialShortageAmount') ?? roundHalfUp(multiply(excess, orZero(given(input, 'materialRate'))));
  return {
    differenceWeight: known ? subtract(loading, unloading) : null,
    chargedWeight: charged,
    grossAmount,
    tdsAmount,
    hsdAmount,
    shortageAmount: roundHalfUp(multiply(excess, orZero(rate))),
    materialShortageAmount,
    netAmountPayable: netOf(grossAmount, [
      tdsAmount,
      hsdAmount,
      orZero(given(input, 'advanceMoney')),
      materialShortageAmount,
      orZero(given(input, 'officeCharges')),
    ]),
  };
}
