import { formulaSafe } from '../calc/csv-text.ts';

/**
 * Reads the cells of delimited text: of .csv files, and of what a spreadsheet puts on the clipboard (with tabs). It is as
 * lenient as spreadsheets are. Lines end with LF, CR or both, and rows may differ in length. A quotation mark at the
 * beginning of a cell opens a quoted cell only where another one closes it before a delimiter. Otherwise it is an ordinary
 * character, as in `12" pipe` and in cells that Excel copies without quoting.
 */
export function readDelimited(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const cells: string[] = [];
    for (;;) {
      const cell = readQuoted(text, at, delimiter) ?? readPlain(text, at, delimiter);
      cells.push(cell.text);
      at = cell.end;
      if (text[at] !== delimiter) break;
      at += 1;
    }
    rows.push(cells);
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
  return rows;
}

const separators = [',', '\t', '|', ';', '~'];
/** How much of a text is read to find its separator. */
const sampleLength = 100_000;

/** Reads text with any separator: it is the one that gives most rows the same number of cells. Titles may have other signs. */
export function readSeparated(text: string): string[][] {
  const found = separators.map((sign) => {
    const counts = new Map<number, number>();
    for (const { length } of readDelimited(text.slice(0, sampleLength), sign))
      if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
    const [[cells, rows] = [0, 0]] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
    return { sign, cells, rows };
  });
  const [best] = found.sort((a, b) => b.rows - a.rows || b.cells - a.cells);
  return readDelimited(text, best?.sign ?? ',');
}

/** Writes cells as spreadsheets copy them: in quotes where they have a tab or a line break, or begin with a quote. */
export const tsvOf = (table: readonly (readonly string[])[]): string =>
  table.map((row) => row.map((cell) => tsvCell(formulaSafe(cell))).join('\t')).join('\r\n');

const tsvCell = (text: string): string => (/[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

interface Cell {
  text: string;
  /** The position of what follows the cell: a delimiter, a line end or the end of the text. */
  end: number;
}

function readPlain(text: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { text: text.slice(start, end), end };
}

function readQuoted(text: string, start: number, delimiter: string): Cell | undefined {
  if (text[start] !== '"') return undefined;
  let inside = '';
  let from = start + 1;
  for (;;) {
    const mark = text.indexOf('"', from);
    if (mark === -1) return undefined;
    inside += text.slice(from, mark);
    const next = text[mark + 1];
    if (next !== '"') {
      const isClosed = next === undefined || next === delimiter || next === '\n' || next === '\r';
      return isClosed ? { text: inside, end: mark + 1 } : undefined;
    }
    inside += '"';
    from = mark + 2;
  }
}
