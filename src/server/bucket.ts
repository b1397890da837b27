interface BucketState {
  tokens: number;
  updatedAt: number;
}

/** At most this many keys are kept; the least recently used one is dropped. */
const maxKeys = 10_000;

/** A token bucket per key: a burst, then a steady rate. The buckets are in memory, so a restart resets them. */
export class Bucket {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, BucketState>();

  /** `burst` is the number of calls at once, `perSecond` the rate after it. `now` returns milliseconds. */
  constructor({ burst, perSecond }: { burst: number; perSecond: number }, now: () => number = () => performance.now()) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Takes one token. Returns 0 when there was one, otherwise the whole seconds until the next one is available. */
  take(key: string): number {
    const now = this.#now();
    const { tokens: left, updatedAt: at } = this.#buckets.get(key) ?? { tokens: this.#burst, updatedAt: now };
    const have = Math.min(this.#burst, left + ((now - at) / 1_000) * this.#perSecond);
    const isAllowed = have >= 1;
    // The key moves to the end of the map, so that the first entry is always the least recently used one.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: isAllowed ? have - 1 : have, updatedAt: now });
    if (this.#buckets.size > maxKeys) this.#dropOldest();
    return isAllowed ? 0 : Math.ceil((1 - have) / this.#perSecond);
  }

  get size(): number {
    return this.#buckets.size;
  }

  #dropOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
