import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { Eye, FileText, Group, Lock, Pencil, Plus, Trash2 } from 'lucide-react';
import { challanColumns } from '../../../../shared/columns/challan-columns.ts';
import type { ChallanSummary, ListedChallan } from '../../../../shared/contract/challan.ts';
import { editedFields } from '../../../../shared/contract/challan-fields.ts';
import type { AnswerOf } from '../../../../shared/contract/define.ts';
import { challans } from '../../../resources/challans.ts';
import { challanListFilters } from '../../../../shared/filters/challan-filters.ts';
import { filterOfTexts, setTexts, type FilterTexts } from '../../../../shared/filters/filter-texts.ts';
import { challanListCommands } from '../challan-list-actions.ts';
import { useCommands } from '../../../kit/actions/registry.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { errorText, isApiError } from '../../../kit/api/api-error.ts';
import { call } from '../../../kit/api/client.ts';
import { refusalOf } from '../../../kit/api/seat.ts';
import { loadBeside } from '../../../kit/records/beside.tsx';
import { useCellEditing } from '../../../kit/cells/use-cell-editing.ts';
import { ChallanList, FiltersButton } from './challan-list.tsx';
import { queryOf, type ListPlace } from './list-place.ts';
import { useChallanList } from './use-challan-list.ts';
import { useTableFiles } from '../../../kit/feedback/table-files.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { queryOf as valuesOf } from '../../../kit/filters/url-state.ts';
import type { CellSpec, RowAction } from '../../../kit/grid/grid-types.ts';
import { useHold } from '../hold/use-hold.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { paymentCell } from './payment-cell.tsx';
import { forgetPlace, readPlace, rememberPlace, useFocusRow } from './return-place.ts';
import { lockOfField, useLockOf, type LockOf } from '../locked.ts';
import { deleteRefusal, editRefusal, explain, loadRemoval, useRowCommands } from './row-commands.ts';
import { leavesFilter, useToggles } from './use-toggles.ts';

const loadGroups = () => import('./challan-groups.tsx');
const ChallanGroups = lazy(loadGroups);
const loadDetails = () => import('./details-dialog.tsx');
const DetailsDialog = lazy(loadDetails);
const loadCells = () => import('./challan-cells.tsx').then((part) => part.default);

/** /challans (docs/specification.md §8.1). When the user returns straight from a form, the list has its earlier place. */
export function ChallanListPage() {
  const { search, hash, key } = useLocation();
  const values = search + hash;
  const [place] = useState(readPlace);
  // Only on arrival, so that filters which the user resets later stay reset.
  const [arrival] = useState(key);
  useEffect(forgetPlace, []);
  if (key === arrival && values === '' && place && place.values !== '') {
    return <Navigate to={`/challans${place.values}`} replace />;
  }
  if (valuesOf({ search, hash }).has('groupBy')) {
    return (
      <Suspense fallback={null}>
        <ChallanGroups />
      </Suspense>
    );
  }
  return <Challans focusRowId={place?.values === values ? place.rowId : undefined} />;
}

/** The call of the sums of these filters. */
const sumsOf = (filters: FilterTexts<typeof challanListFilters>) => ({ query: setTexts(challanListFilters, filters) });

type Rows = AnswerOf<typeof challans.calls.listRows>;

const spec = {
  id: 'challans',
  label: 'Challans',
  filters: challanListFilters,
  columns: challanColumns,
  query: (place: ListPlace<typeof challanListFilters>, fields: string | undefined) =>
    challans.listRowsOptions({
      query: { ...queryOf(challanListFilters, place), totals: 'later', ...(fields !== undefined && { fields }) },
    }),
  hasNext: ({ hasNext }: Rows) => hasNext,
  sumsOf: ({ summary }: Rows) => summary,
  countSums: (filters: FilterTexts<typeof challanListFilters>) => challans.getSumsOptions(sumsOf(filters)),
  amountOf: ({ totalAmount }: ChallanSummary) => totalAmount,
  selectionFilter: (filters: FilterTexts<typeof challanListFilters>) => filterOfTexts(challanListFilters, filters),
  reportError,
};

/** The owner's name with the reason of a hold. Where there is little room, the words "On hold" are what stays whole. */
const ownerCell: CellSpec<ListedChallan> = {
  render: ({ ownerName, holdReason, owner }) => {
    const hold = holdReason || owner.holdReason;
    return (
      <span className="flex min-w-0 items-baseline" title={hold === '' ? ownerName : `${ownerName}. On hold: ${hold}`}>
        <span className="truncate">{ownerName}</span>
        {hold !== '' && (
          <>
            <span className="ml-1 shrink-0 text-xs text-danger">· On hold</span>
            <span className="shrink-9999 truncate text-xs text-danger">: {hold}</span>
          </>
        )}
      </span>
    );
  },
  text: ({ ownerName }) => ownerName,
};

/** The number, with a mark where figures and days are locked. */
const numberCell = (lockOf: LockOf): CellSpec<ListedChallan> => ({
  render: (row) => {
    const locked = lockOf(row);
    return (
      <>
        {row.challanNumber}
        {locked && (
          <span title={locked} className="ml-0.5 inline-block align-[-1px] text-muted">
            <Lock size={10} role="img" aria-label={locked} />
          </span>
        )}
      </>
    );
  },
  text: ({ challanNumber }) => challanNumber,
});

const payment = paymentCell(({ id }) => rememberPlace(id));

/** docs/specification.md §13.4 */
const fileMessages = {
  xlsx: {
    done: 'Excel export completed successfully!',
    failed: 'Failed to export Excel file. Please try again.',
    cancelled: 'Excel export cancelled',
  },
  csv: {
    done: 'CSV export completed successfully!',
    failed: 'Failed to export CSV. Please try again.',
    cancelled: 'CSV export cancelled',
  },
};
const fileCalls = { xlsx: challans.calls.exportXlsx, csv: challans.calls.exportCsv };

/** `focusRowId` is the row from which the user opened the form. */
function Challans({ focusRowId }: { focusRowId: string | undefined }) {
  const navigate = useNavigate();
  const list = useChallanList(spec);
  const { place, isPlaceholder, sums, details, openId, dates, refetch } = list;
  const { paymentStatus, paymentIs } = place.filters;
  const toggles = useToggles({ paymentStatus, paymentIs }, sumsOf(place.filters), () => void refetch());
  const { commands, deleting } = useRowCommands(list, toggles);
  const { hold, dialog: holdDialog } = useHold();
  const { editing, layer, onNear } = useCellEditing({
    grid: list.grid,
    rows: list.wholeRows,
    columns: refusalOf(challans.calls.update) === undefined ? editedFields : undefined,
    load: loadCells,
    // The form's rules, which a cell is checked by, look at every field.
    prepare: list.loadWhole,
  });
  useFocusRow(list.grid, focusRowId, list.rows !== undefined);

  const create = (): void => {
    rememberPlace();
    void navigate('/challans/create');
  };
  const actions = useCommands(challanListCommands, {
    create,
    group: () => list.setPlace({ groupBy: 'owner', page: 1 }),
    filters: { label: list.areFiltersShown ? 'Hide Filters' : 'Show Filters', run: list.toggleFilters },
    findTp: list.focusFilters,
    reset: list.resetFilters,
    edit: () => list.onRow(commands.edit),
    duplicate: () => list.onRow(commands.duplicate),
    remove: () => list.onRowOrSelected(commands.remove, 'delete'),
    paid: () => list.onRowOrSelected(commands.togglePaid, 'paid'),
    hsd: () => list.onRowOrSelected(commands.toggleHsd, 'verified'),
    hold: () => list.onRow(({ id, challanNumber }) => hold({ record: 'challan', id, name: challanNumber })),
    change: { disabledReason: list.changeReason, run: list.changeSelected },
    selectRows: () => list.selection.selection.onSelectAll?.(),
  });
  // All matching challans, not only the page, with the columns and in the order of the table.
  const files = useTableFiles({
    scope: 'Challan list',
    id: 'challans',
    verb: 'Export',
    get: (format, options) => {
      const { sortBy, sortOrder, filters } = place;
      const body = {
        filters: filterOfTexts(challanListFilters, filters),
        columns: list.shownFields(),
        sortBy,
        sortOrder,
      };
      return call(fileCalls[format], { body }, options);
    },
    total: list.totalCount,
    fallbackName: 'challans',
    messages: fileMessages,
    // docs/specification.md §15.5
    disabledReason:
      dates.disabledReason ?? (sums?.totalCount === 0 ? 'No data available for CSV generation' : undefined),
  });

  const { cells: toggleCells } = toggles;
  const lockOf = useLockOf();
  const hasLocked = list.rows?.some((row) => lockOf(row) !== undefined) ?? false;
  const cells = useMemo(
    () => ({
      ...toggleCells,
      ownerName: ownerCell,
      payment,
      // React draws such a cell, which takes longer than a text.
      ...(hasLocked && { challanNumber: numberCell(lockOf) }),
    }),
    [toggleCells, hasLocked, lockOf],
  );
  const lockedEditing = useMemo(
    () =>
      editing && {
        ...editing,
        onEdit: (row: ListedChallan, column: string): void => {
          const locked = lockOfField(lockOf, row, column);
          if (locked === undefined) editing.onEdit(row, column);
          else explain(locked);
        },
      },
    [editing, lockOf],
  );
  const { edit, remove } = commands;
  const { open } = details;
  const rowActions = useMemo<RowAction<ListedChallan>[]>(
    () => [
      { id: 'view', label: 'View', icon: <Eye size={15} aria-hidden />, keys: 'Enter', run: open },
      {
        id: 'edit',
        label: 'Edit',
        icon: <Pencil size={15} aria-hidden />,
        keys: 'E',
        run: edit,
        disabledReason: editRefusal,
      },
      {
        id: 'delete',
        label: 'Delete',
        icon: <Trash2 size={15} aria-hidden />,
        keys: 'Delete',
        run: remove,
        disabledReason: deleteRefusal,
      },
    ],
    [open, edit, remove],
  );
  const isMuted = useCallback(
    (row: ListedChallan) => deleting.has(row.id) || (!isPlaceholder && leavesFilter({ paymentStatus, paymentIs }, row)),
    [deleting, isPlaceholder, paymentStatus, paymentIs],
  );

  return (
    <ChallanList
      list={list}
      title="Challans"
      hasViews
      aside={files.status}
      buttons={
        <>
          <FiltersButton list={list} action={actions.filters} label="Filters" />
          <ActionButton action={actions.group} icon={Group} />
          {files.buttons}
          <ActionButton action={actions.create} variant="primary" icon={Plus} />
        </>
      }
      whenEmpty={
        <EmptyState
          icon={<FileText size={18} aria-hidden />}
          title="No challans yet"
          actions={
            <>
              <ActionButton action={actions.create} variant="primary" icon={Plus}>
                Add New Challan
              </ActionButton>
              <Link className="self-center" to="/challans/sheet">
                Paste or open a file
              </Link>
            </>
          }
        >
          Enter a challan for each trip. It appears here as soon as it is saved.
        </EmptyState>
      }
      cells={cells}
      rowActions={rowActions}
      editing={lockedEditing}
      isMuted={isMuted}
      renderBeside={(row) => (
        <DetailsDialog id={row.id} details={{ ...details, row }} commands={commands} placeFocus={() => false} />
      )}
      onNear={() => {
        void loadDetails();
        void loadGroups();
        void loadRemoval();
        loadBeside();
        onNear();
      }}
    >
      {layer}
      {holdDialog}
      {openId !== '' && (
        <DetailsDialog
          id={openId}
          details={details}
          commands={commands}
          placeFocus={() => list.grid.current?.focusRow(openId) ?? false}
        />
      )}
    </ChallanList>
  );
}

/** An error that contains 404 or Not Found is only logged (docs/specification.md §8.1). The table shows it with Retry. */
function reportError(error: unknown, fallback: string): void {
  const text = errorText(error, fallback);
  const isNotFound = (isApiError(error) && error.status === 404) || /404|not found/i.test(text);
  // oxlint-disable-next-line no-console -- docs/specification.md §8.1 requires the log
  if (isNotFound) console.error(text);
  // Only the text, because the table shows the error with the number of the request.
  else notify.error(text);
}
