import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { add, subtract } from '../../../src/shared/calc/money.ts';
import { mostBulkChallans, type BulkPreview } from '../../../src/shared/contract/challans-bulk.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { createChallan, createOwner, createPump, createTag } from '../support/builders.ts';
import { expectRefusal, unknownId, withoutRequestId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { idsOf, insertChallans, totalOf } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';

/** One act on many challans (docs/specification.md §8.8). */
type Body = BodyInput<typeof contract.challans.changeMany>;
type Act = Body['act'];

let desk: PaymentDesk;
let otherTagId: string;
beforeAll(async () => {
  desk = await openPaymentDesk();
  otherTagId = (await createTag(desk.api, desk.tenant, { name: 'JSW Dolvi' })).id;
});
afterEach(() => desk.assertMoney());
afterAll(() => desk.api.close());

const as = (key?: string) => ({ token: desk.tenant.token, ...(key ? { key } : {}) });
const byIds = (challans: readonly { id: string }[]): Body['selection'] => ({ by: 'ids', challanIds: idsOf(challans) });
const preview = (selection: Body['selection'], act: Act) =>
  desk.api.call(contract.challans.previewMany, { body: { selection, act } }, as());
const change = (body: Body, key?: string) => desk.api.call(contract.challans.changeMany, { body }, as(key));
const get = async (id: string) => (await desk.api.call(contract.challans.get, { params: { id } }, as())).body.data;
const expectedOf = ({ count, totalAmount, fingerprint }: BulkPreview) => ({ count, totalAmount, fingerprint });

/** Previewed, then done as previewed. */
async function confirmed(selection: Body['selection'], act: Act) {
  const seen = await preview(selection, act);
  expect(seen.status, seen.text.slice(0, 300)).toBe(200);
  const answer = await change({ selection, act, expected: expectedOf(seen.body.data) });
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  const { changedCount, changedAmount, netChange, paidCount, sameCount, refused } = seen.body.data;
  expect(answer.body.data).toMatchObject({ changedCount, changedAmount, netChange, paidCount, sameCount, refused });
  return { seen: seen.body.data, done: answer.body.data };
}

describe('a field of many challans', () => {
  it('sets a tag: paid ones stay, those that carry it are counted, each of the others has its line of history', async () => {
    const [first, second, paid, same] = await desk.make(4);
    if (!first || !second || !paid || !same) throw new Error('Four were made');
    await desk.pay([paid.id]);
    await desk.api.call(contract.challans.update, { params: { id: same.id }, body: { tagId: otherTagId } }, as());
    const act: Act = { kind: 'set', values: { tagId: otherTagId } };
    const { seen, done } = await confirmed(byIds([first, second, paid, same]), act);
    expect(seen).toMatchObject({
      count: 4,
      totalAmount: totalOf([first, second, paid, same]),
      changedCount: 2,
      changedAmount: totalOf([first, second]),
      netChange: '0.00',
      paidCount: 1,
      sameCount: 1,
      refused: [],
      goneCount: 0,
      negativeOwners: [],
      deductedAmount: '0.00',
    });
    expect(done.payment).toBeNull();
    expect(done.batch?.number).toMatch(/^Change /);
    expect((await get(first.id)).tag?.name).toBe('JSW Dolvi');
    expect((await get(first.id)).version).toBe(2);
    expect((await get(paid.id)).tag?.id).toBe(desk.tagId);
    const [line, ...others] = await historyOf(desk.api, desk.tenant, second.id);
    expect(others).toEqual([]);
    expect(line).toMatchObject({ action: 'updated', changes: { tagId: [desk.tagId, otherTagId] } });
    expect((await historyOf(desk.api, desk.tenant, paid.id)).length).toBe(0);
  });

  it('sets rate and office charges with the figures that a change of the single challan has', async () => {
    const refs = { ownerId: desk.ownerId, tagId: desk.tagId };
    const over = { loadingWeight: '25.37', unloadingWeight: '24.91', discountWeight: '0.10', tdsPercentage: '1.7' };
    const twins = [];
    for (let n = 0; n < 3; n += 1) twins.push(await createChallan(desk.api, desk.tenant, refs, over));
    const [one, ...many] = twins;
    if (!one) throw new Error('Three were made');
    const values = { ratePerMT: '1234.57', officeCharges: '33.33' };
    const single = (await desk.api.call(contract.challans.update, { params: { id: one.id }, body: values }, as())).body
      .data;
    const { seen } = await confirmed(byIds(many), { kind: 'set', values });
    const difference = subtract(single.netAmountPayable, one.netAmountPayable);
    expect(seen.netChange).toBe(add(difference, difference));
    for (const { id } of many) {
      const { ratePerMT, officeCharges, tdsAmount, shortageAmount, netAmountPayable } = await get(id);
      expect({ ratePerMT, officeCharges, tdsAmount, shortageAmount, netAmountPayable }).toEqual({
        ratePerMT: single.ratePerMT,
        officeCharges: single.officeCharges,
        tdsAmount: single.tdsAmount,
        shortageAmount: single.shortageAmount,
        netAmountPayable: single.netAmountPayable,
      });
    }
  });

  it('names those that cannot be changed, by their reason, and changes the others', async () => {
    const refs = { ownerId: desk.ownerId, tagId: desk.tagId };
    const early = await createChallan(desk.api, desk.tenant, refs, { unloadingDate: '2026-04-11' });
    const late = await createChallan(desk.api, desk.tenant, refs, {
      loadingDate: '2026-04-19',
      unloadingDate: '2026-04-20',
      depositedAt: '2026-04-21',
    });
    const act: Act = { kind: 'set', values: { depositedAt: '2026-04-15', loadingPlace: 'Barbil' } };
    const { done } = await confirmed(byIds([early, late]), act);
    expect(done).toMatchObject({
      changedCount: 1,
      refused: [
        {
          reason: 'Deposited date cannot be before unloading date',
          count: 1,
          challanNumbers: [late.challanNumber],
        },
      ],
    });
    expect(await get(early.id)).toMatchObject({ loadingPlace: 'Barbil', depositedAt: '2026-04-14T18:30:00.000Z' });
    expect(await get(late.id)).toEqual(late);
  });

  it('changes nothing where a value is wrong, is not a field of many, or names what is not there', async () => {
    const challans = await desk.make(2);
    const before = await desk.snapshot();
    const stranger = await desk.api.addTenant();
    const foreign = await createTag(desk.api, stranger);
    const gone = await createTag(desk.api, desk.tenant);
    await desk.api.call(contract.tags.remove, { params: { id: gone.id } }, as());
    const selection = byIds(challans);
    const wrong: [unknown, string][] = [
      [{ kind: 'set', values: {} }, 'VALIDATION_ERROR'],
      [{ kind: 'set', values: { ratePerMT: '12,50' } }, 'VALIDATION_ERROR'],
      [{ kind: 'set', values: { ratePerMT: 1250 } }, 'VALIDATION_ERROR'],
      [{ kind: 'set', values: { loadingPlace: ' ' } }, 'VALIDATION_ERROR'],
      [{ kind: 'set', values: { loadingPlace: 'Joda', tpNo: '1' } }, 'UNKNOWN_FIELD'],
      [{ kind: 'pay' }, 'VALIDATION_ERROR'],
      [{ kind: 'set', values: { tagId: unknownId } }, 'INVALID_REFERENCE'],
      [{ kind: 'set', values: { tagId: foreign.id } }, 'INVALID_REFERENCE'],
      [{ kind: 'set', values: { tagId: gone.id } }, 'INVALID_REFERENCE'],
    ];
    for (const [act, code] of wrong) {
      for (const path of ['preview', 'change']) {
        const body = { selection, act };
        const answer = await desk.api.callRaw('POST', `/api/challans/selection/${path}`, { ...as(), body });
        expect(answer.error.code, JSON.stringify(act)).toBe(code);
      }
    }
    expect(await desk.snapshot()).toBe(before);
  });
});

describe('paid and unpaid', () => {
  it('pays them in one payment, and makes them unpaid again on the payments that had paid them', async () => {
    const [first, ...others] = await desk.make(4);
    if (!first) throw new Error('Four were made');
    await desk.pay([first.id]);
    const all = byIds([first, ...others]);
    const paying = await confirmed(all, { kind: 'paid', value: true });
    expect(paying.done).toMatchObject({ changedCount: 3, changedAmount: totalOf(others), paidCount: 1, batch: null });
    expect(paying.done.payment).toMatchObject({ totalAmount: totalOf(others) });
    expect(await desk.statusOf([first, ...others])).toEqual([true, true, true, true]);

    const unpaying = await confirmed(all, { kind: 'paid', value: false });
    expect(unpaying.done).toMatchObject({ changedCount: 4, paidCount: 0, sameCount: 0, netChange: '0.00' });
    expect(await desk.statusOf([first, ...others])).toEqual([false, false, false, false]);
    const batchId = paying.done.payment?.batchId ?? '';
    const { body } = await desk.api.call(contract.paymentBatches.get, { params: { id: batchId } }, as());
    expect(body.data.reversedAt ?? body.data).toBeTruthy();
  });

  it('names the owners whose sum is negative before it pays', async () => {
    const negative = await createOwner(desk.api, desk.tenant, { name: 'Owes Us' });
    const challans = await desk.make(2, { ownerId: negative.id, advance: '5000.00' });
    const { body } = await preview(byIds(challans), { kind: 'paid', value: true });
    expect(body.data).toMatchObject({
      negativeOwnerCount: 1,
      negativeOwners: [{ id: negative.id, name: 'Owes Us', challanCount: 2, amount: totalOf(challans) }],
    });
  });
});

describe('HSD verification and deletion', () => {
  it('verifies those with a petrol pump, paid ones too, and takes it back', async () => {
    const pump = await createPump(desk.api, desk.tenant);
    const refs = { ownerId: desk.ownerId, tagId: desk.tagId };
    const pumped = { petrolPumpId: pump.id, hsdPricePerLiter: '90.00', hsdInLiters: '10.00' };
    const [bare] = await desk.make(1);
    const unpaid = await createChallan(desk.api, desk.tenant, refs, pumped);
    const paid = await createChallan(desk.api, desk.tenant, refs, { ...pumped, paymentStatus: true });
    if (!bare) throw new Error('One was made');
    const all = byIds([bare, unpaid, paid]);
    const { done } = await confirmed(all, { kind: 'hsdVerified', value: true });
    expect(done).toMatchObject({
      changedCount: 2,
      paidCount: 0,
      refused: [
        {
          reason: 'This challan has no petrol pump. Choose one before verifying its HSD.',
          count: 1,
          challanNumbers: [bare.number],
        },
      ],
    });
    expect((await get(paid.id)).hsdVerifiedAt).not.toBeNull();
    await confirmed(all, { kind: 'hsdVerified', value: false });
    expect(await get(unpaid.id)).toMatchObject({ hsdVerified: false, hsdVerifiedAt: null, version: 3 });
  });

  it('deletes what is not paid', async () => {
    const [paid, ...others] = await desk.make(3);
    if (!paid) throw new Error('Three were made');
    await desk.pay([paid.id]);
    const { done } = await confirmed(byIds([paid, ...others]), { kind: 'delete' });
    expect(done).toMatchObject({ changedCount: 2, paidCount: 1, netChange: '0.00' });
    for (const { id } of others) {
      expectRefusal(await desk.api.call(contract.challans.get, { params: { id } }, as()), 404, 'NOT_FOUND');
      expect((await historyOf(desk.api, desk.tenant, id)).map(({ action }) => action)).toEqual(['deleted']);
    }
    expect((await get(paid.id)).paymentStatus).toBe(true);
  });

  it('that is taken back brings a challan back whose petrol pump was deleted since', async () => {
    const pump = await createPump(desk.api, desk.tenant);
    const [challan] = await desk.make(1);
    if (!challan) throw new Error('One was made');
    await desk.api.call(
      contract.challans.update,
      { params: { id: challan.id }, body: { petrolPumpId: pump.id, hsdPricePerLiter: '90.00', hsdInLiters: '1.00' } },
      as(),
    );
    const { done } = await confirmed(byIds([challan]), { kind: 'delete' });
    await desk.api.call(contract.petrolPumps.remove, { params: { id: pump.id } }, as());
    const undone = await desk.api.call(contract.batches.undo, { params: { id: done.batch?.id ?? '' } }, as());
    expect(undone.body.data).toMatchObject({ undone: 1, left: [] });
    expect((await get(challan.id)).petrolPump).toMatchObject({ id: pump.id });
  });
});

describe('the selection', () => {
  it('is everything that matches a filter, less the exclusions', async () => {
    const owner = await createOwner(desk.api, desk.tenant);
    const challans = await desk.make(5, { ownerId: owner.id });
    await desk.make(1, { ownerId: owner.id, tagId: null });
    const [excluded, ...wanted] = challans;
    const selection = {
      by: 'filter' as const,
      filters: { ownerId: owner.id, tagId: desk.tagId },
      excludeChallanIds: [excluded?.id ?? ''],
    };
    const { seen } = await confirmed(selection, { kind: 'set', values: { unloadingPlace: 'Dhamra' } });
    expect(seen).toMatchObject({ count: 4, totalAmount: totalOf(wanted), goneCount: 0 });
    expect((await get(excluded?.id ?? '')).unloadingPlace).toBe('Paradip Port');
    expect((await get(wanted[0]?.id ?? '')).unloadingPlace).toBe('Dhamra');
  });

  it('understands the search by TP number, alone and with a filter that the search does not know', async () => {
    const owner = await createOwner(desk.api, desk.tenant);
    const [challan] = await desk.make(1, { ownerId: owner.id });
    const { tpNo } = await get(challan?.id ?? '');
    for (const filters of [{ tpNo }, { tpNo, ownerId: owner.id, paymentStatus: false }]) {
      const { body } = await preview({ by: 'filter', filters }, { kind: 'delete' });
      expect(body.data).toMatchObject({ count: 1, totalAmount: challan?.net });
    }
  });

  it('says how many chosen challans are gone; without any left it is refused', async () => {
    const [there, deleted] = await desk.make(2);
    if (!there || !deleted) throw new Error('Two were made');
    await desk.api.call(contract.challans.remove, { params: { id: deleted.id } }, as());
    const { seen } = await confirmed(byIds([there, deleted]), { kind: 'set', values: { loadingPlace: 'Bonai' } });
    expect(seen).toMatchObject({ count: 1, goneCount: 1 });
    expectRefusal(await change({ selection: byIds([deleted]), act: { kind: 'delete' } }), 404, 'NOT_FOUND');
    const nothing = { by: 'filter' as const, filters: { depositedStartDate: '2030-01-01' } };
    expectRefusal(
      await change({ selection: nothing, act: { kind: 'delete' } }),
      400,
      'NO_MATCHING_CHALLANS',
      'No challans found matching current filters',
    );
  });

  it("answers another business's challan like one that does not exist, and leaves it alone", async () => {
    const [own] = await desk.make(1);
    const stranger = await desk.api.addTenant();
    const theirs = { ownerId: (await createOwner(desk.api, stranger)).id };
    const [foreign] = await desk.api.inTenant(stranger, (db) => insertChallans(db, theirs, 1));
    if (!own || !foreign) throw new Error('Both were made');
    const act: Act = { kind: 'set', values: { loadingPlace: 'Koira' } };
    const [withForeign, withUnknown] = await Promise.all([
      preview(byIds([own, foreign]), act),
      preview(byIds([own, { id: unknownId }]), act),
    ]);
    expect(withForeign.text).toBe(withUnknown.text);
    const [alone, nobodys] = [
      await change({ selection: byIds([foreign]), act }),
      await change({ selection: byIds([{ id: unknownId }]), act }),
    ];
    expect(withoutRequestId(alone)).toEqual(withoutRequestId(nobodys));
    await confirmed(byIds([own, foreign]), act);
    const { body } = await desk.api.call(
      contract.challans.get,
      { params: { id: foreign.id } },
      { token: stranger.token },
    );
    expect(body.data).toMatchObject({ loadingPlace: 'Joda', version: 1 });
  });

  it('that has changed since the preview is refused with the figures of now, and nothing is changed', async () => {
    const challans = await desk.make(3);
    const selection = byIds(challans);
    const act: Act = { kind: 'set', values: { ratePerMT: '2000.00' } };
    const { body: seen } = await preview(selection, act);
    await desk.api.call(
      contract.challans.update,
      { params: { id: challans[0]?.id ?? '' }, body: { remarks: 'Seen' } },
      as(),
    );
    const before = await desk.snapshot();
    const answer = await change({ selection, act, expected: expectedOf(seen.data) });
    expectRefusal(answer, 409, 'SELECTION_CHANGED');
    const { body: now } = await preview(selection, act);
    expect(answer.error.data).toEqual(now.data);
    expect(await desk.snapshot()).toBe(before);
    expect((await change({ selection, act, expected: expectedOf(now.data) })).status).toBe(200);
  });

  it(`of more than ${mostBulkChallans} challans is refused as a whole`, async () => {
    const owner = await createOwner(desk.api, desk.tenant);
    await desk.make(mostBulkChallans + 1, { ownerId: owner.id });
    const selection = { by: 'filter' as const, filters: { ownerId: owner.id } };
    const message =
      'More than 20,000 challans are selected, but at most 20,000 can be changed at once; narrow the filter.';
    for (const path of ['preview', 'change']) {
      const body = { selection, act: { kind: 'delete' } };
      const answer = await desk.api.callRaw('POST', `/api/challans/selection/${path}`, { ...as(), body });
      expectRefusal(answer, 400, 'VALIDATION_ERROR', message);
    }
  });
});

describe('taken back', () => {
  const undo = (id: string) => desk.api.call(contract.batches.undo, { params: { id } }, as());
  const acts: [string, Act][] = [
    ['a tag', { kind: 'set', values: { tagId: 'other' } }],
    ['a rate', { kind: 'set', values: { ratePerMT: '1717.17', officeCharges: '9.90' } }],
    ['a deposited date and a place', { kind: 'set', values: { depositedAt: '2026-04-30', unloadingPlace: 'Haldia' } }],
    ['a deletion', { kind: 'delete' }],
    ['an HSD verification', { kind: 'hsdVerified', value: true }],
  ];
  it.each(acts)('%s: every challan is as it was, and what was changed since is left and named', async (_, given) => {
    const pump = await createPump(desk.api, desk.tenant);
    const refs = { ownerId: desk.ownerId, tagId: desk.tagId };
    const over = { petrolPumpId: pump.id, hsdPricePerLiter: '90.00', hsdInLiters: '10.00' };
    const challans = [];
    for (let n = 0; n < 3; n += 1) challans.push(await createChallan(desk.api, desk.tenant, refs, over));
    const act: Act =
      given.kind === 'set' && given.values.tagId ? { kind: 'set', values: { tagId: otherTagId } } : given;
    const { done } = await confirmed(byIds(challans), act);
    const [touched, ...others] = challans;
    if (!touched) throw new Error('Three were made');
    if (act.kind !== 'delete') {
      await desk.api.call(contract.challans.update, { params: { id: touched.id }, body: { remarks: 'Seen' } }, as());
    }
    const { body } = await undo(done.batch?.id ?? '');
    const reason = 'It was changed since.';
    const left = act.kind === 'delete' ? [] : [expect.objectContaining({ name: touched.challanNumber, reason })];
    expect(body.data).toMatchObject({ undone: 3 - left.length, left });
    for (const challan of act.kind === 'delete' ? challans : others) {
      const { updatedAt: _at, version: _version, ...was } = challan;
      expect(await get(challan.id)).toMatchObject(was);
      expect((await historyOf(desk.api, desk.tenant, challan.id)).length).toBe(3);
    }
  });

  it('what was made unpaid is paid again, in one payment', async () => {
    const challans = await desk.make(3);
    for (const { id } of challans) await desk.pay([id]);
    const { done } = await confirmed(byIds(challans), { kind: 'paid', value: false });
    expect(await desk.statusOf(challans)).toEqual([false, false, false]);
    const { body } = await undo(done.batch?.id ?? '');
    expect(body.data).toMatchObject({ undone: 3, left: [] });
    expect(await desk.statusOf(challans)).toEqual([true, true, true]);
    const payments = await desk.api.call(contract.paymentBatches.list, {}, as());
    expect(payments.body.data[0]).toMatchObject({ updatedCount: 3, totalAmount: totalOf(challans) });
  });

  it('what was made unpaid and whose owner is on hold since is left unpaid, and named with the reason', async () => {
    const owner = await createOwner(desk.api, desk.tenant, { name: 'Held Since' });
    const [held] = await desk.make(1, { ownerId: owner.id });
    const free = await desk.make(2);
    const all = [held!, ...free];
    await desk.pay(idsOf(all));
    const { done } = await confirmed(byIds(all), { kind: 'paid', value: false });
    const hold = (reason: string) =>
      desk.api.call(contract.owners.setHold, { params: { id: owner.id }, body: { reason } }, as());
    await hold('No papers');
    const { body } = await undo(done.batch?.id ?? '');
    expect(body.data).toMatchObject({
      undone: 2,
      left: [{ record: 'challan', name: held!.number, reason: 'Held Since is on hold: No papers' }],
    });
    expect(await desk.statusOf(all)).toEqual([false, true, true]);
    await hold('');
    await desk.assertMoney();
  });
});

describe('the same call again, and two at once', () => {
  it('answers a repeated call with its first answer, and does nothing twice', async () => {
    const challans = await desk.make(2);
    const body: Body = { selection: byIds(challans), act: { kind: 'set', values: { loadingPlace: 'Nayagarh' } } };
    const key = randomUUID();
    const first = await change(body, key);
    const again = await change(body, key);
    expect(again.text).toBe(first.text);
    expect((await get(challans[0]?.id ?? '')).version).toBe(2);
    expectRefusal(await change({ ...body, act: { kind: 'delete' } }, key), 422, 'IDEMPOTENCY_MISMATCH');
  });

  it('beside a payment of the same challans: what is paid has its net of then, and the other is refused or leaves it', async () => {
    for (let round = 0; round < 6; round += 1) {
      const challans = await desk.make(40);
      const selection = byIds(challans);
      const act: Act = { kind: 'set', values: { ratePerMT: `${1500 + round}.50` } };
      const { body: seen } = await preview(selection, act);
      const [changing, paying] = await Promise.all([
        change({ selection, act, expected: expectedOf(seen.data) }),
        desk.pay(idsOf(challans)),
      ]);
      expect(paying.status).toBe(200);
      expect([200, 409]).toContain(changing.status);
      const { ratePerMT } = await get(challans[0]?.id ?? '');
      expect(ratePerMT).toBe(changing.status === 200 ? `${1500 + round}.50` : ratePerMT);
      expect(await desk.statusOf(challans)).toEqual(Array(40).fill(true));
      await desk.assertMoney();
    }
  });
});
