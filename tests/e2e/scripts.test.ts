import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screens } from '../../src/web/screens.ts';
import { brotliBytes, firstLoad, mostBytes, scriptsOf } from '../bench/scripts.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signInByForm, type Desk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** Sizes of the build's files: they do not depend on the machine. */
describe('what a first visit loads (docs/decisions.md 65)', () => {
  it('keeps the scripts of the sign-in page and of the challan list within their limits', async () => {
    const business = await desk.addBusiness();
    await fillBooks(desk, business);
    const { page, context } = await desk.open();
    const ofSignIn = scriptsOf(page);
    await page.goto(`${desk.appUrl}/login`, { waitUntil: 'networkidle' });
    expect(await brotliBytes(ofSignIn)).toBeLessThanOrEqual(mostBytes.signIn);

    await signInByForm(page, desk.appUrl, business);
    const stored = await page.evaluate(() => ['token', 'user', 'role'].map((key) => localStorage.getItem(key) ?? ''));
    await context.close();
    const ofChallans = await firstLoad(desk.browser, `${desk.appUrl}/challans`, stored);
    // The grid is the largest part: without it, something else was shown.
    expect([...ofChallans].join(' ')).toMatch(/grid-controls/);
    expect(await brotliBytes(ofChallans)).toBeLessThanOrEqual(mostBytes.challans);
  });
});

describe('the build', () => {
  it('opens every screen of a business, each loaded for the first time', { timeout: 180_000 }, async () => {
    const business = await desk.addBusiness('Every screen');
    const { page, context } = await desk.open();
    await signInByForm(page, desk.appUrl, business);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    const paths = Object.values(screens).flatMap(({ path: one, role }) =>
      role === 'admin' || one.includes(':') ? [] : [one],
    );
    expect(paths.length).toBeGreaterThan(20);
    for (const one of paths) {
      await page.goto(desk.appUrl + one);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
      if (await page.getByText('could not be shown').isVisible()) faults.push(`${one} could not be shown`);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});

/** The chunks that a chunk imports when it is loaded, by their names. */
function importsOfChunks(): Map<string, string[]> {
  const folder = path.resolve(import.meta.dirname, '../../dist/web/assets');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const importing = /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g;
  return new Map(
    scripts.map((name) => [
      name,
      [...readFileSync(path.join(folder, name), 'utf8').matchAll(importing)].map(([, other = '']) => other),
    ]),
  );
}

describe('the chunks of the build', () => {
  it('never import each other, because then one would run before what it uses is there', () => {
    const imports = importsOfChunks();
    expect(imports.size).toBeGreaterThan(20);
    const reachedFrom = (start: string): Set<string> => {
      const reached = new Set<string>();
      const follow = (name: string): void => {
        for (const next of imports.get(name) ?? []) {
          if (reached.has(next)) continue;
          reached.add(next);
          follow(next);
        }
      };
      follow(start);
      return reached;
    };
    expect([...imports.keys()].filter((name) => reachedFrom(name).has(name))).toEqual([]);
  });
});
