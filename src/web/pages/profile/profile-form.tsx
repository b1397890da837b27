import { useLayoutEffect } from 'react';
import { profileForm, profileRecord, type Profile } from '../../../shared/contract/profile.ts';
import { useProfileFormActions } from '../../actions/profile.ts';
import { buttonOf } from '../../actions/registry.ts';
import { profile as calls } from '../../api/resources.ts';
import { renameSession } from '../../api/session-store.ts';
import { RecordClashes } from '../../forms/record-dialog.tsx';
import { KeptNote } from '../../forms/kept-note.tsx';
import { useRecordForm, type Stored } from '../../forms/record-form.ts';
import { confirm } from '../../shell/confirm.tsx';
import { FormField } from '../../shell/form-field.tsx';
import { useLeaveGuard } from '../../shell/leave-guard.ts';
import { notify } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { profileLabels as labels } from './profile-facts.tsx';

type Values = Record<'bannerName' | 'gstNo' | 'contactNumber' | 'officeAddress', string>;

const storedOf = ({ bannerName, gstNo, contactNumber, officeAddress, version }: Profile): Stored<Values> => ({
  values: { bannerName, gstNo, contactNumber, officeAddress },
  version,
});

interface ProfileFormProps {
  profile: Profile;
  /** Where its entries are kept over the end of the session. */
  keepAs: string;
  onClose: () => void;
}

/** The edit mode (part 2 §5). Render it while it is open. */
export function ProfileForm({ profile, keepAs, onClose }: ProfileFormProps) {
  const record = useRecordForm<Values>(profileForm, storedOf(profile), { keepAs });
  const { form } = record;
  const { control, setFocus } = form;
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
        return current.success ? storedOf(current.data) : undefined;
      }),
  });
  const { isPending } = update;
  // Once the answer is here the form closes, and nothing is left to lose.
  useLeaveGuard(isDirty && !update.isSuccess);
  // Before the screen is drawn: somebody who types on at once types into the field.
  useLayoutEffect(() => setFocus('bannerName'), [setFocus]);

  const save = form.handleSubmit((values) => {
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
        body: 'What you have changed in your profile is not saved.',
        confirmLabel: 'Discard',
        cancelLabel: 'Keep editing',
        danger: true,
      }));
    if (leaves) onClose();
  };
  const actions = useProfileFormActions({ save: () => void save(), cancel: () => void cancel() });

  return (
    <form
      noValidate
      aria-label="Edit Profile"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2 className="mb-3 border-b border-line pb-1 text-xs font-semibold text-muted">Edit Profile</h2>
      <KeptNote kept={record.kept} onDiscard={onClose} />
      <RecordClashes noun="Your profile" record={record} labels={labels} />
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        <TextField
          label={labels.email}
          value={profile.email}
          onValueChange={() => undefined}
          lockedReason="The email address cannot be changed"
          className="sm:col-span-2"
        />
        <FormField control={control} name="bannerName">
          {(field) => (
            <TextField {...field} label={labels.bannerName} required maxLength={150} className="sm:col-span-2" />
          )}
        </FormField>
        <FormField control={control} name="gstNo">
          {(field) => (
            <TextField
              {...field}
              label={labels.gstNo}
              required
              hint="15 characters, such as 21ABCDE1234F1Z5"
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
              hint="10 digits, with or without +91"
            />
          )}
        </FormField>
        <FormField control={control} name="officeAddress">
          {(field) => (
            <TextArea
              {...field}
              label={labels.officeAddress}
              required
              rows={3}
              maxLength={500}
              className="sm:col-span-2"
            />
          )}
        </FormField>
      </div>
      <div className="mt-3 flex justify-end gap-2">
        <Button {...buttonOf(actions.cancel)}>{actions.cancel.label}</Button>
        <Button variant="primary" busy={isPending} {...buttonOf(actions.save)}>
          {actions.save.label}
        </Button>
      </div>
      {/* Enter in a one-line field saves: the browser asks for a submit button before it does that. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </form>
  );
}
