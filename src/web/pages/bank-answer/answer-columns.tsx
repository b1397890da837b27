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

const meanings = [
  { value: '', label: 'Not said yet' },
  ...(['executed', 'failed', 'returned'] as const).map((value) => ({ value, label: outcomeWords[value] })),
  { value: 'none', label: 'Leave these rows out' },
];

/** Which column is what, and what the bank's words mean: asked once, remembered for files like this one. */
export function AnswerColumns({ file, read, onChange }: AnswerColumnsProps) {
  const { mapping, rows, statuses } = file;
  const sample = rows[mapping.firstRow] ?? [];
  const asked = [...new Set([...read.unknown, ...Object.keys(statuses)])];
  const say = (status: string, meaning: string): void => {
    const { [status]: _old, ...others } = statuses;
    const isState = meaning === 'executed' || meaning === 'failed' || meaning === 'returned';
    const said: AnswerState | null = isState ? meaning : null;
    onChange({ ...file, statuses: meaning === '' ? others : { ...others, [status]: said } });
  };
  return (
    <section aria-label="Columns" className="grid gap-2 rounded-lg border border-line bg-surface p-3 shadow-card">
      <div className="flex flex-wrap gap-3">
        {mapping.columns.map((name, index) => (
          // A column is its place in the file.
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
      {asked.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {asked.map((status) => (
            <div key={status} className="w-56">
              <Select
                label={`“${status}” means`}
                value={status in statuses ? (statuses[status] ?? 'none') : ''}
                options={meanings}
                onValueChange={(meaning) => say(status, meaning)}
              />
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
