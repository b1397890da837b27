import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brotliBytes, firstLoad, mostBytes, scriptsOf } from '../bench/scripts.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signInByForm, type Desk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** Sizes of the build's files: they do not depend on the machine. */
describe('what a first visit loads (docs/decisions.md 65)', () => {
  it('keeps the scripts of the sign-in page and of the challan list within their limits', async () => {
    const business = await desk.addBusiness();
    await fillBooks(desk, business);
    const { page, context } = await desk.open();
    const ofSignIn = scriptsOf(page);
    await page.goto(`${desk.appUrl}/login`, { waitUntil: 'networkidle' });
    expect(await brotliBytes(ofSignIn)).toBeLessThanOrEqual(mostBytes.signIn);

    await signInByForm(page, desk.appUrl, business);
    const stored = await page.evaluate(() => ['token', 'user', 'role'].map((key) => localStorage.getItem(key) ?? ''));
    await context.close();
    const ofChallans = await firstLoad(desk.browser, `${desk.appUrl}/challans`, stored);
    // The grid is the largest part: without it, something else was shown.
    expect([...ofChallans].join(' ')).toMatch(/ag-modules/);
    expect(await brotliBytes(ofChallans)).toBeLessThanOrEqual(mostBytes.challans);
  });
});
