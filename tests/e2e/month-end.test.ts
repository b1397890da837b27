import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayOf, formatDate } from '../../src/shared/calc/dates.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Desk } from './support/desk.ts';
import { dialogOf, fieldIn, gone, question, said, typeInto, walkTo } from './support/keys.ts';

/** Tally and the closing of a month (docs/specification.md §31 and §32), by somebody who has no mouse. */
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

async function openBusiness() {
  const business = await desk.addBusiness();
  const books = await fillBooks(desk, business);
  const { page } = await desk.open();
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  const goTo = async (key: string, heading: string): Promise<void> => {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  };
  return { business, ...books, page, goTo, press: (keys: string) => page.keyboard.press(keys) };
}

/** What is downloaded by a key. */
async function downloadBy(page: Page, keys: string): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download');
  await page.keyboard.press(keys);
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

it('from the ledgers to the first file for Tally, and to the file of what changed since', async () => {
  const { business, challans, page, goTo, press } = await openBusiness();
  await goTo('l', 'Tally');
  await page.getByText('No files yet').waitFor();
  expect(await findings(page)).toEqual([]);

  await press('s');
  const ledgers = dialogOf(page, 'Ledgers in Tally');
  await typeInto(page, fieldIn(ledgers, 'Freight expense'), 'Transportation Charges');
  expect(await findings(page)).toEqual([]);
  await press('Control+Enter');
  await gone(ledgers);
  await said(page, 'Ledgers saved');
  expect((await downloadBy(page, 'm')).bytes.toString()).toContain('Transportation Charges');

  await press('n');
  const dialog = dialogOf(page, 'File for Tally');
  const first = challans[0]!;
  await typeInto(page, fieldIn(dialog, 'From'), formatDate(dayOf(first.loadingDate)));
  await typeInto(page, fieldIn(dialog, 'To'), formatDate(dayOf(new Date())));
  expect(await findings(page)).toEqual([]);
  const made = (await downloadBy(page, 'Control+Enter')).bytes.toString();
  await gone(dialog);
  expect(made).toContain('Not certified by Tally');
  expect(made).toContain('Transportation Charges');
  const [file] = (await desk.call(business, contract.tally.list, { query: {} })).data;
  expect([file?.challanCount, file?.transferCount]).toEqual([12, 2]);
  await walkTo(page, file!.number);
  expect((await downloadBy(page, 'Enter')).bytes.toString()).toBe(made);
  expect(await findings(page)).toEqual([]);

  const { id, challanNumber } = challans[5]!;
  const change = { params: { id }, body: { officeCharges: '75.00' } };
  await desk.call(business, contract.challans.update, change);
  await page.goto(`${desk.appUrl}/accounting/tally/changed`);
  await page.getByRole('gridcell', { name: challanNumber }).waitFor();
  expect(await findings(page)).toEqual([]);
  await press('n');
  await question(page).waitFor();
  expect(await findings(page)).toEqual([]);
  const again = (await downloadBy(page, 'Control+Enter')).bytes.toString();
  expect(again).toContain('75.00');
  await page.getByText('Nothing has changed since it was exported').waitFor();
});

it('from what is open to the pack of the month, and to the challan that is locked', async () => {
  const { business, challans, page, goTo, press } = await openBusiness();
  await goTo('z', 'Close the Month');
  await page.getByText('No packs yet').waitFor();
  await page.getByRole('row', { name: /^HSD not verified/ }).waitFor();
  expect(await findings(page)).toEqual([]);

  await press('l');
  await question(page).waitFor();
  expect(await findings(page)).toEqual([]);
  const { name, bytes } = await downloadBy(page, 'Control+Enter');
  await gone(question(page));
  const [pack] = (await desk.call(business, contract.monthPacks.list, { query: {} })).data;
  expect(name).toBe(`pack_${pack!.month}_${pack!.number}.zip`);
  expect(bytes.length).toBe(pack!.size);
  await walkTo(page, pack!.number);
  expect((await downloadBy(page, 'Enter')).bytes.equals(bytes)).toBe(true);
  expect(await findings(page)).toEqual([]);

  await goTo('c', 'Challans');
  const { challanNumber } = challans[11]!;
  const locked = page
    .getByRole('row', { name: new RegExp(challanNumber) })
    .getByRole('img', { name: /^Books are locked/ });
  await locked.waitFor();
  expect(await findings(page)).toEqual([]);
});
