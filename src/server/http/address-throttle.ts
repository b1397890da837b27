import { isIPv6 } from 'node:net';

interface Bucket {
  left: number;
  at: number;
}

interface Allowance {
  burst: number;
  perSecond: number;
}

/** At most this many keys are kept; the least recently used one is dropped. */
const mostKeys = 10_000;

/** A token bucket per key: a burst, then a steady rate. In memory, so a restart resets it. */
export class Throttle {
  readonly #allowance: Allowance;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `now` in milliseconds. */
  constructor(allowance: Allowance, now: () => number = () => performance.now()) {
    this.#allowance = allowance;
    this.#now = now;
  }

  /** 0: go on. Otherwise whole seconds until the next one may come. */
  take(key: string): number {
    const { burst, perSecond } = this.#allowance;
    const now = this.#now();
    const { left, at } = this.#buckets.get(key) ?? { left: burst, at: now };
    const have = Math.min(burst, left + ((now - at) / 1_000) * perSecond);
    const isAllowed = have >= 1;
    // Moved to the end: the first entry of the map is the least recently used.
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: isAllowed ? have - 1 : have, at: now });
    if (this.#buckets.size > mostKeys) this.#forgetOldest();
    return isAllowed ? 0 : Math.ceil((1 - have) / perSecond);
  }

  get size(): number {
    return this.#buckets.size;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** Keyed by network: all addresses that one customer can use. */
export class AddressThrottle extends Throttle {
  override take(address: string): number {
    return super.take(networkOf(address));
  }
}

/** One IPv6 customer can choose from a /64; an IPv4-mapped IPv6 address is treated as IPv4. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':');
}
