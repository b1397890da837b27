import { useCallback, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import { ArrowLeft, Download, Eye, Filter, MessageCircle, Share2 } from 'lucide-react';
import { ownerChallanColumns } from '../../../shared/columns/challan-columns.ts';
import { challanSortKeys, type Challan } from '../../../shared/contract/challan.ts';
import { ownerChallanFilters } from '../../../shared/filters/challan-filters.ts';
import { noFilters } from '../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../shared/filters/filter-words.ts';
import { useOwnerChallansActions } from '../../actions/owner-challans.ts';
import { buttonOf } from '../../actions/registry.ts';
import { FilterChips } from '../../filters/filter-chips.tsx';
import { FilterPanel } from '../../filters/filter-panel.tsx';
import { useFilterProblem } from '../../filters/filter-problem.ts';
import { usePageSize } from '../../filters/page-size.ts';
import { useChallanDetails } from '../../challan-details/use-challan-details.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { GridHandle, GridSort, RowAction } from '../../grid/grid-types.ts';
import { usePreference } from '../../session/account-storage.ts';
import { DownloadStatus } from '../../feedback/download-status.tsx';
import { Page } from '../../shell/page.tsx';
import { notify } from '../../feedback/toast.ts';
import { useUrlState } from '../../filters/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { PrintOnly } from '../../ui/printing.ts';
import { ChallanDetails } from './challan-details.tsx';
import { listShape, toReport, type ListFilters, type ListPlace } from './list-state.ts';
import { ListFooter } from './list-footer.tsx';
import { Nothing, UnknownOwner } from './nothing.tsx';
import { CountTag, OwnerHeading } from './owner-heading.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { useOwnerChallans } from './use-owner-challans.ts';
import { useReportCsv } from './use-report-csv.ts';
import { useShare } from './use-share.ts';

const keyOf = (row: Challan): string => row.id;
/** docs/specification.md §15.5: no challans, or no summary. */
const nothingToWrite = 'No data available for CSV generation';

export function OwnerChallans({ ownerId }: { ownerId: string }) {
  const navigate = useNavigate();
  const [url, setUrl] = useUrlState(listShape);
  const [areFiltersShown, showFilters] = usePreference('owner-challans.filters', true);
  const grid = useRef<GridHandle<Challan>>(null);
  const firstFilter = useRef<HTMLElement>(null);
  const filtersButton = useRef<HTMLButtonElement>(null);

  const { open: openId, limit: chosenSize, ...rest } = url;
  const { limit, choose: chooseSize } = usePageSize('owner-challans', chosenSize);
  const place: ListPlace = { ...rest, limit };
  const { page, sortBy, sortOrder } = place;
  const filterCount = partsOf(ownerChallanFilters, place).length;
  const list = useOwnerChallans(ownerId, place, (next, options) => setUrl({ page: next }, options));
  const { rows, summary, lastPage, fetchPage } = list;
  const details = useChallanDetails({ openId, rows, place, lastPage, fetchPage, setUrl });
  const { open } = details;
  const csv = useReportCsv();
  const dates = useFilterProblem();
  const { share, isSending } = useShare();

  const setFilters = (change: Partial<ListFilters>): void => setUrl({ ...change, page: 1 });
  const resetFilters = (): void => {
    setUrl({ ...noFilters(ownerChallanFilters), page: 1 });
    notify.success('Filters reset successfully');
  };
  const toggleFilters = (): void => {
    const hadFocus = document.activeElement?.closest('[aria-label="Filters"]');
    showFilters(!areFiltersShown);
    if (hadFocus) filtersButton.current?.focus();
  };
  const focusFilters = (): void => {
    // The field must be there before it can take the focus.
    flushSync(() => showFilters(true));
    firstFilter.current?.focus();
  };
  /** Both reports are of what the figures on the screen are of. */
  const report = (send: (total: number) => void): void => {
    if (!summary || summary.totalCount === 0) notify.error(nothingToWrite);
    else send(summary.totalCount);
  };
  const actions = useOwnerChallansActions({
    downloadCsv: () => report((total) => csv.download(toReport(ownerId, place), total)),
    csvReason: dates.disabledReason ?? (csv.progress ? 'The download is still running' : undefined),
    toggleFilters,
    areFiltersShown,
    focusFilters,
    resetFilters,
    sendToWhatsapp: () => report(() => void share(toReport(ownerId, place))),
    sendReason: dates.disabledReason ?? (isSending ? 'The report is still being made' : undefined),
    sharedReports: () => void navigate('/accounting/shared-reports'),
    back: () => void navigate('/accounting'),
  });
  const rowActions = useMemo<RowAction<Challan>[]>(
    () => [{ id: 'view', label: 'View', icon: <Eye size={15} aria-hidden />, keys: 'Enter', run: open }],
    [open],
  );
  const sort = useMemo<GridSort>(() => ({ key: sortBy, order: sortOrder }), [sortBy, sortOrder]);
  const onSort = useCallback(
    ({ key, order }: GridSort) => {
      const known = challanSortKeys.find((item) => item === key);
      if (known) setUrl({ sortBy: known, sortOrder: order, page: 1 });
    },
    [setUrl],
  );
  const isDefaultSort = sortBy === 'createdAt' && sortOrder === 'desc';

  if (list.isUnknown) return <UnknownOwner />;
  return (
    <Page
      fill
      title={<OwnerHeading name={list.ownerName} />}
      aside={
        <>
          <CountTag count={dates.problem ? undefined : summary?.totalCount} />
          <DownloadStatus label="CSV download" progress={csv.progress} onCancel={csv.cancel} />
        </>
      }
      actions={
        <>
          <Button variant="ghost" icon={<Share2 size={14} aria-hidden />} {...buttonOf(actions.sharedReports)}>
            {actions.sharedReports.label}
          </Button>
          <Button
            ref={filtersButton}
            icon={<Filter size={14} aria-hidden />}
            aria-expanded={areFiltersShown}
            {...buttonOf(actions.filters)}
          >
            {actions.filters.label}
            {filterCount > 0 && ` (${filterCount})`}
          </Button>
          <Button
            icon={<Download size={14} aria-hidden />}
            busy={csv.progress !== undefined}
            {...buttonOf(actions.downloadCsv)}
          >
            {actions.downloadCsv.label}
          </Button>
          <Button
            variant="primary"
            icon={<MessageCircle size={14} aria-hidden />}
            busy={isSending}
            {...buttonOf(actions.sendToWhatsapp)}
          >
            {actions.sendToWhatsapp.label}
          </Button>
          <Button icon={<ArrowLeft size={14} aria-hidden />} {...buttonOf(actions.back)}>
            {actions.back.label}
          </Button>
        </>
      }
    >
      <SummaryCards
        summary={dates.problem ? undefined : summary}
        isFailed={dates.problem !== undefined || list.status.error !== undefined}
      />
      {areFiltersShown && filterCount > 0 && (
        <PrintOnly>
          <FilterChips table={ownerChallanFilters} filters={place} onChange={setFilters} onReset={resetFilters} />
        </PrintOnly>
      )}
      {areFiltersShown ? (
        <FilterPanel
          table={ownerChallanFilters}
          filters={place}
          onChange={setFilters}
          onReset={resetFilters}
          onLeaveDown={() => grid.current?.focusFirstRow()}
          firstRef={(field) => {
            firstFilter.current = field;
          }}
          onProblem={dates.onProblem}
        />
      ) : (
        filterCount > 0 && (
          <FilterChips table={ownerChallanFilters} filters={place} onChange={setFilters} onReset={resetFilters} />
        )
      )}
      <div className="flex min-h-0 flex-1 flex-col">
        <DataGrid<Challan>
          ref={grid}
          label="Owner challans"
          memoryKey="owner-challans"
          columns={ownerChallanColumns}
          rows={rows}
          keyOf={keyOf}
          status={dates.mark(list.isPlaceholder ? { ...list.status, isFetching: true } : list.status)}
          empty={<Nothing hasFilters={filterCount > 0} onReset={resetFilters} />}
          sort={sort}
          onSort={onSort}
          pager={{
            page,
            limit,
            totalCount: list.totalCount,
            noun: 'challans',
            onPage: (next) => setUrl({ page: next, limit }),
            onLimit: (next) => setUrl({ limit: chooseSize(next), page: 1 }),
          }}
          totals={summary}
          totalsLabel={`Total of ${(summary?.totalCount ?? 0).toLocaleString('en-IN')}`}
          rowActions={rowActions}
          onOpen={open}
          footer={
            <ListFooter
              summary={summary}
              onNewestFirst={
                isDefaultSort ? undefined : () => setUrl({ sortBy: 'createdAt', sortOrder: 'desc', page: 1 })
              }
            />
          }
        />
      </div>
      {openId !== '' && (
        <ChallanDetails id={openId} details={details} placeFocus={() => grid.current?.focusRow(openId) ?? false} />
      )}
    </Page>
  );
}
