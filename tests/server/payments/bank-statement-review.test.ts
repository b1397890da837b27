import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { subtract, sum } from '../../../src/shared/calc/money.ts';
import { createOwner } from '../support/builders.ts';
import { idsOf, insertChallans, totalOf, type TestChallan } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';

let desk: PaymentDesk;
const made: Record<'april' | 'may' | 'untagged' | 'negative' | 'paid' | 'deleted' | 'foreign', TestChallan[]> = {
  april: [],
  may: [],
  untagged: [],
  negative: [],
  paid: [],
  deleted: [],
  foreign: [],
};
let negativeOwnerId: string;

const review = async (body: BodyInput<typeof contract.bankStatement.review>) => {
  const answer = await desk.api.call(contract.bankStatement.review, { body }, { token: desk.tenant.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};

beforeAll(async () => {
  desk = await openPaymentDesk();
  const { api, tenant, make } = desk;
  negativeOwnerId = (await createOwner(api, tenant, { name: 'Negative Carriers' })).id;
  made.april = await make(3, { depositedOn: '2026-04-30' });
  made.may = await make(2, { depositedOn: '2026-05-01', ownerId: desk.otherOwnerId });
  made.untagged = await make(2, { tagId: null, depositedOn: null });
  made.negative = await make(2, { ownerId: negativeOwnerId, advance: '90000' });
  made.paid = await make(2);
  made.deleted = await make(1);
  await desk.pay(idsOf(made.paid));
  await api.inTenant(tenant, (db) =>
    db.query('UPDATE challans SET deleted_at = now() WHERE subadmin_id = $1 AND id = $2', [
      db.tenantId,
      made.deleted[0]?.id,
    ]),
  );
  const other = await api.addTenant();
  const foreignOwner = await createOwner(api, other);
  made.foreign = await api.inTenant(other, (db) => insertChallans(db, { ownerId: foreignOwner.id }, 2));
});
afterAll(() => desk.api.close());

describe('what a selection covers now', () => {
  it('chosen challans: count, owners, sum and each of them as it is', async () => {
    const chosen = [...made.april, ...made.may];
    const data = await review({ filters: {}, challanIds: idsOf(chosen) });
    expect(data).toMatchObject({
      count: 5,
      totalAmount: totalOf(chosen),
      ownerCount: 2,
      negativeOwnerCount: 0,
      negativeOwners: [],
      paidCount: 0,
      goneCount: 0,
    });
    expect(new Map(data.challans.map((one) => [one.challanId, one.netAmountPayable]))).toEqual(
      new Map(chosen.map(({ id, net }) => [id, net])),
    );
    expect(new Set(data.challans.map(({ ownerId }) => ownerId))).toEqual(new Set([desk.ownerId, desk.otherOwnerId]));
  });

  it('tells paid ones from those that are deleted, unknown, of another business or no longer under the filter', async () => {
    const data = await review({
      filters: { tagId: desk.tagId },
      challanIds: [
        ...idsOf(made.april),
        ...idsOf(made.paid),
        ...idsOf(made.deleted),
        ...idsOf(made.foreign),
        ...idsOf(made.untagged),
        randomUUID(),
      ],
    });
    expect(data).toMatchObject({ count: 3, totalAmount: totalOf(made.april), paidCount: 2, goneCount: 6 });
    expect(data.challans.map(({ challanId }) => challanId)).toEqual(idsOf(made.april));
    expect(data.paid.map(({ challanId }) => challanId)).toEqual(idsOf(made.paid));
  });

  it('an id given twice counts once', async () => {
    const [one] = idsOf(made.april);
    const data = await review({ filters: {}, challanIds: [one ?? '', (one ?? '').toUpperCase()] });
    expect(data).toMatchObject({ count: 1, paidCount: 0, goneCount: 0 });
  });

  const filters = [
    ['no filter', () => ({}), () => [...made.april, ...made.may, ...made.untagged, ...made.negative]],
    ['an owner', () => ({ ownerId: desk.ownerId }), () => [...made.april, ...made.untagged]],
    ['an owner name', () => ({ ownerName: 'bijay' }), () => [...made.april, ...made.untagged]],
    ['a tag', () => ({ tagId: desk.tagId }), () => [...made.april, ...made.may, ...made.negative]],
    ['no tag', () => ({ tagId: 'none' }), () => made.untagged],
    [
      'days',
      () => ({ depositedStartDate: '2026-04-30', depositedEndDate: '2026-05-31' }),
      () => [...made.april, ...made.may],
    ],
  ] as const;
  it.each(filters)('everything of %s less the exclusions, folded and not', async (_, filter, matching) => {
    for (const fold of [false, true]) {
      if (fold) await desk.api.inTenant(desk.tenant, (db) => db.query('SELECT fold_challan_totals()'));
      const [left, ...kept] = matching();
      const all = await review({ filters: filter() });
      expect(all).toMatchObject({ count: matching().length, totalAmount: totalOf(matching()), challans: [] });
      const some = await review({ filters: filter(), excludeChallanIds: [left?.id ?? '', ...idsOf(made.paid)] });
      expect(some).toMatchObject({ count: kept.length, totalAmount: totalOf(kept), paidCount: 2, goneCount: 0 });
      expect(some.challans).toEqual([
        { challanId: left?.id, ownerId: expect.any(String) as string, netAmountPayable: left?.net },
      ]);
    }
  });

  it('names owners whose part of the selection is below zero', async () => {
    const expected = [
      {
        id: negativeOwnerId,
        name: 'Negative Carriers',
        challanCount: 2,
        amount: totalOf(made.negative),
        owes: subtract('0', totalOf(made.negative)),
        carriedAmount: '0.00',
      },
    ];
    const chosen = await review({ filters: {}, challanIds: idsOf([...made.april, ...made.negative]) });
    expect([chosen.negativeOwnerCount, chosen.negativeOwners]).toEqual([1, expected]);
    const all = await review({ filters: {} });
    expect(all.negativeOwners).toEqual(expected);
    const without = await review({ filters: {}, excludeChallanIds: idsOf(made.negative) });
    expect([without.negativeOwnerCount, without.ownerCount]).toEqual([0, 2]);
  });

  it('what matches and is not selected is not paid, with its amount, nor is an owner below zero unless that is chosen', async () => {
    const filters = { tagId: desk.tagId };
    const asked = { filters, challanIds: idsOf([...made.april, ...made.negative]) };
    const [rest, debt] = [totalOf(made.may), totalOf(made.negative)];
    const nothing = { leftOutCount: 0, leftOutOwnerCount: 0, deductedAmount: '0.00', carriedAmount: '0.00' };
    const leftOut = await review(asked);
    const april = { count: 3, amount: totalOf(made.april), ownerCount: 1 };
    expect(leftOut.payment).toEqual({ ...nothing, ...april, leftOutCount: 2, leftOutOwnerCount: 1 });
    expect(leftOut.notPaid).toEqual({ count: 4, amount: sum([rest, debt]) });
    const owes = subtract('0', debt);
    const carried = await review({ ...asked, carries: [{ ownerId: negativeOwnerId, amount: owes }] });
    expect(carried.payment).toEqual({ ...nothing, ...april, count: 5, ownerCount: 2, carriedAmount: owes });
    const paid = await review({ ...asked, paysNegative: true });
    expect(paid.payment).toEqual({ ...nothing, count: 5, amount: sum([totalOf(made.april), debt]), ownerCount: 2 });
    for (const { notPaid } of [carried, paid]) expect(notPaid).toEqual({ count: 2, amount: rest });
  });

  it('an owner above zero as a whole is named when only its negative challan is chosen', async () => {
    const { make, otherOwnerId } = desk;
    const [debt] = await make(1, { ownerId: otherOwnerId, advance: '1500', depositedOn: '2026-06-01' });
    const data = await review({ filters: {}, challanIds: [debt?.id ?? ''] });
    expect(data.negativeOwners).toEqual([
      {
        id: otherOwnerId,
        name: 'abani Sahu',
        challanCount: 1,
        amount: debt?.net,
        owes: subtract('0', debt?.net ?? '0'),
        carriedAmount: '0.00',
      },
    ]);
    expect((await review({ filters: { ownerId: otherOwnerId } })).negativeOwnerCount).toBe(0);
  });

  it('names the twenty lowest of many', async () => {
    const { api } = desk;
    const tenant = await api.addTenant();
    const nets: string[] = [];
    for (let at = 0; at < 22; at += 1) {
      const { id } = await createOwner(api, tenant, { name: `Debtor ${at}` });
      const [one] = await api.inTenant(tenant, (db) =>
        insertChallans(db, { ownerId: id }, 1, { advance: `${90_000 + at * 1000}` }),
      );
      nets.push(one?.net ?? '');
    }
    const answer = await api.call(contract.bankStatement.review, { body: { filters: {} } }, { token: tenant.token });
    const { negativeOwnerCount, negativeOwners } = answer.body.data;
    expect(negativeOwnerCount).toBe(22);
    expect(negativeOwners.map(({ amount }) => amount)).toEqual(nets.slice(2).toReversed());
    const statement = await api.call(contract.bankStatement.list, {}, { token: tenant.token });
    expect(statement.body.data.summary).toMatchObject({ negativeOwnerCount, negativeOwners });
    expect(sum(nets)).toBe(answer.body.data.totalAmount);
  });

  it('refuses an empty choice and an id that is none, and writes nothing', async () => {
    const before = await desk.snapshot();
    const ask = (body: unknown) =>
      desk.api.callRaw('POST', '/api/challans/bank-report/selection', { token: desk.tenant.token, body });
    const empty = await ask({ filters: {}, challanIds: [] });
    expect([empty.status, empty.error.fields]).toEqual([
      400,
      { challanIds: 'Please select at least one challan to mark as paid' },
    ]);
    expect((await ask({ filters: {}, challanIds: ['x'] })).status).toBe(400);
    expect((await ask({ challanIds: idsOf(made.april) })).status).toBe(400);
    await review({ filters: {} });
    expect(await desk.snapshot()).toBe(before);
  });
});
