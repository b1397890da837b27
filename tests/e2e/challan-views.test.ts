import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Desk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

it('arranges the list by keyboard, keeps it as a view, and finds it on another machine', async () => {
  const business = await desk.addBusiness();
  await fillBooks(desk, business);
  const first = await desk.open();
  const { page } = first;
  await signIn(page, desk.appUrl, business);
  await page.goto(`${desk.appUrl}/challans?paymentStatus=unpaid`);
  const cell = page.getByRole('gridcell').first();
  await cell.waitFor();

  // Sorted by the net amount, with the material beside.
  await page.locator('[role="row"][row-id] [col-id="netAmountPayable"]').first().click();
  await page.keyboard.press('Shift+S');
  await page.waitForURL(/sortBy=netAmountPayable/);
  await page.getByRole('button', { name: 'Columns and density' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'Material', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await page.locator('[role="row"][row-id] [col-id="material"]').first().waitFor();

  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Find a screen or an action' }).waitFor();
  await page.keyboard.type('save as a view');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name of the view' }).waitFor();
  await page.keyboard.type('To pay');
  await page.keyboard.press('Enter');
  await page.getByText('View saved').waitFor();
  await first.context.close();

  const second = await desk.open();
  await signIn(second.page, desk.appUrl, business);
  await second.page.goto(`${desk.appUrl}/challans`);
  await second.page.getByRole('gridcell').first().waitFor();
  await second.page.getByRole('button', { name: 'To pay' }).waitFor();
  await second.page.keyboard.press('Control+K');
  await second.page.getByRole('combobox', { name: 'Find a screen or an action' }).waitFor();
  await second.page.keyboard.type('view to pay');
  await second.page.keyboard.press('Enter');
  await second.page.waitForURL(/paymentStatus=unpaid/);
  expect(new URL(second.page.url()).searchParams.get('sortBy')).toBe('netAmountPayable');
  await second.page.locator('[role="row"][row-id] [col-id="material"]').first().waitFor();
  await second.context.close();
});
