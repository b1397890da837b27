import { useCallback, useEffect, useMemo, useState } from 'react';
import { afterReview, type Matching, type Selection } from '../../../shared/calc/selection.ts';
import type { SelectionReview, StatementFilters, StatementOwner } from '../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../api/resources.ts';
import { notify } from '../../feedback/toast.ts';
import { afterFilterChange, afterLoad, nothingSelectedYet } from './statement-selection.ts';
import { settleMs, toStatementFilters, type Filters } from './statement-state.ts';
import { useKeptSelection } from './use-kept-selection.ts';

const noOwners: readonly StatementOwner[] = [];

/** The value once it has not changed for a while; the first one at once. */
function useSettled<T>(value: T, key: string): { settled: T; isSettling: boolean } {
  const [state, setState] = useState({ value, key });
  useEffect(() => {
    if (state.key === key) return undefined;
    const timer = setTimeout(() => setState({ value, key }), settleMs);
    return () => clearTimeout(timer);
  }, [state.key, key, value]);
  return { settled: state.value, isSettling: state.key !== key };
}

/** A selection, or what makes it from the one before: two ticks may come before the screen has followed the first. */
export type NextSelection =
  Selection<StatementFilters> | ((before: Selection<StatementFilters>) => Selection<StatementFilters>);

/** The statement of a filter with the selection over it: what is shown, and what a payment would cover. */
export function useStatement(filters: Filters, page: number, limit: number) {
  const wanted = useMemo(() => toStatementFilters(filters), [filters]);
  const key = JSON.stringify(wanted);
  const { settled, isSettling } = useSettled(wanted, key);
  // While the filter settles nothing is asked: its change has set the page to 1 already.
  const query = bankStatement.useList({ query: { page, limit, ...settled } }, { enabled: !isSettling });
  const data = query.data?.data;
  const owners = data?.owners ?? noOwners;
  const matching = useMemo<Matching>(
    () => ({ count: data?.summary.totalChallans ?? 0, amount: data?.summary.totalUnpaidAmount ?? '0.00' }),
    [data],
  );
  const isCurrent = !isSettling && !query.isPlaceholderData && data !== undefined;

  const [chosen, setChosen] = useState(() => nothingSelectedYet(wanted, key));
  // The address decides, so Back and a link end the selection as a field does.
  if (chosen.key !== key) setChosen(afterFilterChange(chosen, wanted, key));
  else if (isCurrent && chosen.seen !== data) setChosen(afterLoad(chosen, data, matching));
  const { notice, selection } = chosen;
  useEffect(() => {
    if (notice) notify.info(notice.text);
  }, [notice]);

  const setSelection = useCallback(
    (next: NextSelection) =>
      setChosen((before) => ({ ...before, selection: typeof next === 'function' ? next(before.selection) : next })),
    [],
  );
  /** An earlier selection again, unless the filter has changed since; it is compared with what is loaded. */
  const restore = useCallback(
    (earlier: Selection<StatementFilters>) =>
      setChosen((before) => (before.key === key ? { ...before, selection: earlier, seen: undefined } : before)),
    [key],
  );
  /** What the server found in the selection just now. */
  const takeReview = useCallback(
    (review: SelectionReview) =>
      setChosen((before) => ({ ...before, selection: afterReview(before.selection, review) })),
    [],
  );
  const kept = useKeptSelection({
    filters: chosen.filters,
    key: chosen.key,
    selection,
    onRestored: (left, hasChanged) => {
      setSelection(left);
      // What is shown may be older than what the server has just said.
      if (hasChanged) void query.refetch();
    },
  });

  return {
    query,
    owners,
    summary: data?.summary,
    matching,
    /** The filter the shown statement was asked with. */
    filters: settled,
    /** Nothing may be chosen or paid over a statement that is about to change. */
    isCurrent,
    selection,
    setSelection,
    restore,
    takeReview,
    /** A selection from before the screen was left, until it is checked. */
    kept,
  };
}
