import { canHoldChallan, reasonOf } from '../../../../shared/access.ts';
import { ConfirmButton } from '../../../kit/actions/confirm-button.tsx';
import { isApiError } from '../../../kit/api/api-error.ts';
import { challans } from '../../../resources/challans.ts';
import { owners } from '../../../resources/owners.ts';
import { readAgain } from '../../../kit/api/create-resource.ts';
import { QueryFailure } from '../../../kit/feedback/failure-alert.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { useReasonField } from '../../../kit/forms/use-reason.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { TextArea } from '../../../kit/ui/text-field.tsx';

/** A record that can be put on hold. `name` is the number of a challan or the name of an owner. */
export interface Holdable {
  record: 'challan' | 'owner';
  id: string;
  name: string;
}

const noReason = 'Please enter a reason';

/** Loads the record's current reason and version, because the list it was opened from may be stale. */
function useRecord({ record, id }: Holdable) {
  const challan = challans.useGet({ params: { id } }, { ...readAgain, enabled: record === 'challan' });
  const owner = owners.useGet({ params: { id } }, { ...readAgain, enabled: record === 'owner' });
  const query = record === 'challan' ? challan : owner;
  return {
    now: query.isFetching ? undefined : query.data?.data,
    query,
    disabledReason: holdDisabledReason(challan.data?.data),
  };
}
const holdDisabledReason = (challan: { paymentStatus: boolean } | undefined): string | undefined =>
  challan && reasonOf(canHoldChallan(challan));

/** Asks for the reason of a hold. If the record is on hold already, its reason can be changed or the hold ended. */
export default function HoldDialog({ what, onClose }: { what: Holdable; onClose: () => void }) {
  const { now, query, disabledReason } = useRecord(what);
  const { reason, field, refuse, fieldProps } = useReasonField(now?.holdReason);
  const isHeld = now !== undefined && now.holdReason !== '';
  const done = {
    onSuccess: ({ data }: { data: { holdReason: string } }) => {
      notify.success(data.holdReason === '' ? `${what.name} is no longer on hold` : `${what.name} is on hold`);
      onClose();
    },
    onError: (failure: unknown) => {
      notify.error(failure, 'Failed to change the hold');
      // The server refused it, so the record shown here is probably stale.
      if (isApiError(failure)) onClose();
    },
  };
  const ofChallan = challans.useSetHold(done);
  const ofOwner = owners.useSetHold(done);
  const { mutate, isPending } = what.record === 'challan' ? ofChallan : ofOwner;
  const send = (next: string): void => {
    if (isPending || !now) return;
    mutate({ params: { id: what.id }, body: { reason: next, version: now.version } });
  };
  const confirm = (): void => {
    if (reason.trim() === '') refuse(noReason);
    else send(reason.trim());
  };
  return (
    <Dialog
      size="sm"
      title={isHeld ? `${what.name} is on hold` : `Put ${what.name} on hold?`}
      description={
        what.record === 'owner' ? 'Its challans are not paid while it is on hold' : 'It is not paid while it is on hold'
      }
      onClose={onClose}
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {isHeld && (
            <Button busy={isPending} onClick={() => send('')}>
              Take off Hold
            </Button>
          )}
          <ConfirmButton
            label={isHeld ? 'Change the Reason' : 'Put on Hold'}
            run={confirm}
            busy={isPending}
            disabledReason={
              disabledReason ?? (now ? undefined : query.error ? 'It could not be loaded' : 'Still loading')
            }
          />
        </>
      }
    >
      <QueryFailure className="mb-3" query={query} fallback="Failed to load the record" />
      {disabledReason !== undefined && <p className="mb-3 text-warn">{disabledReason}</p>}
      <TextArea
        {...fieldProps}
        ref={field}
        required
        maxLength={500}
        placeholder="Shortage in dispute, papers missing, asked to wait…"
        hint="Shown wherever the record is listed"
      />
    </Dialog>
  );
}
