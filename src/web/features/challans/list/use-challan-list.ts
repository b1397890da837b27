import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQuery, useQueryClient, type UseQueryOptions, skipToken } from '@tanstack/react-query';
import type { Column } from '../../../../shared/columns/define.ts';
import { alwaysListed, isWhole, type ListedChallan } from '../../../../shared/contract/challan.ts';
import {
  columnFields,
  type ChallanFieldName,
  type ChallanSortKey,
} from '../../../../shared/contract/challan-fields.ts';
import {
  isSortBy,
  newestFirst,
  orderOfTexts,
  textsOfOrder,
  usualOrder,
} from '../../../../shared/contract/challan-order.ts';
import type { BulkSelection } from '../../../../shared/contract/challans-bulk.ts';
import type { FilterTable } from '../../../../shared/filters/define.ts';
import type { FilterTexts } from '../../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../../shared/filters/filter-words.ts';
import type { ApiError } from '../../../kit/api/api-error.ts';
import { loadPage } from '../../../kit/api/create-resource.ts';
import { useChallanDetails } from '../details/use-challan-details.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { useFilterProblem } from '../../../kit/filters/filter-problem.ts';
import type { GridHandle, GridSort } from '../../../kit/grid/grid-types.ts';
import { useShownColumns } from '../../../kit/grid/grid-settings.ts';
import { useRecordRows } from '../../../kit/records/record-rows.ts';
import { usePreference } from '../../../kit/api/account-storage.ts';
import { useLatest } from '../../../kit/ui/use-latest.ts';
import { useColumnsOfView } from './opened-columns.ts';
import { useListPlace, type ListPlace } from './list-place.ts';
import type { BulkDialogProps } from './bulk-dialog.tsx';
import { useListSelection } from './list-selection.ts';

/** The sums of all matching challans. The amounts are given only where no card of the screen shows them. */
export interface ListSums {
  totalCount: number;
  paidCount: number;
  unpaidCount: number;
  paidAmount?: string;
  unpaidAmount?: string;
}

interface ListAnswer {
  data: ListedChallan[];
}

/** What makes one list of challans different from another: its filters, columns and requests. */
export interface ChallanListSpec<T extends FilterTable, Answer extends ListAnswer, Sums extends ListSums> {
  /** The key under which the list's columns, page size and shown filters are remembered. */
  id: string;
  /** Given if the list shows one owner's challans: each owner has its own selection. */
  ownerId?: string;
  /** The accessible name of the table. */
  label: string;
  filters: T;
  columns: readonly Column<ListedChallan>[];
  /** `fields` are those that each challan is asked with; undefined: all of them. */
  query: (place: ListPlace<T>, fields: string | undefined) => UseQueryOptions<Answer, ApiError>;
  hasNext: (answer: Answer) => boolean;
  /** null: the answer did not wait for its sums, and `countSums` asks for them. */
  sumsOf: (answer: Answer) => Sums | null;
  countSums?: (filters: FilterTexts<T>) => UseQueryOptions<{ data: Sums }, ApiError>;
  /** The total amount of all matching challans. */
  amountOf: (sums: Sums) => string;
  /** The filter that a request for all matching challans sends. */
  selectionFilter: (filters: FilterTexts<T>) => Extract<BulkSelection, { by: 'filter' }>['filters'];
  /** Reports that the list could not be loaded. Without it a toast does. */
  reportError?: (error: unknown, fallback: string) => void;
}

const failed = 'Failed to fetch challans';

/** The state of a list of challans: its page, the sums of all matching challans, and the commands of the list. */
export function useChallanList<T extends FilterTable, Answer extends ListAnswer, Sums extends ListSums>(
  spec: ChallanListSpec<T, Answer, Sums>,
) {
  const { id, label, filters, columns } = spec;
  const listPlace = useListPlace(id, filters);
  useColumnsOfView(id, columns);
  const { place, openId, setPlace, resetFilters } = listPlace;
  const { sortBy, sortOrder } = place;
  const sorts = useMemo<readonly GridSort[]>(() => orderOfTexts({ sortBy, sortOrder }), [sortBy, sortOrder]);
  // The order of the last request to sort. A second key may be pressed before the result of the first one is rendered.
  const latestOrder = useRef({ sortBy, sortOrder });
  useLayoutEffect(() => {
    latestOrder.current = { sortBy, sortOrder };
  }, [sortBy, sortOrder]);
  const [areFiltersShown, showFilters] = usePreference(`${id}.filters`, true);
  const grid = useRef<GridHandle<ListedChallan>>(null);
  const firstFilter = useRef<HTMLElement>(null);
  const filtersButton = useRef<HTMLButtonElement>(null);
  const dates = useFilterProblem();

  const client = useQueryClient();
  const shown = useShownColumns(id, columns);
  const [needsWhole, setNeedsWhole] = useState(false);
  const fields = needsWhole ? undefined : fieldsOf(shown);
  const options = spec.query(place, fields);
  const query = useQuery(options);
  const { data, error } = query;
  const hasNext = data !== undefined && spec.hasNext(data);
  useNextPage(hasNext && !query.isPlaceholderData ? data : undefined, () =>
    spec.query({ ...place, page: place.page + 1 }, fields),
  );
  const { sums, isUncounted, onRecount, recount, isCounting } = useListSums(
    data && spec.sumsOf(data),
    spec.countSums?.(place.filters),
    !query.isPlaceholderData,
  );
  // The count of the sums, not of the answer: marking a challan as paid can take it out of the filter, and only the sums
  // are then corrected without loading the list again.
  const totalCount = sums?.totalCount;
  const refetch = (): Promise<unknown> => Promise.all([query.refetch(), recount?.()]);
  const list = useRecordRows({
    query,
    rows: data?.data,
    pagination: sums && {
      currentPage: place.page,
      totalPages: Math.ceil(sums.totalCount / place.limit),
      totalCount: sums.totalCount,
    },
    loadPage: async (page, limit, signal) => {
      const answer = await loadPage<Answer>(options, page, limit, signal);
      // A page that did not wait for its sums cannot tell. The last one always has them.
      const now = spec.sumsOf(answer) ?? sums;
      const isCurrent = JSON.stringify(now) === JSON.stringify(sums);
      if (!isCurrent) await refetch();
      return { rows: answer.data, totalCount: now?.totalCount ?? 0, isCurrent };
    },
    failed,
    onPage: (page, options) => setPlace({ page }, options),
    reportError: spec.reportError,
  });
  const { rows } = list;
  /** The challans of another page of the same list. */
  const fetchPage = async (page: number): Promise<readonly ListedChallan[]> =>
    (await client.fetchQuery(spec.query({ ...place, page }, fields))).data;
  const matchingAmount = sums && spec.amountOf(sums);
  const selectionFilter = JSON.stringify(spec.selectionFilter(place.filters));
  const selection = useListSelection({
    place: `selection:${[id, spec.ownerId].filter(Boolean).join(':')}`,
    rows,
    matching: useMemo(
      () =>
        totalCount === undefined || matchingAmount === undefined
          ? undefined
          : { count: totalCount, amount: matchingAmount },
      [totalCount, matchingAmount],
    ),
    uncounted: onRecount ? 'The matching challans could not be counted.' : 'The matching challans are still counted.',
    filters: useMemo(
      // The cast is safe: the text was written from such a value.
      () => JSON.parse(selectionFilter) as ReturnType<typeof spec.selectionFilter>,
      [selectionFilter],
    ),
  });
  const [bulk, setBulk] = useState<Pick<BulkDialogProps, 'initialAction'>>();
  const details = useChallanDetails({ openId, rows, place, hasNextPage: hasNext, fetchPage, setUrl: setPlace });

  const latestWhole = useLatest(() => spec.query(place, undefined));

  const activeRow = (): ListedChallan | undefined => grid.current?.activeRow();
  const onRow = (act: (row: ListedChallan) => void): void => {
    const row = activeRow();
    if (row) act(row);
    else notify.info('Choose a challan in the table first');
  };

  return {
    ...listPlace,
    spec: useMemo(() => ({ id, label, filters, columns }), [id, label, filters, columns]),
    grid,
    takeFirstFilter: useCallback((field: HTMLElement | null): void => {
      firstFilter.current = field;
    }, []),
    filtersButton,
    dates,
    rows,
    loadPage: list.loadPage,
    status: list.isPlaceholder
      ? { ...list.status, isFetching: true, isOutdated: true }
      : { ...list.status, isFetching: list.status.isFetching || isCounting },
    /** The rows still belong to the previous filter or page, while the requested ones are loading. */
    isPlaceholder: list.isPlaceholder,
    error,
    sums,
    totalCount,
    hasNext,
    isUncounted,
    onRecount,
    fetchPage,
    /** The rows once every field of them is there: `loadWhole` asks for it, and from then on the list does. */
    wholeRows: rows?.every(isWhole) ? rows : undefined,
    loadWhole: useCallback(async (): Promise<void> => {
      setNeedsWhole(true);
      await client.ensureQueryData(latestWhole.current());
    }, [client, latestWhole]),
    /** The fields of the shown columns, in their order; undefined while the table is not loaded. */
    shownFields: (): ChallanFieldName[] | undefined => {
      const shown = grid.current?.shownColumns() ?? [];
      const fields = shown.flatMap((key) => columnFields.find((name) => name === key) ?? []);
      return fields.length > 0 ? fields : undefined;
    },
    refetch,
    details,
    selection,
    onRow,
    bulk,
    closeBulk: (): void => setBulk(undefined),
    /** Opens the dialog in which the user chooses what to do with the selected challans. */
    changeSelected: (): void => setBulk({ initialAction: undefined }),
    changeReason: selection.count === 0 ? 'Select challans first: Space, Shift+↓ or Ctrl+A' : undefined,
    /**
     * Runs a command of the focused row. If other challans are selected, it opens the dialog with the same action for the
     * selection instead.
     */
    onRowOrSelected: (
      act: (row: ListedChallan) => void,
      initialAction: NonNullable<BulkDialogProps['initialAction']>,
    ): void => {
      if (selection.count === 0) return onRow(act);
      const row = activeRow();
      if (selection.count === 1 && row && selection.has(row.id)) return act(row);
      return setBulk({ initialAction });
    },
    sorts,
    onSorts: useCallback(
      (change: (now: readonly GridSort[]) => readonly GridSort[]) => {
        const { sortBy, sortOrder } = latestOrder.current;
        const isUsual = sortBy === usualOrder.sortBy && sortOrder === usualOrder.sortOrder;
        const next = change(orderOfTexts(latestOrder.current));
        // A key added to the usual order replaces it. Sorting within the usual order would have no effect, because no two
        // challans were entered at the same moment.
        const chosen = isUsual && next.length > 1 ? next.filter(({ key }) => key !== newestFirst[0]?.key) : next;
        const texts = textsOfOrder(chosen.map(({ key, order }) => ({ key: key as ChallanSortKey, order })));
        if (!isSortBy(texts.sortBy)) return;
        latestOrder.current = texts;
        setPlace({ ...texts, page: 1 });
      },
      [setPlace],
    ),
    filterCount: partsOf(filters, place.filters).length,
    areFiltersShown,
    resetFilters: useCallback((): void => {
      resetFilters();
      notify.success('Filters reset successfully');
    }, [resetFilters]),
    toggleFilters: (): void => {
      const hadFocus = document.activeElement?.closest('[aria-label="Filters"]');
      showFilters(!areFiltersShown);
      if (hadFocus) filtersButton.current?.focus();
    },
    focusFilters: (): void => {
      // Rendered at once, because the field must exist before it can get the focus.
      flushSync(() => showFilters(true));
      firstFilter.current?.focus();
      if (firstFilter.current instanceof HTMLInputElement) firstFilter.current.select();
    },
  };
}

export type ChallanListState<T extends FilterTable> = ReturnType<typeof useChallanList<T, ListAnswer, ListSums>>;

/** The fields that a list is asked with, to show these columns. The other fields of a row come without being named. */
const fieldsOf = (shown: readonly string[]): string =>
  ['id', ...columnFields.filter((name) => shown.includes(name) && !alwaysListed.some((one) => one === name))].join();

/** How long a prefetched page stays in the cache if nobody opens it. */
const unopenedMs = 30_000;

/**
 * Prefetches the next page, so that it can be shown at once. It is fetched again after each answer for the shown page, because
 * a write makes both pages stale but refetches only the shown one.
 */
function useNextPage<Answer extends ListAnswer>(
  shown: Answer | undefined,
  next: () => UseQueryOptions<Answer, ApiError>,
): void {
  const client = useQueryClient();
  useEffect(() => {
    if (shown) void client.prefetchQuery({ ...next(), gcTime: unopenedMs });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per answer
  }, [shown]);
}

/**
 * The sums of a list whose rows may be there before them (docs/specification.md §3.4). `answered` are those that came with the
 * rows: null if they did not, undefined if there are no rows yet. `count` asks for them, by the filter alone, so that another
 * page or order does not count again. Not `isCurrent`: the rows are those of an earlier filter or page.
 */
function useListSums<Sums>(
  answered: Sums | null | undefined,
  count: UseQueryOptions<{ data: Sums }, ApiError> | undefined,
  isCurrent: boolean,
) {
  const isLater = answered === null;
  const { data, error, isFetching, refetch } = useQuery<{ data: Sums }, ApiError>(
    count ? { ...count, enabled: isLater && isCurrent } : { queryKey: ['no count'], queryFn: skipToken },
  );
  const recount = isLater ? refetch : undefined;
  // Sums that could not be counted again may be wrong by now.
  const sums = answered ?? (isLater && !error ? data?.data : undefined);
  return {
    sums,
    /** The sums are still to come, or `onRecount` asks for them again. */
    isUncounted: isLater && sums === undefined,
    onRecount: error && recount ? (): void => void recount() : undefined,
    recount,
    isCounting: isFetching,
  };
}
