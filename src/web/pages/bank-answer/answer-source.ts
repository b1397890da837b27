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
import { readDelimited } from '../../../shared/sheet/delimited-text.ts';
import { readPreference, writePreference } from '../../session/account-storage.ts';

/** What was opened or pasted: a statement, whose lines are kept, or answers line by line. */

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
  /** Of what was read here; the server reads it again. */
  read: Extract<ReturnType<typeof readAccountStatement>, { problem: null }>;
}

/** Lines of an account are told from answers by their headings. */
export function sourceOf(name: string, rows: string[][], isPasted: boolean): AnswerFile | StatementFile {
  const read = readAccountStatement(rows);
  if (read.problem === null && read.lines.length > 0) return { kind: 'statement', name, rows, read };
  const found = answerMapping(rows);
  const kept = remembered(found);
  return {
    kind: 'answers',
    source: isPasted ? 'paste' : 'reverse file',
    name,
    rows,
    mapping: kept ? { ...found, columns: kept.columns } : found,
    statuses: kept?.statuses ?? {},
  };
}

/** A bank's text file: the separator that the first line has most of. */
export function readText(text: string): string[][] {
  const first = text.slice(0, 2_000).split(/\r?\n/, 1)[0] ?? '';
  const counts = [',', '\t', '|', ';'].map((sign) => ({ sign, count: first.split(sign).length }));
  const most = counts.reduce((best, one) => (one.count > best.count ? one : best));
  return readDelimited(text, most.sign);
}

/** Enough to compare: whose line it is, and what became of it. */
export const canCompare = ({ columns }: AnswerMapping): boolean =>
  (columns.includes('reference') || columns.includes('accountNo')) &&
  (columns.includes('utr') || columns.includes('status'));

const keptShape = z.record(
  z.string(),
  z.object({
    columns: z.array(z.enum(answerFields).nullable()),
    statuses: z.record(z.string(), z.enum(['executed', 'failed', 'returned']).nullable()),
  }),
);
type Kept = z.output<typeof keptShape>[string];
const memory = 'bank-answer.columns';
const mostKept = 20;

function readKept(): z.output<typeof keptShape> {
  try {
    return keptShape.catch({}).parse(JSON.parse(readPreference(memory, '{}')));
  } catch {
    return {};
  }
}

/** As this user mapped such a file the last time. */
function remembered(found: AnswerMapping): Kept | undefined {
  const kept = readKept()[answerKey(found)];
  return kept && kept.columns.length === found.columns.length ? kept : undefined;
}

export function remember({ mapping, statuses }: Pick<AnswerFile, 'mapping' | 'statuses'>): void {
  const key = answerKey(mapping);
  const { [key]: _old, ...others } = readKept();
  const latest = [...Object.entries(others), [key, { columns: [...mapping.columns], statuses }] as const];
  writePreference(memory, JSON.stringify(Object.fromEntries(latest.slice(-mostKept))));
}

/** A field has one column: the one it had before is free. */
export const withColumn = (file: AnswerFile, index: number, name: AnswerField | null): AnswerFile => ({
  ...file,
  mapping: {
    ...file.mapping,
    columns: file.mapping.columns.map((old, at) => (at === index ? name : old === name ? null : old)),
  },
});
