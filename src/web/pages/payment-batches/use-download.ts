import { useCallback } from 'react';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { contract } from '../../../shared/contract/index.ts';
import { call, type CallOptions } from '../../api/client.ts';
import { useFileDownload } from '../../shell/use-file-download.ts';
import { fileNote } from './payment-words.ts';

type Batch = Pick<PaymentBatch, 'id' | 'number' | 'updatedCount' | 'paidCount'>;

/** What still stands of it: asked anew, since the list on the screen may be older than what was taken back elsewhere. */
async function standingOf(batch: Batch, { signal }: Pick<CallOptions, 'signal'>): Promise<Batch> {
  try {
    const { data } = await call(
      contract.paymentBatches.get,
      { params: { id: batch.id }, query: { limit: 1 } },
      { signal },
    );
    return data;
  } catch {
    // The file is what was asked for; without an answer the list's own figures must do.
    return batch;
  }
}

/** A payment's file again, the same bytes each time: what was taken back of it since is told besides. */
export function useDownload() {
  const { progress, start, cancel } = useFileDownload();
  const download = useCallback(
    (batch: Batch) => {
      let standing = batch;
      start({
        get: async (options) => {
          const [file, now] = await Promise.all([
            call(contract.paymentBatches.exportCsv, { params: { id: batch.id } }, options),
            standingOf(batch, options),
          ]);
          standing = now;
          return file;
        },
        total: batch.updatedCount,
        fallbackName: `payment_${batch.number}.csv`,
        done: 'CSV file downloaded successfully',
        failed: 'Failed to download CSV',
        cancelled: 'CSV download cancelled',
        note: () => fileNote(standing),
      });
    },
    [start],
  );
  return { download, progress, cancel };
}
