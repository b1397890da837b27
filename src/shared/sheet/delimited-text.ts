import { formulaSafe } from '../calc/csv-text.ts';

export interface DelimitedRow {
  cells: string[];
  /** A quotation mark opens a cell of this row and nothing closes it. */
  hasOpenQuote: boolean;
}

/** What a cell and a row may have; `refuse` throws. */
export interface RowLimits {
  columns: number;
  cell: number;
  refuse: (what: 'columns' | 'cell') => never;
}
const noLimits: RowLimits = {
  columns: Infinity,
  cell: Infinity,
  refuse: () => {
    throw new RangeError('A row is too long');
  },
};

/**
 * Yields the rows of delimited text, blank ones too: of text files, and of what a spreadsheet puts on the clipboard (with
 * tabs). It is as lenient as spreadsheets are. Lines end with LF, CR or both, and rows may differ in length. A quotation mark
 * opens a quoted cell only at its beginning, and only where another one closes it. Otherwise it is an ordinary character, as
 * in `12" pipe`. Where the cell goes on over the end of the line, the other one must stand before a delimiter: a quotation mark
 * that is never closed costs its own row and not those below it. Limits stop the reading before a row fills the memory.
 */
export function* delimitedRows(text: string, delimiter: string, limits = noLimits): Generator<DelimitedRow> {
  const separator = delimiter.charCodeAt(0);
  const reader = { text, separator, isTabbed: delimiter === '\t', limits };
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const cells: string[] = [];
    let hasOpenQuote = false;
    for (;;) {
      const cell = readCell(reader, at);
      if (cell.text.length > limits.cell) limits.refuse('cell');
      if (cell.isOpen) hasOpenQuote = true;
      if (cells.length < limits.columns) cells.push(cell.text);
      else if (cell.text !== '' && cell.text.trim() !== '') limits.refuse('columns');
      at = cell.end;
      if (text.charCodeAt(at) !== separator) break;
      at += 1;
    }
    yield { cells, hasOpenQuote };
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
}

export const readDelimited = (text: string, delimiter: string): string[][] =>
  [...delimitedRows(text, delimiter)].map(({ cells }) => cells);

/** Writes cells as spreadsheets copy them: in quotes where they have a tab or a line break, or begin with a quote. */
export const tsvOf = (table: readonly (readonly string[])[]): string =>
  table.map((row) => row.map((cell) => tsvCell(formulaSafe(cell))).join('\t')).join('\r\n');

const tsvCell = (text: string): string => (/[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const quote = 0x22;
const space = 0x20;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

interface Reader {
  text: string;
  /** The code of the delimiter. */
  separator: number;
  /** Programs that write tabs quote whole cells only, and keep a space before a quotation mark. */
  isTabbed: boolean;
  limits: RowLimits;
}

interface Cell {
  text: string;
  /** The position of what follows the cell: a delimiter, a line end or the end of the text. */
  end: number;
  isOpen: boolean;
}

function readCell(reader: Reader, start: number): Cell {
  const { text, isTabbed } = reader;
  let at = start;
  // Some programs write a space behind each comma.
  if (!isTabbed) while (text.charCodeAt(at) === space) at += 1;
  const isQuoted = text.charCodeAt(at) === quote;
  const quoted = isQuoted ? readQuoted(reader, at) : undefined;
  if (quoted) return quoted;
  const plain = readPlain(reader, start);
  plain.isOpen = isQuoted && plain.text.indexOf('"') === plain.text.lastIndexOf('"');
  return plain;
}

function readPlain({ text, separator }: Reader, start: number): Cell {
  let end = start;
  for (; end < text.length; end += 1) {
    const sign = text.charCodeAt(end);
    if (sign === separator || sign === lineFeed || sign === carriageReturn) break;
  }
  return { text: end === start ? '' : text.slice(start, end), end, isOpen: false };
}

/** undefined: nothing closes the cell. */
function readQuoted(reader: Reader, start: number): Cell | undefined {
  const { text, isTabbed, limits } = reader;
  let inside = '';
  let from = start + 1;
  for (;;) {
    const mark = text.indexOf('"', from);
    if (mark === -1) return undefined;
    inside += text.slice(from, mark);
    if (inside.length > limits.cell) return undefined;
    if (text[mark + 1] === '"') {
      inside += '"';
      from = mark + 2;
      continue;
    }
    // Text between the closing quotation mark and the delimiter belongs to the cell, as in spreadsheets.
    const rest = readPlain(reader, mark + 1);
    const isWhole = rest.text.trim() === '' && (!isTabbed || rest.text === '');
    if (!isWhole && (isTabbed || /[\r\n]/.test(inside))) return undefined;
    return { text: inside + rest.text, end: rest.end, isOpen: false };
  }
}
