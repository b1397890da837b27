import { isNegative, subtract, sum } from './money.ts';

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

export interface OwnerPayment {
  /** 'leftOut': less than zero would be left for the owner, so nothing is paid. 'nothing': no challan can be paid. */
  is: 'paid' | 'leftOut' | 'nothing';
  /** What can be paid, and what of it the owner gets: below zero for an owner who is left out. */
  challanCount: number;
  amount: string;
  balance: string;
}

/** What a payment would do with an owner. */
export function paymentOf({ challanCount, amount, heldCount, heldAmount, carriedAmount }: OwnerDue): OwnerPayment {
  const payable = { challanCount: challanCount - heldCount, amount: subtract(amount, heldAmount) };
  const balance = subtract(payable.amount, carriedAmount);
  const is = payable.challanCount <= 0 ? 'nothing' : isNegative(balance) ? 'leftOut' : 'paid';
  return { is, ...payable, balance };
}

/** The challans of an owner that are chosen and not on hold, with nothing carried. */
export function dueOf(amounts: readonly string[], carriedAmount = '0.00'): OwnerDue {
  return { challanCount: amounts.length, amount: sum(amounts), heldCount: 0, heldAmount: '0.00', carriedAmount };
}
