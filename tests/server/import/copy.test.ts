import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerOf } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner, createTruck } from '../support/builders.ts';
import { expectRefusal, statusesOf, unknownId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { asSchemaOwner } from '../support/tables.ts';

let api: Api;
let source: Tenant;
let caller: Tenant;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  source = await api.addTenant(`Source ${randomUUID()}`);
  caller = await api.addTenant();
});

const { owners, subadmins, trucks } = contract;
const browse = (token: string, query: Record<string, string | number> = {}) =>
  api.call(owners.listAllSystem, { query }, { token });
const ofSource = async (token: string, query: Record<string, string | number> = {}) =>
  (await browse(token, { search: source.bannerName, ...query })).body.data;
const copy = async (
  ownerIds: string[],
  key?: string,
  tenant = caller,
): Promise<AnswerOf<typeof owners.copy>['meta']> => {
  const options = { token: tenant.token, ...(key === undefined ? {} : { key }) };
  const answer = await api.call(owners.copy, { body: { ownerIds } }, options);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.meta;
};
const ownList = async (tenant = caller) =>
  (await api.call(owners.list, { query: { limit: 100 } }, { token: tenant.token })).body.data;
const deactivate = (tenant: Tenant) =>
  api.call(subadmins.setActive, { params: { id: tenant.id }, body: { isActive: false } }, { token: api.adminToken });

/** Every column of an account's owners and trucks, to see that nothing changed. */
const rowsOf = (tenant: Tenant) =>
  api.inTenant(tenant, async (db) => [
    (await db.query('SELECT * FROM owners WHERE subadmin_id = $1 ORDER BY id', [tenant.id])).rows,
    (await db.query('SELECT * FROM trucks WHERE subadmin_id = $1 ORDER BY id', [tenant.id])).rows,
  ]);

describe('the system-wide owner list', () => {
  it("shows other accounts' owners masked to the last four, with trucks and banner name", async () => {
    // A hold is the business's own matter.
    const { holdReason, language, ...owner } = await createOwner(api, source, {
      name: 'Bikash',
      contactNumber: '9437012345',
      accountNo: '00098765432',
      panNo: 'ABCPK9876F',
    });
    const truck = await createTruck(api, source, owner.id);
    const [card] = await ofSource(caller.token);
    // Neither is of another business's concern.
    expect([holdReason, language]).toEqual(['', 'English']);
    expect(card).toEqual({
      ...owner,
      contactNumber: '••••••2345',
      accountNo: '•••••••5432',
      panNo: '••••••876F',
      trucksCount: 1,
      trucks: [truck],
      inYourList: null,
      currentSubAdmin: { bannerName: source.bannerName },
    });
  });

  it('masks to the last four, short values whole', async () => {
    const masks = new Map([
      ['1', '•'],
      ['1234', '••••'],
      ['12345', '•2345'],
      ['00112233445566', '••••••••••5566'],
      ['00000000000000000001', '••••••••••••••••0001'],
    ]);
    for (const accountNo of masks.keys()) await createOwner(api, source, { name: `Owner of ${accountNo}`, accountNo });
    const cards = await ofSource(caller.token);
    expect(new Map(cards.map(({ name, accountNo }) => [name.replace('Owner of ', ''), accountNo]))).toEqual(masks);
  });

  it('leaves out own owners, inactive and deleted accounts and deleted owners; an admin sees every active account', async () => {
    await createOwner(api, source);
    expect(await ofSource(caller.token)).toHaveLength(1);
    expect(await ofSource(source.token)).toEqual([]);
    expect(await ofSource(api.adminToken)).toHaveLength(1);
    const deleted = await createOwner(api, source);
    await api.call(owners.remove, { params: { id: deleted.id } }, { token: source.token });
    expect(await ofSource(caller.token)).toHaveLength(1);
    await deactivate(source);
    expect(await ofSource(caller.token)).toEqual([]);
    expect(await ofSource(api.adminToken)).toEqual([]);
  });

  it('is found by owner name, truck number and banner name, never by account number, PAN or phone', async () => {
    const owner = await createOwner(api, source, {
      name: 'Qwerty_100%',
      contactNumber: '9437012345',
      accountNo: '00098765432',
      panNo: 'ZZZPK9876F',
      ifsc: 'SBIN0009999',
    });
    await createTruck(api, source, owner.id, { truckNumber: 'XX 77 YY 4242' });
    const found = async (search: string) =>
      (await browse(caller.token, { search, limit: 100 })).body.data.some(({ id }) => id === owner.id);
    for (const search of ['qwerty_100%', source.bannerName.toUpperCase(), 'xx77yy', 'XX-77', '4242']) {
      expect([search, await found(search)]).toEqual([search, true]);
    }
    for (const search of [
      '9437012345',
      '2345',
      '00098765432',
      '5432',
      'ZZZPK9876F',
      '876F',
      'SBIN0009999',
      '%%',
      '--',
    ]) {
      expect([search, await found(search)]).toEqual([search, false]);
    }
  });

  it('marks what the caller has already, with the reason, for each caller by itself', async () => {
    const copied = await createOwner(api, source, { name: 'Copied' });
    const samePan = await createOwner(api, source, { name: 'Same PAN' });
    await createOwner(api, source, { name: 'New' });
    await createOwner(api, caller, { panNo: samePan.panNo });
    await copy([copied.id]);
    const marks = async (token: string) =>
      Object.fromEntries((await ofSource(token)).map(({ name, inYourList }) => [name, inYourList]));
    expect(await marks(caller.token)).toEqual({ Copied: 'copied', 'Same PAN': 'same-pan', New: null });
    const other = await api.addTenant();
    expect(await marks(other.token)).toEqual({ Copied: null, 'Same PAN': null, New: null });
    expect(await marks(api.adminToken)).toEqual({ Copied: null, 'Same PAN': null, New: null });

    const [mine] = (await ownList()).filter((item) => item.owner.name === 'Copied');
    await api.call(owners.remove, { params: { id: mine?.owner.id ?? '' } }, { token: caller.token });
    expect((await marks(caller.token)).Copied).toBeNull();
  });

  it('leaves out owners that were themselves copied, for everybody, and does not copy them on', async () => {
    const owner = await createOwner(api, source, { name: 'Original' });
    await copy([owner.id]);
    const third = await api.addTenant();
    const cards = async (token: string) => (await browse(token, { search: caller.bannerName })).body.data;
    expect(await cards(third.token)).toEqual([]);
    expect(await cards(api.adminToken)).toEqual([]);
    const [mine] = await ownList();
    const copyId = mine?.owner.id ?? '';
    expect(await copy([copyId], undefined, third)).toEqual({
      totalOwnersCopied: 0,
      totalTrucksCopied: 0,
      errors: [{ ownerId: copyId, message: 'Owner not found' }],
    });
  });

  it('pages with the true count, also past the end', async () => {
    for (const name of ['c', 'B', 'a']) await createOwner(api, source, { name });
    expect((await ofSource(caller.token, { limit: 2 })).map(({ name }) => name)).toEqual(['a', 'B']);
    expect((await ofSource(caller.token, { limit: 2, page: 2 })).map(({ name }) => name)).toEqual(['c']);
    const past = await browse(caller.token, { search: source.bannerName, page: 7 });
    expect(past.body).toMatchObject({ data: [], pagination: { totalCount: 3, currentPage: 7 } });
  });
});

describe('the limit of a day', () => {
  const { settings } = contract;
  const setLimit = (copiesPerDay: number) =>
    api.call(settings.update, { body: { copiesPerDay } }, { token: api.adminToken });
  afterEach(() => setLimit(100));
  const left = async (tenant = caller) => (await browse(tenant.token, { limit: 1 })).body.meta.copying;
  const refused = async (ids: string[], tenant = caller) => {
    const answer = await api.call(owners.copy, { body: { ownerIds: ids } }, { token: tenant.token });
    expectRefusal(answer, 409, 'COPY_LIMIT');
    return answer.error.message;
  };
  const make = async (count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, async () => (await createOwner(api, source)).id));

  it('is 100, for each business by itself, and the list says how many are left', async () => {
    expect(await left()).toEqual({ perDay: 100, left: 100 });
    const [first = '', second = ''] = await make(2);
    await copy([first]);
    expect(await left()).toEqual({ perDay: 100, left: 99 });
    expect(await left(await api.addTenant())).toEqual({ perDay: 100, left: 100 });
    expect((await browse(api.adminToken)).body.meta.copying).toBeNull();
    await copy([first, second]);
    // What was not copied counts nothing.
    expect(await left()).toEqual({ perDay: 100, left: 98 });
  });

  it('refuses a whole call that goes over it, with one sentence, and copies nothing of it', async () => {
    await setLimit(2);
    const ids = await make(4);
    expect(await refused(ids.slice(0, 3))).toBe(
      'Your business may copy 2 more today (at most 2 owners a day); select fewer, or ask the admin to raise the limit.',
    );
    expect(await ownList()).toEqual([]);
    expect((await copy(ids.slice(0, 2))).totalOwnersCopied).toBe(2);
    const reached =
      'Your business has reached its limit of 2 copied owners a day; copy more tomorrow, or ask the admin to raise the limit.';
    expect(await refused(ids.slice(2, 3))).toBe(reached);
    // What is there already is no copy: it is named as before, not refused.
    expect((await copy(ids.slice(0, 1))).errors).toHaveLength(1);
    // Deleting a copy brings no other one.
    const [mine] = await ownList();
    await api.call(owners.remove, { params: { id: mine?.owner.id ?? '' } }, { token: caller.token });
    expect(await refused(ids.slice(3))).toBe(reached);
    expect(await left()).toEqual({ perDay: 2, left: 0 });
  });

  it('holds for calls at once', async () => {
    await setLimit(3);
    const ids = await make(8);
    const calls = ids.map((id) => api.call(owners.copy, { body: { ownerIds: [id] } }, { token: caller.token }));
    expect(await statusesOf(calls)).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
    expect(await ownList()).toHaveLength(3);
  });

  it('begins again on the next day in India', async () => {
    await setLimit(1);
    const [first = '', second = ''] = await make(2);
    await copy([first]);
    await refused([second]);
    await asSchemaOwner(api, (client) =>
      client.query(
        `UPDATE owners SET created_at = date_trunc('day', now() AT TIME ZONE 'Asia/Kolkata') AT TIME ZONE 'Asia/Kolkata'
           - interval '1 microsecond' WHERE subadmin_id = $1`,
        [caller.id],
      ),
    );
    expect((await copy([second])).totalOwnersCopied).toBe(1);
  });

  it('is a setting of the admin; 0 switches copying off', async () => {
    const admin = { token: api.adminToken };
    const before = (await api.call(settings.get, {}, admin)).body.data;
    expect(before).toMatchObject({ copiesPerDay: 100, updatedAt: expect.any(String), version: expect.any(Number) });
    const after = (await setLimit(0)).body.data;
    expect(after).toMatchObject({ copiesPerDay: 0, version: before.version + 1 });
    expect((await api.call(settings.get, {}, admin)).body.data).toEqual(after);
    // The same once more is no change.
    expect((await setLimit(0)).body.data).toEqual(after);
    const [first = ''] = await make(1);
    expect(await refused([first])).toBe('Copying owners is switched off; the admin can switch it on.');

    const stale = { body: { copiesPerDay: 5, version: before.version } };
    const conflict = await api.call(settings.update, stale, admin);
    expectRefusal(conflict, 409, 'VERSION_CONFLICT');
    expect(conflict.error.data).toEqual(after);
  });

  it.each([-1, 1.5, 10_001, '100', null, true, undefined])('%j is no limit', async (copiesPerDay) => {
    const answer = await api.callRaw('PUT', '/api/admin/settings', { token: api.adminToken, body: { copiesPerDay } });
    expectRefusal(answer, 400, 'VALIDATION_ERROR', 'Please enter a whole number from 0 to 10,000');
  });
});

describe('the switches of the directory', () => {
  const { settings } = contract;
  const admin = () => ({ token: api.adminToken });
  const setAll = (isDirectoryOn: boolean) =>
    api.call(settings.update, { body: { copiesPerDay: 100, isDirectoryOn } }, admin());
  const setOne = (tenant: Tenant, isInDirectory: boolean) =>
    api.call(subadmins.update, { params: { id: tenant.id }, body: { isInDirectory } }, admin());
  afterEach(() => setAll(true));
  const metaOf = async (token: string) => (await browse(token, { limit: 1 })).body.meta;
  const refusal = async (ids: string[], tenant = caller) => {
    const answer = await api.call(owners.copy, { body: { ownerIds: ids } }, { token: tenant.token });
    expectRefusal(answer, 409, 'COPY_LIMIT', 'Copying owners is switched off; the admin can switch it on.');
  };

  it('off for the whole installation: nobody sees or copies an owner of another, whoever asks', async () => {
    const owner = await createOwner(api, source);
    await createTruck(api, source, owner.id);
    await setAll(false);
    for (const token of [caller.token, api.adminToken]) expect(await ofSource(token)).toEqual([]);
    expect(await metaOf(caller.token)).toEqual({ copying: { perDay: 0, left: 0 }, isDirectoryOn: false });
    expect(await metaOf(api.adminToken)).toEqual({ copying: null, isDirectoryOn: false });
    await refusal([owner.id]);
    // Nor is anything left for a statement that passes the calls by.
    const looks = await api.inTenant(caller, async (db) => [
      (await db.query('SELECT * FROM owners_directory(NULL, $1, 10, 0)', [''])).rows,
      (await db.query('SELECT * FROM owners_directory_trucks(ARRAY[$1::uuid])', [owner.id])).rows,
      (await db.query('SELECT * FROM owner_to_copy($1)', [owner.id])).rows,
      (await db.query('SELECT copy_owner($1) AS id', [owner.id])).rows,
    ]);
    expect(looks).toEqual([[], [], [], [{ id: null }]]);
    expect(await ownList()).toEqual([]);
    await setAll(true);
    expect((await copy([owner.id])).totalOwnersCopied).toBe(1);
  });

  it('off for one business: it sees none of the others, and they see none of its own', async () => {
    const [its, others] = [await createOwner(api, source), await createOwner(api, caller)];
    expect((await setOne(source, false)).body.data.isInDirectory).toBe(false);
    expect(await metaOf(source.token)).toEqual({ copying: { perDay: 0, left: 0 }, isDirectoryOn: false });
    expect((await browse(source.token, { search: caller.bannerName })).body.data).toEqual([]);
    await refusal([others.id], source);
    for (const token of [caller.token, api.adminToken]) expect(await ofSource(token)).toEqual([]);
    expect((await copy([its.id])).errors).toEqual([{ ownerId: its.id, message: 'Owner not found' }]);
    // A third has what it had.
    const third = await api.addTenant();
    expect(await metaOf(third.token)).toEqual({ copying: { perDay: 100, left: 100 }, isDirectoryOn: true });
    expect((await copy([others.id], undefined, third)).totalOwnersCopied).toBe(1);
    const seen = await api.inTenant(source, (db) => db.query('SELECT * FROM owners_directory(NULL, $1, 10, 0)', ['']));
    expect(seen.rows).toEqual([]);
    await setOne(source, true);
    expect(await ofSource(caller.token)).toHaveLength(1);
  });

  it('are told in the history of the account, and changed by an admin alone', async () => {
    await setOne(source, false);
    const page = await api.call(contract.history.listSubadmin, { params: { id: source.id } }, admin());
    expect(page.body.data[0]?.changes).toEqual([
      { field: 'isInDirectory', label: 'Directory of Owners', kind: 'text', before: 'On', after: 'Off' },
    ]);
    const own = { token: source.token, body: { isInDirectory: true } };
    expectRefusal(await api.callRaw('PUT', `/api/subadmins/${source.id}`, own), 403, 'FORBIDDEN');
    expectRefusal(await api.callRaw('PUT', '/api/subadmins/profile', own), 400, 'UNKNOWN_FIELD');
    const denied = await api.inTenant(source, async (db) => {
      const { rowCount } = await db.query('UPDATE accounts SET is_in_directory = true WHERE id = $1', [source.id]);
      return rowCount;
    });
    expect(denied).toBe(0);
    // Left out, it stays as it is.
    await setAll(false);
    const kept = await api.call(settings.update, { body: { copiesPerDay: 7 } }, admin());
    expect(kept.body.data).toMatchObject({ copiesPerDay: 7, isDirectoryOn: false });
  });
});

describe('the list of what was copied', () => {
  const listed = async (tenant: Tenant, query: { page?: number; limit?: number } = {}) =>
    (await api.call(owners.listCopied, { query }, { token: tenant.token })).body;

  it('says from whom to whom, when and by whom, to both sides and to no third', async () => {
    const owner = await createOwner(api, source, { name: 'Bikash' });
    await createTruck(api, source, owner.id);
    const third = await api.addTenant();
    await copy([owner.id]);
    const line = { name: 'Bikash', from: source.bannerName, to: caller.bannerName };
    const { data: ofCaller, pagination } = await listed(caller);
    expect(ofCaller).toEqual([{ id: expect.any(String), ...line, copiedAt: expect.any(String), by: caller.email }]);
    expect(pagination.totalCount).toBe(1);
    // The email of another business is no name of its people.
    const { data: ofTheSource } = await listed(source);
    expect(ofTheSource).toEqual([
      { id: expect.any(String), ...line, copiedAt: expect.any(String), by: caller.bannerName },
    ]);
    expect((await listed(third)).data).toEqual([]);
    const all = await api.call(owners.listAllCopied, {}, { token: api.adminToken });
    expect(all.body.data[0]).toMatchObject({ ...line, by: caller.email });

    // Both may delete theirs: what was copied stays told.
    const [mine] = await ownList();
    await api.call(owners.remove, { params: { id: mine?.owner.id ?? '' } }, { token: caller.token });
    await api.call(owners.remove, { params: { id: owner.id } }, { token: source.token });
    for (const tenant of [caller, source]) expect((await listed(tenant)).data).toMatchObject([line]);
  });

  it('is paged, newest first', async () => {
    for (const name of ['One', 'Two', 'Three']) await copy([(await createOwner(api, source, { name })).id]);
    for (const tenant of [caller, source]) {
      const first = await listed(tenant, { limit: 2 });
      expect(first.data.map(({ name }) => name)).toEqual(['Three', 'Two']);
      expect(first.pagination).toMatchObject({ totalCount: 3, hasNext: true });
      expect((await listed(tenant, { limit: 2, page: 2 })).data.map(({ name }) => name)).toEqual(['One']);
    }
    const all = await api.call(owners.listAllCopied, { query: { limit: 2 } }, { token: api.adminToken });
    expect(all.body.data.map(({ name }) => name)).toEqual(['Three', 'Two']);
    expect(all.body.pagination.totalCount).toBeGreaterThanOrEqual(3);
  });
});

describe('the notice of the business whose owners were copied', () => {
  const notice = async (tenant: Tenant) =>
    (await api.call(owners.getCopiedByOthers, {}, { token: tenant.token })).body.data;

  it('counts and names its owners copied in the last 30 days, and not by whom', async () => {
    expect(await notice(source)).toEqual({ count: 0, lastAt: null, owners: [] });
    const made = [];
    for (let n = 1; n <= 7; n += 1) made.push(await createOwner(api, source, { name: `Owner number ${n}` }));
    for (const { id } of made) await copy([id]);
    const again = await api.addTenant();
    await copy([made[0]?.id ?? ''], undefined, again);
    const { count, lastAt, owners: named } = await notice(source);
    expect(count).toBe(7);
    expect(named.map(({ name }) => name)).toEqual([1, 7, 6, 5, 4].map((n) => `Owner number ${n}`));
    expect(named[0]).toEqual({ id: made[0]?.id, name: 'Owner number 1', copiedAt: lastAt });
    const text = JSON.stringify(await notice(source));
    for (const { id, email, bannerName } of [caller, again]) {
      for (const mark of [id, email, bannerName]) expect(text).not.toContain(mark);
    }
    // Who copied is told nothing of the kind.
    expect(await notice(caller)).toEqual({ count: 0, lastAt: null, owners: [] });
  });

  it('forgets what was copied longer ago, and owners that were deleted', async () => {
    const [old, gone] = [await createOwner(api, source), await createOwner(api, source)];
    await copy([gone.id]);
    await api.call(owners.remove, { params: { id: gone.id } }, { token: source.token });
    await api.inTenant(source, (db) =>
      db.query(
        `INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, at)
         VALUES ($1, 'owner', $2, 'copied by another business', $1, now() - interval '30 days 1 second')`,
        [source.id, old.id],
      ),
    );
    expect(await notice(source)).toEqual({ count: 0, lastAt: null, owners: [] });
  });
});

describe('copying owners', () => {
  it('brings the owner with full values and trucks, under new ids, and leaves the original as it was', async () => {
    const owner = await createOwner(api, source);
    const copiedTrucks = [await createTruck(api, source, owner.id), await createTruck(api, source, owner.id)];
    const before = await rowsOf(source);
    expect(await copy([owner.id])).toEqual({ totalOwnersCopied: 1, totalTrucksCopied: 2, errors: [] });
    expect(await rowsOf(source)).toEqual(before);

    const [mine] = await ownList();
    const { id, subadminId, createdAt, updatedAt, ...values } = owner;
    expect(mine?.owner).toMatchObject({ ...values, subadminId: caller.id });
    expect(mine?.owner.id).not.toBe(id);
    expect(subadminId).toBe(source.id);
    expect(Date.parse(mine?.owner.createdAt ?? '')).toBeGreaterThanOrEqual(Date.parse(createdAt));
    expect(Date.parse(mine?.owner.updatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(updatedAt));
    expect(mine?.trucks.map(({ truckNumber }) => truckNumber).sort()).toEqual(
      copiedTrucks.map(({ truckNumber }) => truckNumber).sort(),
    );
    expect(mine?.trucks.every((truck) => copiedTrucks.every((original) => original.id !== truck.id))).toBe(true);
  });

  it('is in the history of both accounts, without telling the source who', async () => {
    const owner = await createOwner(api, source);
    await createTruck(api, source, owner.id);
    await copy([owner.id]);
    const [mine] = await ownList();
    expect(await historyOf(api, caller, mine?.owner.id ?? '')).toMatchObject([
      { action: 'copied from another business', actor_id: caller.id, changes: { copiedFromId: [null, owner.id] } },
    ]);
    expect(await historyOf(api, caller, mine?.trucks[0]?.id ?? '')).toMatchObject([
      { action: 'copied with its owner' },
    ]);
    expect((await historyOf(api, source, owner.id)).at(-1)).toMatchObject({
      action: 'copied by another business',
      screen: 'Copy Owners',
      changes: {},
    });
  });

  it('names owners that cannot be copied with one text, and copies the rest', async () => {
    const owner = await createOwner(api, source);
    const own = await createOwner(api, caller);
    const closed = await api.addTenant();
    const ofClosed = await createOwner(api, closed);
    await deactivate(closed);
    const deleted = await createOwner(api, source);
    await api.call(owners.remove, { params: { id: deleted.id } }, { token: source.token });
    const wrong = [unknownId, own.id, ofClosed.id, deleted.id];
    const meta = await copy([unknownId, own.id, owner.id, ofClosed.id, deleted.id]);
    expect(meta).toEqual({
      totalOwnersCopied: 1,
      totalTrucksCopied: 0,
      errors: wrong.map((ownerId) => ({ ownerId, message: 'Owner not found' })),
    });
  });

  it('makes no twin of an owner copied before, named twice, or with a PAN of the own list', async () => {
    const owner = await createOwner(api, source, { name: 'Bikash' });
    expect(await copy([owner.id, owner.id])).toEqual({
      totalOwnersCopied: 1,
      totalTrucksCopied: 0,
      errors: [{ ownerId: owner.id, message: '"Bikash" was copied before and is in your list' }],
    });
    expect((await copy([owner.id])).errors).toHaveLength(1);

    const [first, twin] = [
      await createOwner(api, source, { name: 'First', panNo: 'AAAPK0001F' }),
      await createOwner(api, source, { name: 'Twin', panNo: 'AAAPK0001F' }),
    ];
    expect(await copy([first.id, twin.id])).toEqual({
      totalOwnersCopied: 1,
      totalTrucksCopied: 0,
      errors: [{ ownerId: twin.id, message: 'An owner with the PAN of "Twin" is already in your list' }],
    });
    expect((await ownList()).map((item) => item.owner.name)).toEqual(['Bikash', 'First']);
  });

  it('may copy again an owner whose copy was deleted', async () => {
    const owner = await createOwner(api, source);
    await copy([owner.id]);
    const [mine] = await ownList();
    await api.call(owners.remove, { params: { id: mine?.owner.id ?? '' } }, { token: caller.token });
    expect((await copy([owner.id])).totalOwnersCopied).toBe(1);
  });

  it('leaves out a truck whose number exists already in any writing, and names it', async () => {
    const owner = await createOwner(api, source, { name: 'Bikash' });
    await createTruck(api, source, owner.id, { truckNumber: 'OD 09 AB 1234' });
    await createTruck(api, source, owner.id, { truckNumber: 'OD09AB9999' });
    const own = await createOwner(api, caller, { name: 'A' });
    await createTruck(api, caller, own.id, { truckNumber: 'OD-09-AB-1234' });
    expect(await copy([owner.id])).toEqual({
      totalOwnersCopied: 1,
      totalTrucksCopied: 1,
      errors: [
        {
          ownerId: owner.id,
          message: 'Truck OD 09 AB 1234 of "Bikash" is already in your list and was left out',
        },
      ],
    });
    expect((await ownList()).map((item) => item.trucks.map(({ truckNumber }) => truckNumber))).toEqual([
      ['OD-09-AB-1234'],
      ['OD09AB9999'],
    ]);
  });

  it('answers a repeated key with the first answer and copies nothing twice; another body is refused', async () => {
    const [owner, other] = [await createOwner(api, source), await createOwner(api, source)];
    const first = await copy([owner.id], 'copy-1');
    expect(await copy([owner.id], 'copy-1')).toEqual(first);
    expect(await ownList()).toHaveLength(1);
    const options = { token: caller.token, key: 'copy-1' };
    const mismatch = await api.call(owners.copy, { body: { ownerIds: [other.id] } }, options);
    expectRefusal(mismatch, 422, 'IDEMPOTENCY_MISMATCH');
    expect(await ownList()).toHaveLength(1);
  });

  it('makes one copy when asked many times at once, with one key and with many', async () => {
    const [one, many] = [await createOwner(api, source), await createOwner(api, source)];
    await createTruck(api, source, many.id);
    const sameKey = await Promise.all(Array.from({ length: 5 }, () => copy([one.id], 'same')));
    expect(sameKey.every((meta) => meta.totalOwnersCopied === 1 && meta.errors.length === 0)).toBe(true);
    const manyKeys = await Promise.all(Array.from({ length: 5 }, (_, n) => copy([many.id], `key ${n}`)));
    expect(manyKeys.map((meta) => meta.totalOwnersCopied).sort()).toEqual([0, 0, 0, 0, 1]);
    expect(await ownList()).toHaveLength(2);
  });

  it('loses no truck to a race with the same number typed in by hand', async () => {
    const owner = await createOwner(api, source);
    const own = await createOwner(api, caller);
    await createTruck(api, source, owner.id, { truckNumber: 'OD09ZZ1' });
    const [meta, typed] = await Promise.all([
      copy([owner.id]),
      api.call(
        trucks.create,
        { body: { truckNumber: 'OD-09-ZZ-1', noOfWheels: 12, ownerId: own.id } },
        { token: caller.token },
      ),
    ]);
    expect(meta.totalTrucksCopied + (typed.status === 201 ? 1 : 0)).toBe(1);
    expect((await ownList()).flatMap((item) => item.trucks)).toHaveLength(1);
  });

  it.each([
    ['an empty list', { ownerIds: [] }],
    ['no list', {}],
    ['null', { ownerIds: null }],
    ['one id without a list', { ownerIds: unknownId }],
    ['something that is no id', { ownerIds: ['x'] }],
    ['101 ids', { ownerIds: Array.from({ length: 101 }, () => unknownId) }],
  ])('refuses %s', async (_, body) => {
    const answer = await api.callRaw('POST', '/api/owners/copy', { token: caller.token, body });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(await ownList()).toEqual([]);
  });

  it('copies a hundred at once', async () => {
    const ids = await api.inTenant(source, async (db) => {
      const { rows } = await db.query<{ id: string }>(
        `INSERT INTO owners (subadmin_id, name, contact_number, account_no, pan_no, branch_name)
         SELECT $1, 'Fleet ' || n, '9876543210', '1', 'ABCPK' || lpad(n::text, 4, '0') || 'F', 'Joda'
         FROM generate_series(1, 100) AS n RETURNING id`,
        [source.id],
      );
      return rows.map(({ id }) => id);
    });
    expect(await copy(ids)).toEqual({ totalOwnersCopied: 100, totalTrucksCopied: 0, errors: [] });
  });
});
