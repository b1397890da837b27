import { readDelimited } from '../../shared/sheet/delimited-text.ts';
import { layOut, squared, type Table, type WrittenRow } from '../../shared/sheet/table-cells.ts';

/** What was copied in a spreadsheet or a web page: its HTML knows merged cells and hidden rows, its text is tabs and lines. */
export interface Clipboard {
  html: string;
  text: string;
}

export const clipboardOf = (data: DataTransfer | null): Clipboard => ({
  html: data?.getData('text/html') ?? '',
  text: data?.getData('text/plain') ?? '',
});

/** The copied table; undefined where nothing was copied that has text. */
export function readClipboard({ html, text }: Clipboard): Table | undefined {
  const written = html.includes('<t') ? readHtmlTable(html) : undefined;
  const table = squared(written ?? readDelimited(text, '\t'));
  return table.length === 0 ? undefined : table;
}

/** The table with the most rows; undefined: there is none. A document that is parsed runs nothing and loads nothing. */
function readHtmlTable(html: string): Table | undefined {
  const found = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('table')];
  const [largest] = found.sort((a, b) => b.rows.length - a.rows.length);
  if (!largest || largest.rows.length === 0) return undefined;
  return layOut([...largest.rows].map(writtenRow));
}

const writtenRow = (row: HTMLTableRowElement): WrittenRow => ({
  isHidden: Boolean(row.hidden) || row.style.display === 'none',
  cells: [...row.cells].map((cell) => ({ text: shownText(cell), columns: cell.colSpan, rows: cell.rowSpan })),
});

const blocks = new Set(['P', 'DIV', 'LI', 'TR']);

/** As a page shows it: white space of the source is one space, <br> and blocks are lines. */
function shownText(node: Node): string {
  let text = '';
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) text += (child.textContent ?? '').replace(/[ \t\r\n]+/g, ' ');
    else if (child instanceof Element && child.nodeName === 'BR') text += '\n';
    else if (child instanceof HTMLElement && child.nodeName !== 'STYLE' && child.style.display !== 'none') {
      text += blocks.has(child.nodeName) && text !== '' ? `\n${shownText(child)}` : shownText(child);
    }
  }
  return text.replace(/ *\n */g, '\n');
}
