import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildApp } from '../../../src/server/app.ts';
import { createPool } from '../../../src/server/db/pool.ts';
import { hashPassword } from '../../../src/server/features/session/passwords.service.ts';
import { startApi, type Answer, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { holding, untilWaiting } from '../support/holding.ts';

/** What an account changes of itself while its sessions are being ended: it comes too late, and revives none of them. */

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.addTenant();
});

const { session, subadmins, profile } = contract;
const asAdmin = () => ({ token: api.adminToken });
const setActive = (isActive: boolean) =>
  api.call(subadmins.setActive, { params: { id: tenant.id }, body: { isActive } }, asAdmin());
const signIn = (password = tenant.password) =>
  api.call(session.loginSubadmin, { body: { email: tenant.email, password } });
const profileOf = (token: string) => api.call(profile.get, {}, { token });

const next = 'brand new one';
const changePassword = (): Promise<Answer<unknown>> =>
  api.call(
    profile.changePassword,
    { body: { currentPassword: tenant.password, newPassword: next, confirmPassword: next } },
    { token: tenant.token },
  );

const endings: [string, () => Promise<Answer<unknown>>][] = [
  ['deactivated', () => setActive(false)],
  ['deleted', () => api.call(subadmins.remove, { params: { id: tenant.id } }, asAdmin())],
  [
    'given another password',
    () => api.call(subadmins.update, { params: { id: tenant.id }, body: { password: 'set by the admin' } }, asAdmin()),
  ],
];
const writes: [string, () => Promise<Answer<unknown>>][] = [
  ['its own password', changePassword],
  [
    'its profile',
    () => api.call(profile.update, { body: { bannerName: 'Changed too late' } }, { token: tenant.token }),
  ],
  ['its other sessions', () => api.call(session.endOthers, {}, { token: tenant.token })],
];

describe.each(endings)('an account that is being %s', (ending, end) => {
  it.each(writes)('changes nothing of %s any more', async (_, write) => {
    const elsewhere = (await signIn()).body.token;
    const before = (await profileOf(tenant.token)).body.data;
    const account = 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE';
    const [ended, written] = await holding(api, account, [tenant.id], async (release) => {
      const ending = end();
      await untilWaiting(api, 1);
      // Its session is still good, so it gets as far as the lock, behind the one that ends it.
      const writing = write();
      await untilWaiting(api, 2);
      await release();
      return Promise.all([ending, writing]);
    });
    expect(ended.status).toBe(200);
    expectRefusal(written, 401, 'UNAUTHORIZED', 'Session expired or invalid token');
    for (const token of [tenant.token, elsewhere]) expectRefusal(await profileOf(token), 401, 'UNAUTHORIZED');
    const actions = (await historyOf(api, tenant, tenant.id)).map(({ action }) => action);
    expect(actions).toEqual([ending === 'deleted' ? 'deleted' : 'updated']);
    if (ending === 'deleted') return;

    // Open again, it is what it was: the old sessions stay dead, and the new password was never set.
    await setActive(true);
    for (const token of [tenant.token, elsewhere]) expectRefusal(await profileOf(token), 401, 'UNAUTHORIZED');
    expectRefusal(await signIn(next), 401, 'INVALID_CREDENTIALS');
    const signedIn = await signIn(ending === 'deactivated' ? tenant.password : 'set by the admin');
    expect((await profileOf(signedIn.body.token)).body.data.bannerName).toBe(before.bannerName);
  });
});

describe('changing the own password', () => {
  it('ends what a session elsewhere does at the same time', async () => {
    const elsewhere = (await signIn()).body.token;
    const endOthers = () => api.call(session.endOthers, {}, { token: elsewhere });
    const [ended, changed] = await holding(
      api,
      'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
      [tenant.id],
      async (release) => {
        const ending = endOthers();
        await untilWaiting(api, 1);
        const changing = changePassword();
        await untilWaiting(api, 2);
        await release();
        return Promise.all([ending, changing]);
      },
    );
    expect(ended.body.data.endedCount).toBe(1);
    expectRefusal(changed, 401, 'UNAUTHORIZED');
    expect((await signIn()).status).toBe(200);
  });

  it.each([
    ['the same password under another hash, as a sign-in may store it: it is changed', '', 200],
    ['another password: what was typed is no longer the current one', 'set meanwhile', 400],
  ])('checks again what was stored between the check and the lock: %s', async (_, other, status) => {
    const stored = await hashPassword(other === '' ? tenant.password : other);
    const change = 'UPDATE accounts SET password_hash = $2 WHERE id = $1';
    const changed = await holding(api, change, [tenant.id, stored], async (release) => {
      const changing = changePassword();
      await untilWaiting(api);
      await release();
      return changing;
    });
    expect(changed.status).toBe(status);
    expect((await signIn(status === 200 ? next : other)).status).toBe(200);
  });
});

describe('hashing a password', () => {
  it.each([
    ['change of the own password', 'PUT', '/api/subadmins/change-password'],
    ['new account', 'POST', '/api/subadmins'],
    ['new password of an account', 'PUT', '/api/subadmins/'],
  ] as const)('holds no connection: %s', async (what, method, url) => {
    const pools = {
      main: createPool(api.appUrl, { max: 1 }),
      stream: createPool(api.appUrl, { max: 1, pipeline: false }),
    };
    const app = await buildApp({ pools, logLevel: 'silent' });
    const account = {
      email: `${randomUUID()}@challan.test`,
      password: 'six chars at least',
      bannerName: 'Banner',
      gstNo: '21ABCDE1234F1Z5',
      contactNumber: '9876543210',
      officeAddress: 'Station Road, Keonjhar',
    };
    const own = { currentPassword: tenant.password, newPassword: next, confirmPassword: next };
    const calls = {
      'change of the own password': { url, token: tenant.token, payload: own },
      'new account': { url, token: api.adminToken, payload: account },
      'new password of an account': { url: url + tenant.id, token: api.adminToken, payload: { password: next } },
    };
    const call = calls[what];
    const order: string[] = [];
    const ask = async (name: string, request: InjectOptions, token: string) => {
      const answer = await app.inject({ ...request, headers: { authorization: `Bearer ${token}` } });
      order.push(name);
      return answer.statusCode;
    };
    await app.inject({ method: 'GET', url: '/api/tags', headers: { authorization: `Bearer ${tenant.token}` } });
    // Whoever hashes after these waits for its turn; with the only connection, everybody would wait with it.
    const queue = Array.from({ length: 30 }, () => hashPassword('one of many'));
    const changing = ask('hashed', { method, url: call.url, payload: call.payload }, call.token);
    const reading = new Promise((resolve) => setTimeout(resolve, 50)).then(() =>
      ask('read', { method: 'GET', url: '/api/tags' }, tenant.token),
    );
    expect(await reading).toBe(200);
    expect(await changing).toBeLessThan(300);
    expect(order).toEqual(['read', 'hashed']);
    await Promise.all(queue);
    await app.close();
    await Promise.all([pools.main.end(), pools.stream.end()]);
  });
});
