import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { Undo2 } from 'lucide-react';
import { formatINR } from '../../../shared/calc/money.ts';
import { bankAnswerColumns } from '../../../shared/columns/bank-answer-columns.ts';
import type { BankAnswer } from '../../../shared/contract/bank-answers.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { bankAnswers } from '../../api/bank-answers.ts';
import { confirm } from '../../feedback/confirm.tsx';
import { notify } from '../../feedback/toast.ts';
import { pageOf } from '../../records/record-rows.ts';
import { recordScreen } from '../../records/record-screen.tsx';
import { screens } from '../../screens.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

type Undone = Awaited<ReturnType<ReturnType<typeof bankAnswers.useUndo>['mutateAsync']>>['data'];

const lines = (count: number): string => `${count.toLocaleString('en-IN')} ${count === 1 ? 'line' : 'lines'}`;

/** /accounting/bank/answers: what was accepted of the bank, with its Undo (docs/specification.md §25.6). */
export const BankAnswersPage = recordScreen<BankAnswer>({
  screen: 'bankAnswers',
  noun: ['answer', 'answers'],
  columns: bankAnswerColumns,
  useRows: ({ page, limit }) => pageOf(bankAnswers.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch accepted answers' },
  empty: {
    text: 'What is accepted of the bank’s answers leaves a line here, with a way to undo it.',
    actions: <Link to={screens.bankAnswer.path}>Bring in the bank’s answer</Link>,
  },
  useMore: ({ grid }) => {
    const [shown, setShown] = useState<Undone>();
    const { mutateAsync } = bankAnswers.useUndo();
    const undo = useCallback(
      async ({ id, number, lineCount }: BankAnswer): Promise<void> => {
        const idempotencyKey = newIdempotencyKey();
        let answer: Undone | undefined;
        const isDone = await confirm({
          title: `Undo ${number}?`,
          body: `${lines(lineCount)} are as they were before, and challans that became unpaid are paid again by a new payment, where nobody has changed them since.`,
          confirmLabel: 'Undo',
          cancelLabel: 'Keep it',
          danger: true,
          act: async () => {
            answer = (await mutateAsync({ params: { id }, idempotencyKey })).data;
          },
          failed: 'Failed to undo',
        });
        if (!isDone || !answer) return;
        if (answer.left.length > 0) setShown(answer);
        else notify.success(`${number} undone: ${doneWords(answer)}`);
      },
      [mutateAsync],
    );
    const rowCommands = useMemo(
      () => [
        {
          id: 'undo',
          label: 'Undo',
          icon: <Undo2 size={15} aria-hidden />,
          keys: 'U',
          showLabel: true as const,
          run: (row: BankAnswer) => void undo(row),
          disabledReason: ({ undoneCount, lineCount, number }: BankAnswer) =>
            undoneCount < lineCount ? undefined : `${number} was already undone.`,
        },
      ],
      [undo],
    );
    return {
      rowCommands,
      buttons: <Link to={screens.bankLines.path}>At the bank</Link>,
      dialogs: shown && (
        <Dialog
          open
          title={`${doneWords(shown)}, ${lines(shown.left.length)} left`}
          onClose={() => setShown(undefined)}
          returnFocus={() => grid.handle.current?.focusFirstRow()}
          footer={<Button onClick={() => setShown(undefined)}>Close</Button>}
        >
          <ul aria-label="Left as they are" className="grid max-h-96 gap-1 overflow-y-auto">
            {shown.left.map(({ reference, name, reason }) => (
              <li key={reference}>
                <span className="font-medium">
                  {reference}, {name}
                </span>
                : {reason}
              </li>
            ))}
          </ul>
        </Dialog>
      ),
    };
  },
});

const doneWords = ({ undone, payment }: Undone): string =>
  `${lines(undone)} taken back${payment ? `, ${formatINR(payment.amount)} paid again by ${payment.number}` : ''}`;
