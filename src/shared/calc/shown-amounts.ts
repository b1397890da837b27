import { dependsOn, readInput } from './challan-amounts.ts';
import { amountInputs } from './challan-figures.ts';
import type { ChallanAmounts } from './challan-amounts.ts';
import type { AmountInput, ChallanAmountsInput, DerivedField } from './challan-figures.ts';
import type { BreakdownLine } from './challan-breakdown.ts';

/** The inputs whose text cannot be read: "12,50", "-5". What depends on them is not known until they are corrected. */
export function unreadInputs(texts: ChallanAmountsInput): AmountInput[] {
  return amountInputs.filter((field) => 'error' in readInput(field, texts[field] ?? ''));
}

/** Amounts as a form shows them while the user types. A figure whose inputs cannot be read is null too, shown as "—". */
export type ShownAmounts = Pick<ChallanAmounts, 'breakdown' | 'tooLarge' | 'materialRateMissing'> & {
  [Figure in DerivedField]: string | null;
};

const lineInputs: Record<Exclude<BreakdownLine['key'], DerivedField>, readonly AmountInput[]> = {
  grossAmount: ['loadingWeight', 'unloadingWeight', 'ratePerMT'],
  advanceMoney: ['advanceMoney'],
  officeCharges: ['officeCharges'],
  // The difference between the stored net and the formula: unknown when the net is unknown.
  recorded: amountInputs,
};

/**
 * The amounts, with null for every figure that would be wrong while the inputs in `unread` cannot be read, or while a
 * stored material shortage waits for its rate. The net is always one of them: a deduction that cannot be read must not
 * look like no deduction.
 */
export function shownAmounts(amounts: ChallanAmounts, unread: readonly AmountInput[]): ShownAmounts {
  const unknown: readonly AmountInput[] = amounts.materialRateMissing ? [...unread, 'materialRate'] : unread;
  if (unknown.length === 0) return amounts;
  const isKnown = (inputs: readonly AmountInput[]) => !inputs.some((input) => unknown.includes(input));
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
