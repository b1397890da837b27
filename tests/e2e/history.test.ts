import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright';
import { contract } from '../../src/shared/contract/index.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { fieldIn, gone, question, tabTo, typeInto, untilOnRow, walkTo } from './support/keys.ts';

/** History (docs/specification.md §3.9): who, when, before → after, in plain words; by keyboard alone. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const entries = (page: Page) => page.getByRole('dialog').getByRole('region', { name: 'History' }).getByRole('listitem');

it('a changed rate is shown with its figures, by whom and on which screen', async () => {
  const business = await desk.addBusiness();
  const books = await fillBooks(desk, business);
  // Twelve were made; this one is unpaid and near the top of the list.
  const challan = books.challans[10]!;
  const { page, context } = await desk.open();
  await signIn(page, desk.appUrl, business);
  await page.getByRole('navigation').first().waitFor();
  await page.keyboard.press('Alt+6');
  await walkTo(page, challan.challanNumber);
  await page.keyboard.press('e');
  await page.waitForURL(/\/challans\/edit\//);
  const rate = fieldIn(page, 'Rate per MT');
  await rate.waitFor();
  await typeInto(page, rate, '1050');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/\/challans$/);

  await untilOnRow(page, challan.challanNumber);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: `Challan ${challan.challanNumber}` }).waitFor();
  await page.keyboard.press('Alt+PageDown');
  await entries(page).first().waitFor();
  const [edited, created] = await entries(page).allTextContents();
  expect(edited).toContain(`Edited by ${business.email} on Edit Challan`);
  expect(edited).toContain('Rate per MT₹1,000.00 → ₹1,050.00');
  expect(edited).toContain('Net Amount Payable₹19,551.00 → ₹20,783.55');
  expect(created).toContain(`Created by ${business.email}`);
  await expect.poll(() => entries(page).count()).toBe(2);

  // Paid from here, with the tab open: the ledger's line comes in by itself.
  await page.keyboard.press('p');
  await entries(page)
    .filter({ hasText: `Marked paid by ${business.email} on Challans` })
    .waitFor();
  await expect.poll(() => entries(page).first().textContent()).toContain('Unpaid → Paid');

  await page.keyboard.press('Escape');
  await untilOnRow(page, challan.challanNumber);
  await context.close();
});

it('an admin reads that an account was deactivated, and nothing of its business', async () => {
  const business = await desk.addBusiness('Aaa Roadlines');
  await fillBooks(desk, business);
  const credentials = await desk.addAdmin();
  const nobody: Business = { id: '', bannerName: '', token: '', ...credentials };
  const { data } = await desk.call(nobody, contract.session.loginAdmin, { body: credentials });
  const { page, context } = await desk.open();
  await page.goto(`${desk.appUrl}/adminlogin`);
  await typeInto(page, fieldIn(page, 'Email'), credentials.email);
  await typeInto(page, fieldIn(page, 'Password'), credentials.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/admin\/subadmins/);

  await walkTo(page, 'Aaa Roadlines');
  for (let n = 0; n < 12; n += 1) {
    if ((await page.evaluate(() => document.activeElement?.getAttribute('col-id'))) === 'active') break;
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Space');
  await question(page).getByRole('heading', { name: 'Deactivate "Aaa Roadlines"?' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await gone(question(page));
  await expect
    .poll(async () => {
      const list = await desk.call({ ...nobody, token: data.token }, contract.subadmins.list, {
        query: { limit: 100 },
      });
      return list.data.find(({ id }) => id === business.id)?.isActive;
    })
    .toBe(false);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Aaa Roadlines' }).waitFor();
  await tabTo(page, page.getByRole('tab', { name: 'Details' }));
  await page.keyboard.press('ArrowRight');
  await entries(page).first().waitFor();
  const shown = await entries(page).allTextContents();
  expect(shown).toHaveLength(1);
  expect(shown[0]).toContain('Deactivated by admin on Subadmins');
  expect(shown[0]).toContain('StatusActive → Inactive');
  await context.close();
});

it('axe finds nothing on it in both themes', async () => {
  const business = await desk.addBusiness();
  const { challans } = await fillBooks(desk, business);
  const { page, context } = await desk.open();
  await signIn(page, desk.appUrl, business);
  // Twelve were made, and the first two paid.
  await page.goto(`${desk.appUrl}/challans?open=${challans[0]!.id}`);
  await page.getByRole('tab', { name: 'History' }).click();
  await entries(page).filter({ hasText: 'Marked paid' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await context.close();
});
