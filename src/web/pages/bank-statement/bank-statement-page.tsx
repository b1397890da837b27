import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ChevronsDownUp, ChevronsUpDown, Download, RefreshCw } from 'lucide-react';
import { formatINR } from '../../../shared/calc/money.ts';
import { clearSelection, selectAllMatching, selectedAmount } from '../../../shared/calc/selection.ts';
import { buttonOf } from '../../actions/registry.ts';
import { usePageSize } from '../../filters/page-size.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { GridHandle } from '../../grid/grid-types.ts';
import { DownloadStatus } from '../../shell/download-status.tsx';
import { gridStatusOf } from '../../shell/grid-status.ts';
import { Page } from '../../shell/page.tsx';
import { notify } from '../../shell/toast.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar, PrintedFilters } from './filter-bar.tsx';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';
import { limitReason } from './payment-plan.ts';
import { Nothing } from './nothing.tsx';
import { SelectionBar, SelectionText } from './selection-bar.tsx';
import { filtersOf, noFilters, statementShape, type Filters } from './statement-state.ts';
import { flatten, keyOfRow, statementColumns, type StatementRow } from './statement-rows.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { useExpansion } from './use-expansion.ts';
import { useGridSelection } from './use-grid-selection.ts';
import { useMarkPaid } from './use-mark-paid.ts';
import { useStatement } from './use-statement.ts';
import { useStatementActions } from './use-statement-actions.ts';
import { useStatementCsv } from './use-statement-csv.ts';

const stillLoading = 'The statement is being loaded. Please wait a moment.';

/** Part 2 §2.5: who is owed what, and the marking of many challans as paid at once. */
export function BankStatementPage() {
  const [place, setPlace] = useUrlState(statementShape);
  const { limit, choose: chooseSize } = usePageSize('bank-statement', place.limit);
  const shown = useMemo(() => filtersOf(place), [place]);
  const statement = useStatement(shown, place.page, limit);
  const { owners, summary, matching, filters, isCurrent, selection, setSelection, restore, query } = statement;

  const grid = useRef<GridHandle<StatementRow>>(null);
  const table = useRef<HTMLDivElement>(null);
  const ownerField = useRef<HTMLDivElement>(null);
  const expansion = useExpansion(owners);
  // Ruling 15: after the last owner of the last page is paid, step back a page.
  const lastPage = Math.max(1, query.data?.pagination.totalPages ?? 1);
  const isPastEnd = isCurrent && place.page > lastPage;
  useEffect(() => {
    if (isPastEnd) setPlace({ page: lastPage }, { replace: true });
  }, [isPastEnd, lastPage, setPlace]);
  const rows = useMemo(
    () => (query.data && !isPastEnd ? flatten(owners, expansion.expanded) : undefined),
    [query.data, isPastEnd, owners, expansion.expanded],
  );

  const change = (next: Partial<Filters>): void => setPlace({ ...next, page: 1 });
  const clear = useCallback(() => {
    if (selection.mode === 'none') return false;
    setSelection(clearSelection());
    notify.undo('Selection cleared', () => restore(selection));
    return true;
  }, [selection, setSelection, restore]);
  /** A row of what is about to leave the screen must not get into the selection. */
  const choose = useCallback<typeof setSelection>(
    (next) => (isCurrent ? setSelection(next) : notify.info(stillLoading)),
    [isCurrent, setSelection],
  );
  const selectAll = useCallback(() => {
    choose(selectAllMatching(filters, matching));
    if (!isCurrent) return;
    const all =
      matching.count === 1
        ? 'The 1 matching challan'
        : `All ${matching.count.toLocaleString('en-IN')} matching challans`;
    notify.info(`${all} selected, ${formatINR(matching.amount)}`);
  }, [choose, filters, matching, isCurrent]);
  const gridSelection = useGridSelection({
    owners,
    expanded: expansion.expanded,
    selection,
    setSelection: choose,
    onClear: clear,
    onSelectAll: selectAll,
  });

  const csv = useStatementCsv(filters, matching.count);
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
    waiting: isCurrent ? undefined : stillLoading,
    limitText,
    expandAll: expansion.expandAll,
    collapseAll: expansion.collapseAll,
    refresh,
    downloadCsv: csv.download,
    csvReason: csv.progress ? 'The CSV is still being made' : undefined,
    findOwner: () => ownerField.current?.querySelector('input')?.focus(),
  });

  const hasFilter = Object.values(shown).some((value) => value !== '');
  const status = gridStatusOf(query, 'Failed to fetch bank statement');
  return (
    <Page
      fill
      title="Bank Statement - Owner Expandable View"
      aside={
        <>
          <DownloadStatus label="Bank statement CSV" progress={csv.progress} onCancel={csv.cancel} />
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
            {...buttonOf(actions.csv)}
            busy={csv.progress !== undefined}
            icon={<Download size={14} aria-hidden />}
          >
            Download CSV
          </Button>
        </>
      }
    >
      <SummaryCards summary={summary} hasFailed={query.isError} selectedAmount={selectedAmount(selection)} />
      <FilterBar filters={shown} onChange={change} onClear={() => change(noFilters)} ownerRef={ownerField} />
      {hasFilter && <PrintedFilters filters={shown} onChange={change} onClear={() => change(noFilters)} />}
      <SelectionBar actions={actions} paying={marking.paying} limit={limitText} />
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
          onChanged={marking.setPlan}
          onDownload={csv.download}
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
