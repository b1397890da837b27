import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../../shared/calc/count-text.ts';
import { compare, formatINR } from '../../../../shared/calc/money.ts';
import {
  afterReview,
  filterChanged,
  isSelected,
  noSelection,
  reconcile,
  selectedAmount,
  selectedCount,
  type Matching,
  type Selection,
} from '../../../../shared/calc/selection.ts';
import type {
  OwedChallan,
  OwedOwner,
  SelectionReview,
  StatementChallan,
  StatementFilters,
} from '../../../../shared/contract/bank-statement.ts';
import { statementFilters } from '../../../../shared/filters/challan-filters.ts';
import { pickFilters } from '../../../../shared/filters/define.ts';
import { filterOfTexts, type FilterTexts } from '../../../../shared/filters/filter-texts.ts';
import { filterShape, limitValue } from '../../../kit/filters/filter-values.ts';
import { url } from '../../../kit/filters/url-state.ts';
import { bankStatement } from '../../../resources/bank-statement.ts';
import { pagesOf } from '../../../kit/api/create-resource.ts';
import { freshMs } from '../../../kit/api/query-client.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { useDebounced } from '../../../kit/ui/picker-state.ts';
import { payableOwner } from './payment-plan.ts';
import { useKeptStatementSelection } from './use-kept-statement-selection.ts';

/**
 * The filters in the order of their fields (docs/specification.md §10.1). An owner is chosen from a list, so the screen does
 * not look for a part of a name.
 */
export const screenFilters = pickFilters(
  statementFilters,
  'ownerId',
  'depositedStartDate',
  'depositedEndDate',
  'tagId',
);
export type Filters = FilterTexts<typeof screenFilters>;

/** The values in the URL of the bank statement. */
export const statementShape = {
  page: url.number(1),
  limit: limitValue(),
  ...filterShape(screenFilters),
};

/** Leaves out empty filters, so that the same filter always has the same cache key and the same body. */
const toStatementFilters = (filters: Filters): StatementFilters => filterOfTexts(screenFilters, filters);

/** How long filter changes are debounced (docs/specification.md §10.1). */
const debounceMs = 300;

const noOwners: readonly OwedOwner[] = [];
/** The figures while nothing is loaded. */
export const noFigures: Matching = { count: 0, amount: '0.00' };

/** A selection, or a function of the one before: a second tick may come before the first is rendered. */
export type NextSelection =
  Selection<StatementFilters> | ((before: Selection<StatementFilters>) => Selection<StatementFilters>);

/** The statement under a filter, and the selection in it. */
export function useStatement(filters: Filters, page: number, limit: number) {
  const urlFilters = useMemo(() => toStatementFilters(filters), [filters]);
  const key = JSON.stringify(urlFilters);
  const [debouncedKey] = useDebounced(key, debounceMs);
  // Safe: `key` was made from StatementFilters.
  const debouncedFilters = useMemo(() => JSON.parse(debouncedKey) as StatementFilters, [debouncedKey]);
  const isDebouncing = debouncedKey !== key;
  // Disabled while debouncing: a change of the filter sets the page to 1 at once, which does not belong to the old filter.
  const args = { query: { page, limit, ...debouncedFilters } };
  const query = bankStatement.useListOwners(args, { enabled: !isDebouncing });
  const data = query.data?.data;
  const owners = data?.owners ?? noOwners;
  const matching = data?.summary.matching ?? noFigures;
  const isCurrent = !isDebouncing && !query.isPlaceholderData && data !== undefined;

  const [chosen, setChosen] = useState(() => nothingSelectedYet(urlFilters, key));
  // It follows the URL, so that Back and links clear the selection as a filter field does. This must not happen during
  // rendering: the router updates in a transition, and ticks between its render and its commit would be lost.
  useLayoutEffect(
    () =>
      setChosen((before) => {
        if (before.key !== key) return afterFilterChange(before, urlFilters, key);
        return isCurrent && before.seen !== data ? afterLoad(before, data, matching) : before;
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `chosen`: what is restored is compared with what is loaded too
    [chosen, urlFilters, key, isCurrent, data, matching],
  );
  const { notice, selection } = chosen;
  useEffect(() => {
    if (notice) notify.info(notice.text);
  }, [notice]);

  const setSelection = useCallback(
    (next: NextSelection) =>
      setChosen((before) => ({ ...before, selection: typeof next === 'function' ? next(before.selection) : next })),
    [],
  );
  /** Selects again what was cleared, unless the filter has changed since. It is reconciled with the loaded data. */
  const restore = useCallback(
    (earlier: Selection<StatementFilters>) =>
      setChosen((before) => (before.key === key ? { ...before, selection: earlier, seen: undefined } : before)),
    [key],
  );
  /** Updates the selection by the server's review of it. */
  const takeReview = useCallback(
    (review: SelectionReview) =>
      setChosen((before) => ({ ...before, selection: afterReview(before.selection, review) })),
    [],
  );
  const kept = useKeptStatementSelection({
    filters: chosen.filters,
    key: chosen.key,
    selection,
    onRestored: (left, hasChanged) => {
      setSelection(left);
      // The statement on the screen may be older than the review.
      if (hasChanged) void query.refetch();
    },
  });

  return {
    /** The arguments of the statement's query. */
    args,
    query,
    loadPage: pagesOf(query, (answer) => answer.data.owners),
    owners,
    summary: data?.summary,
    matching,
    /** The filter of the shown statement. */
    filters: debouncedFilters,
    /** False while other data are awaited. Then nothing may be selected or paid. */
    isCurrent,
    selection,
    setSelection,
    restore,
    takeReview,
    /** The selection from an earlier visit of the screen, until it is restored. */
    kept,
  };
}

/** The fields of a challan that are only shown, or why they are missing. */
export type Details = StatementChallan | 'loading' | 'failed';

/**
 * The details of the challans of expanded owners. They are fetched only while an owner of the page is expanded, because
 * selecting and paying need only the amounts that come with the owners.
 */
export function useDetails(
  { args, query, owners, isCurrent }: ReturnType<typeof useStatement>,
  expanded: ReadonlySet<string>,
) {
  const isWanted = isCurrent && owners.some(({ id }) => expanded.has(id));
  const full = bankStatement.useList(args, {
    enabled: isWanted,
    // Stale when the owners are newer, as after Refresh.
    staleTime: ({ state }) => (state.dataUpdatedAt < query.dataUpdatedAt ? 0 : freshMs),
  });
  const found = full.data?.data.owners;
  const byId = useMemo(() => new Map(challansOf(found ?? []).map((challan) => [challan.challanId, challan])), [found]);
  const error = query.error ?? (isWanted ? full.error : null);
  const detailsOf = useCallback(
    (challanId: string): Details => byId.get(challanId) ?? (error ? 'failed' : 'loading'),
    [byId, error],
  );

  // A challan may have been recorded or paid elsewhere between the two answers. Then the older one is fetched again.
  const older = query.dataUpdatedAt < full.dataUpdatedAt ? query : full;
  const isDifferent = useMemo(() => found !== undefined && owedText(found) !== owedText(owners), [found, owners]);
  const isCompared = isWanted && !full.isPlaceholderData;
  // If they still differ, the other one is fetched too, because the answer that arrived last may have been read first. Then it stops.
  const repeats = useRef(0);
  useEffect(() => {
    if (!isCompared || !isDifferent) repeats.current = 0;
    else if (repeats.current < 2) {
      repeats.current += 1;
      void older.refetch({ cancelRefetch: false });
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `older`: once for each new answer
  }, [isCompared, isDifferent, query.dataUpdatedAt, full.dataUpdatedAt]);

  return {
    detailsOf,
    /** The owners and amounts are loaded, and only the details have failed. */
    hasFailedAlone: query.error === null && error !== null,
    /** Both queries as one. `refetch` repeats those that failed. */
    query: {
      isPending: query.isPending,
      isFetching: query.isFetching || full.isFetching,
      isPlaceholderData: !isCurrent,
      error,
      refetch: () => [query, full].filter((one) => one.error).map((one) => one.refetch()),
    },
  };
}

const challansOf = <Challan>(owners: readonly { challans: readonly Challan[] }[]): Challan[] =>
  owners.flatMap(({ challans }) => challans);

/** The challans with amount and hold as a text, to compare two answers. */
const owedText = (owners: readonly OwedOwner[]): string =>
  challansOf(owners)
    .map(({ challanId, netAmountPayable, holdReason }) => [challanId, netAmountPayable, holdReason])
    .join();

interface StatementData {
  owners: readonly OwedOwner[];
}

/** The selection with the filter and the answer that it was made under. */
interface ScreenSelection {
  selection: Selection<StatementFilters>;
  filters: StatementFilters;
  /** The filter as text. */
  key: string;
  /** The answer that it was last reconciled with. */
  seen: StatementData | undefined;
  /** The message about a change that the user did not make; a new object each time, so that it is shown each time. */
  notice: { text: string } | null;
}

export function nothingSelectedYet(filters: StatementFilters, key: string): ScreenSelection {
  return { selection: noSelection, filters, key, seen: undefined, notice: null };
}

export function afterFilterChange(before: ScreenSelection, filters: StatementFilters, key: string): ScreenSelection {
  const { selection, message } = filterChanged(before.selection, before.filters, filters);
  return { ...nothingSelectedYet(filters, key), selection, notice: message === null ? null : { text: message } };
}

/** Reconciles the selection with a newly loaded page: it loses what can no longer be paid, and amounts are updated. */
export function afterLoad(before: ScreenSelection, data: StatementData, matching: Matching): ScreenSelection {
  const { selection, dropped } = reconcile(before.selection, data.owners.map(payableOwner), matching);
  const isDropped = ({ challanId }: OwedChallan): boolean =>
    isSelected(before.selection, challanId) && !isSelected(selection, challanId);
  const text = selectionChangeText(
    before.selection,
    selection,
    dropped,
    challansOf(data.owners).filter(isDropped).length,
  );
  return { ...before, selection, seen: data, notice: text === undefined ? null : { text } };
}

/** The message about a changed selection. `held` of the `dropped` challans were put on hold. */
function selectionChangeText(
  before: Selection<StatementFilters>,
  now: Selection<StatementFilters>,
  dropped: number,
  held: number,
): string | undefined {
  if (before.mode === 'ids' && dropped > 0) {
    const chosen = (count: number): string =>
      count === 1 ? '1 selected challan is' : `${formatCount(count)} selected challans are`;
    return [
      ...(dropped > held ? [`${chosen(dropped - held)} no longer unpaid and left the selection.`] : []),
      ...(held > 0 ? [`${chosen(held)} on hold now and left the selection.`] : []),
    ].join(' ');
  }
  if (before.mode !== 'allMatching') return undefined;
  const count = selectedCount(now);
  const amount = selectedAmount(now);
  if (count === selectedCount(before) && compare(amount, selectedAmount(before)) === 0) return undefined;
  return `The matching challans have changed: ${formatCount(count)} selected now, ${formatINR(amount)}.`;
}
