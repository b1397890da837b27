import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { add, subtract, sum } from '../../../src/shared/calc/money.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner, createTag } from '../support/builders.ts';
import { assertTotals, idsOf, insertChallans, totalOf, type TestChallan } from '../support/ledger.ts';

let api: Api;
let tenant: Tenant;
let tag: { id: string; name: string; color: string };
const owners: Record<'abani' | 'bijay' | 'percent' | 'paidUp', string> = {
  abani: '',
  bijay: '',
  percent: '',
  paidUp: '',
};
const made: Record<'abaniApril' | 'abaniMay' | 'bijayUntagged' | 'bijayOpen' | 'percent' | 'foreign', TestChallan[]> = {
  abaniApril: [],
  abaniMay: [],
  bijayUntagged: [],
  bijayOpen: [],
  percent: [],
  foreign: [],
};

const list = (query: Record<string, string>, token = tenant.token) =>
  api.callRaw('GET', `/api/challans/bank-report?${new URLSearchParams(query).toString()}`, { token });

interface Listed {
  owners: {
    id: string;
    name: string;
    unpaidAmount: string;
    unpaidCount: number;
    challans: { challanId: string; netAmountPayable: string; depositedAt: string | null; tag: unknown }[];
  }[];
  summary: { totalOwners: number; totalChallans: number; totalUnpaidAmount: string };
}
const dataOf = (answer: { status: number; text: string; body: Record<string, unknown> }): Listed => {
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  return answer.body.data as Listed;
};

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  tag = await createTag(api, tenant, { name: 'OMC Joda' });
  owners.abani = (await createOwner(api, tenant, { name: 'abani "Bulu" Sahu', accountNo: '000123456789' })).id;
  owners.bijay = (await createOwner(api, tenant, { name: 'Bijay Mohanta' })).id;
  owners.percent = (await createOwner(api, tenant, { name: '100%_Carriers ଓଡ଼ିଆ' })).id;
  owners.paidUp = (await createOwner(api, tenant, { name: 'Chandan' })).id;
  const other = await api.addTenant();
  const foreignOwner = await createOwner(api, other, { name: 'Abani of another business' });
  await api.inTenant(tenant, async (db) => {
    made.abaniApril = await insertChallans(db, { ownerId: owners.abani, tagId: tag.id }, 3, {
      depositedOn: '2026-04-30',
    });
    made.abaniMay = await insertChallans(db, { ownerId: owners.abani, tagId: tag.id }, 2, {
      depositedOn: '2026-05-01',
    });
    made.bijayUntagged = await insertChallans(db, { ownerId: owners.bijay }, 2, { depositedOn: '2026-05-01' });
    made.bijayOpen = await insertChallans(db, { ownerId: owners.bijay, tagId: tag.id }, 1, { depositedOn: null });
    // Net below zero is unpaid like any other (docs/specification.md §8.3.2).
    made.percent = await insertChallans(db, { ownerId: owners.percent, tagId: tag.id }, 2, { advance: '2000' });
    await insertChallans(db, { ownerId: owners.paidUp, tagId: tag.id }, 2);
  });
  made.foreign = await api.inTenant(other, (db) => insertChallans(db, { ownerId: foreignOwner.id }, 2));
  const paidUp = dataOf(await list({ ownerId: owners.paidUp })).owners[0]?.challans ?? [];
  await api.call(
    contract.bankStatement.markPaid,
    { body: { challanIds: paidUp.map(({ challanId }) => challanId) } },
    { token: tenant.token },
  );
});
afterAll(() => api.close());

describe('GET /challans/bank-report', () => {
  it('lists owners with unpaid challans by name, each with its own challans and sums', async () => {
    const data = dataOf(await list({}));
    expect(data.owners.map(({ name }) => name)).toEqual(['100%_Carriers ଓଡ଼ିଆ', 'abani "Bulu" Sahu', 'Bijay Mohanta']);
    for (const owner of data.owners) {
      expect(owner.unpaidCount).toBe(owner.challans.length);
      expect(owner.unpaidAmount).toBe(sum(owner.challans.map(({ netAmountPayable }) => netAmountPayable)));
    }
    expect(data.owners[0]?.unpaidAmount.startsWith('-')).toBe(true);
    expect(data.owners[1]?.challans.map(({ challanId }) => challanId)).toEqual([
      ...idsOf(made.abaniApril),
      ...idsOf(made.abaniMay),
    ]);
    expect(data.summary).toEqual({
      totalOwners: 3,
      totalChallans: 10,
      totalUnpaidAmount: sum(data.owners.map(({ unpaidAmount }) => unpaidAmount)),
      heldCount: 0,
      heldAmount: '0.00',
      negativeChallanCount: 2,
      negativeAmount: data.owners[0]?.unpaidAmount,
      negativeCarriedAmount: '0.00',
      deductedAmount: '0.00',
      negativeOwnerCount: 1,
      negativeOwners: [
        {
          id: owners.percent,
          name: '100%_Carriers ଓଡ଼ିଆ',
          challanCount: 2,
          amount: data.owners[0]?.unpaidAmount,
          owes: subtract('0', data.owners[0]?.unpaidAmount ?? '0'),
          carriedAmount: '0.00',
        },
      ],
      matching: { count: 10, amount: sum(data.owners.map(({ unpaidAmount }) => unpaidAmount)) },
      payment: { count: 8, amount: sum(data.owners.slice(1).map(({ unpaidAmount }) => unpaidAmount)) },
    });
  });

  it('gives every field of a challan', async () => {
    const answer = await list({ ownerId: owners.abani, depositedEndDate: '2026-04-30' });
    expect((dataOf(answer).owners[0]?.challans ?? [])[0]).toEqual({
      challanId: made.abaniApril[0]?.id,
      challanNumber: made.abaniApril[0]?.number,
      tpNo: expect.stringMatching(/^TP\d+$/) as string,
      vehicleNo: 'OD09AB1234',
      material: 'Iron ore fines',
      loadingPlace: 'Joda',
      unloadingPlace: 'Paradip Port',
      loadingDate: '2026-04-10T00:00:00.000Z',
      unloadingDate: '2026-04-11T00:00:00.000Z',
      depositedAt: '2026-04-29T18:30:00.000Z',
      netAmountPayable: made.abaniApril[0]?.net,
      tag: { id: tag.id, name: tag.name, color: tag.color },
      holdReason: '',
      paymentStatus: false,
    });
  });

  it('pages by owner; pageSize wins; the summary covers the whole filter; past the end is empty', async () => {
    const first = await list({ page: '1', limit: '50', pageSize: '2' });
    expect(dataOf(first).owners).toHaveLength(2);
    expect(dataOf(first).summary.totalChallans).toBe(10);
    expect(first.body.pagination).toEqual({
      currentPage: 1,
      limit: 2,
      totalPages: 2,
      totalCount: 3,
      hasNext: true,
      hasPrevious: false,
      offset: 0,
    });
    expect(dataOf(await list({ page: '2', limit: '2' })).owners.map(({ name }) => name)).toEqual(['Bijay Mohanta']);
    const past = await list({ page: '9', limit: '2' });
    expect(dataOf(past).owners).toEqual([]);
    expect(dataOf(past).summary.totalChallans).toBe(10);
    expect(past.body.pagination).toMatchObject({ totalCount: 3, hasNext: false, hasPrevious: true });
  });

  const filters: [string, () => Record<string, string>, () => TestChallan[]][] = [
    ['owner', () => ({ ownerId: owners.bijay }), () => [...made.bijayUntagged, ...made.bijayOpen]],
    ['part of an owner name, any case', () => ({ ownerName: 'BANI' }), () => [...made.abaniApril, ...made.abaniMay]],
    ['% and _ as letters', () => ({ ownerName: '0%_c' }), () => made.percent],
    ['a pattern that is none', () => ({ ownerName: '_bani' }), () => []],
    [
      'the tag',
      () => ({ tagId: tag.id }),
      () => [...made.abaniApril, ...made.abaniMay, ...made.bijayOpen, ...made.percent],
    ],
    ['no tag', () => ({ tagId: 'none' }), () => made.bijayUntagged],
    ['from a day', () => ({ depositedStartDate: '2026-05-01' }), () => [...made.abaniMay, ...made.bijayUntagged]],
    ['to a day, inclusive', () => ({ depositedEndDate: '2026-04-30' }), () => [...made.abaniApril, ...made.percent]],
    [
      'one day, a tag and a name',
      () => ({ depositedStartDate: '2026-05-01', depositedEndDate: '2026-05-01', tagId: tag.id, ownerName: 'sahu' }),
      () => made.abaniMay,
    ],
    ['an unknown tag', () => ({ tagId: '7d0c9a54-7f6f-4f0e-8b5f-1c2d3e4f5a6b' }), () => []],
    ["another business's owner", () => ({ ownerName: 'another business' }), () => []],
    ['empty values as no filter', () => ({ ownerName: '', tagId: 'null', depositedStartDate: '' }), () => everything()],
  ];
  const everything = () => [
    ...made.abaniApril,
    ...made.abaniMay,
    ...made.bijayUntagged,
    ...made.bijayOpen,
    ...made.percent,
  ];

  it.each(filters)('filters by %s; rows, sums and file agree', async (_, query, expected) => {
    const data = dataOf(await list({ ...query(), limit: '100' }));
    const challans = data.owners.flatMap((owner) => owner.challans);
    expect(challans.map(({ challanId }) => challanId).sort()).toEqual(idsOf(expected()).sort());
    expect(data.summary.totalChallans).toBe(expected().length);
    expect(data.summary.totalUnpaidAmount).toBe(totalOf(expected()));
    expect(sum(data.owners.map(({ unpaidAmount }) => unpaidAmount))).toBe(totalOf(expected()));

    const file = await list({ ...query(), format: 'csv' });
    expect(file.status).toBe(200);
    const lines = parse(file.text, { bom: true }) as string[][];
    expect(lines.at(-1)?.[0]).toBe('Grand total');
    expect(lines.at(-1)?.[11]).toBe(totalOf(expected()));
    expect(lines.filter((line) => line[13] === 'Pending').map((line) => line[6])).toHaveLength(expected().length);
  });

  it('has the sums of its challans for few days and for most of them', async () => {
    const other = await api.addTenant();
    const own = {
      abani: (await createOwner(api, other, { name: 'Abani' })).id,
      bijay: (await createOwner(api, other, { name: 'Bijay' })).id,
    };
    const ownTag = await createTag(api, other, { name: 'Own' });
    await api.inTenant(other, async (db) => {
      await insertChallans(db, { ownerId: own.abani, tagId: ownTag.id }, 3, { depositedOn: '2026-04-30' });
      await insertChallans(db, { ownerId: own.abani, tagId: ownTag.id }, 2, { depositedOn: '2026-05-01' });
      await insertChallans(db, { ownerId: own.bijay }, 4, { depositedOn: '2026-05-01' });
      await insertChallans(db, { ownerId: own.bijay, tagId: ownTag.id }, 1, { depositedOn: null });
    });
    const ranges: Record<string, string>[] = [
      {},
      { depositedStartDate: '2026-05-01' },
      { depositedEndDate: '2026-04-30' },
      { depositedStartDate: '2026-04-30', depositedEndDate: '2026-05-01' },
      { depositedStartDate: '2000-01-01' },
      { depositedEndDate: '2099-12-31' },
      { depositedStartDate: '2026-05-02' },
      { depositedStartDate: '2026-04-01', depositedEndDate: '2026-05-31', ownerName: 'i' },
      { depositedStartDate: '2026-05-01', tagId: ownTag.id },
      { depositedStartDate: '2026-05-01', ownerId: own.abani },
    ];
    const seen: string[] = [];
    // With all differences open; then all are folded, and one more challan is open.
    for (const isFolded of [false, true]) {
      if (isFolded) {
        await api.inTenant(other, async (db) => {
          await db.query('SELECT fold_challan_totals()');
          await insertChallans(db, { ownerId: own.bijay }, 1, { depositedOn: '2026-05-02' });
        });
      }
      for (const query of ranges) {
        const { owners: found, summary } = dataOf(await list(query, other.token));
        const sent = found.map(({ challans }) => challans);
        const of = found.map(({ unpaidCount, unpaidAmount }) => [unpaidCount, unpaidAmount]);
        expect(of, JSON.stringify(query)).toEqual(
          sent.map((challans) => [challans.length, sum(challans.map(({ netAmountPayable }) => netAmountPayable))]),
        );
        // Owners are found by their challans, none of them beside the sums.
        expect(summary.totalChallans).toBe(sent.flat().length);
        seen.push(JSON.stringify(of));
      }
    }
    expect(new Set(seen).size).toBeGreaterThan(5);
  });

  it('is exact whether differences are folded or open', async () => {
    const before = dataOf(await list({}));
    const folded = await api.inTenant(tenant, (db) => db.query<{ n: string }>('SELECT fold_challan_totals() AS n'));
    expect(Number(folded.rows[0]?.n)).toBeGreaterThan(0);
    expect(dataOf(await list({}))).toEqual(before);
    await api.inTenant(tenant, assertTotals);
  });

  it('refuses a reversed range, a bad day, a bad page and a bad size', async () => {
    const cases = [
      [{ depositedStartDate: '2026-05-02', depositedEndDate: '2026-05-01' }, 'VALIDATION_ERROR'],
      [{ depositedStartDate: '2026-02-30' }, 'VALIDATION_ERROR'],
      [{ format: 'csv', depositedStartDate: '2026-05-02', depositedEndDate: '2026-05-01' }, 'VALIDATION_ERROR'],
      [{ page: '0' }, 'INVALID_PAGINATION'],
      [{ pageSize: '101' }, 'INVALID_PAGINATION'],
      [{ ownerId: 'x' }, 'VALIDATION_ERROR'],
    ] as const;
    for (const [query, code] of cases) {
      const answer = await list(query);
      expect(answer.status).toBe(400);
      expect(answer.error.code).toBe(code);
    }
    // In the words shown beside the fields.
    const reversed = await list({ depositedStartDate: '2026-05-02', depositedEndDate: '2026-05-01' });
    expect(reversed.error.message).toBe('The end date cannot be before the start date');
  });

  it('needs a sub-admin', async () => {
    expect((await list({}, 'nonsense')).status).toBe(401);
    expect((await list({}, api.adminToken)).status).toBe(403);
    expect((await list({ format: 'csv' }, api.adminToken)).status).toBe(403);
  });
});

describe('the statement as a file', () => {
  it('has its columns, owner subtotals and a grand total, byte for byte', async () => {
    const answer = await list({
      format: 'csv',
      ownerName: 'a',
      depositedEndDate: '2026-04-30',
      depositedStartDate: '2026-04-13',
    });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const today = dayOf(new Date());
    expect(answer.headers['content-disposition']).toContain(
      `filename="bank_statement_a_2026-04-13_to_2026-04-30_${today}.csv"`,
    );
    const dates = 'Loading 10/04/2026, unloading 11/04/2026, deposited 30/04/2026';
    const line = (challan: TestChallan, tpNo: string) =>
      `"abani ""Bulu"" Sahu","${contact}","000123456789","SBIN0001234","Barbil","${pan}","${challan.number}","${tpNo}",` +
      `"OD09AB1234","Joda → Paradip Port","${dates}",${challan.net},"OMC Joda","Pending"\r\n`;
    const { contact, pan } = await api.inTenant(tenant, async (db) => {
      const { rows } = await db.query<{ contact: string; pan: string }>(
        'SELECT contact_number AS contact, pan_no AS pan FROM owners WHERE subadmin_id = $1 AND id = $2',
        [db.tenantId, owners.abani],
      );
      return rows[0] ?? { contact: '', pan: '' };
    });
    const total = totalOf(made.abaniApril);
    const tps = made.abaniApril.map(({ number }) => `TP${number.split('-')[1] ?? ''}`);
    expect(answer.text).toBe(
      '\ufeff"Owner","Contact","Account","IFSC","Branch","PAN","Challan","TP","Vehicle","Route","Dates","Net","Tag","Status"\r\n' +
        made.abaniApril.map((challan, index) => line(challan, tps[index] ?? '')).join('') +
        `"Subtotal abani ""Bulu"" Sahu",,,,,,"3 challans",,,,,${total},,\r\n` +
        `"Grand total",,,,,,"3 challans",,,,,${total},,\r\n`,
    );
  });

  it('is a heading and a zero total when nothing matches', async () => {
    const answer = await list({ format: 'csv', ownerName: 'nobody' });
    expect(answer.text.split('\r\n').slice(1)).toEqual(['"Grand total",,,,,,"0 challans",,,,,0.00,,', '']);
  });

  it('names the owner in the file name, in safe characters', async () => {
    const answer = await list({ format: 'csv', ownerId: owners.percent });
    const today = dayOf(new Date());
    expect(decodeURIComponent(String(answer.headers['content-disposition']))).toContain(
      `bank_statement_100_Carriers_ଓଡ଼ିଆ_${today}.csv`,
    );
  });

  it('streams more lines than one fetch, in the order of the list', async () => {
    const big = await api.addTenant();
    const many = await createOwner(api, big, { name: 'Many' });
    const few = await createOwner(api, big, { name: 'few' });
    const [a, b] = await api.inTenant(big, async (db) => [
      await insertChallans(db, { ownerId: many.id }, 2_500),
      await insertChallans(db, { ownerId: few.id }, 3),
    ]);
    const answer = await list({ format: 'csv' }, big.token);
    const lines = parse(answer.text, { bom: true }) as string[][];
    expect(lines.slice(1, 4).map((line) => line[6])).toEqual(b?.map(({ number }) => number));
    expect(lines.slice(5, 2_505).map((line) => line[6])).toEqual(a?.map(({ number }) => number));
    expect(lines.at(-1)?.[11]).toBe(add(totalOf(a ?? []), totalOf(b ?? [])));
    expect(lines.at(-1)?.[6]).toBe('2503 challans');
  });

  it('gives its connection back when the reader leaves in the middle', async () => {
    const big = await api.addTenant();
    const owner = await createOwner(api, big);
    // Far more than sockets and streams buffer, so that the server is still writing when the reader leaves.
    await api.inTenant(big, (db) => insertChallans(db, { ownerId: owner.id }, 30_000));
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const headers = { authorization: `Bearer ${big.token}` };
    // One more than there are connections for streams: a lost one would leave the last reader waiting.
    for (let reader = 0; reader < 5; reader += 1) {
      const request = get(`${url}/api/challans/bank-report?format=csv`, { headers });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      await once(response, 'readable');
      response.destroy();
    }
    await vi.waitFor(() => expect(api.pools.stream.idleCount).toBe(api.pools.stream.totalCount), { timeout: 20_000 });
    const whole = await fetch(`${url}/api/challans/bank-report?format=csv`, { headers });
    expect((await whole.text()).split('\r\n').length).toBe(30_000 + 4);
  }, 60_000);
});
