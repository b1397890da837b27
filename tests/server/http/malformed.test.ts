import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '../../../src/shared/contract/errors.ts';
import { startApi, type Api } from '../support/api.ts';
import { listen, until } from '../support/hsd-socket.ts';

/** What is no request, sent over a real connection: it is refused in the form of every refusal. */
let api: Api;
let port: number;
beforeAll(async () => {
  api = await startApi();
  port = await listen(api);
});
afterAll(() => api.close());

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

/** The last answer that a connection brought before it was closed. */
function lastAnswer(said: string): RawAnswer {
  const [head = '', body = ''] = said.slice(said.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((header) => header.split(': ') as [string, string]);
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    // Every refusal is JSON of this shape; anything else fails here.
    body: JSON.parse(body) as ErrorBody,
  };
}

async function say(raw: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(raw);
  return text(socket);
}

function expectShape(answer: RawAnswer, status: number, code: string, message: string): void {
  expect(answer.body).toEqual({ success: false, message, code, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
    'x-request-id': answer.body.requestId,
  });
}

const get = 'GET /health/live HTTP/1.1\r\n';

describe('what is no request', () => {
  it.each([
    ['no HTTP at all', 'TP No,Amount\r\n\r\n'],
    ['a wrong version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a name', `${get}Host: x\r\n: y\r\n\r\n`],
    [
      'two lengths of one body',
      'POST /api/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s is a 400 in the form of every refusal', async (_, raw) => {
    expectShape(lastAnswer(await say(raw)), 400, 'INVALID_REQUEST', 'The request is not valid HTTP.');
  });

  it('headers that are too large are a 431', async () => {
    const answer = lastAnswer(await say(`${get}Host: x\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`));
    expectShape(answer, 431, 'HEADERS_TOO_LARGE', 'The headers of the request are too large.');
  });

  it('no Host, and an expectation that nobody has, are 400s that say so', async () => {
    const noHost = lastAnswer(await say(`${get}Connection: close\r\n\r\n`));
    expectShape(noHost, 400, 'INVALID_REQUEST', 'The request has no Host header.');
    const expecting = lastAnswer(await say(`${get}Host: x\r\nExpect: the moon\r\n\r\n`));
    expectShape(expecting, 400, 'INVALID_REQUEST', 'The header Expect is not supported.');
  });

  it('behind a request that was answered leaves that answer whole', async () => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    socket.write(`${get}Host: x\r\n\r\n`);
    await until(() => said.includes('"status"') || said.includes('}'));
    const first = said;
    expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    socket.write('nonsense\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(said.startsWith(first)).toBe(true);
    expectShape(lastAnswer(said), 400, 'INVALID_REQUEST', 'The request is not valid HTTP.');
  });

  it('a request that never ends is a 408', async () => {
    const arrived = new Promise<Socket>((resolve) => api.app.server.once('connection', resolve));
    const said = say(`${get}Host:`);
    // What Node raises when its clock for a request runs out.
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    api.app.server.emit('clientError', late, await arrived);
    const message = 'The request took too long to arrive. Please try again.';
    expectShape(lastAnswer(await said), 408, 'REQUEST_TIMEOUT', message);
  });
});
