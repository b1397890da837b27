import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findings } from './support/axe.ts';
import { openBooks } from './support/books.ts';
import { intoTable, takeOption } from './support/keys.ts';

/** The groups of the challan list by keyboard alone (docs/specification.md §33), as they are built. */
let books: Awaited<ReturnType<typeof openBooks>>;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

it('are opened, divided, drawn, saved as a file and left by keys, in both themes', { timeout: 120_000 }, async () => {
  for (const theme of ['light', 'dark'] as const) {
    const { page, context } = await books.openAt('/challans', { theme });
    await intoTable(page);
    await page.keyboard.press('b');
    await page.getByRole('gridcell', { name: 'All' }).first().waitFor();
    await page.keyboard.press('b');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await takeOption(page, 'Paid');
    await expect.poll(() => page.url()).toContain('groupBy=owner%2Cpaid');
    await page.getByRole('gridcell', { name: 'All' }).first().waitFor();
    expect(await findings(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.keyboard.press('Control+e');
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file).toContain('Challans by owner, then paid: all. 12 challans in 2 groups');
    expect(file.split('\r\n').filter((line) => line.startsWith('"Bikash Mohanta"'))).toHaveLength(2);
    await page.keyboard.press('t');
    await page.getByRole('columnheader', { name: 'Net Amount, as a Bar' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('t');
    await page.getByRole('columnheader', { name: 'Net Amount, as a Bar' }).waitFor({ state: 'detached' });
    // The other table takes the focus.
    const focused = page.locator('[role="gridcell"]:focus');
    await focused.waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('ownerId=');
    await page.getByRole('gridcell', { name: 'CH-2627-000001' }).or(page.getByText('Total of 6')).first().waitFor();
    await page.goBack();
    await page.getByRole('gridcell', { name: 'All' }).first().waitFor();
    await page.keyboard.press('Shift+b');
    await page.getByText('Total of 12').waitFor();
    await context.close();
  }
});
