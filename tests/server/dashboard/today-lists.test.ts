import { afterAll, beforeAll, expect, it } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { todayLists, type TodayList } from '../../../src/shared/filters/today-lists.ts';
import { testSeed } from '../../calc/seed.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { buildOwner, createBankAccount, createChallan, createOwner, createPump } from '../support/builders.ts';
import { csvOf, uploadFile } from '../support/hsd-desk.ts';
import { idsOf } from '../support/ledger.ts';
import { seatPerson, type TestPerson } from '../support/people.ts';
import { asSchemaOwner } from '../support/tables.ts';
import { randomOf } from '../support/random.ts';

/** Each figure of Today opens a list that has exactly what it counts (docs/specification.md §34). */
let desk: BankDesk;
let partner: TestPerson;
beforeAll(async () => {
  desk = await openBankDesk();
  partner = await seatPerson(desk.api, desk.tenant, 'owner');
});
afterAll(() => desk.api.close());

const random = randomOf(testSeed('today-lists'));
const today = dayOf(new Date());

interface Listed {
  count: number;
  /** Absent: the list has no sum of this. */
  amount?: string;
}

/** What the list of each screen says of a filter, as its screen asks for it. */
const listOf: Readonly<Record<string, (query: object, token: string) => Promise<Listed>>> = {
  '/challans': async (query, token) => {
    const { summary } = (await desk.api.call(contract.challans.list, { query }, { token })).body;
    return { count: summary.totalCount, amount: summary.totalAmount };
  },
  '/accounting/bank-statement': async (query, token) => {
    const { summary } = (await desk.api.call(contract.bankStatement.list, { query }, { token })).body.data;
    return { count: summary.totalChallans, amount: summary.totalUnpaidAmount };
  },
  '/accounting/to-release': async (query, token) => {
    const asked = { query: { ...query, show: 'open' as const } };
    return {
      count: (await desk.api.call(contract.preparedPayments.list, asked, { token })).body.pagination.totalCount,
    };
  },
  '/owners': async (query, token) => {
    const { data, pagination } = (await desk.api.call(contract.owners.list, { query }, { token })).body;
    expect(data).toHaveLength(pagination.totalCount);
    return { count: data.length };
  },
  '/profile/bank-accounts': async (query, token) => ({
    count: (await desk.api.call(contract.bankAccounts.list, { query }, { token })).body.pagination.totalCount,
  }),
  '/accounting/bank': async (query, token) => {
    const { lines: count, amount } = (await desk.api.call(contract.bankAnswers.listLines, { query }, { token })).body
      .totals;
    return { count, amount };
  },
  '/hsd-verification/ledger': async (query, token) => {
    const asked = { query: { ...query, limit: 100 } };
    const { data } = (await desk.api.call(contract.hsdVerification.listLedger, asked, { token })).body;
    return { count: data.length, amount: sum(['0.00', ...data.map(({ disputedAmount }) => disputedAmount)]) };
  },
  '/exceptions': async (query, token) => ({
    count: (await desk.api.call(contract.exceptions.list, { query }, { token })).body.pagination.totalCount,
  }),
};

const ask = ({ path, query }: TodayList, token: string): Promise<Listed> => listOf[path]!(query, token);

async function addChallans(): Promise<void> {
  const { api, tenant, ownerId, otherOwnerId, tagId } = desk;
  const pumps = [await createPump(api, tenant), await createPump(api, tenant)];
  const billed: { tpNo: string; pumpId: string; amount: string }[] = [];
  const made: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    const loaded = addDays(today, -(n < 8 ? 1 : random.below(100)));
    const pumpId = random.chance(0.6) ? random.pick(pumps).id : undefined;
    const liters = `${1 + random.below(90)}.50`;
    // The first two have the same: an exception.
    const tpNo = `TP${Math.max(1, n)}`;
    const challan = await createChallan(
      api,
      tenant,
      { ownerId: random.pick([ownerId, otherOwnerId]), tagId },
      {
        tpNo,
        loadingDate: loaded,
        unloadingDate: loaded,
        depositedAt: addDays(loaded, random.below(20)),
        ...(pumpId && { petrolPumpId: pumpId, hsdPricePerLiter: '90.00', hsdInLiters: liters }),
      },
    );
    made.push(challan.id);
    if (pumpId) billed.push({ tpNo, pumpId, amount: challan.hsdAmount });
  }
  await api.inTenant(tenant, async (db) => {
    const set = (change: string, ids: readonly string[], and = 'true') =>
      db.query(`UPDATE challans SET ${change} WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) AND ${and}`, [
        db.tenantId,
        ids,
      ]);
    await set('deposited_at = NULL', random.some(made, 9));
    await set('hsd_verified = true, hsd_verified_at = now()', random.some(made, 20), 'petrol_pump_id IS NOT NULL');
    await set('deleted_at = now()', made.splice(20, 2));
  });
  for (const pump of pumps)
    for (let n = 0; n < 4; n += 1) {
      // Some amounts differ, and some TP numbers are on several bills.
      const rows = random
        .some(billed, 8)
        .filter(({ pumpId }) => pumpId === pump.id)
        .map(({ tpNo, amount }): [string, string] => [tpNo, random.chance(0.7) ? amount : '12345.25']);
      if (rows.length === 0) continue;
      const { data } = await uploadFile(api, tenant, `bill ${n}.csv`, csvOf(rows), {
        petrolPumpId: pump.id,
        detail: 'true',
      });
      // What was uploaded is written once, so the triggers that keep it so are passed over.
      await asSchemaOwner(api, async (client) => {
        await client.query('SET session_replication_role = replica');
        await client.query('UPDATE hsd_uploads SET created_at = now() - make_interval(days => $2) WHERE id = $1', [
          data.detail?.uploadId,
          random.below(120),
        ]);
      });
    }
  const paid = await desk.pay(random.some(made, 30), 'so that there is a rhythm');
  expect(paid.status, paid.text).toBe(200);
}

async function addLinesAtBank(): Promise<void> {
  const { lines } = await desk.sent(14, 1);
  await desk.api.inTenant(desk.tenant, async (db) => {
    for (const [at, { fileId, lineNo }] of lines.entries()) {
      // The first are news for sure.
      const events =
        at < 2
          ? [[at === 0 ? 'failed' : 'returned', 6] as const]
          : [20, 6 + random.below(3), 0]
              .slice(0, random.below(4))
              .map((days) => [random.pick(['executed', 'failed', 'returned', 'reopened']), days] as const);
      for (const [no, [event, days]] of events.entries())
        await db.query(
          `INSERT INTO bank_line_events (subadmin_id, file_id, line_no, event_no, event, source, created_at, created_by)
           VALUES ($1, $2, $3, $4, $5, 'paste', now() - make_interval(days => $6), $1)`,
          [db.tenantId, fileId, lineNo, no + 1, event, days],
        );
    }
  });
}

/** Both change accounts and prepare payments, so that each may decide on some and not on others. */
async function addWhatWaits(): Promise<void> {
  const { api, tenant } = desk;
  const [first, second] = [{ token: tenant.token }, { token: partner.token }];
  for (const by of [first, second, second]) {
    const { id, name, version } = await createOwner(api, tenant);
    const body = { ...buildOwner({ name }), accountNo: `9999${random.below(1e9)}`.padEnd(12, '1'), version };
    expect((await api.call(contract.owners.update, { params: { id }, body }, by)).status).toBe(200);
    const account = await createBankAccount(api, tenant, { name: `Account of ${name}` });
    const change = { accountNo: `8888${random.below(1e9)}`.padEnd(12, '1'), version: account.version };
    await api.call(contract.bankAccounts.update, { params: { id: account.id }, body: change }, by);
    const challanIds = idsOf(await desk.make(2));
    const prepared = await api.call(contract.preparedPayments.prepare, { body: { pay: { challanIds } } }, by);
    expect(prepared.status, prepared.text).toBe(201);
  }
}

it('every figure of Today is that of the list that it opens', async () => {
  await addChallans();
  await addLinesAtBank();
  await addWhatWaits();
  const empty: string[] = [];
  for (const { token } of [desk.tenant, partner]) {
    const { data } = (await desk.api.call(contract.today.get, { query: {} }, { token })).body;
    const { yesterday, due, waiting, bank, hsd, notDeposited } = data;
    const unusual = (await desk.api.call(contract.exceptions.getSummary, {}, { token })).body.data;
    if (!yesterday || !waiting || !bank) throw new Error('Both see every line');
    const figures: readonly (readonly [name: string, figure: Listed, list: TodayList])[] = [
      ['yesterday', { count: yesterday.count }, todayLists.loadedOn(yesterday.day)],
      ['unpaid', due.unpaid, todayLists.unpaid()],
      ...due.by.map(
        ({ by, count, amount, depositedUntil }) =>
          [`due ${by}`, { count, amount }, todayLists.unpaid(depositedUntil)] as const,
      ),
      ['prepared', { count: waiting.prepared }, todayLists.releases],
      ['owners', { count: waiting.owners }, todayLists.owners],
      ['paying accounts', { count: waiting.bankAccounts }, todayLists.bankAccounts],
      ['no answer', bank.noAnswer, todayLists.noAnswer],
      ['failed', bank.failed, todayLists.answered('failed', bank.since)],
      ['returned', bank.returned, todayLists.answered('returned', bank.since)],
      ['not verified', { count: hsd.notVerified.count }, todayLists.notVerified(hsd.since)],
      ['bills', hsd.bills, todayLists.bills(hsd.since)],
      ['no deposited day', notDeposited, todayLists.notDeposited],
      ['exceptions', { count: unusual.count }, todayLists.exceptions],
    ];
    for (const [name, figure, list] of figures) {
      expect([name, await ask(list, token)]).toEqual([name, expect.objectContaining(figure)]);
      if (figure.count === 0) empty.push(name);
    }
  }
  // All have something to compare.
  expect(empty).toEqual([]);
});
