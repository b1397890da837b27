import { useEffect, useMemo, useState } from 'react';
import {
  filterChanged,
  noSelection,
  reconcile,
  type Matching,
  type Selection,
} from '../../../shared/calc/selection.ts';
import type { StatementFilters, StatementOwner } from '../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../api/resources.ts';
import { notify } from '../../shell/toast.ts';
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

/** The statement of a filter with the selection over it: what is shown, and what a payment would cover. */
export function useStatement(filters: Filters, page: number, limit: number) {
  const wanted = useMemo(() => toStatementFilters(filters), [filters]);
  const { settled, isSettling } = useSettled(wanted, JSON.stringify(wanted));
  const query = bankStatement.useList({ query: { page, limit, ...settled } });
  const data = query.data?.data;
  const owners = data?.owners ?? noOwners;
  const matching = useMemo<Matching>(
    () => ({ count: data?.summary.totalChallans ?? 0, amount: data?.summary.totalUnpaidAmount ?? '0.00' }),
    [data],
  );

  const [selection, setSelection] = useState<Selection<StatementFilters>>(noSelection);
  const [seen, setSeen] = useState({ data, dropped: 0 });
  const isCurrent = !isSettling && !query.isPlaceholderData && data !== undefined;
  if (isCurrent && seen.data !== data) {
    // A reload under the same filter: what was paid or deleted meanwhile leaves the selection, amounts are taken anew.
    const next = reconcile(selection, owners, matching);
    setSelection(next.selection);
    setSeen({ data, dropped: next.dropped });
  }
  useEffect(() => {
    if (seen.dropped === 0) return;
    const what = seen.dropped === 1 ? '1 selected challan is' : `${seen.dropped} selected challans are`;
    notify.info(`${what} no longer unpaid and left the selection.`);
  }, [seen]);

  return {
    query,
    owners,
    summary: data?.summary,
    matching,
    /** The filter the shown statement was asked with. */
    filters: settled,
    /** Nothing may be paid over a statement that is about to change. */
    isCurrent,
    selection,
    setSelection,
    /** To be told of each change of the filter: the selection ends with it, and the user reads so (ruling 35). */
    leaveFilter: (before: Filters, after: Filters) => {
      const change = filterChanged(selection, toStatementFilters(before), toStatementFilters(after));
      setSelection(change.selection);
      if (change.message) notify.info(change.message);
    },
  };
}
