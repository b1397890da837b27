import {
  add,
  atLeastZero,
  compare,
  divide,
  exceedsCeiling,
  isAmount,
  isPositive,
  isZero,
  lesser,
  MoneyError,
  multiply,
  normalizeTyped,
  normalizeTypedPercentage,
  parseAmount,
  roundHalfUp,
  subtract,
  sum,
  type TypedAmount,
} from './money.ts';
import { breakdownLines } from './challan-breakdown.ts';
import type { BreakdownLine } from './challan-breakdown.ts';

/**
 * THE challan calculation (part 2 §9; rulings 16 to 20). In words:
 *   difference weight     = loading − unloading (signed)
 *   charged weight        = the lesser of loading and unloading
 *   TDS amount            = TDS percent of charged weight × rate; 0 while a part of it is empty
 *   HSD amount            = HSD price per liter × HSD liters
 *   shortage amount       = max(0, difference − discount weight) × rate; shown, not deducted (ruling 16)
 *   material shortage     = max(0, difference − discount weight) × material rate
 *   net amount payable    = charged weight × rate − TDS − HSD − advance − material shortage − office charges
 * Every line is worked exactly and rounded half-up to two decimals once; the rounded lines are what is subtracted, so
 * printed lines add up (ruling 17). A blank unloading weight gives TDS 0 and no net.
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
 * Decimal strings as the wire accepts them; empty, null and absent mean the same. When materialShortageAmount is given it
 * is used as it is (on the wire it is an input, its rate is not stored); otherwise it is worked out from materialRate.
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

/** The figures of a challan that are computed and stored. Two decimals; null: not known (shown as "—"). */
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

export interface ChallanAmounts extends ChallanFigures {
  /** Line by line; the '+' lines less the '-' lines are the net, exactly. */
  breakdown: BreakdownLine[];
  /** Figures with more than 12 digits before the point: they can neither be sent nor stored. */
  tooLarge: DerivedField[];
  /** On edit: the stored material shortage fell to 0 because it must be worked out again and the material rate is empty. */
  materialRateMissing: boolean;
}

/** The computed figures as a stored challan carries them. */
export type StoredFigures = Record<Exclude<DerivedField, 'netAmountPayable'>, string> & { netAmountPayable: string };

function given(input: ChallanAmountsInput, field: AmountInput): string | null {
  const value = input[field];
  if (value === undefined || value === null || value === '') return null;
  if (!isAmount(value)) throw new MoneyError(`${field} is not an amount: ${JSON.stringify(value)}`);
  return parseAmount(value);
}

function orZero(value: string | null): string {
  return value ?? '0.00';
}

/** max(0, difference − discount weight): the weight a shortage is charged for. */
export function excessWeight(input: ChallanAmountsInput): string {
  const loading = given(input, 'loadingWeight');
  const unloading = given(input, 'unloadingWeight');
  if (loading === null || unloading === null) return '0.00';
  return atLeastZero(subtract(subtract(loading, unloading), orZero(given(input, 'discountWeight'))));
}

/** charged × rate × percent / 100, rounded once. Part 2 §9: 0 when the percentage is empty or 0. */
function tdsOf(charged: string | null, rate: string | null, percentage: string | null): string {
  if (charged === null || rate === null || percentage === null) return '0.00';
  return atLeastZero(roundHalfUp(multiply(multiply(multiply(charged, rate), percentage), '0.01')));
}

function netOf(gross: string | null, deductions: readonly string[]): string | null {
  return gross === null ? null : subtract(gross, sum(deductions));
}

/** The figures alone, for the seed and the server; computeChallan adds the breakdown for people. */
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

function withBreakdown(input: ChallanAmountsInput, figures: ChallanFigures, materialRateMissing: boolean) {
  const tooLarge = derivedFields.filter((field) => {
    const value = figures[field];
    return value !== null && exceedsCeiling(value);
  });
  return { ...figures, breakdown: breakdownLines(input, figures), tooLarge, materialRateMissing };
}

/** All figures and the breakdown of a new challan. Throws MoneyError when a given input is not an amount of the wire. */
export function computeChallan(input: ChallanAmountsInput): ChallanAmounts {
  return withBreakdown(input, challanFigures(input), false);
}

/** The amount as it will be sent, or why the text cannot be read. TDS has one decimal, everything else two (part 2 §9). */
export const readInput = (field: AmountInput, text: string): TypedAmount =>
  field === 'tdsPercentage' ? normalizeTypedPercentage(text) : normalizeTyped(text);

/**
 * Texts as they stand in the form's fields, also half typed, made an input: "1,23,456.50" is read, what cannot be read
 * (yet) counts as empty. The field itself says what is wrong with it when it is left.
 */
export function amountsFromTyped(texts: ChallanAmountsInput): ChallanAmountsInput {
  const input: { [Field in AmountInput]?: string } = {};
  for (const field of amountInputs) {
    const typed = readInput(field, texts[field] ?? '');
    if ('value' in typed && typed.value !== '') input[field] = typed.value;
  }
  return input;
}

/**
 * The inputs that differ in value between a stored challan and an edited one ("5" and "5.00" do not). Blank and 0 are one
 * where blank counts as 0; they differ for weights and rate, and for the material rate, where a typed 0 is an act.
 */
export function changedAmountInputs(before: ChallanAmountsInput, after: ChallanAmountsInput): AmountInput[] {
  const blankDiffers: AmountInput[] = ['loadingWeight', 'unloadingWeight', 'ratePerMT', 'materialRate'];
  return amountInputs.filter((field) => {
    const old = given(before, field);
    const now = given(after, field);
    if ((old === null || now === null) && blankDiffers.includes(field)) return old !== now;
    return compare(orZero(old), orZero(now)) !== 0;
  });
}

/** Which inputs each figure is worked out from. */
export const dependsOn: Record<DerivedField, readonly AmountInput[]> = {
  differenceWeight: ['loadingWeight', 'unloadingWeight'],
  tdsAmount: ['loadingWeight', 'unloadingWeight', 'ratePerMT', 'tdsPercentage'],
  hsdAmount: ['hsdPricePerLiter', 'hsdInLiters'],
  shortageAmount: ['loadingWeight', 'unloadingWeight', 'discountWeight', 'ratePerMT'],
  materialShortageAmount: [
    'loadingWeight',
    'unloadingWeight',
    'discountWeight',
    'materialRate',
    'materialShortageAmount',
  ],
  netAmountPayable: amountInputs.filter((field) => field !== 'discountWeight' && field !== 'materialRate'),
};

/**
 * The amounts after an edit (ruling 18): a stored figure stays to the paisa until one of its own inputs is changed.
 * `changedFields` names the changed inputs (changedAmountInputs finds them), `input` holds all inputs as they are now.
 * The material shortage follows the material rate once weights, discount or material rate are changed, unless
 * input.materialShortageAmount says it outright (the server's case: there the rate is not known).
 */
export function amountsAfterEdit(
  stored: StoredFigures,
  changedFields: Iterable<AmountInput>,
  input: ChallanAmountsInput,
): ChallanAmounts {
  const changed = new Set(changedFields);
  const isTouched = (field: DerivedField) => dependsOn[field].some((name) => changed.has(name));
  const fresh = challanFigures(input);
  const materialShortageAmount = isTouched('materialShortageAmount')
    ? fresh.materialShortageAmount
    : stored.materialShortageAmount;
  const figures: ChallanFigures = {
    ...fresh,
    differenceWeight: isTouched('differenceWeight') ? fresh.differenceWeight : stored.differenceWeight,
    tdsAmount: isTouched('tdsAmount') ? fresh.tdsAmount : stored.tdsAmount,
    hsdAmount: isTouched('hsdAmount') ? fresh.hsdAmount : stored.hsdAmount,
    shortageAmount: isTouched('shortageAmount') ? fresh.shortageAmount : stored.shortageAmount,
    materialShortageAmount,
  };
  const hasNewNet =
    isTouched('netAmountPayable') || compare(materialShortageAmount, stored.materialShortageAmount) !== 0;
  figures.netAmountPayable = hasNewNet
    ? netOf(fresh.grossAmount, [
        figures.tdsAmount,
        figures.hsdAmount,
        orZero(given(input, 'advanceMoney')),
        materialShortageAmount,
        orZero(given(input, 'officeCharges')),
      ])
    : stored.netAmountPayable;
  const materialRateMissing =
    isTouched('materialShortageAmount') &&
    isPositive(stored.materialShortageAmount) &&
    isZero(materialShortageAmount) &&
    given(input, 'materialRate') === null &&
    given(input, 'materialShortageAmount') === null &&
    isPositive(excessWeight(input));
  return withBreakdown(input, figures, materialRateMissing);
}

/**
 * Part 2 §9 with ruling 18: only for a challan stored without its percentage. amount / (charged weight × rate) × 100 with
 * one decimal; null when there is nothing to divide by. The charged weight, as the amount was worked from it (ruling 16).
 */
export function backComputeTdsPercentage(challan: {
  tdsAmount: string;
  loadingWeight: string;
  unloadingWeight: string;
  ratePerMT: string;
}): string | null {
  const base = multiply(lesser(challan.loadingWeight, challan.unloadingWeight), challan.ratePerMT);
  return divide(multiply(challan.tdsAmount, '100'), base, 1);
}

export interface DerivedMismatch {
  field: DerivedField;
  sent: string;
  computed: string | null;
}

/**
 * The sent derived figures that differ from the computed ones by more than 0.01 (wire: AMOUNT_MISMATCH). Absent ones are
 * not compared; materialShortageAmount is an input on the wire and never differs from itself.
 */
export function checkDerived(
  sent: { readonly [Field in DerivedField]?: string | null | undefined },
  computed: ChallanFigures,
): DerivedMismatch[] {
  const mismatches: DerivedMismatch[] = [];
  for (const field of derivedFields) {
    const value = sent[field];
    if (value === undefined || value === null || value === '') continue;
    const expected = computed[field];
    const isClose =
      expected !== null &&
      compare(value, subtract(expected, '0.01')) >= 0 &&
      compare(value, add(expected, '0.01')) <= 0;
    if (!isClose) mismatches.push({ field, sent: value, computed: expected });
  }
  return mismatches;
}

/** Messages of part 2 §5; the third is the wire's rule. Null: the amount may stand. */
export function materialShortageError(input: ChallanAmountsInput): string | null {
  const value = input.materialShortageAmount;
  if (value === undefined || value === null || value === '') return 'Material shortage amount is required';
  if (!isAmount(value)) return 'Material shortage amount must be a positive number or zero';
  if (!isZero(value) && isZero(excessWeight(input))) {
    return 'Material shortage amount must be 0 when the difference weight is not above the discount weight';
  }
  return null;
}
