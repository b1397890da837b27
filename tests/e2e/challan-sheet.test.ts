import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { buildOwner, buildTag, buildTruck } from '../server/support/builders.ts';
import { examine } from './support/axe.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';

let desk: Desk;
let business: Business;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  await desk.call(business, contract.tags.create, { body: buildTag({ name: 'JODA-PARADIP' }) });
  for (let n = 0; n < 5; n += 1) {
    const { data: owner } = await desk.call(business, contract.owners.create, {
      body: buildOwner({ name: `Owner ${n}` }),
    });
    for (const half of [0, 5]) {
      await desk.call(business, contract.trucks.create, {
        body: buildTruck(owner.id, { truckNumber: `OD09AB100${n + half}` }),
      });
    }
  }
});
afterAll(() => desk.close());

const headings = [
  'T.P. No',
  'Date',
  'Lorry No',
  'Material',
  'Tag',
  'From',
  'To',
  'Loading',
  'Unloading',
  'Rate',
  'TDS %',
  'Advance',
  'Office',
];
/** Rows as an accountant has them in a spreadsheet, three of them wrong. */
const rows = (count: number): string[][] =>
  Array.from({ length: count }, (_, index) => [
    `00024${1000 + index}`,
    `${String((index % 20) + 1).padStart(2, '0')}-10-2026`,
    `OD09AB100${index % 10}`,
    'Iron ore fines',
    index === 19 ? 'JODA PARADEEP' : 'joda-paradip',
    'Joda',
    'Paradip Port',
    index === 29 ? '' : '25.00',
    '24.90',
    index === 9 ? '12,50' : '1,250.00',
    '1',
    '5,000',
    '100',
  ]);
const htmlOf = (table: string[][]): string =>
  `<html><body><table>${table.map((row) => `<tr>${row.map((text) => `<td>${text}</td>`).join('')}</tr>`).join('')}</table></body></html>`;

/** Puts a table on the clipboard as a spreadsheet does. */
const copy = (page: Page, table: string[][]): Promise<void> =>
  page.evaluate(
    async ({ html, text }) =>
      navigator.clipboard.write([
        new ClipboardItem({
          'text/html': new Blob([html], { type: 'text/html' }),
          'text/plain': new Blob([text], { type: 'text/plain' }),
        }),
      ]),
    { html: htmlOf(table), text: table.map((row) => row.join('\t')).join('\r\n') },
  );

const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const total = async (): Promise<number> =>
  (await desk.call(business, contract.challans.list, { query: { page: 1, limit: 1 } })).pagination.totalCount;
const inFirstCell = (page: Page) =>
  page.locator('.cd-sheet .ag-row[row-index="0"] .ag-cell[col-id="tpNo"].ag-cell-focus').waitFor();

describe('the entry sheet, with the keyboard alone', () => {
  it('takes fifty challans, has three mended, commits and takes them back', async () => {
    const { page, context } = await desk.open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, desk.appUrl, business);
    await page.getByRole('heading', { name: /Welcome back/ }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await inFirstCell(page);
    await copy(page, [['Maa Tarini Roadlines'], headings, ...rows(50)]);
    await page.keyboard.press('Control+V');
    await says(page, '50 rows');
    await says(page, '47 right');
    await says(page, '3 wrong');

    await page.keyboard.press('F8');
    await page.keyboard.type('1250');
    await page.keyboard.press('Enter');
    await page.keyboard.press('F8');
    await page.keyboard.type('JODA-PARADIP');
    await page.keyboard.press('Enter');
    await page.keyboard.press('F8');
    await page.keyboard.type('25');
    await page.keyboard.press('Enter');
    await says(page, '50 right');

    await page.keyboard.press('Control+S');
    await says(page, 'Create 50 challans?');
    await page.keyboard.press('Control+Enter');
    await says(page, /Sheet \d{4}-000001: 50 challans, ₹12,/);
    expect(await total()).toBe(50);
    await inFirstCell(page);

    await page.keyboard.press('Control+Z');
    await says(page, /50 challans were deleted and are back in the sheet/);
    expect(await total()).toBe(0);
    await says(page, '50 right');
    await context.close();
  });

  it('shows a stored twin, and needs few keys for a repeat challan', async () => {
    const { page, context } = await desk.open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/challans/sheet`);
    await inFirstCell(page);
    await copy(page, [headings, ...rows(1)]);
    await page.keyboard.press('Control+V');
    await says(page, '1 right');
    await page.keyboard.press('Control+S');
    await says(page, 'Create 1 challan?');
    await page.keyboard.press('Control+Enter');
    await says(page, /Sheet \d{4}-000002: 1 challan/);
    await inFirstCell(page);

    // What repeats is remembered: TP No, the vehicle by the end of its number, and the weights are new.
    const keys = ['2', 'Tab', ...'1000', 'Tab', ...'20', 'Tab', ...'20', 'Enter'];
    for (const key of keys) await page.keyboard.press(key);
    await says(page, '1 right');
    await page.locator('.cd-sheet .ag-row[row-index="1"] .ag-cell[col-id="tpNo"].ag-cell-focus').waitFor();
    await page.locator('.cd-sheet .ag-row[row-index="0"]').getByText('OD09AB1000').waitFor();
    expect(keys.length).toBeLessThanOrEqual(13);

    await copy(page, [headings, ...rows(1)]);
    await page.keyboard.press('Control+V');
    await says(page, /This TP No is also in challan CH-/);
    await page.getByRole('link', { name: /^CH-/ }).first().waitFor();
    await context.close();
  });
});

describe('an input method', () => {
  it('composes in a cell from its first key on, moves and copies as before, and leaves a computed cell alone', async () => {
    const { page, context } = await desk.open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/challans/sheet`);
    await inFirstCell(page);
    const session = await context.newCDPSession(page);
    const compose = (text: string) =>
      session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    const cell = (column: string) => page.locator(`.cd-sheet .ag-row[row-index="0"] .ag-cell[col-id="${column}"]`);
    const editor = page.locator('.cd-sheet-editor');

    for (let n = 0; n < 6; n += 1) await page.keyboard.press('ArrowRight');
    await page.locator('.cd-sheet .ag-cell-focus[col-id="material"]').waitFor();
    // What a screen reader says of the cell.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(
      /^Material\s\*, row 1: empty$/,
    );
    for (const text of ['ଲ', 'ଲୁ', 'ଲୁହା']) await compose(text);
    expect([await editor.inputValue(), await editor.getAttribute('data-resting')]).toEqual(['ଲୁହା', null]);
    await session.send('Input.insertText', { text: 'ଲୁହା' });
    await page.keyboard.type(' 1');
    await page.keyboard.press('Enter');
    await expect.poll(() => cell('material').textContent()).toBe('ଲୁହା 1');

    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+C');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('ଲୁହା 1');
    // A paste has the cells of another program and not only their text.
    await page.evaluate(async () => {
      const parts = { 'text/html': '<table><tr><td>Coal</td></tr></table>', 'text/plain': '####' };
      const blobs = Object.entries(parts).map(([type, text]) => [type, new Blob([text], { type })]);
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    });
    await page.keyboard.press('Control+V');
    await expect.poll(() => cell('material').textContent()).toBe('Coal');
    // What is left of a composition is not kept for the next cell.
    await page.keyboard.press('ArrowRight');
    await compose('ର');
    await page.keyboard.press('Escape');
    await compose('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await page.locator('.cd-sheet .ag-cell-focus[col-id="netAmountPayable"]').waitFor();
    await compose('ର');
    await session.send('Input.insertText', { text: 'ର' });
    expect(await editor.inputValue()).toBe('');
    expect(await editor.getAttribute('data-resting')).toBe('');
    await context.close();
  });
});

describe('a table with hidden rows', () => {
  // The browser changes the HTML of what a page copies, so the paste of a spreadsheet is sent as an event.
  it('is pasted without them, and the content security policy has nothing to report', async () => {
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/challans/sheet`);
    await inFirstCell(page);
    const reported: string[] = [];
    context.on('request', (request) => {
      if (request.url().includes('policy')) reported.push(request.url());
    });
    await page.evaluate(
      (html) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/html', html);
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(paste);
      },
      readFileSync(path.resolve(import.meta.dirname, '../clipboard/excel.html'), 'utf8'),
    );
    await says(page, '2 rows');
    const numbers = page.locator('.cd-sheet .ag-cell[col-id="tpNo"]').filter({ hasText: 'TP-' });
    expect(await numbers.allTextContents()).toEqual(['TP-001', 'TP-002']);
    expect(reported).toEqual([]);
    await context.close();
  });
});

describe('in both themes axe finds nothing', () => {
  it('on the sheet: empty, with mistakes and columns, with a question, after a commit', async () => {
    await examine(desk, async (page, judge) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await signIn(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/challans/sheet`);
      await inFirstCell(page);
      await judge('an empty sheet');
      for (let n = 0; n < 3; n += 1) await page.keyboard.press('ArrowRight');
      await page.keyboard.type('OD09');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await judge('names below a cell');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await copy(page, [headings, ...rows(40), ['X1', '', 'MH01ZZ9999', '', 'nobody', '', '', '', '', '', '', '', '']]);
      await page.keyboard.press('Control+V');
      await says(page, '4 wrong');
      await page.getByRole('button', { name: 'Change columns' }).click();
      await judge('with mistakes and its columns');
      await page.getByRole('button', { name: 'Map tag nobody to another' }).click();
      await page.getByRole('dialog').waitFor();
      await judge('the dialog of another name');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+S');
      await page.getByRole('alertdialog').waitFor();
      await judge('the question before the commit');
      await page.keyboard.press('Control+Enter');
      await says(page, /rows stay in the sheet/);
      await judge('after a commit');
    });
  });
});
