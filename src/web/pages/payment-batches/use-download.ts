import { useCallback, useRef } from 'react';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { saveFile } from '../../api/client.ts';
import { paymentBatches } from '../../api/resources.ts';
import { notify } from '../../shell/toast.ts';

/** A payment's file again, the same bytes each time; one call per payment at a time. */
export function useDownload(): (batch: Pick<PaymentBatch, 'id' | 'number'>) => void {
  const { mutateAsync } = paymentBatches.useExportCsv();
  const running = useRef(new Set<string>());
  return useCallback(
    ({ id, number }) => {
      if (running.current.has(id)) return;
      running.current.add(id);
      mutateAsync({ params: { id } })
        .then(
          (file) => {
            saveFile(file, `payment_${number}.csv`);
            notify.success('CSV file downloaded successfully');
          },
          (error: unknown) => notify.error(error, 'Failed to download CSV'),
        )
        .finally(() => running.current.delete(id));
    },
    [mutateAsync],
  );
}
