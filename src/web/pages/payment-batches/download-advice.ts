import { paymentBatches } from '../../api/payment-batches.ts';
import { call, saveFile } from '../../api/client.ts';
import { notify } from '../../feedback/toast.ts';

/** The printed advice of a payment as a PDF: one owner's page, or one for each (docs/specification.md §24.7). */
export async function downloadAdvice(batch: { id: string; number: string }, ownerId?: string): Promise<void> {
  try {
    const query = ownerId === undefined ? {} : { ownerId };
    const file = await call(paymentBatches.calls.advice, { params: { id: batch.id }, query });
    saveFile(file, `payment_advice_${batch.number}.pdf`);
    notify.success('Payment advice downloaded successfully');
  } catch (error) {
    notify.error(error, 'Failed to download the payment advice');
  }
}
