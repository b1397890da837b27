import type { Refusal } from './refusal.ts';

/** No limit where none is given. */
interface Places {
  perKey?: number;
  inAll?: number;
}

interface SemaphoreOptions {
  /** How many run at once. */
  running: Places;
  /** How many more may wait for a place. */
  waiting: Places;
  waitMs?: number;
  /** The answer when there is no place, or the wait was too long. */
  refusal: () => Refusal;
}

interface Waiting {
  readonly key: string;
  readonly go: () => void;
}

/**
 * Limits what runs at once, for each key (an account) and in all, so that one account cannot take every place. First come,
 * first served among the keys that have a place; a client that disconnects leaves the queue.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #running: Counts;
  readonly #waiting: Counts;
  /** In the order of arrival. */
  readonly #queue = new Set<Waiting>();
  /** The highest numbers so far. */
  readonly peak = { running: 0, taken: 0 };

  constructor(options: SemaphoreOptions) {
    this.#options = options;
    this.#running = new Counts(options.running);
    this.#waiting = new Counts(options.waiting);
  }

  /** How many are running and waiting, of one key or in all. */
  look(key?: string): { running: number; waiting: number } {
    return { running: this.#running.of(key), waiting: this.#waiting.of(key) };
  }

  /** The same of all keys that begin with a word and a space. */
  lookAt(word: string): { running: number; waiting: number } {
    const within = (key: string): boolean => key.startsWith(`${word} `);
    return { running: this.#running.sumOf(within), waiting: this.#waiting.sumOf(within) };
  }

  async pass<T>(key: string, left: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#running.hasPlace(key)) this.#start(key);
    else await this.#turn(key, left);
    try {
      return await work();
    } finally {
      this.#running.remove(key);
      this.#callNext();
    }
  }

  #start(key: string): void {
    this.#running.add(key);
    this.#notePeak();
  }

  #notePeak(): void {
    this.peak.running = Math.max(this.peak.running, this.#running.total);
    this.peak.taken = Math.max(this.peak.taken, this.#running.total + this.#waiting.total);
  }

  /** Takes the free place for the next in the queue at once, before a newcomer can. */
  #callNext(): void {
    for (const next of this.#queue) {
      if (!this.#running.hasPlace(next.key)) continue;
      this.#start(next.key);
      next.go();
      return;
    }
  }

  #turn(key: string, left: AbortSignal | undefined): Promise<void> {
    const { waitMs, refusal } = this.#options;
    if (left?.aborted || !this.#waiting.hasPlace(key)) throw refusal();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(clock);
        left?.removeEventListener('abort', giveUp);
        this.#queue.delete(waiting);
        this.#waiting.remove(key);
      };
      const giveUp = (): void => {
        leave();
        reject(refusal());
      };
      const waiting: Waiting = {
        key,
        go: () => {
          leave();
          resolve();
        },
      };
      const clock = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      left?.addEventListener('abort', giveUp);
      this.#queue.add(waiting);
      this.#waiting.add(key);
      this.#notePeak();
    });
  }
}

/** Counts by key; a key whose count is back at none is forgotten. */
class Counts {
  readonly #places: Places;
  readonly #byKey = new Map<string, number>();
  total = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  of(key?: string): number {
    return key === undefined ? this.total : (this.#byKey.get(key) ?? 0);
  }

  sumOf(isCounted: (key: string) => boolean): number {
    return [...this.#byKey].reduce((sum, [key, count]) => (isCounted(key) ? sum + count : sum), 0);
  }

  hasPlace(key: string): boolean {
    const { perKey = Infinity, inAll = Infinity } = this.#places;
    return this.total < inAll && this.of(key) < perKey;
  }

  add(key: string): void {
    this.total += 1;
    this.#byKey.set(key, this.of(key) + 1);
  }

  remove(key: string): void {
    this.total -= 1;
    const left = this.of(key) - 1;
    if (left === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, left);
  }
}
