import { describe, expect, it } from 'vitest';
import { CommitUnknownError } from '../../../src/server/db/tenant.ts';
import { Batcher } from '../../../src/server/http/batcher.ts';

/** Work that each turn waits for; `fails` says which items cannot be done. */
function held(fails: (item: string) => Error | undefined = () => undefined) {
  const turns: (readonly string[])[] = [];
  const go: (() => void)[] = [];
  const batcher = new Batcher(async (items: readonly string[]) => {
    turns.push(items);
    await new Promise<void>((resolve) => go.push(resolve));
    const error = items.map(fails).find((found) => found);
    if (error) throw error;
    return items.map((item) => item.toUpperCase());
  });
  /** Lets turns end until nothing is at work. */
  const end = async (all: Promise<unknown>): Promise<void> => {
    const state = { isDone: false };
    void all.finally(() => (state.isDone = true));
    while (!state.isDone) {
      go.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { batcher, turns, end };
}

describe('items that are put into batches', () => {
  it('is done together with all that arrived meanwhile, each with its own result', async () => {
    const { batcher, turns, end } = held();
    const all = Promise.all(['a', 'b', 'c'].map((item) => batcher.add('one', item)));
    await end(all);
    expect(await all).toEqual(['A', 'B', 'C']);
    expect(turns).toEqual([['a'], ['b', 'c']]);
    const later = batcher.add('one', 'd');
    await end(later);
    expect(turns).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('does not wait for those of another key', async () => {
    const { batcher, turns, end } = held();
    const all = Promise.all([batcher.add('one', 'a'), batcher.add('two', 'b')]);
    expect(turns).toEqual([['a'], ['b']]);
    await end(all);
  });

  it('is tried alone when it fails together, so that only what is wrong fails', async () => {
    const { batcher, turns, end } = held((item) => (item === 'c' ? new Error('wrong') : undefined));
    const all = Promise.allSettled(['a', 'b', 'c', 'd'].map((item) => batcher.add('one', item)));
    await end(all);
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(turns).toEqual([['a'], ['b', 'c', 'd'], ['b'], ['c'], ['d']]);
  });

  it('is not done again when it may have been saved', async () => {
    const { batcher, turns, end } = held((item) => (item === 'b' ? new CommitUnknownError('broken') : undefined));
    const all = Promise.allSettled(['a', 'b', 'c'].map((item) => batcher.add('one', item)));
    await end(all);
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(turns).toEqual([['a'], ['b', 'c']]);
  });
});
