import { useRef, useState } from 'react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { ChangedAccount } from '../../../shared/contract/bank-statement.ts';
import { accountConfirmation } from '../../../shared/contract/prepared-payments.ts';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { preparedPayments } from '../../resources/prepared-payments.ts';

/** 'account changed 26/11/2026 10:12 by Ravi', as the owner's row and a payment say it. */
export const changedAccountText = ({ changedAt, changedBy }: ChangedAccount): string =>
  `account changed ${formatDateTime(changedAt)} by ${changedBy}`;

/** The changed accounts that wait, by owner (docs/specification.md §28.7). */
export function useChangedAccounts(): ReadonlyMap<string, ChangedAccount> | undefined {
  const { data } = preparedPayments.useListAccounts({});
  return data && new Map(data.data.map((account) => [account.ownerId, account]));
}

type Field = 'lastFour' | 'called';

/** Confirms a changed account by its last four digits, as the owner read them out on the phone. */
export function ConfirmAccountDialog({ account, onClose }: { account: ChangedAccount; onClose: () => void }) {
  const [typed, setTyped] = useState<Record<Field, string>>({ lastFour: '', called: '' });
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const first = useRef<HTMLInputElement>(null);
  const { mutate, isPending } = preparedPayments.useConfirmAccount({
    onSuccess: () => {
      notify.success(`The account of ${account.ownerName} is confirmed`);
      onClose();
    },
    onError: (error) => {
      if (error.fields['lastFour']) setErrors({ lastFour: error.fields['lastFour'] });
      else notify.error(error, 'Failed to confirm the account');
    },
  });
  const save = (): void => {
    if (isPending) return;
    const wanted = accountConfirmation.safeParse(typed);
    if (wanted.success) mutate({ params: { id: account.ownerId }, body: wanted.data });
    else setErrors(Object.fromEntries(wanted.error.issues.map(({ path, message }) => [path[0], message])));
  };
  const bound = (name: Field) => ({
    value: typed[name],
    error: errors[name],
    onValueChange: (text: string): void => {
      setTyped({ ...typed, [name]: text });
      setErrors({ ...errors, [name]: undefined });
    },
  });
  return (
    <Dialog
      size="sm"
      title={`Confirm the account of ${account.ownerName}?`}
      description={`Not confirmed: ${changedAccountText(account)}`}
      onClose={onClose}
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ConfirmButton label="Confirm Account" run={save} busy={isPending} />
        </>
      }
    >
      <p className="mb-3">Call the owner on a number that you know, and let the owner read the account out.</p>
      <TextField ref={first} label="Last four digits" maxLength={4} required {...bound('lastFour')} />
      <TextField label="Number called" inputMode="tel" maxLength={20} required {...bound('called')} />
    </Dialog>
  );
}
