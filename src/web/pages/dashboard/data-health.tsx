import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { LogHealth, Upkeep } from '../../../shared/contract/health.ts';
import { health } from '../../api/health.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { StatCard } from '../../ui/stat-card.tsx';

/** How the data of the installation fares: the last check of the books, the last backup and the archived log (docs/specification.md §18.4). */
export function DataHealth() {
  const query = health.useGet({});
  const stored = query.data?.data;
  return (
    <section aria-label="Health of the data" className="mt-3 max-w-3xl">
      {!stored && query.error !== null ? (
        <FailureAlert
          error={query.error}
          fallback="Failed to fetch the health of the data"
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <div className="flex flex-wrap items-stretch gap-3">
          <Done label="Check of the books" done={stored?.check} />
          <Done label="Backup" done={stored?.backup} />
          {stored?.log && <Archive log={stored.log} />}
        </div>
      )}
    </section>
  );
}

interface DoneProps {
  label: string;
  /** undefined: still loading. */
  done: Upkeep | null | undefined;
}

function Done({ label, done }: DoneProps) {
  if (done === undefined) return <StatCard label={label} value={undefined} detail="" />;
  if (done === null) return <StatCard label={label} value="None yet" tone="warn" detail="" />;
  const { goodAt, summary } = done;
  const isOld = goodAt === null || hoursSince(goodAt) >= warnAfterHours;
  const failed = done.endedAt !== null && !done.isGood;
  return (
    <StatCard
      label={label}
      value={goodAt === null ? 'Never good' : `Good ${ageOf(goodAt)}`}
      tone={failed ? 'danger' : isOld ? 'warn' : 'good'}
      detail={
        <span
          title={summary}
        >{`${done.endedAt === null ? 'Began' : 'Last'} ${formatDateTime(done.endedAt ?? done.beganAt)}: ${summary || 'not ended'}`}</span>
      }
    />
  );
}

/** What was archived of the log, to which everything can be restored. */
function Archive({ log: { trouble, archivedAt, waitingSince, waitingBytes } }: { log: LogHealth }) {
  const isLate = waitingSince !== null && minutesSince(waitingSince) >= lateAfterMinutes;
  const value = trouble === null && !isLate ? 'Up to date' : `${Math.ceil(waitingBytes / 1e6)} MB not archived`;
  const last = archivedAt === null ? 'None yet' : `Last ${formatDateTime(archivedAt)}`;
  return (
    <StatCard
      label="Archive of the log"
      value={value}
      tone={trouble !== null ? 'danger' : isLate ? 'warn' : 'good'}
      detail={<span title={trouble ?? undefined}>{trouble === null ? last : `${last}: ${trouble}`}</span>}
    />
  );
}

/** A segment takes a moment; several of them after much work a few. */
const lateAfterMinutes = 5;
const minutesSince = (at: string): number => (Date.now() - Date.parse(at)) / 60_000;

/** Both are made every night: one that is missing is no warning yet. */
const warnAfterHours = 48;
const hoursSince = (at: string): number => (Date.now() - Date.parse(at)) / 3_600_000;

function ageOf(at: string): string {
  const hours = Math.max(0, Math.floor(hoursSince(at)));
  if (hours < 1) return 'less than an hour ago';
  if (hours < 48) return hours === 1 ? '1 hour ago' : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}
