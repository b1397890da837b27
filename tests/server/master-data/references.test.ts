import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { long } from '../../long.ts';
import { startApi, type Answer, type Api, type Tenant } from '../support/api.ts';
import {
  buildChallan,
  buildTruck,
  createChallan,
  createOwner,
  createPump,
  createTag,
  createTruck,
  type ChallanBody,
} from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';

/** Records that name each other: what may be deleted, what stays, and that a delete and a new reference never cross. */

let api: Api;
let tenant: Tenant;
let ownerId: string;
let tagId: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.addTenant();
  ownerId = (await createOwner(api, tenant)).id;
  tagId = (await createTag(api, tenant)).id;
});

const { owners, tags, petrolPumps, trucks, challans } = contract;
const token = () => ({ token: tenant.token });
const removeOwner = (id: string) => api.call(owners.remove, { params: { id } }, token());
const removeTag = (id: string) => api.call(tags.remove, { params: { id } }, token());
const removePump = (id: string) => api.call(petrolPumps.remove, { params: { id } }, token());
const removeChallan = (id: string) => api.call(challans.remove, { params: { id } }, token());
const addChallan = (over: Partial<ChallanBody> = {}) => createChallan(api, tenant, { ownerId, tagId }, over);
const tryChallan = (over: Partial<ChallanBody> = {}) =>
  api.call(challans.create, { body: buildChallan({ ownerId, tagId }, over) }, token());
const changeChallan = (id: string, body: Record<string, unknown>) =>
  api.callRaw('PUT', `/api/challans/${id}`, { token: tenant.token, body });
const usageOf = async (id: string) => (await api.call(tags.usage, { params: { id } }, token())).body.data.usage;
const fold = () => api.inTenant(tenant, (db) => db.query('SELECT fold_challan_totals()'));
const withPump = (petrolPumpId: string) => ({ petrolPumpId, hsdPricePerLiter: '90.00', hsdInLiters: '10.00' });

describe('a tag that challans carry', () => {
  it('counts them, paid and unpaid, before and after the totals are folded', async () => {
    const [first] = [await addChallan(), await addChallan(), await addChallan({ paymentStatus: true })];
    const usage = { totalChallans: 3, paidChallans: 1, unpaidChallans: 2, canDelete: false };
    expect(await usageOf(tagId)).toEqual(usage);
    await fold();
    expect(await usageOf(tagId)).toEqual(usage);
    await changeChallan(first.id, { paymentStatus: true });
    expect(await usageOf(tagId)).toEqual({ ...usage, paidChallans: 2, unpaidChallans: 1 });
  });

  it('is not deleted, and the refusal says how many; without challans it goes', async () => {
    const tag = await createTag(api, tenant, { name: 'Coal "A"' });
    const [kept, moved] = [await addChallan({ tagId: tag.id }), await addChallan({ tagId: tag.id })];
    const answer = await removeTag(tag.id);
    expectRefusal(answer, 409, 'TAG_IN_USE', 'Cannot delete tag "Coal "A"". It is currently assigned to 2 challan(s).');
    expect(answer.error.data).toEqual({
      usage: { totalChallans: 2, paidChallans: 0, unpaidChallans: 2, canDelete: false },
    });
    await changeChallan(moved.id, { tagId });
    expect((await removeTag(tag.id)).error.message).toContain('1 challan(s)');
    await removeChallan(kept.id);
    expect((await removeTag(tag.id)).status).toBe(200);
  });

  it('is not named once it is deleted', async () => {
    const challan = await addChallan();
    const gone = await createTag(api, tenant);
    await removeTag(gone.id);
    expectRefusal(await tryChallan({ tagId: gone.id }), 400, 'INVALID_REFERENCE');
    expectRefusal(await changeChallan(challan.id, { tagId: gone.id }), 400, 'INVALID_REFERENCE');
  });
});

describe('an owner that challans name', () => {
  it('is not deleted, as owner or as discounter, and the refusal says how many', async () => {
    const owner = await createOwner(api, tenant, { name: 'Bikash' });
    const named = [
      await addChallan({ ownerId: owner.id }),
      await addChallan({ discounterId: owner.id }),
      await addChallan({ ownerId: owner.id, discounterId: owner.id }),
    ];
    const answer = await removeOwner(owner.id);
    expectRefusal(answer, 409, 'OWNER_IN_USE', 'Cannot delete owner "Bikash". It has 3 challan(s).');
    expect(answer.error.data).toEqual({ totalChallans: 3 });
    const truck = await createTruck(api, tenant, owner.id);
    for (const { id } of named) await removeChallan(id);
    expect((await removeOwner(owner.id)).status).toBe(200);
    const lookUp = await api.call(trucks.lookUp, { params: { vehicleNumber: truck.truckNumber } }, token());
    expect(lookUp.status).toBe(404);
  });

  it('is not named once it is deleted, by a challan or a truck', async () => {
    const challan = await addChallan();
    const truck = await createTruck(api, tenant, ownerId);
    const gone = await createOwner(api, tenant);
    await removeOwner(gone.id);
    expectRefusal(await tryChallan({ ownerId: gone.id }), 400, 'INVALID_REFERENCE');
    expectRefusal(await tryChallan({ discounterId: gone.id }), 400, 'INVALID_REFERENCE');
    expectRefusal(await changeChallan(challan.id, { discounterId: gone.id }), 400, 'INVALID_REFERENCE');
    expectRefusal(await api.call(trucks.create, { body: buildTruck(gone.id) }, token()), 400, 'INVALID_REFERENCE');
    const move = { params: { id: truck.id }, body: { ownerId: gone.id } };
    expectRefusal(await api.call(trucks.update, move, token()), 400, 'INVALID_REFERENCE');
  });
});

describe('a petrol pump that challans name', () => {
  it('is hidden, and the challans keep it', async () => {
    const pump = await createPump(api, tenant, { name: 'Joda Fuels' });
    const challan = await addChallan(withPump(pump.id));
    expect((await removePump(pump.id)).status).toBe(200);
    const get = async () => (await api.call(challans.get, { params: { id: challan.id } }, token())).body.data;
    expect((await get()).petrolPump).toEqual({ id: pump.id, name: 'Joda Fuels' });

    // Saving the form again names the pump it was loaded with.
    const saved = await changeChallan(challan.id, { remarks: 'Seen', petrolPumpId: pump.id });
    expect([saved.status, (await get()).petrolPump?.id]).toEqual([200, pump.id]);
    expectRefusal(await tryChallan(withPump(pump.id)), 400, 'INVALID_REFERENCE');
    const other = await addChallan();
    expectRefusal(await changeChallan(other.id, withPump(pump.id)), 400, 'INVALID_REFERENCE');
  });
});

describe('a delete and a new reference at the same time', () => {
  const rounds = long(60);
  const atOnce = 12;

  /** Races two calls many times; the pairs of statuses that came out, each once. */
  async function race(
    prepare: () => Promise<{ remove: () => Promise<Answer<unknown>>; name: () => Promise<Answer<unknown>> }>,
  ): Promise<string[]> {
    const seen = new Set<string>();
    for (let done = 0; done < rounds; done += atOnce) {
      const pairs = await Promise.all(Array.from({ length: atOnce }, prepare));
      const answers = await Promise.all(
        pairs.map(({ remove, name }, n) =>
          // Each starts first in half of the rounds.
          n % 2 === 0
            ? Promise.all([remove(), name()])
            : Promise.all([name(), remove()]).then(([a, b]) => [b, a] as const),
        ),
      );
      for (const [removed, named] of answers) seen.add(`${removed.status} ${named.status}`);
    }
    return [...seen].sort();
  }

  /** Live records of the account that name a deleted one. */
  const orphans = () =>
    api.inTenant(tenant, async (db) => {
      const { rows } = await db.query<{ what: string }>(
        `SELECT 'owner of a challan' AS what FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
           WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND o.deleted_at IS NOT NULL
         UNION ALL
         SELECT 'discounter' FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.discounter_id
           WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND o.deleted_at IS NOT NULL
         UNION ALL
         SELECT 'tag' FROM challans c JOIN tags t ON t.subadmin_id = $1 AND t.id = c.tag_id
           WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND t.deleted_at IS NOT NULL
         UNION ALL
         SELECT 'pump that was hidden before' FROM challans c JOIN petrol_pumps p ON p.subadmin_id = $1 AND p.id = c.petrol_pump_id
           WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND p.deleted_at < c.created_at
         UNION ALL
         SELECT 'owner of a truck' FROM trucks t JOIN owners o ON o.subadmin_id = $1 AND o.id = t.owner_id
           WHERE t.subadmin_id = $1 AND t.deleted_at IS NULL AND o.deleted_at IS NOT NULL`,
        [tenant.id],
      );
      return rows;
    });

  it.each(['ownerId', 'discounterId'] as const)('leaves no challan without its %s', async (field) => {
    const seen = await race(async () => {
      const { id } = await createOwner(api, tenant);
      return { remove: () => removeOwner(id), name: () => tryChallan({ [field]: id }) };
    });
    expect(['200 400', '409 201']).toEqual(expect.arrayContaining(seen));
    expect(await orphans()).toEqual([]);
  });

  it('leaves no challan without its tag, created or tagged again', async () => {
    const created = await race(async () => {
      const { id } = await createTag(api, tenant);
      return { remove: () => removeTag(id), name: () => tryChallan({ tagId: id }) };
    });
    expect(['200 400', '409 201']).toEqual(expect.arrayContaining(created));
    const tagged = await race(async () => {
      const [tag, challan] = [await createTag(api, tenant), await addChallan()];
      return { remove: () => removeTag(tag.id), name: () => changeChallan(challan.id, { tagId: tag.id }) };
    });
    expect(['200 400', '409 200']).toEqual(expect.arrayContaining(tagged));
    expect(await orphans()).toEqual([]);
  });

  it('lets no challan name a pump that was hidden before', async () => {
    const seen = await race(async () => {
      const { id } = await createPump(api, tenant);
      return { remove: () => removePump(id), name: () => tryChallan(withPump(id)) };
    });
    expect(['200 400', '200 201']).toEqual(expect.arrayContaining(seen));
    expect(await orphans()).toEqual([]);
  });

  it('leaves no truck without its owner: it is refused, or goes with it', async () => {
    const created = await race(async () => {
      const { id } = await createOwner(api, tenant);
      return {
        remove: () => removeOwner(id),
        name: () => api.call(trucks.create, { body: buildTruck(id) }, token()),
      };
    });
    expect(['200 201', '200 400']).toEqual(expect.arrayContaining(created));
    const moved = await race(async () => {
      const [owner, truck] = [await createOwner(api, tenant), await createTruck(api, tenant, ownerId)];
      const move = { params: { id: truck.id }, body: { ownerId: owner.id } };
      return { remove: () => removeOwner(owner.id), name: () => api.call(trucks.update, move, token()) };
    });
    expect(['200 200', '200 400']).toEqual(expect.arrayContaining(moved));
    expect(await orphans()).toEqual([]);
  });

  it('ends also where a truck moves away from the owner that is deleted', async () => {
    const seen = await race(async () => {
      const owner = await createOwner(api, tenant);
      const truck = await createTruck(api, tenant, owner.id);
      const move = { params: { id: truck.id }, body: { ownerId } };
      return { remove: () => removeOwner(owner.id), name: () => api.call(trucks.update, move, token()) };
    });
    expect(['200 200', '200 404']).toEqual(expect.arrayContaining(seen));
    expect(await orphans()).toEqual([]);
  });
});
