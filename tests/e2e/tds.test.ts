import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
