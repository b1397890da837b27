import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { endpoint, file } from '../../../../src/shared/contract/define.ts';
import { createResource } from '../../../../src/web/kit/api/create-resource.ts';
import type { DownloadedFile } from '../../../../src/web/kit/api/client.ts';
import { change } from '../../../../src/web/kit/api/optimistic.ts';
import { makeQueryClient } from '../../../../src/web/kit/api/query-client.ts';

const item = z.object({ id: z.string(), paid: z.boolean() });
const list = endpoint('challans', 'GET /items', {
  summary: 'List',
  roles: 'public',
  query: z.object({ page: z.number().default(1) }),
  answer: z.object({ data: z.array(item) }),
});
const other = endpoint('owners', 'GET /others', {
  summary: 'Others',
  roles: 'public',
  answer: z.object({ data: z.string() }),
});
const update = endpoint('challans', 'PUT /items/{id}', {
  summary: 'Update',
  roles: 'public',
  params: z.object({ id: z.string() }),
  body: z.strictObject({ paid: z.boolean() }),
  answer: z.object({ data: item }),
  touches: ['challans'],
});
const csv = endpoint('challans', 'GET /items/csv', { summary: 'File', roles: 'public', answer: file });
const items = createResource({ list, update, csv });
const others = createResource({ get: other });

/** The server of these tests: two items, and a hand on when and how a write is answered. */
let stored: { id: string; paid: boolean }[];
let gets: string[];
let onWrite: (id: string) => Promise<Response>;
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

beforeEach(() => {
  stored = [
    { id: 'a', paid: false },
    { id: 'b', paid: false },
  ];
  gets = [];
  onWrite = async () => json({ success: true, data: stored[0] });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method === 'GET') {
      gets.push(url);
      return json({ success: true, data: url.includes('others') ? 'x' : structuredClone(stored) });
    }
    const id = url.split('/').at(-1) ?? '';
    const response = await onWrite(id);
    if (response.ok) stored = stored.map((row) => (row.id === id ? { ...row, paid: true } : row));
    return response;
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function wrapped<T>(hook: () => T): { result: { current: T }; client: QueryClient } {
  const client = makeQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return { ...renderHook(hook, { wrapper }), client };
}

const markPaid = (variables: { params: { id: string } }) => [
  change(list, (answer) => {
    for (const row of answer.data) if (row.id === variables.params.id) row.paid = true;
  }),
];
const paid = (answer: { data: { id: string; paid: boolean }[] } | undefined) => answer?.data.map((row) => row.paid);

test('hooks are named after the verbs, and typed by the contract', () => {
  expect(Object.keys(items).sort()).toEqual(['calls', 'listKey', 'listOptions', 'useCsv', 'useList', 'useUpdate']);
  expectTypeOf(items.useList)
    .parameter(0)
    .toEqualTypeOf<{ query?: { page?: number | undefined } } & { params?: undefined } & { body?: undefined }>();
  expectTypeOf<NonNullable<ReturnType<typeof items.useList>['data']>>().toEqualTypeOf<{
    data: { id: string; paid: boolean }[];
  }>();
  expectTypeOf<Parameters<ReturnType<typeof items.useUpdate>['mutate']>[0]>().toMatchTypeOf<{
    params: { id: string };
    body: { paid: boolean };
  }>();
  expectTypeOf<NonNullable<ReturnType<typeof items.useCsv>['data']>>().toEqualTypeOf<DownloadedFile>();
  // @ts-expect-error a file is no query
  expect(items.csvOptions).toBeUndefined();
});

test('a write refreshes what it touches and nothing else', async () => {
  const { result } = wrapped(() => ({ list: items.useList({}), other: others.useGet({}), update: items.useUpdate() }));
  await waitFor(() => expect(result.current.other.data && result.current.list.data).toBeTruthy());
  gets.length = 0;
  await act(() => result.current.update.mutateAsync({ params: { id: 'a' }, body: { paid: true } }));
  await waitFor(() => expect(paid(result.current.list.data)).toEqual([true, false]));
  expect(gets).toEqual(['/api/items']);
});

test('a held endpoint stays as it is until it is asked for anew', async () => {
  const { result, client } = wrapped(() => ({
    list: items.useList({}),
    update: items.useUpdate({ keepShown: [list] }),
  }));
  await waitFor(() => expect(result.current.list.data).toBeTruthy());
  gets.length = 0;
  await act(() => result.current.update.mutateAsync({ params: { id: 'a' }, body: { paid: true } }));
  expect(gets).toEqual([]);
  expect(client.getQueryState(items.listKey({}))?.isInvalidated).toBe(true);
});

test('an optimistic change shows at once and stays when the server agrees', async () => {
  let answerWrite: (response: Response) => void = () => undefined;
  onWrite = () => new Promise((resolve) => (answerWrite = resolve));
  const { result } = wrapped(() => ({
    list: items.useList({}),
    update: items.useUpdate({ optimistic: markPaid, keepShown: [list] }),
  }));
  await waitFor(() => expect(result.current.list.data).toBeTruthy());
  act(() => result.current.update.mutate({ params: { id: 'a' }, body: { paid: true } }));
  await waitFor(() => expect(paid(result.current.list.data)).toEqual([true, false]));
  act(() => answerWrite(json({ success: true, data: stored[0] })));
  await waitFor(() => expect(result.current.update.isSuccess).toBe(true));
  expect(paid(result.current.list.data)).toEqual([true, false]);
});

test('of two changes under way the one that fails takes back its own only', async () => {
  const answers = new Map<string, (response: Response) => void>();
  onWrite = (id) => new Promise((resolve) => answers.set(id, resolve));
  const { result } = wrapped(() => ({
    list: items.useList({}),
    first: items.useUpdate({ optimistic: markPaid, keepShown: [list] }),
    second: items.useUpdate({ optimistic: markPaid, keepShown: [list] }),
  }));
  await waitFor(() => expect(result.current.list.data).toBeTruthy());
  act(() => result.current.first.mutate({ params: { id: 'a' }, body: { paid: true } }));
  act(() => result.current.second.mutate({ params: { id: 'b' }, body: { paid: true } }));
  await waitFor(() => expect(paid(result.current.list.data)).toEqual([true, true]));
  await waitFor(() => expect(answers.size).toBe(2));
  act(() => answers.get('a')?.(json({ success: false, message: 'no', code: 'CHALLAN_PAID' }, 409)));
  await waitFor(() => expect(paid(result.current.list.data)).toEqual([false, true]));
  act(() => answers.get('b')?.(json({ success: true, data: stored[1] })));
  await waitFor(() => expect(result.current.second.isSuccess).toBe(true));
  expect(paid(result.current.list.data)).toEqual([false, true]);
});

test('an answer that arrives in between is the new ground under a pending change', async () => {
  let answerWrite: (response: Response) => void = () => undefined;
  onWrite = () => new Promise((resolve) => (answerWrite = resolve));
  const { result } = wrapped(() => ({
    list: items.useList({}),
    update: items.useUpdate({ optimistic: markPaid, keepShown: [list] }),
  }));
  await waitFor(() => expect(result.current.list.data).toBeTruthy());
  act(() => result.current.update.mutate({ params: { id: 'a' }, body: { paid: true } }));
  await waitFor(() => expect(paid(result.current.list.data)).toEqual([true, false]));
  stored = [
    { id: 'a', paid: false },
    { id: 'b', paid: true },
  ];
  await act(() => result.current.list.refetch());
  act(() => answerWrite(json({ success: false, message: 'no' }, 500)));
  await waitFor(() => expect(result.current.update.isError).toBe(true));
  expect(paid(result.current.list.data)).toEqual([false, true]);
});

test('a list keeps its page on the screen while the next one loads', async () => {
  const client = makeQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result, rerender } = renderHook(({ page }) => items.useList({ query: { page } }), {
    wrapper,
    initialProps: { page: 1 },
  });
  await waitFor(() => expect(result.current.data).toBeTruthy());
  rerender({ page: 2 });
  expect(result.current.data).toBeTruthy();
  expect(result.current.isPlaceholderData).toBe(true);
  await waitFor(() => expect(result.current.isPlaceholderData).toBe(false));
});

test('a refusal is not tried again, a lost connection once', async () => {
  let count = 0;
  vi.stubGlobal('fetch', async () => {
    count += 1;
    return json({ success: false, message: 'no', code: 'FORBIDDEN' }, 403);
  });
  const refused = wrapped(() => others.useGet({}));
  await waitFor(() => expect(refused.result.current.isError).toBe(true));
  expect(count).toBe(1);
  count = 0;
  vi.stubGlobal('fetch', async () => {
    count += 1;
    throw new TypeError('Failed to fetch');
  });
  const lost = wrapped(() => others.useGet({}));
  await waitFor(() => expect(lost.result.current.isError).toBe(true));
  expect(count).toBe(2);
});
