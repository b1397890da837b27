import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { atLeastZero, formatINR, isNegative, isZero, normalizeTyped, subtract } from '../../../shared/calc/money.ts';
import type { OpeningEntry } from '../../../shared/contract/owner-statements.ts';
import { ConfirmKey } from '../../actions/confirm-key.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { ownerStatements } from '../../api/owner-statements.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notify } from '../../feedback/toast.ts';
import { DayField, MoneyField } from '../../forms/fields.tsx';
import { screens } from '../../screens.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';

const mostShown = 50;
const sides = { 'to-owner': 'We owe the owner', 'by-owner': 'The owner owes us' } as const;
type Side = keyof typeof sides;
const sideOptions = [
  { value: 'to-owner' as const, label: sides['to-owner'] },
  { value: 'by-owner' as const, label: sides['by-owner'] },
];

/** Enters or corrects what an owner was owed beside the challans (docs/specification.md §26.2). */
export function OpeningDialog({ ownerId, onClose }: { ownerId: string; onClose: () => void }) {
  const day = useRef<HTMLInputElement>(null);
  const list = ownerStatements.useListOpenings({ params: { id: ownerId }, query: { limit: mostShown } });
  const [asOf, setAsOf] = useState('');
  const [amount, setAmount] = useState('');
  const [side, setSide] = useState<Side>('to-owner');
  const [note, setNote] = useState('');
  const [unread, setUnread] = useState<string>();
  const [problems, setProblems] = useState<{ asOf?: string | undefined; amount?: string | undefined }>({});
  const [idempotencyKey] = useState(newIdempotencyKey);
  const { mutateAsync, isPending } = ownerStatements.useSetOpenings();
  const entries = list.data?.data;

  const save = async (): Promise<void> => {
    if (isPending) return;
    const read = normalizeTyped(amount);
    const found = {
      asOf: unread ?? (asOf === '' ? 'Please enter the day' : undefined),
      amount: 'error' in read ? read.error : read.value === '' ? 'Please enter the balance' : undefined,
    };
    setProblems(found);
    if ('error' in read || found.asOf !== undefined || found.amount !== undefined) return;
    const signed = side === 'by-owner' && !isZero(read.value) ? subtract('0.00', read.value) : read.value;
    try {
      await mutateAsync({ body: { entries: [{ ownerId, asOf, amount: signed, note }] }, idempotencyKey });
      notify.success(isZero(signed) ? 'Opening balance taken away' : `Opening balance saved: ${wordsOf(signed)}`);
      onClose();
    } catch (error) {
      notify.error(error, 'Failed to save the opening balance');
    }
  };
  return (
    <Dialog
      open
      title="Opening balance"
      description="What was owed beside the challans at the end of a day. The last entry counts; 0 takes it away."
      onClose={onClose}
      initialFocus={day}
      footer={
        <>
          <ConfirmKey label="Save" run={() => void save()} />
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" keys="Ctrl+Enter" busy={isPending} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-x-3">
        <DayField
          ref={day}
          label="At the end of"
          required
          value={asOf}
          error={problems.asOf}
          onProblem={setUnread}
          onValueChange={(next) => {
            setAsOf(next);
            setProblems((before) => ({ ...before, asOf: undefined }));
          }}
        />
        <Select label="Who owes" value={side} options={sideOptions} onValueChange={setSide} />
        <MoneyField
          label="Balance"
          required
          value={amount}
          error={problems.amount}
          onValueChange={(next) => {
            setAmount(next);
            setProblems((before) => ({ ...before, amount: undefined }));
          }}
        />
        <TextField label="Note" maxLength={200} hint="Not shown to the owner" value={note} onValueChange={setNote} />
      </div>
      <Link to={screens.openingBalances.path}>Paste those of many owners</Link>
      <h3 className="mt-3 mb-1 text-xs font-medium text-muted">Entries until now</h3>
      {list.error && (
        <FailureAlert
          error={list.error}
          fallback="Failed to fetch the opening balance"
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      )}
      {list.isPending && <p role="status">Loading…</p>}
      {entries?.length === 0 && <p className="text-muted">None: the balance begins with the first challan.</p>}
      {entries !== undefined && entries.length > 0 && <Entries entries={entries} />}
    </Dialog>
  );
}

const wordsOf = (amount: string): string =>
  isNegative(amount)
    ? `${formatINR(subtract('0.00', amount))}, ${sides['by-owner'].toLowerCase()}`
    : `${formatINR(atLeastZero(amount))}, ${sides['to-owner'].toLowerCase()}`;

function Entries({ entries }: { entries: readonly OpeningEntry[] }) {
  return (
    <ul aria-label="Entries until now" className="grid max-h-60 gap-1 overflow-y-auto">
      {entries.map((entry, at) => (
        <li key={entry.entryNo} className="nums border-b border-line py-1">
          {formatDate(entry.asOf)} · {wordsOf(entry.amount)}
          {at === 0 && <span className="font-medium"> · counts now</span>}
          {entry.note !== '' && <span> · {entry.note}</span>}
          <span className="block text-xs text-muted">
            {formatDateTime(entry.createdAt)}, {entry.createdBy}
          </span>
        </li>
      ))}
    </ul>
  );
}
