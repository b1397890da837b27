import { loadavg } from 'node:os';
import { chromium, type BrowserContext, type Page } from 'playwright';
import { chromiumLaunchOptions } from '../../src/tasks/browser-path.ts';
import type { BenchData } from './data.ts';
import { longestKey, signedIn, watchKeys } from './events.ts';
import type { BenchServer } from './server.ts';
import type { Line } from './table.ts';

const repeats = 5;

/** The entry sheet in a browser: from Ctrl+V until every row is checked, and from a key until a full sheet is drawn again. */
export async function measureSheetScreen(server: BenchServer, { large }: BenchData): Promise<Line[]> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const { context, token } = await signedIn(browser, server, large);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url.origin });
    const names = await namesOf(context, server.url, token);
    const lines: Line[] = [];
    for (const [count, limit] of [
      [200, 1_000],
      [1_000, 3_000],
    ] as const) {
      const took: number[] = [];
      for (let n = 0; n < repeats; n += 1) {
        const page = await openSheet(context, server.url);
        took.push(await paste(page, count, names));
        await leave(page);
      }
      lines.push(lineOf(`${count} rows pasted to checked`, took, limit));
    }
    const page = await openSheet(context, server.url);
    await paste(page, 1_000, names);
    for (const slowDown of [1, 4]) lines.push(await typing(page, slowDown));
    return lines;
  } finally {
    await browser.close();
  }
}

interface Names {
  vehicles: string[];
  tag: string;
}

async function namesOf(context: BrowserContext, url: URL, token: string): Promise<Names> {
  const list = async <T>(path: string): Promise<T[]> => {
    const answer = await context.request.get(new URL(`/api${path}`, url).href, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { data: T[] }).data;
  };
  const trucks = await list<{ truckNumber: string }>('/trucks?page=1&limit=100');
  const [tag] = await list<{ name: string }>('/tags?page=1&limit=1');
  return { vehicles: trucks.map(({ truckNumber }) => truckNumber), tag: tag?.name ?? '' };
}

async function openSheet(context: BrowserContext, url: URL): Promise<Page> {
  const page = await context.newPage();
  await page.goto(new URL('/challans/sheet', url).href, { waitUntil: 'networkidle' });
  await page.locator('.cd-sheet .ag-cell:focus').waitFor();
  return page;
}

/** Undoes the paste before it leaves, so that no draft is left, which the next visit would offer. */
async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Control+Z');
  await page.getByText('Type, paste from a spreadsheet').waitFor();
  await page.waitForTimeout(700);
  await page.close({ runBeforeUnload: false });
}

/** Returns the milliseconds until the last row is checked. */
async function paste(page: Page, count: number, { vehicles, tag }: Names): Promise<number> {
  const rows = Array.from({ length: count }, (_, index) => [
    `BENCH/${index}`,
    '20/11/2026',
    vehicles[index % vehicles.length] ?? '',
    'Iron ore fines',
    tag,
    'Joda',
    'Paradip',
    '25.50',
    '25.40',
    '1,250.00',
    '1',
    '5,000',
    '100',
  ]);
  const headings = 'TP,Loading date,Vehicle,Material,Tag,From,To,Loading MT,Unloading MT,Rate,TDS %,Advance,Office';
  const text = [headings.split(','), ...rows].map((row) => row.join('\t')).join('\r\n');
  await page.evaluate(async (copied) => navigator.clipboard.writeText(copied), text);
  const start = performance.now();
  await page.keyboard.press('Control+V');
  await page.waitForFunction(
    (right) => document.querySelector('main')?.textContent?.includes(right),
    `${count.toLocaleString('en-IN')} right`,
    {
      polling: 'raf',
      timeout: 60_000,
    },
  );
  return performance.now() - start;
}

async function typing(page: Page, slowDown: number): Promise<Line> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  const took: number[] = [];
  for (let n = 0; n < repeats; n += 1) {
    await page.evaluate(watchKeys);
    for (const key of ['7', '5', 'Enter', 'ArrowRight']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(400);
    }
    took.push(await page.evaluate(longestKey));
    await page.keyboard.press('ArrowLeft');
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const slower = slowDown === 1 ? '' : `, processor ${slowDown} × slower`;
  return lineOf(`a key in a sheet of 1,000 rows${slower}`, took, slowDown === 1 ? 50 : undefined);
}

function lineOf(what: string, took: readonly number[], limit: number | undefined): Line {
  const sorted = took.map(Math.round).toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return {
    what,
    measured: `${median} ms (${sorted[0] ?? 0}–${sorted.at(-1) ?? 0})`,
    ...(limit !== undefined && { target: `≤ ${limit.toLocaleString('en-IN')} ms`, isMet: median <= limit }),
    note: `load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  };
}
