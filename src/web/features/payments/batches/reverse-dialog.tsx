import { useRef, useState } from 'react';
import { z } from 'zod';
import { ConfirmButtons } from '../../../kit/actions/confirm-button.tsx';
import { challansText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../../shared/calc/dates.ts';
import { compare, formatINR } from '../../../../shared/calc/money.ts';
import { reversalInput, type PaymentBatch } from '../../../../shared/contract/payment-batches.ts';
import { readAgain } from '../../../kit/api/create-resource.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';
import { preparedPayments } from '../../../resources/prepared-payments.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { useReasonField } from '../../../kit/forms/use-reason.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { TextArea } from '../../../kit/ui/text-field.tsx';
import { challansOfOwnersText } from './payment-texts.ts';

/** A line of a bank file without an answer. An executed line cannot be marked as failed. */
const unansweredSchema = z.object({ state: z.literal('in-file') });

interface ReverseDialogProps {
  batch: PaymentBatch;
  onClose: () => void;
}

/**
 * Undoes a payment, with a reason for its history. The required reason has the focus: if the safe button had it,
 * typed words would press it at the first space. An accidental confirmation is impossible, because Enter starts a new
 * line in the field, and Ctrl+Enter requires the reason.
 */
export function ReverseDialog({ batch, onClose }: ReverseDialogProps) {
  const { reason, field, refuse, fieldProps } = useReasonField();
  /** The message of the server about lines of the payment that are in a bank file (docs/specification.md §24.5). */
  const [atBank, setAtBank] = useState<string>();
  const [linesFail, setLinesFail] = useState(false);
  /** Why a second person has to release it (docs/specification.md §28.6). */
  const [needsRelease, setNeedsRelease] = useState<string>();
  // Loads the payment again: the list behind may not show what was undone elsewhere. What is shown here is what will
  // be undone.
  const { data: answer } = paymentBatches.useGet({ params: { id: batch.id }, query: { limit: 1 } }, readAgain);
  const now = answer?.data.id === batch.id ? answer.data : batch;
  const undone = now.updatedCount - now.paidCount;
  /** The payment as it was shown when the user confirmed. */
  const confirmed = useRef(now);
  const reverse = paymentBatches.useReverse({
    onSuccess: ({ data }) => {
      const { paidCount, paidAmount } = confirmed.current;
      if (data.reversedCount !== paidCount || compare(data.reversedAmount, paidAmount) !== 0) {
        notify.warning(
          `${challansText(paidCount)}, ${formatINR(paidAmount)} were shown, but part of it had already been undone elsewhere.`,
        );
      }
      notify.success(
        `Payment ${data.number} undone: ${challansText(data.reversedCount)} unpaid again, ${formatINR(data.reversedAmount)}`,
      );
      onClose();
    },
    onError: (error) => {
      if (error.fields['reason']) {
        refuse(error.fields['reason']);
        return;
      }
      if (isApiError(error, 'LINE_AT_BANK') && unansweredSchema.safeParse(error.data).success) {
        setAtBank(error.text);
        return;
      }
      if (isApiError(error, 'FORBIDDEN')) {
        setNeedsRelease(error.text);
        return;
      }
      notify.error(error, 'Failed to undo payment');
      // The payment was undone elsewhere or no longer exists. The list behind is loaded again.
      if (isApiError(error, 'ALREADY_REVERSED') || isApiError(error, 'NOT_FOUND')) onClose();
    },
  });

  const prepare = preparedPayments.usePrepare({
    onSuccess: ({ data }) => {
      notify.success(`${data.number} prepared. Somebody else releases it under Payments, To Release.`);
      onClose();
    },
    onError: (error) => notify.error(error, 'Failed to prepare the undo'),
  });
  const isBusy = reverse.isPending || prepare.isPending;

  const confirm = (): void => {
    if (isBusy) return;
    const checked = reversalInput.safeParse({ reason });
    if (checked.success) {
      confirmed.current = now;
      const body = { ...checked.data, ...(linesFail && { bankLines: 'failed' as const }) };
      if (needsRelease === undefined) reverse.mutate({ params: { id: batch.id }, body });
      else prepare.mutate({ body: { reverse: { id: batch.id, ...body } } });
      return;
    }
    refuse(checked.error.issues[0]?.message);
  };

  return (
    <Dialog
      role="alertdialog"
      size="sm"
      title={`Undo payment ${batch.number}?`}
      description={`Paid on ${formatDateTime(batch.createdAt)} by ${batch.createdBy}`}
      onClose={onClose}
      initialFocus={field}
      footer={
        <ConfirmButtons
          onCancel={onClose}
          cancel="No, Keep It"
          label={needsRelease === undefined ? 'Undo Payment' : 'Prepare for Release'}
          run={confirm}
          variant="danger"
          busy={isBusy}
        />
      }
    >
      <p className="mb-3">
        <b>{challansOfOwnersText(now.paidCount, now.paidOwnerCount)}</b> {now.paidCount === 1 ? 'becomes' : 'become'}{' '}
        unpaid again, <b className="nums">{formatINR(now.paidAmount)}</b> in all.
      </p>
      {undone > 0 && (
        <p className="mb-3 text-muted">
          It paid {challansText(now.updatedCount)}, <span className="nums">{formatINR(now.totalAmount)}</span>;{' '}
          {formatCount(undone)} of them {undone === 1 ? 'was' : 'were'} already undone.
        </p>
      )}
      <TextArea
        {...fieldProps}
        ref={field}
        required
        maxLength={500}
        placeholder="Paid twice, wrong owner, cheque returned…"
        hint="Saved with the payment"
      />
      {needsRelease !== undefined && <Alert className="mt-3" tone="warn" title={needsRelease} />}
      {atBank !== undefined && (
        <Alert className="mt-3" title={atBank}>
          <Checkbox
            label="The bank will not execute the lines in its file: mark them as failed"
            checked={linesFail}
            onCheckedChange={setLinesFail}
          />
        </Alert>
      )}
    </Dialog>
  );
}
