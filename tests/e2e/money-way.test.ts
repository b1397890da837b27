import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { buildBankAccount } from '../server/support/builders.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Desk } from './support/desk.ts';
import { countKeys, dialogOf, gone, question, said, tabTo, untilOnRow } from './support/keys.ts';

/** The money's way and back (docs/keyboard.md §13), by somebody who has no mouse and knows the keys. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** A business whose bank account is set up, and a browser whose keys are counted. */
async function openCounted() {
  const business = await desk.addBusiness();
  const books = await fillBooks(desk, business);
  const { data: account } = await desk.call(business, contract.bankAccounts.create, { body: buildBankAccount() });
  const { page, context } = await desk.open({ width: 1920, height: 1080 });
  await context.route('https://wa.me/**', (route) => route.fulfill({ contentType: 'text/html', body: 'WhatsApp' }));
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  // The browser asks us for files from now on: a key pressed at once could be quicker than the wish for one.
  page.on('filechooser', () => undefined);
  return { business, books, account, page, context, ...countKeys(page) };
}
type Counted = Awaited<ReturnType<typeof openCounted>>;

const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', typeof name === 'string' ? { name, exact: true } : { name }).waitFor();

/** What a key downloads. */
async function downloaded({ page, press }: Counted, key: string): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent('download');
  await press(key);
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Everything on the page of the bank statement is selected, confirmed and paid; gives the payment's number. */
async function payAll(counted: Counted, challans: number): Promise<void> {
  const { page, press } = counted;
  await heading(page, /^Bank Statement/);
  await page.getByRole('gridcell').first().waitFor();
  await press('Control+a');
  await page
    .getByText(new RegExp(`^${challans} selected`))
    .first()
    .waitFor();
  await press('m');
  const dialog = page.getByRole('dialog').or(question(page));
  await dialog.getByRole('button', { name: 'Continue to Payment', disabled: false }).waitFor();
  await press('Control+Enter');
  // Not at once: the key of step 1 pressed twice must not pay.
  await dialog.getByRole('button', { name: 'Yes, Mark Selected as Paid', disabled: false }).waitFor();
  const summary = page.waitForEvent('download');
  await press('Control+Enter');
  await page.getByText(`Successfully marked ${challans} challans as paid`).first().waitFor();
  expect((await summary).suggestedFilename()).toMatch(/^payment_PAY-/);
  await gone(dialog);
}

/** From anywhere to the newest payment, and its bank file. */
async function sendNewest(counted: Counted, owners: string, { sendAgain = false } = {}) {
  const { page, press } = counted;
  await press('g', 'y');
  await heading(page, 'Payments');
  await page.getByRole('gridcell').filter({ hasText: owners }).first().waitFor();
  await page.getByRole('textbox', { name: 'Search', exact: true }).waitFor();
  await press('/', 'ArrowDown');
  await untilOnRow(page, owners);
  await press('b');
  const dialog = page.getByRole('dialog', { name: /^Bank file of PAY-/ });
  const preview = dialog.getByLabel('Contents of the file');
  await preview.waitFor();
  if (sendAgain) {
    // The line of an account to which the last transfer failed is off until it is ticked.
    await dialog.getByRole('gridcell').filter({ hasText: owners }).first().click();
    await press('Space');
    await expect.poll(() => preview.textContent()).toContain(owners);
  }
  const text = await preview.textContent();
  const file = await downloaded(counted, 'Control+Enter');
  await gone(dialog);
  return { preview: text, file };
}

describe('the way of the money, by keyboard alone', () => {
  it('Saturday from the bank statement to the bank and the owners; Monday back, and what failed is paid again', async () => {
    const counted = await openCounted();
    const { business, books, page, context, press } = counted;

    await press('Alt+8');
    await payAll(counted, 10);
    const { preview, file } = await sendNewest(counted, '2 owners');
    // Any layout is text here, and the file has what the preview showed, byte for byte.
    expect(file.bytes.toString('utf8')).toBe(preview);
    // The payment is still in focus: its advice, a page for each owner.
    await untilOnRow(page, '2 owners');
    const advice = await downloaded(counted, 'p');
    expect(advice.name).toMatch(/\.pdf$/);
    expect(advice.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    await press('Enter');
    const details = page.getByRole('dialog', { name: /^Payment PAY-/ });
    await details.getByRole('button', { name: 'Write to Owners', disabled: false }).waitFor();
    await press('w');
    const writing = dialogOf(page, 'Write to the owners of this payment');
    for (const [at, { name, contactNumber }] of books.owners.entries()) {
      await untilOnRow(page, name);
      const opened = context.waitForEvent('page');
      await press('Enter');
      const tab = await opened;
      await tab.waitForURL(`https://wa.me/91${contactNumber}?text=**`);
      await writing.getByText(`${at + 1} of 2 owners written to`).waitFor();
      await tab.close();
      await page.bringToFront();
    }
    await press('Escape');
    await gone(writing);
    await press('Escape');
    await untilOnRow(page, '2 owners');
    const saturday = counted.counted();

    // Monday: the bank's reverse file has one line executed, and one refused.
    const { data: lines } = await desk.call(business, contract.bankAnswers.listLines, { query: { limit: 100 } });
    const [executed, failed] = lines.toSorted((a, b) => a.name.localeCompare(b.name));
    if (!executed || !failed || lines.length !== 2) throw new Error('Two owners were sent to the bank');
    const answer = [
      ['Customer Reference', 'Amount', 'UTR', 'Status', 'Reason'],
      [executed.reference, executed.amount, 'N097262012345678', 'Executed', ''],
      [failed.reference, failed.amount, '', 'Rejected', 'ACCOUNT CLOSED'],
    ];
    await press('g', 'v');
    await heading(page, 'Bank Answer');
    await page.getByText('Nothing to accept').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await press('o');
    await (
      await chooser
    ).setFiles({
      name: 'reverse.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(answer.map((row) => row.join(',')).join('\r\n')),
    });
    await page.getByRole('button', { name: 'Accept 2 sure' }).waitFor();
    await press('Control+Enter');
    await question(page).getByText('Accept 2 answers?').waitFor();
    await press('Control+Enter');
    await gone(question(page));
    const { data: owed } = await desk.call(business, contract.bankStatement.list, {});
    expect(owed.owners.map(({ name }) => name)).toEqual([failed.name]);
    expect(owed.summary).toMatchObject({ totalChallans: 5, totalUnpaidAmount: failed.amount });

    await press('g', 'b');
    await payAll(counted, 5);
    const second = await sendNewest(counted, failed.name, { sendAgain: true });
    expect(second.preview).toContain(failed.name);
    expect(second.preview).not.toContain(executed.name);
    expect(second.file.bytes.toString('utf8')).toBe(second.preview);
    await untilOnRow(page, failed.name);
    const monday = counted.counted();

    // The name of a file is typed in the system's own dialog, and is not counted.
    console.log(`Keystrokes: Saturday ${saturday}, Monday ${monday}`);
    expect(saturday).toBeLessThanOrEqual(19);
    expect(monday).toBeLessThanOrEqual(18);
    await context.close();
  });

  it('an owner on hold waits through a payment; payments are found by what one has in hand', async () => {
    const counted = await openCounted();
    const { books, page, context, press, type } = counted;
    const [bikash, sanjukta] = books.owners;
    const [paidBefore] = books.challans;
    if (!bikash || !sanjukta || !paidBefore) throw new Error('Two owners are in the books');

    await press('Alt+8');
    await heading(page, /^Bank Statement/);
    await page.getByRole('gridcell').filter({ hasText: sanjukta.name }).first().waitFor();
    await press('/');
    await type('bik');
    await page.getByRole('option', { name: new RegExp(bikash.name) }).waitFor();
    await press('Enter');
    await page.getByRole('gridcell').filter({ hasText: sanjukta.name }).first().waitFor({ state: 'detached' });
    await page.getByRole('gridcell').filter({ hasText: bikash.name }).first().waitFor();
    // From the owner that was chosen into the table: the picker keeps its list closed.
    await press('ArrowDown');
    await untilOnRow(page, bikash.name);
    await press('h');
    const asked = dialogOf(page, `Put ${bikash.name} on hold?`);
    await asked.getByRole('button', { name: /^Put on Hold/, disabled: false }).waitFor();
    await type('Papers missing');
    await press('Control+Enter');
    await said(page, `${bikash.name} is on hold`);
    await gone(asked);
    const held = counted.counted();

    // The whole statement again: the filter goes, and who is on hold is not selected with the rest.
    await press('g', 'b');
    await page.getByRole('gridcell').filter({ hasText: sanjukta.name }).first().waitFor();
    await payAll(counted, 5);
    const paid = counted.counted();

    // Only what waits is left: from the heading into the table.
    await press('g', 'a');
    await heading(page, 'Accounting Management');
    await press('g', 'b');
    await heading(page, /^Bank Statement/);
    await page.getByRole('gridcell').filter({ hasText: bikash.name }).first().waitFor();
    await press('ArrowDown');
    await untilOnRow(page, bikash.name);
    await press('h');
    const off = dialogOf(page, `${bikash.name} is on hold`);
    await off.getByRole('button', { name: /^Change the Reason/, disabled: false }).waitFor();
    await off.getByText('Papers missing').waitFor();
    await tabTo(page, off.getByRole('button', { name: 'Take off Hold' }));
    await press('Enter');
    await said(page, `${bikash.name} is no longer on hold`);
    await gone(off);
    counted.counted();

    // A payment by what one has in hand: one field for all of it.
    for (const text of [paidBefore.tpNo, paidBefore.challanNumber, bikash.truckNumber, bikash.name]) {
      await press('g', 'y');
      await heading(page, 'Payments');
      await page.getByText('Total of 2').waitFor();
      await press('/');
      await type(text);
      await page.getByText('Total of 1').waitFor();
      await press('ArrowDown');
      await untilOnRow(page, '2 owners');
      await press('g', 'a');
      await heading(page, 'Accounting Management');
    }
    console.log(`Keystrokes: to put an owner on hold ${held}, to pay the others ${paid}`);
    expect(held).toBeLessThanOrEqual(24);
    expect(paid).toBeLessThanOrEqual(7);
    await context.close();
  });
});
