import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { startApi, type Api } from '../support/api.ts';
import { presentRows, type TableRow } from '../support/endpoint-table.ts';
import { randomOf } from '../support/random.ts';
import { buildScene, type Scene } from '../support/scene.ts';

/**
 * Random calls with wrong values in every place: no 5xx, every refusal in the one form of refusals, every success as the
 * contract declares it (docs/security.md §4.2).
 */
const calls = long(300, 100_000);
const random = randomOf(testSeed('fuzzed calls'));

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

// Without those that end the session or the account of the next call, and the archive of all data.
const leftOut: ReadonlySet<unknown> = new Set([
  contract.session.logout,
  contract.session.end,
  contract.session.endOthers,
  contract.session.changeAdminPassword,
  contract.profile.changePassword,
  contract.profile.takeOut,
  contract.subadmins.remove,
  contract.subadmins.setActive,
  contract.subadmins.update,
]);
const rows = presentRows.filter(({ endpoint }) => endpoint.roles !== 'public' && !leftOut.has(endpoint));

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  '',
  ' ',
  '0',
  '-1',
  '1e5',
  '0x10',
  'NaN',
  '12.345',
  '99999999999999999999',
  '१२',
  '\u0000',
  '\ud800',
  '\u202ereversed',
  'é✓😀',
  "' OR 1=1 --",
  '"; DROP TABLE challans; --',
  '%_\\',
  '<script>alert(1)</script>',
  '=1+1',
  '../../etc/passwd',
  '2026-02-30',
  '0000-00-00',
  '2026-11-23T00:00:00Z',
  '7b0c3f5e-2f0a-4a52-9f6e-0123456789ab',
  '7B0C3F5E',
  'x'.repeat(300),
  'x'.repeat(20_000),
  [],
  [null],
  [[]],
  ['x'],
  {},
  { id: 'x' },
  { length: 1 },
  [1, 2, 3],
];

type Bag = Record<string, unknown>;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Another value in one place of it, at any depth; or a place more, or one less. */
function spoil(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const at = random.below(value.length);
    return random.chance(0.2) ? [...value, ...value] : value.map((item, n) => (n === at ? spoil(item) : item));
  }
  if (isBag(value) && random.chance(0.9)) {
    const keys = Object.keys(value);
    if (keys.length === 0 || random.chance(0.1))
      return { ...value, [random.pick(['id', 'x', 'toString', 'role'])]: random.pick(odd) };
    const key = random.pick(keys);
    if (random.chance(0.1)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    return { ...value, [key]: spoil(value[key]) };
  }
  return random.pick(odd);
}

const refusal = z.object({
  success: z.literal(false),
  message: z.string().min(1),
  code: z.string().regex(/^[A-Z_]+$/),
  requestId: z.string().min(1),
});

async function callOnce(row: TableRow, scene: Scene): Promise<number> {
  const { endpoint } = row;
  const args = row.cell.args(scene.refs) as { params?: Record<string, string>; query?: Bag; body?: unknown };
  const where = random.pick(['params', 'query', 'body', 'body'] as const);
  const names = Object.keys(endpoint.query?.shape ?? {});
  const params =
    where === 'params'
      ? Object.fromEntries(Object.keys(args.params ?? {}).map((name) => [name, String(random.pick(odd))]))
      : args.params;
  const query: Bag = {
    ...args.query,
    ...(where === 'query' && names.length > 0 && { [random.pick(names)]: random.pick(odd) }),
  };
  const body = where === 'body' && args.body !== undefined ? spoil(args.body) : args.body;
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params?.[name] ?? 'x').toWellFormed()),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...endpoint.when })) {
    if (value !== undefined) search.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const url = `/api${path}${search.size > 0 ? `?${search.toString()}` : ''}`;
  const token = row.cell.subadmin === 403 ? api.adminToken : scene.tenant.token;
  const answer = await api.callRaw(endpoint.method, url, { token, ...(body === undefined ? {} : { body }) });
  const shown = [
    row.name,
    url.slice(0, 300),
    JSON.stringify(body)?.slice(0, 500),
    answer.status,
    answer.text.slice(0, 300),
  ];
  if (answer.status >= 500) expect(shown).toBe('an answer below 500');
  if (answer.status >= 400) expect([shown, refusal.safeParse(answer.body).error?.message]).toEqual([shown, undefined]);
  else if (!('kind' in endpoint.answer) && answer.text !== '') {
    expect([shown, endpoint.answer.safeParse(answer.body).error?.message]).toEqual([shown, undefined]);
  }
  return answer.status;
}

it(
  `${calls} calls with wrong values: none is answered with 5xx or out of form`,
  async () => {
    const statuses = new Map<number, number>();
    let scene = await buildScene(api, 'FUZZED');
    // As many at once as one account may have at work.
    const atOnce = 6;
    for (let done = 0; done < calls; done += atOnce) {
      if (done % 300 === 294) scene = await buildScene(api, 'FUZZED');
      const answers = await Promise.all(Array.from({ length: atOnce }, () => callOnce(random.pick(rows), scene)));
      for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const answered = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    process.stdout.write(`${answered} fuzzed calls; statuses ${JSON.stringify([...statuses].sort())}\n`);
    expect(answered).toBeGreaterThanOrEqual(calls);
    // Some are right in spite of it, so that successes are looked at too.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(calls / 20);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(calls / 20);
  },
  longLimit(60_000, 4 * 3_600_000),
);
