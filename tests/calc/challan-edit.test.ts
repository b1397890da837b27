import { describe, expect, it } from 'vitest';
import { amountsAfterEdit, changedAmountInputs } from '../../src/shared/calc/challan-amounts.ts';
import type { StoredFigures } from '../../src/shared/calc/challan-amounts.ts';
import type { ChallanAmountsInput } from '../../src/shared/calc/challan-figures.ts';

/*
 * docs/specification.md §8.4.3, worked by hand. The stored challan: 29.90 × 1000 = 29900; TDS 1 % = 299; HSD 92.64 × 10
 * = 926.40; advance 500; material shortage 250 (its rate is not stored); office 100; net 29900 − 299 − 926.40 − 500 −
 * 250 − 100 = 27824.60.
 */
const before: ChallanAmountsInput = {
  loadingWeight: '30.00',
  unloadingWeight: '29.90',
  ratePerMT: '1000.00',
  tdsPercentage: '1.0',
  hsdPricePerLiter: '92.64',
  hsdInLiters: '10.00',
  advanceMoney: '500.00',
  officeCharges: '100.00',
  discountWeight: '0.05',
};
const stored: StoredFigures = {
  differenceWeight: '0.10',
  tdsAmount: '299.00',
  hsdAmount: '926.40',
  shortageAmount: '50.00',
  materialShortageAmount: '250.00',
  netAmountPayable: '27824.60',
};

function edited(change: ChallanAmountsInput, kept: StoredFigures = stored) {
  const after = { ...before, ...change };
  const amounts = amountsAfterEdit(kept, changedAmountInputs(before, after), after);
  const { differenceWeight, tdsAmount, hsdAmount, shortageAmount, materialShortageAmount, netAmountPayable } = amounts;
  return {
    figures: {
      differenceWeight,
      tdsAmount,
      hsdAmount,
      shortageAmount,
      materialShortageAmount,
      netAmountPayable,
    },
    amounts,
  };
}

const edits: [string, ChallanAmountsInput, Partial<StoredFigures>][] = [
  ['nothing (only Remarks)', {}, {}],
  [
    'the same figures written otherwise',
    { loadingWeight: '30', advanceMoney: '0500.0', materialShortageAmount: '' },
    {},
  ],
  ['advance 500 → 700: 27824.60 − 200', { advanceMoney: '700' }, { netAmountPayable: '27624.60' }],
  ['office charges 100 → blank: 27824.60 + 100', { officeCharges: '' }, { netAmountPayable: '27924.60' }],
  ['TDS 1 → 2 %: 598; 27824.60 − 299', { tdsPercentage: '2' }, { tdsAmount: '598.00', netAmountPayable: '27525.60' }],
  [
    'rate 1000 → 1100: 32890; TDS 328.90; short 55; material shortage stays; 32890 − 328.90 − 926.40 − 500 − 250 − 100',
    { ratePerMT: '1100' },
    { tdsAmount: '328.90', shortageAmount: '55.00', netAmountPayable: '30784.70' },
  ],
  [
    'pump cleared, liters 0: 27824.60 + 926.40',
    { hsdInLiters: '0' },
    { hsdAmount: '0.00', netAmountPayable: '28751.00' },
  ],
  [
    'material rate 6000 typed: 0.05 × 6000 = 300; 27824.60 − 50',
    { materialRate: '6000' },
    { materialShortageAmount: '300.00', netAmountPayable: '27774.60' },
  ],
  [
    'material rate 0 typed: 0; 27824.60 + 250',
    { materialRate: '0' },
    { materialShortageAmount: '0.00', netAmountPayable: '28074.60' },
  ],
  [
    'discount 0.05 → 0.02 with material rate 5000: 0.08 × 5000 = 400, short 80; 27824.60 − 150',
    { discountWeight: '0.02', materialRate: '5000' },
    { shortageAmount: '80.00', materialShortageAmount: '400.00', netAmountPayable: '27674.60' },
  ],
  [
    'unloading 29.90 → 29.80 with material rate 5000: 29800 − 298 − 926.40 − 500 − 0.15 × 5000 − 100',
    { unloadingWeight: '29.80', materialRate: '5000' },
    {
      differenceWeight: '0.20',
      tdsAmount: '298.00',
      shortageAmount: '150.00',
      materialShortageAmount: '750.00',
      netAmountPayable: '27225.60',
    },
  ],
  [
    'unloading → 30, nothing short any more: 30000 − 300 − 926.40 − 500 − 100',
    { unloadingWeight: '30' },
    {
      differenceWeight: '0.00',
      tdsAmount: '300.00',
      shortageAmount: '0.00',
      materialShortageAmount: '0.00',
      netAmountPayable: '28173.60',
    },
  ],
  [
    'unloading 29.80, the shortage said outright (the server): 29800 − 298 − 926.40 − 500 − 250 − 100',
    { unloadingWeight: '29.80', materialShortageAmount: '250.00' },
    { differenceWeight: '0.20', tdsAmount: '298.00', shortageAmount: '150.00', netAmountPayable: '27725.60' },
  ],
  [
    'only the material shortage said otherwise: 27824.60 + 50',
    { materialShortageAmount: '200' },
    { materialShortageAmount: '200.00', netAmountPayable: '27874.60' },
  ],
];

describe('amountsAfterEdit', () => {
  it.each(edits)('%s', (_name, change, expected) => {
    expect(edited(change).figures).toEqual({ ...stored, ...expected });
  });

  it('says when the material shortage fell to 0 because its rate is not stored', () => {
    const { amounts } = edited({ discountWeight: '0.02' });
    expect(amounts).toMatchObject({
      materialShortageAmount: '0.00',
      netAmountPayable: '28074.60',
      materialRateMissing: true,
    });
    expect(edited({ discountWeight: '0.02', materialRate: '0' }).amounts.materialRateMissing).toBe(false);
    expect(edited({ unloadingWeight: '30' }).amounts.materialRateMissing).toBe(false);
    expect(edited({ advanceMoney: '1' }).amounts.materialRateMissing).toBe(false);
    const none = { ...stored, materialShortageAmount: '0.00', netAmountPayable: '28074.60' };
    expect(edited({ discountWeight: '0.02' }, none).amounts.materialRateMissing).toBe(false);
  });

  it('keeps a stored figure that this formula would not give, and subtracts it unchanged', () => {
    const byHand = { ...stored, tdsAmount: '300.00', netAmountPayable: '27823.60' };
    expect(edited({}, byHand).figures).toEqual(byHand);
    // 29900 − 300 − 926.40 − 700 − 250 − 100
    expect(edited({ advanceMoney: '700' }, byHand).figures).toEqual({ ...byHand, netAmountPayable: '27623.60' });
  });

  it('shows what a kept net differs by as a line of its own', () => {
    const { amounts } = edited({}, { ...stored, netAmountPayable: '27000.00' });
    // 27000 − 27824.60
    expect(amounts.breakdown.find(({ key }) => key === 'recorded')).toMatchObject({ amount: '-824.60', sign: '+' });
    expect(edited({}).amounts.breakdown.some(({ key }) => key === 'recorded')).toBe(false);
  });
});

describe('changedAmountInputs', () => {
  it('compares values, not texts', () => {
    expect(changedAmountInputs({ loadingWeight: '5' }, { loadingWeight: '5.00' })).toEqual([]);
    expect(changedAmountInputs({ advanceMoney: '' }, { advanceMoney: '0.00' })).toEqual([]);
    expect(changedAmountInputs({ ratePerMT: '5' }, { ratePerMT: '5.01' })).toEqual(['ratePerMT']);
  });

  it('takes a blank weight, rate or material rate for something else than 0', () => {
    expect(changedAmountInputs({ loadingWeight: '0' }, {})).toEqual(['loadingWeight']);
    expect(changedAmountInputs({}, { materialRate: '0' })).toEqual(['materialRate']);
    expect(changedAmountInputs({}, { discountWeight: '0' })).toEqual([]);
  });
});
