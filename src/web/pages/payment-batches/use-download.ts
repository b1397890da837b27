import { useCallback } from 'react';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { contract } from '../../../shared/contract/index.ts';
import { call } from '../../api/client.ts';
import { useFileDownload } from '../../shell/use-file-download.ts';

/** A payment's file again, the same bytes each time. */
export function useDownload() {
  const { progress, start, cancel } = useFileDownload();
  const download = useCallback(
    ({ id, number, updatedCount }: Pick<PaymentBatch, 'id' | 'number' | 'updatedCount'>) =>
      start({
        get: (options) => call(contract.paymentBatches.exportCsv, { params: { id } }, options),
        total: updatedCount,
        fallbackName: `payment_${number}.csv`,
        done: 'CSV file downloaded successfully',
        failed: 'Failed to download CSV',
        cancelled: 'CSV download cancelled',
      }),
    [start],
  );
  return { download, progress, cancel };
}
