import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountsAfterEdit,
  changedAmountInputs,
  checkDerived,
  computeChallan,
} from '../../src/shared/calc/challan-amounts.ts';
import { challanFigures } from '../../src/shared/calc/challan-figures.ts';
import type { StoredFigures } from '../../src/shared/calc/challan-amounts.ts';
import type { ChallanAmountsInput } from '../../src/shared/calc/challan-figures.ts';
import { long } from '../long.ts';
import { hundredths, oracle, toHundredths } from './oracle.ts';
import type { OracleInput } from './oracle.ts';
import { testSeed } from './seed.ts';

const seed = testSeed('challan properties');

/** Now and then blank, often small (where halves of a paisa are), often a usual size, seldom huge. */
function field(usual: bigint, huge: bigint) {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: fc.bigInt(0n, 30n) },
    { weight: 8, arbitrary: fc.bigInt(0n, usual) },
    { weight: 1, arbitrary: fc.bigInt(0n, huge) },
  );
}

const weights = fc
  .record({ loading: field(6_000n, 99_999n), loss: fc.bigInt(-60n, 200n), free: field(6_000n, 99_999n) })
  .chain(({ loading, loss, free }) =>
    fc.boolean().map((isNear) => ({
      loading,
      unloading: isNear && loading !== null && loading >= loss ? loading - loss : free,
    })),
  );

const challans: fc.Arbitrary<OracleInput> = fc
  .record({
    weights,
    rate: field(300_000n, 999_999_999n),
    tdsPercent: fc.oneof(
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 9, arbitrary: fc.bigInt(0n, 1000n).map((tenths) => tenths * 10n) },
    ),
    hsdPrice: field(12_000n, 99_999n),
    liters: field(40_000n, 9_999_999n),
    advance: field(1_500_000n, 99_999_999n),
    office: field(20_000n, 99_999_999n),
    discount: field(20n, 10_000n),
    materialRate: field(3_000_000n, 999_999_999n),
  })
  .map(({ weights: pair, ...rest }) => ({ ...pair, ...rest }));

function text(value: bigint | null): string | undefined {
  return value === null ? undefined : hundredths(value);
}

function inputOf(c: OracleInput): ChallanAmountsInput {
  return {
    loadingWeight: text(c.loading),
    unloadingWeight: text(c.unloading),
    ratePerMT: text(c.rate),
    tdsPercentage: text(c.tdsPercent),
    hsdPricePerLiter: text(c.hsdPrice),
    hsdInLiters: text(c.liters),
    advanceMoney: text(c.advance),
    officeCharges: text(c.office),
    discountWeight: text(c.discount),
    materialRate: text(c.materialRate),
  };
}

describe('ten thousand random challans', () => {
  it('agree with the oracle to the paisa', () => {
    fc.assert(
      fc.property(challans, (c) => {
        const figures = challanFigures(inputOf(c));
        const expected = oracle(c);
        expect(figures).toMatchObject({
          differenceWeight: text(expected.difference) ?? null,
          grossAmount: text(expected.gross) ?? null,
          tdsAmount: hundredths(expected.tds),
          hsdAmount: hundredths(expected.hsd),
          shortageAmount: hundredths(expected.shortage),
          materialShortageAmount: hundredths(expected.materialShortage),
          netAmountPayable: text(expected.net) ?? null,
        });
      }),
      { seed, numRuns: long(10_000) },
    );
  });

  it('reach every branch: blanks, gains, shortages, halves of a paisa and negative nets', () => {
    const seen = { blank: 0, gain: 0, short: 0, half: 0, negative: 0, positive: 0 };
    for (const c of fc.sample(challans, { seed, numRuns: long(10_000) })) {
      const { difference, materialShortage, net } = oracle(c);
      if (net === null) seen.blank += 1;
      if (difference !== null && difference < 0n) seen.gain += 1;
      if (materialShortage > 0n) seen.short += 1;
      if (((c.hsdPrice ?? 0n) * (c.liters ?? 0n)) % 100n === 50n) seen.half += 1;
      if (net !== null && net < 0n) seen.negative += 1;
      if (net !== null && net > 0n) seen.positive += 1;
    }
    for (const [branch, count] of Object.entries(seen)) expect(count, branch).toBeGreaterThan(20);
  });

  it('print lines that sum to the net, each in whole paise', () => {
    fc.assert(
      fc.property(challans, (c) => {
        const amounts = computeChallan(inputOf(c));
        let total = 0n;
        for (const { sign, amount, isDeducted } of amounts.breakdown) {
          const paise = toHundredths(amount ?? '0.00');
          expect(isDeducted).toBe(sign === '-');
          if (sign === '+') total += paise;
          if (sign === '-') total -= paise;
        }
        if (amounts.netAmountPayable !== null) expect(hundredths(total)).toBe(amounts.netAmountPayable);
      }),
      { seed, numRuns: long(10_000) },
    );
  });

  it('accept their own figures, and refuse any of them two paise off', () => {
    const fields = ['tdsAmount', 'hsdAmount', 'shortageAmount', 'netAmountPayable'] as const;
    fc.assert(
      fc.property(challans, fc.constantFrom(...fields), fc.constantFrom(-2n, 2n), (c, name, off) => {
        const figures = challanFigures(inputOf(c));
        expect(checkDerived(figures, figures)).toEqual([]);
        const value = figures[name];
        if (value === null) return;
        const sent = hundredths(toHundredths(value) + off);
        expect(checkDerived({ [name]: sent }, figures).map(({ field }) => field)).toEqual([name]);
      }),
      { seed, numRuns: long(2_000) },
    );
  });
});

describe('random edits', () => {
  const complete = challans.filter((c) => c.loading !== null && c.unloading !== null && c.rate !== null);

  function storedOf(input: ChallanAmountsInput): StoredFigures {
    const { differenceWeight, netAmountPayable, ...figures } = challanFigures(input);
    return { ...figures, differenceWeight: differenceWeight ?? '', netAmountPayable: netAmountPayable ?? '' };
  }

  it('leave every stored figure alone when no amount is edited, whatever it is', () => {
    const paise = fc.bigInt(0n, 10n ** 13n).map(hundredths);
    const anyFigures = fc.record({
      differenceWeight: paise,
      tdsAmount: paise,
      hsdAmount: paise,
      shortageAmount: paise,
      materialShortageAmount: paise,
      netAmountPayable: paise,
    });
    fc.assert(
      fc.property(complete, anyFigures, (c, stored) => {
        const input = inputOf(c);
        const amounts = amountsAfterEdit(stored, changedAmountInputs(input, input), input);
        expect(amounts).toMatchObject(stored);
      }),
      { seed, numRuns: long(2_000) },
    );
  });

  it('end at the figures of a new challan with the same inputs, when the material rate is known', () => {
    fc.assert(
      fc.property(complete, complete, fc.subarray(Object.keys(inputOf(emptyChallan))), (a, b, names) => {
        const before = inputOf(a);
        const other = inputOf(b);
        const after: ChallanAmountsInput = Object.fromEntries(
          Object.entries(before).map(([name, value]) => [
            name,
            names.includes(name) ? other[name as keyof ChallanAmountsInput] : value, // the names are those of an input
          ]),
        );
        const amounts = amountsAfterEdit(storedOf(before), changedAmountInputs(before, after), after);
        expect(amounts).toMatchObject(challanFigures(after));
      }),
      { seed, numRuns: long(2_000) },
    );
  });
});

const emptyChallan: OracleInput = {
  loading: null,
  unloading: null,
  rate: null,
  tdsPercent: null,
  hsdPrice: null,
  liters: null,
  advance: null,
  office: null,
  discount: null,
  materialRate: null,
};
