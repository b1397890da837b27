import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { ChevronsDownUp, ChevronsUpDown, Download, RefreshCw } from 'lucide-react';
import { canMarkAllMatching, canMarkPaid, nothingMatches, reasonOf } from '../../../shared/access.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import * as selecting from '../../../shared/calc/selection.ts';
import { maximumIds } from '../../../shared/contract/bank-statement.ts';
import { useBankStatementActions } from '../../actions/bank-statement.ts';
import { buttonOf } from '../../actions/registry.ts';
import { changedTo, usePayment, type Request } from './use-payment.ts';
import { defaultPageSize, pageSizes } from '../../filters/filter-values.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { GridHandle } from '../../grid/grid-types.ts';
import { usePreference } from '../../shell/account-storage.ts';
import { gridStatusOf } from '../../shell/grid-status.ts';
import { Page } from '../../shell/page.tsx';
import { notify } from '../../shell/toast.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from './filter-bar.tsx';
import { MarkPaidDialog, type PaymentPlan } from './mark-paid-dialog.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { filtersOf, noFilters, statementShape, type Filters } from './statement-state.ts';
import { flatten, keyOfRow, statementColumns, type StatementRow } from './statement-rows.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { useGridSelection } from './use-grid-selection.ts';
import { useExpansion } from './use-expansion.ts';
import { useStatement } from './use-statement.ts';
import { useStatementCsv } from './use-statement-csv.ts';

const stillLoading = 'The statement is being loaded. Please wait a moment.';

/** Part 2 §2.5: who is owed what, and the marking of many challans as paid at once. */
export function BankStatementPage() {
  const [place, setPlace] = useUrlState(statementShape);
  const [rememberedSize, rememberSize] = usePreference('bank-statement.page-size', defaultPageSize);
  const limit =
    place.limit === 0 ? (pageSizes.find((size) => size === rememberedSize) ?? defaultPageSize) : place.limit;
  const shown = useMemo(() => filtersOf(place), [place]);
  const statement = useStatement(shown, place.page, limit);
  const { owners, summary, matching, filters, isCurrent, selection, setSelection, query } = statement;

  const grid = useRef<GridHandle<StatementRow>>(null);
  const ownerField = useRef<HTMLDivElement>(null);
  const expansion = useExpansion(owners);
  const rows = useMemo(
    () => (query.data ? flatten(owners, expansion.expanded) : undefined),
    [query.data, owners, expansion.expanded],
  );

  const change = (next: Partial<Filters>): void => {
    const after = { ...shown, ...next };
    statement.leaveFilter(shown, after);
    setPlace({ ...after, page: 1 });
  };
  const clear = useCallback(() => {
    if (selecting.selectedCount(selection) === 0 && selection.mode === 'none') return false;
    const before = selection;
    setSelection(selecting.clearSelection());
    notify.undo('Selection cleared', () => setSelection(before));
    return true;
  }, [selection, setSelection]);
  const selectAll = useCallback(() => {
    setSelection(selecting.selectAllMatching(filters, matching));
    notify.info(
      `All ${matching.count.toLocaleString('en-IN')} matching challans selected, ${formatINR(matching.amount)}`,
    );
  }, [filters, matching, setSelection]);
  const gridSelection = useGridSelection({ owners, selection, setSelection, onClear: clear, onSelectAll: selectAll });

  const [plan, setPlan] = useState<PaymentPlan>();
  /** Where the focus belongs once the paid rows are gone. */
  const nextRow = useRef<string>(undefined);
  const payment = usePayment(() => {
    nextRow.current = rowAfterPayment(
      rows ?? [],
      grid.current?.focusedRow(),
      (row) => gridSelection.stateOf(row) !== 'none',
    );
    setSelection(selecting.clearSelection());
  });
  const loadedAt = query.dataUpdatedAt;
  useEffect(() => {
    const wanted = nextRow.current;
    if (wanted === undefined || loadedAt === 0) return;
    nextRow.current = undefined;
    if (!grid.current?.focusRow(wanted)) grid.current?.focusFirstRow();
  }, [loadedAt]);
  // Ruling 15: after the last owner of the last page is paid, step back a page.
  const totalPages = query.data?.pagination.totalPages ?? 1;
  const isPastEnd = isCurrent && place.page > Math.max(1, totalPages);
  useEffect(() => {
    if (isPastEnd) setPlace({ page: Math.max(1, totalPages) }, { replace: true });
  }, [isPastEnd, totalPages, setPlace]);

  const csv = useStatementCsv(filters, matching.count);
  const count = selecting.selectedCount(selection);
  const markSelected = (): void => {
    const request = selecting.paymentRequest(selection);
    const reason = isCurrent ? reasonOf(canMarkPaid(count)) : stillLoading;
    if (reason !== undefined || request === null) return notify.error(reason ?? 'No challans selected for payment');
    if (request.by === 'ids' && request.challanIds.length > maximumIds) {
      return notify.error(
        `At most ${maximumIds.toLocaleString('en-IN')} challans can be paid one by one. Use Select All Matching, or pay in parts.`,
      );
    }
    setPlan({
      request,
      count,
      amount: selecting.selectedAmount(selection),
      owners: ownersOf(selection, summary?.totalOwners),
      key: crypto.randomUUID(),
    });
    return undefined;
  };
  const markAll = (): void => {
    if (matching.count === 0) return notify.error(nothingMatches);
    const request: Request = {
      by: 'filter',
      filters,
      excludeChallanIds: [],
      expected: { count: matching.count, totalAmount: matching.amount },
    };
    payment.pay(request).catch((error: unknown) => {
      const now = changedTo(error);
      if (now) {
        notify.warning(
          `The matching challans have changed: now ${now.count.toLocaleString('en-IN')}, ${formatINR(now.totalAmount)}. Nothing was paid.`,
        );
        void query.refetch();
      } else notify.error(error, 'Failed to update payment status');
    });
    return undefined;
  };
  const refresh = (): void => {
    expansion.collapseAll();
    void query.refetch();
  };

  const actions = useBankStatementActions({
    pageCount: selecting.pageCount(owners),
    matchingCount: matching.count,
    matchingText: `${matching.count.toLocaleString('en-IN')} · ${formatINR(matching.amount)}`,
    selectPage: () => setSelection(selecting.selectPage(selection, owners)),
    selectAll,
    clear,
    clearReason: selection.mode === 'none' ? 'Nothing is selected' : undefined,
    markSelected,
    markAll,
    markAllReason: isCurrent
      ? reasonOf(canMarkAllMatching(matching.count, selecting.exclusionCount(selection)))
      : stillLoading,
    expandAll: expansion.expandAll,
    collapseAll: expansion.collapseAll,
    refresh,
    downloadCsv: csv.download,
    findOwner: () => ownerField.current?.querySelector('input')?.focus(),
  });

  const hasFilter = Object.values(shown).some((value) => value !== '');
  return (
    <Page
      fill
      title="Bank Statement - Owner Expandable View"
      actions={
        <>
          <Button {...buttonOf(actions.expandAll)} icon={<ChevronsUpDown size={14} aria-hidden />}>
            Expand All
          </Button>
          <Button {...buttonOf(actions.collapseAll)} icon={<ChevronsDownUp size={14} aria-hidden />}>
            Collapse All
          </Button>
          <Button {...buttonOf(actions.refresh)} icon={<RefreshCw size={14} aria-hidden />}>
            Refresh
          </Button>
          <Button {...buttonOf(actions.csv)} busy={csv.isBusy} icon={<Download size={14} aria-hidden />}>
            Download CSV
          </Button>
        </>
      }
    >
      <SummaryCards summary={summary} selectedAmount={selecting.selectedAmount(selection)} />
      <FilterBar filters={shown} onChange={change} onClear={() => change(noFilters)} ownerRef={ownerField} />
      <SelectionBar selection={selection} actions={actions} isPaying={payment.isPaying} />
      <DataGrid<StatementRow>
        ref={grid}
        label="Bank statement"
        memoryKey="bank-statement"
        columns={statementColumns}
        rows={rows}
        keyOf={keyOfRow}
        status={gridStatusOf(query, 'Failed to fetch bank statement')}
        selection={gridSelection}
        tree={expansion.tree}
        empty={
          hasFilter ? (
            <EmptyState
              title={nothingMatches}
              actions={<Button onClick={() => change(noFilters)}>Clear Filters</Button>}
            />
          ) : (
            <EmptyState title="Nobody is owed anything" actions={<Link to="/challans">Go to the challans</Link>}>
              Every challan is marked as paid.
            </EmptyState>
          )
        }
        pager={{
          page: place.page,
          limit,
          totalCount: query.data?.pagination.totalCount ?? 0,
          noun: 'owners',
          onPage: (page) => setPlace({ page }),
          onLimit: (size) => {
            const chosen = pageSizes.find((known) => known === size) ?? defaultPageSize;
            rememberSize(chosen);
            setPlace({ limit: chosen, page: 1 });
          },
        }}
      />
      {plan && (
        <MarkPaidDialog
          plan={plan}
          onClose={() => setPlan(undefined)}
          onPay={payment.pay}
          onDownload={csv.download}
          isDownloading={csv.isBusy}
          onReview={() => {
            setPlan(undefined);
            void query.refetch();
          }}
        />
      )}
    </Page>
  );
}

/** How many owners a payment covers, where that is known without asking. */
function ownersOf(selection: selecting.Selection, totalOwners: number | undefined): number | null {
  if (selection.mode === 'ids') return new Set([...selection.ids.values()].map(({ ownerId }) => ownerId)).size;
  // An owner may be excluded whole; how many challans it has elsewhere is not known here.
  return selection.mode === 'allMatching' && selection.exclusions.size === 0 ? (totalOwners ?? null) : null;
}

/** The first row behind the focused one that stays; '' where there is none, which means the first of the grid. */
function rowAfterPayment(
  rows: readonly StatementRow[],
  focused: StatementRow | undefined,
  isPaid: (row: StatementRow) => boolean,
): string {
  const at = focused ? rows.findIndex((row) => row.key === focused.key) : -1;
  return [...rows.slice(at + 1), ...rows].find((row) => !isPaid(row))?.key ?? '';
}
