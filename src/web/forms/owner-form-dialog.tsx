import { owner as ownerShape, ownerInput, type Owner } from '../../shared/contract/owners.ts';
import { owners } from '../api/resources.ts';
import { FormField } from '../shell/form-field.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { RecordClashes, RecordDialog } from './record-dialog.tsx';
import { useRecordForm, type Stored } from './record-form.ts';
import { useRecordSave } from './record-save.ts';

const labels = {
  name: 'Owner Name',
  contactNumber: 'Contact Number',
  address: 'Address',
  accountNo: 'Account Number',
  ifsc: 'IFSC Code',
  panNo: 'PAN Number',
  branchName: 'Branch Name',
};
type Values = Record<keyof typeof labels, string>;

const storedOf = (owner: Partial<Owner>): Stored<Values> => ({
  values: {
    name: owner.name ?? '',
    contactNumber: owner.contactNumber ?? '',
    address: owner.address ?? '',
    accountNo: owner.accountNo ?? '',
    ifsc: owner.ifsc ?? '',
    panNo: owner.panNo ?? '',
    branchName: owner.branchName ?? '',
  },
  version: owner.version,
});

interface OwnerFormDialogProps {
  /** The owner to edit; absent: a new one. */
  owner?: Owner | undefined;
  /** What a new owner starts with: the text typed in a picker. */
  start?: Partial<Pick<Owner, 'name' | 'contactNumber'>> | undefined;
  /** Where its entries are kept over the end of the session. */
  keepAs: string;
  onClose: () => void;
  onSaved: (owner: Owner) => void;
}

/** Part 1 §2, §5: two groups, Basic Information and Banking Information. Render it while it is open. */
export function OwnerFormDialog({ owner, start, keepAs, onClose, onSaved }: OwnerFormDialogProps) {
  const record = useRecordForm<Values>(ownerInput, storedOf(owner ?? start ?? {}), {
    id: owner?.id,
    keepAs,
  });
  const { form } = record;

  const { save, isBusy } = useRecordSave({
    record,
    resource: owners,
    shape: ownerShape,
    storedOf,
    bodyOf: (values) => values,
    words: {
      created: 'Owner created successfully',
      updated: 'Owner updated successfully',
      notCreated: 'Failed to create owner',
      notUpdated: 'Failed to update owner',
    },
    onClose,
    onSaved,
  });

  const { control } = form;
  return (
    <RecordDialog
      title={record.id ? 'Edit Owner' : 'Add New Owner'}
      saveLabel={record.id ? 'Update Owner' : 'Create Owner'}
      record={record}
      isBusy={isBusy}
      onSave={save}
      onClose={onClose}
    >
      <RecordClashes noun="This owner" record={record} labels={labels} />
      <fieldset className="grid grid-cols-2 gap-x-4 gap-y-1">
        <legend className="mb-1 text-xs font-semibold text-ink">Basic Information</legend>
        <FormField control={control} name="name">
          {(field) => <TextField {...field} label={labels.name} required maxLength={200} />}
        </FormField>
        <FormField control={control} name="contactNumber">
          {(field) => <TextField {...field} label={labels.contactNumber} required inputMode="tel" hint="10 digits" />}
        </FormField>
        <FormField control={control} name="address">
          {(field) => <TextArea {...field} label={labels.address} rows={2} className="col-span-2" />}
        </FormField>
      </fieldset>
      <fieldset className="mt-2 grid grid-cols-2 gap-x-4 gap-y-1 border-t border-line pt-3">
        <legend className="sr-only">Banking Information</legend>
        <p aria-hidden className="col-span-2 mb-1 text-xs font-semibold text-ink">
          Banking Information
        </p>
        <FormField control={control} name="accountNo">
          {(field) => <TextField {...field} label={labels.accountNo} required inputMode="numeric" />}
        </FormField>
        <FormField control={control} name="ifsc">
          {(field) => (
            <TextField
              {...field}
              label={labels.ifsc}
              hint="11 characters"
              onValueChange={(text) => field.onValueChange(text.toUpperCase())}
            />
          )}
        </FormField>
        <FormField control={control} name="panNo">
          {(field) => (
            <TextField
              {...field}
              label={labels.panNo}
              required
              maxLength={10}
              hint="Such as ABCDE1234F"
              onValueChange={(text) => field.onValueChange(text.toUpperCase())}
            />
          )}
        </FormField>
        <FormField control={control} name="branchName">
          {(field) => <TextField {...field} label={labels.branchName} required />}
        </FormField>
      </fieldset>
    </RecordDialog>
  );
}
