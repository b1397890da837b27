import { Link } from 'react-router-dom';
import { UserCog } from 'lucide-react';
import { subadmins } from '../../resources/subadmins.ts';
import { KeyHint } from '../../kit/ui/key-hint.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { useSession } from '../../kit/api/use-session.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { BusinessDashboard } from './business-dashboard.tsx';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { useRef, useState, type FormEvent } from 'react';
import { settingsChange, settingsRecord, type Settings } from '../../../shared/contract/settings.ts';
import { errorText, isApiError, requestIdOf } from '../../kit/api/api-error.ts';
import { settings } from '../../resources/settings.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { screens } from '../../screens.ts';
import { Button } from '../../kit/ui/button.tsx';
import { RequestId } from '../../kit/ui/request-id.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { DiskRoom, LogHealth, Upkeep } from '../../../shared/contract/health.ts';
import { health } from '../../resources/health.ts';

/** /dashboard (docs/specification.md §4): the page depends on the role. */
export function DashboardPage() {
  const session = useSession();
  if (session?.role !== 'subadmin') return <AdminDashboard />;
  return <BusinessDashboard name={session.user.bannerName ?? session.user.email} />;
}

/** The dashboard of the admin (docs/specification.md §4.1): the number of sub-admins, and links to continue with. */
function AdminDashboard() {
  const query = subadmins.useList({ query: { page: 1, limit: 1 } });
  const count = query.data?.pagination.totalCount;
  const isFailed = query.error !== null && !query.isFetching;
  return (
    <Page title="Welcome back, Admin!">
      {isFailed && <QueryFailure query={query} fallback="Failed to fetch subadmins" />}
      <div className="flex max-w-3xl flex-wrap items-stretch gap-3">
        <div className="flex w-56">
          <StatCard
            label="Total Subadmins"
            value={count === undefined ? (isFailed ? '—' : undefined) : formatCount(count)}
            icon={<UserCog size={14} aria-hidden />}
          />
        </div>
        <section
          aria-label="Quick Actions"
          className="min-w-80 flex-1 rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
        >
          <h2 className="text-xs text-muted">Quick Actions</h2>
          <p className="mt-1">
            Add, edit, activate and deactivate accounts under{' '}
            <Link to="/admin/subadmins" className="underline">
              Subadmins
            </Link>{' '}
            <KeyHint keys="Alt+2" />. Press <KeyHint keys="Ctrl+K" /> to go anywhere and <KeyHint keys="?" /> to see all
            keys.
          </p>
        </section>
      </div>
      <DataHealth />
      <CopyLimit />
    </Page>
  );
}

/**
 * The admin's settings for copying owners: whether businesses see each other's owners, and how many of them one
 * business may copy in a day (docs/specification.md §6.4).
 */
function CopyLimit() {
  const query = settings.useGet({});
  const stored = query.data?.data;
  return (
    <section
      aria-label="Copying owners"
      className="mt-3 max-w-3xl rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
    >
      <h2 className="text-xs text-muted">Copying owners</h2>
      {stored && <CopyLimitForm stored={stored} />}
      {!stored && (
        <QueryFailure
          className="mt-2"
          query={query}
          fallback="Failed to fetch the settings"
          waiting={<Skeleton className="mt-2 h-9 w-64" />}
        />
      )}
    </section>
  );
}

function CopyLimitForm({ stored }: { stored: Settings }) {
  const [text, setText] = useState(String(stored.copiesPerDay));
  const [isDirectoryOn, setDirectoryOn] = useState(stored.isDirectoryOn);
  /** The settings as this admin last saw them. A save sends their version. */
  const [lastSeen, setLastSeen] = useState(stored);
  const [error, setError] = useState<{ text: string; requestId?: string | undefined }>();
  const field = useRef<HTMLInputElement>(null);
  const fail = (text: string, requestId?: string): void => {
    setError({ text, requestId });
    field.current?.focus();
  };
  const update = settings.useUpdate({
    onSuccess: ({ data }) => {
      setLastSeen(data);
      notify.success('Settings saved');
    },
    onError: (problem) => {
      const current = isApiError(problem, 'VERSION_CONFLICT') ? settingsRecord.safeParse(problem.data).data : undefined;
      // What was typed stays in the form. The message names the newer values, so that saving again is an informed
      // choice.
      if (current) {
        setLastSeen(current);
        const number = formatCount(current.copiesPerDay);
        const directory = current.isDirectoryOn ? 'on' : 'off';
        return fail(
          current.isDirectoryOn === lastSeen.isDirectoryOn
            ? `Another admin has changed this to ${number}. Save again to replace it.`
            : `Another admin has switched the directory ${directory} and set this to ${number}. Save again to replace both.`,
        );
      }
      fail(errorText(problem, 'Failed to save the settings'), requestIdOf(problem));
    },
  });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (update.isPending) return;
    const typed = text.replace(/[\s,]/g, '');
    const wanted = settingsChange.safeParse({
      copiesPerDay: /^\d+$/.test(typed) ? Number(typed) : Number.NaN,
      isDirectoryOn,
      version: lastSeen.version,
    });
    if (wanted.success) update.mutate({ body: wanted.data });
    else fail(wanted.error.issues[0]?.message ?? '');
  };
  return (
    <form className="mt-2" onSubmit={save} noValidate>
      <Checkbox
        isSwitch
        label="Directory of owners"
        hint="When off, no business can see or copy the owners of another. To switch it off for one business, edit that business under Subadmins."
        checked={isDirectoryOn}
        onCheckedChange={setDirectoryOn}
      />
      <div className="mt-3 flex items-start gap-3">
        <div className="w-96">
          <TextField
            ref={field}
            label="Owners a business may copy per day"
            hint="Copied owners show account number, PAN and phone in full. Enter 0 to switch copying off."
            value={text}
            inputMode="numeric"
            maxLength={9}
            error={error?.text}
            onValueChange={(value) => {
              setText(value);
              setError(undefined);
            }}
          />
          <RequestId id={error?.requestId} />
        </div>
        <Button className="mt-5" type="submit" variant="primary" busy={update.isPending}>
          Save
        </Button>
        <Link className="mt-6 ml-auto underline" to={screens.copiedOwners.path}>
          Copied owners
        </Link>
      </div>
    </form>
  );
}

/**
 * The admin's view of the stored data: the last check of the books, the last backup and the archived log
 * (docs/specification.md §18.4).
 */
function DataHealth() {
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
