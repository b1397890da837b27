import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ChevronsDownUp, ChevronsUpDown, Download, FileSpreadsheet, RefreshCw } from 'lucide-react';
import { formatINR } from '../../../shared/calc/money.ts';
import { clearSelection, selectAllMatching, selectedAmount } from '../../../shared/calc/selection.ts';
import { partsOf } from '../../../shared/filters/filter-words.ts';
import { buttonOf } from '../../actions/registry.ts';
import { useFilterProblem } from '../../filters/filter-problem.ts';
import { usePageSize } from '../../filters/page-size.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { GridHandle } from '../../grid/grid-types.ts';
import { DownloadStatus } from '../../feedback/download-status.tsx';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { Page } from '../../shell/page.tsx';
import { notify } from '../../feedback/toast.ts';
import { useUrlState } from '../../filters/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar, PrintedFilters } from './filter-bar.tsx';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';
import { limitReason } from './payment-plan.ts';
import { Nothing } from './nothing.tsx';
import { KeptNotice, SelectionBar, SelectionText } from './selection-bar.tsx';
import { noFilters, screenFilters, statementShape, type Filters } from './statement-state.ts';
import { flatten, keyOfRow, statementColumns, type StatementRow } from './statement-rows.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { useExpansion } from './use-expansion.ts';
import { useGridSelection } from './use-grid-selection.ts';
import { useMarkPaid } from './use-mark-paid.ts';
import { useStatement } from './use-statement.ts';
import { useStatementActions } from './use-statement-actions.ts';
import { useStatementFile } from './use-statement-file.ts';

const stillLoading = 'The statement is being loaded. Please wait a moment.';
const checkingKept = 'Your earlier selection is being checked. Please wait a moment.';

/** docs/specification.md §10: who is owed what, and the marking of many challans as paid at once. */
export function BankStatementPage() {
  const [place, setPlace] = useUrlState(statementShape);
  const { limit, choose: chooseSize } = usePageSize('bank-statement', place.limit);
  const dates = useFilterProblem();
  const statement = useStatement(place, place.page, limit);
  const { owners, summary, matching, filters, isCurrent, selection, setSelection, restore, kept, query } = statement;

  const grid = useRef<GridHandle<StatementRow>>(null);
  const table = useRef<HTMLDivElement>(null);
  const ownerField = useRef<HTMLDivElement>(null);
  const expansion = useExpansion(owners);
  // docs/specification.md §3.4: after the last owner of the last page is paid, step back a page.
  const lastPage = Math.max(1, query.data?.pagination.totalPages ?? 1);
  const isPastEnd = isCurrent && place.page > lastPage;
  useEffect(() => {
    if (isPastEnd) setPlace({ page: lastPage }, { replace: true });
  }, [isPastEnd, lastPage, setPlace]);
  const rows = useMemo(
    () => (query.data && !isPastEnd ? flatten(owners, expansion.expanded) : undefined),
    [query.data, isPastEnd, owners, expansion.expanded],
  );

  const waiting =
    dates.disabledReason ?? (kept.kept?.state === 'checking' ? checkingKept : isCurrent ? undefined : stillLoading);
  const change = (next: Partial<Filters>): void => setPlace({ ...next, page: 1 });
  /** The offer to bring a cleared selection back ends with the next selection. */
  const cleared = useRef<{ dismiss: () => void }>(undefined);
  useEffect(() => {
    if (selection.mode !== 'none') cleared.current?.dismiss();
  }, [selection]);
  const clear = useCallback(() => {
    if (selection.mode === 'none') return false;
    setSelection(clearSelection());
    cleared.current = notify.undo('Selection cleared', () => restore(selection), 'Undo', undefined, {
      isPassing: true,
    });
    return true;
  }, [selection, setSelection, restore]);
  /** A row of what is about to leave the screen must not get into the selection. */
  const choose = useCallback<typeof setSelection>(
    (next) => (waiting === undefined ? setSelection(next) : notify.info(waiting)),
    [waiting, setSelection],
  );
  const selectAll = useCallback(() => {
    choose(selectAllMatching(filters, matching));
    if (waiting !== undefined) return;
    const all =
      matching.count === 1
        ? 'The 1 matching challan'
        : `All ${matching.count.toLocaleString('en-IN')} matching challans`;
    notify.info(`${all} selected, ${formatINR(matching.amount)}`);
  }, [choose, filters, matching, waiting]);
  const gridSelection = useGridSelection({
    owners,
    expanded: expansion.expanded,
    selection,
    setSelection: choose,
    onClear: clear,
    onSelectAll: selectAll,
  });

  const csv = useStatementFile(filters, matching.count);
  const marking = useMarkPaid({ statement, rows, grid, table, stateOf: gridSelection.stateOf });
  const limitText = limitReason(selection, statement);
  const [isRefreshing, setRefreshing] = useState(false);
  const refresh = (): void => {
    if (isRefreshing) return;
    expansion.collapseAll();
    setRefreshing(true);
    void query.refetch().finally(() => setRefreshing(false));
  };

  const actions = useStatementActions({
    statement,
    choose,
    selectAll,
    clear,
    byKey: gridSelection.onSelectAll,
    markSelected: marking.markSelected,
    markAll: marking.markAll,
    waiting,
    limitText,
    expandAll: expansion.expandAll,
    collapseAll: expansion.collapseAll,
    refresh,
    downloadExcel: () => csv.download('xlsx'),
    downloadCsv: () => csv.download('csv'),
    fileReason: dates.disabledReason ?? (csv.progress ? 'A file is still being made' : undefined),
    findOwner: () => ownerField.current?.querySelector('input')?.focus(),
  });

  const hasFilter = partsOf(screenFilters, place).length > 0;
  const status = dates.mark(gridStatusOf(query, 'Failed to fetch bank statement'));
  return (
    <Page
      fill
      title="Bank Statement - Owner Expandable View"
      aside={
        <>
          <DownloadStatus label="Bank statement file" progress={csv.progress} onCancel={csv.cancel} />
          <DownloadStatus label="Payment CSV" progress={marking.file.progress} onCancel={marking.file.cancel} />
        </>
      }
      actions={
        <>
          <Button {...buttonOf(actions.expandAll)} icon={<ChevronsUpDown size={14} aria-hidden />}>
            Expand All
          </Button>
          <Button {...buttonOf(actions.collapseAll)} icon={<ChevronsDownUp size={14} aria-hidden />}>
            Collapse All
          </Button>
          <Button {...buttonOf(actions.refresh)} busy={isRefreshing} icon={<RefreshCw size={14} aria-hidden />}>
            Refresh
          </Button>
          <Button
            {...buttonOf(actions.excel)}
            busy={csv.progress?.format === 'xlsx'}
            icon={<FileSpreadsheet size={14} aria-hidden />}
          >
            Download Excel
          </Button>
          <Button
            {...buttonOf(actions.csv)}
            busy={csv.progress?.format === 'csv'}
            icon={<Download size={14} aria-hidden />}
          >
            Download CSV
          </Button>
        </>
      }
    >
      <SummaryCards
        summary={dates.problem ? undefined : summary}
        hasFailed={dates.problem !== undefined || query.isError}
        selectedAmount={selectedAmount(selection)}
      />
      <FilterBar
        filters={place}
        onChange={change}
        onClear={() => change(noFilters)}
        ownerRef={ownerField}
        onProblem={dates.onProblem}
      />
      {hasFilter && <PrintedFilters filters={place} onChange={change} onClear={() => change(noFilters)} />}
      {kept.kept && (
        <KeptNotice
          kept={kept.kept}
          onRetry={kept.retry}
          onDiscard={kept.discard}
          onShow={(left) => change({ ...noFilters, ...left })}
        />
      )}
      <SelectionBar
        actions={actions}
        paying={marking.paying}
        limit={limitText}
        hasSelection={selection.mode !== 'none'}
        negative={summary}
      />
      <div ref={table} tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        <DataGrid<StatementRow>
          ref={grid}
          label="Bank statement"
          memoryKey="bank-statement"
          columns={statementColumns}
          rows={rows}
          keyOf={keyOfRow}
          status={isPastEnd ? { ...status, isLoading: true } : status}
          selection={gridSelection}
          tree={expansion.tree}
          onOpen={openChallan}
          openLabel="Open the challan in a new tab, or expand the owner"
          footer={<SelectionText selection={selection} />}
          empty={<Nothing hasFilter={hasFilter} onClearFilters={() => change(noFilters)} />}
          pager={{
            page: place.page,
            limit,
            totalCount: query.data?.pagination.totalCount ?? 0,
            noun: 'owners',
            onPage: (page) => setPlace({ page, limit }),
            onLimit: (size) => setPlace({ limit: chooseSize(size), page: 1 }),
          }}
        />
      </div>
      {marking.plan && (
        <MarkPaidDialog
          plan={marking.plan}
          onClose={marking.close}
          onPay={marking.pay}
          onUndo={marking.undo}
          onChanged={marking.change}
          onDownload={() => csv.download('csv')}
          isDownloading={csv.progress !== undefined}
          statementCount={matching.count}
          placeFocus={marking.placeFocus}
          returnFocus={() => grid.current?.focusFirstRow()}
        />
      )}
    </Page>
  );
}

/** In a tab of its own: the selection stays where it is. */
function openChallan(row: StatementRow): void {
  if (row.kind === 'challan') window.open(`/challans?open=${row.challan.challanId}`, '_blank', 'noopener');
}
