import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { untilOnRow, walkTo } from './support/keys.ts';

let desk: Desk;
let business: Business;
let books: Awaited<ReturnType<typeof fillBooks>>;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  books = await fillBooks(desk, business);
});
afterAll(() => desk.close());

/** Sends a report and gives the link as its owner gets it. */
async function sendLink(owner: number): Promise<string> {
  // Two owners are in the books.
  const { id: ownerId } = books.owners[owner]!;
  const { data } = await desk.call(business, contract.accounting.shareOnWhatsapp, { body: { ownerId, filters: {} } });
  return new URL(data.whatsappUrl).searchParams.get('text')?.split('\n').at(-1) ?? '';
}

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

describe('a shared report, with the keyboard alone', () => {
  it('is fetched by its owner without a login, and no more once its link was revoked', async () => {
    const link = await sendLink(0);
    expect(new URL(link).origin).toBe(new URL(desk.appUrl).origin);

    const owner = await desk.open();
    const downloading = owner.page.waitForEvent('download');
    // The navigation itself ends in a download, which the browser reports as an abort.
    await owner.page.goto(link).catch(() => undefined);
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^owner_challans_report_Bikash_Mohanta_\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    expect(text.startsWith('\ufeff"No","TP"')).toBe(true);
    expect(text.trimEnd().split('\r\n')).toHaveLength(1 + 6);
    expect(text).not.toContain(books.owners[0]?.accountNo);
    expect(await owner.context.cookies()).toEqual([]);

    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    await page.getByRole('heading', { name: /Welcome back/ }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('heading', { name: 'Shared Reports' }).waitFor();
    await walkTo(page, 'Bikash Mohanta');
    await page.keyboard.press('r');
    const question = page.getByRole('alertdialog', { name: 'Revoke the link sent to Bikash Mohanta?' });
    await question.waitFor();
    expect(await focusedText(page)).toBe('Cancel');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect((await fetch(link)).status).toBe(200);

    await untilOnRow(page, 'Bikash Mohanta');
    await page.keyboard.press('r');
    await question.waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('The link sent to Bikash Mohanta no longer works').first().waitFor();
    await page.getByRole('gridcell', { name: 'Revoked' }).waitFor();

    const response = await owner.page.goto(link);
    expect(response?.status()).toBe(404);
    await owner.page.getByText('This link is not valid, or is not valid any more.').waitFor();
    await owner.context.close();
    await context.close();
  });
});

describe('in both themes axe finds nothing on', () => {
  it('the list with links of each kind, its question, and the empty list', async () => {
    const { page, context } = await desk.open();
    await sendLink(0);
    await sendLink(1);
    const { data } = await desk.call(business, contract.sharedReports.list, {});
    await desk.call(business, contract.sharedReports.revoke, { params: { id: data[0]?.id ?? '' } });
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/accounting/shared-reports`);
    await page.getByRole('gridcell', { name: 'Revoked' }).first().waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke link', disabled: false }).first().click();
    await page.getByRole('alertdialog').waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();

    const nobody = await desk.addBusiness();
    const other = await desk.open();
    await signIn(other.page, desk.appUrl, nobody);
    await other.page.goto(`${desk.appUrl}/accounting/shared-reports`);
    await other.page.getByText('No shared reports yet').waitFor();
    expect(await findings(other.page)).toEqual([]);
    await other.context.close();
  });
});
