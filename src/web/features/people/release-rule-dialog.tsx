import { useRef, useState } from 'react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { releaseRule, type ReleaseRule, type RuleNow } from '../../../shared/contract/prepared-payments.ts';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { readAgain } from '../../kit/api/create-resource.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { MoneyField } from '../../kit/forms/amount-fields.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { preparedPayments } from '../../resources/prepared-payments.ts';

type Field = keyof ReleaseRule;
const fields: readonly { name: Field; label: string; hint: string }[] = [
  { name: 'aboveOne', label: 'Above, in one payment', hint: 'Empty: no limit for one payment.' },
  { name: 'aboveDay', label: 'Above, in a day of one person', hint: 'Empty: no limit for a day.' },
  { name: 'accountantUpTo', label: 'An accountant releases up to', hint: 'Empty: only owners release.' },
];

const ruleText = ({ aboveOne, aboveDay, accountantUpTo }: ReleaseRule): string =>
  [
    aboveOne !== null && `above ${formatINR(aboveOne)} in one payment`,
    aboveDay !== null && `above ${formatINR(aboveDay)} in a day`,
    aboveOne === null && aboveDay === null && 'no second person',
    accountantUpTo !== null && `accountants release up to ${formatINR(accountantUpTo)}`,
  ]
    .filter((part) => part !== false)
    .join(', ');

/** Above which amounts a second person releases (docs/specification.md §28.6). */
export default function ReleaseRuleDialog({ onClose }: { onClose: () => void }) {
  const query = preparedPayments.useGetRule({}, readAgain);
  const now = query.isFetching ? undefined : query.data?.data;
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>({});
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const first = useRef<HTMLInputElement>(null);
  const onDone = ({ data }: { data: RuleNow }): void => {
    notify.success(data.next === null ? 'The rule of release counts from now on' : 'Saved. The looser rule waits.');
    onClose();
  };
  const set = preparedPayments.useSetRule({
    onSuccess: onDone,
    onError: (error) => notify.error(error, 'Failed to save the rule of release'),
  });
  const confirmed = preparedPayments.useConfirmRule({
    onSuccess: onDone,
    onError: (error) => notify.error(error, 'Failed to confirm the rule of release'),
  });
  const isPending = set.isPending || confirmed.isPending;
  const save = (): void => {
    if (!now || isPending) return;
    const wanted = releaseRule.safeParse(
      Object.fromEntries(fields.map(({ name }) => [name, (typed[name] ?? now[name] ?? '') || null])),
    );
    if (wanted.success) set.mutate({ body: { ...wanted.data, version: now.version } });
    else setErrors(Object.fromEntries(wanted.error.issues.map(({ path, message }) => [path.at(-1), message])));
  };
  return (
    <Dialog
      size="md"
      title="Rule of Release"
      description="Above these amounts one person prepares a payment, and another releases it."
      onClose={onClose}
      initialFocus={first}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {now && <ConfirmButton label="Save" calls={preparedPayments.calls.setRule} run={save} busy={isPending} />}
        </>
      }
    >
      {now && (
        <>
          {now.next && (
            <Waiting next={now.next} onConfirm={() => confirmed.mutate({ body: { version: now.version } })} />
          )}
          {fields.map(({ name, label, hint }, index) => (
            <MoneyField
              key={name}
              ref={index === 0 ? first : undefined}
              label={label}
              hint={hint}
              value={typed[name] ?? now[name] ?? ''}
              error={errors[name]}
              onValueChange={(text) => {
                setTyped({ ...typed, [name]: text });
                setErrors({ ...errors, [name]: undefined });
              }}
            />
          ))}
          <p className="text-muted">
            Stricter counts at once. Looser waits for another owner, or for 24 hours where there is none.
          </p>
        </>
      )}
      {!now && (
        <QueryFailure
          query={query}
          fallback="Failed to fetch the rule of release"
          waiting={<Skeleton className="h-40" />}
        />
      )}
    </Dialog>
  );
}

function Waiting({ next, onConfirm }: { next: NonNullable<RuleNow['next']>; onConfirm: () => void }) {
  const waits = next.at === null ? 'It waits for another owner.' : `It counts from ${formatDateTime(next.at)} on.`;
  return (
    <Alert tone="warn" title={`${next.by} has asked for a looser rule: ${ruleText(next)}`} className="mb-3">
      <p>{waits} Saving another rule gives it up.</p>
      {next.at === null && !next.isOwn && <Button onClick={onConfirm}>Confirm the Looser Rule</Button>}
    </Alert>
  );
}
