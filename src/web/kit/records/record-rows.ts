import { useEffect } from 'react';
import type { Pagination } from '../../../shared/contract/scalars.ts';
import { pagesOf } from '../api/create-resource.ts';
import { useFailureToast } from '../feedback/failure-toast.ts';
import { gridStatusOf } from '../feedback/grid-status.ts';
import type { PageLoader } from '../grid/grid-types.ts';
import type { ListQuery } from './record-place.ts';

interface QueryState {
  isPending: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  error: unknown;
  refetch: () => Promise<unknown>;
}

/** A page of records from a resource's call. */
export interface RecordAnswer<Row> {
  query: QueryState;
  rows: readonly Row[] | undefined;
  pagination: Pick<Pagination, 'currentPage' | 'totalPages' | 'totalCount'> | undefined;
  loadPage: PageLoader<Row>;
  /** The sums of the totals row. */
  totals?: Readonly<Record<string, unknown>> | undefined;
}

/** The answer of a list whose search uses the same call. */
export const pageOf = <Row>(
  query: QueryState & { data: { data: readonly Row[]; pagination: Pagination } | undefined },
): RecordAnswer<Row> => ({
  query,
  rows: query.data?.data,
  pagination: query.data?.pagination,
  loadPage: pagesOf(query, ({ data }) => data),
});

/** The answer of a list whose search is a separate call. Until the search answers, the list stays on screen. */
export function listOrSearch<Row>(
  { isSearch }: ListQuery,
  list: RecordAnswer<Row>,
  search: QueryState & { data: { results: readonly Row[]; pagination: Pagination } | undefined },
): RecordAnswer<Row> {
  if (!isSearch) return list;
  const { data } = search;
  return {
    query: search,
    rows: data?.results ?? (search.error ? undefined : list.rows),
    pagination: data?.pagination,
    loadPage: pagesOf(search, ({ results }) => results),
  };
}

export interface RecordRows<Row> {
  rows: readonly Row[] | undefined;
  totalCount: number;
  loadPage: PageLoader<Row>;
  totals: RecordAnswer<Row>['totals'];
  status: ReturnType<typeof gridStatusOf>;
  /** The rows belong to the previous search or page, while the current ones load. */
  isPlaceholder: boolean;
}

interface RowsOptions<Row> extends RecordAnswer<Row> {
  /** The screen's error message where the server gives none. */
  failed: string;
  onPage: (page: number, options: { replace: boolean }) => void;
  /** Shows a failure in addition to the table's error state; the default is a toast. */
  reportError?: ((error: unknown, fallback: string) => void) | undefined;
}

/** The rows and status of a list for its grid. If the page no longer exists, it goes to the last page. */
export function useRecordRows<Row>(options: RowsOptions<Row>): RecordRows<Row> {
  const { query, rows, pagination, loadPage, totals, failed, onPage, reportError } = options;
  const { isPlaceholderData } = query;

  useFailureToast(query.error, failed, reportError);
  const { currentPage = 1, totalPages = 1, totalCount = 0 } = pagination ?? {};
  const lastPage = Math.max(1, totalPages);
  const isPastEnd = rows !== undefined && !isPlaceholderData && rows.length === 0 && currentPage > lastPage;
  useEffect(() => {
    if (isPastEnd) onPage(lastPage, { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once per page past the end
  }, [isPastEnd, lastPage]);

  const status = gridStatusOf(query, failed);
  return {
    rows: isPastEnd ? undefined : rows,
    totalCount,
    loadPage,
    totals,
    isPlaceholder: isPlaceholderData || (query.isPending && rows !== undefined),
    status: isPastEnd ? { ...status, isLoading: true } : { ...status, isLoading: status.isLoading && !rows },
  };
}
