import { formatDate } from '../calc/dates.ts';
import { parseTypedDate, typedDay } from '../reading/day.ts';
import { mostSheetRows } from '../contract/challan-sheet.ts';
import type { FigureKind } from '../reading/amount.ts';
import { withoutBreaks } from '../reading/text.ts';
import { readValue, type ValueKind } from '../reading/values.ts';
import { labelOf, sheetColumns, valueKindOf, type SheetColumn } from './challan-sheet-fields.ts';

/**
 * The rows of the entry sheet as they were typed, and all edits of them. A sheet is immutable: an edit makes another one,
 * which shares the unchanged rows, and Undo goes back to the sheet before.
 */

/** How many empty rows follow the last used one, enough to fill a tall window. */
const freeRows = 40;

/** The typed cells of a row. An absent cell may show a remembered value; '' was emptied by hand and stays empty. */
export type Cells = Readonly<Partial<Record<SheetColumn, string>>>;
export interface SheetRow {
  readonly key: string;
  readonly cells: Cells;
}

/** The last table that was pasted with its headings, kept so that its columns can be assigned to other fields. */
export interface Source {
  headings: readonly string[];
  columns: readonly (SheetColumn | null)[];
  /** The rows of the table, each with the key of the row in the sheet that it went to. */
  rows: readonly { key: string; texts: readonly string[] }[];
  /** Fields that stay empty until the user says what the other columns are (unused-columns.ts). */
  inDoubt: readonly SheetColumn[];
}

export interface Sheet {
  readonly rows: readonly SheetRow[];
  readonly source: Source | undefined;
}

/** A range of rows and columns as they are shown, both ends included. */
export interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** The columns as they are shown; null is a computed figure. */
export type ShownColumns = readonly (SheetColumn | null)[];

/** The text of a cell, typed or filled in. */
export type ReadCell = (row: SheetRow, column: SheetColumn) => string;
export const typedText: ReadCell = (row, column) => row.cells[column] ?? '';

export const isBlank = ({ cells }: Pick<SheetRow, 'cells'>): boolean =>
  Object.values(cells).every((text) => text === '');

/** The rows with something in them. */
export const usedRows = (sheet: Sheet): SheetRow[] => sheet.rows.filter((row) => !isBlank(row));

let lastKey = 0;
/** Keys are never used twice, so that what is known about one row is never taken for another's. */
const newRow = (cells: Cells = {}): SheetRow => ({ key: `r${(lastKey += 1)}`, cells });

/** A sheet with these rows, for example those of a draft. There are at most `mostSheetRows`. */
export const sheetOf = (rows: readonly Cells[]): Sheet => padded({ rows: rows.map(newRow), source: undefined });

function padded(sheet: Sheet): Sheet {
  const used = sheet.rows.findLastIndex((row) => !isBlank(row)) + 1;
  return grown(sheet, Math.min(used + freeRows, mostSheetRows));
}

/** The sheet with at least `count` rows. */
function grown(sheet: Sheet, count: number): Sheet {
  const missing = count - sheet.rows.length;
  return missing <= 0 ? sheet : { ...sheet, rows: [...sheet.rows, ...Array.from({ length: missing }, () => newRow())] };
}

/**
 * A typed text as its cell keeps it. A day is written out at once: '5' means another day next month, when a draft may be
 * opened again. `before` is what the cell had, where the text was typed into it; a pasted text has none.
 */
export function settled(column: SheetColumn, text: string, today: string, before?: string): string {
  const plain = column === 'remarks' ? text.trim() : withoutBreaks(text, /[\r\n\t]/).trim();
  const kind = valueKindOf(column);
  if (kind === 'day' && plain !== '' && before !== undefined) {
    const typed = parseTypedDate(plain, today, typedDay(before, today));
    return 'day' in typed ? formatDate(typed.day) : plain;
  }
  const read = readValue(kind, plain, { today, label: labelOf(column) });
  // What cannot be read stays as it was typed, and the row says why.
  if ('problem' in read || isFigure(kind)) return plain;
  return kind === 'day' && read.value !== '' ? formatDate(read.value) : read.value;
}
const isFigure = (kind: ValueKind): kind is FigureKind => ['money', 'weight', 'liters', 'percent'].includes(kind);

/** A text of undefined removes what was typed. */
type Change = readonly [column: SheetColumn, text: string | undefined];

/** Amounts that are remembered from the challan before, and change what an owner is paid. */
const ownAmounts: readonly SheetColumn[] = [
  'ratePerMT',
  'advanceMoney',
  'officeCharges',
  'discountWeight',
  'materialRate',
];

/**
 * What a pasted cell puts into the sheet. An empty one removes what was typed, so that a remembered value may show there. An
 * empty amount stays empty: where a table has no advance, that of the challan before must not be deducted.
 */
const pastedText = (column: SheetColumn, text: string, today: string): string | undefined =>
  settled(column, text, today) || (ownAmounts.includes(column) ? '' : undefined);

function changedCells(cells: Cells, changes: readonly Change[]): Cells {
  const next: Partial<Record<SheetColumn, string>> = { ...cells };
  for (const [column, text] of changes) {
    if (text === undefined) delete next[column];
    else next[column] = text;
  }
  if (sheetColumns.every((column) => next[column] === cells[column])) return cells;
  // A row without any text is like a new one: its cells do not count as emptied by hand.
  if (Object.values(next).some((text) => text !== '')) return next;
  return Object.keys(cells).length === 0 ? cells : {};
}

function withChanges(sheet: Sheet, changes: ReadonlyMap<number, readonly Change[]>): Sheet {
  const rows = sheet.rows.map((row, index) => {
    const own = changes.get(index);
    const cells = own ? changedCells(row.cells, own) : row.cells;
    return cells === row.cells ? row : { key: row.key, cells };
  });
  return rows.every((row, index) => row === sheet.rows[index]) ? sheet : padded({ ...sheet, rows });
}

const columnsOf = ({ left, right }: Area, columns: ShownColumns): { at: number; column: SheetColumn }[] =>
  columns.slice(left, right + 1).flatMap((column, index) => (column === null ? [] : [{ at: left + index, column }]));

/** Changes every cell of an area. Emptying a cell that shows nothing is no change. */
function overArea(
  sheet: Sheet,
  area: Area,
  columns: ShownColumns,
  read: ReadCell,
  textOf: (row: SheetRow, column: SheetColumn, at: { row: number; column: number }) => string | undefined,
): Sheet {
  const changes = new Map<number, Change[]>();
  for (let index = area.top; index <= Math.min(area.bottom, sheet.rows.length - 1); index += 1) {
    const row = sheet.rows[index];
    if (!row) continue;
    const own = columnsOf(area, columns).flatMap(({ at, column }): Change[] => {
      const text = textOf(row, column, { row: index, column: at });
      return text === '' && read(row, column) === '' ? [] : [[column, text]];
    });
    changes.set(index, own);
  }
  return withChanges(sheet, changes);
}

/** Writes a text into every cell of an area: Ctrl+Enter, and typing into one cell. */
export const fillArea = (
  sheet: Sheet,
  area: Area,
  columns: ShownColumns,
  text: string,
  read: ReadCell,
  today: string,
): Sheet => overArea(sheet, area, columns, read, (row, column) => settled(column, text, today, read(row, column)));

export const clearArea = (sheet: Sheet, area: Area, columns: ShownColumns, read: ReadCell): Sheet =>
  overArea(sheet, area, columns, read, () => '');

/** Ctrl+D: copies the first row of the area into the others. A single row gets the row above it. */
export function fillDown(sheet: Sheet, area: Area, columns: ShownColumns, read: ReadCell): Sheet {
  const from = sheet.rows[area.top === area.bottom ? area.top - 1 : area.top];
  if (!from) return sheet;
  const into = area.top === area.bottom ? area : { ...area, top: area.top + 1 };
  return overArea(sheet, into, columns, read, (_row, column) => read(from, column));
}

/** Ctrl+R: copies the first column of the area into the others. A single column gets the column before it. */
export function fillRight(sheet: Sheet, area: Area, columns: ShownColumns, read: ReadCell, today: string): Sheet {
  const isSingle = area.left === area.right;
  const from = columns[isSingle ? area.left - 1 : area.left];
  if (!from) return sheet;
  const into = isSingle ? area : { ...area, left: area.left + 1 };
  return overArea(sheet, into, columns, read, (row, column) => settled(column, read(row, from), today));
}

export interface Pasted {
  sheet: Sheet;
  /** The cells that were pasted into, which become the selection. */
  area: Area;
  /** How many rows, and columns, the sheet had no room for. */
  left: number;
  leftColumns: number;
}

/** Pastes copied cells: repeatedly where they fit into the area exactly, else once from its first cell. */
export function pasteCells(
  sheet: Sheet,
  area: Area,
  columns: ShownColumns,
  table: readonly (readonly string[])[],
  today: string,
): Pasted {
  const [height, width] = [table.length, Math.max(0, ...table.map((row) => row.length))];
  if (height === 0 || width === 0) return { sheet, area, left: 0, leftColumns: 0 };
  const rows = area.bottom - area.top + 1;
  const across = area.right - area.left + 1;
  const isTiled = rows % height === 0 && across % width === 0;
  const bottom = area.top + (isTiled ? rows : height) - 1;
  const into: Area = {
    ...area,
    bottom: Math.min(bottom, mostSheetRows - 1),
    right: Math.min(area.left + (isTiled ? across : width), columns.length) - 1,
  };
  // A cell that nobody typed into shows something here, because it may be filled in.
  const read: ReadCell = (row, column) => typedText(row, column) || column;
  const next = overArea(grown(sheet, into.bottom + 1), into, columns, read, (_row, column, at) => {
    const text = table[(at.row - into.top) % height]?.[(at.column - into.left) % width] ?? '';
    return pastedText(column, text, today);
  });
  const leftColumns = Math.max(0, area.left + width - columns.length);
  return { sheet: next, area: into, left: bottom - into.bottom, leftColumns };
}

/**
 * Pastes a table with headings, or a file. Its rows go to the row in focus and those below it if they are empty, else below
 * the last used row. Nothing is overwritten.
 */
export function pasteTable(
  sheet: Sheet,
  from: number,
  {
    headings,
    columns,
    rows,
    inDoubt,
  }: Pick<Source, 'headings' | 'columns' | 'inDoubt'> & { rows: readonly (readonly string[])[] },
  today: string,
): Pasted {
  const isFree = sheet.rows.slice(from, from + rows.length).every(isBlank);
  const top = isFree ? from : sheet.rows.findLastIndex((row) => !isBlank(row)) + 1;
  const taken = rows.slice(0, Math.max(0, mostSheetRows - top));
  const bottom = top + taken.length - 1;
  const roomy = grown(sheet, bottom + 1);
  const source: Source = {
    headings,
    columns,
    rows: taken.map((texts, index) => ({ key: roomy.rows[top + index]?.key ?? '', texts })),
    inDoubt,
  };
  // A cell that is '' is not filled in.
  const empty = inDoubt.map((column): Change => [column, '']);
  const changes = new Map(
    taken.map((texts, index) => [top + index, [...mappedChanges(columns, columns, texts, today), ...empty]]),
  );
  return {
    sheet: { ...withChanges(roomy, changes), source: taken.length > 0 ? source : sheet.source },
    area: { top, bottom: Math.max(top, bottom), left: 0, right: 0 },
    left: rows.length - taken.length,
    leftColumns: 0,
  };
}

/** The texts for the columns in `changed`, when the columns of the pasted table are `of`. */
const mappedChanges = (
  changed: readonly (SheetColumn | null)[],
  of: Source['columns'],
  texts: readonly string[],
  today: string,
): Change[] =>
  [...new Set(changed)].flatMap((column): Change[] => {
    if (column === null) return [];
    const from = of.indexOf(column);
    return [[column, from === -1 ? undefined : pastedText(column, texts[from] ?? '', today)]];
  });

/**
 * Assigns other columns to the pasted table. Only columns that changed are filled again; other typed texts stay. A field that
 * is no longer in doubt may be filled in, where nobody has typed into it.
 */
export function remap(sheet: Sheet, { columns, inDoubt }: Pick<Source, 'columns' | 'inDoubt'>, today: string): Sheet {
  const { source } = sheet;
  if (!source) return sheet;
  const moved = source.columns.flatMap((column, index) =>
    column === columns[index] ? [] : [column, columns[index] ?? null],
  );
  const place = new Map(sheet.rows.map((row, index) => [row.key, index]));
  const changes = new Map<number, Change[]>();
  for (const { key, texts } of source.rows) {
    const index = place.get(key);
    if (index === undefined) continue;
    const { cells } = sheet.rows[index]!;
    const settledNow = source.inDoubt.filter((column) => !inDoubt.includes(column) && cells[column] === '');
    changes.set(index, [
      ...settledNow.map((column): Change => [column, undefined]),
      ...mappedChanges(moved, columns, texts, today),
      ...inDoubt.filter((column) => !cells[column] || moved.includes(column)).map((column): Change => [column, '']),
    ]);
  }
  return { ...withChanges(sheet, changes), source: { ...source, columns, inDoubt } };
}

/** Deletes rows; those below move up. */
export const deleteRows = (sheet: Sheet, top: number, bottom: number): Sheet =>
  sheet.rows.slice(top).every(isBlank)
    ? sheet
    : padded({ ...sheet, rows: [...sheet.rows.slice(0, top), ...sheet.rows.slice(bottom + 1)] });

/** Removes rows, for example those that were stored. A pasted table without any row left is forgotten. */
export function withoutRows({ rows, source }: Sheet, keys: ReadonlySet<string>): Sheet {
  const isLeft = source?.rows.some(({ key }) => !keys.has(key));
  return padded({ rows: rows.filter(({ key }) => !keys.has(key)), source: isLeft ? source : undefined });
}

/** Writes texts into the rows that `isMeant` chooses: for "Map to …", and for a name with the fields that come with it. */
export function replaceText(
  sheet: Sheet,
  isMeant: (row: SheetRow) => boolean,
  texts: Readonly<Partial<Record<SheetColumn, string>>>,
): Sheet {
  // Safe: Object.entries widens the keys to string, but they are columns.
  const own = Object.entries(texts) as [SheetColumn, string][];
  const found = sheet.rows.flatMap((row, index) => (isMeant(row) ? [index] : []));
  return withChanges(sheet, new Map(found.map((index) => [index, own])));
}

/** The texts of an area, row by row. */
export const textsOf = (sheet: Sheet, area: Area, columns: ShownColumns, read: ReadCell): string[][] =>
  sheet.rows
    .slice(area.top, area.bottom + 1)
    .map((row) => columns.slice(area.left, area.right + 1).map((column) => (column === null ? '' : read(row, column))));

/** The steps for Undo and Redo, the newest last. */
export interface SheetHistory {
  now: Sheet;
  past: readonly Step[];
  future: readonly Step[];
}
interface Step {
  sheet: Sheet;
  /** 'Paste 50 rows' */
  label: string;
}

const mostSteps = 1_000;

export const beginHistory = (now: Sheet): SheetHistory => ({ now, past: [], future: [] });

export const record = (history: SheetHistory, next: Sheet, label: string): SheetHistory =>
  next === history.now
    ? history
    : { now: next, past: [...history.past, { sheet: history.now, label }].slice(-mostSteps), future: [] };

export function undo({ now, past, future }: SheetHistory): SheetHistory {
  const last = past.at(-1);
  if (!last) return { now, past, future };
  return { now: last.sheet, past: past.slice(0, -1), future: [...future, { sheet: now, label: last.label }] };
}

export function redo({ now, past, future }: SheetHistory): SheetHistory {
  const next = future.at(-1);
  if (!next) return { now, past, future };
  return { now: next.sheet, past: [...past, { sheet: now, label: next.label }], future: future.slice(0, -1) };
}
