import type { CorpusFile, Expected } from './case.ts';
import { oldWorkbook, oneSheet, sharedStringsBook, workbookParts, xlsx, type Cell } from './workbook.ts';
import { zip } from './zip.ts';

const book = (name: string, bytes: () => Buffer, expected: Expected, fileName = 'bill.xlsx'): CorpusFile => ({
  name: `${fileName.split('.').at(-1)}: ${name}`,
  fileName,
  bytes,
  expected,
});
const table =
  (...rows: Cell[][]): (() => Buffer) =>
  () =>
    oneSheet([['TP No', 'Amount'], ...rows]);
const found: Expected = { matches: ['000123'] };
const bill = [
  ['TP No', 'Amount'],
  ['000123', 500],
];

/** The sample that polluted Object.prototype in older readers: a comment whose reference is __proto__. */
function withComment(): Buffer {
  const parts = workbookParts([{ name: 'Sheet1', rows: bill, more: '<legacyDrawing/>' }]);
  return zip([
    ...parts,
    {
      name: 'xl/worksheets/_rels/sheet1.xml.rels',
      content:
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="../comments1.xml"/></Relationships>',
    },
    {
      name: 'xl/comments1.xml',
      content:
        '<?xml version="1.0"?><comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>a</author></authors><commentList><comment ref="__proto__" authorId="0"><text><t>polluted</t></text></comment></commentList></comments>',
    },
  ]);
}

/** Cells that name strings of a table of their own, one of them in pieces of several formats. */
function withSharedStrings(): Buffer {
  const shared = (index: number): Cell => ({ xml: `<c r="REF" t="s"><v>${index}</v></c>` });
  const rows = [
    [shared(0), shared(1)],
    [shared(2), shared(3)],
  ];
  return sharedStringsBook(
    rows,
    '<si><t>TP No</t></si><si><t>Amount</t></si><si><r><t>000</t></r><r><rPr><b/></rPr><t>123</t></r></si>' +
      '<si><t xml:space="preserve"> ₹500.00 </t></si>',
  );
}

/** An entity that names a file of the server, and one that names others without end. */
function withEntities(): Buffer {
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
  const doctype = `<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY l0 "ha">${laughs}]>`;
  const parts = workbookParts([
    {
      name: 'Sheet1',
      rows: [
        ['TP No', 'Amount'],
        [{ xml: '<c r="REF" t="inlineStr"><is><t>&file;&l9;</t></is></c>' }, 5],
      ],
    },
  ]);
  return zip(
    parts.map((part) =>
      part.name === 'xl/worksheets/sheet1.xml'
        ? { ...part, content: String(part.content).replace('\n', `\n${doctype}`) }
        : part,
    ),
  );
}

export const goodWorkbooks: readonly CorpusFile[] = [
  book('text cells', table(['000123', '₹500.00'], ['DONE-1', 1], ['UNKNOWN-9', 10]), {
    matches: ['000123'],
    verified: ['DONE-1'],
    notFound: ['UNKNOWN-9'],
  }),
  book('a number of 12 digits, shown as 2.40901E+11', table([240901234567, 9264]), { matches: ['240901234567'] }),
  book('a number of 16 digits has lost some', table([2409012345678901, 9264]), {
    errors: ['Row 2: TP No 2.409012345678901E+15 has lost digits: format the column as text'],
  }),
  book('zeros in front by the format', table([{ n: 123, style: 1 }, 500]), { notFound: ['000000000123'] }),
  book('numbers in other formats', table([{ n: 12345, style: 3 }, 4675.8], [{ n: 240901234567, style: 5 }, 9264]), {
    matches: ['12345', '240901234567'],
  }),
  book('a number with thousands signs', table([{ n: 12345, style: 2 }, 4675.8]), { matches: ['12345'] }),
  book('words in a format are part of the text', table([{ n: 12345, style: 6 }, 4675.8]), { notFound: ['TP 12345'] }),
  book(
    'amounts as the arithmetic of spreadsheets leaves them',
    table(['OD77', 19937.234999999997], ['240901234567', 9263.999999999998], ['12345', { n: 4675.795, style: 7 }]),
    {
      matches: ['OD77', '240901234567', '12345'],
    },
  ),
  book('dates are neither', table(['000123', { n: 46000, style: 4 }], [{ n: 46000, style: 4 }, 500]), {
    errors: [
      "Row 2: TP No 000123: Amount '2025-12-09' is not an amount",
      'Row 3: TP No 2025-12-09 is a date: format the column as text',
    ],
  }),
  book(
    'formulas: what they were worked out to, or nothing',
    table(
      ['000123', { xml: '<c r="REF"><f>250*2</f><v>500</v></c>' }],
      [{ xml: '<c r="REF" t="str"><f>"OD "&amp;77</f><v>OD 77</v></c>' }, 19937.24],
      ['12345', { xml: '<c r="REF"><f>1+1</f></c>' }],
    ),
    { matches: ['000123', 'OD 77'], errors: ['Row 4: TP No 12345: Amount is empty'] },
  ),
  book(
    'true, false and errors',
    table(
      ['A', { xml: '<c r="REF" t="b"><v>1</v></c>' }],
      [{ xml: '<c r="REF" t="e"><v>#N/A</v></c>' }, 5],
      ['B', { xml: '<c r="REF" t="e"><v>#REF!</v></c>' }],
    ),
    {
      errors: [
        "Row 2: TP No A: Amount 'TRUE' is not an amount",
        'Row 3: #N/A is an error of the spreadsheet and not a value',
        "Row 4: TP No B: Amount '#REF!' is not an amount",
      ],
    },
  ),
  book('shared strings', withSharedStrings, found),
  book(
    'a cover sheet first',
    () => xlsx({ name: 'Cover', rows: [['Bill of April']] }, { name: 'Data', rows: bill }),
    found,
  ),
  book(
    'a hidden sheet first',
    () =>
      xlsx(
        {
          name: 'Old',
          rows: [
            ['TP No', 'Amount'],
            ['OLD', 1],
          ],
          hidden: true,
        },
        { name: 'New', rows: bill },
      ),
    found,
  ),
  book(
    'header in row 20',
    () =>
      oneSheet(
        new Map([
          [20, bill[0] ?? []],
          [21, bill[1] ?? []],
        ]),
      ),
    found,
  ),
  book(
    'formatted rows to the end of the sheet',
    () =>
      oneSheet(
        new Map<number, Cell[]>([
          [1, ['TP No', 'Amount']],
          [2, ['000123', 500]],
          ...Array.from({ length: 5_000 }, (_, n): [number, Cell[]] => [
            1_043_577 + n,
            [{ xml: '<c r="REF" s="3"/>' }],
          ]),
        ]),
      ),
    found,
  ),
  book(
    'formatted cells to the last column, a cell without a reference, and a link down a column',
    () =>
      oneSheet(
        [
          ['TP No', 'Amount', { xml: '<c r="XFD1" s="3"/>' }],
          [{ xml: '<c t="str"><v>000123</v></c>' }, { xml: '<c><v>500</v></c>' }],
        ],
        '<hyperlinks><hyperlink ref="A1:A20000" location="A1"/></hyperlinks>',
      ),
    found,
  ),
  book(
    'a row far below',
    () =>
      oneSheet(
        new Map<number, Cell[]>([
          [1, ['TP No', 'Amount']],
          [900_000, ['000123', 500]],
          [900_001, ['', 7]],
        ]),
      ),
    { matches: ['000123'], errors: ['Row 900001: TP No is empty'] },
  ),
  book('a sheet named __proto__', () => xlsx({ name: '__proto__', rows: bill }), found),
  book('a comment on __proto__', withComment, found),
  book('entities are not looked up', withEntities, { notFound: ['&file;&l9;'] }),
  book(
    'merged and blank cells',
    () =>
      oneSheet(
        [['Bill'], [], ['TP No', null, 'Amount'], ['000123', null, 500], [null, null, null]],
        '<mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells>',
      ),
    found,
  ),
  book(
    '20,000 rows',
    () => oneSheet([['TP No', 'Amount'], ...Array.from({ length: 20_000 }, (_, n): Cell[] => [`NEW-${n}`, n])]),
    {
      notFound: Array.from({ length: 20_000 }, (_, n) => `NEW-${n}`),
    },
  ),
  book('upper-case extension', () => oneSheet(bill), found, 'BILL.XLSX'),
  book('two extensions, the last one counts', () => oneSheet(bill), found, 'bill.exe.xlsx'),
  book(
    'plain',
    () =>
      oldWorkbook([
        ['TP No', 'Amount'],
        ['000123', 500],
        ['DONE-1', '1'],
        [240901234567, 9264],
      ]),
    {
      matches: ['000123', '240901234567'],
      verified: ['DONE-1'],
    },
    'bill.xls',
  ),
  book(
    'of Excel 95',
    () =>
      oldWorkbook(
        [
          ['TP No', 'Amount'],
          ['000123', 500],
        ],
        'biff5',
      ),
    found,
    'bill.xls',
  ),
  book(
    '20,000 rows',
    () => oldWorkbook([['TP No', 'Amount'], ...Array.from({ length: 20_000 }, (_, n) => [`NEW-${n}`, n])]),
    {
      notFound: Array.from({ length: 20_000 }, (_, n) => `NEW-${n}`),
    },
    'bill.xls',
  ),
];
