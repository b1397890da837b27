import { ownName } from '../../../shared/contract/people.ts';
import { changeUser, getSession } from '../../kit/api/session-store.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { FormField } from '../../kit/forms/form-field.tsx';
import { RecordDialog } from '../../kit/forms/record-dialog.tsx';
import { useRecordForm } from '../../kit/forms/record-form.ts';
import { TextField } from '../../kit/ui/text-field.tsx';
import { people } from '../../resources/people.ts';

/** Sets the own name, which the history shows and a new challan is filled with. Mount it only while it is open. */
export function OwnNameDialog({ onClose }: { onClose: () => void }) {
  const record = useRecordForm(ownName, { values: { name: getSession()?.user.name ?? '' }, version: undefined });
  const { mutate, isPending } = people.useSetOwnName({
    onSuccess: (_answer, { body }) => {
      // The login of the business has no seat, and nothing is filled with its name.
      if (getSession()?.user.seat) changeUser({ name: body.name.trim() });
      notify.success('Name saved');
      onClose();
    },
    onError: (error) => record.showFailure(error, 'Failed to save the name'),
  });
  const save = (): void =>
    record.submit((body) => {
      if (!isPending) mutate({ body });
    });
  return (
    <RecordDialog
      title="Your Name"
      saveLabel="Save"
      record={record}
      isBusy={isPending}
      onSave={save}
      onClose={onClose}
      size="sm"
    >
      <FormField control={record.form.control} name="name">
        {(field) => <TextField {...field} label="Name" autoComplete="name" required maxLength={100} />}
      </FormField>
    </RecordDialog>
  );
}
