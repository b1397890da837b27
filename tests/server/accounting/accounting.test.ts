import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import { challanExportColumns } from '../../../src/shared/columns/challan-export-columns.ts';
import type { OwnerSummary } from '../../../src/shared/contract/accounting.ts';
import { challanSortKeys } from '../../../src/shared/contract/challan-fields.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import {
  depositedDays,
  everyRow,
  isWanted,
  openAccountingDesk,
  workOnce,
  type Recounted,
  type Wanted,
} from '../support/accounting-desk.ts';
import { payChallans } from '../../../src/server/features/payments/payments.service.ts';
import { callerOf, startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createTag } from '../support/builders.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { randomOf } from '../support/random.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { accounting, challans } = contract;

type ListQuery = QueryInput<typeof accounting.listOwnerChallans>;
const list = (tenant: Tenant, query: ListQuery) =>
  api.call(accounting.listOwnerChallans, { query }, { token: tenant.token });
const download = (tenant: Tenant, body: object) =>
  api.callRaw('POST', '/api/accounting/export-owner-challans-csv', { token: tenant.token, body });

const queryOf = ({ ownerId, paymentStatus, tagId, from, to }: Wanted & { ownerId: string }) => ({
  ownerId,
  ...(paymentStatus === undefined ? {} : { paymentStatus }),
  ...(tagId === undefined ? {} : { tagId }),
  ...(from === undefined ? {} : { depositedStartDate: from }),
  ...(to === undefined ? {} : { depositedEndDate: to }),
});

function recount(rows: readonly Recounted[]): OwnerSummary {
  const paid = rows.filter((row) => row.paid);
  const unpaid = rows.filter((row) => !row.paid);
  const net = (some: readonly Recounted[]) => sum(some.map((row) => row.net));
  return {
    totalCount: rows.length,
    totalPayableAmount: net(rows),
    totalPaidAmount: net(paid),
    totalUnpaidAmount: net(unpaid),
    totalTds: sum(rows.map((row) => row.tds)),
    paidCount: paid.length,
    unpaidCount: unpaid.length,
  };
}

const columnOf = (key: string) => challanExportColumns.findIndex((column) => column.key === key);

interface FileLine {
  number: string;
  net: string;
  tds: string;
  paid: boolean;
}

function linesOf(text: string): FileLine[] {
  const records: string[][] = parse(text, { bom: true, from: 2, record_delimiter: '\r\n' });
  const cell = (record: string[], key: string) => record[columnOf(key)] ?? '';
  return records.map((record) => ({
    number: cell(record, 'challanNumber'),
    net: cell(record, 'netAmountPayable'),
    tds: cell(record, 'tdsAmount'),
    paid: cell(record, 'paymentStatus') === 'Yes',
  }));
}

describe("an owner's challans", () => {
  it('come newest first, ten a page, with the sums of all of them and the filters as understood', async () => {
    const { tenant, owners, tags } = await openAccountingDesk(api);
    const [ownerId, other] = [owners[0]!, owners[1]!];
    const made = [];
    for (let index = 0; index < 12; index += 1) {
      made.push(await createChallan(api, tenant, { ownerId, tagId: tags[0]! }, { paymentStatus: index < 2 }));
    }
    await createChallan(api, tenant, { ownerId: other, tagId: tags[0]! });
    const answer = await list(tenant, { ownerId });
    expect(answer.status).toBe(200);
    expect(answer.body.data.map(({ id }) => id)).toEqual(
      made
        .toReversed()
        .slice(0, 10)
        .map(({ id }) => id),
    );
    expect(answer.body.data[0]).toEqual(made[11]);
    // 12 times 19,551.00 net and 249.00 TDS, as buildChallan says.
    expect(answer.body.meta).toEqual({
      summary: {
        totalCount: 12,
        totalPayableAmount: '234612.00',
        totalPaidAmount: '39102.00',
        totalUnpaidAmount: '195510.00',
        totalTds: '2988.00',
        paidCount: 2,
        unpaidCount: 10,
      },
      filters: {
        ownerId,
        paymentStatus: null,
        tagId: null,
        depositedStartDate: null,
        depositedEndDate: null,
        paidStartDate: null,
        paidEndDate: null,
        sortBy: 'createdAt',
        sortOrder: 'desc',
      },
    });
    expect(answer.body.pagination).toMatchObject({ currentPage: 1, limit: 10, totalPages: 2, totalCount: 12 });
    const later = await list(tenant, { ownerId, page: 2, paymentStatus: 'unpaid', tagId: tags[0]!, sortOrder: 'asc' });
    expect(later.body.data).toEqual([]);
    expect(later.body.pagination).toMatchObject({ totalCount: 10, totalPages: 1, hasNext: false });
    expect(later.body.meta.filters).toMatchObject({ paymentStatus: false, tagId: tags[0], sortOrder: 'asc' });
  });

  it('are nothing but zeros with two decimals for an owner without any', async () => {
    const { tenant, owners } = await openAccountingDesk(api);
    const zeros = recount([]);
    expect(zeros.totalTds).toBe('0.00');
    for (const days of [{}, { depositedStartDate: '2026-04-01' }, { depositedEndDate: '2026-04-01' }]) {
      const query = { ownerId: owners[0]!, ...days };
      expect((await list(tenant, query)).body).toMatchObject({ data: [], meta: { summary: zeros } });
      const { body } = await api.call(accounting.getOwnerSummary, { query }, { token: tenant.token });
      expect(body.data).toEqual(zeros);
    }
  });

  it("take an unknown owner, another account's and a deleted one for the same: not found", async () => {
    const { tenant } = await openAccountingDesk(api);
    const foreign = await createOwner(api, await api.addTenant());
    const gone = await createOwner(api, tenant);
    await api.call(contract.owners.remove, { params: { id: gone.id } }, { token: tenant.token });
    for (const ownerId of [unknownId, foreign.id, gone.id]) {
      for (const answer of [
        await list(tenant, { ownerId }),
        await api.call(accounting.getOwnerSummary, { query: { ownerId } }, { token: tenant.token }),
        await download(tenant, { ownerId, filters: {} }),
      ]) {
        expectRefusal(answer, 404, 'NOT_FOUND', 'Owner not found');
      }
    }
  });

  it('refuse a missing owner, a reversed range and an unknown order', async () => {
    const { tenant, owners } = await openAccountingDesk(api);
    const get = (search: string) =>
      api.callRaw('GET', `/api/accounting/owner/challans${search}`, { token: tenant.token });
    for (const search of ['', '?ownerId=']) {
      const { status, error } = await get(search);
      expect([status, error.fields]).toEqual([400, { ownerId: 'Owner ID is required' }]);
    }
    const wrong = [
      `?ownerId=x`,
      `?ownerId=${owners[0]}&depositedStartDate=2026-04-02&depositedEndDate=2026-04-01`,
      `?ownerId=${owners[0]}&sortBy=remarks`,
      `?ownerId=${owners[0]}&limit=101`,
    ];
    for (const search of wrong) expect((await get(search)).status, search).toBe(400);
  });
});

describe("an owner's file", () => {
  it('carries the name of the owner and of the day, and the columns of the file', async () => {
    const { tenant } = await openAccountingDesk(api);
    const owner = await createOwner(api, tenant, { name: 'Bijay "B/K" Mohanta' });
    const answer = await download(tenant, {
      ownerId: owner.id,
      filters: { paymentStatus: null, startDate: null, endDate: null, tagId: null },
      requestMetadata: { timestamp: new Date().toISOString(), userAgent: 'A browser' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="owner_challans_report_Bijay_B_K_Mohanta_\d{4}-\d\d-\d\d\.csv"/,
    );
    expect(answer.text).toBe(`\ufeff${challanExportColumns.map(({ label }) => `"${label}"`).join(',')}\r\n`);
  });

  it('is in the order asked for, the same as the list', async () => {
    const { tenant, owners, tags } = await openAccountingDesk(api);
    const named = await createTag(api, tenant, { name: 'AAA first' });
    for (const [index, tagId] of [tags[1]!, named.id, tags[0]!, tags[1]!].entries()) {
      await createChallan(
        api,
        tenant,
        { ownerId: owners[0]!, tagId },
        {
          advanceMoney: String(100 * ((index * 7) % 4)),
          depositedAt: depositedDays[index % 3]!,
          vehicleNo: `OD09ZZ${9000 - index}`,
          paymentStatus: index === 1,
        },
      );
    }
    await api.inTenant(tenant, (db) =>
      db.query(`UPDATE challans SET deposited_at = NULL WHERE subadmin_id = $1 AND vehicle_no LIKE '%8999'`, [
        tenant.id,
      ]),
    );
    const orders = new Set<string>();
    for (const sortBy of challanSortKeys) {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const listed = await list(tenant, { ownerId: owners[0]!, sortBy, sortOrder });
        const numbers = listed.body.data.map(({ challanNumber }) => challanNumber);
        const file = await download(tenant, { ownerId: owners[0], filters: { sortBy, sortOrder } });
        expect(linesOf(file.text).map(({ number }) => number)).toEqual(numbers);
        orders.add(numbers.join());
      }
    }
    expect(orders.size).toBeGreaterThan(4);
  });

  it('refuses what is no filter', async () => {
    const { tenant, owners } = await openAccountingDesk(api);
    const ownerId = owners[0];
    const refused: [object, string][] = [
      [{ filters: {} }, 'VALIDATION_ERROR'],
      [{ ownerId }, 'VALIDATION_ERROR'],
      [{ ownerId: 'x', filters: {} }, 'VALIDATION_ERROR'],
      [{ ownerId, filters: { paymentStatus: 'paid' } }, 'VALIDATION_ERROR'],
      [{ ownerId, filters: { startDate: '2026-04-02', endDate: '2026-04-01' } }, 'VALIDATION_ERROR'],
      [{ ownerId, filters: { paidStartDate: '2026-04-02', paidEndDate: '2026-04-01' } }, 'VALIDATION_ERROR'],
      [{ ownerId, filters: { sortBy: 'id; DROP TABLE challans' } }, 'VALIDATION_ERROR'],
      [{ ownerId, filters: { depositedStartDate: '2026-04-02' } }, 'UNKNOWN_FIELD'],
    ];
    for (const [body, code] of refused) {
      const answer = await download(tenant, body);
      expect([body, answer.status, answer.error.code]).toEqual([body, 400, code]);
    }
  });
});

it('the paid days choose the same challans in list, cards, file and report', async () => {
  const { tenant, owners, tags } = await openAccountingDesk(api);
  const refs = { ownerId: owners[0]!, tagId: tags[0]! };
  const { ownerId } = refs;
  const made: { id: string }[] = [];
  for (let n = 0; n < 4; n += 1) made.push(await createChallan(api, tenant, refs));
  await api.inTenant(tenant, async (db) => {
    for (const [n, paidOn] of ['2026-05-01', '2026-05-02', '2026-05-03'].entries())
      await payChallans(db, callerOf(tenant), { kind: 'import', challanIds: [made[n]!.id], paidOn });
  });
  const ask = async (days: { paidStartDate?: string; paidEndDate?: string }, others: Partial<ListQuery> = {}) => {
    const query = { ownerId, sortOrder: 'asc' as const, ...others, ...days };
    const { body } = await list(tenant, query);
    const { data } = await api.call(accounting.getOwnerSummary, { query }, { token: tenant.token }).then((a) => a.body);
    expect(body.meta.summary).toEqual(data);
    expect(body.meta.filters).toMatchObject({ paidStartDate: null, paidEndDate: null, ...days });
    const file = linesOf((await download(tenant, { ownerId, filters: { sortOrder: 'asc', ...days } })).text);
    if (Object.keys(others).length === 0)
      expect(file.map(({ number }) => number)).toEqual(body.data.map((row) => row.challanNumber));
    return body.data.map(({ id }) => made.findIndex((one) => one.id === id));
  };
  expect(await ask({})).toEqual([0, 1, 2, 3]);
  expect(await ask({ paidStartDate: '2026-05-02' })).toEqual([1, 2]);
  expect(await ask({ paidEndDate: '2026-05-02' })).toEqual([0, 1]);
  expect(await ask({ paidStartDate: '2026-05-02', paidEndDate: '2026-05-02' })).toEqual([1]);
  expect(await ask({ paidStartDate: '2026-05-02' }, { paymentStatus: 'unpaid' })).toEqual([]);
  expect(await ask({ paidStartDate: '2026-05-02' }, { depositedStartDate: '2026-04-01' })).toEqual([1, 2]);
});

describe('cards, pages, file and ledger', () => {
  it('agree to the paisa after random histories, with every filter', async () => {
    const random = randomOf(testSeed('owner challans'));
    for (let round = 0; round < 2; round += 1) {
      const desk = await openAccountingDesk(api);
      const { tenant, owners, tags } = desk;
      for (let act = 0; act < 70; act += 1) await workOnce(api, desk, random);
      let rows = await everyRow(api, tenant);
      // A history may have deleted nearly all it made; too few rows would prove little.
      while (rows.length <= 5) {
        await workOnce(api, desk, random);
        rows = await everyRow(api, tenant);
      }
      for (let question = 0; question < 40; question += 1) {
        const wanted = {
          ownerId: random.pick(owners),
          paymentStatus: random.pick([undefined, undefined, true, false]),
          tagId: random.pick([undefined, undefined, 'none', ...tags]),
          from: random.pick([undefined, undefined, '2026-04-01', '2026-04-13']),
          to: random.pick([undefined, undefined, '2026-04-13', '2026-05-01']),
        };
        const expected = recount(rows.filter((row) => isWanted(row, wanted)));
        const query = queryOf(wanted);
        const { data } = (await api.call(accounting.getOwnerSummary, { query }, { token: tenant.token })).body;
        expect(data, JSON.stringify(wanted)).toEqual(expected);

        const pages = [];
        for (let page = 1; ; page += 1) {
          const { body } = await list(tenant, { ...query, page, limit: 7 });
          expect(body.meta.summary).toEqual(expected);
          pages.push(...body.data);
          if (!body.pagination.hasNext) break;
        }
        expect(pages.length).toBe(expected.totalCount);
        expect(sum(pages.map(({ netAmountPayable }) => netAmountPayable))).toBe(expected.totalPayableAmount);

        const { ownerId, paymentStatus = null, tagId = null, from = null, to = null } = wanted;
        const filters = { paymentStatus, tagId, startDate: from, endDate: to };
        const lines = linesOf((await download(tenant, { ownerId, filters })).text);
        expect(lines.map(({ number }) => number)).toEqual(pages.map(({ challanNumber }) => challanNumber));
        expect(sum(lines.map(({ net }) => net))).toBe(expected.totalPayableAmount);
        expect(sum(lines.map(({ tds }) => tds))).toBe(expected.totalTds);
        expect(lines.filter(({ paid }) => paid).length).toBe(expected.paidCount);
      }
      // What the cards call paid is what the ledger holds: payments that were not reversed.
      for (const ownerId of owners) {
        const paid = await api.inTenant(tenant, async (db) => {
          const { rows: ledger } = await db.query<{ paid: string }>(
            `SELECT coalesce(sum(CASE kind WHEN 'pay' THEN amount ELSE -amount END), 0.00)::text AS paid
             FROM payment_lines WHERE subadmin_id = $1 AND owner_id = $2`,
            [db.tenantId, ownerId],
          );
          return ledger[0]?.paid;
        });
        expect((await list(tenant, { ownerId })).body.meta.summary.totalPaidAmount).toBe(paid);
      }
      const all = await api.call(challans.list, {}, { token: tenant.token });
      expect(all.body.summary.totalCount).toBe(rows.length);
    }
  });
});
