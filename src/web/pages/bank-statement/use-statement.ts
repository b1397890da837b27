import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { compare, formatINR, subtract } from '../../../shared/calc/money.ts';
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
} from '../../../shared/calc/selection.ts';
import type {
  OwedChallan,
  OwedOwner,
  SelectionReview,
  StatementChallan,
  StatementFilters,
} from '../../../shared/contract/bank-statement.ts';
import { statementFilters } from '../../../shared/filters/challan-filters.ts';
import { pickFilters } from '../../../shared/filters/define.ts';
import { filterOfTexts, type FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { filterShape, limitValue } from '../../filters/filter-values.ts';
import { url } from '../../filters/url-state.ts';
import { bankStatement } from '../../api/bank-statement.ts';
import { freshMs } from '../../api/query-client.ts';
import { notify } from '../../feedback/toast.ts';
import { useDebounced } from '../../ui/picker-state.ts';
import { payableOwner } from './payment-plan.ts';
import { useKeptStatementSelection } from './use-kept-selection.ts';

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

/** What a link to the bank statement carries. */
export const statementShape = {
  page: url.number(1),
  limit: limitValue(),
  ...filterShape(screenFilters),
};

/** Only what is set: the same filter is one entry of the cache and one body of a payment. */
const toStatementFilters = (filters: Filters): StatementFilters => filterOfTexts(screenFilters, filters);

/** docs/specification.md §10.1: filter changes wait this long. */
const settleMs = 300;

const noOwners: readonly OwedOwner[] = [];

/** A selection, or what makes it from the one before: two ticks may come before the screen has followed the first. */
export type NextSelection =
  Selection<StatementFilters> | ((before: Selection<StatementFilters>) => Selection<StatementFilters>);

/** The statement of a filter with the selection over it: what is shown, and what a payment would cover. */
export function useStatement(filters: Filters, page: number, limit: number) {
  const wanted = useMemo(() => toStatementFilters(filters), [filters]);
  const key = JSON.stringify(wanted);
  const [settledKey] = useDebounced(key, settleMs);
  // Just written from it.
  const settled = useMemo(() => JSON.parse(settledKey) as StatementFilters, [settledKey]);
  const isSettling = settledKey !== key;
  // While the filter settles nothing is asked: its change has set the page to 1 already.
  const args = { query: { page, limit, ...settled } };
  const query = bankStatement.useListOwners(args, { enabled: !isSettling });
  const data = query.data?.data;
  const owners = data?.owners ?? noOwners;
  const matching = useMemo<Matching>(
    () =>
      data
        ? {
            count: data.summary.totalChallans - data.summary.heldCount,
            amount: subtract(data.summary.totalUnpaidAmount, data.summary.heldAmount),
          }
        : { count: 0, amount: '0.00' },
    [data],
  );
  const isCurrent = !isSettling && !query.isPlaceholderData && data !== undefined;

  const [chosen, setChosen] = useState(() => nothingSelectedYet(wanted, key));
  // The address decides, so Back and a link end the selection as a field does. Not while rendering: the router follows in a
  // transition, and what is ticked while that is drawn and not yet shown would be ticked in what is not there.
  useLayoutEffect(
    () =>
      setChosen((before) => {
        if (before.key !== key) return afterFilterChange(before, wanted, key);
        return isCurrent && before.seen !== data ? afterLoad(before, data, matching) : before;
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `chosen`: what is restored is compared with what is loaded too
    [chosen, wanted, key, isCurrent, data, matching],
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
  const kept = useKeptStatementSelection({
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
    /** What the statement is asked with. */
    args,
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

/** What is only shown of a challan, or why it is not there. */
export type Details = StatementChallan | 'loading' | 'failed';

/**
 * The details of the challans of expanded owners. They are only shown: what is chosen and paid comes with the owners. So they
 * are asked for only while an owner of the page is expanded.
 */
export function useDetails(
  { args, query, owners, isCurrent }: ReturnType<typeof useStatement>,
  expanded: ReadonlySet<string>,
) {
  const isWanted = isCurrent && owners.some(({ id }) => expanded.has(id));
  const full = bankStatement.useList(args, {
    enabled: isWanted,
    // Asked for again when the owners are newer, as after Refresh: what is expanded is then as new as they are.
    staleTime: ({ state }) => (state.dataUpdatedAt < query.dataUpdatedAt ? 0 : freshMs),
  });
  const found = full.data?.data.owners;
  const byId = useMemo(() => new Map(challansOf(found ?? []).map((challan) => [challan.challanId, challan])), [found]);
  const error = query.error ?? (isWanted ? full.error : null);
  const detailsOf = useCallback(
    (challanId: string): Details => byId.get(challanId) ?? (error ? 'failed' : 'loading'),
    [byId, error],
  );

  // Between the two answers a challan may have been recorded or paid elsewhere: the older one is asked for again.
  const older = query.dataUpdatedAt < full.dataUpdatedAt ? query : full;
  const isDifferent = useMemo(() => found !== undefined && owedText(found) !== owedText(owners), [found, owners]);
  const isCompared = isWanted && !full.isPlaceholderData;
  // Then the other one: the answer that arrived last may have been read first. No more than that, should they stay different.
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
    /** The owners with their amounts are there, and what is only shown of their challans is not. */
    hasFailedAlone: query.error === null && error !== null,
    /** Both queries as one: Retry repeats what failed. */
    query: {
      isPending: query.isPending,
      isFetching: query.isFetching || full.isFetching,
      error,
      refetch: () => [query, full].filter((one) => one.error).map((one) => one.refetch()),
    },
  };
}

const challansOf = <Challan>(owners: readonly { challans: readonly Challan[] }[]): Challan[] =>
  owners.flatMap(({ challans }) => challans);

/** The challans as text to compare by. */
const owedText = (owners: readonly OwedOwner[]): string =>
  challansOf(owners)
    .map(({ challanId, netAmountPayable, holdReason }) => [challanId, netAmountPayable, holdReason])
    .join();

interface StatementData {
  owners: readonly OwedOwner[];
}

/** The selection on the screen with what it was made over. */
interface ScreenSelection {
  selection: Selection<StatementFilters>;
  filters: StatementFilters;
  /** The filter as text. */
  key: string;
  /** The answer it was last compared with. */
  seen: StatementData | undefined;
  /** A change that was not the user's own, in words; a new object each time. */
  notice: { text: string } | null;
}

export function nothingSelectedYet(filters: StatementFilters, key: string): ScreenSelection {
  return { selection: noSelection, filters, key, seen: undefined, notice: null };
}

export function afterFilterChange(before: ScreenSelection, filters: StatementFilters, key: string): ScreenSelection {
  const { selection, message } = filterChanged(before.selection, before.filters, filters);
  return { ...nothingSelectedYet(filters, key), selection, notice: message === null ? null : { text: message } };
}

/** After a page or a reload under the same filter: what can no longer be paid leaves the selection, and amounts are brought up to date. */
export function afterLoad(before: ScreenSelection, data: StatementData, matching: Matching): ScreenSelection {
  const { selection, dropped } = reconcile(before.selection, data.owners.map(payableOwner), matching);
  const isDropped = ({ challanId }: OwedChallan): boolean =>
    isSelected(before.selection, challanId) && !isSelected(selection, challanId);
  const text = changeText(before.selection, selection, dropped, challansOf(data.owners).filter(isDropped).length);
  return { ...before, selection, seen: data, notice: text === undefined ? null : { text } };
}

/** `held` of the dropped challans are still listed: they were put on hold. */
function changeText(
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
