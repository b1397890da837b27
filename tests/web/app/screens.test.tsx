import { afterEach, expect, test } from 'vitest';
import { matchRoutes, type RouteObject } from 'react-router-dom';
import { contract } from '../../../src/shared/contract/index.ts';
import { namedScreens, type ScreenId } from '../../../src/shared/contract/nouns.ts';
import { routes } from '../../../src/web/app/routes.tsx';
import { pages } from '../../../src/web/app/pages.ts';
import { pathsOf, screenAt, screens } from '../../../src/web/screens.ts';
import { landingAfter, roleOfPath } from '../../../src/web/app/session/landing.ts';
import { menuOf } from '../../../src/web/app/shell/sidebar.tsx';
import { pageTitle } from '../../../src/web/kit/api/use-session.ts';
import { shipped } from '../support/bank.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, page } from '../support/screen.tsx';

afterEach(closeApp);

const ids = Object.keys(screens) as ScreenId[];
const addressOf = (pattern: string): string =>
  pattern.replace(/:\w+/, '00000000-0000-4000-8000-000000000001').replace('*', '/challans');

test.each(ids)('every path of %s leads to its page, in the table and in the routes', async (id) => {
  const screen = screens[id];
  for (const pattern of pathsOf(screen)) {
    const path = addressOf(pattern);
    expect(screenAt(path)).toBe(screen);
    const route: RouteObject | undefined = matchRoutes(routes, path)?.at(-1)?.route;
    expect(route?.path).toBe(pattern);
    if (typeof route?.lazy !== 'function') throw new Error(`${path} has no page`);
    expect((await route.lazy()).Component).toBe(await pages[id].load());
  }
});

test('the server knows each by its name, no two by the same, and no other', () => {
  const names = ids.map((id) => screens[id].name);
  expect(names.toSorted()).toEqual(
    Object.values(namedScreens)
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(new Set(names).size).toBe(names.length);
});

/** Headings that are no name: a greeting, and a statement, which says whose it is once it is there. */
const otherHeadings: Partial<Record<ScreenId, RegExp>> = {
  dashboard: /^Welcome back/,
  ownerStatement: /^(Owner Statement$|Statement of)/,
};

test.each(ids)('the heading of %s says its name', async (id) => {
  const { path, role, name } = screens[id];
  const desk = fakeServer();
  desk.serve(contract.bankLayouts.list, () => ({ data: [shipped] }));
  desk.serveRest();
  await openApp(addressOf(path), 'h1', role === 'admin' ? role : 'subadmin');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(otherHeadings[id] ?? name);
});

test.each([
  ['/owners/copy', 'Copy Owners'],
  ['/owners/', 'Owners'],
  ['/challans/edit/1', 'Edit Challan'],
  ['/accounting/shared-reports', 'Shared Reports'],
  ['/accounting/owner//challans', 'Owner Challans'],
  ['/login', undefined],
  ['/administration', undefined],
])('%s is the screen %s', (path, name) => {
  expect(screenAt(path)?.name).toBe(name);
});

// The server takes short plain words only (docs/specification.md §3.9).
test.each(ids)('the name of %s can be stored in the history', (id) => {
  expect(screens[id].name).toMatch(/^[A-Za-z][A-Za-z -]{0,39}$/);
});

test('the menus are those of the specification', () => {
  const labels = (role: 'admin' | 'subadmin') =>
    menuOf(role).map((group) => [group.label ?? '', ...group.screens.map((screen) => screen.name)]);
  expect(labels('admin')).toEqual([['', 'Dashboard', 'Subadmins']]);
  expect(labels('subadmin')).toEqual([
    ['', 'Dashboard'],
    ['Owner Management', 'Owners', 'Tags', 'Copy Owners'],
    ['', 'Trucks'],
    [
      'Financial Management',
      'Challans',
      'Entry Sheet',
      'Exceptions',
      'Accounting',
      'Bank Statement',
      'Payments',
      'At the Bank',
      'TDS Register',
      'Shared Reports',
    ],
    ['Operations', 'Petrol Pumps', 'HSD Verification', 'Import'],
  ]);
});

test('no two entries share a key, and the Alt keys are those of docs/keyboard.md', () => {
  const places = menuOf('subadmin').flatMap((group) => group.screens);
  const keys = places.flatMap(({ id }) => pages[id].goTo?.keys ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  const order = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'].map(
    (digit) => places.find(({ id }) => pages[id].goTo?.keys?.includes(`Alt+${digit}`))?.path,
  );
  expect(order).toEqual([
    '/dashboard',
    '/owners',
    '/tags',
    '/owners/copy',
    '/trucks',
    '/challans',
    '/accounting',
    '/accounting/bank-statement',
    '/hsd-verification',
    '/petrol-pumps',
  ]);
});

test.each([
  ['/challans?page=2#tpNo=x', 'subadmin', '/challans?page=2#tpNo=x'],
  ['/admin/subadmins', 'admin', '/admin/subadmins'],
  ['/dashboard', 'admin', '/dashboard'],
  ['/challans', 'admin', '/admin/subadmins'],
  ['/admin/subadmins', 'subadmin', '/dashboard'],
  ['//evil.example/x', 'subadmin', '/dashboard'],
  ['/\\evil.example', 'subadmin', '/dashboard'],
  ['https://evil.example', 'subadmin', '/dashboard'],
  ['/login', 'subadmin', '/dashboard'],
  ['/unauthorized', 'subadmin', '/dashboard'],
  ['/', 'subadmin', '/dashboard'],
  [undefined, 'admin', '/admin/subadmins'],
  [{ pathname: '/challans' }, 'subadmin', '/dashboard'],
] as const)('after signing in, %j leads the %s to %s', (from, role, path) => {
  expect(landingAfter(from, role)).toBe(path);
});

test.each([
  ['/administration', 'subadmin'],
  ['/admin', 'admin'],
  ['/profile', 'subadmin'],
] as const)('%s is for the %s', (path, role) => {
  expect(roleOfPath(path)).toBe(role);
});

test('the page title', () => {
  expect(pageTitle('Maa Tarini')).toBe('Maa Tarini - Transport Management System');
  expect(pageTitle(undefined)).toBe('Challan Desk - Transport Management System');
  expect(pageTitle('  ')).toBe('Challan Desk - Transport Management System');
});
