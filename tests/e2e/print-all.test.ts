import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { buildChallan, buildOwner, buildPump, buildTag, buildTruck } from '../server/support/builders.ts';
import { fillBooks, fillMonthEnd } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';

/** Paper has all rows of each list, in pages of ten on the screen, and nothing that is pressed or filled in. */

let desk: Desk;
let business: Business;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness();
  const { tag } = await fillBooks(desk, business);
  for (let n = 0; n < 11; n += 1) {
    const { data: owner } = await desk.call(business, contract.owners.create, { body: buildOwner() });
    await desk.call(business, contract.trucks.create, { body: buildTruck(owner.id) });
    await desk.call(business, contract.tags.create, { body: buildTag() });
    await desk.call(business, contract.petrolPumps.create, { body: buildPump() });
    const body = buildChallan({ ownerId: owner.id, tagId: tag.id }, { ownerName: owner.name });
    const { data } = await desk.call(business, contract.challans.create, { body });
    await desk.call(business, contract.bankStatement.markPaid, { body: { challanIds: [data.id] } });
    await desk.call(business, contract.challans.create, { body });
  }
  await fillMonthEnd(desk, business, 11);
});
afterAll(() => desk.close());

const lists: Readonly<Record<string, number>> = {
  '/owners': 13,
  '/trucks': 13,
  '/challans?paymentStatus=paid': 13,
  '/accounting': 13,
  '/accounting/bank-statement': 13,
  '/accounting/payments': 12,
  '/accounting/tds/deductions': 13,
  '/accounting/tds/deposits': 11,
  '/accounting/tally': 11,
  '/accounting/tally/changed': 21,
  '/accounting/close': 11,
  // By tag, and by owner.
  '/dashboard': 25,
};

it('of every list', async () => {
  const { page, context } = await desk.open();
  await context.addInitScript(() => {
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'));
      document.body.dataset['printed'] = 'yes';
    };
  });
  await signIn(page, desk.appUrl, business);
  const found: Record<string, number> = {};
  for (const path of Object.keys(lists)) {
    await page.goto(`${desk.appUrl}${path}${path.includes('?') ? '&' : '?'}limit=10`);
    await page.locator('.cd-grid [role="row"][row-id]').first().waitFor();
    await page.locator('section[aria-busy]').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+p');
    await page.locator('body[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print' });
    const paper = await page.evaluate(() => ({
      rows: document.querySelectorAll('.cd-print tbody tr:not([data-total])').length,
      pressed: [...document.querySelectorAll('input, select, textarea, button, [role="search"]')]
        .filter((element) => element.checkVisibility())
        .map((element) => element.outerHTML),
    }));
    await page.emulateMedia({ media: null });
    expect({ path, pressed: paper.pressed }).toEqual({ path, pressed: [] });
    found[path] = paper.rows;
  }
  expect(found).toEqual(lists);
  await context.close();
});
