import { importFieldOf } from '../../../shared/sheet/import-fields.ts';
import type { ImportChoice, ImportKind, ImportRow } from '../../../shared/contract/imports.ts';

export interface CheckedRow {
  index: number;
  texts: readonly string[];
  answer: ImportRow;
  choice: ImportChoice;
  /** True if the row was edited since the check that `answer` belongs to. */
  isUnchecked: boolean;
}

const choiceLabels: Readonly<Record<ImportChoice, string>> = {
  merge: 'Change the record',
  skip: 'Skip',
  new: 'Add a second one',
};
/** What a choice means for a row. A new row has one only when a value in it is in doubt: it waits until it is taken. */
export const choiceLabel = ({ state }: Pick<ImportRow, 'state'>, choice: ImportChoice): string =>
  state === 'new' && choice === 'new' ? 'Take it' : choiceLabels[choice];

export const errorOf = ({ errors = [] }: ImportRow, field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;
/** What is said about a value that is hardly ever meant (docs/specification.md §8.3.5). */
export const warningOf = ({ warnings = [] }: ImportRow, field: string): string | undefined =>
  warnings.flatMap((warning) => (warning.field === field ? [warning.message] : [])).join(' ') || undefined;

/** The reasons for the state of the row, and the values in it that are hardly ever meant, as a text. */
export function describeReasons(
  kind: ImportKind,
  { errors = [], warnings = [], differences = [], twin, state }: ImportRow,
): string {
  const label = (field: string): string => importFieldOf(kind, field)?.label ?? field;
  const why = [
    ...errors.map(({ field, message }) => `${label(field)}: ${message}`),
    ...differences.map(({ field, stored, given }) => `${label(field)}: ${stored || '—'} → ${given || '—'}`),
    // Each names its field itself.
    ...warnings.map(({ message }) => message),
  ];
  if (twin && state !== 'wrong') why.unshift(`Same ${twin.by} as ${twin.row === null ? twin.name : `row ${twin.row}`}`);
  return why.join('; ');
}
