import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { endpoint, file } from '../../../../src/shared/contract/define.ts';
import { call } from '../../../../src/web/kit/api/client.ts';
import { endSession, startSession } from '../../../../src/web/kit/api/session-store.ts';

/** docs/specification.md §14.1: 30 s for an answer. A file on a slow line is an answer that is coming. */
const csv = endpoint('owners', 'GET /csv', { summary: 'File', roles: ['subadmin'], answer: file });
const list = endpoint('owners', 'GET /owners', {
  summary: 'All',
  roles: ['subadmin'],
  answer: z.object({ data: z.string() }),
});
const upload = endpoint('hsd-verification', 'POST /upload', {
  summary: 'A file',
  roles: ['subadmin'],
  upload: true,
  answer: z.object({ data: z.string() }),
});
const timedOut = { code: 'TIMEOUT', text: 'timeout of 30000 ms exceeded' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  localStorage.clear();
  startSession({
    token: 'token-of-a-session',
    role: 'subadmin',
    user: { id: 'a@b.in', email: 'a@b.in', role: 'subadmin' },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  endSession('logout');
});

/** An answer whose head comes when the test says so, and whose body in the pieces it gives. */
function slowNetwork(): { head: () => void; piece: (text: string) => void; end: () => void } {
  let head = (): void => undefined;
  let body!: ReadableStreamDefaultController<Uint8Array>;
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit & { signal: AbortSignal }) => {
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
    return new Promise<Response>((resolve, reject) => {
      head = () => resolve(new Response(stream, { headers: { 'content-type': 'text/csv' } }));
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
        body.error(signal.reason);
      });
    });
  });
  return {
    head: () => head(),
    piece: (text) => body.enqueue(new TextEncoder().encode(text)),
    end: () => body.close(),
  };
}
/** The promise's end, watched from the start so that no rejection is unhandled. */
const endOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);
/** Streams hand on in tasks of their own, which no clock of ours drives. */
const settle = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
async function pass(ms: number): Promise<void> {
  await settle();
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}

test('a file may take as long as its parts keep coming', async () => {
  const network = slowNetwork();
  const got = call(csv, {});
  await pass(20_000);
  network.head();
  for (const text of ['a,', 'b,', 'c,', 'd']) {
    await pass(20_000);
    network.piece(text);
  }
  await pass(20_000);
  network.end();
  expect(await (await got).blob.text()).toBe('a,b,c,d');
  expect(vi.getTimerCount()).toBe(0);
});

test('a file that stops coming is given up with the sentence for that', async () => {
  const network = slowNetwork();
  const got = endOf(call(csv, {}));
  network.head();
  await pass(1_000);
  network.piece('a,');
  await pass(30_000);
  expect(await got).toMatchObject(timedOut);
});

test('a file whose head does not come is given up too', async () => {
  slowNetwork();
  const got = endOf(call(csv, {}));
  await pass(30_000);
  expect(await got).toMatchObject(timedOut);
});

test('any other answer has 30 s in all', async () => {
  const network = slowNetwork();
  const got = endOf(call(list, {}));
  await pass(15_000);
  network.head();
  network.piece('{"success":true,');
  await pass(15_000);
  expect(await got).toMatchObject(timedOut);
});

/** The browser's own sender of uploads, as far as the client uses it; what happens on it is the test's to say. */
class Sender extends EventTarget {
  static last: Sender;
  readonly upload = new EventTarget();
  status = 200;
  responseText = '{"success":true,"data":"ok"}';
  constructor() {
    super();
    Sender.last = this;
  }
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  getAllResponseHeaders(): string {
    return 'content-type: application/json';
  }
  abort(): void {
    this.dispatchEvent(new Event('abort'));
  }
  sent(loaded: number): void {
    this.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total: 100, lengthComputable: true }));
  }
}
const bill = new File(['TP No,Amount'], 'bill.csv');

test('a file may be sent for as long as it gets on, and its answer has 30 s from the last byte', async () => {
  vi.stubGlobal('XMLHttpRequest', Sender);
  const got = call(upload, {}, { file: bill });
  for (const loaded of [20, 60, 100]) {
    await pass(25_000);
    Sender.last.sent(loaded);
  }
  await pass(25_000);
  Sender.last.dispatchEvent(new Event('load'));
  expect(await got).toMatchObject({ data: 'ok' });
});

test.each([
  ['stops getting on', 60],
  ['was sent and not answered', 100],
])('a file that %s is given up', async (_, loaded) => {
  vi.stubGlobal('XMLHttpRequest', Sender);
  const got = endOf(call(upload, {}, { file: bill }));
  await pass(25_000);
  Sender.last.sent(loaded);
  await pass(29_000);
  expect(vi.getTimerCount()).toBe(1);
  await pass(1_000);
  expect(await got).toMatchObject(timedOut);
});
