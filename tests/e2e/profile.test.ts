import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signInByForm, type Business, type Desk } from './support/desk.ts';

/** The profile by keyboard alone (docs/specification.md §12 and §2.4). */
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const said = (page: Page, text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text }).waitFor();
const isIn = (page: Page, name: string) =>
  page.waitForFunction((wanted) => document.activeElement?.getAttribute('name') === wanted, name);
const isSignedOut = (page: Page) => page.waitForURL('**/login');

/** By the palette, as somebody who knows no key of its own for it. */
async function goToProfile(page: Page): Promise<void> {
  await page.getByRole('heading', { name: /Welcome back/ }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type('Profile');
  await page.getByRole('option', { name: /^Profile/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).waitFor();
}

async function openSignedIn(business: Business) {
  const { page, context } = await desk.open();
  await signInByForm(page, desk.appUrl, business);
  return { page, context };
}

describe('the profile, by keyboard alone', () => {
  it('is edited and saved, and the new name shows everywhere at once', async () => {
    const business = await desk.addBusiness('Old Carriers');
    const { page, context } = await openSignedIn(business);
    const other = await context.newPage();
    await other.goto(`${desk.appUrl}/dashboard`);
    await other.getByRole('heading', { name: 'Welcome back, Old Carriers!' }).waitFor();

    await goToProfile(page);
    await page.keyboard.press('e');
    await isIn(page, 'bannerName');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('New Carriers');
    await page.keyboard.press('Tab');
    await page.keyboard.type('27aapfu');
    await page.keyboard.press('Tab');
    await page.getByText('GST number must be exactly 15 characters').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('27aapfu0939f1zv');
    await page.keyboard.press('Control+S');
    await said(page, 'Profile updated successfully');
    await page.getByText('27AAPFU0939F1ZV').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit Profile');
    expect(await page.title()).toBe('New Carriers - Transport Management System');
    // The other tab follows without a reload; the greeting of this one too.
    await other.getByRole('heading', { name: 'Welcome back, New Carriers!' }).waitFor();
    await page.keyboard.press('Alt+1');
    await page.getByRole('heading', { name: 'Welcome back, New Carriers!' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Welcome back, New Carriers!' }).waitFor();
    await context.close();
  });

  it('asks before something typed is lost', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await openSignedIn(business);
    await goToProfile(page);
    await page.keyboard.press('F2');
    await isIn(page, 'bannerName');
    await page.keyboard.type('Half a na');
    await page.keyboard.press('Alt+6');
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByLabel('Company/Banner Name').inputValue()).toContain('Half a na');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText(business.bannerName).first().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit Profile');
    await context.close();
  });

  it('changes the password: the session of another browser ends, this one goes on, and the new one signs in', async () => {
    const business = await desk.addBusiness();
    const elsewhere = await openSignedIn(business);
    const { page, context } = await openSignedIn(business);
    await goToProfile(page);
    await page.keyboard.press('p');
    await page.getByRole('dialog', { name: 'Change Password' }).waitFor();
    const fillIn = async (current: string, next: string): Promise<void> => {
      await page.keyboard.type(current);
      // Past the button that shows what was typed.
      for (const text of [next, next]) {
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Control+A');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
    };
    await fillIn('not the right one', 'brand new words');
    await page.getByRole('alert').filter({ hasText: 'Current password is incorrect' }).waitFor();
    // The focus is back in the field that is wrong.
    await page.keyboard.press('Control+A');
    await fillIn(business.password, 'brand new words');
    await said(page, 'Password changed successfully');

    await elsewhere.page.goto(`${desk.appUrl}/challans`);
    await isSignedOut(elsewhere.page);
    await page.keyboard.press('Alt+6');
    await page.getByRole('heading', { name: 'Challans', level: 1 }).waitFor();
    await signInByForm(elsewhere.page, desk.appUrl, { ...business, password: 'brand new words' });
    await elsewhere.context.close();
    await context.close();
  });

  it('signs out everywhere else, and only there', async () => {
    const business = await desk.addBusiness();
    const elsewhere = await openSignedIn(business);
    const { page, context } = await openSignedIn(business);
    await goToProfile(page);
    // Two browsers, and the session the business was made with.
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
    await expect.poll(() => page.locator('tbody tr').filter({ hasText: 'This session' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: 'Sign out everywhere else?' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await said(page, 'Signed out of 2 other sessions');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await elsewhere.page.goto(`${desk.appUrl}/challans`);
    await isSignedOut(elsewhere.page);
    await page.reload();
    await page.getByRole('button', { name: 'Edit Profile' }).waitFor();
    await elsewhere.context.close();
    await context.close();
  });
});

/** `npm run take:in -- <archive> <e-mail>` on the database that the app serves; what it prints. */
async function takeIn(archive: string, email: string): Promise<string> {
  const root = resolve(import.meta.dirname, '../..');
  const args = ['--import', 'tsx', 'src/tasks/take-in.ts', archive, email];
  const env = { ...process.env, DATABASE_URL: desk.databaseUrl };
  return (await promisify(execFile)(process.execPath, args, { cwd: root, env })).stdout;
}

/** What the screens of a business add up to. */
async function sumsOf(business: Business) {
  const query = { page: 1, limit: 100 };
  const { summary, pagination, data } = await desk.call(business, contract.challans.list, { query });
  const unpaid = await desk.call(business, contract.bankStatement.list, { query: { page: 1, limit: 20 } });
  const paid = await desk.call(business, contract.paymentBatches.list, { query: { page: 1, limit: 20 } });
  const owners = await desk.call(business, contract.owners.list, { query });
  const seen = { summary, pagination, challans: data, unpaid: unpaid.data.summary, paid: paid.summary, owners };
  // The one thing that differs.
  return JSON.parse(JSON.stringify(seen).replaceAll(business.id, 'the business')) as typeof seen;
}

describe('all data', () => {
  it('is taken out with the password, by keyboard alone, and read into an empty business that then adds up to the same', async () => {
    const business = await desk.addBusiness();
    await fillBooks(desk, business);
    const { page, context } = await openSignedIn(business);
    await goToProfile(page);
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('Export All');
    await page.getByRole('option', { name: /^Export All Data/ }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Export All Data' });
    await dialog.waitFor();
    await isIn(page, 'currentPassword');
    await page.keyboard.type('not the right one');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'Current password is incorrect' }).waitFor();
    await isIn(page, 'currentPassword');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(business.password);
    // Both are waited for beforehand: the message goes after a while.
    const waiting = Promise.all([page.waitForEvent('download'), said(page, 'All data downloaded')]);
    await page.keyboard.press('Enter');
    const [download] = await waiting;
    expect(download.suggestedFilename()).toMatch(/^challan-desk-\d{4}-\d\d-\d\d\.zip$/);
    await dialog.waitFor({ state: 'detached' });
    const directory = await mkdtemp(join(tmpdir(), 'challan-desk-taken-out-'));
    const archive = join(directory, 'all.zip');
    await download.saveAs(archive);
    await context.close();

    const empty = await desk.addBusiness();
    const printed = await takeIn(archive, empty.email);
    await rm(directory, { recursive: true });
    expect(printed).toContain('challans: 12 rows');
    expect(printed).toContain('no difference');
    const sums = await sumsOf(business);
    expect(sums.pagination.totalCount).toBe(12);
    expect(await sumsOf(empty)).toEqual(sums);
    const there = await openSignedIn(empty);
    await there.page.goto(`${desk.appUrl}/accounting/payments`);
    await there.page.getByRole('gridcell').filter({ hasText: 'PAY-' }).first().waitFor();
    await there.context.close();
  });
});

describe('in both themes', () => {
  it('axe finds nothing on the profile, its form and its dialogs', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await openSignedIn(business);
    const found: Record<string, string[]> = {};
    const judge = async (name: string): Promise<void> => {
      const here = await findings(page);
      if (here.length > 0) found[name] = here;
    };
    await goToProfile(page);
    await page.getByRole('table').waitFor();
    await judge('view');
    await page.keyboard.press('e');
    await page.getByLabel('GST Number').fill('21');
    await page.keyboard.press('Control+Enter');
    await page.getByText('GST number must be exactly 15 characters').waitFor();
    await judge('form with an error');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor();
    await judge('question');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Edit Profile' }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('dialog', { name: 'Change Password' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Current password is required').waitFor();
    await judge('password with errors');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Change Password' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Export All Data' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Export All Data' }).waitFor();
    await judge('taking out');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Current password is required').waitFor();
    await judge('taking out without the password');
    expect(found).toEqual({});
    await context.close();
  });
});
