import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { errorText, isApiError } from '../../api/api-error.ts';
import { challans } from '../../api/resources.ts';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { notify } from '../../feedback/toast.ts';
import { toListQuery, type ListPlace } from './list-state.ts';

const failed = 'Failed to fetch challans';

/**
 * docs/specification.md §8.1: an error containing 404 or Not Found is only logged; the grid shows it with Retry all the
 * same.
 */
function isNotFound(error: unknown): boolean {
  return (isApiError(error) && error.status === 404) || /404|not found/i.test(errorText(error, failed));
}

/**
 * One page of the list with the sums of its whole filter. `onPastEnd` is told of the last page there is
 * (docs/specification.md §3.4).
 */
export function useChallanList(place: ListPlace, onPastEnd: (lastPage: number) => void) {
  const client = useQueryClient();
  const query = challans.useList({ query: toListQuery(place) });
  const { data, error, isPlaceholderData } = query;

  useEffect(() => {
    if (!error || isApiError(error, 'UNAUTHORIZED')) return;
    // oxlint-disable-next-line no-console -- docs/specification.md §8.1 wants it logged
    if (isNotFound(error)) console.error(errorText(error, failed));
    else notify.error(error, failed);
  }, [error]);

  const { currentPage = 1, totalPages = 1 } = data?.pagination ?? {};
  const lastPage = Math.max(1, totalPages);
  const isPastEnd = data !== undefined && !isPlaceholderData && data.data.length === 0 && currentPage > lastPage;
  useEffect(() => {
    if (isPastEnd) onPastEnd(lastPage);
  }, [isPastEnd, lastPage, onPastEnd]);

  const status = gridStatusOf(query, failed);
  return {
    rows: isPastEnd ? undefined : data?.data,
    summary: data?.summary,
    // As the totals count them: a challan that left the filter by a mark is in neither.
    totalCount: data?.summary.totalCount ?? 0,
    lastPage,
    /** The rows of an earlier filter or page, while the asked ones are on their way. */
    isPlaceholder: isPlaceholderData,
    isPastEnd,
    status: isPastEnd ? { ...status, isLoading: true } : status,
    refetch: query.refetch,
    /** Another page of the same list. */
    fetchPage: async (page: number) =>
      (await client.fetchQuery(challans.listOptions({ query: toListQuery({ ...place, page }) }))).data,
  };
}
