import { useCallback, useRef } from 'react';
import { challansText, countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatINR, sum } from '../../../../shared/calc/money.ts';
import { outcomeWords, type ProposalRow } from '../../../../shared/columns/bank-answer-columns.ts';
import type { AnswerSource, Outcome } from '../../../../shared/contract/bank-answers.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { newIdempotencyKey } from '../../../kit/api/idempotency-key.ts';
import { bankAnswers } from '../../../resources/bank-answers.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { useLatest } from '../../../kit/ui/use-latest.ts';

/** A row, and the index of the candidate that it is accepted for. */
export interface Accepted {
  row: ProposalRow;
  candidate: number;
}

/** What is accepted, as a text: '12 executed (₹1,20,000.00), 1 failed (₹8,500.00)'. */
function describeAnswers(accepted: readonly Accepted[]): string {
  const outcomes: Outcome[] = ['executed', 'failed', 'returned', 'known'];
  return outcomes
    .flatMap((outcome) => {
      const its = accepted.filter(({ row }) => row.outcome === outcome);
      if (its.length === 0) return [];
      const amount = sum(its.map(({ row, candidate }) => row.candidates[candidate]?.line.amount ?? '0'));
      return [`${formatCount(its.length)} ${outcomeWords[outcome].toLowerCase()} (${formatINR(amount)})`];
    })
    .join(', ');
}

interface AcceptEvents {
  /** Called with the number of the act. */
  onAccepted: (accepted: readonly Accepted[], number: string) => void;
  onRefused: () => void;
}

/**
 * Accepts answers as one act and shows the result as a toast. The returned functions resolve to true if it succeeded.
 */
export function useAcceptAnswers(source: AnswerSource, fileName: string, events: AcceptEvents) {
  const { mutateAsync, isPending } = bankAnswers.useAccept();
  const latest = useLatest(events);
  const send = useCallback(
    async (accepted: readonly Accepted[], idempotencyKey: string): Promise<void> => {
      const items = accepted.flatMap(({ row, candidate }) => {
        const line = row.candidates[candidate]?.line;
        if (!line) return [];
        const { outcome, utr, day, reason, statementLine } = row;
        return [
          {
            fileId: line.fileId,
            lineNo: line.lineNo,
            outcome,
            utr,
            day,
            reason: outcome === 'executed' ? '' : reason.replace(/\s+/g, ' ').trim(),
            statementLineId: statementLine?.id ?? null,
          },
        ];
      });
      const { data } = await mutateAsync({ body: { source, fileName, items }, idempotencyKey }).catch(
        (error: unknown) => {
          // Somebody else may have answered meanwhile, so the file is compared again.
          if (isApiError(error)) latest.current.onRefused();
          throw error;
        },
      );
      latest.current.onAccepted(accepted, data.number);
      const unpaid =
        data.unpaidCount === 0
          ? ''
          : `; ${challansText(data.unpaidCount)} unpaid again, ${formatINR(data.unpaidAmount)}`;
      notify.success(`${data.number}: ${countText(data.lineCount, 'line')} accepted${unpaid}`);
    },
    [mutateAsync, source, fileName, latest],
  );
  /**
   * Blocks a second press: isPending changes a moment later, and the second call would be refused as already
   * answered.
   */
  const isSending = useRef(false);
  const accept = useCallback(
    async (accepted: readonly Accepted[]): Promise<boolean> => {
      if (isSending.current) return false;
      isSending.current = true;
      try {
        await send(accepted, newIdempotencyKey());
        return true;
      } catch (error) {
        notify.error(error, 'Failed to accept the answer');
        return false;
      } finally {
        isSending.current = false;
      }
    },
    [send],
  );
  const ask = useCallback(
    (accepted: readonly Accepted[]): Promise<boolean> => {
      const idempotencyKey = newIdempotencyKey();
      const hasUnpaid = accepted.some(({ row }) => row.outcome === 'failed' || row.outcome === 'returned');
      return confirm({
        title: `Accept ${countText(accepted.length, 'answer')}?`,
        body: `${describeAnswers(accepted)}.${hasUnpaid ? ' The challans of failed and returned lines become unpaid, with the bank’s reason.' : ''} This can be undone under Accepted Answers.`,
        confirmLabel: 'Accept',
        act: () => send(accepted, idempotencyKey),
        failed: 'Failed to accept the answers',
      });
    },
    [send],
  );
  return { accept, ask, isPending };
}
