import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { daysOfMonth, type CheckResult } from '../../../src/shared/contract/month-packs.ts';
import type { CloseCheckId } from '../../../src/shared/filters/close-checks.ts';
import { withTenant, type InSnapshot } from '../../../src/server/db/tenant.ts';
import { createMonthPack } from '../../../src/server/features/accounting/month-packs.service.ts';
import { testSeed } from '../../calc/seed.ts';
import {
  createChallan,
  createDeclaration,
  createOwner,
  createPump,
  createTag,
  liftLock,
  lockPeriod,
} from '../support/builders.ts';
import { callerOf, type Tenant } from '../support/api.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { expectRefusal } from '../support/expect.ts';
import { addPerson } from '../support/people.ts';
import { randomOf } from '../support/random.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** The month closed, and its pack (docs/specification.md §32). */
const { monthPacks, challans, accounting, ownerStatements, paymentBatches, periodLock, tds, bankStatement } = contract;

let desk: BankDesk;
let tagId: string;
beforeAll(async () => {
  desk = await openBankDesk();
  tagId = (await createTag(desk.api, desk.tenant)).id;
});
afterAll(() => desk.api.close());

const close = (month: string, as = desk.as()) => desk.api.call(monthPacks.create, { body: { month } }, as);
const download = async (id: string, as = desk.as()) =>
  (await desk.api.callRaw('GET', `/api/accounting/month-packs/${id}/content`, as)).bytes;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function filesOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}
/** The cells of a CSV whose texts have no line breaks. */
const rowsOf = (csv: Buffer | undefined): string[][] =>
  (csv ?? Buffer.of())
    .toString()
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .slice(0, -1)
        .map(([, cell = '']) => cell.replace(/^"|"$/g, '').replaceAll('""', '"')),
    );

/** 'Challans Net' → '1234.00', 'Challans Rows' → '40' */
async function totalsOf(id: string, as = desk.as()): Promise<Record<string, string>> {
  const rows = rowsOf((await filesOf(await download(id, as))).get('control_totals.csv')).slice(1);
  return Object.fromEntries(
    rows.map(([file, what, count, amount]) => [`${file} ${what}`, count === '' ? amount! : count!]),
  );
}
const checksOf = async (month: string): Promise<Record<CloseCheckId, CheckResult>> => {
  const { data } = (await desk.api.call(monthPacks.checks, { query: { month } }, desk.as())).body;
  // Safe: the answer has every check.
  return Object.fromEntries(data.map((check) => [check.id, check])) as Record<CloseCheckId, CheckResult>;
};

/** Makes a month of random challans of several owners, part of them paid and sent to the bank. Today is taken to be after it. */
async function makeMonth(month: string) {
  const random = randomOf(testSeed('month packs'));
  const { api, tenant } = desk;
  const owners: string[] = [];
  for (const name of ['=Ram "& Sons"', 'Sita Roadways', 'Mohan & Co.'])
    owners.push((await createOwner(api, tenant, { name })).id);
  const pumps = [(await createPump(api, tenant)).id, (await createPump(api, tenant)).id];
  const made = [];
  for (let n = 0; n < 24; n += 1) {
    const day = `${month}-${String(1 + random.below(20)).padStart(2, '0')}`;
    const hasHsd = random.chance(0.5);
    made.push(
      await createChallan(
        api,
        tenant,
        { ownerId: random.pick(owners), tagId },
        {
          loadingDate: day,
          unloadingDate: day,
          depositedAt: day,
          ...(random.chance(0.3) && { unloadingWeight: '19.50' }),
          advanceMoney: `${random.below(500)}.${10 + random.below(90)}`,
          ...(hasHsd && { petrolPumpId: random.pick(pumps), hsdPricePerLiter: '90.50', hsdInLiters: '11.00' }),
        },
      ),
    );
  }
  const [deposited, bare] = [made.slice(0, 20), made.slice(20)];
  await api.inTenant(tenant, (db) =>
    db.query('UPDATE challans SET deposited_at = NULL WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])', [
      db.tenantId,
      bare.map(({ id }) => id),
    ]),
  );
  return { owners, pumps, made, deposited };
}

/** The present month ends in some days; its pack is made as if it were over. */
const allowLocksToCome = () =>
  asSchemaOwner(desk.api, (client) =>
    client.query('ALTER TABLE period_lock_acts DROP CONSTRAINT IF EXISTS period_lock_is_past'),
  );
const dayAfter = (day: string) => new Date(`${addDays(day, 1)}T12:00:00Z`);
const snapshotOf =
  ({ id }: Tenant): InSnapshot =>
  (work) =>
    withTenant(desk.api.pools.stream, id, 'read', work);

describe('a pack', () => {
  it('has the totals that the screens have, for random challans', { timeout: 120_000 }, async () => {
    const today = dayOf(new Date());
    const month = today.slice(0, 7);
    const days = daysOfMonth(month);
    const { owners, made, deposited } = await makeMonth(month);
    const paid = await desk.pay(deposited.slice(0, 10).map(({ id }) => id));
    const lines = await desk.send([paid.body.data.batchId ?? '']);
    const [first] = lines;
    await desk.accept([{ fileId: first!.fileId, lineNo: first!.lineNo, outcome: 'executed', utr: 'N097262000000777' }]);
    const single = await desk.pay([deposited[10]!.id]);
    const batch = { params: { id: single.body.data.batchId ?? '' }, body: { reason: 'wrong account' } };
    await desk.api.call(paymentBatches.reverse, batch, desk.as());
    const entry = { ownerId: owners[0]!, asOf: addDays(days.from, -1), amount: '750.25' };
    await desk.api.call(ownerStatements.setOpenings, { body: { entries: [entry] } }, desk.as());

    await allowLocksToCome();
    const pack = await desk.api.inTenant(desk.tenant, (db) =>
      createMonthPack(db, desk.caller, { month }, { now: dayAfter(days.to), inSnapshot: snapshotOf(desk.tenant) }),
    );
    const totals = await totalsOf(pack.id);

    // The list of challans, with those that have no deposited day.
    const list = async (query: object) =>
      (await desk.api.call(challans.list, { query: { limit: 1, ...query } }, desk.as())).body;
    const withDay = await list({ depositedStartDate: days.from, depositedEndDate: days.to });
    const without = await list({ depositedDate: 'none' });
    expect(totals['Challans Rows']).toBe(String(withDay.pagination.totalCount + without.pagination.totalCount));
    expect(totals['Challans Rows']).toBe(String(made.length));
    expect(totals['Challans Net']).toBe(sum(made.map(({ netAmountPayable }) => netAmountPayable)));
    expect([pack.challanCount, pack.netAmount]).toEqual([made.length, totals['Challans Net']]);

    // Payments: what was paid, less what came back, is what is still paid.
    const payments = await desk.api.call(
      paymentBatches.list,
      { query: { startDate: days.from, endDate: days.to } },
      desk.as(),
    );
    expect(totals['Payments Amount']).toBe(payments.body.summary.paidAmount);

    // Owner balances: the closing balance of each statement.
    const balances: string[] = [];
    for (const ownerId of [...owners, desk.ownerId, desk.otherOwnerId]) {
      const query = { ownerId, endDate: today };
      balances.push((await desk.api.call(ownerStatements.current, { query }, desk.as())).body.data.closing);
    }
    expect(totals['Owner balances Balance']).toBe(sum(balances));

    // Accounting: what is unpaid.
    const unpaid = (await desk.api.call(accounting.listOwners, { query: {} }, desk.as())).body.summary;
    expect(totals['Ageing Total Unpaid']).toBe(unpaid.unpaidAmount);

    // The TDS register of the year, in which nothing else was paid.
    const register = (await desk.api.call(tds.list, { query: {} }, desk.as())).body.totals;
    expect([totals['TDS working Rows'], totals['TDS working Gross'], totals['TDS working TDS']]).toEqual([
      String(register.challanCount),
      register.gross,
      register.tdsAmount,
    ]);

    // HSD and shortages are those of the register.
    expect(totals['HSD by pump HSD']).toBe(totals['Challans HSD']);
    expect(totals['Shortages Material shortage']).toBe(totals['Challans Material shortage']);

    const files = await filesOf(await download(pack.id));
    const payment = rowsOf(files.get('payments.csv')).find((row) => row.includes('N097262000000777'));
    expect(payment).toContain(first!.amount);
    // No cell is a formula.
    expect(files.get('challans.csv')!.toString()).toContain(`"'=Ram ""& Sons"""`);
    expect(files.get('challans.csv')!.toString()).not.toMatch(/,"[=+@]/);
    expect([...files.keys()]).toEqual(
      [...files.keys()].toSorted((a, b) => (a === 'SHA256SUMS' ? 1 : b === 'SHA256SUMS' ? -1 : a < b ? -1 : 1)),
    );
    expect(files.size).toBe(20);
    for (const line of files.get('SHA256SUMS')!.toString().trimEnd().split('\n')) {
      const [hash, name] = line.split('  ');
      expect(sha256(files.get(name!)!)).toBe(hash);
    }
  });
});

it('has a payment that is made meanwhile in all of its tables or in none', async () => {
  const tenant = await desk.api.addTenant();
  const as = { token: tenant.token };
  const today = dayOf(new Date());
  const month = today.slice(0, 7);
  const refs = { ownerId: (await createOwner(desk.api, tenant)).id, tagId: (await createTag(desk.api, tenant)).id };
  const days = { loadingDate: today, unloadingDate: today, depositedAt: today };
  const challan = await createChallan(desk.api, tenant, refs, days);
  await allowLocksToCome();
  const pay = () => desk.api.call(bankStatement.markPaid, { body: { challanIds: [challan.id] } }, as);
  let isPaid = false;
  const inSnapshot: InSnapshot = (work) =>
    snapshotOf(tenant)((db) => {
      const query = db.query.bind(db);
      // The register has been read by then.
      db.query = async (text, values, name) => {
        if (!isPaid && text.startsWith('DECLARE pack_transfers')) isPaid = (await pay()).status === 200;
        return query(text, values, name);
      };
      return work(db);
    });
  const make = () =>
    desk.api.inTenant(tenant, (db) =>
      createMonthPack(db, callerOf(tenant), { month }, { now: dayAfter(daysOfMonth(month).to), inSnapshot }),
    );
  const paidOf = async (id: string) => {
    const totals = await totalsOf(id, as);
    return [totals['Payments Rows'], totals['Owner balances Paid'], totals['TDS working Rows']];
  };
  expect([await paidOf((await make()).id), isPaid]).toEqual([['0', '0.00', '0'], true]);
  expect(await paidOf((await make()).id)).toEqual(['1', challan.netAmountPayable, '1']);
});

describe('closing a month', () => {
  const april = '2026-04';

  it('shows what is open, and 0 once it is done', async () => {
    const other = await openBankDesk();
    const before = desk;
    desk = other;
    try {
      const [bare] = await other.make(1, { depositedOn: null });
      const negative = await createOwner(other.api, other.tenant, { panNo: 'ABCDE1234F' });
      await createChallan(
        other.api,
        other.tenant,
        { ownerId: negative.id, tagId: other.tagId },
        {
          petrolPumpId: (await createPump(other.api, other.tenant)).id,
          hsdPricePerLiter: '90.00',
          hsdInLiters: '1000.00',
        },
      );
      await createDeclaration(other.api, other.tenant, (await createOwner(other.api, other.tenant)).id, {
        panNo: 'BNZPM0001Q',
      });
      await other.bringIn([
        ['Date', 'Narration', 'Withdrawal', 'Deposit', 'Balance'],
        ['12/04/2026', 'Rent', '5,000.00', '', '95,000.00'],
      ]);
      const found = await checksOf(april);
      expect(found.notDeposited).toMatchObject({ count: 1, amount: bare!.net });
      expect(found.hsdNotVerified).toMatchObject({ count: 1, amount: '90000.00' });
      expect(found.negativeNets.count).toBe(1);
      expect(found.missingPans.count).toBe(1);
      expect(found.statementLines.count).toBe(1);
      expect(found.bankLines).toMatchObject({ count: 0, amount: '0.00' });
      expect(found.lapsingDeclarations).toMatchObject({ count: 0, amount: null });
      expect(found.tdsNotDeposited).toMatchObject({ count: 0 });
      // A month before all of it has nothing open.
      const earlier = await checksOf('2026-03');
      expect(Object.values(earlier).map(({ count }) => count)).toEqual(Object.values(earlier).map(() => 0));
      const list = await other.api.call(
        challans.list,
        { query: { hsdVerified: 'unverified', depositedEndDate: '2026-04-30' } as never },
        other.as(),
      );
      expect(list.body.pagination.totalCount).toBe(found.hsdNotVerified.count);
    } finally {
      desk = before;
      await other.api.close();
    }
  });

  it(
    'locks the month and makes the pack in one act; the bytes stay the same whatever changes',
    { timeout: 60_000 },
    async () => {
      const tenant = await desk.api.addTenant();
      const as = { token: tenant.token };
      const owner = await createOwner(desk.api, tenant, { name: 'Ram Das' });
      const refs = { ownerId: owner.id, tagId: (await createTag(desk.api, tenant)).id };
      const challan = await createChallan(desk.api, tenant, refs);
      const { data: first } = (await close(april, as)).body;
      expect(first).toMatchObject({ number: 'MP-2627-000001', month: april, challanCount: 1, earlierCount: 0 });
      const lock = async () => (await desk.api.call(periodLock.get, {}, as)).body.data;
      expect(await lock()).toMatchObject({ upTo: '2026-04-30', openUntil: null });
      const bytes = await download(first.id, as);
      expect([sha256(bytes), bytes.length]).toEqual([first.sha256, first.size]);

      // Nothing has changed: the same pack, and no second one.
      expect((await close(april, as)).body.data).toEqual(first);

      // Everything behind it changes.
      await liftLock(desk.api, tenant, 'A wrong rate');
      const change = { params: { id: challan.id }, body: { ratePerMT: '1300.00' } };
      expect((await desk.api.call(challans.update, change, as)).status).toBe(200);
      await desk.api.call(contract.owners.update, { params: { id: owner.id }, body: { name: 'Another' } }, as);
      await desk.api.call(bankStatement.markPaid, { body: { challanIds: [challan.id] } }, as);
      expect(await download(first.id, as)).toEqual(bytes);

      // Closing again ends the lift, and the pack is another one that lists the change.
      const { data: second } = (await close(april, as)).body;
      expect(second).toMatchObject({ number: 'MP-2627-000002', earlierCount: 1 });
      expect(second.sha256).not.toBe(first.sha256);
      expect(await lock()).toMatchObject({ upTo: '2026-04-30', openUntil: null });
      const changes = (await filesOf(await download(second.id, as))).get('changes_while_open.csv')!.toString();
      expect(changes).toContain(challan.challanNumber);
      expect(changes).toContain('A wrong rate');
      expect(await download(first.id, as)).toEqual(bytes);
      const { data } = (await desk.api.call(monthPacks.list, { query: {} }, as)).body;
      expect(data.map(({ number, earlierCount }) => [number, earlierCount])).toEqual([
        ['MP-2627-000002', 1],
        ['MP-2627-000001', 0],
      ]);

      // A later lock stays.
      await lockPeriod(desk.api, tenant, '2026-06-30');
      expect((await close('2026-05', as)).status).toBe(201);
      expect(await lock()).toMatchObject({ upTo: '2026-06-30' });
    },
  );

  it('is refused for a month that is not over, and then nothing is locked or made', async () => {
    const tenant = await desk.api.addTenant();
    const as = { token: tenant.token };
    const month = addDays(`${dayOf(new Date()).slice(0, 8)}28`, 10).slice(0, 7);
    expectRefusal(await close(month, as), 400, 'VALIDATION_ERROR', 'The month is not over yet');
    expectRefusal(await close('2026-13', as), 400, 'VALIDATION_ERROR', 'month must be a month such as 2026-04');
    await lockPeriod(desk.api, tenant, '2026-01-31');
    expect((await desk.api.call(periodLock.get, {}, as)).body.data.upTo).toBe('2026-01-31');
    expect((await desk.api.call(monthPacks.list, { query: {} }, as)).body.data).toEqual([]);
  });

  it('leaves nothing locked when the pack cannot be stored, and makes one pack when two close at once', async () => {
    const tenant = await desk.api.addTenant();
    const as = { token: tenant.token };
    await asSchemaOwner(desk.api, (client) =>
      client.query('ALTER TABLE month_packs ADD CONSTRAINT full_disk CHECK (false) NOT VALID'),
    );
    expect((await close(april, as)).status).toBe(500);
    await asSchemaOwner(desk.api, (client) => client.query('ALTER TABLE month_packs DROP CONSTRAINT full_disk'));
    expect((await desk.api.call(periodLock.get, {}, as)).body.data.upTo).toBeNull();
    const both = await Promise.all([close(april, as), close(april, as)]);
    expect(both.map(({ status, body }) => [status, body.data.number])).toEqual([
      [201, 'MP-2627-000001'],
      [201, 'MP-2627-000001'],
    ]);
  });

  it('is done by owners; accountants and auditors download, clerks and other businesses do not', async () => {
    const tenant = await desk.api.addTenant();
    const { data: pack } = (await close(april, { token: tenant.token })).body;
    for (const seat of ['accountant', 'auditor', 'clerk'] as const) {
      const { token } = await addPerson(desk.api, tenant, seat);
      expectRefusal(await close(april, { token }), 403, 'FORBIDDEN');
      const { status } = await desk.api.callRaw('GET', `/api/accounting/month-packs/${pack.id}/content`, { token });
      expect(status).toBe(seat === 'clerk' ? 403 : 200);
    }
    const stranger = await desk.api.addTenant();
    const asked = await desk.api.call(monthPacks.download, { params: { id: pack.id } }, { token: stranger.token });
    expectRefusal(asked, 404, 'NOT_FOUND');
  });
});
