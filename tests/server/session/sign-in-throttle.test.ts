import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildApp } from '../../../src/server/app.ts';
import { startMaintenance } from '../../../src/server/maintenance.ts';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';

/** Guesses at passwords: of one account, of many from one place, of one from many places (docs/security.md §2.3). */

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  await global('DELETE FROM login_failures');
  tenant = await api.addTenant();
});

const global = async <T extends object>(text: string, values: unknown[] = []) =>
  withGlobal(api.pools.main, 'write', async (db) => (await db.query<T>(text, values)).rows);

const admin = { email: 'admin@challan.test', password: 'correct horse 42' };
const paths = { admin: '/api/admin/login', subadmin: '/api/subadmins/login' };

async function signIn(
  from: string,
  credentials: { email: string; password: string },
  role: keyof typeof paths = 'subadmin',
) {
  const { email, password } = credentials;
  const answer = await api.app.inject({
    method: 'POST',
    url: paths[role],
    remoteAddress: from,
    payload: { email, password },
  });
  return { status: answer.statusCode, retryAfter: Number(answer.headers['retry-after']), message: answer.body };
}
const guess = (from: string, email: string, role?: keyof typeof paths) =>
  signIn(from, { email, password: 'wrong password' }, role);
const nobody = () => `${randomUUID()}@challan.test`;

/** Lets time go by for the throttle: its rows grow older. */
const pass = (seconds: number) =>
  global(
    `UPDATE login_failures SET blocked_until = blocked_until - $1::int * interval '1 second',
       last_failure_at = last_failure_at - $1::int * interval '1 second'`,
    [seconds],
  );
const rowsOf = (like: string) =>
  global<{ key: string; blocked_until: Date }>(
    'SELECT key, blocked_until FROM login_failures WHERE key LIKE $1 ORDER BY key',
    [like],
  );

describe('one password at many accounts, from one address', () => {
  const from = '198.51.100.7';

  it('is looked at thirty times in a minute at most', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 60; n += 1) statuses.push((await guess(from, nobody())).status);
    const looked = statuses.filter((status) => status === 401).length;
    expect(looked).toBeGreaterThanOrEqual(20);
    expect(looked).toBeLessThanOrEqual(30);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    const refused = await guess(from, nobody());
    expect(refused.message).toMatch(/Too many sign-in attempts\. Please try again in \d+ seconds\./);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect(refused.retryAfter).toBeLessThanOrEqual(30);
    // Two a minute from then on, and others are not concerned.
    await pass(60);
    const later = [await guess(from, nobody()), await guess(from, nobody()), await guess(from, nobody())];
    expect(later.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect((await signIn('198.51.100.8', tenant)).status).toBe(200);
  });

  it('is not looked at more often by whoever has an account of their own', async () => {
    let looked = 0;
    for (let n = 0; n < 60; n += 1) {
      if ((await guess(from, nobody())).status === 401) looked += 1;
      if (n % 3 === 0) await signIn(from, tenant);
    }
    expect(looked).toBeLessThanOrEqual(30);
    expect((await signIn(from, tenant)).status).toBe(429);
  });

  it('a right password gives its own try back, and nothing else', async () => {
    for (let n = 0; n < 5; n += 1) await guess(from, nobody());
    const before = await rowsOf(`address:${from}`);
    for (let n = 0; n < 3; n += 1) expect((await signIn(from, tenant)).status).toBe(200);
    expect(await rowsOf(`address:${from}`)).toEqual(before);
    // An office may sign in as often as it likes.
    for (let n = 0; n < 40; n += 1) expect((await signIn('198.51.100.9', tenant)).status).toBe(200);
  });

  it('is counted by network: the addresses of one IPv6 customer are one', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 40; n += 1) statuses.push((await guess(`2001:db8:7:7::${n + 1}`, nobody())).status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(30);
    expect((await guess('2001:db8:7:8::1', nobody())).status).toBe(401);
  });
});

describe.each(['subadmin', 'admin'] as const)('guesses at one account (%s)', (role) => {
  const credentials = () => (role === 'admin' ? admin : tenant);
  const attacker = '203.0.113.66';

  it('are looked at ten times in a quarter of an hour, and the right password is good after that', async () => {
    let looked = 0;
    for (let n = 0; n < 100; n += 1) {
      const { status, retryAfter } = await guess(attacker, credentials().email, role);
      if (status === 401) looked += 1;
      else expect({ status, isTold: retryAfter > 0 && retryAfter <= 900 }).toEqual({ status: 429, isTold: true });
      await pass(9);
    }
    expect(looked).toBeGreaterThan(3);
    expect(looked).toBeLessThanOrEqual(10);
    await pass(900);
    expect((await signIn(attacker, credentials(), role)).status).toBe(200);
  });

  it('keep nobody out elsewhere, however long they go on', async () => {
    // Two days of a try every ten minutes; the owner comes from a new place each time.
    const owner: number[] = [];
    const refused: number[] = [];
    for (let n = 0; n < 288; n += 1) {
      refused.push((await guess(attacker, credentials().email, role)).status);
      await pass(600);
      if (n % 24 === 23) owner.push((await signIn(`192.0.2.${n % 251}`, credentials(), role)).status);
    }
    expect(refused).toContain(429);
    expect(owner).toEqual(owner.map(() => 200));
    // What the owner does gives the guesser no new tries.
    await guess(attacker, credentials().email, role);
    await guess(attacker, credentials().email, role);
    expect((await signIn('192.0.2.1', credentials(), role)).status).toBe(200);
    expect((await guess(attacker, credentials().email, role)).status).toBe(429);
  });

  it('from many networks at once are looked at thirty times, then one in two minutes', async () => {
    const home = '192.0.2.200';
    expect((await signIn(home, credentials(), role)).status).toBe(200);
    let places = 0;
    const spread = async (count: number) => {
      const statuses: number[] = [];
      for (let n = 0; n < count; n += 1) {
        places += 1;
        statuses.push((await guess(`10.0.${places >> 8}.${places & 255}`, credentials().email, role)).status);
      }
      return statuses.filter((status) => status === 401).length;
    };
    expect(await spread(90)).toBeLessThanOrEqual(31);
    const strange = await signIn('192.0.2.201', credentials(), role);
    expect(strange.status).toBe(429);
    expect(strange.retryAfter).toBeGreaterThan(0);
    expect(strange.retryAfter).toBeLessThanOrEqual(120);

    // Where the account was signed in to before it goes on, with limits of its own, and frees nothing for the others.
    expect((await signIn(home, credentials(), role)).status).toBe(200);
    expect((await signIn('192.0.2.202', credentials(), role)).status).toBe(429);
    const here: number[] = [];
    for (let n = 0; n < 6; n += 1) here.push((await guess(home, credentials().email, role)).status);
    expect(here).toContain(401);
    expect(here).toContain(429);

    await pass(120);
    expect(await spread(20)).toBeLessThanOrEqual(1);
    await pass(120);
    // A stranger with the right password gives the try back and is at home from then on.
    expect((await signIn('192.0.2.203', credentials(), role)).status).toBe(200);
    expect(await spread(20)).toBe(1);
    expect((await signIn('192.0.2.203', credentials(), role)).status).toBe(200);
  });
});

it('a refused try is counted nowhere', async () => {
  const from = '203.0.113.9';
  for (let n = 0; n < 4; n += 1) await guess(from, tenant.email);
  await global(`UPDATE login_failures SET blocked_until = now() + interval '10 minutes' WHERE key LIKE '%@%@%'`);
  const before = await rowsOf('%');
  for (let n = 0; n < 40; n += 1) expect((await guess(from, tenant.email)).status).toBe(429);
  expect(await rowsOf('%')).toEqual(before);
  // So others at the same address are not concerned.
  expect((await signIn(from, await api.addTenant())).status).toBe(200);
});

it('old counts and networks are cleaned up, younger ones stay', async () => {
  await signIn('192.0.2.50', tenant);
  await signIn('192.0.2.51', tenant);
  await global(`UPDATE account_networks SET last_used_at = now() - interval '91 days' WHERE network = '192.0.2.50'`);
  await guess('192.0.2.60', 'old@challan.test');
  await guess('192.0.2.60', 'blocked@challan.test');
  await pass(3_700);
  await global(
    `UPDATE login_failures SET blocked_until = now() + interval '5 minutes' WHERE key LIKE '%:blocked@challan.test@%'`,
  );
  await guess('192.0.2.61', 'young@challan.test');
  const keys = async () => (await rowsOf('account:%')).map(({ key }) => key);
  const networks = async () =>
    (
      await global<{ network: string }>(
        `SELECT network FROM account_networks WHERE account_id = $1 AND network LIKE '192.%'`,
        [tenant.id],
      )
    ).map(({ network }) => network);
  const maintenance = startMaintenance(api.pools.main, { warn: () => undefined }, { foldEveryMs: 5, cleanEveryMs: 20 });
  await expect.poll(async () => [(await keys()).length, ...(await networks())]).toEqual([3, '192.0.2.51']);
  await maintenance.stop();
  expect(await keys()).toEqual([
    'account:subadmin:blocked@challan.test@192.0.2.60',
    'account:subadmin:young@challan.test',
    'account:subadmin:young@challan.test@192.0.2.61',
  ]);
});

describe('behind a proxy', () => {
  const open = async (trustProxy?: string[]) => {
    const app = await buildApp({ pools: api.pools, logLevel: 'silent', trustProxy });
    const addressOf = async (peer: string, forwarded: string): Promise<string> => {
      const answer = await app.inject({
        method: 'POST',
        url: paths.subadmin,
        remoteAddress: peer,
        headers: { 'x-forwarded-for': forwarded },
        payload: { email: tenant.email, password: tenant.password },
      });
      const { token } = answer.json<{ token: string }>();
      const sessions = await api.call(contract.session.list, {}, { token });
      return sessions.body.data.find(({ isCurrent }) => isCurrent)?.address ?? '';
    };
    return { addressOf, close: () => app.close() };
  };

  it('that is named, its word on the address is taken, and only its own', async () => {
    const { addressOf, close } = await open(['10.0.0.0/8', '2001:db8::1']);
    expect(await addressOf('10.1.2.3', '203.0.113.5')).toBe('203.0.113.5');
    expect(await addressOf('2001:db8::1', '203.0.113.6')).toBe('203.0.113.6');
    // The header that the caller sent is further left and is ignored.
    expect(await addressOf('10.1.2.3', '192.0.2.99, 203.0.113.7, 10.9.9.9')).toBe('203.0.113.7');
    expect(await addressOf('192.0.2.3', '203.0.113.8')).toBe('192.0.2.3');
    await close();
  });

  it('that is not named, nobody is believed', async () => {
    const { addressOf, close } = await open();
    expect(await addressOf('10.1.2.3', '203.0.113.5')).toBe('10.1.2.3');
    await close();
  });
});

describe('the stored hash', () => {
  const hashOf = async () =>
    (await global<{ password_hash: string }>('SELECT password_hash_of($1) AS password_hash', [tenant.id]))[0]
      ?.password_hash ?? '';

  it.each([
    ['less memory', { memoryCost: 4_096, timeCost: 3 }],
    ['fewer rounds', { memoryCost: 19_456, timeCost: 1 }],
  ])('of %s is renewed by a sign-in, never by a wrong password', async (_, options) => {
    const weak = await hash(tenant.password, { ...options, parallelism: 1 });
    await global('UPDATE accounts SET password_hash = $2 WHERE id = $1', [tenant.id, weak]);
    expect((await guess('192.0.2.1', tenant.email)).status).toBe(401);
    expect(await hashOf()).toBe(weak);
    expect((await signIn('192.0.2.1', tenant)).status).toBe(200);
    expect(await hashOf()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await signIn('192.0.2.1', tenant)).status).toBe(200);
    expect((await guess('192.0.2.1', tenant.email)).status).toBe(401);
  });

  it('of today or more stays', async () => {
    const today = await hashOf();
    await signIn('192.0.2.1', tenant);
    expect(await hashOf()).toBe(today);
    const more = await hash(tenant.password, { memoryCost: 65_536, timeCost: 3, parallelism: 1 });
    await global('UPDATE accounts SET password_hash = $2 WHERE id = $1', [tenant.id, more]);
    expect((await signIn('192.0.2.1', tenant)).status).toBe(200);
    expect(await hashOf()).toBe(more);
  });
});
