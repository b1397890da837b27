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

export const choiceLabels: Readonly<Record<ImportChoice, string>> = {
  merge: 'Change the record',
  skip: 'Skip',
  new: 'Add a second one',
};

/** The reasons for the state of the row, as a text. */
export function describeReasons(kind: ImportKind, { errors = [], differences = [], twin, state }: ImportRow): string {
  const label = (field: string): string => importFieldOf(kind, field)?.label ?? field;
  const why = [
    ...errors.map(({ field, message }) => `${label(field)}: ${message}`),
    ...differences.map(({ field, stored, given }) => `${label(field)}: ${stored || '—'} → ${given || '—'}`),
  ];
  if (twin && state !== 'wrong') why.unshift(`Same ${twin.by} as ${twin.row === null ? twin.name : `row ${twin.row}`}`);
  return why.join('; ');
}
