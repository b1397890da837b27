import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { FileText, RefreshCw } from 'lucide-react';
import { useDashboardActions } from '../../actions/dashboard.ts';
import { buttonOf } from '../../actions/registry.ts';
import { accounting, dashboard } from '../../api/resources.ts';
import { Page } from '../../shell/page.tsx';
import { useUrlState } from '../../filters/url-state.ts';
import { useFilterProblem } from '../../filters/filter-problem.ts';
import { Button } from '../../ui/button.tsx';
import { CopiedNotice } from './copied-notice.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { dashboardShape, noFilters, toQuery, type Filters } from './dashboard-state.ts';
import { OwnerAgeing, useOwnerAgeing } from './owner-ageing.tsx';
import { TagAnalytics } from './tag-analytics.tsx';
import { Ways } from './ways.tsx';

/** The sub-admin's dashboard: Tag Analytics with its plots, and who has been waiting for money for how long. */
export function BusinessDashboard({ name }: { name: string }) {
  const [place, setPlace] = useUrlState(dashboardShape);
  const { startDate, endDate, tagId } = place;
  const filters: Filters = { startDate, endDate, tagId };
  const query = toQuery(filters);
  // The figures of the filter before stay, dimmed, until the next ones are here.
  const keep = { placeholderData: <T,>(before: T | undefined) => before };
  const analytics = accounting.useGetTagAnalytics({ query }, keep);
  const weeks = dashboard.useListWeeks({ query }, keep);
  // Asked at once with the rest, though it is shown below them.
  const ageing = useOwnerAgeing(place);
  const dates = useRef<HTMLDivElement>(null);
  const range = useFilterProblem();
  const hasFilter = Object.values(filters).some((value) => value !== '');

  const isEmpty = !hasFilter && analytics.data?.data.summary.totalChallans === 0;

  const refresh = (): void => {
    void analytics.refetch();
    void weeks.refetch();
  };
  const actions = useDashboardActions({
    refresh,
    resetFilters: () => setPlace(noFilters),
    resetReason: hasFilter ? undefined : 'No filter is set',
    chooseDates: () => dates.current?.querySelector('input')?.focus(),
    showAgeing: () => document.getElementById('owner-ageing')?.focus(),
  });

  return (
    <Page
      title={`Welcome back, ${name}!`}
      actions={
        <>
          <Ways />
          <Button
            {...buttonOf(actions.refresh)}
            busy={analytics.isFetching || weeks.isFetching}
            icon={<RefreshCw size={14} aria-hidden />}
          >
            Refresh
          </Button>
        </>
      }
    >
      <CopiedNotice />
      <TagAnalytics
        filters={filters}
        onFilters={setPlace}
        analytics={analytics}
        weeks={weeks}
        onRetry={refresh}
        reset={actions.reset}
        datesRef={dates}
        sort={{ key: place.tagsBy, order: place.tagsOrder }}
        onSort={setPlace}
        range={range}
        isEmpty={isEmpty}
      />
      {isEmpty && <NoChallans />}
      {/* What is below an answer waits for it, so that nothing moves when it comes. */}
      {!isEmpty && !analytics.isPending && !ageing.query.isPending && (
        <OwnerAgeing place={place} ageing={ageing} onPlace={setPlace} />
      )}
    </Page>
  );
}

function NoChallans() {
  return (
    <EmptyState
      icon={<FileText size={18} aria-hidden />}
      title="No challans yet"
      actions={
        <>
          <Link to="/challans/create">Add New Challan</Link>
          <Link to="/owners">Go to the owners</Link>
        </>
      }
    >
      Amounts by tag, by week and by owner appear here with the first challan. A challan needs an owner and a tag.
    </EmptyState>
  );
}
