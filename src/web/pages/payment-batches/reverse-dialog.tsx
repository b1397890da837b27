import { useId, useRef, useState } from 'react';
import { useActions } from '../../actions/registry.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { reversalInput, type PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { isApiError } from '../../api/api-error.ts';
import { paymentBatches } from '../../api/resources.ts';
import { notify } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { counted } from './payment-words.ts';

interface ReverseDialogProps {
  batch: PaymentBatch;
  onClose: () => void;
}

/**
 * Takes a payment back, with the reason that its history will show. The safe button has the focus and Enter never
 * confirms by accident (design, keyboard.md, mark-paid dialogs).
 */
export function ReverseDialog({ batch, onClose }: ReverseDialogProps) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const safe = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldId = useId();
  const reverse = paymentBatches.useReverse({
    onSuccess: ({ data }) => {
      notify.success(
        `Payment ${data.number} undone: ${counted(data.reversedCount, 'challan')} unpaid again, ${formatINR(data.reversedAmount)}`,
      );
      onClose();
    },
    onError: (error) => {
      if (error.fields['reason']) {
        setProblem(error.fields['reason']);
        return;
      }
      notify.error(error, 'Failed to undo payment');
      // Undone elsewhere meanwhile, or gone: the list behind is being asked again.
      if (isApiError(error, 'ALREADY_REVERSED') || isApiError(error, 'NOT_FOUND')) onClose();
    },
  });

  const confirm = (): void => {
    if (reverse.isPending) return;
    const checked = reversalInput.safeParse({ reason });
    if (checked.success) {
      reverse.mutate({ params: { id: batch.id }, body: checked.data });
      return;
    }
    setProblem(checked.error.issues[0]?.message);
    field.current?.focus();
  };

  return (
    <Dialog
      open
      role="alertdialog"
      size="sm"
      title={`Undo payment ${batch.number}?`}
      description={`Paid on ${formatDateTime(batch.createdAt)} by ${batch.createdBy}`}
      onClose={onClose}
      initialFocus={safe}
      footer={
        <>
          <ConfirmKey run={confirm} />
          <Button ref={safe} onClick={onClose}>
            No, Keep It
          </Button>
          <Button variant="danger" keys="Ctrl+Enter" busy={reverse.isPending} onClick={confirm}>
            Undo Payment
          </Button>
        </>
      }
    >
      <p className="mb-3">
        It marked <b>{counted(batch.updatedCount, 'challan')}</b> of {counted(batch.ownerCount, 'owner')} as paid,{' '}
        <b className="nums">{formatINR(batch.totalAmount)}</b> in all. Those that are still paid by it become unpaid
        again.
      </p>
      <TextArea
        ref={field}
        id={fieldId}
        label="Reason"
        required
        maxLength={500}
        placeholder="Paid twice, wrong owner, cheque returned…"
        hint="Kept with the payment"
        error={problem}
        value={reason}
        onValueChange={(text) => {
          setReason(text);
          setProblem(undefined);
        }}
      />
    </Dialog>
  );
}

/** Inside the dialog, so that its key belongs to the dialog. */
function ConfirmKey({ run }: { run: () => void }) {
  useActions([{ id: 'payment.reverse-yes', label: 'Undo payment', keys: 'Ctrl+Enter', run, scope: 'Dialog' }]);
  return null;
}
