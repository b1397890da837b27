import { useId, useMemo, useRef, useState, type ReactElement } from 'react';
import {
  bulkAction,
  mostBulkChallans,
  bulkPreview,
  tooManyMessage,
  type BulkAction,
  type BulkPreview,
  type BulkSelection,
} from '../../../../shared/contract/challans-bulk.ts';
import { challansText } from '../../../../shared/calc/count-text.ts';
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
import { usePreview } from '../../../kit/records/act-on-many.ts';
import { BulkDialog as BulkDialogFrame } from '../../../kit/records/bulk-dialog.tsx';
import { useUndoOfChallans } from './undo-of-challans.ts';
import { useUndoOfPayment } from './undo-of-payment.ts';
import { TextField } from '../../../kit/ui/text-field.tsx';
import {
  actOptions,
  confirmText,
  doneDetail,
  doneText,
  leftTexts,
  nothingToDo,
  previewText,
  titleText,
  type ActName,
} from './bulk-words.ts';

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
