import { add, subtract } from '../../../shared/calc/money.ts';
import type { Challan, ChallanSummary } from '../../../shared/contract/challan.ts';
import { leavesFilter, type ListFilters } from './list-state.ts';

/**
 * The sums of the filter after one challan was marked or unmarked, without asking for the list again: its rows stay as
 * they are until the next load (docs/specification.md §8.1.1). A challan that leaves the filter leaves its sums, one
 * that returns returns.
 */
export function summaryAfter(
  summary: ChallanSummary,
  challan: Pick<Challan, 'netAmountPayable'>,
  isPaid: boolean,
  filters: Pick<ListFilters, 'paymentStatus'>,
): ChallanSummary {
  const net = challan.netAmountPayable;
  const wasIn = !leavesFilter(filters, { paymentStatus: !isPaid });
  const isIn = !leavesFilter(filters, { paymentStatus: isPaid });
  const next = { ...summary };
  if (wasIn) {
    next.totalCount -= 1;
    next.totalAmount = subtract(next.totalAmount, net);
    if (isPaid) {
      next.unpaidCount -= 1;
      next.unpaidAmount = subtract(next.unpaidAmount, net);
    } else {
      next.paidCount -= 1;
      next.paidAmount = subtract(next.paidAmount, net);
    }
  }
  if (isIn) {
    next.totalCount += 1;
    next.totalAmount = add(next.totalAmount, net);
    if (isPaid) {
      next.paidCount += 1;
      next.paidAmount = add(next.paidAmount, net);
    } else {
      next.unpaidCount += 1;
      next.unpaidAmount = add(next.unpaidAmount, net);
    }
  }
  return next;
}
