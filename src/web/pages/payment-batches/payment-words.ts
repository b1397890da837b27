import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';

/** '1 challan', '1,284 challans' */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-IN')} ${noun}${count === 1 ? '' : 's'}`;

/** '14 challans of 12 owners' */
export const challansOf = (challans: number, owners: number): string =>
  `${counted(challans, 'challan')} of ${counted(owners, 'owner')}`;

/** '16' as paid, '14 of 16' with two taken back. */
export const stillOf = (left: number, paid: number): string =>
  left === paid ? paid.toLocaleString('en-IN') : `${left.toLocaleString('en-IN')} of ${paid.toLocaleString('en-IN')}`;

type PaidNow = Pick<PaymentBatch, 'updatedCount' | 'paidCount'>;

/** How much of a payment was taken back: '2 of its 16 challans were undone'; undefined: none. */
export function undonePart({ updatedCount, paidCount }: PaidNow): string | undefined {
  const undone = updatedCount - paidCount;
  if (undone === 0) return undefined;
  if (updatedCount === 1) return 'its only challan was undone';
  const all = updatedCount.toLocaleString('en-IN');
  if (paidCount === 0) return `all of its ${all} challans were undone`;
  return `${undone.toLocaleString('en-IN')} of its ${all} challans ${undone === 1 ? 'was' : 'were'} undone`;
}

/** What whoever takes the file must know: it is the one that went to the bank, whatever was taken back since. */
export function fileNote(now: PaidNow, what = 'This file'): string | undefined {
  const part = undonePart(now);
  return part && `${what} is as it was when it was paid: ${part} since.`;
}
