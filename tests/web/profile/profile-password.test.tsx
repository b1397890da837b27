import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  closeApp,
  dialog,
  openProfile,
  page,
  passwordField,
  press,
  question,
  toasts,
  userEvent,
} from '../support/screen.tsx';

afterEach(closeApp);

const current = () => passwordField('Current Password');
const fresh = () => passwordField('New Password');
const again = () => passwordField('Confirm New Password');

async function openDialog(): Promise<void> {
  await openProfile();
  await press('p');
  await expect.element(dialog('Change Password')).toBeInTheDocument();
}
async function expectSaid(where: () => ReturnType<typeof current>, text: string, message: string): Promise<void> {
  await userEvent.fill(where(), text);
  await press('{Tab}');
  await expect.element(where()).toHaveAccessibleDescription(message);
}

test('each rule is said when its field is left', async () => {
  fakeServer();
  await openDialog();
  await expectSaid(current, '', 'Current password is required');
  await expectSaid(fresh, '', 'New password is required');
  await expectSaid(fresh, '12345', 'Password must be at least 6 characters');
  await expectSaid(again, '', 'Please confirm your new password');
  await expectSaid(fresh, 'brand new one', 'At least 6 characters');
  await expectSaid(again, 'brand new', 'Passwords do not match');
  // The other field decides as much.
  await userEvent.fill(again(), 'brand new one');
  await press('{Tab}');
  await expect.element(again()).toHaveAccessibleDescription('');
  await userEvent.fill(fresh(), 'another one');
  await press('{Tab}');
  await expect.element(again()).toHaveAccessibleDescription('Passwords do not match');
});

test('the keyboard alone changes it; the other sessions leave the list and the focus comes back', async () => {
  const desk = fakeServer();
  await openProfile();
  await expect.element(page.getByRole('table')).toBeInTheDocument();
  (button('Change Password').element() as HTMLElement).focus();
  await press('{Enter}');
  await expect.element(dialog('Change Password')).toBeInTheDocument();
  await press('old password{Tab}{Tab}  new पासवर्ड {Tab}{Tab}  new पासवर्ड {Enter}');
  await expect.poll(toasts).toEqual(['Password changed successfully']);
  // Exactly as typed, spaces and all.
  expect(desk.writes(contract.profile.changePassword)).toEqual([
    { currentPassword: 'old password', newPassword: '  new पासवर्ड ', confirmPassword: '  new पासवर्ड ' },
  ]);
  await expect.poll(() => document.querySelectorAll('tbody tr').length).toBe(1);
  expect(document.activeElement?.textContent).toBe('Change Password');
});

test('a wrong current password stays in the dialog, is said beside its field, and signs nobody out', async () => {
  fakeServer();
  await openDialog();
  await userEvent.fill(current(), 'a guess');
  await userEvent.fill(fresh(), 'brand new one');
  await userEvent.fill(again(), 'brand new one');
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Current password is incorrect');
  await expect.element(current()).toHaveAccessibleDescription('Current password is incorrect');
  expect(document.body.textContent?.split('Current password is incorrect')).toHaveLength(2);
  expect(document.activeElement).toBe(current().element());
  expect(window.location.pathname).toBe('/profile');
});

test('too many guesses and a speechless server are said in the dialog', async () => {
  const desk = fakeServer();
  await openDialog();
  await userEvent.fill(current(), 'a guess');
  await userEvent.fill(fresh(), 'brand new one');
  await userEvent.fill(again(), 'brand new one');
  const wait = 'Too many attempts. Please try again in 8 seconds.';
  desk.once(contract.profile.changePassword, () => refusal('TOO_MANY_REQUESTS', wait));
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByRole('alert')).toHaveTextContent(wait);
  desk.once(contract.profile.changePassword, speechless);
  await press('{Control>}s{/Control}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to change password');
});

test('each password is shown and hidden on demand', async () => {
  fakeServer();
  await openDialog();
  await expect.element(fresh()).toHaveAttribute('type', 'password');
  await userEvent.click(page.getByRole('button', { name: 'Show new password', exact: true }));
  await expect.element(fresh()).toHaveAttribute('type', 'text');
  await expect.element(current()).toHaveAttribute('type', 'password');
  await userEvent.click(page.getByRole('button', { name: 'Hide new password', exact: true }));
  await expect.element(fresh()).toHaveAttribute('type', 'password');
});

test('Escape closes it, and asks where something was typed', async () => {
  fakeServer();
  await openDialog();
  await press('{Escape}');
  await expect.element(dialog('Change Password')).not.toBeInTheDocument();
  await press('p');
  await expect.element(dialog('Change Password')).toBeInTheDocument();
  await press('typed{Escape}');
  await expect.poll(question).toContain('Close without saving?');
});

test('a command of the palette is done as the screen is now, not as it was before its data came', async () => {
  fakeServer();
  await openProfile();
  for (const name of ['Change Password', 'Export All Data']) {
    await press('{Control>}k{/Control}');
    const search = page.getByRole('combobox', { name: 'Find a screen or an action' });
    await expect.element(search).toHaveFocus();
    await userEvent.fill(search, name);
    await expect
      .poll(() => document.querySelector('[role="option"][aria-selected="true"]')?.textContent)
      .toContain(name);
    await press('{Enter}');
    await expect.element(dialog(name)).toBeInTheDocument();
    await press('{Escape}');
    await expect.element(dialog(name)).not.toBeInTheDocument();
  }
});

test('all data is taken out with the password again; a wrong one is said beside its field', async () => {
  const desk = fakeServer();
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await openProfile();
  (button('Export All Data').element() as HTMLElement).focus();
  await press('{Enter}');
  await expect.element(dialog('Export All Data')).toBeInTheDocument();
  await press('another one{Enter}');
  await expect.element(current()).toHaveAccessibleDescription('Current password is incorrect');
  expect(saved).toEqual([]);
  await userEvent.fill(current(), 'old password');
  await press('{Enter}');
  await expect.poll(toasts).toEqual(['All data downloaded']);
  expect(saved).toEqual(['challan-desk-2026-11-23.zip']);
  expect(desk.writes(contract.profile.takeOut)).toEqual([
    { currentPassword: 'another one' },
    { currentPassword: 'old password' },
  ]);
  await expect.poll(() => document.activeElement?.textContent).toBe('Export All Data');
  click.mockRestore();
});
