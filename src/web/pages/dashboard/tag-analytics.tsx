import { useState, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { clsx } from 'clsx';
import { RotateCcw } from 'lucide-react';
import { dayOf, formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { buttonOf, type Action } from '../../actions/registry.ts';
import { errorText } from '../../api/api-error.ts';
import type { accounting } from '../../api/accounting.ts';
import type { dashboard } from '../../api/dashboard.ts';
import { DayRange } from '../../filters/day-range.tsx';
import type { useFilterProblem } from '../../filters/filter-problem.ts';
import { TagFilter } from '../../filters/tag-filter.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import { challansOf, presetsOf, rangeText, type Filters } from './dashboard-state.ts';
import { TagPlot } from './tag-plot.tsx';
import { TagTable, type TagSort, type TagSortChange } from './tag-table.tsx';
import { WeekPlot } from './week-plot.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';

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
  /** Whether the dates can be applied. */
  range: ReturnType<typeof useFilterProblem>;
  /** The business has no challan at all: there is nothing to break down. */
  isEmpty: boolean;
}

/**
 * docs/specification.md §4.2: filters, four cards, the breakdown by tag; beside it the plots that lead to the same
 * lists.
 */
export function TagAnalytics(props: TagAnalyticsProps) {
  const { filters, onFilters, analytics, weeks, onRetry, reset, datesRef, sort, onSort, range, isEmpty } = props;
  const data = analytics.data?.data;
  const isNotCurrent = range.problem !== undefined;
  // A figure of other dates must not be taken for one of these.
  const figures = isNotCurrent ? undefined : data;
  const missing = isNotCurrent ? '—' : undefined;
  const isOld = analytics.isPlaceholderData;
  const all = challansOf({
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
      </div>
      {analytics.error && <Failure query={analytics} hasData={data !== undefined} onRetry={onRetry} />}
      {(data !== undefined || !analytics.error) && (
        <div className={clsx('flex flex-col gap-3', isOld && 'opacity-60')} aria-busy={isOld || undefined}>
          <div className="grid grid-cols-2 gap-3 @min-[56rem]:grid-cols-4">
            <StatCard label="Total Tags" value={figures?.summary.totalTags.toLocaleString('en-IN') ?? missing} />
            <StatCard
              label="Total Challans"
              value={
                figures ? <Figure to={all} text={figures.summary.totalChallans.toLocaleString('en-IN')} /> : missing
              }
            />
            <StatCard
              label="Total Amount"
              value={figures ? <Figure to={all} text={formatINR(figures.summary.totalAmount)} /> : missing}
            />
            {/* Two dates side by side: smaller, so that neither is cut. */}
            <StatCard
              label="Date Range"
              value={
                figures ? <span className="text-[0.9375rem]">{rangeText(figures.summary.dateRange)}</span> : missing
              }
            />
          </div>
          {data === undefined ? (
            // As high as the window: with its scroll bar, and nothing below it that would move.
            <Skeleton className="h-dvh w-full" />
          ) : (
            !isEmpty && (
              <div
                className={clsx(
                  'grid grid-cols-1 gap-3 @min-[1560px]:grid-cols-[minmax(0,1fr)_28rem]',
                  isNotCurrent && 'opacity-50',
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

function Figure({ to, text }: { to: string; text: string }) {
  return (
    <Link to={to} className="text-ink decoration-1 underline-offset-4 hover:underline">
      {text}
    </Link>
  );
}

function Failure({
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
      {hasData && '. Shown is what was loaded before.'}
    </FailureAlert>
  );
}

type FilterBarProps = Pick<TagAnalyticsProps, 'filters' | 'onFilters' | 'reset' | 'datesRef'> & {
  onProblem: (problem: string | undefined) => void;
};

const custom = 'custom';

function FilterBar({ filters, onFilters, reset, datesRef, onProblem }: FilterBarProps) {
  const [presets] = useState(() => presetsOf(dayOf(new Date())));
  const { startDate, endDate, tagId } = filters;
  const known = presets.findIndex((preset) => preset.startDate === startDate && preset.endDate === endDate);
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <Select
        label="Period"
        reserve={false}
        className="w-44"
        value={known < 0 ? custom : String(known)}
        onValueChange={(value) => {
          const preset = presets[Number(value)];
          if (preset) onFilters({ startDate: preset.startDate, endDate: preset.endDate });
        }}
        options={[
          ...presets.map(({ label }, index) => ({ value: String(index), label })),
          ...(known < 0 ? [{ value: custom, label: 'Chosen dates' }] : []),
        ]}
      />
      <div ref={datesRef} className="flex gap-3">
        <DayRange
          from={startDate}
          to={endDate}
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
      <Button className="mt-5" variant="ghost" icon={<RotateCcw size={14} aria-hidden />} {...buttonOf(reset)}>
        Reset
      </Button>
    </div>
  );
}
