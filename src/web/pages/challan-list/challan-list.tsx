import { useCallback, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import { Download, Eye, Filter, Pencil, Plus, Trash2 } from 'lucide-react';
import { canDeleteChallan, reasonOf } from '../../../shared/access.ts';
import { challanColumns } from '../../../shared/columns/challan-columns.ts';
import { challanSortKeys, type Challan } from '../../../shared/contract/challan.ts';
import { challanFileFilters } from '../../../shared/filters/challan-filters.ts';
import { noFilters } from '../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../shared/filters/filter-words.ts';
import { useChallanListActions } from '../../actions/challan-list.ts';
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
import { DetailsDialog } from './details-dialog.tsx';
import { ListFooter } from './list-footer.tsx';
import { rememberPlace } from './list-place.ts';
import { leavesFilter, listShape, type ListFilters, type ListPlace } from './list-state.ts';
import { Nothing } from './nothing.tsx';
import { useChallanList } from './use-challan-list.ts';
import { useExport } from './use-export.ts';
import { useFocusRow } from './use-focus-row.ts';
import { useListSelection } from './use-list-selection.ts';
import { useRowCommands } from './use-row-commands.ts';
import { useStepBack } from './use-step-back.ts';
import { useToggles } from './use-toggles.ts';

const keyOf = (row: Challan): string => row.id;

interface ChallanListProps {
  /** The row the user left for a form. */
  focusRowId: string | undefined;
}

export function ChallanList({ focusRowId }: ChallanListProps) {
  const navigate = useNavigate();
  const [url, setUrl] = useUrlState(listShape);
  const [areFiltersShown, showFilters] = usePreference('challans.filters', true);
  const grid = useRef<GridHandle<Challan>>(null);
  const table = useRef<HTMLDivElement>(null);
  const firstFilter = useRef<HTMLElement>(null);
  const filtersButton = useRef<HTMLButtonElement>(null);

  const { open: openId, limit: chosenSize, ...rest } = url;
  const { limit, choose: chooseSize } = usePageSize('challans', chosenSize);
  const place: ListPlace = { ...rest, limit };
  const { page, sortBy, sortOrder } = place;
  const filters: ListFilters = place;
  const filterCount = partsOf(challanFileFilters, filters).length;

  const onPastEnd = useCallback((last: number) => setUrl({ page: last }, { replace: true }), [setUrl]);
  const list = useChallanList(place, onPastEnd);
  const { rows, summary, totalCount } = list;
  const { refetch } = list;
  const toggles = useToggles(
    filters,
    useCallback(() => void refetch(), [refetch]),
  );
  const { lastPage, fetchPage } = list;
  const details = useChallanDetails({ openId, rows, place, lastPage, fetchPage, setUrl });
  const { close: closeDetails, open: openDetails } = details;
  const onRemoved = useStepBack({ grid, rows, place, setUrl, openId, closeDetails });
  const { commands, deleting } = useRowCommands({ grid, toggles, onRemoved });
  const selection = useListSelection(rows, totalCount);
  const dates = useFilterProblem();
  const download = useExport();

  useFocusRow(grid, focusRowId, rows !== undefined);

  const setFilters = (change: Partial<ListFilters>, how?: 'typing'): void =>
    setUrl({ ...change, page: 1 }, { replace: how === 'typing' });
  const resetFilters = (): void => {
    setUrl({ ...noFilters(challanFileFilters), page: 1 });
    notify.success('Filters reset successfully');
  };
  const create = (): void => {
    rememberPlace();
    void navigate('/challans/create');
  };
  const toggleFilters = (): void => {
    const hadFocus = document.activeElement?.closest('[aria-label="Filters"]');
    showFilters(!areFiltersShown);
    if (hadFocus) filtersButton.current?.focus();
  };
  const focusTp = (): void => {
    // The field must be there before it can take the focus.
    flushSync(() => showFilters(true));
    firstFilter.current?.focus();
    if (firstFilter.current instanceof HTMLInputElement) firstFilter.current.select();
  };
  /** The row the keys act on; a key pressed elsewhere on the screen must not change a row nobody looks at. */
  const onRow = (act: (row: Challan) => void): void => {
    const isInTable = table.current?.contains(document.activeElement) ?? false;
    const row = isInTable ? grid.current?.focusedRow() : undefined;
    if (row) act(row);
    else notify.info('Choose a challan in the table first');
  };
  /** What changes one challan must not be taken for an act on all that are selected. */
  const onOnlyRow = (act: (row: Challan) => void): void =>
    onRow((row) => {
      const { size } = selection.ids;
      if (size === 0 || (size === 1 && selection.ids.has(row.id))) act(row);
      else notify.warning(selectionRefusal(size), { kind: 'selection', many: () => selectionRefusal(size) });
    });

  const actions = useChallanListActions({
    create,
    exportCsv: () => download.start(filters, totalCount),
    exportReason: dates.disabledReason ?? exportReasonOf(download.progress !== undefined, summary?.totalCount),
    toggleFilters,
    areFiltersShown,
    focusTp,
    resetFilters,
    edit: () => onRow(commands.edit),
    duplicate: () => onRow(commands.duplicate),
    remove: () => onOnlyRow(commands.remove),
    togglePaid: () => onOnlyRow(commands.togglePaid),
    toggleHsd: () => onOnlyRow(commands.toggleHsd),
  });

  const { edit, remove } = commands;
  const rowActions = useMemo<RowAction<Challan>[]>(
    () => [
      { id: 'view', label: 'View', icon: <Eye size={15} aria-hidden />, keys: 'Enter', run: openDetails },
      { id: 'edit', label: 'Edit', icon: <Pencil size={15} aria-hidden />, keys: 'E', run: edit },
      {
        id: 'delete',
        label: 'Delete',
        icon: <Trash2 size={15} aria-hidden />,
        keys: 'Delete',
        run: remove,
        disabledReason: (row) => reasonOf(canDeleteChallan(row)),
      },
    ],
    [openDetails, edit, remove],
  );
  const { paymentStatus } = filters;
  const { isPlaceholder } = list;
  const isMuted = useCallback(
    (row: Challan) => deleting.has(row.id) || (!isPlaceholder && leavesFilter({ paymentStatus }, row)),
    [deleting, isPlaceholder, paymentStatus],
  );
  const sort = useMemo<GridSort>(() => ({ key: sortBy, order: sortOrder }), [sortBy, sortOrder]);
  const isDefaultSort = sortBy === 'createdAt' && sortOrder === 'desc';
  const chosen = (rows ?? []).filter((row) => selection.ids.has(row.id));

  return (
    <Page
      fill
      title="Challans"
      aside={<DownloadStatus label="CSV export" progress={download.progress} onCancel={download.cancel} />}
      actions={
        <>
          <Button
            ref={filtersButton}
            icon={<Filter size={14} aria-hidden />}
            aria-expanded={areFiltersShown}
            {...buttonOf(actions.filters)}
          >
            Filters{filterCount > 0 && ` (${filterCount})`}
          </Button>
          <Button
            icon={<Download size={14} aria-hidden />}
            busy={download.progress !== undefined}
            {...buttonOf(actions.exportCsv)}
          >
            {actions.exportCsv.label}
          </Button>
          <Button variant="primary" icon={<Plus size={14} aria-hidden />} {...buttonOf(actions.create)}>
            {actions.create.label}
          </Button>
        </>
      }
    >
      {areFiltersShown && filterCount > 0 && (
        <PrintOnly>
          <FilterChips table={challanFileFilters} filters={filters} onChange={setFilters} onReset={resetFilters} />
        </PrintOnly>
      )}
      {areFiltersShown ? (
        <FilterPanel
          table={challanFileFilters}
          filters={filters}
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
          <FilterChips table={challanFileFilters} filters={filters} onChange={setFilters} onReset={resetFilters} />
        )
      )}
      <div ref={table} className="flex min-h-0 flex-1 flex-col">
        <DataGrid<Challan>
          ref={grid}
          label="Challans"
          memoryKey="challans"
          columns={challanColumns}
          rows={rows}
          keyOf={keyOf}
          status={dates.mark(list.status)}
          empty={<Nothing hasFilters={filterCount > 0} onReset={resetFilters} onCreate={create} />}
          sort={sort}
          onSort={({ key, order }) => {
            const known = challanSortKeys.find((item) => item === key);
            if (known) setUrl({ sortBy: known, sortOrder: order, page: 1 });
          }}
          pager={{
            page,
            limit,
            totalCount,
            noun: 'challans',
            onPage: (next) => setUrl({ page: next, limit }),
            onLimit: (next) => setUrl({ limit: chooseSize(next), page: 1 }),
          }}
          totals={summary}
          totalsLabel={`Total of ${(summary?.totalCount ?? 0).toLocaleString('en-IN')}`}
          cells={toggles.cells}
          rowActions={rowActions}
          onOpen={openDetails}
          selection={selection.selection}
          isMuted={isMuted}
          footer={
            <ListFooter
              summary={summary}
              chosen={chosen}
              onClear={selection.clear}
              onNewestFirst={
                isDefaultSort ? undefined : () => setUrl({ sortBy: 'createdAt', sortOrder: 'desc', page: 1 })
              }
            />
          }
        />
      </div>
      {openId !== '' && (
        <DetailsDialog
          id={openId}
          row={details.row}
          commands={commands}
          position={details.position}
          onStep={details.step}
          atFirst={details.atFirst}
          atLast={details.atLast}
          onClose={closeDetails}
          placeFocus={() => grid.current?.focusRow(openId) ?? false}
        />
      )}
    </Page>
  );
}

/** There is nothing a file could hold (docs/specification.md §15.5). */
function exportReasonOf(isRunning: boolean, count: number | undefined): string | undefined {
  if (isRunning) return 'The export is still running';
  return count === 0 ? 'No data available for CSV generation' : undefined;
}

function selectionRefusal(size: number): string {
  const what = size === 1 ? '1 other challan is selected' : `${size.toLocaleString('en-IN')} challans are selected`;
  return `${what}, but this key acts on one challan. Press Escape to clear the selection first.`;
}
