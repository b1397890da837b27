import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { divide, sum } from '../../../src/shared/calc/money.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import { ageBuckets, mostPeriods, type AgeBucket, type Period } from '../../../src/shared/contract/dashboard.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { selectOwnerAgeing } from '../../../src/server/features/dashboard/dashboard.queries.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { testSeed } from '../../calc/seed.ts';
import { everyRow, isWanted, openAccountingDesk, workOnce, type Recounted } from '../support/accounting-desk.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner } from '../support/builders.ts';
import { unknownId } from '../support/expect.ts';
import { insertChallans, totalOf } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';
import { asSchemaOwner } from '../support/tables.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { dashboard, bankStatement, challans } = contract;

const weeks = async (tenant: Tenant, query: QueryInput<typeof dashboard.listWeeks> = {}) => {
  const answer = await api.call(dashboard.listWeeks, { query }, { token: tenant.token });
  expect(answer.status).toBe(200);
  return answer.body.data;
};

const ageing = async (tenant: Tenant, query: QueryInput<typeof dashboard.listOwnerAgeing> = {}) => {
  const answer = await api.call(dashboard.listOwnerAgeing, { query }, { token: tenant.token });
  expect(answer.status).toBe(200);
  return answer.body;
};

const insert = (tenant: Tenant, ownerId: string, count: number, depositedOn: string | null, tagId?: string) =>
  api.inTenant(tenant, (db) => insertChallans(db, { ownerId, tagId: tagId ?? null }, count, { depositedOn }));

const pay = (tenant: Tenant, challanIds: string[]) =>
  api.call(bankStatement.markPaid, { body: { challanIds } }, { token: tenant.token });

const idsOf = (made: readonly { id: string }[]) => made.map(({ id }) => id);

const none = { challanCount: 0, totalAmount: '0.00', paidCount: 0, paidAmount: '0.00' };

describe('challans by week', () => {
  it('are weeks from Monday to Sunday without a gap, cut to the days asked for', async () => {
    const { tenant, owners } = await openAccountingDesk(api);
    // 2026-04-13 is a Monday; the week after it stays empty.
    const sunday = await insert(tenant, owners[0]!, 2, '2026-04-19');
    const later = await insert(tenant, owners[0]!, 3, '2026-04-29');
    await pay(tenant, idsOf(later.slice(0, 1)));
    const figures = (made: { net: string; id: string; number: string }[], paid: typeof made) => ({
      challanCount: made.length,
      totalAmount: totalOf(made),
      paidCount: paid.length,
      paidAmount: totalOf(paid),
      unpaidCount: made.length - paid.length,
      unpaidAmount: totalOf(made.filter((challan) => !paid.includes(challan))),
    });
    const empty = { ...none, unpaidCount: 0, unpaidAmount: '0.00' };
    for (const fold of [false, true]) {
      if (fold) await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
      expect(await weeks(tenant, { startDate: '2026-04-12', endDate: '2026-05-01' })).toEqual({
        unit: 'week',
        periods: [
          { startDate: '2026-04-12', endDate: '2026-04-12', ...empty },
          { startDate: '2026-04-13', endDate: '2026-04-19', ...figures(sunday, []) },
          { startDate: '2026-04-20', endDate: '2026-04-26', ...empty },
          { startDate: '2026-04-27', endDate: '2026-05-01', ...figures(later, later.slice(0, 1)) },
        ],
      });
      // Without days the first and the last deposited day bound it.
      const { periods } = await weeks(tenant);
      expect(periods.map(({ startDate, endDate }) => [startDate, endDate])).toEqual([
        ['2026-04-19', '2026-04-19'],
        ['2026-04-20', '2026-04-26'],
        ['2026-04-27', '2026-04-29'],
      ]);
    }
  });

  it('go by the day in India', async () => {
    const { tenant, owners, tags } = await openAccountingDesk(api);
    const refs = { ownerId: owners[0]!, tagId: tags[0]! };
    // 18:29:59 UTC of Sunday is still Sunday in India; half past is Monday.
    await createChallan(api, tenant, refs, { depositedAt: '2026-04-19T18:29:59Z' });
    await createChallan(api, tenant, refs, { depositedAt: '2026-04-19T18:30:00Z' });
    const { periods } = await weeks(tenant);
    expect(periods.map(({ startDate, challanCount }) => [startDate, challanCount])).toEqual([
      ['2026-04-19', 1],
      ['2026-04-20', 1],
    ]);
  });

  it('are none where nothing was deposited, whatever days are asked for', async () => {
    const { tenant, owners } = await openAccountingDesk(api);
    await insert(tenant, owners[0]!, 2, null);
    for (const query of [{}, { startDate: '2026-04-01', endDate: '2026-04-30' }, { endDate: '2026-04-30' }]) {
      expect(await weeks(tenant, query)).toEqual({ unit: 'week', periods: [] });
    }
  });

  it('become months past sixty weeks and years past sixty months', async () => {
    const { tenant, owners } = await openAccountingDesk(api);
    await insert(tenant, owners[0]!, 1, '2026-04-15');
    const unitOf = async (startDate: string, endDate: string) => {
      const { unit, periods } = await weeks(tenant, { startDate, endDate });
      expect(periods.reduce((count, { challanCount }) => count + challanCount, 0)).toBe(1);
      return [unit, periods.length];
    };
    // From a Monday sixty weeks end on a Sunday.
    const lastOfSixty = addDays('2026-04-13', mostPeriods * 7 - 1);
    expect(await unitOf('2026-04-13', lastOfSixty)).toEqual(['week', 60]);
    expect(await unitOf('2026-04-13', addDays(lastOfSixty, 1))).toEqual(['month', 15]);
    expect(await unitOf('2026-04-12', lastOfSixty)).toEqual(['month', 15]);
    expect(await unitOf('2022-01-31', '2026-12-01')).toEqual(['month', 60]);
    expect(await unitOf('2021-12-31', '2026-12-01')).toEqual(['year', 6]);
    expect(await unitOf('1900-01-01', '2199-12-31')).toEqual(['year', 300]);
    const { periods } = await weeks(tenant, { startDate: '2021-12-31', endDate: '2026-06-30' });
    expect([periods[0], periods.at(-1)]).toMatchObject([
      { startDate: '2021-12-31', endDate: '2021-12-31' },
      { startDate: '2026-06-01', endDate: '2026-06-30', challanCount: 0 },
    ]);
  });

  it('show nothing for a tag that is unknown or of another account', async () => {
    const desk = await openAccountingDesk(api);
    const other = await openAccountingDesk(api);
    await insert(other.tenant, other.owners[0]!, 2, '2026-04-12', other.tags[0]);
    await insert(desk.tenant, desk.owners[0]!, 2, '2026-04-12', desk.tags[0]);
    const texts = [];
    for (const tagId of [unknownId, other.tags[0]!]) {
      const answer = await api.call(dashboard.listWeeks, { query: { tagId } }, { token: desk.tenant.token });
      expect(answer.status).toBe(200);
      texts.push(answer.text);
    }
    expect(texts).toEqual(['{"success":true,"data":{"unit":"week","periods":[]}}', texts[0]]);
  });

  it('refuses a reversed range, a day that does not exist and an unknown kind of tag', async () => {
    const { tenant } = await openAccountingDesk(api);
    for (const search of ['startDate=2026-04-02&endDate=2026-04-01', 'endDate=2026-02-30', 'tagId=all']) {
      const answer = await api.callRaw('GET', `/api/dashboard/weeks?${search}`, { token: tenant.token });
      expect([search, answer.status]).toEqual([search, 400]);
    }
  });
});

const daysAgo = (today: string, days: number) => addDays(today, -days);

/** The bucket of a deposited day, by days since deposit. */
function bucketOf(today: string, deposited: string | null): AgeBucket {
  if (deposited === null) return 'notDeposited';
  const edges: [AgeBucket, number][] = [
    ['days0to7', 7],
    ['days8to15', 15],
    ['days16to30', 30],
    ['days31to45', 45],
  ];
  return edges.find(([, oldest]) => deposited >= daysAgo(today, oldest))?.[0] ?? 'over45';
}

function recount(rows: readonly Recounted[], today: string) {
  const of = (some: readonly Recounted[]) => ({ count: some.length, amount: sum(some.map(({ net }) => net)) });
  const entries = ageBuckets.map(
    (bucket) => [bucket, of(rows.filter(({ deposited }) => bucketOf(today, deposited) === bucket))] as const,
  );
  return { total: of(rows), ...Object.fromEntries(entries) };
}

describe('owner ageing', () => {
  it('puts each day of both edges into its bucket, and the figures add up to the bank statement', async () => {
    const { tenant, owners } = await openAccountingDesk(api);
    const today = '2026-11-20';
    const ages: [number | null, AgeBucket][] = [
      [-3, 'days0to7'],
      [0, 'days0to7'],
      [7, 'days0to7'],
      [8, 'days8to15'],
      [15, 'days8to15'],
      [16, 'days16to30'],
      [30, 'days16to30'],
      [31, 'days31to45'],
      [45, 'days31to45'],
      [46, 'over45'],
      [200, 'over45'],
      [null, 'notDeposited'],
    ];
    const expected = new Map<AgeBucket, string[]>();
    for (const [days, bucket] of ages) {
      const day = days === null ? null : daysAgo(today, days);
      const made = await insert(tenant, owners[0]!, 1, day);
      expected.set(bucket, [...(expected.get(bucket) ?? []), ...made.map(({ net }) => net)]);
    }
    for (const fold of [false, true]) {
      if (fold) await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
      // Straight from the query: its today is a parameter.
      const { totals, owners: rows } = await api.inTenant(tenant, (db) =>
        selectOwnerAgeing(db, today, { page: 1, limit: 10, sortBy: 'oldest', sortOrder: 'desc' }),
      );
      for (const [bucket, nets] of expected) {
        expect([bucket, totals[bucket]]).toEqual([bucket, { count: nets.length, amount: sum(nets) }]);
      }
      expect(rows).toEqual([{ ownerId: owners[0], ownerName: rows[0]?.ownerName, ...totals }]);
      const statement = await api.call(bankStatement.list, {}, { token: tenant.token });
      expect(totals.total).toEqual({
        count: statement.body.data.summary.totalChallans,
        amount: statement.body.data.summary.totalUnpaidAmount,
      });
    }
  });

  it('is about today in India, and says which day that is', async () => {
    const { tenant } = await openAccountingDesk(api);
    const before = dayOf(new Date());
    const { meta, data, pagination } = await ageing(tenant);
    expect([before, dayOf(new Date())]).toContain(meta.today);
    expect(data).toEqual([]);
    expect(pagination).toMatchObject({ totalCount: 0, totalPages: 0 });
    const nothing = { count: 0, amount: '0.00' };
    expect(meta.totals).toEqual(Object.fromEntries(['total', ...ageBuckets].map((bucket) => [bucket, nothing])));
  });

  it('has the oldest debt first, owners without one not at all, and pages with the totals of all', async () => {
    const tenant = await api.addTenant();
    const today = dayOf(new Date());
    const make = async (name: string, debts: [number, number][]) => {
      const { id } = await createOwner(api, tenant, { name });
      for (const [days, count] of debts) await insert(tenant, id, count, daysAgo(today, days));
      return id;
    };
    const recent = await make('Recent and large', [[1, 40]]);
    const old = await make('Old', [[60, 2]]);
    const older = await make('Old, more', [[60, 5]]);
    const middle = await make('middle', [[20, 3]]);
    const paidUp = await createOwner(api, tenant, { name: 'Paid up' });
    await pay(tenant, idsOf(await insert(tenant, paidUp.id, 3, daysAgo(today, 50))));
    const order = async (query: QueryInput<typeof dashboard.listOwnerAgeing> = {}) =>
      (await ageing(tenant, query)).data.map(({ ownerId }) => ownerId);
    expect(await order()).toEqual([older, old, middle, recent]);
    expect(await order({ sortOrder: 'asc' })).toEqual([recent, middle, old, older]);
    expect(await order({ sortBy: 'total' })).toEqual([recent, older, middle, old]);
    expect(await order({ sortBy: 'ownerName', sortOrder: 'asc' })).toEqual([middle, old, older, recent]);
    const all = await ageing(tenant);
    const second = await ageing(tenant, { page: 2, limit: 3 });
    expect(second.data.map(({ ownerId }) => ownerId)).toEqual([recent]);
    expect(second.pagination).toMatchObject({ totalCount: 4, totalPages: 2, hasPrevious: true, hasNext: false });
    expect(second.meta.totals).toEqual(all.meta.totals);
    const past = await ageing(tenant, { page: 9, limit: 3 });
    expect([past.data, past.meta.totals, past.pagination.totalCount]).toEqual([[], all.meta.totals, 4]);
  });

  it('knows nothing of another account', async () => {
    const mine = await openAccountingDesk(api);
    const other = await openAccountingDesk(api);
    await insert(other.tenant, other.owners[0]!, 3, dayOf(new Date()));
    await api.inTenant(other.tenant, (db) => foldTotals(db, db.tenantId));
    expect((await ageing(mine.tenant)).data).toEqual([]);
    // Nor does the table itself, when a predicate is forgotten.
    const seen = await api.inTenant(mine.tenant, (db) => db.query('SELECT FROM challan_unpaid_by_owner_day'));
    expect(seen.rows).toEqual([]);
  });
});

describe('after random histories the dashboard is the recount to the paisa', () => {
  it('by week with every filter, and by age', async () => {
    const random = randomOf(testSeed('dashboard'));
    for (let round = 0; round < 2; round += 1) {
      const desk = await openAccountingDesk(api);
      const { tenant, tags, owners } = desk;
      for (let act = 0; act < 70; act += 1) await workOnce(api, desk, random);
      const every = await everyRow(api, tenant);
      for (let question = 0; question < 30; question += 1) {
        const from = random.pick([undefined, '2026-04-01', '2026-04-13']);
        const to = random.pick([undefined, '2026-04-13', '2026-05-01', '2027-12-31']);
        const tagId = random.pick([undefined, undefined, 'none', ...tags]);
        const query = { ...(from && { startDate: from }), ...(to && { endDate: to }), ...(tagId && { tagId }) };
        const { periods } = await weeks(tenant, query);
        const inDays = (row: Recounted, period: Period) =>
          isWanted(row, { from: period.startDate, to: period.endDate, tagId });
        let counted = 0;
        for (const period of periods) {
          const own = every.filter((row) => inDays(row, period));
          const net = (isPaid: boolean) => sum(own.filter(({ paid }) => paid === isPaid).map((row) => row.net));
          expect(period, JSON.stringify(query)).toEqual({
            startDate: period.startDate,
            endDate: period.endDate,
            challanCount: own.length,
            totalAmount: sum(own.map((row) => row.net)),
            paidCount: own.filter(({ paid }) => paid).length,
            paidAmount: net(true),
            unpaidCount: own.filter(({ paid }) => !paid).length,
            unpaidAmount: net(false),
          });
          counted += own.length;
        }
        const deposited = every.filter((row) => isWanted(row, { from, to, tagId }) && row.deposited !== null);
        expect(counted).toBe(deposited.length);
        // Each next one begins on the day after.
        for (const [index, period] of periods.slice(1).entries()) {
          expect(period.startDate).toBe(addDays(periods[index]!.endDate, 1));
        }
        if (periods.length > 0 && from) expect(periods[0]!.startDate).toBe(from);
        if (periods.length > 0 && to) expect(periods.at(-1)!.endDate).toBe(to);
      }
      const unpaid = every.filter(({ paid }) => !paid);
      for (const today of ['2026-04-12', '2026-04-20', '2026-04-21', '2026-05-16', '2026-05-28', '2026-08-01']) {
        const page = { page: 1, limit: 100, sortBy: 'oldest', sortOrder: 'desc' } as const;
        const found = await api.inTenant(tenant, (db) => selectOwnerAgeing(db, today, page));
        expect(found.totals, today).toEqual(recount(unpaid, today));
        const indebted = owners.filter((id) => unpaid.some(({ ownerId }) => ownerId === id));
        expect(found.owners.map(({ ownerId }) => ownerId).sort()).toEqual(indebted.sort());
        expect(found.ownerCount).toBe(indebted.length);
        for (const { ownerId, ownerName: _, ...row } of found.owners) {
          expect(row).toEqual(
            recount(
              unpaid.filter((challan) => challan.ownerId === ownerId),
              today,
            ),
          );
        }
      }
      await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
      const leftovers = await api.inTenant(tenant, (db) =>
        db.query('SELECT * FROM challan_unpaid_by_owner_day WHERE subadmin_id = $1 AND challans <= 0', [tenant.id]),
      );
      expect(leftovers.rows).toEqual([]);
    }
  });

  it('each figure of owner ageing is the total of the list it links to', async () => {
    const random = randomOf(testSeed('ageing links'));
    const desk = await openAccountingDesk(api);
    const today = dayOf(new Date());
    for (const ownerId of desk.owners) {
      for (let n = 0; n < 25; n += 1) {
        const made = await insert(desk.tenant, ownerId, 1, daysAgo(today, random.below(60)));
        if (random.chance(0.3)) await pay(desk.tenant, idsOf(made));
      }
      await insert(desk.tenant, ownerId, 3, null);
    }
    const { data, meta } = await ageing(desk.tenant);
    const ranges: Partial<Record<AgeBucket, { from?: number; to?: number }>> = {
      days0to7: { from: 7 },
      days8to15: { from: 15, to: 8 },
      days16to30: { from: 30, to: 16 },
      days31to45: { from: 45, to: 31 },
      over45: { to: 46 },
    };
    for (const { ownerId, ...row } of [...data, { ownerId: undefined, ...meta.totals }]) {
      const bare = { paymentStatus: 'unpaid', depositedDate: 'none', ...(ownerId && { ownerId }) } as const;
      const undated = await api.call(challans.list, { query: bare }, { token: desk.tenant.token });
      const { totalCount, totalAmount } = undated.body.summary;
      expect([totalCount, totalAmount]).toEqual([row.notDeposited.count, row.notDeposited.amount]);
      expect(undated.body.data).toHaveLength(totalCount);
      expect(undated.body.data.filter(({ depositedAt }) => depositedAt !== null)).toEqual([]);
      for (const [bucket, { from, to }] of Object.entries(ranges) as [AgeBucket, { from?: number; to?: number }][]) {
        const days = {
          ...(from === undefined ? {} : { depositedStartDate: daysAgo(meta.today, from) }),
          ...(to === undefined ? {} : { depositedEndDate: daysAgo(meta.today, to) }),
          ...(ownerId === undefined ? {} : { ownerId }),
        };
        const auth = { token: desk.tenant.token };
        const statement = await api.call(bankStatement.list, { query: days }, auth);
        const list = await api.call(challans.list, { query: { ...days, paymentStatus: 'unpaid' } }, auth);
        const { totalChallans, totalUnpaidAmount } = statement.body.data.summary;
        expect([bucket, totalChallans, totalUnpaidAmount]).toEqual([bucket, row[bucket].count, row[bucket].amount]);
        const { totalCount, totalAmount } = list.body.summary;
        expect([totalCount, totalAmount]).toEqual([row[bucket].count, row[bucket].amount]);
      }
    }
  });
});

describe('challans without a deposited day', () => {
  it('are a filter of the list with every other one, exact with and without open differences, and of its file', async () => {
    const { tenant, owners, tags } = await openAccountingDesk(api);
    const bare = await insert(tenant, owners[0]!, 3, null, tags[0]);
    const untagged = await insert(tenant, owners[1]!, 2, null);
    await insert(tenant, owners[0]!, 4, '2026-04-12', tags[0]);
    await pay(tenant, idsOf(bare.slice(0, 1)));
    const auth = { token: tenant.token };
    const cases: [QueryInput<typeof challans.list>, typeof bare][] = [
      [{}, [...bare, ...untagged]],
      [{ paymentStatus: 'unpaid' }, [...bare.slice(1), ...untagged]],
      [{ tagId: tags[0]! }, bare],
      [{ tagId: 'none' }, untagged],
      [{ ownerId: owners[0]!, paymentStatus: 'paid' }, bare.slice(0, 1)],
      [{ startDate: '2026-04-10', endDate: '2026-04-10' }, [...bare, ...untagged]],
      // No day lies in a range and is none.
      [{ depositedStartDate: '2026-04-01' }, []],
    ];
    for (const fold of [false, true]) {
      if (fold) await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
      for (const [query, wanted] of cases) {
        const answer = await api.call(challans.list, { query: { ...query, depositedDate: 'none' } }, auth);
        expect([answer.status, JSON.stringify(query)]).toEqual([200, JSON.stringify(query)]);
        expect(answer.body.data.map(({ id }) => id).sort()).toEqual(idsOf(wanted).sort());
        expect(answer.body.summary).toMatchObject({ totalCount: wanted.length, totalAmount: totalOf(wanted) });
      }
    }
    const filters = { depositedDate: 'none', ownerId: owners[0]! } as const;
    const file = await api.call(challans.exportCsv, { body: { filters } }, auth);
    expect(file.text.trim().split('\r\n')).toHaveLength(1 + bare.length);
    for (const { number } of bare) expect(file.text).toContain(number);
    const wrong = await api.callRaw('GET', '/api/challans?depositedDate=never', auth);
    expect(wrong.status).toBe(400);
  });
});

describe('the totals of tag analytics', () => {
  it('are the sums of its rows, shares and averages worked from the sums', async () => {
    const { tenant, owners, tags } = await openAccountingDesk(api);
    const first = await insert(tenant, owners[0]!, 5, '2026-04-12', tags[0]);
    const second = await insert(tenant, owners[1]!, 2, '2026-04-13', tags[1]);
    await pay(tenant, idsOf(first.slice(0, 2)));
    const answer = await api.call(contract.accounting.getTagAnalytics, {}, { token: tenant.token });
    const all = [...first, ...second];
    expect(answer.body.data.totals).toEqual({
      challanCount: 7,
      totalAmount: totalOf(all),
      paidCount: 2,
      unpaidCount: 5,
      paidAmount: totalOf(first.slice(0, 2)),
      unpaidAmount: totalOf([...first.slice(2), ...second]),
      paidPercent: '28.57',
      averageValue: divide(totalOf(all), '7'),
      loadingWeight: '7.00',
      unloadingWeight: '7.00',
      differenceWeight: '0.00',
    });
  });
});

describe('the roll-up of what is unpaid', () => {
  it('is a recount of the challans, open differences left to the fold', async () => {
    const { tenant, owners } = await openAccountingDesk(api);
    const folded = await insert(tenant, owners[0]!, 4, '2026-04-12');
    await pay(tenant, idsOf(folded.slice(0, 1)));
    await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
    await pay(tenant, idsOf(folded.slice(1, 2)));
    await insert(tenant, owners[1]!, 2, '2026-04-13');
    const today = '2026-04-20';
    const page = { page: 1, limit: 100, sortBy: 'oldest', sortOrder: 'desc' } as const;
    const before = await api.inTenant(tenant, (db) => selectOwnerAgeing(db, today, page));
    await asSchemaOwner(api, async (client) => {
      await client.query('BEGIN');
      await client.query('DELETE FROM challan_unpaid_by_owner_day');
      await client.query(recountUnpaid);
      await client.query('COMMIT');
    });
    const after = await api.inTenant(tenant, (db) => selectOwnerAgeing(db, today, page));
    expect(after).toEqual(before);
    await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
    expect(await api.inTenant(tenant, (db) => selectOwnerAgeing(db, today, page))).toEqual(before);
  });
});

/** What is unpaid by owner and day, and by owner, counted from the challans less the open differences. */
const recountUnpaid = `
  INSERT INTO challan_unpaid_by_owner_day (subadmin_id, owner_id, deposited_on, challans, net_amount)
  SELECT subadmin_id, owner_id, coalesce(deposited_on, 'infinity'), sum(challans), sum(net_amount)
  FROM (
    SELECT subadmin_id, owner_id, coalesce(deposited_on, '-infinity') AS deposited_on, 1 AS challans,
      net_amount_payable AS net_amount
    FROM challans WHERE deleted_at IS NULL AND NOT payment_status
    UNION ALL
    SELECT subadmin_id, owner_id, deposited_on, -challans, -net_amount FROM open_challan_totals WHERE NOT payment_status
  ) AS parts
  GROUP BY GROUPING SETS ((subadmin_id, owner_id, deposited_on), (subadmin_id, owner_id))
  HAVING sum(challans) <> 0 OR sum(net_amount) <> 0`;
