import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Answer, type Api, type Tenant } from '../support/api.ts';
import { buildChallan, createOwner, createTag, createTruck } from '../support/builders.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { holding, untilWaiting } from '../support/holding.ts';

/** Two things at once: an account closed while it works, and a Copy while its source changes. */

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.addTenant();
});

const { owners, tags, challans, session, subadmins, profile } = contract;
const setActive = (id: string, isActive: boolean) =>
  api.call(subadmins.setActive, { params: { id }, body: { isActive } }, { token: api.adminToken });
const removeAccount = (id: string) => api.call(subadmins.remove, { params: { id } }, { token: api.adminToken });
const signIn = ({ email, password }: Tenant) => api.call(session.loginSubadmin, { body: { email, password } });
const profileOf = (token: string) => api.call(profile.get, {}, { token });

describe('an account that is closed while it works', () => {
  const ways = [
    ['deactivated', () => setActive(tenant.id, false)],
    ['deleted', () => removeAccount(tenant.id)],
  ] as const;

  it.each(ways)(
    '%s: writes that had begun are done whole or not at all, and none begins after the answer',
    async (_, close) => {
      const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
      let isClosed = false;
      const done: string[] = [];
      const late: number[] = [];
      const working = Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 30; n += 1) {
          const beganLate = isClosed;
          const answer = await api.call(challans.create, { body: buildChallan(refs) }, { token: tenant.token });
          if (beganLate) late.push(answer.status);
          if (answer.status === 201) done.push(answer.body.data.id);
          else expectRefusal(answer, 401, 'UNAUTHORIZED', 'Session expired or invalid token');
        }
      });
      await expect.poll(() => done.length).toBeGreaterThan(3);
      expect((await close()).status).toBe(200);
      isClosed = true;
      await Promise.all(working);
      expect(late.length).toBeGreaterThan(0);
      expect(new Set(late)).toEqual(new Set([401]));
      // What was answered is there, and nothing else.
      const kept = await api.inTenant(tenant, (db) =>
        db.query<{ id: string }>('SELECT id FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL', [tenant.id]),
      );
      expect(kept.rows.map(({ id }) => id).sort()).toEqual(done.sort());
    },
  );

  it.each(ways)('%s: a write that waits in the database is finished, the next is refused', async (_, close) => {
    const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
    const create = () => api.call(challans.create, { body: buildChallan(refs) }, { token: tenant.token });
    const begun = await holding(api, 'SELECT FROM owners WHERE id = $1 FOR UPDATE', [refs.ownerId], async (release) => {
      const waiting = create();
      await untilWaiting(api);
      expect((await close()).status).toBe(200);
      expectRefusal(await create(), 401, 'UNAUTHORIZED', 'Session expired or invalid token');
      await release();
      return waiting;
    });
    expect(begun.status).toBe(201);
    expectRefusal(await create(), 401, 'UNAUTHORIZED', 'Session expired or invalid token');
  });

  it.each(ways)('%s: a sign-in that overlaps gives no session that lives on', async (_, close) => {
    const signIns = Array.from({ length: 6 }, () => signIn(tenant));
    expect((await close()).status).toBe(200);
    for (const answer of await Promise.all(signIns)) {
      if (answer.status === 200) expectRefusal(await profileOf(answer.body.token), 401, 'UNAUTHORIZED');
      else expect([401, 429]).toContain(answer.status);
    }
  });

  it('no session of before comes back with the activation', async () => {
    const tokens = [tenant.token, (await signIn(tenant)).body.token];
    const answers = await Promise.all([setActive(tenant.id, false), setActive(tenant.id, true)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await setActive(tenant.id, false);
    await setActive(tenant.id, true);
    for (const token of tokens) expectRefusal(await profileOf(token), 401, 'UNAUTHORIZED');
    expect((await profileOf((await signIn(tenant)).body.token)).status).toBe(200);
  });

  it('switched by two at once, it ends as the last answer says, each change once in the history', async () => {
    const answers = await Promise.all([true, false, true, false].map((isActive) => setActive(tenant.id, isActive)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const last = answers.map(({ body }) => body.data).reduce((a, b) => (a.version > b.version ? a : b));
    const changes = (await historyOf(api, tenant, tenant.id)).map((line) => line.changes['isActive']);
    expect(changes).toHaveLength(last.version - 1);
    expect(changes.every((change, n) => change?.[0] === (n % 2 === 0) && change[1] === (n % 2 === 1))).toBe(true);
    expect(last.isActive).toBe(changes.length % 2 === 0);
  });
});

describe('a tag or an owner that is deleted while challans take it up', () => {
  const rounds = 8;
  const several = 6;

  it.each(['tag', 'owner'] as const)('%s: all of several challans at once, or the delete', async (noun) => {
    const seen = new Set<string>();
    for (let n = 0; n < rounds; n += 1) {
      const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
      const remove = (): Promise<Answer<unknown>> =>
        noun === 'tag'
          ? api.call(tags.remove, { params: { id: refs.tagId } }, { token: tenant.token })
          : api.call(owners.remove, { params: { id: refs.ownerId } }, { token: tenant.token });
      const create = () => api.call(challans.create, { body: buildChallan(refs) }, { token: tenant.token });
      const creating = Array.from({ length: several }, create);
      const [removed, ...made] = await Promise.all([remove(), ...creating]);
      const count = made.filter(({ status }) => status === 201).length;
      seen.add(`${removed.status} ${count > 0 ? 'named' : 'not named'}`);
      if (removed.status === 200) {
        for (const answer of made) expectRefusal(answer, 400, 'INVALID_REFERENCE');
      } else {
        expectRefusal(removed, 409, noun === 'tag' ? 'TAG_IN_USE' : 'OWNER_IN_USE');
        // It counted what had been stored by then, and there was something.
        const counted = Number(/(\d+) challan\(s\)/.exec(removed.error.message)?.[1]);
        expect(counted).toBeGreaterThan(0);
        expect(counted).toBeLessThanOrEqual(count);
        expect(count).toBe(several);
      }
    }
    expect(['200 not named', '409 named']).toEqual(expect.arrayContaining([...seen]));
  });
});

describe('a Copy and its source', () => {
  let source: Tenant;
  beforeEach(async () => {
    source = await api.addTenant(`Source ${randomUUID()}`);
  });
  const copy = (ownerIds: string[], as = tenant) => api.call(owners.copy, { body: { ownerIds } }, { token: as.token });
  const ownList = async (as = tenant) =>
    (await api.call(owners.list, { query: { limit: 100 } }, { token: as.token })).body.data;
  const fleet = async (name: string, count: number) => {
    const owner = await createOwner(api, source, { name });
    for (let n = 0; n < count; n += 1) await createTruck(api, source, owner.id);
    return owner;
  };
  /** Every column of every row of the account, as one figure; its history apart. */
  const hashOf = (account: Tenant) =>
    api.inTenant(account, async (db) => {
      const texts: string[] = [];
      for (const table of ['owners', 'trucks', 'tags', 'petrol_pumps', 'challans', 'counters']) {
        const { rows } = await db.query<{ row: string }>(
          `SELECT t::text || ' ' || t.xmin AS row FROM ${table} t WHERE subadmin_id = $1 ORDER BY t::text`,
          [account.id],
        );
        texts.push(`${table} ${rows.map(({ row }) => row).join('\n')}`);
      }
      return createHash('sha256').update(texts.join('\n')).digest('hex');
    });

  it('leaves every row of the source as it was, also asked for twice and by several', async () => {
    const [first, second] = [await fleet('First', 3), await fleet('Second', 0)];
    const others = [tenant, await api.addTenant(), await api.addTenant()];
    const before = await hashOf(source);
    await Promise.all(others.flatMap((as) => [copy([first.id, second.id], as), copy([second.id, first.id], as)]));
    expect(await hashOf(source)).toBe(before);
    for (const as of others) {
      const mine = await ownList(as);
      expect(mine.map(({ owner, trucksCount }) => [owner.name, trucksCount])).toEqual([
        ['First', 3],
        ['Second', 0],
      ]);
    }
    // One line for each who copied it, and none for the tries that found a twin.
    const shown = (await historyOf(api, source, first.id)).filter(
      ({ action }) => action === 'copied by another business',
    );
    expect(shown).toHaveLength(others.length);
  });

  it('one bad owner among good ones leaves the good ones whole, at any position', async () => {
    for (const place of [0, 1, 2]) {
      const caller = await api.addTenant();
      const good = [await fleet('Alpha', 2), await fleet('Beta', 1)];
      const ids = good.map(({ id }) => id);
      ids.splice(place, 0, unknownId);
      const answer = await copy(ids, caller);
      expect(answer.body.meta).toEqual({
        totalOwnersCopied: 2,
        totalTrucksCopied: 3,
        errors: [{ ownerId: unknownId, message: 'Owner not found' }],
      });
      const mine = await ownList(caller);
      expect(mine.map(({ owner, trucks: its }) => [owner.name, its.length])).toEqual([
        ['Alpha', 2],
        ['Beta', 1],
      ]);
      for (const { owner, trucks: its } of mine) {
        expect(await historyOf(api, caller, owner.id)).toHaveLength(1);
        for (const truck of its) expect(await historyOf(api, caller, truck.id)).toHaveLength(1);
      }
    }
  });

  it('takes an owner whole or not at all while its account deletes it', async () => {
    const seen = new Set<string>();
    for (let n = 0; n < 40; n += 1) {
      const owner = await fleet(`Fleet ${n}`, 2);
      const caller = await api.addTenant();
      const remove = () => api.call(owners.remove, { params: { id: owner.id } }, { token: source.token });
      // Each starts first in half of the rounds.
      const first = n % 2 === 0 ? undefined : remove();
      const [copied] = await Promise.all([copy([owner.id], caller), first ?? remove()]);
      const { totalOwnersCopied, totalTrucksCopied, errors } = copied.body.meta;
      seen.add(`${totalOwnersCopied} owner, ${totalTrucksCopied} trucks, ${errors.length} errors`);
    }
    expect(['1 owner, 2 trucks, 0 errors', '0 owner, 0 trucks, 1 errors']).toEqual(expect.arrayContaining([...seen]));
  });
});
