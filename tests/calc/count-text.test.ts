import { expect, it } from 'vitest';
import { countText } from '../../src/shared/calc/count-text.ts';

it('a count has Indian digit grouping, and its noun a plural except for one', () => {
  expect([0, 1, 2, 123_456].map((count) => countText(count, 'challan'))).toEqual([
    '0 challans',
    '1 challan',
    '2 challans',
    '1,23,456 challans',
  ]);
});
