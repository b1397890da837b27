import { newIdempotencyKey } from '../../kit/api/idempotency-key.ts';
import { useRef, useState } from 'react';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { owners } from '../../resources/owners.ts';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import type { AnswerOf } from '../../../shared/contract/define.ts';
import type { OwnerCard } from '../../../shared/contract/owners.ts';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';

interface CopyDialogProps {
  chosen: readonly OwnerCard[];
  onClose: () => void;
  /**
   * Called after copying. `isAllCopied` is true if everything was copied and there is nothing left to read in the dialog.
   */
  onDone: (isAllCopied: boolean) => void;
}

type CopyMeta = AnswerOf<typeof owners.calls.copy>['meta'];

const failedText = 'Failed to copy owners';

/**
 * Asks for confirmation before copying. Pressing again after a lost answer copies nothing twice
 * (docs/specification.md §10.5).
 */
export function CopyDialog({ chosen, onClose, onDone }: CopyDialogProps) {
  const [idempotencyKey] = useState(() => newIdempotencyKey());
  const cancelRef = useRef<HTMLButtonElement>(null);
  const trucks = chosen.reduce((count, { trucksCount }) => count + trucksCount, 0);
  const businesses = new Set(chosen.map(({ subadminId }) => subadminId)).size;

  const copy = owners.useCopy({
    onSuccess: ({ meta }) => {
      const { totalOwnersCopied, totalTrucksCopied, errors } = meta;
      for (const { message } of errors) notify.error(`Owner copy failed: ${message}`);
      // No success toast if nothing was copied (docs/specification.md §6.4).
      if (totalOwnersCopied > 0) {
        notify.success(`Successfully copied ${totalOwnersCopied} owners and ${totalTrucksCopied} trucks`);
      }
      onDone(errors.length === 0);
    },
    onError: (error) => notify.error(error, failedText),
  });
  const run = (): void => {
    if (copy.isPending) return;
    copy.mutate({ body: { ownerIds: chosen.map(({ id }) => id) }, idempotencyKey });
  };
  const close = (): void => {
    if (!copy.isPending) onClose();
  };

  if (copy.data) {
    return (
      <Dialog
        title="Not everything was copied"
        onClose={onClose}
        footer={
          <Button ref={takeFocus} onClick={onClose}>
            Close
          </Button>
        }
      >
        <LeftOutList meta={copy.data.meta} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Copy Selected Owners"
      onClose={close}
      initialFocus={cancelRef}
      footer={
        <>
          <Button
            ref={cancelRef}
            onClick={close}
            disabledReason={copy.isPending ? 'The owners are being copied' : undefined}
          >
            Cancel
          </Button>
          <ConfirmButton label={`Copy ${countText(chosen.length, 'owner')}`} run={run} busy={copy.isPending} />
        </>
      }
    >
      <p>
        The selected owners and their trucks are copied to your account. The originals stay unchanged with the
        businesses they belong to.
      </p>
      <div className="mt-4 flex gap-3">
        <StatCard label="Owners" value={formatCount(chosen.length)} />
        <StatCard label="Trucks" value={formatCount(trucks)} />
        <StatCard label="From businesses" value={formatCount(businesses)} />
      </div>
      <ul
        aria-label="Selected owners"
        className="mt-4 grid max-h-48 grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-x-3 overflow-y-auto rounded-md border border-line"
      >
        {chosen.map(({ id, name, trucksCount, currentSubAdmin }) => (
          <li key={id} className="col-span-3 grid grid-cols-subgrid border-b border-line px-3 py-1.5 last:border-b-0">
            <span className="truncate">{name}</span>
            <span className="truncate text-muted">{currentSubAdmin.bannerName}</span>
            <span className="nums text-right text-muted">{countText(trucksCount, 'truck')}</span>
          </li>
        ))}
      </ul>
      {copy.error && (
        <FailureAlert className="mt-4" error={copy.error} fallback={failedText}>
          You can copy again. Nothing is copied twice.
        </FailureAlert>
      )}
    </Dialog>
  );
}

/** Takes the focus, because the button that had it is gone with the confirmation. */
const takeFocus = (button: HTMLButtonElement | null): void => button?.focus();

/** Lists what was left out. Toasts disappear, and a hundred owners may have many messages. */
function LeftOutList({ meta }: { meta: CopyMeta }) {
  const { totalOwnersCopied, totalTrucksCopied, errors } = meta;
  return (
    <>
      <p>
        {countText(totalOwnersCopied, 'owner')} and {countText(totalTrucksCopied, 'truck')} copied. Left out:
      </p>
      <ul aria-label="Left out" className="mt-2 grid list-disc gap-1 pl-5">
        {errors.map(({ ownerId, message }) => (
          <li key={`${ownerId} ${message}`}>{message}</li>
        ))}
      </ul>
    </>
  );
}
