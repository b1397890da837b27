import type { OwedChallan, OwedOwner } from '../../../shared/contract/bank-statement.ts';

/** What of an owner may be paid: nothing where it is on hold, and no challan that is. */
export function payableOf({ holdReason, heldCount, challans }: OwedOwner): readonly OwedChallan[] {
  if (heldCount === 0) return challans;
  return holdReason === '' ? challans.filter((challan) => challan.holdReason === '') : [];
}
