import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { subscribeSession, getSession } from './session-store.ts';

/** Short enough that a return to a screen shows fresh figures, long enough that going back and forth asks once. */
const freshMs = 5_000;

/** A refusal stays a refusal; only a call that got no proper answer is worth one more try. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || failures > 0) return false;
  return error.code === 'NETWORK' || error.status === 502 || error.status === 503 || error.status === 504;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // 'always': without a network the call fails at once and says so, instead of waiting unseen.
      queries: { retry: isWorthRetrying, retryDelay: 800, staleTime: freshMs, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

export const queryClient = makeQueryClient();

/**
 * Nothing read for one account stays in memory after it (docs/security.md §2.4), nor is it shown to the next. To be
 * called once the stored session has been restored: whose answers the cache holds begins with it. Returns the function to
 * stop.
 */
export function clearWithAccount(client: QueryClient): () => void {
  const accountNow = (): string | undefined => getSession()?.user.id;
  let account = accountNow();
  return subscribeSession(() => {
    const next = accountNow();
    if (next !== account) client.clear();
    account = next;
  });
}
