import { useLayoutEffect } from 'react';
import { readDelimited } from '../../shared/sheet/delimited-text.ts';
import { layOut, squared, type Table, type WrittenRow } from '../../shared/sheet/table-cells.ts';
import { useLatest } from '../ui/use-latest.ts';

/** Cells copied from a spreadsheet or a web page. The HTML contains merged cells and hidden rows; the text is TSV. */
export interface Clipboard {
  html: string;
  text: string;
}

export const clipboardOf = (data: DataTransfer | null): Clipboard => ({
  html: data?.getData('text/html') ?? '',
  text: data?.getData('text/plain') ?? '',
});

/** The copied table; undefined if the clipboard contains no text. */
export function readClipboard({ html, text }: Clipboard): Table | undefined {
  const written = html.includes('<t') ? readHtmlTable(html) : undefined;
  const table = squared(written ?? readDelimited(text, '\t'));
  return table.length === 0 ? undefined : table;
}

/** The table with the most rows; undefined if there is none. DOMParser runs no scripts and loads no resources. */
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

/** The text as a page shows it: white space of the source becomes one space, <br> and block elements become lines. */
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

/** Calls the listener for each paste on the screen, before a handler that looks for files in the same paste. */
export function usePaste(onPaste: (event: ClipboardEvent) => void): void {
  const latest = useLatest(onPaste);
  useLayoutEffect(() => {
    const listen = (event: ClipboardEvent): void => latest.current(event);
    window.addEventListener('paste', listen, { capture: true });
    return () => window.removeEventListener('paste', listen, { capture: true });
  }, [latest]);
}
