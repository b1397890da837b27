import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Answer, type Api } from '../support/api.ts';
import { laterEndpoints, presentRows, rows, type TableRow } from '../support/endpoint-table.ts';
import { withoutRequestId } from '../support/expect.ts';
import { buildScene, unknownRefs, type Refs, type Scene } from '../support/scene.ts';
import { asSchemaOwner, tenantTables } from '../support/tables.ts';

let api: Api;
/** The business whose ids the others try. */
let foreign: Scene;
let tables: string[];
const registered: string[] = [];

beforeAll(async () => {
  // Fastify tells of each instance it makes: the one way to see every route without asking the app for its own list.
  const onInstance = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) registered.push(`${name} ${url}`);
    });
  };
  subscribe('fastify.initialization', onInstance);
  api = await startApi();
  unsubscribe('fastify.initialization', onInstance);
  tables = await tenantTables(api);
  foreign = await buildScene(api, 'FOREIGN');
  // One session makes the calls of the whole file, longer than the ten minutes after which some would ask for the password again.
  await asSchemaOwner(api, (client) =>
    client.query("UPDATE sessions SET confirmed_at = now() + interval '1 day' WHERE account_id = $1", [
      foreign.tenant.id,
    ]),
  );
});
afterAll(() => api.close());

const routeOf = ({ endpoint }: TableRow) => `${endpoint.method} /api${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`;
const call = (row: TableRow, refs: Refs, token?: string): Promise<Answer<unknown>> =>
  api.call(row.endpoint, row.cell.args(refs), token === undefined ? {} : { token });
const protectedRows = presentRows.filter(({ endpoint }) => endpoint.roles !== 'public');
/** Each with its name in front, for the title. */
const named = (list: readonly TableRow[]) => list.map((row) => [row.name, row] as const);

let adminToken = '';
/** A session of its own, so that a call which ends it takes no other's away; an account has ten at most. */
const signInAdmin = async (): Promise<string> => {
  await api.call(contract.session.logout, {}, { token: adminToken });
  const body = { email: 'admin@challan.test', password: foreign.tenant.password };
  adminToken = (await api.call(contract.session.loginAdmin, { body })).body.data.token;
  return adminToken;
};

/** Every row of an account in every table, to see that nothing was written. */
const recordsOf = ({ tenant }: Scene) =>
  api.inTenant(tenant, async (db) => {
    const records: Record<string, unknown> = {};
    for (const name of tables) {
      records[name] = (await db.query(`SELECT t::text AS row FROM ${name} AS t ORDER BY 1`)).rows;
    }
    return records;
  });

describe('the table', () => {
  it('has a cell for each endpoint of the contract', () => {
    expect(rows.filter(({ cell }) => cell === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('is implemented: every endpoint has a handler or belongs to a later issue, and never both', () => {
    const implemented = rows.filter(({ endpoint }) => api.app.implemented.has(endpoint)).map(({ name }) => name);
    expect(implemented).toEqual(presentRows.map(({ name }) => name));
    expect(api.app.implemented.size).toBe(implemented.length);
  });

  it('has a row for each registered route', () => {
    const known = new Set([
      ...presentRows.map(routeOf),
      'GET /health/live',
      'GET /health/ready',
      'GET /api/openapi.json',
      // Of a browser, whoever sits at it: policy-reports.test.ts.
      'POST /api/policy-reports',
      // Open to whoever bears a link: shared-reports.test.ts, owner-page.test.ts.
      ...['', '/page', '/csv', '/pdf'].flatMap((part) => [`GET /share/:token${part}`, `HEAD /share/:token${part}`]),
      'GET /share/fonts/:name',
      'HEAD /share/fonts/:name',
    ]);
    const unknown = registered.filter((route) => !known.has(route) && !/^(GET|HEAD) \/api\/docs(\/|$)/.test(route));
    expect(unknown).toEqual([]);
    expect(registered).toEqual(expect.arrayContaining(presentRows.map(routeOf)));
  });

  it.each(named(rows.filter(({ endpoint }) => laterEndpoints.has(endpoint))))(
    '%s of a later issue is at no address yet',
    async (_, row) => {
      const { tenant, refs } = foreign;
      const answer = await call(row, refs, tenant.token);
      // Where a call of today has the same address by another method, that is what is said.
      expect([404, 405]).toContain(answer.status);
    },
  );
});

describe('without a living session', () => {
  const tokens: Record<string, string | undefined> = { 'no token': undefined };
  beforeAll(async () => {
    const make = async (): Promise<{ id: string; token: string }> => api.addTenant();
    const [expired, idle, revoked, deactivated, deleted] = [
      await make(),
      await make(),
      await make(),
      await make(),
      await make(),
    ];
    const age = (tenant: { id: string }, change: string) =>
      asSchemaOwner(api, (client) => client.query(`UPDATE sessions SET ${change} WHERE account_id = $1`, [tenant.id]));
    await age(expired, `expires_at = now() - interval '1 second'`);
    await age(idle, `last_used_at = now() - interval '31 minutes'`);
    await api.call(contract.session.logout, {}, { token: revoked.token });
    const admin = { token: api.adminToken };
    await api.call(contract.subadmins.setActive, { params: { id: deactivated.id }, body: { isActive: false } }, admin);
    await api.call(contract.subadmins.remove, { params: { id: deleted.id } }, admin);
    Object.assign(tokens, {
      'a short token': 'abc',
      'an unknown token': 'A'.repeat(43),
      'an expired session': expired.token,
      'an idle session': idle.token,
      'a revoked session': revoked.token,
      'a deactivated account': deactivated.token,
      'a deleted account': deleted.token,
    });
  });

  it.each(named(protectedRows))('%s answers 401 with one text, before it looks at anything', async (_, row) => {
    const answers = await Promise.all(
      Object.entries(tokens).map(async ([name, token]) => ({ name, answer: await call(row, foreign.refs, token) })),
    );
    const { method, path } = row.endpoint;
    const options = method === 'GET' ? {} : { payload: '{"broken' };
    const broken = await api.callRaw(method, `/api${path.replace(/\{\w+\}/g, 'x')}`, options);
    for (const { name, answer } of [...answers, { name: 'a broken body', answer: broken }]) {
      expect([name, withoutRequestId(answer)]).toEqual([
        name,
        {
          status: 401,
          body: { success: false, message: 'Session expired or invalid token', code: 'UNAUTHORIZED' },
        },
      ]);
    }
  });

  it.each(named(presentRows.filter(({ endpoint }) => endpoint.roles === 'public')))(
    '%s is open, and refuses as it does for anybody',
    async (_, row) => {
      const answers = await Promise.all([
        call(row, unknownRefs),
        call(row, unknownRefs, foreign.tenant.token),
        call(row, unknownRefs, api.adminToken),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([row.cell.subadmin, row.cell.subadmin, row.cell.admin]);
      expect(answers[0]?.error.code).toBe(row.cell.admin === 404 ? 'NOT_FOUND' : 'INVALID_CREDENTIALS');
    },
  );

  it('a token in the query, a cookie or the body is no token', async () => {
    const { token } = foreign.tenant;
    const answers = await Promise.all([
      api.callRaw('GET', `/api/owners?token=${token}&access_token=${token}`),
      api.callRaw('GET', '/api/owners', { headers: { cookie: `token=${token}` } }),
      api.callRaw('GET', '/api/owners', { headers: { authorization: `Basic ${token}` } }),
      api.callRaw('POST', '/api/tags', { body: { token, name: 'Tag', color: '#000000' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });
});

describe('with a session', () => {
  it.each(named(protectedRows))('%s answers each role as the table says', async (_, row) => {
    const own = await buildScene(api, 'OWN');
    const before = await recordsOf(foreign);
    for (const [place, expected] of Object.entries(row.cell.foreign ?? {})) {
      // Keys of `foreign` are keys of Refs.
      const key = place as keyof Refs;
      const tried = await call(row, { ...own.refs, [key]: foreign.refs[key] }, own.tenant.token);
      const unknown = await call(row, { ...own.refs, [key]: unknownRefs[key] }, own.tenant.token);
      expect([place, tried.status < 300 ? 'OK' : tried.error.code]).toEqual([place, expected]);
      const comparable = (answer: Answer<unknown>, id: string) =>
        answer.status === 200
          ? answer.text.replaceAll(id, 'the id').replace(/"\w+At":"[^"]+"/g, '')
          : withoutRequestId(answer);
      expect(comparable(tried, foreign.refs[key])).toEqual(comparable(unknown, unknownRefs[key]));
    }
    expect(await recordsOf(foreign)).toEqual(before);

    // The refused role first: what the other one does may end what there is to refuse.
    const roles = [
      { role: 'subadmin', token: own.tenant.token, status: row.cell.subadmin },
      { role: 'admin', token: await signInAdmin(), status: row.cell.admin },
    ].sort((a, b) => b.status - a.status);
    for (const { role, token, status } of roles) {
      const answer = await call(row, own.refs, token);
      expect([role, answer.status, answer.text.slice(0, 200)]).toEqual([role, status, expect.any(String)]);
      if (status === 403) {
        expect(withoutRequestId(answer).body).toEqual({
          success: false,
          message: "You don't have permission to access this page.",
          code: 'FORBIDDEN',
        });
      }
    }
  });

  it.each(named(protectedRows.filter(({ endpoint }) => endpoint.params !== undefined)))(
    '%s answers an unknown id in its address with 404',
    async (_, row) => {
      const token = row.cell.subadmin === 403 ? await signInAdmin() : foreign.tenant.token;
      expect((await call(row, unknownRefs, token)).status).toBe(404);
    },
  );
});

describe('a body with a field that the call does not declare', () => {
  const fields = [
    'id',
    'subadminId',
    'subAdminId',
    'tenantId',
    'role',
    'isActive',
    'email',
    'createdAt',
    'challanNumber',
    'hsdVerified',
    'deletedAt',
    'constructor',
    '__proto__',
  ];

  it.each(named(protectedRows.filter(({ endpoint }) => endpoint.body !== undefined)))(
    'is refused by %s, and nothing is written',
    async (_, row) => {
      const { tenant, refs } = foreign;
      const token = row.cell.subadmin === 403 ? await signInAdmin() : tenant.token;
      const args = row.cell.args(refs) as { params?: Record<string, string>; body: Record<string, unknown> };
      const before = await recordsOf(foreign);
      const url = `/api${row.endpoint.path.replace('{id}', args.params?.id ?? '')}`;
      const rest = JSON.stringify(args.body).slice(1);
      for (const field of fields.filter((name) => !(name in (row.endpoint.body?.shape ?? {})))) {
        // As text: an object literal would take __proto__ for something else.
        const payload = `{${JSON.stringify(field)}:"x"${rest === '}' ? '' : ','}${rest}`;
        const answer = await api.callRaw(row.endpoint.method, url, { token, payload });
        expect([field, answer.status, answer.error.code]).toEqual([field, 400, 'UNKNOWN_FIELD']);
      }
      expect(await recordsOf(foreign)).toEqual(before);
      expect(({} as Record<string, unknown>).id).toBeUndefined();
    },
  );
});
