import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRef } from 'react';
import { selectionNow, type PaymentResult, type SelectionNow } from '../../../shared/contract/bank-statement.ts';
import { contract } from '../../../shared/contract/index.ts';
import { isApiError } from '../../api/api-error.ts';
import { call, saveText } from '../../api/client.ts';
import { bankStatement, paymentBatches } from '../../api/resources.ts';
import { notify } from '../../shell/toast.ts';
import { useFileDownload } from '../../shell/use-file-download.ts';
import type { Request } from './payment-plan.ts';

const number = (count: number): string => count.toLocaleString('en-IN');
export const challansText = (count: number): string => `${number(count)} ${count === 1 ? 'challan' : 'challans'}`;

const fileSaved = 'Payment summary CSV downloaded automatically';
const fileFailed = 'Failed to download CSV file';

/** Counts what the answer says, not what was selected. */
function paidText({ updatedCount, skippedCount }: PaymentResult, excluded: number): string {
  const skipped = skippedCount === 0 ? '' : `, ${number(skippedCount)} had been paid before`;
  const left = excluded === 0 ? '' : `, ${number(excluded)} excluded`;
  const paid =
    updatedCount === 1
      ? 'Successfully marked 1 challan as paid'
      : `Successfully marked ${number(updatedCount)} challans as paid`;
  return `${paid}${skipped}${left}`;
}

/** The two bulk payments with what follows them: the toast with its Undo for ten seconds, and the payment's file. */
export function usePayment(onPaid: () => void) {
  const byIds = bankStatement.useMarkPaid();
  const byFilter = bankStatement.useMarkMatchingPaid();
  /** A payment is taken back once: the toast's Undo and the dialog's are the same act. */
  const undone = useRef<string>(undefined);
  const reverse = paymentBatches.useReverse({
    onSuccess: ({ data }) =>
      notify.success(`Payment ${data.number} undone: ${challansText(data.reversedCount)} unpaid again`),
    onError: (error) => {
      undone.current = undefined;
      notify.error(error, 'Failed to update payment status');
    },
  });
  const undo = (batchId: string): void => {
    if (undone.current === batchId) return;
    undone.current = batchId;
    reverse.mutate({ params: { id: batchId }, body: { reason: 'Undone from the bank statement' } });
  };
  const { progress, start, cancel } = useFileDownload();
  /** The payment's file comes by itself: with the answer, or for a large payment by its own call. */
  const download = (batchId: string, { csv, updatedCount }: PaymentResult): void => {
    if (csv) {
      saveOwn(csv);
      return;
    }
    start({
      get: (options) => call(contract.paymentBatches.exportCsv, { params: { id: batchId } }, options),
      total: updatedCount,
      fallbackName: 'payment.csv',
      done: fileSaved,
      failed: fileFailed,
      cancelled: 'CSV download cancelled. The file is kept under Payments.',
    });
  };
  /** The key of a request whose outcome is not known: the same request again must not pay twice (ruling 37). */
  const open = useRef<{ request: string; key: string }>(undefined);

  const pay = async (request: Request, key?: string): Promise<PaymentResult> => {
    const text = JSON.stringify(request);
    const idempotencyKey = key ?? (open.current?.request === text ? open.current.key : newIdempotencyKey());
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
    if (batchId === null) {
      notify.info(`Nothing was marked: ${challansText(data.skippedCount)} had been paid before`);
      return data;
    }
    notify.undo(paidText(data, request.by === 'filter' ? request.excludeChallanIds.length : 0), () => undo(batchId));
    download(batchId, data);
    return data;
  };

  return { pay, undo, isPaying: byIds.isPending || byFilter.isPending, file: { progress, cancel } };
}

function saveOwn(csv: NonNullable<PaymentResult['csv']>): void {
  try {
    saveText(csv);
    notify.success(fileSaved);
  } catch (error) {
    notify.error(error, fileFailed);
  }
}

/** `data` of SELECTION_CHANGED: what the filter matches now. */
export function changedTo(error: unknown): SelectionNow | undefined {
  if (!isApiError(error, 'SELECTION_CHANGED')) return undefined;
  return selectionNow.safeParse(error.data).data;
}
