import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayOf, formatDate } from '../../src/shared/calc/dates.ts';
import { formatAmount, formatINR } from '../../src/shared/calc/money.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { buildBankAccount } from '../server/support/builders.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { dialogOf, fieldIn, gone, question, said, tabTo, typeInto, walkTo } from './support/keys.ts';

/** What comes back from the bank (docs/specification.md §25), by somebody who has no mouse. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** Everything that is paid, in one bank file: a line of each owner. */
async function sendAll(business: Business) {
  const { data: account } = await desk.call(business, contract.bankAccounts.create, { body: buildBankAccount() });
  const { data: payments } = await desk.call(business, contract.paymentBatches.list, { query: {} });
  const asked = { batchIds: payments.map(({ id }) => id), bankAccountId: account.id };
  const { lines } = (await desk.call(business, contract.bankFiles.check, { body: asked })).data;
  const chosen = lines.map(({ batchId, ownerId, amount }) => ({ batchId, ownerId, amount, route: 'NEFT' as const }));
  await desk.call(business, contract.bankFiles.create, {
    body: { ...asked, layoutId: 'B', valueOn: dayOf(new Date()), lines: chosen },
  });
  return (await desk.call(business, contract.bankAnswers.listLines, { query: { limit: 100 } })).data;
}

it('Monday by keyboard: the statement comes in, one payment came back, and is paid again', async () => {
  const business = await desk.addBusiness();
  await fillBooks(desk, business);
  const [bikash, sanjukta] = (await sendAll(business)).toSorted((a, b) => a.name.localeCompare(b.name));
  if (!bikash || !sanjukta) throw new Error('Two owners were paid');
  const today = formatDate(dayOf(new Date()));
  const rows = [
    ['ANY BANK Ltd.', '', '', '', ''],
    ['Date', 'Narration', 'Withdrawal Amt.', 'Deposit Amt.', 'Closing Balance'],
    [today, `NEFT DR-${bikash.reference}-N097262012345678`, formatAmount(bikash.amount), '', '9,00,000.00'],
    [today, `NEFT DR-${sanjukta.reference}-N097262012345679`, formatAmount(sanjukta.amount), '', '8,00,000.00'],
    [today, 'RENT OF THE OFFICE', '5,000.00', '', '7,95,000.00'],
    [today, `NEFT RETURN-${sanjukta.reference}-ACCOUNT CLOSED`, '', formatAmount(sanjukta.amount), '8,95,000.00'],
  ];
  const file = rows.map((row) => row.map((text) => `"${text}"`).join(',')).join('\r\n');

  const { page } = await desk.open();
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  // The browser asks us for the file from now on: a key pressed at once could be quicker than the wish for one.
  page.on('filechooser', () => undefined);
  const press = (keys: string) => page.keyboard.press(keys);
  const confirmed = async (): Promise<void> => {
    await question(page).waitFor();
    await press('Control+Enter');
    await gone(question(page));
  };

  await press('g');
  await press('n');
  await page.getByRole('heading', { name: 'At the Bank', exact: true }).waitFor();
  await page.getByText(sanjukta.reference).first().waitFor();
  expect(await findings(page)).toEqual([]);
  await press('g');
  await press('v');
  await page.getByRole('heading', { name: 'Bank Answer', exact: true }).waitFor();
  await page.getByText('Nothing to accept').waitFor();
  expect(await findings(page)).toEqual([]);

  const chooser = page.waitForEvent('filechooser');
  await press('o');
  await (await chooser).setFiles({ name: 'april.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByText('Bring in 4 lines of the statement?').waitFor();
  await confirmed();
  await said(page, '3 sure · 0 to choose · 1 unmatched');
  expect(await findings(page)).toEqual([]);

  await press('Control+Enter');
  await page.getByText('Accept 3 answers?').waitFor();
  await confirmed();
  await page
    .getByText(`1 challan unpaid again, ${formatINR(sanjukta.amount)}`)
    .first()
    .waitFor();
  await said(page, '0 sure · 0 to choose · 1 unmatched · 3 answered');
  const unpaid = page.getByRole('list', { name: 'Unpaid again' });
  await unpaid.getByText(sanjukta.name).waitFor();
  const payAgain = unpaid.getByRole('link', { name: '1 returned: pay again' });
  expect(await payAgain.getAttribute('href')).toBe(`/accounting/bank-statement?ownerId=${sanjukta.ownerId}`);
  await walkTo(page, 'RENT OF THE OFFICE');
  await press('s');
  const aside = dialogOf(page, 'Set 1 line aside?');
  await typeInto(page, fieldIn(aside, 'Note'), 'Rent');
  await press('Control+Enter');
  await gone(aside);
  await page.getByText('Nothing to accept').waitFor();

  // The same statement again adds nothing.
  const again = page.waitForEvent('filechooser');
  await press('o');
  await (await again).setFiles({ name: 'april.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByText('Bring in 4 lines of the statement?').waitFor();
  await confirmed();
  await said(page, '0 new lines of 4');

  await press('g');
  await press('n');
  await page.getByText('No lines are waiting for an answer').waitFor();

  // It is unpaid in the bank statement, and is paid again.
  await press('g');
  await press('b');
  await page.getByRole('heading', { name: /^Bank Statement/ }).waitFor();
  await walkTo(page, sanjukta.name);
  await press('Space');
  await page.getByRole('row', { selected: true }).first().waitFor();
  await press('m');
  const pay = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await pay.getByRole('button', { name: 'Continue to Payment' }).waitFor();
  await press('Control+Enter');
  // Not at once: the key of step 1 pressed twice must not pay.
  await pay.getByRole('button', { name: 'Yes, Mark Selected as Paid', disabled: false }).waitFor();
  await press('Control+Enter');
  await page.getByText('Successfully marked 6 challans as paid').first().waitFor();

  // Undone, the line whose challan was paid meanwhile stays and is named.
  await page.goto(`${desk.appUrl}/accounting/bank/answers`);
  await walkTo(page, 'Answer ');
  expect(await findings(page)).toEqual([]);
  await press('u');
  await confirmed();
  const left = dialogOf(page, '1 line taken back, 1 line left');
  await left.getByText(`${sanjukta.reference}, Sanjukta Naik`).waitFor();
  await press('Escape');
  await gone(left);
  await page.goto(`${desk.appUrl}/accounting/bank/answer`);
  await said(page, '1 sure · 0 to choose · 0 unmatched');
  await tabTo(page, page.getByRole('button', { name: /^Accept 1 sure/ }));
});
