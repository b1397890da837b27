import { importFieldOf } from '../../../shared/sheet/import-fields.ts';
import type { ImportChoice, ImportKind, ImportRow } from '../../../shared/contract/imports.ts';

export interface CheckedRow {
  index: number;
  texts: readonly string[];
  answer: ImportRow;
  choice: ImportChoice;
  /** Mended since the check that `answer` is of. */
  isUnchecked: boolean;
}

export const choiceWords: Readonly<Record<ImportChoice, string>> = {
  merge: 'Change the record',
  skip: 'Skip',
  new: 'Add a second one',
};

/** Why the row is what it is, in words. */
export function reasonsOf(kind: ImportKind, { errors = [], differences = [], twin, state }: ImportRow): string {
  const label = (field: string): string => importFieldOf(kind, field)?.label ?? field;
  const why = [
    ...errors.map(({ field, message }) => `${label(field)}: ${message}`),
    ...differences.map(({ field, stored, given }) => `${label(field)}: ${stored || '—'} → ${given || '—'}`),
  ];
  if (twin && state !== 'wrong') why.unshift(`Same ${twin.by} as ${twin.row === null ? twin.name : `row ${twin.row}`}`);
  return why.join('; ');
}
