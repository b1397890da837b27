import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { togglePayments } from '../../../src/server/features/payments/payments.service.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { createOwner } from '../support/builders.ts';
import { holding } from '../support/holding.ts';
import { idsOf, insertChallans } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

/** Checkboxes of challans that are pressed at once share a transaction (docs/decisions.md 96). */
const { bankStatement, challans, owners, paymentBatches } = contract;

let desk: BankDesk;
beforeAll(async () => {
  desk = await openBankDesk();
  await desk.pay(idsOf(await desk.make(1)));
});
afterAll(() => desk.api.close());

const toggle = (id: string, paymentStatus: boolean, version?: number, token = desk.tenant.token) =>
  desk.api.call(challans.update, { params: { id }, body: { paymentStatus, ...(version && { version }) } }, { token });
type Answer = Awaited<ReturnType<typeof toggle>>;

/**
 * Sends these while the first of them waits for the counter of payments, so that all others become one batch. The first one
 * must pay.
 */
async function together(calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const { batched } = desk.api.app.gates;
  const counter = "SELECT FROM counters WHERE subadmin_id = $1 AND name LIKE 'payment-%' FOR UPDATE";
  return holding(desk.api, counter, [desk.tenant.id], async (release) => {
    const answers = [];
    for (const [index, call] of calls.entries()) {
      answers.push(call());
      await expect.poll(() => batched.counts().running).toBe(index + 1);
    }
    await release();
    return Promise.all(answers);
  });
}

interface Line {
  id: string;
  number: string;
  lines: number;
  amount: string;
  transaction: string;
}
/** The payment of each of these challans, which is its own, in the order of the list of payments. */
const paymentsOf = (ids: readonly string[]) =>
  desk.api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<Line>(
      `SELECT l.challan_id AS id, b.number, b.updated_count AS lines, b.total_amount AS amount, b.xmin::text AS transaction
       FROM payment_lines l JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
       WHERE l.subadmin_id = $1 AND l.challan_id = ANY ($2::uuid[]) AND l.kind = 'pay'
       ORDER BY b.created_at, b.id`,
      [db.tenantId, ids],
    );
    return rows;
  });

describe('checkboxes at once', () => {
  it('share a transaction, each challan with a payment, number and answer of its own', async () => {
    const made = await desk.make(16);
    const answers = await together(
      made.map(
        ({ id }) =>
          () =>
            toggle(id, true),
      ),
    );
    const payments = await paymentsOf(idsOf(made));
    expect(payments).toHaveLength(16);
    expect(new Set(payments.map(({ transaction }) => transaction)).size).toBe(2);
    expect(payments.map(({ lines }) => lines)).toEqual(made.map(() => 1));
    // Those that were in the batch, in the order of their creation.
    expect(idsOf(payments).slice(1)).toEqual(idsOf(made).slice(1));
    // Without a gap, and listed in their order.
    const numbers = payments.map(({ number }) => Number(number.slice(-6)));
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
    for (const [index, { id, net }] of made.entries()) {
      const payment = payments.find((line) => line.id === id)!;
      expect(payment.amount).toBe(net);
      expect(answers[index]!.body.data).toMatchObject({
        id,
        paymentStatus: true,
        version: 2,
        payment: { name: payment.number },
      });
    }
    const { data } = (await desk.api.call(paymentBatches.list, { query: { limit: 16 } }, desk.as())).body;
    expect(data.map(({ number, kind }) => [number, kind])).toEqual(
      payments.reverse().map(({ number }) => [number, 'single']),
    );
    await desk.assertMoney();
  });

  it('take back and pay in one transaction, and leave as it is what is so already', async () => {
    const [first, ...made] = await desk.make(6);
    const paid = made.slice(0, 3);
    for (const { id } of paid) await toggle(id, true);
    const answers = await together([
      () => toggle(first!.id, true),
      () => toggle(paid[0]!.id, false),
      () => toggle(made[3]!.id, true),
      () => toggle(paid[1]!.id, false, 2),
      () => toggle(paid[2]!.id, true),
      () => toggle(made[4]!.id, false),
    ]);
    expect(answers.map(({ status, body }) => [status, body.data.paymentStatus, body.data.version])).toEqual([
      [200, true, 2],
      [200, false, 3],
      [200, true, 2],
      [200, false, 3],
      [200, true, 2],
      [200, false, 1],
    ]);
    const history = (
      await desk.api.call(contract.history.listChallan, { params: { id: paid[0]!.id }, query: {} }, desk.as())
    ).body.data;
    expect(history.map(({ action, reason }) => [action, reason])).toEqual([
      ['Marked unpaid', ''],
      ['Marked paid', ''],
    ]);
    await desk.assertMoney();
  });

  it('each keep their own refusal; the others are done', async () => {
    const heldOwner = (await createOwner(desk.api, desk.tenant, { name: 'Held Together' })).id;
    const [first, held, stale, gone, good, twice] = await desk.make(6);
    const [ofHeld] = await desk.make(1, { ownerId: heldOwner });
    await desk.api.call(challans.setHold, { params: { id: held!.id }, body: { reason: 'accident' } }, desk.as());
    await desk.api.call(owners.setHold, { params: { id: heldOwner }, body: { reason: 'no papers' } }, desk.as());
    await desk.api.call(challans.remove, { params: { id: gone!.id } }, desk.as());
    const other = await desk.api.addTenant();
    const otherOwner = (await createOwner(desk.api, other)).id;
    const [foreign] = await desk.api.inTenant(other, (db) => insertChallans(db, { ownerId: otherOwner }, 1));
    const { lines, challans: sent } = await desk.sent(1, 1);
    expect(lines).toHaveLength(1);
    const owing = (await createOwner(desk.api, desk.tenant, { name: 'Owes Together' })).id;
    const minus = await desk.make(2, { ownerId: owing, advance: '5000' });
    const amount = String(-minus.reduce((sum, { net }) => sum + Number(net) * 100, 0) / 100);
    const carried = await desk.api.call(
      bankStatement.markPaid,
      { body: { challanIds: [...idsOf(minus), ...idsOf(await desk.make(1))], carries: [{ ownerId: owing, amount }] } },
      desk.as(),
    );
    expect(carried.status, carried.text).toBe(200);

    const answers = await together([
      () => toggle(first!.id, true),
      () => toggle(held!.id, true),
      () => toggle(ofHeld!.id, true),
      () => toggle(stale!.id, true, 7),
      () => toggle(gone!.id, true),
      () => toggle(foreign!.id, true),
      () => toggle(sent[0]![0]!.id, false),
      // Alone each of the two is refused, because the other is left; together as well.
      () => toggle(minus[0]!.id, false),
      () => toggle(minus[1]!.id, false),
      () => toggle(twice!.id, true),
      () => toggle(twice!.id, false),
      () => toggle(good!.id, true),
    ]);
    expect(answers.map(({ status, body }) => [status, 'code' in body ? body.code : 'done'])).toEqual([
      [200, 'done'],
      [409, 'ON_HOLD'],
      [409, 'ON_HOLD'],
      [409, 'VERSION_CONFLICT'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [409, 'LINE_AT_BANK'],
      [409, 'CARRIED'],
      [409, 'CARRIED'],
      [200, 'done'],
      [200, 'done'],
      [200, 'done'],
    ]);
    expect((await paymentsOf([held!.id, ofHeld!.id, stale!.id, gone!.id, foreign!.id])).length).toBe(0);
    expect(answers[3]!.text).toContain(stale!.id);
    // The second one of a challan is done after the first, not answered with it.
    expect(answers.slice(9).map(({ body }) => body.data.paymentStatus)).toEqual([true, false, true]);
    expect(await desk.statusOf([twice!])).toEqual([false]);
    await desk.assertMoney();
  });

  it('take back the payment of today, not one that was taken back before', async () => {
    const [made] = await desk.make(1);
    for (const isPaid of [true, false, true, false]) expect((await toggle(made!.id, isPaid)).status).toBe(200);
    expect(await desk.statusOf([made!])).toEqual([false]);
    await desk.assertMoney();
  });

  it('look up few rows, also before the tables of a new business were analysed', async () => {
    const made = await desk.make(1_000);
    await desk.pay(idsOf(made));
    const lookUps = `SELECT idx_scan::int AS scans FROM pg_stat_xact_user_tables WHERE relname = 'challans'`;
    const scans = await desk.api.inTenant(desk.tenant, async (db) => {
      const { rows: before } = await db.query<{ scans: number }>(lookUps);
      const done = await togglePayments(db, desk.caller, [{ challanId: made[0]!.id, isPaid: false }]);
      expect(done[0]).toMatchObject({ paymentStatus: false });
      const { rows: after } = await db.query<{ scans: number }>(lookUps);
      return after[0]!.scans - before[0]!.scans;
    });
    expect(scans).toBeLessThan(200);
  });

  it('do not wait for one whose challan somebody else has locked', async () => {
    const made = await desk.make(4);
    await holding(
      desk.api,
      'SELECT FROM challans WHERE subadmin_id = $1 AND id = $2 FOR UPDATE',
      [desk.tenant.id, made[1]!.id],
      async (release) => {
        const locked = toggle(made[1]!.id, true);
        const others = await Promise.all([0, 2, 3].map((index) => toggle(made[index]!.id, true)));
        expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
        await release();
        expect((await locked).body.data).toMatchObject({ paymentStatus: true, version: 2 });
      },
    );
    await desk.assertMoney();
  });

  it('of two businesses are never in one transaction, and see nothing of each other', async () => {
    const other = await desk.api.addTenant();
    const ownerId = (await createOwner(desk.api, other)).id;
    const foreign = await desk.api.inTenant(other, (db) => insertChallans(db, { ownerId }, 6));
    const made = await desk.make(6);
    const answers = await Promise.all(
      made.flatMap(({ id }, index) => [
        toggle(id, true),
        toggle(foreign[index]!.id, true, undefined, other.token),
        toggle(id, true, undefined, other.token),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(made.flatMap(() => [200, 200, 404]));
    await desk.assertMoney();
    // Its own numbers, from the first.
    const { data } = (await desk.api.call(paymentBatches.list, { query: {} }, { token: other.token })).body;
    expect(data.map(({ number }) => number.slice(-6))).toEqual([
      '000006',
      '000005',
      '000004',
      '000003',
      '000002',
      '000001',
    ]);
  });
});

const rounds = long(8);
const random = randomOf(testSeed('checkboxes at once'));

it(
  `${rounds} rounds of random checkboxes at once: each answer follows from a model of the challan's versions`,
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const ids = idsOf(await desk.make(10));
      const versions = new Map(ids.map((id) => [id, 1]));
      const model = new Map(ids.map((id) => [id, { isPaid: false, version: 1, pays: 0, reverses: 0 }]));
      for (let turn = 0; turn < 3; turn += 1) {
        const calls = Array.from({ length: 24 }, () => {
          const id = random.pick(ids);
          // Half of them say which version they saw, some of these an old one.
          const seen = random.chance(0.5) ? Math.max(1, versions.get(id)! - random.below(2)) : undefined;
          return { id, to: random.chance(0.6), seen };
        });
        const answers = await Promise.all(calls.map(({ id, to, seen }) => toggle(id, to, seen)));
        for (const id of ids) {
          const mine = calls.flatMap((call, index) => (call.id === id ? [{ ...call, answer: answers[index]! }] : []));
          const state = model.get(id)!;
          const isPossible = ({ to, seen, answer }: (typeof mine)[number]): boolean => {
            if (seen !== undefined && seen !== state.version) return answer.status === 409;
            const version = state.isPaid === to ? state.version : state.version + 1;
            return (
              answer.status === 200 && answer.body.data.paymentStatus === to && answer.body.data.version === version
            );
          };
          // Some order of the acts explains all answers.
          const order = (left: typeof mine): boolean => {
            if (left.length === 0) return true;
            return left.some((call, index) => {
              if (!isPossible(call)) return false;
              const before = { ...state };
              if (call.answer.status === 200 && state.isPaid !== call.to) {
                state.version += 1;
                state.isPaid = call.to;
                if (call.to) state.pays += 1;
                else state.reverses += 1;
              }
              if (order(left.toSpliced(index, 1))) return true;
              Object.assign(state, before);
              return false;
            });
          };
          expect(order(mine), JSON.stringify(mine.map(({ to, seen, answer }) => [to, seen, answer.status]))).toBe(true);
          versions.set(id, state.version);
        }
      }
      const stored = await desk.api.inTenant(desk.tenant, async (db) => {
        const { rows } = await db.query<{
          id: string;
          isPaid: boolean;
          version: number;
          pays: number;
          reverses: number;
        }>(
          `SELECT c.id, c.payment_status AS "isPaid", c.version,
             count(*) FILTER (WHERE l.kind = 'pay')::int AS pays, count(*) FILTER (WHERE l.kind = 'reverse')::int AS reverses
           FROM challans c LEFT JOIN payment_lines l ON l.subadmin_id = $1 AND l.challan_id = c.id
           WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) GROUP BY c.id, c.payment_status, c.version`,
          [db.tenantId, ids],
        );
        return rows;
      });
      expect(new Map(stored.map(({ id, ...state }) => [id, state]))).toEqual(model);
      await desk.assertMoney();
    }
  },
  longLimit(60_000),
);
