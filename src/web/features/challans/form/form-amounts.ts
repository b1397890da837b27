import {
  amountsAfterEdit,
  amountsFromTyped,
  changedAmountInputs,
  computeChallan,
  readInput,
  type ChallanAmounts,
} from '../../../../shared/calc/challan-amounts.ts';
import { amountInputs, type AmountInput } from '../../../../shared/calc/challan-figures.ts';
import { formatAmount, formatPercentage } from '../../../../shared/calc/money.ts';
import { shownAmounts, unreadInputs, type ShownAmounts } from '../../../../shared/calc/shown-amounts.ts';
import type { Challan } from '../../../../shared/contract/challan.ts';
import { storedValues, type FieldName, type FormValues } from './form-values.ts';

/** The amounts that the user types. The material shortage is not one of them: it is computed from the material rate. */
export type AmountFieldName = Exclude<AmountInput, 'materialShortageAmount'>;
export const amountFields = amountInputs.filter((name): name is AmountFieldName => name !== 'materialShortageAmount');

export const isAmountField = (name: FieldName): name is AmountFieldName => amountFields.some((field) => field === name);

/** The amount as it will be sent, or the reason why the text cannot be read. */
export const readAmount = (name: AmountFieldName, text: string) => readInput(name, text);

/** An amount as its field shows it. A text that cannot be read is shown as it was typed. */
export function shownAmount(name: AmountFieldName, text: string): string {
  const read = readAmount(name, text);
  if (!('value' in read) || read.value === '') return text;
  return name === 'tdsPercentage' ? formatPercentage(read.value) : formatAmount(read.value);
}

/**
 * All computed amounts of the form. For a stored challan each amount stays exactly as it is until one of its own inputs
 * changes (docs/specification.md §8.4.3).
 */
export function figuresOf(values: Pick<FormValues, AmountFieldName>, stored: Challan | undefined): ChallanAmounts {
  const input = amountsFromTyped(values);
  if (!stored) return computeChallan(input);
  return amountsAfterEdit(stored, changedAmountInputs(amountsFromTyped(storedValues(stored)), input), input);
}

/** The same amounts as they are shown. An amount is unknown, and so is the net, while one of its inputs cannot be read. */
export const shownFigures = (values: Pick<FormValues, AmountFieldName>, stored: Challan | undefined): ShownAmounts =>
  shownAmounts(figuresOf(values, stored), unreadInputs(values));

/** Compares amounts by value: '5' is the same as '5.00'. A text that cannot be read counts as a change. */
export function isSameAmount(name: AmountFieldName, before: string, after: string): boolean {
  if (before === after) return true;
  if ('error' in readAmount(name, after)) return false;
  return changedAmountInputs(amountsFromTyped({ [name]: before }), amountsFromTyped({ [name]: after })).length === 0;
}
