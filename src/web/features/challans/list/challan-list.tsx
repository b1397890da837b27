import { lazy, memo, Suspense, useCallback, useDeferredValue, type ComponentType, type ReactNode } from 'react';
import { Download, Filter, ListChecks } from 'lucide-react';
import { LazyDialog } from '../../../kit/actions/lazy-dialog.tsx';
import { formatCount } from '../../../../shared/calc/count-text.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import type { ListedChallan } from '../../../../shared/contract/challan.ts';
import { challans } from '../../../resources/challans.ts';
import type { FilterTable } from '../../../../shared/filters/define.ts';
import { buttonOf, type Action } from '../../../kit/actions/registry.ts';
import { call } from '../../../kit/api/client.ts';
import { refusalOf } from '../../../kit/api/seat.ts';
import { DownloadStatus, useFileDownload } from '../../../kit/feedback/file-download.tsx';
import { FilterChips, FilterPanel } from '../../filters/index.ts';
import { Beside } from '../../../kit/records/beside.tsx';
import { DataGrid, type DataGridProps } from '../../../kit/grid/data-grid.tsx';
import { SelectionFooter } from '../../../kit/grid/selection-footer.tsx';
import { Page } from '../../../kit/ui/page.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { PrintOnly } from '../../../kit/ui/printing.ts';
import type { ChallanListState } from './use-challan-list.ts';
import type { ViewStripProps } from './view-strip.tsx';

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'));

// Memoised, because selecting a row changes the list's state but neither of these two.
const LazyViewStrip = memo(lazy(() => import('./view-strip.tsx')));
const Filters = memo(FilterPanel) as typeof FilterPanel;

const keyOf = (row: ListedChallan): string => row.id;

interface ChallanListProps<T extends FilterTable> extends Pick<
  DataGridProps<ListedChallan>,
  'cells' | 'editing' | 'rowActions' | 'isMuted'
> {
  list: ChallanListState<T>;
  title: ReactNode;
  /** Shown beside the title. */
  aside: ReactNode;
  buttons: ReactNode;
  /** Shown between the title and the filters. */
  cards?: ReactNode;
  /** Shown when there are no challans at all: says why, and what to do next. */
  whenEmpty: ReactNode;
  /** Shows the views of the list as tabs beside the title. */
  hasViews?: true;
  /** Called when the pointer or the focus enters the table, to load in advance what its rows open. */
  onNear: () => unknown;
  /** The dialog of a row's details, for a list that can have it beside it. */
  renderBeside?: (row: ListedChallan) => ReactNode;
  /** The dialogs over the list. */
  children: ReactNode;
}

/** The screen of a list of challans: filters, table, sums, pager and selection. */
export function ChallanList<T extends FilterTable>(props: ChallanListProps<T>) {
  // The cast restores the type parameter, which `lazy` loses.
  const ViewStrip = LazyViewStrip as unknown as ComponentType<ViewStripProps<T>>;
  const { list, title, aside, buttons, cards, whenEmpty, hasViews, onNear, renderBeside, children, ...gridProps } =
    props;
  const { spec, place, filterCount, areFiltersShown, sums, setPlace, grid } = list;
  const filtered = {
    table: spec.filters,
    filters: place.filters,
    onChange: list.setFilters,
    onReset: list.resetFilters,
  };
  const toTable = useCallback(() => grid.current?.focusFirstRow(), [grid]);
  const file = useFileDownload();
  const chips = filterCount > 0 && <FilterChips {...filtered} />;
  return (
    <Page
      fill
      title={title}
      aside={
        <>
          {hasViews && (
            <Suspense fallback={null}>
              <ViewStrip spec={spec} place={place} setView={list.setView} grid={grid} />
            </Suspense>
          )}
          {aside}
          <DownloadStatus label="Excel export of the selection" progress={file.progress} onCancel={file.cancel} />
        </>
      }
      actions={
        <>
          {renderBeside && <Beside grid={grid} onOpen={list.details.open} />}
          {buttons}
        </>
      }
    >
      {cards}
      {areFiltersShown && chips && <PrintOnly>{chips}</PrintOnly>}
      {areFiltersShown ? (
        <Filters {...filtered} onLeaveDown={toTable} firstRef={list.takeFirstFilter} onProblem={list.dates.onProblem} />
      ) : (
        chips
      )}
      <div className="flex min-h-0 flex-1 gap-3" onFocus={onNear} onPointerEnter={onNear}>
        <DataGrid<ListedChallan>
          {...gridProps}
          ref={grid}
          label={spec.label}
          memoryKey={spec.id}
          ownFile="list"
          columns={spec.columns}
          rows={list.rows}
          keyOf={keyOf}
          status={list.dates.mark(list.status)}
          empty={filterCount > 0 ? <NoMatch onReset={list.resetFilters} /> : whenEmpty}
          sorts={list.sorts}
          onSorts={list.onSorts}
          pager={{
            page: place.page,
            limit: place.limit,
            isFit: list.isFit,
            totalCount: list.totalCount,
            hasNext: list.hasNext,
            onRecount: list.onRecount,
            noun: 'challans',
            onPage: (page) => setPlace({ page, limit: place.limit }),
            onLimit: (limit) => setPlace({ limit: list.chooseSize(limit), page: 1 }),
          }}
          loadPage={list.loadPage}
          totals={list.isUncounted ? {} : sums && { ...sums }}
          totalsLabel={
            sums ? `Total of ${formatCount(sums.totalCount)}` : list.onRecount ? 'Not counted' : 'Counting …'
          }
          onOpen={list.details.open}
          selection={list.selection.selection}
          footer={<ListFooter list={list} file={file} />}
        />
        {renderBeside && <Beside grid={grid} rows={list.rows} render={renderBeside} />}
      </div>
      <LazyDialog>{children}</LazyDialog>
      {list.bulk && list.selection.request && (
        <LazyDialog>
          <BulkDialog
            selection={list.selection.request}
            count={list.selection.count}
            amount={list.selection.amount}
            initialAction={list.bulk.initialAction}
            onClose={list.closeBulk}
            onDone={() => {
              list.closeBulk();
              list.selection.clear();
            }}
            placeFocus={() => {
              const remaining = list.rows?.find((row) => !list.selection.has(row.id));
              return remaining !== undefined && (grid.current?.focusRow(remaining.id) ?? false);
            }}
          />
        </LazyDialog>
      )}
    </Page>
  );
}

interface FiltersButtonProps {
  list: Pick<ChallanListState<FilterTable>, 'areFiltersShown' | 'filterCount'> &
    Partial<Pick<ChallanListState<FilterTable>, 'filtersButton'>>;
  action: Action;
  label?: string;
}

/** Shows and hides the filters. Its label counts the filters that are set. */
export function FiltersButton({ list, action, label = action.label }: FiltersButtonProps) {
  const { filtersButton, areFiltersShown, filterCount } = list;
  return (
    <Button
      ref={filtersButton}
      icon={<Filter size={14} aria-hidden />}
      aria-expanded={areFiltersShown}
      {...buttonOf(action)}
    >
      {label}
      {filterCount > 0 && ` (${filterCount})`}
    </Button>
  );
}

/** The empty state of a list, or of its groups, whose filters match nothing. */
export function NoMatch({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState
      icon={<Filter size={18} aria-hidden />}
      title="No challans match these filters"
      actions={<Button onClick={onReset}>Reset Filters</Button>}
    >
      Widen a filter, or reset them all.
    </EmptyState>
  );
}

/** Exports the selected challans, with the columns and in the order of the table. */
function exportSelected<T extends FilterTable>(
  { selection: { request: selection, count }, place: { sortBy, sortOrder }, shownFields }: ChallanListState<T>,
  file: ReturnType<typeof useFileDownload>,
): void {
  if (selection === null) return;
  const body = { selection, columns: shownFields(), sortBy, sortOrder };
  file.start({
    get: (options) => call(challans.calls.exportMany, { body }, options),
    total: count,
    countsLines: false,
    fallbackName: 'challans.xlsx',
    done: 'Excel export completed successfully!',
    failed: 'Failed to export Excel file. Please try again.',
    cancelled: 'Excel export cancelled',
  });
}

interface ListFooterProps<T extends FilterTable> {
  list: ChallanListState<T>;
  /** The export of the selected challans. */
  file: ReturnType<typeof useFileDownload>;
}

/** Left of the pager: the selection; without one, the paid and unpaid counts and amounts of the filter. */
function ListFooter<T extends FilterTable>({ list, file }: ListFooterProps<T>) {
  const { sums, sortNewestFirst } = list;
  // Deferred, so that the ticks of the rows are drawn before this footer.
  const selection = useDeferredValue(list.selection);
  const withAmount = (amount: string | undefined): string => (amount === undefined ? '' : ` · ${formatINR(amount)}`);
  return (
    <>
      <SelectionFooter
        count={selection.count}
        details={` · ${formatINR(selection.amount)}${selection.note === '' ? '' : ` (${selection.note})`}`}
        whenNone={
          sums && (
            <>
              Paid {formatCount(sums.paidCount)}
              {withAmount(sums.paidAmount)}
              <span className="mx-2 text-line">|</span>
              Unpaid {formatCount(sums.unpaidCount)}
              {withAmount(sums.unpaidAmount)}
            </>
          )
        }
        onClear={selection.clear}
      >
        <Button
          size="sm"
          variant="primary"
          keys="M"
          icon={<ListChecks size={14} aria-hidden />}
          disabledReason={refusalOf(challans.calls.changeMany)}
          onClick={list.changeSelected}
        >
          Change…
        </Button>
        <Button
          size="sm"
          tooltip="The selected challans as an Excel file"
          icon={<Download size={14} aria-hidden />}
          busy={file.progress !== undefined}
          onClick={() => exportSelected(list, file)}
        >
          Export
        </Button>
      </SelectionFooter>
      {sortNewestFirst && (
        <Button size="sm" variant="ghost" tooltip="Sort the newest entry first again" onClick={sortNewestFirst}>
          Newest first
        </Button>
      )}
    </>
  );
}
