import { readAccountStatement } from '../../../../shared/bank-answers/account-statement.ts';
import type { AnswerState } from '../../../../shared/bank-answers/answers.ts';
import {
  answerFields,
  answerMapping,
  type AnswerField,
  type AnswerMapping,
} from '../../../../shared/bank-answers/read-answers.ts';
import {
  isStatement,
  statementMapping,
  type StatementMapping,
} from '../../../../shared/bank-answers/statement-columns.ts';
import { statementFields, type StatementField } from '../../../../shared/reading/statement-fields.ts';
import { squared } from '../../../../shared/sheet/table-cells.ts';
import { today } from '../../../kit/forms/day-field.tsx';
import { withColumn } from '../../../kit/sheet/column-choices.tsx';
import { hasSameHeadings } from '../../../kit/sheet/saved-again.tsx';
import { rememberedColumns } from './column-memory.ts';

/** The opened file or pasted rows: a bank statement, whose lines are stored, or answers line by line. */

interface Opened {
  source: 'reverse file' | 'paste';
  name: string;
  rows: string[][];
  /** Whether it has columns that only statements have, so that it is never read as answers: its credits would be paid. */
  isCertain: boolean;
  /** Whether a person chose its columns, now or for a file of the same shape before. */
  isChosen: boolean;
}
export interface AnswerFile extends Opened {
  kind: 'answers';
  mapping: AnswerMapping;
  statuses: Readonly<Record<string, AnswerState | null>>;
  /** What the user said that all rows of a file without statuses are; null: not yet. */
  allAre: AnswerState | null;
}
export interface StatementFile extends Opened {
  kind: 'statement';
  mapping: StatementMapping;
}
export type BankFile = AnswerFile | StatementFile;

/** Recognises a statement or a list of answers by its columns, or as this user read such a file of the account before. */
export function makeSource(name: string, rows: string[][], isPasted: boolean, accountId: string): BankFile {
  const [ofStatement, ofAnswers] = [statementMapping(rows), answerMapping(rows)];
  const source = isPasted ? 'paste' : 'reverse file';
  const opened = {
    source,
    name,
    rows,
    isCertain: isStatement(rows, [ofStatement, ofAnswers]),
    isChosen: false,
  } as const;
  const statement = rememberedColumns({ kind: 'statement', accountId }, rows, ofStatement, statementFields);
  if (statement) return { ...opened, kind: 'statement', mapping: statement.mapping, isChosen: true };
  if (opened.isCertain) return { ...opened, kind: 'statement', mapping: ofStatement };
  const answers = rememberedColumns({ kind: 'answers', accountId }, rows, ofAnswers, answerFields);
  if (answers) return { ...opened, kind: 'answers', ...answers, allAre: null, isChosen: true };
  const read = ofAnswers.columns.includes('status') ? undefined : readAccountStatement(rows, today(), ofStatement);
  return read?.problem === null && read.lines.length > 0
    ? { ...opened, kind: 'statement', mapping: ofStatement }
    : asAnswers({ ...opened, kind: 'statement', mapping: ofStatement });
}

/** The same file, read as the other kind. */
export const asStatement = ({ source, name, rows, isCertain }: AnswerFile): StatementFile => ({
  kind: 'statement',
  source,
  name,
  rows,
  isCertain,
  isChosen: true,
  mapping: statementMapping(rows),
});
export const asAnswers = ({ source, name, rows, isCertain }: StatementFile): AnswerFile => ({
  kind: 'answers',
  source,
  name,
  rows,
  isCertain,
  isChosen: false,
  mapping: answerMapping(rows),
  statuses: {},
  allAre: null,
});

/**
 * A file that was saved again, with the columns that were chosen for it before, where its headings are the same. What all its rows
 * are is asked again, and rows that became those of a statement are read as one.
 */
export function withChoicesOf(file: BankFile, before: BankFile): BankFile {
  const isSame =
    file.name === before.name &&
    (before.kind === 'statement' || !file.isCertain) &&
    hasSameHeadings(squared(before.rows), squared(file.rows), before.mapping.firstRow);
  if (!isSame) return file;
  const { rows, isCertain } = file;
  return before.kind === 'answers' ? { ...before, rows, isCertain, allAre: null } : { ...before, rows, isCertain };
}

/** A file with another field for a column. */
export function withField(file: AnswerFile, index: number, name: AnswerField | null): AnswerFile;
export function withField(file: StatementFile, index: number, name: StatementField | null): StatementFile;
export function withField(file: BankFile, index: number, name: AnswerField | StatementField | null): BankFile {
  // Safe: the overloads take a field of the file's own kind.
  const mapping = withColumn<AnswerField | StatementField>(file.mapping, index, name);
  return { ...file, mapping, isChosen: true } as BankFile;
}

/** A file whose headings are in this row, counted from 1; 0: it has none. */
export function withHeadings<F extends BankFile>(file: F, row: number): F {
  const table = squared(file.rows);
  const width = table[0]?.length ?? 0;
  const headings = table[row - 1] ?? Array.from({ length: width }, () => '');
  const found = file.kind === 'statement' ? statementMapping([headings]) : answerMapping([headings]);
  const columns = headings.map((_, column) => (found.hasHeadings ? (found.columns[column] ?? null) : null));
  return { ...file, mapping: { headings, columns, firstRow: row, hasHeadings: row > 0 }, isChosen: true };
}

/** True if the columns are enough to compare: they identify the line and say what became of it. */
export const canCompare = ({ mapping: { columns }, allAre }: AnswerFile): boolean =>
  (columns.includes('reference') || columns.includes('accountNo')) &&
  (columns.includes('status') || (columns.includes('utr') && allAre !== null));
