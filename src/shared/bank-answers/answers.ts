import { compare } from '../calc/money.ts';
import { bareText } from './cells.ts';
import { grouped } from '../calc/grouped.ts';

/** Finds the lines of our bank files that the rows of a bank's answer are about (docs/specification.md §25.2). */

export type AnswerState = 'executed' | 'failed' | 'returned';

export interface AnswerRow {
  row: number;
  reference: string;
  accountNo: string;
  /** '' where the file has none. */
  amount: string;
  utr: string;
  day: string;
  state: AnswerState;
  reason: string;
}

/** A line at the bank, with what answers are compared by. */
export interface AnsweredLine {
  id: string;
  reference: string;
  accountNo: string;
  amount: string;
}

export interface AnswerMatch {
  row: number;
  isSure: boolean;
  /** The best one first; empty: the row is about no line of ours. */
  candidates: { line: string; why: string }[];
}

/**
 * Matches rows by reference, else by account and amount. A match is sure when only one line fits, nothing contradicts it,
 * and no other row claims the same line.
 */
export function matchAnswers(answers: readonly AnswerRow[], lines: readonly AnsweredLine[]): AnswerMatch[] {
  const byReference = grouped(lines, ({ reference }) => (reference === '' ? [] : [bareText(reference)]));
  const byAccount = grouped(lines, ({ accountNo }) => [bareTail(accountNo)]);
  const found = answers.map((answer) => {
    const text = bareText(answer.reference);
    const isSame = ({ amount }: AnsweredLine): boolean => answer.amount === '' || compare(amount, answer.amount) === 0;
    const byText = (text === '' ? undefined : byReference.get(text)) ?? [];
    if (byText.length > 0) {
      const isRight = (line: AnsweredLine): boolean =>
        isSame(line) && (answer.accountNo === '' || bareTail(answer.accountNo) === bareTail(line.accountNo));
      return {
        row: answer.row,
        isExact: byText.length === 1 && byText.every(isRight),
        candidates: byText.map((line) => ({
          line: line.id,
          why: `Our reference ${line.reference}${isRight(line) ? '' : isSame(line) ? ', but another account' : ', but another amount'}`,
        })),
      };
    }
    // A pasted column may hold accounts instead of references.
    const account = answer.accountNo === '' ? text : answer.accountNo;
    const ofAccount = byAccount.get(bareTail(account)) ?? [];
    const fitting = ofAccount.filter(isSame);
    const why = (line: AnsweredLine): string =>
      `Account …${line.accountNo.slice(-4)}${answer.amount === '' ? '' : isSame(line) ? ' and amount' : ', but another amount'}`;
    return {
      row: answer.row,
      isExact: fitting.length === 1 && ofAccount.length === 1 && (answer.reference === '' || answer.accountNo === ''),
      candidates: (fitting.length > 0 ? fitting : ofAccount)
        .slice(0, 10)
        .map((line) => ({ line: line.id, why: why(line) })),
    };
  });
  const claims = new Map<string, number>();
  for (const { candidates } of found) {
    for (const { line } of candidates) claims.set(line, (claims.get(line) ?? 0) + 1);
  }
  return found.map(({ row, isExact, candidates }) => ({
    row,
    isSure: isExact && claims.get(candidates[0]?.line ?? '') === 1,
    candidates,
  }));
}

/** An account number without leading zeros, which banks leave out. */
const bareTail = (account: string): string => account.replace(/^0+/, '');
