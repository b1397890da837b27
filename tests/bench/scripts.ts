import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { chromiumLaunchOptions } from '../../src/tasks/browser-path.ts';
import { projectRoot } from '../../src/tasks/run.ts';
import type { BenchData } from './data.ts';
import type { BenchServer } from './server.ts';
import type { Line } from './table.ts';

/**
 * Milliseconds after a page is shown in which its scripts still count. It may load those of the next likely page, for
 * example.
 */
const settlingMs = 2_000;

/** The scripts that a new browser with an empty cache loads for a page, in bytes as they are sent, compressed by brotli. */
export async function measureScripts(server: BenchServer, { large }: BenchData): Promise<Line[]> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const context = await browser.newContext();
    const signIn = await context.newPage();
    const loginScripts = scriptsOf(signIn);
    await signIn.goto(new URL('/login', server.url).href);
    await signIn.locator('input[type=password]').waitFor();
    await signIn.waitForTimeout(settlingMs);
    const login = await brotliBytes(loginScripts);

    // Signs in by a call, so that the next page is the first one that a new browser loads.
    const answer = await context.request.post(new URL('/api/subadmins/login', server.url).href, {
      data: { email: large.email, password: large.password },
    });
    const { token, user } = (await answer.json()) as { token: string; user: { role: string } };
    const stored = [token, JSON.stringify(user), user.role];
    const lines: Line[] = [];
    for (const { path, limit } of screens) {
      const scripts = await firstLoad(browser, new URL(path, server.url).href, stored);
      lines.push(lineOf(`scripts of ${path}`, await brotliBytes(scripts), scripts.size, limit));
    }
    return [lineOf('scripts of the sign-in page', login, loginScripts.size, mostBytes.signIn), ...lines];
  } finally {
    await browser.close();
  }
}

export const mostBytes = { signIn: 150_000, challans: 410_000 };

/** A page of each kind of screen, and the limit if it has one. */
const screens: readonly { path: string; limit?: number }[] = [
  { path: '/challans', limit: mostBytes.challans },
  { path: '/challans/create' },
  { path: '/accounting/bank-statement' },
  { path: '/accounting/payments' },
  { path: '/accounting' },
  { path: '/dashboard' },
  { path: '/owners' },
  { path: '/hsd-verification' },
  { path: '/profile' },
];

/** Makes each page of the context begin with the values that a signed-in session has stored. */
export const storeSession = (context: BrowserContext, stored: readonly string[]): Promise<unknown> =>
  context.addInitScript(([token, user, role]) => {
    localStorage.setItem('token', token ?? '');
    localStorage.setItem('user', user ?? '');
    localStorage.setItem('role', role ?? '');
  }, stored);

/** The paths of the scripts that a new browser loads for a page, signed in by the values that a session has stored. */
export async function firstLoad(browser: Browser, address: string, stored: readonly string[]): Promise<Set<string>> {
  const context = await browser.newContext();
  await storeSession(context, stored);
  const page = await context.newPage();
  const scripts = scriptsOf(page);
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(settlingMs);
  await context.close();
  return scripts;
}

export function scriptsOf(page: {
  on(event: 'response', seen: (response: { url(): string }) => void): unknown;
}): Set<string> {
  const paths = new Set<string>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js')) paths.add(pathname);
  });
  return paths;
}

/** Adds up the compressed files that the build has put beside the files. Files too small for one are compressed here. */
export async function brotliBytes(paths: Iterable<string>): Promise<number> {
  let total = 0;
  for (const path of paths) {
    const file = join(projectRoot, 'dist/web', path);
    const compressed = await readFile(`${file}.br`).catch(() => null);
    total += (compressed ?? brotliCompressSync(await readFile(file))).length;
  }
  return total;
}

function lineOf(what: string, bytes: number, files: number, limit: number | undefined): Line {
  const measured = `${(bytes / 1000).toFixed(1)} kB brotli, ${files} files`;
  return limit === undefined
    ? { what, measured }
    : { what, measured, target: `≤ ${limit / 1000} kB`, isMet: bytes <= limit };
}
