import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildTag, createTag } from '../support/builders.ts';
import { expectRefusal, statusesOf, unknownId, withoutRequestId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { tags } = contract;
const asTenant = (tenant: Tenant) => ({ token: tenant.token });
const list = async (tenant: Tenant, query: Record<string, string | number> = {}) =>
  (await api.call(tags.list, { query }, asTenant(tenant))).body;
const namesOf = async (tenant: Tenant, query: Record<string, string | number> = {}) =>
  (await list(tenant, query)).data.map(({ name }) => name);

describe('creating a tag', () => {
  it('answers the tag as stored, name and description trimmed', async () => {
    const tenant = await api.addTenant();
    const body = { name: '  NTPC  ', color: '#10b981', description: ' Line 1\nLine 2 ' };
    const answer = await api.call(tags.create, { body }, asTenant(tenant));
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      name: 'NTPC',
      color: '#10b981',
      description: 'Line 1\nLine 2',
      version: 1,
    });
    expect((await historyOf(api, tenant, answer.body.data.id)).map(({ action }) => action)).toEqual(['created']);
    const bare = await api.call(tags.create, { body: { name: 'Bare', color: '#3B82F6' } }, asTenant(tenant));
    expect(bare.body.data.description).toBe('');
  });

  it('refuses a name of the account in any case, and takes one of another account', async () => {
    const tenant = await api.addTenant();
    await createTag(api, tenant, { name: 'Coal' });
    const answer = await api.call(tags.create, { body: buildTag({ name: 'COAL' }) }, asTenant(tenant));
    expectRefusal(answer, 409, 'TAG_EXISTS', 'A tag named "COAL" already exists');
    expect(answer.error.fields).toHaveProperty('name');
    expect((await createTag(api, await api.addTenant(), { name: 'Coal' })).name).toBe('Coal');
  });

  it.each([
    ['name', 'A', 'Tag name must be at least 2 characters'],
    ['name', 'x'.repeat(51), 'Tag name must be less than 50 characters'],
    ['color', 'red', 'color must be a color such as #3B82F6'],
    ['color', '#12345', 'color must be a color such as #3B82F6'],
    ['color', 'url(javascript:1)', 'color must be a color such as #3B82F6'],
    ['description', 'x'.repeat(201), 'Description must be at most 200 characters'],
  ])('refuses %s = %s and writes nothing', async (field, value, message) => {
    const tenant = await api.addTenant();
    const body = { ...buildTag(), [field]: value };
    expectRefusal(
      await api.callRaw('POST', '/api/tags', { token: tenant.token, body }),
      400,
      'VALIDATION_ERROR',
      message,
    );
    expect((await list(tenant)).data).toEqual([]);
  });

  it('makes one of two tags with the same name', async () => {
    const tenant = await api.addTenant();
    const create = (name: string) => api.call(tags.create, { body: buildTag({ name }) }, asTenant(tenant));
    expect(await statusesOf([create('Ore'), create('ORE'), create('ore')])).toEqual([201, 409, 409]);
  });
});

describe('reading tags', () => {
  it('lists by name without case, searches the name literally, counts the whole filter', async () => {
    const tenant = await api.addTenant();
    for (const name of ['beta', 'Alpha', '50% off_x', 'Gamma']) await createTag(api, tenant, { name });
    expect(await namesOf(tenant)).toEqual(['50% off_x', 'Alpha', 'beta', 'Gamma']);
    expect(await namesOf(tenant, { sortOrder: 'desc', limit: 2 })).toEqual(['Gamma', 'beta']);
    expect(await namesOf(tenant, { sortBy: 'createdAt', sortOrder: 'asc' })).toEqual([
      'beta',
      'Alpha',
      '50% off_x',
      'Gamma',
    ]);
    expect(await namesOf(tenant, { search: 'A' })).toEqual(['Alpha', 'beta', 'Gamma']);
    expect(await namesOf(tenant, { search: 'mm' })).toEqual(['Gamma']);
    expect(await namesOf(tenant, { search: '0% OFF_' })).toEqual(['50% off_x']);
    expect(await namesOf(tenant, { search: '%a' })).toEqual([]);
    expect(await namesOf(tenant, { search: '' })).toHaveLength(4);
    expect((await list(tenant, { search: 'a', limit: 1, page: 3 })).pagination).toMatchObject({
      totalCount: 3,
      totalPages: 3,
      hasNext: false,
    });
  });

  it('gets one; a foreign id is answered like an unknown one, for its usage too', async () => {
    const [tenant, other] = [await api.addTenant(), await api.addTenant()];
    const tag = await createTag(api, tenant);
    expect((await api.call(tags.get, { params: { id: tag.id } }, asTenant(tenant))).body.data).toEqual(tag);
    for (const endpoint of [tags.get, tags.usage, tags.remove]) {
      const foreign = await api.call(endpoint, { params: { id: tag.id } }, asTenant(other));
      expectRefusal(foreign, 404, 'NOT_FOUND', 'Tag not found');
      const unknown = await api.call(endpoint, { params: { id: unknownId } }, asTenant(other));
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
    }
    const usage = await api.call(tags.usage, { params: { id: tag.id } }, asTenant(tenant));
    expect(usage.body.data).toEqual({
      usage: { totalChallans: 0, paidChallans: 0, unpaidChallans: 0, canDelete: true },
    });
  });
});

describe('changing a tag', () => {
  it('changes what is sent and writes the history', async () => {
    const tenant = await api.addTenant();
    const tag = await createTag(api, tenant, { name: 'Coal' });
    const body = { name: 'COAL', color: '#EF4444', version: 1 };
    const answer = await api.call(tags.update, { params: { id: tag.id }, body }, asTenant(tenant));
    expect(answer.body.data).toEqual({ ...tag, ...body, version: 2, updatedAt: answer.body.data.updatedAt });
    expect((await historyOf(api, tenant, tag.id))[1]?.changes).toEqual({
      name: ['Coal', 'COAL'],
      color: ['#3B82F6', '#EF4444'],
    });
  });

  it('refuses a stale version, a taken name and wrong input, and changes nothing', async () => {
    const tenant = await api.addTenant();
    const [tag, taken] = [await createTag(api, tenant), await createTag(api, tenant)];
    const change = (body: Record<string, unknown>) =>
      api.callRaw('PUT', `/api/tags/${tag.id}`, { token: tenant.token, body });
    const stale = await change({ color: '#000000', version: 2 });
    expectRefusal(stale, 409, 'VERSION_CONFLICT');
    expect(stale.error.data).toEqual(tag);
    expectRefusal(await change({ color: '#000000', name: taken.name.toLowerCase() }), 409, 'TAG_EXISTS');
    expectRefusal(await change({ color: '#000000', name: 'x' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await change({ color: '#000000', description: null }), 400, 'VALIDATION_ERROR');
    expectRefusal(await change({ color: '#000000', createdAt: '2026-01-01' }), 400, 'UNKNOWN_FIELD');
    expect((await api.call(tags.get, { params: { id: tag.id } }, asTenant(tenant))).body.data).toEqual(tag);
  });

  it('lets one of two who save the same version win, and does not reach another account', async () => {
    const [tenant, other] = [await api.addTenant(), await api.addTenant()];
    const tag = await createTag(api, tenant);
    const save = (color: string, who = tenant) =>
      api.call(tags.update, { params: { id: tag.id }, body: { color, version: 1 } }, asTenant(who));
    expectRefusal(await save('#111111', other), 404, 'NOT_FOUND');
    expect(await statusesOf([save('#222222'), save('#333333')])).toEqual([200, 409]);
  });
});

describe('deleting a tag that no challan carries', () => {
  it('removes it, once when asked twice at once, and frees its name', async () => {
    const tenant = await api.addTenant();
    const tag = await createTag(api, tenant);
    const remove = () => api.call(tags.remove, { params: { id: tag.id } }, asTenant(tenant));
    expect(await statusesOf([remove(), remove()])).toEqual([200, 404]);
    expect((await list(tenant)).data).toEqual([]);
    expect((await api.call(tags.get, { params: { id: tag.id } }, asTenant(tenant))).status).toBe(404);
    await createTag(api, tenant, { name: tag.name });
    expect((await historyOf(api, tenant, tag.id)).map(({ action }) => action)).toEqual(['created', 'deleted']);
  });
});
