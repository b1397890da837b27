import type { Page } from 'playwright';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { codeOf } from '../server/support/second-step.ts';
import { findings } from './support/axe.ts';
import { openDesk, signInByForm, type Business, type Desk } from './support/desk.ts';
import { fieldIn, tabTo } from './support/keys.ts';

let desk: Desk;
let business: Business;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
});
afterAll(() => desk.close());

const inDatabase = async (sql: string): Promise<void> => {
  const client = new Client({ connectionString: desk.databaseUrl });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};
/** Half a minute passes: the code of now works again. */
const waitForNextStep = () => inDatabase('UPDATE second_steps SET last_step = 0');
const waitTenMinutes = () => inDatabase("UPDATE sessions SET confirmed_at = now() - interval '11 minutes'");

async function signInWithPassword(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
}

async function logout(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('token'));
  await page.goto(`${desk.appUrl}/login`);
}

const press = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, page.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
};

describe('a second step, with the keyboard alone', () => {
  it('is set up, asked for at sign-in, replaced by a recovery code, and asked for again', async () => {
    const faults: Record<string, string[]> = {};
    const judge = async (where: string): Promise<void> => {
      const found = await findings(page);
      if (found.length > 0) faults[where] = found;
    };
    const { page, context } = await desk.open();
    await signInByForm(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/profile`);
    await page.getByRole('heading', { name: 'Second Step at Sign-in' }).waitFor();
    await press(page, 'Set Up Second Step');
    const setUp = page.getByRole('dialog', { name: 'Set Up Second Step' });
    await setUp.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    await judge('the picture');
    const secret = (await setUp.locator('.font-mono').textContent()) ?? '';
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await setUp.getByText('This code is not right, or was used already').waitFor();
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press('Enter');
    const codes = setUp.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.nth(9).waitFor();
    await judge('the recovery codes');
    const recoveryCode = (await codes.first().textContent()) ?? '';
    await press(page, 'I Have Kept Them');
    await page.getByText(/^On since .* 10 recovery codes left\.$/).waitFor();
    await judge('the profile');

    await logout(page);
    await waitForNextStep();
    await signInWithPassword(page, business);
    await judge('the code at sign-in');
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Welcome back/ }).waitFor();

    await logout(page);
    await signInWithPassword(page, business);
    await page.keyboard.type(recoveryCode.toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Welcome back/ }).waitFor();

    // Asked again: the form stays as it was typed, and is saved after the code.
    await page.goto(`${desk.appUrl}/profile/people`);
    await page.getByText('Login of the business').waitFor();
    await waitTenMinutes();
    await page.keyboard.press('n');
    const invitation = page.getByRole('dialog', { name: 'Invite a Person' });
    await fieldIn(invitation, 'Email').waitFor();
    await page.keyboard.type('meena@challan.test');
    await page.keyboard.press('Control+S');
    const asked = page.getByRole('alertdialog', { name: 'Confirm that it is you' });
    await asked.getByRole('textbox').waitFor();
    await judge('the question who it is');
    await page.keyboard.press('Escape');
    await page.getByText('Please confirm first that it is you.').first().waitFor();
    expect(await fieldIn(invitation, 'Email').inputValue()).toBe('meena@challan.test');
    await page.keyboard.press('Control+S');
    await asked.getByRole('textbox').waitFor();
    await waitForNextStep();
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Link for meena@challan.test' }).waitFor();
    expect(faults).toEqual({});
    await context.close();
  });

  it('that is demanded is set up before anything else, on one screen', async () => {
    const demanding = await desk.addBusiness('Demanding Roadlines');
    const { page, context } = await desk.open();
    await signInByForm(page, desk.appUrl, demanding);
    await desk.call(demanding, contract.people.demandSecondStep, { body: { isDemanded: true } });
    await page.goto(`${desk.appUrl}/challans`);
    const first = page.getByRole('alertdialog', { name: 'Set up your second step' });
    await first.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await findings(page)).toEqual([]);
    const secret = (await first.locator('.font-mono').textContent()) ?? '';
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press('Enter');
    await first.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await press(page, 'I Have Kept Them');
    await first.waitFor({ state: 'detached' });
    // What waited is there.
    await page
      .getByText(/No challans/i)
      .first()
      .waitFor();
    await context.close();
  });

  it('says at the next sign-in that another browser was new meanwhile', async () => {
    const watched = await desk.addBusiness('Watched Roadlines');
    const [mine, other] = [await desk.open(), await desk.open()];
    await signInByForm(mine.page, desk.appUrl, watched);
    await signInByForm(other.page, desk.appUrl, watched);
    await logout(mine.page);
    await signInByForm(mine.page, desk.appUrl, watched);
    await mine.page.getByText(/^New device since your last visit: Chrome on Linux, .* from 127\.0\.0\.1$/).waitFor();
    await Promise.all([mine.context.close(), other.context.close()]);
  });
});
