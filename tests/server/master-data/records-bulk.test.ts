import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createPump, createTag, createTruck } from '../support/builders.ts';
import { expectRefusal, unknownId, withoutRequestId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { holding, untilWaiting } from '../support/holding.ts';

/** One act on many records of master data (docs/specification.md §7.4). */
let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const { owners, trucks, tags, petrolPumps, batches } = contract;
const as = (key?: string) => ({ token: tenant.token, ...(key ? { key } : {}) });
const undo = async (id: string | undefined) =>
  (await api.call(batches.undo, { params: { id: id ?? '' } }, as())).body.data;
const remove = { kind: 'delete' as const };

describe('a deletion of many', () => {
  it('of owners: their trucks go with them, those whom challans name stay, and the undo brings all back', async () => {
    const tag = await createTag(api, tenant);
    const [used, first, second] = [
      await createOwner(api, tenant, { name: 'Used' }),
      await createOwner(api, tenant),
      await createOwner(api, tenant),
    ];
    const truck = await createTruck(api, tenant, first.id);
    await createChallan(api, tenant, { ownerId: used.id, tagId: tag.id });
    const ids = [used.id, first.id, second.id];
    const seen = await api.call(owners.previewMany, { body: { ids, act: remove } }, as());
    const refused = [{ reason: 'Cannot delete owner "Used". It has 1 challan(s).', count: 1, names: ['Used'] }];
    expect(seen.body.data).toMatchObject({ count: 3, changedCount: 2, sameCount: 0, refused, goneCount: 0 });
    const { fingerprint } = seen.body.data;
    const done = await api.call(owners.changeMany, { body: { ids, act: remove, expected: { fingerprint } } }, as());
    expect(done.body.data).toMatchObject({ changedCount: 2, refused });
    const list = async () => (await api.call(owners.list, {}, as())).body.data.map(({ owner }) => owner.id).toSorted();
    expect(await list()).toEqual([used.id]);
    expect((await api.call(trucks.list, {}, as())).body.data).toEqual([]);
    expect((await historyOf(api, tenant, truck.id)).at(-1)?.action).toBe('deleted with its owner');

    expect(await undo(done.body.data.batch?.id)).toMatchObject({ undone: 3, left: [] });
    expect(await list()).toEqual(ids.toSorted());
    expect((await api.call(trucks.list, {}, as())).body.data).toMatchObject([{ id: truck.id, ownerId: first.id }]);
    expect((await historyOf(api, tenant, first.id)).map(({ action }) => action)).toEqual([
      'created',
      'deleted',
      'restored',
    ]);
  });

  it('of owners: a truck that moves to another owner meanwhile stays', async () => {
    const [gone, other] = [await createOwner(api, tenant), await createOwner(api, tenant)];
    const [stays, goes] = [await createTruck(api, tenant, gone.id), await createTruck(api, tenant, gone.id)];
    const move = 'UPDATE trucks SET owner_id = $2, version = version + 1 WHERE id = $1';
    const done = await holding(api, move, [stays.id, other.id], async (release) => {
      const waiting = api.call(owners.changeMany, { body: { ids: [gone.id], act: remove } }, as());
      await untilWaiting(api);
      await release();
      return waiting;
    });
    expect(done.body.data).toMatchObject({ changedCount: 1 });
    expect((await api.call(trucks.list, {}, as())).body.data).toMatchObject([{ id: stays.id, ownerId: other.id }]);
    expect((await historyOf(api, tenant, stays.id)).map(({ action }) => action)).toEqual(['created']);
    expect(await undo(done.body.data.batch?.id)).toMatchObject({ undone: 2, left: [] });
    const back = (await api.call(trucks.list, {}, as())).body.data;
    expect(back.map(({ id, ownerId }) => [id, ownerId]).toSorted()).toEqual(
      [
        [goes.id, gone.id],
        [stays.id, other.id],
      ].toSorted(),
    );
  });

  it('of tags and pumps; a name that was given to another one meanwhile is left', async () => {
    const [pump, kept, taken] = [
      await createPump(api, tenant),
      await createTag(api, tenant),
      await createTag(api, tenant, { name: 'JSW' }),
    ];
    const body = { ids: [kept.id, taken.id], act: remove };
    const { batch } = (await api.call(tags.changeMany, { body }, as())).body.data;
    await createTag(api, tenant, { name: 'jsw' });
    expect(await undo(batch?.id)).toMatchObject({
      undone: 1,
      left: [{ id: taken.id, reason: 'Another tag has its name of before.' }],
    });
    const gone = await api.call(petrolPumps.changeMany, { body: { ids: [pump.id], act: remove } }, as());
    expect((await api.call(petrolPumps.list, {}, as())).body.data).toEqual([]);
    expect(await undo(gone.body.data.batch?.id)).toMatchObject({ undone: 1 });
    expect((await api.call(petrolPumps.list, {}, as())).body.data).toMatchObject([{ id: pump.id }]);
  });
});

describe('an undo beside another write', () => {
  it('leaves a tag whose name somebody else is just about to take', async () => {
    const [tag, free] = [await createTag(api, tenant, { name: 'JSW' }), await createTag(api, tenant)];
    const body = { ids: [tag.id, free.id], act: remove };
    const { batch } = (await api.call(tags.changeMany, { body }, as())).body.data;
    const other = await createTag(api, tenant);
    const take = `UPDATE tags SET name = 'JSW' WHERE id = $1`;
    const undone = await holding(api, take, [other.id], async (release) => {
      const waiting = api.call(batches.undo, { params: { id: batch?.id ?? '' } }, as());
      await untilWaiting(api);
      await release();
      return waiting;
    });
    expect(undone.body.data).toMatchObject({
      undone: 1,
      left: [{ id: tag.id, reason: 'Another tag has its name of before.' }],
    });
  });

  it('leaves a truck whose number somebody else is just about to take', async () => {
    const owner = await createOwner(api, tenant);
    const truck = await createTruck(api, tenant, owner.id, { truckNumber: 'OD 09 Z 1' });
    const body = { ids: [truck.id], act: remove };
    const { batch } = (await api.call(trucks.changeMany, { body }, as())).body.data;
    const other = await createTruck(api, tenant, owner.id);
    const take = `UPDATE trucks SET truck_number = 'OD09Z1' WHERE id = $1`;
    const undone = await holding(api, take, [other.id], async (release) => {
      const waiting = api.call(batches.undo, { params: { id: batch?.id ?? '' } }, as());
      await untilWaiting(api);
      await release();
      return waiting;
    });
    expect(undone.body.data).toMatchObject({
      undone: 0,
      undoneAt: null,
      left: [{ id: truck.id, reason: 'Another truck has its number of before.' }],
    });
  });
});

describe('a value of many', () => {
  it('sets wheels and owner of trucks, with a line of history each, and takes it back', async () => {
    const [owner, other] = [await createOwner(api, tenant), await createOwner(api, tenant)];
    const made = [
      await createTruck(api, tenant, owner.id, { noOfWheels: 10 }),
      await createTruck(api, tenant, other.id, { noOfWheels: 14 }),
    ];
    const ids = made.map(({ id }) => id);
    const act = { kind: 'set' as const, values: { noOfWheels: 14, ownerId: other.id } };
    const answer = await api.call(trucks.changeMany, { body: { ids, act } }, as());
    expect(answer.body.data).toMatchObject({ changedCount: 1, sameCount: 1, refused: [] });
    expect((await historyOf(api, tenant, ids[0] ?? '')).at(-1)).toMatchObject({
      action: 'updated',
      changes: { noOfWheels: [10, 14], ownerId: [owner.id, other.id] },
    });
    await undo(answer.body.data.batch?.id);
    const { data } = (await api.call(trucks.list, {}, as())).body;
    expect(data.find(({ id }) => id === ids[0])).toMatchObject({ noOfWheels: 10, ownerId: owner.id, version: 3 });
    expect(data.find(({ id }) => id === ids[1])).toMatchObject({ version: 1 });
  });

  it('refuses an owner that was deleted, also in the preview', async () => {
    const [owner, gone] = [await createOwner(api, tenant), await createOwner(api, tenant)];
    const truck = await createTruck(api, tenant, owner.id);
    await api.call(owners.remove, { params: { id: gone.id } }, as());
    const body = { ids: [truck.id], act: { kind: 'set' as const, values: { ownerId: gone.id } } };
    expectRefusal(await api.call(trucks.previewMany, { body }, as()), 400, 'INVALID_REFERENCE');
    expectRefusal(await api.call(trucks.changeMany, { body }, as()), 400, 'INVALID_REFERENCE');
  });

  it('changes nothing where it is wrong, stale or not there, and does nothing twice', async () => {
    const tag = await createTag(api, tenant);
    const stranger = await api.addTenant();
    const foreign = await createTag(api, stranger);
    const set = (color: unknown) => ({ kind: 'set', values: { color } });
    const wrong: [object, string][] = [
      [{ ids: [tag.id], act: set('red') }, 'VALIDATION_ERROR'],
      [{ ids: [tag.id], act: { kind: 'set', values: { name: 'Other' } } }, 'UNKNOWN_FIELD'],
      [{ ids: [], act: set('#111111') }, 'VALIDATION_ERROR'],
      [{ ids: [tag.id], act: set('#111111'), expected: { fingerprint: 'old' } }, 'SELECTION_CHANGED'],
    ];
    for (const [body, code] of wrong) {
      expect((await api.callRaw('POST', '/api/tags/selection/change', { ...as(), body })).error.code).toBe(code);
    }
    const act = { kind: 'set' as const, values: { color: '#111111' } };
    const change = (ids: string[], key?: string) => api.call(tags.changeMany, { body: { ids, act } }, as(key));
    const [theirs, nobodys] = [await change([foreign.id]), await change([unknownId])];
    expectRefusal(theirs, 404, 'NOT_FOUND', 'Tag not found');
    expect(withoutRequestId(theirs)).toEqual(withoutRequestId(nobodys));
    expect((await api.call(tags.get, { params: { id: tag.id } }, as())).body.data).toEqual(tag);

    const key = randomUUID();
    const first = await change([tag.id, foreign.id], key);
    expect((await change([tag.id, foreign.id], key)).text).toBe(first.text);
    expect((await api.call(tags.get, { params: { id: tag.id } }, as())).body.data).toMatchObject({
      color: '#111111',
      version: 2,
    });
    const theirTag = await api.call(tags.get, { params: { id: foreign.id } }, { token: stranger.token });
    expect(theirTag.body.data).toEqual(foreign);
  });
});
