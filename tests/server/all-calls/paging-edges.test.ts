import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPath, type Endpoint } from '../../../src/shared/contract/define.ts';
import type { Pagination } from '../../../src/shared/contract/scalars.ts';
import { startApi, type Answer, type Api } from '../support/api.ts';
import { presentRows, type TableRow } from '../support/endpoint-table.ts';
import { buildScene, type Scene } from '../support/scene.ts';

/** Every paged list of the contract at the edges of its page and limit (docs/specification.md §14.3). */
let api: Api;
let scene: Scene;

beforeAll(async () => {
  api = await startApi();
  await buildScene(api, 'OTHER');
  scene = await buildScene(api, 'PAGES');
});
afterAll(() => api.close());

const isPaged = ({ query }: Endpoint): boolean => query !== undefined && 'page' in query.shape;

/** Each paged endpoint once for each role that may call it. */
const paged = presentRows
  .filter(({ endpoint }) => isPaged(endpoint))
  .flatMap((row) =>
    (['subadmin', 'admin'] as const)
      .filter((role) => row.endpoint.roles !== 'public' && row.endpoint.roles.includes(role))
      .map((role) => [`${row.name} as ${role}`, row, role] as const),
  );

/** A file has every page: of it only what is refused is of interest. */
const lists = paged.filter(([, { endpoint }]) => !('kind' in endpoint.answer));

type Role = 'subadmin' | 'admin';
interface Page {
  data?: unknown;
  /** Of a search. */
  results?: unknown[];
  pagination: Pagination;
}

function ask({ endpoint, cell }: TableRow, role: Role, paging: string): Promise<Answer<Record<string, unknown>>> {
  const { params, query } = cell.args(scene.refs) as {
    params?: Record<string, string>;
    query?: Record<string, string>;
  };
  const { page: _, limit: __, ...filter } = query ?? {};
  const search = new URLSearchParams({ ...filter, ...endpoint.when }).toString();
  const url = `/api${fillPath(endpoint.path, params)}?${search}${search && paging && '&'}${paging}`;
  return api.callRaw('GET', url, { token: role === 'admin' ? api.adminToken : scene.tenant.token });
}

const pageOf = (answer: Answer<Record<string, unknown>>): Page => answer.body as unknown as Page;

/** The list itself: `data`, or where `data` is more than a list, the lists of records in it. */
function listsOf({ results, data = results }: Page): unknown[][] {
  if (Array.isArray(data)) return [data];
  return Object.values(data as object).filter(
    (value): value is unknown[] => Array.isArray(value) && typeof value[0] !== 'string',
  );
}

describe('a paged list', () => {
  it('is what most resources have', () => {
    expect(paged.length).toBeGreaterThan(15);
    expect(paged.map(([name]) => name)).toContain('owners.listAllSystem as admin');
  });

  it.each(lists)('%s past its end is an empty page with the true count', async (_, row, role) => {
    const first = pageOf(await ask(row, role, 'page=1&limit=1'));
    expect(listsOf(first).length).toBe(1);
    const { totalCount } = first.pagination;
    for (const paging of [
      'page=1000000000&limit=100',
      'page=1000000000&limit=1',
      'page=21474838&limit=100',
      'page=1000000000',
      `page=${totalCount + 1}&limit=1`,
    ]) {
      const answer = await ask(row, role, paging);
      expect([paging, answer.status, answer.text.slice(0, 200)]).toEqual([paging, 200, expect.any(String)]);
      expect([paging, listsOf(pageOf(answer))]).toEqual([paging, [[]]]);
      const { pagination } = pageOf(answer);
      expect(pagination).toMatchObject({
        totalCount,
        hasNext: false,
        totalPages: Math.ceil(totalCount / pagination.limit),
      });
      expect(pagination.offset).toBe((pagination.currentPage - 1) * pagination.limit);
    }
  });

  it.each(paged)('%s refuses what is no page and no limit', async (_, row, role) => {
    const wrong = [
      '0',
      '-1',
      'abc',
      '1.5',
      '1e9',
      '0x10',
      '+1',
      '٣',
      '9007199254740992',
      '1000000001',
      '9'.repeat(400),
    ];
    const pagings = [
      ...wrong.map((value) => `page=${encodeURIComponent(value)}`),
      ...[...wrong, '101'].map((value) => `limit=${encodeURIComponent(value)}`),
      'page=1&page=2',
      'limit=10&limit=20',
      'page=1000000000&limit=101',
      ...('pageSize' in (row.endpoint.query?.shape ?? {})
        ? ['pageSize=101', 'pageSize=0', 'pageSize=9007199254740992']
        : []),
    ];
    for (const paging of pagings) {
      const answer = await ask(row, role, paging);
      expect([paging, answer.status, answer.error.code]).toEqual([paging, 400, 'INVALID_PAGINATION']);
    }
  });
});
