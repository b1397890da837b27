import { paymentBatches } from '../../../resources/payment-batches.ts';
import { call, saveFile } from '../../../kit/api/client.ts';
import { notify } from '../../../kit/feedback/toast.ts';

/**
 * Downloads the payment advice as a PDF: the page of one owner, or a page for each owner (docs/specification.md
 * §24.7).
 */
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
