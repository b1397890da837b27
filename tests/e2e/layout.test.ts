import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBooks } from './support/books.ts';

/** What is in sight at first, and that nothing moves under the eyes while a screen loads. */

let books: Awaited<ReturnType<typeof openBooks>>;
beforeAll(async () => {
  books = await openBooks();
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
