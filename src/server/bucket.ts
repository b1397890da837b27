interface Filling {
  left: number;
  at: number;
}

/** At most this many keys are kept; the least recently used one is dropped. */
const mostKeys = 10_000;

/** A token bucket per key: a burst, then a steady rate. In memory, so a restart resets it. */
export class Bucket {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #fillings = new Map<string, Filling>();

  /** `now` in milliseconds. */
  constructor({ burst, perSecond }: { burst: number; perSecond: number }, now: () => number = () => performance.now()) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** 0: go on. Otherwise whole seconds until the next one may come. */
  take(key: string): number {
    const now = this.#now();
    const { left, at } = this.#fillings.get(key) ?? { left: this.#burst, at: now };
    const have = Math.min(this.#burst, left + ((now - at) / 1_000) * this.#perSecond);
    const isAllowed = have >= 1;
    // Moved to the end: the first entry of the map is the least recently used.
    this.#fillings.delete(key);
    this.#fillings.set(key, { left: isAllowed ? have - 1 : have, at: now });
    if (this.#fillings.size > mostKeys) this.#forgetOldest();
    return isAllowed ? 0 : Math.ceil((1 - have) / this.#perSecond);
  }

  get size(): number {
    return this.#fillings.size;
  }

  #forgetOldest(): void {
    const [oldest] = this.#fillings.keys();
    if (oldest !== undefined) this.#fillings.delete(oldest);
  }
}
