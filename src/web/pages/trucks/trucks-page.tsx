import { useMemo } from 'react';
import { Truck as TruckIcon } from 'lucide-react';
import { truckColumns } from '../../../shared/columns/truck-columns.ts';
import { truckSortKeys, type Truck } from '../../../shared/contract/trucks.ts';
import { useTruckActions } from '../../actions/trucks.ts';
import { trucks } from '../../api/resources.ts';
import { useRecordGrid } from '../../filters/record-grid.ts';
import { RecordList } from '../../filters/record-list.tsx';
import { recordShape, sortShape, useRecordPlace, useRecordSort } from '../../filters/record-place.ts';
import { useRecordRows } from '../../filters/record-rows.ts';
import { useRecordScreen, viewAction } from '../../filters/record-screen.tsx';
import { TruckFormDialog } from '../../forms/truck-form-dialog.tsx';
import { useUrlState } from '../../shell/url-state.ts';
import { TruckView } from './truck-view.tsx';

const shape = { ...recordShape, ...sortShape(truckSortKeys, 'truckNumber', 'asc') };
const keyOf = (row: Truck): string => row.id;

/** /trucks (part 1 §2): the whole list in pages, or what a search of the numbers finds, which is not paged. */
export function TrucksPage() {
  const [url, setUrl] = useUrlState(shape);
  const place = useRecordPlace('trucks', url, setUrl);
  const { limit, search, isSearch } = place;
  const { sortBy, sortOrder } = url;
  const { sort, onSort } = useRecordSort(truckSortKeys, url, setUrl);
  const grid = useRecordGrid<Truck>('a truck');

  const paged = trucks.useList({ query: { page: url.page, limit, sortBy, sortOrder } }, { enabled: !isSearch });
  const found = trucks.useSearch({ query: { q: search } }, { enabled: isSearch });
  const list = useRecordRows({
    query: isSearch ? found : paged,
    rows: (isSearch ? found.data?.results : undefined) ?? (isSearch && found.error ? undefined : paged.data?.data),
    pagination: isSearch ? undefined : paged.data?.pagination,
    count: found.data?.count,
    failed: isSearch ? 'Failed to search trucks' : 'Failed to fetch trucks',
    onPage: place.onPage,
  });
  const { mutateAsync: send } = trucks.useRemove();
  const screen = useRecordScreen<Truck>({
    keepAs: 'trucks',
    grid,
    rows: list.rows,
    keyOf,
    openId: url.open,
    setUrl,
    removal: {
      send,
      question: ({ truckNumber }) => ({
        title: `Delete truck ${truckNumber}?`,
        body: 'Are you sure you want to delete this truck? This action cannot be undone.',
      }),
      done: 'Truck deleted successfully',
      failed: 'Failed to delete truck',
    },
  });
  const { show, openRow } = screen;
  const actions = useTruckActions({
    create: screen.create,
    edit: () => grid.onRow(screen.edit),
    remove: () => grid.onRow(screen.remove),
    focusSearch: grid.focusSearch,
  });
  const rowActions = useMemo(() => [viewAction(show), ...screen.rowActions], [show, screen.rowActions]);

  return (
    <RecordList<Truck>
      title="Trucks"
      noun="trucks"
      memoryKey="trucks"
      columns={truckColumns}
      keyOf={keyOf}
      place={place}
      list={list}
      grid={grid}
      isPaged={!isSearch}
      searchHint="Truck number"
      create={actions.create}
      emptyIcon={<TruckIcon size={18} aria-hidden />}
      emptyText="A truck is recorded with its owner, so that a challan finds both by its number."
      sort={isSearch ? undefined : sort}
      onSort={isSearch ? undefined : onSort}
      rowActions={rowActions}
      onOpen={show}
      isMuted={screen.isMuted}
    >
      {url.open !== '' && (
        <TruckView
          id={url.open}
          row={openRow}
          missing={list.rows && !openRow ? 'This truck is not on this page of the list' : undefined}
          onEdit={screen.edit}
          onRemove={screen.remove}
          {...screen.view}
        />
      )}
      {screen.form && <TruckFormDialog truck={screen.form.row} {...screen.formProps} />}
    </RecordList>
  );
}
