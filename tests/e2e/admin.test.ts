import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { buildOwner } from '../server/support/builders.ts';
import { findings } from './support/axe.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import {
  dialogOf,
  fieldIn,
  gone,
  question,
  said,
  tabTo,
  takeItem,
  typeAll,
  typeInto,
  untilOnRow,
  walkTo,
} from './support/keys.ts';

/** Sub-admin management (docs/specification.md §5), by an admin who has no mouse. */

let desk: Desk;
let admin: Business;
beforeAll(async () => {
  desk = await openDesk();
  const credentials = await desk.addAdmin();
  const nobody = { id: '', bannerName: '', token: '', ...credentials };
  const { data } = await desk.call(nobody, contract.session.loginAdmin, { body: credentials });
  admin = { ...nobody, token: data.token };
  for (let n = 0; n < 12; n += 1) await desk.addBusiness();
});
afterAll(() => desk.close());

const countOf = async (): Promise<number> =>
  (await desk.call(admin, contract.subadmins.list, { query: { limit: 1 } })).pagination.totalCount;
const canSignIn = (email: string, password: string): Promise<boolean> =>
  desk.call(admin, contract.session.loginSubadmin, { body: { email, password } }).then(
    () => true,
    () => false,
  );

it('goes from the sign-in over every act of sub-admin management to Logout', async () => {
  // So high that ten rows fit.
  const { page, context } = await desk.open({ height: 640 });
  const sent: { method: string; body: unknown }[] = [];
  page.on('request', (request) => {
    if (/\/api\/subadmins(\/|$)/.test(new URL(request.url()).pathname) && request.method() !== 'GET') {
      sent.push({ method: request.method(), body: request.postDataJSON() as unknown });
    }
  });
  const press = (keys: string) => page.keyboard.press(keys);

  // Signing in: wrong first, with an alert that is closed by key.
  await page.goto(`${desk.appUrl}/adminlogin`);
  await page.getByRole('link', { name: 'Regular Login' }).waitFor();
  await page.keyboard.type(admin.email);
  await press('Tab');
  await page.keyboard.type('not the password');
  await press('Enter');
  const failure = page.getByRole('alert');
  await failure.getByText('Login Failed', { exact: true }).waitFor();
  await failure.getByText('Invalid admin credentials', { exact: true }).waitFor();
  await tabTo(page, failure.getByRole('button', { name: 'Close' }), 'Shift+Tab');
  await press('Enter');
  await gone(failure);
  await expect
    .poll(() => page.getByLabel(/^Password/).evaluate((field) => field === document.activeElement))
    .toBe(true);
  await typeInto(page, page.getByLabel(/^Password/), admin.password);
  await press('Enter');
  await page.waitForURL('**/admin/subadmins');
  await page.getByRole('heading', { name: 'Subadmins' }).waitFor();

  // The dashboard counts them and leads back.
  await press('Alt+1');
  await page.getByRole('heading', { name: 'Welcome back, Admin!' }).waitFor();
  await page.getByText('Total Subadmins').waitFor();
  await said(page, (await countOf()).toLocaleString('en-IN'));
  await tabTo(page, page.getByRole('region', { name: 'Quick Actions' }).getByRole('link', { name: 'Subadmins' }));
  await press('Enter');
  await page.waitForURL('**/admin/subadmins');
  await page.getByRole('gridcell').first().waitFor();

  // A creation that fails keeps the modal, its alert and what was typed.
  const taken = await desk.addBusiness('Zenith Movers');
  const email = `aarti-${Date.now()}@roadlines.test`;
  await press('n');
  const adding = dialogOf(page, 'Add New Subadmin');
  await typeAll(page, adding, {
    Email: taken.email,
    Password: 'six chars',
    'Banner Name': 'Aarti Roadlines',
    'GST No': '21abcde1234f1z5',
    'Contact Number': '987654321',
    'Office Address': 'NH 520, Barbil',
  });
  await press('Control+Enter');
  await said(page, 'Please enter valid 10 digit contact number');
  expect(sent).toEqual([]);
  await typeInto(page, fieldIn(adding, 'Contact Number'), '98765 43210');
  await press('Control+Enter');
  const alert = adding.getByRole('alert');
  await alert.getByText('Error', { exact: true }).waitFor();
  await alert.getByText('This email is already in use', { exact: true }).waitFor();
  await expect.poll(() => fieldIn(adding, 'Banner Name').inputValue()).toBe('Aarti Roadlines');
  const before = await countOf();
  await typeInto(page, fieldIn(adding, 'Email'), email);
  await press('Control+Enter');
  await said(page, 'Subadmin created successfully');
  await gone(adding);
  expect(await countOf()).toBe(before + 1);
  expect(await canSignIn(email, 'six chars')).toBe(true);

  // By name it is the first of the list, and its row has the focus.
  await untilOnRow(page, email);
  sent.length = 0;
  await press('e');
  const editing = dialogOf(page, 'Edit Subadmin');
  await editing.waitFor();
  await press('Control+Enter');
  await said(page, 'No changes detected');
  await gone(editing);
  await untilOnRow(page, email);
  expect(sent).toEqual([]);
  await press('F2');
  await typeAll(page, editing, { 'Contact Number': '0123' });
  await said(page, 'Please enter a valid contact number');
  await typeInto(page, fieldIn(editing, 'Contact Number'), '+919437012345');
  await press('Control+Enter');
  await said(page, 'Subadmin updated successfully');
  expect(sent).toEqual([{ method: 'PUT', body: { contactNumber: '+919437012345', version: 1 } }]);
  await gone(editing);
  await page.getByRole('gridcell', { name: '+919437012345' }).waitFor();

  // Everything of it, id and role too.
  await untilOnRow(page, email);
  await press('Enter');
  const details = dialogOf(page, 'Aarti Roadlines');
  await details.getByText('Subadmin', { exact: true }).waitFor();
  const { data: all } = await desk.call(admin, contract.subadmins.list, { query: { limit: 100 } });
  const made = all.find((item) => item.email === email);
  await details.getByText(made?.id ?? 'no id', { exact: true }).waitFor();
  await press('Escape');
  await gone(details);
  await untilOnRow(page, email);

  // The switch: by its letter, and by Space on the box itself.
  await press('a');
  await page.getByRole('alertdialog', { name: 'Deactivate "Aarti Roadlines"?' }).waitFor();
  await press('Control+Enter');
  await said(page, 'Subadmin deactivated successfully');
  expect(await canSignIn(email, 'six chars')).toBe(false);
  const box = page.getByRole('switch', { name: `Active, ${email}` });
  await expect.poll(() => box.getAttribute('aria-checked')).toBe('false');
  await page.getByRole('gridcell', { name: 'Inactive', exact: true }).waitFor();
  await press('End');
  for (
    let n = 0;
    n < 8 &&
    !(await box.evaluate((item) => item.closest('[role="gridcell"]')?.contains(document.activeElement) ?? false));
    n += 1
  ) {
    await press('ArrowLeft');
  }
  await press(' ');
  await said(page, 'Subadmin activated successfully');
  expect(await canSignIn(email, 'six chars')).toBe(true);

  // Pages of as many rows as fit, or of 10, 20, 50 and 100.
  const sizes = page.getByRole('combobox', { name: 'Rows per page' });
  await press('Alt+PageDown');
  await page.getByText(/^11-/).waitFor();
  await tabTo(page, sizes);
  await press('Enter');
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['Fit to window', '10', '20', '50', '100']);
  await press('ArrowDown');
  await press('ArrowDown');
  await press('Enter');
  await page.waitForURL((url) => url.searchParams.get('limit') === '20' && !url.searchParams.has('page'));
  await page.getByText(/^1-/).waitFor();

  // Delete: the stated question; Escape leaves everything, the safe button has the focus.
  await walkTo(page, email, 'Shift+Tab');
  await press('Delete');
  await question(page).getByText('Are you sure you want to delete this subadmin?', { exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Cancel'));
  await press('Escape');
  await gone(question(page));
  await untilOnRow(page, email);
  await press('Delete');
  await tabTo(page, question(page).getByRole('button', { name: 'Delete' }));
  await press('Enter');
  await said(page, 'Subadmin deleted successfully');
  await gone(page.getByRole('gridcell', { name: email, exact: true }));
  expect(await canSignIn(email, 'six chars')).toBe(false);
  expect(await countOf()).toBe(before);
  await page.waitForFunction(() => document.activeElement?.closest('[role="gridcell"]') !== null);

  // Out by the palette.
  await press('Control+K');
  await page.getByRole('combobox', { name: 'Find a screen or an action' }).waitFor();
  await page.keyboard.type('logout');
  await page.getByRole('option', { name: 'Logout' }).waitFor();
  await press('Enter');
  await page.waitForURL('**/login');
  await page.goto(`${desk.appUrl}/admin/subadmins`);
  await page.waitForURL('**/login');
  await context.close();
});

/** The admin signs in and opens the account menu. */
async function inAccountMenu(email: string, password: string) {
  const { page, context } = await desk.open();
  const press = (keys: string) => page.keyboard.press(keys);
  await page.goto(`${desk.appUrl}/adminlogin`);
  await page.getByLabel('Email').focus();
  await page.keyboard.type(email);
  await press('Tab');
  await page.keyboard.type(password);
  await press('Enter');
  await page.getByRole('heading', { name: 'Subadmins' }).waitFor();
  await tabTo(page, page.getByRole('button', { name: `Account, ${email}` }), 'Shift+Tab');
  await press('Enter');
  return { page, context, press };
}

it('takes a business out of the directory of owners; both sides and the admin see what was copied', async () => {
  // First in the list by its name.
  const source = await desk.addBusiness(`0 Balaji Carriers ${Date.now()}`);
  const business = await desk.addBusiness();
  const name = `Convoy ${Date.now()}`;
  const { data: owner } = await desk.call(source, contract.owners.create, { body: buildOwner({ name }) });
  await desk.call(business, contract.owners.copy, { body: { ownerIds: [owner.id] } });
  const seesLine = async (page: Page, by: string): Promise<void> => {
    await page.getByRole('heading', { name: 'Copied Owners' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: name });
    // Its first column is a row of its own, beside the others.
    for (const text of [source.bannerName, business.bannerName, by]) {
      await row.getByRole('gridcell', { name: text, exact: true }).first().waitFor();
    }
    expect(await findings(page)).toEqual([]);
  };

  const { page, context } = await desk.open();
  const press = (keys: string) => page.keyboard.press(keys);
  await page.goto(`${desk.appUrl}/adminlogin`);
  await page.getByLabel('Email').focus();
  await page.keyboard.type(admin.email);
  await press('Tab');
  await page.keyboard.type(admin.password);
  await press('Enter');
  await page.getByRole('heading', { name: 'Subadmins' }).waitFor();
  await walkTo(page, source.email);
  await press('e');
  const editing = dialogOf(page, 'Edit Subadmin');
  await editing.waitFor();
  const inDirectory = editing.getByRole('switch', { name: 'Directory of owners' });
  await tabTo(page, inDirectory);
  await press('Space');
  await expect.poll(() => inDirectory.isChecked()).toBe(false);
  await press('Control+Enter');
  await said(page, 'Subadmin updated successfully');
  await gone(editing);
  await press('Alt+1');
  await page.getByRole('switch', { name: 'Directory of owners' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await tabTo(page, page.getByRole('link', { name: 'Copied owners' }));
  await press('Enter');
  await seesLine(page, business.email);
  await context.close();

  const own = await desk.open();
  await signIn(own.page, desk.appUrl, source);
  await own.page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  await own.page.keyboard.press('Alt+4');
  await own.page.getByText('The directory of owners is switched off').waitFor();
  expect(await findings(own.page)).toEqual([]);
  await tabTo(own.page, own.page.getByRole('link', { name: 'Copied owners' }), 'Shift+Tab');
  await own.page.keyboard.press('Enter');
  // Of another business its name, no email.
  await seesLine(own.page, business.bannerName);
  expect(await own.page.getByText(business.email).count()).toBe(0);
  await own.context.close();
});

it('ends one of the own sessions under the user menu', async () => {
  const { email, password } = await desk.addAdmin();
  const other = await desk.call(admin, contract.session.loginAdmin, { body: { email, password } });
  const { page, context, press } = await inAccountMenu(email, password);
  await takeItem(page, 'Open Sessions');
  const dialog = dialogOf(page, 'Open Sessions');
  const rows = dialog.locator('tbody tr');
  await rows.nth(1).waitFor();
  expect(await findings(page)).toEqual([]);
  await tabTo(page, dialog.getByRole('button', { name: /^Sign out node,/ }));
  await press('Enter');
  await page.getByRole('alertdialog', { name: 'Sign out node?' }).waitFor();
  await press('Control+Enter');
  await said(page, 'Signed out there');
  await gone(rows.nth(1));
  const stranger = { ...admin, token: other.data.token };
  await expect(desk.call(stranger, contract.session.list, {})).rejects.toThrow(/401/);
  await context.close();
});

it('changes the own password under the user menu', async () => {
  const { email, password } = await desk.addAdmin();
  const { page, context, press } = await inAccountMenu(email, password);
  await takeItem(page, 'Change Password');
  const dialog = dialogOf(page, 'Change Password');
  await dialog.waitFor();
  expect(await findings(page)).toEqual([]);
  await typeAll(page, dialog, {
    'Current Password': password,
    'New Password': 'brand new one',
    'Confirm New Password': 'brand new one',
  });
  await press('Control+Enter');
  await said(page, 'Password changed successfully');
  await gone(dialog);
  const signIn = (typed: string) =>
    desk.call(admin, contract.session.loginAdmin, { body: { email, password: typed } }).then(
      () => true,
      () => false,
    );
  expect([await signIn(password), await signIn('brand new one')]).toEqual([false, true]);
  await context.close();
});
