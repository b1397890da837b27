import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { CornerUpLeft, Stamp, Undo2, Users } from 'lucide-react';
import { formatDateTime } from '../../../../shared/calc/dates.ts';
import { challansText, countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import {
  preparedPaymentColumns,
  preparedStates,
  preparedWhat,
} from '../../../../shared/columns/prepared-payment-columns.ts';
import { preparedPayments as contract, type PreparedPayment } from '../../../../shared/contract/prepared-payments.ts';
import { newIdempotencyKey } from '../../../kit/api/idempotency-key.ts';
import { ConfirmButton } from '../../../kit/actions/confirm-button.tsx';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { useActions, type Action } from '../../../kit/actions/registry.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { useReasonField } from '../../../kit/forms/use-reason.ts';
import { url, useUrlState } from '../../../kit/filters/url-state.ts';
import { pageOf } from '../../../kit/records/record-rows.ts';
import { Facts, type Fact } from '../../../kit/records/facts.tsx';
import { recordScreen, type RecordViewProps } from '../../../kit/records/record-screen.tsx';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { TextArea } from '../../../kit/ui/text-field.tsx';
import { preparedPayments } from '../../../resources/prepared-payments.ts';
import { screens } from '../../../screens.ts';
import { PreparedOwnersDialog } from './prepared-owners-dialog.tsx';

const whatText = ({ challanCount, ownerCount, amount }: PreparedPayment): string =>
  `${challansText(challanCount)} of ${countText(ownerCount, 'owner')}, ${formatINR(amount)}`;
const isOpen = ({ state }: PreparedPayment): boolean => state === 'prepared';
const over = 'This is done with already.';

/** A dialog over the list or the details: who is paid, or why it goes back. */
type Opened = { dialog: 'owners' | 'send-back'; row: PreparedPayment } | undefined;

/** Who is paid, and the three ways to decide. Each asks first; a release says what it pays. They answer whether it was done. */
function useDecisions(open: (opened: Opened) => void) {
  const { mutateAsync: release } = preparedPayments.useRelease();
  const { mutateAsync: withdraw } = preparedPayments.useWithdraw();
  return useMemo(
    () => [
      {
        id: 'release',
        label: 'Release',
        icon: <Stamp size={15} aria-hidden />,
        keys: 'R',
        calls: preparedPayments.calls.release,
        disabledReason: (row: PreparedPayment) => (isOpen(row) ? (row.cannotRelease ?? undefined) : over),
        run: async (row: PreparedPayment): Promise<boolean> => {
          let done: PreparedPayment | undefined;
          const idempotencyKey = newIdempotencyKey();
          await confirm({
            title: row.isReversal ? `Undo ${row.payment?.number ?? 'the payment'}?` : `Release ${row.number}?`,
            body: row.isReversal
              ? `${whatText(row)} become unpaid again. ${row.preparedBy} prepared it.`
              : [`${whatText(row)} are marked as paid. ${row.preparedBy} prepared it.`, ...row.unusual].join(' · '),
            confirmLabel: 'Release',
            act: async () => {
              done = (await release({ params: { id: row.id }, body: {}, idempotencyKey })).data;
            },
            failed: 'Failed to release',
          });
          if (done) notify.success(`${done.number} released${done.payment ? `: ${done.payment.number}` : ''}`);
          return done !== undefined;
        },
      },
      {
        id: 'send-back',
        label: 'Send Back',
        icon: <CornerUpLeft size={15} aria-hidden />,
        keys: 'B',
        calls: preparedPayments.calls.sendBack,
        disabledReason: (row: PreparedPayment) =>
          !isOpen(row) ? over : row.isOwn ? 'You prepared this yourself. Withdraw it instead.' : undefined,
        run: async (row: PreparedPayment): Promise<boolean> => {
          open({ dialog: 'send-back', row });
          return false;
        },
      },
      {
        id: 'owners',
        label: 'Owners',
        icon: <Users size={15} aria-hidden />,
        keys: 'O',
        calls: preparedPayments.calls.owners,
        disabledReason: () => undefined,
        run: async (row: PreparedPayment): Promise<boolean> => {
          open({ dialog: 'owners', row });
          return false;
        },
      },
      {
        id: 'withdraw',
        label: 'Withdraw',
        icon: <Undo2 size={15} aria-hidden />,
        keys: 'W',
        calls: preparedPayments.calls.withdraw,
        disabledReason: (row: PreparedPayment) =>
          !isOpen(row) ? over : row.isOwn ? undefined : 'Only who prepared this may withdraw it. Send it back instead.',
        run: async (row: PreparedPayment): Promise<boolean> => {
          const isDone = await confirm({
            title: `Withdraw ${row.number}?`,
            body: `${whatText(row)}. Nothing is paid.`,
            confirmLabel: 'Withdraw',
            act: () => withdraw({ params: { id: row.id } }),
            failed: 'Failed to withdraw',
          });
          if (isDone) notify.success(`${row.number} withdrawn`);
          return isDone;
        },
      },
    ],
    [release, withdraw, open],
  );
}

function SendBackDialog({ row, onClose }: { row: PreparedPayment; onClose: (isDone?: boolean) => void }) {
  const { reason, field, refuse, fieldProps } = useReasonField();
  const { mutate, isPending } = preparedPayments.useSendBack({
    onSuccess: ({ data }) => {
      notify.success(`${data.number} sent back to ${data.preparedBy}`);
      onClose(true);
    },
    onError: (error) => notify.error(error, 'Failed to send it back'),
  });
  const send = (): void => {
    if (isPending) return;
    const checked = contract.sendBack.body.safeParse({ reason });
    if (checked.success) mutate({ params: { id: row.id }, body: checked.data });
    else refuse(checked.error.issues[0]?.message);
  };
  return (
    <Dialog
      size="sm"
      title={`Send ${row.number} back?`}
      description={whatText(row)}
      onClose={onClose}
      initialFocus={field}
      footer={
        <>
          <Button onClick={() => onClose()}>Cancel</Button>
          <ConfirmButton label="Send Back" run={send} busy={isPending} />
        </>
      }
    >
      <TextArea {...fieldProps} ref={field} required maxLength={500} hint={`${row.preparedBy} reads it here`} />
    </Dialog>
  );
}

function factsOf(row: PreparedPayment): Fact[] {
  return [
    { label: 'Amount', value: <strong>{formatINR(row.amount)}</strong> },
    { label: 'Challans', value: formatCount(row.challanCount) },
    { label: 'Owners', value: formatCount(row.ownerCount) },
    { label: 'Prepared', value: `${formatDateTime(row.createdAt)} by ${row.preparedBy}` },
    { label: 'State', value: preparedStates[row.state].label },
    row.decidedAt === null
      ? { label: 'Until', value: formatDateTime(row.expiresAt) }
      : { label: 'Decided', value: `${formatDateTime(row.decidedAt)} by ${row.decidedBy ?? '—'}` },
    ...(row.payment && !row.isReversal ? [{ label: 'Payment', value: row.payment.number }] : []),
    ...(row.leftOut
      ? [
          {
            label: 'Left out',
            value: `${countText(row.leftOut.ownerCount, 'owner')}, ${formatINR(row.leftOut.amount)}`,
          },
        ]
      : []),
    ...(row.reason === '' ? [] : [{ label: 'Reason', value: row.reason }]),
  ];
}

/** What waits in one sight, and its decisions; on a phone the row shows little of it. */
function PreparedDetails({ row, isNotOnPage, placeFocus, onClose }: RecordViewProps<PreparedPayment>) {
  const facts = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<Opened>();
  return (
    <Dialog
      size="sm"
      closeOnOutside
      title={row?.number ?? 'Prepared payment'}
      onClose={onClose}
      initialFocus={facts}
      placeFocus={placeFocus}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {row && <Decisions row={row} open={setOpened} onDone={onClose} />}
        </>
      }
    >
      {isNotOnPage && <Alert tone="info" title="This is done with, or is on another page of the list." />}
      {row && row.unusual.length > 0 && (
        <Alert tone="warn" title="Unusual">
          <ul>
            {row.unusual.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Alert>
      )}
      {row && (
        <Facts ref={facts} label="Prepared payment" groups={[{ title: preparedWhat(row), facts: factsOf(row) }]} />
      )}
      <OpenedDialog
        opened={opened}
        onClose={(isDone) => {
          setOpened(undefined);
          if (isDone) onClose();
        }}
      />
    </Dialog>
  );
}

function OpenedDialog({ opened, onClose }: { opened: Opened; onClose: (isDone?: boolean) => void }) {
  if (!opened) return null;
  const Shown = opened.dialog === 'owners' ? PreparedOwnersDialog : SendBackDialog;
  return <Shown row={opened.row} onClose={onClose} />;
}

/** The buttons of the details. Who prepared it withdraws, everybody else decides. */
function Decisions({
  row,
  open,
  onDone,
}: {
  row: PreparedPayment;
  open: (opened: Opened) => void;
  onDone: () => void;
}) {
  const actions = useDecisions(open)
    .filter(({ id }) => id === 'owners' || (isOpen(row) && (id === 'withdraw') === row.isOwn))
    .map(({ id, label, keys, calls, disabledReason, run }): Action => ({
      id: `prepared.${id}`,
      label,
      keys,
      calls,
      scope: 'Details',
      disabledReason: disabledReason(row),
      run: () => void run(row).then((isDone) => isDone && onDone()),
    }));
  useActions(actions);
  return actions
    .toReversed()
    .map((action) => (
      <ActionButton
        action={action}
        key={action.id}
        {...(action.id === 'prepared.release' && { variant: 'primary' as const })}
      />
    ));
}

const urlShape = { all: url.oneOf(['', 'yes'], '') };

/** /accounting/to-release: what somebody has prepared and another releases (docs/specification.md §28.6). */
export const PreparedPaymentsPage = recordScreen<PreparedPayment>({
  screen: 'toRelease',
  noun: ['prepared payment', 'prepared payments'],
  columns: preparedPaymentColumns,
  useRows: ({ page, limit }) => {
    const [{ all }] = useUrlState(urlShape);
    return pageOf(preparedPayments.useList({ query: { page, limit, ...(all === '' && { show: 'open' as const }) } }));
  },
  failed: { list: 'Failed to fetch what is to be released' },
  views: { view: PreparedDetails },
  empty: {
    text: 'Nothing waits for a second person. What is prepared above the limit of the business is listed here.',
    actions: <Link to={screens.bankStatement.path}>Open bank statement</Link>,
  },
  useMore: () => {
    const [{ all }, setUrl] = useUrlState(urlShape);
    const [opened, setOpened] = useState<Opened>();
    const rowCommands = useDecisions(setOpened);
    return {
      rowCommands,
      isMuted: (row) => !isOpen(row),
      aside: (
        <Checkbox
          label="Show those that are done with"
          checked={all !== ''}
          onCheckedChange={(on) => setUrl({ all: on ? 'yes' : '' }, { replace: true })}
        />
      ),
      buttons: <Link to={screens.payments.path}>Payments</Link>,
      dialogs: <OpenedDialog opened={opened} onClose={() => setOpened(undefined)} />,
    };
  },
});
