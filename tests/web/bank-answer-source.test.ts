import { describe, expect, it } from 'vitest';
import { readDelimited } from '../../src/shared/sheet/delimited-text.ts';
import { makeSource } from '../../src/web/pages/bank-answer/answer-source.ts';

const readText = (text: string): string[][] => readDelimited(text, ',');

const statement = (...rows: string[]) =>
  readText(['Date(Value Date),Remarks,UTR No,Debit(Rs),Credit(Rs),Balance(Rs)', ...rows].join('\n'));
const paid = '27-Nov-26 (27-Nov-26),PAY2627000453-10,N331262345678999,"24,750.00",-,"1,00,102.03"';
const returned = '27-Nov-26 (27-Nov-26),PAY2627000453-11,N331262345678998,-,"24,750.00","1,00,102.03"';

describe('a table with withdrawals, deposits or balances', () => {
  it('is a statement, in which a returned payment is money that came in', () => {
    const source = makeSource('statement.csv', statement(paid, returned), false);
    expect(source.kind).toBe('statement');
    expect(
      source.kind === 'statement' && source.read.lines.map(({ day, side, amount }) => [day, side, amount]),
    ).toEqual([
      ['2026-11-27', 'out', '24750.00'],
      ['2026-11-27', 'in', '24750.00'],
    ]);
  });

  it.each([
    [
      'a day that is none',
      statement(paid.replace('27-Nov-26', '31-Feb-26')),
      /No line can be read. Row 2: .* is no date/,
    ],
    ['the month first', statement(paid.replace('27-Nov-26 (27-Nov-26)', '11/27/2026')), /look like month\/day\/year/],
    ['no date at all', readText('Remarks,Balance\nPAY1,5.00'), /No row of headings was found with a date/],
  ])('is never read as answers: %s', (_what, rows, sentence) => {
    expect(() => makeSource('statement.csv', rows, false)).toThrow(sentence);
  });

  it('is none where a bank names what became of each payment', () => {
    const rows = readText('Customer Reference,Amount,Value Date,UTR,Status\nPAY1,5.00,27/11/2026,U1,Success');
    expect(makeSource('reverse.csv', rows, false).kind).toBe('answers');
  });
});
