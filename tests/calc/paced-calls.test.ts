import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { callAtPace } from '../bench/paced.ts';

/** The load of the bench ends by itself, and says what was not answered. */
const pace = { callsPerSecond: 1_000, forMs: 20, graceMs: 60 };

it('makes each call once, over a caller that is free, and says which failed', async () => {
  const atWork = new Set<string>();
  const made: number[] = [];
  const calls = await callAtPace(pace, ['one', 'two'], async (caller, n) => {
    expect(atWork.has(caller)).toBe(false);
    atWork.add(caller);
    made.push(n);
    await wait(1);
    atWork.delete(caller);
    if (n === 3) throw new Error('refused');
  });
  expect(made.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(calls.map(({ failure }) => failure)).toEqual(calls.map((_, n) => (n === 3 ? 'refused' : undefined)));
  expect(calls.map(({ at }) => at)).toEqual(calls.map((_, n) => n));
});

it('ends when all calls are answered, not after the time that late ones have', async () => {
  const begun = performance.now();
  await callAtPace({ ...pace, graceMs: 600_000 }, ['one'], () => Promise.resolve());
  expect(performance.now() - begun).toBeLessThan(60_000);
});

it('gives up what is under way or still waits after the end, with the time it has had', async () => {
  const made: number[] = [];
  const calls = await callAtPace(pace, ['one', 'two'], (_, n) => {
    made.push(n);
    return n < 5 ? Promise.resolve() : new Promise(() => undefined);
  });
  expect(made).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(calls).toHaveLength(20);
  expect(calls.map(({ isGivenUp }) => isGivenUp ?? false)).toEqual(calls.map((_, n) => n >= 5));
  for (const { ms, failure } of calls.slice(5)) {
    expect(failure).toBe('Not answered 0.06 s after the last call began');
    expect(ms).toBeGreaterThanOrEqual(50);
  }
});

it('answers that come during the time for late ones count, and begin what waits', async () => {
  const calls = await callAtPace({ ...pace, graceMs: 600_000 }, ['one'], () => wait(5));
  expect(calls.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(calls[19]!.ms).toBeGreaterThan(50);
});
