import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../../src/server/app.ts';
import { createPool } from '../../../src/server/db/pool.ts';
import { shapeOf, type SlowStatement } from '../../../src/server/db/slow-statements.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { OverloadDetector } from '../../../src/server/http/overload.ts';
import { asSchemaOwner } from '../support/tables.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

describe('an event loop that is late', () => {
  it('is one that was late for two rounds after each other, until one is not', () => {
    const lag = new OverloadDetector(1_000);
    const seen = [5_000, 20, 1_200, 1_000, 3_000, 999, 4_000, NaN, 4_000].map((ms) => {
      lag.record(ms);
      return lag.isTooLong;
    });
    expect(seen).toEqual([false, false, false, true, true, false, false, false, false]);
  });

  it('refuses calls with 503 and when to come back, and answers health and sign-out', async () => {
    let isOverloaded = true;
    const app = await buildApp({ pools: api.pools, logLevel: 'silent', isOverloaded: () => isOverloaded });
    try {
      const headers = { authorization: `Bearer ${tenant.token}` };
      const refused = await app.inject({ url: '/api/tags', headers });
      expect(refused.statusCode).toBe(503);
      expect(refused.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
      expect(refused.json()).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' });
      expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200);
      expect((await app.inject({ url: '/health/ready' })).statusCode).toBe(200);
      isOverloaded = false;
      expect((await app.inject({ url: '/api/tags', headers })).statusCode).toBe(200);
      isOverloaded = true;
      expect((await app.inject({ method: 'POST', url: '/api/logout', headers })).statusCode).toBe(204);
    } finally {
      await app.close();
    }
  });
});

describe('readiness', () => {
  it('is refused while the database takes no writes', async () => {
    const app = await buildApp({ pools: api.pools, logLevel: 'silent' });
    const ready = async () => (await app.inject({ url: '/health/ready' })).statusCode;
    try {
      await asSchemaOwner(api, (client) => client.query('REVOKE UPDATE (checked_at) ON readiness FROM challan_app'));
      expect(await ready()).toBe(503);
      await asSchemaOwner(api, (client) => client.query('GRANT UPDATE (checked_at) ON readiness TO challan_app'));
      await expect.poll(ready, { timeout: 10_000 }).toBe(200);
    } finally {
      await app.close();
    }
  });
});

describe('what waiting does not cure', () => {
  it.each([
    ['a full disk', '53100', 'The disk of the database is full'],
    ['a database that takes no writes', '25006', 'The database takes no changes at the moment'],
  ])('is said in words of its own: %s', async (_, code, sentence) => {
    const { token } = await api.addTenant();
    const query = Client.prototype.query as (this: unknown, ...args: unknown[]) => unknown;
    const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: unknown, ...args: unknown[]) {
      const [asked] = args as [{ text?: string }];
      if (asked.text?.includes('INSERT INTO tags'))
        return Promise.reject(Object.assign(new Error('of the database'), { code }));
      return query.apply(this, args);
      // The overloads of pg's query are one function.
    } as never);
    try {
      const body = { name: `Tag ${code}`, color: '#112233' };
      const answer = await api.call(contract.tags.create, { body }, { token });
      expect([answer.status, answer.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(answer.error.message).toContain(sentence);
    } finally {
      spy.mockRestore();
    }
  });
});

describe('a slow statement', () => {
  it('is said with its name and shape, and without a value', async () => {
    const said: SlowStatement[] = [];
    // From 0 ms on each one is slow.
    const pool = createPool(api.appUrl, { max: 1, slow: { fromMs: 0, say: (one) => said.push(one) } });
    const client = await pool.connect();
    try {
      await client.query({ name: 'look-up', text: 'SELECT $1::text AS a,\n  12345 AS b', values: ['ABCDE1234F'] });
      await client.query(`SELECT E'it''s \\\\ 34567890123'`);
      await expect(client.query('SELECT 1 FROM nowhere_77')).rejects.toThrow('nowhere_77');
      expect(said).toEqual([
        { statement: 'look-up', shape: 'SELECT $1::text AS a, ? AS b', ms: expect.any(Number) },
        { statement: undefined, shape: 'SELECT ?', ms: expect.any(Number) },
        { statement: undefined, shape: 'SELECT ? FROM nowhere_77', ms: expect.any(Number) },
      ]);
    } finally {
      client.release();
      await pool.end();
    }
  });

  it('is not said when it was quick enough', async () => {
    const said: SlowStatement[] = [];
    const pool = createPool(api.appUrl, { max: 1, slow: { fromMs: Infinity, say: (one) => said.push(one) } });
    const client = await pool.connect();
    await client.query('SELECT 1');
    client.release();
    await pool.end();
    expect(said).toEqual([]);
  });

  it('has a shape of at most 500 characters', () => {
    expect(shapeOf(`SELECT ${'x, '.repeat(1_000)}1`)).toHaveLength(500);
  });
});
