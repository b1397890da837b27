import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { buildChallan, buildOwner, buildTag } from '../server/support/builders.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { question } from './support/keys.ts';
import { addPerson } from './support/people.ts';

/** The queue in the window of a phone (docs/specification.md §28.6). */

const ownerCount = 200;
let desk: Desk;
let business: Business;
let accountant: Business;
let tagId: string;
const owners: { id: string; name: string }[] = [];

beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  accountant = await addPerson(desk, business, 'accountant');
  tagId = (await desk.call(business, contract.tags.create, { body: buildTag() })).data.id;
  for (let n = 0; n < ownerCount; n += 1) {
    owners.push((await desk.call(business, contract.owners.create, { body: buildOwner() })).data);
  }
  const rule = { aboveOne: '1000', aboveDay: null, accountantUpTo: '5000' };
  await desk.call(business, contract.preparedPayments.setRule, { body: rule });
});
afterAll(() => desk.close());

/** A challan of each owner, all of them in one prepared payment. */
async function prepareAll(): Promise<string> {
  const rows = owners.map(({ id, name }) => ({
    key: id,
    ...buildChallan({ ownerId: id, tagId }, { ownerName: name }),
  }));
  await desk.call(business, contract.challans.createMany, { body: { rows, mode: 'all' } });
  const body = { payMatching: { filters: {}, paymentStatus: true } } as const;
  const { data } = await desk.call(accountant, contract.preparedPayments.prepare, { body });
  expect(data).toMatchObject({ ownerCount, challanCount: ownerCount });
  return data.number;
}

/** In the window as a whole, and nothing lies over its middle: what is not would first take a gesture. */
const isInSight = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isWhole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return isWhole && (element.contains(middle) || (middle?.contains(element) ?? false));
  });

/** What scrolls sideways, but for the table. */
const wideParts = (): string[] =>
  [document.documentElement, ...document.querySelectorAll('main, main > *, [role="dialog"], [role="dialog"] *')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    .map(({ tagName, className }) => `${tagName} ${className}`);

/** The queue on a phone of 360 pixels, and a thumb whose taps are counted. */
async function openQueue(theme: 'light' | 'dark', number: string) {
  const { page, context } = await desk.open({ theme, width: 360, height: 740, isPhone: true });
  await signIn(page, desk.appUrl, business);
  await page.goto(`${desk.appUrl}/accounting/to-release`);
  const cell = page.getByRole('gridcell', { name: number });
  await cell.waitFor();
  expect(await page.evaluate(wideParts)).toEqual([]);
  let taps = 0;
  const tap = async (target: Locator): Promise<void> => {
    await target.waitFor();
    await expect.poll(() => isInSight(target), { message: String(target) }).toBe(true);
    await target.tap();
    taps += 1;
  };
  return { page, cell, tap, taps: () => taps, close: () => context.close() };
}

const buttonIn = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });

it('a tap opens what waits, two more release it for 200 owners', async () => {
  const number = await prepareAll();
  const { page, cell, tap, taps, close } = await openQueue('light', number);
  await tap(cell);
  const details = page.getByRole('dialog', { name: number });
  await details.getByText('₹39,10,200.00').waitFor();
  for (const name of ['Send Back', 'Release']) {
    await expect.poll(() => isInSight(buttonIn(details, name)), { message: name }).toBe(true);
  }
  expect(await page.evaluate(wideParts)).toEqual([]);
  await tap(buttonIn(details, 'Release'));
  await question(page).getByText('200 challans of 200 owners, ₹39,10,200.00 are marked as paid.').waitFor();
  expect(await page.evaluate(wideParts)).toEqual([]);
  await tap(buttonIn(question(page), 'Release'));
  await page.getByText('Nothing waits for a second person.').waitFor();
  expect(taps()).toBeLessThanOrEqual(3);
  const { data } = await desk.call(business, contract.preparedPayments.list, { query: { show: 'done' } });
  expect(data[0]).toMatchObject({ number, state: 'released' });
  const unpaid = await desk.call(business, contract.bankStatement.listOwners, {});
  expect(unpaid.data.summary.totalChallans).toBe(0);
  await close();
});

it('the button of the row releases with two taps; what is left of the row is not pinned', async () => {
  const number = await prepareAll();
  const { page, tap, taps, close } = await openQueue('dark', number);
  const scrollable = (): number => {
    const left = document.querySelector('.ag-header-cell[col-id="number"]')?.closest('[class*="pinned-left"]');
    const grid = document.querySelector('.cd-grid')?.getBoundingClientRect().width ?? 0;
    const pinned = document.querySelector('.ag-header-cell[col-id="grid-actions"]')?.getBoundingClientRect().width ?? 0;
    return left ? 0 : grid - pinned;
  };
  expect(await page.evaluate(scrollable)).toBeGreaterThan(180);
  await tap(page.getByRole('gridcell').getByRole('button', { name: 'Release' }));
  await tap(buttonIn(question(page), 'Release'));
  await page.getByText('Nothing waits for a second person.').waitFor();
  expect(taps()).toBeLessThanOrEqual(2);
  await close();
});

it('the sidebar of a phone opens for a choice and is gone on the next screen', async () => {
  const { page, context } = await desk.open({ width: 360, height: 740, isPhone: true });
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /Welcome back/ }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Main' });
  expect(await menu.isVisible()).toBe(false);
  await buttonIn(page, 'Expand sidebar').tap();
  await menu.getByRole('link', { name: 'Payments' }).tap();
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  expect(await menu.isVisible()).toBe(false);
  await context.close();
});
