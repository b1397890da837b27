import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { FilePlus2, FileText, Landmark, RefreshCw, type LucideIcon } from 'lucide-react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDate } from '../../../shared/calc/dates.ts';
import { dashboardCommands } from './dashboard-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { accounting } from '../../resources/accounting.ts';
import { dashboard } from '../../resources/dashboard.ts';
import { owners } from '../../resources/owners.ts';
import { usePreference } from '../../kit/api/account-storage.ts';
import { Page } from '../../kit/ui/page.tsx';
import { useUrlState } from '../../kit/filters/url-state.ts';
import { useFilterProblem } from '../../kit/filters/filter-problem.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Tooltip } from '../../kit/ui/tooltip.tsx';
import { dashboardShape, noFilters, toQuery, type Filters } from './dashboard-state.ts';
import { FirstSteps, SampleNotice } from './first-steps.tsx';
import { OwnerAgeing, useOwnerAgeing } from './owner-ageing.tsx';
import { TagAnalytics } from './tag-analytics.tsx';
import { TodaySection, useToday } from './today-section.tsx';
import { refusalOfRight } from '../../kit/api/seat.ts';
import { screenAt, screens } from '../../screens.ts';

/** The sub-admin's dashboard: what the day asks for, Tag Analytics with its plots, and how long each owner has been waiting for money. */
export function BusinessDashboard({ name }: { name: string }) {
  const [place, setPlace] = useUrlState(dashboardShape);
  const { startDate, endDate, tagId } = place;
  const filters: Filters = { startDate, endDate, tagId };
  const query = toQuery(filters);
  // While the figures of a new filter load, those of the previous filter stay on screen, dimmed.
  const keepPrevious = { placeholderData: <T,>(previous: T | undefined) => previous };
  const analytics = accounting.useGetTagAnalytics({ query }, keepPrevious);
  const weeks = dashboard.useListWeeks({ query }, keepPrevious);
  // The request starts together with the others, although its table is shown only after them.
  const ageing = useOwnerAgeing(place);
  const today = useToday(name);
  const datesRef = useRef<HTMLDivElement>(null);
  const range = useFilterProblem();
  const hasFilter = Object.values(filters).some((value) => value !== '');

  const total = analytics.data?.data.summary.totalChallans;
  // A business with more challans than this is past its sample data.
  const hasSample = !hasFilter && total !== undefined && total > 0 && total <= maxChallansWithSample;
  const isEmpty = !hasFilter && total === 0;

  const noLines = today.shown || isEmpty ? 'there are no lines today.' : 'the lines of today are not loaded.';
  const whyNoLines = today.shown?.length && !isEmpty ? undefined : noLines;

  const refresh = (): void => {
    void analytics.refetch();
    void weeks.refetch();
    today.refetch();
  };
  const actions = useCommands(dashboardCommands, {
    today: {
      disabledReason: whyNoLines && `Nothing to go to: ${whyNoLines}`,
      run: () => document.querySelector<HTMLElement>('#today a')?.focus(),
    },
    send: { disabledReason: whyNoLines && `Nothing to send: ${whyNoLines}`, run: today.send },
    dates: () => datesRef.current?.querySelector('input')?.focus(),
    reset: { disabledReason: hasFilter ? undefined : 'No filter is set', run: () => setPlace(noFilters) },
    refresh,
    ageing: () => document.getElementById('owner-ageing')?.focus(),
  });

  return (
    <Page
      title={`Welcome back, ${name}!`}
      actions={
        <>
          <Shortcuts />
          <ActionButton action={actions.refresh} busy={analytics.isFetching || weeks.isFetching} icon={RefreshCw}>
            Refresh
          </ActionButton>
        </>
      }
    >
      {isEmpty ? <FirstSteps /> : <TodaySection today={today} send={actions.send} />}
      <CopiedNotice />
      {hasSample && <SampleNotice />}
      {/* At the first look nobody knows how many lines there are, so what is below waits for them. */}
      {(today.kept > 0 || !today.query.isPending || today.query.failureCount > 0) && (
        <>
          <TagAnalytics
            filters={filters}
            onFilters={setPlace}
            analytics={analytics}
            weeks={weeks}
            onRetry={refresh}
            reset={actions.reset}
            datesRef={datesRef}
            sort={{ key: place.tagsBy, order: place.tagsOrder }}
            onSort={setPlace}
            range={range}
            isEmpty={isEmpty}
          />
          {isEmpty && <NoChallans />}
          {/* The table waits until the figures above it are loaded, so that it does not move when they arrive. */}
          {!isEmpty && !analytics.isPending && !ageing.query.isPending && (
            <OwnerAgeing place={place} ageing={ageing} onPlace={setPlace} />
          )}
        </>
      )}
    </Page>
  );
}

const maxChallansWithSample = 10;

function NoChallans() {
  return (
    <EmptyState
      icon={<FileText size={18} aria-hidden />}
      title="No challans yet"
      actions={
        <>
          <Link to="/challans/create">Add New Challan</Link>
          <Link to="/owners">Open owners</Link>
        </>
      }
    >
      Amounts by tag, week and owner appear here after the first challan. A challan needs an owner and a tag.
    </EmptyState>
  );
}

interface Shortcut {
  to: string;
  label: string;
  keys: string;
  icon: LucideIcon;
}

const shortcuts: readonly Shortcut[] = [
  { to: '/challans/create', label: 'Add New Challan', keys: 'Alt+N', icon: FilePlus2 },
  { to: '/challans', label: 'Challans', keys: 'Alt+6', icon: FileText },
  { to: '/accounting/bank-statement', label: 'Bank Statement', keys: 'Alt+8', icon: Landmark },
];

const isOpen = ({ to }: Shortcut): boolean => refusalOfRight(screenAt(to)?.right) === undefined;

/** Links to the screens where a day's work begins. */
function Shortcuts() {
  return (
    <nav aria-label="Shortcuts" className="flex flex-wrap gap-2">
      {shortcuts.filter(isOpen).map(({ to, label, keys, icon: Icon }) => (
        <Tooltip key={to} text={label} keys={keys} describes={false}>
          <Link
            to={to}
            className="inline-flex h-8 items-center gap-1.5 rounded-md border border-control/60 bg-surface px-3 font-medium text-ink no-underline hover:bg-hover"
          >
            <Icon size={14} aria-hidden className="text-primary" />
            {label}
          </Link>
        </Tooltip>
      ))}
    </nav>
  );
}

/**
 * Tells the business that others copied owners of it (docs/specification.md §6.4). Once closed, the notice stays away
 * until another owner is copied. It is not shown while it loads or when it fails to load, because the figures below
 * do not depend on it.
 */
function CopiedNotice() {
  const [seenAt, setSeenAt] = usePreference<string>('copied-notice-seen', '');
  const { data } = owners.useGetCopiedByOthers({});
  if (!data) return null;
  const { count, lastAt, owners: namedOwners } = data.data;
  if (lastAt === null || lastAt <= seenAt) return null;
  const what = count === 1 ? '1 of your owners was' : `${formatCount(count)} of your owners were`;
  return (
    <Alert
      tone="info"
      title={`${what} copied by other businesses in the last 30 days, the last on ${formatDate(lastAt)}`}
      onClose={() => setSeenAt(lastAt)}
    >
      Name, phone, account number, PAN and trucks were copied. Your own records did not change.{' '}
      {namedOwners.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link className="underline" to={`/owners?open=${id}`}>
            {name}
          </Link>
        </span>
      ))}
      {count > namedOwners.length && ` and ${formatCount(count - namedOwners.length)} more`}.{' '}
      <Link className="underline" to={screens.copiedOwners.path}>
        See who copied them
      </Link>
    </Alert>
  );
}
