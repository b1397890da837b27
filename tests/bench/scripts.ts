import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { chromiumLaunchOptions } from '../../src/tasks/browser-path.ts';
import { projectRoot } from '../../src/tasks/run.ts';
import type { BenchData } from './data.ts';
import type { BenchServer } from './server.ts';
import type { Line } from './table.ts';

/** Scripts that a page asks for after it is shown, such as the next likely page's, belong to its first load too. */
const settling = 2_000;

/** What a browser that was never here loads for a page: its scripts as they are sent, compressed by brotli. */
export async function measureScripts(server: BenchServer, { large }: BenchData): Promise<Line[]> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const context = await browser.newContext();
    const signIn = await context.newPage();
    const ofLogin = scriptsOf(signIn);
    await signIn.goto(new URL('/login', server.url).href);
    await signIn.locator('input[type=password]').waitFor();
    await signIn.waitForTimeout(settling);
    const login = await brotliBytes(ofLogin);

    // Signed in by the call itself, so that the next page is the first one of a new browser.
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
    return [lineOf('scripts of the sign-in page', login, ofLogin.size, mostBytes.signIn), ...lines];
  } finally {
    await browser.close();
  }
}

export const mostBytes = { signIn: 150_000, challans: 400_000 };

/** Every kind of screen; with a limit where there is one. */
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

/** Each page begins with what a signed-in session has stored. */
export const storeSession = (context: BrowserContext, stored: readonly string[]): Promise<unknown> =>
  context.addInitScript(([token, user, role]) => {
    localStorage.setItem('token', token ?? '');
    localStorage.setItem('user', user ?? '');
    localStorage.setItem('role', role ?? '');
  }, stored);

/** The paths of its scripts in a browser of its own, signed in by what the session has stored. */
export async function firstLoad(browser: Browser, address: string, stored: readonly string[]): Promise<Set<string>> {
  const context = await browser.newContext();
  await storeSession(context, stored);
  const page = await context.newPage();
  const scripts = scriptsOf(page);
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(settling);
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

/** The twin that the build has put beside each file; files too small for one are compressed here. */
export async function brotliBytes(paths: Iterable<string>): Promise<number> {
  let total = 0;
  for (const path of paths) {
    const file = join(projectRoot, 'dist/web', path);
    const twin = await readFile(`${file}.br`).catch(() => null);
    total += (twin ?? brotliCompressSync(await readFile(file))).length;
  }
  return total;
}

function lineOf(what: string, bytes: number, files: number, limit: number | undefined): Line {
  const measured = `${(bytes / 1000).toFixed(1)} kB brotli, ${files} files`;
  return limit === undefined
    ? { what, measured }
    : { what, measured, target: `≤ ${limit / 1000} kB`, isMet: bytes <= limit };
}
