import { dayOf, formatDate } from '../../../../shared/calc/dates.ts';
import { compare, formatINR, isNegative } from '../../../../shared/calc/money.ts';
import type { Challan } from '../../../../shared/contract/challan.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import { today } from '../../../kit/forms/day-field.tsx';
import { figuresOf } from './form-amounts.ts';
import { changedFields, changesMoney } from './form-changes.ts';
import { storedValues, type FormValues } from './form-values.ts';

/** Asks for the confirmations that saving these values needs; undefined: it needs none. */
export function askBeforeSaving(stored: Challan | undefined, values: FormValues): Promise<boolean> | undefined {
  const net = figuresOf(values, stored).netAmountPayable;
  // Changing the amounts of a paid challan has to be confirmed (docs/specification.md §8.5).
  const paid = stored?.paymentStatus && changesMoney(changedFields(storedValues(stored), values)) ? stored : undefined;
  // A negative net has to be confirmed (docs/specification.md §8.3.2).
  const below = net !== null && isNegative(net) ? net : undefined;
  if (!paid && below === undefined) return undefined;
  return (async () => (!paid || (await allowsPaid(paid, net))) && (below === undefined || allowsBelowZero(below)))();
}

const allowsPaid = ({ challanNumber, netAmountPayable, paidAt }: Challan, net: string | null): Promise<boolean> =>
  confirm({
    title: 'Change the amounts of a paid challan?',
    body: [
      `${challanNumber} is marked as paid with ${formatINR(netAmountPayable)}.`,
      `It will be ${net === null ? 'without a net amount' : formatINR(net)} after this change.`,
      // Another net is paid anew. With it the deduction leaves the month and the quarter in which it was deposited.
      ...(paidAt !== null && dayOf(paidAt) !== today() && (net === null || compare(net, netAmountPayable) !== 0)
        ? [
            `It then counts as paid today and not on ${formatDate(dayOf(paidAt))}, in a TDS register by the day paid too.`,
          ]
        : []),
    ].join(' '),
    confirmLabel: 'Change amounts',
  });

const allowsBelowZero = (net: string): Promise<boolean> =>
  confirm({
    title: 'The net amount is below zero',
    body: `The deductions are more than the freight: the net amount payable is ${formatINR(net)}.`,
    confirmLabel: 'Save with this amount',
    danger: true,
  });
