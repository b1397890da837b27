import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { Truck } from '../../../shared/contract/trucks.ts';
import { RecordView } from '../../filters/record-view.tsx';
import { Facts, orNotProvided } from '../../shell/facts.tsx';

interface TruckViewProps {
  id: string;
  /** Undefined while the list loads. */
  row: Truck | undefined;
  missing: string | undefined;
  placeFocus: () => boolean;
  onClose: () => void;
  onEdit: (truck: Truck) => void;
  onRemove: (truck: Truck) => void;
}

/** Everything of a truck (part 1 §2, view). */
export function TruckView({ id, row, missing, placeFocus, onClose, onEdit, onRemove }: TruckViewProps) {
  const first = useRef<HTMLDivElement>(null);
  return (
    <RecordView
      title={row ? `Truck ${row.truckNumber}` : 'Truck'}
      noun="truck"
      history={{ noun: 'truck', id }}
      missing={missing}
      first={first}
      placeFocus={placeFocus}
      onClose={onClose}
      onEdit={() => row && onEdit(row)}
      onRemove={() => row && onRemove(row)}
    >
      {row && (
        <Facts
          ref={first}
          label="Truck"
          groups={[
            {
              title: 'Truck',
              facts: [
                { label: 'Truck Number', value: row.truckNumber },
                {
                  label: 'Owner Name',
                  value:
                    row.owner.name === '' ? (
                      'Unknown'
                    ) : (
                      <Link to={`/owners?open=${row.ownerId}`}>{row.owner.name}</Link>
                    ),
                },
                { label: 'Wheels', value: row.noOfWheels },
                { label: 'Vehicle Type', value: orNotProvided(row.typeOfVehicle) },
                { label: 'Created', value: formatDateTime(row.createdAt) },
                { label: 'Updated', value: formatDateTime(row.updatedAt) },
              ],
            },
          ]}
        />
      )}
    </RecordView>
  );
}
