import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { act, cleanup, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom';
import { page, userEvent } from 'vitest/browser';
import { useEffect, useState } from 'react';
import { listenForKeys } from '../../../../src/web/kit/actions/registry-keys.ts';
import { ApiError } from '../../../../src/web/kit/api/api-error.ts';
import { accountPrefix, endSession, startSession } from '../../../../src/web/kit/api/session-store.ts';
import { accountStorage, drafts, usePreference } from '../../../../src/web/kit/api/account-storage.ts';
import { confirm, ConfirmHost } from '../../../../src/web/kit/feedback/confirm.tsx';
import { LeaveGuardHost, useLeaveGuard } from '../../../../src/web/kit/feedback/leave-guard.ts';
import { Toaster } from '../../../../src/web/kit/feedback/toaster.tsx';
import { currentUndo, notify } from '../../../../src/web/kit/feedback/toast.ts';
import { url, useUrlState } from '../../../../src/web/kit/filters/url-state.ts';
import '../../../../src/web/theme.css';
import { historyEntries } from '../../history-entries.ts';

const signIn = (email: string) =>
  startSession({ token: 'a-token-long-enough', role: 'subadmin', user: { id: email, email, role: 'subadmin' } });

beforeEach(() => signIn('a@b.in'));
afterEach(() => {
  notify.dismissAll();
  cleanup();
  endSession('logout');
  localStorage.clear();
});

const toasts = () =>
  [...document.querySelectorAll('[data-sonner-toast][data-removed="false"]')].map((item) => item.textContent);

test('several toasts of one kind become one that counts', async () => {
  render(<Toaster />);
  const merge = { kind: 'paid', many: (count: number) => `${count} challans marked paid` };
  act(() => {
    for (let index = 0; index < 12; index += 1) notify.success('Payment status marked as done', merge);
    notify.success('Something else');
  });
  await expect.poll(toasts).toHaveLength(2);
  expect(toasts().join()).toContain('12 challans marked paid');
});

test('an error is the server’s sentence, or the screen’s default', async () => {
  render(<Toaster />);
  act(() => {
    notify.error(
      new ApiError({ status: 409, code: 'TAG_IN_USE', text: 'Cannot delete tag "Coal".' }),
      'Failed to delete tag',
    );
    notify.error(new ApiError({ status: 500, code: 'INTERNAL_ERROR' }), 'Failed to fetch tags');
    notify.error(new Error('stack'), 'Failed to save tag');
  });
  await expect
    .poll(() => toasts().toSorted())
    .toEqual([
      expect.stringContaining('Cannot delete tag "Coal".'),
      expect.stringContaining('Failed to fetch tags'),
      expect.stringContaining('Failed to save tag'),
    ]);
});

test('an undo acts once, by its button, and is over when its toast is', async () => {
  render(<Toaster />);
  const undo = vi.fn<() => void>();
  act(() => notify.undo('Form cleared. Ready for new challan!', undo));
  expect(currentUndo()?.label).toBe('Form cleared. Ready for new challan!');
  const { undo: again } = currentUndo() ?? {};
  await userEvent.click(page.getByRole('button', { name: 'Undo' }));
  again?.();
  expect(undo).toHaveBeenCalledTimes(1);
  expect(currentUndo()).toBeUndefined();
});

test('a toast waits while its button has the focus', async () => {
  render(
    <>
      <button type="button">Elsewhere</button>
      <Toaster />
    </>,
  );
  act(() => notify.undo('Deleted', () => undefined));
  const list = () => document.querySelector('[data-sonner-toaster]');
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  const seen: string[] = [];
  list()?.addEventListener('mousemove', () => seen.push('held'));
  list()?.addEventListener('mouseout', () => seen.push('let go'));
  page.getByRole('button', { name: 'Undo' }).element().focus();
  await expect.poll(() => seen.at(-1)).toBe('held');
  page.getByRole('button', { name: 'Elsewhere' }).element().focus();
  await expect.poll(() => seen.at(-1)).toBe('let go');
});

function Asker() {
  useEffect(() => listenForKeys(() => undefined), []);
  return (
    <>
      <button type="button">Behind</button>
      <ConfirmHost />
    </>
  );
}
const ask = () => confirm({ title: 'Delete challan?', body: 'CH-1', confirmLabel: 'Delete', danger: true });

test('the safe button has the focus: Enter and Escape say no, Ctrl+Enter says yes', async () => {
  render(<Asker />);
  for (const [keys, answer] of [
    ['{Enter}', false],
    ['{Escape}', false],
    ['{Control>}{Enter}{/Control}', true],
  ] as const) {
    const asked = ask();
    await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await expect.element(page.getByRole('alertdialog')).toHaveAccessibleName('Delete challan?');
    await userEvent.keyboard(keys);
    expect(await asked).toBe(answer);
    await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  }
});

test('a second question answers the first with no', async () => {
  render(<Asker />);
  const first = ask();
  const second = ask();
  expect(await first).toBe(false);
  await userEvent.click(page.getByRole('button', { name: 'Delete' }));
  expect(await second).toBe(true);
});

const shape = {
  page: url.number(1),
  limit: url.oneOf([10, 20, 50, 100], 10),
  tpNo: url.text(),
  from: url.day(),
  sort: url.oneOf(['asc', 'desc'], 'desc'),
};
type State = ReturnType<typeof useUrlState<typeof shape>>;
let state: State[0];
let set: State[1];
function Filters() {
  const [values, change] = useUrlState(shape);
  // oxlint-disable-next-line react/globals -- driven by the tests
  state = values;
  // oxlint-disable-next-line react/globals -- as above
  set = change;
  return <output>{useLocation().search}</output>;
}

test('what is in the address is read by its kind; what does not fit is the default', () => {
  const at = (search: string) => {
    window.history.replaceState(null, '', search || window.location.pathname);
    render(
      <RouterProvider
        router={createMemoryRouter([{ path: '*', element: <Filters /> }], { initialEntries: [`/x${search}`] })}
      />,
    );
    const read = state;
    cleanup();
    return read;
  };
  expect(at('')).toEqual({ page: 1, limit: 10, tpNo: '', from: '', sort: 'desc' });
  expect(at('?page=3&limit=50&from=2026-04-01&sort=asc#tpNo=a%20b')).toEqual({
    page: 3,
    limit: 50,
    tpNo: 'a b',
    from: '2026-04-01',
    sort: 'asc',
  });
  expect(at('?page=0&limit=7&from=yesterday&sort=up')).toEqual({
    page: 1,
    limit: 10,
    tpNo: '',
    from: '',
    sort: 'desc',
  });
});

test('drafts and remembered values belong to the account', () => {
  const check = (value: unknown) => (typeof value === 'string' ? value : undefined);
  drafts.write('create', 'typed text');
  accountStorage.write('remembered', { tpNo: '7' });
  expect(drafts.read('create', check)?.value).toBe('typed text');
  expect(Date.parse(drafts.read('create', check)?.savedAt ?? '')).not.toBeNaN();
  signIn('c@d.in');
  expect(drafts.read('create', check)).toBeUndefined();
  expect(accountStorage.read('remembered')).toBeUndefined();
});

test('a draft is offered for 14 days, and removed after them when the page begins', () => {
  const check = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const key = `${accountPrefix('a@b.in')}draft:create`;
  const keep = (days: number): void => {
    const savedAt = new Date(Date.now() - days * 86_400_000).toISOString();
    localStorage.setItem(key, JSON.stringify({ value: 'typed text', savedAt }));
  };
  keep(13.9);
  drafts.removeOld();
  expect(drafts.read('create', check)?.value).toBe('typed text');
  keep(14.1);
  expect(drafts.read('create', check)).toBeUndefined();
  keep(14.1);
  drafts.removeOld();
  expect(localStorage.getItem(key)).toBeNull();
});

test('a corrupt draft is removed and ignored', () => {
  const key = `${accountPrefix('a@b.in')}draft:create`;
  for (const broken of ['{', '5', '{"value":1}', '{"value":{"a":1},"savedAt":"2026-01-01T00:00:00Z"}']) {
    localStorage.setItem(key, broken);
    expect(drafts.read('create', (value) => (typeof value === 'string' ? value : undefined))).toBeUndefined();
  }
  expect(localStorage.getItem(key)).toBeNull();
});

test('a preference is remembered, and one of another type is not taken over', async () => {
  function Panel() {
    const [isOpen, setOpen] = usePreference('filters', true);
    return (
      <button type="button" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'open' : 'closed'}
      </button>
    );
  }
  render(<Panel />);
  await userEvent.click(page.getByRole('button', { name: 'open' }));
  cleanup();
  render(<Panel />);
  await expect.element(page.getByRole('button')).toHaveTextContent('closed');
  cleanup();
  localStorage.setItem('challan-desk-view:a@b.in:filters', '"yes"');
  render(<Panel />);
  await expect.element(page.getByRole('button')).toHaveTextContent('open');
});

test('leaving a dirty screen asks; staying stays, leaving leaves, a clean one does not ask', async () => {
  function Form() {
    const [isDirty, setDirty] = useState(false);
    useLeaveGuard(isDirty);
    return (
      <>
        <LeaveGuardHost />
        <button type="button" onClick={() => setDirty(!isDirty)}>
          {isDirty ? 'dirty' : 'clean'}
        </button>
      </>
    );
  }
  const router = createMemoryRouter(
    [
      { path: '/form', element: <Form /> },
      { path: '/list', element: <p>List</p> },
    ],
    { initialEntries: ['/form'] },
  );
  render(
    <>
      <RouterProvider router={router} />
      <ConfirmHost />
    </>,
  );
  await userEvent.click(page.getByRole('button', { name: 'clean' }));
  await act(() => router.navigate('/list'));
  await userEvent.click(page.getByRole('button', { name: 'Stay' }));
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  expect(router.state.location.pathname).toBe('/form');
  await act(() => router.navigate('/list'));
  await userEvent.click(page.getByRole('button', { name: 'Leave' }));
  await expect.poll(() => router.state.location.pathname).toBe('/list');
  await act(() => router.navigate('/form'));
  await act(() => router.navigate('/list'));
  expect(router.state.location.pathname).toBe('/list');
});

test('changes in one event add up, defaults leave the address, and typing makes no history', async () => {
  const { createBrowserRouter } = await import('react-router-dom');
  const before = window.location.href;
  const router = createBrowserRouter([{ path: '*', element: <Filters /> }]);
  render(<RouterProvider router={router} />);
  const length = historyEntries();
  act(() => {
    set({ tpNo: 'a b', page: 2 });
    set({ from: '2026-04-01' });
  });
  expect(state).toMatchObject({ tpNo: 'a b', page: 2, from: '2026-04-01' });
  expect(historyEntries()).toBe(length + 2);
  act(() => set({ tpNo: 'a bc', page: 1 }, { replace: true }));
  expect(new URLSearchParams(window.location.search).has('page')).toBe(false);
  expect(historyEntries()).toBe(length + 2);
  act(() => set({ tpNo: '', from: '' }, { replace: true }));
  expect(state).toMatchObject({ tpNo: '', page: 1, from: '' });
  window.history.replaceState(null, '', before);
});

test('what is in the address already is no step of the history', async () => {
  const { createBrowserRouter } = await import('react-router-dom');
  const before = window.location.href;
  window.history.replaceState(null, '', window.location.pathname);
  const router = createBrowserRouter([{ path: '*', element: <Filters /> }]);
  render(<RouterProvider router={router} />);
  const length = historyEntries();
  act(() => {
    set({ tpNo: 'a b' });
    set({ tpNo: 'a b', page: 1 });
  });
  act(() => set({ tpNo: 'a b' }));
  expect(state).toMatchObject({ tpNo: 'a b', page: 1 });
  expect(historyEntries()).toBe(length + 1);
  window.history.replaceState(null, '', before);
});
