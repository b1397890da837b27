import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { hashPassword } from '../../../src/server/features/session/passwords.service.ts';
import { startApi, type Api } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { expectRefusal, statusesOf, unknownId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { subadmins, session, profile, owners } = contract;
type SubadminBody = BodyInput<typeof subadmins.create>;

let counter = 0;
function buildSubadmin(over: Partial<SubadminBody> = {}): SubadminBody {
  counter += 1;
  return {
    email: `operator${counter}@transport.test`,
    password: 'six chars at least',
    bannerName: `Banner ${counter}`,
    gstNo: '21abcde1234f1z5',
    contactNumber: '98765 43210',
    officeAddress: 'Station Road, Keonjhar',
    ...over,
  };
}

const asAdmin = () => ({ token: api.adminToken });
const create = (over: Partial<SubadminBody> = {}) =>
  api.call(subadmins.create, { body: buildSubadmin(over) }, asAdmin());
const change = (id: string, body: Record<string, unknown>) =>
  api.callRaw('PUT', `/api/subadmins/${id}`, { token: api.adminToken, body });
const setActive = (id: string, isActive: boolean) =>
  api.call(subadmins.setActive, { params: { id }, body: { isActive } }, asAdmin());
const signIn = (email: string, password: string) => api.call(session.loginSubadmin, { body: { email, password } });
const getProfile = (token: string) => api.call(profile.get, {}, { token });
const list = async (query: Record<string, string | number> = {}) =>
  (await api.call(subadmins.list, { query }, asAdmin())).body;

describe('creating a sub-admin', () => {
  it('answers the account without a trace of its password, and it can sign in', async () => {
    const answer = await create({ email: ' New.Operator@Transport.TEST ', bannerName: 'Śrī Roadlines' });
    expect(answer.status).toBe(201);
    const { id, createdAt, updatedAt, ...rest } = answer.body.data;
    expect(rest).toEqual({
      email: 'new.operator@transport.test',
      bannerName: 'Śrī Roadlines',
      gstNo: '21ABCDE1234F1Z5',
      contactNumber: '9876543210',
      officeAddress: 'Station Road, Keonjhar',
      isActive: true,
      isInDirectory: true,
      role: 'subadmin',
      people: 0,
      lastSeenAt: null,
      version: 1,
    });
    expect([createdAt, updatedAt].every((text) => new Date(text).toISOString() === text)).toBe(true);
    expect(answer.text).not.toMatch(/password|hash|argon|epoch/i);

    const signedIn = await signIn('NEW.operator@transport.test', 'six chars at least');
    expect(signedIn.body).toMatchObject({ bannerName: 'Śrī Roadlines', user: { id: 'new.operator@transport.test' } });
    const token = signedIn.body.token;
    const own = { id, email: rest.email, password: '', bannerName: '', token };
    const history = await historyOf(api, own, id);
    expect(history.map(({ entity, action }) => [entity, action])).toEqual([['subadmin', 'created']]);
    expect(history[0]?.actor_id).not.toBe(id);
  });

  it('refuses an e-mail in use in any case, also of an admin and of a deleted account', async () => {
    const { email, id } = (await create()).body.data;
    const answer = await create({ email: email.toUpperCase() });
    expectRefusal(answer, 409, 'EMAIL_IN_USE', 'This email is already in use');
    expect(answer.error.fields).toHaveProperty('email');
    expectRefusal(await create({ email: 'admin@challan.test' }), 409, 'EMAIL_IN_USE');
    await api.call(subadmins.remove, { params: { id } }, asAdmin());
    expectRefusal(await create({ email }), 409, 'EMAIL_IN_USE');
  });

  it.each([
    ['email', 'nobody', 'Please enter a valid email'],
    ['password', '12345', 'Password must be at least 6 characters'],
    ['bannerName', ' ', 'Please enter banner name'],
    ['contactNumber', '12345', 'Please enter valid 10 digit contact number'],
  ])('refuses %s = %j and makes no account', async (field, value, message) => {
    const before = (await list()).pagination.totalCount;
    const body = { ...buildSubadmin(), [field]: value };
    const answer = await api.callRaw('POST', '/api/subadmins', { token: api.adminToken, body });
    expectRefusal(answer, 400, 'VALIDATION_ERROR', message);
    expect((await list()).pagination.totalCount).toBe(before);
  });

  it.each([['role'], ['isActive'], ['id'], ['sessionEpoch'], ['passwordHash']])(
    'does not know the field %s',
    async (field) => {
      const body = { ...buildSubadmin(), [field]: 'admin' };
      const answer = await api.callRaw('POST', '/api/subadmins', { token: api.adminToken, body });
      expectRefusal(answer, 400, 'UNKNOWN_FIELD');
    },
  );

  it('makes one of two accounts with the same e-mail', async () => {
    expect(await statusesOf([create({ email: 'twice@x.test' }), create({ email: 'Twice@x.test' })])).toEqual([
      201, 409,
    ]);
  });
});

describe('the admin of a first start', () => {
  it('is let as far as the password, though admin@localhost has no dot', async () => {
    const body = { email: 'admin@localhost', password: 'not this one' };
    expectRefusal(await api.call(session.loginAdmin, { body }), 401, 'INVALID_CREDENTIALS');
    const wrong = { email: 'admin', password: 'not this one' };
    expectRefusal(
      await api.call(session.loginAdmin, { body: wrong }),
      400,
      'VALIDATION_ERROR',
      'Please enter a valid email',
    );
  });
});

describe('listing sub-admins', () => {
  it('pages through the accounts by banner name, without admins and deleted ones', async () => {
    const fresh = await startApi();
    const make = async (bannerName: string) =>
      (await fresh.call(subadmins.create, { body: buildSubadmin({ bannerName }) }, { token: fresh.adminToken })).body
        .data;
    for (const name of ['beta', 'Alpha', 'gamma']) await make(name);
    const gone = await make('Deleted');
    await fresh.call(subadmins.remove, { params: { id: gone.id } }, { token: fresh.adminToken });
    const page = async (number: number) =>
      (await fresh.call(subadmins.list, { query: { page: number, limit: 2 } }, { token: fresh.adminToken })).body;
    expect((await page(1)).data.map(({ bannerName }) => bannerName)).toEqual(['Alpha', 'beta']);
    const last = await page(2);
    expect(last.data.map(({ bannerName }) => bannerName)).toEqual(['gamma']);
    expect(last.pagination).toMatchObject({ totalCount: 3, totalPages: 2, hasNext: false });
    await fresh.close();
  });
});

describe('changing a sub-admin', () => {
  it('changes what is sent, keeps the sessions, and writes what changed into the history', async () => {
    const tenant = await api.addTenant('Old banner');
    const answer = await change(tenant.id, { bannerName: 'New banner', contactNumber: '+919876543210', version: 1 });
    expect(answer.body.data).toMatchObject({ bannerName: 'New banner', contactNumber: '+919876543210', version: 2 });
    expect((await getProfile(tenant.token)).body.data.bannerName).toBe('New banner');
    expect(await historyOf(api, tenant, tenant.id)).toMatchObject([
      {
        entity: 'subadmin',
        action: 'updated',
        changes: { bannerName: ['Old banner', 'New banner'], contactNumber: ['9876543210', '+919876543210'] },
      },
    ]);
  });

  it('sets a new password: every session ends, the old one is refused', async () => {
    const tenant = await api.addTenant();
    const answer = await change(tenant.id, { password: 'a new password' });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/a new password|argon/);
    expectRefusal(await getProfile(tenant.token), 401, 'UNAUTHORIZED', 'Session expired or invalid token');
    expectRefusal(await signIn(tenant.email, tenant.password), 401, 'INVALID_CREDENTIALS');
    expect((await signIn(tenant.email, 'a new password')).status).toBe(200);
    const history = await historyOf(api, tenant, tenant.id);
    expect(history.map(({ action, changes }) => [action, changes])).toEqual([
      ['updated', { password: ['(hidden)', '(hidden)'] }],
    ]);
  });

  it('refuses a stale version, a taken e-mail and wrong input, and changes nothing', async () => {
    const tenant = await api.addTenant();
    const taken = (await create()).body.data.email;
    const before = (await getProfile(tenant.token)).body.data;
    const stale = await change(tenant.id, { bannerName: 'New', version: 9 });
    expectRefusal(stale, 409, 'VERSION_CONFLICT');
    expect(stale.error.data).toMatchObject({ id: tenant.id, version: 1 });
    expect(stale.text).not.toMatch(/hash|argon/i);
    expectRefusal(await change(tenant.id, { bannerName: 'New', email: taken }), 409, 'EMAIL_IN_USE');
    expectRefusal(await change(tenant.id, { bannerName: 'New', password: '' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await change(tenant.id, { bannerName: 'New', isActive: 'false' }), 400, 'VALIDATION_ERROR');
    expectRefusal(await change(tenant.id, { bannerName: 'New', role: 'admin' }), 400, 'UNKNOWN_FIELD');
    expect((await getProfile(tenant.token)).body.data).toEqual(before);
  });

  it('lets one of two who save the same version win', async () => {
    const tenant = await api.addTenant();
    const save = (bannerName: string) => change(tenant.id, { bannerName, version: 1 });
    expect(await statusesOf([save('One'), save('Two')])).toEqual([200, 409]);
  });

  it('answers 404 for an unknown id, a deleted account and an admin', async () => {
    const deleted = (await create()).body.data.id;
    await api.call(subadmins.remove, { params: { id: deleted } }, asAdmin());
    const tenant = await api.addTenant();
    const adminId = await api.inTenant(tenant, async (db) => {
      const { rows } = await db.query<{ id: string }>(`SELECT id FROM accounts WHERE role = 'admin'`);
      return rows[0]?.id ?? '';
    });
    for (const id of [unknownId, deleted, adminId]) {
      expectRefusal(await change(id, { bannerName: 'New' }), 404, 'NOT_FOUND', 'Subadmin not found');
      expectRefusal(await setActive(id, false), 404, 'NOT_FOUND');
      expectRefusal(await api.call(subadmins.remove, { params: { id } }, asAdmin()), 404, 'NOT_FOUND');
    }
    expect((await api.call(subadmins.list, {}, asAdmin())).status).toBe(200);
  });
});

describe('deactivating a sub-admin', () => {
  it('ends its sessions for good and keeps it from signing in', async () => {
    const tenant = await api.addTenant();
    const answer = await setActive(tenant.id, false);
    expect(answer.body.data).toMatchObject({ id: tenant.id, isActive: false, version: 2 });
    expectRefusal(await getProfile(tenant.token), 401, 'UNAUTHORIZED', 'Session expired or invalid token');
    expectRefusal(
      await signIn(tenant.email, tenant.password),
      401,
      'INVALID_CREDENTIALS',
      'Invalid subadmin credentials',
    );

    expect((await setActive(tenant.id, true)).body.data).toMatchObject({ isActive: true, version: 3 });
    expectRefusal(await getProfile(tenant.token), 401, 'UNAUTHORIZED');
    expect((await signIn(tenant.email, tenant.password)).status).toBe(200);
    expect((await historyOf(api, tenant, tenant.id)).map(({ changes }) => changes)).toEqual([
      { isActive: [true, false] },
      { isActive: [false, true] },
    ]);
  });

  it('works by the edit form as well, and changes nothing where nothing differs', async () => {
    const tenant = await api.addTenant();
    expect((await setActive(tenant.id, true)).body.data.version).toBe(1);
    expect((await getProfile(tenant.token)).status).toBe(200);
    expect((await change(tenant.id, { isActive: false })).status).toBe(200);
    expectRefusal(await getProfile(tenant.token), 401, 'UNAUTHORIZED');
  });

  it('lets no request through that starts after the answer', async () => {
    const tenant = await api.addTenant();
    let isOff = false;
    const late: number[] = [];
    const asking = Array.from({ length: 4 }, async () => {
      for (let n = 0; n < 25; n += 1) {
        const startedOff = isOff;
        const { status } = await api.call(owners.list, {}, { token: tenant.token });
        if (startedOff) late.push(status);
      }
    });
    await setActive(tenant.id, false);
    isOff = true;
    await Promise.all(asking);
    expect(late.length).toBeGreaterThan(0);
    expect(new Set(late)).toEqual(new Set([401]));
  });

  it.each([null, 0, 'false', undefined])('refuses isActive = %j', async (isActive) => {
    const tenant = await api.addTenant();
    const answer = await api.callRaw('PATCH', `/api/subadmins/${tenant.id}/status`, {
      token: api.adminToken,
      body: { isActive },
    });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect((await getProfile(tenant.token)).status).toBe(200);
  });
});

describe('deleting a sub-admin', () => {
  it('ends its sessions, keeps its records, and happens once', async () => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant);
    const remove = () => api.call(subadmins.remove, { params: { id: tenant.id } }, asAdmin());
    const answers = await Promise.all([remove(), remove()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(answers.find(({ status }) => status === 200)?.body.message).toBe('Subadmin deleted successfully');
    expectRefusal(await getProfile(tenant.token), 401, 'UNAUTHORIZED');
    expectRefusal(await signIn(tenant.email, tenant.password), 401, 'INVALID_CREDENTIALS');
    const kept = await api.inTenant(tenant, (db) =>
      db.query<{ id: string }>('SELECT id FROM owners WHERE subadmin_id = $1 AND deleted_at IS NULL', [tenant.id]),
    );
    expect(kept.rows).toEqual([{ id: owner.id }]);
    expect((await historyOf(api, tenant, tenant.id)).map(({ action }) => action)).toEqual(['deleted']);
  });
});

describe('a password that would be guessed first', () => {
  const common = 'This password is too common. Please choose another one';
  const own = 'The password must not be a name of the account';

  it('is refused for a new account, and none is made', async () => {
    const before = (await list()).pagination.totalCount;
    for (const [password, message] of [
      ['password', common],
      ['Aarti Roadlines', own],
      ['aarti.r99', own],
    ] as const) {
      const answer = await create({ email: 'aarti.r@challan.test', bannerName: 'Aarti Roadlines', password });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.error).toMatchObject({ message, fields: { password: message } });
    }
    expect((await list()).pagination.totalCount).toBe(before);
  });

  it('is refused when an admin sets it, by the name as it will be, and nothing of the change is kept', async () => {
    const tenant = await api.addTenant('Old Name');
    expectRefusal(
      await change(tenant.id, { bannerName: 'Sahu Carriers', password: 'sahucarriers1' }),
      400,
      'VALIDATION_ERROR',
    );
    expectRefusal(await change(tenant.id, { password: 'qwerty123' }), 400, 'VALIDATION_ERROR');
    expect((await signIn(tenant.email, tenant.password)).status).toBe(200);
    const { token } = (await signIn(tenant.email, tenant.password)).body;
    expect((await getProfile(token)).body.data.bannerName).toBe('Old Name');
    expect((await change(tenant.id, { password: 'sahucarriers1' })).status).toBe(200);
  });

  it('is refused when it becomes the own one, without counting a try; one that is stored goes on working', async () => {
    const tenant = await api.addTenant('Kalinga Movers');
    const changeTo = (newPassword: string, currentPassword = tenant.password) =>
      api.call(
        profile.changePassword,
        { body: { currentPassword, newPassword, confirmPassword: newPassword } },
        { token: tenant.token },
      );
    for (let n = 0; n < 5; n += 1) expectRefusal(await changeTo('letmein'), 400, 'VALIDATION_ERROR');
    expect((await changeTo('kalinga movers')).error.fields).toEqual({ newPassword: own });
    await withGlobal(api.pools.main, 'write', async (db) => {
      await db.query('UPDATE accounts SET password_hash = $2 WHERE id = $1', [tenant.id, await hashPassword('123456')]);
    });
    expect((await signIn(tenant.email, '123456')).status).toBe(200);
    expect((await changeTo('a better one', '123456')).status).toBe(200);
  });
});
