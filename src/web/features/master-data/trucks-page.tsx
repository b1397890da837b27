import { columnsInCells } from '../../../shared/contract/fields.ts';
import { Link } from 'react-router-dom';
import { truckColumns } from '../../../shared/columns/record-columns.ts';
import { truckFields, truckSortKeys, type Truck } from '../../../shared/contract/trucks.ts';
import { trucks } from '../../resources/trucks.ts';
import { TruckFormDialog } from './truck-form-dialog.tsx';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { recordView } from '../../kit/records/record-details.tsx';
import { orderOf } from '../../kit/records/record-place.ts';
import { listOrSearch, pageOf } from '../../kit/records/record-rows.ts';
import { RecordBulkDialog } from './lazy-parts.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';

/** /trucks (docs/specification.md §7.1). */
export const TrucksPage = recordScreen<Truck>({
  screen: 'trucks',
  noun: ['truck', 'trucks'],
  columns: truckColumns,
  sorts: { keys: truckSortKeys, by: 'truckNumber' },
  search: { hint: 'Truck number or owner name' },
  useRows: (ask) => {
    const { page, limit, search, isSearch } = ask;
    const order = orderOf(truckSortKeys, 'truckNumber', ask);
    return listOrSearch(
      ask,
      pageOf(trucks.useList({ query: { page, limit, ...order } }, { enabled: !isSearch })),
      trucks.useSearch({ query: { q: search, page, limit, ...order } }, { enabled: isSearch }),
    );
  },
  failed: { list: 'Failed to fetch trucks', search: 'Failed to search trucks' },
  empty: {
    importKind: 'trucks',
    text: 'Add trucks with their owners. A challan then finds both by the vehicle number.',
  },
  viewLabel: 'View',
  views: {
    view: recordView<Truck>({
      record: 'truck',
      title: (truck) => (truck ? `Truck ${truck.truckNumber}` : 'Truck'),
      missing: 'This truck is not on this page of the list',
      facts: (truck) => [
        {
          title: 'Truck',
          facts: [
            ...factsOf(truckFields, truck, {
              ownerId:
                truck.owner.name === '' ? (
                  'Unknown'
                ) : (
                  <Link to={`/owners?open=${truck.ownerId}`}>{truck.owner.name}</Link>
                ),
            }),
            ...timesOf(truck),
          ],
        },
      ],
    }),
  },
  hasBeside: true,
  form: { addLabel: 'Add New Truck', Dialog: TruckFormDialog },
  calls: trucks.calls,
  cells: {
    columns: columnsInCells(truckFields, { ownerId: 'ownerName' }),
    load: () => import('./record-cells.tsx').then((part) => part.TruckCells),
  },
  bulk: {
    resource: 'trucks',
    Dialog: RecordBulkDialog,
    nameOf: ({ truckNumber }) => truckNumber,
    fields: ['noOfWheels', 'ownerId'],
  },
  removal: {
    useSend: trucks.useRemove,
    question: ({ truckNumber }) => ({
      title: `Delete truck ${truckNumber}?`,
      body: 'Are you sure you want to delete this truck? This action cannot be undone.',
    }),
    done: 'Truck deleted successfully',
    failed: 'Failed to delete truck',
  },
});
