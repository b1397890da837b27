import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkBooks } from '../../../src/server/features/system/books.service.ts';
import { add, subtract, sum } from '../../../src/shared/calc/money.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Seat } from '../../../src/shared/contract/seats.ts';
import { startApi, type Answer, type Api, type Tenant } from '../support/api.ts';
import {
  buildChallan,
  buildImport,
  buildPastChallan,
  createChallan,
  createOwner,
  createTag,
} from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { assertLedger, assertTotals, idsOf, insertChallans, totalOf, type TestChallan } from '../support/ledger.ts';
import { addPerson, seatPerson, type TestPerson } from '../support/people.ts';
import { testSeed } from '../../calc/seed.ts';
import { randomOf } from '../support/random.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** What one person prepares and another releases (docs/specification.md §28.6). */
const { preparedPayments, bankStatement, challans, paymentBatches, people } = contract;
let api: Api;
let business: Tenant;
let ownerId: string;
let tagId: string;
let second: TestPerson;
let ravi: TestPerson;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  business = await api.addTenant('Release banner');
  ownerId = (await createOwner(api, business, { name: 'Bijay Mohanta' })).id;
  tagId = (await createTag(api, business)).id;
  second = await seatPerson(api, business, 'owner');
  ravi = await seatPerson(api, business, 'accountant');
});
afterEach(() =>
  api.inTenant(business, async (db) => {
    await assertTotals(db);
    await assertLedger(db);
    const checked = await checkBooks(db);
    expect(checked.filter(({ differences }) => differences > 0)).toEqual([]);
  }),
);

type Rule = BodyInput<typeof preparedPayments.setRule>;
const rule = (over: Partial<Rule> = {}): Rule => ({
  aboveOne: '5000',
  aboveDay: null,
  accountantUpTo: '9000',
  ...over,
});
const setRule = (over: Partial<Rule> = {}, token = business.token) =>
  api.call(preparedPayments.setRule, { body: rule(over) }, { token });
const make = (count: number, over: { advance?: string; ownerId?: string } = {}): Promise<TestChallan[]> =>
  api.inTenant(business, (db) => insertChallans(db, { ownerId: over.ownerId ?? ownerId, tagId }, count, over));
const pay = (made: readonly TestChallan[], token = business.token, over: object = {}) =>
  api.call(bankStatement.markPaid, { body: { challanIds: idsOf(made), ...over } }, { token });
const prepare = (made: readonly TestChallan[], token = business.token) =>
  api.call(preparedPayments.prepare, { body: { pay: { challanIds: idsOf(made) } } }, { token });
const release = (id: string, token: string, leaveOut?: BodyInput<typeof preparedPayments.release>['leaveOut']) =>
  api.call(preparedPayments.release, { params: { id }, body: leaveOut ? { leaveOut } : {} }, { token });
const ownersOf = async (id: string) =>
  (await api.call(preparedPayments.owners, { params: { id } }, { token: business.token })).body.data;
async function prepared(made: readonly TestChallan[], token = business.token): Promise<string> {
  const answer = await prepare(made, token);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
}
async function unpaidOf(made: readonly TestChallan[]): Promise<number> {
  const { rows } = await api.inTenant(business, (db) =>
    db.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM challans WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) AND NOT payment_status',
      [db.tenantId, idsOf(made)],
    ),
  );
  return rows[0]!.count;
}
const expectUnpaid = async (made: readonly TestChallan[]): Promise<void> =>
  expect(await unpaidOf(made)).toBe(made.length);

describe('without a rule', () => {
  it('pays as ever, says no reason, and a business of one has nobody who releases', async () => {
    const made = await make(10);
    const review = { filters: {}, challanIds: idsOf(made) };
    const asked = await api.call(bankStatement.review, { body: review }, { token: business.token });
    expect(asked.body.data.needsRelease).toBeNull();
    expect((await pay(made, ravi.token)).status).toBe(200);
    const alone = await api.addTenant();
    expect((await api.call(preparedPayments.getRule, {}, { token: alone.token })).body.data).toEqual({
      aboveOne: null,
      aboveDay: null,
      accountantUpTo: null,
      next: null,
      releasers: 1,
      version: 0,
    });
    expectRefusal(
      await api.call(preparedPayments.setRule, { body: rule() }, { token: alone.token }),
      403,
      'FORBIDDEN',
      'At least two people must be able to release: add another owner, or let accountants release up to an amount.',
    );
  });
});

describe('what is unusual about a prepared payment', () => {
  const unusualOf = async (id: string): Promise<string[]> => {
    const { data } = (await api.call(preparedPayments.list, { query: { limit: 100 } }, { token: business.token })).body;
    return data.find((one) => one.id === id)!.unusual;
  };

  it('is an owner who was never paid, a changed account, a large sum, and a TP No that is used twice', async () => {
    const first = await prepared(await make(2), ravi.token);
    expect(await unusualOf(first)).toEqual(['1 owner never paid before']);
    expect((await release(first, business.token)).status).toBe(200);
    // What is done with is not looked at any more.
    expect(await unusualOf(first)).toEqual([]);
    const again = await make(1);
    expect(await unusualOf(await prepared(again, ravi.token))).toEqual([]);

    const account = { params: { id: ownerId }, body: { accountNo: '999900001111' } };
    expect((await api.call(contract.owners.update, account, { token: ravi.token })).status).toBe(200);
    const twin = await make(1);
    const tp = (await api.call(challans.get, { params: { id: again[0]!.id } }, { token: business.token })).body.data
      .tpNo;
    const same = { params: { id: twin[0]!.id }, body: { tpNo: tp.toLowerCase() } };
    expect((await api.call(challans.update, same, { token: business.token })).status).toBe(200);
    const all = await prepared([...again, ...twin, ...(await make(1))], ravi.token);
    expect(await unusualOf(all)).toEqual([
      'Account changed in the last 14 days, or not confirmed: Bijay Mohanta',
      expect.stringMatching(/^More than the largest payment of the last twelve weeks, ₹[\d,.]+$/),
      '2 challans with a TP No that another challan has too',
    ]);
  });
});

describe('a prepared payment', () => {
  it('is paid by another person exactly as it was reviewed', async () => {
    await setRule();
    const made = await make(6);
    const review = { filters: {}, challanIds: idsOf(made) };
    const asked = await api.call(bankStatement.review, { body: review }, { token: ravi.token });
    expect(asked.body.data.needsRelease).toBe(
      'A payment above ₹5,000.00 is released by a second person. Prepare it for release in the bank statement.',
    );
    expectRefusal(await pay(made, ravi.token), 403, 'FORBIDDEN', asked.body.data.needsRelease ?? '');
    const answer = await prepare(made, ravi.token);
    expect(answer.body.data).toMatchObject({
      isReversal: false,
      challanCount: 6,
      ownerCount: 1,
      amount: totalOf(made),
      preparedBy: ravi.name,
      state: 'prepared',
      payment: null,
      isOwn: true,
      cannotRelease: 'You prepared this yourself. Somebody else releases it.',
    });
    expect(answer.body.data.number).toMatch(/^PRP-\d{4}-000001$/);
    await expectUnpaid(made);
    const done = await release(answer.body.data.id, business.token);
    expect(done.body.data).toMatchObject({ state: 'released', decidedBy: business.email, isOwn: false });
    expect(await unpaidOf(made)).toBe(0);
    const { data } = (
      await api.call(paymentBatches.get, { params: { id: done.body.data.payment!.id } }, { token: business.token })
    ).body;
    expect(data).toMatchObject({ totalAmount: totalOf(made), updatedCount: 6, createdBy: business.email });
    // What was released does not count as paid directly.
    expect((await pay(await make(1), business.token)).status).toBe(200);
  });

  it('is sent back with a reason, withdrawn by its author, and expires', async () => {
    const { sendBack, withdraw, list } = preparedPayments;
    const [a, b, c] = [await prepared(await make(2)), await prepared(await make(2)), await prepared(await make(2))];
    const back = (id: string, token: string) =>
      api.call(sendBack, { params: { id }, body: { reason: 'Which owner?' } }, { token });
    const out = (id: string, token: string) => api.call(withdraw, { params: { id } }, { token });
    expectRefusal(await back(a, business.token), 403, 'FORBIDDEN', 'You prepared this yourself. Withdraw it instead.');
    const notOwn = 'Only who prepared this may withdraw it. Send it back instead.';
    expectRefusal(await out(a, second.token), 403, 'FORBIDDEN', notOwn);
    expect((await back(a, second.token)).body.data).toMatchObject({ state: 'sent-back', reason: 'Which owner?' });
    expect((await out(b, business.token)).body.data.state).toBe('withdrawn');
    await asSchemaOwner(api, (client) =>
      client.query('UPDATE prepared_payments SET expires_at = now() WHERE id = $1', [c]),
    );
    for (const [id, word] of [
      [a, 'was sent back'],
      [b, 'was withdrawn'],
      [c, 'has expired'],
    ] as const) {
      const answer = await release(id, second.token);
      expectRefusal(answer, 409, 'ALREADY_DECIDED');
      expect(answer.error.message).toContain(`${word}.`);
    }
    const shown = async (show: 'open' | 'done') =>
      (await api.call(list, { query: { show } }, { token: second.token })).body.data.map(({ state }) => state);
    expect(await shown('open')).toEqual([]);
    expect(await shown('done')).toEqual(['expired', 'withdrawn', 'sent-back']);
  });

  it('is refused when something else would be paid, and shows both', async () => {
    const made = await make(3);
    const id = await prepared(made);
    await pay(made.slice(0, 1));
    const answer = await release(id, second.token);
    expectRefusal(answer, 409, 'SELECTION_CHANGED');
    expect(answer.error.message).toMatch(
      /^PRP-\d{4}-000001 was prepared for 3 challans of 1 owner, ₹[\d,.]+; now it would be 2 challans of 1 owner, ₹[\d,.]+, because of Bijay Mohanta\. Nothing was done\. Send it back\.$/,
    );
    expect(answer.error.data).toEqual({ count: 2, totalAmount: totalOf(made.slice(1)) });
    await expectUnpaid(made.slice(1));
  });

  it('is refused when the account of an owner has changed since', async () => {
    const made = await make(2);
    const id = await prepared(made);
    const change = { params: { id: ownerId }, body: { accountNo: '999900001111' } };
    expect((await api.call(contract.owners.update, change, { token: business.token })).status).toBe(200);
    expectRefusal(await release(id, second.token), 403, 'FORBIDDEN');
    const confirmed = { params: { id: ownerId }, body: { lastFour: '1111', called: '9876543210' } };
    expect((await api.call(preparedPayments.confirmAccount, confirmed, { token: ravi.token })).status).toBe(200);
    const answer = await release(id, second.token);
    expectRefusal(answer, 409, 'SELECTION_CHANGED');
    expect(answer.error.message).toMatch(
      /^Challans or accounts have changed since PRP-\d{4}-000001 was prepared, so nothing was done: Bijay Mohanta\. Send it back\.$/,
    );
    await expectUnpaid(made);
  });

  it('takes a payment back as well, and pays a filter or a selection of the list', async () => {
    const made = await make(7);
    const batchId = (await pay(made)).body.data.batchId!;
    await setRule();
    const reason = 'The bank sent it back';
    const reverse = { params: { id: batchId }, body: { reason } };
    expectRefusal(
      await api.call(paymentBatches.reverse, reverse, { token: ravi.token }),
      403,
      'FORBIDDEN',
      'Taking back more than ₹5,000.00 is released by a second person. Undo the whole payment, which can be prepared for release.',
    );
    const through = async (body: BodyInput<typeof preparedPayments.prepare>): Promise<void> => {
      const answer = await api.call(preparedPayments.prepare, { body }, { token: ravi.token });
      expect(answer.body.data.amount, answer.text).toBe(totalOf(made));
      const done = await release(answer.body.data.id, second.token);
      expect(done.status, done.text).toBe(200);
    };
    await through({ reverse: { id: batchId, reason } });
    await expectUnpaid(made);
    await through({ payMatching: { filters: {}, paymentStatus: true } });
    const again = (await api.call(paymentBatches.list, {}, { token: business.token })).body.data[0]!;
    await through({ reverse: { id: again.id, reason } });
    const selection = { by: 'ids' as const, challanIds: idsOf(made) };
    await through({ change: { selection, act: { kind: 'paid', value: true } } });
    expect(await unpaidOf(made)).toBe(0);
  });

  it('asks for the rule when a payment is taken back, and for no changed account', async () => {
    const batchId = (await pay(await make(1))).body.data.batchId!;
    const query = vi.spyOn(Client.prototype, 'query');
    const body = { reason: 'Wrong' };
    const done = await api.call(paymentBatches.reverse, { params: { id: batchId }, body }, { token: business.token });
    const sent = query.mock.calls.map(([asked]) => JSON.stringify(asked));
    query.mockRestore();
    expect(done.status, done.text).toBe(200);
    expect(sent.filter((text) => text.includes('release_rules'))).toHaveLength(1);
    expect(sent.filter((text) => text.includes('account_changes'))).toEqual([]);
  });

  describe('of which a part is released', () => {
    const reason = 'Account not confirmed on the phone';
    let all: TestChallan[];
    let ofOther: TestChallan[];
    let otherId: string;
    beforeEach(async () => {
      otherId = (await createOwner(api, business, { name: 'Sanjay Naik' })).id;
      await setRule();
      ofOther = await make(2, { ownerId: otherId });
      all = [...(await make(3)), ...ofOther];
    });
    const acts: Record<string, () => BodyInput<typeof preparedPayments.prepare>> = {
      'chosen challans': () => ({ pay: { challanIds: idsOf(all) } }),
      'a filter, with what it was expected to be': () => ({
        payMatching: { filters: {}, paymentStatus: true, expected: { count: 5, totalAmount: totalOf(all) } },
      }),
      'a selection of the list': () => ({
        change: { selection: { by: 'ids', challanIds: idsOf(all) }, act: { kind: 'paid', value: true } },
      }),
      'a filter of the list': () => ({
        change: { selection: { by: 'filter', filters: {} }, act: { kind: 'paid', value: true } },
      }),
    };

    it.each(Object.keys(acts))(
      '%s: an owner that waits for its account goes back, the others are paid',
      async (name) => {
        const answer = await api.call(preparedPayments.prepare, { body: acts[name]!() }, { token: ravi.token });
        const { id } = answer.body.data;
        const change = { params: { id: otherId }, body: { accountNo: '999900001111' } };
        expect((await api.call(contract.owners.update, change, { token: ravi.token })).status).toBe(200);
        expectRefusal(await release(id, business.token), 403, 'FORBIDDEN');
        await expectUnpaid(all);
        const neverPaid = 'Never paid before';
        expect(await ownersOf(id)).toMatchObject([
          { ownerId, name: 'Bijay Mohanta', challanCount: 3, amount: totalOf(all.slice(0, 3)), unusual: [neverPaid] },
          {
            ownerId: otherId,
            amount: totalOf(ofOther),
            unusual: ['Account changed in the last 14 days, or not confirmed', neverPaid],
          },
        ]);
        const done = await release(id, business.token, { ownerIds: [otherId], reason });
        expect(done.status, done.text).toBe(200);
        expect(done.body.data).toMatchObject({
          state: 'released',
          reason,
          leftOut: { ownerCount: 1, amount: totalOf(ofOther) },
          ownerCount: 2,
        });
        await expectUnpaid(ofOther);
        expect(await unpaidOf(all)).toBe(2);
        const paid = await api.call(
          paymentBatches.get,
          { params: { id: done.body.data.payment!.id } },
          { token: business.token },
        );
        expect(paid.body.data).toMatchObject({ updatedCount: 3, totalAmount: totalOf(all.slice(0, 3)) });
        expect(await ownersOf(id)).toMatchObject([{ isLeftOut: false, unusual: [] }, { isLeftOut: true }]);
        // What went back can be prepared again.
        await prepared(ofOther, ravi.token);
      },
    );

    it.each(Object.keys(acts))('%s: pays what was reviewed, and not what came since', async (name) => {
      const { id } = (await api.call(preparedPayments.prepare, { body: acts[name]!() }, { token: ravi.token })).body
        .data;
      const came = [...(await make(1)), ...(await make(1, { ownerId: (await createOwner(api, business)).id }))];
      const remarks = { params: { id: all[0]!.id }, body: { remarks: 'Looked at' } };
      expect((await api.call(challans.update, remarks, { token: business.token })).status).toBe(200);
      const done = await release(id, business.token);
      expect(done.status, done.text).toBe(200);
      expect(done.body.data).toMatchObject({ state: 'released', leftOut: null, amount: totalOf(all) });
      expect(await unpaidOf(all)).toBe(0);
      await expectUnpaid(came);
    });

    it('names the owners that have changed, and the others are paid without them', async () => {
      const id = await prepared(all, ravi.token);
      await api.call(
        challans.update,
        { params: { id: ofOther[0]!.id }, body: { advanceMoney: '1' } },
        { token: business.token },
      );
      const answer = await release(id, business.token);
      expectRefusal(answer, 409, 'SELECTION_CHANGED');
      expect(answer.error.message).toMatch(
        /because of Sanjay Naik\. Nothing was done\. Leave them out, or send it back\.$/,
      );
      await expectUnpaid(all);
      // A challan that is gone is of no matter where its owner is left out.
      await api.call(challans.remove, { params: { id: ofOther[1]!.id } }, { token: business.token });
      expect((await release(id, business.token, { ownerIds: [otherId], reason })).status).toBe(200);
      expect(await unpaidOf(all.slice(0, 3))).toBe(0);
    });

    it('refuses to leave out everybody, somebody who is not in it, or a part of an undo', async () => {
      const id = await prepared(all, ravi.token);
      const other = (await createOwner(api, business)).id;
      expectRefusal(await release(id, business.token, { ownerIds: [other], reason }), 404, 'NOT_FOUND');
      const nothing = await release(id, business.token, { ownerIds: [ownerId, otherId], reason });
      expectRefusal(nothing, 400, 'VALIDATION_ERROR');
      expect(nothing.error.fields).toEqual({
        'leaveOut.ownerIds': 'Nothing is left to release. Send it back instead.',
      });
      const without = await release(id, business.token, { ownerIds: [otherId], reason: '' });
      expect(without.error.fields).toEqual({ 'leaveOut.reason': 'Please enter a reason' });
      await expectUnpaid(all);

      expect((await release(id, business.token)).status).toBe(200);
      const batch = (await api.call(paymentBatches.list, {}, { token: business.token })).body.data[0]!;
      const body = { reverse: { id: batch.id, reason } };
      const undo = (await api.call(preparedPayments.prepare, { body }, { token: ravi.token })).body.data.id;
      const part = await release(undo, business.token, { ownerIds: [otherId], reason });
      expectRefusal(part, 400, 'VALIDATION_ERROR');
      expect(part.error.fields).toEqual({ leaveOut: 'An undo is released whole. Release it, or send it back.' });
      expect(await unpaidOf(all)).toBe(0);
    });

    it('lets an accountant release no part of what is above the own limit', async () => {
      await setRule({ accountantUpTo: '4000' });
      const id = await prepared(all, second.token);
      expectRefusal(await release(id, ravi.token), 403, 'FORBIDDEN');
      const counts = [business, second, ravi].map(
        async ({ token }) => (await api.call(contract.waiting.get, {}, { token })).body.data.releases,
      );
      expect(await Promise.all(counts)).toEqual([1, 0, 0]);
      expectRefusal(await release(id, ravi.token, { ownerIds: [ownerId], reason }), 403, 'FORBIDDEN');
      await expectUnpaid(all);
    });
  });

  it('needs somebody else who may release that much', async () => {
    await asSchemaOwner(api, (client) =>
      client.query('UPDATE accounts SET is_active = false WHERE id = $1', [second.id]),
    );
    await setRule();
    const answer = await prepare(await make(10));
    expectRefusal(answer, 403, 'FORBIDDEN');
    expect(answer.error.message).toMatch(/^Nobody else of the business may release ₹/);
  });
});

/** Ways to pay above the limit alone, or to release one's own. Each is refused, and nothing of it is paid. */
interface Way {
  what: string;
  rule?: Partial<Rule>;
  count?: number;
  try: (made: TestChallan[]) => Promise<Answer<unknown> | Answer<unknown>[]>;
}
const as = (token: string) => ({ token });
const dayRule = { aboveOne: null, aboveDay: '5000' };
const payBox = (id: string, token = business.token) =>
  api.call(challans.update, { params: { id }, body: { paymentStatus: true } }, as(token));
const linkOf = (id: string, token = business.token) => api.call(people.newLink, { params: { id } }, as(token));
const account = (set: string, id: string) =>
  asSchemaOwner(api, (client) => client.query(`UPDATE accounts SET ${set} WHERE id = $1`, [id]));
/** One of a value above the limit. */
const bigRate = { ratePerMT: '9000' };
const seat = (to: Seat, id: string) =>
  api.call(people.update, { params: { id }, body: { seat: to } }, as(business.token));

const ways: Way[] = [
  { what: 'chosen challans of the statement', try: (made) => pay(made) },
  { what: 'by an accountant', try: (made) => pay(made, ravi.token) },
  {
    what: 'everything of a filter',
    try: () =>
      api.call(bankStatement.markMatchingPaid, { body: { filters: {}, paymentStatus: true } }, as(business.token)),
  },
  {
    what: 'a selection of the list',
    try: (made) =>
      api.call(
        challans.changeMany,
        { body: { selection: { by: 'ids', challanIds: idsOf(made) }, act: { kind: 'paid', value: true } } },
        as(business.token),
      ),
  },
  {
    what: 'an owner below zero among them, which lowers the sum',
    try: async (made) => {
      const other = (await createOwner(api, business)).id;
      return pay([...made, ...(await make(1, { ownerId: other, advance: '9000' }))], business.token, {
        paysNegative: true,
      });
    },
  },
  {
    what: 'an owner below zero that is carried',
    try: async (made) => {
      const other = (await createOwner(api, business)).id;
      const [minus] = await make(1, { ownerId: other, advance: '9000' });
      const carries = [{ ownerId: other, amount: minus!.net.replace('-', '') }];
      return pay([...made, minus!], business.token, { carries });
    },
  },
  {
    what: 'the checkbox of one challan',
    count: 0,
    try: async () => {
      const made = await createChallan(api, business, { ownerId, tagId }, bigRate);
      return payBox(made.id);
    },
  },
  {
    what: 'Payment Done in the form of a new challan',
    count: 0,
    try: () =>
      api.call(
        challans.create,
        { body: buildChallan({ ownerId, tagId }, { ...bigRate, paymentStatus: true }) },
        as(business.token),
      ),
  },
  {
    what: 'Payment Done in the form together with another change',
    count: 0,
    try: async () => {
      const made = await createChallan(api, business, { ownerId, tagId }, bigRate);
      const body = { paymentStatus: true, remarks: 'Paid' };
      return api.call(challans.update, { params: { id: made.id }, body }, as(business.token));
    },
  },
  {
    what: 'a larger net of a challan that is paid',
    count: 1,
    try: async (made) => {
      await pay(made);
      const params = { id: made[0]!.id };
      const answer = await api.call(challans.update, { params, body: { ratePerMT: '900000' } }, as(business.token));
      await api.call(challans.update, { params, body: { paymentStatus: false } }, as(business.token));
      return answer;
    },
  },
  {
    what: 'rows of the entry sheet',
    count: 0,
    try: () =>
      api.call(
        challans.createMany,
        {
          body: {
            mode: 'all',
            rows: [{ key: '1', ...buildChallan({ ownerId, tagId }, { ...bigRate, paymentStatus: true }) }],
          },
        },
        as(business.token),
      ),
  },
  {
    what: 'an import of what was paid',
    count: 0,
    try: async () => {
      await createTag(api, business, { name: 'Joda' });
      const past = buildPastChallan(1, { ownerName: 'Bijay Mohanta', paidOn: '20/04/2024' });
      const table = buildImport('challans', [past]);
      const { fingerprint } = (await api.call(contract.imports.check, { body: table }, as(business.token))).body.data;
      const body = { ...table, choices: [], expected: { fingerprint } };
      return api.call(contract.imports.apply, { body }, as(business.token));
    },
  },
  {
    what: 'the undo of unmarking many',
    rule: { aboveOne: null },
    try: async (made) => {
      await pay(made);
      const selection = { by: 'ids' as const, challanIds: idsOf(made) };
      const body = { selection, act: { kind: 'paid' as const, value: false } };
      const batch = (await api.call(challans.changeMany, { body }, as(business.token))).body.data.batch!;
      await setRule();
      return api.call(contract.batches.undo, { params: { id: batch.id } }, as(business.token));
    },
  },
  {
    what: 'one payment a day in two halves',
    rule: dayRule,
    try: async (made) => {
      const half = await make(4);
      expect((await pay(half)).status).toBe(200);
      return pay(made.slice(0, 2));
    },
  },
  {
    what: 'checkbox after checkbox',
    rule: dayRule,
    try: async (made) => {
      const few = await make(4);
      for (const { id } of few) expect((await payBox(id)).status).toBe(200);
      return payBox(made[0]!.id);
    },
  },
  {
    what: 'a second account, made today, for the other half of the day',
    rule: dayRule,
    try: async (made) => {
      expect((await pay(await make(4))).status).toBe(200);
      const own = await addPerson(api, business, 'owner');
      return pay(made.slice(0, 2), own.token);
    },
  },
  { what: 'the release of one’s own', try: async (made) => release(await prepared(made), business.token) },
  {
    what: 'the release of one’s own in a second tab',
    try: async (made) => {
      const id = await prepared(made, second.token);
      return release(id, (await signIn(second)).token);
    },
  },
  {
    what: 'a second account that was made since',
    try: async (made) => {
      const id = await prepared(made);
      return release(id, (await addPerson(api, business, 'owner')).token);
    },
  },
  {
    what: 'a second account that prepares',
    try: async (made) => release(await prepared(made, (await addPerson(api, business, 'owner')).token), business.token),
  },
  {
    what: 'an account that the second account made',
    try: async (made) => {
      const id = await prepared(made);
      const own = await addPerson(api, business, 'owner');
      return release(id, (await addPerson(api, own, 'owner')).token);
    },
  },
  {
    what: 'somebody else’s account, with a link that one made',
    try: async (made) => {
      const id = await prepared(made);
      const { linkToken } = (await linkOf(second.id)).body;
      const body = { token: linkToken, name: 'Not Me', password: 'bullock cart 78' };
      return release(id, (await api.call(people.join, { body })).body.token);
    },
  },
  {
    what: 'a seat that was changed since: from accountant to owner',
    try: async (made) => {
      const id = await prepared(made, ravi.token);
      await seat('owner', ravi.id);
      return release(id, (await signIn(ravi)).token);
    },
  },
  {
    what: 'an accountant above the amount',
    count: 12,
    try: async (made) => release(await prepared(made), ravi.token),
  },
  {
    what: 'an accountant where only owners release',
    rule: { accountantUpTo: null },
    try: async (made) => release(await prepared(made), ravi.token),
  },
  {
    what: 'a clerk',
    try: async (made) => release(await prepared(made), (await addPerson(api, business, 'clerk')).token),
  },
  {
    what: 'an auditor',
    try: async (made) => release(await prepared(made), (await addPerson(api, business, 'auditor')).token),
  },
  {
    what: 'an owner who looks as an accountant',
    try: async (made) => {
      const id = await prepared(made);
      await api.call(people.viewAs, { body: { seat: 'accountant' } }, as(second.token));
      return release(id, second.token);
    },
  },
  {
    what: 'somebody who was switched off meanwhile',
    try: async (made) => {
      const id = await prepared(made);
      await account('is_active = false', second.id);
      return release(id, second.token);
    },
  },
  {
    what: 'a rule that an owner loosens alone',
    try: async (made) => {
      expect((await setRule({ aboveOne: null })).body.data.next).toMatchObject({ at: null, isOwn: true });
      const confirm = { body: { version: 2 } };
      const own = await api.call(preparedPayments.confirmRule, confirm, as(business.token));
      return [own, await pay(made)];
    },
  },
  {
    what: 'a rule that one’s second account confirms',
    try: async (made) => {
      await setRule({ aboveOne: null });
      const own = await addPerson(api, business, 'owner');
      const answer = await api.call(preparedPayments.confirmRule, { body: { version: 2 } }, as(own.token));
      return [answer, await pay(made)];
    },
  },
  {
    what: 'a rule that waits for its day',
    try: async (made) => {
      await account('is_active = false', second.id);
      expect((await setRule({ aboveOne: null })).body.data.next!.at).not.toBeNull();
      return pay(made);
    },
  },
  {
    what: 'a rule that came while it was prepared: stricter for the accountant',
    try: async (made) => {
      const id = await prepared(made);
      await setRule({ accountantUpTo: '10' });
      return release(id, ravi.token);
    },
  },
];

const signIn = async ({ email }: { email: string }) =>
  (await api.call(contract.session.loginSubadmin, { body: { email, password: business.password } })).body;

describe('nobody pays above the limit alone, or releases the own', () => {
  it('in at least 25 ways', () => expect(ways.length).toBeGreaterThanOrEqual(25));

  it.each(ways)('$what', async ({ rule: over, count = 6, try: attempt }) => {
    await setRule(over);
    const made = count === 0 ? [] : await make(count);
    for (const { status, text } of [await attempt(made)].flat()) expect([401, 403], text).toContain(status);
    await expectUnpaid(made);
    const { rows } = await api.inTenant(business, (db) =>
      db.query<{ largest: string | null }>(
        `SELECT max(total_amount) AS largest FROM payment_batches b
         WHERE b.subadmin_id = $1 AND EXISTS (SELECT FROM payment_lines l WHERE l.subadmin_id = $1 AND l.batch_id = b.id
           AND NOT EXISTS (SELECT FROM payment_lines r WHERE r.subadmin_id = $1 AND r.batch_id = b.id
             AND r.challan_id = l.challan_id AND r.kind = 'reverse'))`,
        [db.tenantId],
      ),
    );
    expect(Number(rows[0]?.largest ?? 0)).toBeLessThanOrEqual(5000);
  });
});

describe('what is said', () => {
  it('of the sum of a day, and of two people who count as one', async () => {
    await setRule(dayRule);
    expectRefusal(
      await pay(await make(6)),
      403,
      'FORBIDDEN',
      'With this you would pay more than ₹5,000.00 today, which a second person releases. Prepare it for release in the bank statement.',
    );
    const id = await prepared(await make(1));
    expectRefusal(
      await release(id, (await addPerson(api, business, 'owner')).token),
      403,
      'FORBIDDEN',
      'One of you gave the other a link within the last 24 hours. Somebody else releases it, or you do after that.',
    );
  });
});

describe('at once', () => {
  it('pays once when two release', async () => {
    await setRule();
    const made = await make(6);
    const id = await prepared(made, ravi.token);
    const statuses = (await Promise.all([release(id, business.token), release(id, second.token)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 409]);
    expect(await unpaidOf(made)).toBe(0);
  });

  it('either pays or withdraws', async () => {
    const made = await make(3);
    for (let round = 0; round < 4; round += 1) {
      const id = await prepared(made, ravi.token);
      const [a, b] = await Promise.all([
        release(id, business.token),
        api.call(preparedPayments.withdraw, { params: { id } }, as(ravi.token)),
      ]);
      expect([a.status, b.status].toSorted()).toEqual([200, 409]);
      expect(await unpaidOf(made)).toBe(a.status === 200 ? 0 : made.length);
      if (a.status === 200) break;
    }
  });

  it('does not pay a day’s limit twice', async () => {
    await setRule(dayRule);
    const parts = await Promise.all(Array.from({ length: 6 }, () => make(2)));
    const answers = await Promise.all(parts.map((part) => pay(part, ravi.token)));
    const paid = sum(answers.flatMap(({ status, body }) => (status === 200 ? [body.data.totalAmount] : [])));
    expect(Number(paid)).toBeLessThanOrEqual(5000);
    expect(Number(paid)).toBeGreaterThan(0);
  });

  it('releases or does not, while the seat changes and the rule does', async () => {
    await setRule();
    const made = await make(6);
    const id = await prepared(made);
    const [answer] = await Promise.all([
      release(id, ravi.token),
      seat('clerk', ravi.id),
      setRule({ accountantUpTo: '1' }),
    ]);
    expect([200, 401, 403]).toContain(answer.status);
    expect(await unpaidOf(made)).toBe(answer.status === 200 ? 0 : made.length);
  });
});

describe('the rule', () => {
  it('counts at once when it is stricter, and a looser one when another owner confirms it', async () => {
    await setRule();
    // 0 is the version of a rule that was never saved.
    expectRefusal(await setRule({ version: 0 }), 409, 'VERSION_CONFLICT');
    expect((await setRule({ aboveOne: '4000', version: 1 })).body.data).toMatchObject({
      aboveOne: '4000.00',
      next: null,
    });
    const asked = (await setRule({ aboveOne: '8000' })).body.data;
    expect(asked).toMatchObject({ aboveOne: '4000.00', next: { aboveOne: '8000.00', by: business.email, at: null } });
    const seen = (await api.call(preparedPayments.getRule, {}, as(ravi.token))).body.data;
    expect(seen.next).toMatchObject({ aboveOne: '8000.00', isOwn: false });
    expectRefusal(
      await api.call(preparedPayments.confirmRule, { body: { version: asked.version - 1 } }, as(second.token)),
      409,
      'VERSION_CONFLICT',
    );
    const confirmed = await api.call(
      preparedPayments.confirmRule,
      { body: { version: asked.version } },
      as(second.token),
    );
    expect(confirmed.body.data).toMatchObject({ aboveOne: '8000.00', next: null });
    const noted = (await api.call(contract.history.listProfile, {}, as(business.token))).body.data.map(
      ({ actor, action }) => `${actor}: ${action}`,
    );
    expect(noted.slice(0, 2)).toEqual([
      `${second.name}: Confirmed the rule of release: above ₹8,000.00 in one payment, accountants release up to ₹9,000.00`,
      `${business.email}: Asked for a looser rule of release: above ₹8,000.00 in one payment, accountants release up to ₹9,000.00`,
    ]);
  });

  it('is looser after a day where there is one owner, and is given up by a stricter one', async () => {
    await account('is_active = false', second.id);
    await setRule();
    expect((await setRule({ aboveOne: null })).body.data.next!.at).not.toBeNull();
    expect((await setRule()).body.data.next).toBeNull();
    await setRule({ aboveOne: null });
    await asSchemaOwner(api, (client) =>
      client.query('UPDATE release_rules SET next_at = now() WHERE subadmin_id = $1', [business.id]),
    );
    expect((await api.call(preparedPayments.getRule, {}, as(ravi.token))).body.data).toMatchObject({
      aboveOne: null,
      next: null,
    });
    expect((await pay(await make(6))).status).toBe(200);
  });

  it('is changed by owners alone', async () => {
    for (const { token } of [ravi, await addPerson(api, business, 'clerk')])
      expectRefusal(await setRule({}, token), 403, 'FORBIDDEN');
  });
});

describe('in a random history', () => {
  it('ledger, totals and what is paid agree', { timeout: 120_000 }, async () => {
    const random = randomOf(testSeed('prepared-payments'));
    await setRule({ aboveOne: '2500', aboveDay: null });
    const otherId = (await createOwner(api, business, { name: 'Sanjay Naik' })).id;
    const pool = [...(await make(16)), ...(await make(8, { ownerId: otherId }))];
    const tokens = [business.token, second.token, ravi.token];
    const { pick, chance, below } = random;
    const open = new Map<string, { by: string; amount: string }>();
    const paid = { released: '0', direct: '0', back: '0' };
    for (let step = 0; step < 60; step += 1) {
      const token = pick(tokens);
      const some = pool.filter(() => chance(0.2));
      const act = below(100) / 100;
      if (act < 0.4 && some.length > 0) {
        const answer = await prepare(some, token);
        if (answer.status === 201) open.set(answer.body.data.id, { by: token, amount: answer.body.data.amount });
      } else if (act < 0.75 && open.size > 0) {
        const [id, { by, amount }] = pick([...open]);
        const leaveOut = chance(0.4) ? { ownerIds: [otherId], reason: 'Later' } : undefined;
        const answer = await release(id, token, leaveOut);
        // Of an act that does not pay the other owner it is not found.
        if (by === token) expect(leaveOut ? [403, 404, 400] : [403]).toContain(answer.status);
        if (answer.status === 200) {
          const { leftOut } = answer.body.data;
          expect(leftOut === null).toBe(leaveOut === undefined);
          paid.released = add(paid.released, subtract(amount, leftOut?.amount ?? '0'));
          open.delete(id);
        }
      } else if (act < 0.85 && some.length > 0) {
        const answer = await pay(some, token);
        if (answer.status === 200) paid.direct = add(paid.direct, answer.body.data.totalAmount);
      } else {
        const { data } = (await api.call(paymentBatches.list, {}, as(business.token))).body;
        const live = data.filter(({ paidCount }) => paidCount > 0);
        if (live.length === 0) continue;
        const id = pick(live).id;
        const answer = await api.call(paymentBatches.reverse, { params: { id }, body: { reason: 'Wrong' } }, as(token));
        if (answer.status === 200) paid.back = add(paid.back, answer.body.data.reversedAmount);
      }
    }
    const { rows } = await api.inTenant(business, (db) =>
      db.query<{ live: string; released: string }>(
        `SELECT (SELECT coalesce(sum(net_amount_payable), 0) FROM challans WHERE subadmin_id = $1 AND payment_status) AS live,
           (SELECT coalesce(sum(w.amount), 0) FROM prepared_payments p
              JOIN prepared_payment_owners w ON w.subadmin_id = $1 AND w.prepared_id = p.id
            WHERE p.subadmin_id = $1 AND p.state = 'released' AND NOT w.is_left_out) AS released`,
        [db.tenantId],
      ),
    );
    expect(Number(rows[0]!.released)).toBeCloseTo(Number(paid.released), 2);
    expect(Number(rows[0]!.live)).toBeCloseTo(Number(paid.released) + Number(paid.direct) - Number(paid.back), 2);
  });
});
