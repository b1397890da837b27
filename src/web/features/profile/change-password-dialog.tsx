import type { AccountRole } from '../../../shared/contract/define.ts';
import { passwordChange } from '../../../shared/contract/profile.ts';
import type { ApiError } from '../../kit/api/api-error.ts';
import { profile } from '../../resources/profile.ts';
import { session } from '../../resources/session.ts';
import { RecordDialog } from '../../kit/forms/record-dialog.tsx';
import { useRecordForm } from '../../kit/forms/record-form.ts';
import { FormField } from '../../kit/forms/form-field.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { PasswordField } from '../../kit/ui/password-field.tsx';

const blank = { currentPassword: '', newPassword: '', confirmPassword: '' };

interface ChangePasswordDialogProps {
  account: AccountRole;
  /** Tells a password manager whose password this is. */
  email: string;
  onClose: () => void;
}

/** Lets the user change the account's password (docs/specification.md §12.3). Rendered only while it is open. */
export function ChangePasswordDialog({ account, email, onClose }: ChangePasswordDialogProps) {
  const record = useRecordForm(passwordChange, { values: blank, version: undefined }, { failureTitle: 'Error' });
  const { form } = record;
  const saved = {
    onSuccess: () => {
      notify.success('Password changed successfully');
      onClose();
    },
    onError: (error: ApiError) => record.showFailure(error, 'Failed to change password'),
  };
  const changeSubadmin = profile.useChangePassword(saved);
  const changeAdmin = session.useChangeAdminPassword(saved);
  const change = account === 'admin' ? changeAdmin : changeSubadmin;
  const save = (): void =>
    record.submit((values) => {
      if (change.isPending) return;
      change.mutate({ body: values });
    });

  const { control } = form;
  return (
    <RecordDialog
      title="Change Password"
      saveLabel="Change Password"
      record={record}
      isBusy={change.isPending}
      onSave={save}
      onClose={onClose}
      size="sm"
    >
      <p className="mb-3 text-muted">Every other open session of this account is signed out.</p>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <div className="grid gap-y-1">
        <FormField control={control} name="currentPassword">
          {(field) => <PasswordField {...field} label="Current Password" autoComplete="current-password" />}
        </FormField>
        <FormField control={control} name="newPassword">
          {(field) => (
            <PasswordField
              {...field}
              label="New Password"
              autoComplete="new-password"
              hint="At least 6 characters"
              onBlur={() => {
                field.onBlur();
                // This field also decides whether the two match, but the error is shown at the other field.
                if (form.getValues('confirmPassword') !== '') void form.trigger('confirmPassword');
              }}
            />
          )}
        </FormField>
        <FormField control={control} name="confirmPassword">
          {(field) => <PasswordField {...field} label="Confirm New Password" autoComplete="new-password" />}
        </FormField>
      </div>
    </RecordDialog>
  );
}
