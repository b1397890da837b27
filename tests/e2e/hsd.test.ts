import type { FileChooser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatINR, subtract } from '../../src/shared/calc/money.ts';
import type { Challan } from '../../src/shared/contract/challan.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** A business with four challans of a pump: two to verify, one with another amount, one verified before. */
async function openBooks(name: string): Promise<{ business: Business; challans: Challan[] }> {
  const business = await desk.addBusiness(name);
  const books = await fillBooks(desk, business);
  const challans = books.challans.filter(({ petrolPump }) => petrolPump !== null);
  expect(challans).toHaveLength(4);
  const { id } = challans[3]!; // Four were just counted.
  await desk.call(business, contract.challans.setHsdVerified, { params: { id }, body: { hsdVerified: true } });
  return { business, challans };
}

/**
 * As a pump sends it: a line above the heading, semicolons, signs in the amounts, a number and a row of its own making.
 */
function fileOf([first, second, third, fourth]: Challan[]): { name: string; mimeType: string; buffer: Buffer } {
  const lines = [
    'Maa Tarini Filling Station;November 2026',
    'Sl;T.P. No;Amount (Rs)',
    `1; ${first?.tpNo.toLowerCase()} ;${formatINR(first?.hsdAmount ?? '')}`,
    `2;${second?.tpNo};${second?.hsdAmount}`,
    `3;${third?.tpNo};1.00`,
    `4;${fourth?.tpNo};${fourth?.hsdAmount}`,
    '5;NOT/IN/THE/BOOKS;500',
    `6;${second?.tpNo};${second?.hsdAmount}`,
  ];
  return { name: 'pump.csv', mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`) };
}

const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name });
const isOpen = (page: Page, name: string | RegExp) =>
  page.getByRole('tab', { name, selected: true }).waitFor({ state: 'visible' });
/** It has the focus. */
const inHand = (control: Locator): Promise<void> =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true);
const figure = (page: Page, label: string): Promise<string | null> =>
  page.locator('main dl', { hasText: label }).locator('dd').first().textContent();

type PumpFile = ReturnType<typeof fileOf>;

/** Opens the screen by key. What it answers opens the file box by Enter on the drop zone and hands a file over there. */
async function openScreen(page: Page): Promise<(file: PumpFile) => Promise<void>> {
  let waiting: ((chooser: FileChooser) => void) | undefined;
  // Listened for from the start: the browser must know that the test, not a window, handles the file dialog.
  page.on('filechooser', (chooser) => waiting?.(chooser));
  await page.getByRole('heading', { name: /Welcome back/ }).waitFor();
  await page.keyboard.press('Alt+9');
  return async (file) => {
    await inHand(page.getByRole('button', { name: /Choose the petrol pump's file/ }));
    const opened = new Promise<FileChooser>((resolve) => {
      waiting = resolve;
    });
    await page.keyboard.press('Enter');
    const chooser = await opened;
    expect(chooser.isMultiple()).toBe(false);
    await chooser.setFiles(file);
  };
}

describe('HSD verification, with the keyboard alone', () => {
  it("goes from the pump's file to verified challans, and keeps the evidence", async () => {
    const { business, challans } = await openBooks('Pump Roadlines');
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    const choose = await openScreen(page);
    await choose(fileOf(challans));
    await page.getByText('File uploaded and processed successfully!').waitFor();
    await isOpen(page, 'Verification Results');

    expect(await figure(page, 'Total Records')).toBe('6');
    expect(await figure(page, 'Valid Records')).toBe('4');
    expect(await figure(page, 'Valid Matches')).toBe('1');
    expect(await figure(page, 'Discrepancies')).toBe('3');
    // The second TP is there twice: neither row is matched by itself (docs/specification.md §11.3).
    const errors = page.getByRole('list', { name: 'Processing Errors' });
    await expect.poll(() => errors.getByRole('listitem').count()).toBeGreaterThan(0);
    await expect.poll(() => errors.textContent()).toContain('Row 8');

    // Left and Right walk the kinds of results.
    await inHand(tab(page, /^Valid Matches/));
    await page.keyboard.press('ArrowRight');
    await isOpen(page, /^Amount Mismatches/);
    const difference = formatINR(subtract('1.00', challans[2]?.hsdAmount ?? ''));
    await page.getByRole('gridcell', { name: difference }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('gridcell', { name: challans[3]?.tpNo }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('gridcell', { name: 'NOT/IN/THE/BOOKS' }).waitFor();
    await page.keyboard.press('Home');
    await isOpen(page, /^Valid Matches/);
    await page.getByRole('gridcell', { name: challans[0]?.challanNumber, exact: true }).waitFor();

    // Down goes into the table, Space selects, Ctrl+Enter does what the button says.
    await page.getByRole('button', { name: 'Verify all 1' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[row-id]') !== null)).toBe(true);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Verify 1 selected' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Bulk verification completed successfully!').waitFor();
    await isOpen(page, 'Verification Complete');
    expect(await figure(page, 'Verified Count')).toBe('1');
    expect(await figure(page, 'Skipped Count')).toBe('0');
    await page.getByText('Every valid match of the file is verified.').waitFor();

    // The next one: nothing is open, so nothing is asked; the file is in the list.
    await page.keyboard.press('n');
    await inHand(page.getByRole('button', { name: /Choose the petrol pump's file/ }));
    await page.getByRole('gridcell', { name: 'pump.csv' }).waitFor();
    await page.getByRole('gridcell', { name: business.email }).waitFor();

    // The same file again: what was a match is verified by now, and nothing is left to verify.
    await choose(fileOf(challans));
    await isOpen(page, 'Verification Results');
    await page.getByText('No row of the file matches a challan by TP number and amount.').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('No valid matches to verify').first().waitFor();

    const { data } = await desk.call(business, contract.challans.list, { query: { limit: 100 } });
    const verified = data.filter(({ hsdVerified }) => hsdVerified).map(({ id }) => id);
    expect(verified.toSorted()).toEqual([challans[0]?.id, challans[3]?.id].toSorted());
    await context.close();
  });

  it('a file it cannot read is refused in one sentence, and the next one works', async () => {
    const { business, challans } = await openBooks('Careful Roadlines');
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    const choose = await openScreen(page);
    await choose({ name: 'lie.xlsx', mimeType: 'text/csv', buffer: Buffer.from('%PDF-1.7 TP No,Amount') });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await expect.poll(() => alert.textContent()).toMatch(/^[A-Z].+\.lie\.xlsxRequest [\w-]+$/);
    await choose(fileOf(challans));
    await isOpen(page, 'Verification Results');
    await context.close();
  });
});

describe("a bill of the pump's own making, with the keyboard alone", () => {
  it('is read by chosen columns, a near TP number and a mismatch are accepted, and the ledger shows it', async () => {
    const { business, challans } = await openBooks('Own Headings');
    const [first, second, third] = challans;
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    const choose = await openScreen(page);
    const lines = [
      'Maa Tarini Filling Station',
      'Slip,Litres,Value',
      `${first?.tpNo},5,${first?.hsdAmount}`,
      `${second?.tpNo}9,5,${second?.hsdAmount}`,
      `${third?.tpNo},5,1.00`,
      'Total,,99',
    ];
    await choose({ name: 'slips.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });

    await page.getByRole('region', { name: 'Choose the columns' }).waitFor();
    await inHand(page.getByRole('combobox', { name: 'TP No' }));
    for (const key of ['Enter', 'ArrowDown', 'Enter', 'Tab', 'Enter', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter'])
      await page.keyboard.press(key);
    await page.getByRole('combobox', { name: 'Amount' }).filter({ hasText: '3: Value' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await isOpen(page, 'Verification Results');
    await page.getByText('1 row of totals, not compared').waitFor();

    await inHand(tab(page, /^Valid Matches/));
    await page.keyboard.press('ArrowRight');
    await isOpen(page, /^Amount Mismatches/);
    await page.getByRole('gridcell', { name: third?.challanNumber, exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[row-id]') !== null)).toBe(true);
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('a');
    await inHand(page.getByRole('textbox', { name: 'Reason' }));
    expect(await findings(page)).toEqual([]);
    await page.keyboard.type('Agreed with the pump');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 row accepted and HSD verified.').waitFor();

    await tab(page, /^TP Not Found/).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('gridcell', { name: second?.tpNo, exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[row-id]') !== null)).toBe(true);
    await page.keyboard.press('Control+a');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('a');
    await inHand(page.getByRole('textbox', { name: 'Reason' }));
    await page.keyboard.press('Control+Enter');
    await page.getByRole('gridcell', { name: 'Accepted' }).waitFor();

    const { data } = await desk.call(business, contract.challans.list, { query: { limit: 100 } });
    const verified = data.filter(({ hsdVerified }) => hsdVerified).map(({ id }) => id);
    expect(verified).toEqual(expect.arrayContaining([second?.id, third?.id]));
    await page.goto(`${desk.appUrl}/hsd-verification/ledger`);
    await page
      .getByRole('gridcell', { name: formatINR(first?.hsdAmount ?? '') })
      .first()
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });
});

describe('in both themes axe finds nothing on', () => {
  it('each tab, each kind of results, and the question before leaving them', async () => {
    const { business, challans } = await openBooks('Both Themes');
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    const found: Record<string, string[]> = {};
    const look = async (where: string): Promise<void> => {
      // A message that is still fading in has the contrast of its fading.
      await page.locator('[data-sonner-toast]').first().waitFor({ state: 'detached' });
      const here = await findings(page);
      if (here.length > 0) found[where] = here;
    };
    const choose = await openScreen(page);
    await page.getByText('No file has been verified yet').waitFor();
    await look('Upload File');
    await choose(fileOf(challans));
    for (const kind of [/^Valid Matches/, /^Amount Mismatches/, /^Already Verified/, /^TP Not Found/]) {
      await isOpen(page, kind);
      await page.getByRole('gridcell').first().waitFor();
      await look(String(kind));
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('n');
    await page.getByRole('alertdialog').waitFor();
    await look('Start a new verification?');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Enter');
    await isOpen(page, 'Verification Complete');
    await look('Verification Complete');
    await page.keyboard.press('Alt+PageUp');
    await tab(page, /^TP Not Found|^Valid Matches/)
      .first()
      .waitFor();
    await page.keyboard.press('Alt+PageUp');
    await page.getByRole('gridcell', { name: 'pump.csv' }).waitFor();
    await look('Upload File with a past verification');
    expect(found).toEqual({});
    await context.close();
  });
});
