import { daysBetween } from '../calc/dates.ts';
import { withoutZeros } from '../calc/keys.ts';
import { nameWords, saysReturn, tokensOf, utrIn } from './bank-words.ts';
import { calledOffDoubt, sureOf, type AnsweredLine } from './answers.ts';
import { bareText } from './cells.ts';
import type { Side } from '../reading/amount.ts';
import { grouped } from '../calc/grouped.ts';

/**
 * Matches lines of an account's statement with lines of our bank files (docs/specification.md §25.4). The strongest match
 * is by the bank's reference or our own, then by the last digits of the account with the amount, then by the amount with
 * the day and the name. A match is sure when it is exact and neither line has another match. Between two payments of the
 * same amount the program decides only by a reference. A person decides whatever is not sure.
 */

/** A line that was sent to the bank. */
export interface SentLine {
  id: string;
  amount: string;
  name: string;
  accountNo: string;
  /** Our own reference, as it was in the bank file. */
  reference: string;
  sentOn: string;
  state: AnsweredLine['state'];
  /** '' until the bank has given one. */
  utr: string;
  /** true: a withdrawal of the account was accepted for this line already. */
  isBooked: boolean;
}

export interface BankLine {
  id: string;
  day: string;
  side: Side;
  amount: string;
  narration: string;
  reference: string;
}

type Way = 'utr' | 'reference' | 'account' | 'name' | 'amount';

interface Candidate {
  line: string;
  way: Way;
  /** The reason in words, for the screen. */
  why: string;
}

export interface Match {
  bankLine: string;
  /** 'known': the payment was answered already, and this is its line in the statement. */
  kind: 'executed' | 'returned' | 'known';
  isSure: boolean;
  /** The best one first; only one when the match is sure. */
  candidates: Candidate[];
  /** The line that it is about, when that failed or was returned, so that nothing can be accepted; null otherwise. */
  answered: string | null;
  utr: string;
}

/** A bank books a payment within this number of days after its file, and a return within three times that number. */
const matchDays = 7;
const mostCandidates = 10;
/** With more payments of the same amount, amount and name no longer tell them apart. */
const mostTwins = 200;

const strength: Readonly<Record<Way, number>> = { utr: 4, reference: 4, account: 3, name: 2, amount: 1 };

export function matchLines(bankLines: readonly BankLine[], sentLines: readonly SentLine[]): Match[] {
  const index = indexOf(bankLines, sentLines);
  const found = bankLines.flatMap((line) => {
    const one = findMatch(line, index);
    return one === null ? [] : [one];
  });
  const isSureOf = sureOf(found);
  return found.map(({ isExact, claims, ...match }) => {
    const isSure = isSureOf({ isExact, claims });
    return { ...match, isSure, candidates: match.candidates.slice(0, isSure ? 1 : mostCandidates) };
  });
}

interface Found extends Match {
  /** The best candidate is exact, and no other is as strong. */
  isExact: boolean;
  /** Its strongest candidates with the side of the line: a sent line may be claimed by one withdrawal and by one return. */
  claims: string[];
}

type Groups = ReadonlyMap<string, readonly SentLine[]>;

interface Index {
  byReference: Groups;
  byUtr: Groups;
  byAmount: Groups;
  /** By amount and the account's last four digits. */
  byAccount: Groups;
  /** By amount and a word of the name. */
  byWord: Groups;
  /** How many words of a narration the longest reference takes. */
  longestReference: number;
  /** The days of the statement's lines by side and amount. */
  booked: ReadonlyMap<string, readonly string[]>;
  days: (from: string, to: string) => number;
}

const isSettled = ({ state }: SentLine): boolean => state !== 'in-file' && state !== 'executed';

function indexOf(bankLines: readonly BankLine[], sentLines: readonly SentLine[]): Index {
  // A line that failed, was returned or was called off is only found by a reference.
  const openLines = sentLines.filter((sent) => !isSettled(sent));
  return {
    // A narration may have the parts of a reference separately or run together.
    byReference: grouped(sentLines, ({ reference }) => {
      const tokens = tokensOf(reference);
      return tokens.length === 0 ? [] : [tokens.join(' '), tokens.join('')];
    }),
    byUtr: grouped(sentLines, ({ utr }) => (utr === '' ? [] : [bareText(utr)])),
    byAmount: grouped(openLines, ({ amount }) => [amount]),
    byAccount: grouped(openLines, ({ amount, accountNo }) => [`${amount} ${accountNo.slice(-4)}`]),
    byWord: grouped(openLines, ({ amount, name }) => nameWords(name).map((word) => `${amount} ${word}`)),
    longestReference: sentLines.reduce((most, { reference }) => Math.max(most, tokensOf(reference).length), 1),
    booked: new Map(
      [...grouped(bankLines, ({ side, amount }) => [`${side} ${amount}`])].map(([key, lines]) => [
        key,
        lines.map(({ day }) => day),
      ]),
    ),
    days: dayCounter(),
  };
}

/** Counts days between dates. The same dates come again and again, so each is parsed only once. */
function dayCounter(): (from: string, to: string) => number {
  const numbers = new Map<string, number>();
  const numberOf = (day: string): number => {
    const known = numbers.get(day) ?? daysBetween('2000-01-01', day);
    numbers.set(day, known);
    return known;
  };
  return (from, to) => numberOf(to) - numberOf(from);
}

interface Hit {
  sent: SentLine;
  way: Way;
  isExact: boolean;
  why: string;
}

function findMatch(line: BankLine, index: Index): Found | null {
  // The bar separates the two texts, so that no reference is found across them.
  const tokens = [...tokensOf(line.reference), '|', ...tokensOf(line.narration)];
  const { hits: hitsOfAll, referenceTokens } = hitsByText(line, tokens, index);
  const isPaidAnyway = ({ sent }: Hit): boolean =>
    line.side === 'out' && sent.state === 'called-off' && sent.amount === line.amount;
  const hits = hitsOfAll.filter((hit) => !isSettled(hit.sent) || isPaidAnyway(hit));
  const settled = hitsOfAll.find(({ sent }) => isSettled(sent) && sent.amount === line.amount);
  if (hits.length === 0 && settled) {
    const kind = line.side === 'in' ? 'returned' : 'executed';
    const nothing = { isSure: false, isExact: false, claims: [], candidates: [], utr: '' };
    return { ...nothing, bankLine: line.id, kind, answered: settled.sent.id };
  }
  // A deposit without a reference of ours is a return only where its text says so.
  if (hits.length === 0 && (line.side === 'out' || saysReturn(`${line.reference} ${line.narration}`))) {
    hits.push(...hitsByAmount(line, tokens, index));
  }
  const best = new Map<string, Hit>();
  for (const hit of hits) {
    const before = best.get(hit.sent.id);
    if (!before || strength[hit.way] > strength[before.way]) best.set(hit.sent.id, hit);
  }
  const ranked = [...best.values()].sort((a, b) => strength[b.way] - strength[a.way]);
  const [top] = ranked;
  if (!top) return null;
  const strongest = ranked.filter(({ way }) => strength[way] === strength[top.way]);
  const kind = line.side === 'in' ? 'returned' : top.sent.state === 'executed' ? 'known' : 'executed';
  return {
    bankLine: line.id,
    kind,
    isSure: false,
    isExact: strongest.length === 1 && top.isExact,
    claims: strongest.map(({ sent }) => `${line.side} ${sent.id}`),
    candidates: ranked.map(({ sent, way, why }) => ({ line: sent.id, way, why })),
    answered: null,
    utr: utrIn(
      line.reference,
      line.narration,
      new Set([...referenceTokens, ...ranked.map(({ sent }) => sent.accountNo)]),
    ),
  };
}

/**
 * The matches by the bank's reference or our own. A match is exact when the amount is the same, the day is not before the
 * line was sent, and no withdrawal was accepted for the line already.
 */
function hitsByText(
  line: BankLine,
  tokens: readonly string[],
  index: Index,
): { hits: Hit[]; referenceTokens: Set<string> } {
  const hits: Hit[] = [];
  const referenceTokens = new Set<string>();
  const hit = (sent: SentLine, way: Way, words: string): void => {
    const doubts = [
      sent.amount === line.amount ? '' : 'another amount',
      index.days(sent.sentOn, line.day) >= -1 ? '' : 'before it was sent',
      line.side === 'out' && sent.isBooked ? 'a withdrawal was accepted for it already' : '',
      isTakenBack(line) ? 'the text says that it came back' : '',
      sent.state === 'called-off' ? calledOffDoubt : '',
    ].filter((doubt) => doubt !== '');
    const why = doubts.length === 0 ? `${words} and amount` : `${words}, but ${doubts.join(', ')}`;
    hits.push({ sent, way, isExact: doubts.length === 0, why });
  };
  for (const [start, token] of tokens.entries()) {
    for (const sent of index.byUtr.get(token) ?? []) hit(sent, 'utr', `UTR ${sent.utr}`);
    let text = '';
    for (let end = start; end < Math.min(tokens.length, start + index.longestReference); end += 1) {
      text = end === start ? token : `${text} ${tokens[end] ?? ''}`;
      for (const sent of index.byReference.get(text) ?? []) {
        for (const part of tokens.slice(start, end + 1)) referenceTokens.add(part);
        hit(sent, 'reference', `Our reference ${sent.reference}`);
      }
    }
  }
  return { hits, referenceTokens };
}

/** A withdrawal that says RETURN takes a return back, or is the bank's charge for one. */
const isTakenBack = ({ side, reference, narration }: BankLine): boolean =>
  side === 'out' && saysReturn(`${reference} ${narration}`);

/** The matches by the amount together with the account's last digits, together with the name, and by the amount alone. */
function hitsByAmount(line: BankLine, tokens: readonly string[], index: Index): Hit[] {
  const isIn = line.side === 'in';
  const isNear = (sent: SentLine): boolean => {
    const days = index.days(sent.sentOn, line.day);
    return days >= -1 && days <= (isIn ? 3 : 1) * matchDays && (isIn || !sent.isBooked);
  };
  const ofAmount = index.byAmount.get(line.amount) ?? [];
  const isCrowd = ofAmount.length > mostTwins;
  const twins = isCrowd ? [] : ofAmount.filter(isNear);
  const days = (sent: SentLine): string => {
    const count = index.days(sent.sentOn, line.day);
    if (count === 0) return 'same day';
    return `${Math.abs(count)} day${Math.abs(count) === 1 ? '' : 's'} ${count < 0 ? 'before' : 'after'}`;
  };
  /** Whether this is the only line of the statement with this amount that may be the payment. */
  const isAlone = (sent: SentLine): boolean =>
    (index.booked.get(`${line.side} ${line.amount}`) ?? []).filter((day) => {
      const after = index.days(sent.sentOn, day);
      return after >= -1 && after <= (isIn ? 3 : 1) * matchDays;
    }).length === 1;

  const hits: Hit[] = [];
  for (const { sent, isEnough } of hitsByAccount(line, tokens, index)) {
    if (!isNear(sent)) continue;
    const isNamed = nameWords(sent.name).some((word) => tokens.includes(word));
    // Four digits alone may belong to another account, so the name has to fit as well.
    const isExact = !isCrowd && twins.length === 1 && (isEnough || isNamed) && isAlone(sent) && !isTakenBack(line);
    hits.push({
      sent,
      way: 'account',
      isExact,
      why: `Account …${sent.accountNo.slice(-4)}${isNamed ? ', name' : ''} and amount`,
    });
  }
  for (const token of new Set(tokens)) {
    for (const sent of (index.byWord.get(`${line.amount} ${token}`) ?? []).slice(0, mostTwins)) {
      if (isNear(sent)) hits.push({ sent, way: 'name', isExact: false, why: `Name and amount, ${days(sent)}` });
    }
  }
  if (twins.length <= mostCandidates) {
    for (const sent of twins) hits.push({ sent, way: 'amount', isExact: false, why: `Amount, ${days(sent)}` });
  }
  return hits;
}

/** The matches by account numbers in the text: whole, masked, or only their last four digits. */
function hitsByAccount(
  { amount }: BankLine,
  tokens: readonly string[],
  index: Index,
): { sent: SentLine; isEnough: boolean }[] {
  return tokens.flatMap((token) => {
    const [, mask = '', digits] = /^([A-Z]*[X*]+)?0*(\d{4,18})$/.exec(token) ?? [];
    if (digits === undefined) return [];
    return (index.byAccount.get(`${amount} ${digits.slice(-4)}`) ?? []).slice(0, mostTwins).flatMap((sent) => {
      const account = withoutZeros(sent.accountNo);
      const isWhole = digits === account;
      // Digits without a mask have to be the whole account or its last four digits: others are unrelated numbers.
      const fits = isWhole || (account.endsWith(digits) && (mask !== '' || digits.length === 4));
      return fits ? [{ sent, isEnough: isWhole || digits.length >= 6 }] : [];
    });
  });
}
