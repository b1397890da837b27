import { readFileSync } from 'node:fs';
import path from 'node:path';
import { read as readWorkbook, utils, write, type BookType } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { TableSheet } from '../../../src/shared/contract/tables.ts';
import { readAs, tableFileTypes, type TableKind } from '../../../src/shared/reading/tables.ts';
import { fileMessages } from '../../../src/server/files/spreadsheet/messages.ts';
import { uploadOptions } from '../hsd/hsd-corpus/multipart.ts';
import { zip } from '../hsd/hsd-corpus/zip.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal } from '../support/expect.ts';
import { addHsdChallans, uploadFile } from '../support/hsd-desk.ts';

/** A file is what its content is (docs/specification.md §13.5). The files of tests/cases failed once. */
let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  await addHsdChallans(api, tenant, [
    { tpNo: '261100328356', amount: '11022.75' },
    { tpNo: '000328353', amount: '14107.36' },
  ]);
});
afterAll(() => api.close());

const caseFile = (name: string): Buffer => readFileSync(path.resolve(import.meta.dirname, '../../cases', name));
const send = (fileName: string, content: Buffer | string) =>
  api.callRaw('POST', `/api${contract.tables.read.path}`, {
    token: tenant.token,
    ...uploadOptions([{ fileName, content }]),
  });
async function read(
  fileName: string,
  content: Buffer | string = caseFile(fileName),
): Promise<{ kind: TableKind; sheets: TableSheet[] }> {
  const answer = await send(fileName, content);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.body.data as { kind: TableKind; sheets: TableSheet[] };
}
const rowsOf = async (fileName: string, content?: Buffer | string): Promise<string[][] | undefined> =>
  (await read(fileName, content)).sheets[0]?.rows;

const odsOf = (row: string): Buffer =>
  zip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
    {
      name: 'content.xml',
      content: `<office:spreadsheet><table:table table:name="S">${row}</table:table></office:spreadsheet>`,
    },
  ]);

const rows = [
  ['TP No', 'Amount', 'Note'],
  ['0012', '500', 'Das, R.'],
];
const bookAs = (bookType: BookType): Buffer => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Bill');
  // What write gives for this type.
  return write(book, { type: 'buffer', bookType }) as Buffer;
};
const textWith = (separator: string): Buffer => Buffer.from(rows.map((row) => row.join(separator)).join('\r\n'));
const html = `<html><style>td { color: red }</style><table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table></html>`;
const contents: Readonly<Record<TableKind, () => Buffer>> = {
  xlsx: () => bookAs('xlsx'),
  xls: () => bookAs('biff8'),
  xml: () => bookAs('xlml'),
  ods: () => bookAs('ods'),
  html: () => Buffer.from(html),
  comma: () => Buffer.from('TP No,Amount,Note\n0012,500,"Das, R."'),
  semicolon: () => textWith(';'),
  tab: () => textWith('\t'),
  pipe: () => textWith('|'),
  tilde: () => textWith('~'),
};

describe.each(Object.keys(contents) as TableKind[])('%s', (kind) => {
  it.each(tableFileTypes)('is read under the name %s', async (type) => {
    const found = await read(`bill${type}`, contents[kind]());
    expect([found.kind, found.sheets.map((sheet) => sheet.rows)]).toEqual([kind, [rows]]);
  });
});

describe('what is no table', () => {
  const others = ['%PDF-1.7', 'MZ\x90\0', '\x89PNG\r\n', '<svg/>', '<?xml version="1.0"?><a/>', 'MIME-Version: 1.0\n'];
  it.each(tableFileTypes)('is refused under the name %s', async (type) => {
    for (const content of others)
      expectRefusal(await send(`a${type}`, Buffer.from(content, 'latin1')), 400, 'INVALID_FILE', fileMessages.notTable);
  });
});

describe('the files of banks', () => {
  it('as web pages, XML, tab text and workbooks are all .xls', async () => {
    const html = await read('a-html-table.xls');
    expect(html.sheets[0]?.rows.at(-1)).toEqual([
      '02/04/2026',
      '02/04/2026',
      'NEFT*UTIB0000123*PAY2627000001-01*RAMU',
      'TRF TO 123',
      '12,500.00',
      '',
      '1,00,000.00',
    ]);
    expect([html.sheets.length, html.sheets[0]?.rows[0], readAs(html.kind, html.sheets, 0)]).toEqual([
      1,
      ['Account Name : MOHAN BULK CARRIERS'],
      'Read as an HTML table',
    ]);
    const tabs = await read('a-sbi-tab-text.xls');
    expect([tabs.kind, tabs.sheets[0]?.rows.slice(0, 2), tabs.sheets[0]?.rowNumbers.at(-1)]).toEqual([
      'tab',
      [
        ['Account Name       :', 'MOHAN BULK CARRIERS'],
        ['Account Number     :', '_00000030012345678'],
      ],
      6,
    ]);
    expect(tabs.sheets[0]?.rows.at(-1)?.slice(4)).toEqual(['12,500.00', '', '1,00,000.00']);
    for (const [name, kind] of [
      ['a-xlsx-named.xls', 'xlsx'],
      ['a-xml-2003.xls', 'xml'],
    ] as const) {
      const found = await read(name);
      expect([found.kind, found.sheets[0]?.rows]).toEqual([
        kind,
        [
          ['Date', 'Narration', 'Debit', 'Credit'],
          ['02/04/2026', 'NEFT RAMU', '12500'],
        ],
      ]);
    }
  });

  it('have titles with other separators than their table', async () => {
    expect((await rowsOf('g6-title-then-tabs.txt'))?.[2]).toEqual([
      '27 Nov 2026',
      'NEFT PAY2627000453-10, JODA',
      'N331262345678996',
      '24,750.00',
      '',
      '1,00,000.00',
    ]);
    expect((await rowsOf('g4-sbi-tab.xls'))?.[2]?.[2]).toBe('TO TRANSFER-NEFT PAY2627000453-10');
    expect((await rowsOf('g8-tilde-reverse.txt'))?.[0]?.slice(-3)).toEqual(['27/11/2026', 'N331262345678995', 'E']);
    const titles = Array.from({ length: 9 }, (_, n) => `Maa Tarini, Joda, Keonjhar, line ${n}`).join('\n');
    const strange = `${titles}\nअ;ब;स\n1;2;3\n4;5;6,7\n8;9;10\n1;2;3\n4;5;6\n7;8;9\n1;2;3\n4;5;6\n7;8;9\n`;
    expect((await rowsOf('a.csv', strange))?.at(-1)).toEqual(['7', '8', '9']);
  });
});

describe('cells', () => {
  it('of a web page stay the text that they are', async () => {
    const page =
      '<table><tr><th>TP<br>No</th><th>A&amp;B</th><th>Date</th></tr><tr><td>0012</td><td>1.5</td><td>1E+15</td></tr>' +
      '<tr><td x:num="240901234567">2.4E+11</td><td x:num="46000">09-12-2025</td><td>a<p>b</p> <script>c</script></td></tr></table>';
    expect(await rowsOf('a.xls', page)).toEqual([
      ['TP\nNo', 'A&B', 'Date'],
      ['0012', '1.5', '1E+15'],
      ['240901234567', '09-12-2025', 'a\nb'],
    ]);
  });

  it('with a number format are their number', async () => {
    const found = new Map(
      (await rowsOf('e6-number-formats.xlsx'))?.map(([format = '', ...values]) => [format, values]),
    );
    expect([...found].filter(([format]) => !/[hmy]{2}/.test(format) && format !== 'Fmt')).toEqual([
      ['0.00" MT"', ['1234.5', '-1234.5', '0']],
      ['#,##0.00" Dr";#,##0.00" Cr"', ['1,234.50 Dr', '1,234.50 Cr', '0.00 Dr']],
      ['0%', ['123450%', '-123450%', '0%']],
      ['0.0%', ['123450%', '-123450%', '0%']],
      ['_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', ['1234.5', '-1234.5', '0']],
      ['000000', ['001235', '-001235', '000000']],
      ['"₹" #,##0.00', ['1234.5', '-1234.5', '0']],
      ['#,##0.00;[Red](#,##0.00)', ['1234.5', '-1234.5', '0']],
      ['[>=10000000]##\\,##\\,##\\,##0.00;[>=100000]##\\,##\\,##0.00;##,##0.00', ['1234.5', '-1234.5', '0']],
      ['0.00E+00', ['1234.5', '-1234.5', '0']],
      ['#,##0.00\\ "Cr";#,##0.00\\ "Dr"', ['1,234.50 Cr', '1,234.50 Dr', '0.00 Cr']],
      ['@', ['1234.5', '-1234.5', '0']],
      ['# ?/?', ['1234.5', '-1234.5', '0']],
      ['General" kg"', ['1234.5 kg', '-1234.5 kg', '0 kg']],
    ]);
    expect(
      ['dd-mmm-yy', '[$-4009]dd-mm-yyyy', 'dd/mm/yyyy;@', 'mmm-yy'].map((format) => found.get(format)?.[0]),
    ).toEqual(Array(4).fill('2026-04-01'));
  });

  it('of dates, numbers and zeros are read from XML and .ods as from a workbook', async () => {
    const book = utils.book_new();
    const sheet = utils.aoa_to_sheet([[]]);
    const cells = [
      [46000, 'dd/mm/yyyy'],
      [123, '000000'],
      [0.015, '0.0%'],
      [1234.5, '#,##0.00'],
      [1e21, '0'],
    ] as const;
    for (const [c, [v, z]] of cells.entries()) sheet[utils.encode_cell({ r: 0, c })] = { t: 'n', v, z };
    sheet['!ref'] = 'A1:E1';
    utils.book_append_sheet(book, sheet, 'One');
    // What write gives for this type.
    const xml = write(book, { type: 'buffer', bookType: 'xlml' }) as Buffer;
    const odsCell = (type: string, value: string, shown: string): string =>
      `<table:table-cell office:value-type="${type}" office:${type === 'date' ? 'date-value' : 'value'}="${value}" calcext:value-type="${type}"><text:p>${shown}</text:p></table:table-cell>`;
    const ods = odsOf(
      `<table:table-row>${odsCell('date', '2025-12-09T18:00:00', '09/12/25')}${odsCell('float', '123', '000123')}${odsCell('percentage', '0.015', '1.5%')}${odsCell('currency', '1234.5', '₹1,234.50')}${odsCell('float', '1e21', '1E+21')}</table:table-row>`,
    );
    for (const content of [xml, ods])
      expect(await rowsOf('a.xls', content)).toEqual([['2025-12-09', '000123', '1.5%', '1234.5', '1E+21']]);
  });

  it('of an old workbook without its compound file are read', async () => {
    const bare = write(readWorkbook(bookAs('biff8')), { type: 'buffer', bookType: 'biff2' }) as Buffer;
    expect(bare[0]).toBe(9);
    expect(await rowsOf('a.xls', bare)).toEqual(rows);
  });
});

describe('sheets, rows and columns that are hidden or merged', () => {
  it('are all given with what they have', async () => {
    const two = await read('i5-sheet-two-sheets.xlsx');
    expect(two.sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['Week 1', 2],
      ['Week 2', 3],
    ]);
    expect(readAs(two.kind, two.sheets, 1)).toBe('Read as an Excel workbook, sheet 2 of 2');
    const filtered = await read('i6-filtered-rows-entry-sheet.xlsx');
    expect(filtered.sheets[0]).toMatchObject({ rowNumbers: [1, 4], hiddenRows: 2 });
    expect(filtered.sheets[0]?.rows[1]?.[0]).toBe('R3');
    expect(readAs(filtered.kind, filtered.sheets, 0)).toBe('Read as an Excel workbook. 2 hidden rows were left out');
    expect((await read('e9-merged-owner.xlsx')).sheets[0]?.merges).toEqual([{ column: 0, first: 1, last: 2 }]);
    expect((await read('h2-merged-owner-cells.xlsx')).sheets[0]?.merges).toHaveLength(7);
  });

  const page = (attributes: string) =>
    `<table><col><col style='display:none'><tr><td>A</td><td style='display:none'>B</td><td>C</td></tr><tr ${attributes}><td>1</td><td style='display:none'>2</td><td>3</td></tr><tr><td rowspan=2>4</td><td style='display:none'>5</td><td>6</td></tr><tr><td style='display:none'>7</td><td>8</td></tr></table>`;
  const xml = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table><Column/><Column ss:Hidden="1"/>
    <Row><Cell><Data ss:Type="String">A</Data></Cell><Cell><Data ss:Type="String">B</Data></Cell><Cell><Data ss:Type="String">C</Data></Cell></Row>
    <Row ss:Hidden="1"><Cell><Data ss:Type="Number">1</Data></Cell><Cell/><Cell><Data ss:Type="Number">3</Data></Cell></Row>
    <Row><Cell ss:MergeDown="1"><Data ss:Type="Number">4</Data></Cell><Cell><Data ss:Type="Number">5</Data></Cell><Cell><Data ss:Type="Number">6</Data><Comment><ss:Data>no</ss:Data></Comment></Cell></Row>
    <Row><Cell ss:Index="2"><Data ss:Type="Number">7</Data></Cell><Cell><Data ss:Type="Number">8</Data></Cell></Row>
    </Table></Worksheet><Worksheet ss:Name="Gone"><Table><Row><Cell><Data ss:Type="String">no</Data></Cell></Row></Table><WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet></Workbook>`;
  const sheet = '<table:table table:name="S"><table:table-column/><table:table-column table:visibility="collapse"/>';
  const cell = (text: string, more = ''): string =>
    `<table:table-cell ${more} office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
  const ods = zip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
    {
      name: 'content.xml',
      content: `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:automatic-styles><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:spreadsheet>${sheet}
        <table:table-row>${cell('A')}${cell('B')}${cell('C')}<table:table-cell table:number-columns-repeated="16381"/></table:table-row>
        <table:table-row table:visibility="filter">${cell('1')}<table:table-cell/>${cell('3')}</table:table-row>
        <table:table-row>${cell('4', 'table:number-rows-spanned="2"')}${cell('5')}${cell('6<office:annotation><text:p>no</text:p></office:annotation>')}</table:table-row>
        <table:table-row><table:covered-table-cell/>${cell('7')}${cell('8')}</table:table-row>
        <table:table-row table:number-rows-repeated="1048571"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
        </table:table><table:table table:name="Gone" table:style-name="ta2"><table:table-row>${cell('no')}</table:table-row></table:table></office:spreadsheet></office:document-content>`,
    },
  ]);
  it.each([
    ['html', page("style='display:none'")],
    ['xml', xml],
    ['ods', ods],
  ] as const)('are the same in %s', async (kind, content) => {
    const found = await read('a.xls', content);
    expect([found.kind, found.sheets.length]).toEqual([kind, 1]);
    expect(found.sheets[0]).toMatchObject({
      rows: [
        ['A', 'B', 'C'],
        ['4', '5', '6'],
        ['', '7', '8'],
      ],
      merges: [{ column: 0, first: 1, last: 2 }],
      hiddenRows: 1,
      hiddenColumns: [1],
    });
    expect(readAs(kind, found.sheets, 0)).toMatch(/\. 1 hidden row was left out\. Column B is hidden$/);
  });
});

describe('a bill of a pump', () => {
  const bill = async (name: string, content: Buffer | string = caseFile(name), query = {}) => {
    const answer = await uploadFile(api, tenant, name, content, { detail: 'true', ...query });
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    const { results, processingErrors, detail } = answer.data;
    return { matches: results.validMatches.map(({ tpNo }) => tpNo), processingErrors, readAs: detail?.readAs };
  };
  const both = ['261100328356', '000328353'];

  it('is read with a space before its quotation marks, with pipes and with digits of other scripts', async () => {
    expect(await bill('f2-hsd-space-before-quote.csv')).toEqual({
      matches: both,
      processingErrors: [],
      readAs: 'Read as text with commas',
    });
    expect(await bill('f4-hsd-pipe.csv')).toMatchObject({ matches: [both[0]], readAs: 'Read as text with pipe signs' });
    expect((await bill('f9-hsd-gujarati-digits.csv')).matches).toEqual(both);
    expect((await bill('f1-hsd-formula-text.csv')).matches).toEqual([both[0], both[1]]);
  });

  it('names a row with more cells than headings, and one with an open quotation mark', async () => {
    const moved =
      'It has more cells than there are headings. A separator inside a value that is not in quotes moves all that follows into the next column.';
    expect(await bill('f3-hsd-unquoted-groups.csv')).toMatchObject({
      matches: [],
      processingErrors: [`Row 2: ${moved}`, `Row 3: ${moved}`],
    });
    expect(await bill('f8-hsd-open-quote.csv')).toEqual({
      matches: [both[1]],
      processingErrors: ['Row 2: A quotation mark is never closed: correct it in the file'],
      readAs: 'Read as text with commas. A quotation mark is never closed in row 2',
    });
  });

  it('has no rows that are filtered out', async () => {
    expect(await bill('f14-hsd-filtered-rows.xlsx')).toMatchObject({
      matches: [],
      readAs: 'Read as an Excel workbook. 2 hidden rows were left out',
    });
  });

  it('of several sheets is asked about, and of merged cells no amount counts twice', async () => {
    const sheet = (tp: string) => ({
      name: tp,
      rows: [
        ['TP No', 'Amount'],
        [tp, '1'],
      ],
    });
    const book = utils.book_new();
    for (const { name, rows } of [sheet(both[0] ?? ''), sheet(both[1] ?? '')])
      utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
    const content = write(book, { type: 'buffer', bookType: 'ods' }) as Buffer;
    const asked = await uploadFile(api, tenant, 'a.ods', content);
    expectRefusal(asked, 400, 'INVALID_FILE', fileMessages.whichSheet);
    expect(asked.body.data).toMatchObject({
      sheets: both,
      readAs: 'Read as an OpenDocument spreadsheet, sheet 1 of 2',
    });
    const { readAs: second } = await bill('a.ods', content, { sheet: both[1] });
    expect(second).toBe('Read as an OpenDocument spreadsheet, sheet 2 of 2');
    const page = `<table><tr><td>TP No</td><td>Vehicle No</td><td>Amount</td></tr><tr><td>${both[0]}</td><td rowspan=2>OD 1</td><td rowspan=2>11022.75</td></tr><tr><td>${both[1]}</td></tr></table>`;
    const answer = await uploadFile(api, tenant, 'a.xls', page, { detail: 'true' });
    expect(answer.data.processingErrors).toEqual([`Row 3: TP No ${both[1]}: Amount is empty`]);
  });
});

describe('what would fill the memory', () => {
  const wide = (attribute: string): string =>
    `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table><Row><Cell ${attribute}><Data ss:Type="String">a</Data></Cell><Cell><Data ss:Type="String">b</Data></Cell></Row></Table></Worksheet></Workbook>`;
  const filledCell = '<table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell>';
  it.each([
    [
      'a web page with a wide cell',
      'a.xls',
      '<table><tr><td colspan=4000000000>a</td><td>b</td></tr></table>',
      fileMessages.tooManyColumns,
    ],
    [
      'a web page with tall cells',
      'a.xls',
      `<table>${'<tr><td rowspan=65535>a</td></tr>'.repeat(9_000)}</table>`,
      fileMessages.tooHard,
    ],
    ['XML with a far column', 'a.xls', wide('ss:Index="1000000"'), fileMessages.tooManyColumns],
    ['XML with a column beyond every sheet', 'a.xls', wide('ss:Index="99999999"'), fileMessages.damaged],
    ['XML with a wide cell', 'a.xls', wide('ss:MergeAcross="16000"'), fileMessages.tooManyColumns],
    [
      'an .ods with a repeated cell',
      'a.ods',
      odsOf(
        `<table:table-row>${filledCell.replace('<table:table-cell', '<table:table-cell table:number-columns-repeated="16384"')}</table:table-row>`,
      ),
      fileMessages.tooManyColumns,
    ],
    [
      'an .ods with a repeated row',
      'a.ods',
      odsOf(`<table:table-row table:number-rows-repeated="1048576">${filledCell}</table:table-row>`),
      fileMessages.tooManyRows,
    ],
    [
      'an .ods with more rows than any sheet',
      'a.ods',
      odsOf(`<table:table-row table:number-rows-repeated="99999999">${filledCell}</table:table-row>`),
      fileMessages.damaged,
    ],
    [
      'an .ods that packs 40 MB',
      'a.ods',
      odsOf(`<table:table-row>${' '.repeat(40 * 1024 * 1024)}</table:table-row>`),
      fileMessages.inflates,
    ],
  ])('%s is refused', async (_, name, content, message) => {
    const answer = await uploadFile(api, tenant, name, content);
    expectRefusal(answer, 400, 'INVALID_FILE', message);
  });

  it('an .ods under a password or with macros is refused', async () => {
    const parts = [
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
      { name: 'content.xml', content: 'x' },
    ];
    const locked = zip([...parts, { name: 'META-INF/manifest.xml', content: '<manifest:encryption-data/>' }]);
    expectRefusal(await uploadFile(api, tenant, 'a.ods', locked), 400, 'INVALID_FILE', fileMessages.password);
    const macros = zip([...parts, { name: 'Basic/Standard/Module1.xml', content: '<x/>' }]);
    expectRefusal(await uploadFile(api, tenant, 'a.ods', macros), 400, 'INVALID_FILE', fileMessages.macros);
  });
});
