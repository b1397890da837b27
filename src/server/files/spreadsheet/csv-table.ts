import { HSD_HEADER_ROWS, otherColumns, type HeaderRow } from '../../../shared/reading/pump-bill.ts';
import { csvRows } from './csv-rows.ts';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import { SheetBuilder } from './sheets.ts';
import { headerOf, refuseColumns, TableBuilder, type HsdReading, type HsdTable } from './table.ts';

const delimiters = [',', ';', '\t'] as const;

export function readCsv(bytes: Buffer, reading: HsdReading): HsdTable {
  const text = decodeText(bytes);
  const { header, headings, delimiter } = findTable(text, reading);
  const table = new TableBuilder(header, headings, reading);
  const { vehicle = -1, date = -1 } = otherColumns(headings);
  let row = 0;
  for (const cells of csvRows(text, delimiter)) {
    row += 1;
    if (row <= header.row + 1) continue;
    const cell = (column: number): string => cells[column] ?? '';
    const { tpColumn, amountColumn } = header;
    table.add(row, {
      tp: cell(tpColumn),
      amount: cell(amountColumn),
      vehicle: cell(vehicle),
      date: cell(date),
      texts: () => cells,
    });
  }
  return table.finish();
}

/** Returns the only sheet of a CSV file, with the delimiter that splits its first rows into most cells. */
export function readCsvSheets(bytes: Buffer): TableSheet[] {
  const text = decodeText(bytes);
  const { delimiter } = chooseDelimiter(headsOf(text));
  const sheet = new SheetBuilder('Sheet1');
  for (const cells of csvRows(text, delimiter)) sheet.add(cells);
  return [sheet.finish()];
}

function decodeText(bytes: Buffer): string {
  const text = decode(bytes);
  if (text.trim() === '') throw new UnreadableFile(fileMessages.empty);
  if (/^\s*<(!doctype|html|table|\?xml)/i.test(text)) throw new UnreadableFile(fileMessages.notCsv);
  return text;
}

interface Head {
  delimiter: string;
  rows: string[][];
  stopped?: string;
}

const headsOf = (text: string): Head[] => delimiters.map((delimiter) => ({ delimiter, ...readHead(text, delimiter) }));

/** Chooses the delimiter that splits the first rows into most cells. */
function chooseDelimiter(heads: readonly Head[]): Head {
  const cellsOf = ({ rows, stopped }: Head): number => {
    if (stopped === undefined) return rows.reduce((sum, cells) => sum + cells.length, 0);
    return stopped === fileMessages.tooManyColumns ? Infinity : 0;
  };
  return heads.reduce((best, head) => (cellsOf(head) > cellsOf(best) ? head : best));
}

/**
 * Finds the header and the delimiter. The delimiter with which the header is found is used; for chosen columns it is
 * the one with which they were shown.
 */
function findTable(
  text: string,
  reading: HsdReading,
): { header: HeaderRow; headings: readonly string[]; delimiter: string } {
  const heads = headsOf(text);
  const most = chooseDelimiter(heads);
  const attempts: { error: string; rows: string[][] }[] = [];
  for (const { delimiter, rows } of reading.chosen ? [most] : heads) {
    const header = headerOf(rows, reading);
    if (!('error' in header)) return { header, headings: rows[header.row] ?? [], delimiter };
    attempts.push({ error: header.error, rows });
  }
  const said = attempts.find(({ error }) => error.startsWith('Row'));
  const stopped = heads[0]?.stopped;
  if (!said && stopped !== undefined) throw new UnreadableFile(stopped);
  throw refuseColumns([said ?? { error: attempts[0]?.error ?? '', rows: most.rows }]);
}

/**
 * Reads the first rows as far as possible with this delimiter. With a wrong delimiter a row may be one cell that is too
 * long.
 */
function readHead(text: string, delimiter: string): { rows: string[][]; stopped?: string } {
  const rows: string[][] = [];
  try {
    for (const cells of csvRows(text, delimiter)) if (rows.push(cells) === HSD_HEADER_ROWS) break;
    return { rows };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { rows, stopped: error.message };
  }
}

/**
 * Decodes the text: UTF-8 or UTF-16 by its byte order mark. Without one it is UTF-16 if it has the typical zero bytes,
 * UTF-8 if it is valid, else Windows-1252.
 */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  const evenZeros = countZeros(bytes, 0);
  const oddZeros = countZeros(bytes, 1);
  let text: string;
  if ((first === 0xff && second === 0xfe) || (oddZeros > 0.3 && evenZeros < 0.1)) text = decodeAs('utf-16le', bytes);
  else if ((first === 0xfe && second === 0xff) || (evenZeros > 0.3 && oddZeros < 0.1))
    text = decodeAs('utf-16be', bytes);
  else {
    try {
      text = decodeAs('utf-8', bytes);
    } catch {
      text = decodeAs('windows-1252', bytes);
    }
  }
  // Text has no zero bytes: a file that still has some is not a CSV file.
  if (text.includes('\0')) throw new UnreadableFile(fileMessages.notCsv);
  return text;
}

function decodeAs(encoding: string, bytes: Buffer): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (encoding === 'utf-8') throw error;
    throw new UnreadableFile(fileMessages.damaged);
  }
}

/** Returns the share of zero bytes at even or odd positions among the first ones. */
function countZeros(bytes: Buffer, from: 0 | 1): number {
  const head = bytes.subarray(0, 1024);
  let zeros = 0;
  for (let at = from; at < head.length; at += 2) if (head[at] === 0) zeros += 1;
  return head.length === 0 ? 0 : zeros / Math.ceil(head.length / 2);
}
