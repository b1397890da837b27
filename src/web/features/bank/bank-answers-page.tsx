import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { countText } from '../../../shared/calc/count-text.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { bankAnswerColumns } from '../../../shared/columns/bank-answer-columns.ts';
import type { BankAnswer } from '../../../shared/contract/bank-answers.ts';
import { bankAnswers } from '../../resources/bank-answers.ts';
import { undoRowCommand, useConfirmedUndo } from '../../kit/feedback/undo-batch.tsx';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { screens } from '../../screens.ts';

type Undone = Awaited<ReturnType<ReturnType<typeof bankAnswers.useUndo>['mutateAsync']>>['data'];

const undoTexts = {
  body: ({ lineCount }: BankAnswer) =>
    `${countText(lineCount, 'line')} will be as before. Challans that became unpaid will be paid again, unless somebody has changed them since.`,
  done: ({ undone, payments }: Undone) =>
    [
      `${countText(undone, 'line')} taken back`,
      ...payments.map(({ amount, number }) => `${formatINR(amount)} paid again by ${number}`),
    ].join(', '),
  left: ({ left }: Undone) => ({
    count: left.length,
    text: countText(left.length, 'line'),
    named: left.map(({ reference, name, reason }) => ({ id: reference, name: `${reference}, ${name}`, reason })),
  }),
};

/** /accounting/bank/answers: the accepted answers of the bank, each with Undo (docs/specification.md §25.6). */
export const BankAnswersPage = recordScreen<BankAnswer>({
  screen: 'bankAnswers',
  noun: ['answer', 'answers'],
  columns: bankAnswerColumns,
  useRows: ({ page, limit }) => pageOf(bankAnswers.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch accepted answers' },
  empty: {
    text: 'Accepted answers of the bank are listed here and can be undone.',
    actions: <Link to={screens.bankAnswer.path}>Enter the bank’s answer</Link>,
  },
  useMore: ({ grid }) => {
    const { undo, dialog } = useConfirmedUndo(bankAnswers.useUndo().mutateAsync, undoTexts, () =>
      grid.handle.current?.focusFirstRow(),
    );
    const rowCommands = useMemo(
      () => [
        undoRowCommand<BankAnswer>(
          undo,
          ({ undoneCount, lineCount }) => undoneCount >= lineCount,
          bankAnswers.calls.undo,
        ),
      ],
      [undo],
    );
    return { rowCommands, buttons: <Link to={screens.bankLines.path}>At the bank</Link>, dialogs: dialog };
  },
});
