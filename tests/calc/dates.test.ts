import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addDays,
  compareDays,
  DateError,
  dayOf,
  daysBetween,
  financialYear,
  formatDate,
  formatDateTime,
  formatShortDate,
  instantOf,
  isDay,
  isInstant,
  startOfDay,
} from '../../src/shared/calc/dates.ts';
import { challanNumber } from '../../src/shared/calc/challan-number.ts';
import { parseTypedDate } from '../../src/shared/reading/day.ts';
import { testSeed } from './seed.ts';

const seed = testSeed('date properties');

const zones = [
  ['UTC', 0],
  ['Asia/Kolkata', -330],
  ['America/New_York', 300],
  ['Pacific/Kiritimati', -840],
] as const;

describe.each(zones)('on a machine in %s', (zone, offset) => {
  const own = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = zone;
  });
  afterAll(() => {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  });

  it('is a test that would notice', () => {
    expect(new Date('2026-01-15T00:00:00Z').getTimezoneOffset()).toBe(offset);
  });

  it.each([
    ['2026-03-05', '2026-03-05'],
    ['2026-03-05T18:29:59.999Z', '2026-03-05'],
    ['2026-03-05T18:30:00Z', '2026-03-06'],
    ['2026-03-05T23:30:00+05:30', '2026-03-05'],
    ['2026-03-06T00:00:00+05:30', '2026-03-06'],
    ['2025-12-31T18:30:00.000Z', '2026-01-01'],
    ['2024-02-28T20:00:00Z', '2024-02-29'],
    ['2026-03-05T10:00-05:00', '2026-03-05'],
  ])('%s lies on %s', (instant, day) => {
    expect(dayOf(instant)).toBe(day);
    if (instant.length > 10) expect(dayOf(new Date(instant))).toBe(day);
  });

  it('begins a day in India', () => {
    expect(startOfDay('2026-03-05')).toBe('2026-03-04T18:30:00.000Z');
    expect(instantOf('2026-03-05')).toBe('2026-03-04T18:30:00.000Z');
    expect(instantOf('2026-03-05T10:00:00+05:30')).toBe('2026-03-05T04:30:00.000Z');
  });

  it('shows days and times of India', () => {
    expect(formatDate('2026-03-05')).toBe('05/03/2026');
    expect(formatDate('2026-03-05T20:00:00Z')).toBe('06/03/2026');
    expect(formatShortDate('2026-03-05')).toBe('05/03/26');
    expect(formatDateTime('2026-03-05T20:04:59Z')).toBe('06/03/2026 01:34');
    expect(formatDateTime(new Date('2026-03-05T18:30:00Z'))).toBe('06/03/2026 00:00');
    expect(formatDateTime('2026-03-05')).toBe('05/03/2026 00:00');
  });

  it('counts days across months, years and leap days', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(daysBetween('2026-03-01', '2026-02-27')).toBe(-2);
    expect(compareDays('2026-03-05', '2026-03-04T18:30:00Z')).toBe(0);
    expect(compareDays('2026-03-05', '2026-03-04T18:29:59Z')).toBe(1);
    expect(compareDays('2026-03-05', '2026-03-06')).toBe(-1);
  });

  it('reads typed dates', () => {
    expect(parseTypedDate('5/3', '2026-11-20')).toEqual({ day: '2026-03-05' });
  });
});

describe('the financial year', () => {
  it.each([
    ['2026-03-31', '2526'],
    ['2026-04-01', '2627'],
    ['2026-03-31T18:29:59Z', '2526'],
    ['2026-03-31T18:30:00Z', '2627'],
    ['1999-05-01', '9900'],
    ['2009-12-01', '0910'],
  ])('%s is in %s', (value, year) => {
    expect(financialYear(value)).toBe(year);
  });

  it('numbers challans', () => {
    expect(challanNumber('2026-04-01', 123)).toBe('CH-2627-000123');
    expect(challanNumber('2026-03-31T18:30:00Z', 1)).toBe('CH-2627-000001');
    expect(challanNumber('2026-03-31T18:29:59Z', 1)).toBe('CH-2526-000001');
    expect(challanNumber('2026-04-01', 1_234_567)).toBe('CH-2627-1234567');
  });
});

describe('what is a day or an instant', () => {
  it.each(['2026-02-28', '2028-02-29', '1900-01-01', '2199-12-31'])('%s is a day', (text) => {
    expect(isDay(text)).toBe(true);
  });

  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '10000-01-01',
    '1899-12-31',
    '2200-01-01',
    '26-01-01',
    '2026-1-1',
    '05/03/2026',
    '',
    ' 2026-01-01',
  ])('%j is not', (text) => {
    expect(isDay(text)).toBe(false);
    expect(() => dayOf(text)).toThrow(DateError);
  });

  it.each([
    // Without a zone it would be another instant on every machine.
    '2026-03-05T10:00:00',
    '2026-02-30T10:00:00Z',
    '2026-03-05T24:00:00Z',
    '2026-03-05T10:60:00Z',
    '2026-03-05T10:00:00+25:00',
    '2026-03-05 10:00:00Z',
    'Thu Mar 05 2026',
    '2026-03-05',
  ])('%j is no instant', (text) => {
    expect(isInstant(text)).toBe(false);
  });

  it('refuses a broken Date', () => {
    expect(() => dayOf(new Date('x'))).toThrow(DateError);
  });

  it('agrees with the zone table of the platform', () => {
    const india = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata', dateStyle: 'short' });
    const inYears = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(inYears, (date) => {
        const day = dayOf(date);
        expect(day).toBe(india.format(date));
        expect(date >= new Date(startOfDay(day)) && date < new Date(startOfDay(addDays(day, 1)))).toBe(true);
        expect(dayOf(startOfDay(day))).toBe(day);
      }),
      { seed, numRuns: 2_000 },
    );
  });
});

describe('parseTypedDate', () => {
  const today = '2026-11-20';
  it.each([
    ['', ''],
    ['  ', ''],
    ['t', '2026-11-20'],
    ['T', '2026-11-20'],
    ['today', '2026-11-20'],
    ['+', '2026-11-21'],
    ['-', '2026-11-19'],
    ['+3', '2026-11-23'],
    ['- 20', '2026-10-31'],
    ['5', '2026-11-05'],
    ['05', '2026-11-05'],
    ['30', '2026-11-30'],
    ['5/3', '2026-03-05'],
    ['5-3', '2026-03-05'],
    ['5.3', '2026-03-05'],
    ['5 3', '2026-03-05'],
    ['0503', '2026-03-05'],
    ['31/12', '2026-12-31'],
    ['5/3/26', '2026-03-05'],
    ['5/3/2026', '2026-03-05'],
    ['05 / 03 / 2026', '2026-03-05'],
    ['050326', '2026-03-05'],
    ['05032026', '2026-03-05'],
    ['2026-03-05', '2026-03-05'],
    ['2026/3/5', '2026-03-05'],
    ['29/2/2028', '2028-02-29'],
    ['५/३/२६', '2026-03-05'],
  ])('%j is %s', (text, day) => {
    expect(parseTypedDate(text, today)).toEqual({ day });
  });

  it('moves from the day in the field', () => {
    expect(parseTypedDate('+', today, '2026-02-28')).toEqual({ day: '2026-03-01' });
    expect(parseTypedDate('-2', today, '2026-03-01')).toEqual({ day: '2026-02-27' });
    expect(parseTypedDate('+', today, 'garbage')).toEqual({ day: '2026-11-21' });
  });

  it('takes a day far ahead for last year', () => {
    expect(parseTypedDate('28/12', '2027-01-04')).toEqual({ day: '2026-12-28' });
    expect(parseTypedDate('2/2', '2027-01-04')).toEqual({ day: '2027-02-02' });
    expect(parseTypedDate('3112', '2027-01-04')).toEqual({ day: '2026-12-31' });
  });

  it.each([
    ['30/2', 'This date does not exist.'],
    ['29/2/2026', 'This date does not exist.'],
    ['31', 'This date does not exist.'],
    ['0', 'This date does not exist.'],
    ['5/13', 'This date does not exist.'],
    ['99999999', 'The year must be between 2000 and 2099.'],
    ['5/3/1926', 'The year must be between 2000 and 2099.'],
    ['5/3/2126', 'The year must be between 2000 and 2099.'],
    ['tomorrow', 'Enter a date such as 05/03/2026.'],
    ['5/', 'Enter a date such as 05/03/2026.'],
    ['5/3/6', 'Enter a date such as 05/03/2026.'],
    ['123', 'Enter a date such as 05/03/2026.'],
  ])('%j is refused: %s', (text, error) => {
    expect(parseTypedDate(text, today)).toEqual({ error });
  });

  it('gives a real day, nothing or one sentence, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9/.\-+ t]{0,11}$/)), (text) => {
        const typed = parseTypedDate(text, today);
        if ('error' in typed) expect(typed.error).toMatch(/^[A-Z].*\.$/);
        else expect(typed.day === '' || isDay(typed.day)).toBe(true);
      }),
      { seed, numRuns: 5_000 },
    );
  });

  it('reads back every date as we show it, long and short', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 36_524 }), (offset) => {
        const day = addDays('2000-01-01', offset);
        expect(parseTypedDate(formatDate(day), today)).toEqual({ day });
        // A year of two digits is at most 80 years back, so 2046 is not one of them in 2026.
        if (offset < 16_800) expect(parseTypedDate(formatShortDate(day), today)).toEqual({ day });
      }),
      { seed, numRuns: 1_000 },
    );
  });
});
