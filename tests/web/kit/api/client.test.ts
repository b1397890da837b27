import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { empty, endpoint, file } from '../../../../src/shared/contract/define.ts';
import { contract } from '../../../../src/shared/contract/index.ts';
import { ApiError, errorText } from '../../../../src/web/kit/api/api-error.ts';
import { call, filenameOf } from '../../../../src/web/kit/api/client.ts';
import {
  endSession,
  getPause,
  getSession,
  startSession,
  registerLayout,
} from '../../../../src/web/kit/api/session-store.ts';

const list = endpoint('owners', 'GET /owners/{id}', {
  summary: 'One',
  roles: ['subadmin'],
  params: z.object({ id: z.string() }),
  query: z.object({ q: z.string().optional(), page: z.number().optional() }),
  answer: z.object({ data: z.string() }),
});
const create = endpoint('owners', 'POST /owners', {
  summary: 'Create',
  roles: ['subadmin'],
  body: z.strictObject({ name: z.string() }),
  answer: z.object({ data: z.string() }),
});
const login = endpoint('session', 'POST /subadmins/login', {
  summary: 'Sign in',
  roles: 'public',
  answer: z.object({ token: z.string() }),
});
const csv = endpoint('owners', 'GET /csv', { summary: 'File', roles: ['subadmin'], answer: file });
const logout = endpoint('session', 'POST /logout', {
  summary: 'Out',
  roles: ['subadmin'],
  answer: empty,
});

/** The network is the one thing that is not ours: it is replaced, and what was sent is kept. */
const sent: Request[] = [];
let answer: (request: Request) => Response | Promise<Response>;
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

beforeEach(() => {
  sent.length = 0;
  answer = () => json({ success: true, data: 'ok' });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const request = new Request(url, init);
    sent.push(request);
    return answer(request);
  });
  localStorage.clear();
  startSession({
    token: 'token-of-a-session',
    role: 'subadmin',
    user: { id: 'a@b.in', email: 'a@b.in', role: 'subadmin' },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  endSession('logout');
});

const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`no ApiError but ${String(error)}`);
  return error;
};

test('path, query and token are sent; absent and empty query values are not', async () => {
  await call(list, { params: { id: 'a/b' }, query: { q: '', page: 2 } });
  expect(sent[0]?.url).toMatch(/\/api\/owners\/a%2Fb\?page=2$/);
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer token-of-a-session');
  expect(sent[0]?.headers.has('x-typed')).toBe(false);
});

test('what was typed is sent in a header, in no address', async () => {
  await call(list, { params: { id: 'a' }, query: { q: 'ABCPS1234K & रमेश', page: 2 } });
  await call(contract.trucks.lookUp, { params: { vehicleNumber: 'OD 09/1' } });
  expect(sent.map(({ url, headers }) => [url.replace(/^.*\/api/, ''), headers.get('x-typed')])).toEqual([
    ['/owners/a?page=2', `q=${encodeURIComponent('ABCPS1234K & रमेश').replaceAll('%20', '+')}`],
    ['/trucks/vehicle/-', 'vehicleNumber=OD+09%2F1'],
  ]);
});

test('a body goes as JSON, with its idempotency key; a public call carries no token', async () => {
  await call(create, { body: { name: 'Ravi' } }, { idempotencyKey: 'key-1' });
  expect(sent[0]?.headers.get('idempotency-key')).toBe('key-1');
  expect(sent[0]?.headers.get('content-type')).toBe('application/json');
  expect(await sent[0]?.text()).toBe('{"name":"Ravi"}');
  await call(login, {});
  expect(sent[1]?.headers.get('authorization')).toBeNull();
});

test.each([
  [{ error: 'Owner', message: 'is in use' }, 'Owner: is in use'],
  [{ message: 'is in use' }, 'is in use'],
  [{ error: 'Owner' }, 'Owner'],
  [{ message: { not: 'text' }, error: 5 }, 'Failed to fetch owners'],
  [{}, 'Failed to fetch owners'],
])('the error text of %j is %j', async (body, text) => {
  answer = () => json({ success: false, code: 'OWNER_IN_USE', requestId: 'r-9', ...body }, 409);
  const error = await failureOf(call(list, { params: { id: 'x' } }));
  expect(errorText(error, 'Failed to fetch owners')).toBe(text);
  expect(error).toMatchObject({ status: 409, code: 'OWNER_IN_USE', requestId: 'r-9' });
});

test('without a screen default the last resort is "An error occurred"', async () => {
  answer = () => json({ success: false }, 500);
  expect(errorText(await failureOf(call(list, { params: { id: 'x' } })))).toBe('An error occurred');
});

test('field messages and conflict data come along', async () => {
  answer = () =>
    json(
      { success: false, code: 'VERSION_CONFLICT', message: 'm', fields: { name: 'taken', odd: 5 }, data: { id: 1 } },
      409,
    );
  const error = await failureOf(call(create, { body: { name: '' } }));
  expect(error.fields).toEqual({ name: 'taken' });
  expect(error.data).toEqual({ id: 1 });
});

test.each([200, 502])('an HTML page of a proxy with status %d becomes the transport text', async (status) => {
  answer = () => new Response('<html><h1>Bad Gateway</h1></html>', { status });
  const error = await failureOf(call(list, { params: { id: 'x' } }));
  expect(errorText(error, 'Failed')).toBe('Network Error');
});

test('no network: Network Error; no answer in time: the timeout text', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(errorText(await failureOf(call(list, { params: { id: 'x' } })), 'Failed')).toBe('Network Error');
  answer = (request) =>
    new Promise((_resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  const late = await failureOf(call(list, { params: { id: 'x' } }, { timeoutMs: 20 }));
  expect(late).toMatchObject({ code: 'TIMEOUT', text: 'timeout of 20 ms exceeded' });
});

test('a call the screen gave up is no error of ours', async () => {
  const controller = new AbortController();
  answer = (request) =>
    new Promise((_resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  const pending = call(list, { params: { id: 'x' } }, { signal: controller.signal });
  controller.abort();
  await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
});

test('401 of the session ends it and clears the storage', async () => {
  answer = () => json({ success: false, message: 'Session expired or invalid token', code: 'UNAUTHORIZED' }, 401);
  await failureOf(call(list, { params: { id: 'x' } }));
  expect(getSession()).toBeNull();
  expect(['token', 'user', 'role'].map((key) => localStorage.getItem(key))).toEqual([null, null, null]);
});

test('a 401 that names neither token nor session, and every 403, leave the session', async () => {
  answer = () => json({ success: false, message: 'Not for you' }, 401);
  await failureOf(call(list, { params: { id: 'x' } }));
  answer = () => json({ success: false, message: 'token expired', code: 'FORBIDDEN' }, 403);
  await failureOf(call(list, { params: { id: 'x' } }));
  expect(getSession()).not.toBeNull();
});

test('a failed login clears what was stored', async () => {
  answer = () => json({ success: false, message: 'Invalid subadmin credentials', code: 'INVALID_CREDENTIALS' }, 401);
  await failureOf(call(login, {}));
  expect(localStorage.getItem('token')).toBeNull();
});

test('a late 401 to an earlier session does not end the one that began since', async () => {
  let refuse: (response: Response) => void = () => undefined;
  answer = () =>
    new Promise((resolve) => {
      refuse = resolve;
    });
  const pending = failureOf(call(list, { params: { id: 'x' } }));
  startSession({
    token: 'another-session-token',
    role: 'subadmin',
    user: { id: 'a@b.in', email: 'a@b.in', role: 'subadmin' },
  });
  refuse(json({ success: false, message: 'Session expired or invalid token' }, 401));
  await pending;
  expect(getSession()?.token).toBe('another-session-token');
});

describe('a session that ends under open screens', () => {
  const expired = () =>
    json({ success: false, message: 'Session expired or invalid token', code: 'UNAUTHORIZED' }, 401);
  const again = (token = 'token-of-the-next-one') =>
    startSession({ token, role: 'subadmin', user: { id: 'a@b.in', email: 'a@b.in', role: 'subadmin' } });
  let close: () => void;
  beforeEach(() => {
    close = registerLayout();
    answer = (request) =>
      request.headers.get('authorization') === 'Bearer token-of-a-session' ? expired() : json({ data: 'ok' });
  });
  afterEach(() => close());

  test('a read waits, and is asked again with the new token', async () => {
    const pending = call(list, { params: { id: 'x' } });
    await vi.waitFor(() => expect(getPause()).not.toBeNull());
    expect(getSession()?.user.email).toBe('a@b.in');
    expect(localStorage.getItem('token')).toBeNull();
    // One that begins meanwhile waits too, without being sent.
    const later = call(list, { params: { id: 'y' } });
    await Promise.resolve();
    expect(sent).toHaveLength(1);
    again();
    expect(await pending).toEqual({ data: 'ok' });
    expect(await later).toEqual({ data: 'ok' });
    expect(sent.slice(1).map((one) => one.headers.get('authorization'))).toEqual(
      Array(2).fill('Bearer token-of-the-next-one'),
    );
  });

  test('a write fails, also one that begins meanwhile, and is not sent again', async () => {
    expect(await failureOf(call(create, { body: { name: 'Ravi' } }))).toMatchObject({ status: 401 });
    expect(await failureOf(call(create, { body: { name: 'Ravi' } }))).toMatchObject({ status: 401 });
    expect(sent).toHaveLength(1);
    again();
    await call(create, { body: { name: 'Ravi' } });
    expect(sent).toHaveLength(2);
  });

  test('a read that its screen gives up ends; so do all when the screens are left', async () => {
    const control = new AbortController();
    const given = call(list, { params: { id: 'x' } }, { signal: control.signal });
    const left = failureOf(call(list, { params: { id: 'y' } }));
    await vi.waitFor(() => expect(getPause()).not.toBeNull());
    control.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    endSession('expired');
    expect(await left).toMatchObject({ status: 401 });
    expect(sent).toHaveLength(2);
  });

  test('a sign-in that fails leaves the screens waiting', async () => {
    await failureOf(call(create, { body: { name: 'Ravi' } }));
    answer = () => json({ success: false, message: 'Invalid subadmin credentials', code: 'INVALID_CREDENTIALS' }, 401);
    await failureOf(call(login, {}));
    expect(sent).toHaveLength(2);
    expect([getPause(), getSession()?.user.email]).toEqual([{ hasRefusedWrite: false }, 'a@b.in']);
  });
});

test('another tab signed out: nothing is sent, this tab is signed out too', async () => {
  localStorage.removeItem('token');
  await failureOf(call(list, { params: { id: 'x' } }));
  expect(sent).toHaveLength(0);
  expect(getSession()).toBeNull();
});

test('another tab renewed the same account: the new token is used', async () => {
  localStorage.setItem('token', 'renewed-token-of-it');
  await call(list, { params: { id: 'x' } });
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer renewed-token-of-it');
});

test('a file comes with the name of its header; an error answer is read as JSON', async () => {
  answer = () => new Response('a,b', { headers: { 'content-disposition': 'attachment; filename="b.csv"' } });
  const got = await call(csv, {});
  expect(got.filename).toBe('b.csv');
  expect(await got.blob.text()).toBe('a,b');
  answer = () => json({ success: false, message: 'Nothing to export', code: 'NO_DATA_FOUND' }, 404);
  expect((await failureOf(call(csv, {}))).text).toBe('Nothing to export');
});

test('204 answers nothing', async () => {
  answer = () => new Response(null, { status: 204 });
  expect(await call(logout, {})).toBeUndefined();
});

test.each([
  [null, undefined],
  ['attachment', undefined],
  ['attachment; filename=plain.csv', 'plain.csv'],
  [`attachment; filename="bank \\"x\\".csv"`, 'bank "x".csv'],
  [`attachment; filename="a.csv"; filename*=UTF-8''bank%20%E2%82%B9.csv`, 'bank ₹.csv'],
  [`attachment; filename="a.csv"; filename*=UTF-8''%ZZ`, 'a.csv'],
])('content-disposition %j names %j', (header, name) => {
  expect(filenameOf(header)).toBe(name);
});
