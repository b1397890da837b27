import { CFB, read, SSF, type CellObject, type DenseWorkSheet, type WorkBook } from '@e965/xlsx';
import { cellNumberText, findHeader, HSD_HEADER_ROWS, type HeaderRow } from '../../../shared/calc/hsd.ts';
import { isCompound } from './file-kind.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import { checkShape, sayMost, TableBuilder, type CellText, type HsdTable } from './table.ts';
import { checkZip } from './zip-check.ts';

/** The last row a spreadsheet program knows. */
const lastPossibleRow = 1_048_576;

export async function readXlsx(bytes: Buffer): Promise<HsdTable> {
  if (isCompound(bytes))
    throw new UnreadableFile(hasStream(bytes, 'EncryptedPackage') ? fileMessages.password : fileMessages.notXlsx);
  const { lastRow } = await checkZip(bytes);
  if (lastRow > lastPossibleRow) throw new UnreadableFile(fileMessages.damaged);
  return readWorkbook(bytes, Math.max(lastRow, 1));
}

export function readXls(bytes: Buffer): HsdTable {
  if (hasStream(bytes, 'EncryptedPackage')) throw new UnreadableFile(fileMessages.password);
  if (!hasStream(bytes, 'Workbook') && !hasStream(bytes, 'Book')) throw new UnreadableFile(fileMessages.notXls);
  if (hasStream(bytes, '_VBA_PROJECT_CUR')) throw new UnreadableFile(fileMessages.macros);
  return readWorkbook(bytes, 0);
}

/** Whether a compound file has this stream or folder at its top. */
function hasStream(bytes: Buffer, name: string): boolean {
  let paths: string[];
  try {
    paths = CFB.read(bytes, { type: 'buffer' }).FullPaths;
  } catch {
    throw new UnreadableFile(fileMessages.damaged);
  }
  return paths.some((path) => path.split('/')[1]?.toLowerCase() === name.toLowerCase());
}

/** The first visible sheet that has the two columns is compared; others that have them are named, never left out silently. */
function readWorkbook(bytes: Buffer, sheetRows: number): HsdTable {
  const workbook = parse(bytes, sheetRows);
  const sheets = visibleSheets(workbook).map(({ name, rows }) => ({ name, rows, header: findHeader(headOf(rows)) }));
  if (sheets.every(({ rows }) => rows.every((row) => row.every((cell) => shown(cell) === '')))) {
    throw new UnreadableFile(fileMessages.empty);
  }
  const [first, ...others] = sheets.flatMap(({ header, ...sheet }) =>
    'error' in header ? [] : [{ ...sheet, header }],
  );
  if (first === undefined) {
    const errors = sheets.flatMap(({ header }) => ('error' in header ? [header.error] : []));
    throw new UnreadableFile(sayMost(errors));
  }
  const table = readSheet(first.rows, first.header);
  const unread = others.map(
    ({ name }) => `Sheet '${name.slice(0, 40)}' was not compared: upload it as a file of its own`,
  );
  return { ...table, notes: unread };
}

function parse(bytes: Buffer, sheetRows: number): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      sheetRows,
      cellFormula: false,
      cellHTML: false,
      // The number's format, which tells a date from an amount.
      cellNF: true,
      cellText: true,
      bookVBA: false,
    });
  } catch (error) {
    const isLocked = error instanceof Error && /password|encrypt/i.test(error.message);
    throw new UnreadableFile(isLocked ? fileMessages.password : fileMessages.damaged);
  }
}

type Row = readonly (CellObject | undefined)[];

function visibleSheets(workbook: WorkBook): { name: string; rows: readonly Row[] }[] {
  const isHidden = (index: number): boolean => (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;
  const named = workbook.SheetNames.map((name, index) => ({ name, index })).filter(({ index }) => !isHidden(index));
  return named.map(({ name }) => {
    // Read with `dense`, so that a sheet keeps its rows under '!data'; a sheet that is a chart has none.
    const sheet = workbook.Sheets[name] as DenseWorkSheet | undefined;
    // Rows without a cell are holes.
    return { name, rows: Array.from(sheet?.['!data'] ?? [], (row: Row | undefined) => Array.from(row ?? [])) };
  });
}

const headOf = (rows: readonly Row[]): string[][] => rows.slice(0, HSD_HEADER_ROWS).map((row) => row.map(shown));

function readSheet(rows: readonly Row[], header: HeaderRow): HsdTable {
  const table = new TableBuilder();
  for (const [index, row] of rows.entries()) {
    checkShape(row.map(shown));
    if (index > header.row) table.add(index + 1, tpText(row[header.tpColumn]), amountText(row[header.amountColumn]));
  }
  return table.finish();
}

/** A cell as the sheet shows it; nothing for one that is only formatted. */
function shown(cell: CellObject | undefined): string {
  if (cell === undefined || cell.t === 'z' || cell.v === undefined) return '';
  return cell.t === 's' ? String(cell.v) : (cell.w ?? String(cell.v));
}

/** The text of the cell (ruling 40): a number's leading zeros come from its format, its digits from the number itself. */
function tpText(cell: CellObject | undefined): CellText {
  const text = shown(cell);
  if (cell?.t === 'e') return { error: `TP No is ${text}` };
  if (isDate(cell)) return { error: `TP No ${text} is a date: format the column as text` };
  if (cell?.t !== 'n' || typeof cell.v !== 'number') return text;
  if (Math.abs(cell.v) >= 1e15) return { error: `TP No ${text} has lost digits: format the column as text` };
  // 12,345 and 2.40901E+11 are how a format shows 12345 and 240901234567; 000123 is what it says.
  const isNumberOnly = /^[\d\s.,]+(E\+?\d+)?$/i.test(text) && !/^0\d/.test(text);
  return isNumberOnly ? cellNumberText(cell.v) : text;
}

function amountText(cell: CellObject | undefined): CellText {
  const text = shown(cell);
  if (isDate(cell)) return { error: `Amount '${text}' is a date` };
  return cell?.t === 'n' && typeof cell.v === 'number' ? cellNumberText(cell.v) : text;
}

function isDate(cell: CellObject | undefined): boolean {
  return cell?.t === 'd' || (cell?.t === 'n' && typeof cell.z === 'string' && SSF.is_date(cell.z));
}
