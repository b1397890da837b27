import type { ReactNode, RefObject } from 'react';
import { Link } from 'react-router-dom';
import { clsx } from 'clsx';
import { RotateCcw } from 'lucide-react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { errorText } from '../../kit/api/api-error.ts';
import type { accounting } from '../../resources/accounting.ts';
import type { dashboard } from '../../resources/dashboard.ts';
import { DayRange } from '../../kit/filters/day-range.tsx';
import type { useFilterProblem } from '../../kit/filters/filter-problem.ts';
import { TagFilter, useTagNames } from '../filters/index.ts';
import { PrintOnly } from '../../kit/ui/printing.ts';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';
import { challansLink, formatRange, type Filters } from './dashboard-state.ts';
import { TagPlot } from './tag-plot.tsx';
import { TagTable, type TagSort, type TagSortChange } from './tag-table.tsx';
import { WeekPlot } from './week-plot.tsx';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';

interface TagAnalyticsProps {
  filters: Filters;
  onFilters: (change: Partial<Filters>) => void;
  analytics: ReturnType<typeof accounting.useGetTagAnalytics>;
  weeks: ReturnType<typeof dashboard.useListWeeks>;
  onRetry: () => void;
  reset: Action;
  datesRef: RefObject<HTMLDivElement | null>;
  sort: TagSort;
  onSort: (change: TagSortChange) => void;
  /** Whether the typed dates can be applied. */
  range: ReturnType<typeof useFilterProblem>;
  /** The business has no challans, so there is nothing to break down. */
  isEmpty: boolean;
}

/**
 * Tag Analytics (docs/specification.md §4.2): filters, four summary cards and the breakdown by tag. Beside it are
 * plots whose marks open the same lists.
 */
export function TagAnalytics(props: TagAnalyticsProps) {
  const { filters, onFilters, analytics, weeks, onRetry, reset, datesRef, sort, onSort, range, isEmpty } = props;
  const data = analytics.data?.data;
  const hasInvalidDates = range.problem !== undefined;
  // While the typed dates cannot be applied, no figures are shown: they would belong to other dates.
  const figures = hasInvalidDates ? undefined : data;
  const placeholder = hasInvalidDates ? '—' : undefined;
  const isStale = analytics.isPlaceholderData;
  const allLink = challansLink({
    tagId: filters.tagId,
    depositedStartDate: filters.startDate,
    depositedEndDate: filters.endDate,
  });
  return (
    <section aria-labelledby="tag-analytics" className="@container flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <div className="mr-auto self-center">
          <h2 id="tag-analytics" className="text-sm font-semibold">
            Tag Analytics
          </h2>
          <p className="min-h-5 text-xs text-muted">{data && `Generated at ${formatDateTime(data.generatedAt)}`}</p>
        </div>
        <FilterBar
          filters={filters}
          onFilters={onFilters}
          reset={reset}
          datesRef={datesRef}
          onProblem={range.onProblem}
        />
        {filters.tagId !== '' && (
          <PrintOnly>
            <PrintedTag id={filters.tagId} />
          </PrintOnly>
        )}
      </div>
      {analytics.error && <AnalyticsFailure query={analytics} hasData={data !== undefined} onRetry={onRetry} />}
      {(data !== undefined || !analytics.error) && (
        <div className={clsx('flex flex-col gap-3', isStale && 'opacity-60')} aria-busy={isStale || undefined}>
          <div className="grid grid-cols-2 gap-3 @min-[56rem]:grid-cols-4">
            <StatCard label="Total Tags" value={figures ? formatCount(figures.summary.totalTags) : placeholder} />
            <StatCard
              label="Total Challans"
              value={
                figures ? <CardLink to={allLink} text={formatCount(figures.summary.totalChallans)} /> : placeholder
              }
            />
            <StatCard
              label="Total Amount"
              value={figures ? <CardLink to={allLink} text={formatINR(figures.summary.totalAmount)} /> : placeholder}
            />
            {/* Two dates side by side need smaller text to fit. */}
            <StatCard
              label="Date Range"
              value={
                figures ? (
                  <span className="text-[0.9375rem]">{formatRange(figures.summary.dateRange)}</span>
                ) : (
                  placeholder
                )
              }
            />
          </div>
          {data === undefined ? (
            // As tall as the window, so that the scroll bar is there from the start and nothing below moves when the
            // table arrives.
            <Skeleton className="h-dvh w-full" />
          ) : (
            !isEmpty && (
              <div
                className={clsx(
                  'grid grid-cols-1 gap-3 @min-[1560px]:grid-cols-[minmax(0,1fr)_28rem]',
                  hasInvalidDates && 'opacity-50',
                )}
              >
                <TagTable analytics={analytics} filters={filters} sort={sort} onSort={onSort} mark={range.mark} />
                <div className="grid grid-cols-1 content-start gap-3 @min-[860px]:grid-cols-2 @min-[1560px]:grid-cols-1">
                  <TagPlot rows={data.tagAnalytics.tagBreakdown} filters={filters} />
                  <WeekPlot query={weeks} filters={filters} />
                </div>
              </div>
            )
          )}
        </div>
      )}
    </section>
  );
}

function CardLink({ to, text }: { to: string; text: string }) {
  return (
    <Link to={to} className="text-ink decoration-1 underline-offset-4 hover:underline">
      {text}
    </Link>
  );
}

function AnalyticsFailure({
  query,
  hasData,
  onRetry,
}: {
  query: TagAnalyticsProps['analytics'];
  hasData: boolean;
  onRetry: () => void;
}) {
  const fallback = 'Failed to load tag analytics data';
  return (
    <FailureAlert
      title="Error Loading Tag Analytics"
      error={query.error}
      fallback={fallback}
      onRetry={onRetry}
      isRetrying={query.isFetching}
    >
      {errorText(query.error, fallback)}
      {hasData && '. The figures below were loaded earlier.'}
    </FailureAlert>
  );
}

/** The days of the filter are in a card. */
const PrintedTag = ({ id }: { id: string }): ReactNode => <p>Tag: {useTagNames(id).nameOf(id)}</p>;

type FilterBarProps = Pick<TagAnalyticsProps, 'filters' | 'onFilters' | 'reset' | 'datesRef'> & {
  onProblem: (problem: string | undefined) => void;
};

function FilterBar({ filters, onFilters, reset, datesRef, onProblem }: FilterBarProps) {
  const { startDate, endDate, tagId } = filters;
  return (
    <div role="group" aria-label="Filters" data-print="hide" className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <div ref={datesRef} className="flex gap-3">
        <DayRange
          from={startDate}
          to={endDate}
          rangeName="Period"
          unset="All dates"
          onProblem={onProblem}
          onChange={({ from, to }) =>
            onFilters({
              ...(from === undefined ? {} : { startDate: from }),
              ...(to === undefined ? {} : { endDate: to }),
            })
          }
        />
      </div>
      <div className="flex w-48">
        <TagFilter tagId={tagId} onChange={(next) => onFilters({ tagId: next })} />
      </div>
      <ActionButton action={reset} className="mt-5" variant="ghost" icon={RotateCcw}>
        Reset
      </ActionButton>
    </div>
  );
}
