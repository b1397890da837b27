import { expect, it } from 'vitest';
import { countText, formatCount } from '../../src/shared/calc/count-text.ts';

it('a count has Indian digit grouping, and its noun a plural except for one', () => {
  expect([0, 1, 2, 123_456].map((count) => countText(count, 'challan'))).toEqual([
    '0 challans',
    '1 challan',
    '2 challans',
    '1,23,456 challans',
  ]);
});

it('a count is grouped as Intl groups it', () => {
  for (let count = 1; count < 1e15; count = count * 3 + 1)
    for (const value of [count, -count]) expect(formatCount(value)).toBe(value.toLocaleString('en-IN'));
});
