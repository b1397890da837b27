import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumCells, unitTexts, type CellUnit } from '../../src/shared/calc/cell-sums.ts';

const units: readonly CellUnit[] = ['money', 'weight', 'liters', 'percent', 'count'];

/** Hundredths as they are written: -5 → '-0.05'. */
function written(hundredths: bigint): string {
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** a / b, halves away from zero. */
function quotient(a: bigint, b: bigint): bigint {
  const half = (2n * (a < 0n ? -a : a) + b) / (2n * b);
  return a < 0n ? -half : half;
}

test('sum and average are those of whole hundredths', () => {
  const amounts = fc.array(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(
      amounts,
      fc.constantFrom(...units),
      fc.array(fc.constantFrom('', 'Coal', '••••1234')),
      (all, unit, texts) => {
        const cells = [
          ...all.map((amount) => ({ text: written(amount), unit })),
          ...texts.map((text) => ({ text, unit })),
          ...texts.map((text) => ({ text, unit: undefined })),
        ];
        const total = all.reduce((sum, amount) => sum + amount, 0n);
        const places = unit === 'percent' ? 10n : 1n;
        const rounded = quotient(total, BigInt(all.length) * places);
        const average = unit === 'percent' ? written(rounded * 10n).slice(0, -1) : written(rounded);
        expect(sumCells(cells)).toEqual({
          count: all.length + 2 * texts.filter((text) => text !== '').length,
          figures: { unit, sum: written(total), average },
        });
      },
    ),
  );
});

test('figures of different units are only counted', () => {
  const cells = [
    { text: '5.00', unit: 'money' as const },
    { text: '2.50', unit: 'weight' as const },
    { text: 'Coal', unit: undefined },
  ];
  expect(sumCells(cells)).toEqual({ count: 3, figures: 'mixed' });
});

test('text is counted and not added, also in a column of amounts, and numbers in a column of text are text', () => {
  expect(sumCells([])).toEqual({ count: 0 });
  expect(
    sumCells([
      { text: '0012', unit: undefined },
      { text: '••.••', unit: 'money' },
      { text: '', unit: 'money' },
    ]),
  ).toEqual({ count: 2 });
});

test('an average is rounded half-up once', () => {
  const average = (...texts: string[]): unknown => sumCells(texts.map((text) => ({ text, unit: 'money' }))).figures;
  expect(average('0.01', '0.00')).toMatchObject({ average: '0.01' });
  expect(average('-0.01', '0.00')).toMatchObject({ average: '-0.01' });
  expect(average('0.10', '0.00', '0.00')).toMatchObject({ average: '0.03' });
});

test('figures have their unit', () => {
  expect(unitTexts.money('1234567.00')).toBe('₹12,34,567.00');
  expect(unitTexts.weight('27.50')).toBe('27.50 MT');
  expect(unitTexts.liters('1200.00')).toBe('1,200.00 L');
  expect(unitTexts.percent('1.5')).toBe('1.5 %');
  expect([unitTexts.count('1234.00'), unitTexts.count('-1234.00'), unitTexts.count('2.33')]).toEqual([
    '1,234',
    '-1,234',
    '2.33',
  ]);
});
