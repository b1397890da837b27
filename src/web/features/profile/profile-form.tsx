import { useLayoutEffect } from 'react';
import { profileForm, profileRecord, type Profile } from '../../../shared/contract/profile.ts';
import { profileFormCommands } from './profile-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { profile as calls } from '../../resources/profile.ts';
import { renameSession } from '../../kit/api/session-store.ts';
import { RecordConflicts } from '../../kit/forms/record-dialog.tsx';
import { KeptEntriesNotice } from '../../kit/forms/kept-entries-notice.tsx';
import { RecordFields, type FieldTable } from '../../kit/forms/record-fields.tsx';
import { storedOf, useRecordForm } from '../../kit/forms/record-form.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { useLeaveGuard } from '../../kit/feedback/leave-guard.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { TextField } from '../../kit/ui/text-field.tsx';

/** The labels of the profile (docs/specification.md §12.1). Details and form share them. */
export const profileLabels = {
  email: 'Email Address',
  bannerName: 'Company/Banner Name',
  gstNo: 'GST Number',
  contactNumber: 'Contact Number',
  officeAddress: 'Office Address',
};

const fields = {
  bannerName: { label: profileLabels.bannerName, required: true, maxLength: 150, isWide: true },
  gstNo: {
    label: profileLabels.gstNo,
    required: true,
    isUpper: true,
    hint: '15 characters, such as 21ABCDE1234F1Z5',
  },
  contactNumber: {
    label: profileLabels.contactNumber,
    required: true,
    inputMode: 'tel',
    hint: '10 digits, with or without +91',
  },
  officeAddress: { label: profileLabels.officeAddress, required: true, rows: 3, maxLength: 500, isWide: true },
} satisfies FieldTable<string>;

interface ProfileFormProps {
  profile: Profile;
  /** The key under which unsaved entries are kept when the session ends. */
  entriesKey: string;
  onClose: () => void;
}

/** The edit mode of the profile (docs/specification.md §12.2). Mount it only while it is open. */
export function ProfileForm({ profile, entriesKey, onClose }: ProfileFormProps) {
  const record = useRecordForm(profileForm, storedOf(fields, profile), { entriesKey });
  const { form } = record;
  const { control } = form;
  const { isDirty } = form.formState;

  const update = calls.useUpdate({
    onSuccess: ({ data }) => {
      renameSession(data.bannerName);
      notify.success('Profile updated successfully');
      onClose();
    },
    onError: (error) =>
      record.showFailure(error, 'Failed to update profile', (data) => {
        const current = profileRecord.safeParse(data);
        return current.success ? storedOf(fields, current.data) : undefined;
      }),
  });
  const { isPending } = update;
  // After a successful save the form closes, and nothing can be lost.
  useLeaveGuard(isDirty && !update.isSuccess);
  // A layout effect, so that a user who types at once types into the field.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it opens
  useLayoutEffect(() => record.focus('bannerName'), []);

  const save = (): void =>
    record.submit((values) => {
      if (isPending) return;
      const names = record.changed();
      if (names.length === 0) {
        notify.info('No changes detected');
        onClose();
        return;
      }
      const body = Object.fromEntries(names.map((name) => [name, values[name]]));
      update.mutate({ body: { ...body, version: record.version } });
    });
  const cancel = async (): Promise<void> => {
    if (isPending) return;
    const leaves =
      !isDirty ||
      (await confirm({
        title: 'Discard your changes?',
        body: 'Your changes to the profile are not saved.',
        confirmLabel: 'Discard',
        cancelLabel: 'Keep editing',
        danger: true,
      }));
    if (leaves) onClose();
  };
  const actions = useCommands(profileFormCommands, { save, cancel: () => void cancel() });

  return (
    <form
      noValidate
      aria-label="Edit Profile"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h2 className="mb-3 border-b border-line pb-1 text-xs font-semibold text-muted">Edit Profile</h2>
      <KeptEntriesNotice kept={record.kept} onDiscard={onClose} />
      <RecordConflicts noun="Your profile" record={record} fields={fields} />
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        <TextField
          label={profileLabels.email}
          value={profile.email}
          onValueChange={() => undefined}
          lockedReason="The email address cannot be changed"
          className="col-span-full"
        />
        <RecordFields control={control} fields={fields} />
      </div>
      <div className="mt-3 flex justify-end gap-2">
        <ActionButton action={actions.cancel} />
        <ActionButton action={actions.save} variant="primary" busy={isPending} />
      </div>
      {/* Lets Enter in a one-line field save: browsers submit a form only if it has a submit button. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </form>
  );
}
