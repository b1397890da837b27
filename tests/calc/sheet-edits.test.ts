import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostSheetRows } from '../../src/shared/contract/challan-sheet.ts';
import { sheetColumns } from '../../src/shared/sheet/challan-sheet-fields.ts';
import {
  beginHistory,
  clearArea,
  deleteRows,
  fillArea,
  fillDown,
  fillRight,
  pasteCells,
  pasteTable,
  record,
  redo,
  remap,
  replaceText,
  settled,
  sheetOf,
  textsOf,
  typedText,
  undo,
  usedRows,
  withoutRows,
  type Area,
  type Sheet,
  type ShownColumns,
} from '../../src/shared/sheet/sheet.ts';

const today = '2026-11-22';
/** A figure stands between two columns that are typed. */
const columns: ShownColumns = ['tpNo', 'material', null, 'remarks', 'driverName'];
const width = columns.length;

/** The same sheet as a plain grid of texts: '' for what is empty. */
type Grid = string[][];
const gridOf = (sheet: Sheet): Grid =>
  textsOf(sheet, { top: 0, bottom: sheet.rows.length - 1, left: 0, right: width - 1 }, columns, typedText);
const trimmed = (grid: Grid): Grid => grid.slice(0, grid.findLastIndex((row) => row.some((text) => text !== '')) + 1);

const word = fc.constantFrom('', 'a', 'b', ' c ', 'd\te', 'f\ng', 'OD 09');
const area = fc
  .tuple(fc.nat(12), fc.nat(5), fc.nat(width - 1), fc.nat(width - 1))
  .map(([top, height, one, other]): Area => ({
    top,
    bottom: top + height,
    left: Math.min(one, other),
    right: Math.max(one, other),
  }));
const table = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
  .chain(([height, across]) =>
    fc.array(fc.array(word, { minLength: across, maxLength: across }), { minLength: height, maxLength: height }),
  );

interface Edit {
  name: string;
  run: (sheet: Sheet) => Sheet;
  /** The same, done to the grid in the plainest way. */
  model: (grid: Grid) => void;
}
const each = (grid: Grid, { top, bottom, left, right }: Area, put: (row: number, column: number) => string): void => {
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      const line = (grid[row] ??= columns.map(() => ''));
      if (columns[column] !== null) line[column] = put(row, column);
    }
  }
};
const kept = (column: number, text: string): string => settled(columns[column] ?? 'remarks', text, today);

const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(area, word).map(([at, text]) => ({
    name: 'fill',
    run: (sheet: Sheet) => fillArea(sheet, at, columns, text, typedText, today),
    model: (grid: Grid) => each(grid, at, (_row, column) => kept(column, text)),
  })),
  area.map((at) => ({
    name: 'clear',
    run: (sheet: Sheet) => clearArea(sheet, at, columns, typedText),
    model: (grid: Grid) => each(grid, at, () => ''),
  })),
  area.map((at) => ({
    name: 'fill down',
    run: (sheet: Sheet) => fillDown(sheet, at, columns, typedText),
    model: (grid: Grid) => {
      const from = at.top === at.bottom ? at.top - 1 : at.top;
      if (from >= 0) each(grid, at, (_row, column) => grid[from]?.[column] ?? '');
    },
  })),
  area.map((at) => ({
    name: 'fill right',
    run: (sheet: Sheet) => fillRight(sheet, at, columns, typedText, today),
    model: (grid: Grid) => {
      const from = at.left === at.right ? at.left - 1 : at.left;
      const first = at.left === at.right ? at.left : at.left + 1;
      if (!columns[from]) return;
      each(grid, { ...at, left: first }, (row, column) => kept(column, grid[row]?.[from] ?? ''));
    },
  })),
  fc.tuple(area, table).map(([at, block]) => ({
    name: 'paste',
    run: (sheet: Sheet) => pasteCells(sheet, at, columns, block, today).sheet,
    model: (grid: Grid) => {
      const [rows, across] = [block.length, block[0]?.length ?? 0];
      const fits = (at.bottom - at.top + 1) % rows === 0 && (at.right - at.left + 1) % across === 0;
      const bottom = fits ? at.bottom : at.top + rows - 1;
      const right = Math.min(fits ? at.right : at.left + across - 1, width - 1);
      each(grid, { ...at, bottom, right }, (row, column) =>
        kept(column, block[(row - at.top) % rows]?.[(column - at.left) % across] ?? ''),
      );
    },
  })),
  fc.tuple(fc.nat(12), fc.nat(3)).map(([top, more]) => ({
    name: 'delete rows',
    run: (sheet: Sheet) => deleteRows(sheet, top, top + more),
    model: (grid: Grid) => void grid.splice(top, more + 1),
  })),
  fc.tuple(fc.nat(12), table).map(([from, rows]) => ({
    name: 'paste a table',
    run: (sheet: Sheet) =>
      pasteTable(sheet, from, { headings: [], columns: ['material', null, 'tpNo'], rows, inDoubt: [] }, today).sheet,
    model: (grid: Grid) => {
      const isFree = grid.slice(from, from + rows.length).every((row) => row.every((text) => text === ''));
      const top = isFree ? from : trimmed(grid).length;
      for (const [index, texts] of rows.entries()) {
        const row = (grid[top + index] ??= columns.map(() => ''));
        row[1] = kept(1, texts[0] ?? '');
        row[0] = kept(0, texts[2] ?? '');
      }
    },
  })),
  word.map((text) => ({
    name: 'map to',
    run: (sheet: Sheet) => replaceText(sheet, (row) => typedText(row, 'material') === 'a', { material: `${text}!` }),
    model: (grid: Grid) => {
      for (const row of grid) if (row[1] === 'a') row[1] = `${text}!`;
    },
  })),
);

describe('edits of a sheet', () => {
  it('do what the plainest model does; undone to the start they give the start, done again the end', () => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: 25 }), (list) => {
        const start = sheetOf([]);
        let history = beginHistory(start);
        const grid: Grid = start.rows.map(() => columns.map(() => ''));
        for (const { name, run, model } of list) {
          history = record(history, run(history.now), name);
          model(grid);
          for (let row = 0; row < grid.length; row += 1) grid[row] ??= columns.map(() => '');
          expect(trimmed(gridOf(history.now)), name).toEqual(trimmed(grid));
        }
        const end = history.now;
        const keys = end.rows.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        while (history.past.length > 0) history = undo(history);
        expect(history.now).toBe(start);
        while (history.future.length > 0) history = redo(history);
        expect(history.now).toBe(end);
      }),
      { numRuns: 400 },
    );
  });

  it('that change nothing are no step', () => {
    const history = beginHistory(sheetOf([{ material: 'Coal' }]));
    const same = fillArea(history.now, { top: 0, bottom: 0, left: 1, right: 1 }, columns, 'Coal ', typedText, today);
    expect(record(history, same, 'Type')).toBe(history);
  });

  it('that empty what shows nothing, or delete free rows at the end, change nothing', () => {
    const sheet = sheetOf([{ tpNo: '1', driverName: '' }, {}, { tpNo: '2' }]);
    const all = { top: 0, bottom: 3, left: 1, right: 4 };
    expect(clearArea(sheet, all, columns, typedText)).toBe(sheet);
    expect(fillArea(sheet, all, columns, ' ', typedText, today)).toBe(sheet);
    expect(fillDown(sheet, { ...all, top: 1 }, columns, typedText)).toBe(sheet);
    expect(deleteRows(sheet, 3, 5)).toBe(sheet);
    const filled = (): string => 'Coal';
    expect(clearArea(sheet, { ...all, bottom: 0, right: 1 }, columns, filled).rows[0]?.cells).toEqual({
      tpNo: '1',
      material: '',
      driverName: '',
    });
  });

  it('never use the key of a row again, also after Undo or a draft', () => {
    const paste = (sheet: Sheet) =>
      pasteTable(
        sheet,
        sheet.rows.length - 1,
        { headings: [], columns: ['tpNo'], rows: [['a'], ['b']], inDoubt: [] },
        today,
      ).sheet;
    const start = sheetOf([]);
    const [before, after, draft] = [paste(start), paste(start), sheetOf([{ tpNo: 'c' }])];
    const length = start.rows.length;
    const keys = [before.rows.slice(length), after.rows.slice(length), draft.rows].flat().map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('leave the rows they do not touch as they are', () => {
    const before = sheetOf(Array.from({ length: 1_000 }, (_, index) => ({ tpNo: `TP-${index}` })));
    const after = fillArea(before, { top: 500, bottom: 500, left: 1, right: 1 }, columns, 'Coal', typedText, today);
    expect(after.rows.filter((row, index) => row !== before.rows[index])).toHaveLength(1);
  });
});

describe('a cell', () => {
  it('keeps a day written out, from today or from the day it had', () => {
    expect(settled('loadingDate', '5', today, '')).toBe('05/11/2026');
    expect(settled('loadingDate', 't', today, '')).toBe('22/11/2026');
    expect(settled('loadingDate', '+1', today, '28/02/2026')).toBe('01/03/2026');
    const filled = (): string => '20/11/2026';
    const days: ShownColumns = ['loadingDate'];
    const next = fillArea(
      sheetOf([{ tpNo: '1' }]),
      { top: 0, bottom: 0, left: 0, right: 0 },
      days,
      '+1',
      filled,
      today,
    );
    expect(next.rows[0]?.cells.loadingDate).toBe('21/11/2026');
    expect(settled('loadingDate', '31/02/2026', today)).toBe('31/02/2026');
    expect(settled('vehicleNo', ' od 09\n', today)).toBe('OD 09');
    expect(settled('remarks', ' one\ntwo ', today)).toBe('one\ntwo');
    expect(settled('material', 'one\n two', today)).toBe('one two');
  });

  it('emptied by hand stays empty, one emptied by a paste may be filled in; an emptied row is new', () => {
    const one = { top: 0, bottom: 0, left: 1, right: 1 };
    const sheet = sheetOf([{ tpNo: '1', material: 'Coal' }]);
    expect(clearArea(sheet, one, columns, typedText).rows[0]?.cells).toEqual({ tpNo: '1', material: '' });
    expect(pasteCells(sheet, one, columns, [['']], today).sheet.rows[0]?.cells).toEqual({ tpNo: '1' });
    expect(clearArea(sheet, { ...one, left: 0 }, columns, typedText).rows[0]?.cells).toEqual({});
  });
});

describe('an empty amount of a pasted table', () => {
  const shown: ShownColumns = ['tpNo', 'advanceMoney', 'tdsPercentage'];
  const at = { top: 0, bottom: 0, left: 0, right: 0 };

  it('stays empty, so that the one of the challan before is not deducted', () => {
    const rows = [['1', '', '']];
    const own = { tpNo: '1', advanceMoney: '' };
    expect(pasteCells(sheetOf([]), at, shown, rows, today).sheet.rows[0]?.cells).toEqual(own);
    const table = { headings: ['TP', 'Advance', 'TDS'], columns: shown, rows, inDoubt: [] };
    expect(pasteTable(sheetOf([]), 0, table, today).sheet.rows[0]?.cells).toEqual(own);
    const typed = sheetOf([{ tpNo: '1', advanceMoney: '5', tdsPercentage: '1' }]);
    expect(pasteCells(typed, at, shown, rows, today).sheet.rows[0]?.cells).toEqual(own);
  });

  it('makes no row of an empty one', () => {
    const sheet = sheetOf([{ tpNo: '1' }, {}, { tpNo: '2' }]);
    const blank = pasteCells(sheet, { ...at, top: 1, bottom: 1 }, shown, [['', '', '']], today);
    expect(blank.sheet).toBe(sheet);
    expect(pasteCells(sheet, at, shown, [['', '', '']], today).sheet.rows[0]?.cells).toEqual({});
  });
});

describe('a sheet', () => {
  it('counts the columns for which it has no room', () => {
    const cells = pasteCells(sheetOf([]), { top: 0, bottom: 0, left: 3, right: 3 }, columns, [['a', 'b', 'c']], today);
    expect([cells.leftColumns, cells.sheet.rows[0]?.cells]).toEqual([1, { remarks: 'a', driverName: 'b' }]);
  });

  it('has free rows below the last one, and a thousand at most; what has no room is counted', () => {
    expect(sheetOf([]).rows).toHaveLength(40);
    const typed = fillArea(sheetOf([]), { top: 19, bottom: 19, left: 0, right: 0 }, columns, 'x', typedText, today);
    expect(typed.rows).toHaveLength(60);
    const long = Array.from({ length: mostSheetRows + 3 }, () => ['x']);
    const start = { top: 10, bottom: 10, left: 0, right: 0 };
    const cells = pasteCells(sheetOf([]), start, columns, long, today);
    expect([cells.sheet.rows.length, cells.left, cells.area.bottom]).toEqual([mostSheetRows, 13, mostSheetRows - 1]);
    const rows = pasteTable(sheetOf([]), 10, { headings: ['TP'], columns: ['tpNo'], rows: long, inDoubt: [] }, today);
    expect([usedRows(rows.sheet).length, rows.left]).toEqual([mostSheetRows - 10, 13]);
  });

  it('puts the columns of a pasted table elsewhere, and leaves what was typed since in other columns', () => {
    const rows = [
      ['Coal', 'TP-1'],
      ['Iron', 'TP-2'],
    ];
    const pasted = pasteTable(
      sheetOf([]),
      0,
      { headings: ['A', 'B'], columns: ['driverName', null], rows, inDoubt: [] },
      today,
    ).sheet;
    const typed = fillArea(pasted, { top: 1, bottom: 1, left: 3, right: 3 }, columns, 'wet', typedText, today);
    const mapped = remap(deleteRows(typed, 0, 0), { columns: ['material', 'tpNo'], inDoubt: [] }, today);
    expect(usedRows(mapped).map(({ cells }) => cells)).toEqual([{ material: 'Iron', tpNo: 'TP-2', remarks: 'wet' }]);
    expect(mapped.source?.columns).toEqual(['material', 'tpNo']);
    expect(sheetColumns).toContain('material');
  });

  it('keeps a field in doubt empty until it is settled, and what was typed there', () => {
    const table = {
      headings: ['TP', 'Tarikh'],
      columns: ['tpNo' as const, null],
      rows: [
        ['1', 'x'],
        ['2', 'y'],
      ],
    };
    const { sheet } = pasteTable(sheetOf([]), 0, { ...table, inDoubt: ['material', 'remarks'] }, today);
    const cellsOf = (one: Sheet) => usedRows(one).map(({ cells }) => cells);
    expect(cellsOf(sheet)[0]).toEqual({ tpNo: '1', material: '', remarks: '' });
    const typed = fillArea(sheet, { top: 0, bottom: 0, left: 3, right: 3 }, columns, 'wet', typedText, today);
    const settled = remap(typed, { columns: ['tpNo', 'material'], inDoubt: [] }, today);
    expect(cellsOf(settled)).toEqual([
      { tpNo: '1', material: 'x', remarks: 'wet' },
      { tpNo: '2', material: 'y' },
    ]);
    expect(cellsOf(remap(settled, { columns: ['tpNo', null], inDoubt: ['material', 'remarks'] }, today))).toEqual([
      { tpNo: '1', material: '', remarks: 'wet' },
      { tpNo: '2', material: '', remarks: '' },
    ]);
  });

  it('lets rows go that were stored', () => {
    const sheet = sheetOf([{ tpNo: '1' }, { tpNo: '2' }, { tpNo: '3' }]);
    const keys = new Set([sheet.rows[0]?.key ?? '', sheet.rows[2]?.key ?? '']);
    expect(usedRows(withoutRows(sheet, keys)).map(({ cells }) => cells.tpNo)).toEqual(['2']);
  });

  it('keeps what it knows of a pasted table while a row of it is left', () => {
    const table = { headings: ['TP'], columns: ['tpNo' as const], rows: [['1'], ['2']], inDoubt: [] };
    const { sheet } = pasteTable(sheetOf([]), 0, table, today);
    const [first = '', second = ''] = sheet.rows.map(({ key }) => key);
    expect(withoutRows(sheet, new Set([first])).source?.headings).toEqual(['TP']);
    expect(withoutRows(sheet, new Set([first, second])).source).toBeUndefined();
  });
});
