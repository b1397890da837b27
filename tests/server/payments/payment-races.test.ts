import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createTag } from '../support/builders.ts';
import { assertLedger, assertTotals, idsOf, insertChallans } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

const random = randomOf(testSeed('payment races'));

let api: Api;
let tenant: Tenant;
let tagIds: string[];
let ownerIds: string[];

const as = () => ({ token: tenant.token });
const withKey = (key: string | undefined) => ({ ...as(), ...(key ? { key } : {}) });
const pay = (challanIds: string[], key?: string) =>
  api.call(contract.bankStatement.markPaid, { body: { challanIds } }, withKey(key));
const payMatching = (filters: { ownerId?: string; tagId?: string }, excludeChallanIds: string[] = [], key?: string) =>
  api.call(
    contract.bankStatement.markMatchingPaid,
    { body: { filters, excludeChallanIds, paymentStatus: true } },
    withKey(key),
  );
const update = (id: string, body: Parameters<typeof api.call<typeof contract.challans.update>>[1]['body']) =>
  api.call(contract.challans.update, { params: { id }, body }, as());
const reverse = (id: string) =>
  api.call(contract.paymentBatches.reverse, { params: { id }, body: { reason: 'Race' } }, as());

/** The state of these challans by the table: paid, net, and how many live lines each has. */
const statesOf = (ids: string[]) =>
  api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<{ id: string; paid: boolean; net: string; batch: string | null }>(
      `SELECT c.id, c.payment_status AS paid, c.net_amount_payable AS net, p.batch_id AS batch
       FROM challans c LEFT JOIN payment_lines p ON p.subadmin_id = $1 AND p.challan_id = c.id
         AND p.pay_cycle = c.pay_cycle AND p.kind = 'pay'
       WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[])`,
      [db.tenantId, ids],
    );
    return rows;
  });

const assertMoney = async () => {
  await api.inTenant(tenant, assertLedger);
  await api.inTenant(tenant, assertTotals);
};

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  ownerIds = [];
  tagIds = [];
  for (let n = 0; n < 3; n += 1) ownerIds.push((await createOwner(api, tenant)).id);
  for (let n = 0; n < 2; n += 1) tagIds.push((await createTag(api, tenant)).id);
});
afterAll(() => api.close());

const rounds = long(30);

describe('payments at once', () => {
  it(
    `${rounds} rounds of 16 clients and overlapping selections: each challan in exactly one live line, sums exact`,
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const made = await api.inTenant(tenant, async (db) => {
          const parts = [];
          for (const ownerId of ownerIds) {
            for (const tagId of tagIds) parts.push(await insertChallans(db, { ownerId, tagId }, 20));
          }
          return parts.flat();
        });
        const ids = idsOf(made);
        const excluded = new Set(random.some(ids, 5));
        const chosen = new Set<string>();

        const requests = Array.from({ length: 16 }, (_, client) => {
          // Every fourth client pays by filter, half of those one owner's tag, the others a tag; every third sends its
          // request twice with one key, as a retry does.
          const key = client % 3 === 0 ? randomUUID() : undefined;
          if (client % 4 === 3) {
            const filters = {
              tagId: random.pick(tagIds),
              ...(client % 8 === 3 ? { ownerId: random.pick(ownerIds) } : {}),
            };
            return { key, send: () => payMatching(filters, [...excluded], key) };
          }
          const mine = random.some(
            ids.filter((id) => !excluded.has(id)),
            40,
          );
          for (const id of mine) chosen.add(id);
          return { key, send: () => pay(mine, key) };
        });
        const sent = requests.flatMap(({ key, send }) => (key ? [send, send] : [send]));
        const answers = await Promise.all(random.shuffled(sent).map((send) => send()));

        for (const answer of answers) {
          if (answer.status === 200) continue;
          expect(answer.error.code, answer.text).toBe('NO_MATCHING_CHALLANS');
        }
        const states = await statesOf(ids);
        expect(states).toHaveLength(ids.length);
        for (const state of states) {
          expect(state.paid).toBe(state.batch !== null);
          if (chosen.has(state.id)) expect(state.paid).toBe(true);
          if (excluded.has(state.id)) expect(state.paid).toBe(false);
        }
        // Repeated keys give the same answer twice: one payment each.
        const payments = new Map(
          answers.flatMap(({ status, body }) =>
            status === 200 && body.data.batchId ? [[body.data.batchId, body.data]] : [],
          ),
        );
        const paid = states.filter((state) => state.paid);
        expect(paid.every(({ batch }) => batch !== null && payments.has(batch))).toBe(true);
        const inThisRound = [...payments.values()];
        expect(inThisRound.flatMap(({ challanIds }) => challanIds ?? []).sort()).toEqual(idsOf(paid).sort());
        expect(sum(inThisRound.map(({ totalAmount }) => totalAmount))).toBe(sum(paid.map(({ net }) => net)));
        // What is left over is taken out of the way of the next round's filters.
        await payMatching({});
      }
      await assertMoney();
    },
    longLimit(90_000),
  );

  it('the same key many times at once, and the keys of different calls mixed: one batch for each key', async () => {
    const made = await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: ownerIds[0] ?? '' }, 60));
    const keys = [randomUUID(), randomUUID(), randomUUID()];
    const bodies = [0, 20, 40].map((start) => idsOf(made).slice(start, start + 20));
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        pay(bodies[n % 3] ?? [], keys[n % 3]).then((answer) => [n % 3, answer.text]),
      ),
    );
    expect(new Set(answers.map(([which, text]) => `${which} ${text}`)).size).toBe(3);
    const states = await statesOf(idsOf(made));
    expect(new Set(states.map(({ batch }) => batch)).size).toBe(3);
    await assertMoney();
  });
});

describe('payments against everything else', () => {
  it('while others edit: a live line always says the net of its challan', async () => {
    for (let round = 0; round < 6; round += 1) {
      const refs = { ownerId: ownerIds[0] ?? '', tagId: tagIds[0] ?? '' };
      const challans = [];
      for (let n = 0; n < 6; n += 1) challans.push(await createChallan(api, tenant, refs));
      const ids = challans.map(({ id }) => id);
      const answers = await Promise.all(
        random
          .shuffled([
            ...ids.map((id) => () => update(id, { ratePerMT: `${random.below(900) + 1_000}.50` })),
            ...ids.map((id) => () => update(id, { remarks: 'Checked' })),
            () => pay(ids),
            () => pay(random.some(ids, 3)),
            () => payMatching({ ownerId: refs.ownerId }),
          ])
          .map((send) => send()),
      );
      for (const answer of answers) {
        if (answer.status !== 200) expect(answer.error.code, answer.text).toBe('NO_MATCHING_CHALLANS');
      }
      const states = await statesOf(ids);
      // Neither a saved remark nor a new rate un-pays what was paid meanwhile.
      expect(states.every(({ paid }) => paid)).toBe(true);
      await assertMoney();
    }
  }, 60_000);

  it('a stale save cannot un-pay, and is refused when it names its version', async () => {
    const challan = await createChallan(api, tenant, { ownerId: ownerIds[0] ?? '', tagId: tagIds[0] ?? '' });
    await pay([challan.id]);
    const stale = await update(challan.id, { remarks: 'Late', paymentStatus: false, version: challan.version });
    expect([stale.status, stale.error.code]).toEqual([409, 'VERSION_CONFLICT']);
    const silent = await update(challan.id, { remarks: 'Late' });
    expect(silent.body.data.paymentStatus).toBe(true);
    await assertMoney();
  });

  it('while others delete: paid or deleted, never both, and no payment of half a selection', async () => {
    for (let round = 0; round < 8; round += 1) {
      const made = await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: ownerIds[1] ?? '' }, 8));
      const ids = idsOf(made);
      const victim = random.pick(ids);
      const remove = () => api.call(contract.challans.remove, { params: { id: victim } }, as());
      const [payment, removal] = await Promise.all(
        random.below(2) === 0 ? [pay(ids), remove()] : [remove(), pay(ids)].reverse(),
      );
      const outcome = `${payment?.status} ${removal?.status}`;
      expect(['200 409', '404 200']).toContain(outcome);
      const states = await statesOf(ids);
      const paid = states.filter((state) => state.paid).map(({ id }) => id);
      expect(paid.sort()).toEqual(payment?.status === 200 ? [...ids].sort() : []);
      await assertMoney();
    }
  }, 60_000);

  it('many toggles of one challan at once: the last cycle decides, each cycle is in the ledger', async () => {
    const [challan] = await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: ownerIds[2] ?? '' }, 1));
    const id = challan?.id ?? '';
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => (n % 3 === 2 ? pay([id]) : update(id, { paymentStatus: n % 3 === 0 }))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await assertMoney();
  }, 60_000);
});

describe('reversals at once', () => {
  it('of two that reverse one payment, one does and the other is refused', async () => {
    for (let round = 0; round < 8; round += 1) {
      const made = await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: ownerIds[0] ?? '' }, 20));
      const batchId = (await pay(idsOf(made))).body.data.batchId ?? '';
      const answers = await Promise.all([reverse(batchId), reverse(batchId), reverse(batchId)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.error.code).toBe('ALREADY_REVERSED');
      expect((await statesOf(idsOf(made))).every(({ paid }) => !paid)).toBe(true);
      await assertMoney();
    }
  }, 60_000);

  it('against unmarking, deleting and paying again: nothing is taken back twice, nothing is lost', async () => {
    for (let round = 0; round < 10; round += 1) {
      const made = await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: ownerIds[0] ?? '' }, 12));
      const ids = idsOf(made);
      const batchId = (await pay(ids)).body.data.batchId ?? '';
      const answers = await Promise.all(
        random
          .shuffled([
            () => reverse(batchId),
            () => reverse(batchId),
            ...random.some(ids, 4).map((id) => () => update(id, { paymentStatus: false })),
            () => pay(random.some(ids, 6)),
            () => payMatching({ ownerId: ownerIds[0] ?? '' }),
            ...random.some(ids, 2).map((id) => () => api.call(contract.challans.remove, { params: { id } }, as())),
          ])
          .map((send) => send()),
      );
      for (const answer of answers) expect([200, 400, 404, 409], answer.text).toContain(answer.status);
      await assertMoney();
      await payMatching({});
    }
  }, 60_000);
});
