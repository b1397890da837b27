import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { compare, sum } from '../../../src/shared/calc/money.ts';
import { ownerAccountSortKeys, type OwnerAccount } from '../../../src/shared/contract/accounting.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { payChallans } from '../../../src/server/features/payments/payments.service.ts';
import { testSeed } from '../../calc/seed.ts';
import { createOwner, createTruck } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { idsOf } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';
import { randomOf } from '../support/random.ts';

/** What owners are owed and were paid, as accounting lists it, against a recount of challans and ledger. */
const { accounting, challans, owners, ownerStatements, paymentBatches } = contract;

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk();
});
afterAll(() => desk.api.close());
const as = () => ({ token: desk.tenant.token });

const list = async (query: QueryInput<typeof accounting.listOwners> = {}) =>
  (await desk.api.call(accounting.listOwners, { query: { limit: 100, ...query } }, as())).body;
const paymentsOf = async (ownerId: string, page = 1, limit = 100) =>
  (await desk.api.call(accounting.listOwnerPayments, { query: { ownerId, page, limit } }, as())).body;

type Recount = Omit<
  OwnerAccount,
  'name' | 'contactNumber' | 'address' | 'holdReason' | 'createdAt' | 'trucksCount' | 'payments' | 'balanceAsOn'
>;

/** From the challans and the lines of the ledger themselves. */
async function recount(): Promise<Map<string, Recount>> {
  const { rows } = await desk.api.inTenant(desk.tenant, (db) =>
    db.query<Recount>(
      `WITH live AS (
         SELECT l.owner_id, b.paid_on, l.amount FROM payment_lines l
           JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
         WHERE l.subadmin_id = $1 AND l.kind = 'pay' AND NOT EXISTS (
           SELECT FROM payment_lines back WHERE back.subadmin_id = $1 AND back.challan_id = l.challan_id
             AND back.pay_cycle = l.pay_cycle AND back.kind = 'reverse')
       )
       SELECT o.id,
         (SELECT count(*)::int FROM challans c WHERE c.subadmin_id = $1 AND c.owner_id = o.id AND c.deleted_at IS NULL
            AND NOT c.payment_status) AS "unpaidCount",
         (SELECT round(coalesce(sum(c.net_amount_payable), 0), 2) FROM challans c WHERE c.subadmin_id = $1
            AND c.owner_id = o.id AND c.deleted_at IS NULL AND NOT c.payment_status) AS "unpaidAmount",
         (SELECT round(coalesce(sum(k.amount), 0), 2) FROM carry_events k WHERE k.subadmin_id = $1
            AND k.owner_id = o.id) AS "carriedAmount",
         (SELECT round(coalesce(sum(b.amount), 0), 2) FROM owner_opening_balances b WHERE b.subadmin_id = $1
            AND b.owner_id = o.id AND b.entry_no = (SELECT max(entry_no) FROM owner_opening_balances l
              WHERE l.subadmin_id = $1 AND l.owner_id = o.id)) AS "openingBalance",
         (SELECT min(c.deposited_on)::text FROM challans c WHERE c.subadmin_id = $1 AND c.owner_id = o.id
            AND c.deleted_at IS NULL AND NOT c.payment_status) AS "oldestDue",
         (SELECT max(paid_on)::text FROM live WHERE owner_id = o.id) AS "lastPaidOn",
         (SELECT round(coalesce(sum(amount), 0), 2) FROM live WHERE owner_id = o.id
            AND paid_on >= date_trunc('month', now() AT TIME ZONE 'Asia/Kolkata')::date) AS "paidThisMonth"
       FROM owners o WHERE o.subadmin_id = $1 AND o.deleted_at IS NULL`,
      [db.tenantId],
    ),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const figures = (row: OwnerAccount): Recount => {
  const { id, unpaidCount, unpaidAmount, carriedAmount, openingBalance, oldestDue, lastPaidOn, paidThisMonth } = row;
  return { id, unpaidCount, unpaidAmount, carriedAmount, openingBalance, oldestDue, lastPaidOn, paidThisMonth };
};

describe('random histories', () => {
  it('agree with a recount after every act, folded or not, and every order is exact over all pages', async () => {
    const random = randomOf(testSeed('owner accounts'));
    const today = dayOf(new Date());
    const ownerIds: string[] = [];
    for (let n = 0; n < 9; n += 1) {
      ownerIds.push((await createOwner(desk.api, desk.tenant, { name: `Account ${n % 7}` })).id);
    }
    const made: string[] = [];
    const batches: string[] = [];
    const acts = {
      make: async () => {
        const depositedOn = random.chance(0.3) ? null : addDays(today, -random.below(90));
        const advance = random.chance(0.2) ? '99999' : '0';
        const rows = await desk.make(1 + random.below(4), { ownerId: random.pick(ownerIds), depositedOn, advance });
        made.push(...idsOf(rows));
      },
      pay: async () => {
        if (made.length === 0) return;
        const answer = await desk.pay(random.some(made, 1 + random.below(6)));
        if (answer.status === 200 && answer.body.data.batchId !== null) batches.push(answer.body.data.batchId);
      },
      payEarlier: async () => {
        const rows = await desk.make(2, { ownerId: random.pick(ownerIds) });
        const paidOn = addDays(today, -random.below(120));
        const paid = await desk.api.inTenant(desk.tenant, (db) =>
          payChallans(db, desk.caller, { kind: 'import', challanIds: idsOf(rows), paidOn }),
        );
        made.push(...idsOf(rows));
        batches.push(paid.batchId ?? '');
      },
      reverse: async () => {
        if (batches.length === 0) return;
        const params = { id: random.pick(batches) };
        await desk.api.call(paymentBatches.reverse, { params, body: { reason: 'Wrong' } }, as());
      },
      unmark: async () => {
        if (made.length === 0) return;
        const params = { id: random.pick(made) };
        await desk.api.call(challans.update, { params, body: { paymentStatus: false } }, as());
      },
      hold: async () => {
        const params = { id: random.pick(ownerIds) };
        await desk.api.call(owners.setHold, { params, body: { reason: random.pick(['', 'No papers']) } }, as());
      },
      open: async () => {
        const amount = `${random.chance(0.4) ? '-' : ''}${random.below(5000)}.0${random.below(10)}`;
        const entries = [{ ownerId: random.pick(ownerIds), asOf: addDays(today, -100), amount, note: '' }];
        const answer = await desk.api.call(ownerStatements.setOpenings, { body: { entries } }, as());
        expect(answer.status).toBe(201);
      },
      remove: async () => {
        if (made.length === 0) return;
        await desk.api.call(challans.remove, { params: { id: random.pick(made) } }, as());
      },
      fold: () => desk.api.inTenant(desk.tenant, (db) => foldTotals(db, db.tenantId)),
    };
    const names = Object.keys(acts) as (keyof typeof acts)[];
    for (let n = 0; n < 70; n += 1) {
      await acts[random.pick(names)]();
      const { data, summary } = await list();
      const expected = await recount();
      expect(data.map(figures)).toEqual(data.map(({ id }) => expected.get(id)));
      expect(data).toHaveLength(expected.size);
      expect(summary).toMatchObject({
        unpaidCount: data.reduce((count, row) => count + row.unpaidCount, 0),
        unpaidAmount: sum(data.map((row) => row.unpaidAmount)),
        openingBalance: sum(data.map((row) => row.openingBalance)),
        paidThisMonth: sum(data.map((row) => row.paidThisMonth)),
      });
    }

    // Balances as on a day are the closing balances of the statements.
    for (const asOn of [today, addDays(today, -30), addDays(today, -110)]) {
      const { data, summary } = await list({ asOn });
      for (const { id: ownerId, balanceAsOn } of data) {
        const query = { ownerId, endDate: asOn };
        const statement = await desk.api.call(ownerStatements.current, { query }, as());
        expect([asOn, ownerId, balanceAsOn]).toEqual([asOn, ownerId, statement.body.data.closing]);
      }
      expect(summary.balanceAsOn).toBe(sum(data.map(({ balanceAsOn = '' }) => balanceAsOn)));
    }

    const asOn = addDays(today, -20);
    const { data: all } = await list({ asOn });
    const money = new Set(['unpaidAmount', 'carriedAmount', 'openingBalance', 'balanceAsOn', 'paidThisMonth']);
    for (const sortBy of ownerAccountSortKeys) {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const pages = [];
        for (let page = 1; page <= Math.ceil(all.length / 4); page += 1) {
          pages.push(...(await list({ sortBy, sortOrder, asOn, page, limit: 4 })).data);
        }
        expect(new Set(pages.map(({ id }) => id)).size).toBe(all.length);
        const keys = pages.map((row) => (sortBy === 'name' ? row.name.toLowerCase() : (row[sortBy] ?? null)));
        const sorted = keys.toSorted((a, b) => {
          if (a === null || b === null) return Number(a === null) - Number(b === null);
          const by = money.has(sortBy) ? compare(String(a), String(b)) : a < b ? -1 : Number(a > b);
          return sortOrder === 'asc' ? by : -by;
        });
        expect([sortBy, sortOrder, keys]).toEqual([sortBy, sortOrder, sorted]);
        // The two days are looked up otherwise where they are the order.
        const byId = new Map(all.map((row) => [row.id, row]));
        expect(pages).toEqual(pages.map(({ id }) => byId.get(id)));
      }
    }

    for (const { id, payments, lastPaidOn } of all) {
      const answer = await paymentsOf(id);
      expect(answer.data.slice(0, 5)).toMatchObject(payments);
      expect(payments).toHaveLength(Math.min(5, answer.data.length));
      expect(answer.summary.amount).toBe(sum(answer.data.map(({ amount }) => amount)));
      expect(answer.summary.paidAmount).toBe(sum(answer.data.map(({ paidAmount }) => paidAmount)));
      for (const payment of answer.data) {
        expect(payment.trips).toHaveLength(payment.challanCount);
        expect(sum(payment.trips.map(({ amount }) => amount))).toBe(payment.amount);
        const still = payment.trips.filter(({ reversedAt }) => reversedAt === null);
        expect([still.length, sum(still.map(({ amount }) => amount))]).toEqual([payment.paidCount, payment.paidAmount]);
      }
      const days = answer.data.map(({ paidOn }) => paidOn);
      expect(days).toEqual(days.toSorted().toReversed());
      expect(answer.data.find(({ paidCount }) => paidCount > 0)?.paidOn ?? null).toBe(lastPaidOn);
      const paged = [];
      for (let page = 1; page <= Math.ceil(days.length / 2); page += 1) {
        paged.push(...(await paymentsOf(id, page, 2)).data);
      }
      expect(paged).toEqual(answer.data);
    }
    await desk.assertMoney();
  });
});

describe('the list', () => {
  it('searches as the owners do, best match first, counts their trucks, and adds up what matches alone', async () => {
    const first = await createOwner(desk.api, desk.tenant, { name: 'Sukanti Naik' });
    const second = await createOwner(desk.api, desk.tenant, { name: 'Naik Sukanti Brothers' });
    await createTruck(desk.api, desk.tenant, first.id);
    await desk.make(2, { ownerId: first.id });
    await desk.make(1, { ownerId: second.id });
    const { data, summary, pagination } = await list({ search: 'sukanti' });
    expect(data.map(({ id, trucksCount, unpaidCount }) => [id, trucksCount, unpaidCount])).toEqual([
      [first.id, 1, 2],
      [second.id, 0, 1],
    ]);
    expect([pagination.totalCount, summary.totalTrucks, summary.unpaidCount]).toEqual([2, 1, 3]);
    expect((await list({ search: 'nobody of that name' })).data).toEqual([]);
  });

  it('says why an owner is on hold', async () => {
    const { id } = await createOwner(desk.api, desk.tenant, { name: 'Held Owner' });
    await desk.api.call(owners.setHold, { params: { id }, body: { reason: 'No papers' } }, as());
    expect((await list({ search: 'held owner' })).data[0]?.holdReason).toBe('No papers');
  });

  it('is each business its own', async () => {
    const other = await desk.api.addTenant();
    const answer = await desk.api.call(accounting.listOwners, {}, { token: other.token });
    expect([answer.body.data, answer.body.summary.unpaidAmount]).toEqual([[], '0.00']);
    const payments = await desk.api.call(
      accounting.listOwnerPayments,
      { query: { ownerId: desk.ownerId } },
      { token: other.token },
    );
    expectRefusal(payments, 404, 'NOT_FOUND');
  });
});
