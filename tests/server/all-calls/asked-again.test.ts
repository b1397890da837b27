import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAskedAgain } from '../../../src/shared/access.ts';
import type { AsksAgain } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { presentRows } from '../support/endpoint-table.ts';
import { expectRefusal } from '../support/expect.ts';
import { addPerson, personPassword } from '../support/people.ts';
import { buildScene } from '../support/scene.ts';
import { freshCode, turnOnSecondStep } from '../support/second-step.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** Who is asked again who they are, and when (docs/specification.md §28.9). */
const { secondStep, people } = contract;
let api: Api;
let business: Tenant;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  business = await api.addTenant('Asked again banner');
});

const signIn = (email: string, password = personPassword) =>
  api.call(contract.session.loginSubadmin, { body: { email, password } });
const sql = (text: string, values: unknown[] = []) => asSchemaOwner(api, (client) => client.query(text, values));

describe('who the caller is', () => {
  const later = (minutes: number, accountId: string) =>
    sql(`UPDATE sessions SET confirmed_at = now() - $1::int * interval '1 minute' WHERE account_id = $2`, [
      minutes,
      accountId,
    ]);
  const addAccount = (token: string) =>
    api.call(contract.bankAccounts.create, { body: { name: 'x' } as never }, { token });
  const confirm = (token: string, body: { password?: string; code?: string }) =>
    api.call(secondStep.confirmAgain, { body }, { token });

  it.each<[AsksAgain, boolean, boolean, boolean, boolean]>([
    // when, fresh, people, second step: asked
    ['people', false, false, false, false],
    ['people', false, true, false, true],
    ['people', false, false, true, true],
    ['people', true, true, true, false],
    ['always', false, false, false, true],
    ['always', true, true, true, false],
    ['code', false, true, false, false],
    ['code', false, false, true, true],
    ['code', true, true, true, false],
  ])('%s, fresh %s, people %s, second step %s: asked %s', (when, isFresh, hasPeople, hasSecondStep, isAsked) => {
    expect(isAskedAgain(when, { isFresh, hasPeople, hasSecondStep })).toBe(isAsked);
  });

  it('is not asked again of a business that added nobody', async () => {
    await later(600, business.id);
    const auth = { token: business.token };
    expectRefusal(await addAccount(business.token), 400, 'VALIDATION_ERROR');
    const takeOut = { body: { currentPassword: business.password } };
    expect((await api.call(contract.profile.takeOut, takeOut, auth)).status).toBe(200);
    const invited = await api.call(
      people.invite,
      { body: { email: `first@${business.id}.test`, seat: 'clerk' } },
      auth,
    );
    expect(invited.status).toBe(201);
    // From now on there is somebody.
    expectRefusal(await addAccount(business.token), 403, 'CONFIRMATION_WANTED', 'Please confirm first that it is you.');
  });

  it('is asked again after 10 minutes, by the password, and then not for 10 minutes', async () => {
    const accountant = await addPerson(api, business, 'accountant');
    const { token } = accountant;
    await later(9, accountant.id);
    expectRefusal(await addAccount(token), 400, 'VALIDATION_ERROR');
    await later(11, accountant.id);
    expectRefusal(await addAccount(token), 403, 'CONFIRMATION_WANTED');
    expectRefusal(await confirm(token, { password: 'not this one' }), 400, 'WRONG_PASSWORD');
    expectRefusal(await confirm(token, {}), 400, 'VALIDATION_ERROR');
    expectRefusal(await addAccount(token), 403, 'CONFIRMATION_WANTED');
    // Another session of the same person stays unconfirmed.
    const elsewhere = (await signIn(accountant.email)).body.token;
    await later(11, accountant.id);
    expect((await confirm(token, { password: personPassword })).status).toBe(200);
    expectRefusal(await addAccount(token), 400, 'VALIDATION_ERROR');
    expectRefusal(await addAccount(elsewhere), 403, 'CONFIRMATION_WANTED');
  });

  it('is asked by a code of who has a second step, also for the take-out; a password is not enough', async () => {
    const { secret, recoveryCodes } = await turnOnSecondStep(api, business);
    await later(11, business.id);
    const { token, password } = business;
    const takeOut = { body: { currentPassword: password } };
    expectRefusal(await api.call(contract.profile.takeOut, takeOut, { token }), 403, 'CONFIRMATION_WANTED');
    expectRefusal(await confirm(token, { password }), 400, 'VALIDATION_ERROR');
    const code = await freshCode(api, business.email, secret);
    const answers = await Promise.all([confirm(token, { code }), confirm(token, { code })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await api.call(contract.profile.takeOut, takeOut, { token })).status).toBe(200);
    await later(11, business.id);
    expect((await confirm(token, { code: recoveryCodes[0]! })).status).toBe(200);
  });

  it('is guessed as seldom as a password', async () => {
    await turnOnSecondStep(api, business);
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push((await confirm(business.token, { code: 'WRONG-CODE' })).status);
    expect(answers).toEqual([400, 400, 400, 400, 429, 429]);
  });

  it('is asked again by every call that says so, and by all writes of people and paying accounts', async () => {
    const scene = await buildScene(api, 'ASKED');
    await later(11, scene.tenant.id);
    const rows = presentRows.filter(({ endpoint: { roles } }) => Array.isArray(roles) && roles.includes('subadmin'));
    const asked: string[] = [];
    for (const { name, endpoint, cell } of rows) {
      if (endpoint.asksAgain === undefined) continue;
      const answer = await api.call(endpoint, cell.args(scene.refs), { token: scene.tenant.token });
      if (answer.status === 403 && answer.error.code === 'CONFIRMATION_WANTED') asked.push(name);
    }
    expect(asked.sort()).toEqual([
      'bankAccounts.create',
      'bankAccounts.remove',
      'bankAccounts.update',
      'people.demandSecondStep',
      'people.endSessions',
      'people.invite',
      'people.newLink',
      'people.resetSecondStep',
      'people.update',
      'people.viewAs',
      'preparedPayments.confirmAccount',
      'preparedPayments.confirmRule',
      'preparedPayments.release',
      'preparedPayments.setRule',
      'secondStep.begin',
      'secondStep.renewCodes',
      'secondStep.turnOff',
    ]);
  });
});
