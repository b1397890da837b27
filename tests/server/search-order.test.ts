import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from './support/api.ts';
import { createOwner, createPump, createTag, createTruck } from './support/builders.ts';

/** A search's first row is the one Enter takes in a picker: exact name, name prefix, word prefix, the rest, each by name. */
let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const caller = () => ({ token: tenant.token });
const nameOf = ({ name }: { name: string }): string => name;

it('tags: also where a page of one is all that is asked for, and not where an order is asked for', async () => {
  const names = ['ADVANCE PARTY', 'Company (PARADIP)', 'KOPAL', 'PARADIP EXPORT', 'Pa', 'PALASPANGA', '50% Pa'];
  for (const name of names) await createTag(api, tenant, { name });
  const list = async (query: Record<string, string | number>) =>
    (await api.call(contract.tags.list, { query }, caller())).body.data.map(nameOf);
  expect(await list({ search: 'pa' })).toEqual([
    'Pa',
    'PALASPANGA',
    'PARADIP EXPORT',
    '50% Pa',
    'ADVANCE PARTY',
    'Company (PARADIP)',
    'KOPAL',
  ]);
  expect(await list({ search: 'paradip', limit: 1 })).toEqual(['PARADIP EXPORT']);
  expect(await list({ search: 'pa', page: 2, limit: 2 })).toEqual(['PARADIP EXPORT', '50% Pa']);
  expect((await list({ search: 'pa', sortBy: 'name' }))[0]).toBe('50% Pa');
  expect((await list({ search: 'pa', sortOrder: 'desc' }))[0]).toBe('Pa');
  expect((await list({}))[0]).toBe('50% Pa');
  expect(await list({ search: '%' })).toEqual(['50% Pa']);
  const beyond = await api.call(contract.tags.list, { query: { search: 'pa', page: 9, limit: 2 } }, caller());
  expect([beyond.body.data, beyond.body.pagination.totalCount]).toEqual([[], 7]);
});

it('petrol pumps: the name before the address', async () => {
  for (const [name, address] of [
    ['Brahmani Fuels', 'Main Road'],
    ['Jai Maa Fuels', 'Joda town'],
    ['Maa Tarini Filling', 'Barbil town'],
    ['Kalinga Oils', 'NH 520 Joda'],
  ]) {
    await createPump(api, tenant, { name: name ?? '', address: address ?? '' });
  }
  const list = async (query: Record<string, string>) =>
    (await api.call(contract.petrolPumps.list, { query }, caller())).body.data.map(nameOf);
  expect(await list({ search: 'ma' })).toEqual(['Maa Tarini Filling', 'Jai Maa Fuels', 'Brahmani Fuels']);
  expect(await list({})).toEqual(['Brahmani Fuels', 'Jai Maa Fuels', 'Kalinga Oils', 'Maa Tarini Filling']);
});

it('owners and trucks', async () => {
  const owners = [];
  for (const name of ['Anurag Das', 'Sri Ravi Sahu', 'Ravi Roadlines', 'Pravin Ravindra', 'RAVI']) {
    owners.push(await createOwner(api, tenant, { name }));
  }
  const found = await api.call(contract.owners.search, { query: { q: 'ravi' } }, caller());
  expect(found.body.results.map(nameOf)).toEqual(['RAVI', 'Ravi Roadlines', 'Pravin Ravindra', 'Sri Ravi Sahu']);

  for (const truckNumber of ['OD 09 AB 1209', 'CG 09 0D 0911', '09 OD', 'OD 1 A 7099', 'OD 09 AB 0912']) {
    await createTruck(api, tenant, owners[0]?.id ?? '', { truckNumber });
  }
  const trucks = await api.call(contract.trucks.search, { query: { q: 'od-09' } }, caller());
  expect(trucks.body.results.map(({ truckNumber }) => truckNumber)).toEqual(['OD 09 AB 0912', 'OD 09 AB 1209']);
  const bySuffix = await api.call(contract.trucks.search, { query: { q: '09' } }, caller());
  expect(bySuffix.body.results.map(({ truckNumber }) => truckNumber)).toEqual([
    '09 OD',
    'CG 09 0D 0911',
    'OD 09 AB 0912',
    'OD 09 AB 1209',
    'OD 1 A 7099',
  ]);
});
