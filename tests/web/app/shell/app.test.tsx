import { createPath } from 'react-router-dom';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { cleanup } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { endSession, getSession, startSession } from '../../../../src/web/kit/api/session-store.ts';
import { notify } from '../../../../src/web/kit/feedback/toast.ts';
import { routes } from '../../../../src/web/app/routes.tsx';
import { openRoutes } from '../../support/screen.tsx';
import '../../../../src/web/theme.css';

/** The whole app on a network that is ours: logins are judged by password, everything else is what a test says. */
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
let elsewhere: () => Response;
let calls: string[];

beforeEach(() => {
  calls = [];
  elsewhere = () => json({ success: false, message: 'Not found', code: 'NOT_FOUND', requestId: 'r' }, 404);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    calls.push(`${init.method} ${url}`);
    if (url.endsWith('/logout')) return new Response(null, { status: 204 });
    if (!url.includes('/login')) return elsewhere();
    const { email, password } = JSON.parse(String(init.body)) as { email: string; password: string };
    const isAdmin = url.includes('/admin/');
    if (password === 'no token') return json({ success: true, data: {} });
    if (password !== 'right one') {
      return json(
        {
          success: false,
          message: `Invalid ${isAdmin ? 'admin' : 'subadmin'} credentials`,
          code: 'INVALID_CREDENTIALS',
        },
        401,
      );
    }
    const token = 'opaque-token-of-32-bytes';
    return isAdmin
      ? json({ success: true, data: { token, user: { id: email, email, role: 'admin' } } })
      : json({
          success: true,
          token,
          bannerName: 'Maa Tarini',
          user: { id: email, email, bannerName: 'Maa Tarini', role: 'subadmin' },
        });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  endSession('logout');
  localStorage.clear();
});

function open(path: string) {
  const router = openRoutes(routes, path);
  return () => createPath(router.state.location);
}
const asSubadmin = () =>
  startSession({
    token: 'opaque-token-of-32-bytes',
    role: 'subadmin',
    user: { id: 'a@b.in', email: 'a@b.in', bannerName: 'Maa Tarini', role: 'subadmin' },
  });
const asAdmin = () =>
  startSession({
    token: 'opaque-token-of-32-bytes',
    role: 'admin',
    user: { id: 'x@y.in', email: 'x@y.in', role: 'admin' },
  });
const heading = () => page.getByRole('heading', { level: 1 });
async function fill(email: string, password: string): Promise<void> {
  await userEvent.fill(page.getByRole('textbox', { name: 'Email' }), email);
  await userEvent.fill(page.getByLabelText(/^Password/), password);
}

test('a visitor is sent to /login and, signed in, back to where he wanted to go', async () => {
  const where = open('/trucks?page=2');
  await expect.element(heading()).toHaveTextContent('Sign in');
  expect(where()).toBe('/login');
  await fill('a@b.in', 'right one');
  await userEvent.keyboard('{Enter}');
  await expect.poll(where).toBe('/trucks?page=2');
  await expect.poll(() => document.title).toBe('Maa Tarini - Transport Management System');
  expect(localStorage.getItem('role')).toBe('subadmin');
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual({
    id: 'a@b.in',
    email: 'a@b.in',
    bannerName: 'Maa Tarini',
    role: 'subadmin',
  });
});

test('a sign-in works where the browser keeps nothing, and one sentence says so', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
  });
  onTestFinished(() => {
    full.mockRestore();
    notify.dismissAll();
  });
  const where = open('/login');
  await expect.element(heading()).toHaveTextContent('Sign in');
  await fill('a@b.in', 'right one');
  await userEvent.keyboard('{Enter}');
  await expect.poll(where).toBe('/dashboard');
  await expect.element(page.getByText(/This browser has no room for your session or does not keep it/)).toBeVisible();
});

test.each([
  ['/login', 'Please enter your email', 'Please enter your password'],
  ['/adminlogin', 'Please enter your admin email', 'Please enter your admin password'],
])('%s checks its fields when they lose the focus', async (path, email, password) => {
  open(path);
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByText(email)).toBeInTheDocument();
  expect(page.getByText(password).elements()).toHaveLength(0);
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByText(password)).toBeInTheDocument();
  await userEvent.fill(page.getByRole('textbox', { name: 'Email' }), 'not an email');
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByText('Please enter a valid email')).toBeInTheDocument();
  expect(calls).toEqual([]);
});

test.each(['/login', '/adminlogin'])('%s: the password is shown and hidden on demand', async (path) => {
  open(path);
  await expect.element(heading()).toBeInTheDocument();
  await fill('a@b.in', 'right one');
  await userEvent.click(page.getByRole('button', { name: 'Show password' }));
  await expect.element(page.getByRole('textbox', { name: /^Password/ })).toHaveValue('right one');
  await userEvent.click(page.getByRole('button', { name: 'Hide password' }));
  await expect.element(page.getByLabelText(/^Password/)).toHaveAttribute('type', 'password');
});

test.each([
  ['/login', 'Invalid subadmin credentials'],
  ['/adminlogin', 'Invalid admin credentials'],
])('%s: a failed login stays, with a closable alert', async (path, message) => {
  const where = open(path);
  await expect.element(heading()).toBeInTheDocument();
  await fill('a@b.in', 'wrong one');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent(`Login Failed${message}`);
  expect(where()).toBe(path);
  await expect.element(page.getByLabelText(/^Password/)).toHaveFocus();
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveValue('a@b.in');
  await userEvent.click(page.getByRole('button', { name: 'Close' }));
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test.each(['/login', '/adminlogin'])('%s: an answer without a token says so', async (path) => {
  open(path);
  await expect.element(heading()).toBeInTheDocument();
  await fill('a@b.in', 'no token');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Invalid response - missing token');
  expect(getSession()).toBeNull();
});

test('the admin signs in at /adminlogin, which links to the regular login', async () => {
  const where = open('/adminlogin');
  await expect.element(page.getByRole('link', { name: 'Regular Login' })).toHaveAttribute('href', '/login');
  await fill('x@y.in', 'right one');
  await userEvent.click(page.getByRole('button', { name: 'Sign in' }));
  await expect.poll(where).toBe('/admin/subadmins');
});

test.each([
  ['sub-admin', '/login', '/dashboard'],
  ['sub-admin', '/', '/dashboard'],
  ['sub-admin', '/nowhere/at/all', '/dashboard'],
  ['sub-admin', '/admin/subadmins', '/unauthorized'],
  ['sub-admin', '/adminlogin', '/adminlogin'],
  ['admin', '/adminlogin', '/admin/subadmins'],
  ['admin', '/admin', '/admin/subadmins'],
  ['admin', '/', '/dashboard'],
  ['admin', '/challans', '/unauthorized'],
  ['admin', '/nowhere', '/login'],
  ['nobody', '/nowhere', '/login'],
  ['nobody', '/dashboard', '/login'],
  ['nobody', '/unauthorized', '/unauthorized'],
])('%s at %s ends at %s', async (who, path, end) => {
  if (who === 'sub-admin') asSubadmin();
  if (who === 'admin') asAdmin();
  const where = open(path);
  await expect.poll(where).toBe(end);
  await expect.element(heading()).toBeInTheDocument();
  expect(where()).toBe(end);
});

test('/unauthorized has its two sentences', async () => {
  open('/unauthorized');
  await expect.element(heading()).toHaveTextContent('Unauthorized Access');
  await expect.element(page.getByText("You don't have permission to access this page.")).toBeInTheDocument();
});

test('a session that ends while working leads to /login and back, and says why', async () => {
  asSubadmin();
  const where = open('/tags');
  await expect.element(heading()).toBeInTheDocument();
  endSession('expired');
  await expect.poll(where).toBe('/login');
  await expect.element(page.getByText('Your session has ended')).toBeInTheDocument();
  await fill('a@b.in', 'right one');
  await userEvent.keyboard('{Enter}');
  await expect.poll(where).toBe('/tags');
});

test('Logout kills the token at the server and remembers no location', async () => {
  asSubadmin();
  const where = open('/tags');
  await userEvent.click(page.getByRole('button', { name: 'Account, a@b.in' }));
  await expect.element(page.getByRole('menuitem', { name: 'Profile' })).toBeInTheDocument();
  await userEvent.click(page.getByRole('menuitem', { name: 'Logout' }));
  await expect.poll(where).toBe('/login');
  expect(calls.filter((line) => !line.startsWith('GET'))).toEqual(['POST /api/logout']);
  expect(localStorage.getItem('token')).toBeNull();
  await fill('c@d.in', 'right one');
  await userEvent.keyboard('{Enter}');
  await expect.poll(where).toBe('/dashboard');
});

test.each([
  ['a sub-admin', '/adminlogin', asSubadmin, 'a@b.in (subadmin)', '/dashboard'],
  ['an admin', '/login', asAdmin, 'x@y.in (admin)', '/admin/subadmins'],
])('%s at %s is told who is signed in, and goes on or signs out', async (_who, path, signIn, whom, home) => {
  signIn();
  const where = open(path);
  await expect.element(page.getByText(`You are signed in as ${whom}`)).toBeInTheDocument();
  await userEvent.click(page.getByRole('button', { name: 'Continue' }));
  await expect.poll(where).toBe(home);
  cleanup();
  const again = open(path);
  await userEvent.click(page.getByRole('button', { name: 'Sign out' }));
  await expect.element(page.getByText(`You are signed in as ${whom}`)).not.toBeInTheDocument();
  expect([again(), getSession()]).toEqual([path, null]);
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toBeInTheDocument();
});

test('the admin has no Profile entry', async () => {
  asAdmin();
  open('/dashboard');
  await expect.element(heading()).toHaveTextContent('Welcome back, Admin!');
  await userEvent.click(page.getByRole('button', { name: 'Account, x@y.in' }));
  await expect.element(page.getByRole('menuitem', { name: 'Logout' })).toBeInTheDocument();
  expect(page.getByRole('menuitem', { name: 'Profile' }).elements()).toHaveLength(0);
});

test('the sidebar is 250 wide, 80 when collapsed, and remembered', async () => {
  asSubadmin();
  open('/dashboard');
  await expect.element(heading()).toHaveTextContent('Welcome back, Maa Tarini!');
  const width = () => document.querySelector('aside')?.getBoundingClientRect().width;
  // 1366 pixels and nothing chosen: the tables get the room.
  expect(width()).toBe(80);
  // Every icon has a name below it, which is a part of the screen's name and is not cut off.
  for (const link of document.querySelectorAll('aside a')) {
    expect(link.getAttribute('aria-label')).toContain(link.textContent);
    expect(link.textContent).not.toBe('');
    expect(link.scrollWidth).toBeLessThanOrEqual(link.clientWidth);
  }
  await userEvent.click(page.getByRole('button', { name: 'Expand sidebar' }));
  await expect.poll(width).toBe(250);
  await userEvent.click(page.getByRole('button', { name: 'Collapse sidebar' }));
  await expect.poll(width).toBe(80);
  await expect.element(page.getByRole('link', { name: 'Bank Statement' }).first()).toBeInTheDocument();
  cleanup();
  open('/dashboard');
  await expect.poll(width).toBe(80);
});

test('what is chosen for the sidebar stays; a narrow window collapses it for the moment', async () => {
  asSubadmin();
  const width = () => document.querySelector('aside')?.getBoundingClientRect().width;
  try {
    await page.viewport(1920, 1080);
    open('/dashboard');
    await expect.element(heading()).toHaveTextContent('Welcome back, Maa Tarini!');
    expect(width()).toBe(250);
    await page.viewport(1366, 768);
    await expect.poll(width).toBe(80);
    await userEvent.click(page.getByRole('button', { name: 'Expand sidebar' }));
    await expect.poll(width).toBe(250);
    await page.viewport(960, 600);
    await expect.poll(width).toBe(80);
    await userEvent.click(page.getByRole('button', { name: 'Expand sidebar' }));
    await expect.poll(width).toBe(250);
    cleanup();
    open('/dashboard');
    await expect.poll(width).toBe(80);
    await page.viewport(1366, 768);
    await expect.poll(width).toBe(250);
  } finally {
    await page.viewport(1366, 768);
  }
});

test('a new screen takes the focus to its heading; keys lead everywhere', async () => {
  asSubadmin();
  const where = open('/dashboard');
  await expect.element(heading()).toHaveFocus();
  await userEvent.keyboard('{Alt>}5{/Alt}');
  await expect.poll(where).toBe('/trucks');
  // The heading of the dashboard has the focus until the screen is there.
  await expect.element(heading()).toHaveTextContent('Trucks');
  await expect.element(heading()).toHaveFocus();
  await userEvent.keyboard('gp');
  await expect.poll(where).toBe('/petrol-pumps');
});

test('the palette finds by words and runs; the help shows the same keys', async () => {
  asSubadmin();
  const where = open('/dashboard');
  await expect.element(heading()).toBeInTheDocument();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('combobox')).toHaveFocus();
  await userEvent.keyboard('cop ow');
  await expect.element(page.getByRole('option').first()).toHaveTextContent('Copy Owners');
  await userEvent.keyboard('{Enter}');
  await expect.poll(where).toBe('/owners/copy');
  // The key is for the screen, once the palette is gone and the screen is there.
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Copy Owners' })).toBeInTheDocument();
  await userEvent.keyboard('?');
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect.element(help).toHaveTextContent('Copy Owners');
  await userEvent.keyboard('{Escape}');
  await expect.element(help).not.toBeInTheDocument();
});

test('the theme is light unless chosen, and the choice is kept', async () => {
  document.documentElement.dataset['theme'] = 'light';
  open('/login');
  await userEvent.click(page.getByRole('button', { name: 'Dark theme' }));
  await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark');
  expect(localStorage.getItem('theme')).toBe('dark');
  await userEvent.click(page.getByRole('button', { name: 'Light theme' }));
  await expect.poll(() => localStorage.getItem('theme')).toBe('light');
});
