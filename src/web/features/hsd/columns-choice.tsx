import { useLayoutEffect, useRef, useState } from 'react';
import { clsx } from 'clsx';
import type { HsdColumnsToChoose } from '../../../shared/contract/hsd-verification.ts';
import { hsdColumnsCommands } from './hsd-verification-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { HeadingRowChoice } from '../../kit/sheet/column-choices.tsx';
import { SavedAgain } from '../../kit/sheet/saved-again.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import type { ColumnChoice, PendingChoice } from './use-upload.ts';
import { Scrolled } from '../../kit/ui/page.tsx';

interface ColumnsChoiceProps extends PendingChoice {
  /** The petrol pump for which the choice is remembered. */
  pumpName: string | undefined;
  onChosen: (choice: ColumnChoice) => void;
  onSheet: (sheet: string) => void;
  /** Opens the file dialog: the file was saved again, and the browser no longer gives it. */
  onReadAgain: () => void;
  onCancel: () => void;
}

const none = '';
const onlyColumn = (columns: readonly number[]): string => (columns.length === 1 ? String(columns[0]) : none);

/**
 * Shows the first rows of the file, and lets the user choose the columns of TP numbers and amounts
 * (docs/specification.md §11.4).
 */
export function ColumnsChoice(props: ColumnsChoiceProps) {
  const { file, message, columns, waiting, pumpName, onChosen, onSheet, onReadAgain, onCancel } = props;
  const { sheet, sheets, rows } = columns;
  const [headingRow, setHeadingRow] = useState(columns.headingRow);
  const [tp, setTp] = useState(onlyColumn(columns.tpColumns));
  const [amount, setAmount] = useState(onlyColumn(columns.amountColumns));
  const sectionRef = useRef<HTMLElement>(null);
  // Focuses the first column that is not known yet. If both are known, Ctrl+Enter compares at once.
  useLayoutEffect(() => {
    const open = tp === none ? 'tp' : 'amount';
    sectionRef.current?.querySelector<HTMLElement>(`[data-choice="${open}"] button`)?.focus({ preventScroll: true });
    // Only when the form is first shown.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a later choice keeps the focus where it is
  }, []);

  const reason =
    tp === none
      ? 'Choose the column of the TP numbers'
      : amount === none
        ? 'Choose the column of the amounts'
        : tp === amount
          ? 'Choose two different columns'
          : undefined;
  const actions = useCommands(hsdColumnsCommands, {
    compare: {
      disabledReason: reason,
      run: () => onChosen({ sheet, headingRow, tpColumn: Number(tp), amountColumn: Number(amount) }),
    },
    cancel: onCancel,
  });
  const options = [{ value: none, label: 'Choose a column' }, ...columnOptions(columns, headingRow)];

  return (
    <section
      ref={sectionRef}
      aria-label="Choose the columns"
      className="grid shrink-0 gap-3 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <Alert tone="warn" title={message}>
        <span className="break-all">{file.name}</span> · {columns.readAs}
      </Alert>
      {waiting && <SavedAgain onReadAgain={onReadAgain} />}
      <div className="flex flex-wrap items-start gap-3">
        {sheets.length > 1 && (
          <Select
            className="w-44"
            label="Sheet"
            value={sheet}
            options={sheets.map((name) => ({ value: name, label: name }))}
            onValueChange={onSheet}
          />
        )}
        <HeadingRowChoice
          table={rows}
          mapping={{ firstRow: headingRow, hasHeadings: headingRow > 0 }}
          onChange={setHeadingRow}
        />
        <div data-choice="tp" className="w-56">
          <Select label="TP No" value={tp} options={options} onValueChange={setTp} />
        </div>
        <div data-choice="amount" className="w-56">
          <Select label="Amount" value={amount} options={options} onValueChange={setAmount} />
        </div>
        <div className="ml-auto flex gap-2 pt-6">
          <ActionButton action={actions.cancel} />
          <ActionButton action={actions.compare} variant="primary" />
        </div>
      </div>
      <Preview rows={rows} headingRow={headingRow} tp={Number(tp)} amount={Number(amount)} />
      <p className="text-muted">
        {pumpName === undefined
          ? 'Choose a petrol pump above to remember these columns for its next file.'
          : `These columns are remembered for ${pumpName}.`}
      </p>
    </section>
  );
}

const widthOf = (rows: readonly (readonly string[])[]): number => Math.max(0, ...rows.map((cells) => cells.length));

function columnOptions({ rows }: HsdColumnsToChoose, headingRow: number): { value: string; label: string }[] {
  return Array.from({ length: widthOf(rows) }, (_, index) => {
    const named = headingRow === 0 ? undefined : rows[headingRow - 1]?.[index];
    const first = rows.slice(headingRow).find((cells) => cells[index])?.[index];
    return { value: String(index + 1), label: `${index + 1}: ${named || first || '—'}` };
  });
}

interface PreviewProps {
  rows: readonly (readonly string[])[];
  headingRow: number;
  tp: number;
  amount: number;
}

function Preview({ rows, headingRow, tp, amount }: PreviewProps) {
  const columns = Array.from({ length: widthOf(rows) }, (_, index) => index);
  return (
    <Scrolled
      role="region"
      aria-label="First rows of the file"
      className="max-h-64 overflow-auto rounded border border-line"
    >
      <table className="nums w-full border-collapse text-left whitespace-nowrap">
        <thead>
          <tr className="bg-sunken text-muted">
            <th scope="col" className="px-2 py-1 font-medium">
              Row
            </th>
            {columns.map((index) => (
              <th key={index} scope="col" className={clsx('px-2 py-1 font-medium', chosenClass(index + 1, tp, amount))}>
                {index + 1}
                {index + 1 === tp && ' · TP No'}
                {index + 1 === amount && ' · Amount'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // The rows never change their order.
            // oxlint-disable-next-line react/no-array-index-key -- a row is its place in the file
            <tr key={row} className={clsx('border-t border-line', row + 1 < headingRow && 'text-muted')}>
              <th scope="row" className="px-2 py-1 font-normal text-muted">
                {row + 1}
              </th>
              {columns.map((index) => (
                <td
                  key={index}
                  className={clsx(
                    'px-2 py-1',
                    chosenClass(index + 1, tp, amount),
                    row + 1 === headingRow && 'font-semibold',
                  )}
                >
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

const chosenClass = (column: number, tp: number, amount: number): string | false =>
  (column === tp || column === amount) && 'bg-primary-soft text-ink';
