import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { MOST_PEOPLE } from '../../../src/shared/contract/people.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { addPerson, invite, personPassword, type TestPerson } from '../support/people.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** Invitations, seats that change, and who looks as somebody else (docs/specification.md §28). */
const { people, owners } = contract;
let api: Api;
let business: Tenant;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  business = await api.addTenant('People banner');
});

const linkGone = 'This link is not valid, or is not valid any more. Please ask the sender for a new one.';
const join = (token: string, name = 'Ravi Behera', password = personPassword) =>
  api.call(people.join, { body: { token, name, password } });
const signIn = (email: string, password = personPassword) =>
  api.call(contract.session.loginSubadmin, { body: { email, password } });
const isAlive = async ({ token }: { token: string }): Promise<boolean> =>
  (await api.call(owners.list, {}, { token })).status === 200;
const change = (id: string, body: object, token = business.token) =>
  api.call(people.update, { params: { id }, body }, { token });
const setAccount = (id: string, set: string) =>
  asSchemaOwner(api, (client) => client.query(`UPDATE accounts SET ${set} WHERE id = $1`, [id]));
const noted = async (): Promise<string[]> =>
  (await api.call(contract.history.listProfile, {}, { token: business.token })).body.data.map(
    ({ actor, action }) => `${actor}: ${action}`,
  );

it('is counted for the admin, with when somebody of the business was last seen', async () => {
  const found = async () =>
    (await api.call(contract.subadmins.list, { query: { limit: 100 } }, { token: api.adminToken })).body.data.find(
      ({ id }) => id === business.id,
    );
  const before = await found();
  expect(before).toMatchObject({ people: 0, lastSeenAt: expect.any(String) });
  const ravi = await addPerson(api, business, 'clerk');
  await setAccount(ravi.id, 'is_active = false');
  const after = await found();
  expect(after?.people).toBe(1);
  expect(Date.parse(after?.lastSeenAt ?? '')).toBeGreaterThan(Date.parse(before?.lastSeenAt ?? ''));
});

describe('an invitation', () => {
  it('is joined once, by a name and a password, and signs in', async () => {
    const { linkToken, email } = await invite(api, business, 'clerk');
    const read = await api.call(people.readLink, { body: { token: linkToken } });
    expect(read.body.data).toEqual({ business: 'People banner', email, name: '', seat: 'clerk', isNew: true });
    const joined = await join(linkToken);
    expect(joined.body).toMatchObject({
      bannerName: 'People banner',
      user: { id: email, email, bannerName: 'People banner', role: 'subadmin', name: 'Ravi Behera', seat: 'clerk' },
    });
    expect(await isAlive(joined.body)).toBe(true);
    expectRefusal(await join(linkToken), 404, 'NOT_FOUND', linkGone);
    expectRefusal(await api.call(people.readLink, { body: { token: linkToken } }), 404, 'NOT_FOUND', linkGone);
    expect((await signIn(email.toUpperCase())).body.user).toMatchObject({ seat: 'clerk', name: 'Ravi Behera' });
    expect((await noted()).slice(0, 2)).toEqual([
      `Ravi Behera: Ravi Behera (${email}) joined`,
      `${business.email}: Invited ${email} as Clerk`,
    ]);
  });

  it('answers the login of the business as before: without name and seat', async () => {
    const { email, password, bannerName } = business;
    const { body } = await signIn(email, password);
    expect(body.user).toEqual({ id: email, email, bannerName, role: 'subadmin' });
  });

  it('is used by one of two who open it at once', async () => {
    const { linkToken } = await invite(api, business, 'clerk');
    const answers = await Promise.all([join(linkToken, 'First One'), join(linkToken, 'Second One')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('ends after 48 hours, with a new link, when switched off, and with the business', async () => {
    const first = await invite(api, business, 'clerk');
    await setAccount(first.person.id, "link_expires_at = now() - interval '1 second'");
    expectRefusal(await join(first.linkToken), 404, 'NOT_FOUND', linkGone);
    const renewed = await api.call(people.newLink, { params: { id: first.person.id } }, { token: business.token });
    expectRefusal(await join(first.linkToken), 404, 'NOT_FOUND', linkGone);
    await change(first.person.id, { isActive: false });
    expectRefusal(await join(renewed.body.linkToken), 404, 'NOT_FOUND', linkGone);
    await change(first.person.id, { isActive: true });
    // Switching on does not revive it.
    expectRefusal(await join(renewed.body.linkToken), 404, 'NOT_FOUND', linkGone);
    const other = await invite(api, business, 'clerk');
    const admin = { token: api.adminToken };
    await api.call(contract.subadmins.setActive, { params: { id: business.id }, body: { isActive: false } }, admin);
    expectRefusal(await join(other.linkToken), 404, 'NOT_FOUND', linkGone);
  });

  it('is refused for an email that is in use, a seat that is none, a day that is past, a weak password', async () => {
    const auth = { token: business.token };
    const { linkToken, email } = await invite(api, business, 'clerk');
    const again = await api.call(people.invite, { body: { email: email.toUpperCase(), seat: 'owner' } }, auth);
    expectRefusal(again, 409, 'EMAIL_IN_USE', 'This email is already in use');
    const wrong = { email: 'x@transport.test', seat: 'boss' } as never;
    expectRefusal(await api.call(people.invite, { body: wrong }, auth), 400, 'VALIDATION_ERROR');
    const past = { email: 'y@transport.test', seat: 'auditor' as const, endsOn: '2020-01-01' };
    expectRefusal(await api.call(people.invite, { body: past }, auth), 400, 'VALIDATION_ERROR');
    for (const password of ['123456', 'Ravi Behera', 'short']) {
      expectRefusal(await join(linkToken, 'Ravi Behera', password), 400, 'VALIDATION_ERROR');
    }
    expect((await join(linkToken)).status).toBe(200);
  });

  it('cannot be signed in to before it is joined, whatever the password', async () => {
    const { email } = await invite(api, business, 'clerk');
    expectRefusal(await signIn(email), 401, 'INVALID_CREDENTIALS', 'Invalid subadmin credentials');
  });

  it(`is the last one at ${MOST_PEOPLE} people`, async () => {
    await asSchemaOwner(api, (client) =>
      client.query(
        `INSERT INTO accounts (role, email, password_hash, business_id, seat)
         SELECT 'person', n || '@crowd.test', '', $1, 'clerk' FROM generate_series(1, $2::int) AS n`,
        [business.id, MOST_PEOPLE - 1],
      ),
    );
    const body = { email: 'one.more@transport.test', seat: 'clerk' as const };
    expectRefusal(await api.call(people.invite, { body }, { token: business.token }), 400, 'VALIDATION_ERROR');
  });
});

describe('a change of a person', () => {
  let clerk: TestPerson;
  beforeEach(async () => {
    clerk = await addPerson(api, business, 'clerk');
  });

  it('ends the sessions: another seat, switched off, signed out', async () => {
    await change(clerk.id, { seat: 'accountant' });
    expect(await isAlive(clerk)).toBe(false);
    const accountant = (await signIn(clerk.email)).body;
    expect(accountant.user.seat).toBe('accountant');
    await api.call(people.endSessions, { params: { id: clerk.id } }, { token: business.token });
    expect(await isAlive(accountant)).toBe(false);
    const again = (await signIn(clerk.email)).body;
    await change(clerk.id, { isActive: false });
    expect(await isAlive(again)).toBe(false);
    expectRefusal(await signIn(clerk.email), 401, 'INVALID_CREDENTIALS', 'Invalid subadmin credentials');
    await change(clerk.id, { isActive: true });
    expect(await isAlive(again)).toBe(false);
    expect((await signIn(clerk.email)).status).toBe(200);
    expect((await noted()).slice(0, 4)).toEqual([
      `${business.email}: Switched ${clerk.name} (${clerk.email}) on`,
      `${business.email}: Switched ${clerk.name} (${clerk.email}) off`,
      `${business.email}: Signed ${clerk.name} (${clerk.email}) out everywhere`,
      `${business.email}: Made ${clerk.name} (${clerk.email}) Accountant, before Clerk`,
    ]);
  });

  it('gives an auditor 90 days, and ends with the last one', async () => {
    const auditor = await addPerson(api, business, 'auditor');
    const list = (await api.call(people.list, {}, { token: business.token })).body.data;
    expect(list.find(({ id }) => id === auditor.id)?.endsOn).toBe(addDays(dayOf(new Date()), 90));
    expect(await isAlive(auditor)).toBe(true);
    await setAccount(auditor.id, "ends_on = (now() AT TIME ZONE 'Asia/Kolkata')::date");
    expect(await isAlive(auditor)).toBe(true);
    await setAccount(auditor.id, "ends_on = (now() AT TIME ZONE 'Asia/Kolkata')::date - 1");
    expect(await isAlive(auditor)).toBe(false);
    expectRefusal(await signIn(auditor.email), 401, 'INVALID_CREDENTIALS');
    await change(auditor.id, { seat: 'clerk' });
    expect((await signIn(auditor.email)).body.user.seat).toBe('clerk');
  });

  it('is refused for the login of the business, for oneself, and for a stale version', async () => {
    const owner = await addPerson(api, business, 'owner');
    expectRefusal(await change(business.id, { isActive: false }, owner.token), 403, 'FORBIDDEN');
    expectRefusal(await change(business.id, { seat: 'clerk' }), 403, 'FORBIDDEN');
    expectRefusal(await change(owner.id, { seat: 'clerk' }, owner.token), 403, 'FORBIDDEN');
    expectRefusal(await change(clerk.id, { seat: 'accountant', version: 99 }), 409, 'VERSION_CONFLICT');
    expect((await change(clerk.id, { seat: 'accountant' }, owner.token)).status).toBe(200);
  });

  it('comes with the business: deactivated, its people are out, and stay out until they sign in again', async () => {
    const admin = { token: api.adminToken };
    const set = (isActive: boolean) =>
      api.call(contract.subadmins.setActive, { params: { id: business.id }, body: { isActive } }, admin);
    await set(false);
    expect(await isAlive(clerk)).toBe(false);
    expectRefusal(await signIn(clerk.email), 401, 'INVALID_CREDENTIALS');
    await set(true);
    expect(await isAlive(clerk)).toBe(false);
    expect((await signIn(clerk.email)).status).toBe(200);
  });

  it('leaves the list of businesses as it was, and the admin out of the data', async () => {
    const listed = await api.call(contract.subadmins.list, { query: { limit: 100 } }, { token: api.adminToken });
    expect(listed.text).not.toContain(clerk.email);
    const update = { params: { id: clerk.id }, body: { officeAddress: 'Elsewhere 12' } };
    expectRefusal(await api.call(contract.subadmins.update, update, { token: api.adminToken }), 404, 'NOT_FOUND');
  });

  it('sets a forgotten password by a link, which ends every session', async () => {
    const { body } = await api.call(people.newLink, { params: { id: clerk.id } }, { token: business.token });
    expect(await isAlive(clerk)).toBe(true);
    expect((await api.call(people.readLink, { body: { token: body.linkToken } })).body.data).toMatchObject({
      name: clerk.name,
      isNew: false,
    });
    await join(body.linkToken, clerk.name, 'another cart 78');
    expect(await isAlive(clerk)).toBe(false);
    expectRefusal(await signIn(clerk.email), 401, 'INVALID_CREDENTIALS');
    expect((await signIn(clerk.email, 'another cart 78')).status).toBe(200);
  });
});

describe('who looks as another seat', () => {
  it('sees what it sees, changes nothing, and is in the history under the own name', async () => {
    const owner = await addPerson(api, business, 'owner');
    const auth = { token: owner.token };
    const truckOwner = await createOwner(api, business);
    const of = { params: { id: truckOwner.id } };
    expect((await api.call(people.viewAs, { body: { seat: 'clerk' } }, auth)).status).toBe(200);
    expect((await api.call(owners.get, of, auth)).body.data.panNo).toMatch(/^••••••.{4}$/);
    const refused = await api.call(owners.update, { ...of, body: { address: 'Elsewhere' } }, auth);
    expectRefusal(refused, 403, 'FORBIDDEN', 'You are looking as Clerk, so nothing can be changed. End it first.');
    expectRefusal(await api.call(people.list, {}, auth), 403, 'FORBIDDEN');
    // Another session of the same person is not touched.
    const elsewhere = (await signIn(owner.email)).body;
    expect((await api.call(owners.get, of, elsewhere)).body.data.panNo).toBe(truckOwner.panNo);
    await api.call(people.endViewAs, {}, auth);
    expect((await api.call(owners.get, of, auth)).body.data.panNo).toBe(truckOwner.panNo);
    expect((await noted())[0]).toBe(`${owner.name}: Looked at the product as Clerk`);
  });

  it('is the owner again after 15 minutes', async () => {
    const auth = { token: business.token };
    await api.call(people.viewAs, { body: { seat: 'auditor' } }, auth);
    expectRefusal(await api.call(people.list, {}, auth), 403, 'FORBIDDEN');
    await asSchemaOwner(api, (client) =>
      client.query(
        "UPDATE sessions SET view_as_until = view_as_until - interval '15 minutes 1 second' WHERE account_id = $1",
        [business.id],
      ),
    );
    expect((await api.call(people.list, {}, auth)).status).toBe(200);
  });
});

describe('what belongs to a person', () => {
  it('is the preferences, the sessions, the password and the name', async () => {
    const [one, other] = [await addPerson(api, business, 'clerk'), await addPerson(api, business, 'accountant')];
    const put = (token: string, value: string) =>
      api.call(contract.preferences.put, { body: { key: 'columns', value } }, { token });
    await put(one.token, '"mine"');
    await put(other.token, '"theirs"');
    const kept = async (token: string) =>
      (await api.call(contract.preferences.list, {}, { token })).body.data.map(({ value }) => value);
    expect([await kept(one.token), await kept(other.token), await kept(business.token)]).toEqual([
      ['"mine"'],
      ['"theirs"'],
      [],
    ]);
    const sessions = (await api.call(contract.session.list, {}, { token: one.token })).body.data;
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true]);
    const body = { currentPassword: personPassword, newPassword: 'third cart 79', confirmPassword: 'third cart 79' };
    expect((await api.call(contract.profile.changePassword, { body }, { token: one.token })).status).toBe(200);
    expect((await signIn(business.email, business.password)).status).toBe(200);
    expect((await signIn(one.email, 'third cart 79')).status).toBe(200);
    await api.call(people.setOwnName, { body: { name: 'Ravi N. Behera' } }, { token: one.token });
    const list = (await api.call(people.list, {}, { token: business.token })).body.data;
    expect(list.map(({ name, isBusiness, devices }) => [name, isBusiness, devices])).toEqual([
      ['', true, 2],
      [other.name, false, 1],
      ['Ravi N. Behera', false, 2],
    ]);
  });
});
