import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { getSession, subscribeSession, viewerOf } from './session-store.ts';

/**
 * How long data counts as fresh. A user who returns to a screen later gets new data, but going back and forth between two
 * screens does not fetch the same data again.
 */
export const freshMs = 5_000;

/** A refused call would be refused again. Only a call without a proper answer is tried a second time. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || failures > 0) return false;
  return error.code === 'NETWORK' || error.status === 502 || error.status === 503 || error.status === 504;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // With 'always' a call without a network fails at once with a message, instead of waiting unnoticed.
      queries: { retry: isWorthRetrying, retryDelay: 800, staleTime: freshMs, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

export const queryClient = makeQueryClient();

/**
 * Clears the cache whenever the account or its seat changes, so that no data of an account stays in memory or is shown to the next one
 * (docs/security.md §2.4). Call it after the stored session has been restored, because it remembers the account that is signed
 * in then. Returns the function that stops it.
 */
export function clearOnAccountChange(client: QueryClient): () => void {
  const accountNow = (): string | undefined => {
    const session = getSession();
    return session ? viewerOf(session) : undefined;
  };
  let account = accountNow();
  return subscribeSession(() => {
    const next = accountNow();
    if (next !== account) client.clear();
    account = next;
  });
}
