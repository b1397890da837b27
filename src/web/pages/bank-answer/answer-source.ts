import { z } from 'zod';
import { readAccountStatement } from '../../../shared/bank-answers/account-statement.ts';
import type { AnswerState } from '../../../shared/bank-answers/answers.ts';
import {
  answerFields,
  answerKey,
  answerMapping,
  type AnswerField,
  type AnswerMapping,
} from '../../../shared/bank-answers/read-answers.ts';
import { today } from '../../forms/day-field.tsx';
import { readPreference, writePreference } from '../../session/account-storage.ts';

/** The opened file or pasted rows: a bank statement, whose lines are stored, or answers line by line. */

export interface AnswerFile {
  kind: 'answers';
  source: 'reverse file' | 'paste';
  name: string;
  rows: string[][];
  mapping: AnswerMapping;
  statuses: Readonly<Record<string, AnswerState | null>>;
}
export interface StatementFile {
  kind: 'statement';
  name: string;
  rows: string[][];
  /** The result of reading it in the browser. The server reads it again. */
  read: Extract<ReturnType<typeof readAccountStatement>, { problem: null }>;
}

/**
 * Recognises a statement or a list of answers by its headings.
 * @throws Error with the reason for a statement that cannot be read. It is never taken for answers: its credits would be paid.
 */
export function makeSource(name: string, rows: string[][], isPasted: boolean): AnswerFile | StatementFile {
  const read = readAccountStatement(rows, today());
  if (read.problem === null && read.lines.length > 0) return { kind: 'statement', name, rows, read };
  if (read.isStatement) {
    if (read.problem !== null)
      throw new Error(`${read.problem} Headings seen: ${read.headings.join(', ').slice(0, 300)}.`);
    const [bad] = read.bad;
    throw new Error(bad ? `No line can be read. Row ${bad.row}: ${bad.reason}` : 'The statement has no lines.');
  }
  const found = answerMapping(rows);
  const kept = readRemembered(found);
  return {
    kind: 'answers',
    source: isPasted ? 'paste' : 'reverse file',
    name,
    rows,
    mapping: kept ? { ...found, columns: kept.columns } : found,
    statuses: kept?.statuses ?? {},
  };
}

/** True if the columns are enough to compare: they identify the line and say what became of it. */
export const canCompare = ({ columns }: AnswerMapping): boolean =>
  (columns.includes('reference') || columns.includes('accountNo')) &&
  (columns.includes('utr') || columns.includes('status'));

const keptSchema = z.record(
  z.string(),
  z.object({
    columns: z.array(z.enum(answerFields).nullable()),
    statuses: z.record(z.string(), z.enum(['executed', 'failed', 'returned']).nullable()),
  }),
);
type Kept = z.output<typeof keptSchema>[string];
const preferenceKey = 'bank-answer.columns';
const maxKept = 20;

function readKept(): z.output<typeof keptSchema> {
  try {
    return keptSchema.catch({}).parse(JSON.parse(readPreference(preferenceKey, '{}')));
  } catch {
    return {};
  }
}

/** The columns and statuses that this user chose for such a file the last time. */
function readRemembered(found: AnswerMapping): Kept | undefined {
  const kept = readKept()[answerKey(found)];
  return kept && kept.columns.length === found.columns.length ? kept : undefined;
}

export function rememberColumns({ mapping, statuses }: Pick<AnswerFile, 'mapping' | 'statuses'>): void {
  const key = answerKey(mapping);
  const { [key]: _old, ...others } = readKept();
  const latest = [...Object.entries(others), [key, { columns: [...mapping.columns], statuses }] as const];
  writePreference(preferenceKey, JSON.stringify(Object.fromEntries(latest.slice(-maxKept))));
}

/** A field has only one column: if it had another column before, that column becomes unused. */
export const withColumn = (file: AnswerFile, index: number, name: AnswerField | null): AnswerFile => ({
  ...file,
  mapping: {
    ...file.mapping,
    columns: file.mapping.columns.map((old, at) => (at === index ? name : old === name ? null : old)),
  },
});
