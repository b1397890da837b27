import { useState } from 'react';
import { takeOutForm } from '../../../shared/contract/profile.ts';
import { saveFile } from '../../kit/api/client.ts';
import { profile } from '../../resources/profile.ts';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { FormField } from '../../kit/forms/form-field.tsx';
import { RecordDialog } from '../../kit/forms/record-dialog.tsx';
import { useRecordForm } from '../../kit/forms/record-form.ts';
import { PasswordField } from '../../kit/ui/password-field.tsx';

const blank = { values: { currentPassword: '' }, version: undefined };

/** Downloads all data of the business (docs/specification.md §12.4). Mount it only while it is open. */
export function TakeOutDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const [failure, setFailure] = useState<{ error: unknown; fallback: string }>();
  const record = useRecordForm(takeOutForm, blank, {
    reportError: (error, fallback) => setFailure({ error, fallback }),
  });
  const { form } = record;
  const takeOut = profile.useTakeOut({
    onSuccess: (file) => {
      saveFile(file, 'challan-desk.zip');
      notify.success('All data downloaded');
      onClose();
    },
    onError: (error) => record.showFailure(error, 'Failed to export your data'),
  });
  const submit = (): void =>
    record.submit((body) => {
      if (takeOut.isPending) return;
      setFailure(undefined);
      takeOut.mutate({ body });
    });
  return (
    <RecordDialog
      title="Export All Data"
      saveLabel="Download"
      record={record}
      isBusy={takeOut.isPending}
      onSave={submit}
      onClose={onClose}
      size="sm"
    >
      {failure !== undefined && (
        <FailureAlert className="mb-3" isOfFields title="Error" {...failure} onClose={() => setFailure(undefined)} />
      )}
      <p className="mb-3 text-muted">
        You get one archive with all your data: challans, owners, trucks, payments, bank files and the history, as CSV
        files with counts and checksums. It contains account numbers and PANs in full, so keep it in a safe place.
      </p>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <FormField control={form.control} name="currentPassword">
        {(field) => <PasswordField {...field} label="Current Password" autoComplete="current-password" />}
      </FormField>
    </RecordDialog>
  );
}
