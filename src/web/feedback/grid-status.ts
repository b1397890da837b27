import { errorText, requestIdOf } from '../api/api-error.ts';
import type { GridStatus } from '../grid/grid-types.ts';

interface QueryState {
  isPending: boolean;
  isFetching: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** A query's state as a grid shows it; `fallback` is the screen's default of the error catalogue. */
export function gridStatusOf(query: QueryState, fallback: string): GridStatus {
  return {
    isLoading: query.isPending,
    isFetching: query.isFetching,
    error: query.error
      ? {
          text: errorText(query.error, fallback),
          requestId: requestIdOf(query.error),
        }
      : undefined,
    onRetry: () => void query.refetch(),
  };
}
