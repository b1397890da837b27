import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { challanFigures } from '../../src/shared/calc/challan-figures.ts';
import { challanNumber } from '../../src/shared/calc/challan-number.ts';
import { dayOf } from '../../src/shared/calc/dates.ts';
import { GST_PATTERN, PAN_PATTERN } from '../../src/shared/calc/identity.ts';
import { dayNumber } from '../../src/sample-data/calendar.ts';
import { bankAccount, gstin, gstinCheck, pan } from '../../src/sample-data/identity.ts';
import { plate, typedPlate } from '../../src/sample-data/plates.ts';
import { Random, Weighted } from '../../src/sample-data/random.ts';
import { SampleData, type SampleOptions } from '../../src/sample-data/sample-data.ts';
import { sizes } from '../../src/sample-data/sizes.ts';
import { commonestTag } from '../../src/sample-data/trade.ts';
import { decimal, tripAmounts, type TripInputs } from '../../src/sample-data/trip-amounts.ts';
import type { Trip } from '../../src/sample-data/trips.ts';

const small: SampleOptions = { size: 'S', seed: 7, asOf: '2026-04-10' };

function fingerprint(options: SampleOptions): string {
  const hash = createHash('sha256');
  const data = new SampleData(options);
  hash.update(JSON.stringify(data.logins));
  for (const { name, columns, rows } of data.tables()) {
    hash.update(`${name} ${columns}\n`);
    for (const row of rows) hash.update(row);
  }
  return hash.digest('hex');
}

describe('determinism', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('gives the same bytes for the same size, seed and day, on every machine', () => {
    vi.spyOn(Math, 'random').mockImplementation(() => {
      throw new Error('system randomness');
    });
    vi.spyOn(Date, 'now').mockImplementation(() => {
      throw new Error('wall clock');
    });
    // Written down, not computed: a change of the generator is seen, and so is a machine that reckons differently.
    expect(fingerprint(small)).toBe('f6d84dc870321fd0c052057448666e8817adbc81a7d934f3b26f09c865f732a0');
  });

  it('gives other bytes for another seed or day', () => {
    const first = fingerprint(small);
    expect(fingerprint({ ...small, seed: 8 })).not.toBe(first);
    expect(fingerprint({ ...small, asOf: '2026-04-11' })).not.toBe(first);
  });

  it('keeps a forked stream apart from its parent', () => {
    const [a, b] = [new Random('x'), new Random('x')];
    a.fork('other').word();
    expect(a.word()).toBe(b.word());
    expect(new Random('x').fork('1').word()).not.toBe(new Random('x').fork('2').word());
  });

  it('picks by weight', () => {
    const random = new Random('weights');
    const choice = new Weighted(['rare', 'common', 'never'], (item) => ({ rare: 1, common: 9, never: 0 })[item] ?? 0);
    const picks = Array.from({ length: 5_000 }, () => choice.pick(random));
    expect(picks).not.toContain('never');
    expect(picks.filter((item) => item === 'common').length / 5_000).toBeCloseTo(0.9, 1);
  });
});

describe('sizes', () => {
  it('has a million challans of five businesses in XL, one of 300,000 and one of 3,000', () => {
    const challans = sizes.XL.map((tenant) => tenant.challans);
    expect(challans).toHaveLength(5);
    expect(challans.reduce((sum, count) => sum + count, 0)).toBe(1_000_000);
    expect([challans[0], challans.at(-1)]).toEqual([300_000, 3_000]);
    expect(sizes.XL[0]?.disputed).toBe(6_000);
  });
});

describe('identity numbers', () => {
  it('ends a GSTIN with its check character', () => {
    expect(gstinCheck('27AAPFU0939F1Z')).toBe('V');
    const random = new Random('gstin');
    for (let index = 0; index < 200; index += 1) {
      const number = gstin(random, pan(random, 'F', 'M'));
      expect(number).toMatch(GST_PATTERN);
      expect(number.at(-1)).toBe(gstinCheck(number.slice(0, 14)));
    }
  });

  it('gives PANs their letters and accounts the length of their bank', () => {
    const random = new Random('pan');
    expect(pan(random, 'C', 'K')).toMatch(/^[A-Z]{3}CK\d{4}[A-Z]$/);
    expect(pan(random, 'P', 'ବ')).toMatch(PAN_PATTERN);
    const lengths: Record<string, number> = {
      SBIN: 11,
      PUNB: 16,
      HDFC: 14,
      ICIC: 12,
      UTIB: 15,
      BARB: 14,
      CNRB: 13,
      UBIN: 15,
    };
    for (let index = 0; index < 200; index += 1) {
      const { accountNo, ifsc } = bankAccount(random);
      expect(ifsc).toMatch(/^[A-Z]{4}0\d{6}$/);
      expect(accountNo).toMatch(/^\d+$/);
      expect(accountNo).toHaveLength(lengths[ifsc.slice(0, 4)] ?? 0);
    }
  });

  it('gives plates without I and O, each once, and types some of them otherwise', () => {
    const random = new Random('plates');
    const taken = new Set<string>();
    const plates = Array.from({ length: 3_000 }, () => plate(random, taken));
    expect(new Set(plates).size).toBe(3_000);
    for (const text of plates) {
      expect(text).toMatch(/^(?:[A-Z]{2}\d{2}[A-HJ-NP-Z]{1,3}\d{4}|\d{2}BH\d{4}[A-HJ-NP-Z]{2})$/);
      expect(typedPlate(text, random).replace(/[\s-]/g, '')).toBe(text);
    }
    expect(plates.filter((text) => text.startsWith('OD09')).length / 3_000).toBeCloseTo(0.38, 1);
  });
});

describe('a small business', () => {
  const data = new SampleData(small);
  let trips: Trip[];
  let living: Trip[];
  beforeAll(() => {
    trips = [...data.trips()].filter(({ tenant }) => tenant.index === 0);
    living = trips.filter(({ deletedAt }) => deletedAt === null);
  });
  const share = (isSo: (trip: Trip) => boolean) => living.filter(isSo).length / living.length;

  it('has exactly its challans, entered in order, before the day it ends on', () => {
    expect(living).toHaveLength(8_000);
    expect(trips.length).toBeGreaterThan(8_000);
    const times = trips.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(dayOf(new Date(times.at(-1) ?? 0)) < small.asOf).toBe(true);
    expect(new Set(trips.map(({ id }) => id)).size).toBe(trips.length);
    expect(trips[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('numbers them as the server would', () => {
    const counters = new Map<string, number>();
    for (const trip of trips) {
      const year = trip.number.slice(3, 7);
      const value = (counters.get(year) ?? 0) + 1;
      counters.set(year, value);
      expect(trip.number).toBe(challanNumber(new Date(trip.createdAt), value));
    }
    expect([...counters.keys()]).toEqual(['2526', '2627']);
  });

  it('has amounts that the calculation of the product gives as well', () => {
    for (const { inputs, amounts } of living.slice(0, 3_000)) expect(figuresOf(inputs)).toEqual(textsOf(amounts));
  });

  it('has the days in order, most papers handed in when they are entered', () => {
    for (const { loadingAt, unloadingAt, depositedAt, createdAt } of living) {
      const [loaded, unloaded] = [dayOf(new Date(loadingAt)), dayOf(new Date(unloadingAt))];
      expect(loaded <= unloaded).toBe(true);
      if (depositedAt === null) continue;
      const deposited = dayOf(new Date(depositedAt));
      expect(unloaded < deposited).toBe(true);
      expect(deposited <= dayOf(new Date(createdAt))).toBe(true);
    }
    expect(share(({ depositedAt }) => depositedAt === null)).toBeCloseTo(0.02, 2);
  });

  it('rarely has a truck loaded before it has unloaded', () => {
    const daysOf = ({ loadingAt, unloadingAt }: Trip) =>
      [dayOf(new Date(loadingAt)), dayOf(new Date(unloadingAt))].join();
    const plateOf = ({ vehicleNo }: Trip): string => vehicleNo.replaceAll(/[\s-]/g, '').toUpperCase();
    const byTruck = living.map((trip) => `${plateOf(trip)},${daysOf(trip)}`).toSorted();
    const overlapping = byTruck.filter((text, at) => {
      const [[truck, loaded], [other, , unloaded]] = [text.split(','), (byTruck[at - 1] ?? '').split(',')];
      return truck === other && loaded! < unloaded!;
    });
    expect(overlapping.length / living.length).toBeLessThan(0.001);
  });

  it('has rows whose day in India is not their day in UTC', () => {
    const early = share(
      ({ createdAt }) => dayOf(new Date(createdAt)) !== new Date(createdAt).toISOString().slice(0, 10),
    );
    expect(early).toBeGreaterThan(0.01);
  });

  it('has weights, nets and passes in the proportions of the trade', () => {
    const lost = ({ amounts }: Trip) => Number(amounts.difference);
    expect(share((trip) => lost(trip) >= 1 && lost(trip) <= 10)).toBeCloseTo(0.62, 1);
    expect(share((trip) => lost(trip) < 0)).toBeCloseTo(0.03, 2);
    expect(share(({ amounts }) => amounts.net < 0n)).toBeCloseTo(0.01, 2);
    expect(share(({ amounts }) => amounts.net >= 150_000n && amounts.net <= 6_000_000n)).toBeGreaterThan(0.97);
    expect(share(({ pump }) => pump !== null)).toBeGreaterThan(0.6);
    expect(share(({ tag }) => tag === null)).toBeCloseTo(0.015, 2);
    const passes = new Set(living.map(({ tpNo }) => tpNo));
    expect(1 - passes.size / living.length).toBeCloseTo(0.0025, 2);
    expect(passes.size).toBeLessThan(living.length);
    for (const shape of [/^\d{11,13}$/, /^000\d{6}$/, /^[A-Z]{3}\/\d\d-\d\d\/\d{7}$/, /^Y\d{7}$/]) {
      expect(share(({ tpNo }) => shape.test(tpNo))).toBeGreaterThan(0.05);
    }
  });

  it('leaves the busiest tenth of the owners about half of the trips', () => {
    const counts = new Map<string, number>();
    for (const { owner } of living) counts.set(owner.id, (counts.get(owner.id) ?? 0) + 1);
    const busiest = [...counts.values()].sort((a, b) => b - a).slice(0, 6);
    const part = busiest.reduce((sum, count) => sum + count, 0) / living.length;
    expect(part).toBeGreaterThan(0.4);
    expect(part).toBeLessThan(0.6);
  });

  it('hides the commonest tag from a list of the first ten by name', () => {
    for (const tenant of data.tenants) {
      const names = tenant.tags.map(({ name }) => name).sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
      expect(names.slice(0, 10)).not.toContain(commonestTag);
      expect(names.length).toBeGreaterThanOrEqual(8);
      expect(names.length).toBeLessThanOrEqual(25);
    }
    const counts = new Map<string, number>();
    for (const { tag } of living) counts.set(tag?.name ?? '', (counts.get(tag?.name ?? '') ?? 0) + 1);
    expect([...counts].sort((a, b) => b[1] - a[1])[0]?.[0]).toBe(commonestTag);
  });

  it('moves next to nothing on holidays, less on Sundays and in the monsoon', () => {
    const perDay = new Map<string, number>();
    for (const { createdAt } of living) {
      const day = dayOf(new Date(createdAt));
      perDay.set(day, (perDay.get(day) ?? 0) + 1);
    }
    expect(perDay.get('2025-06-27') ?? 0).toBeLessThan(4);
    expect(perDay.get('2025-10-20') ?? 0).toBeLessThan(4);
    const inMonth = (month: string) =>
      [...perDay].filter(([day]) => day.startsWith(month)).reduce((sum, [, count]) => sum + count, 0);
    expect(inMonth('2026-03')).toBeGreaterThan(1.3 * inMonth('2025-08'));
    const sundays = [...perDay].filter(([day]) => (dayNumber(day) + 4) % 7 === 0).map(([, count]) => count);
    const mondays = [...perDay].filter(([day]) => (dayNumber(day) + 4) % 7 === 1).map(([, count]) => count);
    const mean = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(mean(sundays)).toBeLessThan(0.8 * mean(mondays));
  });

  it('pays in batches, takes some back, and leaves some open for long', () => {
    const paid = share(({ cycles }) => cycles.at(-1)?.reversedAt === null);
    expect(paid).toBeGreaterThan(0.8);
    const end = dayNumber(small.asOf);
    const old = living.filter(({ createdAt }) => createdAt < (end - 50) * 86_400_000);
    const late = old.filter(({ cycles, createdAt }) => (cycles[0]?.run.at ?? Infinity) - createdAt > 45 * 86_400_000);
    expect(late.length / old.length).toBeCloseTo(0.08, 1);
    expect(living.some(({ cycles }) => cycles.some(({ reversedAt }) => reversedAt !== null))).toBe(true);
    for (const { cycles, createdAt } of living) {
      for (const { run, reversedAt } of cycles) {
        expect(run.at).toBeGreaterThan(createdAt);
        if (reversedAt !== null) expect(reversedAt).toBeGreaterThan(run.at);
      }
    }
  });
});

describe('owners', () => {
  it('have odd and very long names, other scripts, empty addresses, leading zeros', () => {
    const owners = new SampleData({ ...small, size: 'L' }).tenants.flatMap((tenant) => tenant.owners);
    const some = (isSo: (owner: (typeof owners)[number]) => boolean) => owners.filter(isSo).length;
    for (const letter of ["'", '"', ',', '=', 'ବ', 'र'])
      expect(some(({ name }) => name.includes(letter))).toBeGreaterThan(0);
    expect(some(({ name }) => name.length > 60) / owners.length).toBeCloseTo(0.03, 1);
    expect(some(({ address }) => address === '') / owners.length).toBeCloseTo(0.04, 1);
    expect(some(({ accountNo }) => accountNo.startsWith('00'))).toBeGreaterThan(0);
    expect(some(({ trucks }) => trucks.length === 1) / owners.length).toBeCloseTo(0.55, 1);
    expect(some(({ trucks }) => trucks.length > 25) / owners.length).toBeCloseTo(0.02, 1);
    for (const { name, panNo } of owners) {
      expect(name).toBe(name.normalize('NFC'));
      expect(panNo).toMatch(PAN_PATTERN);
    }
  });

  it('are known to two businesses now and then, so that a copy has something to refuse', () => {
    const [first, second] = new SampleData({ ...small, size: 'M' }).tenants;
    const pans = new Set(first?.owners.map(({ panNo }) => panNo));
    expect(second?.owners.filter(({ panNo }) => pans.has(panNo)).length).toBeGreaterThan(0);
  });
});

describe('whole paise', () => {
  it('agree with the calculation at the edges: halves, no pump, more unloaded than loaded, everything missing', () => {
    const base: TripInputs = {
      loading: 2500n,
      unloading: 2490n,
      discount: 0n,
      rate: 100_000n,
      hsdPrice: 0n,
      litres: 0n,
      advance: 0n,
      office: 0n,
      materialRate: 0n,
      tdsTenths: 10n,
    };
    const edges: Partial<TripInputs>[] = [
      {},
      { unloading: 2501n },
      { loading: 3n, unloading: 1n, rate: 50n },
      { loading: 1n, unloading: 1n, rate: 50n, tdsTenths: 1000n },
      { hsdPrice: 9_255n, litres: 1_010n },
      { unloading: 0n, discount: 5n, materialRate: 1_234_567n },
      { advance: 99_999_999n, tdsTenths: 1n },
      { discount: 10n, materialRate: 500_000n },
      { discount: 9n, materialRate: 550n },
    ];
    for (const edge of edges) {
      const inputs = { ...base, ...edge };
      const amounts = tripAmounts(inputs);
      expect(figuresOf(inputs)).toEqual(textsOf(amounts));
    }
  });
});

/** By the product's own calculation. */
function figuresOf(inputs: TripInputs) {
  const figures = challanFigures({
    loadingWeight: decimal(inputs.loading),
    unloadingWeight: decimal(inputs.unloading),
    discountWeight: decimal(inputs.discount),
    ratePerMT: decimal(inputs.rate),
    hsdPricePerLiter: decimal(inputs.hsdPrice),
    hsdInLiters: decimal(inputs.litres),
    advanceMoney: decimal(inputs.advance),
    officeCharges: decimal(inputs.office),
    materialRate: decimal(inputs.materialRate),
    tdsPercentage: `${inputs.tdsTenths / 10n}.${inputs.tdsTenths % 10n}`,
  });
  return [
    figures.differenceWeight,
    figures.tdsAmount,
    figures.hsdAmount,
    figures.shortageAmount,
    figures.materialShortageAmount,
    figures.netAmountPayable,
  ];
}

function textsOf(amounts: ReturnType<typeof tripAmounts>): string[] {
  const { difference, tds, hsd, shortage, materialShortage, net } = amounts;
  return [difference, tds, hsd, shortage, materialShortage, net].map(decimal);
}
