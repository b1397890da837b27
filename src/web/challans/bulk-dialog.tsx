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
} from '../../shared/contract/challans-bulk.ts';
import { challanFields } from '../../shared/contract/challan-fields.ts';
import { challans } from '../api/challans.ts';
import { paymentBatches } from '../api/payment-batches.ts';
import { ConfirmKey } from '../actions/confirm-key.ts';
import { isApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { notify } from '../feedback/toast.ts';
import { DayField, MoneyField } from '../forms/fields.tsx';
import { TagPicker, type TagChoice } from '../forms/pickers.tsx';
import { usePreview, useUndoFromToast } from '../records/act-on-many.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useArmed } from '../ui/double-press.ts';
import { Select } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import {
  actOptions,
  challansText,
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
  /** What a key of a single row asked for; absent: it is chosen here. */
  asked: 'paid' | 'verified' | 'delete' | undefined;
  onClose: () => void;
  /** The selection is over. */
  onDone: () => void;
  /** After a deletion. */
  placeFocus: () => boolean;
}

/** The value that is typed for the chosen act; absent: the act is not complete, or needs none. */
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

/** The state that is the other way round, for a key that toggles: when all of them are so already. */
const opposite: Partial<Record<ActName, ActName>> = { paid: 'unpaid', verified: 'unverified' };

/**
 * One act on the selected challans (docs/specification.md §8.8): what it does is shown before the one confirmation, and
 * nothing else is done. Loaded when it is first opened.
 */
export default function BulkDialog(props: BulkDialogProps) {
  const { selection, count, amount, asked, onClose, onDone, placeFocus } = props;
  const [name, setName] = useState<ActName>(asked ?? 'tag');
  const [typed, setTyped] = useState('');
  const [tag, setTag] = useState<TagChoice | null>(null);
  const [dayProblem, setDayProblem] = useState<string>();
  const [mayTurn, setMayTurn] = useState(asked !== undefined);
  const isDone = useRef(false);
  /** What was shown when it was confirmed. */
  const [confirmed, setConfirmed] = useState<BulkPreview>();
  const chooser = useRef<HTMLButtonElement>(null);
  const safe = useRef<HTMLButtonElement>(null);
  const act = useMemo(() => (dayProblem ? undefined : actOf(name, typed, tag)), [dayProblem, name, typed, tag]);
  const tooMany = count > mostBulkChallans ? tooManyMessage(count) : undefined;
  const preview = usePreview({
    resource: 'challans',
    act: tooMany === undefined ? act : undefined,
    ask: async (asked, signal) =>
      (await call(challans.calls.previewMany, { body: { selection, act: asked } }, { signal })).data,
  });
  const shown = preview.data;
  // New figures, too, could be hit by a press that was meant for those before them.
  const fingerprint = shown?.fingerprint;
  const isArmed = useArmed(useMemo(() => ({ name, fingerprint }), [name, fingerprint]));

  // A key that toggles: what all of them are already is taken back.
  if (mayTurn && shown) {
    setMayTurn(false);
    const other = opposite[name];
    if (other && shown.changedCount === 0 && shown.refused.length === 0 && shown.count > 0) setName(other);
  }

  const undo = useUndo();
  /** The same request again is sent with its key; another act, or another state of the selection, is another request. */
  const sent = useRef({ request: '', key: '' });
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
  const pendingReason = change.isPending ? 'It is being done' : undefined;
  const changedNow = isApiError(change.error, 'SELECTION_CHANGED') ? change.error : undefined;

  const reason =
    tooMany ??
    (act === undefined ? 'Give the value first' : undefined) ??
    (shown ? nothingToDo(act!, shown) : preview.error ? 'The preview could not be made' : 'The preview is being made');
  const confirm = (): void => {
    if (reason !== undefined || !act || !shown || change.isPending || !isArmed) return;
    const { totalAmount } = shown;
    setConfirmed(shown);
    const request = JSON.stringify([act, shown.fingerprint]);
    if (sent.current.request !== request) sent.current = { request, key: newIdempotencyKey() };
    change.mutate({
      body: { selection, act, expected: { count: shown.count, totalAmount, fingerprint: shown.fingerprint } },
      idempotencyKey: sent.current.key,
    });
  };
  const choose = (next: ActName): void => {
    setName(next);
    setTyped('');
    // It was said of the field that goes.
    setDayProblem(undefined);
    change.reset();
  };
  const isDanger = act?.kind === 'delete' || name === 'unpaid';

  return (
    <Dialog
      open
      role="alertdialog"
      size="md"
      title={titleText(count, amount)}
      onClose={() => {
        if (!change.isPending) onClose();
      }}
      // What a key asked for is money or a deletion: the safe button has the focus.
      initialFocus={asked ? safe : chooser}
      placeFocus={() => isDone.current && placeFocus()}
      footer={
        <>
          <ConfirmKey label={confirmText(act, shown?.changedCount ?? 0)} run={confirm} disabledReason={reason} />
          <Button ref={safe} onClick={onClose} disabledReason={pendingReason}>
            Cancel
          </Button>
          <Button
            variant={isDanger ? 'danger' : 'primary'}
            keys="Ctrl+Enter"
            busy={change.isPending}
            disabledReason={reason}
            onClick={confirm}
          >
            {confirmText(act, shown?.changedCount ?? 0)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Select
          ref={chooser}
          label="What to do"
          lockedReason={pendingReason}
          value={name}
          onValueChange={choose}
          options={actOptions}
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
        {changedNow && (
          <Alert tone="warn" title="The selected challans have changed meanwhile">
            {differenceText(confirmed, changedNow.data)} Review the new figures, then confirm again.
          </Alert>
        )}
        {change.error && !changedNow && <FailureAlert error={change.error} fallback={failed} />}
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
          {act && !shown && !preview.error && !tooMany && <p className="text-muted">Working out what would change…</p>}
        </div>
      </div>
    </Dialog>
  );
}

/** '3 challans instead of 4', as far as the answer says it. */
function differenceText(before: BulkPreview | undefined, data: unknown): string {
  const now = bulkPreview.safeParse(data).data;
  if (!before || !now) return '';
  if (now.count !== before.count)
    return `There are ${challansText(now.count)} now instead of ${challansText(before.count)}.`;
  if (now.changedCount !== before.changedCount) {
    return `${challansText(now.changedCount)} would change now instead of ${challansText(before.changedCount)}.`;
  }
  return 'Somebody has edited some of them.';
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

/** Takes an act back, from its message. It outlives the dialog. */
function useUndo() {
  const reverse = paymentBatches.useReverse({
    onSuccess: ({ data }) =>
      notify.success(`Payment ${data.number} undone: ${challansText(data.reversedCount)} unpaid again`),
    onError: (error) => notify.error(error, 'Failed to undo payment'),
  });
  const undoBatch = useUndoFromToast({ counted: challansText, leftText: ({ reason }) => reason });
  return ({ payment, batch }: Pick<BulkResult, 'payment' | 'batch'>): void => {
    if (payment) {
      reverse.mutate({ params: { id: payment.batchId }, body: { reason: 'Undone from the list of challans' } });
    } else if (batch) undoBatch(batch.id);
  };
}
