import { describe, expect, it } from 'vitest';
import { plausibleWarnings, type Readings } from '../../src/shared/calc/plausible.ts';

const today = '2026-11-27';
const sound: Readings = {
  today,
  loadingDate: '2026-11-25',
  unloadingDate: '2026-11-26',
  depositedAt: '2026-11-27',
  loadingPlace: 'Talcher',
  unloadingPlace: 'Paradip',
  loadingWeight: '25.21',
  unloadingWeight: '25.20',
  ratePerMT: '450.00',
  lastRate: '450.00',
  advanceMoney: '500.00',
};
const messages = (changed: Readings): string[] =>
  plausibleWarnings({ ...sound, ...changed }).map(({ field, message }) => `${field}: ${message}`);

describe('nothing is said about', () => {
  it.each<[string, Readings]>([
    ['a usual challan', {}],
    ['1 MT more unloaded, where that is within 5 % too', { loadingWeight: '25.00', unloadingWeight: '26.00' }],
    ['5 % more unloaded, where that is within 1 MT too', { loadingWeight: '10.00', unloadingWeight: '10.50' }],
    ['a shortage, however large', { unloadingWeight: '2.52' }],
    ['60 MT', { loadingWeight: '60', unloadingWeight: '60.00' }],
    ['a rate just below three times the last one', { ratePerMT: '1349.99' }],
    ['a rate just above a third of the last one', { ratePerMT: '150.01' }],
    ['the first challan of a route', { lastRate: undefined, ratePerMT: '99999' }],
    ['a rate after one of 0', { lastRate: '0.00' }],
    ['an advance of the whole freight', { advanceMoney: '11340.00' }],
    ['tomorrow', { loadingDate: '2026-11-28', unloadingDate: '2026-11-28', depositedAt: '2026-11-28' }],
    ['a year ago', { loadingDate: '2025-11-27', unloadingDate: '2025-11-27', depositedAt: '2025-11-27' }],
    ['a challan without a deposited day', { depositedAt: null }],
    ['an empty form', Object.fromEntries(Object.keys(sound).map((name) => [name, '']))],
    ['texts that are no amounts or days', { ratePerMT: 'abc', loadingWeight: '-5', loadingDate: '27/11/2030' }],
  ])('%s', (_, changed) => expect(messages(changed)).toEqual([]));
});

describe('one sentence about', () => {
  it.each<[string, Readings, string]>([
    [
      'more than 1 MT more unloaded',
      { loadingWeight: '25.21', unloadingWeight: '26.22' },
      'unloadingWeight: 26.22 MT unloaded is more than the 25.21 MT loaded: check both.',
    ],
    [
      'more than 5 % more unloaded',
      { loadingWeight: '10', unloadingWeight: '10.51' },
      'unloadingWeight: 10.51 MT unloaded is more than the 10.00 MT loaded: check both.',
    ],
    [
      'a loading weight above 60 MT',
      { loadingWeight: '60.01' },
      'loadingWeight: Loading Weight 60.01 MT is above 60 MT: check it.',
    ],
    [
      'three times the last rate of the route',
      { ratePerMT: '1350' },
      'ratePerMT: The last challan from Talcher to Paradip has ₹450.00 per MT: check the rate.',
    ],
    [
      'a third of it',
      { ratePerMT: '150' },
      'ratePerMT: The last challan from Talcher to Paradip has ₹450.00 per MT: check the rate.',
    ],
    [
      'a rate of 0',
      { ratePerMT: '0', advanceMoney: '0' },
      'ratePerMT: The last challan from Talcher to Paradip has ₹450.00 per MT: check the rate.',
    ],
    [
      'an advance above the freight',
      { advanceMoney: '11340.01' },
      'advanceMoney: The advance of ₹11,340.01 is more than the freight of ₹11,340.00: check both.',
    ],
    [
      'a loading day after tomorrow',
      { loadingDate: '2026-11-29' },
      'loadingDate: Loading Date 29/11/2026 is 2 days ahead of today: check it.',
    ],
    [
      'an unloading day of more than a year ago',
      { unloadingDate: '2025-11-26' },
      'unloadingDate: Unloading Date 26/11/2025 is 366 days ago: check it.',
    ],
    [
      'a deposited instant that is a day ahead by day in India',
      { depositedAt: '2026-11-28T18:30:00.000Z' },
      'depositedAt: Deposited On 29/11/2026 is 2 days ahead of today: check it.',
    ],
  ])('%s', (_, changed, sentence) => expect(messages(changed)).toEqual([sentence]));

  it('each of two rules that one weight breaks', () => {
    expect(messages({ unloadingWeight: '259' })).toEqual([
      'unloadingWeight: Unloading Weight 259.00 MT is above 60 MT: check it.',
      'unloadingWeight: 259.00 MT unloaded is more than the 25.21 MT loaded: check both.',
    ]);
  });
});

it('of a stored challan only what its change touches', () => {
  const wrong = { ...sound, unloadingWeight: '30', advanceMoney: '20000', loadingDate: '2024-01-01' };
  const named = (...changed: string[]): string[] =>
    plausibleWarnings(wrong, { isChanged: (field) => changed.includes(field) }).map(({ name }) => name);
  expect(named()).toEqual([]);
  expect(named('loadingDate')).toEqual(['loadingDate-old']);
  // The excess and the freight both read it.
  expect(named('loadingWeight')).toEqual(['more-unloaded', 'advance-above-freight']);
});

it('of a past challan that is imported not its age, but a day to come', () => {
  const past = { ...sound, loadingDate: '2020-01-01', unloadingDate: '2020-01-02', depositedAt: '2027-01-02' };
  expect(plausibleWarnings(past, { isPast: true }).map(({ name }) => name)).toEqual(['depositedAt-ahead']);
});
