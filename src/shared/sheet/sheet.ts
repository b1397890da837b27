import { formatDate } from '../calc/dates.ts';
import { parseTypedDate, typedDay } from '../calc/typed-date.ts';
import { displayVehicle } from '../calc/vehicle.ts';
import { challanFields } from '../contract/challan-fields.ts';
import { mostSheetRows } from '../contract/challan-sheet.ts';
import type { FieldKind } from '../contract/fields.ts';
import { sheetColumns, type SheetColumn } from './challan-sheet-fields.ts';

/**
 * The rows of the entry sheet as they were typed, and every edit of them. A sheet is never changed in place: an edit makes
 * another one, which shares the rows that it leaves, so that Undo is the sheet before.
 */

/** Free rows to type into below the last one: a tall window is full of them. */
const freeRows = 40;

/** Absent: nothing was typed, and a remembered value may show there. '': emptied by hand, and stays empty. */
export type Cells = Readonly<Partial<Record<SheetColumn, string>>>;
export interface SheetRow {
  readonly key: string;
  readonly cells: Cells;
}

/** The last table that was pasted with its headings, so that its columns can be put elsewhere. */
export interface Source {
  headings: readonly string[];
  columns: readonly (SheetColumn | null)[];
  /** Its rows with the row of the sheet that each went to. */
  rows: readonly { key: string; texts: readonly string[] }[];
}

export interface Sheet {
  readonly rows: readonly SheetRow[];
  readonly source: Source | undefined;
}

/** Rows and columns as they are shown, both ends included. */
export interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** The columns as they are shown; null: a figure that is worked out. */
export type ShownColumns = readonly (SheetColumn | null)[];

/** What a cell shows: typed or filled in. */
export type ReadCell = (row: SheetRow, column: SheetColumn) => string;
export const typedText: ReadCell = (row, column) => row.cells[column] ?? '';

export const isBlank = ({ cells }: Pick<SheetRow, 'cells'>): boolean =>
  Object.values(cells).every((text) => text === '');

/** The rows with something in them. */
export const usedRows = (sheet: Sheet): SheetRow[] => sheet.rows.filter((row) => !isBlank(row));

let lastKey = 0;
/** Under a key of its own, which no row of any sheet had: what is known of one row is never taken for another's. */
const newRow = (cells: Cells = {}): SheetRow => ({ key: `r${(lastKey += 1)}`, cells });

/** A sheet of these rows, such as those of a draft; `mostSheetRows` at most. */
export const sheetOf = (rows: readonly Cells[]): Sheet => padded({ rows: rows.map(newRow), source: undefined });

function padded(sheet: Sheet): Sheet {
  const used = sheet.rows.findLastIndex((row) => !isBlank(row)) + 1;
  return grown(sheet, Math.min(used + freeRows, mostSheetRows));
}

/** So many rows at least. */
function grown(sheet: Sheet, count: number): Sheet {
  const missing = count - sheet.rows.length;
  return missing <= 0 ? sheet : { ...sheet, rows: [...sheet.rows, ...Array.from({ length: missing }, () => newRow())] };
}

export const kindOfColumn = (column: SheetColumn): FieldKind =>
  column === 'materialRate' ? 'money' : challanFields[column].kind;

/**
 * A text as its cell keeps it. A day is written out at once: '5' means another day next month, and a draft may be opened
 * then.
 */
export function settled(column: SheetColumn, text: string, today: string, before = ''): string {
  const plain = column === 'remarks' ? text.trim() : text.replace(/\s*[\r\n\t]+\s*/g, ' ').trim();
  if (column === 'vehicleNo') return displayVehicle(plain);
  if (kindOfColumn(column) !== 'date' || plain === '') return plain;
  const read = parseTypedDate(plain, today, typedDay(before, today));
  return 'day' in read ? formatDate(read.day) : plain;
}

/** undefined takes what was typed away. */
type Change = readonly [column: SheetColumn, text: string | undefined];

function changedCells(cells: Cells, changes: readonly Change[]): Cells {
  const next: Partial<Record<SheetColumn, string>> = { ...cells };
  for (const [column, text] of changes) {
    if (text === undefined) delete next[column];
    else next[column] = text;
  }
  if (sheetColumns.every((column) => next[column] === cells[column])) return cells;
  // An emptied row is a new one: nothing in it was emptied by hand.
  return Object.values(next).every((text) => text === '') ? {} : next;
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

/** The same change of every cell of an area. Emptying a cell that shows nothing is no change. */
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

/** Ctrl+Enter, and typing into one cell. */
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

/** Ctrl+D: the first row of the area into the others; of a single row, the row above it. */
export function fillDown(sheet: Sheet, area: Area, columns: ShownColumns, read: ReadCell): Sheet {
  const from = sheet.rows[area.top === area.bottom ? area.top - 1 : area.top];
  if (!from) return sheet;
  const into = area.top === area.bottom ? area : { ...area, top: area.top + 1 };
  return overArea(sheet, into, columns, read, (_row, column) => read(from, column));
}

/** Ctrl+R: the first column of the area into the others; of a single column, the one before it. */
export function fillRight(sheet: Sheet, area: Area, columns: ShownColumns, read: ReadCell, today: string): Sheet {
  const isSingle = area.left === area.right;
  const from = columns[isSingle ? area.left - 1 : area.left];
  if (!from) return sheet;
  const into = isSingle ? area : { ...area, left: area.left + 1 };
  return overArea(sheet, into, columns, read, (row, column) => settled(column, read(row, from), today));
}

export interface Pasted {
  sheet: Sheet;
  /** Where it went, so that it can be shown as selected. */
  area: Area;
  /** Rows that the sheet has no room for. */
  left: number;
}

/**
 * Copied cells into the area: once from its first cell, or as often as they fit exactly. An empty cell takes away what was
 * typed, and a remembered value may come there.
 */
export function pasteCells(
  sheet: Sheet,
  area: Area,
  columns: ShownColumns,
  table: readonly (readonly string[])[],
  today: string,
): Pasted {
  const [height, width] = [table.length, Math.max(0, ...table.map((row) => row.length))];
  if (height === 0 || width === 0) return { sheet, area, left: 0 };
  const rows = area.bottom - area.top + 1;
  const across = area.right - area.left + 1;
  const isTiled = rows % height === 0 && across % width === 0;
  const bottom = area.top + (isTiled ? rows : height) - 1;
  const into: Area = {
    ...area,
    bottom: Math.min(bottom, mostSheetRows - 1),
    right: Math.min(area.left + (isTiled ? across : width), columns.length) - 1,
  };
  const next = overArea(grown(sheet, into.bottom + 1), into, columns, typedText, (_row, column, at) => {
    const text = table[(at.row - into.top) % height]?.[(at.column - into.left) % width] ?? '';
    return settled(column, text, today) || undefined;
  });
  return { sheet: next, area: into, left: bottom - into.bottom };
}

/**
 * A table with headings, or a file: its rows go to the row in focus and below where these are free, else below all that is
 * there already. Nothing is overwritten.
 */
export function pasteTable(
  sheet: Sheet,
  from: number,
  {
    headings,
    columns,
    rows,
  }: { headings: Source['headings']; columns: Source['columns']; rows: readonly (readonly string[])[] },
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
  };
  const changes = new Map(taken.map((texts, index) => [top + index, mappedChanges(columns, columns, texts, today)]));
  return {
    sheet: { ...withChanges(roomy, changes), source: taken.length > 0 ? source : sheet.source },
    area: { top, bottom: Math.max(top, bottom), left: 0, right: 0 },
    left: rows.length - taken.length,
  };
}

/** What these columns of the sheet hold when the columns of the table are `of`. */
const mappedChanges = (
  changed: readonly (SheetColumn | null)[],
  of: Source['columns'],
  texts: readonly string[],
  today: string,
): Change[] =>
  [...new Set(changed)].flatMap((column): Change[] => {
    if (column === null) return [];
    const from = of.indexOf(column);
    return [[column, from === -1 ? undefined : settled(column, texts[from] ?? '', today) || undefined]];
  });

/** Other columns for the pasted table: only those whose place changed are filled anew; what was typed elsewhere stays. */
export function remap(sheet: Sheet, columns: Source['columns'], today: string): Sheet {
  const { source } = sheet;
  if (!source) return sheet;
  const moved = source.columns.flatMap((column, index) =>
    column === columns[index] ? [] : [column, columns[index] ?? null],
  );
  const place = new Map(sheet.rows.map((row, index) => [row.key, index]));
  const changes = new Map<number, Change[]>();
  for (const { key, texts } of source.rows) {
    const index = place.get(key);
    if (index !== undefined) changes.set(index, mappedChanges(moved, columns, texts, today));
  }
  return { ...withChanges(sheet, changes), source: { ...source, columns } };
}

/** The rows below move up. */
export const deleteRows = (sheet: Sheet, top: number, bottom: number): Sheet =>
  sheet.rows.slice(top).every(isBlank)
    ? sheet
    : padded({ ...sheet, rows: [...sheet.rows.slice(0, top), ...sheet.rows.slice(bottom + 1)] });

/** Takes these rows out, such as those that were stored; of a pasted table that has none left nothing is known. */
export function withoutRows({ rows, source }: Sheet, keys: ReadonlySet<string>): Sheet {
  const isLeft = source?.rows.some(({ key }) => !keys.has(key));
  return padded({ rows: rows.filter(({ key }) => !keys.has(key)), source: isLeft ? source : undefined });
}

/** These texts in the rows that are meant: "Map to …", and a name with what it brings along. */
export function replaceText(
  sheet: Sheet,
  isMeant: (row: SheetRow) => boolean,
  texts: Readonly<Partial<Record<SheetColumn, string>>>,
): Sheet {
  // Object.entries widens the keys; they are columns.
  const own = Object.entries(texts) as [SheetColumn, string][];
  const found = sheet.rows.flatMap((row, index) => (isMeant(row) ? [index] : []));
  return withChanges(sheet, new Map(found.map((index) => [index, own])));
}

/** An area's texts, one row each. */
export const textsOf = (sheet: Sheet, area: Area, columns: ShownColumns, read: ReadCell): string[][] =>
  sheet.rows
    .slice(area.top, area.bottom + 1)
    .map((row) => columns.slice(area.left, area.right + 1).map((column) => (column === null ? '' : read(row, column))));

/** What was done, so that it can be taken back: newest last. */
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
