import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import { challansText, formatCount } from '../../../../shared/calc/count-text.ts';
import {
  excludedIds,
  exclusionCount,
  filterChanged,
  isSelected,
  namedIn,
  noSelection,
  selectAllMatching,
  selectedAmount,
  selectedCount,
  setSelected,
  type Matching,
  type SelectableChallan,
  type Selection,
} from '../../../../shared/calc/selection.ts';
import { compare, formatINR, sum } from '../../../../shared/calc/money.ts';
import type { ListedChallan } from '../../../../shared/contract/challan.ts';
import type { BulkSelection } from '../../../../shared/contract/challans-bulk.ts';
import { call } from '../../../kit/api/client.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import type { GridSelection, SelectionState } from '../../../kit/grid/grid-types.ts';
import { useKeptSelection } from '../../../kit/records/kept-selection.ts';

type Filters = Extract<BulkSelection, { by: 'filter' }>['filters'];

const selectable = ({ id, netAmountPayable }: ListedChallan): SelectableChallan => ({
  challanId: id,
  netAmountPayable,
});
const noneNamed = namedIn(noSelection);

interface Parts {
  /** The key under which the list's selection is kept. */
  place: string;
  rows: readonly ListedChallan[] | undefined;
  /** The count and amount of all challans that match the filter; undefined until they are loaded. */
  matching: Matching | undefined;
  /** Why they are not counted. */
  uncounted: string;
  /** Must stay the same object until the filter changes. */
  filters: Filters;
}

/**
 * The selection of a list of challans. Challans that were selected one by one stay selected when the filter changes, so that
 * the user can search for them one after the other. A selection of all matching challans ends when the filter changes
 * (docs/decisions.md 67).
 */
export function useListSelection({ place, rows, matching, uncounted, filters }: Parts) {
  const [chosen, setChosen] = useState<Selection<Filters>>(noSelection);
  const [lastRows, setLastRows] = useState<readonly ListedChallan[]>();
  if (rows && rows !== lastRows) {
    setLastRows(rows);
    setChosen(withNewAmounts(chosen, rows));
  }
  // The number of matching challans may have changed since they were selected.
  const selection = useMemo(
    () => (chosen.mode === 'allMatching' && matching ? { ...chosen, matching } : chosen),
    [chosen, matching],
  );
  const lastFilters = useRef(filters);
  useEffect(() => {
    const before = lastFilters.current;
    lastFilters.current = filters;
    if (selection.mode !== 'allMatching') return;
    const { selection: next, message } = filterChanged(selection, before, filters);
    if (message === null) return;
    setChosen(next);
    notify.info(message);
  }, [filters, selection]);

  const byIds = selection.mode === 'allMatching' ? noneNamed : namedIn(selection);
  useKeptListSelection({
    place,
    chosen: useMemo<ChosenAmounts>(() => new Map([...byIds].map(([id, { amount }]) => [id, amount])), [byIds]),
    onRestored: useCallback((again) => {
      const restored = [...again].map(([challanId, netAmountPayable]) => ({ challanId, netAmountPayable }));
      setChosen((now) => setSelected(now, '', restored, true));
    }, []),
  });

  const clear = useCallback(() => setChosen(noSelection), []);
  const count = selectedCount(selection);
  const onPage = (rows ?? []).filter((row) => isSelected(selection, row.id)).length;
  const gridSelection = useMemo<GridSelection<ListedChallan>>(() => {
    const all = rows ?? [];
    const setRows = (changed: readonly ListedChallan[], on: boolean): void =>
      setChosen((now) => setSelected(now, '', changed.map(selectable), on));
    const state: SelectionState = onPage === 0 ? 'none' : onPage === all.length ? 'all' : 'some';
    return {
      stateOf: (row) => (isSelected(selection, row.id) ? 'all' : 'none'),
      labelOf: (row) => `Select ${row.challanNumber}`,
      setRows,
      header: { state, label: 'Select all rows on this page', onToggle: (on) => setRows(all, on) },
      // The first time it selects the page, the second time everything that matches.
      onSelectAll: () => {
        if (state !== 'all') setRows(all, true);
        else if (matching) {
          if (selection.mode !== 'allMatching' && matching.count > all.length) {
            setChosen(selectAllMatching(filters, matching));
          }
          notify.info(`All ${formatCount(matching.count)} matching challans are selected.`);
        } else notify.info(uncounted);
      },
      onClear: () => {
        if (count === 0) return false;
        clear();
        return true;
      },
    };
  }, [rows, selection, onPage, count, matching, uncounted, filters, clear]);

  return {
    selection: gridSelection,
    clear,
    count,
    amount: selectedAmount(selection),
    /** 'all 14 matching, 2 excluded' or '3 not on this page'; '' if there is nothing to note. */
    note: noteOf(selection, count - onPage),
    has: (id: string): boolean => isSelected(selection, id),
    /** The selection as requests send it; null if nothing is selected. */
    request: useMemo((): BulkSelection | null => {
      if (count === 0 || selection.mode === 'none') return null;
      if (selection.mode === 'ids') return { by: 'ids', challanIds: [...selection.ids.keys()] };
      return {
        by: 'filter',
        filters: selection.filter,
        excludeChallanIds: excludedIds(selection),
      };
    }, [selection, count]),
  };
}

function noteOf(selection: Selection<Filters>, offPageCount: number): string {
  if (selection.mode !== 'allMatching') return offPageCount > 0 ? `${formatCount(offPageCount)} not on this page` : '';
  const excluded = exclusionCount(selection);
  const all = `all ${formatCount(selection.matching.count)} matching`;
  return excluded === 0 ? all : `${all}, ${formatCount(excluded)} excluded`;
}

/** The selection with the present amounts of these rows. */
function withNewAmounts(selection: Selection<Filters>, rows: readonly ListedChallan[]): Selection<Filters> {
  const named = namedIn(selection);
  const changed = rows.filter(
    ({ id, netAmountPayable }) => (named.get(id)?.amount ?? netAmountPayable) !== netAmountPayable,
  );
  if (changed.length === 0) return selection;
  return setSelected(selection, '', changed.map(selectable), selection.mode === 'ids');
}

/** The net amounts of the selected challans, by id. */
type ChosenAmounts = ReadonlyMap<string, string>;

const keptShape = z.array(z.tuple([z.string(), z.string().regex(/^-?\d{1,18}\.\d\d$/)])).min(1);
const keep = (chosen: ChosenAmounts): unknown => (chosen.size === 0 ? undefined : [...chosen]);

interface KeptParts {
  /** The key under which the list's selection is kept. */
  place: string;
  chosen: ChosenAmounts;
  onRestored: (chosen: ChosenAmounts) => void;
}

/** Keeps the selection while the user is on another screen, and restores what still exists. */
function useKeptListSelection({ place, chosen, onRestored }: KeptParts): void {
  useKeptSelection({
    place,
    shape: keptShape,
    read: (stored): ChosenAmounts => new Map(stored),
    source: chosen,
    keep,
    isNothing: chosen.size === 0,
    isHere: () => true,
    ask: async (kept, signal) => {
      // Loaded only here: a list without a kept selection does without the contract of the statement.
      const { bankStatement } = await import('../../../resources/bank-statement.ts');
      const body = { filters: {}, challanIds: [...kept.keys()] };
      return (await call(bankStatement.calls.review, { body }, { signal })).data;
    },
    restore: (before, { challans, paid }) => {
      const now = new Map(
        [...challans, ...paid].map(({ challanId, netAmountPayable }) => [challanId, netAmountPayable]),
      );
      onRestored(now);
      return restoredText(before, now);
    },
    failed: (kept) => `Your earlier selection (${countAndAmount(kept)}) could not be checked. Reload to try again.`,
  });
}

const countAndAmount = (chosen: ChosenAmounts): string =>
  `${challansText(chosen.size)}, ${formatINR(sum([...chosen.values()]))}`;

/** '2 challans, ₹1,590.00, are selected again. It was 3 challans, ₹2,386.00.' */
function restoredText(before: ChosenAmounts, now: ChosenAmounts): string {
  if (now.size === 0) return `Nothing of your selection of ${countAndAmount(before)} is left.`;
  const again = `${countAndAmount(now)}, ${now.size === 1 ? 'is' : 'are'} selected again.`;
  const isSame = now.size === before.size && compare(sum([...now.values()]), sum([...before.values()])) === 0;
  return isSame ? again : `${again} It was ${countAndAmount(before)}.`;
}
