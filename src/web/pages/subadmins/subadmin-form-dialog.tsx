import { useState } from 'react';
import { z } from 'zod';
import { activeStatus } from '../../../shared/columns/define.ts';
import {
  subadmin as subadminShape,
  subadminEditForm,
  subadminInput,
  type Subadmin,
} from '../../../shared/contract/subadmins.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import { subadmins } from '../../api/resources.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { FormField, type BoundField } from '../../forms/form-field.tsx';
import { readKept } from '../../forms/kept-entries.ts';
import {
  recordForm,
  RecordFormDialog,
  type RecordFormProps,
  type RecordFormSpec,
} from '../../forms/record-form-dialog.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';

type Field = 'email' | 'password' | 'bannerName' | 'gstNo' | 'contactNumber' | 'officeAddress' | 'isActive';
type Body = BodyOf<typeof contract.subadmins.create> & { isActive?: boolean };

/** The form holds text: the switch travels as true or false. */
const yes = 'true';
const no = 'false';
const isActive = z.enum([yes, no]);

function specFor(isEdit: boolean): RecordFormSpec<Field, Body, Subadmin> {
  return {
    title: 'Subadmin',
    titles: { add: 'Add New Subadmin', edit: 'Edit Subadmin' },
    fields: {
      email: { label: 'Email', required: true, type: 'email' },
      password: {
        label: 'Password',
        required: !isEdit,
        type: 'password',
        autoComplete: 'new-password',
        hint: isEdit ? 'Leave blank to keep it' : 'At least 6 characters',
      },
      bannerName: { label: 'Banner Name', required: true },
      gstNo: { label: 'GST No', required: true, isUpper: true },
      contactNumber: {
        label: 'Contact Number',
        required: true,
        inputMode: 'tel',
        hint: isEdit ? 'Up to 15 digits, with or without +' : '10 digits',
      },
      officeAddress: { label: 'Office Address', required: true, rows: 2, isWide: true },
      isActive: { label: 'Status', initial: yes },
    },
    columns: 2,
    size: 'md',
    schema: isEdit
      ? subadminEditForm.extend({ isActive }).transform((values) => ({ ...values, isActive: values.isActive === yes }))
      : subadminInput.extend({ isActive }).transform(({ isActive: _isActive, ...values }) => values),
    shape: subadminShape,
    resource: subadmins,
    words: {
      created: 'Subadmin created successfully',
      updated: 'Subadmin updated successfully',
      notCreated: 'Failed to create subadmin',
      notUpdated: 'Failed to edit subadmin',
    },
  };
}
const [createSpec, editSpec] = [specFor(false), specFor(true)];
const [useCreateForm, useEditForm] = [recordForm(createSpec), recordForm(editSpec)];
const secret = ['password'];

/** Both modals, with their different rules for contact number and password (docs/specification.md §5.2). */
export function SubadminFormDialog(props: RecordFormProps<Subadmin>) {
  const [isEdit] = useState(() => props.record !== undefined || readKept(props.keepAs)?.value.id !== undefined);
  return isEdit ? <EditDialog {...props} /> : <CreateDialog {...props} />;
}

function CreateDialog(props: RecordFormProps<Subadmin>) {
  /** Why it was not created: shown in the modal, not in a toast. */
  const [failure, setFailure] = useState<{ error: unknown; fallback: string }>();
  const state = useCreateForm(props, { secret, tell: (error, fallback) => setFailure({ error, fallback }) });
  const save = (): void => {
    setFailure(undefined);
    state.save();
  };
  return (
    <RecordFormDialog
      of={createSpec}
      state={{ ...state, save }}
      onClose={props.onClose}
      above={
        failure && <FailureAlert className="mb-3" title="Error" {...failure} onClose={() => setFailure(undefined)} />
      }
      custom={{ isActive: null }}
    />
  );
}

function EditDialog(props: RecordFormProps<Subadmin>) {
  const state = useEditForm(props, { secret });
  const isActive = (
    <FormField control={state.record.form.control} name="isActive">
      {(field) => <ActiveSwitch field={field} />}
    </FormField>
  );
  return (
    <RecordFormDialog
      of={editSpec}
      state={state}
      onClose={props.onClose}
      shownClash={({ field, mine, theirs }) =>
        field === 'isActive'
          ? { mine: activeStatus(mine === yes).label, theirs: activeStatus(theirs === yes).label }
          : {}
      }
      custom={{ isActive }}
    />
  );
}

function ActiveSwitch({ field: { value, onValueChange, onBlur, name, ref } }: { field: BoundField<string> }) {
  return (
    <Checkbox
      isSwitch
      label="Active"
      hint="An inactive account cannot sign in; its sessions end at their next call."
      className="col-span-2"
      checked={value === yes}
      onCheckedChange={(checked) => onValueChange(checked ? yes : no)}
      {...{ onBlur, name, ref }}
    />
  );
}
