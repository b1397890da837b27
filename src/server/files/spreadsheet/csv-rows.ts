import { HSD_MAX_CELL, HSD_MAX_COLUMNS } from '../../../shared/reading/pump-bill.ts';
import { fileMessages, UnreadableFile } from './messages.ts';

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Yields the rows of CSV text (RFC 4180), including blank ones, so that their numbers are those of a spreadsheet. It is
 * as lenient as spreadsheets are: lines end with LF, CR or both, rows differ in length, and a quotation mark inside a
 * word is an ordinary character. It is strict about size: a row that is too wide or a cell that is too long stops the
 * reading at once, before it fills the memory.
 */
export function* csvRows(text: string, delimiter: string): Generator<string[]> {
  const separator = delimiter.charCodeAt(0);
  let at = 0;
  while (at < text.length) {
    const cells: string[] = [];
    for (;;) {
      const cell = text.charCodeAt(at) === quote ? readQuoted(text, at, separator) : readPlain(text, at, separator);
      if (cell.text.length > HSD_MAX_CELL) throw new UnreadableFile(fileMessages.longCell);
      if (cells.length < HSD_MAX_COLUMNS) cells.push(cell.text);
      else if (cell.text.trim() !== '') throw new UnreadableFile(fileMessages.tooManyColumns);
      at = cell.end;
      if (text.charCodeAt(at) !== separator) break;
      at += 1;
    }
    yield cells;
    if (text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 2;
    else at += 1;
  }
}

interface Cell {
  text: string;
  /** Position of the next delimiter, line end or end of the text. */
  end: number;
}

function readPlain(text: string, start: number, separator: number): Cell {
  let end = start;
  for (; end < text.length; end += 1) {
    const sign = text.charCodeAt(end);
    if (sign === separator || sign === lineFeed || sign === carriageReturn) break;
  }
  return { text: text.slice(start, end), end };
}

function readQuoted(text: string, start: number, separator: number): Cell {
  let inside = '';
  let from = start + 1;
  for (;;) {
    const mark = text.indexOf('"', from);
    if (mark === -1) throw new UnreadableFile(fileMessages.openQuote);
    inside += text.slice(from, mark);
    if (inside.length > HSD_MAX_CELL) throw new UnreadableFile(fileMessages.longCell);
    if (text.charCodeAt(mark + 1) !== quote) {
      // Text between the closing quotation mark and the delimiter belongs to the cell, as in spreadsheets.
      const rest = readPlain(text, mark + 1, separator);
      return { text: inside + rest.text, end: rest.end };
    }
    inside += '"';
    from = mark + 2;
  }
}
