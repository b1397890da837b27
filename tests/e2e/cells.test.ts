import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { examine } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { intoTable, said } from './support/keys.ts';

let desk: Desk;
let business: Business;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness();
  await fillBooks(desk, business);
});
afterAll(() => desk.close());

const rows = async () => (await desk.call(business, contract.challans.list, { query: {} })).data;

it('edits five cells of the list by keyboard alone, and takes the last one back', async () => {
  const before = await rows();
  const { page, context } = await desk.open();
  await signIn(page, desk.appUrl, business);
  await page.goto(`${desk.appUrl}/challans`);
  await page.getByRole('gridcell').first().waitFor();
  await intoTable(page);
  const at = (column: string) => page.locator(`.ag-cell-focus[col-id="${column}"]`);
  const editor = (name: string, index: number) =>
    page.getByRole('group', { name: `${name} of ${before[index]?.challanNumber}` }).getByRole('textbox');
  await page.keyboard.press('Home');
  // The boxes, then the number of the challan.
  await at('grid-select').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await at('tpNo').waitFor();

  await page.keyboard.press('F2');
  await editor('TP No', 0).waitFor();
  for (const index of [0, 1, 2]) {
    await editor('TP No', index).waitFor();
    await page.keyboard.type(`CELL-${index}`);
    await page.keyboard.press(index < 2 ? 'Enter' : 'Tab');
  }
  // Over the tag, which needs nothing.
  await page.getByRole('group', { name: `Tag of ${before[2]?.challanNumber}` }).waitFor();
  await page.keyboard.press('Tab');
  await editor('Deposited On', 2).waitFor();
  await page.keyboard.press('t');
  await page.keyboard.press('Tab');
  await editor('TP No', 3).waitFor();
  await page.keyboard.type('CELL-3');
  await page.keyboard.press('F2');
  await at('tpNo').waitFor();
  await said(page, `TP No of ${before[3]?.challanNumber} saved`);
  await expect
    .poll(async () => (await rows()).slice(0, 4).map(({ tpNo }) => tpNo))
    .toEqual(['CELL-0', 'CELL-1', 'CELL-2', 'CELL-3']);

  await page.keyboard.press('Control+z');
  await said(page, `TP No of ${before[3]?.challanNumber} restored`);
  const after = await rows();
  expect(after.slice(0, 4).map(({ tpNo }) => tpNo)).toEqual(['CELL-0', 'CELL-1', 'CELL-2', before[3]?.tpNo]);
  expect(after.map(({ version }) => version).slice(0, 4)).toEqual(
    [1, 1, 2, 2].map((changes, index) => (before[index]?.version ?? 0) + changes),
  );
  expect(after[2]?.depositedAt).not.toBe(before[2]?.depositedAt);
  await context.close();
});

it('has an editor that axe finds nothing wrong with, also where it refuses', async () => {
  await examine(desk, async (page, judge) => {
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/petrol-pumps`);
    await page.getByRole('gridcell').first().waitFor();
    await intoTable(page);
    await page.locator('.ag-cell-focus[col-id="grid-select"]').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('.ag-cell-focus[col-id="name"]').waitFor();
    await page.keyboard.press('F2');
    const editor = page.getByRole('group', { name: /^Name of / });
    await editor.waitFor();
    await judge('a cell that is edited');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await editor.getByText('Please enter petrol pump name').waitFor();
    await judge('a cell that is refused');
  });
});
