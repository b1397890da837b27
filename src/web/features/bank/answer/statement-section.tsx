import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { clsx } from 'clsx';
import { otherAccount } from '../../../../shared/bank-answers/account-in-title.ts';
import { readAccountStatement, type StatementLine } from '../../../../shared/bank-answers/account-statement.ts';
import { countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatDate } from '../../../../shared/calc/dates.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import type { BankAccount } from '../../../../shared/contract/bank-accounts.ts';
import { statementFieldLabels, statementFields } from '../../../../shared/reading/statement-fields.ts';
import { squared } from '../../../../shared/sheet/table-cells.ts';
import { statementCommands } from '../bank-answer-actions.ts';
import { useCommands } from '../../../kit/actions/registry.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { bankAnswers } from '../../../resources/bank-answers.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { today } from '../../../kit/forms/day-field.tsx';
import { ColumnChoices, HeadingRowChoice } from '../../../kit/sheet/column-choices.tsx';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { useLatest } from '../../../kit/ui/use-latest.ts';
import { asAnswers, withField, withHeadings, type BankFile, type StatementFile } from './answer-source.ts';
import { rememberColumns } from './column-memory.ts';
import { UnreadRows } from './unread-rows.tsx';
import { Scrolled } from '../../../kit/ui/page.tsx';

interface StatementSectionProps {
  file: StatementFile;
  /** The account of the statement; undefined while none is chosen. */
  account: BankAccount | undefined;
  choose: () => void;
  onChange: (file: BankFile) => void;
  onClose: () => void;
  /** Called when the lines are stored. It places the focus. */
  onDone: () => void;
}

const choices = statementFields.map((name) => ({ name, label: statementFieldLabels[name] }));
const previewLines = 5;

/**
 * A statement that was opened and is not stored yet: its columns, how its first lines are read, and what cannot be read. Where
 * nothing is in doubt, it asks at once whether to bring it in.
 */
export function StatementSection({ file, account, choose, onChange, onClose, onDone }: StatementSectionProps) {
  const { mutateAsync, isPending } = bankAnswers.useImportStatement();
  const read = useMemo(() => readAccountStatement(file.rows, today(), file.mapping), [file.rows, file.mapping]);
  const titles = file.rows.slice(0, file.mapping.firstRow);
  const another = account ? otherAccount(titles, account.accountNo) : null;
  const lines = read.problem === null ? read.lines : [];
  const reason =
    read.problem ??
    (lines.length === 0 ? 'The statement has no line that can be read.' : undefined) ??
    (account ? (another ?? undefined) : 'Choose the account of this statement');

  const ask = async (): Promise<void> => {
    if (!account || read.problem !== null) return;
    const days = lines.map(({ day }) => day).sort();
    let added = 0;
    const isDone = await confirm({
      title: `Bring in ${countText(lines.length, 'line')} of the statement?`,
      body: (
        <>
          <p>
            {file.name}: {formatDate(days[0] ?? '')} to {formatDate(days.at(-1) ?? '')}. Lines that are already stored
            are not added again.{' '}
            {read.skipped.length > 0 &&
              `${countText(read.skipped.length, 'row')} of titles, balances and totals left out.`}
          </p>
          {read.bad.length > 0 && (
            <>
              <p className="mt-2 font-medium">{countText(read.bad.length, 'row')} cannot be read:</p>
              <UnreadRows rows={read.bad} />
            </>
          )}
        </>
      ),
      confirmLabel: 'Bring in',
      act: async () => {
        const { columns, firstRow } = file.mapping;
        const mapping = file.isChosen ? { mapping: { columns: [...columns], firstRow } } : {};
        const body = { bankAccountId: account.id, fileName: file.name, rows: file.rows, ...mapping };
        added = (await mutateAsync({ body })).data.newCount;
      },
      failed: 'Failed to bring in the statement',
      placeFocus: () => {
        onDone();
        return true;
      },
    });
    if (!isDone) return;
    if (file.isChosen) rememberColumns({ kind: 'statement', accountId: account.id }, file.mapping);
    notify.success(`${countText(added, 'new line')} of ${formatCount(lines.length)}`);
  };
  // Columns that are being chosen are not ready at the first one that fits, so it does not ask then.
  const latestAsk = useLatest(ask);
  const isReady = reason === undefined;
  const mayAsk = useRef(true);
  useEffect(() => {
    if (isReady && mayAsk.current) {
      mayAsk.current = false;
      void latestAsk.current();
    }
  }, [isReady, latestAsk]);
  const change = (next: BankFile): void => {
    mayAsk.current = false;
    onChange(next);
  };
  const actions = useCommands(statementCommands, {
    choose,
    bringIn: {
      label: lines.length === 0 ? 'Bring in' : `Bring in ${countText(lines.length, 'line')}`,
      disabledReason: reason,
      run: () => void ask(),
    },
    close: onClose,
  });
  // The part of the screen that had the focus may be gone.
  const bringInRef = useRef<HTMLButtonElement>(null);
  const reasonRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (reasonRef.current ?? bringInRef.current)?.focus(), []);
  const table = squared(file.rows);
  return (
    <section
      aria-label="Statement"
      className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <div className="flex flex-wrap items-end gap-3">
        <HeadingRowChoice
          table={table}
          mapping={file.mapping}
          reserve={false}
          onChange={(row) => change(withHeadings(file, row))}
        />
        <p className="nums self-end pb-1.5 text-muted" role="status">
          {countText(lines.length, 'line')} read
          {read.problem === null && read.bad.length > 0 && `, ${countText(read.bad.length, 'row')} not`}
        </p>
        <div className="ml-auto flex gap-2">
          {!file.isCertain && <Button onClick={() => change(asAnswers(file))}>Read as Answers</Button>}
          <ActionButton action={actions.close} />
          <ActionButton action={actions.bringIn} ref={bringInRef} variant="primary" busy={isPending} />
        </div>
      </div>
      {reason !== undefined && (
        <Alert ref={reasonRef} tone={account || read.problem !== null ? 'warn' : 'info'} title={reason} />
      )}
      <ColumnChoices
        table={table}
        mapping={file.mapping}
        fields={choices}
        onChange={(index, name) => change(withField(file, index, name))}
      />
      {read.problem === null && read.bad.length > 0 && (
        <Alert tone="warn" title={`${countText(read.bad.length, 'row')} cannot be read`}>
          <UnreadRows rows={read.bad} />
        </Alert>
      )}
      {lines.length > 0 && <Preview lines={lines.slice(0, previewLines)} />}
    </section>
  );
}

/** The first lines as they are read, so that a wrong column is seen before anything is stored. */
function Preview({ lines }: { lines: readonly StatementLine[] }) {
  return (
    <Scrolled
      role="region"
      aria-label="First lines as they are read"
      className="overflow-x-auto rounded border border-line"
    >
      <table className="nums w-full border-collapse text-left">
        <thead>
          <tr className="bg-sunken text-muted">
            {['Row', 'Date', 'Narration', 'Reference', 'Withdrawal', 'Deposit', 'Balance'].map((label, at) => (
              <th key={label} scope="col" className={clsx('px-2 py-1 font-medium', at > 3 && 'text-right')}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ row, day, narration, reference, side, amount, balance }) => (
            <tr key={row} className="border-t border-line">
              <td className="px-2 py-1 text-muted">{row}</td>
              <td className="px-2 py-1 whitespace-nowrap">{formatDate(day)}</td>
              <td className="max-w-96 truncate px-2 py-1" title={narration}>
                {narration}
              </td>
              <td className="max-w-48 truncate px-2 py-1" title={reference}>
                {reference}
              </td>
              <td className="px-2 py-1 text-right whitespace-nowrap">{side === 'out' && formatINR(amount)}</td>
              <td className="px-2 py-1 text-right whitespace-nowrap">{side === 'in' && formatINR(amount)}</td>
              <td className="px-2 py-1 text-right whitespace-nowrap text-muted">{balance && formatINR(balance)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
