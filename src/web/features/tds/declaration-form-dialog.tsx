import { useState } from 'react';
import { z } from 'zod';
import {
  declaration as declarationShape,
  declarationChange,
  declarationFields,
  declarationInput,
  type Declaration,
} from '../../../shared/contract/declarations.ts';
import { typedWheels as typedCount } from '../../../shared/contract/trucks.ts';
import { declarations } from '../../resources/declarations.ts';
import { FormField } from '../../kit/forms/form-field.tsx';
import { formFields } from '../../kit/forms/record-fields.tsx';
import { readKeptEntries } from '../../kit/forms/kept-entries.ts';
import {
  recordForm,
  RecordFormDialog,
  type RecordFormProps,
  type RecordFormSpec,
} from '../../kit/forms/record-form-dialog.tsx';
import { PendingPickers } from '../../kit/forms/pending-pickers.ts';
import { TextField } from '../../kit/ui/text-field.tsx';
import { OwnerPicker, type OwnerChoice } from '../master-data/index.ts';

const typed = z.string();
/** The typed texts as the body has them: a count is a number, and an empty day is none. */
const form = z
  .object({
    ownerId: typed,
    receivedOn: typed,
    carriages: typed,
    panNo: typed,
    validUntil: typed,
    withdrawnOn: typed,
    note: typed,
  })
  .transform(({ validUntil, ...values }): z.input<typeof declarationInput> => ({
    ...values,
    carriages: typedCount(values.carriages),
    ...(validUntil !== '' && { validUntil }),
    withdrawnOn: values.withdrawnOn || null,
  }));

type Field = keyof typeof declarationFields;

const spec: RecordFormSpec<Field, z.output<typeof declarationInput>, Declaration> = {
  title: 'Declaration',
  titles: { add: 'Add Declaration', edit: 'Edit Declaration' },
  fields: formFields(declarationFields, {
    ownerId: { required: true, isWide: true },
    receivedOn: { kind: 'day', required: true },
    carriages: { required: true, inputMode: 'numeric', maxLength: 4 },
    panNo: { required: true, isUpper: true, maxLength: 10, reads: 'pan', hint: 'As the owner has written it' },
    validUntil: { kind: 'day', hint: 'Empty: until 31 March' },
    withdrawnOn: { kind: 'day', hint: 'From this day on it is not valid' },
    note: { rows: 2, maxLength: 500, isWide: true },
  }),
  columns: 2,
  schema: form.pipe(declarationInput),
  // The owner of a declaration stays.
  editSchema: form
    .transform(({ ownerId: _owner, ...values }): z.input<typeof declarationChange> => values)
    .pipe(declarationChange),
  shape: declarationShape,
  resource: declarations,
  words: {
    created: 'Declaration saved',
    updated: 'Declaration updated',
    notCreated: 'Failed to save the declaration',
    notUpdated: 'Failed to update the declaration',
  },
};
const useDeclarationForm = recordForm(spec);

/** The form of a declaration (docs/specification.md §27.7). Render it only while it is open. */
export function DeclarationFormDialog({ record: opened, ...props }: RecordFormProps<Declaration>) {
  const [owner, setOwner] = useState<OwnerChoice | null>(() => {
    const aside = readKeptEntries(props.entriesKey)?.value.aside;
    if (aside?.['id'])
      return { id: aside['id'], name: aside['name'] ?? '', contactNumber: aside['contactNumber'] ?? '' };
    return opened ? { ...opened.owner, contactNumber: '' } : null;
  });
  const [pickers] = useState(() => new PendingPickers());
  const state = useDeclarationForm({ ...props, record: opened }, { aside: { ...owner } });
  const { record, save } = state;
  const { control } = record.form;
  const isEdit = record.id !== undefined;
  const saveSettled = async (): Promise<void> => {
    await pickers.settled();
    if (pickers.problem === undefined) save();
    else record.focus('ownerId');
  };
  return (
    <RecordFormDialog
      of={spec}
      state={{ ...state, save: () => void saveSettled() }}
      onClose={props.onClose}
      custom={{
        ownerId: isEdit ? (
          <TextField
            key="owner"
            className="col-span-full"
            label={spec.fields.ownerId.label}
            value={owner?.name ?? ''}
            onValueChange={() => undefined}
            lockedReason="A declaration keeps its owner"
          />
        ) : (
          <FormField control={control} name="ownerId">
            {({ name, ref, error, onBlur }) => (
              <div className="col-span-full">
                <OwnerPicker
                  label={spec.fields.ownerId.label}
                  required
                  {...{ name, ref, error, onBlur }}
                  value={owner}
                  onPick={(choice) => {
                    setOwner(choice);
                    record.form.setValue('ownerId', choice?.id ?? '', { shouldDirty: true });
                  }}
                  onPending={pickers.add}
                  onProblem={pickers.setProblem}
                  onAdvance={() => record.focus('receivedOn')}
                />
              </div>
            )}
          </FormField>
        ),
      }}
    />
  );
}
