import { useEffect } from 'react';
import type { Pagination } from '../../shared/contract/scalars.ts';
import { isApiError } from '../api/api-error.ts';
import { gridStatusOf } from '../shell/grid-status.ts';
import { notify } from '../shell/toast.ts';

interface RowsOptions<Row> {
  query: {
    isPending: boolean;
    isFetching: boolean;
    isPlaceholderData: boolean;
    error: unknown;
    refetch: () => unknown;
  };
  rows: readonly Row[] | undefined;
  /** Absent for answers that are not paged. */
  pagination?: Pagination | undefined;
  /** All that match, where nothing is paged. */
  count?: number | undefined;
  /** The screen's default of the error catalogue. */
  failed: string;
  onPage: (page: number, options: { replace: boolean }) => void;
  /** Where an error is told; a toast unless the screen has its own place (part 1 §8). */
  tell?: (error: unknown, fallback: string) => void;
}

export interface RecordRows<Row> {
  rows: readonly Row[] | undefined;
  totalCount: number;
  status: ReturnType<typeof gridStatusOf>;
  /** The rows of an earlier search or page, while the asked ones are on their way. */
  isPlaceholder: boolean;
}

/** The rows of a list as a grid takes them; a page that is no longer there gives way to the last one (ruling 15). */
export function useRecordRows<Row>(options: RowsOptions<Row>): RecordRows<Row> {
  const { query, rows, pagination, count, failed, onPage, tell = notify.error } = options;
  const { error, isPlaceholderData } = query;

  useEffect(() => {
    if (error && !isApiError(error, 'UNAUTHORIZED')) tell(error, failed);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per failure, however often the screen is drawn
  }, [error]);

  const { currentPage = 1, totalPages = 1, totalCount = count ?? 0 } = pagination ?? {};
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
    isPlaceholder: isPlaceholderData || (query.isPending && rows !== undefined),
    status: isPastEnd ? { ...status, isLoading: true } : { ...status, isLoading: status.isLoading && !rows },
  };
}
