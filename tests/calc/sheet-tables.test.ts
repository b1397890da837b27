import { readFileSync } from 'node:fs';
import path from 'node:path';
import { array, assert, constantFrom, property, string, pre } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { challanExportColumns } from '../../src/shared/columns/challan-export-columns.ts';
import { challanSheetFields, sheetColumns } from '../../src/shared/sheet/challan-sheet-fields.ts';
import { readDelimited, tsvOf } from '../../src/shared/sheet/delimited-text.ts';
import { headingsKey, mappedRows, recognise } from '../../src/shared/sheet/headings.ts';
import { dayFirst, monthFirstExample } from '../../src/shared/reading/day-order.ts';
import { cleanText } from '../../src/shared/reading/text.ts';
import { checkRow, type Lookups } from '../../src/shared/sheet/check-row.ts';
import { settled } from '../../src/shared/sheet/sheet.ts';
import { layOut, squared } from '../../src/shared/sheet/table-cells.ts';
import { rowsOfCase } from '../read-table.ts';

const clipboard = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../clipboard', name), 'utf8');

const tsv = (text: string) => squared(readDelimited(text, '\t'));

/** Without the apostrophe that keeps a spreadsheet from running a text as a formula. */
const unmarked = (text: string): string => text.replace(/^'/, '');

it('takes dates in words, units, signs of money and dashes into the sheet, and no error of a spreadsheet', async () => {
  const table = squared(await rowsOfCase('l1-entry-sheet-dates-units-dashes.tsv'));
  const rows = mappedRows(table, recognise(table, challanSheetFields)).map(({ values }) => values);
  const today = '2026-11-27';
  const lookups: Lookups = {
    vehicle: () => null,
    owners: () => [],
    tags: () => [],
    petrolPumps: () => [],
    lastTds: () => undefined,
    declarations: () => [],
    lastRate: () => null,
  };
  /** The rows as the sheet checks them; \`turned\`: with the answer that the dates have their month first. */
  const checked = (turned: boolean) =>
    rows.map((row) => {
      const cells = sheetColumns.flatMap((column) => {
        const text = row[column];
        if (text === undefined) return [];
        return [[column, settled(column, turned && column.endsWith('Date') ? dayFirst(text) : text, today)]];
      });
      return checkRow(Object.fromEntries(cells), { today, starts: { texts: {}, tripDays: 0 }, lookups });
    });

  // One date can only have the month first, so all of them are asked about.
  expect(monthFirstExample(rows.map(({ loadingDate = '' }) => loadingDate))).toBe('3/13/2026');
  const daysOf = (all: ReturnType<typeof checked>) => all.map(({ loadingDay }) => loadingDay);
  expect(daysOf(checked(true))).toEqual(['2026-03-05', '2026-05-03', '2026-03-13', '2026-03-05', '2026-05-03']);
  const asTheyAre = checked(false);
  expect(daysOf(asTheyAre)).toEqual(['2026-03-05', '2026-03-05', '', '2026-05-03', '2026-03-05']);
  for (const { shown } of asTheyAre.slice(0, 4)) {
    expect(shown).toMatchObject({
      loadingWeight: '25.34',
      unloadingWeight: '25.30',
      ratePerMT: '1,000.00',
      tdsPercentage: '1.0',
      advanceMoney: '0.00',
    });
  }
  expect(asTheyAre[4]?.errors).toMatchObject({
    material: '#N/A is an error of the spreadsheet and not a value',
    ratePerMT: '#REF! is an error of the spreadsheet and not a value',
  });
});

describe('the text of a clipboard', () => {
  it.each(['excel', 'libreoffice', 'google-sheets'])('is read as %s writes it', (program) => {
    const table = tsv(clipboard(`${program}.tsv`));
    expect(table).toEqual([
      ['T.P. No', 'Truck No', 'Weight', '', 'Rate', 'Loading date', 'Remarks'],
      ['', '', 'Loading', 'Unloading', '', '', ''],
      ['TP-001', 'OD 09 AB 1234', '27.50', '27.10', expect.any(String), '05/03/2026', 'wet load\nsaid "weigh again"'],
      ['', '', '', '', '', '', ''],
      ['TP-002', 'OD02CD5678', '30.00', '29.85', expect.any(String), '06/03/2026', '12" pipe & sand'],
    ]);
    expect(mappedRows(table, recognise(table, challanSheetFields))).toEqual([
      {
        row: 2,
        values: {
          tpNo: 'TP-001',
          vehicleNo: 'OD 09 AB 1234',
          loadingWeight: '27.50',
          unloadingWeight: '27.10',
          ratePerMT: program === 'excel' ? '₹ 1,250.00' : '₹1,250.00',
          loadingDate: '05/03/2026',
          remarks: 'wet load\nsaid "weigh again"',
        },
      },
      expect.objectContaining({ row: 4 }),
    ]);
  });

  it('keeps tabs, lines and quotation marks of a quoted cell, with any line end', () => {
    expect(readDelimited('"a\tb"\t"c\r\nd"\r\n"say ""x"""\t2\r3\n', '\t')).toEqual([
      ['a\tb', 'c\r\nd'],
      ['say "x"', '2'],
      ['3'],
    ]);
  });

  it('takes a quotation mark that nothing closes for an ordinary one', () => {
    expect(readDelimited('"open\tx\n12" pipe\ty\n"a" b\tz', '\t')).toEqual([
      ['"open', 'x'],
      ['12" pipe', 'y'],
      ['"a" b', 'z'],
    ]);
  });

  it('comes back as it was, whatever the cells hold', () => {
    const cell = string({ unit: constantFrom('a', '"', '\t', '\n', '\r', ' ', ',', '₹') });
    assert(
      property(array(array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
        // A last row of one empty cell leaves nothing to read.
        pre(rows.at(-1)?.join('\t') !== '');
        expect(readDelimited(tsvOf(rows), '\t').map((row) => row.map(unmarked))).toEqual(
          rows.map((row) => row.map(unmarked)),
        );
      }),
    );
  });

  it('takes a byte order mark away, and any delimiter', () => {
    expect(readDelimited('\ufeffa,b', ',')).toEqual([['a', 'b']]);
    expect(tsvOf([['=1+1', '-5', 'a']])).toBe("'=1+1\t'-5\ta");
  });
});

describe('a table', () => {
  it('has merged cells laid out, hidden rows left out', () => {
    const cell = (text: string, columns = 1, rows = 1) => ({ text, columns, rows });
    expect(
      layOut([
        { isHidden: false, cells: [cell('a', 1, 3), cell('b', 2, 2), cell('c')] },
        { isHidden: true, cells: [cell('d')] },
        { isHidden: false, cells: [cell('e'), cell('f'), cell('g')] },
        { isHidden: false, cells: [cell('h')] },
      ]),
    ).toEqual({
      table: [['a', 'b', '', 'c'], ['', 'e', 'f', 'g'], ['h']],
      merges: [{ column: 0, first: 0, last: 1 }],
      hiddenRows: 1,
    });
  });

  it('is squared without what nobody sees', () => {
    expect(
      squared([
        ['\u00a0a\u200b ', '', ''],
        ['', "'00012"],
        ['x\r\ny', ' '],
        ['', '', '\u00a0'],
      ]),
    ).toEqual([
      ['a', ''],
      ['', '00012'],
      ['x\ny', ''],
    ]);
    expect(squared([['', ' '], ['']])).toEqual([]);
    expect(cleanText("'")).toBe("'");
  });
});

describe('headings', () => {
  const columnsOf = (...headings: string[]) =>
    recognise([headings, headings.map(() => '1')], challanSheetFields).columns;

  it('of our own file are recognised, those of figures that are worked out are not', () => {
    const headings = challanExportColumns.map(({ label }) => label);
    const found = columnsOf(...headings);
    const named = Object.fromEntries(headings.map((heading, at) => [heading, found[at]]));
    expect(named).toMatchObject({ TP: 'tpNo', 'TDS %': 'tdsPercentage', TDS: null, HSD: null, 'HSD L': 'hsdInLiters' });
    expect(named).toMatchObject({ 'HSD ₹/L': 'hsdPricePerLiter', Net: null, Shortage: null, No: null, Paid: null });
    const notInFile = ['vehicleType', 'vehicleWheel', 'driverName', 'drivingLicenseNo', 'dataEntryBy', 'materialRate'];
    expect(sheetColumns.filter((name) => !found.includes(name)).sort()).toEqual(notInFile.sort());
  });

  it('do without case, spaces, punctuation and order; the better name wins', () => {
    expect(columnsOf('LORRY-NO.', 'tp_number', 'Date', 'Loading Date')).toEqual([
      'vehicleNo',
      'tpNo',
      null,
      'loadingDate',
    ]);
  });

  it('may come below titles; a title that names a field is none', () => {
    const table = [
      ['Shree Minerals', '', ''],
      ['', '', ''],
      ['Truck', '', ''],
      ['Vehicle No', 'Rate', 'Qty'],
      ['OD01', '900', '20'],
    ];
    expect(recognise(table, challanSheetFields)).toEqual({
      headings: ['Vehicle No', 'Rate', 'Qty'],
      columns: ['vehicleNo', 'ratePerMT', 'loadingWeight'],
      firstRow: 4,
      hasHeadings: true,
    });
  });

  it('of one column are enough for a list of one column', () => {
    expect(recognise([['Vehicle No'], ['OD01']], challanSheetFields).columns).toEqual(['vehicleNo']);
  });

  it('that are not there leave the columns to their order', () => {
    const mapping = recognise([['TP-1', '05/03/2026', '06/03/2026']], challanSheetFields);
    expect(mapping).toMatchObject({ hasHeadings: false, firstRow: 0, columns: sheetColumns.slice(0, 3) });
  });

  it('name a table when they are the same again', () => {
    expect(headingsKey({ headings: ['T.P. No', 'Rate'] })).toBe(headingsKey({ headings: ['tp no', 'RATE '] }));
    expect(headingsKey({ headings: ['Rate', 'TP No'] })).not.toBe(headingsKey({ headings: ['TP No', 'Rate'] }));
  });
});
