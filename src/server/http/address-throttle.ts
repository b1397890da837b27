import { isIPv6 } from 'node:net';

interface Bucket {
  left: number;
  at: number;
}

interface Allowance {
  burst: number;
  perSecond: number;
}

/** More keys than this are not remembered: the longest unseen makes room. */
const mostKeys = 10_000;

/** Some requests at once and then a steady few, for each key by itself. In memory: a restart gives everyone anew. */
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
    // Put behind all others: the first of the map is the longest unseen.
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

/** Keyed by address, or rather by what one customer has of them. */
export class AddressThrottle extends Throttle {
  override take(address: string): number {
    return super.take(networkOf(address));
  }
}

/** One IPv6 customer has a /64 to choose addresses from; IPv4 in IPv6's clothes is IPv4. */
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
