import { describe, expect, it } from 'vitest';
import {
  amountsFromTyped,
  backComputeTdsPercentage,
  checkDerived,
  computeChallan,
  materialShortageError,
} from '../../src/shared/calc/challan-amounts.ts';
import { challanFigures } from '../../src/shared/calc/challan-figures.ts';
import type { ChallanAmounts } from '../../src/shared/calc/challan-amounts.ts';
import { MoneyError } from '../../src/shared/calc/money.ts';
import { toHundredths } from './oracle.ts';
import { workedChallans } from './worked-challans.ts';
import type { WorkedChallan } from './worked-challans.ts';

function inputOf(short: WorkedChallan['in']) {
  return {
    loadingWeight: short.L,
    unloadingWeight: short.U,
    ratePerMT: short.R,
    tdsPercentage: short.T,
    hsdPricePerLiter: short.P,
    hsdInLiters: short.Q,
    advanceMoney: short.A,
    officeCharges: short.O,
    discountWeight: short.D,
    materialRate: short.M,
    materialShortageAmount: short.S,
  };
}

/** '+' lines less '-' lines, in paise, added up without the calculation's own arithmetic. */
function lineTotal(amounts: ChallanAmounts): bigint {
  return amounts.breakdown.reduce((total, line) => {
    const paise = toHundredths(line.amount ?? '0.00');
    if (line.sign === '+') return total + paise;
    return line.sign === '-' ? total - paise : total;
  }, 0n);
}

describe('challans worked by hand', () => {
  it('has at least forty of them', () => {
    expect(workedChallans.length).toBeGreaterThanOrEqual(40);
    expect(new Set(workedChallans.map(({ name }) => name)).size).toBe(workedChallans.length);
  });

  it.each(workedChallans.map((worked) => [worked.name, worked] as const))('%s', (_name, worked) => {
    const amounts = computeChallan(inputOf(worked.in));
    const { diff = '0.00', gross, tds = '0.00', hsd = '0.00', short = '0.00', mat = '0.00', net } = worked.out;
    expect(
      {
        diff: amounts.differenceWeight,
        gross: amounts.grossAmount,
        tds: amounts.tdsAmount,
        hsd: amounts.hsdAmount,
        short: amounts.shortageAmount,
        mat: amounts.materialShortageAmount,
        net: amounts.netAmountPayable,
      },
      worked.working,
    ).toEqual({ diff, gross, tds, hsd, short, mat, net });
    if (net !== null) expect(lineTotal(amounts)).toBe(toHundredths(net));
    expect(amounts.tooLarge).toEqual([]);
  });
});

describe('the breakdown', () => {
  const amounts = computeChallan({
    loadingWeight: '28.46',
    unloadingWeight: '28.39',
    ratePerMT: '1620',
    tdsPercentage: '1',
    hsdPricePerLiter: '92.64',
    hsdInLiters: '85.5',
    advanceMoney: '3000',
    officeCharges: '100',
    discountWeight: '0.05',
    materialRate: '4800',
  });

  it('says each line, its sum and whether it is deducted', () => {
    expect(amounts.breakdown.map(({ label, sign, amount, how }) => [sign, label, amount, how])).toEqual([
      ['+', 'Freight', '45991.80', '28.39 MT × ₹1,620.00'],
      ['-', 'TDS Amount', '459.92', '1.0% of 28.39 MT × ₹1,620.00'],
      ['-', 'HSD Amount', '7920.72', '85.50 L × ₹92.64'],
      ['-', 'Advance Money', '3000.00', ''],
      ['-', 'Material Shortage Amount', '96.00', '(difference 0.07 − discount 0.05) MT × ₹4,800.00'],
      ['-', 'Office Charges', '100.00', ''],
      [' ', 'Shortage Amount', '32.40', '(difference 0.07 − discount 0.05) MT × ₹1,620.00; shown only, not deducted'],
    ]);
  });

  it('marks exactly the lines that are deducted', () => {
    expect(amounts.breakdown.filter(({ isDeducted }) => isDeducted).map(({ key }) => key)).toEqual([
      'tdsAmount',
      'hsdAmount',
      'advanceMoney',
      'materialShortageAmount',
      'officeCharges',
    ]);
  });

  it('has no freight to show while the unloading weight is blank', () => {
    const open = computeChallan({ loadingWeight: '30', ratePerMT: '1000', advanceMoney: '500' });
    expect(open.breakdown[0]).toMatchObject({ key: 'grossAmount', amount: null, how: '' });
    expect(open.netAmountPayable).toBeNull();
  });
});

describe('refusals', () => {
  it.each(['1e5', '0x10', 'NaN', 'Infinity', '-1', '+1', '1,234', '12.345', '١٢', '1234567890123', ' 1 '])(
    'does not compute with %j',
    (text) => {
      expect(() => computeChallan({ loadingWeight: text })).toThrow(MoneyError);
    },
  );

  it('does not compute with a number that slipped past the type', () => {
    const input: { loadingWeight?: string } = JSON.parse('{"loadingWeight": 12.5}');
    expect(computeChallanSafely(input)).toBe('refused');
  });

  it('takes empty, null and absent for the same', () => {
    expect(challanFigures({ loadingWeight: '', unloadingWeight: null })).toEqual(challanFigures({}));
  });

  it('names the figures that grew past 12 digits instead of cutting them', () => {
    const huge = computeChallan({
      loadingWeight: '9999999.99',
      unloadingWeight: '9999999.99',
      ratePerMT: '9999999.99',
    });
    // 9999999.99² = 99999999800000.0001 → 14 digits
    expect(huge.grossAmount).toBe('99999999800000.00');
    expect(huge.tooLarge).toEqual(['netAmountPayable']);
  });
});

function computeChallanSafely(input: { loadingWeight?: string }): string {
  try {
    computeChallan(input);
    return 'computed';
  } catch (error) {
    return error instanceof MoneyError ? 'refused' : 'broken';
  }
}

describe('amountsFromTyped', () => {
  it('reads what is typed so far and leaves out what cannot be read yet', () => {
    expect(
      amountsFromTyped({ loadingWeight: '28.', ratePerMT: '₹ 1,620', advanceMoney: 'x', tdsPercentage: '1.25' }),
    ).toEqual({ loadingWeight: '28.00', ratePerMT: '1620.00', tdsPercentage: '1.3' });
  });
});

describe('backComputeTdsPercentage', () => {
  const challan = { loadingWeight: '30', unloadingWeight: '29.90', ratePerMT: '1000' };
  it.each([
    ['299.00', '1.0'], // 299 / 29900
    ['598.00', '2.0'],
    ['29.90', '0.1'],
    ['313.95', '1.1'], // 1.05 → half up
    ['313.94', '1.0'], // 1.04996…
    ['0.00', '0.0'],
  ])('%s of 29,900 is %s percent', (tdsAmount, percentage) => {
    expect(backComputeTdsPercentage({ ...challan, tdsAmount })).toBe(percentage);
  });

  it('gives back the typed percentage of a gain as well: it was worked from the loading weight', () => {
    expect(
      backComputeTdsPercentage({ loadingWeight: '20', unloadingWeight: '25', ratePerMT: '100', tdsAmount: '200' }),
    ).toBe('10.0');
  });

  it('has no answer where there is nothing to divide by', () => {
    expect(backComputeTdsPercentage({ ...challan, ratePerMT: '0', tdsAmount: '10' })).toBeNull();
    expect(backComputeTdsPercentage({ ...challan, unloadingWeight: '0.00', tdsAmount: '10' })).toBeNull();
  });
});

describe('checkDerived (AMOUNT_MISMATCH)', () => {
  const computed = challanFigures({
    loadingWeight: '29.90',
    unloadingWeight: '30',
    ratePerMT: '1000',
    tdsPercentage: '1',
    advanceMoney: '40000',
  });

  it('lets a paisa pass, two not, on either side and below zero', () => {
    // computed: TDS 299.00, net 29900 − 299 − 40000 = −10399.00, difference −0.10
    expect(checkDerived({ tdsAmount: '299.01', netAmountPayable: '-10399.01' }, computed)).toEqual([]);
    expect(checkDerived({ tdsAmount: '298.99', differenceWeight: '-0.11' }, computed)).toEqual([]);
    expect(
      checkDerived({ tdsAmount: '299.02', netAmountPayable: '-10399.02', differenceWeight: '0.10' }, computed),
    ).toEqual([
      { field: 'differenceWeight', sent: '0.10', computed: '-0.10' },
      { field: 'tdsAmount', sent: '299.02', computed: '299.00' },
      { field: 'netAmountPayable', sent: '-10399.02', computed: '-10399.00' },
    ]);
  });

  it('does not compare what was not sent', () => {
    expect(checkDerived({ tdsAmount: undefined, hsdAmount: null, shortageAmount: '' }, computed)).toEqual([]);
  });

  it('finds a figure sent where none can be computed', () => {
    expect(checkDerived({ netAmountPayable: '0.00' }, challanFigures({ loadingWeight: '30' }))).toEqual([
      { field: 'netAmountPayable', sent: '0.00', computed: null },
    ]);
  });
});

describe('materialShortageError', () => {
  const weights = { loadingWeight: '30', unloadingWeight: '29.90', discountWeight: '0.05' };
  it.each([
    [undefined, 'Material shortage amount is required'],
    ['', 'Material shortage amount is required'],
    ['-1', 'Material shortage amount must be a positive number or zero'],
    ['abc', 'Material shortage amount must be a positive number or zero'],
    ['0', null],
    ['250.00', null],
  ])('%j → %j', (materialShortageAmount, message) => {
    expect(materialShortageError({ ...weights, materialShortageAmount })).toBe(message);
  });

  it('must be 0 when the difference is not above the discount weight', () => {
    const message = 'Material shortage amount must be 0 when the difference weight is not above the discount weight';
    const even = { ...weights, discountWeight: '0.10' };
    expect(materialShortageError({ ...even, materialShortageAmount: '0.01' })).toBe(message);
    expect(materialShortageError({ ...even, materialShortageAmount: '0.00' })).toBeNull();
    const gain = { loadingWeight: '29', unloadingWeight: '30', materialShortageAmount: '1' };
    expect(materialShortageError(gain)).toBe(message);
  });
});
