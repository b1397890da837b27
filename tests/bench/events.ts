import { loadavg } from 'node:os';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import { chromiumLaunchOptions } from '../../src/tasks/browser-path.ts';
import type { BenchData } from './data.ts';
import { storeSession } from './scripts.ts';
import type { BenchServer } from './server.ts';
import type { Line } from './table.ts';

const repeats = 7;
/** The browser's processor is slowed down this many times, to the speed of a small office computer. */
export const slowDown = 4;

interface Act {
  what: string;
  path: string;
  /** Brings the screen to the state in which the key is pressed. */
  before: (page: Page) => Promise<void>;
  key: string;
  after: (page: Page) => Promise<void>;
}

const firstRow = async (page: Page): Promise<void> => {
  await page.locator('.cd-grid .ag-row:not(.ag-row-pinned) .ag-cell').nth(2).click();
  await page.waitForFunction(() => document.activeElement?.closest('.ag-cell') !== null);
};
const nothing = async (): Promise<void> => undefined;
const escape = (page: Page): Promise<void> => page.keyboard.press('Escape');

const acts: readonly Act[] = [
  { what: 'details of a challan', path: '/challans?limit=20', before: firstRow, key: 'Enter', after: escape },
  { what: 'the palette', path: '/challans?limit=20', before: nothing, key: 'Control+K', after: escape },
  { what: 'Ctrl+A on 100 rows', path: '/challans?limit=100', before: firstRow, key: 'Control+A', after: escape },
  {
    what: 'select all matching',
    path: '/accounting/bank-statement?limit=20',
    before: async (page) => {
      await firstRow(page);
      await page.keyboard.press('Control+A');
      await page.waitForTimeout(500);
    },
    key: 'Control+A',
    after: escape,
  },
  {
    what: 'next page of 100 rows',
    path: '/challans?limit=100',
    before: nothing,
    key: 'Alt+PageDown',
    after: (page) => page.keyboard.press('Alt+PageUp'),
  },
];

/** The time from a key press until the screen is drawn again (Event Timing), on a slowed-down processor. */
export async function measureEvents(server: BenchServer, { large }: BenchData): Promise<Line[]> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const { context } = await signedIn(browser, server, large);
    const lines: Line[] = [];
    for (const act of acts) lines.push(await measure(await context.newPage(), server.url.href, act));
    return lines;
  } finally {
    await browser.close();
  }
}

/** A new browser with an empty cache, signed in by the values that a session stores, and the token of the session. */
export async function signedIn(
  browser: Browser,
  server: BenchServer,
  { email, password }: BenchData['large'],
): Promise<{ context: BrowserContext; token: string }> {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const answer = await context.request.post(new URL('/api/subadmins/login', server.url).href, {
    data: { email, password },
  });
  const { token, user } = (await answer.json()) as { token: string; user: { role: string } };
  await storeSession(context, [token, JSON.stringify(user), user.role]);
  return { context, token };
}

async function measure(page: Page, address: string, { what, path, before, key, after }: Act): Promise<Line> {
  await page.goto(new URL(path, address).href, { waitUntil: 'networkidle' });
  await page.locator('.cd-grid .ag-row:not(.ag-row-pinned) .ag-cell').first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  const took: number[] = [];
  for (let n = 0; n < repeats; n += 1) {
    await before(page);
    await page.waitForTimeout(300);
    await page.evaluate(watchKeys);
    await page.keyboard.press(key);
    await page.waitForTimeout(1_000);
    took.push(await page.evaluate(longestKey));
    await after(page);
    await page.waitForTimeout(1_000);
  }
  await page.close();
  const sorted = took.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(repeats / 2)] ?? 0;
  return {
    what: `${what}, processor ${slowDown} × slower`,
    measured: `${median} ms (${sorted[0] ?? 0}–${sorted.at(-1) ?? 0})`,
    target: '≤ 100 ms',
    isMet: median <= 100,
    note: `load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  };
}

/** Runs in the page: records for each key press the time until the screen is drawn again. */
export function watchKeys(): void {
  const seen = window as unknown as { keys: number[]; watch?: PerformanceObserver };
  seen.keys = [];
  seen.watch ??= new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') seen.keys.push(duration);
  });
  // The browser reports only events of 16 ms or more.
  seen.watch.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}

export const longestKey = (): number => Math.max(0, ...(window as unknown as { keys: number[] }).keys);
