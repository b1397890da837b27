import { afterAll, beforeAll, expect, it } from 'vitest';
import { typedHeader } from '../../src/shared/contract/typed-texts.ts';
import { screens } from '../../src/web/screens.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, type Desk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const typed = /ABCPS1234K|501001234567/i;
const soon = { timeout: 400 };
/** Longer than any search waits for the next letter. */
const settleMs = 700;

it(
  'sends what is typed into any field in no address, also when the page is loaded again',
  { timeout: 300_000 },
  async () => {
    const business = await desk.addBusiness();
    await fillBooks(desk, business);
    const { page, context } = await desk.open();
    const addresses: string[] = [];
    const asked = new Set<string>();
    page.on('request', (request) => {
      const headers = request.headers();
      addresses.push(request.url(), headers['referer'] ?? '');
      if (typed.test(headers[typedHeader] ?? '')) asked.add(new URL(request.url()).pathname);
    });
    await signIn(page, desk.appUrl, business);
    await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
    const kept: string[] = [];
    for (const { path, role } of Object.values(screens)) {
      if (role === 'admin' || path.includes(':')) continue;
      await page.goto(desk.appUrl + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
      const more = page.getByRole('button', { name: /^More filters/ });
      if (await more.isVisible()) await more.click();
      for (const field of await page.locator('main').getByRole('textbox').all()) {
        // Another field may have taken its place.
        const isNumber = await field
          .evaluate((input: HTMLInputElement) => input.inputMode === 'decimal', undefined, soon)
          .catch(() => false);
        await field.fill(isNumber ? '501001234567' : 'ABCPS1234K', soon).catch(() => undefined);
      }
      await page.waitForTimeout(settleMs);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      if (typed.test(new URL(page.url()).hash)) kept.push(path);
    }
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Find a screen or an action' }).waitFor();
    await page.keyboard.type('ABCPS1234K');

    await expect
      .poll(() => [...asked], { timeout: 10_000 })
      .toEqual(expect.arrayContaining(['/api/palette', '/api/owners/search', '/api/challans', '/api/payment-batches']));
    expect(kept).toEqual(expect.arrayContaining(['/owners', '/challans', '/accounting']));
    expect(addresses.filter((address) => typed.test(address))).toEqual([]);
    await context.close();
  },
);
