import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { countText } from '../../../../shared/calc/count-text.ts';
import type { AnswerState } from '../../../../shared/bank-answers/answers.ts';
import { answerFieldLabels, answerFields, type ReadAnswers } from '../../../../shared/bank-answers/read-answers.ts';
import { squared } from '../../../../shared/sheet/table-cells.ts';
import { outcomeWords } from '../../../../shared/columns/bank-answer-columns.ts';
import { ColumnChoices, HeadingRowChoice } from '../../../kit/sheet/column-choices.tsx';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { Select } from '../../../kit/ui/select-field.tsx';
import { asStatement, canCompare, withField, withHeadings, type AnswerFile, type BankFile } from './answer-source.ts';

interface AnswerColumnsProps {
  file: AnswerFile;
  read: ReadAnswers;
  onChange: (file: BankFile) => void;
}

const meaningOptions = [
  { value: '', label: 'Choose a meaning' },
  ...(['executed', 'failed', 'returned'] as const).map((value) => ({ value, label: outcomeWords[value] })),
  { value: 'none', label: 'Leave these rows out' },
];
const choices = answerFields.map((name) => ({ name, label: answerFieldLabels[name] }));

/**
 * Lets the user choose the field of each column, and say what unknown statuses of the bank mean. Both are remembered for
 * similar files of the account. A file without statuses does not say what became of its rows, so the user is asked each time.
 */
export function AnswerColumns({ file, read, onChange }: AnswerColumnsProps) {
  const { mapping, rows, statuses, allAre } = file;
  const table = squared(rows);
  const statusesToExplain = [...new Set([...read.unknown, ...Object.keys(statuses)])];
  const setMeaning = (status: string, meaning: string): void => {
    const { [status]: _old, ...others } = statuses;
    const isState = meaning === 'executed' || meaning === 'failed' || meaning === 'returned';
    const state: AnswerState | null = isState ? meaning : null;
    onChange({ ...file, statuses: meaning === '' ? others : { ...others, [status]: state }, isChosen: true });
  };
  const answerRef = useRef<HTMLButtonElement>(null);
  const setAll = (state: AnswerState | null): void => {
    flushSync(() => onChange({ ...file, allAre: state }));
    answerRef.current?.focus();
  };
  // Columns that are known need no room, which the rows below have then.
  const [chosenOpen, setOpen] = useState<boolean>();
  const isOpen = chosenOpen ?? !canCompare(file);
  const used = mapping.columns.filter((name) => name !== null).length;
  const hasStatus = mapping.columns.includes('status');
  return (
    <section aria-label="Columns" className="grid gap-3 rounded-lg border border-line bg-surface p-3 shadow-card">
      <div className="flex flex-wrap items-end gap-3">
        {isOpen && (
          <HeadingRowChoice
            table={table}
            mapping={mapping}
            reserve={false}
            onChange={(row) => onChange(withHeadings(file, row))}
          />
        )}
        <p className="nums self-end pb-1.5 text-muted">
          {used} of {countText(mapping.columns.length, 'column')} used
        </p>
        <Button className="ml-auto" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide Columns' : 'Choose Columns'}
        </Button>
      </div>
      {isOpen && (
        <ColumnChoices
          table={table}
          mapping={mapping}
          fields={choices}
          onChange={(index, name) => {
            setOpen(true);
            onChange(withField(file, index, name));
          }}
        />
      )}
      {statusesToExplain.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {statusesToExplain.map((status) => (
            <div key={status} className="w-56">
              <Select
                label={`“${status}” means`}
                value={status in statuses ? (statuses[status] ?? 'none') : ''}
                options={meaningOptions}
                onValueChange={(meaning) => setMeaning(status, meaning)}
              />
            </div>
          ))}
        </div>
      )}
      {!hasStatus && allAre === null && (
        <Alert
          tone="warn"
          title="The file has no column of statuses. What are its rows?"
          actions={
            <>
              <Button ref={answerRef} size="sm" onClick={() => setAll('executed')}>
                All Executed
              </Button>
              <Button size="sm" onClick={() => setAll('returned')}>
                All Returned
              </Button>
              <Button size="sm" onClick={() => onChange(asStatement(file))}>
                Something Else
              </Button>
            </>
          }
        >
          Nothing is compared before you say it. A statement of the account has payments and returns: it is something
          else.
        </Alert>
      )}
      {!hasStatus && allAre !== null && (
        <Alert
          tone="info"
          title={`All rows are taken as ${outcomeWords[allAre].toLowerCase()}`}
          actions={
            <Button ref={answerRef} size="sm" onClick={() => setAll(null)}>
              Change
            </Button>
          }
        />
      )}
      {(hasStatus || allAre !== null) && !canCompare(file) && (
        <Alert tone="info" title="Choose the column of the reference or account, and the column of the UTR or status" />
      )}
    </section>
  );
}
