import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Matching, Selection } from '../../../shared/calc/selection.ts';
import type { StatementFilters, StatementOwner } from '../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../api/resources.ts';
import { notify } from '../../shell/toast.ts';
import { afterFilterChange, afterLoad, nothingHeld } from './held-selection.ts';
import { settleMs, toStatementFilters, type Filters } from './statement-state.ts';

const noOwners: readonly StatementOwner[] = [];

/** The value once it has stood still for a while; the first one at once. */
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

  const [held, setHeld] = useState(() => nothingHeld(wanted, key));
  // The address decides, so Back and a link end the selection as a field does (ruling 35).
  if (held.key !== key) setHeld(afterFilterChange(held, wanted, key));
  else if (isCurrent && held.seen !== data) setHeld(afterLoad(held, data, matching));
  const { notice } = held;
  useEffect(() => {
    if (notice) notify.info(notice.text);
  }, [notice]);

  const setSelection = useCallback(
    (next: NextSelection) =>
      setHeld((before) => ({ ...before, selection: typeof next === 'function' ? next(before.selection) : next })),
    [],
  );
  /** An earlier selection again, unless the filter has changed since; what is known now is held against it. */
  const restore = useCallback(
    (selection: Selection<StatementFilters>) =>
      setHeld((before) => (before.key === key ? { ...before, selection, seen: undefined } : before)),
    [key],
  );

  return {
    query,
    owners,
    summary: data?.summary,
    matching,
    /** The filter the shown statement was asked with. */
    filters: settled,
    /** Nothing may be chosen or paid over a statement that is about to change. */
    isCurrent,
    selection: held.selection,
    setSelection,
    restore,
    /** How many unpaid challans each owner seen so far has under the filter. */
    known: held.known,
  };
}
