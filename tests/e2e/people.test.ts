import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signInByForm, type Business, type Desk } from './support/desk.ts';
import { fieldIn, intoTable, tabTo, typeAll, typeInto } from './support/keys.ts';

let desk: Desk;
let business: Business;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  await fillBooks(desk, business);
});
afterAll(() => desk.close());

const toast = (page: Page, text: string | RegExp) => page.getByText(text).first();
const onlyMoneySeats = 'Only an owner or an accountant may do this. Ask one of them.';

async function goTo(page: Page, keys: string, title: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** A command of the palette by its words. */
async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Find a screen or an action' }).waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
}

describe('a clerk, with the keyboard alone', () => {
  it('is invited, joins, records a challan and does not pay it; the owner looks as an auditor', async () => {
    const faults: Record<string, string[]> = {};
    const judge = async (page: Page, where: string): Promise<void> => {
      const found = await findings(page);
      if (found.length > 0) faults[where] = found;
    };
    const { page: owner } = await desk.open();
    await signInByForm(owner, desk.appUrl, business);
    await command(owner, 'people');
    await owner.getByText('Login of the business').waitFor();
    await judge(owner, 'People');
    await owner.keyboard.press('n');
    const invitation = owner.getByRole('dialog', { name: 'Invite a Person' });
    await typeInto(owner, fieldIn(invitation, 'Email'), 'ravi@challan.test');
    await judge(owner, 'the invitation');
    await owner.keyboard.press('Control+S');
    const made = owner.getByRole('dialog', { name: 'Link for ravi@challan.test' });
    const link = await made.getByRole('textbox', { name: 'Link' }).inputValue();
    await judge(owner, 'the link');
    await owner.keyboard.press('Escape');

    const { page: clerk, context } = await desk.open();
    await clerk.goto(link);
    await clerk.getByText('Records challans and master data.').waitFor();
    // The token is in no address that the browser keeps.
    expect(clerk.url()).toBe(`${desk.appUrl}/join`);
    await judge(clerk, 'the page of the link');
    await clerk.keyboard.type('Ravi Kumar');
    await clerk.keyboard.press('Tab');
    await clerk.keyboard.type('seventeen trucks a day');
    await clerk.keyboard.press('Enter');
    await clerk.getByText('Ravi Kumar · Clerk').waitFor();

    await clerk.keyboard.press('Alt+N');
    await clerk.getByRole('heading', { name: 'Create Challans' }).waitFor();
    const form = clerk.getByRole('main');
    await typeInto(clerk, fieldIn(form, 'TP No'), '000777001');
    await typeInto(clerk, fieldIn(form, 'Vehicle No'), 'OD09AB1234');
    await clerk.keyboard.press('Enter');
    await toast(clerk, 'Owner and vehicle details loaded: Bikash Mohanta').waitFor();
    await typeInto(clerk, fieldIn(form, 'Material'), 'Iron ore fines');
    await tabTo(clerk, fieldIn(form, 'Tag'));
    await clerk.keyboard.type('JODA');
    await clerk.getByRole('option', { name: /JODA-PARADIP/ }).waitFor();
    await clerk.keyboard.press('Enter');
    await typeAll(clerk, form, {
      'Loading Place': 'Joda',
      'Unloading Place': 'Paradip Port',
      'Loading Weight (MT)': '25',
      'Unloading Weight (MT)': '24.90',
      'Rate per MT': '1000',
      'TDS Percentage': '1',
      'Advance Money': '5000',
      'Office Charges': '100',
    });
    expect(await fieldIn(form, 'Data Entry By').inputValue()).toBe('Ravi Kumar');
    const paymentDone = form.getByRole('checkbox', { name: 'Payment Done' });
    await tabTo(clerk, paymentDone);
    await clerk.keyboard.press('Space');
    expect(await paymentDone.isChecked()).toBe(false);
    await clerk.keyboard.press('Control+S');
    await toast(clerk, /Challan created successfully!/).waitFor();

    await goTo(clerk, 'Alt+6', 'Challans');
    await clerk.getByRole('gridcell', { name: '000777001' }).waitFor();
    await intoTable(clerk);
    await clerk.keyboard.press('p');
    await toast(clerk, onlyMoneySeats).waitFor();
    await judge(clerk, 'the challans of a clerk');
    // The register of the tax is neither in the menu nor behind its key, and its address says why.
    await clerk.keyboard.press('g');
    await clerk.keyboard.press('x');
    expect(new URL(clerk.url()).pathname).toBe('/challans');
    await clerk.goto(`${desk.appUrl}/accounting/tds`);
    await clerk.getByText('A clerk does not see bank details and PANs in full.').waitFor();
    await judge(clerk, 'a screen that the seat may not open');

    await command(owner, 'look as auditor');
    const banner = owner.getByRole('status').filter({ hasText: 'You are looking as Auditor until' });
    await banner.waitFor();
    await owner.getByRole('heading', { name: /Welcome back/ }).waitFor();
    await judge(owner, 'the banner');
    await goTo(owner, 'Alt+6', 'Challans');
    await owner.getByRole('gridcell', { name: '000777001' }).waitFor();
    await intoTable(owner);
    await owner.keyboard.press('Delete');
    await toast(owner, /You are looking as Auditor, so nothing can be changed/).waitFor();
    await command(owner, 'stop looking');
    await banner.waitFor({ state: 'detached' });
    await goTo(owner, 'Alt+6', 'Challans');
    await owner.getByRole('gridcell', { name: '000777001' }).waitFor();
    await intoTable(owner);
    await owner.keyboard.press('p');
    await toast(owner, 'Payment status marked as done').waitFor();
    expect(faults).toEqual({});
    await context.close();
  });

  it('gets no refusal by opening a screen, whatever the seat', { timeout: 240_000 }, async () => {
    const refused: string[] = [];
    for (const seat of ['Clerk', 'Auditor']) {
      const { page, context } = await desk.open();
      await signInByForm(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/profile/people`);
      await page.getByText('Login of the business').waitFor();
      await command(page, `look as ${seat}`);
      await page.getByText(/You are looking as/).waitFor();
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${seat}: ${response.request().method()} ${response.url()}`);
      });
      const paths = await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link')
        .evaluateAll((links) => links.map((one) => (one as HTMLAnchorElement).pathname));
      expect(paths.length).toBeGreaterThan(8);
      for (const path of [...paths, '/profile', '/profile/bank-accounts', '/accounting/bank-files']) {
        await page.goto(desk.appUrl + path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.waitForLoadState('networkidle');
      }
      await context.close();
    }
    expect(refused).toEqual([]);
  });
});
