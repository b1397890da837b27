import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner, createPump, createTag, createTruck } from '../support/builders.ts';
import { randomOf } from '../support/random.ts';

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

it('owners and trucks: all that contain the text, however short or odd, and no other', async () => {
  const desk = await api.addTenant();
  const asDesk = { token: desk.token };
  const random = randomOf(testSeed('searches of names'));
  const texts = ['Ravi', 'RAVI', 'Maa', 'Śrī', 'ॐ राम', '100%', '_', '\\', 'A_B', '%', 'Das & Sons', '--'];
  const plates = ['OD 09 AB', 'od-09-ab', 'CG_', '09%', 'JH\\05', 'WB'];
  const owners: {
    id: string;
    name: string;
    contactNumber: string;
    accountNo: string;
    panNo: string;
    keys: string[];
  }[] = [];
  const trucks: { id: string; key: string; ownerName: string }[] = [];
  for (let index = 0; index < 24; index += 1) {
    const name = `${random.pick(texts)} ${random.pick(texts)} ${index}`;
    const accountNo = `${random.pick(['00', '5010', 'ab12', 'AB1'])}${1_000_000 + random.below(9_000_000)}`;
    const owner = await createOwner(api, desk, { name, accountNo });
    const keys: string[] = [];
    for (let count = random.below(3); count > 0; count -= 1) {
      const truckNumber = `${random.pick(plates)} ${1000 + trucks.length}`;
      const truck = await createTruck(api, desk, owner.id, { truckNumber });
      const key = truckNumber.toUpperCase().replace(/[\s-]/g, '');
      keys.push(key);
      trucks.push({ id: truck.id, key, ownerName: name });
    }
    owners.push({ ...owner, keys });
  }
  const whole = owners.flatMap(({ name, contactNumber, accountNo, panNo, keys }) => [
    name,
    contactNumber,
    accountNo,
    panNo,
    ...keys,
  ]);
  const part = (): string => {
    const text = random.pick(whole);
    const from = random.below(text.length - 1);
    const cut = text.slice(from, from + 2 + random.below(5));
    return random.pick([cut, cut.toLowerCase(), cut.toUpperCase(), `${cut.slice(0, 1)} ${cut.slice(1)}`]);
  };
  const asked = ['--', '- -', '__', '%%', '\\\\', '1 2', 'a_', '00%', ...Array.from({ length: 120 }, part)].map((q) =>
    q.trim(),
  );
  for (const q of asked.filter(({ length }) => length >= 2)) {
    const number = q.toUpperCase().replace(/\s/g, '');
    const plate = q.toUpperCase().replace(/[\s-]/g, '');
    const isNamed = (name: string) => name.toLowerCase().includes(q.toLowerCase());
    const isPlate = (key: string) => plate !== '' && key.includes(plate);
    const foundOwners = owners.filter(
      ({ name, contactNumber, accountNo, panNo, keys }) =>
        isNamed(name) ||
        contactNumber.includes(number) ||
        accountNo.toUpperCase().includes(number) ||
        panNo.includes(number) ||
        keys.some(isPlate),
    );
    const foundTrucks = trucks.filter(({ key, ownerName }) => isNamed(ownerName) || isPlate(key));
    const query = { q, limit: 100 };
    const ofOwners = (await api.call(contract.owners.search, { query }, asDesk)).body;
    const ofTrucks = (await api.call(contract.trucks.search, { query }, asDesk)).body;
    const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
    expect([q, idsOf(ofOwners.results)]).toEqual([q, idsOf(foundOwners)]);
    expect([q, idsOf(ofTrucks.results)]).toEqual([q, idsOf(foundTrucks)]);
  }
});
