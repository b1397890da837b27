import { useId, useMemo, useRef, useState } from 'react';
import {
  bulkAction,
  mostBulkChallans,
  bulkPreview,
  tooManyMessage,
  type BulkAction,
  type BulkResult,
  type BulkPreview,
  type BulkSelection,
} from '../../../../shared/contract/challans-bulk.ts';
import { challansText } from '../../../../shared/calc/count-text.ts';
import { challanFields } from '../../../../shared/contract/challan-fields.ts';
import { challans } from '../../../resources/challans.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';
import { ConfirmButton } from '../../../kit/actions/confirm-button.tsx';
import { isApiError } from '../../../kit/api/api-error.ts';
import { call } from '../../../kit/api/client.ts';
import { paying, refusalOf } from '../../../kit/api/seat.ts';
import { useRequestKeys } from '../../../kit/api/idempotency-key.ts';
import { FailureAlert } from '../../../kit/feedback/failure-alert.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { MoneyField } from '../../../kit/forms/amount-fields.tsx';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { TagPicker, type TagChoice } from '../../master-data/index.ts';
import { usePreview } from '../../../kit/records/act-on-many.ts';
import { useUndoOfChallans } from './undo-of-challans.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { useArmed } from '../../../kit/ui/double-press.ts';
import { Select } from '../../../kit/ui/select-field.tsx';
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

const failed = 'Failed to change the selected challans';

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
    case 'delete':
      return { kind: 'delete' };
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
  const actionSelect = useRef<HTMLButtonElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const act = useMemo(() => (dayProblem ? undefined : actOf(name, typed, tag)), [dayProblem, name, typed, tag]);
  const tooMany = count > mostBulkChallans ? tooManyMessage(count) : undefined;
  const preview = usePreview({
    resource: 'challans',
    act: tooMany === undefined ? act : undefined,
    ask: async (asked, signal) =>
      (await call(challans.calls.previewMany, { body: { selection, act: asked } }, { signal })).data,
  });
  const shown = preview.data;
  // New figures disarm the button for a moment, because the user may be about to confirm the figures before them.
  const fingerprint = shown?.fingerprint;
  const isArmed = useArmed(useMemo(() => ({ name, fingerprint }), [name, fingerprint]));

  // P and V toggle: if all challans already have the value, the dialog offers to remove it.
  if (mayTakeOpposite && shown) {
    setMayTakeOpposite(false);
    const other = opposite[name];
    if (other && shown.changedCount === 0 && shown.refused.length === 0 && shown.count > 0) setName(other);
  }

  const undo = useUndo();
  const keys = useRequestKeys();
  const change = challans.useChangeMany({
    onSuccess: ({ data }, { body }) => {
      const { payment, batch } = data;
      const [text, detail] = [doneText(body.act, data), doneDetail(body.act, data)];
      const more = detail === '' ? {} : { detail };
      if (payment || batch) notify.undo(text, () => undo({ payment, batch }), 'Undo', undefined, more);
      else notify.info('Nothing was changed');
      isDone.current = body.act.kind === 'delete';
      onDone();
    },
  });
  const pendingReason = change.isPending ? 'The change is running' : undefined;
  const staleError = isApiError(change.error, 'SELECTION_CHANGED') ? change.error : undefined;

  const reason =
    tooMany ??
    (act === undefined ? 'Enter the value first' : undefined) ??
    (shown ? nothingToDo(act!, shown) : preview.error ? 'The preview could not be loaded' : 'Loading the preview');
  const confirm = (): void => {
    if (reason !== undefined || !act || !shown || change.isPending || !isArmed) return;
    const { totalAmount } = shown;
    setConfirmed(shown);
    change.mutate({
      body: { selection, act, expected: { count: shown.count, totalAmount, fingerprint: shown.fingerprint } },
      idempotencyKey: keys.keyOf([act, shown.fingerprint]),
    });
  };
  const choose = (next: ActName): void => {
    setName(next);
    setTyped('');
    // The problem belongs to the field that is removed.
    setDayProblem(undefined);
    change.reset();
  };
  const isDanger = act?.kind === 'delete' || name === 'unpaid';

  return (
    <Dialog
      role="alertdialog"
      size="md"
      title={titleText(count, amount)}
      onClose={() => {
        if (!change.isPending) onClose();
      }}
      // A key opened the dialog to pay, verify or delete: the focus is on Cancel, so that one more key does not confirm it.
      initialFocus={initialAction ? cancelButton : actionSelect}
      placeFocus={() => isDone.current && placeFocus()}
      footer={
        <>
          <Button ref={cancelButton} onClick={onClose} disabledReason={pendingReason}>
            Cancel
          </Button>
          <ConfirmButton
            label={confirmText(act, shown?.changedCount ?? 0)}
            run={confirm}
            variant={isDanger ? 'danger' : 'primary'}
            busy={change.isPending}
            disabledReason={reason}
          />
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Select
          ref={actionSelect}
          label="What to do"
          lockedReason={pendingReason}
          value={name}
          onValueChange={choose}
          options={options}
        />
        <ValueField
          name={name}
          lockedReason={pendingReason}
          typed={typed}
          onTyped={setTyped}
          tag={tag}
          onTag={setTag}
          onProblem={setDayProblem}
        />
        {tooMany && <Alert tone="warn" title={tooMany} />}
        {staleError && (
          <Alert tone="warn" title="The selected challans have changed. Review the new preview below.">
            {differenceText(confirmed, staleError.data)}
          </Alert>
        )}
        {change.error && !staleError && <FailureAlert error={change.error} fallback={failed} />}
        {preview.error && (
          <FailureAlert error={preview.error} fallback={failed} onRetry={() => void preview.refetch()} />
        )}
        <div role="status" className="min-h-10">
          {act && shown && (
            <>
              <p className="nums font-medium">{previewText(act, shown)}</p>
              {leftTexts(shown).map((text) => (
                <p key={text} className="nums mt-1 text-muted">
                  {text}
                </p>
              ))}
            </>
          )}
          {act && !shown && !preview.error && !tooMany && <p className="text-muted">Loading the preview…</p>}
        </div>
      </div>
    </Dialog>
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

function ValueField({ name, lockedReason, typed, onTyped, tag, onTag, onProblem }: ValueFieldProps) {
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
    default:
      return null;
  }
}

/** Undoes the change from the toast that reports it. The toast stays open after the dialog has closed. */
function useUndo() {
  const reverse = paymentBatches.useReverse({
    onSuccess: ({ data }) =>
      notify.success(`Payment ${data.number} undone: ${challansText(data.reversedCount)} unpaid again`),
    onError: (error) => notify.error(error, 'Failed to undo payment'),
  });
  const undoBatch = useUndoOfChallans();
  return ({ payment, batch }: Pick<BulkResult, 'payment' | 'batch'>): void => {
    if (payment) {
      reverse.mutate({ params: { id: payment.batchId }, body: { reason: 'Undone from the list of challans' } });
    } else if (batch) undoBatch(batch.id);
  };
}
