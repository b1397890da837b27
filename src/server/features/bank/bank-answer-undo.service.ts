import { canPayChallan, reasonOf } from '../../../shared/access.ts';
import { grouped } from '../../../shared/calc/grouped.ts';
import type { BankAnswer } from '../../../shared/contract/bank-answers.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { insertEvents, lineKey, selectAnswered, type NewEvent } from './bank-answers.queries.ts';
import {
  insertLinePayments,
  insertUndos,
  lockUnpaid,
  selectEventsOf,
  selectRestored,
  selectUndoable,
  type LineEvent,
  type UndoableLine,
} from './bank-answer-undo.queries.ts';
import { refuseWhenTaken, takeTurns } from '../../sql/conflicts.ts';
import { insertHistory } from '../history/history.queries.ts';
import { keepHolds } from '../challans/holds.queries.ts';
import { Refusal } from '../../refusal.ts';
import { getAnswer } from './bank-answers.service.ts';
import { payChallans } from '../payments/payments.service.ts';

interface UndoResult {
  undone: number;
  payments: { id: string; number: string; amount: string }[];
  left: { reference: string; name: string; reason: string }[];
}

/**
 * Undoes an accepted answer of the bank, line by line, where the answer is still the last one of the line. Each line is
 * then as it was before. The challans that the answer made unpaid are paid again, and their lines at the bank are linked
 * to the payment that does it. A line with a challan that was changed since, or whose owner is on hold, stays
 * as it is and is returned in `left` with the reason.
 */
export async function undoAnswer(db: TenantDb, caller: Caller, id: string): Promise<BankAnswer & UndoResult> {
  await takeTurns(db, 'bank-answers');
  const answer = await getAnswer(db, id);
  const lines = await selectUndoable(db, id);
  if (lines.length === 0) throw new Refusal('ALREADY_UNDONE', `${answer.number} was already undone.`);
  await keepHolds(db);
  const challans = grouped(await lockUnpaid(db, id), (one) => [lineKey(one)]);
  const events = grouped(await selectEventsOf(db, id), (one) => [lineKey(one)]);
  const restored = grouped(await selectRestored(db, id), (one) => [lineKey(one)]);
  const left: UndoResult['left'] = [];
  const newEvents: NewEvent[] = [];
  const undone: UndoableLine[] = [];
  const paidAgain: PaidAgain[] = [];
  for (const [key, its] of grouped(lines, (one) => [lineKey(one)])) {
    const [line] = its;
    if (!line) continue;
    const history = events.get(key) ?? [];
    const unpaid = challans.get(key) ?? [];
    const touched = unpaid.find(({ isUntouched }) => !isUntouched);
    const holdReason = unpaid.map((challan) => reasonOf(canPayChallan(challan))).find((reason) => reason !== undefined);
    const leave = (reason: string): void => {
      left.push({ reference: line.reference, name: line.name, reason });
    };
    if (isAnsweredSince(its, history)) {
      leave(`It was answered again since.${line.otherAnswer === null ? '' : ` Undo ${line.otherAnswer} first.`}`);
    } else if (touched) leave(`${touched.challanNumber} was changed, paid or deleted since.`);
    else if (holdReason !== undefined) leave(holdReason);
    else if ((restored.get(key) ?? []).some(({ isUntouched }) => !isUntouched)) {
      leave('What it had deducted was deducted by another payment since.');
    } else {
      undone.push(...its);
      newEvents.push(...reopenEvents(its, history));
      const challanIds = unpaid.map(({ challanId }) => challanId);
      if (challanIds.length > 0) paidAgain.push({ line, challanIds });
    }
  }
  await refuseWhenTaken(
    insertEvents(db, caller, newEvents),
    ['bank_line_events_pkey'],
    () => new Refusal('ALREADY_UNDONE', 'A line was answered by somebody else at this moment. Look at the list again.'),
  );
  const payments: UndoResult['payments'] = [];
  for (const part of oneLinePerOwner(paidAgain)) {
    const paid = await payChallans(db, caller, {
      kind: 'selected',
      isAtBank: true,
      challanIds: part.flatMap(({ challanIds }) => challanIds),
      deducts: part.flatMap(({ line }) => (restored.get(lineKey(line)) ?? []).map(({ carryId }) => carryId)),
    });
    if (paid.batchId === null || paid.number === null) throw new Error('The challans of an undo are unpaid');
    payments.push({ id: paid.batchId, number: paid.number, amount: paid.totalAmount });
    await insertLinePayments(
      db,
      paid.batchId,
      part.map(({ line }) => line),
    );
  }
  if (undone.length > 0) {
    await insertUndos(
      db,
      caller,
      id,
      undone.map(({ answerNo }) => answerNo),
    );
    const accounts = new Set((await selectAnswered(db, undone)).map(({ bankAccountId }) => bankAccountId));
    for (const entityId of accounts) {
      await insertHistory(db, caller, { entity: 'bank-account', entityId, action: `${answer.number} undone` });
    }
  }
  return { ...(await getAnswer(db, id)), undone: undone.length, payments, left };
}

interface PaidAgain {
  line: UndoableLine;
  challanIds: string[];
}

/**
 * Divides lines so that no part has two lines of the same owner, and each part can be one payment. A payment has one line
 * at the bank for each owner. If it had two, neither could fail without the challans of the other.
 */
function oneLinePerOwner(lines: readonly PaidAgain[]): PaidAgain[][] {
  const ofOwner = [...grouped(lines, ({ line }) => [line.ownerId]).values()];
  const most = Math.max(0, ...ofOwner.map((its) => its.length));
  return Array.from({ length: most }, (_, nth) => ofOwner.flatMap((its) => its[nth] ?? []));
}

/** The numbers of the events that an answer wrote for a line. */
const writtenIn = (its: readonly UndoableLine[]): number[] => its.flatMap(({ eventNo }) => eventNo ?? []);

/**
 * Whether a line was answered after this answer, apart from what was undone. What a statement says of a payment that was
 * executed already writes no event: it comes after the executed event, and before a return.
 */
function isAnsweredSince(its: readonly UndoableLine[], history: readonly LineEvent[]): boolean {
  const last = history.findLast(({ isStanding }) => isStanding);
  const written = writtenIn(its);
  if (written.length === 0) return last?.event !== 'executed';
  return last?.eventNo !== Math.max(...written) || its.some((line) => line.outcome === 'executed' && line.isKnown);
}

/**
 * Returns the events that reopen a line. When the line was executed before the answer, it becomes executed again with
 * the bank's earlier data; when it was called off, it is called off again.
 */
function reopenEvents(its: readonly UndoableLine[], history: readonly LineEvent[]): NewEvent[] {
  const [line] = its;
  const written = writtenIn(its);
  if (!line || written.length === 0) return [];
  const last = history.at(-1)?.eventNo ?? 0;
  const before = history.findLast(({ isStanding, eventNo }) => isStanding && eventNo < Math.min(...written));
  const { fileId, lineNo } = line;
  const common = { fileId, lineNo, utr: '', day: null, reason: '', source: 'undo' };
  const again = { ...common, eventNo: last + 2 };
  return [
    { ...common, eventNo: last + 1, event: 'reopened' },
    ...(before?.event === 'executed' ? [{ ...again, event: before.event, utr: before.utr, day: before.day }] : []),
    ...(before?.event === 'failed'
      ? [{ ...again, event: before.event, reason: before.reason, source: before.source }]
      : []),
  ];
}
