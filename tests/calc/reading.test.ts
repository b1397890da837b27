import { describe, expect, it } from 'vitest';
import { dayFirst, monthFirstExample } from '../../src/shared/reading/day-order.ts';
import { readValue } from '../../src/shared/reading/values.ts';
import { casesOn, readingCases } from '../reading-cases.ts';

describe('a text from outside', () => {
  it.each(readingCases)('as $kind: $text', ({ kind, text, outcome }) => {
    const read = readValue(kind, text, { today: casesOn, label: 'Field' });
    if (typeof outcome === 'string') expect(read).toEqual({ value: outcome });
    else if (outcome instanceof RegExp) expect(read).toEqual({ problem: expect.stringMatching(outcome) as string });
    else expect(read).toEqual({ value: outcome.value, doubt: expect.stringMatching(outcome.doubt) as string });
  });
});

describe('a column of dates', () => {
  it('is in doubt as a whole when one of its values can only have the month first', () => {
    expect(monthFirstExample(['3/5/2026', '', 'Total', '3/13/2026'])).toBe('3/13/2026');
    expect(monthFirstExample(['05/03/2026', '13/03/2026', '05-Mar-26', '2026-03-13', '3/32/2026'])).toBeUndefined();
  });

  it('is turned as a whole, and what has no order stays', () => {
    expect(['3/5/2026', '3/13/26', '05-Mar-26', '', '2026-03-13'].map(dayFirst)).toEqual([
      '5/3/2026',
      '13/3/26',
      '05-Mar-26',
      '',
      '2026-03-13',
    ]);
  });
});
