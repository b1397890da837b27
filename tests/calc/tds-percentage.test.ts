import { describe, expect, it } from 'vitest';
import { readTdsPercentage, unusualTds } from '../../src/shared/calc/tds-percentage.ts';

describe('a typed TDS percentage', () => {
  it('may have its sign, is rounded to one decimal, and says what it should look like', () => {
    for (const text of ['2%', '2 %', ' 2.0% ', '2']) {
      expect(readTdsPercentage(text)).toEqual({ value: '2.0', isRounded: false });
    }
    expect(readTdsPercentage('1.25%')).toEqual({ value: '1.3', isRounded: true });
    for (const text of ['%', '2%%', '%2', 'two']) {
      expect(readTdsPercentage(text)).toEqual({ error: 'Enter a percentage such as 1.5.' });
    }
    expect(readTdsPercentage('')).toEqual({ value: '', isRounded: false });
    expect(readTdsPercentage('-1%')).toEqual({ error: 'Enter 0 or more, without a minus sign.' });
  });

  it.each([
    ['0.05', 'TDS percentage must be greater than 0'],
    ['0.09999', 'TDS percentage must be greater than 0'],
    ['100.04', 'TDS percentage cannot exceed 100%'],
    ['100.000001', 'TDS percentage cannot exceed 100%'],
  ])('%s is refused, not rounded into the range', (text, error) => {
    expect(readTdsPercentage(text)).toEqual({ error });
  });

  it.each([
    ['0', '0.0', false],
    ['0.04', '0.0', true],
    ['0.1', '0.1', false],
    ['0.14', '0.1', true],
    ['99.96', '100.0', true],
    ['100', '100.0', false],
    ['150', '150.0', false],
  ])('%s is read as %s; what is still outside the range is for the rule of the form', (text, value, isRounded) => {
    expect(readTdsPercentage(text)).toEqual({ value, isRounded });
  });
});

it('another percentage than that of the owner’s last challan is unusual; one that cannot be read, or nothing to compare with, is not', () => {
  expect(unusualTds('2', '1.0')).toBe('The owner’s last challan has 1.0 %');
  for (const text of ['1', '1.0 %', '1.04', '', 'two', '0.05']) expect(unusualTds(text, '1.0')).toBeUndefined();
  for (const usual of [undefined, '']) expect(unusualTds('2', usual)).toBeUndefined();
});
