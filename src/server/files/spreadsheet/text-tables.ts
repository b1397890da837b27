import { isHeading } from '../../../shared/calc/column-headings.ts';
import { HSD_MAX_CELL, HSD_MAX_COLUMNS } from '../../../shared/reading/pump-bill.ts';
import type { TableKind } from '../../../shared/reading/tables.ts';
import { delimitedRows, type RowLimits } from '../../../shared/sheet/delimited-text.ts';
import { readHtml } from './html-tables.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import { filled, SheetBuilder, type ReadTables } from './sheets.ts';

const separators = [
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['pipe', '|'],
  ['tilde', '~'],
] as const satisfies readonly (readonly [TableKind, string])[];

const limits: RowLimits = {
  columns: HSD_MAX_COLUMNS,
  cell: HSD_MAX_CELL,
  refuse: (what) => {
    throw new UnreadableFile(what === 'cell' ? fileMessages.longCell : fileMessages.tooManyColumns);
  },
};

/** Reads a file of text: a web page, an XML spreadsheet, or rows with separators. */
export async function readTextFile(bytes: Buffer, mostRows: number): Promise<ReadTables> {
  const text = decode(bytes);
  const start = text.slice(0, 4_096).trimStart();
  if (/^<[!?a-z]/i.test(start)) {
    if (/<(?:\w+:)?Workbook\s[^<>]*urn:schemas-microsoft-com:office:spreadsheet/.test(start))
      // Loaded only here, because it needs the library of workbooks.
      return { kind: 'xml', sheets: (await import('./xml-tables.ts')).readXml(text, mostRows) };
    if (/<table\b/i.test(text)) return { kind: 'html', sheets: readHtml(text, mostRows) };
  }
  if (/^(<[!?a-z]|MIME-Version:)/i.test(start)) throw new UnreadableFile(fileMessages.notTable);
  return readDelimitedText(text, mostRows);
}

function readDelimitedText(text: string, mostRows: number): ReadTables {
  const [kind, separator] = separatorOf(text);
  const sheet = new SheetBuilder('Sheet1', mostRows);
  let number = 0;
  for (const { cells, hasOpenQuote } of delimitedRows(text, separator, limits)) {
    number += 1;
    sheet.add(number, cells, { hasOpenQuote });
  }
  return { kind, sheets: filled([sheet.finish()]) };
}

/** How much of a text is looked at for its separator. */
const headSize = 256 * 1024;
const headRows = 300;

/**
 * The separator is the one that gives a row with the most headings that are known. Where no row has two of them, it is the one
 * that parts most rows into equally many cells, and then into more of them. Lines above the table may have other separators.
 */
function separatorOf(text: string): (typeof separators)[number] {
  const head = text.slice(0, headSize);
  const said = separators.find(([, separator]) => new RegExp(`^\ufeff?sep=\\${separator}\\r?\\n`, 'i').test(head));
  if (said) return said;
  let best: { choice: (typeof separators)[number]; score: readonly number[] } = {
    choice: separators[0],
    score: [0, 0, 0],
  };
  for (const choice of separators) {
    const score = scoreOf(head, choice[1]);
    const at = score.findIndex((value, index) => value !== best.score[index]);
    if (at !== -1 && (score[at] ?? 0) > (best.score[at] ?? 0)) best = { choice, score };
  }
  return best.choice;
}

function scoreOf(head: string, separator: string): readonly number[] {
  let known = 0;
  const rowsOfWidth = new Map<number, number>();
  let seen = 0;
  for (const { cells } of delimitedRows(head, separator)) {
    const texts = cells.map((text) => text.trim());
    const count = texts.filter((text) => text !== '').length;
    if (count === 0) continue;
    if (seen < 40)
      known = Math.max(
        known,
        texts.slice(0, HSD_MAX_COLUMNS).filter((text) => text.length < 60 && isHeading(text)).length,
      );
    const width = texts.findLastIndex((text) => text !== '') + 1;
    // The last cells of a row may be empty, and then its width is that of the separators.
    for (const one of new Set([width, texts.length]))
      if (one > 1) rowsOfWidth.set(one, (rowsOfWidth.get(one) ?? 0) + 1);
    seen += 1;
    if (seen === headRows) break;
  }
  const rows = Math.max(0, ...rowsOfWidth.values());
  const width = Math.max(0, ...[...rowsOfWidth].filter(([, count]) => count === rows).map(([one]) => one));
  return [known >= 2 ? known : 0, rows, width];
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
  // Text has no zero bytes: a file that still has some is none.
  if (text.includes('\0')) throw new UnreadableFile(fileMessages.notTable);
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
