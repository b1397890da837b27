import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { sum } from '../../../src/shared/calc/money.ts';
import { alwaysListed, type Challan, type ChallanSummary } from '../../../src/shared/contract/challan.ts';
import {
  challanFieldNames,
  challanFields,
  challanSortKeys,
  sortKeyOf,
  type ChallanSortKey,
} from '../../../src/shared/contract/challan-fields.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { testSeed } from '../../calc/seed.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createPump, createTag } from '../support/builders.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { holding, untilNoneWaits, untilWaiting } from '../support/holding.ts';
import { insertChallans } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

let api: Api;
let desk: Desk;
beforeAll(async () => {
  api = await startApi();
  desk = await openDesk();
});
afterAll(() => api.close());

const { challans } = contract;
type Query = QueryInput<typeof challans.list>;

interface Desk {
  tenant: Tenant;
  owners: string[];
  tags: string[];
  /** Every challan of the account, as the API gives it one by one. */
  all: Challan[];
}

const list = (query: Query, tenant: Tenant = desk.tenant) =>
  api.call(challans.list, { query }, { token: tenant.token });

const random = randomOf(testSeed('challan list'));
const day = (offset: number) => new Date(Date.UTC(2026, 3, 1 + offset)).toISOString().slice(0, 10);

async function openDesk(): Promise<Desk> {
  const tenant = await api.addTenant();
  const owners = [];
  for (const name of ['bikash Mohanta', 'Anil Kumar Jena', 'Zafar Khan']) {
    owners.push((await createOwner(api, tenant, { name })).id);
  }
  const tags = [];
  for (const name of ['JODA-PARADIP', 'coal-angul', 'MARKET']) tags.push((await createTag(api, tenant, { name })).id);
  const pump = await createPump(api, tenant);
  const made = [];
  for (let index = 0; index < 130; index += 1) {
    const loaded = random.below(40);
    const ownerId = random.pick(owners);
    made.push(
      await createChallan(
        api,
        tenant,
        { ownerId, tagId: random.pick(tags) },
        {
          tpNo: random.pick([
            `24090${1000 + random.below(300)}`,
            `KJR/24-25/${random.below(50)}`,
            `50%_${random.below(9)}`,
          ]),
          vehicleNo: `OD09AB${1000 + random.below(20)}`,
          ownerName: ['bikash Mohanta', 'Anil Kumar Jena', 'Zafar Khan'][owners.indexOf(ownerId)]!,
          material: random.pick(['Coal', 'bauxite', 'Iron ore fines']),
          loadingDate: day(loaded),
          unloadingDate: day(loaded + random.below(2)),
          depositedAt: day(loaded + 2 + random.below(6)),
          ratePerMT: String(700 + random.below(4) * 100),
          paymentStatus: random.chance(0.4),
          ...(random.chance(0.6) ? { petrolPumpId: pump.id, hsdPricePerLiter: '92.64', hsdInLiters: '20' } : {}),
        },
      ),
    );
  }
  for (const { id, petrolPump } of made) {
    if (!petrolPump || !random.chance(0.5)) continue;
    await api.call(challans.setHsdVerified, { params: { id }, body: { hsdVerified: true } }, { token: tenant.token });
  }
  // As imported data may be: no tag, not deposited.
  await api.inTenant(tenant, async (db) => {
    await db.query(`UPDATE challans SET tag_id = NULL WHERE subadmin_id = $1 AND vehicle_no LIKE '%3'`, [tenant.id]);
    await db.query(`UPDATE challans SET deposited_at = NULL WHERE subadmin_id = $1 AND vehicle_no LIKE '%7'`, [
      tenant.id,
    ]);
  });
  const all = [];
  for (const { id } of made) {
    all.push((await api.call(challans.get, { params: { id } }, { token: tenant.token })).body.data);
  }
  return { tenant, owners, tags, all };
}

/** The filter as plain code over the challans. */
function matching(all: readonly Challan[], query: Query): Challan[] {
  const { tpNo, paymentStatus, tagId, ownerId, startDate, endDate } = query;
  const { depositedDate, depositedStartDate, depositedEndDate } = query;
  return all.filter((challan) => {
    const loaded = dayOf(challan.loadingDate);
    const deposited = challan.depositedAt === null ? null : dayOf(challan.depositedAt);
    const isWanted = paymentStatus === true || paymentStatus === 'paid' || paymentStatus === 'true';
    return (
      (!tpNo || challan.tpNo.toLowerCase().includes(String(tpNo).toLowerCase())) &&
      (paymentStatus === undefined || challan.paymentStatus === isWanted) &&
      (!tagId || (tagId === 'none' ? challan.tag === null : challan.tag?.id === tagId)) &&
      (!ownerId || challan.owner.id === ownerId) &&
      (!startDate || loaded >= String(startDate)) &&
      (!endDate || loaded <= String(endDate)) &&
      (!depositedDate || deposited === depositedDate) &&
      (!depositedStartDate || (deposited !== null && deposited >= String(depositedStartDate))) &&
      (!depositedEndDate || (deposited !== null && deposited <= String(depositedEndDate)))
    );
  });
}

type SortValue = string | number | null;
/** What a list is sorted by, where it is not the field's own value. */
const sortValues: Partial<Record<ChallanSortKey, (challan: Challan) => SortValue>> = {
  // Made one after the other: within a millisecond the number tells the order.
  createdAt: ({ createdAt, challanNumber }) => `${createdAt} ${challanNumber}`,
  updatedAt: ({ updatedAt, challanNumber }) => `${updatedAt} ${challanNumber}`,
  paidAt: ({ paidAt, challanNumber }) => paidAt && `${paidAt} ${challanNumber}`,
  hsdVerifiedAt: ({ hsdVerifiedAt, challanNumber }) => hsdVerifiedAt && `${hsdVerifiedAt} ${challanNumber}`,
  vehicleNo: ({ vehicleNo }) => vehicleNo,
};
const figures: readonly string[] = ['money', 'weight', 'liters', 'percent', 'count', 'flag'];

function sortValue(by: ChallanSortKey, challan: Challan): SortValue {
  const own = sortValues[by];
  if (own) return own(challan);
  const name = challanFieldNames.find((field) => sortKeyOf(field) === by)!;
  const value = challan[name];
  const { kind } = challanFields[name];
  if (value === null) return null;
  if (figures.includes(kind)) return Number(value);
  const text = typeof value === 'object' ? value.name : String(value);
  return kind === 'text' || kind === 'record' ? text.toLowerCase() : text;
}

function sorted(all: readonly Challan[], by: string, order: string): Challan[] {
  const keys = by.split(',') as ChallanSortKey[];
  const orders = order.split(',');
  const directions = keys.map((_, index) => ((orders[index] ?? orders.at(-1)) === 'asc' ? 1 : -1));
  return [...all].sort((a, b) => {
    for (const [index, key] of keys.entries()) {
      const [left, right] = [sortValue(key, a), sortValue(key, b)];
      if (left === right) continue;
      if (left === null || right === null) return left === null ? 1 : -1;
      return (left < right ? -1 : 1) * directions[index]!;
    }
    return (a.id < b.id ? -1 : 1) * directions.at(-1)!;
  });
}

function summaryOf(found: readonly Challan[]) {
  const paid = found.filter(({ paymentStatus }) => paymentStatus);
  const unpaid = found.filter(({ paymentStatus }) => !paymentStatus);
  const total = (of: readonly Challan[]) => sum(of.map(({ netAmountPayable }) => netAmountPayable));
  return {
    totalCount: found.length,
    totalAmount: total(found),
    paidCount: paid.length,
    paidAmount: total(paid),
    unpaidCount: unpaid.length,
    unpaidAmount: total(unpaid),
  };
}

async function expectAsModel(query: Query): Promise<void> {
  const answer = await list(query);
  expect(answer.status, JSON.stringify(query)).toBe(200);
  const found = matching(desk.all, query);
  const page = Number(query.page ?? 1);
  const limit = Number(query.limit ?? 10);
  const order = sorted(found, String(query.sortBy || 'createdAt'), String(query.sortOrder || 'desc'));
  const rows = order.slice((page - 1) * limit, page * limit);
  const about = JSON.stringify(query);
  expect(answer.body.summary, about).toEqual(summaryOf(found));
  expect(
    answer.body.data.map(({ id }) => id),
    about,
  ).toEqual(rows.map(({ id }) => id));
  expect(answer.body.data, about).toEqual(rows);
  expect(answer.body.pagination, about).toEqual({
    currentPage: page,
    limit,
    totalPages: Math.ceil(found.length / limit),
    totalCount: found.length,
    hasNext: page * limit < found.length,
    hasPrevious: page > 1,
    offset: (page - 1) * limit,
  });
}

describe('the challan list', () => {
  it('has the newest ten first, and the sums of all', async () => {
    await expectAsModel({});
    const answer = await list({});
    expect(answer.body.data).toHaveLength(10);
    expect(answer.body.summary.totalCount).toBe(130);
  });

  it('shows each page once, from both ends, up to the page past the end', async () => {
    for (const sortOrder of ['asc', 'desc'] as const) {
      for (let page = 1; page <= 6; page += 1) await expectAsModel({ page, limit: 30, sortOrder });
    }
    const past = await list({ page: 1_000_000, limit: 100 });
    expect(past.body).toMatchObject({ data: [], pagination: { totalCount: 130, hasNext: false, hasPrevious: true } });
  });

  it.each(challanSortKeys)('sorts by %s both ways, nulls last, the id breaking ties', async (sortBy) => {
    for (const sortOrder of ['asc', 'desc'] as const) {
      await expectAsModel({ sortBy, sortOrder, limit: 100 });
      await expectAsModel({ sortBy, sortOrder, limit: 30, page: 4 });
      await expectAsModel({ sortBy, sortOrder, paymentStatus: 'unpaid', limit: 20, page: 3 });
      await expectAsModel({ sortBy, sortOrder, tpNo: '2409', limit: 20, page: 2 });
    }
  });

  it.each([
    ['paymentStatus,tagName,netAmountPayable', 'desc,asc,desc'],
    ['material,depositedAt', 'asc'],
    ['petrolPumpName,discounterName,createdAt', 'asc,desc,asc'],
    ['tagName,ownerName,tpNo,vehicleNo,challanNumber', 'desc,asc'],
  ])('sorts by %s, each behind the one before', async (sortBy, sortOrder) => {
    await expectAsModel({ sortBy, sortOrder, limit: 100 });
    await expectAsModel({ sortBy, sortOrder, limit: 30, page: 4 });
    await expectAsModel({ sortBy, sortOrder, tpNo: '2409', paymentStatus: 'unpaid', limit: 20 });
  });

  it.each([
    'tagName,tagName',
    'tagName,password',
    'tagName,',
    ',',
    'tpNo,vehicleNo,material,tagName,ownerName,createdAt',
  ])('refuses to sort by %s', async (sortBy) => {
    const answer = await list({ sortBy });
    expect([answer.status, Object.keys(answer.error.fields ?? {})]).toEqual([400, ['sortBy']]);
  });

  it('filters by everything, alone and together', async () => {
    const [owner, tag] = [desk.owners[0]!, desk.tags[1]!];
    const queries: Query[] = [
      { paymentStatus: 'paid' },
      { paymentStatus: 'false' },
      { tagId: tag },
      { tagId: 'none' },
      { tagId: 'none', paymentStatus: 'true' },
      { ownerId: owner },
      { ownerId: owner, tagId: tag, paymentStatus: 'unpaid' },
      { startDate: '2026-04-10', endDate: '2026-04-12' },
      { startDate: '2026-04-30' },
      { endDate: '2026-04-03', paymentStatus: 'paid' },
      { depositedDate: '2026-04-12' },
      { depositedStartDate: '2026-04-12', depositedEndDate: '2026-04-20' },
      { depositedStartDate: '2026-05-01', tagId: tag },
      { depositedEndDate: '2026-04-08', paymentStatus: 'unpaid' },
      { depositedStartDate: '2026-04-12', ownerId: owner },
      { depositedDate: '2026-04-12', depositedStartDate: '2026-04-13' },
      { depositedDate: '2026-04-14', depositedStartDate: '2026-04-13', depositedEndDate: '2026-04-20' },
      { tpNo: 'kjr' },
      { tpNo: '24-25/1', depositedStartDate: '2026-04-12' },
      { tpNo: '2' },
      { tpNo: 'J', ownerId: owner },
      { tpNo: 'no such' },
      { ownerId: unknownId },
      { tagId: unknownId, tpNo: '24090' },
    ];
    for (const query of queries) await expectAsModel({ ...query, limit: 50 });
  });

  it('answers as the model does for 150 random questions', async () => {
    const maybe = <T>(value: T): T | undefined => (random.chance(0.3) ? value : undefined);
    for (let asked = 0; asked < 150; asked += 1) {
      const [from, until] = [random.below(40), random.below(8)];
      const [loaded, upTo] = [random.below(30), random.below(20)];
      const query = {
        page: 1 + random.below(4),
        limit: random.pick([1, 7, 10, 20, 50, 100]),
        sortBy: random.chance(0.5) ? 'createdAt' : random.pick(challanSortKeys),
        sortOrder: random.pick(['asc', 'desc'] as const),
        paymentStatus: maybe(random.pick(['paid', 'unpaid'] as const)),
        tagId: maybe(random.pick(['none', ...desk.tags])),
        ownerId: maybe(random.pick(desk.owners)),
        tpNo: maybe(random.pick(['240', '24', '1', 'kjr', '/', '%', '_', '%_', '901'])),
        depositedStartDate: maybe(day(from)),
        depositedEndDate: maybe(day(from + until)),
        startDate: random.chance(0.1) ? day(loaded) : undefined,
        endDate: random.chance(0.1) ? day(loaded + upTo) : undefined,
      };
      await expectAsModel(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)));
    }
  });

  it('takes % and _ and a backslash as letters', async () => {
    for (const tpNo of ['%', '_', '50%_', '%%%', '___', '\\', '\\\\\\']) await expectAsModel({ tpNo, limit: 100 });
  });

  it('matches a long TP number whole and in any case, not by its end alone', async () => {
    const long = desk.all.filter(({ tpNo }) => tpNo.length > 8).slice(0, 5);
    expect(long).toHaveLength(5);
    for (const { tpNo } of long) {
      expect((await list({ tpNo: tpNo.toLowerCase() })).body.summary.totalCount).toBeGreaterThan(0);
      for (const asked of [tpNo, tpNo.toLowerCase(), `9${tpNo.slice(1)}`, `${tpNo}9`, tpNo.slice(0, -1)]) {
        await expectAsModel({ tpNo: asked, limit: 100 });
      }
    }
  });

  it('takes an empty value and null as no filter', async () => {
    const answer = await api.callRaw(
      'GET',
      '/api/challans?tpNo=&paymentStatus=&tagId=null&ownerId=null&startDate=&depositedDate=null&sortBy=&sortOrder=',
      { token: desk.tenant.token },
    );
    expect(answer.body).toMatchObject({ summary: { totalCount: 130 } });
  });

  it('refuses what it does not know', async () => {
    const refused: [string, string][] = [
      ['limit=0', 'INVALID_PAGINATION'],
      ['limit=101', 'INVALID_PAGINATION'],
      ['page=abc', 'INVALID_PAGINATION'],
      ['page=1.5', 'INVALID_PAGINATION'],
      ['page=-1', 'INVALID_PAGINATION'],
      ['sortBy=remarks', 'VALIDATION_ERROR'],
      ['sortBy=created_at;drop', 'VALIDATION_ERROR'],
      ['sortOrder=DESC', 'VALIDATION_ERROR'],
      ['paymentStatus=0', 'VALIDATION_ERROR'],
      ['tagId=all', 'VALIDATION_ERROR'],
      ['startDate=2026-02-30', 'VALIDATION_ERROR'],
      ['startDate=2026-04-02&endDate=2026-04-01', 'VALIDATION_ERROR'],
      ['depositedStartDate=2026-04-02&depositedEndDate=2026-04-01', 'VALIDATION_ERROR'],
    ];
    for (const [query, code] of refused) {
      const answer = await api.callRaw('GET', `/api/challans?${query}`, { token: desk.tenant.token });
      expect({ query, status: answer.status, code: answer.error.code }).toEqual({ query, status: 400, code });
    }
  });

  it("shows an account nothing of another's, whatever it asks for", async () => {
    const stranger = await api.addTenant();
    for (const query of [{}, { ownerId: desk.owners[0]! }, { tagId: desk.tags[0]! }, { tpNo: '2409' }, { tpNo: '2' }]) {
      const answer = await list(query, stranger);
      expect(answer.body).toMatchObject({ data: [], summary: { totalCount: 0, totalAmount: '0.00' } });
    }
    expectRefusal(await api.callRaw('GET', '/api/challans', { token: api.adminToken }), 403, 'FORBIDDEN');
  });

  it('finds a page far down as a walk over all before it does, in both directions', async () => {
    const tenant = await api.addTenant();
    const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
    // Some 15 days of 200, one day of 900, and some of a few.
    const made = [
      ...(await api.inTenant(tenant, (db) => insertChallans(db, refs, 3_000, { minutesApart: 7 }))),
      ...(await api.inTenant(tenant, (db) => insertChallans(db, refs, 700))),
      ...(await api.inTenant(tenant, (db) => insertChallans(db, refs, 40, { minutesApart: 700 }))),
    ];
    for (const { id } of made.filter((_, index) => index % 97 === 0)) {
      await api.call(challans.remove, { params: { id } }, { token: tenant.token });
    }
    const newestFirst = await api.inTenant(tenant, async (db) => {
      const { rows } = await db.query<{ id: string }>(
        'SELECT id FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id DESC',
        [db.tenantId],
      );
      return rows.map(({ id }) => id);
    });
    for (const [sortOrder, ids] of [
      ['desc', newestFirst],
      ['asc', newestFirst.toReversed()],
    ] as const) {
      for (const page of [21, 22, 25, 29, 30, 33, 36, 37, 38, 400]) {
        const { body } = await list({ page, limit: 100, sortOrder }, tenant);
        expect(body.summary.totalCount).toBe(ids.length);
        expect(body.data.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 100, page * 100));
      }
    }
  });

  it('sorts what a filter leaves of many as all of it sorted, met early in the order or late', async () => {
    const tenant = await api.addTenant();
    const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
    // Net rises from one to the next: the paid ones come before all unpaid ones.
    const made = await api.inTenant(tenant, async (db) => [
      ...(await insertChallans(db, refs, 3_500)),
      ...(await insertChallans(db, { ...refs, tagId: null }, 3_000, { depositedOn: null })),
    ]);
    const paid = made.slice(0, 1_400).map(({ id }) => id);
    await api.inTenant(tenant, (db) =>
      db.query(
        'UPDATE challans SET payment_status = true, paid_at = now() WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])',
        [db.tenantId, paid],
      ),
    );
    const [netFrom, netTo] = [made[100]!.net, made[6_300]!.net];
    const orders = {
      netAmountPayable: 'net_amount_payable',
      tpNo: 'tp_key',
      depositedAt: 'deposited_at',
      ownerName: 'lower(owner_name)',
      paymentStatus: 'payment_status',
      hsdVerified: 'hsd_verified',
      createdAt: 'created_at',
      material: 'lower(material)',
      loadingPlace: 'lower(loading_place)',
    };
    // Two spellings of one material are one in the order.
    await api.inTenant(tenant, (db) =>
      db.query(
        `UPDATE challans SET material = CASE WHEN id < '80000000-0000-0000-0000-000000000000' THEN 'coal' ELSE 'COAL' END, loading_place = 'Barbil'
         WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])`,
        [db.tenantId, made.slice(1_300, 1_500).map(({ id }) => id)],
      ),
    );
    for (const [sortBy, column] of Object.entries(orders)) {
      for (const sortOrder of ['asc', 'desc'] as const) {
        for (const [query, condition] of [
          [{ paymentStatus: 'unpaid' }, 'NOT payment_status'],
          [{}, 'true'],
          // Many and few that are counted.
          [{ material: 'iron' }, "material ILIKE '%iron%'"],
          [{ material: 'coal', paymentStatus: 'paid' }, "lower(material) = 'coal' AND payment_status"],
          [{ netFrom, netTo }, `net_amount_payable BETWEEN ${netFrom} AND ${netTo}`],
        ] as const) {
          const totals = await api.inTenant(tenant, (db) =>
            db.query(
              `SELECT count(*)::int AS "totalCount", sum(net_amount_payable)::text AS "totalAmount",
                 count(*) FILTER (WHERE payment_status)::int AS "paidCount",
                 coalesce(sum(net_amount_payable) FILTER (WHERE payment_status), 0.00)::text AS "paidAmount"
               FROM challans WHERE subadmin_id = $1 AND ${condition}`,
              [db.tenantId],
            ),
          );
          for (const page of [1, 3, 40]) {
            const { rows } = await api.inTenant(tenant, (db) =>
              db.query<{ id: string }>(
                `SELECT id FROM challans WHERE subadmin_id = $1 AND ${condition}
                 ORDER BY ${column} ${sortOrder} NULLS LAST, id ${sortOrder} LIMIT 50 OFFSET ${(page - 1) * 50}`,
                [db.tenantId],
              ),
            );
            const { body } = await list({ ...query, sortBy, sortOrder, page, limit: 50 }, tenant);
            const about = `${sortBy} ${sortOrder} ${condition} ${page}`;
            expect(
              body.data.map(({ id }) => id),
              about,
            ).toEqual(rows.map(({ id }) => id));
            const { totalCount, totalAmount, paidCount, paidAmount } = body.summary;
            expect({ totalCount, totalAmount, paidCount, paidAmount }, about).toEqual(totals.rows[0]);
            if (condition === 'true') expect(totalCount).toBe(6_500);
            if (condition === 'NOT payment_status') expect(totalCount).toBe(5_100);
          }
        }
      }
    }
  });

  it('finds the newest of many by three characters of the TP number, met soon or searched for', async () => {
    const tenant = await api.addTenant();
    const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
    const made = await api.inTenant(tenant, (db) => insertChallans(db, refs, 9_000));
    const write = (set: string, some: typeof made) =>
      api.inTenant(tenant, (db) =>
        db.query(`UPDATE challans SET ${set} WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])`, [
          db.tenantId,
          some.map(({ id }) => id),
        ]),
      );
    // Of the oldest all but a few have these characters, and of the newest a few.
    await write("tp_no = 'Kjr/' || tp_no", [...made.slice(0, 5_600), ...made.slice(-30)]);
    await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
    await write("tp_no = 'kj' || tp_no", made.slice(100, 200));
    await write('deleted_at = now()', made.slice(300, 310));
    await write('payment_status = true, paid_at = now()', made.slice(0, 5_100));
    for (const [tpNo, paymentStatus] of [['kjr'], ['KJR', 'paid'], ['KJR', 'unpaid'], ['r/t'], ['xyz']] as const) {
      const condition = `tp_no ILIKE '%${tpNo}%' AND deleted_at IS NULL
        ${paymentStatus ? `AND payment_status = ${paymentStatus === 'paid'}` : ''}`;
      const { rows } = await api.inTenant(tenant, (db) =>
        db.query<ChallanSummary>(
          `SELECT count(*)::int AS "totalCount", coalesce(sum(net_amount_payable), 0.00)::text AS "totalAmount",
             count(*) FILTER (WHERE payment_status)::int AS "paidCount",
             coalesce(sum(net_amount_payable) FILTER (WHERE payment_status), 0.00)::text AS "paidAmount",
             count(*) FILTER (WHERE NOT payment_status)::int AS "unpaidCount",
             coalesce(sum(net_amount_payable) FILTER (WHERE NOT payment_status), 0.00)::text AS "unpaidAmount"
           FROM challans WHERE subadmin_id = $1 AND ${condition}`,
          [db.tenantId],
        ),
      );
      for (const sortOrder of ['asc', 'desc'] as const) {
        for (const page of [1, 2, 40, 60, 112, 113]) {
          const { rows: ids } = await api.inTenant(tenant, (db) =>
            db.query<{ id: string }>(
              `SELECT id FROM challans WHERE subadmin_id = $1 AND ${condition}
               ORDER BY created_at ${sortOrder}, id ${sortOrder} LIMIT 50 OFFSET ${(page - 1) * 50}`,
              [db.tenantId],
            ),
          );
          const query = { tpNo, ...(paymentStatus && { paymentStatus }), sortOrder, page, limit: 50 };
          const { body } = await list(query, tenant);
          const about = `${tpNo} ${paymentStatus} ${sortOrder} ${page}`;
          expect(
            body.data.map(({ id }) => id),
            about,
          ).toEqual(ids.map(({ id }) => id));
          expect(body.summary, about).toEqual(rows[0]);
        }
      }
    }
  });

  it('sorts vehicles as it compares them, without spaces, hyphens and case', async () => {
    const tenant = await api.addTenant();
    const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
    const ids = [];
    for (const vehicleNo of ['OD09AB0001', 'od-09-ab-0002', 'OD 09 AB 0003', 'OD09AB0004']) {
      ids.push((await createChallan(api, tenant, refs, { vehicleNo })).id);
    }
    for (const filter of [{}, { paymentStatus: 'unpaid' as const }]) {
      for (const [sortOrder, expected] of [
        ['asc', ids],
        ['desc', ids.toReversed()],
      ] as const) {
        const { body } = await list({ sortBy: 'vehicleNo', sortOrder, ...filter }, tenant);
        expect(body.data.map(({ id }) => id)).toEqual(expected);
      }
    }
  });

  it('finds a day by India, not by the machine', async () => {
    const tenant = await api.addTenant();
    const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
    // 18:29 in UTC is still the day before in India's evening; 18:30 begins the next day there.
    const before = await createChallan(api, tenant, refs, { depositedAt: '2026-04-20T18:29:59.999Z' });
    const after = await createChallan(api, tenant, refs, { depositedAt: '2026-04-20T18:30:00.000Z' });
    const on = async (depositedDate: string) => (await list({ depositedDate }, tenant)).body.data.map(({ id }) => id);
    expect(await on('2026-04-20')).toEqual([before.id]);
    expect(await on('2026-04-21')).toEqual([after.id]);
  });
});

describe('fields', () => {
  const withFields = async (query: Query, fields: readonly string[]) =>
    api.call(challans.listFields, { query: { ...query, fields: fields.join() } }, { token: desk.tenant.token });
  const part = (whole: Challan, names: readonly string[]): object =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)));

  it('answers those, and the ones that every list has, of the same challans in each order', async () => {
    for (const [index, sortBy] of challanSortKeys.entries()) {
      const query: Query = {
        sortBy,
        sortOrder: random.pick(['asc', 'desc']),
        limit: 20,
        page: 1 + random.below(3),
        ...(random.chance(0.5) && { paymentStatus: random.pick(['paid', 'unpaid']) }),
        ...(random.chance(0.3) && { tpNo: '24' }),
      };
      const names = challanFieldNames.filter(() => random.chance(index % 3 === 0 ? 0.1 : 0.5));
      const [whole, some] = [await list(query), await withFields(query, names.length > 0 ? names : ['tag'])];
      const expected = [...alwaysListed, ...(names.length > 0 ? names : ['tag'])];
      expect(some.body).toEqual({ ...whole.body, data: whole.body.data.map((row) => part(row, expected)) });
      const early = { ...query, fields: expected.join(), totals: 'later' as const };
      const rows = await api.call(challans.listRows, { query: early }, { token: desk.tenant.token });
      expect(rows.body.data).toEqual(some.body.data);
    }
  });

  it('can be each alone or all together, and also on a far page', async () => {
    for (const names of [...challanFieldNames.map((name) => [name]), challanFieldNames]) {
      for (const query of [{ limit: 5 }, { limit: 5, page: 20 }]) {
        const [whole, some] = [await list(query), await withFields(query, names)];
        expect(some.body.data).toEqual(whole.body.data.map((row) => part(row, [...alwaysListed, ...names])));
      }
    }
  });

  it('are refused where one is none of a challan, and mean all where none is named', async () => {
    const wrong = await withFields({}, ['tag', 'password']);
    expectRefusal(wrong, 400, 'VALIDATION_ERROR');
    expect(wrong.error.fields).toEqual({ fields: 'must be names of fields of a challan, with commas' });
    const empty = await withFields({ limit: 3 }, []);
    expect(empty.body).toEqual((await list({ limit: 3 })).body);
  });
});

describe('the sums alone', () => {
  it('are no longer counted when their reader has gone', async () => {
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const headers = { authorization: `Bearer ${desk.tenant.token}` };
    const sums = `${url}/api/challans/sums?challanNumber=CH`;
    await holding(api, 'LOCK TABLE challans IN ACCESS EXCLUSIVE MODE', [], async (release) => {
      const gone = new AbortController();
      const answer = fetch(sums, { headers, signal: gone.signal });
      await untilWaiting(api);
      gone.abort();
      await expect(answer).rejects.toThrow('aborted');
      await untilNoneWaits(api);
      await release();
    });
    const { data } = (await (await fetch(sums, { headers })).json()) as { data: ChallanSummary };
    expect(data.totalCount).toBe(desk.all.length);
  });
});
