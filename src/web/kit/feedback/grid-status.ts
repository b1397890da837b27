import { errorText, requestIdOf } from '../api/api-error.ts';
import type { GridStatus } from '../grid/grid-types.ts';

interface QueryState {
  isPending: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** A query's state for a grid. `fallback` is the screen's default message in the error catalogue. */
export function gridStatusOf(query: QueryState, fallback: string): GridStatus {
  return {
    isLoading: query.isPending,
    isFetching: query.isFetching,
    isOutdated: query.isPlaceholderData,
    error: query.error
      ? {
          text: errorText(query.error, fallback),
          requestId: requestIdOf(query.error),
        }
      : undefined,
    onRetry: () => void query.refetch(),
  };
}
