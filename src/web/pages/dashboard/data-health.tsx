import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { Upkeep } from '../../../shared/contract/health.ts';
import { health } from '../../api/health.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { StatCard } from '../../ui/stat-card.tsx';

/** How the data of the installation fares: the last check of the books and the last backup (docs/specification.md §18.4). */
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

/** Both are made every night: one that is missing is no warning yet. */
const warnAfterHours = 48;
const hoursSince = (at: string): number => (Date.now() - Date.parse(at)) / 3_600_000;

function ageOf(at: string): string {
  const hours = Math.max(0, Math.floor(hoursSince(at)));
  if (hours < 1) return 'less than an hour ago';
  if (hours < 48) return hours === 1 ? '1 hour ago' : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}
