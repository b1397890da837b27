import { useRef } from 'react';
import { challansText } from '../../../../shared/calc/count-text.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';

/**
 * Undoes a payment of many challans from what reports it. A toast and a dialog may both offer it; it is sent only once. `failed` is
 * the message when the server gives none.
 */
export function useUndoOfPayment(reason: string, failed: string): (batchId: string) => void {
  const undone = useRef<string>(undefined);
  const { mutate } = paymentBatches.useReverse({
    onSuccess: ({ data }) =>
      notify.success(`Payment ${data.number} undone: ${challansText(data.reversedCount)} unpaid again`),
    onError: (error) => {
      undone.current = undefined;
      notify.error(error, failed);
    },
  });
  return (id) => {
    if (undone.current === id) return;
    undone.current = id;
    mutate({ params: { id }, body: { reason } });
  };
}
