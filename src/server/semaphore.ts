import type { Refusal } from './refusal.ts';

/** Limits per key and for all keys together. An absent limit means no limit. */
interface Slots {
  perKey?: number;
  inAll?: number;
}

interface SemaphoreOptions {
  /** How many run at once. */
  running: Slots;
  /** How many more may wait in the queue. */
  waiting: Slots;
  waitMs?: number;
  /** The error when the queue is full or the wait was longer than `waitMs`. */
  refusal: () => Refusal;
}

interface QueueEntry {
  readonly key: string;
  readonly start: () => void;
}

/**
 * Limits how many calls run at once, per key (an account) and in all, so that one account cannot occupy every slot. The
 * queue is first come, first served among the keys that have a free slot. A client that disconnects leaves the queue.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #running: Counts;
  readonly #waiting: Counts;
  /** The waiting calls in the order of arrival. */
  readonly #queue = new Set<QueueEntry>();
  /** The highest numbers so far; `taken` counts running and waiting calls together. */
  readonly peak = { running: 0, taken: 0 };

  constructor(options: SemaphoreOptions) {
    this.#options = options;
    this.#running = new Counts(options.running);
    this.#waiting = new Counts(options.waiting);
  }

  /** Returns how many calls are running and waiting, of one key or in all. */
  counts(key?: string): { running: number; waiting: number } {
    return { running: this.#running.of(key), waiting: this.#waiting.of(key) };
  }

  /** Returns the same counts for all keys that begin with this word and a space. */
  countsOfPrefix(word: string): { running: number; waiting: number } {
    const within = (key: string): boolean => key.startsWith(`${word} `);
    return { running: this.#running.sumOf(within), waiting: this.#waiting.sumOf(within) };
  }

  async run<T>(key: string, left: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#running.hasFreeSlot(key)) this.#start(key);
    else await this.#waitForTurn(key, left);
    try {
      return await work();
    } finally {
      this.#running.remove(key);
      this.#startNext();
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

  /** Gives the free slot to the next call in the queue at once, before a new call can take it. */
  #startNext(): void {
    for (const next of this.#queue) {
      if (!this.#running.hasFreeSlot(next.key)) continue;
      this.#start(next.key);
      next.start();
      return;
    }
  }

  #waitForTurn(key: string, left: AbortSignal | undefined): Promise<void> {
    const { waitMs, refusal } = this.#options;
    if (left?.aborted || !this.#waiting.hasFreeSlot(key)) throw refusal();
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
      const waiting: QueueEntry = {
        key,
        start: () => {
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

/** Counts by key. A key whose count is back at zero is removed. */
class Counts {
  readonly #slots: Slots;
  readonly #byKey = new Map<string, number>();
  total = 0;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  of(key?: string): number {
    return key === undefined ? this.total : (this.#byKey.get(key) ?? 0);
  }

  sumOf(isCounted: (key: string) => boolean): number {
    return [...this.#byKey].reduce((sum, [key, count]) => (isCounted(key) ? sum + count : sum), 0);
  }

  hasFreeSlot(key: string): boolean {
    const { perKey = Infinity, inAll = Infinity } = this.#slots;
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
