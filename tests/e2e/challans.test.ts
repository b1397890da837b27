import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** A business with its books, signed in, in a browser of its own. */
async function atWork() {
  const business = await desk.addBusiness();
  const books = await fillBooks(desk, business);
  const { page, context } = await desk.open();
  await signIn(page, desk.appUrl, business);
  return { business, books, page, context };
}

const fieldOf = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const isFocused = (page: Page, name: string) =>
  page.waitForFunction((wanted) => (document.activeElement as HTMLInputElement | null)?.name === wanted, name);
const rowOf = (page: Page, id: string) => page.locator(`[role="row"][row-id="${id}"]`).first();
/** Pinned columns have rows of their own, of the same id. */
const shownIds = (page: Page) =>
  page
    .locator('[role="row"][row-id]')
    .evaluateAll((rows) => [
      ...new Set(rows.map((row) => row.getAttribute('row-id')).filter((id) => !id?.includes('total'))),
    ]);
const storedChallan = async (business: Business, id: string) =>
  (await desk.call(business, contract.challans.get, { params: { id } })).data;

async function openForm(page: Page, path: string): Promise<void> {
  await page.goto(desk.appUrl + path);
  await isFocused(page, 'tpNo');
}

async function type(page: Page, name: string, text: string): Promise<void> {
  await fieldOf(page, name).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
  await page.keyboard.press('Tab');
}

describe('the challan form', () => {
  it('makes the owner, the tag and the truck on the way, and goes on with Enter alone', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    await openForm(page, '/challans/create');

    await page.keyboard.type('25042600017');
    await page.keyboard.press('Enter');
    await isFocused(page, 'loadingDate');
    await page.keyboard.type('10/04/2026');
    await page.keyboard.press('Enter');
    // The unloading date has become the loading date; typing replaces it.
    await isFocused(page, 'unloadingDate');
    await page.keyboard.type('11/4/26');
    await page.keyboard.press('Enter');
    await isFocused(page, 'vehicleNo');
    await page.keyboard.type('od 09 zz 0007');
    await page.keyboard.press('Enter');
    await isFocused(page, 'material');
    await page.keyboard.type('Iron ore fines');
    // Enter passes over the owner while the look-up may still bring one.
    await page.getByText('Not among your trucks.').waitFor();
    await page.keyboard.press('Enter');

    await isFocused(page, 'ownerName');
    await page.keyboard.type('Rabindra Sahu');
    await page.getByRole('option', { name: /Create owner .Rabindra Sahu/ }).waitFor();
    await page.keyboard.press('Alt+C');
    const ownerDialog = page.getByRole('dialog', { name: 'Add New Owner' });
    await ownerDialog.waitFor();
    await expect.poll(() => ownerDialog.getByLabel('Owner Name').inputValue()).toBe('Rabindra Sahu');
    for (const [label, text] of [
      ['Contact Number', '9437012345'],
      ['Account Number', '00098765432'],
      ['PAN Number', 'abcps1234k'],
      ['Branch Name', 'Barbil'],
    ] as const) {
      await ownerDialog.getByLabel(label).focus();
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Control+Enter');
    await ownerDialog.waitFor({ state: 'detached' });
    await isFocused(page, 'ownerName');
    await expect.poll(() => fieldOf(page, 'ownerName').inputValue()).toBe('Rabindra Sahu');
    await expect.poll(() => fieldOf(page, 'ownerContactNumber').inputValue()).toBe('9437012345');

    // The number is no truck yet: it is made for the owner just chosen.
    await page.getByText('Not among your trucks.').waitFor();
    await fieldOf(page, 'vehicleNo').focus();
    await page.keyboard.press('Alt+C');
    const truckDialog = page.getByRole('dialog', { name: 'Add New Truck' });
    await truckDialog.waitFor();
    await expect.poll(() => truckDialog.getByLabel('Truck Number').inputValue()).toBe('OD 09 ZZ 0007');
    await truckDialog.getByLabel('Wheels').focus();
    await page.keyboard.type('14');
    await page.keyboard.press('Control+Enter');
    await truckDialog.waitFor({ state: 'detached' });
    await page.getByText('Owner and vehicle details loaded: Rabindra Sahu').first().waitFor();
    await expect.poll(() => fieldOf(page, 'vehicleWheel').inputValue()).toBe('14');

    await fieldOf(page, 'tag').focus();
    await page.keyboard.type('BARBIL-DHAMRA');
    await page.getByRole('option', { name: /Create tag .BARBIL-DHAMRA/ }).waitFor();
    await page.keyboard.press('Alt+C');
    await page.getByRole('dialog', { name: 'Add New Tag' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog', { name: 'Add New Tag' }).waitFor({ state: 'detached' });
    await isFocused(page, 'tag');
    await page.keyboard.press('Enter');

    await isFocused(page, 'petrolPump');
    await page.keyboard.press('Enter');
    const answers: Record<string, string> = {
      loadingPlace: 'Barbil',
      unloadingPlace: 'Dhamra Port',
      loadingWeight: '25',
      unloadingWeight: '24.90',
      ratePerMT: '1,000',
      tdsPercentage: '1',
      advanceMoney: '5000',
      officeCharges: '100',
      depositedAt: '12/04/2026',
    };
    for (let n = 0; n < 25; n += 1) {
      const name = await page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name ?? '');
      if (name === '') break;
      await page.keyboard.type(answers[name] ?? '');
      await page.keyboard.press('Enter');
    }
    // After the last field Enter moves to the button.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Create Challan');
    await page.keyboard.press('Enter');
    await page.getByText(/Challan created successfully! Challan Number: CH-\d{4}-000001/).waitFor();

    const { data } = await desk.call(business, contract.challans.list, {});
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      tpNo: '25042600017',
      // Midnights of Asia/Kolkata.
      loadingDate: '2026-04-09T18:30:00.000Z',
      unloadingDate: '2026-04-10T18:30:00.000Z',
      depositedAt: '2026-04-11T18:30:00.000Z',
      ownerName: 'Rabindra Sahu',
      vehicleWheel: 14,
      netAmountPayable: '19551.00',
    });
    expect(data[0]?.tag?.name).toBe('BARBIL-DHAMRA');
    await context.close();
  });

  it('changes the remarks and nothing else', async () => {
    const { business, books, page, context } = await atWork();
    // With a pump and HSD, unpaid.
    const { id } = books.challans[3]!;
    const before = await storedChallan(business, id);
    await openForm(page, `/challans/edit/${id}`);
    await type(page, 'remarks', 'Weighed again at the port');
    await page.keyboard.press('Control+S');
    await page.getByText('Challan updated successfully').first().waitFor();
    await page.waitForURL('**/challans');
    const after = await storedChallan(business, id);
    expect(after).toEqual({
      ...before,
      remarks: 'Weighed again at the port',
      version: after.version,
      updatedAt: after.updatedAt,
    });
    expect(after.version).toBeGreaterThan(before.version);
    await context.close();
  });

  it('offers after a reload what was typed, with its time, and puts it back', async () => {
    const { page, context } = await atWork();
    page.on('dialog', (dialog) => void dialog.accept());
    await openForm(page, '/challans/create');
    await page.keyboard.type('KJR/26/0042');
    await type(page, 'vehicleNo', 'OD09AB1234');
    await expect.poll(() => fieldOf(page, 'ownerName').inputValue()).toBe('Bikash Mohanta');
    await type(page, 'loadingWeight', '31.25');
    await expect
      .poll(() => page.evaluate(() => Object.values(localStorage).some((text) => String(text).includes('31.25'))))
      .toBe(true);
    await page.reload();
    const offer = page.getByText(/A draft from \d\d\/\d\d\/\d{4} \d\d:\d\d was not saved/);
    await offer.waitFor();
    expect(await fieldOf(page, 'vehicleNo').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Restore' }).focus();
    await page.keyboard.press('Enter');
    await offer.waitFor({ state: 'detached' });
    await expect.poll(() => fieldOf(page, 'tpNo').inputValue()).toBe('KJR/26/0042');
    await expect.poll(() => fieldOf(page, 'vehicleNo').inputValue()).toBe('OD09AB1234');
    await expect.poll(() => fieldOf(page, 'ownerName').inputValue()).toBe('Bikash Mohanta');
    await expect.poll(() => fieldOf(page, 'loadingWeight').inputValue()).toBe('31.25');
    await context.close();
  });

  it('shows a conflict field by field, mine and theirs, and saves what is chosen', async () => {
    const { business, books, page, context } = await atWork();
    const { id, version } = books.challans[4]!;
    await openForm(page, `/challans/edit/${id}`);
    await type(page, 'advanceMoney', '6000');
    await type(page, 'remarks', 'Mine');
    await desk.call(business, contract.challans.update, {
      params: { id },
      body: { version, advanceMoney: '7000.00', material: 'Chrome ore' },
    });
    await page.keyboard.press('Control+S');
    await page.getByText('This challan was changed by someone else while you were editing').waitFor();
    const row = page.getByRole('row', { name: /Advance Money/ });
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['6,000.00', '7,000.00', 'Use theirs']);
    // What only the other changed is there, what only I changed is kept.
    await expect.poll(() => fieldOf(page, 'material').inputValue()).toBe('Chrome ore');
    await expect.poll(() => fieldOf(page, 'remarks').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Use theirs for Advance Money' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => fieldOf(page, 'advanceMoney').inputValue()).toBe('7,000.00');
    await page.keyboard.press('Control+S');
    await page.getByText('Challan updated successfully').first().waitFor();
    expect(await storedChallan(business, id)).toMatchObject({
      advanceMoney: '7000.00',
      material: 'Chrome ore',
      remarks: 'Mine',
    });
    await context.close();
  });

  it('stores one challan for a save that was cut off and a key pressed twice', async () => {
    const { business, page, context } = await atWork();
    await openForm(page, '/challans/create');
    await page.keyboard.type('25042699999');
    for (const [name, text] of [
      ['loadingDate', '14/04/2026'],
      ['unloadingDate', '15/04/2026'],
      ['vehicleNo', 'OD14CD5678'],
      ['material', 'Coal'],
      ['loadingPlace', 'Talcher'],
      ['unloadingPlace', 'Paradip'],
      ['loadingWeight', '20'],
      ['unloadingWeight', '20'],
      ['ratePerMT', '500'],
      ['tdsPercentage', '1'],
      ['advanceMoney', '0'],
      ['officeCharges', '0'],
      ['depositedAt', '16/04/2026'],
    ] as const) {
      await type(page, name, text);
    }
    await fieldOf(page, 'tag').focus();
    await page.keyboard.type('JODA');
    await page.getByRole('option', { name: /JODA-PARADIP/ }).waitFor();
    await page.keyboard.press('Enter');

    // The first time the server stores it and the answer is lost on the way.
    let sent = 0;
    await page.route('**/api/challans', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent += 1;
      if (sent > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.keyboard.press('Control+S');
    await expect.poll(() => sent).toBe(1);
    await page.getByText('The challan is stored only once').waitFor();
    await expect.poll(() => fieldOf(page, 'tpNo').inputValue()).toBe('25042699999');
    await page.keyboard.press('Control+S');
    await page.keyboard.press('Control+S');
    await page.getByText(/Challan created successfully!/).waitFor();
    const { data } = await desk.call(business, contract.challans.list, { query: { tpNo: '25042699999' } });
    expect(data).toHaveLength(1);
    await context.close();
  });
});

describe('the challan list', () => {
  it('refuses to delete a paid challan, and says why', async () => {
    const { business, books, page, context } = await atWork();
    const { id } = books.challans[0]!;
    await page.goto(`${desk.appUrl}/challans?limit=20`);
    await rowOf(page, id).getByRole('gridcell').first().click();
    await page.keyboard.press('Delete');
    await page
      .getByText('This challan is marked as paid. Unmark the payment before deleting it.', { exact: true })
      .first()
      .waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect((await storedChallan(business, id)).paymentStatus).toBe(true);

    // An unpaid one goes, after the question.
    const free = books.challans[5]!;
    // The first cell selects: with the paid one still selected, Delete would be refused for two.
    await page.keyboard.press('Escape');
    await rowOf(page, free.id).getByRole('gridcell').first().click();
    await page.keyboard.press('Delete');
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await question.getByText(`Delete challan ${free.challanNumber}?`).waitFor();
    await question.getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Challan deleted successfully').first().waitFor();
    await rowOf(page, free.id).waitFor({ state: 'detached' });
    await context.close();
  });

  it('takes the tick back when the server refuses it', async () => {
    const { business, books, page, context } = await atWork();
    const { id, challanNumber } = books.challans[6]!;
    await page.goto(`${desk.appUrl}/challans?limit=20`);
    const tick = rowOf(page, id).getByRole('checkbox', { name: `Paid, ${challanNumber}` });
    await tick.waitFor();
    await expect.poll(() => tick.isChecked()).toBe(false);

    let refuse: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route(`**/api/challans/${id}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await asked;
      return route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify({ success: false, message: 'Something went wrong' }),
      });
    });
    await rowOf(page, id).getByRole('gridcell').first().click();
    await page.keyboard.press('p');
    await expect.poll(() => tick.isChecked()).toBe(true);
    refuse();
    await page.getByText('Something went wrong').first().waitFor();
    await expect.poll(() => tick.isChecked()).toBe(false);
    expect((await storedChallan(business, id)).paymentStatus).toBe(false);

    await page.unroute(`**/api/challans/${id}`);
    await page.keyboard.press('p');
    await page.getByText('Payment status marked as done').first().waitFor();
    expect((await storedChallan(business, id)).paymentStatus).toBe(true);
    await context.close();
  });

  it('keeps its filters in the address: Back from a form finds them again', async () => {
    const { books, page, context } = await atWork();
    await page.goto(`${desk.appUrl}/challans`);
    await rowOf(page, books.challans[11]!.id).waitFor();
    const { tpNo } = books.challans[7]!;
    const tpFilter = page.getByRole('textbox', { name: 'TP No' });
    await page.keyboard.press('/');
    await tpFilter.fill(tpNo.slice(0, 2));
    await page.getByText('Type at least 3 characters').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await tpFilter.fill(tpNo);
    await page.waitForURL((url) => url.hash === `#tpNo=${tpNo}`);
    await rowOf(page, books.challans[11]!.id).waitFor({ state: 'detached' });
    await rowOf(page, books.challans[7]!.id).getByRole('gridcell').first().click();
    await page.keyboard.press('e');
    await page.waitForURL(`**/challans/edit/${books.challans[7]!.id}`);
    await isFocused(page, 'tpNo');
    await page.goBack();
    await page.waitForURL((url) => url.pathname === '/challans' && url.hash === `#tpNo=${tpNo}`);
    await rowOf(page, books.challans[7]!.id).waitFor();
    await expect.poll(() => tpFilter.inputValue()).toBe(tpNo);
    expect(await shownIds(page)).toEqual([books.challans[7]!.id]);
    await page.reload();
    await rowOf(page, books.challans[7]!.id).waitFor();
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await page.getByText('Filters reset successfully').waitFor();
    await rowOf(page, books.challans[11]!.id).waitFor();
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('');
    await context.close();
  });

  it('exports the bytes the API gives for the same filters', async () => {
    const { business, page, context } = await atWork();
    await page.goto(`${desk.appUrl}/challans?paymentStatus=unpaid`);
    await page.locator('[role="row"][row-id]').first().waitFor();
    const download = page.waitForEvent('download');
    await page.keyboard.press('Control+E');
    const file = await readFile(await (await download).path());
    await page.getByText('CSV export completed successfully!').waitFor();
    const answer = await fetch(`${desk.appUrl}/api/challans/export-filtered-csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${business.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        filters: { paymentStatus: false },
        columns: [
          'challanNumber',
          'tpNo',
          'vehicleNo',
          'ownerName',
          'tag',
          'depositedAt',
          'netAmountPayable',
          'paymentStatus',
          'hsdVerified',
        ],
      }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    // The two may be of two minutes.
    const timeless = (text: Buffer): string => text.toString('utf8').replace(/as of [\d/]+ [\d:]+/, '');
    expect(timeless(file)).toBe(timeless(bytes));
    const lines = bytes.toString('utf8').split('\r\n');
    // What it is of, a heading, the ten unpaid of twelve, the sum, and what follows the last line's end.
    expect(lines).toHaveLength(14);
    expect(lines[0]?.startsWith('\uFEFF')).toBe(true);
    await context.close();
  });
});

describe('the challan list', () => {
  it('has its rows while its challans are counted, and turns to the last page when they are', async () => {
    const { page, context } = await atWork();
    let count = (): void => undefined;
    const held = new Promise<void>((resolve) => (count = resolve));
    await page.route('**/api/challans/sums**', async (route) => {
      await held;
      await route.continue();
    });
    // No roll-up has the challan numbers.
    await page.goto(`${desk.appUrl}/challans?challanNumber=CH&limit=10`);
    await page.getByText('1-10, counting …').waitFor();
    await page.locator('[role="row"][row-id]').nth(9).waitFor();
    expect(await shownIds(page)).toHaveLength(10);
    count();
    await page.getByText('1-10 of 12 challans').waitFor();
    await page.getByRole('button', { name: 'Last page' }).click();
    await page.getByText('11-12 of 12 challans').waitFor();
    await context.close();
  });
});
