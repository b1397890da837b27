import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendText } from '../../../src/server/http/answer.ts';
import { compressAnswers } from '../../../src/server/http/compress.ts';

/** Compressed answers (docs/decisions.md 153). */
let app: FastifyInstance;
const rows = Array.from({ length: 100 }, (_, n) => ({ challanNumber: `CH-2627-${n}`, owner: 'ରାମ Roadlines' }));

beforeAll(async () => {
  app = fastify();
  compressAnswers(app);
  app.get('/rows', (_request, reply) => sendText(reply, { status: 200, text: JSON.stringify(rows) }));
  app.get('/text-rows', () => rows);
  app.post('/rows', () => rows);
  app.get('/row', () => rows[0]);
  app.get('/text', (_request, reply) => reply.type('text/csv').send(JSON.stringify(rows)));
  await app.ready();
});
afterAll(() => app.close());

const ask = (url: string, accepted?: string, method: 'GET' | 'POST' = 'GET') =>
  app.inject({ method, url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });

it.each([
  ['gzip, deflate, br, zstd', 'br', '/rows', brotliDecompressSync],
  ['gzip, deflate, br, zstd', 'br', '/text-rows', brotliDecompressSync],
  ['gzip, deflate', 'gzip', '/rows', gunzipSync],
  ['GZIP;q=0.5, br;q=0', 'gzip', '/rows', gunzipSync],
] as const)('a client that takes %s gets %s of %s', async (accepted, encoding, url, decompress) => {
  const { headers, rawPayload } = await ask(url, accepted);
  expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
  expect(headers['content-length']).toBe(String(rawPayload.length));
  expect(JSON.parse(decompress(rawPayload).toString())).toEqual(rows);
});

it.each([
  ['/rows', undefined, 'GET'],
  ['/rows', 'identity, brown, x-gzip', 'GET'],
  ['/rows', 'br;q=0.0, gzip ; q=0', 'GET'],
  ['/row', 'br', 'GET'],
  ['/text', 'br', 'GET'],
  // Such an answer may have a token beside what the caller sent.
  ['/rows', 'br', 'POST'],
] as const)('%s with %s by %s stays as it is', async (url, accepted, method) => {
  const { headers, payload } = await ask(url, accepted, method);
  expect(headers).not.toHaveProperty('content-encoding');
  expect(payload).toContain('CH-2627-0');
});
