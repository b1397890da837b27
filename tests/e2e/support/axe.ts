import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { Desk } from './desk.ts';

/** Runs axe on the current page, and keeps what it finds under this name. */
export type Judge = (where: string) => Promise<void>;

/** What is half faded in has half its contrast: axe looks at what is left once nothing moves. */
async function untilStill(): Promise<void> {
  const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** As another tab of the browser switches it: what is open, in focus or typed stays. Until it is drawn. */
async function switchTo(theme: string): Promise<void> {
  document.documentElement.dataset['theme'] = theme;
  window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: theme }));
  for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
}

/** Those of axe's usual rules that look at colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The toasts that are shown, and whether they are about to go. */
const shownToasts = (): string =>
  [...document.querySelectorAll<HTMLElement>('[data-sonner-toast]')]
    .map(({ textContent, dataset }) => `${textContent} ${dataset['mounted']} ${dataset['removed']}`)
    .join();

/**
 * The product has no frames, so axe may run in the page itself, which takes a quarter of the time. Once more where a toast
 * came or went meanwhile: it was judged half faded.
 */
async function run(page: Page, options: object): Promise<string[]> {
  // axe stays in a page until it is left. Its source is 1.3 MB, so it is sent only once.
  const isThere = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder(isThere ? { page, axeSource: ';' } : { page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], ...options });
  const before = await page.evaluate(shownToasts);
  await page.evaluate(untilStill);
  const { violations } = await axe.analyze();
  if ((await page.evaluate(shownToasts)) !== before) return run(page, options);
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help} at ${node.target.join(' ')}`));
}

/**
 * What axe finds on the page as it is, in both themes (docs/specification.md §19.5): every rule in the light one, and in
 * the dark one the rules of colour, since only colours differ.
 */
export async function findings(page: Page): Promise<string[]> {
  const inLight = await run(page, {});
  await page.evaluate(switchTo, 'dark');
  const inDark = await run(page, { runOnly: { type: 'rule', values: colourRules } });
  await page.evaluate(switchTo, 'light');
  return [...inLight, ...inDark.map((finding) => `dark theme: ${finding}`)];
}

/** A walk through screens and dialogs: axe finds nothing at any of its halts. */
export async function examine(desk: Desk, work: (page: Page, judge: Judge) => Promise<void>): Promise<void> {
  const { page, context } = await desk.open();
  const found: Record<string, string[]> = {};
  const judged: string[] = [];
  await work(page, async (where) => {
    judged.push(where);
    const here = await findings(page);
    if (here.length > 0) found[where] = here;
  });
  expect(found).toEqual({});
  expect(judged.length).toBeGreaterThan(1);
  await context.close();
}
