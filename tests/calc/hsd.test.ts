import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellNumberText,
  findHeader,
  hsdDifference,
  problemText,
  readAmountCell,
  readTpCell,
  separateRepeated,
} from '../../src/shared/reading/pump-bill.ts';
import { testSeed } from './seed.ts';

describe('the number of a cell', () => {
  it.each([
    [9263.999999999998, '9264'],
    [218.85 * 91.1, '19937.235'],
    [0.1 + 0.2, '0.3'],
    [1.005, '1.005'],
    [0, '0'],
    [-0, '0'],
    [500, '500'],
    [0.000000001, '0.000000001'],
    [240901234567, '240901234567'],
    [999999999999.99, '999999999999.99'],
    [-3.5, '-3.5'],
    [100, '100'],
    [1e15, '1000000000000000'],
  ])('%d is read as %s', (value, text) => {
    expect(cellNumberText(value)).toBe(text);
  });

  it('is the amount that was typed, for every amount a bill may hold', () => {
    const paise = fc.integer({ min: 0, max: 99_999_999_999 });
    fc.assert(
      fc.property(paise, (amount) => {
        const typed = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
        expect(readAmountCell(cellNumberText(amount / 100))).toEqual({ amount: typed });
      }),
      { seed: testSeed('amounts of cells'), numRuns: 5_000 },
    );
  });
});

describe('a TP cell', () => {
  it.each([
    ["'000123", '000123', '000123'],
    ['\u200b KJR 12\u00a0', 'KJR 12', 'KJR12'],
    ['12345.0', '12345', '12345'],
    ['two\nlines', 'two lines', 'TWOLINES'],
    ["'", "'", "'"],
  ])('%j is shown as %s and compared as %s', (text, tpNo, key) => {
    expect(readTpCell(text)).toEqual({ tpNo, key });
  });

  it('is at most as long as the TP No of a challan', () => {
    expect(readTpCell('9'.repeat(100))).toHaveProperty('key');
    expect(readTpCell('9'.repeat(101))).toEqual({ error: `TP No ${'9'.repeat(40)}… has more than 100 characters` });
  });
});

describe('the header', () => {
  it.each([
    [['Transit Pass No', 'HSD Amt'], 0, 1],
    [['TP', 'Transit Pass No', 'Date', 'Amount'], 0, 3],
    [['Amount in Rs', 'T.P.'], 1, 0],
  ])('%j', (cells, tpColumn, amountColumn) => {
    expect(findHeader([cells])).toEqual({ row: 0, tpColumn, amountColumn });
  });
});

describe('rows with the same TP', () => {
  const record = (row: number, key: string) => ({ row, tpNo: key.toLowerCase(), key, amount: '1.00' });

  it('are none of them matched, and each names another', () => {
    const { single, repeated } = separateRepeated([record(2, 'A'), record(3, 'B'), record(5, 'A'), record(9, 'C')]);
    expect(single.map(({ key }) => key)).toEqual(['B', 'C']);
    expect(repeated.map(problemText)).toEqual([
      'Row 2: TP No a is also in row 5: leave it in the file once',
      'Row 5: TP No a is also in row 2: leave it in the file once',
    ]);
  });

  it('never lose a row: each is single or repeated, for any keys', () => {
    const keys = fc.array(fc.constantFrom('A', 'B', 'C', '__proto__', 'constructor', 'D'), { maxLength: 30 });
    fc.assert(
      fc.property(keys, (wanted) => {
        const records = wanted.map((key, index) => record(index + 2, key));
        const { single, repeated } = separateRepeated(records);
        expect(single.length + repeated.length).toBe(records.length);
        expect(new Set(single.map(({ key }) => key)).size).toBe(single.length);
      }),
      { seed: testSeed('repeated TP numbers') },
    );
  });
});

describe('the difference', () => {
  it.each([
    ['9264.00', '9264.00', null],
    ['9264.01', '9264.00', '0.01'],
    ['99.99', '100.00', '-0.01'],
    ['0.00', '5.00', '-5.00'],
  ])('%s against %s is %s', (uploaded, challan, difference) => {
    expect(hsdDifference(uploaded, challan)).toBe(difference);
  });
});
