import { useId, useMemo, useRef, useState } from 'react';
import { owners } from '../../resources/owners.ts';
import { petrolPumps } from '../../resources/petrol-pumps.ts';
import { tags } from '../../resources/tags.ts';
import { trucks } from '../../resources/trucks.ts';
import { mostRecordsAtOnce, type RecordsPreview } from '../../../shared/contract/records-bulk.ts';
import { defaultTagColor, tagFields } from '../../../shared/contract/tags.ts';
import { truckFields, typedWheels } from '../../../shared/contract/trucks.ts';
import { call } from '../../kit/api/client.ts';
import { useWrite } from '../../kit/api/create-resource.ts';
import { useRequestKeys } from '../../kit/api/idempotency-key.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { OwnerPicker, type OwnerChoice } from './pickers.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { goneTexts, sameTexts, usePreview, useUndoFromToast } from '../../kit/records/act-on-many.ts';
import { BulkDialog } from '../../kit/records/bulk-dialog.tsx';
import type { BulkField, RecordBulkDialogProps } from '../../kit/records/record-bulk.tsx';

type Name = BulkField | 'delete';

const labels: Record<BulkField, string> = {
  color: tagFields.color.label,
  noOfWheels: truckFields.noOfWheels.label,
  ownerId: truckFields.ownerId.label,
};

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
  const options: { value: Name; label: string }[] = [
    ...fields.map((field) => ({ value: field, label: `Set ${labels[field]}` })),
    { value: 'delete', label: 'Delete' },
  ];
  return (
    <BulkDialog
      title={`Change ${counted(ids.length)}`}
      name={name}
      options={options}
      onChoose={(next) => {
        setName(next);
        setTyped(startOf(next));
      }}
      renderField={(lockedReason) => {
        const field = { id: fieldId, lockedReason };
        const text = { ...field, value: typed, onValueChange: setTyped };
        if (name === 'ownerId') return <OwnerPicker {...field} label={labels[name]} value={owner} onPick={setOwner} />;
        if (name === 'noOfWheels') return <TextField {...text} label={labels[name]} inputMode="numeric" />;
        if (name === 'delete') return null;
        return (
          <div className="flex items-start gap-2">
            <TextField {...text} label={labels[name]} />
            <span
              aria-hidden
              className="mt-7 size-5 rounded-full border border-line"
              style={{ backgroundColor: typed }}
            />
          </div>
        );
      }}
      isComplete={act !== undefined}
      tooMany={tooMany}
      preview={preview}
      textsOf={(of) => [changedText(name, of.changedCount, counted), ...leftTexts(of, counted)]}
      emptyReason={(of) => (of.changedCount === 0 ? `None of the selected ${noun[1]} would change` : undefined)}
      confirmLabel={(of) => `${name === 'delete' ? 'Delete' : 'Change'} ${counted(of?.changedCount ?? ids.length)}`}
      isDanger={name === 'delete'}
      send={({ fingerprint }) => {
        if (!act) return;
        change.mutate({
          body: { ids: [...ids], act, expected: { fingerprint } },
          idempotencyKey: keys.keyOf([act, fingerprint]),
        });
      }}
      change={change}
      stale={{ title: 'The selected records have changed. Review the new preview below.' }}
      failed="Failed to change the selected records"
      isOpenedByAct={isDeletion}
      onClose={onClose}
      placeFocus={() => {
        if (isDone.current) focusFirstRow();
        return isDone.current;
      }}
    />
  );
}

function changedText(name: Name, count: number, counted: (count: number) => string): string {
  const verb = name === 'delete' ? (count === 1 ? 'is deleted' : 'are deleted') : count === 1 ? 'changes' : 'change';
  return `${counted(count)} ${verb}.`;
}

function leftTexts({ sameCount, refused, goneCount }: RecordsPreview, counted: (count: number) => string): string[] {
  return [
    ...sameTexts(sameCount, counted),
    // A reason for a single record already names it.
    ...refused.map(({ reason, count }) => (count === 1 ? reason : `${counted(count)}: ${reason}`)),
    ...goneTexts(goneCount, counted),
  ];
}
