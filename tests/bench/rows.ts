import { chromium, type BrowserContext, type Page } from 'playwright';
import { chromiumLaunchOptions } from '../../src/tasks/browser-path.ts';
import { median } from './compare.ts';
import type { BenchData } from './data.ts';
import { signedIn, slowDown } from './events.ts';
import type { BenchServer } from './server.ts';
import { ms, type Line } from './table.ts';

const repeats = 5;

/** What is measured in each visit, and the most milliseconds that it may take when the processor is not slowed down. */
const limits = {
  'first rows of the challan list, nothing in the cache': 845,
  'first rows of the challan list, scripts in the cache': 720,
  'from the key for the next page of 50 to its rows': 60,
} as const;
type Visit = Record<keyof typeof limits, number>;

/** How long a user waits for rows: from opening the address to the first row, and from a key to the rows of the next page. */
export async function measureRows(server: BenchServer, { large }: BenchData): Promise<Line[]> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  const lines: Line[] = [];
  try {
    for (const rate of [1, slowDown]) {
      const visits: Visit[] = [];
      for (let n = 0; n < repeats; n += 1) {
        const { context } = await signedIn(browser, server, large);
        visits.push(await visit(context, server, rate));
      }
      for (const [what, limit] of Object.entries(limits)) {
        const times = visits.map((one) => one[what as keyof Visit]);
        lines.push({
          what: rate === 1 ? what : `${what}, processor ${rate} × slower`,
          measured: ms(median(times)),
          ...(rate === 1 && { target: `≤ ${limit} ms`, isMet: median(times) <= limit }),
          note: `${Math.round(Math.min(...times))}–${Math.round(Math.max(...times))}`,
        });
      }
    }
  } finally {
    await browser.close();
  }
  return lines;
}

export async function visit(context: BrowserContext, server: BenchServer, rate: number): Promise<Visit> {
  // tsx puts calls of __name into the code to keep the names of functions. The page needs it for the functions that run there.
  await context.addInitScript('globalThis.__name = (named) => named');
  await context.addInitScript(watchFirstRow);
  const open = async (): Promise<Page> => {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate });
    await page.goto(new URL('/challans?limit=50', server.url).href);
    return page;
  };
  const first = await open();
  const cold = await timeOf(first);
  await first.close();
  const second = await open();
  const warm = await timeOf(second);
  const key = await nextPage(second);
  await context.close();
  return {
    'first rows of the challan list, nothing in the cache': cold,
    'first rows of the challan list, scripts in the cache': warm,
    'from the key for the next page of 50 to its rows': key,
  };
}

async function nextPage(page: Page): Promise<number> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(watchNextRows);
  await page.keyboard.press('Alt+PageDown');
  return timeOf(page);
}

const timeOf = async (page: Page): Promise<number> => {
  const time = await page.waitForFunction(() => (window as unknown as { rowsAfter?: number }).rowsAfter);
  return time.evaluate((value) => value ?? Number.NaN);
};

/** Runs in the page: records when the first row is drawn, in milliseconds after the page was requested. */
function watchFirstRow(): void {
  const look = (): void => {
    if (document.querySelector('.cd-grid .ag-row:not(.ag-row-pinned) .ag-cell'))
      (window as unknown as { rowsAfter?: number }).rowsAfter = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Runs in the page: records how long after the next key other rows are drawn. */
function watchNextRows(): void {
  const seen = window as unknown as { rowsAfter?: number };
  const rows = (): string =>
    [...document.querySelectorAll('.cd-grid .ag-row:not(.ag-row-pinned)')].map((row) => row.textContent).join();
  delete seen.rowsAfter;
  const before = rows();
  const begin = ({ timeStamp }: KeyboardEvent): void => {
    const look = (): void => {
      if (rows() === before) requestAnimationFrame(look);
      else seen.rowsAfter = performance.now() - timeStamp;
    };
    look();
  };
  window.addEventListener('keydown', begin, { capture: true, once: true });
}
