import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayOf, formatDate } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { TenantDb } from '../../../src/server/db/tenant.ts';
import { selectLastRates } from '../../../src/server/features/challans/challans.queries.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildChallan, createChallan, createOwner, createTag, type ChallanBody } from '../support/builders.ts';
import { unknownId } from '../support/expect.ts';
import { insertChallans } from '../support/ledger.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** Values that are hardly ever meant: said in the answer, never refused (docs/specification.md §8.3.5). */
let api: Api;
let tenant: Tenant;
let refs: { ownerId: string; tagId: string };
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.addTenant();
  refs = await master(tenant);
});

const { challans } = contract;
const master = async (of: Tenant) => ({
  ownerId: (await createOwner(api, of)).id,
  tagId: (await createTag(api, of)).id,
});
const create = async (over: Partial<ChallanBody> = {}) => {
  const { body, status } = await api.call(challans.create, { body: buildChallan(refs, over) }, { token: tenant.token });
  expect(status).toBe(201);
  return body;
};
const names = ({ warnings }: { warnings: readonly { name: string }[] }): string[] => warnings.map(({ name }) => name);
const lastRate = async (loadingPlace: string, unloadingPlace: string, excludeId?: string) =>
  (
    await api.call(
      challans.findLastRate,
      { query: { loadingPlace, unloadingPlace, excludeId } },
      { token: tenant.token },
    )
  ).body.data;

describe('the answer to a create', () => {
  it('has no warning about a usual challan', async () => {
    expect((await create()).warnings).toEqual([]);
  });

  it('stores 259.00 MT unloaded of 25.21 MT loaded, and says so', async () => {
    const { data, warnings } = await create({ loadingWeight: '25.21', unloadingWeight: '259.0' });
    expect(data.unloadingWeight).toBe('259.00');
    expect(warnings).toEqual([
      {
        name: 'unloadingWeight-heavy',
        field: 'unloadingWeight',
        message: 'Unloading Weight 259.00 MT is above 60 MT: check it.',
      },
      {
        name: 'more-unloaded',
        field: 'unloadingWeight',
        message: '259.00 MT unloaded is more than the 25.21 MT loaded: check both.',
      },
    ]);
  });

  it('compares days with the clock of the server', async () => {
    const ahead = addDays(dayOf(new Date()), 400);
    const { warnings } = await create({ depositedAt: ahead, advanceMoney: '25000' });
    expect(warnings.map(({ message }) => message)).toEqual([
      'The advance of ₹25,000.00 is more than the freight of ₹24,900.00: check both.',
      `Deposited On ${formatDate(ahead)} is 400 days ahead of today: check it.`,
    ]);
  });

  it("compares the rate with the last one of the route, in any case, and never with another account's", async () => {
    const other = await api.addTenant();
    await createChallan(api, other, await master(other), { ratePerMT: '9000.00' });
    expect(names(await create({ ratePerMT: '300' }))).toEqual([]);
    expect(names(await create({ ratePerMT: '450', advanceMoney: '0' }))).toEqual([]);
    const { warnings } = await create({ ratePerMT: '4500', loadingPlace: 'JODA', unloadingPlace: 'paradip port' });
    expect(warnings).toEqual([
      {
        name: 'unusual-rate',
        field: 'ratePerMT',
        message: 'The last challan from JODA to paradip port has ₹450.00 per MT: check the rate.',
      },
    ]);
    expect(names(await create({ ratePerMT: '45', loadingPlace: 'Barbil', advanceMoney: '0' }))).toEqual([]);
  });

  it('is the same when it is repeated with its key', async () => {
    const args = { body: buildChallan(refs, { unloadingWeight: '30' }) };
    const send = () =>
      api.call(challans.create, args, { token: tenant.token, key: '6c1f3a52-7b0e-4d37-9a55-52f6f3f0c001' });
    const [first, second] = [await send(), await send()];
    expect(names(first.body)).toEqual(['more-unloaded']);
    expect(second.body).toEqual(first.body);
  });
});

describe('the answer to an update', () => {
  const update = async (id: string, body: Partial<ChallanBody>) =>
    (await api.call(challans.update, { params: { id }, body }, { token: tenant.token })).body;

  it('says what the change brings in, and not again what was there', async () => {
    const { data } = await create({ unloadingWeight: '30' });
    expect(names(await update(data.id, { remarks: 'Wet' }))).toEqual([]);
    expect(names(await update(data.id, { paymentStatus: true }))).toEqual([]);
    expect(names(await update(data.id, { paymentStatus: false, remarks: 'Dry' }))).toEqual([]);
    expect(names(await update(data.id, { advanceMoney: '30000' }))).toEqual(['advance-above-freight']);
    expect(names(await update(data.id, { loadingWeight: '26' }))).toEqual(['more-unloaded', 'advance-above-freight']);
    expect(names(await update(data.id, { loadingWeight: '30', advanceMoney: '100' }))).toEqual([]);
  });

  it('compares its rate with the last other challan of the route', async () => {
    const { data: first } = await create({ ratePerMT: '450', advanceMoney: '0' });
    const { data: wrong } = await create({ ratePerMT: '4500', advanceMoney: '0' });
    expect(names(await update(wrong.id, { ratePerMT: '460' }))).toEqual([]);
    expect(names(await update(wrong.id, { ratePerMT: '4600' }))).toEqual(['unusual-rate']);
    expect(await lastRate('Joda', 'Paradip Port')).toEqual({ ratePerMT: '4600.00' });
    expect(await lastRate('joda', 'Paradip Port', wrong.id)).toEqual({ ratePerMT: '450.00' });
    await api.call(challans.remove, { params: { id: wrong.id } }, { token: tenant.token });
    expect(await lastRate('Joda', 'Paradip Port', first.id)).toBeNull();
    expect(await lastRate('Joda', '')).toBeNull();
    expect(await lastRate('Joda', 'Paradip Port', unknownId)).toEqual({ ratePerMT: '450.00' });
  });
});

describe('the last rate of a route', () => {
  it('is found without reading the other challans of the route', async () => {
    await api.inTenant(tenant, (db) => insertChallans(db, refs, 1_000));
    await asSchemaOwner(api, (client) => client.query('ANALYZE challans'));
    const read = await api.inTenant(tenant, async (db) => {
      const before = await readSoFar(db);
      expect(await selectLastRates(db, [{ loadingPlace: 'Joda', unloadingPlace: 'Paradip Port' }])).toHaveLength(1);
      return (await readSoFar(db)) - before;
    });
    expect(read).toBeLessThan(10);
  });
});

/** How many challans this transaction has read. */
async function readSoFar(db: TenantDb): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `SELECT (seq_tup_read + idx_tup_fetch)::int AS n FROM pg_stat_xact_user_tables WHERE relname = 'challans'`,
  );
  return rows[0]?.n ?? 0;
}

describe('the entry sheet', () => {
  it('is answered with the warnings of the rows that were created, by their keys', async () => {
    await create({ ratePerMT: '450', advanceMoney: '0' });
    const rows = [
      { key: 'a', ...buildChallan(refs, { unloadingWeight: '61' }) },
      { key: 'b', ...buildChallan(refs, { ratePerMT: '-1', unloadingWeight: '62' }) },
      { key: 'c', ...buildChallan(refs, { ratePerMT: '4500' }) },
      { key: 'd', ...buildChallan(refs) },
    ];
    const { body, status } = await api.call(
      challans.createMany,
      { body: { rows, mode: 'valid' } },
      { token: tenant.token },
    );
    expect(status).toBe(201);
    expect(body.data.refused.map(({ key }) => key)).toEqual(['b']);
    expect(body.warnings.map(({ key, name }) => [key, name])).toEqual([
      ['a', 'unloadingWeight-heavy'],
      ['a', 'more-unloaded'],
      ['c', 'unusual-rate'],
    ]);
  });

  it('is told the last rate of each route when it is checked', async () => {
    await create({ ratePerMT: '450', advanceMoney: '0' });
    const rows = [
      { key: '1', loadingPlace: 'joda', unloadingPlace: 'Paradip  Port' },
      { key: '2', loadingPlace: 'JODA', unloadingPlace: 'PARADIP PORT' },
      { key: '3', loadingPlace: 'Joda', unloadingPlace: '\u0000' },
      { key: '4', loadingPlace: 'Joda' },
      { key: '5', loadingPlace: 'Nowhere', unloadingPlace: 'Paradip Port' },
    ];
    const { body } = await api.call(challans.checkSheet, { body: { rows } }, { token: tenant.token });
    expect(body.data.lastRates.map(({ ratePerMT }) => ratePerMT)).toEqual(['450.00']);
  });
});

it('an import says it of its rows, but not that past challans are old', async () => {
  await createOwner(api, tenant, { name: 'Ram Das' });
  await createTag(api, tenant, { name: 'Joda' });
  await create({ ratePerMT: '450', advanceMoney: '0' });
  const usual = {
    tpNo: 'TP-1',
    loadingDate: '10/04/2020',
    unloadingDate: '11/04/2020',
    depositedAt: '12/04/2020',
    vehicleNo: 'OD 09 A 1',
    material: 'Iron ore',
    ownerName: 'Ram Das',
    ownerContactNumber: '9876543210',
    tag: 'Joda',
    loadingPlace: 'Joda',
    unloadingPlace: 'Paradip Port',
    loadingWeight: '25',
    unloadingWeight: '24.90',
    ratePerMT: '440',
    tdsPercentage: '1',
    advanceMoney: '5000',
    officeCharges: '100',
  };
  const past = [usual, { ...usual, tpNo: 'TP-2', vehicleNo: 'OD 09 A 2', unloadingWeight: '249', ratePerMT: '4,400' }];
  const fields = Object.keys(usual);
  const table = {
    kind: 'challans' as const,
    file: { name: 'past.xlsx', sha256: null },
    fields,
    rows: past.map((row) => Object.values(row)),
  };
  const { data } = (await api.call(contract.imports.check, { body: table }, { token: tenant.token })).body;
  expect(data.rows.map(({ state, warnings = [] }) => [state, warnings.map(({ field }) => field)])).toEqual([
    ['new', []],
    ['new', ['unloadingWeight', 'unloadingWeight', 'ratePerMT']],
  ]);
  // Another rate of the route changes what is said, not what is imported.
  await create({ ratePerMT: '4400', advanceMoney: '0' });
  const { status } = await api.call(
    contract.imports.apply,
    { body: { ...table, choices: [], expected: { fingerprint: data.fingerprint } } },
    { token: tenant.token },
  );
  expect(status).toBe(201);
});
