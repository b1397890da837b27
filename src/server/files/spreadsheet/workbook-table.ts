import {
  CFB,
  read,
  type CellObject,
  type DenseWorkSheet,
  type ParsingOptions,
  type WorkBook,
  type WorkSheet,
} from '@e965/xlsx';
import { HSD_MAX_COLUMNS } from '../../../shared/reading/pump-bill.ts';
import { TABLE_MAX_SHEETS } from '../../../shared/reading/tables.ts';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import { numberCellText } from './number-cell.ts';
import { LAST_COLUMN, LAST_ROW, MAX_LINKED_CELLS } from './sheet-scan.ts';
import { filled, SheetBuilder, isBareStream, type ReadTables } from './sheets.ts';
import { readOds } from './xml-tables.ts';
import { checkZip } from './zip-check.ts';

/** Reads a zip that is an .xlsx or an .ods. */
export async function readZip(bytes: Buffer, mostRows: number): Promise<ReadTables> {
  const { lastRow, content } = await checkZip(bytes);
  if (content !== undefined) return { kind: 'ods', sheets: readOds(content, mostRows) };
  return { kind: 'xlsx', sheets: sheetsOf(parse(bytes, Math.max(lastRow, 1)), mostRows) };
}

/** Reads an old workbook: a compound file, or only its stream. */
export async function readXls(bytes: Buffer, mostRows: number): Promise<ReadTables> {
  const streams = isBareStream(bytes) ? new Map([['book', bytes]]) : streamsOf(bytes);
  if (streams.has('encryptedpackage')) throw new UnreadableFile(fileMessages.password);
  const stream = streams.get('workbook') ?? streams.get('book');
  if (stream === undefined) throw new UnreadableFile(fileMessages.notTable);
  if (streams.has('_vba_project_cur')) throw new UnreadableFile(fileMessages.macros);
  checkLinks(stream);
  return { kind: 'xls', sheets: sheetsOf(parse(bytes, 0), mostRows) };
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

/** Returns all visible sheets with a value, as text (docs/specification.md §13.5). */
function sheetsOf(workbook: WorkBook, mostRows: number): TableSheet[] {
  const isFrom1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const isHidden = (index: number): boolean => (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;
  const sheets = workbook.SheetNames.filter((_, index) => !isHidden(index)).map((name) => {
    // The workbook was read with `dense`, so the rows of a sheet are under '!data'. A chart sheet has none.
    const sheet = workbook.Sheets[name] as
      (DenseWorkSheet & Pick<WorkSheet, '!merges' | '!cols' | '!rows'>) | undefined;
    const merges = (sheet?.['!merges'] ?? []).flatMap(({ s: from, e: to }) =>
      to.r > from.r ? [{ column: from.c, first: from.r + 1, last: to.r + 1 }] : [],
    );
    const columns = (sheet?.['!cols'] ?? []).slice(0, HSD_MAX_COLUMNS);
    const hiddenColumns = new Set(columns.flatMap((column, index) => (column?.hidden ? [index] : [])));
    const builder = new SheetBuilder(name, mostRows, { merges, hiddenColumns });
    for (const [index, row] of presentItems(sheet?.['!data'] ?? [], LAST_ROW))
      builder.add(index + 1, textsOf(row, isFrom1904), { isHidden: sheet?.['!rows']?.[index]?.hidden === true });
    return builder.finish();
  });
  return filled(sheets).slice(0, TABLE_MAX_SHEETS);
}

class Options implements ParsingOptions {
  type = 'buffer' as const;
  dense = true;
  cellFormula = false;
  cellHTML = false;
  // Keeps the number format, which distinguishes a date from an amount.
  cellNF = true;
  cellText = true;
  bookVBA = false;
  // Tells which rows and columns are hidden.
  cellStyles = true;
  sheetRows: number;

  constructor(sheetRows: number) {
    this.sheetRows = sheetRows;
  }
  /** With `cellStyles` the library sets this option: then every formatted cell without a value would take memory. */
  get sheetStubs(): boolean {
    return false;
  }
  set sheetStubs(_: boolean) {}
}

function parse(bytes: Buffer, sheetRows: number): WorkBook {
  try {
    return read(bytes, new Options(sheetRows));
  } catch (error) {
    const isLocked = error instanceof Error && /password|encrypt/i.test(error.message);
    throw new UnreadableFile(isLocked ? fileMessages.password : fileMessages.damaged);
  }
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

function textsOf(row: readonly (CellObject | undefined)[], isFrom1904: boolean): string[] {
  const texts: string[] = [];
  for (const [column, cell] of presentItems(row, LAST_COLUMN)) {
    if (shownText(cell) === '') continue;
    if (column >= HSD_MAX_COLUMNS) throw new UnreadableFile(fileMessages.tooManyColumns);
    texts[column] =
      cell?.t === 'n' && typeof cell.v === 'number'
        ? numberCellText(cell.v, cell.z, shownText(cell), isFrom1904)
        : shownText(cell);
  }
  return Array.from(texts, (text) => text ?? '');
}

/** Returns a cell as the sheet shows it; '' for a cell that is only formatted. */
function shownText(cell: CellObject | undefined): string {
  if (cell === undefined || cell.t === 'z' || cell.v === undefined) return '';
  return cell.t === 's' ? String(cell.v) : (cell.w ?? String(cell.v));
}
