import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api } from '../support/api.ts';
import { asSchemaOwner } from '../support/tables.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const listTags = (token: string, headers?: Record<string, string>) =>
  api.call(contract.tags.list, {}, { token, ...(headers ? { headers } : {}) });

const global = <T extends object>(text: string, values: unknown[] = []) =>
  asSchemaOwner(api, async (client) => (await client.query<T>(text, values)).rows);

describe('signing in', () => {
  it('answers a sub-admin with token, bannerName and user at top level', async () => {
    const tenant = await api.addTenant('Maa Tarini Roadlines');
    const answer = await api.call(contract.session.loginSubadmin, {
      body: { email: tenant.email.toUpperCase(), password: tenant.password },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      bannerName: 'Maa Tarini Roadlines',
      user: { id: tenant.email, email: tenant.email, bannerName: 'Maa Tarini Roadlines', role: 'subadmin' },
    });
  });

  it('gives one answer for an unknown email, a wrong password and a deactivated account', async () => {
    const tenant = await api.addTenant();
    const closed = await api.addTenant();
    await global('UPDATE accounts SET is_active = false WHERE id = $1', [closed.id]);
    const answers = await Promise.all([
      api.call(contract.session.loginSubadmin, { body: { email: 'nobody@challan.test', password: 'wrong password' } }),
      api.call(contract.session.loginSubadmin, { body: { email: tenant.email, password: 'wrong password' } }),
      api.call(contract.session.loginSubadmin, { body: { email: closed.email, password: closed.password } }),
      api.call(contract.session.loginSubadmin, { body: { email: 'admin@challan.test', password: tenant.password } }),
    ]);
    const seen = answers.map(({ status, error }) => ({ status, ...error, requestId: '' }));
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(seen[0]).toMatchObject({
      status: 401,
      message: 'Invalid subadmin credentials',
      code: 'INVALID_CREDENTIALS',
    });
  });

  it('refuses a sub-admin at the admin login with the admin text', async () => {
    const tenant = await api.addTenant();
    const answer = await api.call(contract.session.loginAdmin, {
      body: { email: tenant.email, password: tenant.password },
    });
    expect(answer.status).toBe(401);
    expect(answer.error.message).toBe('Invalid admin credentials');
  });

  it('throttles an account that is guessed at, tells how long, and lets other accounts in', async () => {
    const tenant = await api.addTenant();
    const wrong = () =>
      api.call(contract.session.loginSubadmin, { body: { email: tenant.email, password: 'wrong password' } });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await wrong()).status);
    expect(statuses).toContain(429);
    const blocked = await api.call(contract.session.loginSubadmin, {
      body: { email: tenant.email, password: tenant.password },
    });
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    expect((await listTags(tenant.token)).status).toBe(200);
    await global(`UPDATE login_failures SET blocked_until = now() WHERE key LIKE 'address:%'`);
    const other = await api.addTenant();
    expect(other.token).toHaveLength(43);
  });

  it('cannot be outrun by parallel tries', async () => {
    await global('DELETE FROM login_failures');
    const tenant = await api.addTenant();
    const tries = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.call(contract.session.loginSubadmin, { body: { email: tenant.email, password: 'wrong password' } }),
      ),
    );
    // Three free tries and the one that starts the block.
    expect(tries.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(4);
    await global('DELETE FROM login_failures');
  });

  it('keeps only the SHA-256 of a token', async () => {
    const tenant = await api.addTenant();
    const rows = await global<{ token_hash: Buffer }>('SELECT token_hash FROM sessions WHERE account_id = $1', [
      tenant.id,
    ]);
    expect(rows.map((row) => row.token_hash.toString('hex'))).toEqual([
      createHash('sha256').update(tenant.token).digest('hex'),
    ]);
  });
});

describe('a session', () => {
  it('ends with logout, and the token is dead from then on', async () => {
    const tenant = await api.addTenant();
    expect((await api.call(contract.session.logout, {}, { token: tenant.token })).status).toBe(204);
    const after = await listTags(tenant.token);
    expect(after.status).toBe(401);
    expect(after.error).toMatchObject({ message: 'Session expired or invalid token', code: 'UNAUTHORIZED' });
  });

  it('ends after 30 idle minutes; a poll does not prolong it, a call does', async () => {
    const tenant = await api.addTenant();
    const age = (minutes: number) =>
      global(`UPDATE sessions SET last_used_at = now() - make_interval(mins => $2) WHERE account_id = $1`, [
        tenant.id,
        minutes,
      ]);
    await age(20);
    await listTags(tenant.token, { 'x-background': '1' });
    const polled = await global<{ old: boolean }>(
      `SELECT last_used_at < now() - interval '19 minutes' AS old FROM sessions WHERE account_id = $1`,
      [tenant.id],
    );
    expect(polled).toEqual([{ old: true }]);
    await listTags(tenant.token);
    const called = await global<{ old: boolean }>(
      `SELECT last_used_at < now() - interval '19 minutes' AS old FROM sessions WHERE account_id = $1`,
      [tenant.id],
    );
    expect(called).toEqual([{ old: false }]);
    await age(31);
    expect((await listTags(tenant.token)).status).toBe(401);
  });

  it('ends after 8 hours in any case', async () => {
    const tenant = await api.addTenant();
    await global(`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE account_id = $1`, [tenant.id]);
    expect((await listTags(tenant.token)).status).toBe(401);
  });

  it('is dead when its account is deactivated, deleted or has a new epoch', async () => {
    for (const change of ['is_active = false', 'deleted_at = now()', 'session_epoch = session_epoch + 1']) {
      const tenant = await api.addTenant();
      await global(`UPDATE accounts SET ${change} WHERE id = $1`, [tenant.id]);
      expect((await listTags(tenant.token)).status).toBe(401);
    }
  });

  it('is asked for by each call: a read that began for a token seen before says nothing once it is dead', async () => {
    const tenant = await api.addTenant();
    const headers = { authorization: `Bearer ${tenant.token}` };
    const paths = ['/api/tags', '/api/tags?page=none', '/api/tags/not-an-id', '/api/challans/bank-report?format=csv'];
    const statuses = async () =>
      Promise.all(paths.map(async (path) => (await api.callRaw('GET', path, { headers })).status));
    expect(await statuses()).toEqual([200, 400, 400, 200]);
    await global('UPDATE accounts SET session_epoch = session_epoch + 1 WHERE id = $1', [tenant.id]);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });

  it('is read from the Authorization header alone', async () => {
    const tenant = await api.addTenant();
    expect((await api.callRaw('GET', `/api/tags?token=${tenant.token}`)).status).toBe(401);
    expect((await api.callRaw('GET', '/api/tags', { headers: { cookie: `token=${tenant.token}` } })).status).toBe(401);
    expect((await api.callRaw('GET', '/api/tags', { headers: { authorization: tenant.token } })).status).toBe(401);
  });
});
