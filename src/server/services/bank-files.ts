import { createHash } from 'node:crypto';
import { dayOf } from '../../shared/calc/dates.ts';
import { compare, formatINR, subtract, sum } from '../../shared/calc/money.ts';
import {
  canBeSentAgain,
  fileProblem,
  lineProblem,
  lineReference,
  routeProblem,
  usualRoute,
} from '../../shared/bank/lines.ts';
import { writeBankFile, type FileFacts, type LineFacts } from '../../shared/bank/write-file.ts';
import type { BankAccount } from '../../shared/contract/bank-accounts.ts';
import type { bankFiles, BankFile } from '../../shared/contract/bank-files.ts';
import type { AnswerOf, BodyOf } from '../../shared/contract/define.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { bankFileBytes } from '../files/bank-file.ts';
import { bankAccountTable } from '../queries/bank-accounts.ts';
import { insertBankFile, selectBankFile, selectNextSerial } from '../queries/bank-files.ts';
import {
  insertBankLines,
  insertFailures,
  lockStillPaid,
  selectStillPaid,
  type StillPaid,
  selectUnanswered,
} from '../queries/bank-lines.ts';
import { takeBankFileNumber } from '../queries/counters.ts';
import { countPresentPayments } from '../queries/payment-batches.ts';
import { isTaken } from '../queries/unique.ts';
import { invalidReference, notFound, Refusal } from '../refusal.ts';
import { layoutNamed } from './bank-layouts.ts';

/** What goes to the bank: checked, written once, and never changed (docs/specification.md §24). */

type Asked = BodyOf<typeof bankFiles.create>;

/** Payments of others, and unknown ones, are answered alike. */
async function refuseUnknown(db: TenantDb, batchIds: readonly string[]): Promise<void> {
  const present = await countPresentPayments(db, batchIds);
  if (present !== new Set(batchIds).size) throw notFound('Payment');
}

export async function checkBankFile(
  db: TenantDb,
  { batchIds, bankAccountId }: BodyOf<typeof bankFiles.check>,
): Promise<AnswerOf<typeof bankFiles.check>['data']> {
  const account = await bankAccountTable.get(db, bankAccountId);
  if (!account) throw invalidReference('bankAccountId', 'bank account');
  await refuseUnknown(db, batchIds);
  const fileOn = dayOf(new Date());
  const lines = (await selectStillPaid(db, batchIds)).map((line) => ({ ...line, route: usualRoute(line, account) }));
  const serial = await selectNextSerial(db, bankAccountId, fileOn);
  return { account, lines, amount: sum(lines.map(({ amount }) => amount)), fileOn, serial };
}

const keyOf = ({ batchId, ownerId }: { batchId: string; ownerId: string }): string => `${batchId} ${ownerId}`;

export async function createBankFile(db: TenantDb, caller: Caller, asked: Asked): Promise<BankFile> {
  // The account's lock keeps its serials in order; the challans' locks keep others from sending or reversing these.
  const account = await bankAccountTable.lock(db, asked.bankAccountId);
  if (!account) throw invalidReference('bankAccountId', 'bank account');
  const layout = await layoutNamed(db, asked.layoutId);
  if (!layout) throw invalidReference('layoutId', 'layout');
  await refuseUnknown(db, asked.batchIds);
  await lockStillPaid(db, asked.batchIds);

  // Read after the locks: what others changed while this waited is in it.
  const stillPaid = await selectStillPaid(db, asked.batchIds);
  const chosen = chosenLines(stillPaid, asked, account);
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

  // What must hold before COMMIT (docs/specification.md §24.4): nothing of the payments is lost between file and rest.
  const sent = new Set(lines.map(keyOf));
  const leftOut = stillPaid.filter((line) => !sent.has(keyOf(line)));
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

const changed = (): Refusal =>
  new Refusal('SELECTION_CHANGED', 'The payments have changed meanwhile. Check the lines again, then make the file.');

/** The lines that were asked for as they are now; another amount, or a line that cannot be sent, refuses the file. */
function chosenLines(stillPaid: readonly StillPaid[], { lines }: Asked, account: BankAccount): ChosenLine[] {
  const present = new Map(stillPaid.map((line) => [keyOf(line), line]));
  const found = lines.map((asked) => ({ asked, line: present.get(keyOf(asked)) }));
  const taken = found.flatMap(({ line }) => (line?.sent && !canBeSentAgain(line.sent.state) ? [line.sent] : []));
  const [first] = taken;
  if (first) {
    const count = taken.length === 1 ? '1 line is' : `${taken.length} lines are`;
    throw new Refusal(
      'LINE_AT_BANK',
      `${count} in bank file ${first.fileNumber} already. Check the lines again; a line goes to the bank once.`,
    );
  }
  if (new Set(lines.map(keyOf)).size !== lines.length) throw new Refusal('INVALID_REQUEST', 'A line was sent twice.');
  return found.map(({ asked, line }) => {
    if (!line || compare(line.amount, asked.amount) !== 0) throw changed();
    const problem = lineProblem(line) ?? routeProblem(asked.route, line, account);
    if (problem !== undefined)
      throw new Refusal('INVALID_REQUEST', `${line.name}, ${formatINR(line.amount)}: ${problem}`);
    return { ...line, route: asked.route };
  });
}

type ChosenLine = StillPaid & Pick<LineFacts, 'route'>;

/** Each line's reference; those of a payment count on from the lines it had before. */
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

/** The file was not uploaded, or the bank refused it as a whole: its lines without an answer may be sent again. */
export async function withdrawBankFile(db: TenantDb, caller: Caller, id: string, reason: string): Promise<BankFile> {
  await getBankFile(db, id);
  const lines = await selectUnanswered(db, id);
  const answered = new Refusal('SELECTION_CHANGED', 'No line of this file is without an answer.');
  if (lines.length === 0) throw answered;
  try {
    await insertFailures(db, caller, lines, { reason: `File withdrawn: ${reason}`, source: 'withdrawn' });
  } catch (error) {
    if (isTaken(error, 'bank_line_events_pkey')) throw answered;
    throw error;
  }
  return getBankFile(db, id);
}
