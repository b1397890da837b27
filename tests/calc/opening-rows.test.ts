import { describe, expect, it } from 'vitest';
import { readOpeningRows } from '../../src/shared/reading/opening-rows.ts';

const today = '2026-11-22';
const read = (...table: string[][]) => readOpeningRows(table, today);

describe('pasted opening balances', () => {
  it('are owner, day, balance and note, below headings or not', () => {
    const rows = [
      ['Bikash Mohanta', '31/03/2026', '1,23,456.5', 'Old book'],
      ['', '', '', ''],
      ['Sanjukta Naik', '2026-03-31', '-500'],
    ];
    const found = [
      {
        row: 1,
        owner: 'Bikash Mohanta',
        asOf: '2026-03-31',
        amount: '123456.50',
        note: 'Old book',
        problem: undefined,
      },
      { row: 3, owner: 'Sanjukta Naik', asOf: '2026-03-31', amount: '-500.00', note: '', problem: undefined },
    ];
    expect(read(...rows)).toEqual(found);
    const below = read(['Owner', 'Day', 'Balance', 'Note'], ...rows);
    expect(below).toEqual(found.map((one) => ({ ...one, row: one.row + 1 })));
  });

  it('begin with a balance of nothing, as spreadsheets show it', () => {
    const amounts = ['-', 'Nil', ''].map((balance) => read(['A', '31/03/2026', balance])[0]);
    expect(amounts.map((row) => row?.amount)).toEqual(['0.00', '0.00', '']);
    expect(amounts.map((row) => row?.problem)).toEqual([undefined, undefined, 'The balance is missing']);
  });

  it('have a side as ledgers write it', () => {
    const amounts = ['450 Dr', '450.00Cr', '0 Dr', '450 dr.', '−450'].map((balance) =>
      read(['A', '1/4/2026', balance]),
    );
    expect(amounts.map(([row]) => row?.amount)).toEqual(['-450.00', '450.00', '0.00', '-450.00', '-450.00']);
  });

  it('say what is wrong with a row', () => {
    const problem = (...cells: string[]) => read(['head', '', ''], cells)[0]?.problem;
    expect(problem('', '31/03/2026', '5')).toBe('The owner is missing');
    expect(problem('A', '', '5')).toBe('The day is missing');
    expect(problem('A', '31/03/2026', '')).toBe('The balance is missing');
    expect(problem('A', '23/11/2026', '5')).toBe('The day is still to come');
    expect(problem('A', '31/03/2026', '5 lakh')).not.toBeUndefined();
    expect(problem('A', '45/03/2026', '5')).not.toBeUndefined();
    expect(problem('A', '31/03/2026', '5', 'x'.repeat(201))).toBe('The note has more than 200 characters');
  });
});
