import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { login } from '../../../src/server/http/login.ts';
import { forgetOldSignIns } from '../../../src/server/features/session/sign-ins.queries.ts';
import { describeUserAgent } from '../../../src/server/features/session/sessions.service.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal, statusesOf } from '../support/expect.ts';
import { asSchemaOwner } from '../support/tables.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { session } = contract;
const windowsChrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const androidChrome =
  'Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

const list = (token: string) => api.call(session.list, {}, { token });
const endOthers = (token: string) => api.call(session.endOthers, {}, { token });
const signIn = async ({ email, password }: Pick<Tenant, 'email' | 'password'>, userAgent: string) => {
  const answer = await api.call(
    session.loginSubadmin,
    { body: { email, password } },
    { headers: { 'user-agent': userAgent } },
  );
  return answer.body.token;
};
const global = (text: string, values: unknown[]) =>
  asSchemaOwner(api, async (client) => (await client.query<Record<string, unknown>>(text, values)).rows);

describe('the open sessions', () => {
  it('are listed with device, address and times, the current one marked, and never with a token', async () => {
    const tenant = await api.addTenant();
    const token = await signIn(tenant, windowsChrome);
    const answer = await list(token);
    expect(answer.body.data).toHaveLength(2);
    const current = answer.body.data.find(({ isCurrent }) => isCurrent);
    expect(current).toMatchObject({ userAgent: 'Chrome on Windows', address: '127.0.0.1' });
    expect(Object.keys(current ?? {}).sort()).toEqual(
      ['address', 'createdAt', 'expiresAt', 'id', 'isCurrent', 'lastUsedAt', 'userAgent'].sort(),
    );
    const { createdAt = '', expiresAt = '', lastUsedAt = '' } = current ?? {};
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(8 * 60 * 60 * 1000);
    expect(new Date(lastUsedAt).toISOString()).toBe(lastUsedAt);
    expect(answer.text).not.toContain(token);
    expect(answer.text).not.toContain(tenant.token);
    // Seen from the other one, that one is the current one.
    const other = (await list(tenant.token)).body.data.find(({ isCurrent }) => isCurrent);
    expect(other?.id).not.toBe(current?.id);
  });

  it("are the caller's own, of either role", async () => {
    const [one, other] = [await api.addTenant(), await api.addTenant()];
    const ids = async (token: string) => (await list(token)).body.data.map(({ id }) => id);
    const [ofOne, ofOther, ofAdmin] = [await ids(one.token), await ids(other.token), await ids(api.adminToken)];
    expect([ofOne.length, ofOther.length]).toEqual([1, 1]);
    expect(new Set([...ofOne, ...ofOther, ...ofAdmin]).size).toBe(2 + ofAdmin.length);
  });

  it('leave out what can no longer be used', async () => {
    const tenant = await api.addTenant();
    const dead = ['expires_at = now()', `last_used_at = now() - interval '31 minutes'`, 'session_epoch = 0'];
    for (const change of dead) {
      await signIn(tenant, androidChrome);
      await global(
        `UPDATE sessions SET ${change} WHERE id = (SELECT id FROM sessions WHERE account_id = $1
           ORDER BY created_at DESC LIMIT 1)`,
        [tenant.id],
      );
    }
    const answer = await list(tenant.token);
    expect(answer.body.data.map(({ isCurrent }) => isCurrent)).toEqual([true]);
  });

  it('put this one first, then the last used', async () => {
    const tenant = await api.addTenant();
    for (const [userAgent, minutes] of [
      ['older/1', 5],
      ['newer/1', 1],
    ] as const) {
      await signIn(tenant, userAgent);
      await global(
        `UPDATE sessions SET last_used_at = now() - make_interval(mins => $3) WHERE account_id = $1 AND user_agent = $2`,
        [tenant.id, userAgent, minutes],
      );
    }
    await global(
      `UPDATE sessions SET last_used_at = now() - interval '9 minutes' WHERE account_id = $1 AND user_agent NOT LIKE '%er/1'`,
      [tenant.id],
    );
    // A poll, so that the asking does not make it the last used one.
    const answer = await api.call(session.list, {}, { token: tenant.token, headers: { 'x-background': '1' } });
    expect(answer.body.data.map(({ isCurrent, userAgent }) => (isCurrent ? 'this' : userAgent))).toEqual([
      'this',
      'newer',
      'older',
    ]);
  });
});

describe('an eleventh session', () => {
  it('ends the oldest, also of those that are opened at once, and counts no dead one', async () => {
    const tenant = await api.addTenant();
    const stranger = await api.addTenant();
    const tokens = [tenant.token];
    while (tokens.length < 10) tokens.push(await signIn(tenant, windowsChrome));
    expect(await statusesOf(tokens.map(list))).toEqual(tokens.map(() => 200));
    tokens.push(...(await Promise.all(Array.from({ length: 3 }, () => signIn(tenant, androidChrome)))));
    expect((await Promise.all(tokens.map(list))).map(({ status }) => status)).toEqual([
      401,
      401,
      401,
      ...tokens.slice(3).map(() => 200),
    ]);
    expect((await list(tokens.at(-1) ?? '')).body.data).toHaveLength(10);
    expect((await list(stranger.token)).status).toBe(200);
    // Of the ten one has run out: the next ends no other.
    await global(
      `UPDATE sessions SET last_used_at = now() - interval '31 minutes'
       WHERE id = (SELECT id FROM sessions WHERE account_id = $1 ORDER BY created_at DESC LIMIT 1)`,
      [tenant.id],
    );
    await signIn(tenant, windowsChrome);
    expect((await list(tokens[3] ?? '')).body.data).toHaveLength(10);
  });
});

describe('signing out one session', () => {
  const end = (token: string, id: string) => api.call(session.end, { params: { id } }, { token });
  const others = async (token: string) => (await list(token)).body.data.filter(({ isCurrent }) => !isCurrent);

  it('ends it at its next call and no other, once', async () => {
    const tenant = await api.addTenant();
    const [one, two] = [await signIn(tenant, windowsChrome), await signIn(tenant, androidChrome)];
    const found = (await others(tenant.token)).find(({ userAgent }) => userAgent === 'Chrome on Windows');
    const id = found?.id ?? '';
    expect((await end(tenant.token, id)).body).toEqual({ success: true, message: 'Signed out there' });
    expectRefusal(await list(one), 401, 'UNAUTHORIZED');
    expect(await statusesOf([list(two), list(tenant.token)])).toEqual([200, 200]);
    expectRefusal(await end(tenant.token, id), 404, 'NOT_FOUND');
  });

  it("ends one's own as well, and never that of another account", async () => {
    const [tenant, stranger] = [await api.addTenant(), await api.addTenant()];
    const ownId = async (token: string) => (await list(token)).body.data.find(({ isCurrent }) => isCurrent)?.id ?? '';
    expectRefusal(await end(tenant.token, await ownId(stranger.token)), 404, 'NOT_FOUND');
    expectRefusal(await end(api.adminToken, await ownId(stranger.token)), 404, 'NOT_FOUND');
    expect((await list(stranger.token)).status).toBe(200);
    expect((await end(tenant.token, await ownId(tenant.token))).status).toBe(200);
    expectRefusal(await list(tenant.token), 401, 'UNAUTHORIZED');
  });
});

describe('signing out everywhere else', () => {
  it('ends the others at their next call, counts them, and keeps this one', async () => {
    const tenant = await api.addTenant();
    const others = [await signIn(tenant, windowsChrome), await signIn(tenant, androidChrome)];
    const stranger = await api.addTenant();
    const answer = await endOthers(tenant.token);
    expect(answer.body).toEqual({
      success: true,
      message: 'Signed out everywhere else',
      data: { endedCount: 2 },
    });
    for (const token of others) expectRefusal(await list(token), 401, 'UNAUTHORIZED');
    expect((await list(tenant.token)).body.data.map(({ isCurrent }) => isCurrent)).toEqual([true]);
    expect((await list(stranger.token)).status).toBe(200);
    expect((await endOthers(tenant.token)).body.data).toEqual({ endedCount: 0 });
  });

  it('does not count those that had ended by themselves', async () => {
    const tenant = await api.addTenant();
    await signIn(tenant, windowsChrome);
    await global(`UPDATE sessions SET expires_at = now() WHERE account_id = $1 AND user_agent = $2`, [
      tenant.id,
      windowsChrome,
    ]);
    expect((await endOthers(tenant.token)).body.data).toEqual({ endedCount: 0 });
  });

  it('works for an admin, and touches no sub-admin', async () => {
    const tenant = await api.addTenant();
    const signInAdmin = async () => {
      const body = { email: 'admin@challan.test', password: tenant.password };
      return (await api.call(session.loginAdmin, { body })).body.data.token;
    };
    const [here, elsewhere] = [await signInAdmin(), await signInAdmin()];
    expect((await endOthers(here)).body.data.endedCount).toBeGreaterThanOrEqual(1);
    expectRefusal(await list(elsewhere), 401, 'UNAUTHORIZED');
    expect((await list(tenant.token)).status).toBe(200);
  });

  it('leaves one when two do it at once', async () => {
    const tenant = await api.addTenant();
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await signIn(tenant, windowsChrome), await signIn(tenant, androidChrome)];
      expect(await statusesOf([endOthers(one), endOthers(two)])).toEqual([200, 401]);
      expect(await statusesOf([list(one), list(two)])).toEqual([200, 401]);
    }
  });
});

describe('a device in short words', () => {
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const cases: readonly [string, string][] = [
    [windowsChrome, 'Chrome on Windows'],
    [androidChrome, 'Chrome on Android'],
    [`${windowsChrome} Edg/142.0.0.0`, 'Edge on Windows'],
    [`${windowsChrome} OPR/120.0.0.0`, 'Opera on Windows'],
    [`${mac} Version/18.1 Safari/605.1.15`, 'Safari on macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/141.0.0.0 Safari/537.36', 'Chrome on Linux'],
    ['curl/8.5.0', 'curl'],
    ['Mozilla/5.0 (Windows NT 10.0)', 'Unknown browser on Windows'],
    ['Mozilla/5.0', 'Unknown device'],
    ['<script>', 'Unknown device'],
    ['', 'Unknown device'],
  ];
  it.each(cases)('%s', (header, words) => {
    expect(describeUserAgent(header)).toBe(words);
  });
});

describe('the log of sign-ins', () => {
  const entries = async (accountId = '') => {
    const body = { email: 'admin@challan.test', password: 'correct horse 42' };
    const { token } = (await api.call(session.loginAdmin, { body })).body.data;
    return (await api.call(session.signIns, { query: { accountId } }, { token })).body.data;
  };
  const trySignIn = (email: string, password: string) => api.call(session.loginSubadmin, { body: { email, password } });

  it('has account, network and result of each try, and nothing that was typed', async () => {
    const [tenant, closed] = [await api.addTenant(), await api.addTenant()];
    await global('UPDATE accounts SET is_active = false WHERE id = $1', [closed.id]);
    await trySignIn(tenant.email, 'typed wrong here');
    await trySignIn(closed.email, closed.password);
    await trySignIn('typed-in-the-wrong-field@challan.test', tenant.password);
    const { signIns, accounts } = await entries();
    expect(signIns.slice(1, 4).map(({ accountId, email, result }) => [accountId, email, result])).toEqual([
      [null, null, 'unknown'],
      [closed.id, closed.email, 'inactive'],
      [tenant.id, tenant.email, 'wrong-password'],
    ]);
    expect(new Set(signIns.map(({ network }) => network))).toEqual(new Set(['127.0.0.1']));
    expect(accounts).toContainEqual({ id: tenant.id, email: tenant.email });
    const own = (await entries(tenant.id)).signIns;
    expect(own.map(({ result, role }) => [result, role])).toEqual([
      ['wrong-password', 'subadmin'],
      ['signed-in', 'subadmin'],
    ]);
    const [stored] = await global('SELECT string_agg(s::text, $1) AS rows FROM sign_ins s', [' ']);
    expect(stored?.rows).not.toMatch(/typed|argon/);
  });

  it('shows 200, and forgets what is older than 90 days', async () => {
    const tenant = await api.addTenant();
    await global(
      `INSERT INTO sign_ins (at, role, account_id, network, result)
       SELECT now() - n * interval '1 day', 'subadmin', $1, '192.0.2.1', 'signed-in' FROM generate_series(0, 250) n`,
      [tenant.id],
    );
    expect((await entries(tenant.id)).signIns).toHaveLength(200);
    await withGlobal(api.pools.main, 'write', forgetOldSignIns);
    const [left] = await global('SELECT count(*)::int AS count FROM sign_ins WHERE account_id = $1', [tenant.id]);
    // The one of its own sign-in, and those of 0 to 89 days.
    expect(left).toEqual({ count: 91 });
  });

  it('is in the lines of the log too, without what was typed', async () => {
    const tenant = await api.addTenant();
    const lines: unknown[] = [];
    const log = { info: (details: object, message: string) => lines.push({ ...details, message }) };
    const from = { address: '2001:db8:1:2::3', userAgent: '', device: '' };
    const { email, password } = tenant;
    await login(api.pools.main, 'subadmin', { email, password }, from, log);
    const wrong = () => login(api.pools.main, 'subadmin', { email, password: 'typed wrong' }, from, log);
    while (lines.length < 6) await wrong().catch(() => undefined);
    const line = { message: 'sign-in', role: 'subadmin', network: '2001:db8:1:2' };
    expect(lines[0]).toEqual({ ...line, actor: tenant.id, result: 'signed-in' });
    expect(lines[1]).toEqual({ ...line, actor: tenant.id, result: 'wrong-password' });
    expect(lines.at(-1)).toEqual({ ...line, actor: undefined, result: 'refused' });
  });
});
