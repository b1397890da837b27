import { describe, expect, it } from 'vitest';
import h3 from '../../cases/h3-unquoted-comma-in-address.csv?raw';
import h4 from '../../cases/h4-unquoted-groups.csv?raw';
import { readDelimited } from '../../../src/shared/sheet/delimited-text.ts';
import { longRows, makeSource, rowsOf, type Source } from '../../../src/web/features/import/import-source.ts';
import { sheetOf } from '../support/sheets.ts';

const caseText = (name: string): string => (name.startsWith('h3') ? h3 : h4);
const open = (...rows: string[][]): Source => {
  const source = makeSource('owners', { name: 'owners.csv', sha256: null, kind: 'comma' }, [sheetOf(rows)], 0);
  if (!source) throw new Error('The table has rows');
  return source;
};
const headings = ['Owner Name', 'Contact Number', 'Address', 'Account Number'];
const right = ['Hari Lima', '9437011112', 'Joda', '41230001001'];
const shifted = ['Gopal Lima', '9437011111', 'At/Po Joda', 'Keonjhar', '41230001000'];

describe('a row with more cells than headings', () => {
  it('is named, and left out when the user says so: its account is never an address', () => {
    const source = open(headings, shifted, right, right);
    expect(longRows(source)).toEqual([1]);
    const { rows, places } = rowsOf('owners', { ...source, longRows: 'left out' });
    expect([rows[0]?.[0], places]).toEqual(['Hari Lima', [2, 3]]);
  });

  it('is named where it is the only one', () => {
    expect(longRows(open(headings, shifted))).toEqual([1]);
  });

  it('is named however many there are, and taken when the user says so', () => {
    const source = open(headings, [...right, 'x'], [...right, 'y'], right);
    expect(longRows(source)).toEqual([1, 2]);
    expect(rowsOf('owners', { ...source, longRows: 'taken' }).rows).toHaveLength(3);
    expect(longRows(open(headings, right, right))).toEqual([]);
  });

  it.each([
    ['h3-unquoted-comma-in-address.csv', 'owners', [1]],
    ['h4-unquoted-groups.csv', 'challans', [1, 2]],
  ] as const)('of %s is named', (name, kind, rows) => {
    const file = { name, sha256: null, kind: 'comma' } as const;
    const source = makeSource(kind, file, [sheetOf(readDelimited(caseText(name), ','))], 0);
    expect(source && longRows(source)).toEqual(rows);
  });
});

describe('a cell that is merged down a column', () => {
  it('is in each of its rows, but a sum is only once', () => {
    const rows = [
      ['Owner Name', 'At the End of', 'Balance'],
      ['Ravi', '05/03/2026', '500'],
      ['', '06/03/2026', ''],
    ];
    const merges = [0, 2].map((column) => ({ column, first: 1, last: 2 }));
    const file = { name: 'a.xlsx', sha256: null, kind: 'xlsx' } as const;
    const source = makeSource('opening-balances', file, [sheetOf(rows, { merges })], 0);
    expect(source && rowsOf('opening-balances', source).rows).toEqual([
      ['Ravi', '05/03/2026', '500'],
      ['Ravi', '06/03/2026', ''],
    ]);
  });
});
