import { describe, expect, it } from 'vitest';
import { readAccountStatement } from '../../../src/shared/bank-answers/account-statement.ts';
import { readDelimited } from '../../../src/shared/sheet/delimited-text.ts';
import { makeSource, withField, withHeadings } from '../../../src/web/features/bank/answer/answer-source.ts';
import { rememberColumns } from '../../../src/web/features/bank/answer/column-memory.ts';

const today = '2026-11-27';
const open = (rows: string[][], accountId = '') => makeSource('file', rows, false, accountId);
const heading = 'Date(Value Date),Remarks,UTR No,Debit(Rs),Credit(Rs),Balance(Rs)';
const paid = '27-Nov-26 (27-Nov-26),PAY2627000453-10,N331262345678999,"24,750.00",-,"1,00,102.03"';

describe('a table with columns that only statements have', () => {
  it.each([
    ['a day that is none', `${heading}\n${paid.replace('27-Nov-26', '31-Feb-26')}`],
    ['the month first', `${heading}\n${paid.replace('27-Nov-26 (27-Nov-26)', '11/27/2026')}`],
    ['no date at all', 'Remarks,Balance\nPAY1,5.00'],
    ['Debit and Credit', 'Customer Reference,UTR,Status,Debit,Credit\nPAY1,N331262345678999,Success,,5.00'],
    ['a column Dr/Cr', 'Customer Reference,UTR,Amount,Dr/Cr\nPAY1,N331262345678999,5.00,Cr'],
    ['Dr and Cr under Type', 'Customer Reference,UTR,Amount,Type\nPAY1,N331262345678999,5.00,CR'],
    ['Withdrawal/Deposit', 'Reference,UTR No,Withdrawal (Dr)/Deposit (Cr)\nPAY1,N331262345678999,5.00(Cr)'],
    ['a debit flag', 'Reference,UTR No,Amount,Debit/Credit Flag\nPAY1,N331262345678999,5.00,C'],
  ])('is never read as answers: %s', (_what, text) => {
    expect(open(readDelimited(text, ','))).toMatchObject({ kind: 'statement', isCertain: true });
  });

  it.each([
    'Customer Reference,Amount,Value Date,UTR,Status\nPAY1,5.00,27/11/2026,U1,Success',
    // Accounts and days of the two sides are no amounts.
    'Debit Account No,Credit Account No,Credit Date,Amount,UTR,Status\n1,2,27/11/2026,5.00,U1,Success',
    'Customer Reference,Date,Amount,UTR,Status\nPAY1,27/11/2026,5.00 Cr,U1,Success',
  ])('is none where a bank names what became of each payment: %s', (text) => {
    expect(open(readDelimited(text, ',')).kind).toBe('answers');
  });
});

describe('columns that a person chose', () => {
  const rows = [['My bank'], ['When', 'What for', 'Paid', 'Got'], ['27/11/2026', 'PAY1', '5.00', '']];

  it('are remembered for the account and the shape of the file, also below other titles', () => {
    const found = open(rows, 'a');
    expect(found.kind).toBe('answers');
    const file = withHeadings(found, 2);
    expect(file.mapping).toMatchObject({ headings: rows[1], firstRow: 2, hasHeadings: true });
    rememberColumns(
      { kind: 'statement', accountId: 'a' },
      { ...file.mapping, columns: ['day', 'narration', 'withdrawal', 'deposit'] },
    );
    const again = open([['My bank'], ['Another title'], ...rows.slice(1)], 'a');
    if (again.kind !== 'statement') throw new Error('It is remembered as a statement');
    const read = readAccountStatement(again.rows, today, again.mapping);
    expect(read).toMatchObject({ lines: [{ row: 4, side: 'out', amount: '5.00', narration: 'PAY1' }] });
    expect(open(rows, 'b').kind).toBe('answers');
    expect(
      open(
        [
          ['When', 'What for', 'Got'],
          ['27/11/2026', 'PAY1', '5.00'],
        ],
        'a',
      ).kind,
    ).toBe('answers');
  });

  it('have each field once', () => {
    const file = open(readDelimited(`${heading}\n${paid}`, ','));
    if (file.kind !== 'statement') throw new Error('It is a statement');
    expect(withField(file, 2, 'withdrawal').mapping.columns).toEqual([
      'day',
      'narration',
      'withdrawal',
      null,
      'deposit',
      'balance',
    ]);
  });
});
