import { afterEach, expect, test, vi } from 'vitest';
import { closeApp, failure, page, press, toasts, userEvent } from './challan-list-stage.tsx';
import { button, dialog, question, speechless } from './master-data-stage.tsx';
import { makeProfileDesk, openProfile, passwordField } from './profile-stage.ts';

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
  makeProfileDesk();
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
  const desk = makeProfileDesk();
  await openProfile();
  await expect.element(page.getByRole('table')).toBeInTheDocument();
  (button('Change Password').element() as HTMLElement).focus();
  await press('{Enter}');
  await expect.element(dialog('Change Password')).toBeInTheDocument();
  await press('old password{Tab}{Tab}  new पासवर्ड {Tab}{Tab}  new पासवर्ड {Enter}');
  await expect.poll(toasts).toEqual(['Password changed successfully']);
  // Exactly as typed, spaces and all.
  expect(desk.asks('PUT', /change-password$/).map(({ body }) => body)).toEqual([
    { currentPassword: 'old password', newPassword: '  new पासवर्ड ', confirmPassword: '  new पासवर्ड ' },
  ]);
  await expect.poll(() => document.querySelectorAll('tbody tr').length).toBe(1);
  expect(document.activeElement?.textContent).toBe('Change Password');
});

test('a wrong current password stays in the dialog, is said beside its field, and signs nobody out', async () => {
  makeProfileDesk();
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
  const desk = makeProfileDesk();
  await openDialog();
  await userEvent.fill(current(), 'a guess');
  await userEvent.fill(fresh(), 'brand new one');
  await userEvent.fill(again(), 'brand new one');
  const wait = 'Too many attempts. Please try again in 8 seconds.';
  desk.once('PUT', /change-password$/, () => failure(429, 'TOO_MANY_REQUESTS', wait));
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByRole('alert')).toHaveTextContent(wait);
  desk.once('PUT', /change-password$/, speechless);
  await press('{Control>}s{/Control}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to change password');
});

test('each password is shown and hidden on demand', async () => {
  makeProfileDesk();
  await openDialog();
  await expect.element(fresh()).toHaveAttribute('type', 'password');
  await userEvent.click(page.getByRole('button', { name: 'Show new password', exact: true }));
  await expect.element(fresh()).toHaveAttribute('type', 'text');
  await expect.element(current()).toHaveAttribute('type', 'password');
  await userEvent.click(page.getByRole('button', { name: 'Hide new password', exact: true }));
  await expect.element(fresh()).toHaveAttribute('type', 'password');
});

test('Escape closes it, and asks where something was typed', async () => {
  makeProfileDesk();
  await openDialog();
  await press('{Escape}');
  await expect.element(dialog('Change Password')).not.toBeInTheDocument();
  await press('p');
  await expect.element(dialog('Change Password')).toBeInTheDocument();
  await press('typed{Escape}');
  await expect.poll(question).toContain('Close without saving?');
});

test('a command of the palette is done as the screen is now, not as it was before its data came', async () => {
  makeProfileDesk();
  await openProfile();
  for (const name of ['Change Password', 'Take Out All Data']) {
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
  const desk = makeProfileDesk();
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await openProfile();
  (button('Take Out All Data').element() as HTMLElement).focus();
  await press('{Enter}');
  await expect.element(dialog('Take Out All Data')).toBeInTheDocument();
  await press('another one{Enter}');
  await expect.element(current()).toHaveAccessibleDescription('Current password is incorrect');
  expect(saved).toEqual([]);
  await userEvent.fill(current(), 'old password');
  await press('{Enter}');
  await expect.poll(toasts).toEqual(['All data downloaded']);
  expect(saved).toEqual(['challan-desk-2026-11-23.zip']);
  expect(desk.asks('POST', /take-out$/).map(({ body }) => body)).toEqual([
    { currentPassword: 'another one' },
    { currentPassword: 'old password' },
  ]);
  await expect.poll(() => document.activeElement?.textContent).toBe('Take Out All Data');
  click.mockRestore();
});
