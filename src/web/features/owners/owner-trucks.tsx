import { useRef } from 'react';
import { countText } from '../../../shared/calc/count-text.ts';
import { mapCell, numericKinds } from '../../../shared/columns/define.ts';
import { ownerTruckColumns } from '../../../shared/columns/record-columns.ts';
import type { OwnerWithTrucks } from '../../../shared/contract/owners.ts';
import type { Truck } from '../../../shared/contract/trucks.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { shownText } from '../../kit/grid/column-kinds.tsx';
import { useOwner } from './owner-record.ts';
import type { RecordViewProps } from '../../kit/records/record-screen.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { Scrolled } from '../../kit/ui/page.tsx';

type OwnerTrucksProps = Pick<RecordViewProps<OwnerWithTrucks>, 'id' | 'row' | 'placeFocus' | 'onClose'>;

/** Mode 'trucks': lists the trucks of an owner (docs/specification.md §6.1). */
export function OwnerTrucks({ id, row, placeFocus, onClose }: OwnerTrucksProps) {
  const query = useOwner(id);
  const owner = query.data?.data ?? row;
  const contentRef = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      size="md"
      closeOnOutside
      title={owner ? `Trucks of ${owner.name}` : 'Trucks'}
      description={owner && countText(owner.trucksCount, 'truck')}
      onClose={onClose}
      initialFocus={contentRef}
      placeFocus={placeFocus}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <QueryFailure className="mb-4" query={query} fallback="Failed to fetch owners" />
      {owner && (
        <Scrolled ref={contentRef} aria-label="Trucks" className="outline-none">
          {owner.trucks.length === 0 ? (
            <p className="text-muted">This owner has no trucks</p>
          ) : (
            <TruckTable trucks={owner.trucks} />
          )}
        </Scrolled>
      )}
      {!owner && !query.error && (
        <div className="grid min-h-40 place-items-center">
          <Spinner label="Loading trucks" />
        </div>
      )}
    </Dialog>
  );
}

const cellClass = ({ kind }: (typeof ownerTruckColumns)[number]): string =>
  numericKinds.has(kind) ? 'py-1.5 text-right' : 'py-1.5 text-left';

function TruckTable({ trucks }: { trucks: readonly Truck[] }) {
  return (
    <table className="nums w-full border-collapse">
      <thead className="text-xs text-muted">
        <tr className="border-b border-line">
          {ownerTruckColumns.map((column) => (
            <th key={column.key} scope="col" className={`${cellClass(column)} pr-4 font-medium`}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {trucks.map((truck) => (
          <tr key={truck.id} className="border-b border-line last:border-b-0">
            {ownerTruckColumns.map((column) => (
              <td key={column.key} className={`${cellClass(column)} pr-4`}>
                {mapCell(shownText, column, truck) || <span className="text-muted">—</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
