import { CommitUnknownError } from '../db/tenant.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Puts items into batches by key. Items that arrive while a batch of their key is being processed wait, and become the next
 * batch. A batch is processed as a whole or not at all. When it fails, each of its items is tried alone, so that one item's
 * failure does not fail the others.
 */
export class Batcher<Item, Result> {
  readonly #processBatch: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The waiting items of each key that is being processed. */
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  constructor(processBatch: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#processBatch = processBatch;
  }

  add(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(entry);
      else void this.#run(key, entry);
    });
  }

  async #run(key: string, first: Waiting<Item, Result>): Promise<void> {
    for (let entries = [first]; entries.length > 0; entries = this.#waiting.get(key) ?? []) {
      this.#waiting.set(key, []);
      await this.#process(entries);
    }
    this.#waiting.delete(key);
  }

  async #process(entries: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#processBatch(entries.map(({ item }) => item));
      // As many results as items.
      for (const [index, { resolve }] of entries.entries()) resolve(results[index]!);
    } catch (error) {
      // When the outcome of the commit is unknown, the items may have been saved, so they are not tried again.
      if (entries.length === 1 || error instanceof CommitUnknownError) for (const { reject } of entries) reject(error);
      else for (const entry of entries) await this.#process([entry]);
    }
  }
}
