import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { ChevronsDownUp, ChevronsUpDown, Group, Plus, RefreshCw } from 'lucide-react';
import { nothingMatches } from '../../../../shared/access.ts';
import { formatCount } from '../../../../shared/calc/count-text.ts';
import { compare, formatINR } from '../../../../shared/calc/money.ts';
import {
  clearSelection,
  selectAllMatching,
  selectedAmount,
  selectedCount,
  type Matching,
  type Selection,
} from '../../../../shared/calc/selection.ts';
import type { StatementSummary } from '../../../../shared/contract/bank-statement.ts';
import { noFilters, setTexts } from '../../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../../shared/filters/filter-words.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { challans } from '../../../resources/challans.ts';
import { FilterChips, FilterPanel } from '../../filters/index.ts';
import { useFilterProblem } from '../../../kit/filters/filter-problem.ts';
import { usePageSize } from '../../../kit/filters/page-size.ts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import { mapRows, type GridHandle } from '../../../kit/grid/grid-types.ts';
import { DownloadStatus } from '../../../kit/feedback/file-download.tsx';
import { useFailureToast } from '../../../kit/feedback/failure-toast.ts';
import { gridStatusOf } from '../../../kit/feedback/grid-status.ts';
import { groupsAddress, useHold } from '../../challans/index.ts';
import { Page } from '../../../kit/ui/page.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { useUrlState } from '../../../kit/filters/url-state.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { PrintOnly } from '../../../kit/ui/printing.ts';
import { StatCard } from '../../../kit/ui/stat-card.tsx';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';
import { limitReason } from './payment-plan.ts';
import { KeptNotice, SelectionBar, SelectionText } from './selection-bar.tsx';
import {
  flatten,
  keyOfRow,
  statementColumns,
  useExpansion,
  useGridSelection,
  type StatementRow,
} from './statement-rows.tsx';
import { useMarkPaid } from './use-mark-paid.ts';
import { usePayable } from './use-payable.ts';
import { screenFilters, statementShape, useDetails, useStatement, type Filters } from './use-statement.ts';
import { nothingToWrite, useStatementActions, useStatementFiles } from '../bank-statement-actions.ts';

const nothingSet = noFilters(screenFilters);
const stillLoading = 'The statement is being loaded. Please wait a moment.';
const notFetched = 'Failed to fetch bank statement';
const notLoaded = 'The statement could not be loaded. Please press Retry first.';
const detailsFailed = 'Owners and amounts are current. The rest of the challans is missing or was loaded earlier.';
const checkingKept = 'Your earlier selection is being checked. Please wait a moment.';

/** docs/specification.md §10: who is owed what, and the marking of many challans as paid at once. */
export function BankStatementPage() {
  const navigate = useNavigate();
  const [place, setPlace] = useUrlState(statementShape);
  const { limit, isFit, choose: chooseSize } = usePageSize('bank-statement', place.limit);
  const dates = useFilterProblem();
  const statement = useStatement(place, place.page, limit);
  const { owners, summary, matching, filters, isCurrent, selection, setSelection, restore, kept, query } = statement;

  const grid = useRef<GridHandle<StatementRow>>(null);
  const table = useRef<HTMLDivElement>(null);
  const ownerField = useRef<HTMLElement>(null);
  const expansion = useExpansion(owners);
  const details = useDetails(statement, expansion.expanded);
  // docs/specification.md §3.4: after the last owner of the last page is paid, step back a page.
  const lastPage = Math.max(1, query.data?.pagination.totalPages ?? 1);
  const isPastEnd = isCurrent && place.page > lastPage;
  useEffect(() => {
    if (isPastEnd) setPlace({ page: lastPage }, { replace: true });
  }, [isPastEnd, lastPage, setPlace]);
  const rows = useMemo(
    () => (query.data && !isPastEnd ? flatten(owners, expansion.expanded, details.detailsOf) : undefined),
    [query.data, isPastEnd, owners, expansion.expanded, details.detailsOf],
  );

  const isChecking = kept.kept?.state === 'checking';
  /** Keys and buttons that need the statement wait for it. */
  const isAwaited = !query.isError && (!isCurrent || isChecking);
  const refusal = dates.disabledReason ?? (query.isError && !isCurrent ? notLoaded : undefined);
  const waiting = refusal ?? (isChecking ? checkingKept : isCurrent ? undefined : stillLoading);
  const change = (next: Partial<Filters>): void => setPlace({ ...next, page: 1 });
  /** The toast that can undo 'Clear Selection'. The next selection dismisses it. */
  const cleared = useRef<{ dismiss: () => void }>(undefined);
  useEffect(() => {
    if (selection.mode !== 'none') cleared.current?.dismiss();
  }, [selection]);
  const clear = useCallback(() => {
    if (selection.mode === 'none') return false;
    setSelection(clearSelection());
    cleared.current = notify.undo('Selection cleared', () => restore(selection), 'Undo', undefined, {
      isTransient: true,
    });
    return true;
  }, [selection, setSelection, restore]);
  /** Changes the selection, unless the rows on the screen are about to be replaced. */
  const choose = useCallback<typeof setSelection>(
    (next) => (waiting === undefined ? setSelection(next) : notify.info(waiting)),
    [waiting, setSelection],
  );
  const selectAll = useCallback(() => {
    choose(selectAllMatching(filters, matching));
    if (waiting !== undefined) return;
    const all =
      matching.count === 1 ? 'The 1 matching challan' : `All ${formatCount(matching.count)} matching challans`;
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

  const { hold, dialog: holdDialog } = useHold();
  const files = useStatementFiles(
    filters,
    matching.count,
    dates.disabledReason ?? (!isAwaited && matching.count === 0 ? nothingToWrite : undefined),
  );
  const marking = useMarkPaid({ statement, rows, grid, table, stateOf: gridSelection.stateOf });
  const limitText = limitReason(selection, statement);
  const payable = usePayable(statement, marking.plan !== undefined || limitText !== undefined || waiting !== undefined);
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
    refusal,
    isAwaited,
    limitText,
    expandAll: expansion.expandAll,
    collapseAll: expansion.collapseAll,
    refresh,
    findOwner: () => ownerField.current?.focus(),
    group: () => void navigate(groupsAddress('owner', { ...setTexts(screenFilters, place), paymentStatus: 'unpaid' })),
    hold: () => {
      const row = grid.current?.activeRow();
      if (!row) notify.info('Choose an owner or a challan in the table first');
      else if (row.kind === 'owner') hold({ record: 'owner', id: row.owner.id, name: row.owner.name });
      else if (typeof row.details === 'object')
        hold({ record: 'challan', id: row.details.challanId, name: row.details.challanNumber });
      else if (row.details === 'failed') notify.info('The challan could not be loaded. Please press Retry first.');
      else notify.info('The challan is being loaded. Please wait a moment.');
    },
  });

  const filtered = { table: screenFilters, filters: place, onChange: change, onReset: () => change(nothingSet) };
  const hasFilter = partsOf(screenFilters, place).length > 0;
  useFailureToast(details.query.error, notFetched);
  const loaded = {
    ...gridStatusOf(details.query, notFetched),
    isOutdated: isAwaited,
  };
  const status = dates.mark(
    loaded.error && details.hasFailedAlone ? { ...loaded, error: { ...loaded.error, shown: detailsFailed } } : loaded,
  );
  return (
    <Page
      fill
      title="Bank Statement - Owner Expandable View"
      aside={
        <>
          {files.status}
          <DownloadStatus label="Payment CSV" progress={marking.file.progress} onCancel={marking.file.cancel} />
        </>
      }
      actions={
        <>
          <ActionButton action={actions.expandAll} icon={ChevronsUpDown}>
            Expand All
          </ActionButton>
          <ActionButton action={actions.collapseAll} icon={ChevronsDownUp}>
            Collapse All
          </ActionButton>
          <ActionButton action={actions.refresh} busy={isRefreshing} icon={RefreshCw}>
            Refresh
          </ActionButton>
          <ActionButton action={actions.group} icon={Group} />
          {files.buttons}
        </>
      }
    >
      <SummaryCards
        summary={dates.problem ? undefined : summary}
        hasFailed={dates.problem !== undefined || query.isError}
        selection={selection}
        payable={payable}
      />
      <FilterPanel
        {...filtered}
        labels={{ tagId: 'Filter by Tag' }}
        resetLabel="Clear Filters"
        onLeaveDown={() => grid.current?.focusFirstRow()}
        firstRef={(field) => {
          ownerField.current = field;
        }}
        onProblem={dates.onProblem}
      />
      {hasFilter && (
        <PrintOnly>
          <FilterChips {...filtered} />
        </PrintOnly>
      )}
      {kept.kept && (
        <KeptNotice
          kept={kept.kept}
          onRetry={kept.retry}
          onDiscard={kept.discard}
          onShow={(left) => change({ ...nothingSet, ...left })}
        />
      )}
      <SelectionBar
        actions={actions}
        paying={marking.paying}
        limit={limitText}
        hasSelection={selection.mode !== 'none'}
        summary={summary}
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
          ownFile="list"
          onOpen={openChallan}
          openLabel="Open the challan in a new tab, or expand the owner"
          footer={<SelectionText selection={selection} />}
          loadPage={mapRows(statement.loadPage, (more) => {
            // Owners of other pages are expanded only on their page.
            const shown = new Set(owners.map(({ id }) => id).filter((id) => expansion.expanded.has(id)));
            return flatten(more, shown, details.detailsOf);
          })}
          empty={<StatementEmptyState hasFilter={hasFilter} onClearFilters={filtered.onReset} />}
          pager={{
            page: place.page,
            limit,
            isFit,
            totalCount: query.data?.pagination.totalCount ?? 0,
            noun: 'owners',
            onPage: (page) => setPlace({ page, limit }),
            onLimit: (size) => setPlace({ limit: chooseSize(size), page: 1 }),
          }}
        />
      </div>
      {holdDialog}
      {marking.plan && (
        <MarkPaidDialog
          plan={marking.plan}
          marking={marking}
          onDownload={() => files.download('csv')}
          isDownloading={files.isRunning}
          statementCount={matching.count}
          returnFocus={() => grid.current?.focusFirstRow()}
        />
      )}
    </Page>
  );
}

/** Opens the challan in a new tab, so that this one keeps its selection. */
function openChallan(row: StatementRow): void {
  if (row.kind === 'challan') window.open(`/challans?open=${row.challan.challanId}`, '_blank', 'noopener');
}

interface SummaryCardsProps {
  summary: StatementSummary | undefined;
  /** The summary could not be loaded, so the cards show a dash instead of a placeholder. */
  hasFailed: boolean;
  selection: Selection<unknown>;
  /** What of the selection a payment pays; undefined: it is not known yet. */
  payable: Matching | undefined;
}

const notKnown = '—';

/** Over the whole filter, not the page (docs/specification.md §10.1); lakh grouping (§1.3). */
function SummaryCards({ summary, hasFailed, selection, payable }: SummaryCardsProps) {
  const missing = hasFailed ? notKnown : undefined;
  const count = (value: number | undefined) => (value === undefined ? missing : formatCount(value));
  return (
    <div className="@container shrink-0">
      <div className="grid grid-cols-2 gap-3 @min-[44rem]:grid-cols-4">
        <StatCard label="Total Owners" value={count(summary?.totalOwners)} />
        <StatCard label="Total Challans" value={count(summary?.totalChallans)} />
        <StatCard label="Total Unpaid Amount" value={summary ? formatINR(summary.totalUnpaidAmount) : missing} />
        <StatCard
          label="Selected Amount"
          value={formatINR(selectedAmount(selection))}
          {...(selection.mode !== 'none' && payable && { aside: <Payable of={selection} payable={payable} /> })}
        />
      </div>
    </div>
  );
}

/** 'All payable', or '₹1,701.00 payable' where owners below zero and deductions take something off. */
function Payable({ of, payable: { count, amount } }: { of: Selection<unknown>; payable: Matching }) {
  const all = selectedCount(of);
  if (count === all && compare(amount, selectedAmount(of)) === 0) return 'All payable';
  return (
    <span title={`${formatCount(count)} of ${formatCount(all)} selected challans are payable`}>
      {formatINR(amount)} payable
    </span>
  );
}

/** The empty state: why the statement has no rows, and what to do next (docs/specification.md §19.3). */
function StatementEmptyState({ hasFilter, onClearFilters }: { hasFilter: boolean; onClearFilters: () => void }) {
  if (hasFilter) {
    return <EmptyState title={nothingMatches} actions={<Button onClick={onClearFilters}>Clear Filters</Button>} />;
  }
  return <NothingUnpaid />;
}

/** The empty state without a filter. It differs between a business without challans and one that has paid all of them. */
function NothingUnpaid() {
  const navigate = useNavigate();
  const query = challans.useList({ query: { page: 1, limit: 1 } }, { retry: false });
  if (query.isPending) return null;
  if (query.data?.pagination.totalCount === 0) {
    return (
      <EmptyState
        title="No challans yet"
        actions={
          <Button
            variant="primary"
            keys="Alt+N"
            icon={<Plus size={14} aria-hidden />}
            onClick={() => void navigate('/challans/create')}
          >
            Add New Challan
          </Button>
        }
      >
        Challans that are recorded and not yet paid appear here, by owner.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nobody is owed anything"
      actions={
        <>
          <Link to="/accounting/payments">See the payments</Link>
          <Link to="/challans">Go to the challans</Link>
        </>
      }
    >
      Every challan is marked as paid.
    </EmptyState>
  );
}
