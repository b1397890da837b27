import { useId, useMemo, useRef, useState } from 'react';
import { owners } from '../../resources/owners.ts';
import { petrolPumps } from '../../resources/petrol-pumps.ts';
import { tags } from '../../resources/tags.ts';
import { trucks } from '../../resources/trucks.ts';
import { mostRecordsAtOnce, type RecordsPreview } from '../../../shared/contract/records-bulk.ts';
import { defaultTagColor, tagFields } from '../../../shared/contract/tags.ts';
import { truckFields, typedWheels } from '../../../shared/contract/trucks.ts';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { isApiError } from '../../kit/api/api-error.ts';
import { call } from '../../kit/api/client.ts';
import { useWrite } from '../../kit/api/create-resource.ts';
import { useRequestKeys } from '../../kit/api/idempotency-key.ts';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { OwnerPicker, type OwnerChoice } from './pickers.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { useArmed } from '../../kit/ui/double-press.ts';
import { Select } from '../../kit/ui/select-field.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { goneTexts, sameTexts, usePreview, useUndoFromToast } from '../../kit/records/act-on-many.ts';
import type { BulkField, RecordBulkDialogProps } from '../../kit/records/record-bulk.tsx';

type Name = BulkField | 'delete';

const labels: Record<BulkField, string> = {
  color: tagFields.color.label,
  noOfWheels: truckFields.noOfWheels.label,
  ownerId: truckFields.ownerId.label,
};
const failed = 'Failed to change the selected records';

const kinds = { owners, trucks, tags, petrolPumps };

/** Safe: the four resources have the same two calls, and each gets only the actions that its screen offers. */
const callsOf = (resource: RecordBulkDialogProps['resource']) =>
  kinds[resource].calls as unknown as Pick<typeof trucks.calls, 'previewMany' | 'changeMany'>;

/** The chosen action; undefined if its value is missing or invalid. */
function actOf({ changeMany }: ReturnType<typeof callsOf>, name: Name, typed: string, owner: OwnerChoice | null) {
  const values = {
    ownerId: { ownerId: owner?.id },
    noOfWheels: { noOfWheels: typedWheels(typed) },
    color: { color: typed },
  };
  return changeMany.body.shape.act.safeParse(
    name === 'delete' ? { kind: 'delete' } : { kind: 'set', values: values[name] },
  ).data;
}

const startOf = (name: Name): string => (name === 'color' ? defaultTagColor : '');

/** Changes or deletes the selected records, with a preview. It is loaded when it is first opened. */
export default function RecordBulkDialog(props: RecordBulkDialogProps) {
  const { resource, fields, noun, ids, isDeletion, onClose, onDone, focusFirstRow } = props;
  const counted = (count: number): string => `${formatCount(count)} ${count === 1 ? noun[0] : noun[1]}`;
  const [name, setName] = useState<Name>(isDeletion ? 'delete' : (fields[0] ?? 'delete'));
  const [typed, setTyped] = useState(() => startOf(name));
  const [owner, setOwner] = useState<OwnerChoice | null>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const actionSelect = useRef<HTMLButtonElement>(null);
  const isDone = useRef(false);
  const keys = useRequestKeys();
  const fieldId = useId();
  const calls = callsOf(resource);
  const act = useMemo(() => actOf(calls, name, typed, owner), [calls, name, typed, owner]);
  const tooMany =
    ids.length > mostRecordsAtOnce
      ? `${counted(ids.length)} are selected, but at most ${formatCount(mostRecordsAtOnce)} can be changed at once.`
      : undefined;

  const preview = usePreview({
    resource: calls.previewMany.resource,
    act: tooMany === undefined ? act : undefined,
    ask: async (asked, signal) =>
      (await call(calls.previewMany, { body: { ids: [...ids], act: asked } }, { signal })).data,
  });
  const shown = preview.data;
  const fingerprint = shown?.fingerprint;
  const isArmed = useArmed(useMemo(() => ({ name, fingerprint }), [name, fingerprint]));

  const undo = useUndoFromToast({ counted, leftText: (left) => `${left.name}: ${left.reason}` });
  const change = useWrite(calls.changeMany, {
    onSuccess: ({ data: { changedCount, batch } }, { body }) => {
      isDone.current = body.act.kind === 'delete';
      const text = `${counted(changedCount)} ${isDone.current ? 'deleted' : 'changed'}`;
      if (batch) notify.undo(text, () => undo(batch.id), 'Undo', undefined, { detail: batch.number });
      else notify.info('Nothing was changed');
      onDone();
    },
  });
  const pendingReason = change.isPending ? 'The change is running' : undefined;
  const isStale = isApiError(change.error, 'SELECTION_CHANGED');

  const waiting = preview.error ? 'The preview could not be loaded' : 'Loading the preview';
  const empty = shown?.changedCount === 0 ? `None of the selected ${noun[1]} would change` : undefined;
  const reason = tooMany ?? (act ? (shown ? empty : waiting) : 'Enter the value first');
  const confirm = (): void => {
    if (reason !== undefined || !act || !shown || change.isPending || !isArmed) return;
    change.mutate({
      body: { ids: [...ids], act, expected: { fingerprint: shown.fingerprint } },
      idempotencyKey: keys.keyOf([act, shown.fingerprint]),
    });
  };
  const field = { id: fieldId, lockedReason: pendingReason };
  const options: { value: Name; label: string }[] = [
    ...fields.map((field) => ({ value: field, label: `Set ${labels[field]}` })),
    { value: 'delete', label: 'Delete' },
  ];
  return (
    <Dialog
      role="alertdialog"
      title={`Change ${counted(ids.length)}`}
      onClose={() => {
        if (!change.isPending) onClose();
      }}
      initialFocus={isDeletion ? cancelButton : actionSelect}
      placeFocus={() => {
        if (isDone.current) focusFirstRow();
        return isDone.current;
      }}
      footer={
        <>
          <Button ref={cancelButton} onClick={onClose} disabledReason={pendingReason}>
            Cancel
          </Button>
          <ConfirmButton
            label={`${name === 'delete' ? 'Delete' : 'Change'} ${counted(shown?.changedCount ?? ids.length)}`}
            run={confirm}
            variant={name === 'delete' ? 'danger' : 'primary'}
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
          onValueChange={(next) => {
            setName(next);
            setTyped(startOf(next));
            change.reset();
          }}
          options={options}
        />
        {name === 'ownerId' && <OwnerPicker {...field} label={labels.ownerId} value={owner} onPick={setOwner} />}
        {name === 'noOfWheels' && (
          <TextField {...field} label={labels.noOfWheels} inputMode="numeric" value={typed} onValueChange={setTyped} />
        )}
        {name === 'color' && (
          <div className="flex items-start gap-2">
            <TextField {...field} label={labels.color} value={typed} onValueChange={setTyped} />
            <span
              aria-hidden
              className="mt-7 size-5 rounded-full border border-line"
              style={{ backgroundColor: typed }}
            />
          </div>
        )}
        {tooMany && <Alert tone="warn" title={tooMany} />}
        {isStale && <Alert tone="warn" title="The selected records have changed. Review the new preview below." />}
        {change.error && !isStale && <FailureAlert error={change.error} fallback={failed} />}
        {preview.error && (
          <FailureAlert error={preview.error} fallback={failed} onRetry={() => void preview.refetch()} />
        )}
        <div role="status" className="nums min-h-10">
          {shown && (
            <>
              <p className="font-medium">
                {counted(shown.changedCount)}{' '}
                {name === 'delete'
                  ? shown.changedCount === 1
                    ? 'is deleted.'
                    : 'are deleted.'
                  : shown.changedCount === 1
                    ? 'changes.'
                    : 'change.'}
              </p>
              {leftTexts(shown, counted).map((text) => (
                <p key={text} className="mt-1 text-muted">
                  {text}
                </p>
              ))}
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function leftTexts({ sameCount, refused, goneCount }: RecordsPreview, counted: (count: number) => string): string[] {
  return [
    ...sameTexts(sameCount, counted),
    // A reason for a single record already names it.
    ...refused.map(({ reason, count }) => (count === 1 ? reason : `${counted(count)}: ${reason}`)),
    ...goneTexts(goneCount, counted),
  ];
}
