import { CommitUnknownError } from '../db/tenant.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects items by key. Items that arrive while others of their key are being processed wait, and are processed together
 * afterwards instead of one after the other. The work processes all of them or none. When it fails, each item is tried
 * alone, so that one item's failure does not fail the others.
 */
export class Gathering<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The waiting items of each key that is being processed. */
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#work = work;
  }

  join(key: string, item: Item): Promise<Result> {
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
      await this.#doAll(entries);
    }
    this.#waiting.delete(key);
  }

  async #doAll(entries: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(entries.map(({ item }) => item));
      // As many results as items.
      for (const [index, { resolve }] of entries.entries()) resolve(results[index]!);
    } catch (error) {
      // What may have been saved is not done again.
      if (entries.length === 1 || error instanceof CommitUnknownError) for (const { reject } of entries) reject(error);
      else for (const entry of entries) await this.#doAll([entry]);
    }
  }
}
