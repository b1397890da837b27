import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { buildOwner, buildTag, buildTruck } from '../server/support/builders.ts';
import { openDesk, signInByForm, type Business, type Desk } from './support/desk.ts';

let desk: Desk;
let business: Business;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  const { data: owner } = await desk.call(business, contract.owners.create, {
    body: buildOwner({
      name: 'Bikash Mohanta',
      contactNumber: '9437000001',
      accountNo: '00012345678',
      ifsc: 'SBIN0001234',
      panNo: 'ABCPM1234F',
      branchName: 'Barbil',
    }),
  });
  await desk.call(business, contract.trucks.create, {
    body: buildTruck(owner.id, { truckNumber: 'OD09AB1234', noOfWheels: 12, typeOfVehicle: 'Hyva' }),
  });
  await desk.call(business, contract.tags.create, { body: buildTag({ name: 'JODA-PARADIP' }) });
});
afterAll(() => desk.close());

/** Puts the focus on a field by keyboard: Tab from where it is, as a person would. */
async function tabTo(page: Page, label: string): Promise<void> {
  const named = { name: label, exact: true };
  const field = page.getByRole('textbox', named).or(page.getByRole('combobox', named));
  for (let n = 0; n < 60; n += 1) {
    if (await field.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${label}`);
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

const toast = (page: Page, text: string | RegExp) => page.getByText(text).first();

describe('the main job, with the keyboard alone', () => {
  it('goes from the sign-in over challans to the bytes of the payment file', async () => {
    const { page, context } = await desk.open({ width: 1920, height: 1080 });
    await signInByForm(page, desk.appUrl, business);
    await page.getByRole('heading', { name: 'Welcome back, Maa Tarini Roadlines!' }).waitFor();

    // The first challan: everything is typed once.
    await page.keyboard.press('Alt+N');
    await page.getByRole('heading', { name: 'Create Challans' }).waitFor();
    await typeInto(page, 'TP No', '000123456');
    await typeInto(page, 'Loading Date', '10/04/2026');
    await typeInto(page, 'Unloading Date', '11/04/2026');
    await typeInto(page, 'Vehicle No', 'od-09 ab 1234');
    await page.keyboard.press('Enter');
    await toast(page, 'Owner and vehicle details loaded: Bikash Mohanta').waitFor();
    await typeInto(page, 'Material', 'Iron ore fines');
    await tabTo(page, 'Tag');
    await page.keyboard.type('JODA');
    await page.getByRole('option', { name: /JODA-PARADIP/ }).waitFor();
    await page.keyboard.press('Enter');
    await typeInto(page, 'Loading Place', 'Joda');
    await typeInto(page, 'Unloading Place', 'Paradip Port');
    await typeInto(page, 'Loading Weight (MT)', '25');
    await typeInto(page, 'Unloading Weight (MT)', '24.90');
    await typeInto(page, 'Rate per MT', '1,000');
    await typeInto(page, 'TDS Percentage', '1');
    await typeInto(page, 'Advance Money', '5000');
    await typeInto(page, 'Office Charges', '100');
    await typeInto(page, 'Deposited On', '12/04/2026');
    await page.keyboard.press('Control+S');
    await toast(page, /Challan created successfully! Challan Number: CH-\d{4}-000001/).waitFor();

    // The next ones: what stays the same is remembered, the focus is where the next begins.
    for (const [tpNo, loaded, unloaded] of [
      ['KJR/24-25/0123456', '30', '29.85'],
      ['Y0123457', '18.50', '18.50'],
    ] as const) {
      await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.name === 'tpNo');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(tpNo);
      await typeInto(page, 'Unloading Date', '11/04/2026');
      await typeInto(page, 'Vehicle No', 'OD09AB1234');
      await page.keyboard.press('Enter');
      await page.waitForFunction(
        () => (document.querySelector('[name="ownerName"]') as HTMLInputElement | null)?.value === 'Bikash Mohanta',
      );
      await typeInto(page, 'Loading Weight (MT)', loaded);
      await typeInto(page, 'Unloading Weight (MT)', unloaded);
      await typeInto(page, 'TDS Percentage', '1');
      await page.keyboard.press('Control+Enter');
      // The same vehicle on the same loading day is said, and may be right: one trip carries several passes.
      // The same press twice is one: the second must be a decision of its own, once the button can be pressed.
      await page.getByRole('button', { name: 'Save anyway', disabled: false }).waitFor();
      await page.keyboard.press('Control+Enter');
      await page.waitForFunction(() => (document.querySelector('[name="vehicleNo"]') as HTMLInputElement).value === '');
    }

    // They are in the list, newest first, with the total of all.
    await page.keyboard.press('Alt+6');
    await page.getByRole('heading', { name: 'Challans', exact: true }).waitFor();
    await page.getByRole('gridcell', { name: 'Y0123457' }).waitFor();
    // 24.90 × 1000 − 249.00 − 5,000 − 100, 29.85 × 1000 − 298.50 − 5,100, 18.50 × 1000 − 185.00 − 5,100.
    await page.getByText('₹57,217.50').first().waitFor();

    // The bank statement: everything on the page, marked, twice confirmed.
    await page.keyboard.press('Alt+8');
    await page.getByRole('heading', { name: 'Bank Statement - Owner Expandable View' }).waitFor();
    const grid = page.getByRole('treegrid').or(page.getByRole('grid')).first();
    await grid.getByText('Bikash Mohanta').waitFor();
    for (let n = 0; n < 60 && !(await grid.evaluate((el) => el.contains(document.activeElement))); n += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Control+A');
    await page
      .getByText(/3 selected/)
      .first()
      .waitFor();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await dialog.getByRole('button', { name: 'Continue to Payment' }).waitFor();
    await dialog.getByText('₹57,217.50').first().waitFor();
    await page.keyboard.press('Control+Enter');
    // Not at once: the key of step 1 pressed twice must not pay.
    await dialog.getByRole('button', { name: 'Yes, Mark Selected as Paid', disabled: false }).waitFor();
    // The focus is on the safe button, so Enter never pays by accident.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('No, Cancel');
    const download = page.waitForEvent('download');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'Successfully marked 3 challans as paid').waitFor();
    await toast(page, 'Payment summary CSV downloaded automatically').waitFor();

    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^payment_PAY-\d{4}-000001_\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    const year = /CH-(\d{4})-000001/.exec(text)?.[1] ?? '';
    // The vehicle is shown as it was typed, in capitals (docs/specification.md §3.5).
    const line = (number: number, tp: string, vehicle: string, net: string) =>
      `"Bikash Mohanta","9437000001","00012345678","SBIN0001234","Barbil","ABCPM1234F","CH-${year}-00000${number}",${tp},` +
      `"${vehicle}","Joda → Paradip Port","Loading 10/04/2026, unloading 11/04/2026, deposited 12/04/2026",${net},"JODA-PARADIP","Paid"\r\n`;
    expect(
      text
        .split('\r\n')
        .map((each) => `${each}\r\n`)
        .slice(1, -1),
    ).toEqual([
      line(1, '"000123456"', 'OD-09 AB 1234', '19551.00'),
      line(2, '"KJR/24-25/0123456"', 'OD09AB1234', '24451.50'),
      line(3, '"Y0123457"', 'OD09AB1234', '13215.00'),
      '"Subtotal Bikash Mohanta",,,,,,"3 challans",,,,,57217.50,,\r\n',
      '"Grand total",,,,,,"3 challans",,,,,57217.50,,\r\n',
    ]);
    expect(text.startsWith('\uFEFF')).toBe(true);

    // The ledger's own copy has the same bytes, and nothing is owed any more.
    const { data: batches } = await desk.call(business, contract.paymentBatches.list, {});
    expect(batches).toHaveLength(1);
    expect(batches[0]).toMatchObject({ updatedCount: 3, totalAmount: '57217.50', reversedAt: null });
    const again = await fetch(`${desk.appUrl}/api/payment-batches/${batches[0]?.id ?? ''}/csv`, {
      headers: { authorization: `Bearer ${business.token}` },
    });
    expect(Buffer.from(await again.arrayBuffer()).equals(await readFile(await file.path()))).toBe(true);
    const { data: statement } = await desk.call(business, contract.bankStatement.list, {});
    expect(statement.summary).toEqual({
      totalOwners: 0,
      totalChallans: 0,
      totalUnpaidAmount: '0.00',
      heldCount: 0,
      heldAmount: '0.00',
      negativeChallanCount: 0,
      negativeAmount: '0.00',
      negativeCarriedAmount: '0.00',
      deductedAmount: '0.00',
      negativeOwnerCount: 0,
      negativeOwners: [],
      matching: { count: 0, amount: '0.00' },
      payment: { count: 0, amount: '0.00' },
    });
    await context.close();
  });
});
