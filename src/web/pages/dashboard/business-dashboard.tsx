import { useRef } from 'react';
import { RefreshCw } from 'lucide-react';
import { useDashboardActions } from '../../actions/dashboard.ts';
import { buttonOf } from '../../actions/registry.ts';
import { accounting, dashboard } from '../../api/resources.ts';
import { Page } from '../../shell/page.tsx';
import { useUrlState } from '../../shell/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { dashboardShape, noFilters, toQuery, type Filters } from './dashboard-state.ts';
import { OwnerAgeing } from './owner-ageing.tsx';
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
  const dates = useRef<HTMLDivElement>(null);
  const hasFilter = Object.values(filters).some((value) => value !== '');

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
      />
      <OwnerAgeing place={place} onPlace={setPlace} />
    </Page>
  );
}
