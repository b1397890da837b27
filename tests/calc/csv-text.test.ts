import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CSV_BOM,
  CSV_LINE_END,
  csvIdentifier,
  csvLine,
  csvNumber,
  csvText,
  formulaSafe,
  identifierSafe,
} from '../../src/shared/calc/csv-text.ts';
import { MoneyError } from '../../src/shared/calc/money.ts';
import { testSeed } from './seed.ts';

const seed = testSeed('csv properties');

describe('text cells', () => {
  it.each([
    '=1+1',
    '+91 98',
    '-5',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\u0000=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    ' =1',
    '\u200b=1',
    '\ufeff=1',
  ])('%j gets an apostrophe in front', (text) => {
    expect(formulaSafe(text)).toBe(`'${text}`);
  });

  it.each(['', 'Joda', "O'Brien", "'=1", '1+1', 'a=b', '500.00', 'ବିକାଶ', '₹ 5', '000123'])('%j stays', (text) => {
    expect(formulaSafe(text)).toBe(text);
  });

  it('are quoted, quotes doubled; an absent one is nothing', () => {
    expect(csvText('Joda, "old" siding')).toBe('"Joda, ""old"" siding"');
    expect(csvText('')).toBe('""');
    expect(csvText(null)).toBe('');
    expect(csvText(undefined)).toBe('');
  });
});

describe('identifiers keep their zeros and digits', () => {
  it.each([
    '000123456',
    '0',
    '2409012345678',
    '123456789012',
    '12.50',
    '1-2',
    '3/4',
    '10:30',
    '12E5',
    '1e10',
    '-5',
    'MAR5',
    '5-Mar',
    'jan 24',
    '1,234',
  ])('%j gets an apostrophe in front', (text) => {
    expect(identifierSafe(text)).toBe(`'${text}`);
  });

  it.each([
    '12345',
    '9876543210',
    'OD09AB1234',
    'SBIN0001234',
    'KJR/24-25/0123456',
    'Y0123456',
    'Marshal',
    'May',
    'MAR5X',
    '',
  ])('%j stays', (text) => {
    expect(identifierSafe(text)).toBe(text);
  });

  it('are quoted text', () => {
    expect(csvIdentifier('000123')).toBe(`"'000123"`);
    expect(csvIdentifier(null)).toBe('');
  });
});

describe('numbers stay numbers', () => {
  it.each([
    ['1234.50', '1234.50'],
    ['-500.00', '-500.00'],
    [12, '12'],
    [null, ''],
    ['', ''],
  ])('%j is %s', (value, cell) => {
    expect(csvNumber(value)).toBe(cell);
  });

  it.each(['=1', '1,234', '₹5', '1e5', 'abc', '+5'])('%j is not let through as a number', (value) => {
    expect(() => csvNumber(value)).toThrow(MoneyError);
  });
});

describe('a file', () => {
  it('begins with a byte order mark and ends its lines with CRLF', () => {
    expect([CSV_BOM, CSV_LINE_END]).toEqual(['\ufeff', '\r\n']);
    expect(csvLine([csvText('a'), csvNumber('-1.00'), csvIdentifier('007')])).toBe(`"a",-1.00,"'007"\r\n`);
  });

  it('is read back by another reader, cell by cell, for any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 3, maxLength: 3 }), { minLength: 1 }),
        (rows) => {
          const file = rows.map((cells) => csvLine(cells.map(csvText))).join('');
          const read: string[][] = parse(file, { record_delimiter: '\r\n' });
          expect(read).toEqual(rows.map((cells) => cells.map(formulaSafe)));
          for (const cell of read.flat()) expect(cell).not.toMatch(/^\s*[=+\-@]/);
        },
      ),
      { seed, numRuns: 500 },
    );
  });
});
