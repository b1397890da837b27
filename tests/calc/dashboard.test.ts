import { expect, it } from 'vitest';
import { divide } from '../../src/shared/calc/money.ts';
import { paidTone, percentOfCounts, plotLength } from '../../src/shared/calc/dashboard.ts';

it.each([
  [0, 0, 'bad'],
  [1, 1, 'good'],
  [4, 5, 'good'],
  [19_999, 25_000, 'warn'],
  [1, 2, 'warn'],
  [49_999, 100_000, 'bad'],
  [0, 9, 'bad'],
  // Products of both stay whole numbers at ten million challans.
  [8_000_000, 10_000_000, 'good'],
  [7_999_999, 10_000_000, 'warn'],
] as const)('%i paid of %i is %s', (paid, all, tone) => {
  expect(paidTone(paid, all)).toBe(tone);
});

it('is amber where the rounded figure would be green', () => {
  expect(divide('1999900', '25000')).toBe('80.00');
  expect(paidTone(19_999, 25_000)).toBe('warn');
});

it('gives shares of counts as money would divide them', () => {
  const counts = [0, 1, 2, 3, 7, 8, 199, 200, 201, 19_999, 25_000, 9_999_999, 10_000_000];
  for (const whole of counts) {
    for (const part of counts.filter((count) => count <= whole)) {
      const byMoney = divide(`${part}00`, String(whole)) ?? '0.00';
      expect([part, whole, percentOfCounts(part, whole)]).toEqual([part, whole, byMoney]);
    }
  }
});

it('draws no length below zero', () => {
  expect(plotLength('-12.50')).toBe(0);
  expect(plotLength('1234567.25')).toBe(1_234_567.25);
});
