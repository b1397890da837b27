import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { findings } from './support/axe.ts';
import { openDesk, signInByForm, type Desk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

describe('signing in and out', () => {
  it('remembers where a visitor wanted to go, and goes there after the sign-in', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await desk.open();
    await page.goto(`${desk.appUrl}/challans?paymentStatus=unpaid`);
    await page.waitForURL('**/login');
    await page.getByLabel('Email').fill(business.email);
    await page.getByLabel(/^Password/).fill(business.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/challans?paymentStatus=unpaid');
    await context.close();
  });

  it('takes a key pressed right after Enter for the first screen, which is not there yet', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await desk.open();
    await page.goto(`${desk.appUrl}/login`);
    await page.getByLabel('Email').fill(business.email);
    await page.getByLabel(/^Password/).fill(business.password);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Alt+6');
    await page.waitForURL('**/challans');
    await page.getByRole('heading', { name: 'Challans', level: 1 }).waitFor();
    await context.close();
  });

  it('gives what is typed while a screen is loading to that screen, never to the one before', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await desk.open();
    await signInByForm(page, desk.appUrl, business);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const start = page.getByRole('textbox', { name: / from$/ }).first();
    await start.focus();
    let letThrough: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.press('Alt+8');
    await page.keyboard.type('/ravi');
    expect(await start.inputValue()).toBe('');
    letThrough();
    await page.waitForURL('**/accounting/bank-statement');
    await page.waitForFunction(
      () => document.activeElement instanceof HTMLInputElement && document.activeElement.value === 'ravi',
    );
    await context.close();
  });

  it('names the business in the title and in the greeting', async () => {
    const business = await desk.addBusiness("Shree Balaji <Carriers> & Son's");
    const { page, context } = await desk.open();
    await signInByForm(page, desk.appUrl, business);
    await page.getByRole('heading', { name: "Welcome back, Shree Balaji <Carriers> & Son's!" }).waitFor();
    expect(await page.title()).toBe("Shree Balaji <Carriers> & Son's - Transport Management System");
    await context.close();
  });

  it('says Login Failed in a closable alert, keeps the email and does not move', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await desk.open();
    await page.goto(`${desk.appUrl}/login`);
    await page.getByLabel('Email').fill(business.email);
    await page.getByLabel(/^Password/).fill('not the password');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'Login Failed' });
    await alert.waitFor();
    await expect.poll(() => alert.textContent()).toContain('Invalid subadmin credentials');
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(business.email);
    expect(pathOf(page)).toBe('/login');
    await alert.getByRole('button').click();
    await alert.waitFor({ state: 'detached' });
    await context.close();
  });

  it('checks each field when it is left', async () => {
    const { page, context } = await desk.open();
    await page.goto(`${desk.appUrl}/login`);
    await page.getByLabel('Email').focus();
    await page.keyboard.press('Tab');
    await page.getByText('Please enter your email').waitFor();
    await page.getByLabel('Email').fill('not an email');
    await page.keyboard.press('Tab');
    await page.getByText('Please enter a valid email').waitFor();
    await page.keyboard.press('Tab');
    await page.getByText('Please enter your password').waitFor();
    await page.goto(`${desk.appUrl}/adminlogin`);
    await page.getByLabel('Email').focus();
    await page.keyboard.press('Tab');
    await page.getByText('Please enter your admin email').waitFor();
    await page.getByRole('link', { name: 'Regular Login' }).waitFor();
    await context.close();
  });

  it('keeps the roles apart', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await desk.open();
    await signInByForm(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/admin/subadmins`);
    await page.waitForURL('**/unauthorized');
    await page.getByText('Unauthorized Access').waitFor();
    await page.getByText("You don't have permission to access this page.").waitFor();
    await context.close();

    const admin = await desk.addAdmin();
    const other = await desk.open();
    await other.page.goto(`${desk.appUrl}/adminlogin`);
    await other.page.getByLabel('Email').fill(admin.email);
    await other.page.getByLabel(/^Password/).fill(admin.password);
    await other.page.keyboard.press('Enter');
    await other.page.waitForURL('**/admin/subadmins');
    await other.page.goto(`${desk.appUrl}/challans`);
    await other.page.waitForURL('**/unauthorized');
    await other.page.goto(`${desk.appUrl}/dashboard`);
    await other.page.getByRole('heading', { name: 'Welcome back, Admin!' }).waitFor();
    await other.context.close();
  });

  it('ends in every tab with Logout, and takes the stored session along; the theme stays', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await desk.open({ theme: 'dark' });
    await signInByForm(page, desk.appUrl, business);
    const second = await context.newPage();
    await second.goto(`${desk.appUrl}/dashboard`);
    await second.getByRole('heading', { name: /Welcome back/ }).waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    await second.waitForURL('**/login');
    const stored = await page.evaluate(() =>
      ['token', 'user', 'role', 'theme'].map((key) => localStorage.getItem(key)),
    );
    expect(stored).toEqual([null, null, null, 'dark']);
    await context.close();
  });

  it('sends a session that the server ended back to the sign-in', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await desk.open();
    await signInByForm(page, desk.appUrl, business);
    await page.evaluate(() => localStorage.setItem('token', 'x'.repeat(43)));
    await page.goto(`${desk.appUrl}/challans`);
    await page.waitForURL('**/login');
    await context.close();
  });

  it.each(['light', 'dark'] as const)(
    'asks for the password over the screen when the session ends at work (%s), and the form goes on',
    async (theme) => {
      const business = await desk.addBusiness();
      const { page, context } = await desk.open({ theme });
      await signInByForm(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/owners`);
      await page.getByRole('button', { name: 'Add New Owner' }).first().click();
      const form = page.getByRole('dialog', { name: 'Add New Owner' });
      await form.getByLabel('Owner Name').fill('Sunita Jindal');
      await form.getByLabel('Account Number').fill('000987654321');
      await form.getByLabel('PAN Number').fill('ABCDE1234F');
      await form.getByLabel('Branch Name').fill('Joda');
      await form.getByLabel('Contact Number').fill('9876543210');
      const second = await context.newPage();
      await second.goto(`${desk.appUrl}/dashboard`);
      await second.getByRole('heading', { name: /Welcome back/ }).waitFor();
      // Its own reading is over: else it may find the end first, and nothing can be saved here any more.
      await second.waitForLoadState('networkidle');
      await desk.call(business, contract.session.endOthers, {});

      await form.getByLabel('Contact Number').press('Control+Enter');
      const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
      await dialog.getByText('Your last change was not saved').waitFor();
      expect(await findings(page)).toEqual([]);
      // The other tab waits as well.
      const other = second.getByRole('alertdialog', { name: 'Your session has ended' });
      await other.waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.keyboard.type('not the password');
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').filter({ hasText: 'Invalid subadmin credentials' }).waitFor();
      await page.keyboard.type(business.password);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await other.waitFor({ state: 'detached' });
      expect(pathOf(page)).toBe('/owners');
      expect(await form.getByLabel('Owner Name').inputValue()).toBe('Sunita Jindal');
      await page.keyboard.press('Control+Enter');
      await form.waitFor({ state: 'detached' });
      await page.getByRole('gridcell', { name: 'Sunita Jindal' }).first().waitFor();
      await context.close();
    },
  );

  it('clears what is stored under another role', async () => {
    const { page, context } = await desk.open();
    await page.goto(`${desk.appUrl}/login`);
    await page.evaluate(() => {
      localStorage.setItem('token', 'x'.repeat(43));
      localStorage.setItem('role', 'owner');
      localStorage.setItem('user', '{}');
    });
    await page.goto(`${desk.appUrl}/dashboard`);
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await context.close();
  });

  it('sends any other path to the sign-in', async () => {
    const { page, context } = await desk.open();
    await page.goto(`${desk.appUrl}/no/such/page`);
    await page.waitForURL('**/login');
    await context.close();
  });
});

describe('the theme', () => {
  it('is set before the first paint and without a script in the page', async () => {
    const { page, context } = await desk.open({ theme: 'dark' });
    await page.goto(`${desk.appUrl}/login`, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.body !== null);
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await context.close();
  });
});
