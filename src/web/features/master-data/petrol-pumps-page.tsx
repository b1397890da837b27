import { columnsInCells } from '../../../shared/contract/fields.ts';
import { petrolPumpColumns } from '../../../shared/columns/record-columns.ts';
import { petrolPumpFields, type PetrolPump } from '../../../shared/contract/petrol-pumps.ts';
import { petrolPumps } from '../../resources/petrol-pumps.ts';
import { PetrolPumpFormDialog } from './petrol-pump-form-dialog.tsx';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { recordView } from '../../kit/records/record-details.tsx';
import { slowSearchMs } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { RecordBulkDialog } from './lazy-parts.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';

/** /petrol-pumps (docs/specification.md §7.3). */
export const PetrolPumpsPage = recordScreen<PetrolPump>({
  screen: 'petrolPumps',
  noun: ['petrol pump', 'petrol pumps'],
  columns: petrolPumpColumns,
  search: { hint: 'Name, contact number or address', debounceMs: slowSearchMs },
  useRows: ({ page, limit, search }) => pageOf(petrolPumps.useList({ query: { page, limit, search } })),
  failed: { list: 'Failed to fetch petrol pumps' },
  empty: {
    importKind: 'petrol-pumps',
    text: 'Add petrol pumps here to choose them in challans.',
  },
  views: {
    view: recordView<PetrolPump>({
      record: 'petrol-pump',
      title: (pump) => pump?.name ?? 'Petrol Pump',
      useRecord: (id) => petrolPumps.useGet({ params: { id } }),
      failed: 'Failed to fetch petrol pumps',
      facts: (pump) => [{ title: 'Petrol Pump', facts: [...factsOf(petrolPumpFields, pump), ...timesOf(pump)] }],
    }),
  },
  cells: {
    columns: columnsInCells(petrolPumpFields),
    load: () => import('./record-cells.tsx').then((part) => part.PetrolPumpCells),
  },
  form: { addLabel: 'Add Petrol Pump', Dialog: PetrolPumpFormDialog },
  calls: petrolPumps.calls,
  bulk: { resource: 'petrolPumps', Dialog: RecordBulkDialog, nameOf: ({ name }) => name },
  removal: {
    useSend: petrolPumps.useRemove,
    question: ({ name }) => ({
      title: `Delete petrol pump "${name}"?`,
      body: 'Are you sure you want to delete this petrol pump? This action cannot be undone.',
    }),
    done: 'Petrol pump deleted successfully!',
    failed: 'Failed to delete petrol pump',
  },
});
