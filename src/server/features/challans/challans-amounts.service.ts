import {
  figuresAfterEdit,
  backComputeTdsPercentage,
  changedAmountInputs,
  checkDerived,
} from '../../../shared/calc/challan-amounts.ts';
import {
  amountInputs,
  challanFigures,
  derivedFields,
  excessWeight,
  type ChallanAmountsInput,
  type ChallanFigures,
  type DerivedField,
} from '../../../shared/calc/challan-figures.ts';
import { challanErrors, editErrors, type ChallanErrors } from '../../../shared/calc/challan-rules.ts';
import { isZero } from '../../../shared/calc/money.ts';
import { challanFields, type ChallanValues } from '../../../shared/contract/challan-fields.ts';
import { Refusal } from '../../refusal.ts';

/** The figures of a challan that are always computed here, whatever the client sent (docs/specification.md §14.9). */
export type Figures = Pick<ChallanValues, DerivedField>;

export type SentFigures = { readonly [field in DerivedField]?: string | undefined };

/** Computes the figures of a new challan. Refuses sent figures that differ by more than 0.01. */
export function computeNewFigures(values: Omit<ChallanValues, DerivedField>, sent: SentFigures): Figures {
  const amounts = challanFigures({ ...inputsOf(values), materialShortageAmount: sent.materialShortageAmount });
  refuseMismatches(sent, amounts);
  return completeFigures(amounts);
}

/**
 * Computes the figures after a change. A stored figure stays to the paisa until one of its own inputs changes
 * (docs/specification.md §8.4.3). The material rate is not stored, so the material shortage also stays unless it is
 * sent; it becomes 0 when the weights leave no shortage.
 */
export function computeChangedFigures(
  before: ChallanValues,
  after: Omit<ChallanValues, DerivedField>,
  sent: SentFigures,
): Figures {
  const isUntouched =
    amountFields.every((field) => after[field] === before[field]) &&
    derivedFields.every((field) => sent[field] === undefined);
  // Most changes concern a tag, a place or a day. Then the figures need not be computed again, which matters for
  // thousands of challans at once.
  if (isUntouched) return pickFigures(before);
  const materialShortageAmount =
    sent.materialShortageAmount ??
    (isZero(before.materialShortageAmount) || isZero(excessWeight(after)) ? '0.00' : before.materialShortageAmount);
  // A challan may be stored without its TDS percentage, which is then derived (docs/specification.md §8.4.3).
  const was = { ...before, tdsPercentage: before.tdsPercentage ?? backComputeTdsPercentage(before) };
  const now = {
    ...after,
    tdsPercentage: after.tdsPercentage ?? backComputeTdsPercentage(before),
    materialShortageAmount,
  };
  const amounts = figuresAfterEdit(before, changedAmountInputs(was, now), now);
  refuseMismatches(sent, amounts);
  return completeFigures(amounts);
}

/** The stored inputs of the figures, kept as they were entered. */
const amountFields = amountInputs.filter((field) => field !== 'materialRate' && field !== 'materialShortageAmount');

// The result is complete: every one of these fields is present.
const inputsOf = (values: Omit<ChallanValues, DerivedField>): ChallanAmountsInput =>
  Object.fromEntries(amountFields.map((field) => [field, values[field]]));

// The result has every figure.
const pickFigures = (of: Figures): Figures =>
  Object.fromEntries(derivedFields.map((field) => [field, of[field]])) as Figures;

function refuseMismatches(sent: SentFigures, amounts: ChallanFigures): void {
  const mismatches = checkDerived(sent, amounts).map(
    ({ field, sent: given, computed }) =>
      [
        field,
        `${challanFields[field].label} was sent as ${given}, but it comes to ${computed ?? '—'}. Reload and check the figures.`,
      ] as const,
  );
  const first = mismatches[0];
  if (first) throw new Refusal('AMOUNT_MISMATCH', first[1], { fields: Object.fromEntries(mismatches) });
}

/** Returns the figures in their stored form. They are all known, because weights and rate are required. */
function completeFigures(amounts: ChallanFigures): Figures {
  const { differenceWeight, netAmountPayable } = amounts;
  if (differenceWeight === null || netAmountPayable === null) throw new Error('A complete challan has all its figures');
  return pickFigures({ ...amounts, differenceWeight, netAmountPayable });
}

/**
 * Checks a complete new challan against the rules of docs/specification.md §8.3 that its schema cannot check: stored
 * fields, and figures too large to store.
 */
export function checkNew(values: ChallanValues, ownerId: string): void {
  refuseErrors(challanErrors({ ...values, ownerId }, 'create', values));
}

/** Checks a changed challan like checkNew, but leaves out the errors that editErrors leaves out. */
export function checkChange(before: ChallanValues, after: ChallanValues): void {
  refuseErrors(editErrors(before, after, after));
}

function refuseErrors(errors: ChallanErrors): void {
  const first = Object.values(errors)[0];
  if (first !== undefined) throw new Refusal('VALIDATION_ERROR', first, { fields: errors });
}
