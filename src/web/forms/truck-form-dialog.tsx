import { useState } from 'react';
import { z } from 'zod';
import { truck as truckShape, truckInput, type Truck } from '../../shared/contract/trucks.ts';
import { trucks } from '../api/resources.ts';
import { FormField } from '../shell/form-field.tsx';
import { OwnerPicker, type OwnerChoice } from '../shell/pickers.tsx';
import { TextField } from '../ui/text-field.tsx';
import { hasKept, readKept } from './kept-entries.ts';
import { OwnerFormDialog } from './owner-form-dialog.tsx';
import { RecordClashes, RecordDialog } from './record-dialog.tsx';
import { useRecordForm, type Stored } from './record-form.ts';
import { useRecordSave } from './record-save.ts';
import { Unsettled } from './unsettled.ts';

const labels = {
  truckNumber: 'Truck Number',
  ownerId: 'Owner Name',
  noOfWheels: 'Wheels',
  typeOfVehicle: 'Vehicle Type',
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
  /** Where its entries are kept over the end of the session. */
  keepAs: string;
  onClose: () => void;
  onSaved: (truck: Truck, owner: OwnerChoice) => void;
}

/** The owner that was chosen when the entries were kept; undefined where none were. */
function keptOwner(keepAs: string): OwnerChoice | null | undefined {
  const kept = readKept(keepAs)?.value;
  if (!kept) return undefined;
  const id = kept.values.ownerId ?? kept.base.values.ownerId ?? '';
  return id === '' ? null : { id, name: kept.aside.name ?? '', contactNumber: kept.aside.contactNumber ?? '' };
}

/** Part 1 §2, §5, with its searchable owner selector. Render it while it is open. */
export function TruckFormDialog({ truck, start, keepAs, onClose, onSaved }: TruckFormDialogProps) {
  const [owner, setOwner] = useState<OwnerChoice | null>(() => {
    const kept = keptOwner(keepAs);
    if (kept !== undefined) return kept;
    return truck ? { ...truck.owner, contactNumber: '' } : (start?.owner ?? null);
  });
  const ownersPlace = `${keepAs}.owner`;
  const [newOwner, setNewOwner] = useState(() => (hasKept(ownersPlace) ? '' : undefined));
  const record = useRecordForm<Values>(
    truckForm,
    storedOf(truck ?? { truckNumber: start?.truckNumber ?? '', ownerId: start?.owner?.id ?? '' }),
    {
      id: truck?.id,
      keepAs,
      aside: { name: owner?.name ?? '', contactNumber: owner?.contactNumber ?? '' },
      isUnder: newOwner !== undefined,
    },
  );
  const { form } = record;
  /** The owner of a conflict's newer record: the list names owners, the form holds their ids. */
  const [theirOwner, setTheirOwner] = useState<OwnerChoice | null>(null);

  const { save, isBusy } = useRecordSave({
    record,
    resource: trucks,
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

  const [unsettled] = useState(() => new Unsettled());
  const saveSettled = async (): Promise<void> => {
    await unsettled.settled();
    if (unsettled.problem === undefined) save();
    else form.setFocus('ownerId');
  };

  const chooseOwner = (choice: OwnerChoice | null): void => {
    setOwner(choice);
    form.setValue('ownerId', choice?.id ?? '', { shouldDirty: true });
  };

  const { control } = form;
  return (
    <>
      <RecordDialog
        title={record.id ? 'Edit Truck' : 'Add New Truck'}
        saveLabel={record.id ? 'Update Truck' : 'Create Truck'}
        record={record}
        isBusy={isBusy}
        onSave={() => void saveSettled()}
        onClose={onClose}
        size="sm"
      >
        <RecordClashes
          noun="This truck"
          record={record}
          labels={labels}
          shown={({ field }) =>
            field === 'ownerId' ? { mine: owner?.name ?? '', theirs: theirOwner?.name ?? '' } : {}
          }
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
                onPending={unsettled.add}
                onProblem={unsettled.setProblem}
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
          keepAs={ownersPlace}
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
