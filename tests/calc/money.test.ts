import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountInWords } from '../../src/shared/calc/amount-words.ts';
import {
  add,
  atLeastZero,
  compare,
  divide,
  exceedsCeiling,
  formatAmount,
  formatINR,
  formatPercentage,
  formatWeight,
  isAmount,
  isNegative,
  lesser,
  MoneyError,
  multiply,
  normalizeTyped,
  parseAmount,
  roundHalfUp,
  subtract,
  sum,
} from '../../src/shared/calc/money.ts';
import { hundredths, toHundredths } from './oracle.ts';
import { testSeed } from './seed.ts';

const seed = testSeed('money properties');
const paise = fc.oneof(fc.bigInt(-1_000n, 1_000n), fc.bigInt(-(10n ** 14n) + 1n, 10n ** 14n - 1n));

describe('arithmetic on decimal strings', () => {
  it.each([
    ['1.005', '1.01'],
    ['1.0049999999', '1.00'],
    ['1.015', '1.02'],
    ['1.025', '1.03'],
    ['2.675', '2.68'],
    ['0.004', '0.00'],
    ['-0.004', '0.00'],
    ['-0.005', '-0.01'],
    ['999999999999.995', '1000000000000.00'],
    ['5', '5.00'],
  ])('rounds %s to %s', (text, rounded) => {
    expect(roundHalfUp(text)).toBe(rounded);
  });

  it('rounds to one decimal and to none', () => {
    expect(roundHalfUp('1.25', 1)).toBe('1.3');
    expect(roundHalfUp('-0.04', 1)).toBe('0.0');
    expect(roundHalfUp('0.5', 0)).toBe('1');
  });

  it('does what floats cannot', () => {
    expect(add('0.10', '0.20')).toBe('0.30');
    expect(sum(Array.from({ length: 10 }, () => '0.10'))).toBe('1.00');
    expect(multiply('1.15', '100')).toBe('115.00');
    expect(multiply('33.33', '1234.56')).toBe('41147.8848');
    expect(subtract('9999999999.99', '0.01')).toBe('9999999999.98');
  });

  it('has no negative zero', () => {
    expect(subtract('1', '1')).toBe('0.00');
    expect(multiply('-1', '0')).toBe('0.00');
    expect(roundHalfUp('-0')).toBe('0.00');
  });

  it('compares values', () => {
    expect(compare('5', '5.00')).toBe(0);
    expect(compare('-1', '0.5')).toBe(-1);
    expect(compare('10', '9')).toBe(1);
    expect(lesser('10', '9')).toBe('9.00');
    expect(isNegative('-0.01')).toBe(true);
    expect(isNegative('-0')).toBe(false);
    expect(atLeastZero('-5')).toBe('0.00');
  });

  it('divides, and by zero not at all', () => {
    expect(divide('1', '3')).toBe('0.33');
    expect(divide('2', '3')).toBe('0.67');
    expect(divide('1', '0.00')).toBeNull();
    expect(divide('-1', '8')).toBe('-0.13');
    expect(divide('0.001', '-8')).toBe('0.00');
    expect(divide('7', '2', 0)).toBe('4');
    expect(divide('123.45', '0.1', 1)).toBe('1234.5');
  });

  it('divides to the nearest paisa, halves away from zero', () => {
    fc.assert(
      fc.property(paise, paise, (a, b) => {
        const quotient = divide(hundredths(a), hundredths(b));
        if (b === 0n) {
          expect(quotient).toBeNull();
          return;
        }
        // What is left over is at most half of the divisor, and none of it was rounded towards zero from a half.
        const q = toHundredths(quotient ?? '');
        const left = 2n * (100n * a - q * b);
        const size = (n: bigint) => (n < 0n ? -n : n);
        expect(size(left) <= size(b)).toBe(true);
        if (size(left) === size(b)) expect(size(q * b) > size(100n * a)).toBe(true);
      }),
      { seed },
    );
  });

  it('agrees with whole paise on any list', () => {
    fc.assert(
      fc.property(fc.array(paise, { maxLength: 40 }), (list) => {
        const total = list.reduce((a, b) => a + b, 0n);
        expect(sum(list.map(hundredths))).toBe(hundredths(total));
      }),
      { seed },
    );
    fc.assert(
      fc.property(paise, paise, (a, b) => {
        expect(add(hundredths(a), hundredths(b))).toBe(hundredths(a + b));
        expect(subtract(hundredths(a), hundredths(b))).toBe(hundredths(a - b));
        expect(compare(hundredths(a), hundredths(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(toHundredths(roundHalfUp(multiply(hundredths(a), hundredths(b))))).toBe(roundedProduct(a, b));
      }),
      { seed, numRuns: 2_000 },
    );
  });
});

/** (a × b) / 100 in paise, halves away from zero, worked in whole numbers. */
function roundedProduct(a: bigint, b: bigint): bigint {
  const product = a * b;
  const size = product < 0n ? -product : product;
  const rounded = (size + 50n) / 100n;
  return product < 0n ? -rounded : rounded;
}

describe('what is an amount', () => {
  it.each(['0', '0.5', '12345.00', '999999999999.99', '007'])('%j is', (text) => {
    expect(isAmount(text)).toBe(true);
  });

  it.each([
    '1e5',
    '0x10',
    'NaN',
    'Infinity',
    '-0',
    '-1',
    '+1',
    '1,23,456',
    '12.345',
    '١٢',
    '१२',
    '1000000000000',
    '',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '1\n',
    '₹1',
  ])('%j is not', (text) => {
    expect(isAmount(text)).toBe(false);
    expect(() => parseAmount(text)).toThrow(MoneyError);
  });

  it('is written with two decimals', () => {
    expect(parseAmount('5')).toBe('5.00');
    expect(parseAmount('007.5')).toBe('7.50');
  });

  it('refuses what is no decimal in every function', () => {
    for (const wrong of ['', 'abc', '1e3', 'NaN', '1,000', '9'.repeat(61)]) {
      expect(() => add(wrong, '1'), wrong).toThrow(MoneyError);
      expect(() => sum(['1', wrong]), wrong).toThrow(MoneyError);
      expect(() => formatINR(wrong), wrong).toThrow(MoneyError);
    }
    const number: string = JSON.parse('1.005');
    expect(() => roundHalfUp(number)).toThrow(MoneyError);
  });

  it('has its ceiling at 12 digits', () => {
    expect(exceedsCeiling('999999999999.99')).toBe(false);
    expect(exceedsCeiling('1000000000000')).toBe(true);
    expect(exceedsCeiling('-1000000000000')).toBe(true);
  });
});

describe('formatting', () => {
  it.each([
    ['0', '₹0.00'],
    ['5.5', '₹5.50'],
    ['999.99', '₹999.99'],
    ['1234', '₹1,234.00'],
    ['12345.60', '₹12,345.60'],
    ['123456', '₹1,23,456.00'],
    ['1234567.00', '₹12,34,567.00'],
    ['12345678.9', '₹1,23,45,678.90'],
    ['999999999999.99', '₹9,99,99,99,99,999.99'],
    ['-1234', '-₹1,234.00'],
    ['-0.00', '₹0.00'],
    ['1.005', '₹1.01'],
  ])('%s is %s', (text, shown) => {
    expect(formatINR(text)).toBe(shown);
  });

  it('without the symbol: amounts, weights and percentages', () => {
    expect(formatAmount('1234567')).toBe('12,34,567.00');
    expect(formatAmount('-1234567.5')).toBe('-12,34,567.50');
    expect(formatWeight('27.5')).toBe('27.50');
    expect(formatPercentage('1')).toBe('1.0');
  });

  it('is what Intl.NumberFormat en-IN writes, for any amount', () => {
    const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
    const plain = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    fc.assert(
      fc.property(paise, (value) => {
        // Two decimals always make a numeric literal; Intl formats the string exactly, without a float in between.
        const text = hundredths(value) as `${number}`;
        expect(formatINR(text)).toBe(rupees.format(text));
        expect(formatAmount(text)).toBe(plain.format(text));
      }),
      { seed, numRuns: 2_000 },
    );
  });
});

describe('normalizeTyped', () => {
  it.each([
    ['1,23,456.50', '123456.50', false],
    ['1,23,456.505', '123456.51', true],
    ['1.005', '1.01', true],
    ['1.500', '1.50', false],
    ['₹ 1,23,456', '123456.00', false],
    ['₹1,23,456.00', '123456.00', false],
    ['Rs. 500/-', '500.00', false],
    ['rs 500', '500.00', false],
    ['INR 500', '500.00', false],
    ['  42 ', '42.00', false],
    ['12 34 567.8', '1234567.80', false],
    ['1,234,567', '1234567.00', false],
    ['1\u00a0234', '1234.00', false],
    ['1\u202f23\u202f456.5', '123456.50', false],
    ['123,456.50', '123456.50', false],
    ['12,34,56,789', '123456789.00', false],
    ['.5', '0.50', false],
    ['5.', '5.00', false],
    ['007', '7.00', false],
    ['0', '0.00', false],
    ['१२.५', '12.50', false],
    ['୧୨', '12.00', false],
    ['9263.999999999998', '9264.00', true],
    ['999999999999.99', '999999999999.99', false],
    ['', '', false],
    ['   ', '', false],
  ])('%j → %j', (text, value, isRounded) => {
    expect(normalizeTyped(text)).toEqual({ value, isRounded });
  });

  it.each([
    ['abc', 'Enter a number such as 12345.50.'],
    ['1e5', 'Enter a number such as 12345.50.'],
    ['1.2.3', 'Enter a number such as 12345.50.'],
    ['.', 'Enter a number such as 12345.50.'],
    ['₹', 'Enter a number such as 12345.50.'],
    ['12,', 'Enter a number such as 12345.50.'],
    [',5', 'Enter a number such as 12345.50.'],
    ['1.5,0', 'Enter a number such as 12345.50.'],
    ['5 kg', 'Enter a number such as 12345.50.'],
    ['-5', 'Enter 0 or more, without a minus sign.'],
    ['\u22125', 'Enter 0 or more, without a minus sign.'],
    ['₹ -5', 'Enter 0 or more, without a minus sign.'],
    ['12,50', 'Write decimals after a point: 12.50, not 12,50.'],
    ['12 5', 'Write decimals after a point: 12.50, not 12,50.'],
    ['1 23.456', 'Enter a number such as 12345.50.'],
    ['1500 2000', 'Enter a number such as 12345.50.'],
    ['1500,2000', 'Enter a number such as 12345.50.'],
    ['1500 200', 'Enter a number such as 12345.50.'],
    ['123 456 78 901', 'Enter a number such as 12345.50.'],
    ['12 345 67', 'Write decimals after a point: 12.50, not 12,50.'],
    ['1,23 456', 'Enter a number such as 12345.50.'],
    ['1\t234', 'Enter a number such as 12345.50.'],
    ['1  234', 'Enter a number such as 12345.50.'],
    ['2%', 'Enter a number such as 12345.50.'],
    ['1234567890123', 'At most 12 digits before the decimal point.'],
    ['999999999999.995', 'At most 12 digits before the decimal point.'],
  ])('%j is refused: %s', (text, error) => {
    expect(normalizeTyped(text)).toEqual({ error });
  });

  it('rounds a percentage to one decimal', () => {
    expect(normalizeTyped('1.25', 1)).toEqual({ value: '1.3', isRounded: true });
    expect(normalizeTyped('2', 1)).toEqual({ value: '2.0', isRounded: false });
  });

  it('reads back every amount as we show it', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 14n - 1n), (value) => {
        const text = hundredths(value);
        expect(normalizeTyped(formatINR(text))).toEqual({ value: text, isRounded: false });
        expect(normalizeTyped(formatAmount(text))).toEqual({ value: text, isRounded: false });
      }),
      { seed },
    );
  });

  it('gives an amount that the API accepts or one sentence, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[₹ 0-9,.\-/]{0,30}$/)), (text) => {
        const typed = normalizeTyped(text);
        if ('error' in typed) expect(typed.error).toMatch(/^[A-Z].*\.$/);
        else expect(typed.value === '' || isAmount(typed.value)).toBe(true);
      }),
      { seed, numRuns: 5_000 },
    );
  });
});

describe('amountInWords', () => {
  it.each([
    ['123456.50', 'Rupees one lakh twenty three thousand four hundred fifty six and fifty paise only'],
    ['0', 'Rupees zero only'],
    ['1', 'Rupees one only'],
    ['0.01', 'Rupees zero and one paisa only'],
    ['10', 'Rupees ten only'],
    ['19.19', 'Rupees nineteen and nineteen paise only'],
    ['20', 'Rupees twenty only'],
    ['100', 'Rupees one hundred only'],
    ['101', 'Rupees one hundred one only'],
    ['1000', 'Rupees one thousand only'],
    ['100000', 'Rupees one lakh only'],
    ['10000000', 'Rupees one crore only'],
    [
      '12345678.90',
      'Rupees one crore twenty three lakh forty five thousand six hundred seventy eight and ninety paise only',
    ],
    [
      '999999999999.99',
      'Rupees ninety nine thousand nine hundred ninety nine crore ninety nine lakh ninety nine thousand nine hundred ninety nine and ninety nine paise only',
    ],
    ['-40.05', 'Minus rupees forty and five paise only'],
  ])('%s: %s', (text, words) => {
    expect(amountInWords(text)).toBe(words);
  });

  it('says different amounts differently', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10n ** 12n), (a, b) => {
        expect(amountInWords(hundredths(a)) === amountInWords(hundredths(b))).toBe(a === b);
      }),
      { seed },
    );
  });
});
