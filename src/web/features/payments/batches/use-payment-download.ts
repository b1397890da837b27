import { useCallback } from 'react';
import type { FileFormat } from '../../../../shared/calc/file-names.ts';
import type { PaymentBatch } from '../../../../shared/contract/payment-batches.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';
import { call, type CallOptions } from '../../../kit/api/client.ts';
import { fileMessages, useFileDownload } from '../../../kit/feedback/file-download.tsx';
import { fileNote } from './payment-texts.ts';

const calls = { csv: paymentBatches.calls.exportCsv, xlsx: paymentBatches.calls.exportXlsx };

type Batch = Pick<PaymentBatch, 'id' | 'number' | 'updatedCount' | 'paidCount'>;

/** Loads how much of the payment is still paid, because the list on the screen may be older than an undo elsewhere. */
async function fetchPaidNow(batch: Batch, { signal }: Pick<CallOptions, 'signal'>): Promise<Batch> {
  try {
    const { data } = await call(
      paymentBatches.calls.get,
      { params: { id: batch.id }, query: { limit: 1 } },
      { signal },
    );
    return data;
  } catch {
    // The file matters most. If this call fails, the figures of the list are used.
    return batch;
  }
}

/** Downloads the file of a payment, which always has the same bytes. A warning tells what was undone since. */
export function usePaymentDownload() {
  const { progress, start, cancel } = useFileDownload();
  const download = useCallback(
    (batch: Batch, format: FileFormat) => {
      let latest = batch;
      start({
        get: async (options) => {
          const [file, now] = await Promise.all([
            call(calls[format], { params: { id: batch.id } }, options),
            fetchPaidNow(batch, options),
          ]);
          latest = now;
          return file;
        },
        total: batch.updatedCount,
        countsLines: format === 'csv',
        fallbackName: `payment_${batch.number}.${format}`,
        ...fileMessages[format],
        note: () => fileNote(latest),
      });
    },
    [start],
  );
  return { download, progress, cancel };
}
