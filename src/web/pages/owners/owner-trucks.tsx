import { useRef } from 'react';
import { ownerTruckColumns } from '../../../shared/columns/owner-columns.ts';
import { mapCell, numericKinds } from '../../../shared/columns/define.ts';
import type { Truck } from '../../../shared/contract/trucks.ts';
import { errorText } from '../../api/api-error.ts';
import { shownText } from '../../grid/column-kinds.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useOwner, type OwnerDialogProps } from '../../filters/owner-record.ts';

/** Mode 'trucks': what an owner has (part 1 §2). */
export function OwnerTrucks({ id, row, placeFocus, onClose }: OwnerDialogProps) {
  const { query, item } = useOwner(id, row);
  const first = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      open
      size="md"
      closeOnOutside
      title={item ? `Trucks of ${item.owner.name}` : 'Trucks'}
      description={item && `${item.trucksCount} ${item.trucksCount === 1 ? 'truck' : 'trucks'}`}
      onClose={onClose}
      initialFocus={first}
      placeFocus={placeFocus}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {query.error && (
        <Alert
          className="mb-4"
          title={errorText(query.error, 'Failed to fetch owners')}
          actions={
            <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
              Retry
            </Button>
          }
        />
      )}
      {item && (
        <div
          ref={first}
          role="group"
          aria-label="Trucks"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- with the focus here the arrow keys scroll the list
          tabIndex={0}
          className="outline-none"
        >
          {item.trucks.length === 0 ? (
            <p className="text-muted">This owner has no trucks</p>
          ) : (
            <TruckTable trucks={item.trucks} />
          )}
        </div>
      )}
      {!item && !query.error && (
        <div className="grid min-h-40 place-items-center">
          <Spinner label="Loading trucks" />
        </div>
      )}
    </Dialog>
  );
}

const alignOf = ({ kind }: (typeof ownerTruckColumns)[number]): string =>
  numericKinds.has(kind) ? 'py-1.5 text-right' : 'py-1.5 text-left';

function TruckTable({ trucks }: { trucks: readonly Truck[] }) {
  return (
    <table className="nums w-full border-collapse">
      <thead className="text-xs text-muted">
        <tr className="border-b border-line">
          {ownerTruckColumns.map((column) => (
            <th key={column.key} scope="col" className={`${alignOf(column)} pr-4 font-medium`}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {trucks.map((truck) => (
          <tr key={truck.id} className="border-b border-line last:border-b-0">
            {ownerTruckColumns.map((column) => (
              <td key={column.key} className={`${alignOf(column)} pr-4`}>
                {mapCell(shownText, column, truck) || <span className="text-muted">—</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
