import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../src/server/app.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';

/** The web app's own files and pages beside the API, and the headers of both (docs/security.md §7). */
let api: Api;
let app: FastifyInstance;
let tenant: Tenant;
let webRoot: string;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  webRoot = await mkdtemp(path.join(tmpdir(), 'challan-desk-web-'));
  await mkdir(path.join(webRoot, 'assets'));
  await mkdir(path.join(webRoot, '.git'));
  const files = {
    'index.html': '<!doctype html><head><title>page</title></head><script src="/theme.js" nonce="{{nonce}}"></script>',
    'preloads.json': '{"/challans/edit/:id":["assets/main-1a2b.js"]}',
    'theme.js': 'theme',
    'assets/main-1a2b.js': 'main',
    'assets/main-1a2b.js.map': '{"secret":"map"}',
    '.env': 'SECRET=env',
    '.git/config': '[secret]',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(webRoot, name), text);
  app = await buildApp({ pools: api.pools, logLevel: 'silent', webRoot });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await api.close();
  await rm(webRoot, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

describe('an address of the web app', () => {
  it.each(['/', '/login', '/challans/edit/7b0c3f5e-2f0a-4a52-9f6e-0123456789ab?from=1.5', '/api-guide'])(
    '%s is the one page, with its policy',
    async (url) => {
      const answer = await get(url);
      expect(answer.statusCode).toBe(200);
      expect(answer.payload).toContain('<title>page</title>');
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain('report-uri /api/policy-reports');
      expect(policy).not.toContain('sandbox');
    },
  );

  it('links the files of its screen, so that the browser loads them at once', async () => {
    const link = '<link rel="modulepreload" crossorigin href="/assets/main-1a2b.js"></head>';
    expect((await get('/challans/edit/7b0c?from=1')).payload).toContain(link);
    for (const url of ['/', '/challans/edit', '/challans/edit/7/8']) {
      expect((await get(url)).payload).not.toContain('modulepreload');
    }
    expect((await get('/preloads.json')).statusCode).toBe(404);
  });

  it('answers HEAD as GET, without the page', async () => {
    const answer = await app.inject({ method: 'HEAD', url: '/' });
    expect([answer.statusCode, answer.payload]).toEqual([200, '']);
    expect((await app.inject({ method: 'HEAD', url: '/nothing.txt' })).statusCode).toBe(404);
  });

  it('has a nonce of its own for the style elements each time, and no copy of it may be kept', async () => {
    const pages = await Promise.all([get('/'), get('/')]);
    const nonces = pages.map(({ payload, headers }) => {
      const nonce = /nonce="([0-9a-f]{32})"/.exec(payload)?.[1];
      expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers).toMatchObject({ 'cache-control': 'no-cache' });
      expect(headers).not.toHaveProperty('etag');
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
    expect((await get('/index.html')).statusCode).toBe(404);
  });

  it.each(['/theme.js', '/assets/main-1a2b.js'])('%s is its file', async (url) => {
    expect((await get(url)).statusCode).toBe(200);
  });

  it.each([
    '/.git/config',
    '/.git',
    '/.git/',
    '/.env',
    '/.env?x=1',
    '/.well-known',
    '/.well-known/security.txt',
    '/.well-known/change-password',
    '/assets/.git/config',
    '/challans/.hidden/edit',
    '/%2egit/config',
    '/%2Eenv',
    '/a%2f.git/config',
    '/a%5c.git%5cconfig',
    '/%zz',
    '/assets/main-1a2b.js.map',
    '/main.js.map',
    '/metrics.txt',
    '/assets/gone.js',
    '/backup.tar.gz',
    '/odd.na-me',
  ])('%s is a 404, and no page', async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND' });
    expect(answer.payload).not.toMatch(/secret|<title>/i);
  });
});

describe('an answer that is no page', () => {
  it.each([
    '/api/tags',
    '/api/tags?x=/api/docs',
    '/api/tags/%zz',
    '/api/nothing',
    '/api',
    '/api/openapi.json',
    '/health/live',
    '/health/ready',
    '/share/none',
  ])('at %s runs nothing, is shown in no frame and is not cached', async (url) => {
    for (const answer of [await get(url), await get(url, { authorization: `Bearer ${tenant.token}` })]) {
      expect(answer.headers).toMatchObject({
        'content-security-policy': apiPolicy,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('is the same for a write and for a file', async () => {
    const owner = await createOwner(api, tenant);
    const headers = { authorization: `Bearer ${tenant.token}` };
    const file = await app.inject({
      method: 'POST',
      url: '/api/accounting/export-owner-challans-csv',
      headers,
      payload: { ownerId: owner.id, filters: {} },
    });
    expect(file.statusCode).toBe(200);
    expect(file.headers['content-disposition']).toMatch(/^attachment/);
    const wrong = await app.inject({ method: 'POST', url: '/api/tags', headers, payload: {} });
    expect(wrong.statusCode).toBe(400);
    for (const answer of [file, wrong]) {
      expect(answer.headers).toMatchObject({ 'content-security-policy': apiPolicy, 'cache-control': 'no-store' });
    }
  });

  it('is distinguished from the page of the API document, which has files to load', async () => {
    const page = await get('/api/docs/');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain('sandbox');
    const scripts = [...page.payload.matchAll(/src="\.\/([^"]+)"/g)].map(([, name]) => name);
    expect(scripts.length).toBeGreaterThan(0);
    for (const name of scripts) expect((await get(`/api/docs/${name}`)).statusCode).toBe(200);
  });
});
