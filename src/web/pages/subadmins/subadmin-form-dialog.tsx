import { useState } from 'react';
import { z } from 'zod';
import { activeStatus } from '../../../shared/columns/define.ts';
import {
  subadmin as subadminShape,
  subadminEditForm,
  subadminInput,
  type Subadmin,
} from '../../../shared/contract/subadmins.ts';
import { errorText } from '../../api/api-error.ts';
import { subadmins } from '../../api/resources.ts';
import { readKept } from '../../forms/kept-entries.ts';
import { RecordClashes, RecordDialog } from '../../forms/record-dialog.tsx';
import { useRecordForm, type Stored } from '../../forms/record-form.ts';
import { FormField } from '../../shell/form-field.tsx';
import { notify } from '../../shell/toast.ts';
import { Alert } from '../../ui/alert.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';

const labels = {
  email: 'Email',
  password: 'Password',
  bannerName: 'Banner Name',
  gstNo: 'GST No',
  contactNumber: 'Contact Number',
  officeAddress: 'Office Address',
  isActive: 'Status',
};
type Values = Record<keyof typeof labels, string>;

/** The form holds text: the switch travels as true or false. */
const yes = 'true';
const no = 'false';
const isActive = z.enum([yes, no]);
const createForm = subadminInput.extend({ isActive });
const editForm = subadminEditForm.extend({ isActive });

const storedOf = (subadmin: Partial<Subadmin>): Stored<Values> => ({
  values: {
    email: subadmin.email ?? '',
    password: '',
    bannerName: subadmin.bannerName ?? '',
    gstNo: subadmin.gstNo ?? '',
    contactNumber: subadmin.contactNumber ?? '',
    officeAddress: subadmin.officeAddress ?? '',
    isActive: subadmin.isActive === false ? no : yes,
  },
  version: subadmin.version,
});

interface SubadminFormDialogProps {
  /** The sub-admin to edit; absent: a new one. */
  subadmin?: Subadmin | undefined;
  /** Where its entries are kept over the end of the session. */
  keepAs: string;
  onClose: () => void;
  onSaved: (subadmin: Subadmin) => void;
}

/** Part 1 §2, §5: both modals, with their different rules for contact number and password. Render it while it is open. */
export function SubadminFormDialog({ subadmin, keepAs, onClose, onSaved }: SubadminFormDialogProps) {
  /** Why creating failed: it stands in the modal, not in a toast (part 1 §4). */
  const [failure, setFailure] = useState<string>();
  const [isEdit] = useState(() => subadmin !== undefined || readKept(keepAs)?.value.id !== undefined);
  const record = useRecordForm<Values>(isEdit ? editForm : createForm, storedOf(subadmin ?? {}), {
    id: subadmin?.id,
    keepAs,
    secret: ['password'],
    tell: isEdit ? notify.error : (error, fallback) => setFailure(errorText(error, fallback)),
  });
  const { form, id } = record;

  const create = subadmins.useCreate({
    onSuccess: ({ data }) => {
      notify.success('Subadmin created successfully');
      onSaved(data);
    },
    onError: (error) => record.showFailure(error, 'Failed to create subadmin'),
  });
  const update = subadmins.useUpdate({
    onSuccess: ({ data }) => {
      notify.success('Subadmin updated successfully');
      onSaved(data);
    },
    onError: (error) =>
      record.showFailure(error, 'Failed to edit subadmin', (data) => {
        const current = subadminShape.safeParse(data);
        if (!current.success) return undefined;
        return storedOf(current.data);
      }),
  });
  const isBusy = create.isPending || update.isPending;

  const save = form.handleSubmit((values) => {
    if (isBusy) return;
    setFailure(undefined);
    if (id === undefined) {
      // Safe to parse: the form's resolver has just passed these values; only the switch is left out.
      create.mutate({ body: subadminInput.strip().parse(values) });
      return;
    }
    // A blank password is none; any other is sent as it was typed, spaces too.
    const names = record.changed().filter((name) => name !== 'password');
    const password = values.password === '' ? {} : { password: values.password };
    const changes = Object.fromEntries(
      names.map((name) => [name, name === 'isActive' ? values.isActive === yes : values[name]]),
    );
    const body = { ...changes, ...password };
    if (Object.keys(body).length === 0) {
      notify.info('No changes detected');
      onClose();
      return;
    }
    update.mutate({ params: { id }, body: { ...body, version: record.version } });
  });

  const { control } = form;
  return (
    <RecordDialog
      title={isEdit ? 'Edit Subadmin' : 'Add New Subadmin'}
      saveLabel={isEdit ? 'Update Subadmin' : 'Create Subadmin'}
      record={record}
      isBusy={isBusy}
      onSave={() => void save()}
      onClose={onClose}
    >
      {failure !== undefined && (
        <Alert className="mb-3" title="Error" onClose={() => setFailure(undefined)}>
          {failure}
        </Alert>
      )}
      <RecordClashes
        noun="This subadmin"
        record={record}
        labels={labels}
        shown={({ field, mine, theirs }) =>
          field === 'isActive'
            ? { mine: activeStatus(mine === yes).label, theirs: activeStatus(theirs === yes).label }
            : {}
        }
      />
      <div className="grid grid-cols-2 gap-x-4 gap-y-1">
        <FormField control={control} name="email">
          {(field) => <TextField {...field} label={labels.email} required type="email" />}
        </FormField>
        <FormField control={control} name="password">
          {(field) => (
            <TextField
              {...field}
              label={labels.password}
              required={!isEdit}
              type="password"
              autoComplete="new-password"
              hint={isEdit ? 'Leave blank to keep it' : 'At least 6 characters'}
            />
          )}
        </FormField>
        <FormField control={control} name="bannerName">
          {(field) => <TextField {...field} label={labels.bannerName} required />}
        </FormField>
        <FormField control={control} name="gstNo">
          {(field) => (
            <TextField
              {...field}
              label={labels.gstNo}
              required
              onValueChange={(text) => field.onValueChange(text.toUpperCase())}
            />
          )}
        </FormField>
        <FormField control={control} name="contactNumber">
          {(field) => (
            <TextField
              {...field}
              label={labels.contactNumber}
              required
              inputMode="tel"
              hint={isEdit ? 'Up to 15 digits, with or without +' : '10 digits'}
            />
          )}
        </FormField>
        <FormField control={control} name="officeAddress">
          {(field) => <TextArea {...field} label={labels.officeAddress} required rows={2} className="col-span-2" />}
        </FormField>
        {isEdit && (
          <FormField control={control} name="isActive">
            {({ value, onValueChange, onBlur, name, ref }) => (
              <Checkbox
                isSwitch
                label="Active"
                hint="An inactive account cannot sign in; its sessions end at their next call."
                className="col-span-2"
                checked={value === yes}
                onCheckedChange={(checked) => onValueChange(checked ? yes : no)}
                {...{ onBlur, name, ref }}
              />
            )}
          </FormField>
        )}
      </div>
    </RecordDialog>
  );
}
