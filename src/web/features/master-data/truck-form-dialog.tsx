import { useState } from 'react';
import { z } from 'zod';
import {
  truck as truckShape,
  truckFields,
  truckInput,
  typedWheels,
  type Truck,
} from '../../../shared/contract/trucks.ts';
import { trucks } from '../../resources/trucks.ts';
import { FormField } from '../../kit/forms/form-field.tsx';
import { hasKeptEntries, readKeptEntries } from '../../kit/forms/kept-entries.ts';
import { OwnerFormDialog } from './owner-form-dialog.tsx';
import { OwnerPicker, type OwnerChoice } from './pickers.tsx';
import { formFields } from '../../kit/forms/record-fields.tsx';
import {
  recordForm,
  RecordFormDialog,
  type RecordFormProps,
  type RecordFormSpec,
} from '../../kit/forms/record-form-dialog.tsx';
import { PendingPickers } from '../../kit/forms/pending-pickers.ts';

const typed = z.string();
const truckForm = z
  .object({ truckNumber: typed, ownerId: typed, noOfWheels: typed, typeOfVehicle: typed })
  .transform((values): z.input<typeof truckInput> => ({ ...values, noOfWheels: typedWheels(values.noOfWheels) }))
  .pipe(truckInput);

type Field = 'truckNumber' | 'ownerId' | 'noOfWheels' | 'typeOfVehicle';

const spec: RecordFormSpec<Field, z.output<typeof truckInput>, Truck> = {
  title: 'Truck',
  titles: { add: 'Add New Truck', edit: 'Edit Truck' },
  fields: formFields(truckFields, {
    truckNumber: { required: true, isUpper: true, isWide: true, reads: 'vehicle' },
    ownerId: { required: true, isWide: true },
    noOfWheels: { required: true, inputMode: 'numeric', maxLength: 3 },
    typeOfVehicle: {},
  }),
  columns: 2,
  schema: truckForm,
  shape: truckShape,
  resource: trucks,
  words: {
    created: 'Truck created successfully',
    updated: 'Truck updated successfully',
    notCreated: 'Failed to create truck',
    notUpdated: 'Failed to update truck',
  },
};

const useTruckForm = recordForm(spec);

/** The owner in the kept entries, null if none was chosen; undefined if no entries were kept. */
function keptOwner(entriesKey: string): OwnerChoice | null | undefined {
  const kept = readKeptEntries(entriesKey)?.value;
  if (!kept) return undefined;
  const id = kept.values.ownerId ?? kept.base.values.ownerId ?? '';
  return id === '' ? null : { id, name: kept.aside.name ?? '', contactNumber: kept.aside.contactNumber ?? '' };
}

const choiceOf = (truck: Truck): OwnerChoice => ({ ...truck.owner, contactNumber: '' });

interface TruckFormProps extends Omit<RecordFormProps<Truck>, 'start'> {
  start?: { truckNumber?: string; owner?: OwnerChoice | null } | undefined;
}

/** The truck form, with a searchable owner picker (docs/specification.md §7.1). Render it only while it is open. */
export function TruckFormDialog({ record: truck, start, ...props }: TruckFormProps) {
  const { entriesKey, onClose } = props;
  const [owner, setOwner] = useState<OwnerChoice | null>(() => {
    const kept = keptOwner(entriesKey);
    if (kept !== undefined) return kept;
    return truck ? choiceOf(truck) : (start?.owner ?? null);
  });
  const ownerEntriesKey = `${entriesKey}.owner`;
  const [newOwner, setNewOwner] = useState(() => (hasKeptEntries(ownerEntriesKey) ? '' : undefined));
  /** The owner in the newer record of a conflict: the form holds only the id, and the conflict list shows the name. */
  const [theirOwner, setTheirOwner] = useState<OwnerChoice | null>(null);
  const [pickers] = useState(() => new PendingPickers());
  const state = useTruckForm(
    {
      ...props,
      record: truck,
      start: { truckNumber: start?.truckNumber ?? '', ownerId: start?.owner?.id ?? '' },
    },
    {
      aside: { name: owner?.name ?? '', contactNumber: owner?.contactNumber ?? '' },
      isCovered: newOwner !== undefined,
      onConflict: (current) => {
        setTheirOwner(choiceOf(current));
        if (!state.record.changed().includes('ownerId')) setOwner(choiceOf(current));
      },
    },
  );
  const { record, save } = state;
  const { form } = record;

  const saveSettled = async (): Promise<void> => {
    await pickers.settled();
    if (pickers.problem === undefined) save();
    else record.focus('ownerId');
  };
  const chooseOwner = (choice: OwnerChoice | null): void => {
    setOwner(choice);
    form.setValue('ownerId', choice?.id ?? '', { shouldDirty: true });
  };

  return (
    <>
      <RecordFormDialog
        of={spec}
        state={{ ...state, save: () => void saveSettled() }}
        onClose={onClose}
        shownConflict={({ field }) =>
          field === 'ownerId' ? { mine: owner?.name ?? '', theirs: theirOwner?.name ?? '' } : {}
        }
        onTheirs={(field) => {
          record.takeTheirs(field);
          if (field === 'ownerId') setOwner(theirOwner);
        }}
        custom={{
          ownerId: (
            <FormField control={form.control} name="ownerId">
              {({ name, ref, error, onBlur }) => (
                <div className="col-span-full">
                  <OwnerPicker
                    label={spec.fields.ownerId.label}
                    required
                    {...{ name, ref, error, onBlur }}
                    value={owner}
                    onPick={chooseOwner}
                    onPending={pickers.add}
                    onProblem={pickers.setProblem}
                    onAdvance={() => record.focus('noOfWheels')}
                    create={{ noun: 'owner', run: setNewOwner }}
                  />
                </div>
              )}
            </FormField>
          ),
        }}
      />
      {newOwner !== undefined && (
        <OwnerFormDialog
          start={{ name: newOwner }}
          entriesKey={ownerEntriesKey}
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
