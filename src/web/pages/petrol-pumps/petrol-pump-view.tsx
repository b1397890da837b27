import { useRef } from 'react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { PetrolPump } from '../../../shared/contract/petrol-pumps.ts';
import { petrolPumps } from '../../api/resources.ts';
import { RecordView } from '../../filters/record-view.tsx';
import { Facts } from '../../shell/facts.tsx';

interface PetrolPumpViewProps {
  id: string;
  /** As the list shows it: there at once. */
  row: PetrolPump | undefined;
  placeFocus: () => boolean;
  onClose: () => void;
  onEdit: (pump: PetrolPump) => void;
  onRemove: (pump: PetrolPump) => void;
}

/** Everything of a petrol pump; its long address is cut in the table. */
export function PetrolPumpView({ id, row, placeFocus, onClose, onEdit, onRemove }: PetrolPumpViewProps) {
  const query = petrolPumps.useGet({ params: { id } });
  const first = useRef<HTMLDivElement>(null);
  const pump = query.data?.data ?? row;
  return (
    <RecordView
      title={pump?.name ?? 'Petrol Pump'}
      noun="petrol pump"
      history={{ noun: 'petrol pump', id }}
      query={query}
      failed="Failed to fetch petrol pumps"
      first={first}
      placeFocus={placeFocus}
      onClose={onClose}
      onEdit={() => pump && onEdit(pump)}
      onRemove={() => pump && onRemove(pump)}
    >
      {pump && (
        <Facts
          ref={first}
          label="Petrol pump"
          groups={[
            {
              title: 'Petrol Pump',
              facts: [
                { label: 'Name', value: pump.name },
                { label: 'Contact Number', value: pump.contactNumber },
                { label: 'Address', value: pump.address },
                { label: 'Created At', value: formatDateTime(pump.createdAt) },
                { label: 'Updated At', value: formatDateTime(pump.updatedAt) },
              ],
            },
          ]}
        />
      )}
    </RecordView>
  );
}
