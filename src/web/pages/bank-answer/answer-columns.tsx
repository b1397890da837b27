import type { AnswerState } from '../../../shared/bank-answers/answers.ts';
import {
  answerFieldLabels,
  answerFields,
  type AnswerField,
  type ReadAnswers,
} from '../../../shared/bank-answers/read-answers.ts';
import { outcomeWords } from '../../../shared/columns/bank-answer-columns.ts';
import { Select } from '../../ui/select-field.tsx';
import { withColumn, type AnswerFile } from './answer-source.ts';

interface AnswerColumnsProps {
  file: AnswerFile;
  read: ReadAnswers;
  onChange: (file: AnswerFile) => void;
}

const meaningOptions = [
  { value: '', label: 'Choose a meaning' },
  ...(['executed', 'failed', 'returned'] as const).map((value) => ({ value, label: outcomeWords[value] })),
  { value: 'none', label: 'Leave these rows out' },
];

/**
 * Lets the user choose the field of each column and the meaning of unknown statuses of the bank. Both are remembered
 * for similar files.
 */
export function AnswerColumns({ file, read, onChange }: AnswerColumnsProps) {
  const { mapping, rows, statuses } = file;
  const sample = rows[mapping.firstRow] ?? [];
  const statusesToExplain = [...new Set([...read.unknown, ...Object.keys(statuses)])];
  const setMeaning = (status: string, meaning: string): void => {
    const { [status]: _old, ...others } = statuses;
    const isState = meaning === 'executed' || meaning === 'failed' || meaning === 'returned';
    const state: AnswerState | null = isState ? meaning : null;
    onChange({ ...file, statuses: meaning === '' ? others : { ...others, [status]: state } });
  };
  return (
    <section aria-label="Columns" className="grid gap-2 rounded-lg border border-line bg-surface p-3 shadow-card">
      <div className="flex flex-wrap gap-3">
        {mapping.columns.map((name, index) => (
          // A column is identified by its position in the file.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className="w-44">
            <Select
              label={mapping.headings[index] || `Column ${index + 1}: ${(sample[index] ?? '').slice(0, 20)}`}
              value={name ?? ''}
              options={[
                { value: '', label: 'Not used' },
                ...answerFields.map((value) => ({ value, label: answerFieldLabels[value] })),
              ]}
              onValueChange={(next) => onChange(withColumn(file, index, next === '' ? null : (next as AnswerField)))}
            />
          </div>
        ))}
      </div>
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
    </section>
  );
}
