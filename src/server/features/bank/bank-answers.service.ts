import { formatDate } from '../../../shared/calc/dates.ts';
import { compare, formatINR } from '../../../shared/calc/money.ts';
import { canGet, matchAnswers } from '../../../shared/bank-answers/answers.ts';
import { isCalledOff } from '../../../shared/bank/lines.ts';
import { withoutZeros } from '../../../shared/calc/keys.ts';
import { bareText } from '../../../shared/bank-answers/cells.ts';
import { grouped } from '../../../shared/calc/grouped.ts';
import type { AnswerItem, BankAnswer, Proposal, ProposalCounts } from '../../../shared/contract/bank-answers.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import {
  insertAnswer,
  insertAnswerChallans,
  insertEvents,
  lineKey,
  lockChallansOf,
  selectAnswer,
  selectAnswered,
  selectComparable,
  selectStandingAnswers,
  type AcceptedLine,
  type AnsweredLine,
  type NewEvent,
} from './bank-answers.queries.ts';
import { selectStatementLines, type StatementLineState } from './account-statement-lines.queries.ts';
import { refuseWhenTaken, takeTurns } from '../../sql/conflicts.ts';
import { takeBankAnswerNumber } from '../../sql/counters.ts';
import { insertHistory } from '../history/history.queries.ts';
import { fieldRefusal, notFound, Refusal } from '../../refusal.ts';
import { candidatesOf, describeAnswered, describeState, rankProposals } from './account-statements.service.ts';
import { hindrancesOf, matchState, withHindrances } from './called-off.service.ts';
import { unpayChallans } from '../payments/payments.service.ts';

/** Answers of the bank (docs/specification.md §25): they are previewed first and then accepted as one batch. */

type AnswerRow = BodyOf<typeof contract.bankAnswers.preview>['rows'][number];

/**
 * Finds the lines that these rows answer. A row whose line has that answer already gets a note and proposes nothing.
 */
export async function previewAnswers(
  db: TenantDb,
  rows: readonly AnswerRow[],
): Promise<{ data: Proposal[]; counts: ProposalCounts }> {
  const references = rows.map(({ reference }) => bareText(reference));
  // A pasted column may hold accounts instead of references.
  const accounts = [...references, ...rows.map(({ accountNo }) => accountNo)].map(withoutZeros);
  const compared = await selectComparable(db, { accounts, references, utrs: rows.map(({ utr }) => utr) });
  const lines = new Map(compared.map((line) => [lineKey(line), line]));
  const answers = await selectStandingAnswers(
    db,
    compared.filter(({ state }) => state !== 'in-file'),
  );
  const given = grouped(answers, (one) => [lineKey(one)]);
  const matches = matchAnswers(
    rows,
    compared.map((line) => {
      const key = lineKey(line);
      const its = (given.get(key) ?? []).map(({ state, utr, day }) => ({ state, utr, day: day ?? '' }));
      return { ...line, id: key, state: matchState(line), answers: its };
    }),
  );
  const byRow = new Map(matches.map((match) => [match.row, match]));
  const proposals = await withHindrances(
    db,
    rows.map((row): Proposal => {
      const match = byRow.get(row.row);
      const { line: answered, answer: nth } = match?.answered ?? { line: '', answer: -1 };
      return {
        statementLine: null,
        row: row.row,
        outcome: row.state,
        isSure: match?.isSure ?? false,
        utr: row.utr,
        day: row.day || null,
        amount: row.amount || null,
        reason: row.reason,
        candidates: candidatesOf(lines, match?.candidates),
        ...describeAnswered(lines.get(answered), given.get(answered)?.[nth], match?.isOtherwise),
      };
    }),
  );
  return rankProposals(proposals);
}

function alreadyAnswered(message: string, references: readonly string[]): Refusal {
  return new Refusal('LINE_ANSWERED', `${message} Nothing was accepted. Look at the list again.`, {
    data: { references },
  });
}

/**
 * Accepts answers of the bank: all of them or none. When two calls accept answers at once, the second waits, finds what
 * the first accepted, and is refused. Challans of failed and returned lines become unpaid through the ledger, as far as
 * these lines still pay them.
 */
export async function acceptAnswers(
  db: TenantDb,
  caller: Caller,
  { source, fileName, items }: BodyOf<typeof contract.bankAnswers.accept>,
): Promise<BankAnswer> {
  await takeTurns(db, 'bank-answers');
  const lines = new Map((await selectAnswered(db, items)).map((line) => [lineKey(line), line]));
  if (items.some((item) => !lines.has(lineKey(item)))) throw notFound('Line of a bank file');
  const statementIds = items.flatMap(({ statementLineId }) => statementLineId ?? []);
  const statementLines = new Map((await selectStatementLines(db, statementIds)).map((line) => [line.id, line]));
  if (statementIds.some((id) => !statementLines.has(id))) throw notFound('Line of the statement');
  if (new Set(statementIds).size !== statementIds.length)
    throw invalidItems('A line of the statement was given twice.');

  // Challans are locked before what is written depends on them, and once, in their order: whoever reverses a payment or sends
  // it again locks its challans first and then reads its lines.
  const calledOff = items
    .filter(({ outcome }) => outcome === 'executed')
    .flatMap((item) => lines.get(lineKey(item)) ?? [])
    .filter(isCalledOff);
  const toLock = [...items.filter(isBack), ...calledOff];
  const locked = toLock.length === 0 ? [] : await lockChallansOf(db, toLock);
  await refuseHindered(db, calledOff);
  const { events, accepted } = buildEvents(items, lines, statementLines, source);
  const reasons = new Map(
    events.flatMap((event): [string, string][] =>
      event.event === 'failed' || event.event === 'returned' ? [[lineKey(event), unpayReason(event)]] : [],
    ),
  );
  const challans = locked.filter((challan) => reasons.has(lineKey(challan)));
  await refuseWhenTaken(insertEvents(db, caller, events), ['bank_line_events_pkey'], () =>
    alreadyAnswered('A line was answered by somebody else at this moment.', []),
  );
  if (challans.length > 0) {
    const reasonOfChallan = challans.map((challan) => [challan.challanId, reasons.get(lineKey(challan)) ?? '']);
    await unpayChallans(
      db,
      caller,
      challans.map(({ challanId }) => challanId),
      Object.fromEntries(reasonOfChallan) as Record<string, string>,
    );
  }
  const number = await takeBankAnswerNumber(db);
  const id = await insertAnswer(db, caller, { number, source, fileName, lines: accepted });
  await insertAnswerChallans(db, id, challans);
  for (const [entityId, its] of grouped(lines.values(), ({ bankAccountId }) => [bankAccountId])) {
    const action = `${number} accepted: ${its.length} line${its.length === 1 ? '' : 's'}`;
    await insertHistory(db, caller, { entity: 'bank-account', entityId, action });
  }
  return getAnswer(db, id);
}

export async function getAnswer(db: TenantDb, id: string): Promise<BankAnswer> {
  const answer = await selectAnswer(db, id);
  if (!answer) throw notFound('Answer');
  return answer;
}

const invalidItems = (message: string): Refusal => fieldRefusal('VALIDATION_ERROR', 'items', message);

const isBack = ({ outcome }: AnswerItem): boolean => outcome === 'failed' || outcome === 'returned';

async function refuseHindered(db: TenantDb, calledOff: readonly AnsweredLine[]): Promise<void> {
  const hindrances = await hindrancesOf(db, calledOff);
  const line = calledOff.find((one) => hindrances.has(lineKey(one)));
  if (line)
    throw alreadyAnswered(`${line.reference} (${line.name}): ${hindrances.get(lineKey(line))}.`, [line.reference]);
}

/** Converts the items to events, one after the other: a statement may contain both a payment and its return. */
function buildEvents(
  items: readonly AnswerItem[],
  lines: ReadonlyMap<string, AnsweredLine>,
  statementLines: ReadonlyMap<string, StatementLineState>,
  source: string,
): { events: NewEvent[]; accepted: AcceptedLine[] } {
  const now = new Map([...lines].map(([key, line]) => [key, { state: matchState(line), eventNo: line.eventNo }]));
  const events: NewEvent[] = [];
  // A payment must come before its return, whatever the order of the items.
  const order = ['executed', 'known', 'failed', 'returned'];
  const inOrder = [...items].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  const accepted = inOrder.map((item): AcceptedLine => {
    const { fileId, lineNo, outcome, statementLineId, utr, day } = item;
    const line = lines.get(lineKey(item));
    const state = now.get(lineKey(item));
    // Cannot happen: both maps have every line of the items.
    if (!line || !state) throw notFound('Line of a bank file');
    if (!canGet(state.state, outcome)) {
      const isTwice = state.eventNo !== line.eventNo;
      if (isTwice) throw invalidItems(`${line.reference} was given two answers.`);
      throw alreadyAnswered(`${line.reference} (${line.name}) was answered meanwhile: ${describeState(line)}.`, [
        line.reference,
      ]);
    }
    if (outcome === 'known' && statementLineId === null)
      throw invalidItems('What is known needs a line of the statement.');
    const booked = statementLineId === null ? undefined : statementLines.get(statementLineId);
    if (booked) checkStatementLine(booked, line, outcome);
    if (outcome !== 'known') {
      now.set(lineKey(item), { state: outcome, eventNo: state.eventNo + 1 });
      const reason = outcome === 'executed' ? '' : item.reason;
      events.push({ fileId, lineNo, eventNo: state.eventNo + 1, event: outcome, utr, day, reason, source });
    }
    return { fileId, lineNo, outcome, eventNo: outcome === 'known' ? null : state.eventNo + 1, statementLineId };
  });
  return { events, accepted };
}

function checkStatementLine(booked: StatementLineState, line: AnsweredLine, outcome: AnswerItem['outcome']): void {
  if (booked.isAccepted || booked.isAside) {
    const what = booked.isAccepted ? 'accepted' : 'set aside';
    const message = `The statement's line of ${formatDate(booked.day)} over ${formatINR(booked.amount)} was ${what} meanwhile.`;
    throw alreadyAnswered(message, [line.reference]);
  }
  const isOut = outcome === 'executed' || outcome === 'known';
  if (booked.bankAccountId !== line.bankAccountId)
    throw invalidItems(`${line.reference} was paid from another account.`);
  if ((booked.side === 'out') !== isOut) {
    throw invalidItems(isOut ? 'A deposit is no payment.' : 'A withdrawal is no return.');
  }
  if (compare(booked.amount, line.amount) !== 0) {
    throw invalidItems(
      `The statement's line is over ${formatINR(booked.amount)}, ${line.reference} over ${formatINR(line.amount)}.`,
    );
  }
}

const unpayReason = ({ event, reason }: NewEvent): string => {
  const what = event === 'failed' ? 'Failed at the bank' : 'Returned by the bank';
  return reason === '' ? what : `${what}: ${reason}`;
};
