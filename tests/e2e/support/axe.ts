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

/**
 * A walk through screens and dialogs in one theme: axe finds nothing at any of its halts (docs/specification.md §19.5).
 */
export async function examine(
  desk: Desk,
  theme: 'light' | 'dark',
  work: (page: Page, judge: Judge) => Promise<void>,
): Promise<void> {
  const { page, context } = await desk.open({ theme });
  const found: Record<string, string[]> = {};
  const judged: string[] = [];
  await work(page, async (where) => {
    judged.push(where);
    await page.evaluate(untilStill);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const here = violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} at ${node.target.join(' ')}`),
    );
    if (here.length > 0) found[where] = here;
  });
  expect(found).toEqual({});
  expect(judged.length).toBeGreaterThan(1);
  await context.close();
}
