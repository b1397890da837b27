import { LogOut } from 'lucide-react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { buttonOf, type Action } from '../../actions/registry.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { Button } from '../../ui/button.tsx';
import type { OpenSessionsList } from './use-open-sessions.ts';

const headings = ['Device', 'Address', 'Signed in', 'Last used', 'Ends at the latest'];
const cellLook = 'py-1.5 pr-6';

interface OpenSessionsProps {
  sessions: OpenSessionsList;
  endOthers: Action;
}

/**
 * Where the account is signed in (docs/specification.md §2.4: a session ends after half an hour unused, or after eight
 * hours).
 */
export function OpenSessions({ sessions, endOthers }: OpenSessionsProps) {
  const { rows, error, isFetching, refetch, isEnding } = sessions;
  return (
    <section
      aria-labelledby="open-sessions"
      className="overflow-x-auto rounded-lg border border-line bg-surface px-5 pt-3 pb-4 shadow-card"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="mr-auto">
          <h2 id="open-sessions" className="font-semibold">
            Open Sessions
          </h2>
          <p className="text-xs text-muted">
            A session ends with Logout, after 30 minutes without use, or 8 hours after signing in.
          </p>
        </div>
        <Button icon={<LogOut size={14} aria-hidden />} busy={isEnding} {...buttonOf(endOthers)}>
          {endOthers.label}
        </Button>
      </div>
      {error !== null && error !== undefined && (
        <FailureAlert
          className="mt-3"
          error={error}
          fallback="Failed to fetch the open sessions"
          onRetry={refetch}
          isRetrying={isFetching}
        />
      )}
      {rows && (
        <table className="nums mt-3 w-full border-collapse text-left" aria-labelledby="open-sessions">
          <thead className="text-xs text-muted">
            <tr className="border-b border-line">
              {headings.map((heading) => (
                <th key={heading} scope="col" className={`${cellLook} font-medium whitespace-nowrap`}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} className="border-b border-line last:border-b-0">
                <th scope="row" className={`${cellLook} font-medium`}>
                  {row.userAgent}
                  {row.isCurrent && (
                    <span className="ml-2 rounded-full bg-good-soft px-2 py-0.5 text-xs font-medium whitespace-nowrap text-good">
                      This session
                    </span>
                  )}
                </th>
                <td className={cellLook}>{row.address || '—'}</td>
                <td className={`${cellLook} whitespace-nowrap`}>{formatDateTime(row.createdAt)}</td>
                <td className={`${cellLook} whitespace-nowrap`}>{formatDateTime(row.lastUsedAt)}</td>
                <td className={`${cellLook} whitespace-nowrap`}>{formatDateTime(row.expiresAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
