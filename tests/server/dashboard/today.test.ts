import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { dayRangeOf } from '../../../src/shared/calc/day-ranges.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { testSeed } from '../../calc/seed.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { buildOwner, createChallan, createOwner, createPump } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { csvOf, uploadFile } from '../support/hsd-desk.ts';
import { addPerson, seatPerson, type TestPerson } from '../support/people.ts';
import { randomOf } from '../support/random.ts';

/** What the dashboard opens with (docs/specification.md §34). */
let desk: BankDesk;
let accountant: TestPerson;
let clerk: TestPerson;
beforeAll(async () => {
  desk = await openBankDesk();
  accountant = await addPerson(desk.api, desk.tenant, 'accountant');
  clerk = await addPerson(desk.api, desk.tenant, 'clerk');
});
afterAll(() => desk.api.close());

const today = dayOf(new Date());

async function look(as: { token: string } = desk.tenant, since?: string) {
  const answer = await desk.api.call(contract.today.get, { query: { since } }, { token: as.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

interface Kept {
  loaded: string;
  deposited: string | null;
  paid: boolean;
  openHsd: boolean;
  net: string;
  hsd: string;
  weight: string;
  charged: string;
  rate: string;
}
const everyChallan = (): Promise<Kept[]> =>
  desk.api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<Kept>(
      `SELECT loading_on::text AS loaded, deposited_on::text AS deposited, payment_status AS paid,
         petrol_pump_id IS NOT NULL AND NOT hsd_verified AS "openHsd", net_amount_payable AS net, hsd_amount AS hsd,
         loading_weight AS weight, least(loading_weight, unloading_weight) AS charged, rate_per_mt AS rate
       FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL`,
      [db.tenantId],
    );
    return rows;
  });

/** Sums in hundredths, as whole numbers: nothing is rounded but the freight of a challan, half up. */
const hundredths = (text: string): bigint => BigInt(text.replace('.', ''));
const textOf = (value: bigint): string => {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const summed = (rows: readonly Kept[], of: (row: Kept) => bigint): string =>
  textOf(rows.reduce((total, row) => total + of(row), 0n));
const net = ({ net: amount }: Kept): bigint => hundredths(amount);
const freight = ({ charged, rate }: Kept): bigint => (hundredths(charged) * hundredths(rate) + 50n) / 100n;
const figure = (rows: readonly Kept[], of = net) => ({ count: rows.length, amount: summed(rows, of) });
const tripsOf = (rows: readonly Kept[]) => ({
  count: rows.length,
  weight: summed(rows, ({ weight }) => hundredths(weight)),
  freight: summed(rows, freight),
});

describe('the figures of Today', () => {
  it('are those of the challans, counted by themselves', async () => {
    const random = randomOf(testSeed('today'));
    const { api, tenant, tagId, ownerId, otherOwnerId } = desk;
    const yesterday = addDays(today, -1);
    const pumpId = (await createPump(api, tenant)).id;
    const made: string[] = [];
    for (let n = 0; n < 70; n += 1) {
      const loaded = n < 50 ? addDays(yesterday, -7 * random.below(7)) : addDays(yesterday, -random.below(100));
      const deposited = addDays(loaded, random.below(20));
      const over = {
        loadingDate: loaded,
        unloadingDate: loaded,
        depositedAt: deposited,
        loadingWeight: `${20 + random.below(20)}.${10 + random.below(90)}`,
        unloadingWeight: `${20 + random.below(20)}.${10 + random.below(90)}`,
        ratePerMT: `${500 + random.below(900)}.${10 + random.below(90)}`,
        ...(random.chance(0.5) && { petrolPumpId: pumpId, hsdPricePerLiter: '90.57', hsdInLiters: '11.30' }),
      };
      made.push((await createChallan(api, tenant, { ownerId: random.pick([ownerId, otherOwnerId]), tagId }, over)).id);
    }
    await api.inTenant(tenant, async (db) => {
      await db.query('UPDATE challans SET deposited_at = NULL WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])', [
        db.tenantId,
        random.some(made, 9),
      ]);
      await db.query(
        `UPDATE challans SET hsd_verified = true, hsd_verified_at = now()
         WHERE subadmin_id = $1 AND petrol_pump_id IS NOT NULL AND id = ANY ($2::uuid[])`,
        [db.tenantId, random.some(made, 20)],
      );
      await db.query('UPDATE challans SET deleted_at = now() WHERE subadmin_id = $1 AND id = $2', [
        db.tenantId,
        made[0],
      ]);
    });

    // Too few are paid: nothing is due by a day.
    expect(await look()).toMatchObject({ due: { afterDays: null, by: [] } });
    const paid = await desk.pay(random.some(made.slice(1), 30));
    expect(paid.status, paid.text).toBe(200);

    for (const isFolded of [false, true]) {
      if (isFolded) await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
      const all = await everyChallan();
      const data = await look();
      const weekdays = [1, 2, 3, 4, 5, 6, 7, 8].map((weeks) => addDays(yesterday, -7 * weeks));
      const others = weekdays.map((day) => tripsOf(all.filter(({ loaded }) => loaded === day)));
      const withTrips = others.filter(({ count }) => count > 0);
      const middle = <T>(values: readonly T[], of: (value: T) => bigint): T =>
        values.toSorted((a, b) => (of(a) < of(b) ? -1 : 1))[Math.floor((values.length - 1) / 2)]!;
      expect(data.yesterday).toEqual({
        day: yesterday,
        ...tripsOf(all.filter(({ loaded }) => loaded === yesterday)),
        usual: {
          count: middle(withTrips, ({ count }) => BigInt(count)).count,
          weight: middle(withTrips, ({ weight }) => hundredths(weight)).weight,
          freight: middle(withTrips, (one) => hundredths(one.freight)).freight,
        },
      });

      const lags = all
        .flatMap(({ paid: isPaid, deposited }) => (isPaid && deposited !== null ? [deposited] : []))
        .map((deposited) => Math.max(0, (Date.parse(today) - Date.parse(deposited)) / 86_400_000))
        .toSorted((a, b) => a - b);
      const afterDays = lags[Math.floor((lags.length - 1) / 2)]!;
      const unpaid = all.filter(({ paid: isPaid }) => !isPaid);
      const days = [today, dayRangeOf('thisWeek', today).to, addDays(today, 7), addDays(today, 15)];
      expect(data.due).toEqual({
        unpaid: figure(unpaid),
        afterDays,
        by: days.map((by) => {
          const depositedUntil = addDays(by, -afterDays);
          const due = unpaid.filter(({ deposited }) => deposited !== null && deposited <= depositedUntil);
          return { by, depositedUntil, ...figure(due) };
        }),
      });
      expect(data.notDeposited).toEqual(figure(all.filter(({ deposited }) => deposited === null)));
      const since = dayRangeOf('lastMonth', today).from;
      const open = all.filter(({ openHsd, deposited }) => openHsd && deposited !== null && deposited >= since);
      expect(data.hsd).toEqual({
        since,
        notVerified: figure(open, ({ hsd }) => hundredths(hsd)),
        bills: { count: 0, amount: '0.00' },
      });
    }
  });

  it('are those of the lists that they open', async () => {
    const { api, as } = desk;
    const { yesterday, due, hsd, notDeposited } = await look();
    const totals = async (query: Parameters<typeof api.call<typeof contract.challans.list>>[1]['query']) => {
      const { summary } = (await api.call(contract.challans.list, { query }, as())).body;
      return { count: summary.totalCount, amount: summary.totalAmount };
    };
    expect((await totals({ startDate: yesterday?.day, endDate: yesterday?.day })).count).toBe(yesterday?.count);
    expect(await totals({ depositedDate: 'none' })).toEqual(notDeposited);
    expect((await totals({ hsdVerified: 'unverified', depositedStartDate: hsd.since })).count).toBe(
      hsd.notVerified.count,
    );
    for (const { count, amount, depositedUntil } of due.by) {
      expect(await totals({ paymentStatus: 'unpaid', depositedEndDate: depositedUntil })).toEqual({ count, amount });
    }
  });

  it('leave out of the rhythm what was taken back', async () => {
    const { due } = await look();
    const { api, as } = desk;
    const [batch] = (await api.call(contract.paymentBatches.list, {}, as())).body.data;
    await api.call(
      contract.paymentBatches.reverse,
      { params: { id: batch!.id }, body: { reason: 'The wrong day' } },
      as('taken back'),
    );
    const after = await look();
    expect([due.afterDays === null, after.due.afterDays]).toEqual([false, null]);
  });

  it('count the lines at the bank by their last answer, and bills with rows that are disputed', async () => {
    const { api, tenant } = desk;
    const { lines } = await desk.sent(5, 1);
    const answered = (line: (typeof lines)[number], event: string, no = 1, days = 0) =>
      api.inTenant(tenant, (db) =>
        db.query(
          `INSERT INTO bank_line_events (subadmin_id, file_id, line_no, event_no, event, source, created_at, created_by)
           VALUES ($1, $2, $3, $4, $5, 'paste', now() - make_interval(days => $6), $1)`,
          [db.tenantId, line.fileId, line.lineNo, no, event, days],
        ),
      );
    const [first, second, third, fourth, fifth] = lines;
    await answered(first!, 'failed');
    await answered(second!, 'returned');
    // Reopened: it waits again. Failed nine days ago: it is no news.
    await answered(third!, 'failed');
    await answered(third!, 'reopened', 2);
    await answered(fourth!, 'failed', 1, 9);
    const one = ({ amount }: { amount: string }) => ({ count: 1, amount });
    expect((await look()).bank).toEqual({
      since: addDays(today, -6),
      noAnswer: { count: 2, amount: textOf(hundredths(third!.amount) + hundredths(fifth!.amount)) },
      failed: one(first!),
      returned: one(second!),
    });

    const petrolPumpId = (await createPump(api, tenant)).id;
    const bill = csvOf([
      ['NOT-OURS-1', '1000.50'],
      ['NOT-OURS-2', '2000.25'],
    ]);
    await uploadFile(api, tenant, 'bill.csv', bill, { petrolPumpId, detail: 'true' });
    expect((await look()).hsd.bills).toEqual({ count: 1, amount: '3000.75' });
    // The same file again is still one bill.
    await uploadFile(api, tenant, 'bill again.csv', bill, { petrolPumpId, detail: 'true' });
    expect((await look()).hsd.bills).toEqual({ count: 1, amount: '3000.75' });
  });

  it('name what others did since, and not what the caller did', async () => {
    const { api, tenant, ownerId, tagId } = desk;
    const since = new Date().toISOString();
    expect((await look(desk.tenant, since)).changes).toEqual({
      since,
      challans: { count: 0, people: [] },
      payments: { count: 0, people: [] },
    });
    const first = await createChallan(api, { ...tenant, token: clerk.token }, { ownerId, tagId });
    await createChallan(api, { ...tenant, token: clerk.token }, { ownerId, tagId });
    await createChallan(api, { ...tenant, token: accountant.token }, { ownerId, tagId });
    await createChallan(api, tenant, { ownerId, tagId });
    await api.call(
      contract.bankStatement.markPaid,
      { body: { challanIds: [first.id] } },
      { token: accountant.token, key: 'by the accountant' },
    );
    expect((await look(desk.tenant, since)).changes).toEqual({
      since,
      challans: { count: 3, people: [clerk.name, accountant.name] },
      payments: { count: 1, people: [accountant.name] },
    });
    expect((await look(clerk, since)).changes).toMatchObject({ challans: { count: 2 }, payments: { count: 1 } });
    expect((await look()).changes).toBeNull();
    // It goes back a month at most.
    const { changes } = await look(desk.tenant, '2001-01-01T00:00:00Z');
    expect(dayOf(changes!.since)).toBe(addDays(today, -31));
    const wrong = await api.call(contract.today.get, { query: { since: 'yesterday' } }, desk.as());
    expectRefusal(wrong, 400, 'VALIDATION_ERROR', 'since must be a moment such as 2026-04-01T09:30:00Z');
  });

  it('of what waits are for who may do it, and of the bank for who may see it', async () => {
    const { api, as } = desk;
    const owner = await createOwner(api, desk.tenant, { name: 'Changed Carriers' });
    await api.call(
      contract.owners.update,
      {
        params: { id: owner.id },
        body: { ...buildOwner({ name: owner.name }), accountNo: '999900001111', version: owner.version },
      },
      as(),
    );
    // Who changed the account does not confirm it.
    expect((await look()).waiting).toEqual({ releases: 0, prepared: 0, owners: 0, bankAccounts: 0 });
    // Nor does who joined by a link of the owner's today.
    expect((await look(accountant)).waiting).toEqual({ releases: 0, prepared: 0, owners: 0, bankAccounts: 0 });
    const known = await seatPerson(api, desk.tenant, 'accountant');
    expect((await look(known)).waiting).toEqual({ releases: 0, prepared: 0, owners: 1, bankAccounts: 0 });
    expect(await look(clerk)).toMatchObject({ waiting: null, bank: null });
    const auditor = await addPerson(api, desk.tenant, 'auditor', addDays(today, 5));
    expect(await look(auditor)).toMatchObject({ waiting: null, bank: { failed: { count: 1 } } });
  });

  it('are those of the own business', async () => {
    const other = await desk.api.addTenant();
    expect(await look(other, new Date(0).toISOString())).toMatchObject({
      yesterday: null,
      due: { unpaid: { count: 0, amount: '0.00' }, afterDays: null },
      waiting: { releases: 0, prepared: 0, owners: 0, bankAccounts: 0 },
      bank: { noAnswer: { count: 0 }, failed: { count: 0 }, returned: { count: 0 } },
      hsd: { notVerified: { count: 0 }, bills: { count: 0 } },
      notDeposited: { count: 0, amount: '0.00' },
      changes: { challans: { count: 0, people: [] }, payments: { count: 0, people: [] } },
    });
  });
});
