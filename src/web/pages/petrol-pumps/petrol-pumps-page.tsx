import { Fuel } from 'lucide-react';
import { petrolPumpColumns } from '../../../shared/columns/petrol-pump-columns.ts';
import type { PetrolPump } from '../../../shared/contract/petrol-pumps.ts';
import { usePetrolPumpActions } from '../../actions/petrol-pumps.ts';
import { petrolPumps } from '../../api/resources.ts';
import { useRecordGrid } from '../../filters/record-grid.ts';
import { RecordList } from '../../filters/record-list.tsx';
import { recordShape, slowSearchMs, useRecordPlace } from '../../filters/record-place.ts';
import { useRecordRows } from '../../filters/record-rows.ts';
import { useRecordScreen } from '../../filters/record-screen.tsx';
import { PetrolPumpFormDialog } from '../../forms/petrol-pump-form-dialog.tsx';
import { useUrlState } from '../../shell/url-state.ts';
import { PetrolPumpView } from './petrol-pump-view.tsx';

const keyOf = (row: PetrolPump): string => row.id;

/** /petrol-pumps (part 1 §2). */
export function PetrolPumpsPage() {
  const [url, setUrl] = useUrlState(recordShape);
  const place = useRecordPlace('petrol-pumps', url, setUrl, slowSearchMs);
  const { page, limit, search } = place;
  const grid = useRecordGrid<PetrolPump>('a petrol pump');
  const query = petrolPumps.useList({ query: { page, limit, search } });
  const list = useRecordRows({
    query,
    rows: query.data?.data,
    pagination: query.data?.pagination,
    failed: 'Failed to fetch petrol pumps',
    onPage: place.onPage,
  });
  const { mutateAsync: send } = petrolPumps.useRemove();
  const screen = useRecordScreen<PetrolPump>({
    keepAs: 'petrol-pumps',
    grid,
    rows: list.rows,
    keyOf,
    openId: url.open,
    setUrl,
    removal: {
      send,
      question: ({ name }) => ({
        title: `Delete petrol pump "${name}"?`,
        body: 'Are you sure you want to delete this petrol pump? This action cannot be undone.',
      }),
      done: 'Petrol pump deleted successfully!',
      failed: 'Failed to delete petrol pump',
    },
  });
  const actions = usePetrolPumpActions({
    create: screen.create,
    edit: () => grid.onRow(screen.edit),
    remove: () => grid.onRow(screen.remove),
    focusSearch: grid.focusSearch,
  });

  return (
    <RecordList<PetrolPump>
      title="Petrol Pumps"
      noun="petrol pumps"
      memoryKey="petrol-pumps"
      columns={petrolPumpColumns}
      keyOf={keyOf}
      place={place}
      list={list}
      grid={grid}
      isPaged
      searchHint="Name, contact number or address"
      create={actions.create}
      emptyIcon={<Fuel size={18} aria-hidden />}
      emptyText="Petrol pumps that are recorded here can be chosen on a challan."
      rowActions={screen.rowActions}
      onOpen={screen.show}
      isMuted={screen.isMuted}
    >
      {url.open !== '' && (
        <PetrolPumpView
          key={url.open}
          id={url.open}
          row={screen.openRow}
          onEdit={screen.edit}
          onRemove={screen.remove}
          {...screen.view}
        />
      )}
      {screen.form && <PetrolPumpFormDialog petrolPump={screen.form.row} {...screen.formProps} />}
    </RecordList>
  );
}
