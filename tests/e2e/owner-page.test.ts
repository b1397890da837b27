import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { languages, type Language } from '../../src/shared/contract/languages.ts';
import { findings } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { dialogOf, gone, said, walkTo } from './support/keys.ts';

let desk: Desk;
let business: Business;
let books: Awaited<ReturnType<typeof fillBooks>>;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  books = await fillBooks(desk, business);
});
afterAll(() => desk.close());

/** The page that is sent to the first owner, written to in this language. */
async function pageIn(language: Language): Promise<string> {
  // Two owners are in the books.
  const { id } = books.owners[0]!;
  await desk.call(business, contract.owners.update, { params: { id }, body: { language } });
  const { data } = await desk.call(business, contract.accounting.shareOnWhatsapp, {
    body: { ownerId: id, filters: {} },
  });
  return /\S+\/share\/\S+\/page/.exec(new URL(data.whatsappUrl).searchParams.get('text') ?? '')?.[0] ?? '';
}

describe("the owner's page on a phone", () => {
  it.each(languages)(
    '%s: fits, asks for nothing but its font, runs nothing, and axe finds nothing',
    async (language) => {
      const link = await pageIn(language);
      const { page, context } = await desk.open({ width: 360, height: 740 });
      const problems: string[] = [];
      const asked: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/\/share\/[\w-]{43}/, '')));
      await page.goto(link, { waitUntil: 'networkidle' });
      const font = { English: [], Hindi: ['/share/fonts/devanagari.woff2'], Odia: ['/share/fonts/odia.woff2'] }[
        language
      ];
      expect(asked).toEqual(['/page', ...font]);
      const measured = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        fonts: [...document.fonts].filter(({ status }) => status === 'loaded').length,
        style: getComputedStyle(document.querySelector('.card') ?? document.body).borderRadius,
      }));
      expect(measured).toEqual({ width: 360, fonts: font.length, style: '10px' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([colorScheme, await findings(page)]).toEqual([colorScheme, []]);
      }
      // A trip opens by key.
      await page.locator('summary').first().focus();
      await page.keyboard.press('Enter');
      await page.locator('details[open] dl').waitFor();
      expect([`${language} open`, await findings(page)]).toEqual([`${language} open`, []]);
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  it('has its PDF and its CSV to download, and nothing after it was revoked', async () => {
    const link = await pageIn('English');
    const { page, context } = await desk.open({ width: 360, height: 740 });
    await page.goto(link);
    for (const [name, begins] of [
      ['PDF', '%PDF-'],
      ['CSV', '\ufeff"Challan No"'],
    ] as const) {
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name }).focus();
      await page.keyboard.press('Enter');
      const file = await downloading;
      expect(file.suggestedFilename()).toMatch(new RegExp(`^owner_challans_report_.*\\.${name.toLowerCase()}$`));
      expect((await readFile(await file.path(), 'utf8')).startsWith(begins)).toBe(true);
    }
    const { data } = await desk.call(business, contract.sharedReports.list, {});
    await desk.call(business, contract.sharedReports.revoke, { params: { id: data[0]?.id ?? '' } });
    expect((await page.reload())?.status()).toBe(404);
    await page.getByText('This link is not valid, or is not valid any more.').waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });
});

it('after a payment its owners are written to one after the other, with the keyboard alone', async () => {
  const { page, context } = await desk.open();
  await context.route('https://wa.me/**', (route) => route.fulfill({ contentType: 'text/html', body: 'WhatsApp' }));
  await signIn(page, desk.appUrl, business);
  await page.goto(`${desk.appUrl}/accounting/payments`);
  await walkTo(page, '2 owners');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /^Payment PAY-/ }).waitFor();
  await page.getByRole('button', { name: 'Write to Owners' }).waitFor();
  await page.keyboard.press('w');
  const dialog = dialogOf(page, 'Write to the owners of this payment');
  await dialog.getByText('0 of 2 owners written to').waitFor();
  expect(await findings(page)).toEqual([]);
  for (const [at, { name, contactNumber }] of books.owners.entries()) {
    await page.waitForFunction(
      (owner) => document.activeElement?.closest('[role="row"]')?.textContent?.includes(owner) === true,
      name,
    );
    const opened = context.waitForEvent('page');
    await page.keyboard.press(at === 0 ? 'w' : 'Enter');
    const tab = await opened;
    await tab.waitForURL(`https://wa.me/91${contactNumber}?text=**`);
    expect(new URL(tab.url()).searchParams.get('text')).toMatch(/\/share\/[\w-]{43}\/page/);
    await said(page, `Message to ${name} opened in WhatsApp`);
    await dialog.getByText(`${at + 1} of 2 owners written to`).waitFor();
    await tab.close();
    await page.bringToFront();
  }
  await page.keyboard.press('Escape');
  await gone(dialog);
  await context.close();
});
