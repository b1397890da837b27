import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allErrors, fillPath, type Endpoint } from '../../../src/shared/contract/define.ts';
import { errorStatus } from '../../../src/shared/contract/errors.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { someOf } from '../../long.ts';
import { startApi, type Answer, type Api, type CallOptions } from '../support/api.ts';
import { presentRows, type TableRow } from '../support/endpoint-table.ts';
import { buildScene, scenesOf, unknownRefs, type Refs, type Scene } from '../support/scene.ts';

/**
 * Whatever is wrong with a request, the code of the answer is one that the contract declares for that endpoint, so that a
 * client written from the API document alone knows every answer it may get; and the message is in words of the product,
 * not of the library that reads requests.
 */
const libraryWords =
  /Invalid (input|option|string|key|element)|expected (string|number|int|boolean|array|object|one of)|, received |Too (big|small): |Unrecognized key/;

let api: Api;
let shared: Scene;
let nextScene: () => Promise<Scene>;
beforeAll(async () => {
  api = await startApi();
  nextScene = scenesOf(api, 'WRONG');
  shared = await buildScene(api, 'DECLARED');
});
afterAll(() => api.close());

interface Given {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

interface Wrong extends CallOptions {
  what: string;
  url: string;
  payload?: string;
}

const strange = [
  '',
  'x',
  'x'.repeat(60),
  'x'.repeat(190),
  'x'.repeat(5_000),
  '\u0000',
  '\ud83d',
  '-1',
  '1e9',
  '../..',
  'none',
  'null',
];
const wrongValues: unknown[] = [
  null,
  0,
  -1,
  1.5,
  true,
  '',
  ' ',
  'x',
  'x'.repeat(3_000),
  '\u0000',
  '1e5',
  2 ** 31,
  2 ** 53,
  1e300,
  '999999999999.99',
  '2026-02-30',
  [],
  ['x'],
  {},
  { x: 1 },
];

function addressOf({ endpoint }: TableRow, given: Given): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...given.query, ...endpoint.when })) {
    if (value !== undefined) search.set(name, String(value));
  }
  return `/api${fillPath(endpoint.path, given.params)}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

const lone = (value: string): string => encodeURIComponent(value.isWellFormed() ? value : '\ufffd');

/** As the path has it, with one parameter as it should not be. */
function wrongParams(row: TableRow, given: Given): Wrong[] {
  return Object.keys(given.params ?? {}).flatMap((name) =>
    [...strange.slice(1).map(lone), '%zz', '%00', '%ff', 'not-an-id', '%20'].map((value) => ({
      what: `${name} in the address: ${value.slice(0, 20)}`,
      url: addressOf(row, { ...given, params: { ...given.params, [name]: 'THE-PARAMETER' } }).replace(
        'THE-PARAMETER',
        value,
      ),
    })),
  );
}

function wrongQueries(row: TableRow, given: Given): Wrong[] {
  const url = addressOf(row, given);
  const and = url.includes('?') ? '&' : '?';
  const names = Object.keys(row.endpoint.query?.shape ?? {});
  const each = names.flatMap((name) => [
    ...strange.map((value) => `${name}=${lone(value)}`),
    `${name}=%zz`,
    `${name}=a&${name}=b`,
    `${name}[]=a`,
    `${name}[x]=a`,
  ]);
  const reversed = names.some((name) => /start/i.test(name))
    ? ['startDate=2026-05-01&endDate=2026-04-01', 'depositedStartDate=2026-05-01&depositedEndDate=2026-04-01']
    : [];
  return [...each, ...reversed, 'nothing=known', '__proto__=x', '%zz=%zz'].map((query) => ({
    what: `query ${query.slice(0, 40)}`,
    // In the place of the value there may be: a second one would be an array, which is a case of its own.
    url: `${withoutQuery(url, query.split('=')[0] ?? '')}${and}${query}`,
  }));
}

function withoutQuery(url: string, name: string): string {
  const [path = '', search = ''] = url.split('?');
  const kept = search.split('&').filter((part) => part !== '' && part.split('=')[0] !== name);
  return url.includes('?') ? `${path}?${kept.join('&')}` : path;
}

function wrongBodies(row: TableRow, given: Given): Wrong[] {
  const url = addressOf(row, given);
  const { endpoint } = row;
  const body = given.body ?? {};
  const changed = Object.keys(endpoint.body?.shape ?? {}).flatMap((name) => [
    ...wrongValues.map((value) => ({
      what: `${name} = ${JSON.stringify(value).slice(0, 20)}`,
      body: { ...body, [name]: value },
    })),
    { what: `without ${name}`, body: Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)) },
  ]);
  const nested = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? [...Object.keys(value), 'unknown'].flatMap((inner) =>
          wrongValues.map((wrong) => ({
            what: `${name}.${inner}`,
            body: { ...body, [name]: { ...value, [inner]: wrong } },
          })),
        )
      : [],
  );
  const text = JSON.stringify(body);
  const payloads = [
    '',
    '{',
    '[]',
    '"x"',
    '1',
    'null',
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '{"unknown":1}',
    '\ufeff{}',
    `${'['.repeat(50)}${']'.repeat(50)}`,
  ];
  return [
    { what: 'no body', url },
    ...[...changed, ...nested].map((wrong) => ({ what: wrong.what, url, payload: JSON.stringify(wrong.body) })),
    ...payloads.map((payload) => ({ what: `body ${payload.slice(0, 20)}`, url, payload })),
    { what: 'too large a body', url, payload: `{"x":"${'x'.repeat(endpoint.bodyLimit)}"}` },
    ...[
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-7',
      'nonsense',
    ].map((type) => ({ what: `body as ${type}`, url, payload: text, headers: { 'content-type': type } })),
    { what: 'an odd encoding', url, payload: text, headers: { 'content-encoding': 'gzip' } },
  ];
}

function wrongHeaders(row: TableRow, given: Given): Wrong[] {
  const one = { url: addressOf(row, given), ...(given.body ? { payload: JSON.stringify(given.body) } : {}) };
  return [
    { ...one, what: 'no key at all', headers: { 'idempotency-key': '' } },
    { ...one, what: 'too long a key', key: 'k'.repeat(256) },
    { ...one, what: 'a nameless screen', headers: { 'x-screen': '\u00e9'.repeat(90) } },
    { ...one, what: 'an unknown kind of token', headers: { authorization: 'Basic abc' } },
    { ...one, what: 'an unknown token', token: 'A'.repeat(43) },
  ];
}

const everythingWrong = (row: TableRow, refs: Refs): Wrong[] => {
  const given = row.cell.args(refs) as Given;
  const isRead = row.endpoint.method === 'GET';
  return [
    ...someOf([...wrongParams(row, given), ...wrongQueries(row, given), ...(isRead ? [] : wrongBodies(row, given))]),
    ...wrongHeaders(row, given),
    { what: 'unknown ids', ...unknown(row) },
  ];
};

function unknown(row: TableRow): { url: string; payload?: string } {
  const given = row.cell.args(unknownRefs) as Given;
  return { url: addressOf(row, given), ...(given.body ? { payload: JSON.stringify(given.body) } : {}) };
}

const signIn = async (endpoint: Endpoint, scene: Scene): Promise<string> => {
  const isAdmin = endpoint.roles !== 'public' && !endpoint.roles.includes('subadmin');
  const { password } = scene.tenant;
  return isAdmin
    ? (await api.call(contract.session.loginAdmin, { body: { email: 'admin@challan.test', password } })).body.data.token
    : (await api.call(contract.session.loginSubadmin, { body: { email: scene.tenant.email, password } })).body.token;
};

describe('a refusal has a declared code and a message of the product', () => {
  it.each(presentRows.map((row) => [row.name, row] as const))('for whatever is wrong with %s', async (_, row) => {
    const { endpoint } = row;
    const declared = new Set<string>(allErrors(endpoint));
    // A write with something odd about it may still be done: on records of its own.
    const scene = endpoint.method === 'GET' ? shared : await nextScene();
    let token = await signIn(endpoint, scene);
    const undeclared: unknown[] = [];
    const seen = new Set<string>();
    const foreign = new Set<string>();
    const look = async ({ what, url, payload, ...options }: Wrong): Promise<void> => {
      const answer: Answer<unknown> = await api.callRaw(endpoint.method, url, {
        token,
        ...options,
        ...(payload === undefined ? {} : { payload }),
      });
      if (answer.status < 400) {
        if (row.name.startsWith('session.')) token = await signIn(endpoint, scene);
        return;
      }
      const { code, message, fields = {} } = answer.error;
      seen.add(code);
      for (const [field, text] of [['message', message], ...Object.entries(fields)]) {
        if (libraryWords.test(text ?? '')) foreign.add(`${what}: ${field}: ${text}`);
      }
      // A wrong request is never the server's fault.
      if (!declared.has(code) || errorStatus[code] !== answer.status || answer.status >= 500)
        undeclared.push([what, answer.status, code, answer.text.slice(0, 160)]);
    };
    const wrongs = everythingWrong(row, scene.refs);
    const work = async (): Promise<void> => {
      for (let wrong = wrongs.shift(); wrong !== undefined; wrong = wrongs.shift()) await look(wrong);
    };
    // As many at once as one account may have at work; one by one where a call ends or changes the own session.
    const atOnce = /^(session|secondStep|people|profile)\./.test(row.name) ? 1 : 6;
    await Promise.all(Array.from({ length: atOnce }, work));
    // An account has ten sessions at most, and the one that made the scenes is the oldest.
    await api.call(contract.session.logout, {}, { token });
    expect(undeclared).toEqual([]);
    expect([...foreign]).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
  });
});
