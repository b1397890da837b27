import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { add } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { createOwner } from '../support/builders.ts';
import { analyze, idsOf, insertChallans, totalOf } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk();
});
afterEach(() => desk.assertMoney());
afterAll(() => desk.api.close());

describe('PUT bulk-payment-status', () => {
  it('pays what the filter matches, less the exclusions, and nothing else', async () => {
    const wanted = await desk.make(4, { depositedOn: '2026-06-10' });
    const otherDay = await desk.make(2, { depositedOn: '2026-06-11' });
    const otherOwner = await desk.make(2, { depositedOn: '2026-06-10', ownerId: desk.otherOwnerId });
    const filters = { ownerId: desk.ownerId, depositedStartDate: '2026-06-10', depositedEndDate: '2026-06-10' };
    const [excluded, ...paid] = wanted;
    const answer = await desk.payMatching({
      filters,
      // Exclusions that match nothing have no effect.
      excludeChallanIds: [excluded?.id ?? '', randomUUID(), otherDay[0]?.id ?? ''],
      expected: { count: 3, totalAmount: totalOf(paid) },
    });
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(answer.body.data).toMatchObject({
      updatedCount: 3,
      skippedCount: 0,
      totalAmount: totalOf(paid),
      challanIds: idsOf(paid),
      appliedFilters: filters,
    });
    expect(await desk.statusOf([...(excluded ? [excluded] : []), ...otherDay, ...otherOwner])).toEqual(
      Array(5).fill(false),
    );
    await desk.payMatching({ filters: {} });
  });

  it('leaves out a single exclusion, and what was deleted', async () => {
    const [excluded, deleted, paid] = await desk.make(3, { depositedOn: '2026-06-12' });
    await desk.api.call(contract.challans.remove, { params: { id: deleted!.id } }, { token: desk.tenant.token });
    const filters = { depositedStartDate: '2026-06-12', depositedEndDate: '2026-06-12' };
    const answer = await desk.payMatching({ filters, excludeChallanIds: [excluded!.id] });
    expect(answer.body.data).toMatchObject({ updatedCount: 1, challanIds: [paid!.id] });
    expect(await desk.statusOf([excluded!, deleted!])).toEqual([false, false]);
    await desk.payMatching({ filters });
  });

  it('understands the same filters as the statement: name, tag, no tag', async () => {
    const tagged = await desk.make(2, { ownerId: desk.otherOwnerId });
    const untagged = await desk.make(1, { ownerId: desk.otherOwnerId, tagId: null });
    const byTag = await desk.payMatching({ filters: { ownerName: 'ABANI', tagId: desk.tagId } });
    expect(byTag.body.data.challanIds).toEqual(idsOf(tagged));
    const byNone = await desk.payMatching({ filters: { ownerName: 'ni_', tagId: 'none' } });
    expect(byNone.error.code).toBe('NO_MATCHING_CHALLANS');
    const without = await desk.payMatching({ filters: { ownerName: 'ani s', tagId: 'none' } });
    expect(without.body.data.challanIds).toEqual(idsOf(untagged));
    expect(without.body.data.appliedFilters).toEqual({ ownerName: 'ani s', tagId: 'none' });
  });

  it('refuses a selection that is not what the person saw, with the present one, and changes nothing', async () => {
    const challans = await desk.make(3, { depositedOn: '2026-07-01' });
    const filters = { depositedStartDate: '2026-07-01' };
    const before = await desk.snapshot();
    const total = totalOf(challans);
    for (const expected of [
      { count: 2, totalAmount: total },
      { count: 3, totalAmount: add(total, '0.01') },
    ]) {
      const answer = await desk.payMatching({ filters, expected });
      expect(answer.status).toBe(409);
      expect(answer.error.code).toBe('SELECTION_CHANGED');
      expect(answer.error.message).toBe(
        'The matching challans have changed meanwhile. Review the new count and amount, then pay again.',
      );
      expect(answer.error.data).toEqual({ count: 3, totalAmount: total });
    }
    expect(await desk.snapshot()).toBe(before);
    expect((await desk.payMatching({ filters, expected: { count: 3, totalAmount: total } })).status).toBe(200);
    const gone = await desk.payMatching({ filters, expected: { count: 3, totalAmount: total } });
    expect(gone.error).toMatchObject({ code: 'SELECTION_CHANGED', data: { count: 0, totalAmount: '0.00' } });
  });

  it('says so when challans match, but all of their owners are below zero', async () => {
    const owner = await createOwner(desk.api, desk.tenant, { name: 'Owes Us' });
    await desk.make(2, { ownerId: owner.id, advance: '90000' });
    const expected = { count: 0, totalAmount: '0.00' };
    for (const body of [{ filters: { ownerId: owner.id } }, { filters: { ownerId: owner.id }, expected }]) {
      const answer = await desk.payMatching(body);
      expect([answer.status, answer.error.code]).toEqual([400, 'NO_MATCHING_CHALLANS']);
      expect(answer.error.message).toBe('Nothing to pay: all 2 unpaid challans that match are of 1 owner below zero');
    }
  });

  it('says so when nothing matches', async () => {
    const before = await desk.snapshot();
    const answer = await desk.payMatching({ filters: { depositedStartDate: '2030-01-01' } });
    expect(answer.status).toBe(400);
    expect(answer.error.code).toBe('NO_MATCHING_CHALLANS');
    expect(answer.error.message).toBe('No unpaid challans found matching current filters');
    expect(await desk.snapshot()).toBe(before);
  });

  it('leaves challanIds and csv out above 5,000 and names the file instead', async () => {
    const challans = await desk.make(5_001, { depositedOn: '2026-08-01' });
    await analyze(desk.api);
    const answer = await desk.payMatching({
      filters: { depositedStartDate: '2026-08-01', depositedEndDate: '2026-08-01' },
    });
    const { data } = answer.body;
    expect(data.updatedCount).toBe(5_001);
    expect(data.totalAmount).toBe(totalOf(challans));
    expect(data.challanIds).toBeUndefined();
    expect(data.csv).toBeUndefined();
    expect(data.csvUrl).toBe(`/api/payment-batches/${data.batchId ?? ''}/csv`);
    const file = await desk.api.callRaw('GET', data.csvUrl ?? '', { token: desk.tenant.token });
    expect(file.status).toBe(200);
    expect(file.text.split('\r\n')).toHaveLength(5_001 + 4);
  });

  it('never takes a missing filter for "all", nor anything but true for the status', async () => {
    await desk.make(1);
    const before = await desk.snapshot();
    const bodies: [unknown, string][] = [
      [{ paymentStatus: true }, 'VALIDATION_ERROR'],
      [{ filters: null, paymentStatus: true }, 'VALIDATION_ERROR'],
      [{ filters: {} }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: false }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: 'true' }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: 1 }, 'VALIDATION_ERROR'],
      [{ filters: { tagId: '' }, paymentStatus: true }, 'VALIDATION_ERROR'],
      [{ filters: { depositedStartDate: '2026-02-30' }, paymentStatus: true }, 'VALIDATION_ERROR'],
      [
        { filters: { depositedStartDate: '2026-02-03', depositedEndDate: '2026-02-02' }, paymentStatus: true },
        'VALIDATION_ERROR',
      ],
      [{ filters: { paymentStatus: false }, paymentStatus: true }, 'UNKNOWN_FIELD'],
      [{ filters: {}, paymentStatus: true, excludeChallanIds: 'x' }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: true, expected: { count: 1 } }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: true, expected: { count: 1, totalAmount: 1 } }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: true, challanIds: [] }, 'UNKNOWN_FIELD'],
    ];
    for (const [body, code] of bodies) {
      const answer = await desk.api.callRaw('PUT', '/api/challans/bank-report/bulk-payment-status', {
        token: desk.tenant.token,
        body,
      });
      expect([answer.status, answer.error.code], JSON.stringify(body)).toEqual([400, code]);
    }
    expect(await desk.snapshot()).toBe(before);
  });

  it("never reaches another business's challans", async () => {
    const other = await desk.api.addTenant();
    const theirs = await createOwner(desk.api, other, { name: 'Abani Sahu' });
    await desk.api.inTenant(other, (db) => insertChallans(db, { ownerId: theirs.id }, 2));
    await desk.payMatching({ filters: {} });
    const before = await desk.snapshot();
    for (const filters of [{}, { ownerId: theirs.id }, { ownerName: 'abani' }]) {
      expect((await desk.payMatching({ filters })).error.code).toBe('NO_MATCHING_CHALLANS');
    }
    expect(await desk.snapshot()).toBe(before);
    const unpaid = await desk.api.inTenant(other, (db) =>
      db.query<{ n: number }>('SELECT count(*)::int AS n FROM challans WHERE NOT payment_status'),
    );
    expect(unpaid.rows[0]?.n).toBe(2);
  });
});
