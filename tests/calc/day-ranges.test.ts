import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayRangeNames, dayRangeOf, rangeNamesOf, type DayRangeName } from '../../src/shared/calc/day-ranges.ts';
import { addDays, financialYear } from '../../src/shared/calc/dates.ts';
import { testSeed } from './seed.ts';

const seed = testSeed('day ranges');

describe('ranges of days by name', () => {
  it.each<[DayRangeName, string, string, string]>([
    ['today', '2026-11-22', '2026-11-22', '2026-11-22'],
    ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
    // A Sunday is the last day of its week.
    ['thisWeek', '2026-11-22', '2026-11-16', '2026-11-22'],
    ['thisWeek', '2026-11-23', '2026-11-23', '2026-11-29'],
    ['lastWeek', '2027-01-01', '2026-12-21', '2026-12-27'],
    ['last30Days', '2026-03-01', '2026-01-31', '2026-03-01'],
    ['thisMonth', '2028-02-10', '2028-02-01', '2028-02-29'],
    ['lastMonth', '2027-01-31', '2026-12-01', '2026-12-31'],
    ['lastMonth', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['thisYear', '2027-03-31', '2026-04-01', '2027-03-31'],
    ['thisYear', '2027-04-01', '2027-04-01', '2028-03-31'],
    ['lastYear', '2027-03-31', '2025-04-01', '2026-03-31'],
    ['lastYear', '2027-04-01', '2026-04-01', '2027-03-31'],
  ])('%s on %s', (name, today, from, to) => {
    expect(dayRangeOf(name, today)).toEqual({ from, to });
  });

  it('end after they begin, and the present ones have the day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(...dayRangeNames), (days, name) => {
        const today = addDays('2010-01-01', days);
        const { from, to } = dayRangeOf(name, today);
        expect(from <= to).toBe(true);
        if (name.startsWith('this') || name === 'today' || name === 'last30Days')
          expect(from <= today && today <= to).toBe(true);
        else expect(to < today).toBe(true);
        if (name === 'thisYear') expect(financialYear(from)).toBe(financialYear(today));
      }),
      { seed },
    );
  });

  it('have two names only on the 30th of a month of 30 days, the month first', () => {
    const days = Array.from({ length: 366 }, (_, index) => addDays('2028-01-01', index));
    const twice = days.flatMap((today) => {
      const names = dayRangeNames.map((name) => rangeNamesOf(dayRangeOf(name, today), today));
      return names.filter(({ length }) => length > 1).map((both) => [today, ...both]);
    });
    const one = (today: string) => [today, 'thisMonth', 'last30Days'];
    expect(twice).toEqual(
      ['2028-04-30', '2028-06-30', '2028-09-30', '2028-11-30'].flatMap((day) => [one(day), one(day)]),
    );
    expect(rangeNamesOf({ from: '2028-11-02', to: '2028-11-30' }, '2028-11-30')).toEqual([]);
  });
});
