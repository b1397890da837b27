import { describe, expect, it } from 'vitest';
import { readAccountStatement, type StatementLine } from '../../src/shared/bank-answers/account-statement.ts';
import { booked, shapes, type Booked } from './statement-shapes.ts';

const today = '2026-11-27';
const lines: Booked[] = booked(
  Array.from({ length: 45 }, (_, at) => ({
    day: `2026-04-${String(1 + Math.floor(at / 2)).padStart(2, '0')}`,
    side: at % 7 === 3 ? ('in' as const) : ('out' as const),
    amount: `${12_345 + at * 1_111}.${String(at).padStart(2, '0')}`,
    narration: `NEFT DR-SBIN0001234-OWNER ${at}-BARBIL, PAY2627000444-${String(at).padStart(2, '0')}`,
    reference: at % 3 === 0 ? '' : `0000SBIN5260401234${at}`,
  })),
);

function read(rows: string[][]): {
  lines: StatementLine[];
  bad: unknown[];
  skipped: { text: string; reason: string }[];
} {
  const statement = readAccountStatement(rows, today);
  if (statement.problem !== null) throw new Error(statement.problem);
  return statement;
}

describe('the statement of an account', () => {
  it.each(Object.keys(shapes))('is read in the shape “%s”: every line, nothing else', (shape) => {
    const statement = read(shapes[shape]!(lines));
    const found = statement.lines.map(({ day, side, amount, narration }) => `${day} ${side} ${amount} ${narration}`);
    const expected = lines.map(({ day, side, amount, narration }) => `${day} ${side} ${amount} ${narration}`);
    expect(found.sort()).toEqual(expected.sort());
    expect(statement.bad).toEqual([]);
    if (!shape.includes('signed')) {
      expect(statement.lines.map(({ balance }) => balance).sort()).toEqual(lines.map(({ balance }) => balance).sort());
    }
  });

  it.each(Object.keys(shapes))('overlaps itself without a second key in the shape “%s”', (shape) => {
    const keysOf = (from: number, to: number): string[] =>
      read(shapes[shape]!(lines.slice(from, to))).lines.map(({ key }) => key);
    const [first, second] = [keysOf(0, 30), keysOf(12, 45)];
    expect(new Set([...first, ...second]).size).toBe(45);
  });

  it('knows a line again when only its balance, its spaces or the zeros of an empty reference changed', () => {
    const first = lines.slice(0, 3).map((line) => ({ ...line, reference: '', balance: '500000.00' }));
    const later = first.map((line) => ({
      ...line,
      reference: '000000000000',
      narration: line.narration.replace(' ', '   '),
      balance: '500100.00',
    }));
    const keys = [first, [lines[5]!, ...later]].map((some) =>
      read(shapes['two columns with a summary']!(some)).lines.map(({ key }) => key),
    );
    expect(keys[1]).toEqual(expect.arrayContaining(keys[0] ?? []));
    expect(keys[0]).toHaveLength(3);
  });

  it('counts equal lines of a day', () => {
    const twin = { ...lines[0]!, balance: '' };
    const { lines: two } = read(shapes['one signed column']!([twin, twin]));
    expect(new Set(two.map(({ key }) => key)).size).toBe(2);
  });

  it('names rows that it cannot read', () => {
    const rows = shapes['two columns with a summary']!(lines.slice(0, 3));
    const at = rows.findIndex(([cell]) => cell === 'Date') + 2;
    rows.splice(
      at,
      0,
      ['31/02/26', 'No such day', '', '', '1.00', '', ''],
      ['', 'No day', '', '', '1.00', '', ''],
      ['01/04/26', 'Two amounts', '', '', '1.00', '2.00', ''],
      ['01/04/26', 'Not an amount', '', '', '12,50', '', ''],
      ['01/04/26', 'No amount', '', '', '', '', ''],
    );
    const statement = read(rows);
    expect(statement.lines).toHaveLength(3);
    expect(statement.bad).toMatchObject([
      { row: at + 1, reason: '“31/02/26” is not a date.' },
      { row: at + 2, reason: 'It has no date.' },
      { row: at + 3, reason: 'It has a withdrawal and a deposit.' },
      { row: at + 4, reason: '“12,50” is not an amount.' },
      { row: at + 5, reason: 'It has no amount.' },
    ]);
  });

  const headings = ['Date', 'Particulars', 'Cheque No', 'Debit', 'Credit', 'Balance'];
  const paid = ['01/04/26', 'NEFT TO OWNER', '123', '100.00', '', '900.00'];

  it.each([
    'TRANSACTION TOTAL',
    'Transaction Total DR/CR',
    'Statement Total',
    'STATEMENT TOTALS :',
    'Total',
    'Grand Total',
    'Sub-Total',
    'Page Total',
    'Day Total',
    'Monthly Total',
    'Cumulative Totals',
    'Total Debits',
    'Credit Total',
    'Total Withdrawals',
    'Total Amount (Rs.)',
    'Totals for the period',
    'Account Total',
    'कुल योग',
    'योग',
  ])('takes a row “%s” for a total, with and without a date, and with one amount or both', (text) => {
    for (const day of ['', '30/04/26'])
      for (const [out, into] of [
        ['100.00', '50.00'],
        ['100.00', ''],
        ['', '50.00'],
        ['', ''],
      ]) {
        for (const cells of [
          [day, text, '', out!, into!, ''],
          [day || text, day && text, '', out!, into!, '950.00'],
        ]) {
          const statement = read([headings, paid, cells, [...paid.slice(0, 5), '800.00']]);
          expect([cells, statement.lines.length, statement.bad, statement.skipped]).toEqual([
            cells,
            2,
            [],
            [expect.objectContaining({ row: 3, reason: 'A total or a summary' })],
          ]);
        }
      }
  });

  it.each(['OPENING BALANCE', 'Closing Balance', 'Brought Forward', 'BALANCE B/F', 'Carried forward:'])(
    'takes a row “%s” with a date and an amount for a balance',
    (text) => {
      const statement = read([headings, ['01/04/26', text, '', '', '1000.00', '1000.00'], paid]);
      expect(statement.lines).toHaveLength(1);
      expect(statement.skipped).toMatchObject([{ row: 2, reason: 'A balance' }]);
    },
  );

  it.each([
    ['TOTAL ENERGIES MARKETING INDIA', ''],
    ['Total Gas Agency Barbil', ''],
    ['NEFT-TRANSACTION TOTAL LOGISTICS', ''],
    ['PAYMENT OF TOTAL AMOUNT', ''],
    // Only a transaction has a reference.
    ['TOTAL', 'SBIN526040123456'],
  ])('takes “%s” with a date and an amount for a transaction', (narration, reference) => {
    const statement = read([headings, ['01/04/26', narration, reference, '500.00', '', '400.00']]);
    expect(statement.lines).toMatchObject([{ narration, amount: '500.00' }]);
  });

  it.each([
    ['a deposit in the column of withdrawals', ['01/04/26', 'A', '', '100.00 Cr', '', ''], /column of withdrawals/],
    ['a withdrawal that is taken back', ['01/04/26', 'A', '', '-100.00', '', ''], /column of withdrawals/],
    ['a deposit that is taken back', ['01/04/26', 'A', '', '', '-100.00', ''], /column of deposits/],
    ['a cell too many', ['01/04/26', 'A', '', '', '10', '000.00', '900.00'], /more cells than there are headings/],
  ])('reads no row in which a sign or a cell contradicts its column: %s', (_what, row, reason) => {
    const statement = read([headings, paid, row]);
    expect(statement.lines).toHaveLength(1);
    expect(statement.bad).toEqual([
      expect.objectContaining({ row: 3, reason: expect.stringMatching(reason) as string }),
    ]);
  });

  it.each([
    ['a withdrawal under Deposits', ['01/04/26', 'A', 'B', '000000', '100.00', '-', '900.00', 'NEFT']],
    ['a part of an amount under Balance', ['01/04/26', 'A', '', '', '10', '000.00', '900.00', 'NEFT']],
  ])('reads no row by headings that its values do not fit, where no other row shows it: %s', (_what, row) => {
    const marked = ['Date', 'Particulars', 'Chq No', 'Withdrawals', 'Deposits', 'Balance', 'Dr/Cr'];
    const fitting = ['01/04/26', 'A', '', '100.00', '', '900.00', '', 'NEFT'];
    expect(read([marked, fitting])).toMatchObject({ lines: [{ side: 'out', amount: '100.00' }], bad: [] });
    expect(read([marked, row])).toMatchObject({ lines: [], bad: [{ row: 2 }] });
  });

  it('reads withdrawals that all have a minus, and no amount whose Dr contradicts its minus', () => {
    expect(read([headings, ['01/04/26', 'A', '', '-100.00', '', '']]).lines).toMatchObject([{ side: 'out' }]);
    const marked = ['Date', 'Particulars', 'Amount', 'Dr/Cr'];
    const { lines: some, bad } = read([marked, ['01/04/26', 'A', '-5.00', 'DR'], ['01/04/26', 'B', '-6.00', 'CR']]);
    expect(some).toMatchObject([{ narration: 'A', side: 'out' }]);
    expect(bad).toMatchObject([{ row: 3, reason: '“-6.00” and “CR” say the opposite.' }]);
  });

  it('says what is missing and which headings were seen', () => {
    expect(
      readAccountStatement(
        [
          ['TP No', 'Amount'],
          ['1', '2'],
        ],
        today,
      ),
    ).toMatchObject({
      problem: expect.stringContaining('No column was found for a date, a narration') as string,
    });
  });

  it('finds headings below many lines of title', () => {
    const titles = Array.from({ length: 30 }, (_, at) => [`Title ${at}`]);
    expect(read([...titles, ...shapes['one signed column']!(lines)]).lines).toHaveLength(45);
  });
});
