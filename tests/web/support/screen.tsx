import { cleanup, render } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router-dom';
import { toast } from 'sonner';
import { expect, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Seat } from '../../../src/shared/contract/seats.ts';
import { makeQueryClient } from '../../../src/web/kit/api/query-client.ts';
import { endSession, startSession, type Session } from '../../../src/web/kit/api/session-store.ts';
import { makeRouter } from '../../../src/web/app/routes.tsx';
import { queryOf } from '../../../src/web/kit/filters/url-state.ts';
import '../../../src/web/theme.css';
import { idOf } from './builders.ts';

/** The whole app in the test's page, and what a user sees and does on a list. The server is that of fake-server.ts. */

const home = window.location.href;

/** Opens the app at this address, signed in, and waits for the first rows (or for what stands in their place). */
export async function openApp(
  address: string,
  waitFor: string = '.cd-grid .ag-grid-scrolling-container .ag-row',
  role: 'admin' | 'subadmin' = 'subadmin',
  windowHeight = 450,
  state?: unknown,
  person: Pick<Session['user'], 'name' | 'seat' | 'view'> = {},
) {
  startSession({ token: 'token-of-a-session', role, user: { id: 'a@b.in', email: 'a@b.in', role, ...person } });
  // As high as ten rows of a list: what fits into the window is a test of its own.
  vi.stubGlobal('innerHeight', windowHeight);
  // As the router keeps the state of an address.
  window.history.replaceState({ usr: state }, '', address);
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root);
  document.documentElement.style.height = '100%';
  const router = makeRouter();
  show(router, root);
  await vi.waitFor(() => expect(document.querySelector(waitFor)).not.toBeNull(), { timeout: 20_000 });
  return router;
}

function show(router: ReturnType<typeof makeRouter>, container: Element): void {
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
    { container },
  );
}

/** Only these routes, with whatever session there is. */
export function openRoutes(routes: RouteObject[], address = '/') {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  show(router, document.body.appendChild(document.createElement('div')));
  return router;
}

export async function closeApp(): Promise<void> {
  if (document.querySelector('[role="alertdialog"]')) await press('{Escape}');
  // While they are shown: merged toasts are counted until they are dismissed. Each by its id and again, since one that is
  // dismissed before it is drawn stays, and without an id the library does not dismiss it a second time.
  await vi.waitFor(() => {
    for (const { id } of toast.getHistory()) toast.dismiss(id);
    expect(document.querySelector('[data-sonner-toast][data-removed="false"]')).toBeNull();
  });
  cleanup();
  document.querySelector('#root')?.remove();
  endSession('logout');
  localStorage.clear();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', home);
}

export const rowOf = (n: number): Element | null =>
  document.querySelector(`.ag-grid-scrolling-container [row-id="${idOf(n)}"]`);
const cellOf = (n: number, column: string): Element | null =>
  document.querySelector(`.ag-row[row-id="${idOf(n)}"] [col-id="${column}"]`);
export const cellText = (n: number, column: string): string => cellOf(n, column)?.textContent?.trim() ?? 'no cell';
export const boxOf = (n: number, column: 'paymentStatus' | 'hsdVerified'): string | null | undefined =>
  cellOf(n, column)?.querySelector('.cd-box')?.getAttribute('aria-checked');
export const isMuted = (n: number): boolean => rowOf(n)?.classList.contains('cd-muted') ?? false;
export const totalText = (): string =>
  document.querySelector('.ag-row-pinned [col-id="netAmountPayable"]')?.textContent?.trim() ?? 'none';
export const shownRows = (): string[] =>
  [...document.querySelectorAll('.ag-grid-scrolling-container .ag-row')]
    .toSorted((a, b) => Number(a.getAttribute('row-index')) - Number(b.getAttribute('row-index')))
    .map((row) => String(Number((row.getAttribute('row-id') ?? '').slice(-6))));
export const toasts = (): string[] =>
  [...document.querySelectorAll('[data-sonner-toast] [data-title]')].map((item) => item.textContent ?? '');
/** Every message that was shown until now, also one that has gone since. */
export function hearing(): readonly string[] {
  const heard: string[] = [];
  const watcher = new MutationObserver(() => {
    for (const text of toasts()) if (!heard.includes(text)) heard.push(text);
  });
  watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
  onTestFinished(() => watcher.disconnect());
  return heard;
}
/** Their second lines. */
export const toastDetails = (): string[] =>
  [...document.querySelectorAll('[data-sonner-toast] [data-description]')].map((item) => item.textContent ?? '');
export const press = (keys: string): Promise<void> => userEvent.keyboard(keys);
export const searchNow = (): Record<string, string> => Object.fromEntries(queryOf(window.location));

/** Puts the focus on a cell: a click on the row, then along it with the arrow, since a click on a box would tick it. */
export async function goTo(n: number, column = 'tpNo'): Promise<void> {
  await vi.waitFor(() => expect(cellOf(n, 'tpNo'), `The row of challan ${n}`).not.toBeNull());
  await userEvent.click(cellOf(n, 'tpNo') as Element);
  await vi.waitFor(() => expect(focusPlace()).toBe(`${n} tpNo`));
  for (let steps = 0; steps < 8 && focusPlace() !== `${n} ${column}`; steps += 1) {
    const before = focusPlace();
    await press('{ArrowRight}');
    await vi.waitFor(() => expect(focusPlace()).not.toBe(before));
  }
  expect(focusPlace()).toBe(`${n} ${column}`);
}

/** '12 tpNo': the challan and column that have the focus. */
export function focusPlace(): string {
  const cell = document.activeElement?.closest('.ag-cell');
  if (!cell) return document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '';
  const row = cell.closest('[row-id]')?.getAttribute('row-id') ?? '';
  return `${Number(row.slice(-6))} ${cell.getAttribute('col-id')}`;
}

/** Types into the search field, which '/' leads to. */
export async function search(text: string): Promise<void> {
  await press('/');
  // At once: between single letters a busy machine pauses longer than the search waits.
  document.execCommand('insertText', false, text);
}

/** Puts the focus on a cell as a user does. */
export async function goToCell(n: number, column: string): Promise<void> {
  const found = () => cellOf(n, column);
  await expect.poll(found, { message: `The cell ${column} of record ${n}` }).not.toBeNull();
  await userEvent.click(found() as Element);
  await expect.poll(focusPlace).toBe(`${n} ${column}`);
}

export const heads = (): string[] =>
  [...document.querySelectorAll('.ag-header-cell .ag-header-cell-text')].map((item) => item.textContent ?? '');
export const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
export const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
export const button = (name: string) => page.getByRole('button', { name, exact: true });
/** The confirmation on the screen: '<title> <body>'. */
export const question = (): string => {
  const box = document.querySelector('[role="alertdialog"]');
  return [box?.querySelector('h2')?.textContent, box?.querySelector('.overflow-y-auto')?.textContent].join(' ');
};

/** Why what was confirmed has failed: it is shown in the confirmation, which stays. */
export const whyNotDone = () => page.getByRole('alertdialog').getByRole('alert');

/** Fills fields by label, one after the other, and leaves the last. */
export async function fill(values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) await userEvent.fill(field(label), text);
  await press('{Tab}');
}

/** Each row of the table: what is left in a field, and the message beside it. */
export async function expectMessage(label: string, text: string, message: string): Promise<void> {
  await userEvent.fill(field(label), text);
  await press('{Tab}');
  await expect.element(field(label)).toHaveAccessibleDescription(message);
}

/** As a person of the business, with this seat. */
export const openAs = (seat: Seat, address: string, waitFor?: string) =>
  openApp(address, waitFor, 'subadmin', 450, undefined, { name: 'Ravi Kumar', seat });

export const openAdmin = (address: string, waitFor?: string) => openApp(address, waitFor, 'admin');

/** 'true', 'false' */
export const switchOf = (n: number): string | null | undefined =>
  cellOf(n, 'active')?.querySelector('.cd-box')?.getAttribute('aria-checked');
export const isBusy = (n: number): boolean =>
  cellOf(n, 'active')?.querySelector('.cd-box')?.getAttribute('aria-busy') === 'true';

export const saveKeys = (): Promise<void> => press('{Control>}{Enter}{/Control}');

export const openProfile = (waitFor = 'main dl') => openApp('/profile', waitFor);

export const screenOf = (ownerId: string, search = ''): string => `/accounting/owner/${ownerId}/challans${search}`;

/** 'GST Number' → what stands beside it. */
export const fact = (name: string): string | undefined =>
  [...document.querySelectorAll('main dt')].find((item) => item.textContent === name)?.nextElementSibling
    ?.textContent ?? undefined;
/** A password field is no textbox to a screen reader. */
export const passwordField = (label: string) =>
  page
    .getByRole('dialog')
    .getByLabelText(new RegExp(`^${label}`))
    .first();

export { page, userEvent };
