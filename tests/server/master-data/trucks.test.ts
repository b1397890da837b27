import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vehicleKey } from '../../../src/shared/calc/keys.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildTruck, createOwner, createTruck } from '../support/builders.ts';
import { expectRefusal, statusesOf, unknownId, withoutRequestId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { holding, untilWaiting } from '../support/holding.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { trucks } = contract;
const asTenant = (tenant: Tenant) => ({ token: tenant.token });
const list = async (tenant: Tenant, query: Record<string, string | number> = {}) =>
  (await api.call(trucks.list, { query }, asTenant(tenant))).body;

async function tenantWithOwner() {
  const tenant = await api.addTenant();
  return { tenant, owner: await createOwner(api, tenant) };
}

it('is compared in the database as in the program: the same characters do not count', async () => {
  const marks = Array.from({ length: 0xd7ff }, (_, code) => String.fromCharCode(code + 1)).filter(
    (mark) => !/\p{L}|\p{M}/u.test(mark),
  );
  const numbers = marks.map((mark) => `OD${mark}9`);
  const { rows } = await api.inTenant(await api.addTenant(), (db) =>
    db.query<{ key: string }>('SELECT number_key(number) AS key FROM unnest($1::text[]) AS number', [numbers]),
  );
  expect(rows.map(({ key }) => key)).toEqual(numbers.map((number) => vehicleKey(number)));
  expect(rows.filter(({ key }) => key === 'OD9').length).toBeGreaterThan(40);
});

describe('creating a truck', () => {
  it('answers the truck as stored, its number as typed but in capitals', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const body = buildTruck(owner.id, { truckNumber: ' od-09 ab 1234 ', typeOfVehicle: 'Hyva', noOfWheels: 14 });
    const answer = await api.call(trucks.create, { body }, asTenant(tenant));
    expect(answer.status).toBe(201);
    const { id, createdAt, updatedAt, ...rest } = answer.body.data;
    expect(rest).toEqual({
      truckNumber: 'OD-09 AB 1234',
      typeOfVehicle: 'Hyva',
      noOfWheels: 14,
      ownerId: owner.id,
      owner: { id: owner.id, name: owner.name },
      version: 1,
    });
    expect([createdAt, updatedAt].every((text) => new Date(text).toISOString() === text)).toBe(true);
    expect((await historyOf(api, tenant, id)).map(({ entity, action }) => [entity, action])).toEqual([
      ['truck', 'created'],
    ]);
  });

  it('refuses a number of the account in any writing, and takes one of another account', async () => {
    const { tenant, owner } = await tenantWithOwner();
    await createTruck(api, tenant, owner.id, { truckNumber: 'OD 09 AB 1234' });
    for (const truckNumber of ['OD 09 AB 1234', 'od-09-ab-1234', 'OD09AB1234', 'OD.09.AB–1234']) {
      const answer = await api.call(trucks.create, { body: buildTruck(owner.id, { truckNumber }) }, asTenant(tenant));
      expectRefusal(answer, 409, 'TRUCK_EXISTS', `Truck ${truckNumber.toUpperCase()} is already in your list`);
      expect(answer.error.fields).toHaveProperty('truckNumber');
    }
    expect((await list(tenant)).pagination.totalCount).toBe(1);

    const other = await tenantWithOwner();
    const twin = await createTruck(api, other.tenant, other.owner.id, { truckNumber: 'OD 09 AB 1234' });
    expect(twin.truckNumber).toBe('OD 09 AB 1234');
  });

  it('refuses an owner of another account like one that does not exist', async () => {
    const { tenant } = await tenantWithOwner();
    const foreign = (await tenantWithOwner()).owner;
    const create = (ownerId: string) =>
      api.call(trucks.create, { body: buildTruck(ownerId, { truckNumber: 'OD01' }) }, asTenant(tenant));
    const answer = await create(foreign.id);
    expectRefusal(answer, 400, 'INVALID_REFERENCE');
    expect(answer.error.fields).toHaveProperty('ownerId');
    expect(withoutRequestId(answer)).toEqual(withoutRequestId(await create(unknownId)));
    expect((await list(tenant)).data).toEqual([]);
  });

  it.each([
    ['truckNumber', '', 'Please enter truck number'],
    ['ownerId', '', 'Please select an owner'],
    ['noOfWheels', '12', 'Please enter number of wheels'],
    ['noOfWheels', null, 'Please enter number of wheels'],
    ['noOfWheels', 2.5, 'noOfWheels must be a whole number'],
  ])('refuses %s = %j and writes nothing', async (field, value, message) => {
    const { tenant, owner } = await tenantWithOwner();
    const body = { ...buildTruck(owner.id), [field]: value };
    const answer = await api.callRaw('POST', '/api/trucks', { token: tenant.token, body });
    expectRefusal(answer, 400, 'VALIDATION_ERROR', message);
    expect((await list(tenant)).data).toEqual([]);
  });

  it('makes one of two trucks with the same number', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const create = (truckNumber: string) =>
      api.call(trucks.create, { body: buildTruck(owner.id, { truckNumber }) }, asTenant(tenant));
    expect(await statusesOf([create('OD09AB1234'), create('OD-09-AB-1234'), create('od 09 ab 1234')])).toEqual([
      201, 409, 409,
    ]);
    expect((await list(tenant)).pagination.totalCount).toBe(1);
  });
});

describe('reading trucks', () => {
  it('lists by number with pages, and sorts by each column', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const second = await createOwner(api, tenant, { name: 'aaa' });
    await createTruck(api, tenant, owner.id, { truckNumber: 'OD-02', noOfWheels: 10, typeOfVehicle: 'trailer' });
    await createTruck(api, tenant, second.id, { truckNumber: 'OD 01', noOfWheels: 18, typeOfVehicle: 'Hyva' });
    await createTruck(api, tenant, owner.id, { truckNumber: 'OD03', noOfWheels: 4, typeOfVehicle: 'Tipper' });
    const numbers = async (query: Record<string, string | number>) =>
      (await list(tenant, query)).data.map(({ truckNumber }) => truckNumber);
    expect(await numbers({})).toEqual(['OD 01', 'OD-02', 'OD03']);
    expect(await numbers({ sortOrder: 'desc', limit: 2 })).toEqual(['OD03', 'OD-02']);
    expect(await numbers({ page: 2, limit: 2 })).toEqual(['OD03']);
    expect((await numbers({ sortBy: 'ownerName' }))[0]).toBe('OD 01');
    expect(await numbers({ sortBy: 'noOfWheels', sortOrder: 'desc' })).toEqual(['OD 01', 'OD-02', 'OD03']);
    expect(await numbers({ sortBy: 'typeOfVehicle' })).toEqual(['OD 01', 'OD03', 'OD-02']);
    expect(await numbers({ sortBy: 'createdAt' })).toEqual(['OD-02', 'OD 01', 'OD03']);
  });

  it('searches the number without separators and case, signs literally', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const truck = await createTruck(api, tenant, owner.id, { truckNumber: 'OD 09 AB 1234' });
    await createTruck(api, tenant, owner.id, { truckNumber: 'JH01_X%' });
    const search = async (q: string) => (await api.call(trucks.search, { query: { q } }, asTenant(tenant))).body;
    for (const q of ['od09', '9-a', ' B12 ', 'OD 09 AB 1234']) {
      expect(await search(q)).toMatchObject({ results: [truck], count: 1, searchTerm: q.trim() });
    }
    expect((await search('__')).results).toEqual([]);
    expect((await search('--')).results).toEqual([]);
    expect((await search('1_x%')).results.map(({ truckNumber }) => truckNumber)).toEqual(['JH01_X%']);
    expectRefusal(await api.call(trucks.search, { query: { q: 'a' } }, asTenant(tenant)), 400, 'VALIDATION_ERROR');
  });

  it("finds trucks by their owner's name, after those whose number matches; in pages and any order", async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant, { name: 'Od Roadlines' });
    const next = await createOwner(api, tenant, { name: 'Somebody Else' });
    await createTruck(api, tenant, owner.id, { truckNumber: 'JH01A1', noOfWheels: 6 });
    await createTruck(api, tenant, owner.id, { truckNumber: 'JH01A2', noOfWheels: 22 });
    await createTruck(api, tenant, next.id, { truckNumber: 'OD02B1', noOfWheels: 10 });
    const found = async (query: { q: string; page?: number; limit?: number; sortBy?: 'noOfWheels' }) => {
      const { body } = await api.call(trucks.search, { query }, asTenant(tenant));
      return [...body.results.map(({ truckNumber }) => truckNumber), body.count];
    };
    expect(await found({ q: 'roadlines' })).toEqual(['JH01A1', 'JH01A2', 2]);
    expect(await found({ q: 'od' })).toEqual(['OD02B1', 'JH01A1', 'JH01A2', 3]);
    expect(await found({ q: 'od', page: 2, limit: 2 })).toEqual(['JH01A2', 3]);
    expect(await found({ q: 'od', sortBy: 'noOfWheels' })).toEqual(['JH01A1', 'OD02B1', 'JH01A2', 3]);
  });

  it('answers at most 200 results and the true count', async () => {
    const { tenant, owner } = await tenantWithOwner();
    await api.inTenant(tenant, (db) =>
      db.query(
        `INSERT INTO trucks (subadmin_id, truck_number, no_of_wheels, owner_id)
         SELECT $1, 'WB' || n, 12, $2 FROM generate_series(1, 203) AS n`,
        [tenant.id, owner.id],
      ),
    );
    const { body } = await api.call(trucks.search, { query: { q: 'wb' } }, asTenant(tenant));
    expect(body.results).toHaveLength(200);
    expect(body.count).toBe(203);
  });

  it('finds a vehicle by its number in any writing, in the own account only', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const other = await tenantWithOwner();
    await createTruck(api, tenant, owner.id, { truckNumber: 'OD 09 AB 1234', typeOfVehicle: 'Hyva', noOfWheels: 14 });
    const lookUp = (vehicleNumber: string, who = tenant) =>
      api.call(trucks.lookUp, { params: { vehicleNumber } }, asTenant(who));
    for (const number of ['OD09AB1234', 'od-09-ab-1234', 'OD 09 AB 1234']) {
      expect((await lookUp(number)).body.data).toEqual({
        owner: { id: owner.id, name: owner.name, contactNumber: owner.contactNumber },
        vehicle: { truckNumber: 'OD 09 AB 1234', typeOfVehicle: 'Hyva', noOfWheels: 14 },
      });
    }
    expectRefusal(await lookUp('OD09AB123'), 404, 'NOT_FOUND', 'Vehicle not found');
    expect(withoutRequestId(await lookUp('OD09AB1234', other.tenant))).toEqual(withoutRequestId(await lookUp('OD1')));
    await createTruck(api, other.tenant, other.owner.id, { truckNumber: 'OD09AB1234' });
    expect((await lookUp('OD09AB1234', other.tenant)).body.data.owner.id).toBe(other.owner.id);
  });
});

describe('changing a truck', () => {
  it('changes what is sent, also the owner, and writes the history', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const next = await createOwner(api, tenant);
    const truck = await createTruck(api, tenant, owner.id);
    const answer = await api.call(
      trucks.update,
      { params: { id: truck.id }, body: { ownerId: next.id, noOfWheels: 16, version: 1 } },
      asTenant(tenant),
    );
    expect(answer.body.data).toEqual({
      ...truck,
      ownerId: next.id,
      owner: { id: next.id, name: next.name },
      noOfWheels: 16,
      version: 2,
      updatedAt: answer.body.data.updatedAt,
    });
    expect((await historyOf(api, tenant, truck.id))[1]?.changes).toEqual({
      noOfWheels: [12, 16],
      ownerId: [owner.id, next.id],
    });
  });

  it('refuses a stale version, a taken number and a foreign owner, and changes nothing', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const foreign = (await tenantWithOwner()).owner;
    const [truck, taken] = [await createTruck(api, tenant, owner.id), await createTruck(api, tenant, owner.id)];
    const change = (body: Record<string, unknown>) =>
      api.callRaw('PUT', `/api/trucks/${truck.id}`, { token: tenant.token, body });
    const stale = await change({ noOfWheels: 16, version: 7 });
    expectRefusal(stale, 409, 'VERSION_CONFLICT');
    expect(stale.error.data).toEqual(truck);
    const number = taken.truckNumber.toLowerCase();
    expectRefusal(await change({ noOfWheels: 16, truckNumber: number }), 409, 'TRUCK_EXISTS');
    expectRefusal(await change({ noOfWheels: 16, ownerId: foreign.id }), 400, 'INVALID_REFERENCE');
    expectRefusal(await change({ noOfWheels: 16, truckNumber: '' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await change({ noOfWheels: 16, id: truck.id }), 400, 'UNKNOWN_FIELD');
    expect((await list(tenant)).data.find(({ id }) => id === truck.id)).toEqual(truck);
  });

  it('lets its own number be written differently', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const truck = await createTruck(api, tenant, owner.id, { truckNumber: 'OD09AB1234' });
    const body = { truckNumber: 'OD 09 AB 1234' };
    const answer = await api.call(trucks.update, { params: { id: truck.id }, body }, asTenant(tenant));
    expect(answer.body.data.truckNumber).toBe('OD 09 AB 1234');
  });

  it('saves a truck whose owner another save has just changed', async () => {
    const tenant = await api.addTenant();
    const [owner, next] = [await createOwner(api, tenant), await createOwner(api, tenant, { name: 'Next Owner' })];
    const truck = await createTruck(api, tenant, owner.id);
    const change = 'UPDATE trucks SET owner_id = $2, version = version + 1 WHERE id = $1';
    const answer = await holding(api, change, [truck.id, next.id], async (release) => {
      const waiting = api.call(
        trucks.update,
        { params: { id: truck.id }, body: { noOfWheels: 22 } },
        { token: tenant.token },
      );
      await untilWaiting(api);
      await release();
      return waiting;
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      noOfWheels: 22,
      ownerId: next.id,
      owner: { id: next.id, name: 'Next Owner' },
      version: 3,
    });
  });

  it('lets one of two who save the same version win', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const truck = await createTruck(api, tenant, owner.id);
    const save = (noOfWheels: number) =>
      api.call(trucks.update, { params: { id: truck.id }, body: { noOfWheels, version: 1 } }, asTenant(tenant));
    expect(await statusesOf([save(6), save(8)])).toEqual([200, 409]);
  });
});

describe('deleting a truck', () => {
  it('removes it from lists, searches and the look-up, and frees its number', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const truck = await createTruck(api, tenant, owner.id);
    const remove = () => api.call(trucks.remove, { params: { id: truck.id } }, asTenant(tenant));
    expect((await remove()).body).toEqual({ success: true, message: 'Truck deleted successfully' });
    expect((await list(tenant)).pagination.totalCount).toBe(0);
    const lookUp = await api.call(trucks.lookUp, { params: { vehicleNumber: truck.truckNumber } }, asTenant(tenant));
    expect(lookUp.status).toBe(404);
    expectRefusal(await remove(), 404, 'NOT_FOUND', 'Truck not found');
    await createTruck(api, tenant, owner.id, { truckNumber: truck.truckNumber });
    expect((await historyOf(api, tenant, truck.id)).map(({ action }) => action)).toEqual(['created', 'deleted']);
  });

  it('happens once when asked twice at once, and not from another account', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const other = await api.addTenant();
    const truck = await createTruck(api, tenant, owner.id);
    const remove = (who: Tenant) => api.call(trucks.remove, { params: { id: truck.id } }, asTenant(who));
    expect((await remove(other)).status).toBe(404);
    expect(await statusesOf([remove(tenant), remove(tenant)])).toEqual([200, 404]);
  });
});
