import { canPayChallan, reasonOf } from '../../shared/access.ts';
import { grouped } from '../../shared/calc/grouped.ts';
import type { BankAnswer } from '../../shared/contract/bank-answers.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { insertEvents, selectAnswered, type NewEvent } from '../queries/bank-answers.ts';
import {
  insertLinePayments,
  insertUndos,
  lockUnpaid,
  selectEventsOf,
  selectRestored,
  selectUndoable,
  type EventBefore,
  type UndoableLine,
} from '../queries/bank-answer-undo.ts';
import { refuseWhenTaken, takeTurns } from '../queries/conflicts.ts';
import { insertHistory } from '../queries/history.ts';
import { Refusal } from '../refusal.ts';
import { lineKey } from './account-statements.ts';
import { getAnswer } from './bank-answers.ts';
import { payChallans } from './payments.ts';

interface UndoResult {
  undone: number;
  payment: { id: string; number: string; amount: string } | null;
  left: { reference: string; name: string; reason: string }[];
}

/**
 * Undoes an accepted answer of the bank, line by line, where the answer is still the last one of the line. Each line is
 * then as it was before. The challans that the answer made unpaid are paid again, by one new payment, and their lines
 * at the bank are linked to that payment. A line with a challan that was changed since, or whose owner is on hold, stays
 * as it is and is returned in `left` with the reason.
 */
export async function undoAnswer(db: TenantDb, caller: Caller, id: string): Promise<BankAnswer & UndoResult> {
  await takeTurns(db, 'bank-answers');
  const answer = await getAnswer(db, id);
  const lines = await selectUndoable(db, id);
  if (lines.length === 0) throw new Refusal('ALREADY_UNDONE', `${answer.number} was already undone.`);
  const challans = grouped(await lockUnpaid(db, id), (one) => [lineKey(one)]);
  const events = grouped(await selectEventsOf(db, id), (one) => [lineKey(one)]);
  const restored = grouped(await selectRestored(db, id), (one) => [lineKey(one)]);
  const left: UndoResult['left'] = [];
  const newEvents: NewEvent[] = [];
  const undone: UndoableLine[] = [];
  const paidAgain: { line: UndoableLine; challanIds: string[] }[] = [];
  for (const [key, its] of grouped(lines, (one) => [lineKey(one)])) {
    const [line] = its;
    if (!line) continue;
    const written = its.flatMap(({ eventNo }) => eventNo ?? []);
    const history = events.get(key) ?? [];
    const unpaid = challans.get(key) ?? [];
    const touched = unpaid.find(({ isUntouched }) => !isUntouched);
    const holdReason = unpaid.map((challan) => reasonOf(canPayChallan(challan))).find((reason) => reason !== undefined);
    const leave = (reason: string): void => {
      left.push({ reference: line.reference, name: line.name, reason });
    };
    if (written.length > 0 && history.at(-1)?.eventNo !== Math.max(...written)) leave('It was answered again since.');
    else if (touched) leave(`${touched.challanNumber} was changed, paid or deleted since.`);
    else if (holdReason !== undefined) leave(holdReason);
    else if ((restored.get(key) ?? []).some(({ isUntouched }) => !isUntouched)) {
      leave('What it had deducted was deducted by another payment since.');
    } else {
      undone.push(...its);
      if (written.length > 0) newEvents.push(...reopenEvents(line, history, Math.min(...written)));
      const challanIds = unpaid.map(({ challanId }) => challanId);
      if (challanIds.length > 0) paidAgain.push({ line, challanIds });
    }
  }
  await refuseWhenTaken(
    insertEvents(db, caller, newEvents),
    ['bank_line_events_pkey'],
    () => new Refusal('ALREADY_UNDONE', 'A line was answered by somebody else at this moment. Look at the list again.'),
  );
  const challanIds = paidAgain.flatMap((one) => one.challanIds);
  let payment: UndoResult['payment'] = null;
  if (challanIds.length > 0) {
    const paid = await payChallans(db, caller, {
      kind: 'selected',
      challanIds,
      deducts: paidAgain.flatMap(({ line }) => (restored.get(lineKey(line)) ?? []).map(({ carryId }) => carryId)),
    });
    if (paid.batchId === null || paid.number === null) throw new Error('The challans of an undo are unpaid');
    payment = { id: paid.batchId, number: paid.number, amount: paid.totalAmount };
    await insertLinePayments(
      db,
      paid.batchId,
      paidAgain.map(({ line }) => line),
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
  return { ...(await getAnswer(db, id)), undone: undone.length, payment, left };
}

/**
 * Returns the events that reopen a line. When the line was executed before the answer, it becomes executed again with
 * the bank's earlier data.
 */
function reopenEvents(line: UndoableLine, history: readonly EventBefore[], firstWritten: number): NewEvent[] {
  const last = history.at(-1)?.eventNo ?? 0;
  const before = history.find(({ eventNo }) => eventNo === firstWritten - 1);
  const { fileId, lineNo } = line;
  const common = { fileId, lineNo, reason: '', source: 'undo' };
  return [
    { ...common, eventNo: last + 1, event: 'reopened', utr: '', day: null },
    ...(before?.event === 'executed'
      ? [{ ...common, eventNo: last + 2, event: 'executed' as const, utr: before.utr, day: before.day }]
      : []),
  ];
}
