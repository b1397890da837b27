import { skipToken, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ApiError } from '../../../kit/api/api-error.ts';

/**
 * The sums of a list whose rows may be there before them (docs/specification.md §3.4). `answered` are those that came with the
 * rows: null if they did not, undefined if there are no rows yet. `count` asks for them, by the filter alone, so that another
 * page or order does not count again. Not `isCurrent`: the rows are those of an earlier filter or page.
 */
export function useListSums<Sums>(
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
