import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { act, cleanup } from '@testing-library/react';
import { clearOnAccountChange, makeQueryClient, queryClient } from '../../../../src/web/kit/api/query-client.ts';
import {
  changeUser,
  endSession,
  renameSession,
  restoreSession,
  startSession,
} from '../../../../src/web/kit/api/session-store.ts';

const home = window.location.href;
const user = { id: 'a@b.in', email: 'a@b.in', bannerName: 'Maa Tarini', role: 'subadmin' } as const;
const owners = ['owners', 'list'];
const answer = { data: [{ name: 'Ravi', accountNo: '000123456789' }] };

/** A page that is loaded while a session is stored. */
function store(): void {
  localStorage.setItem('token', 'token-of-a-session');
  localStorage.setItem('role', 'subadmin');
  localStorage.setItem('user', JSON.stringify(user));
}

beforeEach(() => {
  endSession('logout');
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  endSession('logout');
  localStorage.clear();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', home);
});

test('the first logout after a page load leaves nothing that was read; a new banner name keeps it', () => {
  store();
  restoreSession();
  const client = makeQueryClient();
  const stop = clearOnAccountChange(client);
  client.setQueryData(owners, answer);
  renameSession('Tarini Transport');
  expect(client.getQueryData(owners)).toEqual(answer);
  endSession('logout');
  expect(client.getQueryCache().getAll()).toEqual([]);

  startSession({ token: 'token-of-a-session', role: 'subadmin', user });
  client.setQueryData(owners, answer);
  startSession({ token: 'token-of-another', role: 'subadmin', user: { ...user, id: 'c@d.in', email: 'c@d.in' } });
  expect(client.getQueryCache().getAll()).toEqual([]);
  stop();
});

test('what one seat has read is not kept for another: when an owner looks as a clerk, and afterwards', () => {
  startSession({ token: 'token-of-a-session', role: 'subadmin', user });
  const client = makeQueryClient();
  const stop = clearOnAccountChange(client);
  for (const view of [{ seat: 'clerk', until: '2999-01-01T00:00:00.000Z' } as const, undefined]) {
    client.setQueryData(owners, answer);
    changeUser({ view });
    expect(client.getQueryCache().getAll()).toEqual([]);
  }
  stop();
});

test('the page itself knows whose answers it holds from its start', async () => {
  store();
  vi.stubGlobal('fetch', () => new Promise<Response>(() => undefined));
  window.history.replaceState(null, '', '/tags');
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root);
  await act(() => import('../../../../src/web/app/main.tsx'));
  await vi.waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Tags'));
  queryClient.setQueryData(owners, answer);
  act(() => renameSession('Tarini Transport'));
  expect(queryClient.getQueryData(owners)).toEqual(answer);
  act(() => endSession('logout'));
  await vi.waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Sign in'));
  expect(queryClient.getQueryData(owners)).toBeUndefined();
  expect(
    JSON.stringify(
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ state }) => state.data),
    ),
  ).not.toContain('000123456789');
});
