import type { CorpusFile, Expected } from './case.ts';

export const plainRows = [
  'TP No,Amount',
  '240901234567,9264.00',
  'KJR/24-25/0123456,"1,23,456.50"',
  '000123,₹ 500.00',
  'DONE-1,650',
  'UNKNOWN-9,10',
];
/** "Already verified" wins over a mismatch (docs/specification.md §11.3). */
export const plainExpected: Expected = {
  matches: ['240901234567', 'KJR/24-25/0123456', '000123'],
  verified: ['DONE-1'],
  notFound: ['UNKNOWN-9'],
};
const plain = `${plainRows.join('\r\n')}\r\n`;

const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const lines =
  (...rows: string[]): (() => Buffer) =>
  () =>
    Buffer.from(rows.join('\n'));
const above = (count: number): string[] => Array.from({ length: count }, (_, n) => `Statement of HSD, page ${n + 1}`);

const csv = (name: string, bytes: () => Buffer, expected: Expected): CorpusFile => ({
  name: `csv: ${name}`,
  fileName: 'bill.csv',
  bytes,
  expected,
});

export const goodCsv: readonly CorpusFile[] = [
  csv('plain', () => Buffer.from(plain), plainExpected),
  csv('with a byte order mark', () => Buffer.from(`\ufeff${plain}`), plainExpected),
  csv('with semicolons', lines('TP No;Amount', '240901234567;9264', '000123;1,500.00'), {
    matches: ['240901234567'],
    mismatches: [['000123', '1000.00']],
  }),
  csv('with tabs', lines('TP No\tAmount', '240901234567\t9,264.00'), { matches: ['240901234567'] }),
  csv('UTF-16 little endian', () => utf16le(`\ufeff${plain}`), plainExpected),
  csv('UTF-16 big endian', () => utf16be(`\ufeff${plain}`), plainExpected),
  csv('UTF-16 without a mark', () => utf16le(lines('TP No\tAmount', '000123\t500.00')().toString()), {
    matches: ['000123'],
  }),
  csv('UTF-16 big endian without a mark', () => utf16be(lines('TP No\tAmount', '000123\t500.00')().toString()), {
    matches: ['000123'],
  }),
  csv('Windows-1252', () => Buffer.from('TP No,Driver,Amount\n000123,M\u00fcller,500\n', 'latin1'), {
    matches: ['000123'],
  }),
  csv('lines that end with CR alone', () => Buffer.from('TP No,Amount\r000123,500\rDONE-1,1'), {
    matches: ['000123'],
    verified: ['DONE-1'],
  }),
  csv('mixed line ends and no last one', () => Buffer.from('TP No,Amount\r\n000123,500\n\rBAD,\r\nDONE-1,1'), {
    matches: ['000123'],
    verified: ['DONE-1'],
    errors: ['Row 4: TP No BAD: Amount is empty'],
  }),
  csv('a cell of two lines keeps the rows in count', lines('TP No,Note,Amount', '000123,"one\ntwo",500', ',x,5'), {
    matches: ['000123'],
    errors: ['Row 3: TP No is empty'],
  }),
  csv('header in row 20', lines(...above(19), 'TP No,Amount', '000123,500'), { matches: ['000123'] }),
  csv('header with other words and order', lines('Date,Amount (Rs.),Litres,T.P. Number', '1/4/26,500,5,000123'), {
    matches: ['000123'],
  }),
  csv('HSD Amount beside Amount', lines('TP_NO,Amount,HSD Amount', '000123,999,500'), { matches: ['000123'] }),
  csv('sep= in the first line', lines('sep=;', 'TP No;Amount', '000123;500'), { matches: ['000123'] }),
  csv('blank rows and empty cells behind', lines('', 'TP No,Amount,,,', ',,,,', '000123,500,,,', '', ' , ', ''), {
    matches: ['000123'],
  }),
  csv('64 columns', lines(`TP No,Amount${',x'.repeat(62)}`, `000123,500${',1'.repeat(62)}`), { matches: ['000123'] }),
  csv('cells of 1,000 characters', lines('TP No,Amount,Note', `000123,500,${'n'.repeat(1000)}`), {
    matches: ['000123'],
  }),
  csv(
    'amounts as people write them',
    lines(
      'TP No,Amount',
      '240901234567,Rs. 9264/-',
      'KJR/24-25/0123456,"INR 1,23,456.5"',
      '000123, 500 ',
      'OD77,"₹19,937.235"',
    ),
    { matches: ['240901234567', 'KJR/24-25/0123456', '000123', 'OD77'] },
  ),
  csv('amounts that are none', lines('TP No,Amount', 'A,', 'B,abc', 'C,-5', 'D,"12,50"', 'E,1e5', 'F,9999999999999'), {
    errors: [
      'Row 2: TP No A: Amount is empty',
      "Row 3: TP No B: Amount 'abc' is not an amount",
      "Row 4: TP No C: Amount '-5' is not an amount",
      "Row 5: TP No D: Amount '12,50' is not an amount",
      "Row 6: TP No E: Amount '1e5' is not an amount",
      "Row 7: TP No F: Amount '9999999999999' is not an amount",
    ],
  }),
  csv('digits of Indian scripts', lines('TP No,Amount', '०००१२३,५००.००', '2409,७७'), { matches: ['000123', '2409'] }),
  csv('TP in other case and spacing', lines('TP No,Amount', 'kjr / 24-25 / 0123456,123456.5', ' od77 ,19937.24'), {
    matches: ['kjr / 24-25 / 0123456', 'od77'],
  }),
  csv('12345.0 is 12345', lines('TP No,Amount', '12345.0,4675.80'), { matches: ['12345'] }),
  csv('zeros in front count', lines('TP No,Amount', '123,500'), { notFound: ['123'] }),
  csv('our own export: an apostrophe marks text', lines('TP No,Amount', "'000123,500"), { matches: ['000123'] }),
  csv('invisible signs of a copied number', () => Buffer.from('TP No,Amount\n\u200b000123\u00a0,\u202a500\u202c\n'), {
    matches: ['000123'],
  }),
  csv('digits that a spreadsheet has lost', lines('TP No,Amount', '2.40901E+11,9264'), {
    errors: ['Row 2: TP No 2.40901E+11 has lost digits: format the column as text'],
  }),
  csv('the same TP twice and thrice', lines('TP No,Amount', '000123,500', 'x1,1', ' 000123,500', 'X1,2', 'x 1,3'), {
    errors: [
      'Row 2: TP No 000123 is also in row 4: leave it in the file once',
      'Row 3: TP No x1 is also in row 5 and 1 more: leave it in the file once',
      'Row 4: TP No 000123 is also in row 2: leave it in the file once',
      'Row 5: TP No X1 is also in row 3 and 1 more: leave it in the file once',
      'Row 6: TP No x 1 is also in row 3 and 1 more: leave it in the file once',
    ],
  }),
  csv('several challans with a TP, and one without a pump', lines('TP No,Amount', 'Twice-1,100', 'DRY-1,0'), {
    errors: [
      'Row 2: TP No Twice-1 is on several challans (C-TWICE-1, C-twice-1): verify the right one in the challan list',
      'Row 3: TP No DRY-1 is on challan C-DRY-1, which has no petrol pump: choose one there first',
    ],
  }),
  csv('a total below', lines('TP No,Amount', '000123,500', ',500'), {
    matches: ['000123'],
    errors: ['Row 3: TP No is empty'],
  }),
  csv('a TP No of more than 100 characters', lines('TP No,Amount', `${'9'.repeat(101)},1`), {
    errors: [`Row 2: TP No ${'9'.repeat(40)}… has more than 100 characters`],
  }),
  csv('names that JavaScript objects have', lines('TP No,__proto__,Amount', '__proto__,x,1', 'constructor,x,2'), {
    notFound: ['__proto__', 'constructor'],
  }),
  csv('formulas and markup are text', lines('TP No,Amount', '=1+1,5', '<b>x</b>,5', '@SUM(A1),5'), {
    notFound: ['=1+1', '<b>x</b>', '@SUM(A1)'],
  }),
  csv('quotation marks inside words', lines('TP No,Note,Amount', '000123,12" pipe,500'), { matches: ['000123'] }),
  csv(
    'semicolons in lines of more than 1,000 characters',
    lines(`TP No;Amount${';Note'.repeat(50)}`, `000123;500${`;${'n'.repeat(30)}`.repeat(50)}`),
    { matches: ['000123'] },
  ),
  csv(
    '20,000 rows',
    () => Buffer.from(`TP No,Amount\n${Array.from({ length: 20_000 }, (_, n) => `NEW-${n},${n}.50`).join('\n')}`),
    { notFound: Array.from({ length: 20_000 }, (_, n) => `NEW-${n}`) },
  ),
  csv(
    'seven million blank lines',
    () => Buffer.concat([Buffer.from('TP No,Amount\n000123,500\n'), Buffer.alloc(7_000_000, '\n')]),
    { matches: ['000123'] },
  ),
];
