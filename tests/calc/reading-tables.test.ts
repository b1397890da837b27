import { describe, expect, it } from 'vitest';
import { numberText } from '../../src/shared/reading/tables.ts';

describe('a number of a spreadsheet', () => {
  it.each([
    [1234.5, '1,234.50', '1234.5'],
    [25.34, '25.34 MT', '25.34'],
    [25.34, '25.34T', '25.34'],
    [200, '200 Ltr.', '200'],
    [-1234.5, '(1,234.50)', '-1234.5'],
    [0, ' -   ', '0'],
    [123, '000123', '000123'],
    [0.01, '1%', '1%'],
    // Named by the field, which wants MT.
    [25340, '25340 Kg', '25340 Kg'],
    [1234.5, '1,234.50 Dr', '1,234.50 Dr'],
    [123_456_789_012_345, '1.23457E+14', '123456789012345'],
    [1_234_567_890_123_456, '1.23457E+15', '1.234567890123456E+15'],
  ])('%d that is shown as %s is %s', (value, shown, text) => expect(numberText(value, shown)).toBe(text));
});
