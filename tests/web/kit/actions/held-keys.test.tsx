import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from 'vitest/browser';
import { lazy, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom';
import { toast } from 'sonner';
import { holdCommandsDuring, useHeldKeys } from '../../../../src/web/kit/actions/held-keys.ts';
import { LazyDialog } from '../../../../src/web/kit/actions/lazy-dialog.tsx';
import { listenForKeys } from '../../../../src/web/kit/actions/registry-keys.ts';
import { useActions } from '../../../../src/web/kit/actions/registry.ts';
import { focusOnceDrawn } from '../../in-the-gap.ts';
import { Toaster } from '../../../../src/web/kit/feedback/toaster.tsx';

const ran: string[] = [];
const heard: string[] = [];

function Frame() {
  useHeldKeys();
  useEffect(() => listenForKeys(() => undefined), []);
  return (
    <>
      <Outlet />
      <Toaster />
    </>
  );
}

function Old() {
  useActions([{ id: 'old', label: 'Old', keys: ['P', 'Ctrl+E'], scope: 'Old', run: () => void ran.push('old') }]);
  return <input aria-label="Old filter" onKeyDown={({ key }) => key !== 'Control' && heard.push(key)} />;
}

/** It takes the focus in its own time, as screens do: after it was drawn. */
function New() {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useActions([{ id: 'new', label: 'New', keys: 'Ctrl+E', scope: 'New', run: () => void ran.push('new') }]);
  return <input aria-label="New filter" ref={field} value={text} onChange={(event) => setText(event.target.value)} />;
}

let arrive: () => void = () => undefined;
/** What an address of /filtered waits for. */
let filtered: Promise<null> = Promise.resolve(null);
const open = () => {
  const loaded = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const router = createMemoryRouter([
    {
      element: <Frame />,
      children: [
        { path: '/', element: <Old /> },
        { path: '/filtered', element: <Old />, loader: () => filtered },
        {
          path: '/new',
          lazy: async () => {
            await loaded;
            return { Component: New };
          },
        },
      ],
    },
  ]);
  const { unmount } = render(<RouterProvider router={router} />);
  input('Old filter')?.focus();
  return { router, unmount };
};
const input = (name: string) => document.querySelector<HTMLInputElement>(`[aria-label="${name}"]`);
const said = () => [...document.querySelectorAll('[data-sonner-toast]')].map((item) => item.textContent).join();

beforeEach(() => {
  ran.length = 0;
  heard.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  toast.dismiss();
  cleanup();
});

test('keys pressed while the next screen is loading go to it, in their order, and none to the old one', async () => {
  const { router } = open();
  void router.navigate('/new');
  await userEvent.keyboard('01/11{Control>}e{/Control}x');
  expect([ran, heard, input('Old filter')?.value]).toEqual([[], [], '']);
  arrive();
  await expect.poll(() => input('New filter')?.value).toBe('01/11x');
  expect(ran).toEqual(['new']);
  expect(heard).toEqual([]);
  expect(said()).toBe('');
  // From now on the keys are the screen's own.
  await userEvent.keyboard('y');
  expect(input('New filter')?.value).toBe('01/11xy');
});

test('a key that comes as soon as the next screen is drawn waits behind those that are held', async () => {
  const { router } = open();
  void router.navigate('/new');
  await userEvent.keyboard('1');
  const texts: (string | undefined)[] = [];
  const drawn = focusOnceDrawn(() => input('New filter') !== null).then(() => {
    const key = { key: 'e', code: 'KeyE', ctrlKey: true, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
    texts.push(ran.join(), input('New filter')?.value);
  });
  arrive();
  await drawn;
  expect(texts).toEqual(['', '']);
  await expect.poll(() => [ran.join(), input('New filter')?.value]).toEqual(['new', '1']);
});

test('a filter that is on its way into the address holds no key: they are for the screen that is there', async () => {
  const { router } = open();
  await router.navigate('/filtered');
  await vi.waitFor(() => expect(input('Old filter')).not.toBeNull());
  filtered = new Promise(() => undefined);
  void router.navigate('/filtered?tpNo=TP1');
  input('Old filter')?.focus();
  await userEvent.keyboard('12{Control>}a{/Control}3{Control>}e{/Control}');
  expect([input('Old filter')?.value, ran]).toEqual(['3', ['old']]);
});

test('Escape empties what is held', async () => {
  const { router } = open();
  void router.navigate('/new');
  await userEvent.keyboard('12{Control>}e{/Control}{Escape}3');
  arrive();
  await expect.poll(() => input('New filter')?.value).toBe('3');
  expect(ran).toEqual([]);
});

test('after five seconds they are dropped, with a sign', async () => {
  const { router } = open();
  await vi.waitFor(() => expect(input('Old filter')).not.toBeNull());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  void router.navigate('/new');
  for (const key of ['1', '2']) {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  await expect.poll(said).toBe('2 keys pressed while the screen was loading were not used');
  arrive();
  await expect.poll(() => input('New filter')?.value).toBe('');
  expect(heard).toEqual([]);
});

test('a key that only the browser can act on ends it, with a sign: the rest would land elsewhere', async () => {
  const { router } = open();
  void router.navigate('/new');
  await userEvent.keyboard('1{Tab}2');
  arrive();
  await expect.poll(said).toBe('2 keys pressed while the screen was loading were not used');
  expect(input('New filter')?.value).toBe('1');
});

test('a router that is taken away while it is loading holds nothing any more', async () => {
  const { router, unmount } = open();
  void router.navigate('/new');
  await userEvent.keyboard('1');
  unmount();
  render(<Old />);
  input('Old filter')?.focus();
  await userEvent.keyboard('2');
  expect(heard).toEqual(['2']);
  expect(input('Old filter')?.value).toBe('2');
});

test('during a sign-in commands wait for the first screen, and text stays with the form', async () => {
  const { router } = open();
  let signIn: () => void = () => undefined;
  const signingIn = holdCommandsDuring(
    new Promise<void>((resolve) => {
      signIn = resolve;
    }),
  );
  await userEvent.keyboard('a{Control>}e{/Control}');
  expect(input('Old filter')?.value).toBe('a');
  expect(ran).toEqual([]);
  signIn();
  await signingIn;
  void router.navigate('/new');
  arrive();
  await expect.poll(() => ran).toEqual(['new']);
});

test('a sign-in that fails forgets them', async () => {
  const { router } = open();
  let fail: () => void = () => undefined;
  const signingIn = holdCommandsDuring(
    new Promise<void>((_, reject) => {
      fail = () => reject(new Error('Login failed'));
    }),
  );
  await userEvent.keyboard('{Control>}e{/Control}');
  fail();
  await expect(signingIn).rejects.toThrow('Login failed');
  void router.navigate('/new');
  arrive();
  await expect.poll(() => input('New filter')).not.toBeNull();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(ran).toEqual([]);
});

/** A list whose H opens a dialog that is loaded by then; P pays. */
const openList = (script: Promise<{ default: () => React.JSX.Element }>) => {
  const Reason = lazy(() => script);
  function List() {
    const [isOpen, setOpen] = useState(false);
    useActions([
      { id: 'hold', label: 'Hold', keys: 'H', scope: 'List', run: () => setOpen(true) },
      { id: 'pay', label: 'Pay', keys: 'P', scope: 'List', run: () => void ran.push('pay') },
    ]);
    return isOpen ? (
      <LazyDialog>
        <Reason />
      </LazyDialog>
    ) : null;
  }
  const router = createMemoryRouter([
    { element: <Frame />, children: [{ path: '/', element: <List />, errorElement: <p>Not loaded</p> }] },
  ]);
  render(<RouterProvider router={router} />);
};
function Reason() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <div role="dialog">
      <input aria-label="Reason" ref={field} />
    </div>
  );
}

test('keys pressed while a dialog is loading are typed into it, and do nothing to the list below', async () => {
  let come: (script: { default: () => React.JSX.Element }) => void = () => undefined;
  openList(new Promise((resolve) => (come = resolve)));
  await userEvent.keyboard('hpapers');
  expect(ran).toEqual([]);
  come({ default: Reason });
  await expect.poll(() => input('Reason')?.value).toBe('papers');
  expect(ran).toEqual([]);
  await userEvent.keyboard('p');
  expect(input('Reason')?.value).toBe('papersp');
});

test('keys of a dialog that could not be loaded are dropped, and that is said', async () => {
  let fail: (reason: Error) => void = () => undefined;
  openList(new Promise((_, reject) => (fail = reject)));
  await userEvent.keyboard('hpp');
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  fail(new Error('No network'));
  await expect.poll(said).toBe('2 keys pressed while the screen was loading were not used');
  expect(ran).toEqual([]);
});
