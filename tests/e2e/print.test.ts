import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBooks } from './support/books.ts';
import { intoTable } from './support/keys.ts';

/** What an open dialog looks like on paper, with the styles as they are built: the minifier may change them. */

let books: Awaited<ReturnType<typeof openBooks>>;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

/** A4 less its margins, at 96 pixels an inch. */
const sheet = { width: 718, height: 1024 };

/** The dialog on a sheet: where it begins and ends, and what of it lies beside the sheet. */
async function onPaper(page: Page) {
  await page.setViewportSize(sheet);
  await page.emulateMedia({ media: 'print' });
  const found = await page.evaluate(() => {
    const dialog = document.querySelector('[role="dialog"], [role="alertdialog"]');
    const { left, right, height } = dialog?.getBoundingClientRect() ?? new DOMRect();
    const beside = [...(dialog?.querySelectorAll('h2, h3, dt, dd, th, td, p, input') ?? [])]
      .map((element) => ({ text: element.textContent, rect: element.getBoundingClientRect() }))
      .filter(({ rect }) => rect.width > 0 && (rect.left < 0 || rect.right > window.innerWidth))
      .map(({ text }) => text);
    const isBehindShown = document.querySelector('#root')?.checkVisibility() ?? false;
    return { left, right, height, beside, isBehindShown };
  });
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1366, height: 768 });
  return found;
}

const whole = { left: 0, right: sheet.width, beside: [], isBehindShown: false };

it('the details of a record are printed whole, from the left edge, and nothing behind them', async () => {
  const { page, context, goTo } = await books.openAt('/challans');
  for (const path of ['/challans', '/owners', '/trucks', '/accounting', '/accounting/payments']) {
    await goTo(path);
    await intoTable(page);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('heading', { level: 2 }).waitFor();
    expect({ path, ...(await onPaper(page)) }).toMatchObject({ path, ...whole });
  }
  await context.close();
});

it('a challan takes one sheet', async () => {
  const { page, context } = await books.openFirstOf('/challans');
  await page.getByRole('dialog').getByText('Net Amount Payable').waitFor();
  expect((await onPaper(page)).height).toBeLessThan(sheet.height);
  await context.close();
});

it('a form and a question are printed as shown, without the list behind them', async () => {
  const { page, context, goTo } = await books.openAt('/owners');
  await intoTable(page);
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByLabel('Owner Name').waitFor();
  expect(await onPaper(page)).toMatchObject(whole);
  await goTo('/challans');
  await intoTable(page);
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').waitFor();
  expect(await onPaper(page)).toMatchObject(whole);
  await context.close();
});

/** A4 across, less its margins. */
const wideSheet = { width: 1047, height: 695 };

it('all columns of a list are on the sheet, and a long word pushes none of them off it', async () => {
  const { page, context } = await books.openAt('/challans', {
    prepare: async (opened) => {
      await opened.route('**/api/challans?*', async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as { data: Record<string, unknown>[] };
        Object.assign(body.data[0] ?? {}, {
          tpNo: 'T'.repeat(60),
          vehicleNo: 'V'.repeat(40),
          ownerName: 'O'.repeat(90),
        });
        await route.fulfill({ response: answer, json: body });
      });
    },
  });
  await page.getByText('T'.repeat(60)).waitFor();
  const onSheet = async () => {
    await page.setViewportSize(wideSheet);
    await page.emulateMedia({ media: 'print' });
    const found = await page.evaluate(() => {
      window.dispatchEvent(new Event('beforeprint'));
      const cells = [...document.querySelectorAll('.cd-print :is(th, td)')];
      const isOff = (cell: Element) =>
        cell.getBoundingClientRect().right > window.innerWidth + 1 || cell.scrollWidth > cell.clientWidth + 1;
      const off = cells.filter(isOff).map(({ textContent }) => textContent);
      const heads = document.querySelectorAll('.cd-print th').length;
      window.dispatchEvent(new Event('afterprint'));
      return { heads, off };
    });
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1366, height: 768 });
    return found;
  };
  expect(await onSheet()).toEqual({ heads: 9, off: [] });
  await page.getByRole('button', { name: 'Columns and density' }).click();
  const boxes = page.getByRole('dialog').getByRole('checkbox');
  await boxes.first().waitFor();
  const count = await boxes.count();
  for (let at = 0; at < count; at += 1) await boxes.nth(at).check();
  await page.keyboard.press('Escape');
  // In strips, each with the challan's number before the others.
  expect(await onSheet()).toEqual({ heads: count + 2, off: [] });
  await context.close();
});
