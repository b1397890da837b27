import { useEffect, useRef, useState, type RefObject } from 'react';
import { useNavigate } from 'react-router-dom';
import { nothingMatches } from '../../../shared/access.ts';
import { challansText, formatCount } from '../../../shared/calc/count-text.ts';
import { clearSelection } from '../../../shared/calc/selection.ts';
import type { GridHandle, SelectionState } from '../../grid/grid-types.ts';
import type { PaymentResult, SelectionReview } from '../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../api/bank-statement.ts';
import { paymentBatches } from '../../api/payment-batches.ts';
import { formatINR, isZero } from '../../../shared/calc/money.ts';
import { call, saveText } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { notify } from '../../feedback/toast.ts';
import { useFileDownload } from '../../feedback/file-download.tsx';
import { negativeText } from './mark-paid-parts.tsx';
import {
  changedTo,
  matchingRequest,
  payableNow,
  planFor,
  planOver,
  type PaymentPlan,
  type Request,
} from './payment-plan.ts';
import type { StatementRow } from './statement-rows.tsx';
import type { useStatement } from './use-statement.ts';

interface MarkPaidParts {
  statement: ReturnType<typeof useStatement>;
  rows: readonly StatementRow[] | undefined;
  grid: RefObject<GridHandle<StatementRow> | null>;
  /** Around the grid: takes the focus when no row is left to have it. */
  table: RefObject<HTMLElement | null>;
  stateOf: (row: StatementRow) => SelectionState;
}

const failed = 'Failed to update payment status';
const fileSaved = 'Payment summary CSV downloaded automatically';
const fileFailed = 'Failed to download CSV file';

/** Counts what the answer says, not what was selected. */
function paidText({ updatedCount, skippedCount }: PaymentResult, excluded: number): string {
  const skipped = skippedCount === 0 ? '' : `, ${formatCount(skippedCount)} had been paid before`;
  const left = excluded === 0 ? '' : `, ${formatCount(excluded)} excluded`;
  const paid =
    updatedCount === 1
      ? 'Successfully marked 1 challan as paid'
      : `Successfully marked ${formatCount(updatedCount)} challans as paid`;
  return `${paid}${skipped}${left}`;
}

/** The two bulk payments with what follows them: the toast with its Undo for ten seconds, and the payment's file. */
function usePayment(onPaid: () => void) {
  const byIds = bankStatement.useMarkPaid();
  const byFilter = bankStatement.useMarkMatchingPaid();
  /** A payment is taken back once: the toast's Undo and the dialog's are the same act. */
  const undone = useRef<string>(undefined);
  const reverse = paymentBatches.useReverse({
    onSuccess: ({ data }) =>
      notify.success(`Payment ${data.number} undone: ${challansText(data.reversedCount)} unpaid again`),
    onError: (error) => {
      undone.current = undefined;
      notify.error(error, failed);
    },
  });
  const undo = (batchId: string): void => {
    if (undone.current === batchId) return;
    undone.current = batchId;
    reverse.mutate({ params: { id: batchId }, body: { reason: 'Undone from the bank statement' } });
  };
  const navigate = useNavigate();
  const { progress, start, cancel } = useFileDownload();
  /** The payment's file comes by itself: with the answer, or for a large payment by its own call. */
  const download = (batchId: string, { csv, updatedCount }: PaymentResult, onSaved: () => void): void => {
    if (csv) {
      try {
        saveText(csv);
        onSaved();
      } catch (error) {
        notify.error(error, fileFailed);
      }
      return;
    }
    start({
      get: (options) => call(paymentBatches.calls.exportCsv, { params: { id: batchId } }, options),
      total: updatedCount,
      fallbackName: 'payment.csv',
      done: onSaved,
      failed: fileFailed,
      cancelled: 'CSV download cancelled. The file is kept under Payments.',
    });
  };
  /**
   * The key of a request whose outcome is not known: the same request again must not pay twice
   * (docs/specification.md §10.5).
   */
  const open = useRef<{ request: string; key: string }>(undefined);

  const pay = async (request: Request, key?: string, notes: readonly string[] = []): Promise<PaymentResult> => {
    const text = JSON.stringify(request);
    const idempotencyKey = key ?? (open.current?.request === text ? open.current.key : newIdempotencyKey());
    open.current = { request: text, key: idempotencyKey };
    const { paysNegative = false, carries = [] } = request;
    const negative = { ...(paysNegative && { paysNegative }), ...(carries.length > 0 && { carries: [...carries] }) };
    const { data } =
      request.by === 'ids'
        ? await byIds.mutateAsync({ body: { challanIds: request.challanIds, ...negative }, idempotencyKey })
        : await byFilter.mutateAsync({
            body: {
              filters: request.filters,
              excludeChallanIds: request.excludeChallanIds,
              paymentStatus: true,
              expected: request.expected,
              ...negative,
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
    const excluded = request.by === 'filter' ? request.excludeChallanIds.length : 0;
    const figures = [
      formatINR(data.totalAmount),
      ...(data.number === null ? [] : [`Payment ${data.number}`]),
      ...notes,
    ];
    const message = notify.undo(paidText(data, excluded), () => undo(batchId), 'Undo', undefined, {
      detail: figures.join(' · '),
      logAs: `payment ${batchId}`,
      also: {
        label: 'Write to Owners',
        run: () => void navigate(`/accounting/payments?open=${batchId}&write=owners`),
      },
    });
    download(batchId, data, () => {
      // One message: on its own it would lie over the one with the Undo.
      if (!message.setDetail([...figures, fileSaved].join(' · '))) notify.success(fileSaved);
    });
    return data;
  };

  return { pay, undo, isPaying: byIds.isPending || byFilter.isPending, file: { progress, cancel } };
}

/**
 * Both ways to pay (docs/specification.md §10.3 and §10.4): the selected challans through the two steps, everything
 * that matches at once.
 */
export function useMarkPaid({ statement, rows, grid, table, stateOf }: MarkPaidParts) {
  const { selection, setSelection, summary, matching, filters, query } = statement;
  const [plan, setPlan] = useState<PaymentPlan>();
  const [isAll, setAll] = useState(false);
  /** Where the focus belongs once the paid rows are gone; '' where no row of this page stays. */
  const nextRow = useRef<string>(undefined);

  const payment = usePayment(() => {
    nextRow.current = rowAfterPayment(rows ?? [], grid.current?.focusedRow(), (row) => stateOf(row) === 'all');
    setSelection(clearSelection());
  });

  const { dataUpdatedAt, data } = query;
  const isEmpty = data?.data.owners.length === 0;
  useEffect(() => {
    const wanted = nextRow.current;
    if (wanted === undefined || dataUpdatedAt === 0) return;
    nextRow.current = undefined;
    const at = document.activeElement;
    // Whoever has gone on to a field or a button meanwhile is not called back.
    if (at && at !== document.body && !table.current?.contains(at)) return;
    if (isEmpty) table.current?.focus();
    else if (wanted === '' || !grid.current?.focusRow(wanted)) grid.current?.focusFirstRow();
  }, [dataUpdatedAt, isEmpty, grid, table]);

  const markSelected = (): void => {
    const made = planFor(selection, statement);
    if ('refused' in made) notify.error(made.refused);
    else setPlan(made);
  };
  const markAll = (): void => {
    if (payment.isPaying) return;
    const due = payableNow(matching, summary);
    if (due.count === 0) {
      notify.error(nothingMatches);
      return;
    }
    const request = matchingRequest({ filters, matching: due });
    setAll(true);
    const notes = [
      ...(summary && summary.negativeOwnerCount > 0 ? [`Left out: ${negativeText(summary)}`] : []),
      ...(summary && !isZero(summary.deductedAmount)
        ? [`${formatINR(summary.deductedAmount)} carried from earlier payments was deducted`]
        : []),
    ];
    payment
      .pay(request, undefined, notes)
      .catch((error: unknown) => {
        const now = changedTo(error);
        // Not paid over figures nobody has seen: the two steps show what was and what is.
        if (now) setPlan(planOver({ request, filters, ...due, leftOut: { count: 0, amount: '0.00' } }, now));
        else notify.error(error, failed);
      })
      .finally(() => setAll(false));
  };

  return {
    plan,
    /** The challans of the plan are no longer what was shown. */
    change: (changed: PaymentPlan, review?: SelectionReview) => {
      setPlan(changed);
      if (review) statement.takeReview(review);
      if (changed.before) void query.refetch();
    },
    close: () => setPlan(undefined),
    pay: payment.pay,
    undo: payment.undo,
    paying: payment.isPaying ? (isAll ? ('matching' as const) : ('selected' as const)) : undefined,
    /** How far the file of a large payment is. */
    file: payment.file,
    markSelected,
    markAll,
    /** After a payment the dialog gives the focus to the row that is next in line. */
    placeFocus: () => (nextRow.current ? (grid.current?.focusRow(nextRow.current) ?? false) : false),
  };
}

/** The first row behind the focused one that stays, else the nearest before it. */
function rowAfterPayment(
  rows: readonly StatementRow[],
  focused: StatementRow | undefined,
  isPaid: (row: StatementRow) => boolean,
): string {
  const at = focused ? rows.findIndex((row) => row.key === focused.key) : -1;
  const from = Math.max(at, 0);
  const stays = (row: StatementRow): boolean => !isPaid(row);
  return (rows.slice(from).find(stays) ?? rows.slice(0, from).findLast(stays))?.key ?? '';
}
