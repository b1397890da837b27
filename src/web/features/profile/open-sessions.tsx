import { LogOut } from 'lucide-react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { useOpenSessions, type OpenSessionsList } from './use-open-sessions.ts';

const headings = ['Device', 'Address', 'Signed in', 'Last used', 'Ends at the latest'];
const cellClass = 'py-1.5 pr-6';
const rules =
  'A session ends with Logout, after 30 minutes without use, or 8 hours after signing in. At most 10 sessions are open at a time. A further sign-in ends the oldest one.';

/** The section of the profile that lists the open sessions of the account (docs/specification.md §2.4). */
export function OpenSessions({ sessions, endOthers }: { sessions: OpenSessionsList; endOthers: Action }) {
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
          <p className="text-xs text-muted">{rules}</p>
        </div>
        <ActionButton action={endOthers} icon={LogOut} busy={sessions.isEnding} />
      </div>
      <SessionTable sessions={sessions} />
    </section>
  );
}

/** The same for an admin, who has no profile. It is opened from the menu of the account. */
export default function OpenSessionsDialog({ onClose }: { onClose: () => void }) {
  const sessions = useOpenSessions();
  return (
    <Dialog
      title="Open Sessions"
      description={rules}
      size="xl"
      closeOnOutside
      onClose={onClose}
      footer={
        <>
          <Button
            icon={<LogOut size={14} aria-hidden />}
            busy={sessions.isEnding}
            disabledReason={sessions.endOthersReason}
            onClick={() => void sessions.endOthers()}
          >
            Sign out everywhere else
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <SessionTable sessions={sessions} />
    </Dialog>
  );
}

function SessionTable({ sessions }: { sessions: OpenSessionsList }) {
  const { rows, endingId, end } = sessions;
  return (
    <>
      <QueryFailure className="mt-3" query={sessions} fallback="Failed to fetch the open sessions" />
      {rows && (
        <table className="nums mt-3 w-full border-collapse text-left" aria-label="Open Sessions">
          <thead className="text-xs text-muted">
            <tr className="border-b border-line">
              {headings.map((heading) => (
                <th key={heading} scope="col" className={`${cellClass} font-medium whitespace-nowrap`}>
                  {heading}
                </th>
              ))}
              <th scope="col" className="sr-only">
                Sign out
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} className="border-b border-line last:border-b-0">
                <th scope="row" className={`${cellClass} font-medium`}>
                  {row.userAgent}
                  {row.isCurrent && (
                    <span className="ml-2 rounded-full bg-good-soft px-2 py-0.5 text-xs font-medium whitespace-nowrap text-good">
                      This session
                    </span>
                  )}
                </th>
                <td className={cellClass}>{row.address || '—'}</td>
                <td className={`${cellClass} whitespace-nowrap`}>{formatDateTime(row.createdAt)}</td>
                <td className={`${cellClass} whitespace-nowrap`}>{formatDateTime(row.lastUsedAt)}</td>
                <td className={`${cellClass} whitespace-nowrap`}>{formatDateTime(row.expiresAt)}</td>
                <td className="py-0.5 text-right">
                  {!row.isCurrent && (
                    <Button
                      size="sm"
                      aria-label={`Sign out ${row.userAgent}, ${row.address || 'unknown address'}`}
                      busy={row.id === endingId}
                      onClick={() => void end(row)}
                    >
                      Sign out
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
