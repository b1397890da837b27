import { useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { clsx } from 'clsx';
import type { Challan } from '../../../../shared/contract/challan.ts';
import { challans } from '../../../resources/challans.ts';
import { formatDateTime } from '../../../../shared/calc/dates.ts';
import { formatINR, isNegative } from '../../../../shared/calc/money.ts';
import { call } from '../../../kit/api/client.ts';

/** docs/specification.md §8.2.5 */
const pollMs = 2_000;
const slowestPollMs = 30_000;
const recentCount = 8;

/**
 * The newest challans, polled every 2 s while the create screen is visible (docs/specification.md §8.2.5). There is one request
 * at a time, errors are silent and slow the polling down to 30 s, and `background` keeps it from prolonging the session.
 */
export function useRecentChallans(enabled: boolean): readonly Challan[] {
  const failures = useRef(0);
  const args = { query: { page: 1, limit: recentCount, sortBy: 'createdAt', sortOrder: 'desc' } } as const;
  const { data } = useQuery({
    queryKey: [...challans.listKey(args), 'recent'],
    queryFn: async ({ signal }) => {
      try {
        const answer = await call(challans.calls.list, args, { signal, background: true });
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

/** The challans entered last by anybody in this account (docs/specification.md §8.2.5). */
export function RecentStrip({ challans }: { challans: readonly Challan[] }) {
  return (
    <section
      aria-labelledby="recent-challans"
      className="rounded-lg border border-line bg-surface px-4 py-2.5 shadow-card"
    >
      <h2 id="recent-challans" className="mb-1.5 text-xs font-semibold">
        Recent challans
      </h2>
      {challans.length === 0 ? (
        <p className="h-15 text-muted">The challans you create appear here.</p>
      ) : (
        <ul className="flex h-15 gap-2 overflow-x-auto overflow-y-hidden">
          {challans.map((challan) => (
            <li key={challan.id} className="w-48 shrink-0">
              <Link
                to={`/challans/edit/${challan.id}`}
                title={`${challan.challanNumber}, ${challan.ownerName}, entered ${formatDateTime(challan.createdAt)}`}
                className="block h-full rounded-md border border-line bg-sunken px-2.5 py-1 text-xs leading-4 text-ink no-underline hover:border-primary"
              >
                <span className="flex justify-between gap-2">
                  <span className="truncate font-medium text-primary">{challan.challanNumber}</span>
                  <span className="shrink-0 text-muted">{challan.paymentStatus ? 'Paid' : 'Unpaid'}</span>
                </span>
                <span className="block truncate">
                  TP {challan.tpNo} · {challan.vehicleNo}
                </span>
                <span className="flex justify-between gap-2">
                  <span className="truncate text-muted">{challan.ownerName}</span>
                  <span className={clsx('nums shrink-0', isNegative(challan.netAmountPayable) && 'text-danger')}>
                    {formatINR(challan.netAmountPayable)}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
