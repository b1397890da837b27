import { CFB, read, SSF, type CellObject, type DenseWorkSheet, type WorkBook } from '@e965/xlsx';
import {
  cellNumberText,
  HSD_HEADER_ROWS,
  HSD_MAX_CELL,
  HSD_MAX_COLUMNS,
  otherColumns,
  type HeaderRow,
} from '../../../shared/reading/pump-bill.ts';
import { numberText, TABLE_MAX_SHEETS } from '../../../shared/reading/tables.ts';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { isCompound } from './file-kind.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import { LAST_COLUMN, LAST_ROW, MAX_LINKED_CELLS } from './sheet-scan.ts';
import { SheetBuilder } from './sheets.ts';
import { headerOf, refuseColumns, TableBuilder, type CellText, type HsdReading, type HsdTable } from './table.ts';
import { checkZip } from './zip-check.ts';

export async function openXlsx(bytes: Buffer): Promise<WorkBook> {
  if (isCompound(bytes))
    throw new UnreadableFile(streamsOf(bytes).has('encryptedpackage') ? fileMessages.password : fileMessages.notXlsx);
  const { lastRow } = await checkZip(bytes);
  return parse(bytes, Math.max(lastRow, 1));
}

export function openXls(bytes: Buffer): WorkBook {
  const streams = streamsOf(bytes);
  if (streams.has('encryptedpackage')) throw new UnreadableFile(fileMessages.password);
  const stream = streams.get('workbook') ?? streams.get('book');
  if (stream === undefined) throw new UnreadableFile(fileMessages.notXls);
  if (streams.has('_vba_project_cur')) throw new UnreadableFile(fileMessages.macros);
  checkLinks(stream);
  return parse(bytes, 0);
}

/** Returns the streams and folders at the top of a compound file, by name in lower case. */
function streamsOf(bytes: Buffer): ReadonlyMap<string, Buffer> {
  let file: { FullPaths: string[]; FileIndex: { content?: Uint8Array }[] };
  try {
    file = CFB.read(bytes, { type: 'buffer' });
  } catch {
    throw new UnreadableFile(fileMessages.damaged);
  }
  return new Map(
    file.FullPaths.map((path, index) => [
      path.split('/')[1]?.toLowerCase() ?? '',
      Buffer.from(file.FileIndex[index]?.content ?? []),
    ]),
  );
}

/**
 * The record types of a hyperlink and its tooltip, with the offset of the cell range in each. The reader visits every
 * cell of the range.
 */
const linkRecords = new Map([
  [0x01b8, 0],
  [0x0800, 2],
]);

function checkLinks(stream: Buffer): void {
  let linked = 0;
  // A record has a type and a length, two bytes each, before its content.
  for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const offset = linkRecords.get(stream.readUInt16LE(at));
    if (offset === undefined || at + 12 + offset > stream.length) continue;
    const span = (from: number): number => {
      const start = at + 4 + offset + from;
      return Math.max(0, stream.readUInt16LE(start + 2) - stream.readUInt16LE(start) + 1);
    };
    // The range contains the first and last row, then the first and last column.
    linked += span(0) * span(4);
    if (linked > MAX_LINKED_CELLS) throw new UnreadableFile(fileMessages.tooHard);
  }
}

/**
 * Reads the first visible sheet with the two columns; other sheets with them are reported. Chosen columns belong to one
 * sheet.
 */
export function readTable(workbook: WorkBook, reading: HsdReading): HsdTable {
  const isFrom1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const filled = visibleSheets(workbook).filter(({ rows }) => rows.some(({ cells }) => cells.length > 0));
  if (filled.length === 0) throw new UnreadableFile(fileMessages.empty);
  const { sheet: wanted } = reading;
  const asked = filled.filter(({ name }) => wanted === undefined || name === wanted);
  if (asked.length === 0) throw new UnreadableFile(fileMessages.noSheet);
  const sheets = asked.map((sheet) => ({ ...sheet, header: headerOf(firstRowsOf(sheet.rows), reading) }));
  const [first, ...others] = sheets.flatMap(({ header, ...sheet }) =>
    'error' in header ? [] : [{ ...sheet, header }],
  );
  if (first === undefined) {
    throw refuseColumns(
      sheets.flatMap(({ name, rows, header }) =>
        'error' in header ? [{ error: header.error, rows: firstRowsOf(rows), sheet: name }] : [],
      ),
      filled.map(({ name }) => name),
    );
  }
  const table = readSheet(first.rows, first.header, reading, isFrom1904);
  const unread = (reading.chosen ? [] : others).map(
    ({ name }) => `Sheet '${name.slice(0, 40)}' was not compared: upload it as a file of its own`,
  );
  return { ...table, notes: unread };
}

/** Returns all visible sheets with a value, as text (docs/specification.md §13.5). */
export function readSheets(workbook: WorkBook): TableSheet[] {
  const isFrom1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const sheets = visibleSheets(workbook)
    .map(({ name, rows }) => {
      const sheet = new SheetBuilder(name);
      for (const { cells } of rows) sheet.add(cells.map((cell) => plainText(cell, isFrom1904)));
      return sheet.finish();
    })
    .filter(({ rows }) => rows.length > 0);
  if (sheets.length === 0) throw new UnreadableFile(fileMessages.empty);
  return sheets.slice(0, TABLE_MAX_SHEETS);
}

/**
 * Returns a date as its day, whatever its format, a number with all its digits, and anything else as the sheet shows
 * it.
 */
function plainText(cell: CellObject | undefined, isFrom1904: boolean): string {
  if (cell?.t !== 'n' || typeof cell.v !== 'number') return shownText(cell);
  if (!isDate(cell)) return numberText(cell.v, shownText(cell));
  // A time of day without a date has no day.
  const date = cell.v < 1 ? null : SSF.parse_date_code(cell.v, { date1904: isFrom1904 });
  if (!date) return shownText(cell);
  return [String(date.y).padStart(4, '0'), ...[date.m, date.d].map((part) => String(part).padStart(2, '0'))].join('-');
}

function parse(bytes: Buffer, sheetRows: number): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      sheetRows,
      cellFormula: false,
      cellHTML: false,
      // Keeps the number format, which distinguishes a date from an amount.
      cellNF: true,
      cellText: true,
      bookVBA: false,
    });
  } catch (error) {
    const isLocked = error instanceof Error && /password|encrypt/i.test(error.message);
    throw new UnreadableFile(isLocked ? fileMessages.password : fileMessages.damaged);
  }
}

interface Row {
  /** The index of the row, counted from 0. */
  index: number;
  cells: readonly (CellObject | undefined)[];
}

function visibleSheets(workbook: WorkBook): { name: string; rows: readonly Row[] }[] {
  const isHidden = (index: number): boolean => (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;
  const named = workbook.SheetNames.map((name, index) => ({ name, index })).filter(({ index }) => !isHidden(index));
  return named.map(({ name }) => {
    // The workbook was read with `dense`, so the rows of a sheet are under '!data'. A chart sheet has none.
    const sheet = workbook.Sheets[name] as DenseWorkSheet | undefined;
    return { name, rows: presentItems(sheet?.['!data'] ?? [], LAST_ROW).map(rowOf) };
  });
}

/**
 * Returns the items of a sparse list. The list may be as long as a reference in the file says, so nothing may iterate
 * over its holes.
 */
const presentItems = <T>(list: readonly T[], most: number): [index: number, item: T][] =>
  Object.keys(list).map((key) => {
    const index = Number(key);
    const item = list[index];
    if (!(index >= 0 && index < most) || item === undefined) throw new UnreadableFile(fileMessages.damaged);
    return [index, item];
  });

function rowOf([index, row]: [number, readonly (CellObject | undefined)[]]): Row {
  const cells: (CellObject | undefined)[] = [];
  for (const [column, cell] of presentItems(row, LAST_COLUMN)) {
    if (shownText(cell) === '') continue;
    if (column >= HSD_MAX_COLUMNS) throw new UnreadableFile(fileMessages.tooManyColumns);
    cells[column] = cell;
  }
  return { index, cells: Array.from(cells) };
}

function firstRowsOf(rows: readonly Row[]): string[][] {
  const head: string[][] = Array.from({ length: HSD_HEADER_ROWS }, () => []);
  for (const { index, cells } of rows) if (index < HSD_HEADER_ROWS) head[index] = cells.map(shownText);
  return head;
}

function readSheet(rows: readonly Row[], header: HeaderRow, reading: HsdReading, isFrom1904: boolean): HsdTable {
  const headings = (rows.find(({ index }) => index === header.row)?.cells ?? []).map(shownText);
  const table = new TableBuilder(header, headings, reading);
  const { vehicle = -1, date = -1 } = otherColumns(headings);
  for (const { index, cells } of rows) {
    if (cells.some((cell) => shownText(cell).length > HSD_MAX_CELL)) throw new UnreadableFile(fileMessages.longCell);
    if (index <= header.row) continue;
    table.add(index + 1, {
      tp: tpText(cells[header.tpColumn]),
      amount: amountText(cells[header.amountColumn]),
      vehicle: shownText(cells[vehicle]),
      date: plainText(cells[date], isFrom1904),
      texts: () => cells.map(shownText),
    });
  }
  return table.finish();
}

/** Returns a cell as the sheet shows it; '' for a cell that is only formatted. */
function shownText(cell: CellObject | undefined): string {
  if (cell === undefined || cell.t === 'z' || cell.v === undefined) return '';
  return cell.t === 's' ? String(cell.v) : (cell.w ?? String(cell.v));
}

/**
 * Returns the text of a TP No cell (docs/specification.md §11.2): a number's leading zeros come from its format, its
 * digits from the number itself.
 */
function tpText(cell: CellObject | undefined): CellText {
  const text = shownText(cell);
  if (cell?.t === 'e') return { error: `TP No is ${text}` };
  if (isDate(cell)) return { error: `TP No ${text} is a date: format the column as text` };
  if (cell?.t !== 'n' || typeof cell.v !== 'number') return text;
  if (Math.abs(cell.v) >= 1e15) return { error: `TP No ${text} has lost digits: format the column as text` };
  // 12,345 and 2.40901E+11 are formats of 12345 and 240901234567; 000123 is kept as shown.
  const isNumberOnly = /^[\d\s.,]+(E\+?\d+)?$/i.test(text) && !/^0\d/.test(text);
  return isNumberOnly ? cellNumberText(cell.v) : text;
}

function amountText(cell: CellObject | undefined): CellText {
  const text = shownText(cell);
  if (isDate(cell)) return { error: `Amount '${text}' is a date` };
  return cell?.t === 'n' && typeof cell.v === 'number' ? cellNumberText(cell.v) : text;
}

function isDate(cell: CellObject | undefined): boolean {
  return cell?.t === 'd' || (cell?.t === 'n' && typeof cell.z === 'string' && SSF.is_date(cell.z));
}
