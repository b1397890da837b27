import { CommitUnknownError } from '../db/tenant.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Items that arrive while others of their key are at work wait and are done together next, instead of one after the other.
 * The work does all of them or none; when it fails, each is tried alone, so that the failure of one is not another's.
 */
export class Gathering<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** An entry for each key that is at work. */
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
