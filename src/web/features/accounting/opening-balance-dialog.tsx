import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { atLeastZero, formatINR, isNegative, isZero, normalizeTyped, subtract } from '../../../shared/calc/money.ts';
import type { OpeningEntry } from '../../../shared/contract/owner-statements.ts';
import { ConfirmButtons } from '../../kit/actions/confirm-button.tsx';
import { useRequestKeys } from '../../kit/api/idempotency-key.ts';
import { ownerStatements } from '../../resources/owner-statements.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { MoneyField } from '../../kit/forms/amount-fields.tsx';
import { DayField } from '../../kit/forms/day-field.tsx';
import { screens } from '../../screens.ts';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';

const maxEntries = 50;
const sides = { 'to-owner': 'We owe the owner', 'by-owner': 'The owner owes us' } as const;
type Side = keyof typeof sides;
const sideOptions = [
  { value: 'to-owner' as const, label: sides['to-owner'] },
  { value: 'by-owner' as const, label: sides['by-owner'] },
];

/**
 * Enters or corrects the opening balance of an owner: what was owed in addition to the challans
 * (docs/specification.md §26.2).
 */
export function OpeningBalanceDialog({ ownerId, onClose }: { ownerId: string; onClose: () => void }) {
  const dayRef = useRef<HTMLInputElement>(null);
  const list = ownerStatements.useListOpenings({ params: { id: ownerId }, query: { limit: maxEntries } });
  const [asOf, setAsOf] = useState('');
  const [amount, setAmount] = useState('');
  const [side, setSide] = useState<Side>('to-owner');
  const [note, setNote] = useState('');
  const [dayProblem, setDayProblem] = useState<string>();
  const [problems, setProblems] = useState<{ asOf?: string | undefined; amount?: string | undefined }>({});
  const keys = useRequestKeys();
  const { mutateAsync, isPending } = ownerStatements.useSetOpenings();
  const entries = list.data?.data;

  const save = async (): Promise<void> => {
    if (isPending) return;
    const parsed = normalizeTyped(amount);
    const nextProblems = {
      asOf: dayProblem ?? (asOf === '' ? 'Please enter the day' : undefined),
      amount: 'error' in parsed ? parsed.error : parsed.value === '' ? 'Please enter the balance' : undefined,
    };
    setProblems(nextProblems);
    if ('error' in parsed || nextProblems.asOf !== undefined || nextProblems.amount !== undefined) return;
    const signed = side === 'by-owner' && !isZero(parsed.value) ? subtract('0.00', parsed.value) : parsed.value;
    const body = { entries: [{ ownerId, asOf, amount: signed, note }] };
    try {
      await mutateAsync({ body, idempotencyKey: keys.keyOf(body) });
      notify.success(isZero(signed) ? 'Opening balance removed' : `Opening balance saved: ${balanceText(signed)}`);
      onClose();
    } catch (error) {
      notify.error(error, 'Failed to save the opening balance');
    }
  };
  return (
    <Dialog
      title="Opening balance"
      description="What was owed at the end of a day, without the challans. The last entry counts. Enter 0 to remove the balance."
      onClose={onClose}
      initialFocus={dayRef}
      footer={<ConfirmButtons onCancel={onClose} label="Save" run={() => void save()} busy={isPending} />}
    >
      <div className="grid grid-cols-2 gap-x-3">
        <DayField
          ref={dayRef}
          label="At the end of"
          required
          value={asOf}
          error={problems.asOf}
          onProblem={setDayProblem}
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
      <Link to={screens.openingBalances.path}>Paste balances of many owners</Link>
      <h3 className="mt-3 mb-1 text-xs font-medium text-muted">Entries</h3>
      <QueryFailure query={list} fallback="Failed to fetch the opening balance" />
      {list.isPending && <p role="status">Loading…</p>}
      {entries?.length === 0 && <p className="text-muted">No entries. The balance starts with the first challan.</p>}
      {entries !== undefined && entries.length > 0 && <EntryList entries={entries} />}
    </Dialog>
  );
}

const balanceText = (amount: string): string =>
  isNegative(amount)
    ? `${formatINR(subtract('0.00', amount))}, ${sides['by-owner'].toLowerCase()}`
    : `${formatINR(atLeastZero(amount))}, ${sides['to-owner'].toLowerCase()}`;

function EntryList({ entries }: { entries: readonly OpeningEntry[] }) {
  return (
    <ul aria-label="Entries" className="grid max-h-60 gap-1 overflow-y-auto">
      {entries.map((entry, at) => (
        <li key={entry.entryNo} className="nums border-b border-line py-1">
          {formatDate(entry.asOf)} · {balanceText(entry.amount)}
          {at === 0 && <span className="font-medium"> · current</span>}
          {entry.note !== '' && <span> · {entry.note}</span>}
          <span className="block text-xs text-muted">
            {formatDateTime(entry.createdAt)}, {entry.createdBy}
          </span>
        </li>
      ))}
    </ul>
  );
}
