import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { add, subtract, sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import type { CheckedLine } from '../../../src/shared/contract/bank-files.ts';
import type { PaymentBatch } from '../../../src/shared/contract/payment-batches.ts';
import { testSeed } from '../../calc/seed.ts';
import { answerModel } from '../support/answer-model.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { nothingMatches, nothingToPay } from '../../../src/shared/access.ts';
import { buildImport, buildPastChallan, createOwner, createTag } from '../support/builders.ts';
import { randomOf, type Random } from '../support/random.ts';

/** Random histories of everything that moves money; after each step every figure is compared with the ledger's. */
const { bankFiles, bankStatement, challans, imports, owners, paymentBatches } = contract;

let desk: BankDesk;
let bank: ReturnType<typeof answerModel>;
beforeEach(async () => {
  desk = await openBankDesk();
  bank = answerModel(desk);
});
afterEach(() => desk.api.close());

const reason = 'Random';
const allBatches = async (): Promise<{ batches: PaymentBatch[]; paidAmount: string }> => {
  const { data, summary, pagination } = (await desk.api.call(paymentBatches.list, { query: { limit: 100 } }, desk.as()))
    .body;
  expect(pagination.hasNext).toBe(false);
  return { batches: data, paidAmount: summary.paidAmount };
};
const checkFile = async (batchIds: string[]) =>
  (await desk.api.call(bankFiles.check, { body: { batchIds, bankAccountId: desk.account.id } }, desk.as())).body.data;
/** The lines of all payments, of which a file may have 50. */
async function checkAll(batchIds: string[]): Promise<{ lines: CheckedLine[]; amount: string }> {
  const parts = [];
  for (let from = 0; from < batchIds.length; from += 50) parts.push(await checkFile(batchIds.slice(from, from + 50)));
  return { lines: parts.flatMap(({ lines }) => lines), amount: sum(parts.map(({ amount }) => amount)) };
}
async function payEach(made: readonly { id: string }[]): Promise<string[]> {
  const batchIds: string[] = [];
  for (const { id } of made) batchIds.push((await desk.pay([id])).body.data.batchId ?? '');
  return batchIds;
}

type BankAct = 'two of one owner' | 'answer' | 'load again' | 'undo';

/** One thing that the bank says, or that is done with it. `ownerIds`: owners that are paid two lines in one file. */
async function bankStep(random: Random, act: BankAct, ownerIds: readonly string[]): Promise<string> {
  if (act === 'undo') return bank.undo(random);
  if (act === 'load again') return bank.loadAgain(random);
  if (act === 'answer') {
    const open = (await bank.allLines()).filter(({ state }) => state === 'in-file' || state === 'executed');
    return open.length === 0 ? 'no line' : bank.accept(random, random.some(open, 1 + random.below(4)));
  }
  if (ownerIds.length === 0) return 'nothing free';
  // Both are answered in one act.
  const lines = await desk.send(await payEach(await desk.make(2, { ownerId: random.pick(ownerIds) })));
  const outcome = random.pick(['failed', 'failed', 'returned', 'executed'] as const);
  return `two of one owner ${outcome}: ${await bank.accept(random, lines, outcome)}`;
}

/** One act of a business; a refusal is part of life, an error is not. Says what it did. */
async function step(random: Random, ownerIds: readonly string[]): Promise<string> {
  const status = (answer: { status: number; text: string }): number => {
    expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500);
    return answer.status;
  };
  const { owners: listed } = (await desk.api.call(bankStatement.list, { query: { limit: 100 } }, desk.as())).body.data;
  const unpaid = listed.flatMap((owner) => owner.challans.map((challan) => ({ ...challan, owner })));
  const { batches, paidAmount: paidBefore } = await allBatches();
  /** An answer says by how much less all payments pay. */
  const expectLess = async (amount: string): Promise<void> =>
    expect(amount).toBe(subtract(paidBefore, (await allBatches()).paidAmount));
  const act = random.below(20);
  if (act >= 16) return importOrUndo(random, ownerIds, act);
  if (act <= 2 || unpaid.length === 0) {
    const ownerId = random.pick(ownerIds);
    await desk.make(1 + random.below(3), { ownerId, advance: random.chance(0.35) ? '2500' : '0' });
    return 'made';
  }
  const one = random.pick(unpaid);
  if (act <= 5) {
    // As the two steps do it: ask, choose which negative owners are carried, pay what was shown.
    const filters = random.chance(0.5) ? {} : { ownerId: one.owner.id };
    const chosen = random.chance(0.5) ? random.some(unpaid, 1 + random.below(unpaid.length)) : null;
    const free = chosen?.filter((item) => item.holdReason === '' && item.owner.holdReason === '');
    if (free?.length === 0) return 'nothing free';
    const challanIds = free?.map(({ challanId }) => challanId);
    const asked = challanIds ? { filters: {}, challanIds } : { filters };
    const ask = async (body: BodyInput<typeof bankStatement.review>) =>
      (await desk.api.call(bankStatement.review, { body }, desk.as())).body.data;
    const review = await ask(asked);
    const taken = review.negativeOwners.filter(() => random.chance(0.7));
    const carries = taken.map(({ id, amount }) => ({ ownerId: id, amount: subtract('0', amount) }));
    const count =
      review.count - review.negativeChallanCount + taken.reduce((all, { challanCount }) => all + challanCount, 0);
    const totalAmount = subtract(review.totalAmount, add(review.negativeAmount, review.deductedAmount));
    const paysNegative = carries.length === 0 && random.chance(0.2);
    if (paysNegative) {
      const all = subtract(review.totalAmount, add(review.deductedAmount, review.negativeCarriedAmount));
      const expected = { count: review.count, totalAmount: all };
      expect((await ask({ ...asked, paysNegative })).payment).toMatchObject({ count: review.count, amount: all });
      const paid = challanIds
        ? await desk.api.call(bankStatement.markPaid, { body: { challanIds, paysNegative } }, desk.as())
        : await desk.payMatching({ filters, excludeChallanIds: [], paysNegative, expected });
      if (review.count === 0) expect(paid.error.message).toBe(nothingMatches);
      else
        expect(paid.body.data, paid.text.slice(0, 300)).toMatchObject({ updatedCount: review.count, totalAmount: all });
      return 'paid with those below zero';
    }
    const carriedAmount = sum(carries.map(({ amount }) => amount));
    expect((await ask({ ...asked, carries })).payment).toMatchObject({ count, amount: totalAmount, carriedAmount });
    const paid = challanIds
      ? await desk.api.call(bankStatement.markPaid, { body: { challanIds, carries } }, desk.as())
      : await desk.payMatching({ filters, excludeChallanIds: [], carries, expected: { count, totalAmount } });
    if (count === 0 && !challanIds) {
      expect(paid.error.message).toBe(nothingToPay(review.negativeChallanCount, review.negativeOwnerCount));
      return review.count === 0 ? 'nothing to pay' : 'all below zero';
    } else expect(paid.body.data, paid.text.slice(0, 300)).toMatchObject({ updatedCount: count, totalAmount });
    return carries.length > 0 ? 'carried' : totalAmount === sum([review.totalAmount]) ? 'paid' : 'deducted or left out';
  }
  if (act === 6) {
    const body = { reason: one.holdReason === '' ? reason : '' };
    return `hold ${status(await desk.api.call(challans.setHold, { params: { id: one.challanId }, body }, desk.as()))}`;
  }
  if (act === 7) {
    const body = { reason: one.owner.holdReason === '' ? reason : '' };
    return `owner held ${status(await desk.api.call(owners.setHold, { params: { id: one.owner.id }, body }, desk.as()))}`;
  }
  if (act === 8) {
    const { data } = (await desk.api.call(challans.list, { query: { limit: 100 } }, desk.as())).body;
    const { id, paymentStatus } = random.pick(data);
    const body = { paymentStatus: !paymentStatus };
    return `toggled ${status(await desk.api.call(challans.update, { params: { id }, body }, desk.as()))}`;
  }
  if (batches.length === 0) return 'no payment';
  if (act === 9) {
    const some = random.some(batches, 1 + random.below(2));
    const batchIds = some.map(({ id }) => id);
    const checked = await checkFile(batchIds);
    const sendable = checked.lines.filter(
      ({ amount, hold, sent }) =>
        !amount.startsWith('-') && amount !== '0.00' && !hold && (!sent || /failed|returned/.test(sent.state)),
    );
    if (sendable.length === 0) return 'nothing to send';
    const body = {
      batchIds,
      bankAccountId: desk.account.id,
      layoutId: 'B',
      valueOn: '2026-04-20',
      lines: sendable.map(({ batchId, ownerId, amount }) => ({ batchId, ownerId, amount, route: 'NEFT' as const })),
    };
    if (sendable.some((line) => line.isImported || line.failedTransfer !== null)) {
      const refused = await desk.api.call(bankFiles.create, { body }, desk.as());
      expect([refused.status, refused.error.code]).toEqual([409, 'SELECTION_CHANGED']);
    }
    const lines = body.lines.map((line) => ({ ...line, isConfirmed: true }));
    const made = await desk.api.call(bankFiles.create, { body: { ...body, lines } }, desk.as());
    expect(made.status, made.text.slice(0, 300)).toBe(201);
    const whole = sum(some.map(({ paidAmount }) => paidAmount));
    expect(add(made.body.data.amount, made.body.data.leftOutAmount)).toBe(whole);
    return 'sent';
  }
  if (act === 10 || act === 11 || act >= 14) {
    const kind = act === 10 ? 'answer' : act === 11 ? 'undo' : act === 14 ? 'load again' : 'two of one owner';
    // A carry would leave one of the two with nothing to send.
    const isFree = ({ holdReason, carriedAmount }: (typeof listed)[number]): boolean =>
      holdReason === '' && carriedAmount === '0.00';
    const free = listed.filter(isFree).map(({ id }) => id);
    return bankStep(
      random,
      kind,
      ownerIds.filter((id) => free.includes(id)),
    );
  }
  const { id } = random.pick(batches);
  if (act === 12) {
    const ownerId = random.pick(ownerIds);
    const taken = await desk.api.call(paymentBatches.takeBackCarry, { params: { id, ownerId } }, desk.as());
    if (taken.status === 200) await expectLess(taken.body.data.reversedAmount);
    return `taken back ${status(taken)}`;
  }
  const body = { reason, ...(random.chance(0.5) && { bankLines: 'failed' as const }) };
  const reversed = await desk.api.call(paymentBatches.reverse, { params: { id }, body }, desk.as());
  if (reversed.status === 200) await expectLess(reversed.body.data.reversedAmount);
  return `reversed ${status(reversed)}`;
}

/** Imports past challans, some of them paid, or merges other values into the owners; or undoes one of these. */
async function importOrUndo(random: Random, ownerIds: readonly string[], act: number): Promise<string> {
  if (act >= 18) {
    const { data } = (await desk.api.call(contract.batches.list, { query: { limit: 100 } }, desk.as())).body;
    const open = data.filter(({ undoneAt }) => undoneAt === null);
    if (open.length === 0) return 'no import';
    const { id, facts } = random.pick(open);
    const undone = await desk.api.call(contract.batches.undo, { params: { id } }, desk.as());
    expect(undone.status, undone.text.slice(0, 300)).toBe(200);
    return `undone import of ${facts['kind']}${undone.body.data.leftCount > 0 ? ' in part' : ''}`;
  }
  const { data } = (await desk.api.call(owners.list, { query: { limit: 100 } }, desk.as())).body;
  const known = data.flatMap(({ owner }) => (ownerIds.includes(owner.id) ? [owner] : []));
  const isMerge = act === 17;
  const rows = isMerge
    ? known.map(({ name, contactNumber, accountNo, panNo }) => ({
        name,
        contactNumber,
        accountNo,
        panNo,
        branchName: `Branch ${random.below(1_000_000)}`,
      }))
    : Array.from({ length: 1 + random.below(3) }, () =>
        buildPastChallan(random.below(1_000_000), {
          ownerName: random.pick(known).name,
          advanceMoney: random.chance(0.3) ? '30000' : '0',
          ...(random.chance(0.7) && { paidOn: random.pick(['01/05/2024', '02/05/2024']) }),
        }),
      );
  const table = buildImport(isMerge ? 'owners' : 'challans', rows);
  const { fingerprint, counts } = (await desk.api.call(imports.check, { body: table }, desk.as())).body.data;
  expect(counts.wrong).toBe(0);
  const choices = rows.map(() => 'merge' as const);
  const body = { ...table, choices: isMerge ? choices : [], expected: { fingerprint } };
  const done = await desk.api.call(imports.apply, { body }, desk.as());
  expect(done.status, done.text.slice(0, 300)).toBe(201);
  return isMerge ? 'merged' : 'imported';
}

/**
 * Every line has the state of its answers, and a line that is at the bank or was executed is over what one payment still
 * pays its owner; no payment has two such lines of an owner. Returns what the payments still pay.
 */
async function assertLines(): ReturnType<typeof checkAll> {
  await desk.assertMoney();
  const { batches } = await allBatches();
  const checked = await checkAll(batches.map(({ id }) => id));
  const isLive = (state: string | undefined): boolean => state === 'in-file' || state === 'executed';
  const paid = checked.lines
    .filter(({ sent }) => isLive(sent?.state))
    .map(({ sent, ownerId, amount }) => `${sent?.fileNumber} ${sent?.state} ${ownerId} ${amount}`);
  const atBank = (await bank.assertStates())
    .filter(({ state }) => isLive(state))
    .map(({ fileNumber, state, ownerId, amount }) => `${fileNumber} ${state} ${ownerId} ${amount}`);
  expect(paid.toSorted()).toEqual(atBank.toSorted());
  return checked;
}

/** Payments list, details, owners, bank file check, challan list and ledger: one figure. */
async function assertFigures(random: Random): Promise<void> {
  const { batches, paidAmount } = await allBatches();
  const { summary } = (await desk.api.call(challans.list, { query: { limit: 1 } }, desk.as())).body;
  const paid = await desk.api.call(challans.list, { query: { paidStartDate: '2000-01-01', limit: 100 } }, desk.as());
  expect(paid.body.summary).toMatchObject({
    totalCount: summary.paidCount,
    totalAmount: summary.paidAmount,
    unpaidCount: 0,
  });
  expect(paid.body.data.length).toBe(Math.min(100, summary.paidCount));
  const carried = await desk.api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<{ owner_id: string; amount: string }>(
      'SELECT owner_id, round(sum(amount), 2) AS amount FROM open_carries WHERE subadmin_id = $1 GROUP BY owner_id',
      [db.tenantId],
    );
    return new Map(rows.map((row) => [row.owner_id, row.amount]));
  });
  expect(paidAmount).toBe(add(summary.paidAmount, sum([...carried.values()])));
  expect(sum(batches.map((batch) => batch.paidAmount))).toBe(paidAmount);
  const statement = (await desk.api.call(bankStatement.list, { query: { limit: 100 } }, desk.as())).body.data;
  for (const owner of statement.owners) expect(owner.carriedAmount).toBe(carried.get(owner.id) ?? '0.00');
  await assertOwnerStatement(carried, random);
  const { lines, amount } = await assertLines();
  expect(amount).toBe(paidAmount);
  for (const batch of batches) {
    const own = lines.filter(({ batchId }) => batchId === batch.id);
    expect(sum(own.map((line) => line.amount))).toBe(batch.paidAmount);
  }
  if (batches.length === 0) return;
  const one = random.pick(batches);
  const details = (await desk.api.call(paymentBatches.get, { params: { id: one.id } }, desk.as())).body.data;
  expect([details.paidAmount, details.totalAmount]).toEqual([one.paidAmount, one.totalAmount]);
  const of = (await desk.api.call(paymentBatches.owners, { params: { id: one.id }, query: { limit: 100 } }, desk.as()))
    .body.data;
  expect(sum(of.map((owner) => owner.paidAmount))).toBe(one.paidAmount);
  expect(sum(of.map((owner) => owner.amount))).toBe(one.totalAmount);
  for (const owner of of) {
    const parts = [...owner.challans, ...owner.carries].map((part) => part.amount);
    expect(sum(parts)).toBe(owner.amount);
  }
}

/** What an owner is owed by its statement: what is unpaid, less what waits to be deducted. */
async function assertOwnerStatement(carried: ReadonlyMap<string, string>, random: Random): Promise<void> {
  const { data } = (await desk.api.call(owners.list, { query: { limit: 100 } }, desk.as())).body;
  const { id } = random.pick(data.map(({ owner }) => owner));
  const query = { ownerId: id, endDate: dayOf(new Date()) };
  const { closing } = (await desk.api.call(contract.ownerStatements.current, { query }, desk.as())).body.data;
  const { summary } = (await desk.api.call(challans.list, { query: { ownerId: id, limit: 1 } }, desk.as())).body;
  expect(closing).toBe(subtract(summary.unpaidAmount, carried.get(id) ?? '0'));
  const accounts = await desk.api.call(contract.accounting.listOwners, { query: { limit: 100 } }, desk.as());
  const account = accounts.body.data.find((row) => row.id === id)!;
  expect([account.unpaidAmount, account.carriedAmount]).toEqual([summary.unpaidAmount, carried.get(id) ?? '0.00']);
  expect(accounts.body.summary.carriedAmount).toBe(sum([...carried.values()]));
}

describe('over random histories with holds, carries, files, answers and reversals', () => {
  it('every figure of every view is the ledger’s, after each step', { timeout: 300_000 }, async () => {
    const random = randomOf(testSeed('payment histories'));
    const seen = new Map<string, number>();
    const ownerIds: string[] = [];
    await createTag(desk.api, desk.tenant, { name: 'Joda' });
    for (const name of ['A', 'B', 'C']) ownerIds.push((await createOwner(desk.api, desk.tenant, { name })).id);
    for (let n = 0; n < 90; n += 1) {
      const did = await step(random, ownerIds);
      seen.set(did, (seen.get(did) ?? 0) + 1);
      await assertFigures(random);
    }
    expect(seen.size).toBeGreaterThan(5);
  });

  it(
    'answers are undone in any order, also of two lines of one owner, and known when they come again',
    { timeout: 300_000 },
    async () => {
      const random = randomOf(testSeed('bank answers'));
      const ownerIds = [(await createOwner(desk.api, desk.tenant, { name: 'Two lines' })).id];
      const acts: BankAct[] = ['two of one owner', 'answer', 'load again', 'undo', 'undo'];
      const seen = new Set<string>();
      for (let n = 0; n < 25; n += 1) {
        // Each as often as the others, in an order of its own in each round.
        if (n % acts.length === 0) acts.splice(0, acts.length, ...random.shuffled(acts));
        seen.add(await bankStep(random, acts[n % acts.length]!, ownerIds));
        await assertLines();
      }
      expect([...seen].filter((did) => did.startsWith('two of one owner'))).not.toEqual([]);
      expect([...seen].filter((did) => did.startsWith('undone'))).not.toEqual([]);
    },
  );
});
