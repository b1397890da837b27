import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { subtract } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { unpayChallan } from '../../../src/server/features/payments/payments.service.ts';
import type { Answer } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { holding, untilWaiting } from '../support/holding.ts';
import { idsOf, totalOf, type TestChallan } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';

/** What a payment, or its reversal, does with what another transaction changes while it waits for it. */
const { bankStatement, challans, owners, paymentBatches } = contract;

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk();
});
afterEach(() => desk.assertMoney());
afterAll(() => desk.api.close());

const as = () => ({ token: desk.tenant.token });
const newOwner = async (name = 'Waited For') => (await createOwner(desk.api, desk.tenant, { name })).id;
const reverse = (id: string) =>
  desk.api.call(paymentBatches.reverse, { params: { id }, body: { reason: 'Wrong' } }, as());
const toggle = (id: string, paymentStatus: boolean) =>
  desk.api.call(challans.update, { params: { id }, body: { paymentStatus } }, as());

const lock = 'SELECT FROM challans WHERE subadmin_id = $1 AND id = $2 FOR UPDATE';
type Refused = Pick<Answer<unknown>, 'status' | 'error'>;

/** Sends the request when another transaction has done `statement` on the record, and commits that when the request waits. */
const whileChanged = <T>(statement: string, id: string, send: () => Promise<T>): Promise<T> =>
  holding(desk.api, statement, [desk.tenant.id, id], async (release) => {
    const answer = send();
    await untilWaiting(desk.api);
    await release();
    return answer;
  });

/** Both wait for one challan of the payment: the one comes after the other. */
async function both<T>(made: readonly TestChallan[], one: () => Promise<T>, other: () => Promise<T>): Promise<T[]> {
  return holding(desk.api, lock, [desk.tenant.id, made[0]!.id], async (release) => {
    const first = one();
    await untilWaiting(desk.api, 1);
    const second = other();
    await untilWaiting(desk.api, 2);
    await release();
    return Promise.all([first, second]);
  });
}

describe('a payment that waits for a challan', () => {
  it('that is put on hold meanwhile is refused whole', async () => {
    const made = await desk.make(3);
    const answer = await whileChanged(
      `UPDATE challans SET hold_reason = 'Accident' WHERE subadmin_id = $1 AND id = $2`,
      made[1]!.id,
      () => desk.pay(idsOf(made)),
    );
    expect([answer.status, answer.error.code]).toEqual([409, 'ON_HOLD']);
    expect(await desk.statusOf(made)).toEqual([false, false, false]);
  });

  it('that is deleted meanwhile pays none of the others', async () => {
    const made = await desk.make(3);
    const answer = await whileChanged(
      'UPDATE challans SET deleted_at = now() WHERE subadmin_id = $1 AND id = $2',
      made[1]!.id,
      () => desk.pay(idsOf(made)),
    );
    expect([answer.status, answer.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(await desk.statusOf(made)).toEqual([false, false, false]);
  });

  it('whose net falls meanwhile leaves out the owner, who is below zero now', async () => {
    const ownerId = await newOwner();
    const [falls, other] = await desk.make(2, { ownerId });
    const [paid] = await desk.make(1);
    const answer = await whileChanged(
      `UPDATE challans SET advance_money = 90000, net_amount_payable = net_amount_payable - 90000
       WHERE subadmin_id = $1 AND id = $2`,
      falls!.id,
      () => desk.pay(idsOf([falls!, other!, paid!])),
    );
    expect(answer.body.data).toMatchObject({ challanIds: [paid!.id], totalAmount: paid!.net, negativeCount: 2 });
  });

  it('that is paid meanwhile skips it', async () => {
    const made = await desk.make(2);
    const counter = "SELECT FROM counters WHERE subadmin_id = $1 AND name LIKE 'payment-%' AND $2 <> '' FOR UPDATE";
    await desk.pay(idsOf(await desk.make(1)));
    const answers = await holding(desk.api, counter, [desk.tenant.id, 'any'], async (release) => {
      const first = desk.pay([made[0]!.id]);
      await untilWaiting(desk.api, 1);
      const second = desk.pay(idsOf(made));
      await untilWaiting(desk.api, 2);
      await release();
      return Promise.all([first, second]);
    });
    expect(answers.map(({ body }) => [body.data.challanIds, body.data.skippedCount])).toEqual([
      [[made[0]!.id], 0],
      [[made[1]!.id], 1],
    ]);
  });
});

describe('a hold of an owner', () => {
  /** What a hold does: it waits for every payment, and every payment for it. */
  const alone = `SELECT pg_advisory_xact_lock(hashtextextended('holds:' || $1::text, 0))`;

  it('that is not yet saved is waited for by payments, by checkboxes too, and refuses them', async () => {
    const sends: ((made: TestChallan) => Promise<Refused>)[] = [
      (made) => desk.pay([made.id]),
      (made) => toggle(made.id, true),
    ];
    for (const send of sends) {
      const ownerId = await newOwner();
      const [made] = await desk.make(1, { ownerId });
      const hold = `WITH alone AS MATERIALIZED (${alone})
        UPDATE owners SET hold_reason = 'Papers' FROM alone WHERE subadmin_id = $1::uuid AND id = $2`;
      const answer = await whileChanged(hold, ownerId, () => send(made!));
      expect([answer.status, answer.error.code]).toEqual([409, 'ON_HOLD']);
      expect(await desk.statusOf([made!])).toEqual([false]);
    }
  });

  it('waits for a payment that is not yet saved', async () => {
    const ownerId = await newOwner();
    const shared = `${alone.replace('_lock(', '_lock_shared(')} WHERE $2 <> ''`;
    const answer = await whileChanged(shared, 'any', () =>
      desk.api.call(owners.setHold, { params: { id: ownerId }, body: { reason: 'Papers' } }, as()),
    );
    expect(answer.status).toBe(200);
  });
});

describe('a reversal that waits for another', () => {
  it('of the same payment finds it taken back', async () => {
    const made = await desk.make(3);
    const { batchId } = (await desk.pay(idsOf(made))).body.data;
    const answers = await both(
      made,
      () => reverse(batchId!),
      () => reverse(batchId!),
    );
    const texts = answers.map(({ status, text }) => `${status} ${/ALREADY_REVERSED/.exec(text)?.[0] ?? ''}`);
    expect(texts.toSorted()).toEqual(['200 ', '409 ALREADY_REVERSED']);
    expect(await desk.statusOf(made)).toEqual([false, false, false]);
  });

  it('of one of its challans takes back the others', async () => {
    const made = await desk.make(3);
    const { batchId } = (await desk.pay(idsOf(made))).body.data;
    const answers = await both<{ status: number; text: string }>(
      made,
      () => toggle(made[0]!.id, false),
      () => reverse(batchId!),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(JSON.parse(answers[1]!.text)).toMatchObject({
      data: { reversedCount: 2, reversedAmount: totalOf(made.slice(1)) },
    });
  });
});

describe('what an owner owes', () => {
  /** An owner whose two challans were settled by carrying what it owes. */
  async function carried() {
    const ownerId = await newOwner('Owes While Waiting');
    const minus = await desk.make(2, { ownerId, advance: '5000' });
    const amount = subtract('0', totalOf(minus));
    const body = { challanIds: idsOf(minus), carries: [{ ownerId, amount }] };
    const paid = await desk.api.call(bankStatement.markPaid, { body }, as());
    expect(paid.status, paid.text).toBe(200);
    return { ownerId, minus, batchId: paid.body.data.batchId! };
  }

  it('is taken back once: the second one who does finds nothing', async () => {
    const { ownerId, minus, batchId } = await carried();
    const takeBack = () => desk.api.call(paymentBatches.takeBackCarry, { params: { id: batchId, ownerId } }, as());
    const answers = await both(minus, takeBack, takeBack);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  it('is open again when two take back, at once, what only together covered its deduction', async () => {
    const { ownerId, minus } = await carried();
    const owed = subtract('0', totalOf(minus));
    const plus = await desk.make(9, { ownerId });
    expect((await desk.pay(idsOf(plus))).body.data.totalAmount).toBe(subtract(totalOf(plus), owed));
    const [one, other] = plus;
    const unpay = (made: TestChallan, beforeSaved?: () => Promise<void>) =>
      desk.api.inTenant(desk.tenant, async (db) => {
        await unpayChallan(db, desk.caller, made.id, 'Wrong');
        await beforeSaved?.();
      });
    let second: Promise<void> | undefined;
    await unpay(one!, () => {
      second = unpay(other!);
      return untilWaiting(desk.api);
    });
    await second;
    const open = await desk.api.inTenant(desk.tenant, (db) =>
      db.query<{ amount: string }>(
        'SELECT round(amount, 2) AS amount FROM open_carries WHERE subadmin_id = $1 AND owner_id = $2',
        [db.tenantId, ownerId],
      ),
    );
    expect(open.rows).toEqual([{ amount: owed }]);
  });
});

describe('many challans', () => {
  /** By their id, which is the order in which every payment locks: two that have some in common cannot wait for each other. */
  async function lockedBeside(made: readonly TestChallan[], send: () => Promise<unknown>): Promise<number> {
    const [lowest, ...rest] = idsOf(made).toSorted();
    return holding(desk.api, lock, [desk.tenant.id, lowest], async (release) => {
      const answer = send();
      await untilWaiting(desk.api);
      const free = await desk.api.inTenant(desk.tenant, (db) =>
        db.query('SELECT FROM challans WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) FOR UPDATE SKIP LOCKED', [
          db.tenantId,
          rest,
        ]),
      );
      await release();
      await answer;
      return rest.length - (free.rowCount ?? 0);
    });
  }

  it('are locked in the order of their ids by a payment, a payment by filter and a reversal', async () => {
    const ownerId = await newOwner();
    const made = await desk.make(30, { ownerId });
    expect(await lockedBeside(made, () => desk.pay(idsOf(made)))).toBe(0);
    const paid = await desk.make(30, { ownerId });
    expect(await lockedBeside(paid, () => desk.payMatching({ filters: { ownerId } }))).toBe(0);
    const below = await desk.make(30, { ownerId });
    const body = { challanIds: idsOf(below), paysNegative: true };
    expect(await lockedBeside(below, () => desk.api.call(bankStatement.markPaid, { body }, as()))).toBe(0);
    const again = await desk.make(30, { ownerId });
    const { batchId } = (await desk.pay(idsOf(again))).body.data;
    expect(await lockedBeside(again, () => reverse(batchId!))).toBe(0);
    expect((await desk.statusOf([...made, ...paid, ...below, ...again])).filter(Boolean)).toHaveLength(90);
  });
});
