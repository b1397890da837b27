import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { add, compare, formatINR, subtract, sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { createOwner } from '../support/builders.ts';
import { idsOf, totalOf, type TestChallan } from '../support/ledger.ts';

/** What an owner owes, carried into its next payment (docs/specification.md §10.10). */
const { bankStatement, challans, owners, paymentBatches, bankFiles } = contract;

let desk: BankDesk;
beforeAll(async () => {
  desk = await openBankDesk();
});
afterEach(() => desk.assertMoney());
afterAll(() => desk.api.close());

const newOwner = async (name = 'Owes Us') => (await createOwner(desk.api, desk.tenant, { name })).id;
const minusOf = (amount: string): string => subtract('0', amount);
const pay = (made: readonly TestChallan[], over: { carries?: Carried[]; paysNegative?: boolean } = {}) =>
  desk.api.call(bankStatement.markPaid, { body: { challanIds: idsOf(made), ...over } }, desk.as());
type Carried = { ownerId: string; amount: string };
const reverse = (id: string) =>
  desk.api.call(paymentBatches.reverse, { params: { id }, body: { reason: 'Wrong' } }, desk.as());
const takeBack = (id: string, ownerId: string) =>
  desk.api.call(paymentBatches.takeBackCarry, { params: { id, ownerId } }, desk.as());
const toggle = (id: string, paymentStatus: boolean) =>
  desk.api.call(challans.update, { params: { id }, body: { paymentStatus } }, desk.as());
const batch = async (id: string) => (await desk.api.call(paymentBatches.get, { params: { id } }, desk.as())).body.data;
const ownersOf = async (id: string) =>
  (await desk.api.call(paymentBatches.owners, { params: { id } }, desk.as())).body.data;
const statementOf = async (ownerId: string) =>
  (await desk.api.call(bankStatement.list, { query: { ownerId } }, desk.as())).body.data;
const openOf = (ownerId: string): Promise<string> =>
  desk.api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<{ amount: string }>(
      `SELECT round(coalesce(sum(amount), 0), 2) AS amount FROM open_carries WHERE subadmin_id = $1 AND owner_id = $2`,
      [db.tenantId, ownerId],
    );
    return rows[0]!.amount;
  });

/** An owner whose two challans of below zero were settled by carrying what it owes; somebody else is paid with it. */
async function carried() {
  const ownerId = await newOwner();
  const minus = await desk.make(2, { ownerId, advance: '5000' });
  const others = await desk.make(1);
  const amount = minusOf(totalOf(minus));
  const paid = await pay([...minus, ...others], { carries: [{ ownerId, amount }] });
  expect(paid.status, paid.text).toBe(200);
  expect(paid.body.data).toMatchObject({ updatedCount: 3, totalAmount: totalOf(others), negativeCount: 0 });
  return { ownerId, minus, others, amount, batchId: paid.body.data.batchId! };
}
/** A later payment of the owner, large enough. */
async function deducted() {
  const made = await carried();
  const plus = await desk.make(12, { ownerId: made.ownerId });
  const paid = await pay(plus);
  const amount = subtract(totalOf(plus), made.amount);
  expect(paid.body.data).toMatchObject({ updatedCount: 12, totalAmount: amount });
  return { ...made, plus, paidId: paid.body.data.batchId!, paidAmount: amount };
}

describe('a carry', () => {
  it('settles what is below zero, and brings its owner to nothing in list, details, file and advice', async () => {
    const { ownerId, minus, others, amount, batchId } = await carried();
    expect(await desk.statusOf(minus)).toEqual([true, true]);
    expect(await batch(batchId)).toMatchObject({ totalAmount: totalOf(others), paidAmount: totalOf(others) });
    const own = (await ownersOf(batchId)).find((one) => one.ownerId === ownerId);
    expect(own).toMatchObject({ amount: '0.00', paidAmount: '0.00', challanCount: 2, paidCount: 2 });
    expect(own?.carries).toEqual([{ kind: 'carry', amount, otherId: null, otherNumber: null, isBack: false }]);
    const { text } = await desk.api.callRaw('GET', `/api/payment-batches/${batchId}/csv`, desk.as());
    expect(text).toContain('Carried into the next payment');
    expect(text).toMatch(/"?Subtotal Owes Us"?.*2 challans.*0\.00/);
    const asked = { batchIds: [batchId], bankAccountId: desk.account.id };
    const checked = await desk.api.call(bankFiles.check, { body: asked }, desk.as());
    expect(checked.body.data.lines.map((line) => line.amount).sort()).toEqual(['0.00', totalOf(others)]);
    expect(await openOf(ownerId)).toBe(amount);
  });

  it('is deducted from the next payment, of its own line at the bank too', async () => {
    const { ownerId, amount, batchId, paidId, paidAmount } = await deducted();
    const [own] = await ownersOf(paidId);
    const { number } = await batch(batchId);
    expect(own).toMatchObject({ amount: paidAmount, paidAmount });
    expect(own?.carries).toEqual([
      { kind: 'deduct', amount: minusOf(amount), otherId: batchId, otherNumber: number, isBack: false },
    ]);
    const { text } = await desk.api.callRaw('GET', `/api/payment-batches/${paidId}/csv`, desk.as());
    expect(text).toContain(`Deduction: carried from ${number}`);
    expect(text).toMatch(new RegExp(`Grand total.*12 challans.*${paidAmount}`));
    const [line] = await desk.send([paidId]);
    expect(line?.amount).toBe(paidAmount);
    const origin = (await ownersOf(batchId)).find((one) => one.ownerId === ownerId);
    expect(origin?.carries[0]).toMatchObject({ otherId: paidId });
    expect(await openOf(ownerId)).toBe('0.00');
  });

  it('is reviewed as it is paid, also where the others below zero are paid too', async () => {
    const [ownerId, otherId] = [await newOwner(), await newOwner('Is Paid')];
    const minus = await desk.make(2, { ownerId, advance: '5000' });
    const others = await desk.make(1, { ownerId: otherId, advance: '5000' });
    const amount = minusOf(totalOf(minus));
    const choice = { paysNegative: true, carries: [{ ownerId, amount }] };
    const body = { filters: {}, challanIds: idsOf([...minus, ...others]), ...choice };
    const { payment } = (await desk.api.call(bankStatement.review, { body }, desk.as())).body.data;
    expect(payment).toMatchObject({ count: 3, amount: totalOf(others), ownerCount: 2, carriedAmount: amount });
    const paid = await pay([...minus, ...others], choice);
    expect(paid.body.data).toMatchObject({ updatedCount: payment.count, totalAmount: payment.amount });
    expect(await openOf(ownerId)).toBe(amount);
  });

  it('stands behind the lines of its owner in the file, where another owner follows and where none does', async () => {
    const [first, last] = [await newOwner('A Owes Us'), await newOwner('Z Owes Us')];
    const some = await desk.make(2, { ownerId: first, advance: '5000' });
    const others = await desk.make(1, { ownerId: await newOwner('M Is Paid') });
    const more = await desk.make(1, { ownerId: last, advance: '5000' });
    const carries = [
      { ownerId: first, amount: minusOf(totalOf(some)) },
      { ownerId: last, amount: minusOf(totalOf(more)) },
    ];
    const paid = await pay([...some, ...others, ...more], { carries });
    const { text } = await desk.api.callRaw('GET', `/api/payment-batches/${paid.body.data.batchId}/csv`, desk.as());
    const words = ['Carried into the next payment', 'Subtotal', 'Grand total'];
    const lines = text.split('\r\n').slice(1, -1);
    expect(lines.map((line) => words.find((word) => line.includes(word)) ?? 'challan')).toEqual([
      'challan',
      'challan',
      'Carried into the next payment',
      'Subtotal',
      'challan',
      'Subtotal',
      'challan',
      'Carried into the next payment',
      'Subtotal',
      'Grand total',
    ]);
  });

  it('stays open where the next payment is smaller: the owner is left out again, or carried again in one', async () => {
    const { ownerId, amount } = await carried();
    const few = await desk.make(1, { ownerId });
    const balance = subtract(totalOf(few), amount);
    const { summary, owners: listed } = await statementOf(ownerId);
    expect(listed[0]).toMatchObject({ carriedAmount: amount, unpaidAmount: totalOf(few) });
    expect(summary).toMatchObject({
      negativeOwnerCount: 1,
      negativeOwners: [{ id: ownerId, challanCount: 1, amount: balance, carriedAmount: amount }],
      negativeAmount: totalOf(few),
      negativeCarriedAmount: amount,
      deductedAmount: '0.00',
    });
    const left = await pay(few);
    expect(left.body.data).toMatchObject({ batchId: null, negativeCount: 1, skippedCount: 0 });
    const again = await pay(few, { carries: [{ ownerId, amount: minusOf(balance) }] });
    expect(again.body.data).toMatchObject({ updatedCount: 1, totalAmount: '0.00' });
    expect(await openOf(ownerId)).toBe(minusOf(balance));
    const [own] = await ownersOf(again.body.data.batchId!);
    expect(own?.carries.map(({ kind, amount: of }) => [kind, of])).toEqual([
      ['deduct', minusOf(amount)],
      ['carry', minusOf(balance)],
    ]);
    // Taken back, both are as before.
    expect((await takeBack(again.body.data.batchId!, ownerId)).status).toBe(200);
    expect(await openOf(ownerId)).toBe(amount);
  });

  it('is settled together with another one of its owner that is open', async () => {
    const { ownerId, amount, plus, paidId } = await deducted();
    const minus = await desk.make(2, { ownerId, advance: '5000' });
    const second = minusOf(totalOf(minus));
    expect((await pay(minus, { carries: [{ ownerId, amount: second }] })).status).toBe(200);
    // With the payment that had deducted it the first one is open again.
    expect((await reverse(paidId)).status).toBe(200);
    const owed = add(amount, second);
    expect(await openOf(ownerId)).toBe(owed);
    // More than either of the two, and less than both.
    const count = plus.findIndex((_, at) =>
      [amount, second].every((one) => compare(totalOf(plus.slice(0, at + 1)), one) > 0),
    );
    const some = plus.slice(0, count + 1);
    const left = subtract(owed, totalOf(some));
    expect(compare(left, '0')).toBe(1);
    const paid = await pay(some, { carries: [{ ownerId, amount: left }] });
    expect(paid.status, paid.text).toBe(200);
    expect(paid.body.data).toMatchObject({ updatedCount: some.length, totalAmount: '0.00' });
    expect(await openOf(ownerId)).toBe(left);
  });

  it('of another amount than was confirmed, or of an owner that is not below zero, pays nothing', async () => {
    const ownerId = await newOwner();
    const minus = await desk.make(1, { ownerId, advance: '5000' });
    const [plus] = await desk.make(1);
    const before = await desk.snapshot();
    const other = await pay([...minus, plus!], { carries: [{ ownerId, amount: '1.00' }] });
    expect([other.status, other.error.code]).toEqual([409, 'SELECTION_CHANGED']);
    // What would be paid without the carry.
    expect(other.error).toMatchObject({
      message: 'What an owner owes has changed meanwhile. Review the payment, then pay again.',
      data: { count: 1, totalAmount: plus!.net },
    });
    const none = await pay([plus!], { carries: [{ ownerId: desk.ownerId, amount: '1.00' }] });
    expect([none.status, none.error.code]).toEqual([409, 'SELECTION_CHANGED']);
    expect(await desk.snapshot()).toBe(before);
    expect(await openOf(ownerId)).toBe('0.00');
  });

  it('of several owners pays nothing when one of the amounts is another than was confirmed', async () => {
    const ownerIds = [await newOwner('One Owes'), await newOwner('Other Owes')];
    const minus: TestChallan[] = [];
    for (const ownerId of ownerIds) minus.push(...(await desk.make(1, { ownerId, advance: '5000' })));
    const right = ownerIds.map((ownerId, at) => ({ ownerId, amount: minusOf(minus[at]!.net) }));
    for (const wrong of [0, 1]) {
      const carries = right.map((one, at) => (at === wrong ? { ...one, amount: '1.00' } : one));
      expect((await pay(minus, { carries })).error.code).toBe('SELECTION_CHANGED');
    }
    expect(await desk.statusOf(minus)).toEqual([false, false]);
    expect((await pay(minus, { carries: right })).body.data).toMatchObject({ updatedCount: 2, totalAmount: '0.00' });
  });

  it('of an owner on hold is refused with the hold', async () => {
    const ownerId = await newOwner();
    const minus = await desk.make(1, { ownerId, advance: '5000' });
    await desk.api.call(owners.setHold, { params: { id: ownerId }, body: { reason: 'Papers' } }, desk.as());
    const amount = minusOf(totalOf(minus));
    expect((await pay(minus, { carries: [{ ownerId, amount }] })).error.code).toBe('ON_HOLD');
  });

  it('comes by a filter too, and all figures are those of the review', async () => {
    const { ownerId, amount } = await carried();
    const plus = await desk.make(10, { ownerId });
    const body = { filters: { ownerId } };
    const review = (await desk.api.call(bankStatement.review, { body }, desk.as())).body.data;
    expect(review).toMatchObject({ totalAmount: totalOf(plus), deductedAmount: amount, negativeOwnerCount: 0 });
    const expected = { count: 10, totalAmount: subtract(totalOf(plus), amount) };
    const wrong = await desk.payMatching({
      ...body,
      excludeChallanIds: [],
      expected: { ...expected, totalAmount: totalOf(plus) },
    });
    expect(wrong.error.code).toBe('SELECTION_CHANGED');
    const paid = await desk.payMatching({ ...body, excludeChallanIds: [], expected });
    expect(paid.body.data).toMatchObject({ updatedCount: 10, totalAmount: expected.totalAmount });
  });

  it('is not taken by one challan’s own checkbox, which says what became of that challan', async () => {
    const { ownerId, amount } = await carried();
    const [one] = await desk.make(1, { ownerId });
    expect((await toggle(one!.id, true)).status).toBe(200);
    expect(await openOf(ownerId)).toBe(amount);
    // Nor by its form, which saves more with it.
    const [form] = await desk.make(1, { ownerId });
    const body = { paymentStatus: true, remarks: 'By hand' };
    expect((await desk.api.call(challans.update, { params: { id: form!.id }, body }, desk.as())).status).toBe(200);
    expect(await openOf(ownerId)).toBe(amount);
  });

  it('that another payment has deducted since the preview of the list refuses its payment, with the figures of now', async () => {
    const { ownerId, amount } = await carried();
    const [first, second] = [await desk.make(10, { ownerId }), await desk.make(10, { ownerId })];
    const asked = {
      selection: { by: 'ids' as const, challanIds: idsOf(second) },
      act: { kind: 'paid' as const, value: true },
    };
    const confirm = async (deductedAmount: string, meanwhile = async () => {}) => {
      const preview = (await desk.api.call(challans.previewMany, { body: asked }, desk.as())).body.data;
      expect(preview).toMatchObject({ changedCount: 10, deductedAmount });
      await meanwhile();
      const { count, totalAmount, fingerprint } = preview;
      const body = { ...asked, expected: { count, totalAmount, fingerprint } };
      return desk.api.call(challans.changeMany, { body }, desk.as());
    };
    const refused = await confirm(amount, async () => expect((await pay(first)).status).toBe(200));
    expect([refused.status, refused.error.code]).toEqual([409, 'SELECTION_CHANGED']);
    expect(refused.error.data).toMatchObject({ changedCount: 10, deductedAmount: '0.00' });
    expect(await desk.statusOf(second)).toEqual(second.map(() => false));
    expect((await confirm('0.00')).body.data.payment?.totalAmount).toBe(totalOf(second));
  });

  it('and the list’s bulk payment leave out who is below zero, and deduct from the others', async () => {
    const { ownerId, amount } = await carried();
    const below = await newOwner('Below Zero');
    const minus = await desk.make(2, { ownerId: below, advance: '5000' });
    const plus = await desk.make(10, { ownerId });
    const body = {
      selection: { by: 'ids' as const, challanIds: idsOf([...minus, ...plus]) },
      act: { kind: 'paid' as const, value: true },
    };
    const preview = (await desk.api.call(challans.previewMany, { body }, desk.as())).body.data;
    expect(preview).toMatchObject({
      changedCount: 10,
      changedAmount: totalOf(plus),
      deductedAmount: amount,
      refused: [{ reason: 'The sum of its owner is negative', count: 2 }],
      negativeOwners: [{ id: below, amount: totalOf(minus) }],
    });
    const done = await desk.api.call(challans.changeMany, { body }, desk.as());
    expect(done.body.data).toMatchObject({
      changedCount: 10,
      payment: { totalAmount: subtract(totalOf(plus), amount) },
    });
    expect(await desk.statusOf(minus)).toEqual([false, false]);
  });
});

describe('taking back', () => {
  it('a carry that nothing deducted: its challans are unpaid, and with its payment too', async () => {
    const first = await carried();
    const answer = await takeBack(first.batchId, first.ownerId);
    expect(answer.body.data).toMatchObject({
      reversedCount: 2,
      reversedAmount: '0.00',
      paidAmount: totalOf(first.others),
    });
    expect(await desk.statusOf(first.minus)).toEqual([false, false]);
    expect(await openOf(first.ownerId)).toBe('0.00');
    const again = await takeBack(first.batchId, first.ownerId);
    expect([again.status, again.error.code]).toEqual([404, 'NOT_FOUND']);
    const second = await carried();
    expect((await reverse(second.batchId)).body.data).toMatchObject({
      reversedAmount: totalOf(second.others),
      paidAmount: '0.00',
    });
    expect(await openOf(second.ownerId)).toBe('0.00');
  });

  it('one that was deducted is refused with the payment that did; after that one is undone it goes', async () => {
    const { ownerId, batchId, paidId, amount, paidAmount } = await deducted();
    const before = await desk.snapshot();
    for (const answer of [await takeBack(batchId, ownerId), await reverse(batchId)]) {
      expect([answer.status, answer.error.code]).toEqual([409, 'CARRIED']);
      expect(answer.error.message).toBe(
        `${formatINR(amount)} of Owes Us, carried by payment ${(await batch(batchId)).number}, was deducted by payment ${(await batch(paidId)).number}. Undo that payment first.`,
      );
    }
    expect(await desk.snapshot()).toBe(before);
    expect((await reverse(paidId)).body.data).toMatchObject({ reversedAmount: paidAmount, paidAmount: '0.00' });
    expect(await openOf(ownerId)).toBe(amount);
    expect((await reverse(batchId)).status).toBe(200);
  });

  it('one challan of a carry is refused; of a deduction it restores what the rest does not cover', async () => {
    const { minus, ownerId, plus, paidId, amount, paidAmount } = await deducted();
    expect((await toggle(minus[0]!.id, false)).error.code).toBe('CARRIED');
    let left = paidAmount;
    for (const [at, one] of plus.entries()) {
      expect((await toggle(one.id, false)).status).toBe(200);
      left = subtract(left, one.net);
      const isCovered = !left.startsWith('-');
      const { paidAmount: now } = await batch(paidId);
      expect(now).toBe(isCovered ? left : totalOf(plus.slice(at + 1)));
      expect(await openOf(ownerId)).toBe(isCovered ? '0.00' : amount);
      if (!isCovered) break;
    }
  });

  it('a part of a carry that nothing deducted is refused, and so is an owner who has none there', async () => {
    const { minus, others, ownerId, amount, batchId } = await carried();
    const refused = await toggle(minus[0]!.id, false);
    expect([refused.status, refused.error.code]).toEqual([409, 'CARRIED']);
    expect(refused.error.message).toBe(
      `Payment ${(await batch(batchId)).number} settled the challans of Owes Us together by carrying ${formatINR(amount)}. Take the carry back on the payment's page first.`,
    );
    expect((await takeBack(batchId, desk.ownerId)).status).toBe(404);
    expect(await desk.statusOf([...minus, ...others])).toEqual([true, true, true]);
    expect(await openOf(ownerId)).toBe(amount);
  });

  it('a carry of more than was owed before gives back what it had deducted', async () => {
    const { ownerId, amount } = await carried();
    const minus = await desk.make(1, { ownerId, advance: '5000' });
    const more = subtract(amount, totalOf(minus));
    const again = await pay(minus, { carries: [{ ownerId, amount: more }] });
    expect(again.body.data).toMatchObject({ updatedCount: 1, totalAmount: '0.00' });
    expect(await openOf(ownerId)).toBe(more);
    expect((await takeBack(again.body.data.batchId!, ownerId)).status).toBe(200);
    expect(await openOf(ownerId)).toBe(amount);
  });

  it('the rest of a payment leaves alone what another payment has deducted since', async () => {
    const { ownerId, plus } = await deducted();
    // The first ones until the rest does not cover the deduction: it is open again.
    const [last, ...before] = plus.toReversed();
    for (const one of before.toReversed()) await toggle(one.id, false);
    const more = await desk.make(12, { ownerId });
    expect((await pay(more)).status).toBe(200);
    expect(await openOf(ownerId)).toBe('0.00');
    expect((await toggle(last!.id, false)).status).toBe(200);
    expect(await openOf(ownerId)).toBe('0.00');
  });

  it('by the bank: a failed line gives the carry back, its undo deducts it again, unless another payment has', async () => {
    const { ownerId, plus, paidId, amount, paidAmount } = await deducted();
    const [line] = await desk.send([paidId]);
    const failed = { fileId: line!.fileId, lineNo: line!.lineNo, outcome: 'failed' as const };
    const first = (await desk.accept([failed])).body.data;
    expect(first).toMatchObject({ unpaidCount: plus.length, unpaidAmount: paidAmount });
    expect(await openOf(ownerId)).toBe(amount);
    const undone = (await desk.undo(first.id)).body.data;
    expect(undone.payments).toMatchObject([{ amount: paidAmount }]);
    expect(await openOf(ownerId)).toBe('0.00');
    const second = (await desk.accept([failed])).body.data;
    expect(await desk.statusOf(plus)).toEqual(plus.map(() => false));
    const more = await desk.make(12, { ownerId });
    expect((await pay(more)).body.data.totalAmount).toBe(subtract(totalOf(more), amount));
    const left = (await desk.undo(second.id)).body.data;
    expect(left).toMatchObject({ undone: 0, payments: [] });
    expect(left.left[0]?.reason).toBe('What it had deducted was deducted by another payment since.');
  });
});

describe('at once', () => {
  it('two payments of one owner: the carry is deducted once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ownerId, amount } = await carried();
      const parts = [await desk.make(10, { ownerId }), await desk.make(10, { ownerId })];
      const answers = await Promise.all(parts.map((part) => pay(part)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const paid = sum(answers.map(({ body }) => body.data.totalAmount));
      expect(paid).toBe(subtract(totalOf(parts.flat()), amount));
      await desk.assertMoney();
    }
  });

  it('a deduction and the carry’s end: one of them happens', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ownerId, batchId, amount } = await carried();
      const plus = await desk.make(10, { ownerId });
      const [paid, back] = await Promise.all([pay(plus), takeBack(batchId, ownerId)]);
      expect(paid.status).toBe(200);
      const isDeducted = back.status === 409;
      expect(paid.body.data.totalAmount).toBe(isDeducted ? subtract(totalOf(plus), amount) : totalOf(plus));
      await desk.assertMoney();
    }
  });

  it('challans of a deduction unmarked by many: it is restored when the rest does not cover it', async () => {
    const { ownerId, plus, amount, paidId } = await deducted();
    await Promise.all(plus.map(({ id }) => toggle(id, false)));
    expect(await openOf(ownerId)).toBe(amount);
    expect(await batch(paidId)).toMatchObject({ paidCount: 0, paidAmount: '0.00' });
  });

  it('adds up to the paisa over all of them: payments pay what is paid and what is carried', async () => {
    const { body } = await desk.api.call(challans.list, { query: { limit: 1 } }, desk.as());
    const { summary } = (await desk.api.call(paymentBatches.list, { query: {} }, desk.as())).body;
    const open = await desk.api.inTenant(desk.tenant, async (db) => {
      const { rows } = await db.query<{ amount: string }>(
        'SELECT round(coalesce(sum(amount), 0), 2) AS amount FROM open_carries WHERE subadmin_id = $1',
        [db.tenantId],
      );
      return rows[0]!.amount;
    });
    expect(summary.paidAmount).toBe(add(body.summary.paidAmount, open));
  });
});
