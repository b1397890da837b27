import type { TableSheet } from '../../../shared/contract/tables.ts';
import { HSD_MAX_COLUMNS } from '../../../shared/reading/pump-bill.ts';
import { numberText } from '../../../shared/reading/tables.ts';
import { withoutBreaks } from '../../../shared/reading/text.ts';
import { layOut, type WrittenRow } from '../../../shared/sheet/table-cells.ts';
import { numberIn, tokensOf } from './markup.ts';
import { filled, SheetBuilder } from './sheets.ts';

interface OpenCell {
  text: string;
  columns: number;
  rows: number;
  isHidden: boolean;
  /** The number behind a text that Excel has shortened to 2.4E+11. */
  number: string | undefined;
}
interface HtmlTable {
  rows: { isHidden: boolean; cells: OpenCell[] }[];
  hiddenColumns: Set<number>;
  columnCount: number;
  isHidden: boolean;
}

const withoutText = new Set(['style', 'script', 'title', 'xml', 'noscript']);
const lines = new Set(['br', 'p', 'div', 'li']);
const hides = (style: string | undefined, hidden: string | undefined): boolean =>
  hidden !== undefined ||
  /(?:^|;)\s*(?:display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*(?:hidden|collapse))/i.test(style ?? '');

/**
 * Reads the tables of a web page. Its cells are text, so 0012 stays 0012. A bank writes its name and the account into tables of
 * their own around the lines of a statement. So only a table of three columns and two rows begins a sheet; the smaller ones
 * belong to the sheet that follows, and at the end to the last one.
 */
export function readHtml(text: string, mostRows: number): TableSheet[] {
  const sheets: {
    rows: string[][];
    merges: { column: number; first: number; last: number }[];
    hiddenRows: number;
    hiddenColumns: Set<number>;
    hasTable: boolean;
  }[] = [];
  for (const { rows, hiddenColumns, isHidden } of tablesOf(text)) {
    if (isHidden) continue;
    const laidOut = layOut(rows.map(writtenRow), hiddenColumns, true);
    const used = laidOut.table.filter((cells) => cells.some((cell) => cell !== ''));
    if (used.length === 0) continue;
    const isTable = used.length > 1 && used.some((cells) => cells.filter((cell) => cell !== '').length > 2);
    let sheet = sheets.at(-1);
    if (!sheet || (isTable && sheet.hasTable)) {
      sheet = { rows: [], merges: [], hiddenRows: 0, hiddenColumns: new Set(), hasTable: false };
      sheets.push(sheet);
    }
    const above = sheet.rows.length;
    sheet.merges.push(
      ...laidOut.merges.map(({ column, first, last }) => ({
        column,
        first: above + first + 1,
        last: above + last + 1,
      })),
    );
    sheet.rows.push(...laidOut.table);
    sheet.hiddenRows += laidOut.hiddenRows;
    if (isTable) sheet.hiddenColumns = hiddenColumns;
    sheet.hasTable ||= isTable;
  }
  return filled(
    sheets.map(({ rows, hiddenRows, ...more }, index) => {
      const builder = new SheetBuilder(`Table ${index + 1}`, mostRows, more);
      for (const [at, cells] of rows.entries()) builder.add(at + 1, cells);
      return { ...builder.finish(), hiddenRows };
    }),
  );
}

const writtenRow = ({ isHidden, cells }: HtmlTable['rows'][number]): WrittenRow => ({
  isHidden,
  cells: cells.map(({ text, number, ...cell }) => {
    const shown = text
      .replace(/[ \t\r\f]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim();
    const isShort = number !== undefined && /^-?\d(\.\d+)?E\+\d+$/i.test(shown);
    return { ...cell, text: isShort ? numberText(Number(number), shown) : shown };
  }),
});

/** The tables in the order of their beginning. A table in a cell of another one stands for itself. */
function tablesOf(source: string): HtmlTable[] {
  const found: HtmlTable[] = [];
  const open: { table: HtmlTable; cell: OpenCell | undefined }[] = [];
  let skipped: string | undefined;
  for (const token of tokensOf(source)) {
    const now = open.at(-1);
    if ('text' in token) {
      // The line ends of the source are white space.
      if (now?.cell && skipped === undefined) now.cell.text += withoutBreaks(token.text);
      continue;
    }
    const { tag, isEnd, isEmpty, valueOf } = token;
    if (skipped !== undefined) {
      if (isEnd && tag === skipped) skipped = undefined;
      continue;
    }
    if (withoutText.has(tag)) {
      if (!isEnd && !isEmpty) skipped = tag;
      continue;
    }
    const isHidden = (): boolean => hides(valueOf('style'), valueOf('hidden'));
    if (tag === 'table') {
      if (isEnd) open.pop();
      else {
        const table = { rows: [], hiddenColumns: new Set<number>(), columnCount: 0, isHidden: isHidden() };
        found.push(table);
        open.push({ table, cell: undefined });
      }
    } else if (!now) continue;
    else if (tag === 'col' && !isEnd) {
      const { table } = now;
      const end = Math.min(table.columnCount + numberIn(valueOf('span'), 1), HSD_MAX_COLUMNS);
      for (; table.columnCount < end; table.columnCount += 1)
        if (isHidden()) table.hiddenColumns.add(table.columnCount);
    } else if (tag === 'tr') {
      now.cell = undefined;
      if (!isEnd) now.table.rows.push({ isHidden: isHidden(), cells: [] });
    } else if (tag === 'td' || tag === 'th') {
      now.cell = undefined;
      if (isEnd) continue;
      if (now.table.rows.length === 0) now.table.rows.push({ isHidden: false, cells: [] });
      now.cell = {
        text: '',
        columns: numberIn(valueOf('colspan'), 1),
        rows: numberIn(valueOf('rowspan'), 1),
        isHidden: isHidden(),
        number: valueOf('num'),
      };
      now.table.rows.at(-1)?.cells.push(now.cell);
    } else if (now.cell && lines.has(tag) && (tag === 'br' ? !isEnd : isEnd || now.cell.text.trim() !== ''))
      now.cell.text += '\n';
  }
  return found;
}
