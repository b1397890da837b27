import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildPump, createPump } from '../support/builders.ts';
import { expectRefusal, statusesOf, unknownId, withoutRequestId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { petrolPumps } = contract;
const asTenant = (tenant: Tenant) => ({ token: tenant.token });
const list = async (tenant: Tenant, query: Record<string, string | number> = {}) =>
  (await api.call(petrolPumps.list, { query }, asTenant(tenant))).body;

describe('creating a petrol pump', () => {
  it('answers the pump as stored, trimmed', async () => {
    const tenant = await api.addTenant();
    const body = { name: ' Joda Fuels ', contactNumber: '94370 12345', address: ' Main road, Joda ' };
    const answer = await api.call(petrolPumps.create, { body }, asTenant(tenant));
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      name: 'Joda Fuels',
      contactNumber: '9437012345',
      address: 'Main road, Joda',
      version: 1,
    });
    expect((await historyOf(api, tenant, answer.body.data.id)).map(({ entity, action }) => [entity, action])).toEqual([
      ['petrol-pump', 'created'],
    ]);
  });

  it.each([
    ['name', '', 'Please enter petrol pump name'],
    ['name', 'A', 'Name must be at least 2 characters'],
    ['name', 'x'.repeat(101), 'Name must not exceed 100 characters'],
    ['contactNumber', '', 'Please enter contact number'],
    ['contactNumber', '12345', 'Please enter a valid 10-digit contact number'],
    ['address', '', 'Please enter address'],
    ['address', 'Joda', 'Address must be at least 5 characters'],
    ['address', 'x'.repeat(501), 'Address must not exceed 500 characters'],
  ])('refuses %s = %s and writes nothing', async (field, value, message) => {
    const tenant = await api.addTenant();
    const body = { ...buildPump(), [field]: value };
    const answer = await api.callRaw('POST', '/api/petrol-pumps', { token: tenant.token, body });
    expectRefusal(answer, 400, 'VALIDATION_ERROR', message);
    expect((await list(tenant)).data).toEqual([]);
  });
});

describe('reading petrol pumps', () => {
  it('lists by name without case and searches name, contact number and address literally', async () => {
    const tenant = await api.addTenant();
    await createPump(api, tenant, { name: 'beta fuels', contactNumber: '9000000001', address: 'Barbil town' });
    await createPump(api, tenant, { name: 'Alpha Oil', contactNumber: '9000000002', address: 'Joda 100% road' });
    const names = async (query: Record<string, string | number> = {}) =>
      (await list(tenant, query)).data.map(({ name }) => name);
    expect(await names()).toEqual(['Alpha Oil', 'beta fuels']);
    expect(await names({ limit: 1, page: 2 })).toEqual(['beta fuels']);
    expect(await names({ search: 'FUEL' })).toEqual(['beta fuels']);
    expect(await names({ search: '90000 00002' })).toEqual(['Alpha Oil']);
    expect(await names({ search: 'barbil' })).toEqual(['beta fuels']);
    expect(await names({ search: '0%' })).toEqual(['Alpha Oil']);
    expect(await names({ search: '%%' })).toEqual([]);
    expect((await list(tenant, { search: 'oil' })).pagination.totalCount).toBe(1);
  });

  it('gets one; a foreign id is answered like an unknown one', async () => {
    const [tenant, other] = [await api.addTenant(), await api.addTenant()];
    const pump = await createPump(api, tenant);
    expect((await api.call(petrolPumps.get, { params: { id: pump.id } }, asTenant(tenant))).body.data).toEqual(pump);
    for (const endpoint of [petrolPumps.get, petrolPumps.remove]) {
      const foreign = await api.call(endpoint, { params: { id: pump.id } }, asTenant(other));
      expectRefusal(foreign, 404, 'NOT_FOUND', 'Petrol pump not found');
      const unknown = await api.call(endpoint, { params: { id: unknownId } }, asTenant(other));
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
    }
    expect((await list(tenant)).data).toEqual([pump]);
  });
});

describe('changing a petrol pump', () => {
  it('changes what is sent and writes the history', async () => {
    const tenant = await api.addTenant();
    const pump = await createPump(api, tenant, { name: 'Old' });
    const body = { name: 'New', version: 1 };
    const answer = await api.call(petrolPumps.update, { params: { id: pump.id }, body }, asTenant(tenant));
    expect(answer.body.data).toEqual({ ...pump, name: 'New', version: 2, updatedAt: answer.body.data.updatedAt });
    expect((await historyOf(api, tenant, pump.id))[1]?.changes).toEqual({ name: ['Old', 'New'] });
  });

  it('refuses a stale version and wrong input, and changes nothing', async () => {
    const tenant = await api.addTenant();
    const pump = await createPump(api, tenant);
    const change = (body: Record<string, unknown>) =>
      api.callRaw('PUT', `/api/petrol-pumps/${pump.id}`, { token: tenant.token, body });
    const stale = await change({ name: 'New', version: 2 });
    expectRefusal(stale, 409, 'VERSION_CONFLICT');
    expect(stale.error.data).toEqual(pump);
    expectRefusal(await change({ name: 'New', address: 'x' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await change({ name: 'New', contactNumber: 9437012345 }), 400, 'VALIDATION_ERROR');
    expectRefusal(await change({ name: 'New', deletedAt: null }), 400, 'UNKNOWN_FIELD');
    expect((await list(tenant)).data).toEqual([pump]);
  });

  it('lets one of two who save the same version win, and does not reach another account', async () => {
    const [tenant, other] = [await api.addTenant(), await api.addTenant()];
    const pump = await createPump(api, tenant);
    const save = (name: string, who = tenant) =>
      api.call(petrolPumps.update, { params: { id: pump.id }, body: { name, version: 1 } }, asTenant(who));
    expectRefusal(await save('Mine', other), 404, 'NOT_FOUND');
    expect(await statusesOf([save('One'), save('Two')])).toEqual([200, 409]);
  });
});

describe('deleting a petrol pump', () => {
  it('hides it from the list, the search and its own address; once when asked twice at once', async () => {
    const tenant = await api.addTenant();
    const pump = await createPump(api, tenant);
    const remove = () => api.call(petrolPumps.remove, { params: { id: pump.id } }, asTenant(tenant));
    expect(await statusesOf([remove(), remove()])).toEqual([200, 404]);
    expect((await list(tenant)).data).toEqual([]);
    expect((await list(tenant, { search: pump.name })).data).toEqual([]);
    expect((await api.call(petrolPumps.get, { params: { id: pump.id } }, asTenant(tenant))).status).toBe(404);
    const change = { params: { id: pump.id }, body: { name: 'Back' } };
    expect((await api.call(petrolPumps.update, change, asTenant(tenant))).status).toBe(404);
    expect((await historyOf(api, tenant, pump.id)).map(({ action }) => action)).toEqual(['created', 'deleted']);
  });

  it('says so as the screen does', async () => {
    const tenant = await api.addTenant();
    const pump = await createPump(api, tenant);
    const answer = await api.call(petrolPumps.remove, { params: { id: pump.id } }, asTenant(tenant));
    expect(answer.body).toEqual({ success: true, message: 'Petrol pump deleted successfully!' });
  });
});
