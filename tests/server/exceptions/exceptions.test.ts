import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { compare, sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import type { Exception } from '../../../src/shared/contract/exceptions.ts';
import { exceptionKindNames, type ExceptionKindName } from '../../../src/shared/filters/exception-kinds.ts';
import { testSeed } from '../../calc/seed.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createPump, createTag } from '../support/builders.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { addPerson } from '../support/people.ts';
import {
  driverName,
  freightOf,
  insertPlanted,
  ownerOf,
  plantedTrips,
  price,
  rounded,
  vehicleNo,
  wheelsOf,
  type Trip,
} from '../support/planted-trips.ts';
import { randomOf } from '../support/random.ts';

/** What is unusual (docs/specification.md §35), in random trips with planted exceptions. */
const { exceptions, challans } = contract;
type Query = QueryInput<typeof exceptions.list>;

let api: Api;
let tenant: Tenant;
let owners: { id: string; name: string }[];
let data: ReturnType<typeof plantedTrips>;
const today = dayOf(new Date());

const ask = (query: Query, token = tenant.token) => api.call(exceptions.list, { query }, { token });
async function allOf(query: Query = {}): Promise<Exception[]> {
  const rows: Exception[] = [];
  for (let page = 1; ; page += 1) {
    const { body, status, text } = await ask({ limit: 100, page, ...query });
    expect(status, text).toBe(200);
    rows.push(...body.data);
    if (!body.pagination.hasNext) return rows;
  }
}
const paise = (text: string): bigint => BigInt(text.replace('.', ''));
const tripOf = (row: Exception): Trip => data.trips[Number(row.challanNumber!.slice(2)) - 1]!;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  owners = [];
  for (let at = 0; at < 20; at += 1) owners.push(await createOwner(api, tenant, { name: `Owner ${at}` }));
  const refs = { owners, tagId: (await createTag(api, tenant)).id, pumpId: (await createPump(api, tenant)).id };
  data = plantedTrips(randomOf(testSeed('exceptions')), today);
  await api.inTenant(tenant, (db) => insertPlanted(db, data, refs));
}, 120_000);
afterAll(() => api.close());

/** The lower median, which is a value that some trip has. */
const median = (values: bigint[]): bigint =>
  values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[Math.ceil(values.length / 2) - 1]!;
const mediansBy = (keyOf: (trip: Trip) => string, valueOf: (trip: Trip) => bigint) => {
  const groups = new Map<string, bigint[]>();
  for (const trip of data.trips) {
    const key = keyOf(trip);
    const values = groups.get(key);
    if (values) values.push(valueOf(trip));
    else groups.set(key, [valueOf(trip)]);
  }
  const medians = new Map([...groups].map(([key, values]) => [key, median(values)]));
  return (trip: Trip) => medians.get(keyOf(trip))!;
};

describe('exceptions', () => {
  it('finds what was planted, and little else', async () => {
    const rows = await allOf();
    const found = new Set(rows.map((row) => `${row.kind} ${subjectOf(row)}`));
    const planted = exceptionKindNames.flatMap((kind) =>
      [...data.planted[kind]].map((subject) => `${kind} ${subject}`),
    );
    expect(planted).toHaveLength(200);
    const missed = planted.filter((one) => !found.has(one));
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(10);
    const wrong = rows.filter((row) => !isPlanted(row));
    // 200 challans a day, for 30 days.
    expect(wrong.length, wrong.map(({ id }) => id).join('\n')).toBeLessThanOrEqual(90);
  });

  it('counts each effect to the paisa, and sorts by it', async () => {
    const rows = await allOf({ fine: 'also' });
    const usual = {
      shortage: mediansBy(
        ({ route }) => String(route),
        ({ shortage }) => shortage,
      ),
      rate: mediansBy(
        ({ route }) => String(route),
        ({ rate }) => rate,
      ),
      weight: mediansBy(
        ({ vehicle }) => String(wheelsOf(vehicle)),
        ({ weight }) => weight,
      ),
      liters: mediansBy(
        ({ route, vehicle }) => `${route} ${wheelsOf(vehicle)}`,
        ({ liters }) => liters,
      ),
    };
    const asked = data.trips.filter(({ loadingOn }) => loadingOn > addDays(today, -30));
    const excess = (trip: Trip) => rounded((trip.shortage - usual.shortage(trip)) * trip.rate);
    const sumOf = (isOf: (trip: Trip) => boolean) => asked.filter(isOf).reduce((sum, trip) => sum + excess(trip), 0n);
    const effects: Record<ExceptionKindName, (row: Exception) => bigint> = {
      shortage: (row) => excess(tripOf(row)),
      driverShortage: (row) => sumOf(({ driver }) => driverName(driver).toLowerCase() === row.subject),
      vehicleShortage: (row) => sumOf(({ vehicle }) => vehicleNo(vehicle) === row.subject),
      ownerShortage: (row) => sumOf(({ owner }) => owners[owner]!.id === row.subject),
      liters: (row) => rounded((tripOf(row).liters - usual.liters(tripOf(row))) * price),
      weight: (row) => rounded((tripOf(row).weight - usual.weight(tripOf(row))) * tripOf(row).rate),
      rate: (row) => {
        const { rate, weight, shortage } = tripOf(row);
        const off = rate - usual.rate(tripOf(row));
        return rounded((off < 0n ? -off : off) * (weight - shortage));
      },
      tp: (row) => freightOf(tripOf(row)),
      overlap: (row) => freightOf(tripOf(row)),
      days: (row) => freightOf(tripOf(row)),
      late: (row) => freightOf(tripOf(row)),
      hsd: (row) => paise(data.bills.find(({ tpNo }) => tpNo === row.tpNo)!.amount),
    };
    for (const row of rows) expect(paise(row.effect), row.id).toBe(effects[row.kind](row));
    const sum = rows.reduce((all, { effect }) => all + paise(effect), 0n);
    const { body } = await ask({ fine: 'also' });
    expect(paise(body.totals.effect)).toBe(sum);
    expect(body.pagination.totalCount).toBe(rows.length);
    // Each once, whatever the page.
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.map(({ effect }) => paise(effect))).toEqual(
      rows.map(({ effect }) => paise(effect)).toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)),
    );
    const shortage = asked
      .filter(({ route }) => route === 3)
      .reduce((all, trip) => all + rounded(trip.shortage * trip.rate), 0n);
    expect(paise(body.routes.find(({ route }) => route === 'Mine 3 → Port 0')!.amount)).toBe(shortage);
  });

  it('filters by kind, days and route, and sums the same in a file', async () => {
    const rows = await allOf({ kind: 'shortage', route: 'mine 3 → PORT 0' });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ kind, route }) => kind === 'shortage' && route === 'Mine 3 → Port 0')).toBe(true);
    const week = await allOf({ days: '7', sortBy: 'day', sortOrder: 'asc' });
    expect(week.every(({ day }) => day > addDays(today, -7))).toBe(true);
    expect(week.map(({ day }) => day)).toEqual(week.map(({ day }) => day).toSorted());
    const all = await ask({ kind: 'rate' });
    const csv = await api.callRaw('GET', '/api/exceptions/csv?kind=rate', { token: tenant.token });
    const lines = csv.text.trim().split('\r\n');
    expect(lines).toHaveLength(all.body.pagination.totalCount + 2);
    expect(lines.at(-1)).toContain(`Total of ${all.body.pagination.totalCount} exceptions`);
    expect(lines.at(-1)).toContain(all.body.totals.effect);
    const entered = await ask({ days: 'entered' });
    const summary = await api.call(exceptions.getSummary, {}, { token: tenant.token });
    // Of a challan with several exceptions the largest counts, and patterns repeat what challans lost.
    const most = new Map<string, string>();
    for (const row of await allOf({ days: 'entered' })) {
      if (/^(driver|vehicle|owner)Shortage$/.test(row.kind)) continue;
      const of = row.challanId ?? row.subject;
      if (compare(row.effect, most.get(of) ?? '0') > 0) most.set(of, row.effect);
    }
    expect(summary.body.data).toEqual({ count: entered.body.pagination.totalCount, effect: sum([...most.values()]) });
  });

  it('remembers what is fine, and forgets it again', async () => {
    const [first, second] = await allOf({ kind: 'weight' });
    const fine = (items: { kind: ExceptionKindName; subject: string }[], token = tenant.token) =>
      api.call(exceptions.setFine, { body: { items, reason: 'A trailer of ten axles' } }, { token });
    const items = [first!, second!].map(({ kind, subject }) => ({ kind, subject }));
    expect((await fine(items)).body.data).toEqual({ count: 2 });
    // Twice is once.
    expect((await fine(items)).body.data).toEqual({ count: 0 });
    const left = await allOf({ kind: 'weight' });
    expect(left.map(({ id }) => id)).not.toContain(first!.id);
    const hidden = await allOf({ kind: 'weight', fine: 'only' });
    expect(hidden.map(({ id }) => id).toSorted()).toEqual([first!.id, second!.id].toSorted());
    expect(hidden[0]!.fine).toMatchObject({ reason: 'A trailer of ten axles', createdBy: tenant.email });
    expect((await allOf({ kind: 'weight', fine: 'also' })).length).toBe(left.length + 2);
    const back = () =>
      api.call(exceptions.takeBack, { body: { ids: hidden.map((row) => row.fine!.id) } }, { token: tenant.token });
    expect((await back()).body.data).toEqual({ count: 2 });
    expect((await back()).body.data).toEqual({ count: 0 });
    expect((await allOf({ kind: 'weight' })).length).toBe(left.length + 2);

    const refused = await api.callRaw('POST', '/api/exceptions/fine', {
      token: tenant.token,
      body: { items: [], reason: '' },
    });
    expect(refused.error.fields).toEqual({
      items: 'Please choose at least one exception',
      reason: 'Please enter a reason',
    });

    // A pattern is also fine for the later ones of the vehicle on the route; a TP No for all its challans.
    expect((await fine([{ kind: 'weight', subject: first!.pattern! }])).body.data).toEqual({ count: 1 });
    expect((await allOf({ kind: 'weight' })).map(({ id }) => id)).not.toContain(first!.id);
    const [twice] = await allOf({ kind: 'tp' });
    await fine([{ kind: 'tp', subject: twice!.subject }]);
    expect((await allOf({ kind: 'tp' })).map(({ tpNo }) => tpNo)).not.toContain(twice!.tpNo);
  });

  it('are of one business, and decided by owners and accountants', async () => {
    const other = await api.addTenant();
    const [row] = await allOf({ kind: 'shortage' });
    const item = { kind: row!.kind, subject: row!.subject };
    const fine = (token: string, of = item) =>
      api.call(exceptions.setFine, { body: { items: [of], reason: 'Looked at' } }, { token });
    expect((await ask({}, other.token)).body).toMatchObject({ data: [], routes: [], totals: { effect: '0.00' } });
    expectRefusal(await fine(other.token), 404, 'NOT_FOUND', 'Challan not found');
    expectRefusal(await fine(tenant.token, { ...item, subject: unknownId }), 404, 'NOT_FOUND', 'Challan not found');
    for (const seat of ['clerk', 'auditor', 'accountant'] as const) {
      const { token } = await addPerson(api, tenant, seat);
      const { body } = await ask({ kind: 'shortage' }, token);
      expect(body.data[0], seat).toMatchObject({ id: row!.id, effect: row!.effect });
      expect(JSON.stringify(body)).not.toMatch(/accountNo|ifsc|panNo/i);
      if (seat !== 'accountant') expectRefusal(await fine(token), 403, 'FORBIDDEN');
      else expect((await fine(token)).body.data).toEqual({ count: 1 });
    }
    expect((await allOf({ kind: 'shortage' })).map(({ id }) => id)).not.toContain(row!.id);
  });

  it('follow the challans: what is deleted or corrected is gone', async () => {
    const [row, corrected] = await allOf({ kind: 'rate' });
    await api.call(challans.remove, { params: { id: row!.challanId! } }, { token: tenant.token });
    const saved = await api.callRaw('PUT', `/api/challans/${corrected!.challanId!}`, {
      token: tenant.token,
      body: { ratePerMT: corrected!.usual!.split(' ')[0] },
    });
    expect(saved.status, saved.text).toBe(200);
    const ids = (await allOf({ kind: 'rate' })).map(({ id }) => id);
    expect(ids).not.toContain(row!.id);
    expect(ids).not.toContain(corrected!.id);
    // What says nothing of a usual is not unusual.
    const small = await api.addTenant();
    const refs = { ownerId: (await createOwner(api, small)).id, tagId: (await createTag(api, small)).id };
    await createChallan(api, small, refs, {
      loadingDate: today,
      unloadingDate: today,
      depositedAt: today,
      unloadingWeight: '4.00',
    });
    expect((await ask({}, small.token)).body.data).toEqual([]);
  });
});

function subjectOf(row: Exception): string {
  if (row.kind === 'hsd') return row.tpNo!;
  if (row.kind === 'ownerShortage') return String(owners.findIndex(({ id }) => id === row.subject));
  return row.challanNumber === null ? row.subject : row.challanNumber.slice(2);
}

/** Whether this kind was planted in this trip or subject. All vehicles of a planted owner lose more, too. */
function isPlanted(row: Exception): boolean {
  if (data.planted[row.kind].has(subjectOf(row))) return true;
  if (row.kind !== 'vehicleShortage') return false;
  const vehicle = Number(row.subject.slice(6)) - 1000;
  return data.planted.ownerShortage.has(String(ownerOf(vehicle)));
}
