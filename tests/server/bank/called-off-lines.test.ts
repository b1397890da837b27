import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, formatDate } from '../../../src/shared/calc/dates.ts';
import type { BankLineAtBank } from '../../../src/shared/contract/bank-answers.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { openBankDesk, statementOf, type BankDesk } from '../support/bank-desk.ts';
import { buildAnswerRow } from '../support/builders.ts';
import { idsOf } from '../support/ledger.ts';

/** Lines whose file was withdrawn or whose payment was reversed, and that the bank executed anyway (docs/specification.md §25.2). */

let desk: BankDesk;
beforeAll(async () => {
  desk = await openBankDesk();
});
afterEach(() => desk.assertMoney());
afterAll(() => desk.api.close());

const { bankAnswers, bankFiles, paymentBatches } = contract;
const pick = ({ fileId, lineNo }: BankLineAtBank) => ({ fileId, lineNo });
let count = 0;
/** A line and its challans, and the answer of the bank that executed it, with a UTR of its own. */
async function sentOne() {
  const { lines, challans } = await desk.sent(1);
  const line = lines[0]!;
  count += 1;
  const utr = `N0972620000009${String(count).padStart(2, '0')}`;
  const { reference, amount } = line;
  const preview = async (over: Partial<Parameters<typeof buildAnswerRow>[0]> = {}) => {
    const rows = [buildAnswerRow({ reference, amount, utr, day: dayOf(new Date()), ...over })];
    const answer = await desk.api.call(bankAnswers.preview, { body: { rows } }, desk.as());
    expect(answer.status, answer.text).toBe(200);
    const { data, counts } = answer.body;
    return { ...data[0]!, counts };
  };
  return {
    line,
    challans: challans.flat(),
    utr,
    preview,
    accept: () => desk.accept([{ ...pick(line), outcome: 'executed', utr }]),
    now: async () => (await desk.linesOf(line.fileId))[0]!,
  };
}

const withdraw = ({ fileId }: BankLineAtBank) =>
  desk.api.call(bankFiles.withdraw, { params: { id: fileId }, body: { reason: 'Not uploaded' } }, desk.as());
const reverse = ({ batchId }: BankLineAtBank) =>
  desk.api.call(
    paymentBatches.reverse,
    { params: { id: batchId }, body: { reason: 'Wrong day', bankLines: 'failed' } },
    desk.as(),
  );
/** Makes a file of the whole line, as a person does who looked at it before anything else happened. */
const sendAgain = ({ batchId, ownerId, amount }: BankLineAtBank) =>
  desk.api.call(
    bankFiles.create,
    {
      body: {
        batchIds: [batchId],
        bankAccountId: desk.account.id,
        layoutId: 'B',
        valueOn: '2026-04-20',
        lines: [{ batchId, ownerId, amount, route: 'NEFT', isConfirmed: true }],
      },
    },
    desk.as(),
  );
const anyway = 'The bank has paid it anyway (File withdrawn: Not uploaded). ';
const refused = (status: number, text: string, sentence: string): void => {
  expect(status).toBe(409);
  expect(text).toContain(sentence);
  expect(text).toContain('Nothing was accepted.');
};

describe('a line that the bank executed although its file was withdrawn', () => {
  it('is recorded by a person, so that it cannot be sent again; the undo withdraws it again', async () => {
    const { line, challans, preview, accept, utr, now } = await sentOne();
    await withdraw(line);
    const offered = await preview();
    expect(offered).toMatchObject({
      isSure: false,
      outcome: 'executed',
      counts: { choices: 1, others: 0, answered: 0 },
    });
    const why = `Our reference ${line.reference}, but its file was withdrawn`;
    expect(offered.candidates.map((one) => [one.line.reference, one.why])).toEqual([[line.reference, why]]);
    // What the bank has not executed stays withdrawn.
    expect(await preview({ state: 'failed', utr: '' })).toMatchObject({ candidates: [], counts: { answered: 1 } });
    expect((await desk.accept([{ ...pick(line), outcome: 'failed' }])).status).toBe(409);

    const first = await accept();
    expect(first.status, first.text).toBe(201);
    expect(first.body.data).toMatchObject({ executedCount: 1, unpaidCount: 0 });
    expect(await now()).toMatchObject({ state: 'executed', utr });
    expect(await desk.statusOf(challans)).toEqual([true, true]);
    expect((await sendAgain(line)).error.code).toBe('LINE_AT_BANK');
    expect((await reverse(line)).error.code).toBe('LINE_AT_BANK');
    expect((await accept()).status).toBe(409);
    expect((await preview()).note).toContain('Answered already: executed');

    expect((await desk.undo(first.body.data.id)).body.data).toMatchObject({ undone: 1, left: [], payments: [] });
    const reason = 'File withdrawn: Not uploaded';
    expect(await now()).toMatchObject({ state: 'failed', utr: '', eventOn: null, reason, source: 'withdrawn' });
    expect(await desk.statusOf(challans)).toEqual([true, true]);
    expect((await accept()).status).toBe(201);
    expect((await sendAgain(line)).error.code).toBe('LINE_AT_BANK');
  });

  it('is found without our reference only where nothing at the bank fits', async () => {
    const { line, preview } = await sentOne();
    await withdraw(line);
    const byAccount = () => preview({ reference: '', accountNo: line.accountNo });
    expect((await byAccount()).candidates.map((one) => one.line.reference)).toContain(line.reference);
    const [second] = await desk.send([line.batchId]);
    expect((await byAccount()).candidates.map((one) => one.line.reference)).toEqual([second!.reference]);
  });

  it('and that was sent again is not recorded, and its row says what to do', async () => {
    const { line, challans, preview, accept, now } = await sentOne();
    await withdraw(line);
    const [second] = await desk.send([line.batchId]);
    const stop = `It was sent again in bank file ${second!.fileNumber}: ask the bank to stop that transfer`;
    expect(await preview()).toMatchObject({
      candidates: [],
      answered: { reference: line.reference },
      isOtherwise: true,
      note: anyway + stop,
      counts: { others: 1, answered: 0 },
    });
    const tooEarly = await accept();
    refused(tooEarly.status, tooEarly.text, stop);
    await desk.accept([{ ...pick(second!), outcome: 'executed', utr: 'N097262000000800' }]);
    const both = `Bank file ${second!.fileNumber} paid it as well: ask for one of the two back`;
    expect((await preview()).note).toBe(anyway + both);
    const twice = await accept();
    refused(twice.status, twice.text, both);
    expect(await now()).toMatchObject({ state: 'failed' });
    expect(await desk.statusOf(challans)).toEqual([true, true]);
  });

  it('is recorded after the second file was withdrawn as well, and is sent no third time', async () => {
    const { line, accept, preview } = await sentOne();
    await withdraw(line);
    const [second] = await desk.send([line.batchId]);
    await withdraw(second!);
    expect((await preview()).candidates).toHaveLength(1);
    expect((await accept()).status).toBe(201);
    expect((await sendAgain(line)).error.code).toBe('LINE_AT_BANK');
  });

  it('is not recorded once its challans are unpaid, or are paid by another payment', async () => {
    const { line, challans, preview, accept, now } = await sentOne();
    await withdraw(line);
    expect((await reverse(line)).status).toBe(200);
    const mark = 'Its challans are unpaid: mark them as paid, and make no bank file of that payment';
    expect((await preview()).note).toBe(anyway + mark);
    const early = await accept();
    refused(early.status, early.text, mark);
    const paid = (await desk.pay(idsOf(challans))).body.data;
    const other = `${paid.number} pays its challans too: make no bank file of it, or ask the bank to stop that transfer`;
    expect((await preview()).note).toBe(anyway + other);
    const late = await accept();
    refused(late.status, late.text, other);
    expect((await now()).state).toBe('failed');
  });

  it('says the same of a line whose payment was reversed while it was at the bank', async () => {
    const { line, preview, accept } = await sentOne();
    expect((await reverse(line)).status).toBe(200);
    expect(await preview()).toMatchObject({
      isOtherwise: true,
      note: 'The bank has paid it anyway (Payment reversed: Wrong day). Its challans are unpaid: mark them as paid, and make no bank file of that payment',
    });
    expect((await accept()).status).toBe(409);
  });

  it('is recorded or sent again, or reversed, of two people at once, never both', async () => {
    for (const act of [sendAgain, reverse, sendAgain, reverse]) {
      const { line, accept, now, challans } = await sentOne();
      await withdraw(line);
      const [accepted, other] = await Promise.all([accept(), act(line)]);
      expect([accepted.status < 300, other.status < 300].filter(Boolean), accepted.text + other.text).toHaveLength(1);
      expect((await now()).state).toBe(accepted.status === 201 ? 'executed' : 'failed');
      if (accepted.status === 201) expect(await desk.statusOf(challans)).toEqual([true, true]);
    }
  });

  it('is recorded from the statement, where its line is not hidden as answered either', async () => {
    const [one, two] = [await sentOne(), await sentOne()];
    for (const { line } of [one, two]) await withdraw(line);
    const [second] = await desk.send([two.line.batchId]);
    const day = formatDate(dayOf(new Date())).replace(/\/20(\d\d)$/, '/$1');
    await desk.bringIn(
      statementOf(
        [one, two].map(({ line, utr }) => ({ narration: `NEFT ${line.reference} ${utr}`, out: line.amount, day })),
      ),
    );
    const proposals = await desk.proposals();
    const of = ({ line }: typeof one) =>
      proposals.find(({ statementLine }) => statementLine?.narration.includes(line.reference));
    const found = of(one)!;
    const why = `Our reference ${one.line.reference}, but its file was withdrawn`;
    expect(found).toMatchObject({ outcome: 'executed', isSure: false, utr: one.utr, candidates: [{ why }] });
    expect(of(two)).toMatchObject({
      isOtherwise: true,
      candidates: [],
      note: `${anyway}It was sent again in bank file ${second!.fileNumber}: ask the bank to stop that transfer`,
    });
    const accepted = await desk.accept(
      [{ ...pick(one.line), outcome: 'executed', utr: one.utr, statementLineId: found.statementLine!.id }],
      { source: 'statement' },
    );
    expect(accepted.status, accepted.text).toBe(201);
    expect(await one.now()).toMatchObject({ state: 'executed', utr: one.utr });
  });
});
