import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../../src/server/app.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildOwner } from '../support/builders.ts';

/** No secret, account number or PAN is logged at any level, also not by libraries (docs/security.md §8). */
let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

it.each(levels)('at the level %s', async (logLevel) => {
  const lines: string[] = [];
  const app = await buildApp({ pools: api.pools, logLevel, log: { write: (line) => void lines.push(line) } });
  const owner = buildOwner({ accountNo: '123456789012345', panNo: 'PLANT1234X' });
  const headers = { authorization: `Bearer ${tenant.token}`, cookie: 'planted-cookie' };
  const asks = [
    { method: 'POST' as const, url: '/api/owners', payload: owner },
    { method: 'POST' as const, url: '/api/owners', payload: { ...owner, name: 1 } },
    { method: 'GET' as const, url: `/api/owners?search=${owner.accountNo}` },
    { method: 'GET' as const, url: `/api/owners/search?q=${owner.panNo}` },
    { method: 'POST' as const, url: '/api/login', payload: { email: tenant.email, password: 'planted-password' } },
    { method: 'POST' as const, url: '/api/login', payload: { email: tenant.email, password: tenant.password } },
    { method: 'GET' as const, url: '/r/planted-token' },
  ];
  try {
    const answers = [];
    for (const ask of asks) answers.push(await app.inject({ ...ask, headers }));
    // The planted values were taken, so that they could be in the log.
    expect(answers.some(({ statusCode }) => statusCode === 201)).toBe(true);
    app.log.error({ token: 'planted-option', err: { name: 'Error' } }, 'a line of a library');
  } finally {
    await app.close();
  }
  const text = lines.join('');
  if (logLevel !== 'fatal') expect(text).toContain('a line of a library');
  const secrets = [tenant.token, tenant.password, owner.accountNo, owner.panNo, 'planted'];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
