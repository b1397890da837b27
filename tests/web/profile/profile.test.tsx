import { afterEach, expect, test } from 'vitest';
import { getSession } from '../../../src/web/kit/api/session-store.ts';
import { focusOnceDrawn } from '../in-the-gap.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildOpenSession, buildProfile, idOf } from '../support/builders.ts';
import { foreignAnswer, speechless } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import {
  button,
  closeApp,
  expectMessage,
  fact,
  field,
  fill,
  openProfile,
  page,
  press,
  question,
  toasts,
  userEvent,
} from '../support/screen.tsx';

afterEach(closeApp);

const focused = (): string | null | undefined =>
  document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent;
const updates = (desk: Desk) => desk.writes(contract.profile.update);

test('shows the profile and the status of the account', async () => {
  fakeServer();
  await openProfile();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('My Profile');
  const labels = ['Email Address', 'Company/Banner Name', 'GST Number', 'Contact Number', 'Office Address'];
  expect([...labels, 'Status', 'Created', 'Last Updated'].map(fact)).toEqual([
    'a@b.in',
    'Maa Tarini Roadlines',
    '21ABCDE1234F1Z5',
    '9876543210',
    'Station Road, Keonjhar',
    'Active',
    '14/11/2026 10:30',
    '20/11/2026 11:00',
  ]);
  expect(document.querySelector('main [role="status"]')).toBeNull();
});

test('a row of tabs leads to the screens under Profile, and each of them has the same row', async () => {
  fakeServer().serveRest();
  await openProfile();
  const tabs = page.getByRole('navigation', { name: 'Profile' });
  const names = ['Profile', 'People', 'Activity', 'Bank Accounts', 'Bank Layouts'];
  for (const name of [...names.slice(1, 4), 'Profile']) {
    expect(
      tabs
        .getByRole('link')
        .elements()
        .map((link) => link.textContent),
    ).toEqual(names);
    await userEvent.click(tabs.getByRole('link', { name, exact: true }));
    await expect.element(tabs.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page');
    // The new screen has taken the place of the one before.
    await expect.poll(() => tabs.elements()).toHaveLength(1);
  }
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('My Profile');
});

test('an account without a profile says so, and Retry asks again', async () => {
  const desk = fakeServer();
  desk.once(contract.profile.get, () =>
    foreignAnswer({ success: false, code: 'NOT_FOUND', message: 'Profile not found' }, 404),
  );
  await openProfile('[role="alert"]');
  await expect.element(page.getByText('Profile Not Found', { exact: true })).toBeInTheDocument();
  await expect.element(page.getByText('Unable to load your profile information.')).toBeInTheDocument();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Profile not found');
  await expect.poll(toasts).toEqual(['Profile not found']);
  expect(button('Edit Profile').elements()).toHaveLength(0);
  await userEvent.click(button('Retry'));
  await expect.poll(() => fact('Company/Banner Name')).toBe('Maa Tarini Roadlines');
});

test('a server without a sentence of its own gets the words of the catalogue', async () => {
  const desk = fakeServer();
  desk.once(contract.profile.get, () => foreignAnswer({ success: false }, 400));
  await openProfile('[role="alert"]');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch profile');
});

test('H shows who changed the account and its TDS settings, and gives the focus back', async () => {
  const desk = fakeServer();
  const change = { field: 'tdsSection', label: 'TDS Section', kind: 'text', before: null, after: '194C' } as const;
  desk.books.history = [
    {
      id: idOf(1),
      at: '2026-11-20T05:30:00.000Z',
      actor: 'a@b.in',
      screen: 'TDS Register',
      action: 'TDS settings changed',
      reason: '',
      payment: null,
      changes: [change],
    },
  ];
  await openProfile();
  (button('History').element() as HTMLElement).focus();
  await press('h');
  const entry = page.getByRole('dialog', { name: 'History of this account' }).getByRole('listitem');
  await expect.element(entry).toHaveTextContent('TDS settings changed by a@b.in on TDS Register');
  await expect.element(entry).toHaveTextContent('TDS Section— → 194C');
  await press('{Escape}');
  await expect.element(button('History')).toHaveFocus();
});

test('a GST number that only the admin let in is warned of', async () => {
  fakeServer({ profile: buildProfile({ gstNo: 'APPLIED FOR' }) });
  await openProfile();
  await expect.element(page.getByRole('status').first()).toHaveTextContent('The GST number on file is not valid');
  await expect.element(page.getByRole('status').first()).toHaveTextContent('GST number must be exactly 15 characters');
});

test('the form has the focus as soon as it is drawn', async () => {
  fakeServer();
  await openProfile();
  const first = focusOnceDrawn(() => document.querySelector('[name="bannerName"]') !== null);
  await press('e');
  expect((await first)?.getAttribute('name')).toBe('bannerName');
});

test('each rule is said when its field is left', async () => {
  fakeServer();
  await openProfile();
  await press('e');
  await expectMessage('Company/Banner Name', '', 'Company name is required');
  await expectMessage('Company/Banner Name', 'M', 'Company name must be at least 2 characters');
  await expectMessage('GST Number', '', 'GST number is required');
  await expectMessage('GST Number', '21ABCDE1234F1Z', 'GST number must be exactly 15 characters');
  await expectMessage('GST Number', '21ABCDE1234F0Z5', 'Please enter a valid GST number');
  await expectMessage('Contact Number', '', 'Contact number is required');
  await expectMessage('Contact Number', '+9198765', 'Please enter a valid Indian mobile number');
  await expectMessage('Office Address', '', 'Office address is required');
  await expectMessage('Office Address', 'Joda', 'Address must be at least 10 characters');
  await expect.element(field('Email Address')).toHaveAttribute('readonly');
  await expect.element(field('Email Address')).toHaveAccessibleDescription('The email address cannot be changed');
});

test('E edits, Ctrl+Enter sends what was changed, and the name is new everywhere at once', async () => {
  const desk = fakeServer();
  await openProfile();
  await press('e');
  await expect.poll(focused).toBe('bannerName');
  await fill({ 'Company/Banner Name': ' Tarini Transport ', 'GST Number': '27aapfu0939f1zv' });
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Profile updated successfully']);
  expect(updates(desk)).toEqual([{ bannerName: ' Tarini Transport ', gstNo: '27AAPFU0939F1ZV', version: 1 }]);
  await expect.poll(() => fact('GST Number')).toBe('27AAPFU0939F1ZV');
  await expect.poll(focused).toBe('Edit Profile');
  expect(getSession()?.user.bannerName).toBe('Tarini Transport');
  await expect.poll(() => document.title).toBe('Tarini Transport - Transport Management System');
  expect(document.querySelector('header')?.textContent).toContain('Tarini Transport');
});

test('Ctrl+S without a change says so and ends the edit', async () => {
  const desk = fakeServer();
  await openProfile();
  await userEvent.click(button('Edit Profile'));
  await press('{Control>}s{/Control}');
  await expect.poll(toasts).toEqual(['No changes detected']);
  expect(updates(desk)).toEqual([]);
  expect(button('Save Changes').elements()).toHaveLength(0);
});

test('Escape leaves the edit: at once when nothing was changed, else after asking', async () => {
  const desk = fakeServer();
  await openProfile();
  await press('{F2}');
  await expect.poll(focused).toBe('bannerName');
  await press('{Escape}');
  await expect.poll(focused).toBe('Edit Profile');
  await press('e');
  await expect.poll(focused).toBe('bannerName');
  await userEvent.fill(field('Company/Banner Name'), 'Other');
  await press('{Escape}');
  await expect.poll(question).toContain('Discard your changes?');
  // The safe answer has the focus.
  await press('{Enter}');
  await expect.element(field('Company/Banner Name')).toHaveValue('Other');
  await press('{Escape}');
  await expect.poll(question).toContain('Discard your changes?');
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(focused).toBe('Edit Profile');
  expect(fact('Company/Banner Name')).toBe('Maa Tarini Roadlines');
  expect(updates(desk)).toEqual([]);
});

test('leaving the screen with something typed asks first', async () => {
  fakeServer();
  const router = await openProfile();
  await press('e');
  await expect.poll(focused).toBe('bannerName');
  await userEvent.fill(field('Company/Banner Name'), 'New');
  void router.navigate('/unauthorized');
  await expect.poll(question).toContain('Leave without saving?');
  await press('{Enter}');
  await expect.element(field('Company/Banner Name')).toHaveValue('New');
  expect(window.location.pathname).toBe('/profile');
});

test('a change made elsewhere meanwhile is shown field by field, and nothing typed is lost', async () => {
  const desk = fakeServer();
  await openProfile();
  await press('e');
  await fill({ 'Company/Banner Name': 'Mine', 'Contact Number': '9000000001' });
  desk.books.profile = buildProfile({ bannerName: 'Theirs', officeAddress: 'Plot 12, Barbil Road, Joda', version: 2 });
  await press('{Control>}s{/Control}');
  await expect.element(page.getByText('Your profile was changed by someone else while you were editing')).toBeVisible();
  await expect.element(field('Office Address')).toHaveValue('Plot 12, Barbil Road, Joda');
  await expect.element(field('Company/Banner Name')).toHaveValue('Mine');
  await userEvent.click(button('Use theirs for Company/Banner Name'));
  await expect.element(field('Company/Banner Name')).toHaveValue('Theirs');
  await press('{Control>}s{/Control}');
  await expect.poll(toasts).toEqual(['Profile updated successfully']);
  expect(updates(desk).at(-1)).toEqual({ contactNumber: '9000000001', version: 2 });
});

test('a refused save keeps the form, with the sentence of the server or of the catalogue', async () => {
  const desk = fakeServer();
  await openProfile();
  await press('e');
  await fill({ 'Contact Number': '9000000001' });
  desk.once(contract.profile.update, speechless);
  await press('{Control>}s{/Control}');
  await expect.poll(toasts).toEqual(['Failed to update profile']);
  desk.once(contract.profile.update, () =>
    foreignAnswer({ success: false, error: 'Profile locked', message: 'Try again tomorrow', code: 'FORBIDDEN' }, 200),
  );
  await press('{Control>}s{/Control}');
  await expect.poll(toasts).toContain('Profile locked: Try again tomorrow');
  await expect.element(field('Contact Number')).toHaveValue('9000000001');
});

test('a second save while the first is under way is not sent', async () => {
  const desk = fakeServer();
  await openProfile();
  await press('e');
  await fill({ 'Contact Number': '9000000001' });
  const release = desk.hold(contract.profile.update);
  await press('{Control>}s{/Control}');
  await expect.poll(() => updates(desk).length).toBe(1);
  await press('{Control>}s{/Control}{Escape}');
  release();
  await expect.poll(toasts).toEqual(['Profile updated successfully']);
  expect(updates(desk)).toHaveLength(1);
});

test('the open sessions are listed, this one marked, and the others ended after asking', async () => {
  const desk = fakeServer({
    sessions: [
      buildOpenSession(1),
      buildOpenSession(2, { userAgent: 'Chrome on Android' }),
      buildOpenSession(3, { userAgent: 'Firefox on Linux' }),
    ],
  });
  await openProfile();
  await expect.element(page.getByRole('table', { name: 'Open Sessions' })).toBeInTheDocument();
  const rows = () =>
    [...document.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('th, td')].map((cell) => cell.textContent).join(' | '),
    );
  expect(rows()).toEqual([
    'Chrome on WindowsThis session | 192.168.1.1 | 20/11/2026 09:30 | 20/11/2026 11:00 | 20/11/2026 17:30 | ',
    'Chrome on Android | 192.168.1.2 | 20/11/2026 09:30 | 20/11/2026 11:00 | 20/11/2026 17:30 | Sign out',
    'Firefox on Linux | 192.168.1.3 | 20/11/2026 09:30 | 20/11/2026 11:00 | 20/11/2026 17:30 | Sign out',
  ]);
  await userEvent.click(button('Sign out everywhere else'));
  await expect.poll(question).toContain('2 other sessions of this account will have to sign in again.');
  await press('{Enter}');
  expect(desk.calls(contract.session.endOthers)).toEqual([]);
  await userEvent.click(button('Sign out everywhere else'));
  await expect.poll(question).toContain('2 other sessions');
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Signed out of 2 other sessions']);
  await expect.poll(() => rows().length).toBe(1);
  await expect.element(button('Sign out everywhere else')).toHaveAttribute('aria-disabled', 'true');
});

test('one session is ended after asking, and the others stay', async () => {
  const desk = fakeServer({
    sessions: [
      buildOpenSession(1),
      buildOpenSession(2, { userAgent: 'Chrome on Android' }),
      buildOpenSession(3, { userAgent: 'Firefox on Linux' }),
    ],
  });
  await openProfile();
  await expect.element(button('Sign out Chrome on Android, 192.168.1.2')).toBeInTheDocument();
  (button('Sign out Chrome on Android, 192.168.1.2').element() as HTMLElement).focus();
  await press('{Enter}');
  await expect.poll(question).toContain('Sign out Chrome on Android?');
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Signed out there']);
  await expect.poll(() => desk.books.sessions.map(({ id }) => id)).toEqual([idOf(1), idOf(3)]);
  await expect.poll(() => document.querySelectorAll('tbody tr').length).toBe(2);
});

test('sessions that cannot be read leave the profile in its place', async () => {
  const desk = fakeServer();
  desk.once(contract.session.list, () => foreignAnswer({ success: false }, 400));
  await openProfile();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch the open sessions');
  await userEvent.click(button('Retry'));
  await expect.element(page.getByRole('table')).toBeInTheDocument();
});
