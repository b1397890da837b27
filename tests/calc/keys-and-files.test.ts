import { possibleNumbers } from '../../src/shared/calc/challan-number.ts';
import { describe, expect, it } from 'vitest';
import {
  bankStatementFileName,
  challansFileName,
  ownerChallansFileName,
  paymentFileName,
  safeNamePart,
} from '../../src/shared/calc/file-names.ts';
import { headingKey } from '../../src/shared/calc/column-headings.ts';
import { findHeader, readAmountCell, readTpCell } from '../../src/shared/reading/pump-bill.ts';
import { displayVehicle, nameKey, tpKey, vehicleKey } from '../../src/shared/calc/keys.ts';

describe('vehicle numbers', () => {
  it.each([
    'OD 09 AB 1234',
    'od-09-ab-1234',
    ' OD09ab1234 ',
    'OD\t09\u00a0AB-1234',
    'OD.09.AB.1234',
    'OD–09—AB\u20111234\u200b',
    '\u200eOD09AB1234\u2060',
  ])('%j is one vehicle', (text) => {
    expect(vehicleKey(text)).toBe('OD09AB1234');
  });

  it('are shown as typed, upper-cased', () => {
    expect(displayVehicle(' od-09 ab 1234 ')).toBe('OD-09 AB 1234');
  });

  it('differ in any other sign', () => {
    expect(vehicleKey('OD09AB1234')).not.toBe(vehicleKey('OD09AB1235'));
    expect(vehicleKey('OD/09')).toBe('OD/09');
  });
});

it('makes one key of a name, whatever its case, its spaces and the composition of its letters', () => {
  const composed = 'Ren\u00e9  Das';
  const decomposed = ' rene\u0301\tDAS\n';
  expect(composed.trim()).not.toBe(decomposed.trim());
  expect(nameKey(decomposed)).toBe(nameKey(composed));
  expect(nameKey('\u092b\u093c\u0948\u091c\u0932')).toBe(nameKey('\u095e\u0948\u091c\u0932'));
  expect(nameKey('Anil & Sons')).not.toBe(nameKey('Anil and Sons'));
  expect(nameKey('M/s. Ram-Das  Tpt.\u200b')).toBe(nameKey('M/S RAM DAS TPT'));
  expect(nameKey('Ram Das')).not.toBe(nameKey('Ramdas'));
  expect(nameKey(' \u00a0 ')).toBe('');
});

describe('a typed challan or payment number', () => {
  const today = '2026-11-22';
  it.each(['CH-2627-000123', 'ch-2627-123', 'CH 2627 000123', '2627-123', '  Ch2627-0123 '])(
    '%j is one number',
    (text) => {
      expect(possibleNumbers('CH', text, today)).toEqual(['CH-2627-000123']);
    },
  );

  it('means this and the last years where it names none', () => {
    const meant = possibleNumbers('PAY', 'PAY-7', today);
    expect(meant.slice(0, 3)).toEqual(['PAY-2627-000007', 'PAY-2526-000007', 'PAY-2425-000007']);
    expect(meant).toHaveLength(10);
    expect(possibleNumbers('CH', '1234567', '2026-03-31')[0]).toBe('CH-2526-1234567');
    expect(possibleNumbers('CH', '5', '2003-05-01').slice(2, 5)).toEqual([
      'CH-0102-000005',
      'CH-0001-000005',
      'CH-9900-000005',
    ]);
  });

  it.each(['PAY-2627-000123', 'CH-2628-1', 'CH-', 'ravi', 'OD09AB1001', '9437000001', '12 3', ''])(
    '%j is none',
    (text) => {
      expect(possibleNumbers('CH', text, today)).toEqual([]);
    },
  );
});

describe('TP numbers', () => {
  it.each([
    [' kjr/24-25/0123456 ', 'KJR/2425/0123456'],
    ['KJR / 24-25 / 0123456', 'KJR/2425/0123456'],
    ['12345.0', '12345'],
    ['12345.00', '12345'],
    ['000123456', '000123456'],
    ['12345.5', '123455'],
    ['KJR–24.25\u200b-01', 'KJR242501'],
    ['Y0123456', 'Y0123456'],
    ['२४०९', '2409'],
    ['A1.0', 'A10'],
  ])('%j is compared as %s', (text, key) => {
    expect(tpKey(text)).toBe(key);
    expect(tpKey(key)).toBe(key);
  });
});

describe('the header of an HSD file', () => {
  it.each(['T.P. No', 'tp_no', 'TP NUMBER', 'TP No', ' Tp  No. ', 'TP-No', 'TP#'])('%j is the TP column', (header) => {
    expect(findHeader([[header, 'Amount']])).toEqual({ row: 0, tpColumn: 0, amountColumn: 1 });
  });

  it.each(['Amount', 'HSD Amount', 'Amount (Rs)', 'AMOUNT', 'hsd_amount', 'Amount (₹)', 'Amount Rs.'])(
    '%j is the amount column',
    (header) => {
      expect(findHeader([['Date', header, 'TP No']])).toEqual({ row: 0, tpColumn: 2, amountColumn: 1 });
    },
  );

  it.each(['TP Note', 'TPs', 'Amount paid', 'No', ''])('%j is neither', (header) => {
    expect(findHeader([[header, 'Amount', 'x']])).toHaveProperty('error');
    expect(findHeader([[header, 'TP No', 'x']])).toHaveProperty('error');
  });

  it('may be in any of the first 20 rows', () => {
    const above = (count: number) => Array.from({ length: count }, () => ['Statement of HSD', '']);
    expect(findHeader([...above(19), ['TP No', 'Amount']])).toMatchObject({ row: 19 });
    expect(findHeader([...above(20), ['TP No', 'Amount']])).toEqual({
      error: "The file needs a 'TP No' and an 'Amount' column within its first 20 rows.",
    });
  });

  it('prefers the HSD amount, and refuses two of a kind', () => {
    expect(findHeader([['Amount', 'TP No', 'HSD Amount']])).toEqual({ row: 0, tpColumn: 1, amountColumn: 2 });
    for (const twin of ['amount', 'Amt', 'Amount (Rs)', 'Bill Amount']) {
      const error = "Row 1 has more than one 'Amount' column.";
      expect(findHeader([['TP No', 'Amount', twin]]), twin).toEqual({ error });
    }
    expect(findHeader([['TP No', 'tp no', 'Amount']])).toEqual({ error: "Row 1 has more than one 'TP No' column." });
  });

  it('keeps letters of any script in its key', () => {
    expect(headingKey(' ରାଶି (₹)')).toBe('ରାଶିrs');
    expect(headingKey('__proto__')).toBe('proto');
  });
});

describe('the cells of an HSD file', () => {
  it.each([
    ['₹ 1,23,456.00', '123456.00'],
    ['7920.72', '7920.72'],
    ['9263.999999999998', '9264.00'],
    [' 1 234.5 ', '1234.50'],
    ['0', '0.00'],
  ])('amount %j is %s', (text, amount) => {
    expect(readAmountCell(text)).toEqual({ amount });
  });

  it.each([
    ['', 'Amount is empty'],
    ['n/a', "Amount 'n/a' is not an amount"],
    ['-5', "Amount '-5' is not an amount"],
    ['1.2E+5', "Amount '1.2E+5' is not an amount"],
  ])('amount %j: %s', (text, error) => {
    expect(readAmountCell(text)).toEqual({ error });
  });

  it('reads a TP as text', () => {
    expect(readTpCell(' 000123 ')).toEqual({ tpNo: '000123', key: '000123' });
    expect(readTpCell('12345.0')).toEqual({ tpNo: '12345', key: '12345' });
    expect(readTpCell('kjr/24-25/01')).toEqual({ tpNo: 'kjr/24-25/01', key: 'KJR/2425/01' });
    expect(readTpCell('  ')).toEqual({ error: 'TP No is empty' });
    expect(readTpCell('2.40901E+12')).toEqual({
      error: 'TP No 2.40901E+12 has lost digits: format the column as text',
    });
  });
});

describe('file names', () => {
  const today = '2026-05-02';
  it.each([
    [{ today }, 'bank_statement_2026-05-02.csv'],
    [{ today, ownerName: 'Bikash Mohanta' }, 'bank_statement_Bikash_Mohanta_2026-05-02.csv'],
    [{ today, from: '2026-04-01', to: '2026-04-30' }, 'bank_statement_2026-04-01_to_2026-04-30_2026-05-02.csv'],
    [
      { today, ownerName: 'Md. Irfan "Bunty" Ansari', from: '2026-04-01', to: '2026-04-30' },
      'bank_statement_Md_Irfan_Bunty_Ansari_2026-04-01_to_2026-04-30_2026-05-02.csv',
    ],
    [{ today, from: '2026-04-01' }, 'bank_statement_from_2026-04-01_2026-05-02.csv'],
    [{ today, to: '2026-04-30' }, 'bank_statement_to_2026-04-30_2026-05-02.csv'],
    [{ today, ownerName: '../../;\r\n' }, 'bank_statement_2026-05-02.csv'],
  ])('%j', (file, name) => {
    expect(bankStatementFileName(file)).toBe(name);
  });

  it('keep a name in Odia or Hindi', () => {
    expect(safeNamePart('ବିକାଶ ମହାନ୍ତ')).toBe('ବିକାଶ_ମହାନ୍ତ');
  });

  it('are safe and short for any name', () => {
    for (const name of ['a/b\\c', '..', 'x'.repeat(300), 'a\u0000b', 'a\u202eb', '=1+1', '', '😀', 'CON:']) {
      expect(safeNamePart(name)).toMatch(/^[\p{L}\p{M}\p{N}_-]{0,60}$/u);
    }
  });

  it('of the other files', () => {
    expect(paymentFileName(12, today)).toBe('payment_12_2026-05-02.csv');
    expect(challansFileName(today)).toBe('challans_2026-05-02.csv');
    expect(ownerChallansFileName('Sanjukta Naik', today)).toBe('owner_challans_report_Sanjukta_Naik_2026-05-02.csv');
  });
});
