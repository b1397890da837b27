import { canHoldChallan, reasonOf } from '../../shared/access.ts';
import { ConfirmKey } from '../actions/confirm-key.ts';
import { isApiError } from '../api/api-error.ts';
import { challans } from '../api/challans.ts';
import { owners } from '../api/owners.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { notify } from '../feedback/toast.ts';
import { useReasonField } from '../forms/use-reason.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/text-field.tsx';
import type { Holdable } from './use-hold.tsx';

const noReason = 'Please enter a reason';

/** The record as it is now: its reason and its version, whichever list it was opened from. */
function useRecord({ record, id }: Holdable) {
  const fresh = { staleTime: 0, refetchOnMount: 'always' as const };
  const challan = challans.useGet({ params: { id } }, { ...fresh, enabled: record === 'challan' });
  const owner = owners.useGet({ params: { id } }, { ...fresh, enabled: record === 'owner' });
  const query = record === 'challan' ? challan : owner;
  return {
    now: query.isFetching ? undefined : query.data?.data,
    error: query.error,
    refused: reasonOfChallan(challan.data?.data),
  };
}
const reasonOfChallan = (challan: { paymentStatus: boolean } | undefined): string | undefined =>
  challan && reasonOf(canHoldChallan(challan));

/** Why it waits; with the reason there already, how to go on. */
export default function HoldDialog({ what, onClose }: { what: Holdable; onClose: () => void }) {
  const { now, error, refused } = useRecord(what);
  const { reason, field, refuse, fieldProps } = useReasonField(now?.holdReason);
  const isHeld = now !== undefined && now.holdReason !== '';
  const done = {
    onSuccess: ({ data }: { data: { holdReason: string } }) => {
      notify.success(data.holdReason === '' ? `${what.name} is no longer on hold` : `${what.name} is on hold`);
      onClose();
    },
    onError: (failure: unknown) => {
      notify.error(failure, 'Failed to change the hold');
      // Changed or gone meanwhile: what is shown here is old.
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
    if (refused !== undefined) return;
    if (reason.trim() === '') refuse(noReason);
    else send(reason.trim());
  };
  return (
    <Dialog
      open
      size="sm"
      title={isHeld ? `${what.name} is on hold` : `Put ${what.name} on hold?`}
      description={
        what.record === 'owner'
          ? 'None of its challans is paid until it is taken off hold'
          : 'It is not paid until it is taken off hold'
      }
      onClose={onClose}
      initialFocus={field}
      footer={
        <>
          <ConfirmKey label={isHeld ? 'Change the reason' : 'Put on Hold'} run={confirm} />
          <Button onClick={onClose}>Cancel</Button>
          {isHeld && (
            <Button busy={isPending} onClick={() => send('')}>
              Take off Hold
            </Button>
          )}
          <Button
            variant="primary"
            keys="Ctrl+Enter"
            busy={isPending}
            disabledReason={refused ?? (now ? undefined : 'It is being loaded')}
            onClick={confirm}
          >
            {isHeld ? 'Change the Reason' : 'Put on Hold'}
          </Button>
        </>
      }
    >
      {error !== null && <FailureAlert error={error} fallback="Failed to load what is to be put on hold" />}
      {refused !== undefined && <p className="mb-3 text-warn">{refused}</p>}
      <TextArea
        {...fieldProps}
        ref={field}
        required
        maxLength={500}
        placeholder="Shortage in dispute, papers missing, asked to wait…"
        hint="Shown wherever it is listed"
      />
    </Dialog>
  );
}
