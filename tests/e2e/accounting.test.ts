import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatINR, sum } from '../../src/shared/calc/money.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** A business with its books, signed in, in a browser of its own. */
async function atWork() {
  const business = await desk.addBusiness();
  const books = await fillBooks(desk, business);
  const { page, context } = await desk.open();
  await signIn(page, desk.appUrl, business);
  return { business, books, page, context };
}

/** The figures of the four cards by their names. */
const cardsOf = (page: Page): Promise<Record<string, string>> =>
  page
    .getByRole('region', { name: 'Summary' })
    .locator('dl')
    .evaluateAll((cards) =>
      Object.fromEntries(
        cards.map((card) => [card.querySelector('dt')?.textContent ?? '', card.querySelector('dd')?.textContent ?? '']),
      ),
    );
const hasFocus = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.closest(wanted) !== null, selector);
const gridcell = '[role="gridcell"]';

/** With `columns` as the table shows them, else the plain file. */
async function exportByApi(
  business: Business,
  ownerId: string,
  paymentStatus: boolean | null,
  columns?: readonly string[],
): Promise<Buffer> {
  const answer = await fetch(`${desk.appUrl}/api/accounting/export-owner-challans-csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${business.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ownerId, filters: { paymentStatus, sortBy: 'createdAt', sortOrder: 'desc' }, columns }),
  });
  return Buffer.from(await answer.arrayBuffer());
}

const shown = [
  'challanNumber',
  'tpNo',
  'depositedAt',
  'vehicleNo',
  'netAmountPayable',
  'tag',
  'paymentStatus',
  'paidAt',
  'payment',
];
/** The two may be of two minutes. */
const timeless = (text: Buffer): string => text.toString('utf8').replace(/as of [\d/]+ [\d:]+/, '');

interface Line {
  Net: string;
  TDS: string;
  Paid: string;
}

/** What the cards must say of the lines of a file. */
function cardsFor(bytes: Buffer): Record<string, string> {
  const lines: Line[] = parse(bytes, { bom: true, columns: true });
  const net = (list: readonly Line[]) => formatINR(sum(list.map((line) => line.Net)));
  return {
    'Total Amount': net(lines),
    'Paid Amount': net(lines.filter((line) => line.Paid === 'Yes')),
    'Unpaid Amount': net(lines.filter((line) => line.Paid === 'No')),
    'Total TDS': formatINR(sum(lines.map((line) => line.TDS))),
  };
}

describe('accounting by keyboard alone', () => {
  it('finds an owner, fetches the challans, filters, looks at one, and downloads what the cards say', async () => {
    const { business, books, page, context } = await atWork();
    // Two owners were just made.
    const owner = books.owners[0]!;
    await page.getByRole('heading', { name: /Welcome back/ }).waitFor();
    await page.keyboard.press('Alt+Digit7');
    await page.getByRole('heading', { name: 'Accounting Management' }).waitFor();
    await page.locator(gridcell).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('bikash');
    await page.getByText('Found 1 owner(s) matching "bikash"').waitFor();
    await page.keyboard.press('ArrowDown');
    await hasFocus(page, gridcell);
    await page.keyboard.press('c');
    await page.waitForURL(`${desk.appUrl}/accounting/owner/${owner.id}/challans`);
    await page.getByRole('heading', { name: 'Challan for Bikash Mohan...' }).waitFor();
    await page.getByText('6 challans').first().waitFor();

    const whole = page.waitForEvent('download');
    await page.keyboard.press('Control+e');
    const wholeFile = await whole;
    const allBytes = await readFile(await wholeFile.path());
    await page.getByText('CSV download initiated successfully').waitFor();
    expect(wholeFile.suggestedFilename()).toMatch(/^owner_challans.*\.csv$/);
    expect(await cardsOf(page)).toEqual(cardsFor(await exportByApi(business, owner.id, null)));
    expect(timeless(allBytes)).toBe(timeless(await exportByApi(business, owner.id, null, shown)));

    // Closed, the select leaves letters to the screen; open, a letter finds its choice.
    await page.keyboard.press('/');
    await page.keyboard.press('Enter');
    await page.keyboard.type('u');
    await page.keyboard.press('Enter');
    await page.waitForURL(/paymentStatus=unpaid/);
    await page.getByText('5 challans').first().waitFor();
    const unpaid = page.waitForEvent('download');
    await page.keyboard.press('Control+e');
    const unpaidBytes = await readFile(await (await unpaid).path());
    expect(await cardsOf(page)).toEqual(cardsFor(await exportByApi(business, owner.id, false)));
    expect((await cardsOf(page))['Paid Amount']).toBe('₹0.00');
    expect(timeless(unpaidBytes)).toBe(timeless(await exportByApi(business, owner.id, false, shown)));

    // On from the filters into the table, and there into the details.
    for (let tabs = 0; tabs < 25; tabs += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((cell) => document.activeElement?.matches(cell), gridcell)) break;
    }
    await hasFocus(page, gridcell);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Challan Details - CH-/ });
    await dialog.waitFor();
    const first = await dialog.getByRole('heading').first().textContent();
    await page.keyboard.press('Control+ArrowDown');
    await page.waitForFunction((before) => document.querySelector('[role="dialog"] h2')?.textContent !== before, first);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await hasFocus(page, gridcell);

    await page.keyboard.press('f');
    await page.getByRole('button', { name: 'Remove filter: Unpaid' }).waitFor();
    await context.close();
  });

  it('sends the report: the tab of the key press gets the address, and cannot reach back', async () => {
    const { page, context } = await atWork();
    await context.route('https://wa.me/**', (route) => route.fulfill({ contentType: 'text/html', body: 'WhatsApp' }));
    await page.goto(`${desk.appUrl}/accounting?search=bikash`);
    await page.locator(gridcell).first().waitFor();
    await page.getByRole('button', { name: 'Fetch Challans' }).click();
    await page.getByText('6 challans').first().waitFor();
    const opened = context.waitForEvent('page');
    await page.keyboard.press('Alt+KeyW');
    const tab = await opened;
    await page.getByText('CSV report sent to Bikash Mohanta (6 challans)').waitFor();
    await tab.waitForURL(/^https:\/\/wa\.me\/91\d{10}\?text=/);
    await expect.poll(() => tab.evaluate(() => window.opener === null)).toBe(true);
    await context.close();
  });

  it("says where it began that the owner's screen did not load", async () => {
    const { page, context } = await atWork();
    await page.goto(`${desk.appUrl}/accounting`);
    await page.locator(gridcell).first().waitFor();
    await page.route(/owner-challans-page[^/]*\.js$/, (route) => route.abort());
    await page.getByRole('button', { name: 'Fetch Challans' }).first().click();
    await page.getByText('Failed to navigate to owner challans').waitFor();
    expect(new URL(page.url()).pathname).toBe('/accounting');
    await context.close();
  });
});

describe('“What did you pay me, and for which trips?”', () => {
  it('is answered from the palette in three keys beside the name, and the trips lead to their challans and back', async () => {
    const { books, page, context } = await atWork();
    const owner = books.owners[0]!;
    await page.getByRole('heading', { name: /Welcome back/ }).waitFor();
    const calls: string[] = [];
    // The parts of the dashboard may still be loading.
    page.on('request', (request) => {
      if (/bikash/.test(`${request.url()} ${request.postData()} ${JSON.stringify(request.headers())}`))
        calls.push(new URL(request.url()).pathname);
    });
    let keys = 0;
    const key = async (name: string): Promise<void> => {
      keys += 1;
      await page.keyboard.press(name);
    };
    await key('Control+k');
    await page.getByRole('combobox', { name: 'Find a screen or an action' }).waitFor();
    // At once: a search begins after each pause, and on a slow machine letters have pauses between them.
    await page.keyboard.insertText('bikash');
    const option = page.getByRole('option', { name: 'Payments of Bikash Mohanta' });
    await option.waitFor();
    expect(calls).toEqual(['/api/palette']);
    while ((await option.getAttribute('aria-selected')) !== 'true') await key('ArrowDown');
    await key('Enter');
    const dialog = page.getByRole('dialog', { name: 'Payments of Bikash Mohanta' });
    await dialog.getByText('PAY-', { exact: false }).first().waitFor();
    await dialog.getByText(books.challans[0]!.challanNumber).waitFor();
    expect(keys).toBe(3);
    await hasFocus(page, `[role="dialog"] ${gridcell}`);
    expect(new URL(page.url()).searchParams.get('payments')).toBe(owner.id);

    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(
      (number) => document.activeElement?.closest('[role="row"]')?.textContent?.includes(number) ?? false,
      books.challans[0]!.challanNumber,
    );
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: `Challan ${books.challans[0]!.challanNumber}` }).waitFor();
    await page.goBack();
    await dialog.getByText(books.challans[0]!.challanNumber).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await context.close();
  });

  it('from the list: the owner is expanded, a payment opened with its trips, and Escape comes back to it', async () => {
    const { page, context } = await atWork();
    await page.goto(`${desk.appUrl}/accounting?sortBy=paidThisMonth&sortOrder=desc`);
    await page.locator(gridcell).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await hasFocus(page, gridcell);
    await page.keyboard.press('ArrowRight');
    const line = page.getByRole('row', { name: /PAY-/ });
    await line.waitFor();
    await page.keyboard.press('ArrowDown');
    const onLine = () =>
      page.waitForFunction(() => /PAY-/.test(document.activeElement?.closest('[role="row"]')?.textContent ?? ''));
    await onLine();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Payments of / });
    await dialog.getByText('CH-', { exact: false }).first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await onLine();
    await context.close();
  });
});

describe('in both themes axe finds nothing on', () => {
  it('both screens and their dialogs', async () => {
    const { books, page, context } = await atWork();
    const challansOf = `/accounting/owner/${books.owners[0]?.id}/challans`;
    const open = async (path: string): Promise<void> => {
      await page.goto(desk.appUrl + path);
      await page.locator(gridcell).first().waitFor();
    };
    const inDialog = async (): Promise<void> => {
      await page.locator(gridcell).first().click();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
    };
    const states: Record<string, () => Promise<unknown>> = {
      accounting: () => open('/accounting'),
      'a search': async () => {
        await open('/accounting?search=bikash');
        await page.getByText('Found 1 owner(s) matching "bikash"').waitFor();
      },
      'Owner Details': async () => {
        await open('/accounting');
        await page.getByRole('button', { name: 'View details' }).first().click();
        await page.getByRole('dialog', { name: 'Owner Details' }).waitFor();
      },
      'an expanded owner': async () => {
        await open('/accounting');
        await page.locator(`${gridcell}[col-id="contactNumber"]`).first().click();
        await page.keyboard.press('ArrowRight');
        await page.getByText('PAY-', { exact: false }).first().waitFor();
      },
      'payments of an owner': async () => {
        await page.goto(`${desk.appUrl}/accounting?payments=${books.owners[0]?.id}`);
        await page.getByRole('dialog').getByText('PAY-', { exact: false }).first().waitFor();
      },
      'owner challans': () => open(challansOf),
      'owner challans, filters hidden': async () => {
        await open(`${challansOf}?paymentStatus=paid`);
        await page.keyboard.press('f');
        await page.getByRole('button', { name: 'Remove filter: Paid' }).waitFor();
      },
      'Challan Details': async () => {
        await open(challansOf);
        await inDialog();
      },
      'an owner that is not there': async () => {
        await page.goto(`${desk.appUrl}/accounting/owner/00000000-0000-4000-8000-000000000000/challans`);
        await page.getByText('Owner not found').waitFor();
      },
    };
    const found: Record<string, string[]> = {};
    for (const [name, come] of Object.entries(states)) {
      await come();
      const here = await findings(page);
      if (here.length > 0) found[name] = here;
    }
    expect(found).toEqual({});
    await context.close();
  });
});
