import { chromium, type Page } from 'playwright';
import { chromiumLaunchOptions } from '../../src/tasks/browser-path.ts';
import type { BenchData } from './data.ts';
import { signedIn, slowDown } from './events.ts';
import type { BenchServer } from './server.ts';
import type { Line } from './table.ts';

const repeats = 60;
const targetMs = 16;
const least = 1_000;

interface Seen {
  took: number[];
}

/** A range of 1,000 cells of the groups of challans, nearly all of them figures: from a key that changes it until its sum is in the footer. */
export async function measureRanges(server: BenchServer, { large }: BenchData): Promise<Line[]> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const { context } = await signedIn(browser, server, large);
    // tsx puts calls of __name into the code to keep the names of functions. The page needs it for the functions that run there.
    await context.addInitScript('globalThis.__name = (named) => named');
    const page = await context.newPage();
    await page.goto(new URL('/challans?groupBy=vehicle&limit=100', server.url).href, { waitUntil: 'networkidle' });
    await page.locator('.cd-grid .ag-row:not(.ag-row-pinned) [col-id="first"]').first().click();
    await page.waitForFunction(() => document.activeElement?.closest('.ag-cell') !== null);
    // The first key loads the code of ranges.
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await page.locator('.cd-sums b').first().waitFor();
    for (let column = 1; column < 20; column += 1) await page.keyboard.press('Alt+Shift+ArrowRight');
    for (let row = 2; row < 100; row += 1) await page.keyboard.press('Alt+Shift+ArrowDown');
    const lines: Line[] = [];
    for (const rate of [1, slowDown]) lines.push(await measure(page, rate));
    return lines;
  } finally {
    await browser.close();
  }
}

async function measure(page: Page, rate: number): Promise<Line> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  await page.evaluate(watchSums);
  for (let n = 0; n < repeats; n += 1) {
    await page.keyboard.press(n % 2 === 0 ? 'Alt+Shift+ArrowUp' : 'Alt+Shift+ArrowDown');
    await page.waitForTimeout(60);
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const { took } = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
  const text = (await page.locator('.cd-sums').textContent()) ?? '';
  // Of the cells that are not empty.
  const count = Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
  if (took.length !== repeats || count < least) throw new Error(`${took.length} of ${repeats} sums, of ${text}`);
  const sorted = took.toSorted((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((part) => sorted[Math.floor(part * repeats)]!);
  return {
    what: `from a key to the sum of a range of ${count} cells${rate === 1 ? '' : `, processor ${rate} × slower`}`,
    measured: `${p50!.toFixed(1)} ms, p95 ${p95!.toFixed(1)}`,
    ...(rate === 1 && { target: `≤ ${targetMs} ms`, isMet: p95! <= targetMs }),
  };
}

/** Runs in the page: records the milliseconds from each key to the new figures in the footer. */
function watchSums(): void {
  const seen: Seen = { took: [] };
  (window as unknown as { seen: Seen }).seen = seen;
  let begun: number | undefined;
  window.addEventListener('keydown', () => (begun = performance.now()), { capture: true });
  new MutationObserver(() => {
    if (begun === undefined) return;
    seen.took.push(performance.now() - begun);
    begun = undefined;
  }).observe(document.querySelector('.cd-sums')!, { childList: true, subtree: true, characterData: true });
}
