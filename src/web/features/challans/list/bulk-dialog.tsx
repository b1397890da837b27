import { useId, useMemo, useRef, useState, type ReactElement } from 'react';
import {
  bulkAction,
  mostBulkChallans,
  bulkPreview,
  tooManyMessage,
  type BulkAction,
  type BulkPreview,
  type BulkSelection,
  bulkFields,
  type BulkResult,
  type BulkFieldName,
} from '../../../../shared/contract/challans-bulk.ts';
import { challansText, countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { challanFields } from '../../../../shared/contract/challan-fields.ts';
import { challans } from '../../../resources/challans.ts';
import { preparedPayments } from '../../../resources/prepared-payments.ts';
import { call } from '../../../kit/api/client.ts';
import { paying, refusalOf } from '../../../kit/api/seat.ts';
import { useRequestKeys } from '../../../kit/api/idempotency-key.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { MoneyField } from '../../../kit/forms/amount-fields.tsx';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { TagPicker, type TagChoice } from '../../master-data/index.ts';
import { usePreview, goneTexts, sameTexts } from '../../../kit/records/act-on-many.ts';
import { BulkDialog as BulkDialogFrame } from '../../../kit/records/bulk-dialog.tsx';
import { useUndoOfChallans } from './row-commands.ts';
import { useUndoOfPayment } from './undo-of-payment.ts';
import { TextField } from '../../../kit/ui/text-field.tsx';
import { formatINR, isZero } from '../../../../shared/calc/money.ts';

/** What can be done with the selected challans. The name of a field means that this field is set. */
type ActName = BulkFieldName | 'paid' | 'unpaid' | 'verified' | 'unverified' | 'declared' | 'delete';

const actsWithoutValue: readonly { value: ActName; label: string }[] = [
  { value: 'paid', label: 'Mark as paid' },
  { value: 'unpaid', label: 'Mark as unpaid' },
  { value: 'verified', label: 'Mark HSD as verified' },
  { value: 'unverified', label: 'Remove HSD verification' },
  { value: 'declared', label: 'Set TDS to 0 by declaration' },
];
const actOptions: readonly { value: ActName; label: string }[] = [
  ...bulkFields.map((value) => ({ value, label: `Set ${challanFields[value].label}` })),
  ...actsWithoutValue,
  { value: 'delete', label: 'Delete' },
];

const are = (count: number): string => (count === 1 ? 'is' : 'are');

/** 'Change 214 challans, ₹12,34,567.00' */
const titleText = (count: number, amount: string): string => `Change ${challansText(count)}, ${formatINR(amount)}`;

const paidText = (count: number): string =>
  count === 0
    ? ''
    : `; ${formatCount(count)} ${are(count)} paid and ${count === 1 ? 'stays as it is' : 'stay as they are'}`;

/** What the action would do, in one sentence with the count and the amount. */
function previewText(act: BulkAction, preview: BulkPreview): string {
  const { changedCount, changedAmount, netChange, paidCount } = preview;
  const what = `${challansText(changedCount)}, ${formatINR(changedAmount)},`;
  const verb = are(changedCount);
  switch (act.kind) {
    case 'set':
    case 'declared':
      return `Net changes by ${formatINR(netChange)} on ${challansText(changedCount)}${paidText(paidCount)}.`;
    case 'paid':
      return act.value
        ? `${what} ${verb} marked paid in one payment${paidText(paidCount)}.`
        : `${what} ${verb} marked unpaid.`;
    case 'hsdVerified':
      return `The HSD of ${challansText(changedCount)} is ${act.value ? 'marked as verified' : 'no longer verified'}.`;
    case 'delete':
      return `${what} ${verb} deleted${paidText(paidCount)}.`;
  }
}

/** One sentence for each group of challans that would not change, and for what a payment leaves out or deducts. */
function leftTexts({
  sameCount,
  refused,
  goneCount,
  negativeOwnerCount,
  negativeOwners,
  deductedAmount,
}: BulkPreview): string[] {
  const names = negativeOwners.map(({ name, amount }) => `${name} (${formatINR(amount)})`).join(', ');
  return [
    ...sameTexts(sameCount, challansText),
    ...refused.map(({ reason, count, challanNumbers }) => {
      const more = count - challanNumbers.length;
      const numbers = `${challanNumbers.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
      return `${challansText(count)} cannot be changed (${numbers}): ${reason}`;
    }),
    ...goneTexts(goneCount, challansText),
    ...(negativeOwnerCount === 0
      ? []
      : [
          `${countText(negativeOwnerCount, 'owner')} ${negativeOwnerCount === 1 ? 'has' : 'have'} a negative sum: ${names}.`,
        ]),
    ...(isZero(deductedAmount) ? [] : [`${formatINR(deductedAmount)} carried from earlier payments is deducted.`]),
  ];
}

/** Why the change cannot be confirmed, if no challan would change. */
function nothingToDo(act: BulkAction, { changedCount, paidCount, count }: BulkPreview): string | undefined {
  if (changedCount > 0) return undefined;
  if (count === 0) return 'The selected challans no longer exist';
  if (paidCount > 0 && act.kind !== 'paid') return 'A paid challan stays as it is, and no other one would change';
  return 'None of the selected challans would change';
}

function confirmText(act: BulkAction | undefined, count: number): string {
  if (!act) return 'Change';
  switch (act.kind) {
    case 'set':
    case 'declared':
      return `Change ${challansText(count)}`;
    case 'paid':
      return `Mark ${challansText(count)} as ${act.value ? 'paid' : 'unpaid'}`;
    case 'hsdVerified':
      return act.value ? `Verify HSD of ${challansText(count)}` : `Remove HSD verification of ${challansText(count)}`;
    case 'delete':
      return `Delete ${challansText(count)}`;
  }
}

function doneText(act: BulkAction, { changedCount }: BulkResult): string {
  const what = challansText(changedCount);
  switch (act.kind) {
    case 'set':
    case 'declared':
      return `${what} changed`;
    case 'paid':
      return `${what} marked ${act.value ? 'paid' : 'unpaid'}`;
    case 'hsdVerified':
      return `HSD of ${what} ${act.value ? 'verified' : 'no longer verified'}`;
    case 'delete':
      return `${what} deleted`;
  }
}

/** The second line of the toast: the number of the payment or batch, and the amount. */
function doneDetail(act: BulkAction, { batch, payment, netChange }: BulkResult): string {
  if (payment) return `${formatINR(payment.totalAmount)} · Payment ${payment.number}`;
  const net =
    (act.kind === 'set' || act.kind === 'declared') && !isZero(netChange)
      ? [`net changed by ${formatINR(netChange)}`]
      : [];
  return [...net, ...(batch ? [batch.number] : [])].join(' · ');
}

export interface BulkDialogProps {
  selection: BulkSelection;
  count: number;
  amount: string;
  /** The action to start with, if the dialog was opened by the key of that action. */
  initialAction: 'paid' | 'verified' | 'delete' | undefined;
  onClose: () => void;
  /** Called after the change, to clear the selection. */
  onDone: () => void;
  /** Moves the focus after a deletion, because the focused row may be gone; false if no row could take it. */
  placeFocus: () => boolean;
}

/** The chosen action; undefined if its value is missing or invalid. */
function actOf(name: ActName, typed: string, tag: TagChoice | null): BulkAction | undefined {
  switch (name) {
    case 'paid':
    case 'unpaid':
      return { kind: 'paid', value: name === 'paid' };
    case 'verified':
    case 'unverified':
      return { kind: 'hsdVerified', value: name === 'verified' };
    case 'declared':
    case 'delete':
      return { kind: name };
    default: {
      if (name === 'tag' && !tag) return undefined;
      const value = name === 'tag' ? { tagId: tag?.id } : { [name]: typed.trim() };
      return bulkAction.safeParse({ kind: 'set', values: value }).data;
    }
  }
}

const isPayment = (name: ActName): boolean => name === 'paid' || name === 'unpaid';

/** The opposite action: P and V choose it where all selected challans already have the value. */
const opposite: Partial<Record<ActName, ActName>> = { paid: 'unpaid', verified: 'unverified' };

/**
 * Changes, pays or deletes the selected challans, with a preview (docs/specification.md §8.8). The server refuses the change
 * if it would do anything that the preview did not show. The dialog is loaded when it is first opened.
 */
export default function BulkDialog(props: BulkDialogProps) {
  const { selection, count, amount, initialAction, onClose, onDone, placeFocus } = props;
  const [name, setName] = useState<ActName>(initialAction ?? 'tag');
  const [typed, setTyped] = useState('');
  const [tag, setTag] = useState<TagChoice | null>(null);
  const [dayProblem, setDayProblem] = useState<string>();
  const [mayTakeOpposite, setMayTakeOpposite] = useState(initialAction !== undefined);
  const options = refusalOf(paying) === undefined ? actOptions : actOptions.filter(({ value }) => !isPayment(value));
  const isDone = useRef(false);
  /** The preview that the user confirmed. */
  const [confirmed, setConfirmed] = useState<BulkPreview>();
  const act = useMemo(() => (dayProblem ? undefined : actOf(name, typed, tag)), [dayProblem, name, typed, tag]);
  const tooMany = count > mostBulkChallans ? tooManyMessage(count) : undefined;
  const preview = usePreview({
    resource: 'challans',
    act: tooMany === undefined ? act : undefined,
    ask: async (asked, signal) =>
      (await call(challans.calls.previewMany, { body: { selection, act: asked } }, { signal })).data,
  });
  const shown = preview.data;

  // P and V toggle: if all challans already have the value, the dialog offers to remove it.
  if (mayTakeOpposite && shown) {
    setMayTakeOpposite(false);
    const other = opposite[name];
    if (other && shown.changedCount === 0 && shown.refused.length === 0 && shown.count > 0) setName(other);
  }

  const undoChange = useUndoOfChallans();
  const undoPayment = useUndoOfPayment('Undone from the list of challans', 'Failed to undo payment');
  const keys = useRequestKeys();
  const change = challans.useChangeMany({
    onSuccess: ({ data }, { body }) => {
      const { payment, batch } = data;
      const [text, detail] = [doneText(body.act, data), doneDetail(body.act, data)];
      const more = detail === '' ? {} : { detail };
      if (payment) notify.undo(text, () => undoPayment(payment.batchId), 'Undo', undefined, more);
      else if (batch) notify.undo(text, () => undoChange(batch.id), 'Undo', undefined, more);
      else notify.info('Nothing was changed');
      isDone.current = body.act.kind === 'delete';
      onDone();
    },
  });
  const prepare = preparedPayments.usePrepare({
    onSuccess: ({ data }) => {
      notify.success(`${data.number} prepared. Somebody else releases it under Payments, To Release.`);
      onDone();
    },
  });
  const send = (preview: BulkPreview): void => {
    if (!act) return;
    const { count: expected, totalAmount, fingerprint, needsRelease } = preview;
    setConfirmed(preview);
    const body = { selection, act, expected: { count: expected, totalAmount, fingerprint } };
    const idempotencyKey = keys.keyOf([act, fingerprint]);
    if (needsRelease === null) change.mutate({ body, idempotencyKey });
    else prepare.mutate({ body: { change: body }, idempotencyKey });
  };

  return (
    <BulkDialogFrame
      title={titleText(count, amount)}
      name={name}
      options={options}
      onChoose={(next) => {
        setName(next);
        setTyped('');
        // The problem belongs to the field that is removed.
        setDayProblem(undefined);
      }}
      renderField={(lockedReason) => (
        <ValueField
          name={name}
          lockedReason={lockedReason}
          typed={typed}
          onTyped={setTyped}
          tag={tag}
          onTag={setTag}
          onProblem={setDayProblem}
        />
      )}
      isComplete={act !== undefined}
      tooMany={tooMany}
      preview={preview}
      textsOf={(of) =>
        act ? [previewText(act, of), ...leftTexts(of), ...(of.needsRelease === null ? [] : [of.needsRelease])] : []
      }
      emptyReason={(of) => act && nothingToDo(act, of)}
      confirmLabel={(of) => (of?.needsRelease ? 'Prepare for Release' : confirmText(act, of?.changedCount ?? 0))}
      isDanger={act?.kind === 'delete' || name === 'unpaid'}
      send={send}
      change={shown?.needsRelease ? prepare : change}
      stale={{
        title: 'The selected challans have changed. Review the new preview below.',
        textOf: ({ data }) => differenceText(confirmed, data),
      }}
      failed="Failed to change the selected challans"
      isOpenedByAct={initialAction !== undefined}
      onClose={onClose}
      placeFocus={() => isDone.current && placeFocus()}
    />
  );
}

/** 'There are 3 challans now instead of 4 challans.'; '' if the server did not send the new figures. */
function differenceText(before: BulkPreview | undefined, data: unknown): string {
  const now = bulkPreview.safeParse(data).data;
  if (!before || !now) return '';
  if (now.count !== before.count)
    return `There are ${challansText(now.count)} now instead of ${challansText(before.count)}.`;
  if (now.changedCount !== before.changedCount) {
    return `${challansText(now.changedCount)} would change now instead of ${challansText(before.changedCount)}.`;
  }
  return 'Someone has edited some of them.';
}

interface ValueFieldProps {
  name: ActName;
  lockedReason: string | undefined;
  typed: string;
  onTyped: (text: string) => void;
  tag: TagChoice | null;
  onTag: (tag: TagChoice | null) => void;
  onProblem: (problem: string | undefined) => void;
}

/** Not every name has a value. The type of the answer makes the compiler ask for each new one. */
function ValueField(props: ValueFieldProps): ReactElement | null {
  const { name, lockedReason, typed, onTyped, tag, onTag, onProblem } = props;
  const id = useId();
  const field = { id, lockedReason, value: typed, onValueChange: onTyped };
  switch (name) {
    case 'tag':
      return <TagPicker id={id} lockedReason={lockedReason} label="Tag" value={tag} onPick={onTag} />;
    case 'depositedAt':
      return <DayField {...field} label={challanFields[name].label} onProblem={onProblem} />;
    case 'ratePerMT':
    case 'officeCharges':
      return <MoneyField {...field} label={challanFields[name].label} />;
    case 'loadingPlace':
    case 'unloadingPlace':
      return <TextField {...field} label={challanFields[name].label} maxLength={200} />;
    case 'paid':
    case 'unpaid':
    case 'verified':
    case 'unverified':
    case 'declared':
    case 'delete':
      return null;
  }
}
