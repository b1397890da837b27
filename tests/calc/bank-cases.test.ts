import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { otherAccount } from '../../src/shared/bank-answers/account-in-title.ts';
import { readAccountStatement } from '../../src/shared/bank-answers/account-statement.ts';
import { answerMapping, readAnswers } from '../../src/shared/bank-answers/read-answers.ts';
import { isStatement, statementMapping } from '../../src/shared/bank-answers/statement-columns.ts';
import { matchLines } from '../../src/shared/bank-answers/match-lines.ts';
import { balanceOf, readOpening } from '../../src/shared/reading/opening-rows.ts';
import { mappedRows, recognise } from '../../src/shared/sheet/headings.ts';
import { importFields, readImportRow } from '../../src/shared/sheet/import-fields.ts';
import { squared } from '../../src/shared/sheet/table-cells.ts';
import { rowsOf, rowsOfCase } from '../read-table.ts';

/** Files of the shapes that banks and accounting programs write, with what they mean. */

const today = '2026-11-27';
const mayBeAnswers = (rows: string[][]): boolean => !isStatement(rows, [statementMapping(rows), answerMapping(rows)]);
function linesOf(rows: string[][]) {
  const statement = readAccountStatement(rows, today);
  if (statement.problem !== null) throw new Error(statement.problem);
  expect(statement.bad).toEqual([]);
  return statement.lines;
}

describe('statements', () => {
  it.each(
    readFileSync(path.resolve(import.meta.dirname, '../cases/g0-heading-rows-not-recognised.txt'), 'utf8')
      .trim()
      .split('\n'),
  )('are known by their row of headings: %s', async (line) => {
    const headings = line.slice(line.indexOf(':') + 1).trim();
    const rows = await rowsOf(`${headings}\n27/11/2026`);
    expect(mayBeAnswers(rows)).toBe(false);
    expect(readAccountStatement(rows, today).problem).toBeNull();
  });

  it.each([
    ['g1-boi-headings.csv', ['2026-11-27 out 24750.00 NEFT-PAY2627000453-10-CASE', '2026-11-27 in 10000.00 CASH DEP']],
    ['g2-axis-headings.csv', ['2026-11-27 out 24750.00 NEFT-PAY2627000453-10-CASE']],
    [
      'g3-statement-with-ref-and-remarks.csv',
      ['2026-11-27 out 24750.00 PAY2627000453-10', '2026-11-27 in 24750.00 PAY2627000453-11'],
    ],
    ['g4-sbi-tab.xls', ['2026-11-27 out 24750.00 TO TRANSFER-NEFT PAY2627000453-10']],
    ['g6-title-then-tabs.txt', ['2026-11-27 out 24750.00 NEFT PAY2627000453-10, JODA']],
  ])('%s is never read as answers, and has its lines', async (name, expected) => {
    const rows = await rowsOfCase(name);
    expect(mayBeAnswers(rows)).toBe(false);
    expect(linesOf(rows).map(({ day, side, amount, narration }) => `${day} ${side} ${amount} ${narration}`)).toEqual(
      expected,
    );
  });

  it('g3: the NEFT that came back is a return and no payment', async () => {
    const lines = linesOf(await rowsOfCase('g3-statement-with-ref-and-remarks.csv'));
    const sent = ['10', '11'].map((no) => ({
      id: no,
      amount: '24750.00',
      name: 'CASE TRUCK',
      accountNo: '6010011000027',
      reference: `PAY2627000453-${no}`,
      sentOn: '2026-11-26',
      state: 'in-file' as const,
      utr: '',
      isBooked: false,
    }));
    const found = matchLines(
      lines.map((line) => ({ ...line, id: String(line.row) })),
      sent,
    );
    expect(found.map(({ kind, candidates }) => [kind, candidates[0]?.line])).toEqual([
      ['executed', '10'],
      ['returned', '11'],
    ]);
  });

  it('p1 and p2: the lines of noon are known again in the evening, when the bank has added one above', async () => {
    const names = ['p1-statement-noon.csv', 'p2-statement-evening-balances-moved.csv'];
    const [noon, evening] = (await Promise.all(names.map(rowsOfCase))).map((rows) =>
      linesOf(rows).map(({ key }) => key),
    );
    expect([noon?.length, evening?.length]).toEqual([2, 3]);
    expect(evening?.filter((key) => !noon?.includes(key))).toEqual([expect.stringContaining('CHQ BOOK CHG')]);
  });
});

describe('the account that the titles name', () => {
  const chosen = '50200012345678';
  it.each([
    [['Account No : 50200012345678']],
    [['Account Number', '', ': 5020 0012 345678']],
    [['A/c No.: XXXXXXXX5678']],
    [['Account Number : 000050200012345678 - INR']],
    [['Linked A/c No 99999999999', 'Account No 50200012345678']],
    [['Account Statement from 01-04-2026 to 30-04-2026']],
    [['Account 01-04-2026 30-04-2026']],
    [['Account Open Date : 01/01/2010', 'Account Branch : BARBIL 758035000000']],
    [['CIF No 8000012345678', 'Mobile 9876543210']],
  ])('is the chosen one, or none: %s', async (row) => {
    expect(otherAccount([['ANY BANK'], row], chosen)).toBeNull();
  });

  it.each([
    [['Account No : 50200012349999']],
    [['Account Number', ':', '000000349999']],
    [['A/c No.: XXXXXXXX9999']],
    [['Statement of account 5020-0012-349999 for the period']],
  ])('is another one, said with the last digits alone: %s', async (row) => {
    const said = 'The statement is of account …9999, not of …5678. Choose its account.';
    expect(otherAccount([['ANY BANK'], row], chosen)).toBe(said);
  });
});

describe('reverse files', () => {
  it('g8: ten fields between tildes', async () => {
    const rows = await rowsOfCase('g8-tilde-reverse.txt');
    expect(mayBeAnswers(rows)).toBe(true);
    expect(readAnswers(rows, answerMapping(rows), {}, today)).toMatchObject({
      rows: [
        {
          reference: 'PAY2627000453-10',
          accountNo: '6010011000027',
          amount: '24750.00',
          utr: 'N331262345678995',
          day: '2026-11-27',
          state: 'executed',
        },
      ],
      bad: [],
    });
  });

  it('j1: what a spreadsheet has damaged is refused or shown, and never guessed', async () => {
    const rows = await rowsOfCase('j1-reverse-file-excel-damage.csv');
    const read = readAnswers(rows, answerMapping(rows), {}, today);
    const right = {
      reference: 'PAY2627000453-06',
      amount: '24750.00',
      utr: '331262345678',
      day: '2026-11-27',
      state: 'executed',
    };
    expect(read.rows).toMatchObject([
      // The damaged account is none of the line, so its row is not sure.
      { ...right, row: 3, accountNo: '70101E11' },
      { ...right, row: 4, doubt: 'its amount says 24,750.00 Cr' },
      { ...right, row: 5 },
      { ...right, row: 6 },
      { ...right, row: 7, accountNo: '701010001601' },
      { row: 11, state: 'failed', utr: '', reason: 'Invalid a/c' },
    ]);
    expect(read.bad.map(({ row, reason }) => `${row} ${reason}`)).toEqual([
      expect.stringMatching(/^2 .*has lost digits/),
      expect.stringMatching(/^8 #N\/A is an error of the spreadsheet/),
      '9 It has no UTR.',
      '10 “0.00” is not an amount.',
    ]);
    expect(read.unknown).toEqual([]);
  });
});

describe('opening balances', () => {
  it('h5: a group summary has what is owed to an owner as a credit, and what an owner owes as a debit', async () => {
    const fields = importFields['opening-balances'];
    const table = squared(await rowsOfCase('h5-tally-group-summary.csv'));
    const mapping = recognise(table, fields);
    expect(mapping.columns).toEqual(['ownerName', 'debit', 'credit']);
    const found = mappedRows(table, mapping).map(({ values }) => {
      const cells = fields.map(({ name }) => values[name] ?? '');
      const { texts } = readImportRow(fields, cells, today);
      const { balance } = balanceOf(texts);
      return [texts['ownerName'], readOpening({ day: '31/03/2026', balance, note: '' }, today).amount];
    });
    expect(found.slice(0, 2)).toEqual([
      ['Abdul Karim Alam', '12345.00'],
      ['Hemanta Pradhan', '-5000.00'],
    ]);
  });

  it('with a debit and a credit, or with neither, are wrong or missing', async () => {
    expect(balanceOf({ debit: '5.00', credit: '6.00' })).toMatchObject({
      balance: '',
      problem: expect.any(String) as string,
    });
    expect(balanceOf({ debit: '0.00', credit: '6.00' })).toEqual({ balance: '6.00', problem: undefined });
    expect(balanceOf({ debit: '5.00', credit: '0.00' })).toEqual({ balance: '-5.00', problem: undefined });
    expect(balanceOf({ debit: '0.00', credit: '' })).toEqual({ balance: '0.00', problem: undefined });
    expect(balanceOf({ debit: '', credit: '' })).toEqual({ balance: '', problem: undefined });
    expect(balanceOf({ amount: '-7.00', debit: '5.00' })).toEqual({ balance: '-7.00', problem: undefined });
  });
});
