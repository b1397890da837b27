import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayOf, formatDate } from '../../src/shared/calc/dates.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Desk } from './support/desk.ts';
import { dialogOf, fieldIn, gone, said, typeInto, walkTo } from './support/keys.ts';

/** The TDS register (docs/specification.md §27), by somebody who has no mouse. */
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

it('from the settings to the challan behind a line, and the file', async () => {
  const business = await desk.addBusiness();
  await fillBooks(desk, business);
  const register = await desk.call(business, contract.tds.list, { query: {} });
  const first = register.data[0]?.ownerNames[0];
  if (first === undefined) throw new Error('Something was paid in these books');

  const { page } = await desk.open();
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  const press = (keys: string) => page.keyboard.press(keys);
  await press('g');
  await press('x');
  await page.getByRole('heading', { name: 'TDS Register', exact: true }).waitFor();
  await page.getByRole('gridcell', { name: first }).waitFor();
  expect(await findings(page)).toEqual([]);

  await press('s');
  const settings = dialogOf(page, 'TDS Settings');
  await typeInto(page, fieldIn(settings, 'Section'), '194C');
  expect(await findings(page)).toEqual([]);
  await press('Control+Enter');
  await gone(settings);
  await said(page, 'TDS settings saved');
  await page.getByText(/by the day paid · section 194C/).waitFor();

  const download = page.waitForEvent('download');
  await press('Control+e');
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.match(/"194C"/g)).toHaveLength(register.totals.challanCount);

  await walkTo(page, first);
  await press('Enter');
  await page.getByRole('heading', { name: 'TDS Deductions', exact: true }).waitFor();
  await page.getByText('One line of the register').waitFor();
  const deductions = await desk.call(business, contract.tds.listDeductions, { query: { line: register.data[0]!.id } });
  const challan = deductions.data[0]!.challanNumber;
  await page.getByRole('gridcell', { name: challan }).waitFor();
  expect(await findings(page)).toEqual([]);
  await walkTo(page, challan);
  await press('p');
  await page.getByRole('dialog', { name: `Payment ${deductions.data[0]!.payment?.number}` }).waitFor();
});

it('from a declaration to the challan that it makes nil, and to those that differ', async () => {
  const business = await desk.addBusiness();
  await fillBooks(desk, business);
  const [challan] = (await desk.call(business, contract.challans.list, { query: { limit: 1 } })).data;
  if (!challan?.depositedAt) throw new Error('There are deposited challans in these books');

  const { page } = await desk.open();
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  const press = (keys: string) => page.keyboard.press(keys);
  await press('g');
  await press('q');
  await page.getByRole('heading', { name: 'Declarations', exact: true }).waitFor();
  await page.getByText('No declarations yet').waitFor();
  expect(await findings(page)).toEqual([]);

  await press('n');
  const dialog = dialogOf(page, 'Add Declaration');
  await page.keyboard.type(challan.ownerName);
  await page.getByRole('option', { name: challan.ownerName }).first().waitFor();
  await press('Enter');
  // As early as its challan: it covers it whatever the day of the test.
  await typeInto(page, fieldIn(dialog, 'Received On'), formatDate(dayOf(challan.loadingDate)));
  await typeInto(page, fieldIn(dialog, 'Goods Carriages'), '4');
  await typeInto(page, fieldIn(dialog, 'PAN'), 'BNZPM7421Q');
  expect(await findings(page)).toEqual([]);
  await press('Control+s');
  await gone(dialog);
  await said(page, 'Declaration saved');
  await page.getByRole('gridcell', { name: challan.ownerName }).waitFor();
  await page.getByRole('link', { name: /deducted although declared/ }).waitFor();
  expect(await findings(page)).toEqual([]);

  await walkTo(page, challan.ownerName);
  await press('w');
  await page.getByRole('alertdialog', { name: /^Withdraw the declaration of/ }).waitFor();
  await press('Control+Enter');
  await said(page, 'Declaration withdrawn');
});

it('from what is not deposited to the deposit that covers it, and the working for the return', async () => {
  const business = await desk.addBusiness();
  await fillBooks(desk, business);
  const open = (await desk.call(business, contract.tds.listMonths, { query: {} })).data[0];
  if (!open) throw new Error('Something was paid in these books');

  const { page } = await desk.open();
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  const press = (keys: string) => page.keyboard.press(keys);
  await press('g');
  await press('e');
  await page.getByRole('heading', { name: 'TDS Deposits', exact: true }).waitFor();
  await page.getByText('No deposits in this financial year').waitFor();
  await page
    .getByRole('row', { name: /Deposit$/ })
    .first()
    .waitFor();
  expect(await findings(page)).toEqual([]);

  await press('d');
  const dialog = dialogOf(page, 'Add Deposit');
  await typeInto(page, fieldIn(dialog, 'BSR Code'), '0510308');
  await typeInto(page, fieldIn(dialog, 'Challan Serial No'), '00042');
  expect(await findings(page)).toEqual([]);
  await press('Control+s');
  await gone(dialog);
  await said(page, 'Deposit saved');
  await page.getByRole('gridcell', { name: '00042' }).waitFor();
  expect(await findings(page)).toEqual([]);

  const download = page.waitForEvent('download');
  await press('Control+e');
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.match(/"00042"/g)).toHaveLength(open.challanCount);
  expect(file).toContain('nobody has certified it');
});
