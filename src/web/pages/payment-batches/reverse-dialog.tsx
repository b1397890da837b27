import { useRef, useState } from 'react';
import { z } from 'zod';
import { ConfirmKey } from '../../actions/confirm-key.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { compare, formatINR } from '../../../shared/calc/money.ts';
import { reversalInput, type PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { isApiError } from '../../api/api-error.ts';
import { paymentBatches } from '../../api/payment-batches.ts';
import { notify } from '../../feedback/toast.ts';
import { useReason } from '../../forms/use-reason.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { challansOf, counted } from './payment-words.ts';

/** A line without an answer; an executed one cannot be said to fail. */
const unanswered = z.object({ state: z.literal('in-file') });

interface ReverseDialogProps {
  batch: PaymentBatch;
  onClose: () => void;
}

/**
 * Takes a payment back, with the reason that its history will show. The reason has the focus: it is required, and words
 * typed over the safe button would press it at the first space. Nothing confirms by accident all the same: Enter is a new
 * line here, and Ctrl+Enter wants the reason first.
 */
export function ReverseDialog({ batch, onClose }: ReverseDialogProps) {
  const { reason, field, refuse, ofField } = useReason();
  /** What the server said of lines of the payment that are in a bank file (docs/specification.md §24.5). */
  const [atBank, setAtBank] = useState<string>();
  const [linesFail, setLinesFail] = useState(false);
  // The list behind may be older than what was taken back elsewhere; what is shown here is what will be undone.
  const { data: asked } = paymentBatches.useGet(
    { params: { id: batch.id }, query: { limit: 1 } },
    { staleTime: 0, refetchOnMount: 'always' },
  );
  const now = asked?.data.id === batch.id ? asked.data : batch;
  const undone = now.updatedCount - now.paidCount;
  /** What was shown when it was confirmed. */
  const confirmed = useRef(now);
  const reverse = paymentBatches.useReverse({
    onSuccess: ({ data }) => {
      const { paidCount, paidAmount } = confirmed.current;
      if (data.reversedCount !== paidCount || compare(data.reversedAmount, paidAmount) !== 0) {
        notify.warning(
          `${counted(paidCount, 'challan')}, ${formatINR(paidAmount)} were shown: the rest had been undone elsewhere meanwhile.`,
        );
      }
      notify.success(
        `Payment ${data.number} undone: ${counted(data.reversedCount, 'challan')} unpaid again, ${formatINR(data.reversedAmount)}`,
      );
      onClose();
    },
    onError: (error) => {
      if (error.fields['reason']) {
        refuse(error.fields['reason']);
        return;
      }
      if (isApiError(error, 'LINE_AT_BANK') && unanswered.safeParse(error.data).success) {
        setAtBank(error.text);
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
      confirmed.current = now;
      reverse.mutate({
        params: { id: batch.id },
        body: { ...checked.data, ...(linesFail && { bankLines: 'failed' as const }) },
      });
      return;
    }
    refuse(checked.error.issues[0]?.message);
  };

  return (
    <Dialog
      open
      role="alertdialog"
      size="sm"
      title={`Undo payment ${batch.number}?`}
      description={`Paid on ${formatDateTime(batch.createdAt)} by ${batch.createdBy}`}
      onClose={onClose}
      initialFocus={field}
      footer={
        <>
          <ConfirmKey label="Undo Payment" run={confirm} />
          <Button onClick={onClose}>No, Keep It</Button>
          <Button variant="danger" keys="Ctrl+Enter" busy={reverse.isPending} onClick={confirm}>
            Undo Payment
          </Button>
        </>
      }
    >
      <p className="mb-3">
        <b>{challansOf(now.paidCount, now.paidOwnerCount)}</b> {now.paidCount === 1 ? 'becomes' : 'become'} unpaid
        again, <b className="nums">{formatINR(now.paidAmount)}</b> in all.
      </p>
      {undone > 0 && (
        <p className="mb-3 text-muted">
          It paid {counted(now.updatedCount, 'challan')}, <span className="nums">{formatINR(now.totalAmount)}</span>;{' '}
          {undone.toLocaleString('en-IN')} of them {undone === 1 ? 'was' : 'were'} undone before.
        </p>
      )}
      <TextArea
        {...ofField}
        ref={field}
        required
        maxLength={500}
        placeholder="Paid twice, wrong owner, cheque returned…"
        hint="Kept with the payment"
      />
      {atBank !== undefined && (
        <Alert className="mt-3" title={atBank}>
          <Checkbox
            label="The bank will not execute what is in a file: it fails"
            checked={linesFail}
            onCheckedChange={setLinesFail}
          />
        </Alert>
      )}
    </Dialog>
  );
}
