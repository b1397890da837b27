import { describe, expect, it } from 'vitest';
import { longRows, makeSource, rowsOf, type Source } from '../../src/web/pages/import/import-source.ts';

const open = (...rows: string[][]): Source => {
  const source = makeSource('owners', 'owners.csv', null, [{ name: '', rows }]);
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
    const { rows, places } = rowsOf('owners', { ...source, leavesOutLong: true });
    expect([rows[0]?.[0], places]).toEqual(['Hari Lima', [2, 3]]);
  });

  it('is named where it is the only one', () => {
    expect(longRows(open(headings, shifted))).toEqual([1]);
  });

  it('is none where most rows have a column without a heading', () => {
    expect(longRows(open(headings, [...right, 'x'], [...right, 'y'], right))).toEqual([]);
    expect(longRows(open(headings, right, right))).toEqual([]);
  });
});
