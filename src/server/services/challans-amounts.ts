import {
  figuresAfterEdit,
  backComputeTdsPercentage,
  changedAmountInputs,
  checkDerived,
  computeChallan,
} from '../../shared/calc/challan-amounts.ts';
import {
  amountInputs,
  derivedFields,
  excessWeight,
  type ChallanAmountsInput,
  type ChallanFigures,
  type DerivedField,
} from '../../shared/calc/challan-figures.ts';
import {
  challanErrors,
  type ChallanErrors,
  type ChallanValues as RuledValues,
} from '../../shared/calc/challan-rules.ts';
import { isZero } from '../../shared/calc/money.ts';
import { challanFields, type ChallanValues } from '../../shared/contract/challan-fields.ts';
import { Refusal } from '../refusal.ts';

/** The figures of a challan that are computed here, whatever was sent (docs/specification.md §14.9). */
export type Figures = Pick<ChallanValues, DerivedField>;

export type SentFigures = { readonly [field in DerivedField]?: string | undefined };

/** Of a new challan. Refuses sent figures that differ by more than 0.01. */
export function figuresOfNew(values: Omit<ChallanValues, DerivedField>, sent: SentFigures): Figures {
  const amounts = computeChallan({ ...inputsOf(values), materialShortageAmount: sent.materialShortageAmount });
  checkSent(sent, amounts);
  return storable(amounts);
}

/**
 * After a change: a stored figure stays to the paisa until one of its own inputs changes
 * (docs/specification.md §8.4.3). The material rate is not stored, so the material shortage stays as well unless it is
 * sent; it becomes 0 when the weights leave no shortage.
 */
export function figuresAfterChange(
  before: ChallanValues,
  after: Omit<ChallanValues, DerivedField>,
  sent: SentFigures,
): Figures {
  const isUntouched =
    amountFields.every((field) => after[field] === before[field]) &&
    derivedFields.every((field) => sent[field] === undefined);
  // Most changes are of a tag, a place, a day: thousands of them at once need not be computed again.
  if (isUntouched) return figuresOf(before);
  const materialShortageAmount =
    sent.materialShortageAmount ??
    (isZero(before.materialShortageAmount) || isZero(excessWeight(after)) ? '0.00' : before.materialShortageAmount);
  const was = { ...before, tdsPercentage: before.tdsPercentage ?? percentageOf(before) };
  const now = { ...after, tdsPercentage: after.tdsPercentage ?? percentageOf(before), materialShortageAmount };
  const amounts = figuresAfterEdit(before, changedAmountInputs(was, now), now);
  checkSent(sent, amounts);
  return storable(amounts);
}

/** Only for a challan stored without its percentage (docs/specification.md §8.4.3). */
function percentageOf(stored: ChallanValues): string | null {
  return backComputeTdsPercentage(stored);
}

/** What the figures are computed from, and is stored as it was entered. */
const amountFields = amountInputs.filter((field) => field !== 'materialRate' && field !== 'materialShortageAmount');

// Every one of these fields is there.
const inputsOf = (values: Omit<ChallanValues, DerivedField>): ChallanAmountsInput =>
  Object.fromEntries(amountFields.map((field) => [field, values[field]]));

const figuresOf = ({
  differenceWeight,
  tdsAmount,
  hsdAmount,
  shortageAmount,
  materialShortageAmount,
  netAmountPayable,
}: Figures): Figures => ({
  differenceWeight,
  tdsAmount,
  hsdAmount,
  shortageAmount,
  materialShortageAmount,
  netAmountPayable,
});

function checkSent(sent: SentFigures, amounts: ChallanFigures): void {
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

/** Weights and rate are required, so every figure is known. */
function storable(amounts: ChallanFigures): Figures {
  const { differenceWeight, netAmountPayable } = amounts;
  if (differenceWeight === null || netAmountPayable === null) throw new Error('A complete challan has all its figures');
  return figuresOf({ ...amounts, differenceWeight, netAmountPayable });
}

/**
 * The rules of docs/specification.md §8.3 over a complete challan; what its schema cannot see: stored fields, figures
 * too large to store.
 */
export function checkNew(values: ChallanValues, ownerId: string): void {
  refuse(challanErrors(ruled({ ...values, ownerId }), 'create', values));
}

/** As checkNew, but errors that the stored challan already had and that did not change are ignored. */
export function checkChange(before: ChallanValues, after: ChallanValues): void {
  const errors = challanErrors(ruled(after), 'edit', after);
  if (Object.keys(errors).length === 0) return;
  const old = challanErrors(ruled(before), 'edit');
  refuse(
    Object.fromEntries(
      Object.entries(errors).filter(([field, message]) => old[field as keyof ChallanErrors] !== message),
    ),
  );
}

function refuse(errors: ChallanErrors): void {
  const first = Object.values(errors)[0];
  if (first !== undefined) throw new Refusal('VALIDATION_ERROR', first, { fields: errors });
}

/** The rules read amounts as the API accepts them, without a sign; they never check the signed figures. */
function ruled(values: ChallanValues & { ownerId?: string }): RuledValues {
  return values;
}
