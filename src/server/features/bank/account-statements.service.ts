import { createHash } from 'node:crypto';
import { dayOf, formatDate } from '../../../shared/calc/dates.ts';
import { otherAccount } from '../../../shared/bank-answers/account-in-title.ts';
import { readAccountStatement } from '../../../shared/bank-answers/account-statement.ts';
import { chosenMapping, statementMapping } from '../../../shared/bank-answers/statement-columns.ts';
import { groupOfProposal } from '../../../shared/contract/proposal-group.ts';
import { grouped } from '../../../shared/calc/grouped.ts';
import { matchLines, type SentLine } from '../../../shared/bank-answers/match-lines.ts';
import type { BankLineAtBank, Outcome, Proposal, ProposalCounts } from '../../../shared/contract/bank-answers.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import {
  lineKey,
  selectComparable,
  selectStandingAnswers,
  type ComparedLine,
  type StandingAnswer,
} from './bank-answers.queries.ts';
import {
  insertNotes,
  insertStatement,
  selectAccountNo,
  selectOpenStatementLines,
  selectStatementLines,
} from './account-statement-lines.queries.ts';
import { matchState, withHindrances } from './called-off.service.ts';
import { takeTurns } from '../../sql/conflicts.ts';
import { insertHistory } from '../history/history.queries.ts';
import { invalidReference, notFound, Refusal } from '../../refusal.ts';

/**
 * Statements of a bank account (docs/specification.md §25.3). Their lines are stored, compared with the payments, and
 * may be set aside.
 */

export async function importStatement(
  db: TenantDb,
  caller: Caller,
  { bankAccountId, fileName, rows, mapping: chosen }: BodyOf<typeof contract.bankAnswers.importStatement>,
): Promise<{ lineCount: number; newCount: number; badCount: number }> {
  const accountNo = await selectAccountNo(db, bankAccountId);
  if (accountNo === null) throw invalidReference('bankAccountId', 'bank account');
  const mapping = chosen ? chosenMapping(rows, chosen) : statementMapping(rows);
  const another = otherAccount(rows.slice(0, mapping.firstRow), accountNo);
  if (another !== null) throw new Refusal('INVALID_FILE', another);
  const statement = readAccountStatement(rows, dayOf(new Date()), mapping);
  if (statement.problem !== null) {
    const seen = statement.headings.length > 0 ? ` Headings seen: ${statement.headings.join(', ').slice(0, 300)}.` : '';
    throw new Refusal('INVALID_FILE', `${statement.problem}${seen}`);
  }
  const { lines, bad } = statement;
  if (lines.length === 0) throw new Refusal('INVALID_FILE', 'The statement has no lines.');
  await takeTurns(db, 'bank-answers');
  const keyed = lines.map((line) => ({ ...line, rowKey: createHash('sha256').update(line.key).digest('hex') }));
  const newCount = await insertStatement(db, caller, { bankAccountId, fileName, lines: keyed });
  await insertHistory(db, caller, {
    entity: 'bank-account',
    entityId: bankAccountId,
    action: `statement brought in: ${newCount} new of ${lines.length} lines`,
  });
  return { lineCount: lines.length, newCount, badCount: bad.length };
}

/** At most this many proposals are returned. Lines that are accepted or set aside make room for others. */
const maxProposals = 2_000;

/** Returns every open line of the account's statements with the payments that it may be. */
export async function proposeFromStatements(
  db: TenantDb,
  bankAccountId: string,
): Promise<{ data: Proposal[]; counts: ProposalCounts }> {
  const [accountNo, open, compared] = await Promise.all([
    selectAccountNo(db, bankAccountId),
    selectOpenStatementLines(db, bankAccountId),
    selectComparable(db, { bankAccountId }),
  ]);
  if (accountNo === null) throw notFound('Bank account');
  const sent = new Map(compared.map((line) => [lineKey(line), line]));
  const settled = compared.filter(({ state }) => state === 'failed' || state === 'returned');
  const given = grouped(await selectStandingAnswers(db, settled), (one) => [lineKey(one)]);
  // The return of a payment may have another reference of the bank than the payment had.
  const executedUtr = (key: string): string => given.get(key)?.find(({ state }) => state === 'executed')?.utr ?? '';
  const sentLines = compared.map((line) => toSent(line, executedUtr(lineKey(line)) || line.utr));
  const matches = new Map(matchLines(open, sentLines).map((match) => [match.bankLine, match]));
  const proposals = open.map((line): Proposal => {
    const match = matches.get(line.id);
    const answered = match?.answered ?? '';
    const outcome: Outcome = match?.kind ?? (line.side === 'in' ? 'returned' : 'executed');
    return {
      statementLine: line,
      row: null,
      outcome,
      isSure: match?.isSure ?? false,
      utr: match?.utr ?? '',
      day: line.day,
      amount: line.amount,
      // The narration holds the bank's reason in its own words.
      reason: outcome === 'returned' ? line.narration.slice(0, 200) : '',
      candidates: candidatesOf(sent, match?.candidates),
      ...describeAnswered(sent.get(answered), given.get(answered)?.at(-1)),
    };
  });
  return rankProposals(await withHindrances(db, proposals));
}

/** Sorts proposals by their groups; of those that nothing can be accepted for, withdrawals come before deposits. */
export function rankProposals(proposals: readonly Proposal[]): { data: Proposal[]; counts: ProposalCounts } {
  const groups: Record<keyof ProposalCounts, Proposal[]> = { sure: [], choices: [], others: [], answered: [] };
  for (const one of proposals) groups[groupOfProposal(one)].push(one);
  const { sure, choices, others, answered } = groups;
  const isIn = ({ statementLine }: Proposal): boolean => statementLine?.side === 'in';
  const inOrder = [sure, choices, others.filter((one) => !isIn(one)), others.filter(isIn), answered].flat();
  return {
    data: inOrder.slice(0, maxProposals),
    counts: {
      sure: sure.length,
      choices: choices.length,
      others: others.length,
      answered: answered.length,
    },
  };
}

/** 'executed on 21/04/2026 with UTR N097262000001000' */
export const describeState = ({ state, eventOn, utr }: Pick<BankLineAtBank, 'state' | 'eventOn' | 'utr'>): string =>
  [state === 'in-file' ? 'without an answer' : state, eventOn && `on ${formatDate(eventOn)}`, utr && `with UTR ${utr}`]
    .filter(Boolean)
    .join(' ');

/**
 * The part of a proposal about a line that was answered already, and which answer it has. A line may have failed without
 * one: then its reason says why.
 */
export function describeAnswered(
  line: ComparedLine | undefined,
  given: StandingAnswer | undefined,
  isOtherwise = false,
): Pick<Proposal, 'answered' | 'note' | 'isOtherwise'> {
  if (!line) return { answered: null, note: '', isOtherwise };
  const [what, where] = given ? [{ ...given, eventOn: given.day }, given.number] : [line, line.reason];
  const wayOut = isOtherwise && given ? '. If the row is right, undo that answer first' : '';
  const note = `Answered already: ${describeState(what)}${where === '' ? '' : ` (${where})`}${wayOut}`;
  return { answered: shown(line), note, isOtherwise };
}

/** The answer is written by its schema, which has no other field. */
const shown = ({ isBooked: _isBooked, ...line }: ComparedLine): BankLineAtBank => line;

/** The lines that a match names. */
export const candidatesOf = (
  lines: ReadonlyMap<string, ComparedLine>,
  found: readonly { line: string; why: string }[] = [],
): Proposal['candidates'] =>
  found.flatMap(({ line: key, why }) => {
    const line = lines.get(key);
    return line ? [{ line: shown(line), why }] : [];
  });

const toSent = (line: ComparedLine, utr: string): SentLine => ({
  id: lineKey(line),
  amount: line.amount,
  name: line.name,
  accountNo: line.accountNo,
  reference: line.reference,
  sentOn: line.sentOn,
  state: matchState(line),
  utr,
  isBooked: line.isBooked,
});

/** Sets lines aside as no payment of ours, or opens them again: all of them or none. */
export async function setAside(
  db: TenantDb,
  caller: Caller,
  ids: readonly string[],
  how: { isAside: true; note: string } | { isAside: false },
): Promise<{ count: number }> {
  await takeTurns(db, 'bank-answers');
  const unique = [...new Set(ids)];
  const lines = await selectStatementLines(db, unique);
  if (lines.length !== unique.length) throw notFound('Line of the statement');
  const other = lines.find((line) => line.isAccepted || line.isAside === how.isAside);
  if (other) {
    const what = other.isAccepted ? 'accepted' : how.isAside ? 'set aside' : 'opened again';
    throw new Refusal(
      'LINE_ANSWERED',
      `The line of ${formatDate(other.day)} was ${what} meanwhile. Nothing was changed. Look at the list again.`,
    );
  }
  await insertNotes(db, caller, lines, { isAside: how.isAside, note: how.isAside ? how.note : '' });
  const word = how.isAside ? 'set aside' : 'opened again';
  const accounts = grouped(lines, ({ bankAccountId }) => [bankAccountId]);
  for (const [entityId, its] of accounts) {
    const action = `${its.length} line${its.length === 1 ? '' : 's'} of the statement ${word}`;
    await insertHistory(db, caller, { entity: 'bank-account', entityId, action });
  }
  return { count: lines.length };
}
