import { useCallback, useMemo } from 'react';
import { Truck, Users } from 'lucide-react';
import { canViewTrucks, reasonOf } from '../../../shared/access.ts';
import { ownerColumns } from '../../../shared/columns/owner-columns.ts';
import { ownerSortKeys, type OwnerListItem } from '../../../shared/contract/owners.ts';
import { useOwnerActions } from '../../actions/owners.ts';
import { owners } from '../../api/resources.ts';
import { useOwnerRows } from '../../filters/owner-record.ts';
import { useRecordGrid } from '../../filters/record-grid.ts';
import { RecordList } from '../../filters/record-list.tsx';
import { recordShape, sortShape, useRecordPlace, useRecordSort } from '../../filters/record-place.ts';
import { useRecordScreen, viewAction } from '../../filters/record-screen.tsx';
import { OwnerFormDialog } from '../../forms/owner-form-dialog.tsx';
import type { RowAction } from '../../grid/grid-types.ts';
import { notify } from '../../shell/toast.ts';
import { url as urlValue, useUrlState } from '../../shell/url-state.ts';
import { OwnerTrucks } from './owner-trucks.tsx';
import { OwnerView } from './owner-view.tsx';

const shape = {
  ...recordShape,
  ...sortShape(ownerSortKeys, 'name', 'asc'),
  /** Which of the two dialogs that show an owner is open; create and edit are not in the address. */
  mode: urlValue.oneOf(['view', 'trucks'], 'view'),
};
const closed = { open: '', mode: 'view' } as const;
const keyOf = (row: OwnerListItem): string => row.owner.id;

/** Ruling 12: the owner's trucks go with it, and the question says how many. */
function removalText(trucksCount: number): string {
  const its = trucksCount === 1 ? 'Its truck is' : `Its ${trucksCount} trucks are`;
  const sentence = trucksCount === 0 ? '' : ` ${its} deleted with it.`;
  return `Are you sure you want to delete this owner?${sentence} This action cannot be undone.`;
}

/** The whole list in pages, or what a search finds, which is not paged (part 1 §4). */
export function OwnerList() {
  const [url, setUrl] = useUrlState(shape);
  const place = useRecordPlace('owners', url, setUrl);
  const { isSearch } = place;
  const { sort, onSort } = useRecordSort(ownerSortKeys, url, setUrl);
  const grid = useRecordGrid<OwnerListItem>('an owner');

  const { list, totals } = useOwnerRows(place, url);
  const { mutateAsync: send } = owners.useRemove();
  const screen = useRecordScreen<OwnerListItem>({
    keepAs: 'owners',
    grid,
    rows: list.rows,
    keyOf,
    openId: url.open,
    setUrl,
    closed,
    removal: {
      send,
      question: ({ owner, trucksCount }) => ({
        title: `Delete owner "${owner.name}"?`,
        body: removalText(trucksCount),
      }),
      done: 'Owner deleted successfully',
      failed: 'Failed to delete owner',
    },
  });
  const { open } = screen;
  const view = useCallback((row: OwnerListItem) => open({ open: keyOf(row), mode: 'view' }), [open]);
  const viewTrucks = useCallback(
    (row: OwnerListItem) => {
      const reason = reasonOf(canViewTrucks(row));
      if (reason) notify.warning(reason);
      else open({ open: keyOf(row), mode: 'trucks' });
    },
    [open],
  );
  const actions = useOwnerActions({
    create: screen.create,
    edit: () => grid.onRow(screen.edit),
    remove: () => grid.onRow(screen.remove),
    viewTrucks: () => grid.onRow(viewTrucks),
    focusSearch: grid.focusSearch,
  });
  const rowActions = useMemo<RowAction<OwnerListItem>[]>(
    () => [
      viewAction(view),
      {
        id: 'trucks',
        label: 'View trucks',
        icon: <Truck size={15} aria-hidden />,
        keys: 'T',
        run: viewTrucks,
        disabledReason: (row) => reasonOf(canViewTrucks(row)),
      },
      ...screen.rowActions,
    ],
    [view, viewTrucks, screen.rowActions],
  );
  const dialog = { id: url.open, row: screen.openRow, ...screen.view };

  return (
    <RecordList<OwnerListItem>
      title="Owners"
      noun="owners"
      memoryKey="owners"
      columns={ownerColumns}
      keyOf={keyOf}
      place={place}
      list={list}
      grid={grid}
      isPaged={!isSearch}
      searchHint="Name, contact number or truck number"
      create={actions.create}
      emptyIcon={<Users size={18} aria-hidden />}
      emptyText="An owner is recorded with the account that is paid, and then chosen on trucks and challans."
      sort={isSearch ? undefined : sort}
      onSort={isSearch ? undefined : onSort}
      totals={totals}
      rowActions={rowActions}
      onOpen={view}
      isMuted={screen.isMuted}
    >
      {url.open !== '' && url.mode === 'view' && (
        <OwnerView {...dialog} key={dialog.id} onEdit={screen.edit} onRemove={screen.remove} onTrucks={viewTrucks} />
      )}
      {url.open !== '' && url.mode === 'trucks' && <OwnerTrucks {...dialog} key={dialog.id} />}
      {screen.form && <OwnerFormDialog owner={screen.form.row?.owner} {...screen.formProps} />}
    </RecordList>
  );
}
