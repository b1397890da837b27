import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import type { Column } from '../../shared/columns/define.ts';
import type { Challan } from '../../shared/contract/challan.ts';
import { columnFields, type ChallanFieldName, type ChallanSortKey } from '../../shared/contract/challan-fields.ts';
import { isSortBy, newestFirst, orderOfTexts, textsOfOrder, usualOrder } from '../../shared/contract/challan-order.ts';
import type { BulkSelection } from '../../shared/contract/challans-bulk.ts';
import type { Pagination } from '../../shared/contract/scalars.ts';
import type { FilterTable } from '../../shared/filters/define.ts';
import type { FilterTexts } from '../../shared/filters/filter-texts.ts';
import { partsOf } from '../../shared/filters/filter-words.ts';
import type { ApiError } from '../api/api-error.ts';
import { useChallanDetails } from '../challan-details/use-challan-details.ts';
import { notify } from '../feedback/toast.ts';
import { useFilterProblem } from '../filters/filter-problem.ts';
import type { GridHandle, GridSort } from '../grid/grid-types.ts';
import { useRecordRows } from '../records/record-rows.ts';
import { usePreference } from '../session/account-storage.ts';
import { useListPlace, type ListPlace } from './list-place.ts';
import type { BulkDialogProps } from './bulk-dialog.tsx';
import { useListSelection } from './list-selection.ts';

/** The sums of a list's filter that every list of challans shows; the amounts only where no card has them. */
export interface ListSums {
  totalCount: number;
  paidCount: number;
  unpaidCount: number;
  paidAmount?: string;
  unpaidAmount?: string;
}

interface ListAnswer {
  data: Challan[];
  pagination: Pagination;
}

/** A list of challans as data: what is fixed, which filters and which columns it has. */
export interface ChallanListSpec<T extends FilterTable, Answer extends ListAnswer, Sums extends ListSums> {
  /** Names what is remembered of the list: its columns, its page size, whether its filters are shown. */
  id: string;
  /** What is fixed of it, such as the owner: each has a selection of its own. */
  of?: string;
  /** The accessible name of the table. */
  label: string;
  filters: T;
  columns: readonly Column<Challan>[];
  query: (place: ListPlace<T>) => UseQueryOptions<Answer, ApiError>;
  sumsOf: (answer: Answer) => Sums;
  /** The sum of everything that matches. */
  amountOf: (sums: Sums) => string;
  /** What the list shows, as a change of everything that matches names it. */
  selectionFilter: (filters: FilterTexts<T>) => Extract<BulkSelection, { by: 'filter' }>['filters'];
  /** Says that the list could not be fetched; a toast where nothing else is given. */
  tell?: (error: unknown, fallback: string) => void;
}

const failed = 'Failed to fetch challans';

/** One page of challans with the sums of its whole filter, and what can be done with the list itself. */
export function useChallanList<T extends FilterTable, Answer extends ListAnswer, Sums extends ListSums>(
  spec: ChallanListSpec<T, Answer, Sums>,
) {
  const { id, label, filters, columns } = spec;
  const listPlace = useListPlace(id, filters);
  const { place, openId, setPlace, resetFilters } = listPlace;
  const { sortBy, sortOrder } = place;
  const sorts = useMemo<readonly GridSort[]>(() => orderOfTexts({ sortBy, sortOrder }), [sortBy, sortOrder]);
  // As it was last asked for: a second key may come before the first one is drawn.
  const orderNow = useRef({ sortBy, sortOrder });
  useLayoutEffect(() => {
    orderNow.current = { sortBy, sortOrder };
  }, [sortBy, sortOrder]);
  const [areFiltersShown, showFilters] = usePreference(`${id}.filters`, true);
  const grid = useRef<GridHandle<Challan>>(null);
  const firstFilter = useRef<HTMLElement>(null);
  const filtersButton = useRef<HTMLButtonElement>(null);
  const dates = useFilterProblem();

  const client = useQueryClient();
  const query = useQuery(spec.query(place));
  const { data, error } = query;
  useNextPage(query.isPlaceholderData ? undefined : data, (page) => spec.query({ ...place, page }));
  const list = useRecordRows({
    query,
    rows: data?.data,
    pagination: data?.pagination,
    failed,
    onPage: (page, options) => setPlace({ page }, options),
    reportError: spec.tell,
  });
  const { rows } = list;
  const sums = data && spec.sumsOf(data);
  // As the sums count them: a challan that left the filter by a mark is in neither.
  const totalCount = sums?.totalCount ?? 0;
  /** The challans of another page of the same list. */
  const fetchPage = async (page: number): Promise<readonly Challan[]> =>
    (await client.fetchQuery(spec.query({ ...place, page }))).data;
  const lastPage = Math.max(1, data?.pagination.totalPages ?? 1);
  const matchingAmount = sums && spec.amountOf(sums);
  const selectionFilter = JSON.stringify(spec.selectionFilter(place.filters));
  const selection = useListSelection({
    place: `selection:${[id, spec.of].filter(Boolean).join(':')}`,
    rows,
    matching: useMemo(
      () => (matchingAmount === undefined ? undefined : { count: totalCount, amount: matchingAmount }),
      [totalCount, matchingAmount],
    ),
    filters: useMemo(
      // Just written from it.
      () => JSON.parse(selectionFilter) as ReturnType<typeof spec.selectionFilter>,
      [selectionFilter],
    ),
  });
  const [bulk, setBulk] = useState<{ asked: BulkDialogProps['asked'] }>();
  const details = useChallanDetails({ openId, rows, place, lastPage, fetchPage, setUrl: setPlace });

  const activeRow = (): Challan | undefined => grid.current?.activeRow();
  const onRow = (act: (row: Challan) => void): void => {
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
    status: list.isPlaceholder ? { ...list.status, isFetching: true } : list.status,
    /** The rows of an earlier filter or page, while the asked ones are on their way. */
    isPlaceholder: list.isPlaceholder,
    error,
    sums,
    totalCount,
    fetchPage,
    /** What the table shows, in its order; undefined while it is not there. */
    shownFields: (): ChallanFieldName[] | undefined => {
      const shown = grid.current?.shownColumns() ?? [];
      const fields = shown.flatMap((key) => columnFields.find((name) => name === key) ?? []);
      return fields.length > 0 ? fields : undefined;
    },
    refetch: query.refetch,
    details,
    selection,
    onRow,
    bulk,
    closeBulk: (): void => setBulk(undefined),
    /** What is done with the selected challans is chosen in the dialog. */
    changeSelected: (): void => setBulk({ asked: undefined }),
    /** The key of a single row acts on the selection when there is one beside this row, after its confirmation. */
    onRowOrSelected: (act: (row: Challan) => void, asked: NonNullable<BulkDialogProps['asked']>): void => {
      if (selection.count === 0) return onRow(act);
      const row = activeRow();
      if (selection.count === 1 && row && selection.has(row.id)) return act(row);
      return setBulk({ asked });
    },
    sorts,
    onSorts: useCallback(
      (change: (now: readonly GridSort[]) => readonly GridSort[]) => {
        const { sortBy, sortOrder } = orderNow.current;
        const isUsual = sortBy === usualOrder.sortBy && sortOrder === usualOrder.sortOrder;
        const next = change(orderOfTexts(orderNow.current));
        // What is added to the usual order takes its place: no two challans were entered at the same moment.
        const chosen = isUsual && next.length > 1 ? next.filter(({ key }) => key !== newestFirst[0]?.key) : next;
        const texts = textsOfOrder(chosen.map(({ key, order }) => ({ key: key as ChallanSortKey, order })));
        if (!isSortBy(texts.sortBy)) return;
        orderNow.current = texts;
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
      // The field must be there before it can take the focus.
      flushSync(() => showFilters(true));
      firstFilter.current?.focus();
      if (firstFilter.current instanceof HTMLInputElement) firstFilter.current.select();
    },
  };
}

export type ChallanListState<T extends FilterTable> = ReturnType<typeof useChallanList<T, ListAnswer, ListSums>>;

/** So long a page that nobody has opened is kept. */
const unopenedMs = 30_000;

/**
 * Prefetches the page after the shown one, so that its rows are here when its key is pressed. Again after each answer of the
 * shown page, because a write makes both stale and refetches the shown one.
 */
function useNextPage<Answer extends ListAnswer>(
  shown: Answer | undefined,
  optionsOf: (page: number) => UseQueryOptions<Answer, ApiError>,
): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!shown?.pagination.hasNext) return;
    void client.prefetchQuery({ ...optionsOf(shown.pagination.currentPage + 1), gcTime: unopenedMs });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per answer
  }, [shown]);
}
