import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, isNegative, subtract, sum } from '../../../src/shared/calc/money.ts';
import { bankFileColumns } from '../../../src/shared/columns/bank-statement-columns.ts';
import { challanExportColumns } from '../../../src/shared/columns/challan-export-columns.ts';
import type { ChallanSummary } from '../../../src/shared/contract/challan.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { challanFilters } from '../../../src/shared/filters/challan-filters.ts';
import { rollUpOf } from '../../../src/server/features/challans/challans-totals.queries.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { testSeed } from '../../calc/seed.ts';
import { startApi, type Answer, type Api, type Tenant } from '../support/api.ts';
import { createOwner, createPump, createTag } from '../support/builders.ts';
import { unknownId } from '../support/expect.ts';
import { insertChallans } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

/**
 * Whatever filters are put together, the list, its sums, the file, the owner's page and its file, and the bank statement
 * mean the same challans: those that a plain look over all of them finds. Each pair of filters is asked, and a random
 * sample of larger combinations.
 */
let api: Api;
let desk: Desk;
const random = randomOf(testSeed('challan filter pairs'));
beforeAll(async () => {
  api = await startApi();
  desk = await openDesk();
});
afterAll(() => api.close());

const { accounting, bankStatement, challans } = contract;

interface Row {
  number: string;
  ownerId: string;
  ownerName: string;
  tagId: string | null;
  tpNo: string;
  paid: boolean;
  loaded: string;
  deposited: string | null;
  net: string;
  tds: string;
  vehicle: string;
  material: string;
  loadingPlace: string;
  unloadingPlace: string;
  driver: string;
  payment: string | null;
  pumpId: string | null;
  verified: boolean;
  paidOn: string | null;
}

interface Desk {
  tenant: Tenant;
  owners: string[];
  tags: string[];
  pump: string;
  /** Every challan, the newest first. */
  all: Row[];
}

const day = (offset: number): string => new Date(Date.UTC(2026, 3, 1 + offset)).toISOString().slice(0, 10);

async function openDesk(): Promise<Desk> {
  const tenant = await api.addTenant();
  const owners: string[] = [];
  for (const name of ['Anil Jena', 'anil Sahu', 'Zafar Khan'])
    owners.push((await createOwner(api, tenant, { name })).id);
  const pump = (await createPump(api, tenant)).id;
  const tags = [(await createTag(api, tenant)).id, (await createTag(api, tenant)).id];
  // Half of them folded into the roll-ups, half of them still open differences.
  for (let half = 0; half < 2; half += 1) {
    for (const ownerId of owners) {
      for (const tagId of [...tags, null]) await makeSome(tenant, ownerId, tagId, pump);
    }
    if (half === 0) await api.inTenant(tenant, (db) => foldTotals(db, db.tenantId));
  }
  await writePayments(tenant);
  return { tenant, owners, tags, pump, all: await everyRow(tenant) };
}

/** As imported data may be: some without a deposited day. */
async function makeSome(tenant: Tenant, ownerId: string, tagId: string | null, pump: string): Promise<void> {
  await api.inTenant(tenant, async (db) => {
    const made = await insertChallans(db, { ownerId, tagId }, 5, { minutesApart: 300 });
    for (const { id } of made) {
      const loaded = random.below(8);
      const hasPump = random.chance(0.6);
      await db.query(
        `UPDATE challans SET tp_no = $3, payment_status = $4,
           paid_at = CASE WHEN $4 THEN ($8::date + time '00:00') AT TIME ZONE 'Asia/Kolkata' END,
           vehicle_no = $9, material = $10, loading_place = $11, unloading_place = $12, petrol_pump_id = $13,
           driver_name = $15, hsd_verified = $14, hsd_verified_at = CASE WHEN $14 THEN now() END,
           tds_amount = $7, net_amount_payable = net_amount_payable + tds_amount - $7,
           loading_at = $5::date::timestamp AT TIME ZONE 'Asia/Kolkata', unloading_at = $5::date::timestamp AT TIME ZONE 'Asia/Kolkata',
           deposited_at = $6::date::timestamp AT TIME ZONE 'Asia/Kolkata'
         WHERE subadmin_id = $1 AND id = $2`,
        [
          tenant.id,
          id,
          random.chance(0.1) ? `KJR/${id.slice(0, 8)}` : random.pick(['24090111', '24090222', 'KJR/111', '50%_9']),
          random.chance(0.4),
          day(loaded),
          random.chance(0.3) ? null : day(loaded + random.below(6)),
          `${random.below(90)}.${10 + random.below(90)}`,
          day(loaded + random.below(9)),
          random.pick(['OD 09 AB 1234', 'OD-05-Z-7']),
          random.pick(['Coal', 'Iron ore']),
          random.pick(['Joda', 'Barbil']),
          random.pick(['Paradip', 'joda yard']),
          hasPump ? pump : null,
          hasPump && random.chance(0.5),
          random.pick(['', 'None', 'Ravi', 'RAVI', 'Ravi Das']),
        ],
      );
    }
  });
}

/** Those that are paid were paid by one payment on each day, as the ledger has it. */
async function writePayments(tenant: Tenant): Promise<void> {
  await api.inTenant(tenant, (db) =>
    db.query(
      `WITH paid AS (SELECT * FROM challans WHERE subadmin_id = $1 AND payment_status), batches AS (
         INSERT INTO payment_batches
           (subadmin_id, number, kind, created_by, updated_count, total_amount, owner_count, paid_on)
         SELECT $1, 'PAY-' || paid_on, 'selected', $1, count(*), sum(net_amount_payable), count(DISTINCT owner_id), paid_on
         FROM paid GROUP BY paid_on RETURNING id, paid_on
       )
       INSERT INTO payment_lines
         (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, challan_number, created_by)
       SELECT $1, paid.id, pay_cycle, 'pay', batches.id, row_number() OVER (PARTITION BY batches.id ORDER BY paid.id),
         owner_id, net_amount_payable, challan_number, $1
       FROM paid JOIN batches USING (paid_on)`,
      [db.tenantId],
    ),
  );
}

function everyRow(tenant: Tenant): Promise<Row[]> {
  return api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<Row>(
      `SELECT c.challan_number AS number, c.owner_id AS "ownerId", o.name AS "ownerName", c.tag_id AS "tagId", c.tp_no AS "tpNo",
         c.payment_status AS paid, c.loading_on::text AS loaded, c.deposited_on::text AS deposited,
         c.net_amount_payable AS net, c.tds_amount AS tds, c.vehicle_no AS vehicle, c.material,
         c.loading_place AS "loadingPlace", c.unloading_place AS "unloadingPlace", c.petrol_pump_id AS "pumpId",
         c.driver_name AS driver, 'PAY-' || c.paid_on AS payment,
         c.hsd_verified AS verified, (c.paid_at AT TIME ZONE 'Asia/Kolkata')::date::text AS "paidOn"
       FROM challans c JOIN owners o ON o.id = c.owner_id
       WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL ORDER BY c.created_at DESC, c.id DESC`,
      [db.tenantId],
    );
    return rows;
  });
}

interface Filter {
  tpNo?: string;
  paymentStatus?: boolean;
  tagId?: string;
  ownerId?: string;
  ownerName?: string;
  startDate?: string;
  endDate?: string;
  depositedDate?: string;
  depositedStartDate?: string;
  depositedEndDate?: string;
  challanNumber?: string;
  vehicleNo?: string;
  material?: string;
  place?: string;
  petrolPumpId?: string;
  hsdVerified?: boolean;
  netFrom?: string;
  netTo?: string;
  paidStartDate?: string;
  paidEndDate?: string;
  tpUse?: boolean;
  materialIs?: string;
  loadingPlaceIs?: string;
  unloadingPlaceIs?: string;
  vehicleIs?: string;
  driverIs?: string;
  paymentIs?: string;
}

const isWanted =
  ({ tpNo, paymentStatus, tagId, ownerId, ownerName, startDate, endDate, ...filter }: Filter) =>
  (row: Row): boolean => {
    const { depositedDate, depositedStartDate: from, depositedEndDate: to } = filter;
    const { deposited } = row;
    return (
      (tpNo === undefined || row.tpNo.includes(tpNo)) &&
      (paymentStatus === undefined || row.paid === paymentStatus) &&
      (tagId === undefined || row.tagId === (tagId === 'none' ? null : tagId)) &&
      (ownerId === undefined || row.ownerId === ownerId) &&
      (ownerName === undefined || row.ownerName.toLowerCase().includes(ownerName)) &&
      (startDate === undefined || row.loaded >= startDate) &&
      (endDate === undefined || row.loaded <= endDate) &&
      (depositedDate === undefined || deposited === (depositedDate === 'none' ? null : depositedDate)) &&
      (from === undefined || (deposited !== null && deposited >= from)) &&
      (to === undefined || (deposited !== null && deposited <= to)) &&
      isWantedBesides(filter, row)
    );
  };

const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** The filters that no roll-up has. */
function isWantedBesides(filter: Filter, row: Row): boolean {
  const { challanNumber, vehicleNo, material, place, petrolPumpId, hsdVerified, netFrom, netTo } = filter;
  const { paidStartDate, paidEndDate, tpUse } = filter;
  const sameTp = desk.all.filter(({ tpNo }) => tpNo === row.tpNo).length;
  return (
    (challanNumber === undefined || has(row.number, challanNumber)) &&
    (vehicleNo === undefined ||
      row.vehicle.replace(/[ -]/g, '').includes(vehicleNo.replace(/[ -]/g, '').toUpperCase())) &&
    (material === undefined || has(row.material, material)) &&
    (place === undefined || has(row.loadingPlace, place) || has(row.unloadingPlace, place)) &&
    (petrolPumpId === undefined || row.pumpId === (petrolPumpId === 'none' ? null : petrolPumpId)) &&
    (hsdVerified === undefined || (row.pumpId !== null && row.verified === hsdVerified)) &&
    (netFrom === undefined || compare(row.net, netFrom) >= 0) &&
    (netTo === undefined || compare(row.net, netTo) <= 0) &&
    (paidStartDate === undefined || (row.paidOn !== null && row.paidOn >= paidStartDate)) &&
    (paidEndDate === undefined || (row.paidOn !== null && row.paidOn <= paidEndDate)) &&
    (tpUse === undefined || sameTp > 1 === tpUse) &&
    isWantedGroup(filter, row)
  );
}

const isSame = (wanted: string | undefined, text: string): boolean =>
  wanted === undefined || text.toLowerCase() === wanted.toLowerCase();

/** The filters that come from groups: they mean the whole text. */
const isWantedGroup = (filter: Filter, row: Row): boolean =>
  isSame(filter.materialIs, row.material) &&
  isSame(filter.loadingPlaceIs, row.loadingPlace) &&
  isSame(filter.unloadingPlaceIs, row.unloadingPlace) &&
  isSame(filter.vehicleIs?.replace(/[ -]/g, ''), row.vehicle.replace(/[ -]/g, '')) &&
  isSame(filter.driverIs, row.driver || 'none') &&
  isSame(filter.paymentIs, row.payment ?? 'none');

/** Each filter with values that find much, little and nothing. */
const valuesOf = (): { readonly [name in keyof Filter]-?: readonly NonNullable<Filter[name]>[] } => ({
  tpNo: ['240', '4', '%_', 'none such'],
  paymentStatus: [true, false],
  tagId: [desk.tags[0]!, 'none', unknownId],
  ownerId: [desk.owners[0]!, unknownId],
  ownerName: ['anil', 'nobody'],
  startDate: ['2026-04-03', '2020-01-01'],
  endDate: ['2026-04-05', '2020-12-31'],
  depositedDate: ['none', '2026-04-05'],
  depositedStartDate: ['2026-04-04', '2020-01-01', '2030-01-01'],
  depositedEndDate: ['2026-04-07', '2020-12-31', '2030-12-31'],
  challanNumber: ['T-1'],
  vehicleNo: ['od09', 'none such'],
  material: ['ORE'],
  place: ['Joda', '%'],
  petrolPumpId: [desk.pump, 'none'],
  hsdVerified: [true, false],
  netFrom: [middleNet(), '999999999.99'],
  netTo: [middleNet(), '-0.01'],
  paidStartDate: ['2026-04-06', '2026-04-08'],
  paidEndDate: ['2026-04-08'],
  tpUse: [true, false],
  materialIs: ['COAL', 'Coa'],
  loadingPlaceIs: ['joda'],
  unloadingPlaceIs: ['JODA YARD'],
  vehicleIs: ['od05z7'],
  driverIs: ['ravi', 'none'],
  paymentIs: ['none', 'PAY-2026-04-06'],
});

/** Half of the challans are of less. */
const middleNet = (): string => desk.all.map(({ net }) => net).toSorted(compare)[45] ?? '0';

const single = (): Filter[] =>
  Object.entries(valuesOf()).flatMap(([name, values]) => values.map((value) => ({ [name]: value }) as Filter));

/** A range that ends before it begins is refused, which is another test's business. */
const isReversed = ({ startDate, endDate, depositedStartDate, depositedEndDate, netFrom, netTo }: Filter): boolean =>
  (startDate !== undefined && endDate !== undefined && startDate > endDate) ||
  (depositedStartDate !== undefined && depositedEndDate !== undefined && depositedStartDate > depositedEndDate) ||
  (netFrom !== undefined && netTo !== undefined && compare(netFrom, netTo) > 0);

function pairs(): Filter[] {
  const all = single();
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter((other) => Object.keys(other)[0] !== Object.keys(one)[0])
      .map((other) => ({ ...one, ...other }))
      .filter((filter) => !isReversed(filter)),
  );
}

function larger(): Filter {
  for (;;) {
    const names = random.some(Object.keys(valuesOf()), 3 + random.below(5)) as (keyof Filter)[];
    const filter = Object.fromEntries(names.map((name) => [name, random.pick<unknown>(valuesOf()[name])])) as Filter;
    if (!isReversed(filter)) return filter;
  }
}

function ok<T>(answer: Answer<T>, about: string): T {
  expect([about, answer.status, answer.text.slice(0, 200)]).toEqual([about, 200, expect.any(String)]);
  return answer.body;
}

const netOf = (rows: readonly Row[]): string => sum(rows.map(({ net }) => net));
const numbersOf = (rows: readonly Row[]): string[] => rows.map(({ number }) => number);
const challanAt = challanExportColumns.findIndex(({ label }) => label === 'No');
const netAt = challanExportColumns.findIndex(({ label }) => label === 'Net');

function fileOf(text: string): { number: string; net: string }[] {
  const lines: string[][] = parse(text, { bom: true, from: 2 });
  return lines.map((line) => ({ number: line[challanAt] ?? '', net: line[netAt] ?? '' }));
}

const asFile = (rows: readonly Row[]) => rows.map(({ number, net }) => ({ number, net }));

/** Everything that takes this filter, against the challans that a look over all of them finds. */
async function expectAgreement(filter: Filter): Promise<void> {
  const about = JSON.stringify(filter);
  const found = desk.all.filter(isWanted(filter));
  const auth = { token: desk.tenant.token };
  const { ownerName, startDate, endDate, ...shared } = filter;
  const { tpNo, depositedDate, ...stated } = shared;
  const isOfList = Object.keys(filter).some((name) => 'isRare' in challanFilters[name as keyof Filter]);

  if (ownerName === undefined) {
    const list = ok(
      await api.call(challans.list, { query: { ...shared, startDate, endDate, limit: 100 } }, auth),
      about,
    );
    expect([about, list.data.map(({ challanNumber }) => challanNumber)]).toEqual([about, numbersOf(found)]);
    const paid = netOf(found.filter((row) => row.paid));
    const summary = {
      totalCount: found.length,
      totalAmount: netOf(found),
      paidCount: found.filter((row) => row.paid).length,
      paidAmount: paid,
      unpaidCount: found.filter((row) => !row.paid).length,
      unpaidAmount: subtract(netOf(found), paid),
    };
    expect([about, list.summary]).toEqual([about, summary]);
    expect([about, list.pagination.totalCount]).toEqual([about, found.length]);
    if (random.chance(0.4)) await expectRowsAndSums({ ...shared, startDate, endDate }, summary);
  }

  if (ownerName === undefined && startDate === undefined && endDate === undefined) {
    const file = await api.call(challans.exportCsv, { body: { filters: shared } }, auth);
    ok(file, about);
    expect([about, fileOf(file.text)]).toEqual([about, asFile(found)]);
    if (!isOfList && tpNo === undefined && depositedDate === undefined) await expectOwnerAgreement(stated, found);
  }

  if (
    !isOfList &&
    startDate === undefined &&
    endDate === undefined &&
    tpNo === undefined &&
    depositedDate === undefined
  ) {
    await expectStatementAgreement({ ...stated, ...(ownerName && { ownerName }) }, found);
  }
}

/** How many pages came without their sums, and with them. */
const rowsAnswers = { without: 0, with: 0 };

/** The rows that do not wait for the sums are those of the whole list, and the sums that come later are its sums. */
async function expectRowsAndSums(filter: Filter, summary: ChallanSummary): Promise<void> {
  const auth = { token: desk.tenant.token };
  const place = {
    limit: 1 + random.below(12),
    page: 1 + random.below(3),
    sortBy: random.pick(['createdAt', 'createdAt', 'createdAt', 'tpNo', 'depositedAt', 'paymentStatus', 'material']),
    sortOrder: random.pick(['asc', 'desc']),
  };
  const query = { ...filter, ...place };
  const about = JSON.stringify(query);
  const whole = ok(await api.call(challans.list, { query }, auth), about);
  const rows = ok(await api.call(challans.listRows, { query: { ...query, totals: 'later' } }, auth), about);
  const sums = ok(await api.call(challans.getSums, { query: filter }, auth), about);
  expect([about, sums.data]).toEqual([about, summary]);
  expect([about, rows.data, rows.hasNext]).toEqual([about, whole.data, whole.pagination.hasNext]);
  rowsAnswers[rows.summary ? 'with' : 'without'] += 1;
  expect([about, rows.pagination]).toEqual([about, rows.summary && whole.pagination]);
  if (rows.summary) expect([about, rows.summary]).toEqual([about, summary]);
  else expect([about, rollUpOf(filter), rows.hasNext]).toEqual([about, undefined, true]);
}

async function expectOwnerAgreement(filter: Filter, found: readonly Row[]): Promise<void> {
  const { ownerId, depositedStartDate, depositedEndDate, ...rest } = filter;
  if (ownerId === undefined || ownerId === unknownId) return;
  const about = `owner ${JSON.stringify(filter)}`;
  const auth = { token: desk.tenant.token };
  const query = { ...filter, ownerId, limit: 100 };
  const list = ok(await api.call(accounting.listOwnerChallans, { query }, auth), about);
  const { limit: _, ...same } = query;
  const { data: summary } = ok(await api.call(accounting.getOwnerSummary, { query: same }, auth), about);
  const filters = { ...rest, startDate: depositedStartDate, endDate: depositedEndDate };
  const file = await api.call(accounting.exportCsv, { body: { ownerId, filters } }, auth);
  expect([about, list.data.map(({ challanNumber }) => challanNumber)]).toEqual([about, numbersOf(found)]);
  const paid = found.filter((row) => row.paid);
  const unpaid = found.filter((row) => !row.paid);
  const expected = {
    totalCount: found.length,
    totalPayableAmount: netOf(found),
    totalPaidAmount: netOf(paid),
    totalUnpaidAmount: netOf(unpaid),
    totalTds: sum(found.map(({ tds }) => tds)),
    paidCount: paid.length,
    unpaidCount: unpaid.length,
  };
  expect([about, list.meta.summary, summary]).toEqual([about, expected, expected]);
  expect([about, fileOf(file.text)]).toEqual([about, asFile(found)]);
}

/** The statement holds the unpaid ones, by owner. */
async function expectStatementAgreement(filter: Filter, all: readonly Row[]): Promise<void> {
  const about = `statement ${JSON.stringify(filter)}`;
  const { paymentStatus, ...query } = filter;
  if (paymentStatus === true) return;
  const auth = { token: desk.tenant.token };
  const found = all.filter((row) => !row.paid);
  const { data } = ok(await api.call(bankStatement.list, { query: { ...query, limit: 100 } }, auth), about);
  const ownerIds = [...new Set(found.map(({ ownerId }) => ownerId))];
  const negative = ownerIds.filter((id) => isNegative(netOf(found.filter(({ ownerId }) => ownerId === id))));
  const ofNegative = found.filter(({ ownerId }) => negative.includes(ownerId));
  const positive = found.filter((row) => !ofNegative.includes(row));
  expect([
    about,
    { ...data.summary, negativeOwners: data.summary.negativeOwners.map(({ id }) => id).toSorted() },
  ]).toEqual([
    about,
    {
      totalOwners: ownerIds.length,
      totalChallans: found.length,
      totalUnpaidAmount: netOf(found),
      heldCount: 0,
      heldAmount: '0.00',
      negativeChallanCount: ofNegative.length,
      negativeAmount: netOf(ofNegative),
      negativeCarriedAmount: '0.00',
      deductedAmount: '0.00',
      negativeOwnerCount: negative.length,
      negativeOwners: negative.toSorted(),
      matching: { count: found.length, amount: netOf(found) },
      payment: { count: positive.length, amount: netOf(positive) },
    },
  ]);
  const shown = data.owners.flatMap((owner) => owner.challans.map(({ challanNumber }) => challanNumber));
  expect([about, shown.toSorted()]).toEqual([about, numbersOf(found).toSorted()]);
  for (const owner of data.owners) {
    const own = found.filter(({ ownerId }) => ownerId === owner.id);
    expect([about, owner.unpaidCount, owner.unpaidAmount]).toEqual([about, own.length, netOf(own)]);
  }
  const file = await api.call(bankStatement.exportCsv, { query: { ...query, format: 'csv' } }, auth);
  const lines: string[][] = parse(file.text, { bom: true, from: 2 });
  const at = (label: string): number => bankFileColumns.findIndex((column) => column.label === label);
  const ofChallans = lines.filter((line) => line[at('Status')] !== '');
  expect([about, ofChallans.map((line) => line[at('Challan')]).toSorted()]).toEqual([
    about,
    numbersOf(found).toSorted(),
  ]);
  expect([about, lines.at(-1)?.[at('Net')]]).toEqual([about, netOf(found)]);
}

describe('filters of challans', () => {
  it('have enough of everything to tell them apart', () => {
    expect(desk.all.length).toBe(90);
    for (const filter of single().filter(
      (one) => !/none such|nobody|"Coa"|2020|2030|7b0c3f5e|9999|-0.01|%"/.test(JSON.stringify(one)),
    )) {
      const found = desk.all.filter(isWanted(filter)).length;
      expect([JSON.stringify(filter), found > 0 && found < 90]).toEqual([JSON.stringify(filter), true]);
    }
  });

  it('mean the same everywhere, each alone and none', async () => {
    for (const filter of [{}, ...single()]) await expectAgreement(filter);
  });

  it('find challans by the end of their numbers as by their years', async () => {
    const [{ number }] = desk.all as [Row];
    for (const challanNumber of [
      number,
      number.toLowerCase(),
      number.slice(-4),
      number.slice(-5),
      number.slice(3, 7),
      '99999',
    ]) {
      await expectAgreement({ challanNumber });
      await expectAgreement({ challanNumber, ownerId: desk.owners[0]!, startDate: '2026-04-02' });
    }
  });

  it('find vehicles by many characters of their numbers as by few', async () => {
    for (const vehicleNo of ['ab-1234', 'OD 05 Z', '09AB12', 'od05z8', '234', 'b-123', '9999']) {
      await expectAgreement({ vehicleNo });
      await expectAgreement({ vehicleNo, ownerId: desk.owners[0]!, startDate: '2026-04-02' });
    }
  });

  it('mean the same everywhere, each with each other', { timeout: 300_000 }, async () => {
    const asked = pairs();
    expect(asked.length).toBeGreaterThan(250);
    for (const filter of asked) await expectAgreement(filter);
  });

  it('mean the same everywhere, in 200 larger combinations', { timeout: 300_000 }, async () => {
    for (let asked = 0; asked < 200; asked += 1) await expectAgreement(larger());
  });

  it('find nothing that is not deposited inside of a range of deposited days', async () => {
    const ranges: Filter[] = [
      { depositedStartDate: '2020-01-01' },
      { depositedEndDate: '2030-12-31' },
      { depositedStartDate: '2020-01-01', depositedEndDate: '2030-12-31' },
    ];
    for (const range of ranges) {
      const filter: Filter = { depositedDate: 'none', ...range };
      expect(desk.all.filter(isWanted(filter))).toEqual([]);
      await expectAgreement(filter);
      for (const ownerId of desk.owners) await expectAgreement({ ...filter, ownerId });
    }
  });

  it('answered pages with their sums, and others that did not wait for them', () => {
    expect(rowsAnswers.with).toBeGreaterThan(20);
    expect(rowsAnswers.without).toBeGreaterThan(20);
  });
});

it('finds a TP number beside few challans and beside many, which are looked up in different ways', async () => {
  const tenant = await api.addTenant();
  const [few, many] = [await createOwner(api, tenant), await createOwner(api, tenant)];
  await api.inTenant(tenant, async (db) => {
    await insertChallans(db, { ownerId: few.id }, 12);
    // More than the list sorts.
    await insertChallans(db, { ownerId: many.id }, 5_100);
  });
  for (const ownerId of [few.id, many.id]) {
    const expected = await api.inTenant(tenant, async (db) => {
      const { rows } = await db.query<{ count: number; amount: string }>(
        `SELECT count(*)::int AS count, coalesce(sum(net_amount_payable), 0.00)::text AS amount FROM challans
         WHERE subadmin_id = $1 AND owner_id = $2 AND tp_no LIKE '%' || $3 || '%'`,
        [tenant.id, ownerId, 'P10'],
      );
      return rows[0]!;
    });
    const query = { ownerId, tpNo: 'P10', limit: 100 };
    const { data, summary } = (await api.call(challans.list, { query }, { token: tenant.token })).body;
    expect([summary.totalCount, summary.totalAmount]).toEqual([expected.count, expected.amount]);
    expect(data).toHaveLength(Math.min(100, expected.count));
    expect(data.every((row) => row.owner.id === ownerId && row.tpNo.includes('P10'))).toBe(true);
    const sums = (await api.call(challans.getSums, { query }, { token: tenant.token })).body.data;
    expect(sums).toEqual(summary);
  }
});
