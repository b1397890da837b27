import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { typedHeader } from '../../../src/shared/contract/typed-texts.ts';
import { buildApp } from '../../../src/server/app.ts';
import { contentDisposition } from '../../../src/server/http/file-body.ts';
import { scrub } from '../../../src/server/http/problems.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildTag } from '../support/builders.ts';

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const countTags = async (): Promise<number> =>
  (await api.call(contract.tags.list, {}, { token: tenant.token })).body.pagination.totalCount;

describe('the header with what was typed', () => {
  const list = (address: string, header?: string) =>
    api.callRaw('GET', address, {
      token: tenant.token,
      ...(header !== undefined && { headers: { [typedHeader]: header } }),
    });
  beforeAll(async () => {
    for (const name of ['COAL & ORE', 'LIME'])
      await api.call(contract.tags.create, { body: buildTag({ name }) }, { token: tenant.token });
  });

  it('counts as a part of the address', async () => {
    const inAddress = await list('/api/tags?limit=5&search=coal+%26');
    expect(inAddress.body.pagination).toMatchObject({ totalCount: 1, limit: 5 });
    expect((await list('/api/tags?limit=5', 'search=coal+%26')).text).toBe(inAddress.text);
    expect((await list('/api/tags', 'limit=5&search=coal+%26')).text).toBe(inAddress.text);
    // A call that shares its path with another is chosen by both parts too.
    expect((await list('/api/challans', 'format=csv&ids=x')).status).toBe(
      (await list('/api/challans?format=csv&ids=x')).status,
    );
  });

  it('replaces a parameter of the path', async () => {
    const inPath = await list('/api/trucks/vehicle/OD09ZZ0001');
    expect(inPath.status).toBe(404);
    expect({ ...(await list('/api/trucks/vehicle/-', 'vehicleNumber=OD09ZZ0001')).error, requestId: '' }).toEqual({
      ...inPath.error,
      requestId: '',
    });
  });

  it.each([
    ['what the address has too', '/api/tags?search=coal', 'search=lime'],
    ['one parameter twice', '/api/tags', 'search=coal&search=lime'],
    ['a wrong value', '/api/tags', 'limit=0'],
  ])('is refused with %s', async (_, address, header) => {
    const answer = await list(address, header);
    expect([answer.status, answer.text.includes('lime')]).toEqual([400, false]);
  });

  it.each(['%', '%zz=1', '__proto__=x', '=', '&&', 'constructor=x&toString=y'])('may be %s', async (header) => {
    expect((await list('/api/tags', header)).status).toBe(200);
  });
});

describe('a request body', () => {
  it.each([
    ['a broken text', '{"name":', 400, 'INVALID_JSON'],
    ['the same key twice', '{"name":"ONE","name":"TWO","color":"#3B82F6"}', 400, 'INVALID_JSON'],
    ['an escaped twin', '{"name":"ONE","n\\u0061me":"TWO","color":"#3B82F6"}', 400, 'INVALID_JSON'],
    ['a key that reaches for the prototype', '{"name":"ONE","color":"#3B82F6","__proto__":{}}', 400, 'UNKNOWN_FIELD'],
    ['an unknown key', '{"name":"ONE","color":"#3B82F6","subadminId":"x"}', 400, 'UNKNOWN_FIELD'],
    ['deep nesting', `{"name":${'['.repeat(60)}${']'.repeat(60)}}`, 400, 'INVALID_JSON'],
    ['an array', '[]', 400, 'VALIDATION_ERROR'],
    ['a control character', JSON.stringify({ ...buildTag(), name: 'AB\u0000C' }), 400, 'VALIDATION_ERROR'],
    ['too much', JSON.stringify({ name: 'x'.repeat(300_000) }), 413, 'PAYLOAD_TOO_LARGE'],
  ])('is refused with %s, and nothing is written', async (_, payload, status, code) => {
    const before = await countTags();
    const answer = await api.callRaw('POST', '/api/tags', { token: tenant.token, payload });
    expect(answer.status).toBe(status);
    expect(answer.error.code).toBe(code);
    expect(await countTags()).toBe(before);
  });

  it.each([
    'text/plain',
    'application/jsonx',
    'application/json; charset=utf-7',
    'application/ json',
    'multipart/form-data',
  ])('is refused as %s', async (type) => {
    const payload = JSON.stringify(buildTag());
    const answer = await api.callRaw('POST', '/api/tags', {
      token: tenant.token,
      payload,
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(415);
  });

  it('of null is not an empty object', async () => {
    const { body } = await api.call(contract.tags.create, { body: buildTag() }, { token: tenant.token });
    const change = (payload: string) =>
      api.callRaw('PUT', `/api/tags/${body.data.id}`, { token: tenant.token, payload });
    expect((await change('{}')).status).toBe(200);
    const refused = await change('null');
    expect([refused.status, refused.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each([
    ['gzip', 415],
    ['identity, gzip', 415],
    ['identity', 201],
    ['', 201],
  ])('in the content encoding "%s" is answered with %d', async (encoding, status) => {
    const answer = await api.callRaw('POST', '/api/tags', {
      token: tenant.token,
      payload: JSON.stringify(buildTag()),
      headers: { 'content-encoding': encoding },
    });
    expect(answer.status).toBe(status);
  });

  it('of a GET is not read, so its encoding does not matter', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await api.callRaw('GET', '/api/tags', { token: tenant.token, headers })).status).toBe(200);
  });

  it('is taken with a charset', async () => {
    const answer = await api.callRaw('POST', '/api/tags', {
      token: tenant.token,
      payload: JSON.stringify(buildTag()),
      headers: { 'content-type': 'application/json; charset=UTF-8' },
    });
    expect(answer.status).toBe(201);
  });
});

describe('an address', () => {
  it('that nobody knows is a 404 in the form of every error', async () => {
    const answer = await api.callRaw('GET', '/api/nothing');
    expect(answer.status).toBe(404);
    expect(answer.error).toMatchObject({ success: false, code: 'NOT_FOUND' });
    expect(answer.error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-request-id']).toBe(answer.error.requestId);
  });

  it('with another method is a 405 that names the right ones', async () => {
    const answer = await api.callRaw('PATCH', '/api/tags', { token: tenant.token });
    expect(answer.status).toBe(405);
    expect(String(answer.headers.allow)).toContain('POST');
  });

  it.each(['/api//tags', '/api/tags/', '/API/tags', '/api/%2e%2e/api/tags', '/api/tags%2F'])(
    'spelled %s never answers what the plain one would deny',
    async (url) => {
      expect((await api.callRaw('GET', url)).status).toBeGreaterThanOrEqual(400);
    },
  );

  it('with a malformed id is 400 INVALID_ID', async () => {
    const answer = await api.callRaw('GET', '/api/tags/not-an-id', { token: tenant.token });
    expect(answer.status).toBe(400);
    expect(answer.error.code).toBe('INVALID_ID');
  });
});

describe('paging', () => {
  it.each(['page=0', 'page=-1', 'page=abc', 'limit=0', 'limit=101', 'limit=1e2', 'limit=1.5', 'page=1&page=2'])(
    'with %s is 400 INVALID_PAGINATION',
    async (query) => {
      const answer = await api.callRaw('GET', `/api/tags?${query}`, { token: tenant.token });
      expect(answer.status).toBe(400);
      expect(answer.error.code).toBe('INVALID_PAGINATION');
    },
  );

  it('past the end is an empty page with the true count', async () => {
    const answer = await api.call(contract.tags.list, { query: { page: '900' } }, { token: tenant.token });
    expect(answer.body.data).toEqual([]);
    expect(answer.body.pagination.totalCount).toBe(await countTags());
  });
});

describe('headers and files', () => {
  it('tell browsers to keep nothing of the API and to guess nothing', async () => {
    const answer = await api.callRaw('GET', '/api/tags', { token: tenant.token });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.headers).not.toHaveProperty('x-powered-by');
  });

  it('name a file in one header whatever the owner is called', () => {
    expect(contentDisposition('a"b\r\nSet-Cookie: x.csv')).not.toMatch(/[\r\n]|"b/);
    expect(contentDisposition('ଓଡ଼ିଆ.csv')).toContain("filename*=UTF-8''%E0%AC%93");
    expect(contentDisposition('../../etc/passwd')).toContain('filename="__');
  });

  it('mask account numbers and PANs in what is logged', () => {
    expect(scrub('Key (pan)=(ABCDE1234F) account 00012345678')).toBe('Key (pan)=([pan]) account [digits]');
  });

  it('answer health without a session', async () => {
    expect((await api.callRaw('GET', '/health/live')).status).toBe(200);
    expect((await api.callRaw('GET', '/health/ready')).status).toBe(200);
  });

  it('serve the API document and its page', async () => {
    expect((await api.callRaw('GET', '/api/openapi.json')).body).toHaveProperty('paths');
    expect((await api.callRaw('GET', '/api/docs/')).text).toContain('swagger');
    const missing = await api.callRaw('GET', '/api/docs/static/nothing.js');
    expect(missing.error.code).toBe('NOT_FOUND');
  });

  it('do not serve them where the operator says so', async () => {
    const app = await buildApp({ pools: api.pools, logLevel: 'silent', apiDocs: false });
    const urls = ['/api/docs', '/api/docs/', '/api/docs/static/swagger-ui.css', '/api/openapi.json'];
    const answers = await Promise.all(urls.map((url) => app.inject({ method: 'GET', url })));
    await app.close();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(urls.map(() => 404));
  });

  it('serve that page also to those who ask for it first at the same time', async () => {
    const app = await buildApp({ pools: api.pools, logLevel: 'silent' });
    try {
      const urls = ['/api/docs/', '/api/docs/json', '/api/docs/static/swagger-ui.css', '/api/openapi.json'];
      const answers = await Promise.all([...urls, ...urls].map((url) => app.inject({ method: 'GET', url })));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
      expect(answers[1]!.json()).toEqual(answers[3]!.json());
    } finally {
      await app.close();
    }
  });
});
