import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayOf, formatDate } from '../../../src/shared/calc/dates.ts';
import { sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { rowsOfCase } from '../../read-table.ts';
import { openBankDesk, statementOf, type BankDesk } from '../support/bank-desk.ts';
import { buildAnswerRow, createBankAccount, createOwner } from '../support/builders.ts';
import { idsOf, totalOf } from '../support/ledger.ts';
import { seatPerson } from '../support/people.ts';

let desk: BankDesk;
beforeAll(async () => {
  desk = await openBankDesk();
});
afterEach(() => desk.assertMoney());
afterAll(() => desk.api.close());

const today = dayOf(new Date());
const short = (day: string): string => formatDate(day).replace(/\/20(\d\d)$/, '/$1');

describe('accepting what the bank answers', () => {
  it('says of lines that they were executed, with UTR and day', async () => {
    const { lines } = await desk.sent(2);
    const answer = await desk.accept(
      lines.map((line, at) => ({ ...pick(line), outcome: 'executed', utr: `N09726200000001${at}` })),
    );
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data).toMatchObject({ lineCount: 2, executedCount: 2, unpaidCount: 0, unpaidAmount: '0.00' });
    expect(answer.body.data.number).toMatch(/^Answer \d{4}-\d{6}$/);
    const [first] = await desk.linesOf(lines[0]!.fileId);
    expect(first).toMatchObject({
      state: 'executed',
      utr: 'N097262000000010',
      eventOn: '2026-04-21',
      source: 'reverse file',
    });
  });

  it('sends the challans of a failed line back to unpaid, only those, with the reason of the bank', async () => {
    const { lines, challans } = await desk.sent(2);
    const answer = await desk.accept([
      { ...pick(lines[0]), outcome: 'failed', reason: 'ACCOUNT CLOSED' },
      { ...pick(lines[1]), outcome: 'executed' },
    ]);
    expect(answer.body.data).toMatchObject({
      failedCount: 1,
      executedCount: 1,
      unpaidCount: 2,
      unpaidAmount: totalOf(challans[0]!),
    });
    expect(await desk.statusOf(challans[0]!)).toEqual([false, false]);
    expect(await desk.statusOf(challans[1]!)).toEqual([true, true]);
    const history = await desk.api.call(
      contract.history.listChallan,
      { params: { id: challans[0]![0]!.id } },
      desk.as(),
    );
    expect(history.body.data[0]).toMatchObject({
      action: 'Marked unpaid',
      reason: 'Failed at the bank: ACCOUNT CLOSED',
    });
  });

  it('takes a return of what was executed, and both at once from one statement', async () => {
    const { lines, challans } = await desk.sent(2);
    await desk.accept([{ ...pick(lines[0]), outcome: 'executed' }]);
    const answer = await desk.accept([
      { ...pick(lines[0]), outcome: 'returned' },
      { ...pick(lines[1]), outcome: 'returned' },
      { ...pick(lines[1]), outcome: 'executed' },
    ]);
    expect(answer.body.data).toMatchObject({ returnedCount: 2, executedCount: 1, unpaidCount: 4 });
    expect(await desk.statusOf(challans.flat())).toEqual([false, false, false, false]);
    expect((await desk.linesOf(lines[0]!.fileId)).map(({ state }) => state)).toEqual(['returned', 'returned']);
  });

  it('refuses a second answer with a clear sentence and changes nothing, of the right ones neither', async () => {
    const { lines, challans } = await desk.sent(2);
    await desk.accept([{ ...pick(lines[0]), outcome: 'executed', utr: 'N097262000000099' }]);
    const before = await desk.snapshot();
    const answer = await desk.accept([
      { ...pick(lines[1]), outcome: 'failed' },
      { ...pick(lines[0]), outcome: 'failed' },
    ]);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain(
      `${lines[0]!.reference} (Payee A) was answered meanwhile: executed on 21/04/2026 with UTR N097262000000099. Nothing was accepted.`,
    );
    expect(await desk.snapshot()).toBe(before);
    expect(await desk.statusOf(challans[1]!)).toEqual([true, true]);
    expect((await desk.linesOf(lines[0]!.fileId))[1]?.state).toBe('in-file');
  });

  it('refuses a line of another file’s account, of nobody, and one that is given twice', async () => {
    const { lines } = await desk.sent(1);
    const line = pick(lines[0]);
    expect((await desk.accept([{ ...line, lineNo: 99, outcome: 'executed' }])).status).toBe(404);
    const twice = await desk.accept([
      { ...line, outcome: 'executed' },
      { ...line, outcome: 'executed' },
    ]);
    expect(twice.status).toBe(400);
    expect((await desk.linesOf(line.fileId))[0]?.state).toBe('in-file');
  });

  it('lets one of two people accept the same line', async () => {
    const { lines, challans } = await desk.sent(1);
    const answers = await Promise.all([
      desk.accept([{ ...pick(lines[0]), outcome: 'failed' }]),
      desk.accept([{ ...pick(lines[0]), outcome: 'executed' }]),
      desk.accept([{ ...pick(lines[0]), outcome: 'failed' }]),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const [line] = await desk.linesOf(lines[0]!.fileId);
    expect(await desk.statusOf(challans[0]!)).toEqual(Array(2).fill(line?.state === 'executed'));
  });

  it('answers a repeated call with the same key once', async () => {
    const { lines } = await desk.sent(1);
    const [first, second] = [
      await desk.accept([{ ...pick(lines[0]), outcome: 'failed' }], { key: 'the same key' }),
      await desk.accept([{ ...pick(lines[0]), outcome: 'failed' }], { key: 'the same key' }),
    ];
    expect(second.body.data).toEqual(first.body.data);
  });

  it('does not reverse a payment behind a line that was executed, and pays a failed one again', async () => {
    const { lines, challans } = await desk.sent(1);
    await desk.accept([{ ...pick(lines[0]), outcome: 'failed' }]);
    const again = await desk.pay(challans[0]!.map(({ id }) => id));
    const [line] = await desk.send([again.body.data.batchId ?? '']);
    expect(line?.reference).not.toBe(lines[0]!.reference);
    expect((await desk.accept([{ ...pick(line), outcome: 'executed' }])).status).toBe(201);
    const reversed = await desk.api.call(
      contract.paymentBatches.reverse,
      { params: { id: again.body.data.batchId ?? '' }, body: { reason: 'x', bankLines: 'failed' } },
      desk.as(),
    );
    expect(reversed.status).toBe(409);
  });
});

describe('a challan that was unmarked before its payment was sent', () => {
  it('and was paid by another is not held by the line at the bank, of which it is no part', async () => {
    const [early, sent] = await desk.make(2);
    const { batchId } = (await desk.pay(idsOf([early!, sent!]))).body.data;
    // By its form, which saves more with it; the checkbox has a statement of its own.
    const unmark = (remarks: string) =>
      desk.api.call(
        contract.challans.update,
        { params: { id: early!.id }, body: { paymentStatus: false, remarks } },
        desk.as(),
      );
    expect((await unmark('Once')).status).toBe(200);
    const [line] = await desk.send([batchId!]);
    expect(line?.amount).toBe(sent!.net);
    await desk.pay([early!.id]);
    expect((await unmark('Twice')).status).toBe(200);
    expect((await desk.linesOf(line!.fileId))[0]?.state).toBe('in-file');
    expect(await desk.statusOf([early!])).toEqual([false]);
    expect(await desk.statusOf([sent!])).toEqual([true]);
  });
});

describe('taking an answer back', () => {
  it('opens an executed line again', async () => {
    const { lines } = await desk.sent(1);
    const { body } = await desk.accept([{ ...pick(lines[0]), outcome: 'executed' }]);
    const undone = await desk.undo(body.data.id);
    expect(undone.body.data).toMatchObject({ undone: 1, undoneCount: 1, payments: [], left: [] });
    expect((await desk.linesOf(lines[0]!.fileId))[0]).toMatchObject({ state: 'in-file', utr: '' });
    expect((await desk.undo(body.data.id)).status).toBe(409);
  });

  it('pays the challans of a failed line again, and the line that is at the bank pays that payment', async () => {
    const { lines, challans } = await desk.sent(2);
    await desk.accept([{ ...pick(lines[0]), outcome: 'executed', utr: 'N097262000000042' }]);
    const { body } = await desk.accept([
      { ...pick(lines[0]), outcome: 'returned' },
      { ...pick(lines[1]), outcome: 'failed' },
    ]);
    const undone = (await desk.undo(body.data.id)).body.data;
    expect(undone).toMatchObject({ undone: 2, left: [], payments: [{ amount: totalOf(challans.flat()) }] });
    expect(await desk.statusOf(challans.flat())).toEqual([true, true, true, true]);
    expect(await desk.linesOf(lines[0]!.fileId)).toMatchObject([
      { state: 'executed', utr: 'N097262000000042', eventOn: '2026-04-21' },
      { state: 'in-file' },
    ]);
    // Sent once: the new payment has nothing to send.
    const asked = { batchIds: [undone.payments[0]?.id ?? ''], bankAccountId: desk.account.id };
    const checked = await desk.api.call(contract.bankFiles.check, { body: asked }, desk.as());
    expect(checked.body.data.lines.map(({ sent }) => sent?.state)).toEqual(['executed', 'in-file']);
    // And its line may fail after all.
    const failed = await desk.accept([{ ...pick(lines[1]), outcome: 'failed' }]);
    expect(failed.body.data.unpaidCount).toBe(2);
    expect(await desk.statusOf(challans[1]!)).toEqual([false, false]);
  });

  it('pays again whatever the rule of release says, and counts in no limit: the line is at the bank already', async () => {
    const own = await openBankDesk();
    await seatPerson(own.api, own.tenant, 'owner');
    const { challans, lines } = await own.sent(1);
    const accepted = await own.accept([{ ...pick(lines[0]), outcome: 'failed' }]);
    const more = await own.make(1);
    const aboveDay = sum([totalOf(challans[0]!), totalOf(more)]);
    const rule = { aboveOne: null, aboveDay, accountantUpTo: null };
    const saved = await own.api.call(contract.preparedPayments.setRule, { body: rule }, own.as());
    expect(saved.status, saved.text).toBe(200);
    const undone = await own.undo(accepted.body.data.id);
    expect([undone.status, undone.body.data?.undone], undone.text).toEqual([200, 1]);
    const paid = await own.pay(idsOf(more));
    expect(paid.status, paid.text).toBe(200);
    expect((await own.pay(idsOf(await own.make(1)))).status).toBe(403);
    await own.api.close();
  });

  it('leaves a line with a challan that somebody has touched, and says which', async () => {
    const { lines, challans } = await desk.sent(2);
    const { body } = await desk.accept([
      { ...pick(lines[0]), outcome: 'failed' },
      { ...pick(lines[1]), outcome: 'failed' },
    ]);
    await desk.pay([challans[0]![0]!.id]);
    const undone = (await desk.undo(body.data.id)).body.data;
    expect(undone.undone).toBe(1);
    expect(undone.left).toMatchObject([{ reference: lines[0]!.reference, name: 'Payee A' }]);
    expect(undone.left[0]?.reason).toMatch(/^\S+ was changed, paid or deleted since\.$/);
    expect((await desk.linesOf(lines[0]!.fileId)).map(({ state }) => state)).toEqual(['failed', 'in-file']);
    expect(await desk.statusOf(challans[1]!)).toEqual([true, true]);
  });

  it('leaves a line whose owner is on hold since, with the reason of the hold', async () => {
    const { lines, challans } = await desk.sent(2);
    const { body } = await desk.accept([
      { ...pick(lines[0]), outcome: 'failed' },
      { ...pick(lines[1]), outcome: 'failed' },
    ]);
    const ownerId = lines[0]!.ownerId;
    await desk.api.call(contract.owners.setHold, { params: { id: ownerId }, body: { reason: 'No papers' } }, desk.as());
    const undone = (await desk.undo(body.data.id)).body.data;
    expect(undone).toMatchObject({
      undone: 1,
      left: [{ reference: lines[0]!.reference, name: 'Payee A', reason: 'Payee A is on hold: No papers' }],
    });
    expect((await desk.linesOf(lines[0]!.fileId)).map(({ state }) => state)).toEqual(['failed', 'in-file']);
    expect(await desk.statusOf(challans.flat())).toEqual([false, false, true, true]);
  });

  it('pays two lines of one owner again by two payments, so that each line still pays its own challans', async () => {
    for (const outcome of ['failed', 'returned'] as const) {
      const owner = await createOwner(desk.api, desk.tenant, { name: `Paid twice, ${outcome}` });
      const challans = await desk.make(2, { ownerId: owner.id });
      const batchIds: string[] = [];
      for (const { id } of challans) batchIds.push((await desk.pay([id])).body.data.batchId ?? '');
      const lines = await desk.send(batchIds);
      const items = lines.map((line) => ({ ...pick(line), outcome }));
      const { body } = await desk.accept(items);
      expect(body.data).toMatchObject({ unpaidCount: 2, unpaidAmount: totalOf(challans) });
      const undone = await desk.undo(body.data.id);
      expect(undone.status, undone.text).toBe(200);
      const { payments, ...others } = undone.body.data;
      expect(others).toMatchObject({ undone: 2, undoneCount: 2, left: [] });
      expect(payments.map(({ amount }) => amount)).toEqual(challans.map(({ net }) => net));
      expect(await desk.statusOf(challans)).toEqual([true, true]);
      expect((await desk.linesOf(lines[0]!.fileId)).map(({ state }) => state)).toEqual(['in-file', 'in-file']);
      // One of them fails after all: the other is still at the bank, and its challan is paid.
      const again = await desk.accept([{ ...pick(lines[0]), outcome }]);
      expect(again.body.data).toMatchObject({ unpaidCount: 1, unpaidAmount: challans[0]!.net });
      expect(await desk.statusOf(challans)).toEqual([false, true]);
      expect((await desk.undo(again.body.data.id)).body.data.payments).toHaveLength(1);
      expect(await desk.statusOf(challans)).toEqual([true, true]);
    }
  });

  it('leaves a line that was answered again, and names that answer; once that is undone, it is undone too', async () => {
    const { lines, challans } = await desk.sent(1);
    const line = pick(lines[0]);
    const utr = 'N097262000000051';
    const first = (await desk.accept([{ ...line, outcome: 'executed', utr }])).body.data;
    const second = (await desk.accept([{ ...line, outcome: 'returned' }])).body.data;
    const tooEarly = (await desk.undo(first.id)).body.data;
    const reason = `It was answered again since. Undo ${second.number} first.`;
    expect(tooEarly).toMatchObject({ undone: 0, undoneCount: 0, left: [{ reason }] });
    // Answered, undone and answered again, as often as it comes.
    expect((await desk.undo(second.id)).body.data).toMatchObject({ undone: 1, left: [] });
    const third = (await desk.accept([{ ...line, outcome: 'returned' }])).body.data;
    expect((await desk.undo(third.id)).body.data).toMatchObject({ undone: 1, left: [] });
    expect(await desk.linesOf(line.fileId)).toMatchObject([{ state: 'executed', utr, eventOn: '2026-04-21' }]);
    expect((await desk.undo(first.id)).body.data).toMatchObject({ undone: 1, undoneCount: 1, payments: [], left: [] });
    expect(await desk.linesOf(line.fileId)).toMatchObject([{ state: 'in-file', utr: '', eventOn: null }]);
    expect(await desk.statusOf(challans[0]!)).toEqual([true, true]);
    // It is at the bank as if nothing had been answered.
    const failed = (await desk.accept([{ ...line, outcome: 'failed' }])).body.data;
    expect(failed).toMatchObject({ unpaidCount: 2, unpaidAmount: totalOf(challans[0]!) });
    expect((await desk.undo(failed.id)).body.data).toMatchObject({ undone: 1, left: [] });
    expect(await desk.linesOf(line.fileId)).toMatchObject([{ state: 'in-file' }]);
  });

  it('undoes what a statement said of a known payment before the answer that made it known, never after', async () => {
    const { lines } = await desk.sent(1);
    const line = pick(lines[0]);
    const executed = (await desk.accept([{ ...line, outcome: 'executed' }])).body.data;
    await desk.bringIn(
      statementOf([{ narration: `NEFT ${lines[0]!.reference}`, out: lines[0]!.amount, day: short(today) }]),
    );
    const booking = async () =>
      (await desk.proposals()).find(({ candidates }) => candidates[0]?.line.reference === lines[0]!.reference);
    const statementLineId = (await booking())?.statementLine?.id ?? '';
    const accepted = await desk.accept([{ ...line, outcome: 'known', statementLineId }], { source: 'statement' });
    const known = accepted.body.data;
    const waits = (before: { number: string }) => ({
      undone: 0,
      left: [{ reason: `It was answered again since. Undo ${before.number} first.` }],
    });
    expect((await desk.undo(executed.id)).body.data).toMatchObject(waits(known));
    const returned = (await desk.accept([{ ...line, outcome: 'returned' }])).body.data;
    expect((await desk.undo(known.id)).body.data).toMatchObject(waits(returned));
    for (const { id } of [returned, known, executed]) {
      expect((await desk.undo(id)).body.data).toMatchObject({ undone: 1, left: [] });
    }
    expect(await desk.linesOf(line.fileId)).toMatchObject([{ state: 'in-file' }]);
    expect(await booking()).toMatchObject({ outcome: 'executed', isSure: true });
    const aside = { body: { ids: [statementLineId], note: 'Only for this test' } };
    expect((await desk.api.call(contract.bankAnswers.setAside, aside, desk.as())).status).toBe(200);
  });
});

describe('the statement of the account', () => {
  it('is kept line by line, never twice', async () => {
    const rows = statementOf([
      { narration: 'RENT', out: '5,000.00' },
      { narration: 'INTEREST', in: '12.00' },
    ]);
    expect((await desk.bringIn(rows)).body.data).toEqual({ lineCount: 2, newCount: 2, badCount: 0 });
    expect((await desk.bringIn(rows)).body.data).toEqual({ lineCount: 2, newCount: 0, badCount: 0 });
    const [both, other] = await Promise.all([desk.bringIn(rows), desk.bringIn(rows)]);
    expect([both.body.data.newCount, other.body.data.newCount]).toEqual([0, 0]);
    const refused = await desk.bringIn([['TP No', 'Amount']]);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Headings seen')]);
  });

  it('knows the lines of noon again in the evening, when balances moved; what was set aside stays so', async () => {
    const [noon, evening] = await Promise.all(
      ['p1-statement-noon.csv', 'p2-statement-evening-balances-moved.csv'].map(rowsOfCase),
    );
    expect((await desk.bringIn(noon!)).body.data).toEqual({ lineCount: 2, newCount: 2, badCount: 0 });
    const open = async () => (await desk.proposals()).map(({ statementLine }) => statementLine!);
    const ids = (await open()).flatMap(({ id, narration }) => (narration === 'CASH DEP' ? [id] : []));
    await desk.api.call(contract.bankAnswers.setAside, { body: { ids, note: 'Cash' } }, desk.as());
    expect((await desk.bringIn(evening!)).body.data).toEqual({ lineCount: 3, newCount: 1, badCount: 0 });
    const narrations = (await open()).map(({ narration }) => narration).filter((text) => /CASH|CHQ|-09$/.test(text));
    expect(narrations.toSorted()).toEqual(['CHQ BOOK CHG', 'NEFT DR-PAY2627000453-09']);
  });

  it('is refused for an account that its titles do not name, in a sentence with the last digits alone', async () => {
    const other = [['Account No : 77777777771234'], ...statementOf([{ narration: 'FEES', out: '1.00' }])];
    const refused = await desk.bringIn(other);
    const sentence = `The statement is of account …1234, not of …${desk.account.accountNo.slice(-4)}. Choose its account.`;
    expect([refused.status, refused.body]).toMatchObject([400, { message: sentence }]);
    const own = [[`Account No : ${desk.account.accountNo}`], ...other.slice(1)];
    expect((await desk.bringIn(own)).body.data).toMatchObject({ newCount: 1 });
  });

  it('is read by the columns that a person chose', async () => {
    const rows = [
      ['When', 'What', 'Gone', 'Come'],
      ['22/11/2026', 'CHOSEN COLUMNS', '7.00', ''],
    ];
    expect((await desk.bringIn(rows)).status).toBe(400);
    const mapping = { columns: ['day', 'narration', 'withdrawal', 'deposit'] as const, firstRow: 1 };
    const body = {
      bankAccountId: desk.account.id,
      fileName: 'x.csv',
      rows,
      mapping: { ...mapping, columns: [...mapping.columns] },
    };
    const done = await desk.api.call(contract.bankAnswers.importStatement, { body }, desk.as());
    expect(done.body.data).toEqual({ lineCount: 1, newCount: 1, badCount: 0 });
    expect((await desk.proposals()).map(({ statementLine }) => statementLine)).toContainEqual(
      expect.objectContaining({ narration: 'CHOSEN COLUMNS', side: 'out', amount: '7.00' }),
    );
  });

  it('proposes, accepts a payment and its return, and proposes neither again', async () => {
    const { lines, challans } = await desk.sent(2);
    await desk.bringIn(
      statementOf([
        { narration: `NEFT DR-${lines[0]!.reference}-N097262000000077`, out: lines[0]!.amount, day: short(today) },
        {
          narration: `NEFT RETURN ${lines[0]!.reference} NO SUCH ACCOUNT`,
          in: lines[0]!.amount,
          day: short(addDays(today, 1)),
        },
        { narration: 'BULK PAYMENT', out: lines[1]!.amount, day: short(today) },
      ]),
    );
    const proposals = (await desk.proposals()).filter(({ candidates }) => candidates.length > 0);
    const sure = proposals.filter(({ isSure }) => isSure);
    expect(sure.map(({ outcome, utr }) => [outcome, utr])).toEqual([
      ['executed', 'N097262000000077'],
      ['returned', ''],
    ]);
    expect(proposals.some(({ isSure, statementLine }) => !isSure && statementLine?.narration === 'BULK PAYMENT')).toBe(
      true,
    );
    const accepted = await desk.accept(
      sure.map(({ outcome, utr, day, reason, statementLine, candidates }) => ({
        ...pick(candidates[0]?.line),
        outcome,
        utr,
        day,
        reason,
        statementLineId: statementLine?.id ?? null,
      })),
      { source: 'statement' },
    );
    expect(accepted.status, accepted.text).toBe(201);
    expect(accepted.body.data).toMatchObject({ executedCount: 1, returnedCount: 1, unpaidCount: 2 });
    expect(await desk.statusOf(challans[0]!)).toEqual([false, false]);
    expect((await desk.proposals()).filter(({ isSure }) => isSure)).toEqual([]);
    // Taken back, they are open again.
    await desk.undo(accepted.body.data.id);
    expect((await desk.proposals()).filter(({ isSure }) => isSure)).toHaveLength(2);
  });

  it('refuses a line of the statement that does not fit, was accepted or set aside', async () => {
    const { lines } = await desk.sent(2);
    const [first, second] = lines;
    await desk.bringIn(
      statementOf([
        { narration: `ONE ${first!.reference}`, out: first!.amount, day: short(today) },
        { narration: `TWO ${first!.reference}`, out: '1.00', day: short(today) },
      ]),
    );
    const open = await desk.proposals();
    const idOf = (word: string): string =>
      open.find(
        ({ statementLine }) =>
          statementLine?.narration.startsWith(word) && statementLine.narration.includes(first!.reference),
      )?.statementLine?.id ?? '';
    const accept = (line: typeof first, statementLineId: string, outcome: 'executed' | 'returned' = 'executed') =>
      desk.accept([{ ...pick(line), outcome, statementLineId }], { source: 'statement' });
    expect((await accept(first, idOf('TWO'))).text).toContain('over ₹1.00');
    expect((await accept(first, idOf('ONE'), 'returned')).text).toContain('A withdrawal is no return.');
    expect((await accept(first, idOf('ONE'))).status).toBe(201);
    const again = await accept(second, idOf('ONE'));
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('was accepted meanwhile')]);

    const { setAside, takeBack, listStatementLines } = contract.bankAnswers;
    const aside = { body: { ids: [idOf('TWO')], note: 'Bank charges' } };
    expect((await desk.api.call(setAside, aside, desk.as())).body.data).toEqual({ count: 1 });
    expect((await desk.api.call(setAside, aside, desk.as())).status).toBe(409);
    const listed = await desk.api.call(listStatementLines, { query: { bankAccountId: desk.account.id } }, desk.as());
    expect(listed.body.data.filter(({ note }) => note === 'Bank charges')).toMatchObject([
      { id: idOf('TWO'), setAsideBy: desk.tenant.email },
    ]);
    expect((await accept(second, idOf('TWO'))).text).toContain('was set aside meanwhile');
    expect((await desk.api.call(takeBack, { body: { ids: [idOf('TWO')] } }, desk.as())).body.data).toEqual({
      count: 1,
    });
  });
});

describe('the preview of a reverse file', () => {
  it('is not sure of a row whose UTR has not the form of one, or which the client found in doubt', async () => {
    const { lines } = await desk.sent(3);
    const rows = lines.map(({ reference, amount }, at) =>
      buildAnswerRow({
        row: at + 1,
        reference,
        amount,
        day: '',
        utr: at === 0 ? '33126E11' : `N09726200000200${at}`,
        ...(at === 1 && { doubt: 'its amount says 5.00 Cr' }),
      }),
    );
    const { data } = (await desk.api.call(contract.bankAnswers.preview, { body: { rows } }, desk.as())).body;
    expect(data.map(({ row, isSure, candidates }) => [row, isSure, candidates[0]?.why])).toEqual([
      [3, true, `Our reference ${lines[2]?.reference}`],
      [1, false, `Our reference ${lines[0]?.reference}, but its UTR has not the form of one`],
      [2, false, `Our reference ${lines[1]?.reference}, but its amount says 5.00 Cr`],
    ]);
  });

  it('names what is sure and what was answered already, and changes nothing', async () => {
    const { lines } = await desk.sent(3);
    const rows = lines.map(({ reference, amount }, at) =>
      buildAnswerRow({
        row: at + 1,
        reference,
        amount: at === 2 ? '1.00' : amount,
        day: '',
        utr: `N09726200000100${at}`,
      }),
    );
    const preview = () =>
      desk.api.call(contract.bankAnswers.preview, { body: { rows: [...rows, buildAnswerRow({ row: 4 })] } }, desk.as());
    const before = await desk.snapshot();
    const first = await preview();
    expect(first.body.counts).toEqual({ sure: 2, choices: 1, others: 1, answered: 0 });
    // What the bank says, also where another amount was sent.
    expect(first.body.data.map(({ amount }) => amount)).toEqual([lines[0]?.amount, lines[1]?.amount, '1.00', null]);
    expect(first.body.data.at(-1)).toMatchObject({ row: 4, candidates: [], answered: null, note: '' });
    expect(await desk.snapshot()).toBe(before);
    const accepted = await desk.accept(
      first.body.data
        .slice(0, 2)
        .map(({ outcome, utr, candidates }) => ({ ...pick(candidates[0]?.line), outcome, utr })),
    );
    // The same file again has nothing to accept of these.
    const second = await preview();
    expect(second.body.counts).toEqual({ sure: 0, choices: 1, others: 1, answered: 2 });
    expect(second.body.data.find(({ row }) => row === 1)?.note).toBe(
      `Answered already: executed on 21/04/2026 with UTR N097262000001000 (${accepted.body.data.number})`,
    );
  });

  it('is not sure of a row with the UTR of another payment, nor of one that is dated before it was sent', async () => {
    const [first] = (await desk.sent(1)).lines;
    const utr = 'N097262000003000';
    await desk.accept([{ ...pick(first), outcome: 'executed', utr }]);
    const { lines } = await desk.sent(2);
    const rows = lines.map(({ reference, amount }, at) =>
      buildAnswerRow({
        row: at + 1,
        reference,
        amount,
        ...(at === 0 ? { utr, day: '' } : { utr: 'N097262000003001' }),
      }),
    );
    const { data } = (await desk.api.call(contract.bankAnswers.preview, { body: { rows } }, desk.as())).body;
    expect(data.map(({ isSure, candidates }) => [isSure, candidates[0]?.why])).toEqual([
      [false, `Our reference ${lines[0]?.reference}, but ${first?.reference} has the same UTR`],
      [false, `Our reference ${lines[1]?.reference}, but before it was sent`],
    ]);
  });

  it('does not hide a row that says otherwise than the answer of its line, and says what to do', async () => {
    const { lines } = await desk.sent(2);
    const [paid, failed] = [lines[0]!, lines[1]!];
    const accepted = await desk.accept([
      { ...pick(paid), outcome: 'executed' },
      { ...pick(failed), outcome: 'failed' },
    ]);
    const row = ({ reference, amount }: typeof paid, over: object) => buildAnswerRow({ reference, amount, ...over });
    const rows = [
      row(paid, { state: 'failed', utr: '', reason: 'ACCOUNT CLOSED' }),
      row(failed, { row: 2, utr: 'N097262000000002' }),
    ];
    const { body } = await desk.api.call(contract.bankAnswers.preview, { body: { rows } }, desk.as());
    expect(body.counts).toEqual({ sure: 0, choices: 0, others: 2, answered: 0 });
    const { number } = accepted.body.data;
    const wayOut = 'If the row is right, undo that answer first';
    expect(body.data.map(({ isOtherwise, note }) => [isOtherwise, note])).toEqual([
      [true, `Answered already: executed on 21/04/2026 with UTR N097262000000001 (${number}). ${wayOut}`],
      [true, `Answered already: failed on 21/04/2026 (${number}). ${wayOut}`],
    ]);
  });

  it('that is loaded again offers no other payment of the same owner and amount, with a reference or without', async () => {
    const owner = await createOwner(desk.api, desk.tenant, { name: 'Paid the same again' });
    // Each challan is over the same amount more than the one before, so that both payments have one amount.
    const [one, two, three, four] = await desk.make(4, { ownerId: owner.id });
    const batchIds: string[] = [];
    for (const pair of [
      [one!, four!],
      [two!, three!],
    ])
      batchIds.push((await desk.pay(idsOf(pair))).body.data.batchId ?? '');
    const [line, open] = await desk.send(batchIds);
    expect(line!.amount).toBe(open!.amount);
    const { accountNo, amount } = line!;
    const day = '2026-04-21';
    const utr = 'N097262000000061';
    const rows = {
      executed: { reference: line!.reference, accountNo, amount, utr, day, state: 'executed' as const, reason: '' },
      returned: {
        reference: line!.reference,
        accountNo,
        amount,
        utr: '',
        day,
        state: 'returned' as const,
        reason: 'X',
      },
    };
    const preview = async (...asked: Omit<Parameters<typeof buildAnswerRow>[0] & object, 'row'>[]) => {
      const body = { rows: asked.map((row, at) => buildAnswerRow({ ...row, row: at + 1 })) };
      const answer = await desk.api.call(contract.bankAnswers.preview, { body }, desk.as());
      expect(answer.status, answer.text).toBe(200);
      const { data, counts } = answer.body;
      return { data: data.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0)), counts };
    };
    const says = async (row: (typeof rows)[keyof typeof rows]): Promise<unknown[]> => {
      const { data, counts } = await preview(row, { ...row, reference: '' });
      return [
        ...data.map(({ candidates, note }) => (note === '' ? candidates.map((of) => of.line.reference) : note)),
        counts,
      ];
    };
    const accept = async (row: (typeof rows)[keyof typeof rows]): Promise<{ id: string; number: string }> => {
      const { state: outcome, utr: given, reason } = row;
      const accepted = await desk.accept([{ ...pick(line), outcome, utr: given, day, reason }]);
      expect(accepted.status, accepted.text).toBe(201);
      return accepted.body.data;
    };
    const both = [line!.reference, open!.reference];
    const counted = (answered: number) => ({ sure: 0, choices: 2 - answered, others: 0, answered });
    expect(await says(rows.executed)).toEqual([[line!.reference], both, counted(0)]);
    const a1 = await accept(rows.executed);
    const executed = `Answered already: executed on 21/04/2026 with UTR ${utr} (${a1.number})`;
    expect(await says(rows.executed)).toEqual([executed, executed, counted(2)]);
    const a2 = await accept(rows.returned);
    const returned = `Answered already: returned on 21/04/2026 (${a2.number})`;
    expect(await says(rows.executed)).toEqual([executed, executed, counted(2)]);
    expect(await says(rows.returned)).toEqual([returned, returned, counted(2)]);
    // What is undone is offered again.
    await desk.undo(a2.id);
    expect(await says(rows.executed)).toEqual([executed, executed, counted(2)]);
    expect(await says(rows.returned)).toEqual([[line!.reference], both, counted(0)]);
    await desk.undo(a1.id);
    expect(await says(rows.executed)).toEqual([[line!.reference], both, counted(0)]);
    // Without an answer of the bank it is offered again.
    const { withdraw } = contract.bankFiles;
    const body = { reason: 'Not uploaded' };
    await desk.api.call(withdraw, { params: { id: line!.fileId }, body }, desk.as());
    expect((await says(rows.executed))[0]).toEqual([line!.reference]);
  });

  it('finds the statement’s lines of payments that came back, and offers them for no other payment', async () => {
    const { lines, challans } = await desk.sent(1);
    const [line] = lines;
    await desk.accept([{ ...pick(line), outcome: 'executed', utr: 'N097262000000071' }]);
    const { number } = (await desk.accept([{ ...pick(line), outcome: 'returned' }])).body.data;
    // Its challans are paid again, and the new payment has the same owner and amount.
    const again = await desk.pay(challans.flat().map(({ id }) => id));
    const [second] = await desk.send([again.body.data.batchId ?? '']);
    expect(second!.amount).toBe(line!.amount);
    await desk.bringIn(
      statementOf([
        { narration: `NEFT ${line!.accountNo} N097262000000071`, out: line!.amount, day: short(today) },
        { narration: `NEFT ${second!.accountNo} ${second!.reference}`, out: line!.amount, day: short(today) },
      ]),
    );
    const found = (await desk.proposals()).filter(({ statementLine }) =>
      statementLine?.narration.includes(line!.accountNo),
    );
    expect(found.map(({ candidates, note }) => [candidates.map((of) => of.line.reference), note])).toEqual([
      [[second!.reference], ''],
      [[], `Answered already: returned on 21/04/2026 (${number})`],
    ]);
  });
});

describe('a payment', () => {
  it('is found by the UTR of one of its lines, also by the payment that an undo made', async () => {
    const { lines } = await desk.sent(1);
    const utr = 'N097262099999123';
    await desk.accept([{ ...pick(lines[0]), outcome: 'executed', utr }]);
    const numbers = async () =>
      (await desk.api.call(contract.paymentBatches.list, { query: { search: '2099999123' } }, desk.as())).body.data.map(
        ({ number }) => number,
      );
    expect(await numbers()).toEqual([lines[0]!.paymentNumber]);
    const { body } = await desk.accept([{ ...pick(lines[0]), outcome: 'returned' }]);
    const { payments } = (await desk.undo(body.data.id)).body.data;
    const both = [lines[0]!.paymentNumber, ...payments.map(({ number }) => number)];
    expect((await numbers()).toSorted()).toEqual(both.toSorted());
  });
});

describe('what is at the bank', () => {
  it('is listed with its age, filters and sums', async () => {
    const { lines } = await desk.sent(2);
    const list = (query: Parameters<typeof desk.api.call<typeof contract.bankAnswers.listLines>>[1]['query']) =>
      desk.api.call(contract.bankAnswers.listLines, { query }, desk.as());
    const found = (await list({ search: lines[0]!.paymentNumber })).body;
    expect(found.totals.lines).toBe(2);
    expect(found.data.map(({ days, state }) => [days, state])).toEqual([
      [0, 'in-file'],
      [0, 'in-file'],
    ]);
    expect((await list({ search: lines[0]!.paymentNumber, age: '8+' })).body.totals).toEqual({
      lines: 0,
      amount: '0.00',
    });
    expect((await list({ search: lines[0]!.paymentNumber, state: 'failed' })).body.data).toEqual([]);
    const other = await createBankAccount(desk.api, desk.tenant, { name: 'Current account' });
    const from = async (account: string) =>
      (await list({ search: lines[0]!.paymentNumber, account })).body.totals.lines;
    expect([await from(desk.account.id), await from(other.id)]).toEqual([2, 0]);
  });
});

function pick(line: { fileId: string; lineNo: number } | undefined): { fileId: string; lineNo: number } {
  return { fileId: line?.fileId ?? '', lineNo: line?.lineNo ?? 0 };
}
