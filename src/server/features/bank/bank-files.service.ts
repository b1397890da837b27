import { createHash } from 'node:crypto';
import { dayOf } from '../../../shared/calc/dates.ts';
import { compare, formatINR, subtract, sum } from '../../../shared/calc/money.ts';
import {
  canBeSentAgain,
  corrected,
  fileProblem,
  lineDoubt,
  lineProblem,
  lineReference,
  routeProblem,
  usualRoute,
} from '../../../shared/bank/lines.ts';
import { writeBankFile, type FileFacts, type LineFacts } from '../../../shared/bank/write-file.ts';
import type { BankAccount } from '../../../shared/contract/bank-accounts.ts';
import type { bankFiles, BankFile } from '../../../shared/contract/bank-files.ts';
import type { AnswerOf, BodyOf } from '../../../shared/contract/define.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { bankFileBytes } from './bank-file.file.ts';
import { bankAccountTable } from './bank-accounts.queries.ts';
import { insertBankFile, selectBankFile, selectNextSerial } from './bank-files.queries.ts';
import {
  insertBankLines,
  insertFailures,
  lockStillPaid,
  selectStillPaid,
  type StillPaid,
  selectUnanswered,
} from './bank-lines.queries.ts';
import { takeBankFileNumber } from '../../sql/counters.ts';
import { requireConfirmedToday } from '../payments/account-changes.service.ts';
import { countPresentPayments } from '../payments/payment-batches.queries.ts';
import { refuseWhenTaken } from '../../sql/conflicts.ts';
import { invalidReference, notFound, Refusal } from '../../refusal.ts';
import { findLayout } from './bank-layouts.service.ts';

/** Bank files: they are checked, written once, and never changed (docs/specification.md §24). */

type CreateInput = BodyOf<typeof bankFiles.create>;

/** Payments of other tenants and unknown ones get the same answer. */
async function refuseUnknownPayments(db: TenantDb, batchIds: readonly string[]): Promise<void> {
  const present = await countPresentPayments(db, batchIds);
  if (present !== new Set(batchIds).size) throw notFound('Payment');
}

export async function checkBankFile(
  db: TenantDb,
  { batchIds, bankAccountId }: BodyOf<typeof bankFiles.check>,
): Promise<AnswerOf<typeof bankFiles.check>['data']> {
  const account = await bankAccountTable.get(db, bankAccountId);
  if (!account) throw invalidReference('bankAccountId', 'bank account');
  await refuseUnknownPayments(db, batchIds);
  const fileOn = dayOf(new Date());
  const lines = (await selectStillPaid(db, batchIds)).map((line) => ({ ...line, route: usualRoute(line, account) }));
  const serial = await selectNextSerial(db, bankAccountId, fileOn);
  return { account, lines, amount: sum(lines.map(({ amount }) => amount)), fileOn, serial };
}

const lineKey = ({ batchId, ownerId }: { batchId: string; ownerId: string }): string => `${batchId} ${ownerId}`;

export async function createBankFile(db: TenantDb, caller: Caller, asked: CreateInput): Promise<BankFile> {
  // The lock of the account keeps its serial numbers in order. The locks of the challans keep others from sending or
  // reversing the same lines.
  const account = await bankAccountTable.lock(db, asked.bankAccountId);
  if (!account) throw invalidReference('bankAccountId', 'bank account');
  const layout = await findLayout(db, asked.layoutId);
  if (!layout) throw invalidReference('layoutId', 'layout');
  await refuseUnknownPayments(db, asked.batchIds);
  await lockStillPaid(db, asked.batchIds);

  // Read after the locks, so that it contains what others changed while this call waited.
  const stillPaid = await selectStillPaid(db, asked.batchIds);
  const chosen = chosenLines(stillPaid, asked, account);
  await requireConfirmedToday(db, [
    account.id,
    ...asked.lines.flatMap((line) => (line.corrected ? [line.ownerId] : [])),
  ]);
  const lines = withReferences(chosen, layout.definition);
  const amount = sum(lines.map((line) => line.amount));
  const problem = fileProblem(lines, amount, account, layout.definition);
  if (problem !== undefined) throw new Refusal('INVALID_REQUEST', problem);

  const fileOn = dayOf(new Date());
  const serial = await selectNextSerial(db, account.id, fileOn);
  const facts: FileFacts = {
    clientCode: account.clientCode,
    payerName: account.name,
    payerAccount: account.accountNo,
    payerIfsc: account.ifsc,
    serial,
    fileOn,
    valueOn: asked.valueOn,
  };
  const written = writeBankFile(layout.definition, facts, lines);
  const [misfit] = written.problems;
  if (misfit !== undefined) throw new Refusal('INVALID_REQUEST', misfit);
  const content = await bankFileBytes(layout.definition, written);

  // Invariant before COMMIT (docs/specification.md §24.4): each amount of the payments is either in the file or left
  // out, and none is lost.
  const sent = new Set(lines.map(lineKey));
  const leftOut = stillPaid.filter((line) => !sent.has(lineKey(line)));
  const whole = sum(stillPaid.map((line) => line.amount));
  const leftOutAmount = sum(leftOut.map((line) => line.amount));
  if (compare(subtract(whole, leftOutAmount), amount) !== 0 || leftOut.length + lines.length !== stillPaid.length) {
    throw new Error('The lines of a bank file do not agree with what its payments still pay');
  }
  const id = await insertBankFile(db, caller, {
    number: await takeBankFileNumber(db),
    account,
    layout,
    fileName: written.name,
    fileOn,
    valueOn: asked.valueOn,
    serial,
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
    lineCount: lines.length,
    amount,
    leftOutCount: leftOut.length,
    leftOutAmount,
  });
  await insertBankLines(db, id, lines);
  return getBankFile(db, id);
}

const selectionChanged = (): Refusal =>
  new Refusal('SELECTION_CHANGED', 'The payments have changed meanwhile. Check the lines again, then make the file.');

/**
 * Returns the requested lines as they are now. A line with another amount, or one that cannot be sent, refuses the
 * whole file.
 */
function chosenLines(stillPaid: readonly StillPaid[], { lines }: CreateInput, account: BankAccount): ChosenLine[] {
  const present = new Map(stillPaid.map((line) => [lineKey(line), line]));
  const found = lines.map((asked) => ({ asked, line: present.get(lineKey(asked)) }));
  const alreadySent = found.flatMap(({ line }) => (line?.sent && !canBeSentAgain(line.sent.state) ? [line.sent] : []));
  const [first] = alreadySent;
  if (first) {
    const count = alreadySent.length === 1 ? '1 line is' : `${alreadySent.length} lines are`;
    throw new Refusal(
      'LINE_AT_BANK',
      `${count} in bank file ${first.fileNumber} already. Check the lines again; a line goes to the bank once.`,
    );
  }
  if (new Set(lines.map(lineKey)).size !== lines.length) throw new Refusal('INVALID_REQUEST', 'A line was sent twice.');
  return found.map(({ asked, line: stored }) => {
    if (!stored || compare(stored.amount, asked.amount) !== 0) throw selectionChanged();
    const { today } = stored;
    // The owner may have got other details after the caller confirmed these.
    const seen = asked.corrected;
    if (seen && (today?.name !== seen.name || today.accountNo !== seen.accountNo || today.ifsc !== seen.ifsc))
      throw selectionChanged();
    const line = seen ? corrected(stored) : stored;
    const doubt = lineDoubt(line);
    // The transfer may have failed after the caller looked at the lines.
    if (doubt !== undefined && !asked.isConfirmed)
      throw new Refusal(
        'SELECTION_CHANGED',
        `${line.name}, ${formatINR(line.amount)}: ${doubt} Check the lines again.`,
      );
    const problem = lineProblem(line) ?? routeProblem(asked.route, line, account);
    if (problem !== undefined)
      throw new Refusal('INVALID_REQUEST', `${line.name}, ${formatINR(line.amount)}: ${problem}`);
    return { ...line, route: asked.route };
  });
}

type ChosenLine = StillPaid & Pick<LineFacts, 'route'>;

/** Gives each line its reference. The numbering of a payment's lines continues after the lines that it had before. */
function withReferences(
  lines: readonly ChosenLine[],
  layout: Parameters<typeof lineReference>[2],
): (ChosenLine & LineFacts)[] {
  const counts = new Map<string, number>();
  return lines.map((line) => {
    const nth = (counts.get(line.batchId) ?? line.linesBefore) + 1;
    counts.set(line.batchId, nth);
    return { ...line, reference: lineReference(line.paymentNumber, nth, layout) };
  });
}

export async function getBankFile(db: TenantDb, id: string): Promise<BankFile> {
  const file = await selectBankFile(db, id);
  if (!file) throw notFound('Bank file');
  return file;
}

/**
 * Withdraws a file that was not uploaded, or that the bank refused as a whole. Its lines without an answer may be sent
 * again.
 */
export async function withdrawBankFile(db: TenantDb, caller: Caller, id: string, reason: string): Promise<BankFile> {
  await getBankFile(db, id);
  const lines = await selectUnanswered(db, id);
  const answered = () => new Refusal('SELECTION_CHANGED', 'No line of this file is without an answer.');
  if (lines.length === 0) throw answered();
  await refuseWhenTaken(
    insertFailures(db, caller, lines, { reason: `File withdrawn: ${reason}`, source: 'withdrawn' }),
    ['bank_line_events_pkey'],
    answered,
  );
  return getBankFile(db, id);
}
