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

const delimiters = ['\t', ';', ','] as const;

/** The delimiter that the first line has most of; a file of one column has none, which is the same as any. */
export function delimiterOf(text: string): string {
  const line = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const counts = delimiters.map((delimiter) => line.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

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
