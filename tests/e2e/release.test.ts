import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signInByForm, type Business, type Desk } from './support/desk.ts';
import { dialogOf, fieldIn, gone, intoTable, question, typeInto } from './support/keys.ts';
import { addPerson } from './support/people.ts';

let desk: Desk;
let business: Business;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  await fillBooks(desk, business);
});
afterAll(() => desk.close());

/** A command of the palette by its words. */
async function command(page: Page, words: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Find a screen or an action' });
  // Only a screen that is there hears the key.
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.keyboard.press('Control+K');
  await field.waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await gone(field);
}

describe('a payment above the limit, with the keyboard alone', () => {
  it('is prepared by one owner and released by the other', async () => {
    const second = await addPerson(desk, business, 'owner');
    const faults: Record<string, string[]> = {};
    const { page: first } = await desk.open();
    const judge = async (page: Page, where: string): Promise<void> => {
      const found = await findings(page);
      if (found.length > 0) faults[where] = found;
    };
    await signInByForm(first, desk.appUrl, business);
    await command(first, 'people');
    await first.getByText('Login of the business').waitFor();
    await judge(first, 'the people');
    await command(first, 'rule of release');
    const rule = dialogOf(first, 'Rule of Release');
    await typeInto(first, fieldIn(rule, 'Above, in one payment'), '1000');
    await judge(first, 'the rule');
    await first.keyboard.press('Control+Enter');

    await first.getByText('The rule of release counts from now on').first().waitFor();

    await first.keyboard.press('Alt+8');
    await first.getByRole('heading', { level: 1, name: 'Bank Statement' }).waitFor();
    await first
      .getByRole('row', { name: /Bikash Mohanta/ })
      .first()
      .waitFor();
    await intoTable(first);
    await first.keyboard.press('Control+A');
    await first.keyboard.press('m');
    await first.getByText('A payment above ₹1,000.00 is released by a second person.').first().waitFor();
    await first.keyboard.press('Control+Enter');
    const last = question(first);
    // Not at once: the key of step 1 pressed twice must not prepare.
    await last.getByRole('button', { name: 'Prepare for Release', disabled: false }).waitFor();
    await judge(first, 'the confirmation');
    await first.keyboard.press('Control+Enter');
    await first
      .getByText(/^PRP-\d{4}-000001 prepared, ₹/)
      .first()
      .waitFor();
    const unpaid = await desk.call(business, contract.bankStatement.listOwners, {});
    expect(unpaid.data.summary.totalChallans).toBeGreaterThan(0);

    const { page: other, context } = await desk.open();
    await signInByForm(other, desk.appUrl, second);
    await command(other, 'to release');
    await other.getByRole('heading', { level: 1, name: 'To Release' }).waitFor();
    await other.getByRole('gridcell', { name: /PRP-/ }).waitFor();
    await judge(other, 'the list');
    await intoTable(other);
    await other.keyboard.press('r');
    await question(other)
      .getByText(/are marked as paid/)
      .waitFor();
    await judge(other, 'the release');
    await other.keyboard.press('Control+Enter');
    await other
      .getByText(/^PRP-\d{4}-000001 released: PAY-\d{4}-/)
      .first()
      .waitFor();
    const { data } = await desk.call(business, contract.preparedPayments.list, {});
    expect(data).toMatchObject([{ state: 'released', decidedBy: 'Ravi Kumar' }]);
    expect(faults).toEqual({});
    await context.close();
  });
});
