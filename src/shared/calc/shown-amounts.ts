import { amountInputs, dependsOn, readInput } from './challan-amounts.ts';
import type { AmountInput, ChallanAmounts, ChallanAmountsInput, DerivedField } from './challan-amounts.ts';
import type { BreakdownLine } from './challan-breakdown.ts';

/** The inputs whose text cannot be read (yet): "12,50", "-5". What they count towards is not known until they are mended. */
export function unreadInputs(texts: ChallanAmountsInput): AmountInput[] {
  return amountInputs.filter((field) => 'error' in readInput(field, texts[field] ?? ''));
}

/** Amounts as a form shows them while it is typed in: null (shown as "—") also where a part of the sum cannot be read. */
export type ShownAmounts = Pick<ChallanAmounts, 'breakdown' | 'tooLarge' | 'materialRateMissing'> & {
  [Figure in DerivedField]: string | null;
};

const lineInputs: Record<Exclude<BreakdownLine['key'], DerivedField>, readonly AmountInput[]> = {
  grossAmount: ['loadingWeight', 'unloadingWeight', 'ratePerMT'],
  advanceMoney: ['advanceMoney'],
  officeCharges: ['officeCharges'],
  // The rest of a stored net: with the net unknown, so is it.
  recorded: amountInputs,
};

/**
 * The figures without those that would be wrong while `unread` cannot be read. The net always is: a deduction that is not
 * understood must not look as if it were none.
 */
export function shownAmounts(amounts: ChallanAmounts, unread: readonly AmountInput[]): ShownAmounts {
  if (unread.length === 0) return amounts;
  const isKnown = (inputs: readonly AmountInput[]) => !inputs.some((input) => unread.includes(input));
  const figure = (field: Exclude<DerivedField, 'netAmountPayable'>) =>
    isKnown(dependsOn[field]) ? amounts[field] : null;
  return {
    differenceWeight: figure('differenceWeight'),
    tdsAmount: figure('tdsAmount'),
    hsdAmount: figure('hsdAmount'),
    shortageAmount: figure('shortageAmount'),
    materialShortageAmount: figure('materialShortageAmount'),
    netAmountPayable: null,
    tooLarge: amounts.tooLarge,
    materialRateMissing: amounts.materialRateMissing,
    breakdown: amounts.breakdown.flatMap((line) => {
      if (line.key === 'recorded') return [];
      const inputs = { ...dependsOn, ...lineInputs }[line.key];
      return [isKnown(inputs) ? line : { ...line, amount: null, how: '' }];
    }),
  };
}
