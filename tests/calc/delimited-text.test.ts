import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDelimited } from '../../src/shared/sheet/delimited-text.ts';
import { testSeed } from './seed.ts';
import { long } from '../long.ts';

const rowsOf = (text: string, delimiter = ','): string[][] => readDelimited(text, delimiter);

describe('the rows of a CSV text', () => {
  it.each([
    [
      'a,b\r\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a,b\n', [['a', 'b']]],
    ['\n\na', [[''], [''], ['a']]],
    [
      'a,\n,',
      [
        ['a', ''],
        ['', ''],
      ],
    ],
    ['a\rb\r\nc\nd', [['a'], ['b'], ['c'], ['d']]],
    ['"a,b","c""d"', [['a,b', 'c"d']]],
    ['"a\nb",c\nd', [['a\nb', 'c'], ['d']]],
    ['"a"b,c', [['ab', 'c']]],
    ['a"b,c', [['a"b', 'c']]],
    ['""', [['']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(rowsOf(text)).toEqual(rows);
  });

  it('are those that another reader finds, for any cells', () => {
    const seed = testSeed('CSV rows');
    const cell = fc.string({
      unit: fc.constantFrom('a', 'ଓ', '₹', '1', ' ', '"', ',', ';', '\t', '\n', '\r'),
      maxLength: 12,
    });
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });
    const styles = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t'),
      lineEnd: fc.constantFrom('\n', '\r\n'),
      isAllQuoted: fc.boolean(),
    });
    fc.assert(
      fc.property(table, styles, (rows, { delimiter, lineEnd, isAllQuoted }) => {
        const write = (text: string) =>
          isAllQuoted || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        const text = rows.map((cells) => cells.map(write).join(delimiter) + lineEnd).join('');
        const other: string[][] = parse(text, { delimiter, relax_column_count: true, record_delimiter: [lineEnd] });
        expect(rowsOf(text, delimiter)).toEqual(other);
        expect(rowsOf(text, delimiter)).toEqual(rows);
      }),
      { seed, numRuns: long(2_000) },
    );
  });
});
