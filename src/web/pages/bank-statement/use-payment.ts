import { useRef } from 'react';
import type { PaymentRequest } from '../../../shared/calc/selection.ts';
import type { PaymentResult, StatementFilters } from '../../../shared/contract/bank-statement.ts';
import { contract } from '../../../shared/contract/index.ts';
import { isApiError, type ApiError } from '../../api/api-error.ts';
import { call, saveFile, saveText } from '../../api/client.ts';
import { bankStatement, paymentBatches } from '../../api/resources.ts';
import { notify } from '../../shell/toast.ts';

export type Request = PaymentRequest<StatementFilters>;

const challans = (count: number): string => `${count.toLocaleString('en-IN')} ${count === 1 ? 'challan' : 'challans'}`;

/** Counts what the answer says, not what was selected. */
export function paidText({ updatedCount, skippedCount }: PaymentResult): string {
  const skipped = skippedCount === 0 ? '' : `, ${skippedCount.toLocaleString('en-IN')} already paid before`;
  return `Successfully marked ${challans(updatedCount)} as paid${skipped}`;
}

/** The two bulk payments with what follows them: the toast with its Undo for ten seconds, and the payment's file. */
export function usePayment(onPaid: () => void) {
  const byIds = bankStatement.useMarkPaid();
  const byFilter = bankStatement.useMarkMatchingPaid();
  const reverse = paymentBatches.useReverse({
    onSuccess: ({ data }) =>
      notify.success(`Payment ${data.number} undone: ${challans(data.reversedCount)} unpaid again`),
    onError: (error) => notify.error(error, 'Failed to update payment status'),
  });
  /** The key of a request whose outcome is not known: the same request again must not pay twice (ruling 37). */
  const open = useRef<{ request: string; key: string }>(undefined);

  const pay = async (request: Request, key?: string): Promise<PaymentResult> => {
    const text = JSON.stringify(request);
    const idempotencyKey = key ?? (open.current?.request === text ? open.current.key : crypto.randomUUID());
    open.current = { request: text, key: idempotencyKey };
    const { data } =
      request.by === 'ids'
        ? await byIds.mutateAsync({ body: { challanIds: request.challanIds }, idempotencyKey })
        : await byFilter.mutateAsync({
            body: {
              filters: request.filters,
              excludeChallanIds: request.excludeChallanIds,
              paymentStatus: true,
              expected: request.expected,
            },
            idempotencyKey,
          });
    open.current = undefined;
    onPaid();
    const { batchId } = data;
    if (batchId === null) notify.info('All selected challans had been paid already.');
    else {
      notify.undo(paidText(data), () =>
        reverse.mutate({ params: { id: batchId }, body: { reason: 'Undone from the bank statement' } }),
      );
      void downloadPayment(batchId, data);
    }
    return data;
  };

  return { pay, isPaying: byIds.isPending || byFilter.isPending };
}

/** The payment's file comes by itself: with the answer, or for a large payment by its own call. */
async function downloadPayment(batchId: string, { csv }: PaymentResult): Promise<void> {
  try {
    if (csv) saveText(csv);
    else saveFile(await call(contract.paymentBatches.exportCsv, { params: { id: batchId } }), 'payment.csv');
    notify.success('Payment summary CSV downloaded automatically');
  } catch (error) {
    notify.error(error, 'Failed to download CSV file');
  }
}

/** `data` of SELECTION_CHANGED: what the filter matches now. */
export function changedTo(error: unknown): { count: number; totalAmount: string } | undefined {
  if (!isApiError(error, 'SELECTION_CHANGED')) return undefined;
  // The contract's selectionNow; ApiError carries it unread.
  return (error as ApiError).data as { count: number; totalAmount: string };
}
