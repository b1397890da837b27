import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leastRows } from '../../src/web/kit/filters/filter-values.ts';
import { openBooks } from './support/books.ts';
import { intoTable } from './support/keys.ts';

/** What is in sight at first, and that nothing moves under the eyes while a screen loads. */

let books: Awaited<ReturnType<typeof openBooks>>;
beforeAll(async () => {
  books = await openBooks();
  await books.fillMonthEnd();
});
afterAll(() => books.close());

const sizes = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
];

/** Adds up the layout shifts of each document of this context, as browsers report them. */
async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += 'value' in entry ? Number(entry.value) : 0;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function shiftsOf(page: Page): Promise<number> {
  await page.waitForLoadState('networkidle');
  // Past the frames in which the last answers are drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);
}

it.each(sizes)(
  'a challan opened by its link at $width×$height: its buttons are in place from the start',
  async (size) => {
    const { page, context } = await books.openFirstOf('/challans', { ...size, prepare: watchShifts });
    await page.reload();
    await page.getByRole('dialog').getByText('Net Amount Payable').waitFor();
    expect(await shiftsOf(page)).toBeLessThan(0.01);
    await context.close();
  },
);

it('net amount and status are in sight when the details open, and the details start at their top', async () => {
  const { page, context } = await books.openFirstOf('/challans');
  await page.getByRole('dialog').getByText('Net Amount Payable').waitFor();
  const seen = await page.evaluate(() => {
    const body = document.querySelector('[role="dialog"] > header + div');
    const bottomOf = (label: string): number =>
      [...(body?.querySelectorAll('th, dt') ?? [])]
        .find(({ textContent }) => textContent === label)
        ?.getBoundingClientRect().bottom ?? Infinity;
    return {
      scrolled: body?.scrollTop,
      room: body?.getBoundingClientRect().bottom ?? 0,
      net: bottomOf('Net Amount Payable'),
      status: bottomOf('HSD Verified'),
    };
  });
  expect(seen.scrolled).toBe(0);
  expect(seen.net).toBeLessThan(seen.room);
  expect(seen.status).toBeLessThan(seen.room);
  await context.close();
});

it.each(sizes)('the dashboard at $width×$height: nothing moves while it loads', async (size) => {
  const { page, context } = await books.openAt('/dashboard', { ...size, prepare: watchShifts });
  await page.getByRole('heading', { name: 'Owner Ageing' }).waitFor();
  expect(await shiftsOf(page)).toBeLessThan(0.01);
  await context.close();
});

/** In seconds, as computed styles are. */
const longestMotion = (): number =>
  Math.max(
    ...[...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element);
      return `${transitionDuration},${animationDuration}`.split(',').map((text) => Number.parseFloat(text));
    }),
  );

it('where less motion is asked for, neither a dialog nor what it covers moves', async () => {
  const { page, context } = await books.openFirstOf('/challans');
  expect(await page.evaluate(longestMotion)).toBeGreaterThan(0.05);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await page.evaluate(longestMotion)).toBeLessThan(0.001);
  await context.close();
});

/** Cells of numbers, days and sums whose text has less room than it needs; names and places may be cut. */
const cutFigures = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('.ag-row .ag-cell:is(.nums, .cd-right)')].flatMap((cell) =>
    [cell, ...cell.querySelectorAll<HTMLElement>('*')].some(
      // What only screen readers read is one pixel wide.
      (part) => part.clientWidth > 2 && part.scrollWidth > part.clientWidth + 1,
    )
      ? [`${cell.getAttribute('col-id')}: ${cell.textContent}`]
      : [],
  );

/** How many rows of the list are seen at once: without its heading, its totals and the bar that scrolls it sideways. */
const rowsInSight = (): number => {
  const heightOf = (selector: string): number => document.querySelector(selector)?.getBoundingClientRect().height ?? 0;
  const bar = document.querySelector('.ag-body-horizontal-scroll-viewport');
  const barHeight = bar && bar.scrollWidth > bar.clientWidth ? bar.getBoundingClientRect().height : 0;
  const taken = heightOf('.cd-grid .ag-header') + heightOf('.ag-row-pinned') + barHeight;
  return (heightOf('.ag-grid-viewport') - taken) / heightOf('.ag-row:not(.ag-row-pinned)');
};

/** The last column of each list that is whole in sight. What stands behind it is asked for less. */
const lists = {
  '/owners': 'declaration',
  '/trucks': 'typeOfVehicle',
  '/challans': 'hsdVerified',
  '/accounting': 'carriedAmount',
  '/accounting/bank-statement': 'paymentStatus',
  '/accounting/payments': 'paidAmount',
  '/accounting/tds': 'crossedOn',
  '/accounting/tds/deductions': 'payment',
  '/accounting/tds/deposits': 'spare',
  '/accounting/tally': 'createdAt',
  '/accounting/tally/changed': 'exportedAt',
  '/accounting/close': 'createdAt',
  '/petrol-pumps': 'createdAt',
};

/** By how many pixels a column is out of sight, behind the actions or the edge. */
const pixelsHidden = (column: string): number => {
  const rectOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
  const edge = rectOf('.ag-row [col-id="grid-actions"]')?.left ?? rectOf('.ag-grid-viewport')?.right ?? 0;
  return Math.max(0, (rectOf(`.ag-row [col-id="${column}"]`)?.right ?? Infinity) - edge);
};

it.each(sizes)(
  'at $width×$height no list cuts a number, a day, a sum, its last row or what it is for',
  async (size) => {
    const { page, context } = await books.openAt('/dashboard', size);
    let limit = 0;
    page.on('request', (request) => {
      limit = Number(new URL(request.url()).searchParams.get('limit') ?? limit);
    });
    for (const [path, column] of Object.entries(lists)) {
      await page.goto(new URL(path, page.url()).href);
      await page.locator('.ag-row .ag-cell:is(.nums, .cd-right)').first().waitFor();
      if (await page.getByRole('treegrid').isVisible()) {
        await intoTable(page);
        await page.keyboard.press('*');
        await page.locator('.ag-row[aria-level="2"]:not(:has(.cd-loading)) .cd-reference').first().waitFor();
        await page.locator('.ag-row .cd-loading').first().waitFor({ state: 'detached' });
      }
      expect(await page.evaluate(cutFigures), path).toEqual([]);
      expect(await page.evaluate(pixelsHidden, column), path).toBeLessThanOrEqual(1);
      // A list has ten rows at least, also where fewer fit (docs/specification.md §3.4).
      if (limit > leastRows) expect(await page.evaluate(rowsInSight), path).toBeGreaterThanOrEqual(limit);
    }
    await context.close();
  },
);
