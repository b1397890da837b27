import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, isNegative, subtract, sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { createOwner, createTag } from '../support/builders.ts';
import { idsOf, totalOf } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';
import { randomOf } from '../support/random.ts';

/** What is on hold is listed, counted apart, and never paid (docs/specification.md §10.8). */
const { bankStatement, challans, owners, paymentBatches } = contract;

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk();
});
afterAll(() => desk.api.close());
const as = () => ({ token: desk.tenant.token });

const holdChallan = (id: string, reason: string, over: { version?: number } = {}) =>
  desk.api.call(challans.setHold, { params: { id }, body: { reason, ...over } }, as());
const holdOwner = (id: string, reason: string, over: { version?: number } = {}) =>
  desk.api.call(owners.setHold, { params: { id }, body: { reason, ...over } }, as());
const challan = async (id: string) => (await desk.api.call(challans.get, { params: { id } }, as())).body.data;
const owner = async (id: string) => (await desk.api.call(owners.get, { params: { id } }, as())).body.data;
const statement = async (query: object = {}) =>
  (await desk.api.call(bankStatement.list, { query: { limit: 100, ...query } }, as())).body.data;
const newOwner = async (name: string) => (await createOwner(desk.api, desk.tenant, { name })).id;
/** How often the history says that it was put on hold or taken off. */
const timesHeld = async (entityId: string): Promise<number> =>
  desk.api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<{ times: number }>(
      `SELECT count(*)::int AS times FROM history WHERE subadmin_id = $1 AND entity_id = $2 AND changes ? 'holdReason'`,
      [db.tenantId, entityId],
    );
    return rows[0]!.times;
  });

describe('putting on hold', () => {
  it('takes a reason and takes it off again, each once in the history, at the version that was seen', async () => {
    const ownerId = await newOwner('Held Once');
    const [made] = await desk.make(1, { ownerId });
    const id = made!.id;
    const held = await holdChallan(id, 'Shortage in dispute', { version: (await challan(id)).version });
    expect(held.body.data).toMatchObject({ holdReason: 'Shortage in dispute', version: 2 });
    const stale = await holdChallan(id, 'Another', { version: 1 });
    expect([stale.status, stale.error.code]).toEqual([409, 'VERSION_CONFLICT']);
    // The same again writes nothing.
    expect((await holdChallan(id, 'Shortage in dispute')).body.data.version).toBe(2);
    expect((await holdChallan(id, '')).body.data).toMatchObject({ holdReason: '', version: 3 });
    expect((await holdOwner(ownerId, 'No papers')).body.data).toMatchObject({ holdReason: 'No papers', version: 2 });
    expect((await challan(id)).owner.holdReason).toBe('No papers');
    expect((await holdOwner(ownerId, 'x', { version: 1 })).error.code).toBe('VERSION_CONFLICT');
    expect((await holdOwner(ownerId, '')).body.data.holdReason).toBe('');
    expect([await timesHeld(id), await timesHeld(ownerId)]).toEqual([2, 2]);
  });

  it('refuses a challan that is paid; the database does too', async () => {
    const [made] = await desk.make(1);
    await desk.pay([made!.id]);
    const answer = await holdChallan(made!.id, 'Too late');
    expect([answer.status, answer.error.code]).toEqual([409, 'CHALLAN_PAID']);
    await expect(
      desk.api.inTenant(desk.tenant, (db) =>
        db.query(`UPDATE challans SET hold_reason = 'x' WHERE subadmin_id = $1 AND id = $2`, [db.tenantId, made!.id]),
      ),
    ).rejects.toMatchObject({ constraint: 'challan_held_is_unpaid' });
  });
});

describe('the challan list', () => {
  it('finds what is on hold, by itself, with its owner or both, once each, and what is not', async () => {
    const [heldOwner, freeOwner] = [await newOwner('Held Filter'), await newOwner('Free Filter')];
    const ofHeld = await desk.make(2, { ownerId: heldOwner });
    const ofFree = await desk.make(3, { ownerId: freeOwner });
    const listed = async (hold: 'held' | 'free', ownerId: string) => {
      const query = { hold, ownerId, limit: 100 } as const;
      const { data, summary } = (await desk.api.call(challans.list, { query }, as())).body;
      expect([summary.totalCount, summary.totalAmount]).toEqual([
        data.length,
        sum(data.map((row) => row.netAmountPayable)),
      ]);
      return data.map(({ id }) => id).sort();
    };
    const ids = (made: readonly { id: string }[]) => made.map(({ id }) => id).sort();
    await holdOwner(heldOwner, 'No papers');
    for (const { id } of [ofHeld[0]!, ofFree[0]!]) await holdChallan(id, 'Accident');
    expect(await listed('held', heldOwner)).toEqual(ids(ofHeld));
    expect(await listed('free', heldOwner)).toEqual([]);
    expect(await listed('held', freeOwner)).toEqual([ofFree[0]!.id]);
    expect(await listed('free', freeOwner)).toEqual(ids(ofFree.slice(1)));
    await holdOwner(heldOwner, '');
    expect(await listed('held', heldOwner)).toEqual([ofHeld[0]!.id]);
  });
});

describe('a payment', () => {
  it('by ids is refused whole, and names what is on hold and why', async () => {
    const ownerId = await newOwner('Anil Jena');
    const [one, two] = await desk.make(2, { ownerId });
    const [third] = await desk.make(1);
    await holdChallan(third!.id, 'Accident');
    const before = await desk.snapshot();
    const single = await desk.pay([one!.id, third!.id]);
    expect([single.status, single.error.code]).toEqual([409, 'ON_HOLD']);
    expect(single.error.message).toBe(
      `${third!.number} (Accident) is on hold, so nothing was paid. Take it off hold, or leave it out.`,
    );
    expect(await desk.snapshot()).toBe(before);
    await holdOwner(ownerId, 'No papers');
    const both = await desk.pay([one!.id, two!.id, third!.id]);
    const [first, second, last] = [
      `${one!.number} (Anil Jena: No papers)`,
      `${two!.number} (Anil Jena: No papers)`,
      `${third!.number} (Accident)`,
    ].sort();
    expect(both.error.message).toBe(
      `${first}, ${second} and ${last} are on hold, so nothing was paid. Take them off hold, or leave them out.`,
    );
    await holdOwner(ownerId, '');
    await holdChallan(third!.id, '');
    expect((await desk.pay([one!.id, two!.id, third!.id])).body.data.updatedCount).toBe(3);
    await desk.assertMoney();
  });

  it('names the first of many that are on hold, in the order of their numbers', async () => {
    const made = await desk.make(8);
    for (const { id } of made) await holdChallan(id, 'Accident');
    const answer = await desk.pay(made.map(({ id }) => id).reverse());
    const named = made
      .map(({ number }) => `${number} (Accident)`)
      .sort()
      .slice(0, 3);
    expect(answer.error.message).toBe(
      `${named.join(', ')} and 5 more are on hold, so nothing was paid. Take them off hold, or leave them out.`,
    );
    for (const { id } of made) await holdChallan(id, '');
  });

  it('skips what it paid before the hold, and pays the rest', async () => {
    const ownerId = await newOwner('Held Later');
    const [paid] = await desk.make(1, { ownerId });
    const [other] = await desk.make(1);
    await desk.pay([paid!.id]);
    await holdOwner(ownerId, 'No papers');
    const answer = await desk.pay([paid!.id, other!.id]);
    expect(answer.body.data).toMatchObject({ updatedCount: 1, skippedCount: 1, challanIds: [other!.id] });
  });

  it('by the checkbox, by a change of many, and of a new challan is refused too', async () => {
    const ownerId = await newOwner('Held Toggle');
    const [made] = await desk.make(1, { ownerId });
    await holdOwner(ownerId, 'Court order');
    const toggle = await desk.api.call(
      challans.update,
      { params: { id: made!.id }, body: { paymentStatus: true } },
      as(),
    );
    expect([toggle.status, toggle.error.code]).toEqual([409, 'ON_HOLD']);
    const selection = { by: 'ids' as const, challanIds: [made!.id] };
    const many = await desk.api.call(
      challans.changeMany,
      { body: { selection, act: { kind: 'paid', value: true } } },
      as(),
    );
    expect(many.body.data).toMatchObject({
      changedCount: 0,
      payment: null,
      refused: [{ count: 1, reason: 'Held Toggle is on hold: Court order', challanNumbers: [made!.number] }],
    });
    expect((await challan(made!.id)).paymentStatus).toBe(false);
  });

  it('by a filter leaves them out, and the statement counts them apart', async () => {
    const ownerId = await newOwner('Half Held');
    const made = await desk.make(4, { ownerId });
    await holdChallan(made[1]!.id, 'Accident');
    const shown = await statement({ ownerId });
    expect(shown.summary).toMatchObject({ totalChallans: 4, heldCount: 1, heldAmount: made[1]!.net });
    expect(shown.owners[0]).toMatchObject({
      unpaidCount: 4,
      heldCount: 1,
      holdReason: '',
      oldestDeposit: '2026-04-12',
    });
    expect(shown.owners[0]!.challans.map(({ holdReason }) => holdReason)).toEqual(['', 'Accident', '', '']);
    const left = made.filter((one) => one !== made[1]);
    const paid = await desk.payMatching({
      filters: { ownerId },
      excludeChallanIds: [],
      expected: { count: 3, totalAmount: totalOf(left) },
    });
    expect(paid.body.data.challanIds?.toSorted()).toEqual(idsOf(left).toSorted());
    await desk.assertMoney();
  });
});

describe('a negative owner', () => {
  it('is left out and counted, unless it is asked for', async () => {
    const [good, bad] = [await newOwner('Good'), await newOwner('Bad')];
    const tagId = (await createTag(desk.api, desk.tenant)).id;
    const plus = await desk.make(2, { ownerId: good, tagId });
    const minus = [
      ...(await desk.make(1, { ownerId: bad, tagId })),
      ...(await desk.make(1, { ownerId: bad, tagId, advance: '90000' })),
    ];
    const filters = { tagId };
    expect((await statement(filters)).summary).toMatchObject({
      totalChallans: 4,
      negativeOwnerCount: 1,
      negativeChallanCount: 2,
      negativeAmount: totalOf(minus),
    });
    const review = await desk.api.call(
      bankStatement.review,
      { body: { filters, challanIds: idsOf([...plus, ...minus]) } },
      as(),
    );
    expect(review.body.data).toMatchObject({ count: 4, negativeChallanCount: 2, negativeAmount: totalOf(minus) });
    const paid = await desk.pay(idsOf([...plus, ...minus]));
    expect(paid.body.data).toMatchObject({
      updatedCount: 2,
      skippedCount: 0,
      negativeCount: 2,
      totalAmount: totalOf(plus),
    });
    // Its positive challan alone may be chosen.
    expect((await desk.pay([minus[0]!.id])).body.data).toMatchObject({ updatedCount: 1, negativeCount: 0 });
    const rest = { filters, excludeChallanIds: [] };
    expect((await desk.payMatching(rest)).error.code).toBe('NO_MATCHING_CHALLANS');
    const all = await desk.payMatching({ ...rest, paysNegative: true });
    expect(all.body.data).toMatchObject({ updatedCount: 1, totalAmount: minus[1]!.net });
    await desk.assertMoney();
  });
});

describe('the sum of an owner', () => {
  it('is of what is unpaid: what was paid before lifts nobody above zero', async () => {
    const ownerId = await newOwner('Paid Before');
    const paid = await desk.make(5, { ownerId });
    await desk.pay(idsOf(paid));
    const minus = await desk.make(1, { ownerId, advance: '2000' });
    const answer = await desk.pay(idsOf([...paid, ...minus]));
    expect(answer.body.data).toMatchObject({ batchId: null, updatedCount: 0, skippedCount: 5, negativeCount: 1 });
    expect(await desk.statusOf(minus)).toEqual([false]);
  });

  it('of nothing is paid: only below zero is left out', async () => {
    const ownerId = await newOwner('Comes To Nothing');
    const made = await desk.make(1, { ownerId });
    await desk.api.inTenant(desk.tenant, (db) =>
      db.query(
        `UPDATE challans SET advance_money = net_amount_payable, net_amount_payable = 0
         WHERE subadmin_id = $1 AND id = $2`,
        [db.tenantId, made[0]!.id],
      ),
    );
    const body = { challanIds: idsOf(made), carries: [{ ownerId, amount: '1.00' }] };
    const carried = await desk.api.call(bankStatement.markPaid, { body }, as());
    expect([carried.status, carried.error.code]).toEqual([409, 'SELECTION_CHANGED']);
    const answer = await desk.pay(idsOf(made));
    expect(answer.body.data).toMatchObject({ updatedCount: 1, totalAmount: '0.00', negativeCount: 0 });
    await desk.assertMoney();
  });
});

describe('races', () => {
  it('a hold that was answered is never paid afterwards, whichever came first', async () => {
    for (let round = 0; round < 6; round += 1) {
      const ownerId = await newOwner(`Race ${round}`);
      const made = await desk.make(30, { ownerId });
      const [held] = made;
      const [paying, first, second] = await Promise.all([
        round % 2 === 0 ? desk.pay(idsOf(made)) : desk.payMatching({ filters: { ownerId }, excludeChallanIds: [] }),
        holdOwner(ownerId, 'Race'),
        holdChallan(held!.id, 'Race'),
      ]);
      expect([200, 400, 409]).toContain(paying.status);
      expect(first.status).toBe(200);
      expect([200, 409]).toContain(second.status);
      const rows = await desk.api.inTenant(desk.tenant, async (db) => {
        const { rows: found } = await db.query<{ paid: number; late: number }>(
          `SELECT count(*) FILTER (WHERE c.payment_status)::int AS paid,
             count(*) FILTER (WHERE c.payment_status AND c.updated_at > o.updated_at)::int AS late
           FROM challans c JOIN owners o ON o.subadmin_id = c.subadmin_id AND o.id = c.owner_id
           WHERE c.subadmin_id = $1 AND c.owner_id = $2`,
          [db.tenantId, ownerId],
        );
        return found[0]!;
      });
      expect(rows.late).toBe(0);
      expect(rows.paid).toBe(paying.status === 200 ? paying.body.data.updatedCount : 0);
      await holdOwner(ownerId, '');
    }
    await desk.assertMoney();
  });
});

describe('over random histories', () => {
  it('every figure agrees, and nothing on hold is ever paid', async () => {
    const random = randomOf(testSeed('holds'));
    const ownerIds = [await newOwner('R1'), await newOwner('R2'), await newOwner('R3')];
    const tagIds = [(await createTag(desk.api, desk.tenant)).id, (await createTag(desk.api, desk.tenant)).id];
    let paidByFilter = 0;
    const rounds = 60;
    for (let n = 0; n <= rounds; n += 1) {
      const tagId = random.pick(tagIds);
      // Random acts may never have paid by filter, so the last round does, with a challan that nothing holds back.
      const isLast = n === rounds;
      if (isLast) await desk.make(1, { ownerId: await newOwner('Last'), tagId });
      const { owners: shown } = await statement({ tagId });
      const listed = shown.flatMap((one) => one.challans.map((item) => ({ ...item, owner: one })));
      const act = isLast ? 6 : random.below(8);
      if (act <= 1 || listed.length === 0) {
        await desk.make(1 + random.below(4), {
          ownerId: random.pick(ownerIds),
          tagId,
          advance: random.chance(0.25) ? '4000' : '0',
          depositedOn: random.pick(['2026-04-12', '2026-05-01', null]),
        });
        continue;
      }
      const one = random.pick(listed);
      if (act === 2) await holdChallan(one.challanId, one.holdReason === '' ? 'Random' : '');
      if (act === 3) {
        const { holdReason } = await owner(one.owner.id);
        await holdOwner(one.owner.id, holdReason === '' ? 'Random' : '');
      }
      if (act === 4) {
        const some = random.some(listed, 1 + random.below(5));
        const isHeld = some.some((item) => item.holdReason !== '' || item.owner.holdReason !== '');
        const paid = await desk.pay(some.map(({ challanId }) => challanId));
        expect(paid.status).toBe(isHeld ? 409 : 200);
      }
      if (act === 5) {
        const { body } = await desk.api.call(paymentBatches.list, { query: {} }, as());
        const { id } = random.pick(body.data);
        await desk.api.call(paymentBatches.reverse, { params: { id }, body: { reason: 'Random' } }, as());
      }
      if (act >= 6) {
        // What the statement says of a filter is what a payment of it pays, to the paisa; with days it is counted.
        const filters = {
          tagId,
          ...(!isLast && random.chance(0.4) ? { ownerId: one.owner.id } : {}),
          ...(!isLast && random.chance(0.4) ? { depositedStartDate: '2026-04-20' } : {}),
        };
        const { owners: of, summary } = await statement(filters);
        const free = of
          .filter(({ holdReason }) => holdReason === '')
          .map(({ challans: own }) => own.filter(({ holdReason }) => holdReason === ''));
        const sums = free.map((own) => sum(own.map(({ netAmountPayable }) => netAmountPayable)));
        const payable = free.filter((_, index) => !isNegative(sums[index]!)).flat();
        const count = summary.totalChallans - summary.heldCount - summary.negativeChallanCount;
        const amount = subtract(subtract(summary.totalUnpaidAmount, summary.heldAmount), summary.negativeAmount);
        expect(count).toBe(payable.length);
        expect(amount).toBe(sum(payable.map(({ netAmountPayable }) => netAmountPayable)));
        const review = await desk.api.call(bankStatement.review, { body: { filters } }, as());
        const { data } = review.body;
        expect(data.count - data.negativeChallanCount).toBe(count);
        expect(compare(subtract(data.totalAmount, data.negativeAmount), amount)).toBe(0);
        expect(data.heldMatchingCount).toBe(summary.heldCount);
        const paid = await desk.payMatching({
          filters,
          excludeChallanIds: [],
          expected: { count, totalAmount: amount },
        });
        expect(paid.status).toBe(count === 0 ? 400 : 200);
        if (count > 0) {
          paidByFilter += 1;
          expect(paid.body.data).toMatchObject({ updatedCount: count, totalAmount: amount });
        }
      }
      await desk.assertMoney();
    }
    expect(paidByFilter).toBeGreaterThan(0);
  });
});
