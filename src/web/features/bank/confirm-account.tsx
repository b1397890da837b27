import { useMemo, useRef, useState, type ReactNode } from 'react';
import { BadgeCheck, TriangleAlert } from 'lucide-react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { ChangedAccount } from '../../../shared/contract/bank-statement.ts';
import { accountConfirmation } from '../../../shared/contract/prepared-payments.ts';
import { ConfirmButtons } from '../../kit/actions/confirm-button.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { url, useUrlState } from '../../kit/filters/url-state.ts';
import type { CellSpec } from '../../kit/grid/grid-types.ts';
import type { ScreenCommand } from '../../kit/records/record-screen.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { preparedPayments } from '../../resources/prepared-payments.ts';

/** 'account changed 26/11/2026 10:12 by Ravi', as the row and a payment say it. */
export const changedAccountText = ({ changedAt, changedBy }: ChangedAccount): string =>
  `account changed ${formatDateTime(changedAt)} by ${changedBy}`;

/** A record with an account that somebody else confirms when it was changed. */
interface WithAccount {
  id: string;
  accountNo: string;
}

function Account({ accountNo, change }: { accountNo: string; change: ChangedAccount | undefined }) {
  if (!change) return <>{accountNo}</>;
  return (
    <span className="cd-clip text-warn" title={`Not confirmed: ${changedAccountText(change)}`}>
      {/* Seen also where the words after a long number are cut. */}
      <TriangleAlert size={12} aria-hidden className="mr-1 inline-block align-[-1px]" />
      {accountNo} · Not confirmed: {changedAccountText(change)}
    </span>
  );
}

/** What a list of such records shows of the changed accounts that wait, and the command that confirms one (docs/specification.md §28.7). */
export function useAccountConfirmation<Row extends WithAccount>(noun: 'owner' | 'bank account') {
  const { data } = preparedPayments.useListAccounts({});
  const [{ toConfirm }, setUrl] = useUrlState(urlShape);
  const [confirming, setConfirming] = useState<ChangedAccount>();
  const parts = useMemo(() => {
    const changed = new Map(data?.data.map((account) => [account.id, account]));
    // Nothing waits in nearly every business, and then the cells stay plain.
    const cells: Record<string, CellSpec<Row>> = changed.size === 0
      ? {}
      : {
          accountNo: {
            render: ({ id, accountNo }) => <Account accountNo={accountNo} change={changed.get(id)} />,
            text: ({ accountNo }) => accountNo,
          },
        };
    const command: ScreenCommand<Row> = {
      id: 'confirm-account',
      label: 'Confirm account',
      // Rows have the button only while something waits.
      ...(changed.size > 0 && { icon: <BadgeCheck size={15} aria-hidden /> }),
      keys: 'C',
      calls: preparedPayments.calls.confirmAccount,
      run: ({ id }) => setConfirming(changed.get(id)),
      disabledReason: ({ id }) => {
        const change = changed.get(id);
        if (!change) return `The account of this ${noun} does not wait to be confirmed.`;
        return change.isOwn ? 'You changed this account yourself. Somebody else confirms it.' : undefined;
      },
    };
    return { cells, command };
  }, [data, noun]);
  const dialog: ReactNode = confirming && (
    <ConfirmAccountDialog account={confirming} onClose={() => setConfirming(undefined)} />
  );
  const aside =
    toConfirm !== '' || data?.data.length ? (
      <Checkbox
        label="Only accounts that you may confirm"
        checked={toConfirm !== ''}
        onCheckedChange={(on) => setUrl({ toConfirm: on ? 'yes' : '', page: 1 }, { replace: true })}
      />
    ) : undefined;
  return { ...parts, dialog, aside, ...(toConfirm !== '' && { empty: nothingToConfirm }) };
}

const urlShape = { toConfirm: url.oneOf(['', 'yes'], ''), page: url.number(1) };
const nothingToConfirm = {
  title: 'No account waits for you',
  text: 'Every changed account is confirmed, or somebody else confirms it.',
};

/** The part of a list's query that leaves only accounts that the caller may confirm. */
export function useToConfirm(): { toConfirm?: 'yes' } {
  const [{ toConfirm }] = useUrlState(urlShape);
  return toConfirm === '' ? {} : { toConfirm };
}

type Field = 'lastFour' | 'called';

/** Confirms a changed account by its last four digits, as they were read out on the phone. */
function ConfirmAccountDialog({ account, onClose }: { account: ChangedAccount; onClose: () => void }) {
  const [typed, setTyped] = useState<Record<Field, string>>({ lastFour: '', called: '' });
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const first = useRef<HTMLInputElement>(null);
  const { mutate, isPending } = preparedPayments.useConfirmAccount({
    onSuccess: () => {
      notify.success(`The account of ${account.name} is confirmed`);
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
    if (wanted.success) mutate({ params: { id: account.id }, body: wanted.data });
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
      title={`Confirm the account of ${account.name}?`}
      description={`Not confirmed: ${changedAccountText(account)}`}
      onClose={onClose}
      initialFocus={first}
      footer={<ConfirmButtons onCancel={onClose} label="Confirm Account" run={save} busy={isPending} />}
    >
      <p className="mb-3">
        {account.record === 'owner'
          ? 'Call the owner on a number that you know, and let the owner read the account out.'
          : 'Call the branch of the bank on a number that you know, and let it read the account out.'}
      </p>
      <TextField ref={first} label="Last four digits" maxLength={4} required {...bound('lastFour')} />
      <TextField label="Number called" inputMode="tel" maxLength={20} required {...bound('called')} />
    </Dialog>
  );
}
