import { useLayoutEffect } from 'react';
import { readDelimited } from '../../../shared/sheet/delimited-text.ts';
import { layOut, squared, type Merge, type Table, type WrittenRow } from '../../../shared/sheet/table-cells.ts';
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

/** Copied cells. */
export interface PastedTable {
  table: Table;
  merges: readonly Merge[];
  /** How many hidden rows were left out. */
  hiddenRows: number;
}

/** The copied table; undefined if the clipboard contains no text. */
export function readClipboard({ html, text }: Clipboard): PastedTable | undefined {
  const written = html.includes('<t') ? readHtmlTable(html) : undefined;
  const plain = squared(readDelimited(text, '\t'));
  const table = written ? withoutHashes(squared(written.table), plain) : plain;
  return table.length === 0 ? undefined : { merges: [], hiddenRows: 0, ...written, table };
}

/**
 * Excel writes # signs for a number or a date that is wider than its column. Where the text beside the HTML has the same
 * cells, the value is taken from there.
 */
function withoutHashes(table: Table, plain: Table): Table {
  if (table.length !== plain.length || table[0]?.length !== plain[0]?.length) return table;
  return table.map((row, at) => row.map((cell, column) => (/^#+$/.test(cell) ? (plain[at]?.[column] ?? cell) : cell)));
}

/** The shown table with the most rows; undefined if there is none. */
function readHtmlTable(html: string): PastedTable | undefined {
  const found = [...parse(html).querySelectorAll('table')].filter((table) => !isHidden(table));
  const [largest] = found.sort((a, b) => b.rows.length - a.rows.length);
  if (!largest || largest.rows.length === 0) return undefined;
  return layOut([...largest.rows].map(writtenRow), hiddenColumns(largest));
}

const styleElements = /<style\b[\s\S]*?<\/style\s*>/gi;
/** A tag with its attributes. A quoted value may contain '>'. */
const tags = /<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gi;
const blocked = /(?<=[\s"'/])(?=(?:style|on[a-z]+)\s*=)/gi;

/**
 * DOMParser runs no scripts and loads no resources. But the content security policy of the app applies in its documents too: it
 * reports each style and each event attribute, and a style reads as empty. So these attributes get another name first.
 */
const parse = (html: string): Document =>
  new DOMParser().parseFromString(
    html.replace(styleElements, '').replace(tags, (tag) => tag.replace(blocked, 'data-pasted-')),
    'text/html',
  );

const hasStyle = (declarations: string): RegExp =>
  new RegExp(`(?:^|;)\\s*(?:${declarations})\\s*(?:!\\s*important\\s*)?(?:;|$)`, 'i');
/** The last two are those of Word, and of Excel for a row or column of no size. */
const withoutPlace = hasStyle('display\\s*:\\s*none|mso-hide\\s*:\\s*all|mso-(?:height|width)-alt\\s*:\\s*0');
const withoutText = hasStyle('visibility\\s*:\\s*(?:hidden|collapse)');

const hasNoPlace = ({ hidden, dataset }: HTMLElement): boolean =>
  Boolean(hidden) || withoutPlace.test(dataset['pastedStyle'] ?? '');
const hides = (element: HTMLElement): boolean =>
  hasNoPlace(element) || withoutText.test(element.dataset['pastedStyle'] ?? '');
/** Whether the element or one around it is hidden. */
const isHidden = (element: HTMLElement): boolean =>
  hides(element) || (element.parentElement !== null && isHidden(element.parentElement));

function hiddenColumns({ children }: HTMLTableElement): Set<number> {
  const hidden = new Set<number>();
  let column = 0;
  for (const group of children) {
    if (group.nodeName !== 'COLGROUP') continue;
    for (const one of group.children.length > 0 ? group.children : [group]) {
      // Safe: a colgroup and all that it contains are columns.
      const { span } = one as HTMLTableColElement;
      const isGone = isHidden(one as HTMLTableColElement);
      for (const end = column + span; column < end; column += 1) if (isGone) hidden.add(column);
    }
  }
  return hidden;
}

const writtenRow = (row: HTMLTableRowElement): WrittenRow => ({
  isHidden: isHidden(row),
  cells: [...row.cells].map((cell) => ({
    text: hides(cell) ? '' : shownText(cell),
    columns: cell.colSpan,
    rows: cell.rowSpan,
    isHidden: hasNoPlace(cell),
  })),
});

const blocks = new Set(['P', 'DIV', 'LI', 'TR']);
/** Elements whose text is not shown. LibreOffice writes the comment of a cell into the cell. */
const withoutShownText = new Set(['SCRIPT', 'COMMENT']);

/** The text as a page shows it: white space of the source becomes one space, <br> and block elements become lines. */
function shownText(node: Node): string {
  let text = '';
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) text += (child.textContent ?? '').replace(/[ \t\r\n]+/g, ' ');
    else if (child instanceof Element && child.nodeName === 'BR') text += '\n';
    else if (child instanceof HTMLElement && !withoutShownText.has(child.nodeName) && !hides(child)) {
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
