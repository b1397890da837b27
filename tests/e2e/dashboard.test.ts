import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sum } from '../../src/shared/calc/money.ts';
import { formatINR } from '../../src/shared/calc/money.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';

let desk: Desk;
let business: Business;
let books: Awaited<ReturnType<typeof fillBooks>>;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  books = await fillBooks(desk, business);
});
afterAll(() => desk.close());

/** Twelve challans of one tag, all deposited on 12/04/2026; the first two are paid. */
const nets = () => books.challans.map(({ netAmountPayable }) => netAmountPayable);
const totalOf = (amounts: readonly string[]) => formatINR(sum(amounts));

const grid = (page: Page, label: string) => page.getByRole('region', { name: label }).getByRole('grid');
const plot = (page: Page, label: string) => page.getByRole('group', { name: label });

/** Presses Tab until the focus is inside it, as a person would. */
async function tabInto(page: Page, place: ReturnType<typeof plot>): Promise<void> {
  for (let n = 0; n < 60; n += 1) {
    if (await place.evaluate((element) => element.contains(document.activeElement))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not reach it');
}

const column = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[col-id]')?.getAttribute('col-id') ?? '');

async function walkTo(page: Page, key: string, wanted: string): Promise<void> {
  for (let n = 0; n < 15 && (await column(page)) !== wanted; n += 1) await page.keyboard.press(key);
  expect(await column(page)).toBe(wanted);
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
const summaryTotal = (page: Page) => page.locator('.ag-row-pinned [col-id="netAmountPayable"]').first().textContent();

describe('the dashboard, with the keyboard alone', () => {
  it('leads from each kind of figure to the list that makes it up', async () => {
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    await page.getByRole('heading', { name: 'Welcome back, Maa Tarini Roadlines!' }).waitFor();
    await grid(page, 'Breakdown by tag').getByRole('gridcell', { name: 'JODA-PARADIP' }).waitFor();

    // Dates by '/', then the table: what is unpaid in April.
    await page.keyboard.press('/');
    await page.keyboard.type('01/04/2026');
    await page.keyboard.press('Tab');
    await page.waitForURL(/startDate=2026-04-01/);
    await tabInto(page, grid(page, 'Breakdown by tag'));
    await page.keyboard.press('ArrowDown');
    await walkTo(page, 'ArrowRight', 'paidPercent');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Challans', exact: true }).waitFor();
    await expect.poll(() => summaryTotal(page)).toBe(totalOf(nets().slice(2)));
    expect(page.url()).toMatch(/paymentStatus=unpaid/);
    expect(page.url()).toMatch(/depositedStartDate=2026-04-01/);

    // Back is the dashboard as it was left.
    await page.goBack();
    await page.getByRole('heading', { name: /Welcome back/ }).waitFor();
    expect(page.url()).toMatch(/startDate=2026-04-01/);

    // A mark of each plot.
    await plot(page, 'Amount paid and unpaid by tag').locator('[data-mark]').first().waitFor();
    await tabInto(page, plot(page, 'Amount paid and unpaid by tag'));
    expect(await focused(page)).toBe(
      `JODA-PARADIP, paid: Amount ${totalOf(nets().slice(0, 2))}, Challans 2, Of ${totalOf(nets())}`,
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Challans', exact: true }).waitFor();
    await expect.poll(() => summaryTotal(page)).toBe(totalOf(nets().slice(0, 2)));
    await page.keyboard.press('Alt+1');
    await plot(page, 'Amount and challans by week').locator('[data-mark]').first().waitFor();
    await tabInto(page, plot(page, 'Amount and challans by week'));
    // Without dates the first and the last deposited day bound the plot: they are one day.
    expect(await focused(page)).toBe(
      `12/04/2026: Challans 12, Amount ${totalOf(nets())}, Paid ${totalOf(nets().slice(0, 2))}, Unpaid ${totalOf(nets().slice(2))}`,
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(/depositedStartDate=2026-04-12&depositedEndDate=2026-04-12/);
    await expect.poll(() => summaryTotal(page)).toBe(totalOf(nets()));

    // Owner ageing: an owner's debt of over 45 days is the total of the bank statement it opens.
    await page.keyboard.press('Alt+1');
    await grid(page, 'Unpaid by owner and age').getByRole('gridcell', { name: 'Bikash Mohanta' }).waitFor();
    await page.keyboard.press('a');
    await tabInto(page, grid(page, 'Unpaid by owner and age'));
    await page.keyboard.press('ArrowDown');
    const owner = await page.evaluate(() => document.activeElement?.closest('[row-id]')?.getAttribute('row-id'));
    const owed = books.challans.slice(2).filter((challan) => challan.owner.id === owner);
    await walkTo(page, 'ArrowRight', 'over45');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Bank Statement/ }).waitFor();
    const total = totalOf(owed.map(({ netAmountPayable }) => netAmountPayable));
    await page.locator('dt:has-text("Total Unpaid Amount") + dd').filter({ hasText: total }).waitFor();
    await page
      .locator('dt:has-text("Total Challans") + dd')
      .filter({ hasText: String(owed.length) })
      .waitFor();
    await context.close();
  });
});

describe('in both themes axe finds nothing on the dashboard', () => {
  it('with figures, with a mark in focus, with nothing and with an error', async () => {
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    await grid(page, 'Breakdown by tag').getByRole('gridcell').first().waitFor();
    await grid(page, 'Unpaid by owner and age').getByRole('gridcell').first().waitFor();
    const marks = plot(page, 'Amount and challans by week').locator('[data-mark]');
    await marks.first().waitFor();
    expect(await findings(page)).toEqual([]);

    await marks.first().focus();
    await page.keyboard.press('End');
    await page.locator('[role="group"] [popover]:popover-open').waitFor();
    expect(await findings(page)).toEqual([]);

    await page.goto(`${desk.appUrl}/dashboard?startDate=1999-01-01&endDate=1999-01-31`);
    await page.getByText('No deposited challans match these filters.').waitFor();
    await grid(page, 'Unpaid by owner and age').getByRole('gridcell').first().waitFor();
    expect(await findings(page)).toEqual([]);

    await page.route(/\/api\/(accounting\/tag-analytics|dashboard\/)/, (route) =>
      route.fulfill({ status: 500, json: { success: false, requestId: 'request-1' } }),
    );
    await page.reload();
    await page.getByText('Error Loading Tag Analytics').waitFor();
    await page.getByText('Failed to fetch owner ageing').waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });
});

it('a forced-colours display still tells paid from unpaid, and the mark in focus', async () => {
  const { page, context } = await desk.open();
  await page.emulateMedia({ forcedColors: 'active' });
  await signIn(page, desk.appUrl, business);
  const marks = plot(page, 'Amount paid and unpaid by tag').locator('[data-mark] rect');
  await marks.first().waitFor();
  const fills = await marks.evaluateAll((all) => all.map((rect) => getComputedStyle(rect).fill));
  expect(fills).toHaveLength(2);
  expect(fills[1]).toMatch(/^url/);
  expect(new Set(fills).size).toBe(2);
  await context.close();
});
