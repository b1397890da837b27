import { useEffect } from 'react';
import type { Pagination } from '../../shared/contract/scalars.ts';
import { errorText, isApiError } from '../api/api-error.ts';
import { gridStatusOf } from '../feedback/grid-status.ts';
import { notify } from '../feedback/toast.ts';
import type { RecordAsk } from './record-place.ts';

interface QueryState {
  isPending: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** A page of records as a resource answers it. */
export interface RecordAnswer<Row> {
  query: QueryState;
  rows: readonly Row[] | undefined;
  pagination: Pagination | undefined;
  /** The sums of the totals row. */
  totals?: Readonly<Record<string, unknown>> | undefined;
}

/** The answer of a list that is searched by the same call. */
export const pageOf = <Row>(
  query: QueryState & { data: { data: readonly Row[]; pagination: Pagination } | undefined },
): RecordAnswer<Row> => ({ query, rows: query.data?.data, pagination: query.data?.pagination });

/** The answer of a list whose search is a call of its own: until that has answered, the list is what is shown. */
export function listOrSearch<Row>(
  { isSearch }: RecordAsk,
  list: RecordAnswer<Row>,
  search: QueryState & { data: { results: readonly Row[]; pagination: Pagination } | undefined },
): RecordAnswer<Row> {
  if (!isSearch) return list;
  const { data } = search;
  return {
    query: search,
    rows: data?.results ?? (search.error ? undefined : list.rows),
    pagination: data?.pagination,
  };
}

export interface RecordRows<Row> {
  rows: readonly Row[] | undefined;
  totalCount: number;
  totals: RecordAnswer<Row>['totals'];
  status: ReturnType<typeof gridStatusOf>;
  /** The rows of an earlier search or page, while the asked ones are on their way. */
  isPlaceholder: boolean;
}

interface RowsOptions<Row> extends RecordAnswer<Row> {
  /** The screen's default where a call fails without words. */
  failed: string;
  onPage: (page: number, options: { replace: boolean }) => void;
  /** Where a failure is shown beside the table; a toast unless the screen has its own place for it. */
  tell?: ((error: unknown, fallback: string) => void) | undefined;
}

// The table beside it has the number of the request.
const sayIt = (error: unknown, fallback: string): void => notify.error(errorText(error, fallback));

/** The rows of a list as a grid takes them; a page that is no longer there gives way to the last one. */
export function useRecordRows<Row>(options: RowsOptions<Row>): RecordRows<Row> {
  const { query, rows, pagination, totals, failed, onPage, tell = sayIt } = options;
  const { error, isPlaceholderData } = query;

  useEffect(() => {
    if (error && !isApiError(error, 'UNAUTHORIZED')) tell(error, failed);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per failure, however often the screen is drawn
  }, [error]);

  const { currentPage = 1, totalPages = 1, totalCount = 0 } = pagination ?? {};
  const lastPage = Math.max(1, totalPages);
  const isPastEnd = rows !== undefined && !isPlaceholderData && rows.length === 0 && currentPage > lastPage;
  useEffect(() => {
    if (isPastEnd) onPage(lastPage, { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per page past the end
  }, [isPastEnd, lastPage]);

  const status = gridStatusOf(query, failed);
  return {
    rows: isPastEnd ? undefined : rows,
    totalCount,
    totals,
    isPlaceholder: isPlaceholderData || (query.isPending && rows !== undefined),
    status: isPastEnd ? { ...status, isLoading: true } : { ...status, isLoading: status.isLoading && !rows },
  };
}
