import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '../../src/shared/calc/dates.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { pdfText } from '../server/support/pdf-text.ts';
import { examine } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { dialogOf, gone, said, typeAll, walkTo } from './support/keys.ts';

let desk: Desk;
let business: Business;
let books: Awaited<ReturnType<typeof fillBooks>>;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  books = await fillBooks(desk, business);
});
afterAll(() => desk.close());

/** What a key downloads. */
async function downloaded(page: Page, key: string): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent('download');
  await page.keyboard.press(key);
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}
const card = (page: Page, label: string, value: string) =>
  page.getByRole('region', { name: 'Summary' }).locator('dl', { hasText: label }).getByText(value).waitFor();
const inr = (amount: number) => `₹${amount.toLocaleString('en-IN', { minimumFractionDigits: 2 })}`;

/** Cells that were copied in a spreadsheet. */
const pasteRows = (page: Page, text: string): Promise<void> =>
  page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', copied);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

describe("an owner's statement, with the keyboard alone", () => {
  it('has an opening balance, is printed, and is the same again after a challan was deleted', async () => {
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/accounting`);
    await walkTo(page, 'Sanjukta Naik');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Statement of Sanjukta Naik' }).waitFor();
    await page.getByRole('gridcell').first().waitFor();

    await page.keyboard.press('b');
    const opening = dialogOf(page, 'Opening balance');
    await typeAll(page, opening, { 'At the end of': '31/03/2026', Balance: '1000', Note: 'Old book' });
    await page.keyboard.press('Control+Enter');
    await said(page, 'Opening balance saved: ₹1,000.00, we owe the owner');
    await gone(opening);
    const owed = (await statementOf(books.owners[1]!.id)).closing;
    await card(page, 'Closing Balance', inr(Number(owed)));

    const printed = await downloaded(page, 'p');
    expect(printed.name).toMatch(/^statement_ST-\d{4}-\d{6}_Sanjukta_Naik\.pdf$/);
    const text = pdfText(printed.bytes).join('\n');
    expect(text).toContain('Opening balance');
    expect(text).toContain(`Owed to the owner ${inr(Number(owed))}`);

    const unpaid = books.challans[11]!;
    await desk.call(business, contract.challans.remove, { params: { id: unpaid.id } });
    await page.reload();
    await card(page, 'Closing Balance', inr(Number(owed) - Number(unpaid.netAmountPayable)));
    await page.keyboard.press('l');
    const prints = dialogOf(page, 'Printed statements');
    await prints.getByRole('gridcell').first().waitFor();
    await intoDialogTable(page);
    expect((await downloaded(page, 'Enter')).bytes.equals(printed.bytes)).toBe(true);
    expect((await downloaded(page, 'Control+Shift+e')).name).toMatch(/^statement_ST-.*\.xlsx$/);
    await page.keyboard.press('Escape');
    await gone(prints);

    // Of some days only: it opens with what was owed before.
    await page.keyboard.press('/');
    await page.keyboard.type('01/04/2026');
    await page.keyboard.press('Enter');
    await card(page, 'Opening Balance', '₹1,000.00');
    expect(new URL(page.url()).searchParams.get('startDate')).toBe('2026-04-01');
    await context.close();
  });

  it('takes the opening balances of many owners as they are copied', async () => {
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/accounting/opening-balances`);
    await page.getByText('No rows pasted yet').waitFor();
    await pasteRows(page, 'Owner\tDay\tBalance\nBikash Mohanta\t31/03/2026\t750 Dr\tOld book');
    await page.getByText('1 opening balance, -₹750.00').waitFor();
    await page.keyboard.press('Control+Enter');
    await said(page, '1 opening balance saved');
    const { lines } = await statementOf(books.owners[0]!.id);
    expect(lines[0]).toMatchObject({ kind: 'opening', day: '2026-03-31', payable: '-750.00', note: 'Old book' });
    await context.close();
  });

  const statementOf = async (ownerId: string) =>
    (await desk.call(business, contract.ownerStatements.current, { query: { ownerId, endDate: dayOf(new Date()) } }))
      .data;

  async function intoDialogTable(page: Page): Promise<void> {
    const isInTable = () =>
      page.evaluate(() => document.activeElement?.closest('[role="dialog"] [role="gridcell"]') !== null);
    for (let n = 0; n < 30 && !(await isInTable()); n += 1) await page.keyboard.press('Tab');
    expect(await isInTable()).toBe(true);
  }
});

it('axe finds nothing on the statement and its dialogs', async () => {
  await examine(desk, async (page, judge) => {
    await signIn(page, desk.appUrl, business);
    const address = `${desk.appUrl}/accounting/owner/${books.owners[0]!.id}/statement`;
    await page.goto(address);
    await page.getByRole('gridcell').first().waitFor();
    await judge('the statement');
    await page.keyboard.press('b');
    await dialogOf(page, 'Opening balance').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Please enter the day').waitFor();
    await judge('the opening balance, refused');
    await page.keyboard.press('Escape');
    await gone(dialogOf(page, 'Opening balance'));
    await page.keyboard.press('l');
    await page.getByText('No printed statements yet').waitFor();
    await judge('no prints');
    await page.keyboard.press('Escape');
    await gone(dialogOf(page, 'Printed statements'));
    await downloaded(page, 'p');
    await page.keyboard.press('l');
    await dialogOf(page, 'Printed statements').getByRole('gridcell').first().waitFor();
    await judge('prints');
    await page.goto(`${address}?startDate=2020-01-01&endDate=2020-01-31`);
    await page.getByText('No entries in this period').waitFor();
    await judge('nothing happened');
    await page.goto(`${desk.appUrl}/accounting/opening-balances`);
    await page.getByText('No rows pasted yet').waitFor();
    await judge('nothing pasted');
    await pasteRows(page, 'Bikash Mohanta\t31/03/2026\t5\nNobody\t31/03/2026\t5');
    await page.getByText('No owner has this name').waitFor();
    await judge('pasted balances, one wrong');
  });
});
