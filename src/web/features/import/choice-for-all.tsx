import { formatCount } from '../../../shared/calc/count-text.ts';
import { importChoices, type ImportChoice } from '../../../shared/contract/imports.ts';
import { Select } from '../../kit/ui/select-field.tsx';
import { choiceLabel, type CheckedRow } from './row-texts.ts';
import type { ImportWork } from './use-import.ts';

interface ChoiceForAllProps {
  /** What the rows have in common: 'that differ'. */
  label: string;
  rows: readonly CheckedRow[];
  work: ImportWork;
}

/** One choice for all of these rows; nothing where there are none. */
export function ChoiceForAll({ label, rows, work }: ChoiceForAllProps) {
  const [first] = rows;
  if (!first) return null;
  const isOne = rows.every(({ choice }) => choice === first.choice);
  return (
    <div className="w-60" data-print="hide">
      <Select<ImportChoice | 'each'>
        label={`All ${formatCount(rows.length)} ${label}`}
        value={isOne ? first.choice : 'each'}
        options={[
          ...(isOne ? [] : [{ value: 'each' as const, label: 'Each as chosen' }]),
          ...importChoices
            .filter((choice) => rows.some(({ answer }) => answer.choices?.includes(choice)))
            .map((value) => ({ value, label: choiceLabel(first.answer, value) })),
        ]}
        onValueChange={(choice) => {
          if (choice === 'each') return;
          work.choose(
            rows.map(({ index }) => index),
            choice,
          );
        }}
      />
    </div>
  );
}
