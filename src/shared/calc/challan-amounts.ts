import { breakdownLines, type BreakdownLine } from './challan-breakdown.ts';
import {
  amountInputs,
  derivedFields,
  challanFigures,
  excessWeight,
  given,
  orZero,
  netOf,
  type AmountInput,
  type ChallanAmountsInput,
  type ChallanFigures,
  type DerivedField,
} from './challan-figures.ts';
import {
  add,
  compare,
  divide,
  exceedsCeiling,
  isAmount,
  isPositive,
  isZero,
  lesser,
  multiply,
  normalizeTyped,
  subtract,
  type TypedAmount,
} from './money.ts';
import { readTdsPercentage } from './tds-percentage.ts';

export interface ChallanAmounts extends ChallanFigures {
  /** The lines of the sum. The '+' lines less the '-' lines are exactly the net. */
  breakdown: BreakdownLine[];
  /** Figures with more than 12 digits before the point: they can neither be sent nor stored. */
  tooLarge: DerivedField[];
  /**
   * Only on edit: the stored material shortage became 0, because it has to be computed again and the material rate is
   * empty.
   */
  materialRateMissing: boolean;
}

/** The computed figures as a stored challan carries them. */
export type StoredFigures = Record<Exclude<DerivedField, 'netAmountPayable'>, string> & { netAmountPayable: string };

export const tooLargeOf = (figures: Readonly<Record<DerivedField, string | null>>): DerivedField[] =>
  derivedFields.filter((field) => {
    const value = figures[field];
    return value !== null && exceedsCeiling(value);
  });

function withBreakdown(input: ChallanAmountsInput, figures: ChallanFigures, materialRateMissing: boolean) {
  return { ...figures, breakdown: breakdownLines(input, figures), tooLarge: tooLargeOf(figures), materialRateMissing };
}

/**
 * All figures and the breakdown of a new challan. Throws MoneyError when a given input is not an amount as the API
 * accepts it.
 */
export function computeChallan(input: ChallanAmountsInput): ChallanAmounts {
  return withBreakdown(input, challanFigures(input), false);
}

/**
 * Reads the text of a field as the amount that will be sent, or says why it cannot be read. TDS has one decimal,
 * everything else two (docs/specification.md §8.4.2).
 */
export const readInput = (field: AmountInput, text: string): TypedAmount =>
  field === 'tdsPercentage' ? readTdsPercentage(text) : normalizeTyped(text);

/**
 * Turns the texts of the form's fields into an input. "1,23,456.50" is read. A text that cannot be read, for example one
 * that is half typed, counts as empty: the field itself shows its error when it loses focus.
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
 * The inputs whose value differs between a stored challan and an edited one ("5" and "5.00" are the same value). Where a
 * blank counts as 0, blank and 0 are equal. For weights, rate and material rate they differ, because a 0 that is typed
 * there is a decision.
 */
export function changedAmountInputs(before: ChallanAmountsInput, after: ChallanAmountsInput): AmountInput[] {
  const blankDiffers: AmountInput[] = ['loadingWeight', 'unloadingWeight', 'ratePerMT', 'materialRate'];
  return amountInputs.filter((field) => {
    if (before[field] === after[field]) return false;
    const old = given(before, field);
    const now = given(after, field);
    if ((old === null || now === null) && blankDiffers.includes(field)) return old !== now;
    return compare(orZero(old), orZero(now)) !== 0;
  });
}

/** Which inputs each figure is computed from. */
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
 * The amounts after an edit (docs/specification.md §8.4.3): a stored figure stays as it is, to the paisa, until one of its
 * own inputs is changed. `changedFields` names the changed inputs (changedAmountInputs finds them); `input` holds all
 * inputs as they are now. The material shortage is computed from the material rate once weights, discount or material
 * rate are changed. On the server the rate is not known, so there input.materialShortageAmount gives the shortage itself.
 */
export function amountsAfterEdit(
  stored: StoredFigures,
  changedFields: Iterable<AmountInput>,
  input: ChallanAmountsInput,
): ChallanAmounts {
  const changed = new Set(changedFields);
  const figures = figuresAfterEdit(stored, changed, input);
  const materialRateMissing =
    isTouchedBy(changed, 'materialShortageAmount') &&
    isPositive(stored.materialShortageAmount) &&
    isZero(figures.materialShortageAmount) &&
    given(input, 'materialRate') === null &&
    given(input, 'materialShortageAmount') === null &&
    isPositive(excessWeight(input));
  return withBreakdown(input, figures, materialRateMissing);
}

const isTouchedBy = (changed: ReadonlySet<AmountInput>, field: DerivedField): boolean =>
  dependsOn[field].some((name) => changed.has(name));

/** Only the figures, which is what the server needs; amountsAfterEdit adds the breakdown that people read. */
export function figuresAfterEdit(
  stored: StoredFigures,
  changedFields: Iterable<AmountInput>,
  input: ChallanAmountsInput,
): ChallanFigures {
  const changed = new Set(changedFields);
  const isTouched = (field: DerivedField): boolean => isTouchedBy(changed, field);
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
  return figures;
}

/**
 * The TDS percentage of a challan that was stored without one (docs/specification.md §8.4.3):
 * amount / (charged weight × rate) × 100 with one decimal; null when there is nothing to divide by.
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
 * The derived figures of a request that differ from the computed ones by more than 0.01 (AMOUNT_MISMATCH). Figures that
 * were not sent are not compared. materialShortageAmount is an input of the API, so it is never a mismatch.
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

/**
 * What is wrong with a material shortage, in the messages of docs/specification.md §8.3.2; the third one is a rule of the
 * API (§14.9). Null: the amount is valid.
 */
export function materialShortageError(input: ChallanAmountsInput): string | null {
  const value = input.materialShortageAmount;
  if (value === undefined || value === null || value === '') return 'Material shortage amount is required';
  if (!isAmount(value)) return 'Material shortage amount must be a positive number or zero';
  if (!isZero(value) && isZero(excessWeight(input))) {
    return 'Material shortage amount must be 0 when the difference weight is not above the discount weight';
  }
  return null;
}
