import { petrolPump as pumpShape, petrolPumpInput, type PetrolPump } from '../../shared/contract/petrol-pumps.ts';
import { petrolPumps } from '../api/resources.ts';
import { FormField } from '../shell/form-field.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { ClashList } from './clash-list.tsx';
import { RecordDialog } from './record-dialog.tsx';
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
  onClose: () => void;
  onSaved: (petrolPump: PetrolPump) => void;
}

/** Part 1 §5, part 2 §9. Render it while it is open. */
export function PetrolPumpFormDialog({ petrolPump, start, onClose, onSaved }: PetrolPumpFormDialogProps) {
  const record = useRecordForm<Values>(petrolPumpInput, storedOf(petrolPump ?? start ?? {}));
  const { form, clashes } = record;

  const { save, isBusy } = useRecordSave({
    record,
    resource: petrolPumps,
    id: petrolPump?.id,
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
      title={petrolPump ? 'Edit Petrol Pump' : 'Add New Petrol Pump'}
      saveLabel={petrolPump ? 'Update Petrol Pump' : 'Create Petrol Pump'}
      isDirty={form.formState.isDirty}
      isBusy={isBusy}
      onSave={save}
      onClose={onClose}
      size="sm"
    >
      <ClashList
        noun="This petrol pump"
        rows={clashes.map((clash) => ({ ...clash, label: labels[clash.field as keyof Values] }))}
        onTheirs={record.takeTheirs}
      />
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
