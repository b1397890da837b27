/** A small seeded generator (mulberry32): the same seed, the same run. The seed comes from testSeed, which prints it. */
export interface Random {
  /** 0 to n - 1. */
  below(n: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** n different ones, in random order. */
  some<T>(values: readonly T[], n: number): T[];
  shuffled<T>(values: readonly T[]): T[];
}

export function randomOf(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const shuffled = <T>(values: readonly T[]): T[] => {
    const pool = [...values];
    for (let last = pool.length - 1; last > 0; last -= 1) {
      const other = below(last + 1);
      // Both indexes are inside the array.
      [pool[last], pool[other]] = [pool[other] as T, pool[last] as T];
    }
    return pool;
  };
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (values) => {
      if (values.length === 0) throw new Error('Nothing to pick from');
      // Not empty, and the index is inside.
      return values[below(values.length)]!;
    },
    some: (values, n) => shuffled(values).slice(0, n),
    shuffled,
  };
}
