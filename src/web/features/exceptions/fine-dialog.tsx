import { useState } from 'react';
import { countText } from '../../../shared/calc/count-text.ts';
import { exceptions as contract, type Exception } from '../../../shared/contract/exceptions.ts';
import { exceptionKinds } from '../../../shared/filters/exception-kinds.ts';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { useReasonField } from '../../kit/forms/use-reason.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { TextArea } from '../../kit/ui/text-field.tsx';
import { exceptions } from '../../resources/exceptions.ts';

/** What one exception is about: 'Rate of CH-2627-000123'. */
export const namedException = ({ kind, challanNumber, driverName, vehicleNo, ownerName }: Exception): string => {
  const { name, about } = exceptionKinds[kind];
  if (challanNumber !== null) return `${name} of ${challanNumber}`;
  return `${name}: ${(about === 'driver' ? driverName : about === 'owner' ? ownerName : vehicleNo) ?? ''}`;
};

/** Remembers why exceptions are in order (docs/specification.md §35). */
export function FineDialog({ rows, onClose }: { rows: readonly Exception[]; onClose: (isDone?: boolean) => void }) {
  const { reason, field, refuse, fieldProps } = useReasonField();
  const [isForLater, setForLater] = useState(false);
  const canBeForLater = rows.some(({ pattern }) => pattern !== null);
  const { mutate, isPending } = exceptions.useSetFine({
    onSuccess: ({ data }) => {
      notify.success(`${countText(data.count, 'exception')} remembered as fine`);
      onClose(true);
    },
    onError: (error) => notify.error(error, 'Failed to remember it'),
  });
  const send = (): void => {
    if (isPending) return;
    const items = rows.map(({ kind, subject, pattern }) => ({
      kind,
      subject: isForLater ? (pattern ?? subject) : subject,
    }));
    const checked = contract.setFine.body.safeParse({ items, reason });
    if (checked.success) mutate({ body: checked.data });
    else refuse(checked.error.issues[0]?.message);
  };
  return (
    <Dialog
      size="sm"
      title={rows.length === 1 ? 'Fine, because …' : `${countText(rows.length, 'exception')} fine, because …`}
      description={rows.length === 1 ? namedException(rows[0]!) : 'The same reason for all of them'}
      onClose={() => onClose()}
      initialFocus={field}
      footer={
        <>
          <Button onClick={() => onClose()}>Cancel</Button>
          <ConfirmButton label="Fine" run={send} busy={isPending} />
        </>
      }
    >
      <TextArea
        {...fieldProps}
        ref={field}
        required
        maxLength={500}
        placeholder="Wet ore, agreed by phone, a diversion by the police…"
        hint="It is hidden from the list, and can be taken back"
      />
      {canBeForLater && (
        <Checkbox
          label="Also later ones of the same vehicle on the same route"
          checked={isForLater}
          onCheckedChange={setForLater}
        />
      )}
    </Dialog>
  );
}
