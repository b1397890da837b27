import { compare } from '../calc/money.ts';
import { withoutZeros } from '../calc/keys.ts';
import { saysReturn, utrKindOf } from './bank-words.ts';
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
  /** What a person should look at, found when the row was read; '' or missing: nothing. */
  doubt?: string;
}

/**
 * The outcomes that a line in each state may get. 'known': a statement has the payment, which was executed already.
 * 'called-off': we said ourselves that it failed (`isCalledOff`).
 */
const nextOutcomes: Readonly<Record<'in-file' | 'called-off' | AnswerState, readonly (AnswerState | 'known')[]>> = {
  'in-file': ['executed', 'failed', 'returned'],
  'called-off': ['executed'],
  executed: ['returned', 'known'],
  failed: [],
  returned: [],
};

export const canGet = (state: keyof typeof nextOutcomes, outcome: AnswerState | 'known'): boolean =>
  nextOutcomes[state].includes(outcome);

/** An answer that a line has. */
interface GivenAnswer {
  state: AnswerState;
  utr: string;
  /** '' where the bank named none. */
  day: string;
}

/** A line at the bank, with what answers are compared by. */
export interface AnsweredLine {
  id: string;
  reference: string;
  accountNo: string;
  amount: string;
  sentOn: string;
  state: keyof typeof nextOutcomes;
  /** Its answers, the newest last. */
  answers: readonly GivenAnswer[];
}

export interface AnswerMatch {
  row: number;
  isSure: boolean;
  /** The best one first; empty: the row is about no line of ours, or the line was answered already. */
  candidates: { line: string; why: string }[];
  /** The line that was answered already, with the index of that answer: that of the row, or else its newest. */
  answered: { line: string; answer: number } | null;
  /** Whether the row says something else than the answer that its line has. */
  isOtherwise: boolean;
}

/** Why a person decides about a line that was called off. */
export const calledOffDoubt = 'its file was withdrawn';

interface Found extends Omit<AnswerMatch, 'isSure'> {
  isExact: boolean;
}

/** What a matcher has found, with the lines that it would take; the best one first. */
interface Claiming {
  isExact: boolean;
  claims: readonly string[];
}
/** Tells which matches are sure: those that are exact, and whose line nothing else claims. */
export function sureOf(found: readonly Claiming[]): (match: Claiming) => boolean {
  const claimed = grouped(found, ({ claims }) => claims);
  return ({ isExact, claims: [best = ''] }) => isExact && claimed.get(best)?.length === 1;
}

/**
 * Matches rows by reference, else by account and amount. A match is sure when only one line fits, nothing contradicts it,
 * and no other row claims the same line. A row that repeats an answer is never offered another payment of that account.
 */
export function matchAnswers(answers: readonly AnswerRow[], lines: readonly AnsweredLine[]): AnswerMatch[] {
  const byReference = grouped(lines, ({ reference }) => (reference === '' ? [] : [bareText(reference)]));
  const byAccount = grouped(lines, ({ accountNo }) => [withoutZeros(accountNo)]);
  /** Answers that a row without our reference has repeated. Of equal rows each repeats another one. */
  const repeated = new Set<GivenAnswer>();
  const doubtOf = doubtsAbout(answers, lines);
  const byId = new Map(lines.map((line) => [line.id, line]));
  const found = answers.map((answer): Found => {
    const match = findMatch(answer);
    const doubt = doubtOf(answer);
    const doubtsOf = ({ line }: { line: string }): string[] => {
      const { sentOn = '', state } = byId.get(line) ?? {};
      const isEarly = answer.day !== '' && answer.day < sentOn;
      return [doubt, isEarly ? 'before it was sent' : '', state === 'called-off' ? calledOffDoubt : ''].filter(Boolean);
    };
    return {
      ...match,
      isExact: match.isExact && match.candidates.every((one) => doubtsOf(one).length === 0),
      candidates: match.candidates.map((one) => ({ line: one.line, why: [one.why, ...doubtsOf(one)].join(', but ') })),
    };
  });
  function findMatch(answer: AnswerRow): Found {
    const text = bareText(answer.reference);
    const isSame = ({ amount }: AnsweredLine): boolean => answer.amount === '' || compare(amount, answer.amount) === 0;
    const isOpen = ({ state }: AnsweredLine): boolean => canGet(state, answer.state);
    const byText = (text === '' ? undefined : byReference.get(text)) ?? [];
    const openByText = byText.filter(isOpen);
    if (openByText.length > 0) {
      const isRight = (line: AnsweredLine): boolean =>
        isSame(line) && (answer.accountNo === '' || withoutZeros(answer.accountNo) === withoutZeros(line.accountNo));
      return {
        row: answer.row,
        isExact: openByText.length === 1 && openByText.every(isRight),
        candidates: openByText.map((line) => ({
          line: line.id,
          why: `Our reference ${line.reference}${isRight(line) ? '' : isSame(line) ? ', but another account' : ', but another amount'}`,
        })),
        answered: null,
        isOtherwise: false,
      };
    }
    const matchAnswered = (line: AnsweredLine, given = findRepeated(line, answer)): Found => ({
      row: answer.row,
      isExact: false,
      candidates: [],
      answered: { line: line.id, answer: given ? line.answers.indexOf(given) : line.answers.length - 1 },
      isOtherwise: given === undefined && contradicts(answer, line),
    });
    const [settled] = byText;
    if (settled) return matchAnswered(settled);
    // A pasted column may hold accounts instead of references.
    const account = answer.accountNo === '' ? text : answer.accountNo;
    const ofAccount = byAccount.get(withoutZeros(account)) ?? [];
    const ofAmount = ofAccount.filter(isSame);
    for (const line of ofAmount) {
      const given = findRepeated(line, answer, repeated);
      if (!given) continue;
      repeated.add(given);
      return matchAnswered(line, given);
    }
    const allOpen = ofAccount.filter(isOpen);
    // What was called off is only meant where nothing at the bank is.
    const atBank = allOpen.filter(({ state }) => state !== 'called-off');
    const open = atBank.some(isSame) ? atBank : allOpen;
    const fitting = open.filter(isSame);
    if (fitting.length === 0 && answer.amount !== '') {
      // Another UTR is another payment. Without one, account and amount have to do.
      const last = ofAmount.findLast(({ answers: its }) => answer.utr === '' || its.every(({ utr }) => utr === ''));
      if (last) return matchAnswered(last);
    }
    const why = (line: AnsweredLine): string =>
      `Account …${line.accountNo.slice(-4)}${answer.amount === '' ? '' : isSame(line) ? ' and amount' : ', but another amount'}`;
    return {
      row: answer.row,
      isExact: fitting.length === 1 && open.length === 1 && (answer.reference === '' || answer.accountNo === ''),
      candidates: (fitting.length > 0 ? fitting : open).slice(0, 10).map((line) => ({ line: line.id, why: why(line) })),
      answered: null,
      isOtherwise: false,
    };
  }
  const claiming = found.map(({ isExact, candidates }, at) => {
    // A payment and its return may be in one file.
    const as = answers[at]?.state === 'returned' ? 'returned' : 'answered';
    return { isExact, claims: candidates.map(({ line }) => `${as} ${line}`) };
  });
  const isSure = sureOf(claiming);
  return found.map(({ isExact: _isExact, ...match }, at) => ({ ...match, isSure: isSure(claiming[at]!) }));
}

/** Whether a row says that the money went although the line came back, the opposite, or that it went under another UTR. */
function contradicts(row: AnswerRow, { state, answers }: AnsweredLine): boolean {
  const isPaid = state === 'executed';
  if ((row.state === 'executed') !== isPaid) return true;
  const utr = bareText(answers.at(-1)?.utr ?? '');
  return isPaid && utr !== '' && utr !== bareText(row.utr);
}

/**
 * What speaks against taking a row as it is: money counts as paid only with a number that has the form of a UTR and is no other
 * row's or payment's.
 */
function doubtsAbout(answers: readonly AnswerRow[], lines: readonly AnsweredLine[]): (answer: AnswerRow) => string {
  const byUtr = grouped(answers, ({ state, utr }) => (state === 'executed' ? [bareText(utr)] : []));
  const byGivenUtr = grouped(lines, ({ answers: its }) =>
    its.flatMap(({ state, utr }) => (state === 'executed' ? [bareText(utr)] : [])),
  );
  return ({ state, utr, reference, accountNo, reason, doubt = '' }) => {
    if (doubt !== '' || state !== 'executed') return doubt;
    const bare = bareText(utr);
    if (utrKindOf(bare) === null) return 'its UTR has not the form of one';
    if ([reference, accountNo].some((text) => bareText(text) === bare)) return 'its UTR is its reference or account';
    const others = byUtr.get(bare) ?? [];
    if (others.some((other) => bareText(other.reference) !== bareText(reference) || other.accountNo !== accountNo))
      return 'another row has the same UTR';
    const [given] = byGivenUtr.get(bare) ?? [];
    if (given) return `${given.reference} has the same UTR`;
    return saysReturn(reason) ? 'its reason says that it came back' : '';
  };
}

/**
 * The answer of a line that a row repeats: with the same UTR, or, where the bank gave none, the same state on the same
 * day.
 */
function findRepeated(
  line: AnsweredLine,
  answer: AnswerRow,
  without?: ReadonlySet<GivenAnswer>,
): GivenAnswer | undefined {
  return line.answers.find((given) => {
    if (without?.has(given) || bareText(given.utr) !== bareText(answer.utr)) return false;
    if (answer.utr === '') return given.state === answer.state && given.day === answer.day;
    // An executed payment that now comes back has the same UTR, and is no repetition.
    return given.state === answer.state || !canGet(line.state, answer.state);
  });
}
