import { Readable } from 'node:stream';
import { utils, type CellObject, type WorkSheet } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankFileColumns, bankSheetColumns } from '../../../src/shared/columns/bank-statement-columns.ts';
import type { Column, TableLine } from '../../../src/shared/columns/define.ts';
import { writeXlsx } from '../../../src/server/files/xlsx.ts';
import { workbook } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createTag } from '../support/builders.ts';
import { rows as everyEndpoint } from '../support/endpoint-table.ts';
import { downloadExport, fileExports, workbookExports, type ExportRefs } from '../support/exports.ts';
import { openWorkbooks, partsOf, sheetXml } from '../support/workbooks.ts';
import { collected } from '../support/sink.ts';

/** Text a spreadsheet would rather take for something else, and letters of the country. */
const accounts = ['0000123456789012', '123456789012345678', '00000000', '31234567890', '1E10', '12/04'];
const names = ['=cmd|calc', 'ଓଡ଼ିଆ ପରିବହନ', 'हिन्दी ट्रांसपोर्ट', '+Plus & "Sons" <Ltd>', "O'Brien", '  spaced _x0041_ '];
const tpNumbers = ['000123456', '2409012345678', '1-2', '5-Mar', '12345.0', '=1+1'];

let api: Api;
let tenant: Tenant;
let refs: ExportRefs;
const books: Record<string, Buffer> = {};
const csv: Record<string, string[][]> = {};
let sheets: Record<string, WorkSheet>;
const statement = 'the bank statement as a workbook';
const payment = 'a payment as a workbook';
const csvOf: Record<string, string> = { [statement]: 'the bank statement', [payment]: 'a payment' };

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  const tag = await createTag(api, tenant, { name: '-Tag' });
  const paid: string[] = [];
  let ownerId = '';
  for (const [at, accountNo] of accounts.entries()) {
    const owner = await createOwner(api, tenant, { name: names[at] ?? '', accountNo, contactNumber: `0${at}98765432` });
    ownerId = owner.id;
    for (let n = 0; n < 3; n += 1) {
      const challan = await createChallan(
        api,
        tenant,
        { ownerId: owner.id, tagId: tag.id },
        { tpNo: tpNumbers[at] ?? '', advanceMoney: n === 1 ? '90000.55' : '0.05' },
      );
      if (n === 0) paid.push(challan.id);
    }
  }
  const answer = await api.call(
    contract.bankStatement.markPaid,
    { body: { challanIds: paid } },
    { token: tenant.token },
  );
  refs = { ownerId, batchId: answer.body.data.batchId ?? '' };
  for (const one of workbookExports) {
    const { method, url, body } = one.request(refs);
    const file = await api.callRaw(method, url, { token: tenant.token, body });
    expect(file.status).toBe(200);
    expect(file.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    books[one.name] = file.bytes;
  }
  for (const one of fileExports) {
    csv[one.name] = parse(await downloadExport(api, tenant, one, refs), { bom: true });
  }
  sheets = await openWorkbooks(books);
}, 180_000);
afterAll(() => api.close());

const cellAt = (name: string, row: number, column: number): CellObject | undefined =>
  sheets[name]?.[utils.encode_cell({ r: row, c: column })] as CellObject | undefined;
const indexOf = (label: string): number => bankSheetColumns.findIndex((column) => column.label === label);
/** Rows of the file, the heading first, as the CSV of the same moment has them. */
const linesOf = (name: string): string[][] => csv[csvOf[name] ?? ''] ?? [];
const valueOf = (line: readonly string[], label: string): string =>
  line[bankFileColumns.findIndex((column) => column.label === label)] ?? '';

it('these are all the workbooks there are', () => {
  const ofContract = everyEndpoint.filter(
    ({ endpoint }) =>
      'kind' in endpoint.answer &&
      'type' in endpoint.answer &&
      endpoint.answer.type === workbook.type &&
      endpoint !== contract.imports.template &&
      // Of the rows that a client sends: tables.test.ts.
      endpoint !== contract.tables.write &&
      // Of a printed statement: owner-statements.test.ts.
      endpoint !== contract.ownerStatements.xlsx &&
      // Of a pump's bill, not of challans: hsd-ledger.test.ts.
      endpoint !== contract.hsdVerification.exportDiscrepancies,
  );
  expect(ofContract.map(({ endpoint }) => endpoint)).toEqual(workbookExports.map(({ endpoint }) => endpoint));
});

it('are named as the CSV files are', async () => {
  const nameOf = async (url: string) =>
    String((await api.callRaw('GET', url, { token: tenant.token })).headers['content-disposition']);
  for (const [csvUrl, bookUrl] of [
    ['/api/challans/bank-report?format=csv', '/api/challans/bank-report?format=xlsx'],
    [`/api/payment-batches/${refs.batchId}/csv`, `/api/payment-batches/${refs.batchId}/xlsx`],
  ] as const) {
    expect(await nameOf(bookUrl)).toBe((await nameOf(csvUrl)).replaceAll('.csv', '.xlsx'));
  }
});

describe.each([statement, payment])('%s, opened in LibreOffice', (name) => {
  it('has a line for each line of the CSV, with subtotals and the grand total', () => {
    const range = utils.decode_range(sheets[name]?.['!ref'] ?? '');
    expect([range.e.r + 1, range.e.c + 1]).toEqual([linesOf(name).length, bankSheetColumns.length]);
    expect(linesOf(name).length).toBeGreaterThan(accounts.length * 2);
    for (const [row, line] of linesOf(name).entries()) {
      if (row > 0) expect(cellAt(name, row, indexOf('Owner'))?.v).toBe(valueOf(line, 'Owner').replace(/^'/, ''));
    }
    expect(cellAt(name, range.e.r, 0)?.v).toBe('Grand total');
  });

  it('keeps accounts, TP, IFSC, PAN and contact as text, digit for digit', () => {
    for (const label of ['Account', 'TP', 'IFSC', 'PAN', 'Contact']) {
      for (const [row, line] of linesOf(name).entries()) {
        const written = valueOf(line, label);
        if (row === 0 || written === '') continue;
        const cell = cellAt(name, row, indexOf(label));
        expect([label, cell?.t, cell?.v, cell?.z]).toEqual([label, 's', written.replace(/^'(?==)/, ''), '@']);
      }
    }
    const seen = linesOf(name).map((_, row) => cellAt(name, row, indexOf('Account'))?.v);
    for (const account of accounts) expect(seen).toContain(account);
  });

  it('has amounts as numbers with two decimals, negative ones too, to the paisa', () => {
    let negative = 0;
    for (const [row, line] of linesOf(name).entries()) {
      if (row === 0) continue;
      const cell = cellAt(name, row, indexOf('Net'));
      expect([cell?.t, cell?.z]).toEqual(['n', '#,##0.00']);
      expect(Number(cell?.v).toFixed(2)).toBe(valueOf(line, 'Net'));
      if (Number(cell?.v) < 0) negative += 1;
    }
    if (name === statement) expect(negative).toBeGreaterThan(0);
  });

  it('has dates as dates of the day in India', () => {
    for (const [row, line] of linesOf(name).entries()) {
      const dates = valueOf(line, 'Dates');
      if (row === 0 || dates === '') continue;
      const days = [...dates.matchAll(/(\d\d)\/(\d\d)\/(\d{4})/g)].map(([, d, m, y]) => `${y}-${m}-${d}`);
      const labels = ['Loading date', 'Unloading date', 'Deposited date'];
      expect(days).toHaveLength(labels.length);
      for (const [at, label] of labels.entries()) {
        const cell = cellAt(name, row, indexOf(label));
        expect([label, cell?.t, cell?.v, String(cell?.z).toLowerCase()]).toEqual([
          label,
          'n',
          (Date.parse(days[at] ?? '') - Date.UTC(1899, 11, 30)) / 86_400_000,
          'dd/mm/yyyy',
        ]);
      }
    }
  });

  it('has no formula, and every name as it is', () => {
    const cells = Object.entries(sheets[name] ?? {}).filter(([key]) => !key.startsWith('!'));
    expect(cells.filter(([, cell]) => (cell as CellObject).f !== undefined)).toEqual([]);
    const owners = new Set(linesOf(name).map((_, row) => cellAt(name, row, 0)?.v));
    for (const owner of names) expect(owners).toContain(owner.trim());
  });

  it('keeps its heading in sight, bold, and repeats it on paper', async () => {
    const parts = await partsOf(books[name] ?? Buffer.alloc(0));
    const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(parts.get('xl/workbook.xml')).toContain('_xlnm.Print_Titles');
    expect(bankSheetColumns.map((_, column) => cellAt(name, 0, column)?.v)).toEqual(
      bankSheetColumns.map(({ label }) => label),
    );
  });
});

it('the CSV files carry identifiers as they are stored, without an apostrophe', () => {
  for (const name of ['the bank statement', 'a payment']) {
    const at = bankFileColumns.findIndex(({ label }) => label === 'Account');
    const written = new Set((csv[name] ?? []).map((line) => line[at] ?? ''));
    for (const account of accounts) expect(written).toContain(account);
    expect([...written].filter((text) => text.startsWith("'"))).toEqual([]);
  }
});

it("a payment's workbook is the same bytes each time", async () => {
  const url = `/api/payment-batches/${refs.batchId}/xlsx`;
  const again = await api.callRaw('GET', url, { token: tenant.token });
  expect(again.bytes.equals(books[payment] ?? Buffer.alloc(0))).toBe(true);
});

describe('the writer', () => {
  interface Item {
    text: string;
    amount: string | null;
    count: number | null;
    at: string | null;
    done: boolean;
  }
  const columns: readonly Column<Item>[] = [
    { key: 'text', label: 'Text', kind: 'text', width: 70 },
    { key: 'amount', label: 'Amount', kind: 'money', width: 70 },
    { key: 'count', label: 'Count', kind: 'count', width: 70 },
    { key: 'at', label: 'At', kind: 'datetime', width: 70 },
    { key: 'done', label: 'Done', kind: 'flag', width: 70 },
    { key: 'screen', label: 'Screen only', kind: 'text', width: 70, value: () => 'x', export: false },
  ];
  const item = (over: Partial<Item>): { row: Item } => ({
    row: { text: '', amount: null, count: null, at: null, done: false, ...over },
  });
  const written = (
    ...lines: Parameters<typeof writeXlsx<Item>>[3] extends AsyncIterable<readonly (infer Line)[]> ? Line[] : never
  ) =>
    collected((sink) =>
      writeXlsx(
        sink,
        'A [name]: with / signs and more letters than fit',
        columns,
        (async function* () {
          yield lines;
        })(),
      ),
    );

  it('writes what XML cannot hold so that it is read back', async () => {
    const texts = ['a\u0001b', '\uffff', '_x0041_', '<&>"\'', 'line\r\nbreak', '\ud83d\ude9a'];
    const book = await written(...texts.map((text) => item({ text })));
    const { one } = await openWorkbooks({ one: book });
    const shown = texts.map((_, at) => (one?.[utils.encode_cell({ r: at + 1, c: 0 })] as CellObject | undefined)?.v);
    // LibreOffice keeps one line feed of the two signs, and drops a sign that no text may have.
    expect(shown[2]).toBe('_x0041_');
    expect(shown[3]).toBe('<&>"\'');
    expect(String(shown[4]).replace('\r', '')).toBe('line\nbreak');
    expect(shown[5]).toBe('\ud83d\ude9a');
    expect(await sheetXml(book)).toContain('a_x0001_b');
  }, 120_000);

  it('writes amounts digit for digit, sums in bold, and leaves empty cells out', async () => {
    const sheet = await sheetXml(
      await written(item({ amount: '99999999999999.99', count: 3, at: '2026-04-01T06:30:00.000Z', done: true }), {
        sums: { text: 'Total', amount: '-0.10' },
      }),
    );
    const [, first = '', second = ''] = sheet.split('<row ').slice(1);
    expect(first).toContain('<v>99999999999999.99</v>');
    expect(first).toContain('<v>3</v>');
    // Noon in India.
    expect(first).toContain('<v>46113.5</v>');
    expect(first).toContain('>Yes<');
    expect(first).not.toContain('r="A2"');
    expect(second).toContain('<v>-0.10</v>');
    expect(sheet).not.toContain('Screen only');
  });

  it('refuses a number that is none', async () => {
    await expect(written(item({ amount: '1,000.00' }))).rejects.toThrow('Not a number for a file');
  });

  const failingLines = (): Iterable<readonly TableLine<Item>[]> => ({
    [Symbol.iterator]: () => ({
      next: () => {
        throw new Error('The statement failed');
      },
    }),
  });

  it('passes a failure of its source on and writes nothing before the first lines', async () => {
    let bytes = 0;
    const source = Readable.from(failingLines());
    const failing = collected(
      (sink) => writeXlsx(sink, 'x', columns, source),
      (count) => {
        bytes += count;
      },
    );
    await expect(failing).rejects.toThrow('The statement failed');
    expect(bytes).toBe(0);
  });
});
