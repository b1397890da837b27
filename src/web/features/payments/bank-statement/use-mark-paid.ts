import { useEffect, useRef, useState, type RefObject } from 'react';
import { useNavigate } from 'react-router-dom';
import { nothingToPay } from '../../../../shared/access.ts';
import { challansText, formatCount } from '../../../../shared/calc/count-text.ts';
import { clearSelection } from '../../../../shared/calc/selection.ts';
import type { GridHandle, SelectionState } from '../../../kit/grid/grid-types.ts';
import type { PaymentResult, SelectionReview } from '../../../../shared/contract/bank-statement.ts';
import { useUndoOfPayment } from '../../challans/index.ts';
import { bankStatement } from '../../../resources/bank-statement.ts';
import { bankFiles } from '../../../resources/bank-files.ts';
import { useActions } from '../../../kit/actions/registry.ts';
import { refusalOf } from '../../../kit/api/seat.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';
import { formatINR, isZero } from '../../../../shared/calc/money.ts';
import { call, saveText } from '../../../kit/api/client.ts';
import { useRequestKeys } from '../../../kit/api/idempotency-key.ts';
import { preparedPayments } from '../../../resources/prepared-payments.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { useFileDownload } from '../../../kit/feedback/file-download.tsx';
import { negativeText } from './mark-paid-parts.tsx';
import {
  actOf,
  changedTo,
  matchingRequest,
  planFor,
  planOver,
  type PaymentPlan,
  type PlanRequest,
} from './payment-plan.ts';
import type { StatementRow } from './statement-rows.tsx';
import type { useStatement } from './use-statement.ts';

interface MarkPaidParts {
  statement: ReturnType<typeof useStatement>;
  rows: readonly StatementRow[] | undefined;
  grid: RefObject<GridHandle<StatementRow> | null>;
  /** The element around the grid. It gets the focus when no row is left. */
  table: RefObject<HTMLElement | null>;
  stateOf: (row: StatementRow) => SelectionState;
}

const failed = 'Failed to update payment status';
const fileSaved = 'Payment summary CSV downloaded automatically';
const fileFailed = 'Failed to download CSV file';

/** The message of a payment. Its counts come from the answer, not from the selection. */
function paidText({ updatedCount, skippedCount }: PaymentResult, excluded: number): string {
  const skipped = skippedCount === 0 ? '' : `, ${formatCount(skippedCount)} had been paid before`;
  const left = excluded === 0 ? '' : `, ${formatCount(excluded)} excluded`;
  const paid =
    updatedCount === 1
      ? 'Successfully marked 1 challan as paid'
      : `Successfully marked ${formatCount(updatedCount)} challans as paid`;
  return `${paid}${skipped}${left}`;
}

/** The two bulk payments, each with its toast (Undo for ten seconds) and the download of its file. */
function usePayment(onPaid: () => void) {
  const byIds = bankStatement.useMarkPaid();
  const byFilter = bankStatement.useMarkMatchingPaid();
  const undo = useUndoOfPayment('Undone from the bank statement', failed);
  const navigate = useNavigate();
  /** The last payment that was made here, about which the keys of its message act until the screen is left. */
  const [paid, setPaid] = useState<PaymentResult>();
  const takeBack = (batchId: string): void => {
    setPaid(undefined);
    undo(batchId);
  };
  const leadTo = (query: string) => (id: string) => void navigate(`/accounting/payments?open=${id}&${query}`);
  const after = [
    { id: 'bank-file', label: 'Bank File', keys: 'B', calls: bankFiles.calls.create, run: leadTo('send=bank') },
    {
      id: 'write',
      label: 'Write to Owners',
      keys: 'W',
      calls: paymentBatches.calls.writeTo,
      run: leadTo('write=owners'),
    },
  ].filter(({ calls }) => refusalOf(calls) === undefined);
  const paidId = paid?.batchId ?? null;
  useActions(
    paidId === null
      ? []
      : after.map(({ id, label, run, ...action }) => ({
          ...action,
          id: `statement.${id}`,
          label: `${label} of ${paid?.number ?? 'the last payment'}`,
          scope: 'Last payment',
          run: () => run(paidId),
        })),
  );
  const { progress, start, cancel } = useFileDownload();
  /** Saves the payment's file: it is in the answer, or for a large payment is fetched by a call of its own. */
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
  const keys = useRequestKeys();
  /** The same request after an unknown outcome has the same key, so that it does not pay twice (docs/specification.md §10.5). */
  const pay = async (
    request: PlanRequest,
    idempotencyKey = keys.keyOf(request),
    notes: readonly string[] = [],
  ): Promise<PaymentResult> => {
    const act = actOf(request);
    const { data } = act.pay
      ? await byIds.mutateAsync({ body: act.pay, idempotencyKey })
      : await byFilter.mutateAsync({ body: act.payMatching, idempotencyKey });
    keys.forget();
    onPaid();
    const { batchId } = data;
    if (batchId === null) {
      notify.info(`Nothing was marked: ${challansText(data.skippedCount)} had been paid before`);
      return data;
    }
    setPaid(data);
    const excluded = request.by === 'filter' ? request.excludeChallanIds.length : 0;
    const figures = [
      formatINR(data.totalAmount),
      ...(data.number === null ? [] : [`Payment ${data.number}`]),
      ...notes,
    ];
    const message = notify.undo(paidText(data, excluded), () => takeBack(batchId), 'Undo', undefined, {
      detail: figures.join(' · '),
      logAs: `payment ${batchId}`,
      also: after.map(({ label, keys: key, run }) => ({ label, key, run: () => run(batchId) })),
    });
    download(batchId, data, () => {
      // Added to the toast with the Undo, which a second toast would cover.
      if (!message.setDetail([...figures, fileSaved].join(' · '))) notify.success(fileSaved);
    });
    return data;
  };

  const { mutateAsync: sendPrepared } = preparedPayments.usePrepare();
  /** Pays the plan, or prepares it where a second person has to release it (docs/specification.md §28.6). */
  const payPlan = async ({ request, key, review }: PaymentPlan): Promise<PaymentResult | undefined> => {
    if (!review || review.needsRelease === null) return pay(request, key);
    const { data } = await sendPrepared({ body: actOf(request), idempotencyKey: key });
    notify.success(
      `${data.number} prepared, ${formatINR(data.amount)}. Somebody else releases it under Payments, To Release.`,
    );
    return undefined;
  };

  return { pay, payPlan, undo: takeBack, isPaying: byIds.isPending || byFilter.isPending, file: { progress, cancel } };
}

/**
 * Both ways to pay: the selected challans in two steps (docs/specification.md §10.3), everything that matches in one
 * (§10.4).
 */
export function useMarkPaid({ statement, rows, grid, table, stateOf }: MarkPaidParts) {
  const { selection, setSelection, summary, filters, query } = statement;
  const [plan, setPlan] = useState<PaymentPlan>();
  const [isAll, setAll] = useState(false);
  /** The key of the row that gets the focus once the paid rows are gone; '' if no row of this page stays. */
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
    // If the user has moved to a field or a button in the meantime, the focus stays there.
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
    if (!summary || summary.payment.count === 0) {
      notify.error(nothingToPay(summary?.negativeChallanCount ?? 0, summary?.negativeOwnerCount ?? 0));
      return;
    }
    const { payment: due, negativeOwnerCount, deductedAmount } = summary;
    const request = matchingRequest(filters, due);
    setAll(true);
    const notes = [
      ...(negativeOwnerCount > 0 ? [`Left out: ${negativeText(summary)}`] : []),
      ...(!isZero(deductedAmount) ? [`${formatINR(deductedAmount)} carried from earlier payments was deducted`] : []),
    ];
    payment
      .pay(request, undefined, notes)
      .catch((error: unknown) => {
        const now = changedTo(error);
        // The figures have changed and nothing was paid. The two steps show the old and the new ones.
        if (now) setPlan(planOver({ request, filters, ...due }, now));
        else notify.error(error, failed);
      })
      .finally(() => setAll(false));
  };

  return {
    plan,
    /** Replaces the plan, after a review, a refusal, or a choice of the user. */
    change: (changed: PaymentPlan, review?: SelectionReview) => {
      setPlan(changed);
      if (review) statement.takeReview(review);
      if (changed.before) void query.refetch();
    },
    close: () => setPlan(undefined),
    pay: payment.payPlan,
    undo: payment.undo,
    paying: payment.isPaying ? (isAll ? ('matching' as const) : ('selected' as const)) : undefined,
    /** The download of a large payment's file. */
    file: payment.file,
    markSelected,
    markAll,
    /** Where the dialog puts the focus when it closes: after a payment the next row that stays. */
    placeFocus: () => (nextRow.current ? (grid.current?.focusRow(nextRow.current) ?? false) : false),
  };
}

/** The key of the first row from the focused one on that is not paid, else of the nearest before it. */
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
