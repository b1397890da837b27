import { useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Challan } from '../../../shared/contract/challan.ts';
import { contract } from '../../../shared/contract/index.ts';
import { call } from '../../api/client.ts';
import { challans } from '../../api/resources.ts';

/** Part 2 §2.2. */
const pollMs = 2_000;
const slowestPollMs = 30_000;
const recentCount = 8;

/**
 * The newest challans, asked for every 2 s while the create screen is in sight (ruling 28): one request at a time, backing
 * off to 30 s on errors, silent, marked as background so that it does not prolong the session.
 */
export function useRecentChallans(enabled: boolean): readonly Challan[] {
  const failures = useRef(0);
  const args = { query: { page: 1, limit: recentCount, sortBy: 'createdAt', sortOrder: 'desc' } } as const;
  const { data } = useQuery({
    queryKey: [...challans.listKey(args), 'recent'],
    queryFn: async ({ signal }) => {
      try {
        const answer = await call(contract.challans.list, args, { signal, background: true });
        failures.current = 0;
        return answer;
      } catch (error) {
        if (!signal.aborted) failures.current += 1;
        throw error;
      }
    },
    enabled,
    retry: false,
    staleTime: pollMs,
    refetchInterval: () => Math.min(pollMs * 2 ** failures.current, slowestPollMs),
    refetchIntervalInBackground: false,
  });
  return data?.data ?? [];
}
