import { describe, expect, it } from 'vitest';
import { amountsFromTyped, computeChallan } from '../../src/shared/calc/challan-amounts.ts';
import { type AmountInput } from '../../src/shared/calc/challan-figures.ts';
import { shownAmounts, unreadInputs } from '../../src/shared/calc/shown-amounts.ts';

const typed = {
  loadingWeight: '42.50',
  unloadingWeight: '42.10',
  ratePerMT: '1000',
  tdsPercentage: '2',
  hsdPricePerLiter: '90',
  hsdInLiters: '10',
  advanceMoney: '1,000',
  officeCharges: '100',
  discountWeight: '0.10',
  materialRate: '500',
};
const shownOf = (over: Partial<Record<AmountInput, string>>) => {
  const texts = { ...typed, ...over };
  return shownAmounts(computeChallan(amountsFromTyped(texts)), unreadInputs(texts));
};
const unknownOf = (over: Partial<Record<AmountInput, string>>) => {
  const { breakdown, tooLarge: _, materialRateMissing: __, ...figures } = shownOf(over);
  return [
    ...Object.entries(figures).flatMap(([name, value]) => (value === null ? [name] : [])),
    ...breakdown.flatMap(({ key, amount }) => (amount === null ? [`line ${key}`] : [])),
  ];
};

describe('unreadInputs', () => {
  it('names what cannot be read; empty and half typed can', () => {
    expect(
      unreadInputs({ ...typed, advanceMoney: '12,50', officeCharges: '-5', hsdInLiters: '', ratePerMT: '12.' }),
    ).toEqual(['advanceMoney', 'officeCharges']);
  });
});

describe('shownAmounts', () => {
  it('is what was worked out, where everything can be read', () => {
    expect(unknownOf({})).toEqual([]);
    expect(shownOf({}).netAmountPayable).toBe('39108.00');
  });

  it.each<[AmountInput, string[]]>([
    ['advanceMoney', ['line advanceMoney']],
    ['officeCharges', ['line officeCharges']],
    ['tdsPercentage', ['tdsAmount', 'line tdsAmount']],
    ['hsdInLiters', ['hsdAmount', 'line hsdAmount']],
    ['materialRate', ['materialShortageAmount', 'line materialShortageAmount']],
    [
      'discountWeight',
      ['shortageAmount', 'materialShortageAmount', 'line materialShortageAmount', 'line shortageAmount'],
    ],
    ['ratePerMT', ['tdsAmount', 'shortageAmount', 'line grossAmount', 'line tdsAmount', 'line shortageAmount']],
  ])('%s that cannot be read: its figures are not known, and the net never', (field, expected) => {
    expect(unknownOf({ [field]: '12,50' }).toSorted()).toEqual([...expected, 'netAmountPayable'].toSorted());
  });
});
