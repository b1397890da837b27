import { useId, useMemo, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { contract } from '../../shared/contract/index.ts';
import { mostRecordsAtOnce, type RecordsDone, type RecordsPreview } from '../../shared/contract/records-bulk.ts';
import { tagFields } from '../../shared/contract/tags.ts';
import { truckFields } from '../../shared/contract/trucks.ts';
import { ConfirmKey } from '../actions/confirm-key.ts';
import { isApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { resources } from '../api/resources.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { notify } from '../feedback/toast.ts';
import { OwnerPicker, type OwnerChoice } from '../forms/pickers.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useArmed } from '../ui/double-press.ts';
import { Select } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { BulkField, RecordBulkSpec } from './record-bulk.tsx';

interface RecordBulkDialogProps {
  resource: RecordBulkSpec<unknown>['resource'];
  fields: readonly BulkField[];
  noun: readonly [one: string, many: string];
  ids: readonly string[];
  /** A key asked for the deletion; otherwise it is chosen here. */
  isDeletion: boolean;
  onClose: () => void;
  /** The selection is over. */
  onDone: () => void;
  focusFirstRow: () => void;
}

type Name = BulkField | 'delete';
type Act = { kind: 'delete' } | { kind: 'set'; values: Record<string, string | number> };

const labels: Record<BulkField, string> = {
  color: tagFields.color.label,
  noOfWheels: truckFields.noOfWheels.label,
  ownerId: truckFields.ownerId.label,
};
const failed = 'Failed to change the selected records';

function actOf(name: Name, typed: string, owner: OwnerChoice | null): Act | undefined {
  switch (name) {
    case 'delete':
      return { kind: 'delete' };
    case 'ownerId':
      return owner ? { kind: 'set', values: { ownerId: owner.id } } : undefined;
    case 'noOfWheels':
      return /^[1-9]\d?$|^100$/.test(typed.trim()) ? { kind: 'set', values: { noOfWheels: Number(typed) } } : undefined;
    case 'color':
      return /^#[0-9a-f]{6}$/i.test(typed) ? { kind: 'set', values: { color: typed } } : undefined;
  }
}

/** One act on the selected records, with its preview. Loaded when it is first opened. */
export default function RecordBulkDialog(props: RecordBulkDialogProps) {
  const { resource, fields, noun, ids, isDeletion, onClose, onDone, focusFirstRow } = props;
  const counted = (count: number): string => `${count.toLocaleString('en-IN')} ${count === 1 ? noun[0] : noun[1]}`;
  const [name, setName] = useState<Name>(isDeletion ? 'delete' : (fields[0] ?? 'delete'));
  const [typed, setTyped] = useState(name === 'color' ? '#3B82F6' : '');
  const [owner, setOwner] = useState<OwnerChoice | null>(null);
  const safe = useRef<HTMLButtonElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const isDone = useRef(false);
  const sent = useRef({ request: '', key: '' });
  const fieldId = useId();
  const act = useMemo(() => actOf(name, typed, owner), [name, typed, owner]);
  const tooMany =
    ids.length > mostRecordsAtOnce
      ? `${counted(ids.length)} are selected, but at most ${mostRecordsAtOnce.toLocaleString('en-IN')} can be changed at once.`
      : undefined;

  // Safe: the four resources have the same two calls, and each is given the acts that its screen offers.
  const calls = contract[resource] as unknown as typeof contract.trucks;
  const body = {
    ids: [...ids],
    act: act as Extract<Parameters<typeof call<typeof calls.changeMany>>[1]['body'], object>['act'],
  };
  const preview = useQuery({
    queryKey: [calls.previewMany.resource, 'preview', useId(), JSON.stringify(act)],
    queryFn: async ({ signal }) => (await call(calls.previewMany, { body }, { signal })).data,
    enabled: act !== undefined && tooMany === undefined,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const shown = act && preview.data;
  const fingerprint = shown?.fingerprint;
  const isArmed = useArmed(useMemo(() => ({ name, fingerprint }), [name, fingerprint]));

  const undo = resources.batches.useUndo({
    onSuccess: ({ data: { number, undone, leftCount, left } }) => {
      if (undone > 0) notify.success(`${number} undone: ${undone.toLocaleString('en-IN')} as before`);
      if (leftCount > 0) {
        notify.warning(
          `${left
            .map((one) => `${one.name}: ${one.reason}`)
            .slice(0, 3)
            .join(' ')} (${leftCount} left)`,
        );
      }
    },
    onError: (error) => notify.error(error, 'Failed to undo the change'),
  });
  const done = {
    onSuccess: ({ data }: { data: RecordsDone }) => {
      const text = `${counted(data.changedCount)} ${act?.kind === 'delete' ? 'deleted' : 'changed'}`;
      const { batch } = data;
      if (batch) {
        const takeBack = (): void => undo.mutate({ params: { id: batch.id } });
        notify.undo(text, takeBack, 'Undo', undefined, { detail: batch.number });
      } else notify.info('Nothing was changed');
      isDone.current = act?.kind === 'delete';
      onDone();
    },
  };
  const changes = {
    owners: resources.owners.useChangeMany(done),
    trucks: resources.trucks.useChangeMany(done),
    tags: resources.tags.useChangeMany(done),
    petrolPumps: resources.petrolPumps.useChangeMany(done),
  };
  // As above.
  const change = changes[resource] as unknown as typeof changes.trucks;
  const isStale = isApiError(change.error, 'SELECTION_CHANGED');

  const waiting = preview.error ? 'The preview could not be made' : 'The preview is being made';
  const empty = shown?.changedCount === 0 ? `None of the selected ${noun[1]} would change` : undefined;
  const reason = tooMany ?? (act ? (shown ? empty : waiting) : 'Give the value first');
  const confirm = (): void => {
    if (reason !== undefined || !shown || change.isPending || !isArmed) return;
    const request = JSON.stringify([act, shown.fingerprint]);
    if (sent.current.request !== request) sent.current = { request, key: newIdempotencyKey() };
    change.mutate({
      body: { ...body, expected: { fingerprint: shown.fingerprint } },
      idempotencyKey: sent.current.key,
    });
  };
  const label = `${name === 'delete' ? 'Delete' : 'Change'} ${counted(shown?.changedCount ?? ids.length)}`;
  const options: { value: Name; label: string }[] = [
    ...fields.map((field) => ({ value: field, label: `Set ${labels[field]}` })),
    { value: 'delete', label: 'Delete' },
  ];
  return (
    <Dialog
      open
      role="alertdialog"
      title={`Change ${counted(ids.length)}`}
      onClose={() => {
        if (!change.isPending) onClose();
      }}
      initialFocus={isDeletion ? safe : chooser}
      placeFocus={() => {
        if (isDone.current) focusFirstRow();
        return isDone.current;
      }}
      footer={
        <>
          <ConfirmKey label={label} run={confirm} disabledReason={reason} />
          <Button ref={safe} onClick={onClose} disabledReason={change.isPending ? 'It is being done' : undefined}>
            Cancel
          </Button>
          <Button
            variant={name === 'delete' ? 'danger' : 'primary'}
            keys="Ctrl+Enter"
            busy={change.isPending}
            disabledReason={reason}
            onClick={confirm}
          >
            {label}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Select
          ref={chooser}
          label="What to do"
          value={name}
          onValueChange={(next) => {
            setName(next);
            setTyped(next === 'color' ? '#3B82F6' : '');
            change.reset();
          }}
          options={options}
        />
        {name === 'ownerId' && <OwnerPicker id={fieldId} label={labels.ownerId} value={owner} onPick={setOwner} />}
        {name === 'noOfWheels' && (
          <TextField
            id={fieldId}
            label={labels.noOfWheels}
            inputMode="numeric"
            value={typed}
            onValueChange={setTyped}
          />
        )}
        {name === 'color' && (
          <div className="flex items-end gap-2">
            <TextField id={fieldId} label={labels.color} value={typed} onValueChange={setTyped} />
            <span
              aria-hidden
              className="mb-1.5 size-5 rounded-full border border-line"
              style={{ backgroundColor: typed }}
            />
          </div>
        )}
        {tooMany && <Alert tone="warn" title={tooMany} />}
        {isStale && (
          <Alert tone="warn" title="The selected records have changed meanwhile. Review what would change now." />
        )}
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
  const are = (count: number): string => (count === 1 ? 'is' : 'are');
  return [
    ...(sameCount === 0 ? [] : [`${counted(sameCount)} ${are(sameCount)} so already.`]),
    // Each reason names its record.
    ...refused.map(({ reason, count }) => (count === 1 ? reason : `${counted(count)}: ${reason}`)),
    ...(goneCount === 0 ? [] : [`${counted(goneCount)} of the selection ${are(goneCount)} not there any more.`]),
  ];
}
