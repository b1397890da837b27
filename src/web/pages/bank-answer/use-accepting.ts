import { useCallback, useEffect, useRef } from 'react';
import { formatINR, sum } from '../../../shared/calc/money.ts';
import { outcomeWords, type ProposalRow } from '../../../shared/columns/bank-answer-columns.ts';
import type { AnswerSource, Outcome } from '../../../shared/contract/bank-answers.ts';
import { isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { bankAnswers } from '../../api/bank-answers.ts';
import { confirm } from '../../feedback/confirm.tsx';
import { notify } from '../../feedback/toast.ts';

/** A row and which of its candidates it is. */
export interface Accepted {
  row: ProposalRow;
  candidate: number;
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-IN')} ${noun}${count === 1 ? '' : 's'}`;

/** What is accepted, in words: '12 executed (₹1,20,000.00), 1 failed (₹8,500.00)'. */
function wordsOf(accepted: readonly Accepted[]): string {
  const outcomes: Outcome[] = ['executed', 'failed', 'returned', 'known'];
  return outcomes
    .flatMap((outcome) => {
      const its = accepted.filter(({ row }) => row.outcome === outcome);
      if (its.length === 0) return [];
      const amount = sum(its.map(({ row, candidate }) => row.candidates[candidate]?.line.amount ?? '0'));
      return [`${its.length.toLocaleString('en-IN')} ${outcomeWords[outcome].toLowerCase()} (${formatINR(amount)})`];
    })
    .join(', ');
}

/** Accepts answers as one act and says what it did. true: done. */
export function useAccepting(source: AnswerSource, fileName: string, onRefused: () => void) {
  const { mutateAsync, isPending } = bankAnswers.useAccept();
  const latest = useRef(onRefused);
  useEffect(() => {
    latest.current = onRefused;
  });
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
          // Answered meanwhile by somebody else: what a file was compared with is old.
          if (isApiError(error)) latest.current();
          throw error;
        },
      );
      const unpaid =
        data.unpaidCount === 0
          ? ''
          : `; ${counted(data.unpaidCount, 'challan')} unpaid again, ${formatINR(data.unpaidAmount)}`;
      notify.success(`${data.number}: ${counted(data.lineCount, 'line')} accepted${unpaid}`);
    },
    [mutateAsync, source, fileName],
  );
  /** isPending comes a moment later: a second press before it would be refused as answered by somebody else. */
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
      const isBack = accepted.some(({ row }) => row.outcome === 'failed' || row.outcome === 'returned');
      return confirm({
        title: `Accept ${counted(accepted.length, 'answer')}?`,
        body: `${wordsOf(accepted)}.${isBack ? ' The challans of failed and returned lines become unpaid, with the bank’s reason.' : ''} This can be undone under Accepted Answers.`,
        confirmLabel: 'Accept',
        act: () => send(accepted, idempotencyKey),
        failed: 'Failed to accept the answers',
      });
    },
    [send],
  );
  return { accept, ask, isPending };
}
