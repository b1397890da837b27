import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildChallan, buildOwner, createOwner, createTag, createTruck } from '../support/builders.ts';
import { expectRefusal, statusesOf, unknownId, withoutRequestId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { owners } = contract;
const asTenant = (tenant: Tenant) => ({ token: tenant.token });
const list = async (tenant: Tenant, query: Record<string, string | number> = {}) =>
  (await api.call(owners.list, { query }, asTenant(tenant))).body;
const search = (tenant: Tenant, q: string) => api.call(owners.search, { query: { q } }, asTenant(tenant));

describe('creating an owner', () => {
  it('answers the owner as stored: codes in capitals, contact without spaces, zeros kept', async () => {
    const tenant = await api.addTenant();
    const body = buildOwner({
      name: '  Bikash Mohanta ',
      contactNumber: '98765 43210',
      accountNo: '000123',
      ifsc: 'sbin0001234',
      panNo: 'abcpk1234f',
    });
    const answer = await api.call(owners.create, { body }, asTenant(tenant));
    expect(answer.status).toBe(201);
    const { id, createdAt, updatedAt, ...rest } = answer.body.data;
    expect(rest).toEqual({
      name: 'Bikash Mohanta',
      contactNumber: '9876543210',
      address: 'Barbil, Keonjhar',
      accountNo: '000123',
      ifsc: 'SBIN0001234',
      panNo: 'ABCPK1234F',
      branchName: 'Barbil',
      language: 'English',
      holdReason: '',
      subadminId: tenant.id,
      version: 1,
    });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(new Date(updatedAt).toISOString()).toBe(updatedAt);
    expect(await historyOf(api, tenant, id)).toEqual([
      { entity: 'owner', action: 'created', actor_id: tenant.id, screen: '', changes: {} },
    ]);
  });

  it('takes an owner without address and IFSC', async () => {
    const tenant = await api.addTenant();
    const { address: _, ifsc: __, ...body } = buildOwner();
    const answer = await api.call(owners.create, { body }, asTenant(tenant));
    expect(answer.body.data).toMatchObject({ address: '', ifsc: '' });
  });

  it.each([
    ['name', '', 'Please enter owner name'],
    ['contactNumber', '98765', 'Please enter a valid 10-digit contact number'],
    ['address', 'x'.repeat(501), 'Address cannot exceed 500 characters'],
    ['ifsc', 'SBIN000123', 'IFSC code should be 11 characters'],
    ['panNo', 'ABC1234567', 'Please enter valid PAN number (e.g., ABCDE1234F)'],
  ])('refuses a wrong %s and writes nothing', async (field, value, message) => {
    const tenant = await api.addTenant();
    const answer = await api.callRaw('POST', '/api/owners', {
      token: tenant.token,
      body: { ...buildOwner(), [field]: value },
    });
    expectRefusal(answer, 400, 'VALIDATION_ERROR', message);
    expect(answer.error.fields).toEqual({ [field]: message });
    expect((await list(tenant)).pagination.totalCount).toBe(0);
  });

  it.each([['id'], ['subadminId'], ['subAdminId'], ['createdAt'], ['deletedAt'], ['version'], ['trucks']])(
    'does not know the field %s',
    async (field) => {
      const tenant = await api.addTenant();
      const body = { ...buildOwner(), [field]: 'x' };
      expectRefusal(await api.callRaw('POST', '/api/owners', { token: tenant.token, body }), 400, 'UNKNOWN_FIELD');
      expect((await list(tenant)).pagination.totalCount).toBe(0);
    },
  );
});

describe('reading owners', () => {
  it('lists by name without case, with the trucks and the total of trucks', async () => {
    const tenant = await api.addTenant();
    const [zeta, alpha] = [
      await createOwner(api, tenant, { name: 'zeta' }),
      await createOwner(api, tenant, { name: 'Alpha' }),
    ];
    await createOwner(api, tenant, { name: 'beta' });
    await createTruck(api, tenant, zeta.id, { truckNumber: 'OD 09 B 2' });
    await createTruck(api, tenant, zeta.id, { truckNumber: 'OD 09 A 1' });
    await createTruck(api, tenant, alpha.id);

    const first = await list(tenant, { page: 1, limit: 2 });
    expect(first.data.map((item) => [item.owner.name, item.trucksCount])).toEqual([
      ['Alpha', 1],
      ['beta', 0],
    ]);
    expect(first.meta).toEqual({ totalTrucks: 3 });
    expect(first.pagination).toEqual({
      currentPage: 1,
      limit: 2,
      totalPages: 2,
      totalCount: 3,
      hasNext: true,
      hasPrevious: false,
      offset: 0,
    });
    const second = await list(tenant, { page: 2, limit: 2 });
    expect(second.data[0]?.trucks.map((truck) => [truck.truckNumber, truck.owner])).toEqual([
      ['OD 09 A 1', { id: zeta.id, name: 'zeta' }],
      ['OD 09 B 2', { id: zeta.id, name: 'zeta' }],
    ]);
    const past = await list(tenant, { page: 9, limit: 2 });
    expect(past.data).toEqual([]);
    expect(past.pagination).toMatchObject({ totalCount: 3, totalPages: 2, hasNext: false, hasPrevious: true });
  });

  it('sorts by each column, both ways', async () => {
    const tenant = await api.addTenant();
    const made = [
      await createOwner(api, tenant, { name: 'B', contactNumber: '9000000003' }),
      await createOwner(api, tenant, { name: 'a', contactNumber: '9000000001' }),
      await createOwner(api, tenant, { name: 'C', contactNumber: '9000000002' }),
    ] as const;
    await createTruck(api, tenant, made[2].id);
    await createTruck(api, tenant, made[2].id);
    await createTruck(api, tenant, made[0].id);
    const names = async (sortBy: string, sortOrder: string) =>
      (await list(tenant, { sortBy, sortOrder })).data.map((item) => item.owner.name).join('');
    expect(await names('name', 'desc')).toBe('CBa');
    expect(await names('contactNumber', 'asc')).toBe('aCB');
    expect(await names('trucksCount', 'desc')).toBe('CBa');
    expect(await names('createdAt', 'asc')).toBe('BaC');
    expect(await names('createdAt', 'desc')).toBe('CaB');
    expectRefusal(
      await api.callRaw('GET', '/api/owners?sortBy=account_no', { token: tenant.token }),
      400,
      'VALIDATION_ERROR',
    );
  });

  it.each(['limit=0', 'limit=101', 'limit=abc', 'page=0', 'page=1.5', 'page=-1', 'limit=1&limit=2'])(
    'refuses %s',
    async (query) => {
      const tenant = await api.addTenant();
      const answer = await api.callRaw('GET', `/api/owners?${query}`, { token: tenant.token });
      expectRefusal(answer, 400, 'INVALID_PAGINATION');
    },
  );

  it('gets one with its trucks; a foreign id is answered like an unknown one', async () => {
    const [tenant, other] = [await api.addTenant(), await api.addTenant()];
    const owner = await createOwner(api, tenant);
    const truck = await createTruck(api, tenant, owner.id);
    const answer = await api.call(owners.get, { params: { id: owner.id } }, asTenant(tenant));
    expect(answer.body.data).toEqual({ ...owner, trucksCount: 1, trucks: [truck], declaration: null });

    const foreign = await api.call(owners.get, { params: { id: owner.id } }, asTenant(other));
    expectRefusal(foreign, 404, 'NOT_FOUND', 'Owner not found');
    const unknown = await api.call(owners.get, { params: { id: unknownId } }, asTenant(other));
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
    expectRefusal(await api.callRaw('GET', '/api/owners/abc', { token: tenant.token }), 400, 'INVALID_ID');
  });
});

describe('searching owners', () => {
  it('matches name, contact number and truck number in any writing', async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant, { name: 'Śrī Jagannāth Roadlines', contactNumber: '9437012345' });
    await createTruck(api, tenant, owner.id, { truckNumber: 'OD 09 AB 1234' });
    await createOwner(api, tenant, { name: 'Somebody Else', contactNumber: '8000000000' });
    for (const q of ['jagann', 'ROADLINES', '94370', '943 701', '9437012345', 'od09ab12', 'OD-09-AB', '  roadl ']) {
      const { body } = await search(tenant, q);
      expect([q, body.results.map(({ name }) => name), body.count]).toEqual([q, ['Śrī Jagannāth Roadlines'], 1]);
      expect(body.searchTerm).toBe(q.trim());
      expect(body.results[0]).toMatchObject({ id: owner.id, trucksCount: 1 });
    }
    for (const q of ['+91 94370 12345', '09437012345', '94370-12345', '+919437012345'])
      expect([q, (await search(tenant, q)).body.count]).toEqual([q, 1]);
    expect((await search(tenant, 'nobody')).body).toMatchObject({ results: [], count: 0 });
  });

  it('matches account number and PAN, typed with spaces too, and nothing of another account', async () => {
    const tenant = await api.addTenant();
    const other = await api.addTenant();
    await createOwner(api, tenant, { name: 'Ravi', accountNo: '00123456789', panNo: 'ABCPK1234F' });
    await createOwner(api, tenant, { name: 'Tara', accountNo: '99887766', panNo: 'ZZZPK9999Z' });
    await createOwner(api, other, { name: 'Other', accountNo: '00123456789', panNo: 'ABCPK1234F' });
    for (const q of ['0012345', '0012 3456 789', 'abcpk', '1234f', 'abcpk12', 'ABCPK 1234F']) {
      const { body } = await search(tenant, q);
      expect([q, body.results.map(({ name }) => name), body.count]).toEqual([q, ['Ravi'], 1]);
    }
    // An account number may have any characters.
    await createOwner(api, tenant, { name: 'Uma', accountNo: 'sbi/00-7x' });
    for (const q of ['SBI/0', '0-7X', 'bi/']) {
      expect((await search(tenant, q)).body.results.map(({ name }) => name)).toEqual(['Uma']);
    }
    for (const q of ['0123456789012', 'ABCPK1234FG', 'abcpk-1234'])
      expect((await search(tenant, q)).body.count).toBe(0);
  });

  it('takes %, _ and \\ literally, and a term of separators finds no truck', async () => {
    const tenant = await api.addTenant();
    const plain = await createOwner(api, tenant, { name: 'Plain name' });
    await createTruck(api, tenant, plain.id);
    await createOwner(api, tenant, { name: '100% \\ A_B' });
    const names = async (q: string) => (await search(tenant, q)).body.results.map(({ name }) => name);
    expect(await names('%%')).toEqual([]);
    expect(await names('__')).toEqual([]);
    expect(await names('--')).toEqual([]);
    expect(await names('0%')).toEqual(['100% \\ A_B']);
    expect(await names('\\ a_')).toEqual(['100% \\ A_B']);
  });

  it('wants two characters after trimming', async () => {
    const tenant = await api.addTenant();
    for (const q of ['', ' ', 'a', ' a ']) expectRefusal(await search(tenant, q), 400, 'VALIDATION_ERROR');
    expectRefusal(await api.callRaw('GET', '/api/owners/search', { token: tenant.token }), 400, 'VALIDATION_ERROR');
  });

  it('answers at most 200 results and the true count', async () => {
    const tenant = await api.addTenant();
    await api.inTenant(tenant, (db) =>
      db.query(
        `INSERT INTO owners (subadmin_id, name, contact_number, account_no, pan_no, branch_name)
         SELECT $1, 'Fleet ' || n, '9876543210', '1', 'ABCPK1234F', 'Joda' FROM generate_series(1, 205) AS n`,
        [tenant.id],
      ),
    );
    const { body } = await search(tenant, 'fleet');
    expect(body.results).toHaveLength(200);
    expect(body.count).toBe(205);
    // The rest is on the pages behind.
    const query = { q: 'fleet', page: 3, limit: 100 };
    const last = await api.call(owners.search, { query }, asTenant(tenant));
    expect(last.body.results).toHaveLength(5);
    expect(last.body.count).toBe(205);
    expectRefusal(
      await api.call(owners.search, { query: { ...query, limit: 101 } }, asTenant(tenant)),
      400,
      'INVALID_PAGINATION',
    );
  });

  it('comes best match first, or in the order that is asked for', async () => {
    const tenant = await api.addTenant();
    for (const [name, contactNumber] of [
      ['Maa Tarini', '9000000001'],
      ['Tarini', '9000000003'],
      ['Atarini', '9000000002'],
    ] as const) {
      await createOwner(api, tenant, { name, contactNumber });
    }
    const names = async (order: { sortBy?: 'name' | 'contactNumber'; sortOrder?: 'asc' | 'desc' }) =>
      (await api.call(owners.search, { query: { q: 'tarini', ...order } }, asTenant(tenant))).body.results.map(
        ({ name }) => name,
      );
    expect(await names({})).toEqual(['Tarini', 'Maa Tarini', 'Atarini']);
    expect(await names({ sortBy: 'name' })).toEqual(['Atarini', 'Maa Tarini', 'Tarini']);
    expect(await names({ sortBy: 'contactNumber', sortOrder: 'desc' })).toEqual(['Tarini', 'Atarini', 'Maa Tarini']);
  });
});

describe('the usage of an owner', () => {
  it('counts the challans that name it, as owner or discounter, and says whether it can be deleted', async () => {
    const tenant = await api.addTenant();
    const [owner, discounter] = [await createOwner(api, tenant), await createOwner(api, tenant)];
    const usage = async (id: string) =>
      (await api.call(owners.usage, { params: { id } }, asTenant(tenant))).body.data.usage;
    expect(await usage(owner.id)).toEqual({ totalChallans: 0, canDelete: true });
    const tagId = (await createTag(api, tenant)).id;
    const body = buildChallan({ ownerId: owner.id, tagId }, { discounterId: discounter.id });
    await api.call(contract.challans.create, { body }, asTenant(tenant));
    expect(await usage(owner.id)).toEqual({ totalChallans: 1, canDelete: false });
    expect(await usage(discounter.id)).toEqual({ totalChallans: 1, canDelete: false });
  });

  it('is a recount of the challans, folded or not, each once and none that is deleted', async () => {
    const tenant = await api.addTenant();
    const [owner, other] = [await createOwner(api, tenant), await createOwner(api, tenant)];
    const tagId = (await createTag(api, tenant)).id;
    const make = async (ownerId: string, discounterId: string) => {
      const body = buildChallan({ ownerId, tagId }, { discounterId });
      return (await api.call(contract.challans.create, { body }, asTenant(tenant))).body.data;
    };
    const fold = () => api.inTenant(tenant, (db) => db.query('SELECT fold_challan_totals()'));
    const expectRecount = async () => {
      for (const { id } of [owner, other]) {
        const counted = await api.inTenant(tenant, (db) =>
          db.query<{ n: number }>(
            `SELECT count(*)::int AS n FROM challans
             WHERE subadmin_id = $1 AND $2 IN (owner_id, discounter_id) AND deleted_at IS NULL`,
            [db.tenantId, id],
          ),
        );
        const { usage } = (await api.call(owners.usage, { params: { id } }, asTenant(tenant))).body.data;
        const totalChallans = counted.rows[0]?.n;
        expect(usage).toEqual({ totalChallans, canDelete: totalChallans === 0 });
      }
    };
    const [own, others] = [await make(owner.id, owner.id), await make(other.id, owner.id)];
    await expectRecount();
    await fold();
    await expectRecount();
    await make(owner.id, other.id);
    await expectRecount();
    for (const { id } of [own, others]) {
      await api.call(contract.challans.remove, { params: { id } }, asTenant(tenant));
      await expectRecount();
      await fold();
      await expectRecount();
    }
  });
});

describe('changing an owner', () => {
  it('changes what is sent, keeps the rest, and writes what changed into the history', async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant);
    const answer = await api.call(
      owners.update,
      { params: { id: owner.id }, body: { address: '', branchName: 'Joda', version: 1 } },
      { token: tenant.token, headers: { 'x-screen': 'Owners' } },
    );
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...owner,
      address: '',
      branchName: 'Joda',
      version: 2,
      updatedAt: answer.body.data.updatedAt,
    });
    expect((await historyOf(api, tenant, owner.id))[1]).toEqual({
      entity: 'owner',
      action: 'updated',
      actor_id: tenant.id,
      screen: 'Owners',
      changes: { address: ['Barbil, Keonjhar', ''], branchName: ['Barbil', 'Joda'] },
    });
  });

  it('takes the language of its messages by any of its names, and keeps it when another field is changed', async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant, { language: 'ଓଡ଼ିଆ' });
    expect(owner.language).toBe('Odia');
    const change = (body: object) =>
      api.call(owners.update, { params: { id: owner.id }, body }, asTenant(tenant)).then(({ body: { data } }) => data);
    expect((await change({ address: 'Joda' })).language).toBe('Odia');
    expect((await change({ language: 'hindi' })).language).toBe('Hindi');
    expect((await historyOf(api, tenant, owner.id)).at(-1)?.changes).toEqual({ language: ['Odia', 'Hindi'] });
    const refused = await api.callRaw('PUT', `/api/owners/${owner.id}`, {
      token: tenant.token,
      body: { language: 'Telugu' },
    });
    expectRefusal(refused, 400, 'VALIDATION_ERROR', 'Please choose English, Hindi or Odia');
  });

  it('leaves the version and the history alone when nothing differs', async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant);
    for (const body of [{}, { name: owner.name }]) {
      const answer = await api.call(owners.update, { params: { id: owner.id }, body }, asTenant(tenant));
      expect(answer.body.data).toEqual(owner);
    }
    expect(await historyOf(api, tenant, owner.id)).toHaveLength(1);
  });

  it('refuses a stale version with the current record', async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant);
    const change = (body: { name: string; version?: number }) =>
      api.call(owners.update, { params: { id: owner.id }, body }, asTenant(tenant));
    const current = (await change({ name: 'First', version: 1 })).body.data;
    const stale = await change({ name: 'Second', version: 1 });
    expectRefusal(stale, 409, 'VERSION_CONFLICT');
    expect(stale.error.data).toEqual(current);
    expect((await change({ name: 'Third' })).body.data).toMatchObject({ name: 'Third', version: 3 });
  });

  it('changes nothing when part of the input is wrong', async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant);
    const bodies = [
      { name: 'New', panNo: 'WRONG' },
      { name: 'New', ifsc: null },
      { name: 'New', accountNo: 123 },
      { name: 'New', subadminId: tenant.id },
      { name: 'New', version: 0 },
    ];
    for (const body of bodies) {
      const answer = await api.callRaw('PUT', `/api/owners/${owner.id}`, { token: tenant.token, body });
      expect(answer.status).toBe(400);
    }
    const kept = await api.call(owners.get, { params: { id: owner.id } }, asTenant(tenant));
    expect(kept.body.data).toEqual({ ...owner, trucksCount: 0, trucks: [], declaration: null });
  });

  it('lets one of two who save the same version win', async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant);
    const save = (name: string) =>
      api.call(owners.update, { params: { id: owner.id }, body: { name, version: 1 } }, asTenant(tenant));
    expect(await statusesOf([save('One'), save('Two'), save('Three')])).toEqual([200, 409, 409]);
  });

  it('does not reach another account, and says so like for an unknown id', async () => {
    const [tenant, other] = [await api.addTenant(), await api.addTenant()];
    const owner = await createOwner(api, tenant);
    const change = (id: string) => api.call(owners.update, { params: { id }, body: { name: 'Mine' } }, asTenant(other));
    expect(withoutRequestId(await change(owner.id))).toEqual(withoutRequestId(await change(unknownId)));
    expect((await list(tenant)).data[0]?.owner).toEqual(owner);
  });
});

describe('deleting an owner', () => {
  it('takes its trucks along, and their numbers are free again', async () => {
    const tenant = await api.addTenant();
    const [owner, other] = [await createOwner(api, tenant), await createOwner(api, tenant)];
    const truck = await createTruck(api, tenant, owner.id);
    const kept = await createTruck(api, tenant, other.id);
    const answer = await api.call(owners.remove, { params: { id: owner.id } }, asTenant(tenant));
    expect(answer.body).toEqual({ success: true, message: 'Owner deleted successfully' });

    const left = await list(tenant);
    expect(left.data.map((item) => item.trucks.map(({ id }) => id))).toEqual([[kept.id]]);
    expect(left.meta.totalTrucks).toBe(1);
    expect((await historyOf(api, tenant, owner.id)).map(({ action }) => action)).toEqual(['created', 'deleted']);
    expect((await historyOf(api, tenant, truck.id)).map(({ action }) => action)).toEqual([
      'created',
      'deleted with its owner',
    ]);
    expect((await createTruck(api, tenant, other.id, { truckNumber: truck.truckNumber })).ownerId).toBe(other.id);
    expectRefusal(
      await api.call(owners.remove, { params: { id: owner.id } }, asTenant(tenant)),
      404,
      'NOT_FOUND',
      'Owner not found',
    );
  });

  it('happens once when asked twice at once', async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant);
    const remove = () => api.call(owners.remove, { params: { id: owner.id } }, asTenant(tenant));
    expect(await statusesOf([remove(), remove()])).toEqual([200, 404]);
    expect(await historyOf(api, tenant, owner.id)).toHaveLength(2);
  });

  it('does not reach another account', async () => {
    const [tenant, other] = [await api.addTenant(), await api.addTenant()];
    const owner = await createOwner(api, tenant);
    expectRefusal(await api.call(owners.remove, { params: { id: owner.id } }, asTenant(other)), 404, 'NOT_FOUND');
    expect((await list(tenant)).data).toHaveLength(1);
  });
});
