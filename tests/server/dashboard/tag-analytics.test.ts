import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subtract, sum } from '../../../src/shared/calc/money.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { testSeed } from '../../calc/seed.ts';
import { everyRow, isWanted, openAccountingDesk, workOnce } from '../support/accounting-desk.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createTag } from '../support/builders.ts';
import { unknownId } from '../support/expect.ts';
import { randomOf } from '../support/random.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const analyse = async (tenant: Tenant, query: QueryInput<typeof contract.accounting.getTagAnalytics> = {}) => {
  const answer = await api.call(contract.accounting.getTagAnalytics, { query }, { token: tenant.token });
  expect(answer.status).toBe(200);
  const { summary, tagAnalytics, generatedAt } = answer.body.data;
  return { summary, rows: tagAnalytics.tagBreakdown, generatedAt };
};

const nothing = {
  challanCount: 0,
  challanShare: '0.00',
  totalAmount: '0.00',
  amountShare: '0.00',
  paidCount: 0,
  unpaidCount: 0,
  paidAmount: '0.00',
  unpaidAmount: '0.00',
  paidPercent: '0.00',
  averageValue: '0.00',
  loadingWeight: '0.00',
  unloadingWeight: '0.00',
  differenceWeight: '0.00',
};

describe('tag analytics', () => {
  it('counts, sums, shares and percentages by tag, the largest amount first', async () => {
    const { tenant, owners } = await openAccountingDesk(api);
    const [ownerId] = owners;
    const iron = await createTag(api, tenant, { name: 'Iron ore', color: '#AA0000' });
    const coal = await createTag(api, tenant, { name: 'Coal', color: '#00AA00' });
    const make = (tagId: string, over: object = {}) => createChallan(api, tenant, { ownerId: ownerId!, tagId }, over);
    // Net 24,551.00 − advance; the dear ones are unpaid, so that percent by count and by amount differ.
    await make(iron.id, { paymentStatus: true, advanceMoney: '24000.00' });
    await make(iron.id, { paymentStatus: true, advanceMoney: '24000.00' });
    await make(iron.id, { advanceMoney: '0.00' });
    // 25.00 loaded and 26.00 unloaded: TDS of 25,000.00, nothing short, the difference below zero.
    await make(coal.id, { unloadingWeight: '26.00', advanceMoney: '0.00' });
    const before = Date.now();
    const { summary, rows, generatedAt } = await analyse(tenant);
    expect(Date.parse(generatedAt)).toBeGreaterThanOrEqual(before);
    // Iron 551 + 551 + 24,551 = 25,653.00; coal 25,000 − 250 − 100 = 24,650.00; three tags of the desk have none.
    expect(summary).toEqual({ totalTags: 5, totalChallans: 4, totalAmount: '50303.00', dateRange: null });
    expect(rows.slice(0, 2)).toEqual([
      {
        tagId: iron.id,
        tagName: 'Iron ore',
        color: '#AA0000',
        challanCount: 3,
        challanShare: '75.00',
        totalAmount: '25653.00',
        amountShare: '51.00',
        paidCount: 2,
        unpaidCount: 1,
        paidAmount: '1102.00',
        unpaidAmount: '24551.00',
        paidPercent: '66.67',
        averageValue: '8551.00',
        loadingWeight: '75.00',
        unloadingWeight: '74.70',
        differenceWeight: '0.30',
      },
      {
        tagId: coal.id,
        tagName: 'Coal',
        color: '#00AA00',
        challanCount: 1,
        challanShare: '25.00',
        totalAmount: '24650.00',
        amountShare: '49.00',
        paidCount: 0,
        unpaidCount: 1,
        paidAmount: '0.00',
        unpaidAmount: '24650.00',
        paidPercent: '0.00',
        averageValue: '24650.00',
        loadingWeight: '25.00',
        unloadingWeight: '26.00',
        differenceWeight: '-1.00',
      },
    ]);
    expect(rows).toHaveLength(5);
    for (const row of rows.slice(2)) expect(row).toMatchObject(nothing);
  });

  it('has challans without a tag as a row of their own, where there are any or where they were asked for', async () => {
    const { tenant, owners, tags } = await openAccountingDesk(api);
    const empty = await analyse(tenant, { tagId: 'none' });
    const untagged = { tagId: null, tagName: 'Without a tag', color: '#6B7280' };
    expect(empty.rows).toEqual([{ ...untagged, ...nothing }]);
    expect(empty.summary).toMatchObject({ totalTags: 0, totalChallans: 0, totalAmount: '0.00' });
    expect((await analyse(tenant)).rows.map(({ tagId }) => tagId)).not.toContain(null);
    const made = await createChallan(api, tenant, { ownerId: owners[0]!, tagId: tags[0]! });
    await createChallan(api, tenant, { ownerId: owners[0]!, tagId: tags[1]! });
    await api.inTenant(tenant, (db) =>
      db.query('UPDATE challans SET tag_id = NULL WHERE subadmin_id = $1 AND id = $2', [tenant.id, made.id]),
    );
    const all = await analyse(tenant);
    expect(all.summary).toMatchObject({ totalTags: 3, totalChallans: 2 });
    expect(all.rows.find(({ tagId }) => tagId === null)).toMatchObject({
      ...untagged,
      challanCount: 1,
      challanShare: '50.00',
    });
    const only = await analyse(tenant, { tagId: 'none' });
    expect(only.rows).toMatchObject([{ ...untagged, challanCount: 1, challanShare: '100.00' }]);
    expect(only.summary.totalTags).toBe(0);
  });

  it('knows the deposited days asked for, both ends included, and leaves out what was not deposited', async () => {
    const { tenant, owners, tags } = await openAccountingDesk(api);
    const refs = { ownerId: owners[0]!, tagId: tags[0]! };
    await createChallan(api, tenant, refs, { depositedAt: '2026-04-12T19:00:00Z' });
    const made = await createChallan(api, tenant, refs, { depositedAt: '2026-04-12' });
    await api.inTenant(tenant, (db) =>
      db.query('UPDATE challans SET deposited_at = NULL WHERE subadmin_id = $1 AND id = $2', [tenant.id, made.id]),
    );
    const countIn = async (query: object) => {
      const { summary, rows } = await analyse(tenant, query);
      expect(rows).toHaveLength(3);
      return [summary.totalChallans, summary.dateRange];
    };
    const day = '2026-04-13';
    for (const fold of [false, true]) {
      if (fold) await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
      expect(await countIn({})).toEqual([2, null]);
      expect(await countIn({ startDate: day, endDate: day })).toEqual([1, { startDate: day, endDate: day }]);
      expect(await countIn({ endDate: day })).toEqual([1, { startDate: null, endDate: day }]);
      expect(await countIn({ startDate: '2026-04-14' })).toEqual([0, { startDate: '2026-04-14', endDate: null }]);
    }
  });

  it('shows nothing for a tag that is unknown, deleted or of another account', async () => {
    const desk = await openAccountingDesk(api);
    const other = await openAccountingDesk(api);
    await createChallan(api, other.tenant, { ownerId: other.owners[0]!, tagId: other.tags[0]! });
    await api.call(contract.tags.remove, { params: { id: desk.tags[2]! } }, { token: desk.tenant.token });
    for (const tagId of [unknownId, other.tags[0]!, desk.tags[2]!]) {
      const { summary, rows } = await analyse(desk.tenant, { tagId });
      expect(rows).toEqual([]);
      expect(summary).toEqual({ totalTags: 0, totalChallans: 0, totalAmount: '0.00', dateRange: null });
    }
    expect((await analyse(desk.tenant)).summary).toMatchObject({ totalTags: 2, totalChallans: 0 });
  });

  it('refuses a reversed range, a day that does not exist and an unknown kind of tag', async () => {
    const { tenant } = await openAccountingDesk(api);
    for (const search of ['startDate=2026-04-02&endDate=2026-04-01', 'startDate=2026-02-30', 'tagId=all']) {
      const answer = await api.callRaw('GET', `/api/accounting/tag-analytics?${search}`, { token: tenant.token });
      expect([search, answer.status]).toEqual([search, 400]);
    }
  });

  it('is the recount to the paisa after random histories, with every filter', async () => {
    const random = randomOf(testSeed('tag analytics'));
    for (let round = 0; round < 2; round += 1) {
      const desk = await openAccountingDesk(api);
      const { tenant, tags } = desk;
      for (let act = 0; act < 70; act += 1) await workOnce(api, desk, random);
      const every = await everyRow(api, tenant);
      for (let question = 0; question < 40; question += 1) {
        const from = random.pick([undefined, '2026-04-01', '2026-04-13']);
        const to = random.pick([undefined, '2026-04-13', '2026-05-01']);
        const tagId = random.pick([undefined, undefined, 'none', ...tags]);
        const query = { ...(from && { startDate: from }), ...(to && { endDate: to }), ...(tagId && { tagId }) };
        const { summary, rows } = await analyse(tenant, query);
        const wanted = every.filter((row) => isWanted(row, { from, to, tagId }));
        expect(summary.totalChallans, JSON.stringify(query)).toBe(wanted.length);
        expect(summary.totalAmount).toBe(sum(wanted.map(({ net }) => net)));
        for (const row of rows) {
          const own = wanted.filter((challan) => challan.tagId === row.tagId);
          const net = (isPaid: boolean) => sum(own.filter(({ paid }) => paid === isPaid).map((challan) => challan.net));
          const loaded = sum(own.map((challan) => challan.loaded));
          const unloaded = sum(own.map((challan) => challan.unloaded));
          expect(row).toMatchObject({
            challanCount: own.length,
            totalAmount: sum(own.map((challan) => challan.net)),
            paidCount: own.filter(({ paid }) => paid).length,
            unpaidCount: own.filter(({ paid }) => !paid).length,
            paidAmount: net(true),
            unpaidAmount: net(false),
            loadingWeight: loaded,
            unloadingWeight: unloaded,
            differenceWeight: subtract(loaded, unloaded),
          });
        }
        expect(rows.reduce((count, row) => count + row.challanCount, 0)).toBe(wanted.length);
      }
    }
  });
});
