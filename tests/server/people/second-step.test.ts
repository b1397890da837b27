import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { needsSecondStep } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { RECOVERY_CODES } from '../../../src/shared/contract/second-step.ts';
import { resetSecondStepOfAdmin } from '../../../src/ops/reset-second-step.ts';
import { buildApp } from '../../../src/server/app.ts';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { forgetOldDevices } from '../../../src/server/features/session/devices.queries.ts';
import { forgetOldCodeWaits } from '../../../src/server/features/session/second-steps.queries.ts';
import { demandOfAdmins } from '../../../src/server/features/session/second-steps.service.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { presentRows } from '../support/endpoint-table.ts';
import { expectRefusal } from '../support/expect.ts';
import { addPerson, personPassword, type TestPerson } from '../support/people.ts';
import { buildScene } from '../support/scene.ts';
import { codeOf, freshCode, turnOnSecondStep, waitForCode } from '../support/second-step.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** The second step at sign-in (docs/specification.md §28.8). */
const { secondStep, session, people, subadmins, owners } = contract;
let api: Api;
let business: Tenant;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  business = await api.addTenant('Second step banner');
});

const finish = (token: string, code: string, headers = {}) =>
  api.call(secondStep.signInSubadmin, { body: { token, code } }, { headers });
const signIn = (email: string, password = personPassword, headers = {}) =>
  api.call(session.loginSubadmin, { body: { email, password } }, { headers });
const isAlive = async (token: string): Promise<boolean> => (await api.call(session.list, {}, { token })).status === 200;
const sql = (text: string, values: unknown[] = []) => asSchemaOwner(api, (client) => client.query(text, values));
const noted = async (): Promise<string[]> =>
  (await api.call(contract.history.listProfile, {}, { token: business.token })).body.data.map(({ action }) => action);
const stateOf = async (token: string) => (await api.call(secondStep.get, {}, { token })).body.data;
const adminLogin = { email: 'admin@challan.test', password: 'correct horse 42' };

describe('a sign-in', () => {
  it('is answered as before for who has no second step', async () => {
    const { email, password, bannerName } = business;
    const { body } = await signIn(email, password);
    expect(Object.keys(body).sort()).toEqual(['bannerName', 'success', 'token', 'user']);
    expect(body).toMatchObject({ bannerName, user: { email } });
    const admin = await api.call(session.loginAdmin, { body: adminLogin });
    expect(Object.keys(admin.body).sort()).toEqual(['data', 'success']);
  });

  it('of who has one wants a code, and is answered as before with it', async () => {
    const before = (await signIn(business.email, business.password)).body;
    const { secret } = await turnOnSecondStep(api, business);
    const refused = await signIn(business.email, business.password);
    expectRefusal(refused, 401, 'SECOND_STEP_WANTED');
    expect(refused.text).not.toContain(business.bannerName);
    const { token } = refused.error.data as { token: string };
    expect(await isAlive(token)).toBe(false);
    const code = await freshCode(api, business.email, secret);
    const { body } = await finish(token, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect({ ...body, token: '' }).toEqual({ ...before, token: '' });
    expect(await isAlive(body.token)).toBe(true);
    // The token that went with the password is used up, and opens nothing itself.
    expectRefusal(
      await finish(token, await freshCode(api, business.email, secret)),
      401,
      'INVALID_CREDENTIALS',
      'Your sign-in took too long. Please enter your password again.',
    );
  });

  it('wants it only with the right password, so that nobody learns who has one', async () => {
    await turnOnSecondStep(api, business);
    const wrong = await signIn(business.email, 'not this one');
    expectRefusal(wrong, 401, 'INVALID_CREDENTIALS', 'Invalid subadmin credentials');
    expect(wrong.error.data).toBeUndefined();
  });

  it('takes a code of the step before and after, and no other', async () => {
    const { secret } = await turnOnSecondStep(api, business);
    for (const [steps, isRight] of [
      [-3, false],
      [-1, true],
      [1, true],
      [3, false],
    ] as const) {
      await sql('UPDATE second_steps SET last_step = 0');
      await sql('DELETE FROM login_failures');
      const answer = await finish(await waitForCode(api, business), codeOf(secret, steps));
      // Another step may begin between the two clocks: three away is never right.
      expect([steps, answer.status]).toEqual([steps, isRight ? 200 : 400]);
    }
  });

  it('takes a code once, and none that is older than it', async () => {
    const { secret } = await turnOnSecondStep(api, business);
    const code = await freshCode(api, business.email, secret);
    expect((await finish(await waitForCode(api, business), code)).status).toBe(200);
    const again = await finish(await waitForCode(api, business), code);
    expectRefusal(again, 400, 'WRONG_CODE', 'This code is not right, or was used already');
    expectRefusal(await finish(await waitForCode(api, business), codeOf(secret, -1)), 400, 'WRONG_CODE');
  });

  it.each(['code', 'recovery code'])('with the same %s twice at once succeeds once', async (kind) => {
    const { secret, recoveryCodes } = await turnOnSecondStep(api, business);
    for (let round = 0; round < 5; round += 1) {
      const tokens = [await waitForCode(api, business), await waitForCode(api, business)];
      const code = kind === 'code' ? await freshCode(api, business.email, secret) : recoveryCodes[round]!;
      const answers = await Promise.all(tokens.map((token) => finish(token, code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('with the same token twice at once succeeds once', async () => {
    const { recoveryCodes } = await turnOnSecondStep(api, business);
    const token = await waitForCode(api, business);
    const answers = await Promise.all([0, 1].map((n) => finish(token, recoveryCodes[n]!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    // What the second one tried is as it was: its recovery code still works.
    expect((await stateOf(business.token)).codesLeft).toBe(RECOVERY_CODES - 1);
  });

  it('is throttled like a password, and a right password does not give new tries', async () => {
    const { secret } = await turnOnSecondStep(api, business);
    const wrong = codeOf(secret, 500);
    let token = await waitForCode(api, business);
    for (let n = 0; n < 4; n += 1) expectRefusal(await finish(token, wrong), 400, 'WRONG_CODE');
    token = await waitForCode(api, business);
    const right = await freshCode(api, business.email, secret);
    const blocked = await finish(token, right);
    expectRefusal(blocked, 429, 'TOO_MANY_REQUESTS');
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    await sql("UPDATE login_failures SET blocked_until = now() WHERE key LIKE 'code:%'");
    expect((await finish(token, right)).status).toBe(200);
  });

  it('is too late after 5 minutes, a change of the password, and a deactivation', async () => {
    const { recoveryCodes } = await turnOnSecondStep(api, business);
    const late = await waitForCode(api, business);
    await sql("UPDATE code_waits SET expires_at = now() - interval '1 second'");
    expectRefusal(await finish(late, recoveryCodes[0]!), 401, 'INVALID_CREDENTIALS');
    const changed = await waitForCode(api, business);
    await sql('UPDATE accounts SET session_epoch = session_epoch + 1 WHERE id = $1', [business.id]);
    expectRefusal(await finish(changed, recoveryCodes[0]!), 401, 'INVALID_CREDENTIALS');
    const inactive = await waitForCode(api, business);
    await sql('UPDATE accounts SET is_active = false WHERE id = $1', [business.id]);
    expectRefusal(await finish(inactive, recoveryCodes[0]!), 401, 'INVALID_CREDENTIALS');
    await withGlobal(api.pools.main, 'write', forgetOldCodeWaits);
    expect((await sql('SELECT FROM code_waits WHERE token_hash IS NOT NULL AND expires_at < now()')).rowCount).toBe(0);
  });

  it('of the other role does not take the token', async () => {
    const { recoveryCodes } = await turnOnSecondStep(api, business);
    const token = await waitForCode(api, business);
    const body = { token, code: recoveryCodes[0]! };
    expectRefusal(await api.call(secondStep.signInAdmin, { body }), 401, 'INVALID_CREDENTIALS');
    expect((await finish(token, recoveryCodes[0]!)).status).toBe(200);
  });
});

describe('recovery codes', () => {
  it('are ten, work once each however they are typed, and are in the history and the count', async () => {
    const { recoveryCodes } = await turnOnSecondStep(api, business);
    expect(recoveryCodes).toHaveLength(RECOVERY_CODES);
    expect(new Set(recoveryCodes).size).toBe(RECOVERY_CODES);
    const [code = ''] = recoveryCodes;
    const typed = code.toLowerCase().replaceAll('-', ' ');
    expect((await finish(await waitForCode(api, business), typed)).status).toBe(200);
    expectRefusal(await finish(await waitForCode(api, business), code), 400, 'WRONG_CODE');
    expect((await stateOf(business.token)).codesLeft).toBe(9);
    expect((await noted()).slice(0, 2)).toEqual([
      'Signed in with a recovery code, 9 left',
      'Turned the own second step on',
    ]);
  });

  it('are replaced by new ones, and nothing of them is stored but hashes', async () => {
    const { recoveryCodes, secret } = await turnOnSecondStep(api, business);
    const renewed = await api.call(secondStep.renewCodes, {}, { token: business.token });
    const now = renewed.body.data.recoveryCodes;
    expectRefusal(await finish(await waitForCode(api, business), recoveryCodes[0]!), 400, 'WRONG_CODE');
    expect((await finish(await waitForCode(api, business), now[0]!)).status).toBe(200);
    const stored = await sql(
      `SELECT (SELECT string_agg(t::text, ' ') FROM second_steps t) || (SELECT string_agg(r::text, ' ') FROM recovery_codes r) AS text,
         (SELECT sealed_secret FROM second_steps WHERE account_id = $1) AS sealed`,
      [business.id],
    );
    const [{ text, sealed }] = stored.rows as [{ text: string; sealed: Buffer }];
    const bytes = (codeText: string) => Buffer.from(codeText.replaceAll(/[- ]/g, '')).toString('hex');
    expect([secret, ...now].filter((one) => text.includes(one) || text.includes(bytes(one)))).toEqual([]);
    // 20 bytes of secret, with what its encryption adds.
    expect(sealed).toHaveLength(12 + 20 + 16);
  });
});

describe('setting up', () => {
  it('counts only once a code has confirmed it', async () => {
    const auth = { token: business.token };
    const begun = (await api.call(secondStep.begin, {}, auth)).body.data;
    expect(begun.secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    expect(begun.qr.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
    expect((await signIn(business.email, business.password)).status).toBe(200);
    expectRefusal(
      await api.call(secondStep.confirm, { body: { code: codeOf(begun.secret, 77) } }, auth),
      400,
      'WRONG_CODE',
    );
    // Begun again: the earlier secret is gone.
    const second = (await api.call(secondStep.begin, {}, auth)).body.data;
    expectRefusal(
      await api.call(secondStep.confirm, { body: { code: codeOf(begun.secret) } }, auth),
      400,
      'WRONG_CODE',
    );
    expect((await api.call(secondStep.confirm, { body: { code: codeOf(second.secret) } }, auth)).status).toBe(200);
    expect(await stateOf(business.token)).toMatchObject({ isOn: true, codesLeft: RECOVERY_CODES, isDemanded: false });
    expectRefusal(await api.call(secondStep.begin, {}, auth), 409, 'SECOND_STEP_ON');
  });

  it('of a secret that was moved to another account, or has another key, opens with nothing but a recovery code', async () => {
    const other = await api.addTenant();
    const mine = await turnOnSecondStep(api, business);
    const theirs = await turnOnSecondStep(api, other);
    await sql(
      'UPDATE second_steps t SET sealed_secret = o.sealed_secret, last_step = 0 FROM second_steps o WHERE t.account_id = $1 AND o.account_id = $2',
      [business.id, other.id],
    );
    const refused = await finish(await waitForCode(api, business), codeOf(theirs.secret));
    expectRefusal(
      refused,
      400,
      'WRONG_CODE',
      'Codes of the app cannot be checked on this server. Use a recovery code, or ask for a reset.',
    );
    expect((await finish(await waitForCode(api, business), mine.recoveryCodes[0]!)).status).toBe(200);
  });

  it('is turned off by its owner', async () => {
    await turnOnSecondStep(api, business);
    expect((await api.call(secondStep.turnOff, {}, { token: business.token })).status).toBe(200);
    expect((await signIn(business.email, business.password)).status).toBe(200);
    expect((await sql('SELECT FROM recovery_codes WHERE account_id = $1', [business.id])).rowCount).toBe(0);
  });
});

describe('a link that sets the password', () => {
  it('does not go round the second step', async () => {
    const clerk = await addPerson(api, business, 'clerk');
    const { recoveryCodes } = await turnOnSecondStep(api, clerk);
    const { body } = await api.call(people.newLink, { params: { id: clerk.id } }, { token: business.token });
    const join = { token: body.linkToken, name: clerk.name, password: 'another cart 78' };
    const joined = await api.call(people.join, { body: join });
    expectRefusal(joined, 401, 'SECOND_STEP_WANTED');
    expect(await isAlive(clerk.token)).toBe(false);
    const { token } = joined.error.data as { token: string };
    expect((await finish(token, recoveryCodes[0]!)).status).toBe(200);
    expectRefusal(await signIn(clerk.email, 'another cart 78'), 401, 'SECOND_STEP_WANTED');
  });
});

describe('a lost phone', () => {
  let clerk: TestPerson;
  beforeEach(async () => {
    clerk = await addPerson(api, business, 'clerk');
    await turnOnSecondStep(api, clerk);
  });
  const listed = async () =>
    (await api.call(people.list, {}, { token: business.token })).body.data.find(({ id }) => id === clerk.id);

  it('of a person is helped by the owner, and nothing else ends', async () => {
    expect((await listed())?.hasSecondStep).toBe(true);
    const reset = { params: { id: clerk.id } };
    expectRefusal(await api.call(people.resetSecondStep, reset, { token: clerk.token }), 403, 'FORBIDDEN');
    expect((await api.call(people.resetSecondStep, reset, { token: business.token })).status).toBe(200);
    expect((await listed())?.hasSecondStep).toBe(false);
    expect(await isAlive(clerk.token)).toBe(true);
    expect((await signIn(clerk.email)).status).toBe(200);
    expect((await noted())[0]).toBe(`Reset the second step of ${clerk.name} (${clerk.email})`);
  });

  it('of the login of a business is helped by the admin, and not by its people', async () => {
    const owner = await addPerson(api, business, 'owner');
    await turnOnSecondStep(api, business);
    const reset = { params: { id: business.id } };
    expectRefusal(await api.call(people.resetSecondStep, reset, { token: owner.token }), 403, 'FORBIDDEN');
    expectRefusal(await api.call(subadmins.resetSecondStep, reset, { token: business.token }), 403, 'FORBIDDEN');
    expect((await api.call(subadmins.resetSecondStep, reset, { token: api.adminToken })).status).toBe(200);
    expect(await isAlive(business.token)).toBe(true);
    expect((await signIn(business.email, business.password)).status).toBe(200);
    expect((await noted())[0]).toBe(`Reset the second step of ${business.email}`);
  });

  it('of an admin is helped by the operator, which the sign-in log says', async () => {
    await turnOnSecondStep(api, { token: api.adminToken });
    const token = await waitForCode(api, adminLogin, {}, session.loginAdmin);
    await expect(resetSecondStepOfAdmin(api.databaseUrl, clerk.email)).rejects.toThrow('There is no admin');
    await resetSecondStepOfAdmin(api.databaseUrl, 'ADMIN@challan.test');
    await expect(resetSecondStepOfAdmin(api.databaseUrl, adminLogin.email)).rejects.toThrow('has no second step');
    const late = await api.call(secondStep.signInAdmin, { body: { token, code: '000000' } });
    expectRefusal(late, 401, 'INVALID_CREDENTIALS');
    expect((await api.call(session.loginAdmin, { body: adminLogin })).status).toBe(200);
    const log = (await api.call(session.signIns, {}, { token: api.adminToken })).body.data.signIns;
    expect(log.map(({ result }) => result).slice(0, 3)).toEqual(['signed-in', 'second-step-reset', 'code-wanted']);
  });
});

describe('where it is demanded', () => {
  const demand = (isDemanded: boolean, token = business.token) =>
    api.call(people.demandSecondStep, { body: { isDemanded } }, { token });

  it('who lacks it sets it up before anything else, in open sessions too, and cannot turn it off', async () => {
    const [accountant, clerk] = [await addPerson(api, business, 'accountant'), await addPerson(api, business, 'clerk')];
    expectRefusal(await demand(true, accountant.token), 403, 'FORBIDDEN');
    expect((await demand(true)).status).toBe(200);
    const fresh = (await signIn(accountant.email)).body.token;
    for (const token of [business.token, accountant.token, fresh]) {
      expectRefusal(await api.call(owners.list, {}, { token }), 403, 'SECOND_STEP_MISSING');
      expect((await stateOf(token)).isDemanded).toBe(true);
    }
    expect((await api.call(owners.list, {}, { token: clerk.token })).status).toBe(200);
    await turnOnSecondStep(api, { token: fresh });
    for (const token of [accountant.token, fresh])
      expect((await api.call(owners.list, {}, { token })).status).toBe(200);
    expectRefusal(await api.call(secondStep.turnOff, {}, { token: fresh }), 403, 'FORBIDDEN');
    // The owner who demands it has to set it up as well, and can then take the demand back.
    expectRefusal(await demand(false), 403, 'SECOND_STEP_MISSING');
    await turnOnSecondStep(api, business);
    expect((await api.call(people.list, {}, { token: business.token })).body.meta.demandsSecondStep).toBe(true);
    expect((await demand(false)).status).toBe(200);
    expect((await api.call(secondStep.turnOff, {}, { token: fresh })).status).toBe(200);
    expect((await noted()).slice(1, 2)).toEqual(['No longer demanded a second step of owners and accountants']);
  });

  it('every call is refused but those of the own sign-in', async () => {
    const scene = await buildScene(api, 'DEMANDED');
    expect((await demand(true, scene.tenant.token)).status).toBe(200);
    const wrong: unknown[] = [];
    for (const { name, endpoint, cell } of presentRows) {
      if (endpoint.roles === 'public' || !endpoint.roles.includes('subadmin') || !needsSecondStep(endpoint)) continue;
      const answer = await api.call(endpoint, cell.args(scene.refs), { token: scene.tenant.token });
      if (answer.status !== 403 || answer.error.code !== 'SECOND_STEP_MISSING') wrong.push([name, answer.status]);
    }
    expect(wrong).toEqual([]);
  });

  it('by the server of its admin', async () => {
    const admin = { token: (await api.call(session.loginAdmin, { body: adminLogin })).body.data.token };
    const set = (isOn: boolean) => withGlobal(api.pools.main, 'write', (db) => demandOfAdmins(db, isOn));
    await set(true);
    const fresh = { token: (await api.call(session.loginAdmin, { body: adminLogin })).body.data.token };
    for (const auth of [admin, fresh])
      expectRefusal(await api.call(subadmins.list, {}, auth), 403, 'SECOND_STEP_MISSING');
    expect((await api.call(owners.list, {}, { token: business.token })).status).toBe(200);
    await set(false);
    expect((await api.call(subadmins.list, {}, admin)).status).toBe(200);
  });
});

describe('a new device', () => {
  const as = (name: string) => ({ 'x-device': `device-of-the-test-${name}`, 'user-agent': 'Firefox/130 (Windows)' });

  it('is told at the next sign-in with the one before, once', async () => {
    const { email, password } = business;
    const first = (await signIn(email, password, as('one'))).body;
    expect(first.newDevices).toBeUndefined();
    // Of a device that was never used nobody knows since when.
    expect((await signIn(email, password, as('two'))).body.newDevices).toBeUndefined();
    const told = (await signIn(email, password, as('one'))).body.newDevices;
    expect(told).toEqual([{ name: 'Firefox on Windows', network: '127.0.0.1', at: expect.any(String) as string }]);
    expect((await signIn(email, password, as('one'))).body.newDevices).toBeUndefined();
    expect((await signIn(email, password, as('two'))).body.newDevices).toBeUndefined();
    await sql("UPDATE account_devices SET last_used_at = now() - interval '91 days' WHERE device LIKE '%-two'");
    await withGlobal(api.pools.main, 'write', forgetOldDevices);
    expect((await sql('SELECT FROM account_devices WHERE account_id = $1', [business.id])).rowCount).toBe(2);
  });
});

it('leaves nothing of secrets and codes in the log', async () => {
  const lines: string[] = [];
  const app = await buildApp({ pools: api.pools, logLevel: 'trace', log: { write: (line) => void lines.push(line) } });
  const post = (url: string, payload: object, token = '') =>
    app.inject({
      method: 'POST',
      url: `/api${url}`,
      payload,
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
  const begun = await post('/second-step/begin', {}, business.token);
  const { secret } = begun.json<{ data: { secret: string } }>().data;
  const code = codeOf(secret);
  const { recoveryCodes } = (await post('/second-step', { code }, business.token)).json<{
    data: { recoveryCodes: string[] };
  }>().data;
  const wanted = await post('/subadmins/login', { email: business.email, password: business.password });
  const { token } = wanted.json<{ data: { token: string } }>().data;
  await post('/subadmins/login/code', { token, code: '123123' });
  const done = await post('/subadmins/login/code', { token, code: recoveryCodes[0] });
  expect(done.statusCode).toBe(200);
  await app.close();
  const text = lines.join('');
  expect(text).toContain('sign-in');
  const secrets = [secret, secret.replaceAll(' ', ''), code, token, '123123', ...recoveryCodes];
  expect(secrets.filter((one) => text.includes(one))).toEqual([]);
});
