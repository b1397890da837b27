import { challansText, countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatINR, isZero } from '../../../../shared/calc/money.ts';
import { challanFields } from '../../../../shared/contract/challan-fields.ts';
import {
  bulkFields,
  type BulkAction,
  type BulkResult,
  type BulkFieldName,
  type BulkPreview,
} from '../../../../shared/contract/challans-bulk.ts';
import { goneTexts, sameTexts } from '../../../kit/records/act-on-many.ts';

/** What can be done with the selected challans. The name of a field means that this field is set. */
export type ActName = BulkFieldName | 'paid' | 'unpaid' | 'verified' | 'unverified' | 'declared' | 'delete';

const actsWithoutValue: readonly { value: ActName; label: string }[] = [
  { value: 'paid', label: 'Mark as paid' },
  { value: 'unpaid', label: 'Mark as unpaid' },
  { value: 'verified', label: 'Mark HSD as verified' },
  { value: 'unverified', label: 'Remove HSD verification' },
  { value: 'declared', label: 'Set TDS to 0 by declaration' },
];
export const actOptions: readonly { value: ActName; label: string }[] = [
  ...bulkFields.map((value) => ({ value, label: `Set ${challanFields[value].label}` })),
  ...actsWithoutValue,
  { value: 'delete', label: 'Delete' },
];

const are = (count: number): string => (count === 1 ? 'is' : 'are');

/** 'Change 214 challans, ₹12,34,567.00' */
export const titleText = (count: number, amount: string): string =>
  `Change ${challansText(count)}, ${formatINR(amount)}`;

const paidText = (count: number): string =>
  count === 0
    ? ''
    : `; ${formatCount(count)} ${are(count)} paid and ${count === 1 ? 'stays as it is' : 'stay as they are'}`;

/** What the action would do, in one sentence with the count and the amount. */
export function previewText(act: BulkAction, preview: BulkPreview): string {
  const { changedCount, changedAmount, netChange, paidCount } = preview;
  const what = `${challansText(changedCount)}, ${formatINR(changedAmount)},`;
  const verb = are(changedCount);
  switch (act.kind) {
    case 'set':
    case 'declared':
      return `Net changes by ${formatINR(netChange)} on ${challansText(changedCount)}${paidText(paidCount)}.`;
    case 'paid':
      return act.value
        ? `${what} ${verb} marked paid in one payment${paidText(paidCount)}.`
        : `${what} ${verb} marked unpaid.`;
    case 'hsdVerified':
      return `The HSD of ${challansText(changedCount)} is ${act.value ? 'marked as verified' : 'no longer verified'}.`;
    case 'delete':
      return `${what} ${verb} deleted${paidText(paidCount)}.`;
  }
}

/** One sentence for each group of challans that would not change, and for what a payment leaves out or deducts. */
export function leftTexts({
  sameCount,
  refused,
  goneCount,
  negativeOwnerCount,
  negativeOwners,
  deductedAmount,
}: BulkPreview): string[] {
  const names = negativeOwners.map(({ name, amount }) => `${name} (${formatINR(amount)})`).join(', ');
  return [
    ...sameTexts(sameCount, challansText),
    ...refused.map(({ reason, count, challanNumbers }) => {
      const more = count - challanNumbers.length;
      const numbers = `${challanNumbers.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
      return `${challansText(count)} cannot be changed (${numbers}): ${reason}`;
    }),
    ...goneTexts(goneCount, challansText),
    ...(negativeOwnerCount === 0
      ? []
      : [
          `${countText(negativeOwnerCount, 'owner')} ${negativeOwnerCount === 1 ? 'has' : 'have'} a negative sum: ${names}.`,
        ]),
    ...(isZero(deductedAmount) ? [] : [`${formatINR(deductedAmount)} carried from earlier payments is deducted.`]),
  ];
}

/** Why the change cannot be confirmed, if no challan would change. */
export function nothingToDo(act: BulkAction, { changedCount, paidCount, count }: BulkPreview): string | undefined {
  if (changedCount > 0) return undefined;
  if (count === 0) return 'The selected challans no longer exist';
  if (paidCount > 0 && act.kind !== 'paid') return 'A paid challan stays as it is, and no other one would change';
  return 'None of the selected challans would change';
}

export function confirmText(act: BulkAction | undefined, count: number): string {
  if (!act) return 'Change';
  switch (act.kind) {
    case 'set':
    case 'declared':
      return `Change ${challansText(count)}`;
    case 'paid':
      return `Mark ${challansText(count)} as ${act.value ? 'paid' : 'unpaid'}`;
    case 'hsdVerified':
      return act.value ? `Verify HSD of ${challansText(count)}` : `Remove HSD verification of ${challansText(count)}`;
    case 'delete':
      return `Delete ${challansText(count)}`;
  }
}

export function doneText(act: BulkAction, { changedCount }: BulkResult): string {
  const what = challansText(changedCount);
  switch (act.kind) {
    case 'set':
    case 'declared':
      return `${what} changed`;
    case 'paid':
      return `${what} marked ${act.value ? 'paid' : 'unpaid'}`;
    case 'hsdVerified':
      return `HSD of ${what} ${act.value ? 'verified' : 'no longer verified'}`;
    case 'delete':
      return `${what} deleted`;
  }
}

/** The second line of the toast: the number of the payment or batch, and the amount. */
export function doneDetail(act: BulkAction, { batch, payment, netChange }: BulkResult): string {
  if (payment) return `${formatINR(payment.totalAmount)} · Payment ${payment.number}`;
  const net =
    (act.kind === 'set' || act.kind === 'declared') && !isZero(netChange)
      ? [`net changed by ${formatINR(netChange)}`]
      : [];
  return [...net, ...(batch ? [batch.number] : [])].join(' · ');
}
