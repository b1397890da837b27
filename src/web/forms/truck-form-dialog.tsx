import { useState } from 'react';
import { z } from 'zod';
import { truck as truckShape, truckInput, type Truck } from '../../shared/contract/trucks.ts';
import { trucks } from '../api/resources.ts';
import { FormField } from '../shell/form-field.tsx';
import { OwnerPicker, type OwnerChoice } from '../shell/pickers.tsx';
import { TextField } from '../ui/text-field.tsx';
import { ClashList } from './clash-list.tsx';
import { OwnerFormDialog } from './owner-form-dialog.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { useRecordForm, type Stored } from './record-form.ts';
import { useRecordSave } from './record-save.ts';

const labels = {
  truckNumber: 'Truck Number',
  ownerId: 'Owner',
  noOfWheels: 'Number of Wheels',
  typeOfVehicle: 'Type of Vehicle',
};
type Values = Record<keyof typeof labels, string>;

const storedOf = (truck: Partial<Truck>): Stored<Values> => ({
  values: {
    truckNumber: truck.truckNumber ?? '',
    ownerId: truck.ownerId ?? '',
    noOfWheels: truck.noOfWheels === undefined ? '' : String(truck.noOfWheels),
    typeOfVehicle: truck.typeOfVehicle ?? '',
  },
  version: truck.version,
});

const typed = z.string();
/** The wheels are typed as text and travel as a number: an empty field is none at all, not 0, and other text no count. */
const noCount = 1.5;
function wheelsOf(text: string): number {
  if (text.trim() === '') return Number.NaN;
  return /^\d+$/.test(text.trim()) ? Number(text) : noCount;
}
const truckForm = z
  .object({ truckNumber: typed, ownerId: typed, noOfWheels: typed, typeOfVehicle: typed })
  .transform((values): z.input<typeof truckInput> => ({
    ...values,
    noOfWheels: wheelsOf(values.noOfWheels),
  }))
  .pipe(truckInput);

interface TruckFormDialogProps {
  /** The truck to edit; absent: a new one. */
  truck?: Truck | undefined;
  start?: { truckNumber?: string; owner?: OwnerChoice | null } | undefined;
  onClose: () => void;
  onSaved: (truck: Truck, owner: OwnerChoice) => void;
}

/** Part 1 §2, §5, with its searchable owner selector. Render it while it is open. */
export function TruckFormDialog({ truck, start, onClose, onSaved }: TruckFormDialogProps) {
  const [owner, setOwner] = useState<OwnerChoice | null>(
    truck ? { ...truck.owner, contactNumber: '' } : (start?.owner ?? null),
  );
  const record = useRecordForm<Values>(
    truckForm,
    storedOf(truck ?? { truckNumber: start?.truckNumber ?? '', ownerId: start?.owner?.id ?? '' }),
  );
  const { form, clashes } = record;
  const [newOwner, setNewOwner] = useState<string>();
  /** The owner of a conflict's newer record: the list names owners, the form holds their ids. */
  const [theirOwner, setTheirOwner] = useState<OwnerChoice | null>(null);

  const { save, isBusy } = useRecordSave({
    record,
    resource: trucks,
    id: truck?.id,
    shape: truckShape,
    storedOf,
    // Safe to parse: the form's resolver has just passed these values through the same schema.
    bodyOf: (values) => truckForm.parse(values),
    words: {
      created: 'Truck created successfully',
      updated: 'Truck updated successfully',
      notCreated: 'Failed to create truck',
      notUpdated: 'Failed to update truck',
    },
    onConflict: (current) => {
      const theirs = { ...current.owner, contactNumber: '' };
      setTheirOwner(theirs);
      if (!record.changed().includes('ownerId')) setOwner(theirs);
    },
    onClose,
    onSaved: (data) => onSaved(data, owner ?? { ...data.owner, contactNumber: '' }),
  });

  const chooseOwner = (choice: OwnerChoice | null): void => {
    setOwner(choice);
    form.setValue('ownerId', choice?.id ?? '', { shouldDirty: true });
  };

  const { control } = form;
  return (
    <>
      <RecordDialog
        title={truck ? 'Edit Truck' : 'Add New Truck'}
        saveLabel={truck ? 'Update Truck' : 'Create Truck'}
        isDirty={form.formState.isDirty}
        isBusy={isBusy}
        onSave={save}
        onClose={onClose}
        size="sm"
      >
        <ClashList
          noun="This truck"
          rows={clashes.map((clash) => ({
            ...clash,
            label: labels[clash.field as keyof Values],
            ...(clash.field === 'ownerId' && { mine: owner?.name ?? '', theirs: theirOwner?.name ?? '' }),
          }))}
          onTheirs={(field) => {
            record.takeTheirs(field);
            if (field === 'ownerId') setOwner(theirOwner);
          }}
        />
        <div className="grid gap-y-1">
          <FormField control={control} name="truckNumber">
            {(field) => (
              <TextField
                {...field}
                label={labels.truckNumber}
                required
                onValueChange={(text) => field.onValueChange(text.toUpperCase())}
              />
            )}
          </FormField>
          <FormField control={control} name="ownerId">
            {(field) => (
              <OwnerPicker
                label={labels.ownerId}
                required
                name={field.name}
                ref={field.ref}
                error={field.error}
                onBlur={field.onBlur}
                value={owner}
                onPick={chooseOwner}
                onAdvance={() => form.setFocus('noOfWheels')}
                create={{ noun: 'owner', run: setNewOwner }}
              />
            )}
          </FormField>
          <div className="grid grid-cols-2 gap-x-4">
            <FormField control={control} name="noOfWheels">
              {(field) => <TextField {...field} label={labels.noOfWheels} required inputMode="numeric" maxLength={3} />}
            </FormField>
            <FormField control={control} name="typeOfVehicle">
              {(field) => <TextField {...field} label={labels.typeOfVehicle} />}
            </FormField>
          </div>
        </div>
      </RecordDialog>
      {newOwner !== undefined && (
        <OwnerFormDialog
          start={{ name: newOwner }}
          onClose={() => setNewOwner(undefined)}
          onSaved={(made) => {
            setNewOwner(undefined);
            chooseOwner(made);
          }}
        />
      )}
    </>
  );
}
