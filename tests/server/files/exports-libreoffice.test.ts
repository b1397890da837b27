import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { bankFileColumns } from '../../../src/shared/columns/bank-statement-columns.ts';
import { challanGroupColumns } from '../../../src/shared/columns/challan-group-columns.ts';
import { challanExportColumns } from '../../../src/shared/columns/challan-export-columns.ts';
import { exceptionColumns } from '../../../src/shared/columns/exception-columns.ts';
import { tdsFileColumns } from '../../../src/shared/columns/tds-columns.ts';
import { tdsReturnLayout } from '../../../src/shared/columns/tds-return-layouts.ts';
import { numericKinds, type ColumnKind } from '../../../src/shared/columns/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createPump, createTag } from '../support/builders.ts';
import { rows as everyEndpoint } from '../support/endpoint-table.ts';
import { downloadExport, fileExports } from '../support/exports.ts';
import { openInLibreOffice, type OpenedCell } from '../support/opened-sheets.ts';
import { openLink, sendReport } from '../support/shared-link.ts';

/** What a cell must not become: starts of formulas, links, dates and numbers, and the letters of the country. */
const nasty = [
  '=1+1',
  '=HYPERLINK("http://evil.example","click")',
  '+91 98765',
  '-5+3',
  '@SUM(A1:A9)',
  '＝1+1',
  '＋1',
  '－1',
  '＠A1',
  ' =1+1',
  "'=1+1",
  'a;=1+1',
  'a,=1+1',
  'ଓଡ଼ିଆ ନାମ',
  'हिन्दी नाम',
  '₹ 1,23,456.50 each',
  "O'Brien & Sons",
  'say "hello", twice',
];
const accounts = ['000012345678', '123456789012345678', '00000000', '31234567890', '1E10'];
const tpNumbers = [
  '000123456',
  '2409012345678',
  'KJR/24-25/0123456',
  '12/04',
  '1-2',
  '5-Mar',
  '12345.0',
  '1E5',
  '24090',
];

let api: Api;
let tenant: Tenant;
/** Name of the file → its text. */
const files: Record<string, string> = {};
const columnsOf = (name: string): readonly { label: string; kind: ColumnKind }[] => {
  if (/exceptions/.test(name)) return exceptionColumns;
  if (name === 'the TDS return') return tdsReturnLayout.columns;
  if (/TDS/.test(name)) return tdsFileColumns;
  if (/groups/.test(name)) return challanGroupColumns(['owner', 'loadingPlace']);
  return /bank|payment/.test(name) ? bankFileColumns : challanExportColumns;
};

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  const tag = await createTag(api, tenant, { name: '=1+1' });
  const pump = await createPump(api, tenant, { name: '@pump' });
  const owners = [];
  for (const [index, accountNo] of accounts.entries()) {
    const name = ['=cmd|calc', 'ଓଡ଼ିଆ ପରିବହନ', 'हिन्दी ट्रांसपोर्ट', '+Plus', 'Plain'][index] ?? 'x';
    owners.push(
      await createOwner(api, tenant, { name, accountNo, contactNumber: `0${index}98765432`, branchName: '-Branch' }),
    );
  }
  const paid = [];
  for (let index = 0; index < 40; index += 1) {
    const text = nasty[index % nasty.length] ?? '';
    // One owner has them all, for the files of one owner.
    const owner = owners[index % 3 === 0 ? 0 : index % owners.length];
    if (!owner) throw new Error('There are five owners');
    const challan = await createChallan(
      api,
      tenant,
      { ownerId: owner.id, tagId: tag.id },
      {
        tpNo: tpNumbers[index % tpNumbers.length] ?? '',
        vehicleNo: index % 2 === 0 ? '-1' : 'OD09AB1234',
        material: text,
        loadingPlace: text,
        unloadingPlace: nasty[(index + 7) % nasty.length] ?? '',
        remarks: `${text}\n=2+2\n\t-3`,
        // Every third net is negative.
        advanceMoney: index % 3 === 0 ? '90000.50' : '0.00',
        petrolPumpId: pump.id,
        hsdPricePerLiter: '92.64',
        hsdInLiters: '10',
      },
    );
    if (index % 2 === 0 || index % 5 === 0) paid.push(challan.id);
  }
  // Exceptions of today: challans with one TP number.
  const today = dayOf(new Date());
  for (const text of nasty) {
    const refs = { ownerId: owners[0]?.id ?? '', tagId: tag.id };
    const days = { loadingDate: today, unloadingDate: today, depositedAt: today };
    const place = { loadingPlace: text, advanceMoney: '0.00' };
    await createChallan(api, tenant, refs, { ...days, ...place, tpNo: '000123456/TWICE' });
  }
  // What the API refuses and an import may have brought.
  await api.inTenant(tenant, (db) =>
    db.query('UPDATE challans SET owner_name = material WHERE subadmin_id = $1', [db.tenantId]),
  );
  await api.inTenant(tenant, (db) =>
    db.query(
      `UPDATE challans SET remarks = E'\\t=1+1', driver_name = E'\\r=1' WHERE subadmin_id = $1 AND challan_number LIKE '%5'`,
      [db.tenantId],
    ),
  );
  const payment = await api.call(
    contract.bankStatement.markPaid,
    { body: { challanIds: paid, paysNegative: true } },
    { token: tenant.token },
  );
  const ownerId = owners[0]?.id ?? '';
  const batchId = payment.body.data.batchId ?? '';
  for (const one of fileExports) files[one.name] = await downloadExport(api, tenant, one, { ownerId, batchId });
  files['a shared report'] = (await openLink(api, (await sendReport(api, tenant, ownerId)).token)).text;
});
afterAll(() => api.close());

it('these are all the files there are', () => {
  const ofContract = everyEndpoint
    .filter(({ endpoint: { answer } }) => 'type' in answer && answer.type === 'text/csv')
    .map(({ name }) => name);
  const ofTest = everyEndpoint.filter(({ endpoint }) => fileExports.some((one) => one.endpoint === endpoint));
  expect(ofTest.map(({ name }) => name)).toEqual(ofContract);
});

const names = [...fileExports.map(({ name }) => name), 'a shared report'];
/** Files with a workbook beside them carry identifiers as they are stored (exports-workbooks.test.ts); the others guard them. */
const isExact = (name: string): boolean => /bank|payment|TDS|exceptions/.test(name);
const isIdentifier = ({ kind }: { kind: string }): boolean => kind === 'identifier' || kind === 'reference';
/** The cells as they were written, apostrophes and all. */
const writtenOf = (name: string): string[][] => parse(files[name] ?? '', { bom: true, relax_column_count: false });
/** What LibreOffice makes of a line feed's neighbours is its own; the words are ours. */
const words = (text: string | number): string => String(text).replace(/\r\n?/g, '\n');

describe.each(['plain', 'eager'] as const)('opened in LibreOffice with %s settings', (how) => {
  let opened: Record<string, OpenedCell[][]>;
  beforeAll(async () => {
    opened = await openInLibreOffice(files, how);
  }, 120_000);

  it.each(names)('%s has every row and column, and not one formula', (name) => {
    const written = writtenOf(name);
    const cells = opened[name] ?? [];
    expect(written.length).toBeGreaterThan(8);
    expect([cells.length, cells[0]?.length]).toEqual([written.length, columnsOf(name).length]);
    expect(cells.flat().filter(({ kind }) => kind === 'formula' || kind === 'other')).toEqual([]);
  });

  it.each(names)('%s keeps its numbers, negative ones too, as numbers', (name) => {
    const written = writtenOf(name);
    let negative = 0;
    for (const [index, column] of columnsOf(name).entries()) {
      if (!numericKinds.has(column.kind)) continue;
      for (const [row, line] of written.entries()) {
        const text = line[index] ?? '';
        if (row === 0 || text === '') continue;
        const cell = opened[name]?.[row]?.[index];
        const decimals = text.split('.')[1]?.length ?? 0;
        expect([column.label, cell?.kind]).toEqual([column.label, 'number']);
        expect(Number(cell?.value).toFixed(decimals)).toBe(text);
        if (text.startsWith('-')) negative += 1;
      }
    }
    // What is deducted, what of it is open, and what an exception costs is never negative.
    expect(negative > 0).toBe(name !== 'the TDS return' && name !== 'the exceptions');
  });

  it.each(names.filter((name) => !isExact(name)))(
    '%s keeps account, contact and TP numbers to the last zero',
    (name) => {
      const written = writtenOf(name);
      for (const [index, column] of columnsOf(name).entries()) {
        if (!isIdentifier(column)) continue;
        for (const [row, line] of written.entries()) {
          const cell = opened[name]?.[row]?.[index];
          // A short number without leading zeros may become one: it reads the same.
          expect([column.label, words(cell?.value ?? '')]).toEqual([column.label, line[index]]);
          if (/^'?0|\d{12}/.test(line[index] ?? '')) expect(cell?.kind).toBe('text');
        }
      }
    },
  );

  it('₹, Odia and Hindi are right', () => {
    const texts = new Set(Object.values(opened).flatMap((rows) => rows.flat().map(({ value }) => value)));
    for (const text of ['ଓଡ଼ିଆ ନାମ', 'हिन्दी नाम', '₹ 1,23,456.50 each', 'HSD ₹/L', 'ଓଡ଼ିଆ ପରିବହନ']) {
      expect(texts).toContain(text);
    }
  });
});

it('a formula would be seen, and a number that lost its zeros', async () => {
  const { bare } = await openInLibreOffice({ bare: '\ufeff"=1+1",000123,"000123",-1.50\r\n' }, 'eager');
  expect(bare?.[0]).toEqual([
    { kind: 'formula', value: '1+1' },
    { kind: 'number', value: 123 },
    { kind: 'number', value: 123 },
    { kind: 'number', value: -1.5 },
  ]);
}, 120_000);

it('opened plainly, every text is the one that was written', async () => {
  const opened = await openInLibreOffice(files, 'plain');
  for (const name of names) {
    for (const [row, line] of writtenOf(name).entries()) {
      for (const [index, column] of columnsOf(name).entries()) {
        if (row > 0 && (numericKinds.has(column.kind) || (isExact(name) && isIdentifier(column)))) continue;
        const cell = opened[name]?.[row]?.[index];
        expect([name, row, column.label, words(cell?.value ?? '')]).toEqual([
          name,
          row,
          column.label,
          words(line[index] ?? ''),
        ]);
      }
    }
  }
}, 120_000);

it('the numbers that were given are the ones in the files, apostrophes aside', () => {
  const values = (name: string, label: string): Set<string> => {
    const index = columnsOf(name).findIndex((column) => column.label === label);
    return new Set(writtenOf(name).map((line) => (line[index] ?? '').replace(/^'/, '')));
  };
  for (const account of accounts) {
    const isThere = values('the bank statement', 'Account').has(account) || values('a payment', 'Account').has(account);
    expect([account, isThere]).toEqual([account, true]);
  }
  for (const tpNo of tpNumbers) expect(values('the challan list', 'TP')).toContain(tpNo);
});
