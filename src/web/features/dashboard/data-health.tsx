import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { DiskRoom, LogHealth, Upkeep } from '../../../shared/contract/health.ts';
import { health } from '../../resources/health.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';

/**
 * The admin's view of the stored data: the last check of the books, the last backup and the archived log
 * (docs/specification.md §18.4).
 */
export function DataHealth() {
  const query = health.useGet({});
  const stored = query.data?.data;
  return (
    <section aria-label="Health of the data" className="mt-3 max-w-3xl">
      {!stored && query.error !== null ? (
        <QueryFailure query={query} fallback="Failed to fetch the health of the data" />
      ) : (
        <div className="flex flex-wrap items-stretch gap-3">
          <UpkeepCard label="Check of the books" upkeep={stored?.check} />
          <UpkeepCard label="Backup" upkeep={stored?.backup} />
          {stored?.log && <LogArchiveCard log={stored.log} />}
          {stored && (
            <StatCard
              label="Database"
              value={`PostgreSQL ${stored.database.version}`}
              tone={stored.database.warning === null ? 'good' : 'warn'}
              // A warning says what to do at its end, so it wraps instead of being cut.
              detail={
                <span className="whitespace-normal">{stored.database.warning ?? 'No newer version is known'}</span>
              }
            />
          )}
          {stored && stored.disks.length > 0 && <DiskCard disks={stored.disks} />}
        </div>
      )}
    </section>
  );
}

interface UpkeepCardProps {
  label: string;
  /** undefined while it loads; null if none ran yet. */
  upkeep: Upkeep | null | undefined;
}

function UpkeepCard({ label, upkeep }: UpkeepCardProps) {
  if (upkeep === undefined) return <StatCard label={label} value={undefined} detail="" />;
  if (upkeep === null) return <StatCard label={label} value="None yet" tone="warn" detail="" />;
  const { goodAt, summary } = upkeep;
  const isOld = goodAt === null || hoursSince(goodAt) >= warnAfterHours;
  const failed = upkeep.endedAt !== null && !upkeep.isGood;
  return (
    <StatCard
      label={label}
      value={goodAt === null ? 'None succeeded yet' : `Good ${formatAge(goodAt)}`}
      tone={failed ? 'danger' : isOld ? 'warn' : 'good'}
      detail={
        <span
          title={summary}
        >{`${upkeep.endedAt === null ? 'Started' : 'Last'} ${formatDateTime(upkeep.endedAt ?? upkeep.beganAt)}: ${summary || 'not finished'}`}</span>
      }
    />
  );
}

/**
 * How much of the database log is archived. A backup can be brought forward to any moment that the archived log
 * reaches.
 */
function LogArchiveCard({ log: { trouble, archivedAt, waitingSince, waitingBytes } }: { log: LogHealth }) {
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

const diskNames: Readonly<Record<DiskRoom['name'], string>> = {
  data: 'Data',
  backups: 'Backups',
  log: 'Archive of the log',
};
const gigabytes = (bytes: number): string => String(Math.round(bytes / 1e8) / 10);
const isBelow = ({ freeBytes, totalBytes }: DiskRoom, share: number, bytes: number): boolean =>
  freeBytes < bytes || freeBytes < totalBytes * share;
/** The worst first: a disk in danger may have more of its room free than another one that is in none. */
const tones = ['danger', 'warn', 'good'] as const;
const toneOf = (disk: DiskRoom): (typeof tones)[number] =>
  isBelow(disk, 0.03, 1e9) ? 'danger' : isBelow(disk, 0.1, 5e9) ? 'warn' : 'good';

/** The room on the disks that the program fills, by the worst of them. A full disk keeps everybody from saving. */
function DiskCard({ disks }: { disks: readonly DiskRoom[] }) {
  const sorted = disks.toSorted(
    (a, b) =>
      tones.indexOf(toneOf(a)) - tones.indexOf(toneOf(b)) || a.freeBytes / a.totalBytes - b.freeBytes / b.totalBytes,
  );
  const [worst] = sorted;
  if (!worst) return null;
  const all = sorted
    .map(
      ({ name, freeBytes, totalBytes }) => `${diskNames[name]} ${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} GB`,
    )
    .join(' · ');
  return (
    <StatCard
      label="Room on the disks"
      value={`${gigabytes(worst.freeBytes)} GB free`}
      tone={toneOf(worst)}
      detail={<span title={all}>{all}</span>}
    />
  );
}

/**
 * Archiving a segment takes a moment, and a few moments when several wait after much work. Only a longer wait is
 * worth a warning.
 */
const lateAfterMinutes = 5;
const minutesSince = (at: string): number => (Date.now() - Date.parse(at)) / 60_000;

/** The check and the backup run every night. One missed night does not warn yet. */
const warnAfterHours = 48;
const hoursSince = (at: string): number => (Date.now() - Date.parse(at)) / 3_600_000;

function formatAge(at: string): string {
  const hours = Math.max(0, Math.floor(hoursSince(at)));
  if (hours < 1) return 'less than an hour ago';
  if (hours < 48) return hours === 1 ? '1 hour ago' : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}
