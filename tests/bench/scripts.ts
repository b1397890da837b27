import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright';
import { chromiumLaunchOptions } from '../../src/tasks/browser-path.ts';
import { projectRoot } from '../../src/tasks/run.ts';
import type { BenchData } from './data.ts';
import type { BenchServer } from './server.ts';
import type { Line } from './table.ts';

/** Scripts that a page asks for once it stands, such as the next likely page's, belong to its first load too. */
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
    const fresh = await browser.newContext();
    await fresh.addInitScript(
      ([storedToken, storedUser, role]) => {
        localStorage.setItem('token', storedToken ?? '');
        localStorage.setItem('user', storedUser ?? '');
        localStorage.setItem('role', role ?? '');
      },
      [token, JSON.stringify(user), user.role],
    );
    const list = await fresh.newPage();
    const ofList = scriptsOf(list);
    await list.goto(new URL('/challans', server.url).href);
    await list.locator('[role=row] [role=gridcell]').first().waitFor();
    await list.waitForTimeout(settling);
    const challans = await brotliBytes(ofList);
    return [
      lineOf('scripts of the sign-in page', login, ofLogin.size, 150),
      lineOf('scripts of the challan list', challans, ofList.size, 420),
    ];
  } finally {
    await browser.close();
  }
}

function scriptsOf(page: { on(event: 'response', seen: (response: { url(): string }) => void): unknown }): Set<string> {
  const paths = new Set<string>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js')) paths.add(pathname);
  });
  return paths;
}

/** The twin that the build has put beside each file; files too small for one are compressed here. */
async function brotliBytes(paths: Iterable<string>): Promise<number> {
  let total = 0;
  for (const path of paths) {
    const file = join(projectRoot, 'dist/web', path);
    const twin = await readFile(`${file}.br`).catch(() => null);
    total += (twin ?? brotliCompressSync(await readFile(file))).length;
  }
  return total;
}

function lineOf(what: string, bytes: number, files: number, limit: number): Line {
  return {
    what,
    measured: `${(bytes / 1000).toFixed(1)} kB brotli, ${files} files`,
    target: `≤ ${limit} kB`,
    isMet: bytes <= limit * 1000,
  };
}
