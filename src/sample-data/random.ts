/**
 * Reproducible random numbers: the generator sfc32 over 32-bit words, seeded by a text. Everything that uses it makes only
 * exact operations (integers, + − × ÷), so that a seed gives the same bytes on every machine.
 */
export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    this.#seed = seed;
    this.#a = hashWord(seed, 0x9e3779b9);
    this.#b = hashWord(seed, 0x243f6a88);
    this.#c = hashWord(seed, 0xb7e15162);
    for (let round = 0; round < 12; round += 1) this.word();
  }

  /** A separate stream: drawing from it does not change this one. */
  fork(name: string): Random {
    return new Random(`${this.#seed}/${name}`);
  }

  /** 0 .. 2^32 − 1 */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from 0 to `end` − 1. */
  below(end: number): number {
    return Math.floor((this.word() / 4_294_967_296) * end);
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(percent: number): boolean {
    return this.word() < percent * 42_949_672.96;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from');
    return item;
  }

  /** `count` decimal digits, which may begin with zeros. */
  digits(count: number): string {
    let text = '';
    for (let index = 0; index < count; index += 1) text += String(this.below(10));
    return text;
  }

  letters(count: number, alphabet: string = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'): string {
    let text = '';
    for (let index = 0; index < count; index += 1) text += alphabet.charAt(this.below(alphabet.length));
    return text;
  }

  /** Shaped like a version 4 UUID, as every id of the API is. */
  uuid(): string {
    const [a, b, c, d] = [this.word(), this.word(), this.word(), this.word()];
    return `${hex(a >>> 16)}${hex(a & 0xffff)}-${hex(b >>> 16)}-${hex((b & 0x0fff) | 0x4000)}-${hex(((c >>> 16) & 0x3fff) | 0x8000)}-${hex(c & 0xffff)}${hex(d >>> 16)}${hex(d & 0xffff)}`;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      // Both positions exist: 0 ≤ other ≤ last < length.
      [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
    }
    return shuffled;
  }
}

const hexWords = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'));

function hex(value: number): string {
  return hexWords[value] ?? '0000';
}

/** A hash by FNV-1a and then the last step of MurmurHash3, so that similar seeds give very different words. */
function hashWord(text: string, start: number): number {
  let hash = start | 0;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A choice among items of unequal weight. */
export class Weighted<T> {
  readonly #items: readonly T[];
  readonly #upTo: number[] = [];
  #total = 0;

  constructor(items: readonly T[], weightOf: (item: T, index: number) => number) {
    this.#items = items;
    for (const [index, item] of items.entries()) {
      this.#total += weightOf(item, index);
      this.#upTo.push(this.#total);
    }
  }

  pick(random: Random): T {
    const wanted = (random.word() / 4_294_967_296) * this.#total;
    let [low, high] = [0, this.#upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#upTo[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    const item = this.#items[low];
    if (item === undefined) throw new Error('There is nothing to pick from');
    return item;
  }
}
