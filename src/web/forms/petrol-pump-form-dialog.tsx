import { petrolPump as pumpShape, petrolPumpInput, type PetrolPump } from '../../shared/contract/petrol-pumps.ts';
import { petrolPumps } from '../api/resources.ts';
import { FormField } from '../shell/form-field.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { RecordClashes, RecordDialog } from './record-dialog.tsx';
import { useRecordForm, type Stored } from './record-form.ts';
import { useRecordSave } from './record-save.ts';

const labels = { name: 'Name', contactNumber: 'Contact Number', address: 'Address' };
type Values = Record<keyof typeof labels, string>;

const storedOf = (pump: Partial<PetrolPump>): Stored<Values> => ({
  values: {
    name: pump.name ?? '',
    contactNumber: pump.contactNumber ?? '',
    address: pump.address ?? '',
  },
  version: pump.version,
});

interface PetrolPumpFormDialogProps {
  /** The pump to edit; absent: a new one. */
  petrolPump?: PetrolPump | undefined;
  start?: Partial<Pick<PetrolPump, 'name'>> | undefined;
  /** Where its entries are kept over the end of the session. */
  keepAs: string;
  onClose: () => void;
  onSaved: (petrolPump: PetrolPump) => void;
}

/** Part 1 §5, part 2 §9. Render it while it is open. */
export function PetrolPumpFormDialog({ petrolPump, start, keepAs, onClose, onSaved }: PetrolPumpFormDialogProps) {
  const record = useRecordForm<Values>(petrolPumpInput, storedOf(petrolPump ?? start ?? {}), {
    id: petrolPump?.id,
    keepAs,
  });
  const { form } = record;

  const { save, isBusy } = useRecordSave({
    record,
    resource: petrolPumps,
    shape: pumpShape,
    storedOf,
    bodyOf: (values) => values,
    words: {
      created: 'Petrol pump created successfully!',
      updated: 'Petrol pump updated successfully!',
      notCreated: 'Failed to save petrol pump',
      notUpdated: 'Failed to save petrol pump',
    },
    onClose,
    onSaved,
  });

  const { control } = form;
  return (
    <RecordDialog
      title={record.id ? 'Edit Petrol Pump' : 'Add New Petrol Pump'}
      saveLabel={record.id ? 'Update Petrol Pump' : 'Create Petrol Pump'}
      record={record}
      isBusy={isBusy}
      onSave={save}
      onClose={onClose}
      size="sm"
    >
      <RecordClashes noun="This petrol pump" record={record} labels={labels} />
      <div className="grid gap-y-1">
        <FormField control={control} name="name">
          {(field) => <TextField {...field} label={labels.name} required />}
        </FormField>
        <FormField control={control} name="contactNumber">
          {(field) => <TextField {...field} label={labels.contactNumber} required inputMode="tel" hint="10 digits" />}
        </FormField>
        <FormField control={control} name="address">
          {(field) => <TextArea {...field} label={labels.address} required rows={2} />}
        </FormField>
      </div>
    </RecordDialog>
  );
}
