import { read as readBook, utils, write, type CellObject, type WorkSheet } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLE_HEADING_ROWS, TABLE_MAX_ROWS } from '../../../src/shared/reading/tables.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { mostTableRows, type TableSheet } from '../../../src/shared/contract/tables.ts';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { fileMessages, tableMessage } from '../../../src/server/files/spreadsheet/messages.ts';
import { uploadOptions } from '../hsd/hsd-corpus/multipart.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal } from '../support/expect.ts';
import '../support/hsd-desk.ts';

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const send = (fileName: string, content: Buffer | string) =>
  api.callRaw('POST', `/api${contract.tables.read.path}`, {
    token: tenant.token,
    ...uploadOptions([{ fileName, content }]),
  });
const read = async (fileName: string, content: Buffer | string) => {
  const answer = await send(fileName, content);
  expect(answer.status).toBe(200);
  const { sheets } = answer.body.data as { sheets: TableSheet[] };
  return sheets.map(({ name, rows }) => ({ name, rows }));
};
const cell = (v: number, z?: string) => ({ t: 'n', v, ...(z !== undefined && { z }) });
const bookOf = (sheets: Record<string, unknown[][]>, bookType: 'xlsx' | 'xls', date1904 = false): Buffer => {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet: WorkSheet = {};
    for (const [r, row] of rows.entries())
      for (const [c, value] of row.entries())
        if (value !== null)
          sheet[utils.encode_cell({ r, c })] = typeof value === 'string' ? { t: 's', v: value } : value;
    sheet['!ref'] = utils.encode_range({ s: { r: 0, c: 0 }, e: { r: rows.length, c: 20 } });
    utils.book_append_sheet(book, sheet, name);
  }
  book.Workbook = { WBProps: { date1904 } };
  // What write gives for this type.
  return write(book, { bookType, type: 'buffer' }) as Buffer;
};

describe('reading a table of any columns (docs/specification.md §13.5)', () => {
  it.each(['xlsx', 'xls'] as const)('gives the cells of an .%s as they were typed', async (bookType) => {
    const row = [
      'Name',
      cell(12345),
      cell(19937.234999999997, '#,##0.00'),
      cell(123456789012345, '0'),
      cell(123, '000000'),
      cell(46000, 'dd/mm/yyyy'),
      cell(46000.75, 'd mmm yy hh:mm'),
      cell(0.015, '0%'),
      cell(1234.5, '"₹" #,##0.00'),
      cell(1e21),
      '000987654321098765',
      { t: 'b', v: true },
    ];
    expect(await read(`a.${bookType}`, bookOf({ One: [row] }, bookType))).toEqual([
      {
        name: 'One',
        rows: [
          [
            'Name',
            '12345',
            '19937.235',
            '123456789012345',
            '000123',
            '2025-12-09',
            '2025-12-09',
            '1.5%',
            '1234.5',
            '1E+21',
            '000987654321098765',
            'TRUE',
          ],
        ],
      },
    ]);
  });

  it('counts the days of a workbook that begins in 1904', async () => {
    const [sheet] = await read('a.xlsx', bookOf({ One: [[cell(44538, 'dd/mm/yyyy')]] }, 'xlsx', true));
    expect(sheet?.rows).toEqual([['2025-12-09']]);
  });

  it('gives every sheet with a value, without blank rows and blank ends of rows', async () => {
    const sheets = { One: [['a', null, 'b', ' '], [null], ['', '  '], ['c']], Empty: [], Two: [['d']] };
    expect(await read('a.xlsx', bookOf(sheets, 'xlsx'))).toEqual([
      { name: 'One', rows: [['a', '', 'b'], ['c']] },
      { name: 'Two', rows: [['d']] },
    ]);
  });

  it.each([
    ['commas', 'Name,Address\r\n"Das, R.","Barbil\nOdisha"\n\n,\nX,Y'],
    ['semicolons', 'Name;Address\n"Das, R.";"Barbil\nOdisha"\nX;Y'],
    ['tabs', 'Name\tAddress\nDas, R.\t"Barbil\nOdisha"\nX\tY'],
    ['pipe signs', 'Name|Address\nDas, R.|"Barbil\nOdisha"\nX|Y'],
    ['tildes', 'Name~Address\nDas, R.~"Barbil\nOdisha"\nX~Y'],
  ])('reads text parted by %s', async (_, text) => {
    expect(await read('a.csv', text)).toEqual([
      {
        name: 'Sheet1',
        rows: [
          ['Name', 'Address'],
          ['Das, R.', 'Barbil\nOdisha'],
          ['X', 'Y'],
        ],
      },
    ]);
  });

  it('refuses more rows than it says, and a cell that is too long', async () => {
    const most = TABLE_MAX_ROWS + TABLE_HEADING_ROWS;
    expect((await read('a.csv', 'a\n'.repeat(most)))[0]?.rows).toHaveLength(most);
    for (const [name, file] of [
      ['a.csv', 'a\n'.repeat(most + 1)],
      ['a.xlsx', bookOf({ One: Array.from({ length: most + 1 }, () => ['a']) }, 'xlsx')],
    ] as const) {
      const message = 'The file has more than 5,000 rows. Split it into smaller files and upload each of them.';
      expectRefusal(await send(name, file), 400, 'INVALID_FILE', message);
    }
    expectRefusal(await send('a.csv', 'x'.repeat(1_001)), 400, 'INVALID_FILE', fileMessages.longCell);
  });

  it.each([
    ['a.pdf', 'a', fileMessages.wrongType],
    ['a.txt', '%PDF-1.7', fileMessages.notTable],
    ['a.csv', '', tableMessage(fileMessages.empty)],
    ['a.xlsx', bookOf({ One: [['', ' ']] }, 'xlsx'), tableMessage(fileMessages.empty)],
    ['a.xlsx', 'PK\x03\x04 nothing', fileMessages.damaged],
    ['a.csv', `${'a,'.repeat(64)}a`, tableMessage(fileMessages.tooManyColumns)],
  ])('refuses %s in one sentence', async (name, content, message) => {
    expectRefusal(await send(name, content), 400, 'INVALID_FILE', message);
  });
});

describe('writing the rows of a list (docs/specification.md §13.7)', () => {
  const columns = [
    { label: 'Name', kind: 'text', width: 160 },
    { label: 'Account', kind: 'identifier', width: 160 },
    { label: 'Due', kind: 'money', width: 120 },
    { label: 'Paid on', kind: 'date', width: 100 },
    { label: 'Added', kind: 'datetime', width: 100 },
  ];
  const rows = [
    ['=1+1', '000123456789012345', '12345678901.05', '2026-11-02', '2026-11-02T20:00:00.000Z'],
    ['गाड़ी', null, '-0.10', null, null],
  ];
  const writeTable = (body: unknown) =>
    api.callRaw('POST', `/api${contract.tables.write.path}`, { token: tenant.token, body });

  it('keeps text as text, digits of amounts, days and the sums, after a line that says what it is', async () => {
    const answer = await writeTable({
      label: 'Owners: A/B',
      columns,
      rows,
      sums: ['Total of 2', null, '12345678900.95'],
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-disposition']).toContain(`owners_A_B_${dayOf(new Date())}.xlsx`.toLowerCase());
    const sheet = readBook(answer.bytes, { cellNF: true }).Sheets['Owners  A B']!;
    const at = (name: string): Partial<CellObject> => (sheet[name] as CellObject | undefined) ?? {};
    expect(at('A1')).toMatchObject({
      t: 's',
      v: expect.stringMatching(/^Owners: A\/B, 2 rows, \d\d\/\d\d\//) as string,
    });
    expect(['A2', 'B2', 'C2', 'D2', 'E2'].map((name) => at(name).v)).toEqual(columns.map(({ label }) => label));
    expect(at('A3')).toMatchObject({ t: 's', v: '=1+1' });
    expect(at('A3').f).toBeUndefined();
    expect(at('B3')).toMatchObject({ t: 's', v: '000123456789012345' });
    expect(at('C3')).toMatchObject({ t: 'n', v: 12345678901.05, z: '#,##0.00' });
    expect(at('D3')).toMatchObject({ z: 'dd/mm/yyyy', v: 46328 });
    expect(at('E3').z).toBe('dd/mm/yyyy hh:mm');
    expect([at('A4').v, at('C4').v, at('B4').v]).toEqual(['गाड़ी', -0.1, undefined]);
    expect([at('A5').v, at('C5').v]).toEqual(['Total of 2', 12345678900.95]);
  });

  it.each([
    ['a cell that is not of its kind', [['A', null, '1,000.00']]],
    ['a row with more cells than columns', [['A', 'B', '1', null, null, 'C']]],
    ['a day that is none', [['A', 'B', '1', '02/11/2026']]],
  ])('refuses %s', async (_, wrong) => {
    expectRefusal(await writeTable({ label: 'Owners', columns, rows: [...rows, ...wrong] }), 400, 'VALIDATION_ERROR');
  });

  it('takes as many rows as it says, and no more', async () => {
    const many = (count: number) => ({
      label: 'Owners',
      columns: columns.slice(0, 1),
      rows: Array.from({ length: count }, () => ['A']),
    });
    expect((await writeTable(many(mostTableRows))).status).toBe(200);
    expectRefusal(await writeTable(many(mostTableRows + 1)), 400, 'VALIDATION_ERROR');
  });
});
