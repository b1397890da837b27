import { lazy, useCallback, useEffect, useMemo, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { Eye, FileText, Pencil, Plus, Trash2 } from 'lucide-react';
import { canDeleteChallan, reasonOf } from '../../../shared/access.ts';
import type { FileFormat } from '../../../shared/calc/file-names.ts';
import { challanColumns } from '../../../shared/columns/challan-columns.ts';
import type { Challan, ChallanSummary } from '../../../shared/contract/challan.ts';
import { editedFields } from '../../../shared/contract/challan-fields.ts';
import type { AnswerOf } from '../../../shared/contract/define.ts';
import { challans } from '../../api/challans.ts';
import { challanFileFilters } from '../../../shared/filters/challan-filters.ts';
import { filterOfTexts, type FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { useChallanListActions } from '../../actions/challan-list.ts';
import { buttonOf } from '../../actions/registry.ts';
import { errorText, isApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useCellEditing } from '../../cells/use-cell-editing.ts';
import { ChallanList, ExportButtons, FiltersButton } from '../../challans/challan-list.tsx';
import { queryOf, type ListPlace } from '../../challans/list-place.ts';
import { useChallanList } from '../../challans/use-challan-list.ts';
import { DownloadStatus } from '../../feedback/download-status.tsx';
import { notify } from '../../feedback/toast.ts';
import { useFileDownload } from '../../feedback/use-file-download.ts';
import type { CellSpec, RowAction } from '../../grid/grid-types.ts';
import { useHold } from '../../records/use-hold.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { paymentCell } from '../../challans/payment-cell.tsx';
import { forgetPlace, placeLeft, rememberPlace, useFocusRow } from './return-place.ts';
import { useRowCommands } from './row-commands.ts';
import { leavesFilter, useToggles } from './use-toggles.ts';

const loadDetails = () => import('./details-dialog.tsx');
const DetailsDialog = lazy(loadDetails);
const loadCells = () => import('../../challans/challan-cells.tsx').then((part) => part.default);

/** /challans (docs/specification.md §8.1). Straight back from a form, the list is where it was left. */
export function ChallanListPage() {
  const { search, key } = useLocation();
  const [place] = useState(placeLeft);
  // Only on arriving: filters that are reset here later stay reset.
  const [arrival] = useState(key);
  useEffect(forgetPlace, []);
  if (key === arrival && search === '' && place && place.search !== '') {
    return <Navigate to={{ pathname: '/challans', search: place.search }} replace />;
  }
  return <Challans focusRowId={place?.search === search ? place.rowId : undefined} />;
}

const spec = {
  id: 'challans',
  label: 'Challans',
  filters: challanFileFilters,
  columns: challanColumns,
  query: (place: ListPlace<typeof challanFileFilters>) =>
    challans.listOptions({ query: queryOf(challanFileFilters, place) }),
  sumsOf: ({ summary }: AnswerOf<typeof challans.calls.list>) => summary,
  amountOf: ({ totalAmount }: ChallanSummary) => totalAmount,
  selectionFilter: (filters: FilterTexts<typeof challanFileFilters>) => filterOfTexts(challanFileFilters, filters),
  tell: tellFailure,
};

/** Why a challan waits is seen where it is listed. */
const ownerCell: CellSpec<Challan> = {
  render: ({ ownerName, holdReason, owner }) => {
    const hold = holdReason || owner.holdReason;
    return (
      <span className="truncate" title={hold === '' ? ownerName : `${ownerName}. On hold: ${hold}`}>
        {ownerName}
        {hold !== '' && <span className="text-xs text-danger"> · On hold: {hold}</span>}
      </span>
    );
  },
  text: ({ ownerName }) => ownerName,
};

const payment = paymentCell(({ id }) => rememberPlace(id));

const exports = {
  xlsx: {
    of: challans.calls.exportXlsx,
    label: 'Excel export',
    done: 'Excel export completed successfully!',
    failed: 'Failed to export Excel file. Please try again.',
    cancelled: 'Excel export cancelled',
  },
  csv: {
    of: challans.calls.exportCsv,
    label: 'CSV export',
    done: 'CSV export completed successfully!',
    failed: 'Failed to export CSV. Please try again.',
    cancelled: 'CSV export cancelled',
  },
} as const;

/** `focusRowId`: the row that was left for a form. */
function Challans({ focusRowId }: { focusRowId: string | undefined }) {
  const navigate = useNavigate();
  const list = useChallanList(spec);
  const { place, isPlaceholder, sums, details, openId, dates, refetch } = list;
  const { paymentStatus } = place.filters;
  const toggles = useToggles(
    { paymentStatus },
    useCallback(() => void refetch(), [refetch]),
  );
  const { commands, deleting } = useRowCommands(list, toggles);
  const file = useFileDownload();
  const { hold, dialog: holdDialog } = useHold();
  const { editing, layer, onNear } = useCellEditing({
    grid: list.grid,
    rows: list.rows,
    columns: editedFields,
    load: loadCells,
  });
  const [format, setFormat] = useState<FileFormat>('xlsx');
  useFocusRow(list.grid, focusRowId, list.rows !== undefined);

  const create = (): void => {
    rememberPlace();
    void navigate('/challans/create');
  };
  /** Every matching row, not the page, with the columns and in the order of the table. */
  const exportAs = (wanted: FileFormat): void => {
    setFormat(wanted);
    const { sortBy, sortOrder, filters } = place;
    const body = {
      filters: filterOfTexts(challanFileFilters, filters),
      columns: list.shownFields(),
      sortBy,
      sortOrder,
    };
    const { of, done, failed, cancelled } = exports[wanted];
    file.start({
      get: (options) => call(of, { body }, options),
      total: list.totalCount,
      countsLines: wanted === 'csv',
      fallbackName: `challans.${wanted}`,
      done,
      failed,
      cancelled,
    });
  };
  const actions = useChallanListActions({
    create,
    exportExcel: () => exportAs('xlsx'),
    exportCsv: () => exportAs('csv'),
    exportReason: dates.disabledReason ?? exportReasonOf(file.progress !== undefined, sums?.totalCount),
    toggleFilters: list.toggleFilters,
    areFiltersShown: list.areFiltersShown,
    focusTp: list.focusFilters,
    resetFilters: list.resetFilters,
    edit: () => list.onRow(commands.edit),
    duplicate: () => list.onRow(commands.duplicate),
    remove: () => list.onRowOrSelected(commands.remove, 'delete'),
    togglePaid: () => list.onRowOrSelected(commands.togglePaid, 'paid'),
    toggleHsd: () => list.onRowOrSelected(commands.toggleHsd, 'verified'),
    hold: () => list.onRow(({ id, challanNumber }) => hold({ record: 'challan', id, name: challanNumber })),
    change: list.changeSelected,
    selectedCount: list.selection.count,
    selectRows: () => list.selection.selection.onSelectAll?.(),
  });

  const { cells: toggleCells } = toggles;
  const cells = useMemo(() => ({ ...toggleCells, ownerName: ownerCell, payment }), [toggleCells]);
  const { edit, remove } = commands;
  const { open } = details;
  const rowActions = useMemo<RowAction<Challan>[]>(
    () => [
      { id: 'view', label: 'View', icon: <Eye size={15} aria-hidden />, keys: 'Enter', run: open },
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
    [open, edit, remove],
  );
  const isMuted = useCallback(
    (row: Challan) => deleting.has(row.id) || (!isPlaceholder && leavesFilter({ paymentStatus }, row)),
    [deleting, isPlaceholder, paymentStatus],
  );

  return (
    <ChallanList
      list={list}
      title="Challans"
      hasViews
      aside={<DownloadStatus label={exports[format].label} progress={file.progress} onCancel={file.cancel} />}
      buttons={
        <>
          <FiltersButton list={list} action={actions.filters} label="Filters" />
          <ExportButtons actions={[actions.exportExcel, actions.exportCsv]} isBusy={file.progress !== undefined} />
          <Button variant="primary" icon={<Plus size={14} aria-hidden />} {...buttonOf(actions.create)}>
            {actions.create.label}
          </Button>
        </>
      }
      nothing={
        <EmptyState
          icon={<FileText size={18} aria-hidden />}
          title="No challans yet"
          actions={
            <>
              <Button variant="primary" keys="Alt+N" icon={<Plus size={14} aria-hidden />} onClick={create}>
                Add New Challan
              </Button>
              <Link className="self-center" to="/challans/sheet">
                Paste or open a file
              </Link>
            </>
          }
        >
          A challan is entered for each trip. It appears here as soon as it is saved.
        </EmptyState>
      }
      cells={cells}
      rowActions={rowActions}
      editing={editing}
      isMuted={isMuted}
      onNear={() => {
        void loadDetails();
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

/** docs/specification.md §8.1: an error that contains 404 or Not Found is only logged; the table shows it with Retry. */
function tellFailure(error: unknown, fallback: string): void {
  const text = errorText(error, fallback);
  const isNotFound = (isApiError(error) && error.status === 404) || /404|not found/i.test(text);
  // oxlint-disable-next-line no-console -- docs/specification.md §8.1 wants it logged
  if (isNotFound) console.error(text);
  // The table has the number of the request.
  else notify.error(text);
}

/** There is nothing a file could hold (docs/specification.md §15.5). */
function exportReasonOf(isRunning: boolean, count: number | undefined): string | undefined {
  if (isRunning) return 'The export is still running';
  return count === 0 ? 'No data available for CSV generation' : undefined;
}
