import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { isNegative, isZero } from '../../../../shared/calc/money.ts';
import {
  excludedIds,
  requestOf,
  selectedAmount,
  selectedCount,
  type Matching,
  type Selection,
} from '../../../../shared/calc/selection.ts';
import {
  bankStatement as calls,
  type StatementFilters,
  type StatementSummary,
} from '../../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../../resources/bank-statement.ts';
import { call } from '../../../kit/api/client.ts';
import { useDebounced } from '../../../kit/ui/picker-state.ts';
import { reviewRequestOf } from './payment-plan.ts';

const debounceMs = 300;

/** Whether all that is chosen is paid: nothing is deducted, and neither an owner nor a chosen challan is below zero. */
function isPlain(
  selection: Selection<StatementFilters>,
  { negativeOwnerCount, deductedAmount }: StatementSummary,
): boolean {
  if (selection.mode !== 'ids' || negativeOwnerCount > 0 || !isZero(deductedAmount)) return false;
  return ![...selection.ids.values()].some(({ amount }) => isNegative(amount));
}

/**
 * What of the selection a payment pays, without owners below zero and less what is deducted; undefined: it is not known yet. The
 * owners of a selection may be on other pages, so the server is asked where they can make a difference.
 */
export function usePayable(
  {
    selection,
    summary,
    filters,
  }: { selection: Selection<StatementFilters>; summary?: StatementSummary | undefined; filters: StatementFilters },
  isPaused: boolean,
): Matching | undefined {
  const isAll = selection.mode === 'allMatching' && excludedIds(selection).length === 0;
  const isKnown = !summary || selection.mode === 'none' || isAll || isPlain(selection, summary);
  const asked = useMemo(
    () => (isKnown ? '' : JSON.stringify(reviewRequestOf({ filters, request: requestOf(selection) }))),
    [isKnown, filters, selection],
  );
  const [settled] = useDebounced(asked, debounceMs);
  const { data } = useQuery({
    queryKey: ['bank-statement', 'payable', settled],
    queryFn: ({ signal }) =>
      call(bankStatement.calls.review, { body: calls.review.body.parse(JSON.parse(settled)) }, { signal }),
    enabled: settled !== '' && settled === asked && !isPaused,
    gcTime: 0,
    retry: false,
  });
  if (!summary) return undefined;
  if (isAll) return summary.payment;
  if (isKnown) return { count: selectedCount(selection), amount: selectedAmount(selection) };
  return settled === asked ? data?.data.payment : undefined;
}
