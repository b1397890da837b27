import { formulaSafe } from '../calc/csv-text.ts';

/**
 * The cells of delimited text: what a spreadsheet puts on the clipboard (tabs), and .csv files. As lenient as spreadsheets
 * are: lines end with LF, CR or both, rows differ in length, and a quotation mark opens a quoted cell only where another one
 * closes it before a delimiter; else it is an ordinary character (`12" pipe`, and a cell that Excel copies without quoting).
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

/** Cells as spreadsheets copy them: quoted where they hold a tab, a line break or begin with a quotation mark. */
export const tsvOf = (table: readonly (readonly string[])[]): string =>
  table.map((row) => row.map((cell) => tsvCell(formulaSafe(cell))).join('\t')).join('\r\n');

const tsvCell = (text: string): string => (/[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

interface Cell {
  text: string;
  /** Position of the next delimiter, line end or end of the text. */
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
