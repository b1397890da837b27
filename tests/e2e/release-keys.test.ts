import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { countKeys, question, untilOnRow } from './support/keys.ts';
import { addPerson } from './support/people.ts';

/** What the Saturday costs in keys, paid by one person, or prepared by one and released by another. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** Signed in, and on the dashboard; from here on the keys are counted. */
async function openCounted(person: Business) {
  const { page, context } = await desk.open();
  await signIn(page, desk.appUrl, person);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  return { page, close: () => context.close(), ...countKeys(page) };
}
type Counted = Awaited<ReturnType<typeof openCounted>>;

/** From the dashboard to the last question, with all ten unpaid challans; `label` is what answers it with yes. */
async function askForAll({ page, press }: Counted, label: string): Promise<void> {
  await press('Alt+8');
  await page.getByRole('heading', { level: 1, name: /^Bank Statement/ }).waitFor();
  await page.getByRole('gridcell').first().waitFor();
  await press('Control+a');
  await page
    .getByText(/^10 selected/)
    .first()
    .waitFor();
  await press('m');
  const dialog = page.getByRole('dialog').or(question(page));
  await dialog.getByRole('button', { name: 'Continue to Payment', disabled: false }).waitFor();
  await press('Control+Enter');
  // Not at once: the key of step 1 pressed twice must not pay.
  await dialog.getByRole('button', { name: label, disabled: false }).waitFor();
  await press('Control+Enter');
}

it('without a rule one person pays; with one the accountant prepares in as many keys, and the owner releases', async () => {
  const alone = await desk.addBusiness('Without a rule');
  await fillBooks(desk, alone);
  const one = await openCounted(alone);
  await askForAll(one, 'Yes, Mark Selected as Paid');
  await one.page.getByText('Successfully marked 10 challans as paid').first().waitFor();
  const paid = one.counted();
  await one.close();

  const business = await desk.addBusiness('With a rule');
  await fillBooks(desk, business);
  const accountant = await addPerson(desk, business, 'accountant');
  const rule = { aboveOne: '1000', aboveDay: null, accountantUpTo: '1000' };
  await desk.call(business, contract.preparedPayments.setRule, { body: rule });
  const first = await openCounted(accountant);
  await askForAll(first, 'Prepare for Release');
  await first.page
    .getByText(/^PRP-\d{4}-000001 prepared, ₹/)
    .first()
    .waitFor();
  const prepared = first.counted();
  await first.close();

  const second = await openCounted(business);
  const { page, press, type } = second;
  await press('Control+k');
  await page.getByRole('combobox', { name: 'Find a screen or an action' }).waitFor();
  await type('to r');
  await page
    .getByRole('option', { name: /To Release/ })
    .first()
    .waitFor();
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: 'To Release' }).waitFor();
  await page.getByRole('gridcell', { name: /PRP-/ }).waitFor();
  await press('Tab', 'Tab', 'Tab');
  await untilOnRow(page, 'PRP-');
  await press('r');
  await question(page)
    .getByText(/are marked as paid/)
    .waitFor();
  await press('Control+Enter');
  await page
    .getByText(/^PRP-\d{4}-000001 released: PAY-/)
    .first()
    .waitFor();
  const released = second.counted();
  await second.close();

  console.log(`Keystrokes: paid alone ${paid}, prepared ${prepared}, released ${released}`);
  expect(paid).toBeLessThanOrEqual(5);
  expect(prepared).toBeLessThanOrEqual(5);
  expect(released).toBeLessThanOrEqual(11);
  const { data } = await desk.call(business, contract.preparedPayments.list, {});
  expect(data).toMatchObject([{ state: 'released' }]);
});
