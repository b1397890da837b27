import { isNegative, subtract } from './money.ts';

/**
 * What a payment does with the unpaid challans of one owner (docs/specification.md §10.5, §10.8, §10.10). This is the rule's home
 * in TypeScript; `payable.queries.ts` of the server says the same in SQL, and a test compares the two.
 */
export interface OwnerDue {
  /** The challans that are chosen, and the sum of their net amounts. Both include what is on hold. */
  challanCount: number;
  amount: string;
  /** Those of them that are on hold. They are never paid. If the owner is on hold, these are all. */
  heldCount: number;
  heldAmount: string;
  /** What earlier payments have carried; the next payment deducts it. */
  carriedAmount: string;
}

/** What the user decides for an owner of whom less than zero would be left: by default it is left out. */
export type BelowZero = 'leaveOut' | 'carry' | 'pay';

export interface OwnerPayment {
  /** 'leftOut': nothing is paid. 'carried': what the owner owes goes into its next payment. 'nothing': no challan can be paid. */
  is: 'paid' | 'carried' | 'leftOut' | 'nothing';
  /** What can be paid, and what of it is left for the owner: below zero for one who is left out or carried. */
  challanCount: number;
  amount: string;
  balance: string;
}

/** What a payment would do with an owner. */
export function paymentOf(due: OwnerDue, belowZero: BelowZero = 'leaveOut'): OwnerPayment {
  const payable = {
    challanCount: due.challanCount - due.heldCount,
    amount: subtract(due.amount, due.heldAmount),
  };
  const balance = subtract(payable.amount, due.carriedAmount);
  const isBelow = isNegative(balance) && belowZero !== 'pay';
  const is = payable.challanCount <= 0 ? 'nothing' : !isBelow ? 'paid' : belowZero === 'carry' ? 'carried' : 'leftOut';
  return { is, ...payable, balance };
}
