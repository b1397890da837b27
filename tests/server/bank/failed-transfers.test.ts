import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatINR } from '../../../src/shared/calc/money.ts';
import type { CheckedLine } from '../../../src/shared/contract/bank-files.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { createOwner } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { idsOf, type TestChallan } from '../support/ledger.ts';
import { addPerson } from '../support/people.ts';

/** A transfer that the bank could not make stays with the owner's account (docs/specification.md §24.8). */
const { bankFiles, bankStatement, history, owners, paymentBatches } = contract;

let desk: BankDesk;
let owner: Awaited<ReturnType<typeof createOwner>>;
beforeAll(async () => {
  desk = await openBankDesk();
});
beforeEach(async () => {
  owner = await createOwner(desk.api, desk.tenant, { name: 'Payee', accountNo: '00123456789', ifsc: 'SBIN0001234' });
});
afterAll(() => desk.api.close());

const closed = { state: 'failed', day: '2026-04-21', reason: 'ACCOUNT CLOSED' };

async function pay(count = 1): Promise<{ batchId: string; challans: TestChallan[] }> {
  const challans = await desk.make(count, { ownerId: owner.id });
  const { batchId } = (await desk.pay(idsOf(challans))).body.data;
  if (batchId === null) throw new Error('Something was paid');
  return { batchId, challans };
}
async function check(batchId: string): Promise<CheckedLine> {
  const body = { batchIds: [batchId], bankAccountId: desk.account.id };
  const [line] = (await desk.api.call(bankFiles.check, { body }, desk.as())).body.data.lines;
  if (!line) throw new Error('The payment pays its owner');
  return line;
}
async function makeFile(batchId: string, more: { isConfirmed?: boolean } = {}) {
  const { ownerId, amount } = await check(batchId);
  const body = {
    batchIds: [batchId],
    bankAccountId: desk.account.id,
    layoutId: 'B',
    valueOn: '2026-04-20',
    lines: [{ batchId, ownerId, amount, route: 'NEFT' as const, ...more }],
  };
  return desk.api.call(bankFiles.create, { body }, desk.as());
}
async function send(batchId: string, more: { isConfirmed?: boolean } = {}): Promise<string> {
  const made = await makeFile(batchId, more);
  expect(made.status, made.text).toBe(201);
  return made.body.data.id;
}
const answered = async (fileId: string, outcome: 'executed' | 'failed' | 'returned') => {
  const accepted = await desk.accept([{ fileId, lineNo: 1, outcome }]);
  expect(accepted.status, accepted.text).toBe(201);
  return accepted.body.data.id;
};
/** A payment whose transfer the bank could not make. */
async function failedOnce() {
  const { batchId, challans } = await pay();
  const fileId = await send(batchId);
  return { challans, batchId, fileId, answerId: await answered(fileId, 'failed') };
}
/** What the bank statement says of the owner, who has one more unpaid challan for it. */
async function status() {
  const [challan] = await desk.make(1, { ownerId: owner.id });
  const query = { ownerId: owner.id };
  const [row] = (await desk.api.call(bankStatement.listOwners, { query }, desk.as())).body.data.owners;
  const [same] = (await desk.api.call(bankStatement.list, { query }, desk.as())).body.data.owners;
  const body = { filters: {}, challanIds: [challan!.id] };
  const review = (await desk.api.call(bankStatement.review, { body }, desk.as())).body.data;
  const failure = row!.failedTransfer;
  expect(same!.failedTransfer).toEqual(failure);
  expect([review.failedOwnerCount, review.failedOwners]).toEqual(
    failure === null ? [0, []] : [1, [{ id: owner.id, name: 'Payee', failedTransfer: failure }]],
  );
  return failure;
}
const change = async (body: { accountNo?: string; ifsc?: string }) => {
  const changed = await desk.api.call(owners.update, { params: { id: owner.id }, body }, desk.as());
  expect(changed.status, changed.text).toBe(200);
};

describe('a failed transfer', () => {
  it('is named in the statement, in the review of the next payment, and at its line of the next file', async () => {
    expect(await status()).toBeNull();
    await failedOnce();
    expect(await status()).toEqual(closed);
    const next = await pay();
    expect((await check(next.batchId)).failedTransfer).toEqual(closed);
  });

  it('is sent again only by somebody who has seen it, and then it is settled until the bank answers', async () => {
    await failedOnce();
    const next = await pay();
    const { amount } = await check(next.batchId);
    expectRefusal(
      await makeFile(next.batchId),
      409,
      'SELECTION_CHANGED',
      `Payee, ${formatINR(amount)}: Failed 21/04: ACCOUNT CLOSED. It is sent again only if you choose it. Check the lines again.`,
    );
    const again = await send(next.batchId, { isConfirmed: true });
    expect(await status()).toBeNull();
    await answered(again, 'returned');
    expect(await status()).toEqual({ ...closed, state: 'returned' });
    const last = await pay();
    await answered(await send(last.batchId, { isConfirmed: true }), 'executed');
    expect(await status()).toBeNull();
    await send((await pay()).batchId);
  });

  it('counts again when the file that sent it again was withdrawn', async () => {
    await failedOnce();
    const file = await send((await pay()).batchId, { isConfirmed: true });
    const body = { reason: 'Not uploaded' };
    expect((await desk.api.call(bankFiles.withdraw, { params: { id: file }, body }, desk.as())).status).toBe(200);
    expect(await status()).toEqual(closed);
  });

  it('belongs to the account number and the IFSC', async () => {
    await failedOnce();
    await change({ accountNo: '00987654321' });
    expect(await status()).toBeNull();
    await send((await pay()).batchId);
    await change({ accountNo: owner.accountNo });
    expect(await status()).toEqual(closed);
    await change({ ifsc: 'SBIN0009999' });
    expect(await status()).toBeNull();
  });

  it('is not settled by a line that was sent before it', async () => {
    const first = await send((await pay()).batchId);
    const second = await send((await pay()).batchId);
    await answered(first, 'failed');
    expect(await status()).toEqual(closed);
    await answered(second, 'executed');
    expect(await status()).toBeNull();
  });

  it('is gone when the answer of the bank is undone', async () => {
    const { answerId } = await failedOnce();
    expect((await desk.undo(answerId)).status).toBe(200);
    expect(await status()).toBeNull();
  });

  it('is none where the bank has not tried: the file was withdrawn, or the payment was reversed', async () => {
    const withdrawn = await send((await pay()).batchId);
    const body = { reason: 'Not uploaded' };
    await desk.api.call(bankFiles.withdraw, { params: { id: withdrawn }, body }, desk.as());
    expect(await status()).toBeNull();
    const { batchId } = await pay();
    await send(batchId);
    const reversal = { reason: 'Wrong', bankLines: 'failed' as const };
    const reversed = await desk.api.call(
      paymentBatches.reverse,
      { params: { id: batchId }, body: reversal },
      desk.as(),
    );
    expect(reversed.status, reversed.text).toBe(200);
    expect(await status()).toBeNull();
    await send((await pay()).batchId);
  });

  it('shows a clerk no account, IFSC or PAN that the bank has written into its reason', async () => {
    const { batchId, challans } = await pay();
    const reason = 'NEFT RTN A/C 00123456789 SBIN0001234 ABCDE1234F CLOSED';
    const fileId = await send(batchId);
    const accepted = await desk.accept([{ fileId, lineNo: 1, outcome: 'returned', reason }]);
    expect(accepted.status, accepted.text).toBe(201);
    const reasonsOf = async ({ token }: { token: string }) => {
      const listed = await desk.api.call(bankStatement.list, { query: { ownerId: owner.id } }, { token });
      const [entry] = (await desk.api.call(history.listChallan, { params: { id: challans[0]!.id } }, { token })).body
        .data;
      return [listed.body.data.owners[0]?.failedTransfer?.reason, entry?.reason];
    };
    expect(await reasonsOf(desk.tenant)).toEqual([reason, `Returned by the bank: ${reason}`]);
    const shown = 'NEFT RTN A/C •••••••6789 •••••••1234 ••••••234F CLOSED';
    expect(await reasonsOf(await addPerson(desk.api, desk.tenant, 'clerk'))).toEqual([
      shown,
      `Returned by the bank: ${shown}`,
    ]);
  });
});
