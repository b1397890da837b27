import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings } from './support/axe.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { fillBooks } from './support/books.ts';

let desk: Desk;
let business: Business;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  await fillBooks(desk, business);
});
afterAll(() => desk.close());

const rows = (page: Page) => page.getByRole('gridcell').first().waitFor();
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();

/** One screen of each kind, and what must be there before it is judged. */
const screens: readonly { path: string; isReady: (page: Page) => Promise<unknown> }[] = [
  { path: '/dashboard', isReady: (page) => page.getByRole('heading', { name: /Welcome back/ }).waitFor() },
  { path: '/owners', isReady: rows },
  { path: '/challans', isReady: rows },
  { path: '/challans/create', isReady: (page) => page.getByRole('button', { name: 'Create Challan' }).waitFor() },
  { path: '/challans/sheet', isReady: rows },
  { path: '/import', isReady: heading },
  { path: '/accounting/bank-statement', isReady: rows },
  { path: '/accounting/payments', isReady: rows },
  { path: '/accounting/bank/answer', isReady: heading },
  { path: '/hsd-verification', isReady: heading },
  { path: '/profile', isReady: heading },
  { path: '/unauthorized', isReady: (page) => page.getByText('Unauthorized Access').waitFor() },
];

describe('in both themes axe finds nothing on', () => {
  it.each(['/login', '/adminlogin'])('%s', async (path) => {
    const { page, context } = await desk.open();
    await page.goto(desk.appUrl + path);
    await page.getByRole('button', { name: /sign in|log in/i }).waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });

  it.each(screens)('$path', async ({ path, isReady }) => {
    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    await page.goto(desk.appUrl + path);
    await isReady(page);
    expect(await findings(page)).toEqual([]);
    await context.close();
  });
});

it('what judges the screens finds faults of each theme', async () => {
  const { page, context } = await desk.open();
  await page.goto(`${desk.appUrl}/login`);
  await page.getByRole('button', { name: /sign in|log in/i }).waitFor();
  await page.evaluate(() => {
    // The policy allows the page's own style elements.
    const nonce = (globalThis as { ['__webpack_nonce__']?: string })['__webpack_nonce__'];
    document.querySelector('main, form')?.insertAdjacentHTML(
      'beforeend',
      `<style nonce="${nonce}">p.fault { color: #000; background: #fff } :root[data-theme='dark'] p.fault { color: #eee }</style>
      <p class="fault">pale in the dark theme</p><img src="/favicon.svg">`,
    );
  });
  const found = await findings(page);
  expect(found.map((finding) => /^(dark theme: )?[a-z-]+/.exec(finding)?.[0])).toEqual([
    'image-alt',
    'dark theme: color-contrast',
  ]);
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
  await context.close();
});
