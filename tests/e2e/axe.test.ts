import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Every screen, and what must be there before it is judged. */
const screens: readonly { path: string; isReady: (page: Page) => Promise<unknown> }[] = [
  { path: '/dashboard', isReady: (page) => page.getByRole('heading', { name: /Welcome back/ }).waitFor() },
  { path: '/challans', isReady: (page) => page.getByRole('gridcell').first().waitFor() },
  { path: '/challans/create', isReady: (page) => page.getByRole('button', { name: 'Create Challan' }).waitFor() },
  { path: '/accounting/bank-statement', isReady: (page) => page.getByRole('gridcell').first().waitFor() },
  { path: '/accounting/payments', isReady: (page) => page.getByRole('gridcell').first().waitFor() },
  { path: '/unauthorized', isReady: (page) => page.getByText('Unauthorized Access').waitFor() },
];

async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help} at ${node.target.join(' ')}`));
}

describe.each(['light', 'dark'] as const)('in the %s theme axe finds nothing on', (theme) => {
  it.each(['/login', '/adminlogin'])('%s', async (path) => {
    const { page, context } = await desk.open({ theme });
    await page.goto(desk.appUrl + path);
    await page.getByRole('button', { name: /sign in|log in/i }).waitFor();
    expect(await findings(page)).toEqual([]);
    await context.close();
  });

  it('each screen of a business', async () => {
    const { page, context } = await desk.open({ theme });
    await signIn(page, desk.appUrl, business);
    const found: Record<string, string[]> = {};
    for (const { path, isReady } of screens) {
      await page.goto(desk.appUrl + path);
      await isReady(page);
      const here = await findings(page);
      if (here.length > 0) found[path] = here;
    }
    expect(found).toEqual({});
    await context.close();
  });
});
