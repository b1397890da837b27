import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { PaymentBatch, PaymentLine } from '../../../src/shared/contract/payment-batches.ts';
import { testSeed } from '../../calc/seed.ts';
import { startApi, type Api } from '../support/api.ts';
import { createOwner, createTag } from '../support/builders.ts';
import { assertLedger, idsOf, insertChallans, totalOf, type TestChallan } from '../support/ledger.ts';
import { randomOf, type Random } from '../support/random.ts';

/** What a payment still pays, beside what it paid on its day. */
const { challans, bankStatement, paymentBatches } = contract;

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function openDesk(owners: number) {
  const tenant = await api.addTenant();
  const as = { token: tenant.token };
  const tagId = (await createTag(api, tenant)).id;
  const ownerIds: string[] = [];
  for (let n = 0; n < owners; n += 1) ownerIds.push((await createOwner(api, tenant)).id);
  const make = (ownerId: string, count: number, advance = '0') =>
    api.inTenant(tenant, (db) => insertChallans(db, { ownerId, tagId }, count, { advance }));
  const pay = async (ids: readonly string[]) => {
    const { status, body } = await api.call(bankStatement.markPaid, { body: { challanIds: [...ids] } }, as);
    expect(status).toBe(200);
    return body.data;
  };
  const update = (id: string, body: Parameters<typeof api.call<typeof challans.update>>[1]['body']) =>
    api.call(challans.update, { params: { id }, body }, as);
  const reverse = (id: string) =>
    api.call(paymentBatches.reverse, { params: { id }, body: { reason: 'Wrong account' } }, as);
  const batches = async (): Promise<PaymentBatch[]> => {
    const all: PaymentBatch[] = [];
    for (let page = 1, more = true; more; page += 1) {
      const { body } = await api.call(paymentBatches.list, { query: { page, limit: 7 } }, as);
      all.push(...body.data);
      more = body.pagination.hasNext;
    }
    return all;
  };
  const linesOf = async (id: string): Promise<PaymentLine[]> =>
    (await api.call(paymentBatches.get, { params: { id }, query: { limit: 100 } }, as)).body.data.lines;
  const batch = async (id: string) => (await api.call(paymentBatches.get, { params: { id } }, as)).body.data;
  const summary = async () => (await api.call(challans.list, { query: { limit: 1 } }, as)).body.summary;
  return { tenant, as, ownerIds, make, pay, update, reverse, batches, linesOf, batch, summary };
}
type Desk = Awaited<ReturnType<typeof openDesk>>;

const standing = ({ paidCount, paidAmount, paidOwnerCount }: PaymentBatch) => ({
  paidCount,
  paidAmount,
  paidOwnerCount,
});

describe('what a payment still pays', () => {
  it('follows each challan that is unmarked, down to nothing; what was paid on the day stays as it was', async () => {
    const desk = await openDesk(2);
    const [one = '', two = ''] = desk.ownerIds;
    const first = await desk.make(one, 2);
    const second = await desk.make(two, 1);
    const all = [...first, ...second];
    const { batchId } = await desk.pay(idsOf(all));
    const id = batchId ?? '';
    const paid = { updatedCount: 3, totalAmount: totalOf(all), ownerCount: 2 };
    const left: [TestChallan[], number][] = [
      [all, 2],
      [first, 1],
      [first.slice(1), 1],
      [[], 0],
    ];
    for (const [index, [still, paidOwnerCount]] of left.entries()) {
      const gone = index === 0 ? undefined : index === 1 ? second[0] : first[index - 2];
      if (gone) expect((await desk.update(gone.id, { paymentStatus: false })).status).toBe(200);
      const expected = { paidCount: still.length, paidAmount: totalOf(still), paidOwnerCount };
      const detail = await desk.batch(id);
      expect(detail).toMatchObject({ ...paid, ...expected });
      expect(await desk.batches()).toEqual([expect.objectContaining({ ...paid, ...expected })]);
      expect(detail.reversedAt === null).toBe(still.length > 0);
    }
  });

  it('is nothing once it is undone, also where challans of it were unmarked before', async () => {
    const desk = await openDesk(1);
    const made = await desk.make(desk.ownerIds[0] ?? '', 3);
    const { batchId } = await desk.pay(idsOf(made));
    await desk.update(made[1]?.id ?? '', { paymentStatus: false });
    const answer = await desk.reverse(batchId ?? '');
    expect(answer.body.data).toMatchObject({ reversedCount: 2, paidCount: 0, paidAmount: '0.00', paidOwnerCount: 0 });
    expect(standing(await desk.batch(batchId ?? ''))).toEqual({ paidCount: 0, paidAmount: '0.00', paidOwnerCount: 0 });
  });

  it('goes over to the new payment where the net of a paid challan changes', async () => {
    const desk = await openDesk(1);
    const made = await desk.make(desk.ownerIds[0] ?? '', 2);
    await desk.pay(idsOf(made));
    expect((await desk.update(made[0]?.id ?? '', { officeCharges: '10' })).status).toBe(200);
    const [paidAgain, before] = await desk.batches();
    expect(before).toMatchObject({ updatedCount: 2, paidCount: 1, paidAmount: made[1]?.net, paidOwnerCount: 1 });
    expect(paidAgain).toMatchObject({ kind: 'single', paidCount: 1, paidOwnerCount: 1 });
    expect(sum([before?.paidAmount ?? '', paidAgain?.paidAmount ?? ''])).toBe((await desk.summary()).paidAmount);
  });
});

/** One step of a business: paying, taking back, changing, deleting. Refusals are part of life. */
async function step(desk: Desk, random: Random): Promise<void> {
  const { as } = desk;
  const { body } = await api.call(challans.list, { query: { limit: 100 } }, as);
  const all = body.data;
  const one = random.pick(all);
  const act = random.below(8);
  if (act === 0) await desk.make(random.pick(desk.ownerIds), 1 + random.below(4), random.chance(0.2) ? '5000' : '0');
  if (act === 1) await desk.pay(idsOf(random.some(all, 1 + random.below(all.length))));
  if (act === 2) {
    const filters = { ownerId: random.pick(desk.ownerIds) };
    await api.call(bankStatement.markMatchingPaid, { body: { filters, paymentStatus: true } }, as);
  }
  if (act === 3 || act === 4) await desk.update(one.id, { paymentStatus: !one.paymentStatus });
  if (act === 5) await desk.update(one.id, { officeCharges: `${random.below(300)}.${10 + random.below(90)}` });
  if (act === 6) await api.call(challans.remove, { params: { id: one.id } }, as);
  if (act === 7) {
    const batches = await desk.batches();
    if (batches.length > 0) await desk.reverse(random.pick(batches).id);
  }
}

describe('over random histories', () => {
  it('all payments together still pay what the challan list calls paid, and each what its lines say', async () => {
    const random = randomOf(testSeed('what still stands of payments'));
    const seen = { partly: 0, whole: 0, undone: 0 };
    for (let round = 0; round < 6; round += 1) {
      const desk = await openDesk(3);
      for (const ownerId of desk.ownerIds) await desk.make(ownerId, 4);
      for (let n = 0; n < 24; n += 1) {
        await step(desk, random);
        const [batches, summary] = await Promise.all([desk.batches(), desk.summary()]);
        expect(sum(batches.map(({ paidAmount }) => paidAmount))).toBe(summary.paidAmount);
        expect(batches.reduce((count, { paidCount }) => count + paidCount, 0)).toBe(summary.paidCount);
      }
      const pays: Record<string, string> = {};
      for (const batch of await desk.batches()) {
        for (const line of await desk.linesOf(batch.id))
          if (line.reversedAt === null) pays[line.challanId] = batch.number;
        const live = (await desk.linesOf(batch.id)).filter(({ reversedAt }) => reversedAt === null);
        expect(standing(batch)).toEqual({
          paidCount: live.length,
          paidAmount: sum(live.map(({ amount }) => amount)),
          paidOwnerCount: new Set(live.map(({ ownerId }) => ownerId)).size,
        });
        expect(batch.reversedAt === null).toBe(live.length > 0);
        const kind = live.length === 0 ? 'undone' : live.length === batch.updatedCount ? 'whole' : 'partly';
        seen[kind] += 1;
      }
      // A challan names the payment that pays it, and its day; an unpaid one none.
      const { body } = await api.call(challans.list, { query: { limit: 100 } }, desk.as);
      expect(body.data.map(({ id, payment, paidAt }) => [id, payment?.name, paidAt !== null])).toEqual(
        body.data.map(({ id }) => [id, pays[id], id in pays]),
      );
      await api.inTenant(desk.tenant, assertLedger);
    }
    // The histories must have come to where the figures differ from those of the day.
    expect(Object.values(seen).every((count) => count > 0)).toBe(true);
  });
});
