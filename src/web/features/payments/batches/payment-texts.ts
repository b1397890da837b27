import { challansText, countText, formatCount } from '../../../../shared/calc/count-text.ts';
import type { PaymentBatch } from '../../../../shared/contract/payment-batches.ts';

/** '14 challans of 12 owners' */
export const challansOfOwnersText = (challans: number, owners: number): string =>
  `${challansText(challans)} of ${countText(owners, 'owner')}`;

/** '16' if all are still paid, '14 of 16' once two were undone. */
export const stillPaidText = (left: number, paid: number): string =>
  left === paid ? formatCount(paid) : `${formatCount(left)} of ${formatCount(paid)}`;

type PaidNow = Pick<PaymentBatch, 'updatedCount' | 'paidCount'>;

/** How much of a payment was undone: '2 of its 16 challans were undone'; undefined if nothing was. */
export function undoneText({ updatedCount, paidCount }: PaidNow): string | undefined {
  const undone = updatedCount - paidCount;
  if (undone === 0) return undefined;
  if (updatedCount === 1) return 'its only challan was undone';
  const all = formatCount(updatedCount);
  if (paidCount === 0) return `all of its ${all} challans were undone`;
  return `${formatCount(undone)} of its ${all} challans ${undone === 1 ? 'was' : 'were'} undone`;
}

/** A note for the download: the file is the one that was made for the payment, whatever was undone since. */
export function fileNote(now: PaidNow, what = 'This file'): string | undefined {
  const part = undoneText(now);
  return part && `${what} shows the payment as it was made. Since then, ${part}.`;
}
