import { expect, test } from 'vitest';
import { landingAfter, menus, roleOfPath } from '../../../src/web/shell/places.ts';
import { pageTitle } from '../../../src/web/session/session.ts';

test('the menus are those of the specification', () => {
  const labels = (role: 'admin' | 'subadmin') =>
    menus[role].map(({ label, places }) => [label ?? '', ...places.map((place) => place.label)]);
  expect(labels('admin')).toEqual([['', 'Dashboard', 'Subadmins']]);
  expect(labels('subadmin')).toEqual([
    ['', 'Dashboard'],
    ['Owner Management', 'Owners', 'Tags', 'Copy Owners'],
    ['', 'Trucks'],
    ['Financial Management', 'Challans', 'Accounting', 'Bank Statement', 'Payments', 'Shared Reports'],
    ['Operations', 'Petrol Pumps', 'HSD Verification'],
  ]);
});

test('no two entries share a key, and the Alt keys are those of docs/keyboard.md', () => {
  const places = menus.subadmin.flatMap((group) => group.places);
  const keys = places.flatMap((place) => place.keys);
  expect(new Set(keys).size).toBe(keys.length);
  const order = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'].map(
    (digit) => places.find((place) => place.keys.includes(`Alt+${digit}`))?.path,
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
  ['/challans?page=2&tpNo=x', 'subadmin', '/challans?page=2&tpNo=x'],
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
