import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal, statusesOf } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { profile, session } = contract;
const get = (token: string) => api.call(profile.get, {}, { token });
const change = (tenant: Tenant, body: Record<string, unknown>) =>
  api.callRaw('PUT', '/api/subadmins/profile', { token: tenant.token, body });
const signIn = async (tenant: Tenant, password: string) =>
  api.call(session.loginSubadmin, { body: { email: tenant.email, password } });
const changePassword = (tenant: Tenant, body: Record<string, unknown>) =>
  api.callRaw('PUT', '/api/subadmins/change-password', { token: tenant.token, body });

describe('the profile', () => {
  it("answers the session's own account and nothing more", async () => {
    const tenant = await api.addTenant('Maa Tarini Roadlines');
    const answer = await get(tenant.token);
    const { createdAt, updatedAt, ...rest } = answer.body.data;
    expect(rest).toEqual({
      email: tenant.email,
      bannerName: 'Maa Tarini Roadlines',
      gstNo: '21ABCDE1234F1Z5',
      contactNumber: '9876543210',
      officeAddress: 'Station Road, Keonjhar',
      isActive: true,
      version: 1,
    });
    expect([createdAt, updatedAt].every((text) => new Date(text).toISOString() === text)).toBe(true);
    expect(Object.keys(answer.body).sort()).toEqual(['data', 'message', 'success']);
  });

  it('changes the four fields, and writes what changed into the history', async () => {
    const tenant = await api.addTenant('Old name');
    const body = {
      bannerName: 'New name',
      gstNo: '27aapfu0939f1zv',
      contactNumber: '+91 98765 43210',
      officeAddress: 'Plot 12, Barbil Road, Joda',
      version: 1,
    };
    const answer = await change(tenant, body);
    expect(answer.body).toMatchObject({
      message: 'Profile updated successfully',
      data: {
        bannerName: 'New name',
        gstNo: '27AAPFU0939F1ZV',
        contactNumber: '+919876543210',
        officeAddress: 'Plot 12, Barbil Road, Joda',
        version: 2,
      },
    });
    expect((await get(tenant.token)).body.data).toEqual(answer.body.data);
    expect(await historyOf(api, tenant, tenant.id)).toMatchObject([
      { entity: 'subadmin', action: 'updated', actor_id: tenant.id, changes: { bannerName: ['Old name', 'New name'] } },
    ]);
    expect((await change(tenant, { bannerName: 'New name' })).body.data).toEqual(answer.body.data);
  });

  it('refuses a stale version and wrong input, and changes nothing', async () => {
    const tenant = await api.addTenant();
    const before = (await get(tenant.token)).body.data;
    const stale = await change(tenant, { bannerName: 'New name', version: 2 });
    expectRefusal(stale, 409, 'VERSION_CONFLICT');
    // As the profile is answered: without the fields that only the admin's calls have.
    expect(stale.error.data).toEqual(before);
    const wrong: [Record<string, unknown>, string][] = [
      [{ bannerName: 'x' }, 'Company name must be at least 2 characters'],
      [{ gstNo: '' }, 'GST number is required'],
      [{ gstNo: '21ABCDE' }, 'GST number must be exactly 15 characters'],
      [{ gstNo: 'XXABCDE1234F1Z5' }, 'Please enter a valid GST number'],
      [{ contactNumber: '12345' }, 'Please enter a valid Indian mobile number'],
      [{ officeAddress: 'short' }, 'Address must be at least 10 characters'],
    ];
    for (const [body, message] of wrong) {
      const answer = await change(tenant, { bannerName: 'New name', ...body });
      expectRefusal(answer, 400, 'VALIDATION_ERROR', message);
    }
    for (const field of ['email', 'isActive', 'role', 'id', 'password']) {
      expectRefusal(await change(tenant, { bannerName: 'New name', [field]: true }), 400, 'UNKNOWN_FIELD');
    }
    expect((await get(tenant.token)).body.data).toEqual(before);
  });

  it('lets one of two who save the same version win', async () => {
    const tenant = await api.addTenant();
    const save = (bannerName: string) => change(tenant, { bannerName, version: 1 });
    expect(await statusesOf([save('First name'), save('Second name')])).toEqual([200, 409]);
  });
});

describe('changing the own password', () => {
  const wanted = { newPassword: 'brand new one', confirmPassword: 'brand new one' };

  it('ends every other session of the account, keeps this one, and the new password signs in', async () => {
    const tenant = await api.addTenant();
    const elsewhere = (await signIn(tenant, tenant.password)).body.token;
    const answer = await changePassword(tenant, { currentPassword: tenant.password, ...wanted });
    expect(answer.body).toEqual({ success: true, message: 'Password changed successfully' });

    expectRefusal(await get(elsewhere), 401, 'UNAUTHORIZED', 'Session expired or invalid token');
    expect((await get(tenant.token)).status).toBe(200);
    expectRefusal(await signIn(tenant, tenant.password), 401, 'INVALID_CREDENTIALS');
    expect((await signIn(tenant, 'brand new one')).status).toBe(200);
    const history = await historyOf(api, tenant, tenant.id);
    expect(history.map(({ action, changes }) => [action, changes])).toEqual([['password changed', {}]]);
  });

  it('is the admin’s own call too: its other sessions end, this one goes on', async () => {
    const { loginAdmin, changeAdminPassword } = contract.session;
    const enter = (password: string) => api.call(loginAdmin, { body: { email: 'admin@challan.test', password } });
    const change = (currentPassword: string, newPassword: string, token: string) =>
      api.call(
        changeAdminPassword,
        { body: { currentPassword, newPassword, confirmPassword: newPassword } },
        { token },
      );
    const list = (token: string) => api.call(contract.subadmins.list, {}, { token });
    const [here, elsewhere] = [await enter('correct horse 42'), await enter('correct horse 42')].map(
      ({ body }) => body.data.token,
    );
    expectRefusal(
      await change('not it', 'brand new one', here!),
      400,
      'WRONG_PASSWORD',
      'Current password is incorrect',
    );
    expect((await change('correct horse 42', 'brand new one', here!)).status).toBe(200);
    expectRefusal(await list(elsewhere!), 401, 'UNAUTHORIZED');
    expect((await list(here!)).status).toBe(200);
    expectRefusal(await enter('correct horse 42'), 401, 'INVALID_CREDENTIALS');
    expect((await enter('brand new one')).status).toBe(200);
    // As it was, for the other tests.
    expect((await change('brand new one', 'correct horse 42', here!)).status).toBe(200);
    const tenant = await api.addTenant();
    expectRefusal(await change(tenant.password, 'brand new one', tenant.token), 403, 'FORBIDDEN');
  });

  it('answers 400 for a wrong current password, and the session goes on', async () => {
    const tenant = await api.addTenant();
    const answer = await changePassword(tenant, { currentPassword: 'not this one', ...wanted });
    expectRefusal(answer, 400, 'WRONG_PASSWORD', 'Current password is incorrect');
    expect((await get(tenant.token)).status).toBe(200);
    expect((await signIn(tenant, tenant.password)).status).toBe(200);
    expect(await historyOf(api, tenant, tenant.id)).toEqual([]);
  });

  it('refuses what the form refuses, and changes nothing', async () => {
    const tenant = await api.addTenant();
    const wrong: [Record<string, unknown>, string][] = [
      [{ newPassword: '12345', confirmPassword: '12345' }, 'Password must be at least 6 characters'],
      [{ newPassword: 'brand new one', confirmPassword: 'another one' }, 'Passwords do not match'],
      [
        { newPassword: 'x'.repeat(129), confirmPassword: 'x'.repeat(129) },
        'newPassword must be at most 128 characters',
      ],
    ];
    for (const [body, message] of wrong) {
      const answer = await changePassword(tenant, { currentPassword: tenant.password, ...body });
      expectRefusal(answer, 400, 'VALIDATION_ERROR', message);
    }
    expect((await signIn(tenant, tenant.password)).status).toBe(200);
  });

  it('keeps spaces and letters of any script exactly', async () => {
    const tenant = await api.addTenant();
    const next = '  ନୂଆ पासवर्ड  ';
    const body = { currentPassword: tenant.password, newPassword: next, confirmPassword: next };
    expect((await changePassword(tenant, body)).status).toBe(200);
    expectRefusal(await signIn(tenant, next.trim()), 401, 'INVALID_CREDENTIALS');
    expect((await signIn(tenant, next)).status).toBe(200);
  });

  it('is throttled as the login is: a found session cannot guess the password, and goes on', async () => {
    const tenant = await api.addTenant();
    const guesses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      guesses.push((await changePassword(tenant, { currentPassword: `guess ${n}`, ...wanted })).status);
    }
    expect(guesses).toEqual([400, 400, 400, 400, 429, 429]);
    const blocked = await changePassword(tenant, { currentPassword: tenant.password, ...wanted });
    expectRefusal(blocked, 429, 'TOO_MANY_REQUESTS');
    expect(blocked.error.message).toMatch(/^Too many attempts\. Please try again in \d+ seconds\.$/);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get(tenant.token)).status).toBe(200);
    // The owner can still sign in, with the password that was not changed.
    expect((await signIn(tenant, tenant.password)).status).toBe(200);
  });

  it('cannot be outrun by guesses made at once', async () => {
    const tenant = await api.addTenant();
    const guesses = await statusesOf(
      Array.from({ length: 12 }, (_, n) => changePassword(tenant, { currentPassword: `guess ${n}`, ...wanted })),
    );
    // Three free tries and the one that starts the block.
    expect(guesses.filter((status) => status === 400).length).toBeLessThanOrEqual(4);
    expect(guesses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(8);
  });

  it('forgets wrong tries with the right password', async () => {
    const tenant = await api.addTenant();
    const wrong = { currentPassword: 'not this one', ...wanted };
    for (let n = 0; n < 3; n += 1) expect((await changePassword(tenant, wrong)).status).toBe(400);
    expect((await changePassword(tenant, { currentPassword: tenant.password, ...wanted })).status).toBe(200);
    for (let n = 0; n < 3; n += 1) expect((await changePassword(tenant, wrong)).status).toBe(400);
  });

  it('lets one of two with the same current password win', async () => {
    const tenant = await api.addTenant();
    const save = (password: string) =>
      changePassword(tenant, { currentPassword: tenant.password, newPassword: password, confirmPassword: password });
    expect(await statusesOf([save('first new'), save('second new')])).toEqual([200, 400]);
  });
});
