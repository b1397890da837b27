import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { createHash } from 'node:crypto';
import { fillBooks } from './support/books.ts';
import { examine } from './support/axe.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import {
  dialogOf,
  gone,
  intoTable,
  question,
  said,
  tabTo,
  takeOption,
  typeAll,
  typeInto,
  walkTo,
} from './support/keys.ts';

let desk: Desk;
let business: Business;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  await fillBooks(desk, business);
});
afterAll(() => desk.close());

/** What a key downloads. */
async function downloaded(page: Page, key: string): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent('download');
  await page.keyboard.press(key);
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

describe('a bank file, with the keyboard alone', () => {
  it('goes from the paying account over the lines of a payment to the same bytes again', async () => {
    const { page, context } = await desk.open({ width: 1920, height: 1080 });
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/profile/bank-accounts`);
    await page.getByRole('heading', { name: 'Bank Accounts' }).waitFor();
    await page.keyboard.press('n');
    const form = dialogOf(page, 'Add New Bank Account');
    await typeAll(page, form, {
      Name: 'SBI current',
      'Account Number': '30123456789',
      IFSC: 'sbin0000555',
      'Client Code': 'MTRL',
    });
    await tabTo(page, form.getByRole('combobox', { name: 'Layout' }));
    await page.keyboard.press('Enter');
    await takeOption(page, /^Comma text, 7/);
    await page.keyboard.press('Control+S');
    await said(page, 'Bank account created successfully!');
    await gone(form);

    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor();
    await walkTo(page, '2 owners');
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog', { name: /^Bank file of PAY-/ });
    await dialog.getByRole('gridcell', { name: 'Bikash Mohanta' }).first().waitFor();
    // Both are at the paying bank: internal. One goes by NEFT, the other is left for later.
    await dialog.getByText(/^2 lines, ₹/).waitFor();
    await tabTo(page, dialog.getByRole('gridcell').first());
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('r');
    await dialog.getByRole('gridcell', { name: 'NEFT' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await dialog.getByText(/^1 line, ₹.* left out: 1 line, ₹/).waitFor();
    const preview = await dialog.getByLabel('Contents of the file').textContent();
    expect(preview).toMatch(
      /^2627\d+-01,Bikash Mohanta,\d{11},SBIN0001234,10,19551\.00,\d{8}\r\n$|^\d{4}\d+-01,Bikash/,
    );
    const first = await downloaded(page, 'Control+Enter');
    await gone(dialog);
    expect(first.name).toMatch(/^MTRL\d{4}\.001$/);
    expect(first.bytes.toString('ascii')).toBe(preview);

    // The same bytes again from the list, which says how many were left out.
    await page.goto(`${desk.appUrl}/accounting/bank-files`);
    await intoTable(page);
    const again = await downloaded(page, 'Control+E');
    expect(again).toEqual(first);
    const { data } = await desk.call(business, contract.bankFiles.list, {});
    expect(data[0]).toMatchObject({
      lineCount: 1,
      leftOutCount: 1,
      sha256: createHash('sha256').update(first.bytes).digest('hex'),
    });

    // A line at the bank keeps the payment from being undone, and a withdrawn one does not.
    await page.goto(`${desk.appUrl}/accounting/payments`);
    await walkTo(page, '2 owners');
    await page.keyboard.press('u');
    await question(page).waitFor();
    await page.keyboard.type('Paid twice');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(/is in bank file BF-\d{4}-000001/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await gone(question(page));
    await page.goto(`${desk.appUrl}/accounting/bank-files`);
    await intoTable(page);
    await page.keyboard.press('u');
    await question(page).waitFor();
    await page.keyboard.type('Not uploaded');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(/withdrawn\. Its lines can be sent again\./)
      .first()
      .waitFor();
    await context.close();
  });
});

describe('a layout, with the keyboard alone', () => {
  it('is copied, arranged, tried on a payment and kept, and the next file has it', async () => {
    const { page, context } = await desk.open({ width: 1920, height: 1080 });
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/profile/bank-layouts`);
    const layout = page.getByRole('combobox', { name: 'Layout', exact: true });
    await tabTo(page, layout);
    await page.keyboard.press('Enter');
    await takeOption(page, /^Comma text, 7/);
    const contents = page.getByLabel('Contents of the file');
    await contents.getByText(/^\d{6,}-01,Bikash Mohanta/).waitFor();
    await typeInto(page, page.getByRole('textbox', { name: 'Name', exact: true }), 'Our bank');
    // The name goes before the reference, in capitals.
    const line = page.getByRole('group', { name: 'Each line, field 2', exact: true });
    await tabTo(page, line.getByRole('combobox', { name: 'Case 2', exact: true }));
    await page.keyboard.press('Enter');
    await takeOption(page, /^upper/i);
    await page.keyboard.press('Alt+ArrowUp');
    await contents.getByText(/^BIKASH MOHANTA,\d{6,}-01,/).waitFor();
    // The list comes back late: what was saved is shown all the same.
    let release = (): void => undefined;
    const late = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/bank-layouts', async (route) => {
      if (route.request().method() === 'GET') await late;
      await route.continue();
    });
    await page.keyboard.press('Control+S');
    await said(page, 'Layout “Our bank” saved');
    const { data } = await desk.call(business, contract.bankLayouts.list, {});
    const own = data.find(({ name }) => name === 'Our bank');
    expect(own?.definition.fields.slice(0, 2).map(({ source, letterCase }) => [source, letterCase])).toEqual([
      ['name', 'upper'],
      ['reference', undefined],
    ]);
    // Out as JSON, and the same again from it.
    const { name, bytes } = await downloaded(page, 'Control+E');
    expect(name).toBe('bank-layout.json');
    expect(JSON.parse(bytes.toString('utf8'))).toEqual({ name: 'Our bank', definition: own?.definition });
    release();
    await context.close();
  });
});

describe('in both themes axe finds nothing', () => {
  it('on the screens of the bank', async () => {
    await examine(desk, async (page, judge) => {
      await signIn(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/profile/bank-accounts`);
      await page.getByRole('gridcell').first().waitFor();
      await judge('bank accounts');
      await page.keyboard.press('n');
      await dialogOf(page, 'Add New Bank Account').waitFor();
      await judge('the form of an account');
      await page.keyboard.press('Escape');
      await page.goto(`${desk.appUrl}/profile/bank-layouts`);
      await page.getByLabel('Contents of the file').waitFor();
      await judge('bank layouts');
      await page.goto(`${desk.appUrl}/accounting/payments`);
      await walkTo(page, '2 owners');
      await page.keyboard.press('b');
      await page
        .getByRole('dialog', { name: /^Bank file of PAY-/ })
        .getByRole('gridcell')
        .first()
        .waitFor();
      await judge('the Bank File dialog');
      await page.goto(`${desk.appUrl}/accounting/bank-files`);
      await intoTable(page);
      await judge('bank files');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('gridcell').first().waitFor();
      await judge('the lines of a file');
    });
  });
});
