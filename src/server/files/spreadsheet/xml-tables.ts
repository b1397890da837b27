import { SSF } from '@e965/xlsx';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { numberText, TABLE_MAX_SHEETS } from '../../../shared/reading/tables.ts';
import { numberCellText } from './number-cell.ts';
import { numberIn, tokensOf, type Token } from './markup.ts';
import { fileMessages, UnreadableFile } from './messages.ts';
import { LAST_COLUMN, LAST_ROW } from './sheet-scan.ts';
import { HSD_MAX_COLUMNS } from '../../../shared/reading/pump-bill.ts';
import { filled, SheetBuilder } from './sheets.ts';

type Tag = Extract<Token, { tag: string }>;

/** A cell before its place is known. */
interface XmlCell {
  text: string;
  /** In how many columns it stands, and how many it covers with itself. */
  repeated: number;
  across: number;
  down: number;
}

/** What the two kinds of XML call the same things. Names are without their namespace. */
interface Dialect {
  sheet: string;
  row: string;
  cells: readonly string[];
  column: string;
  /** Elements whose content is no part of a sheet. */
  skipped: ReadonlySet<string>;
  /** The elements that have a cell's text. */
  texts: ReadonlySet<string>;
  isHidden: (tag: Tag) => boolean;
  /** The place that a row, cell or column says for itself, from 1. */
  placeOf: (tag: Tag) => number | undefined;
  /** How many times a row or a column stands there. */
  repeats: (tag: Tag) => number;
  open: (tag: Tag) => Omit<XmlCell, 'text'>;
  /** What the cell is worth. `data` is the element with its type. */
  valueOf: (shown: string, cell: Tag, data: Tag | undefined, formats: ReadonlyMap<string, string>) => string;
}

/** The day of a moment; a time of day alone has none. */
const dayOf = (moment: string | undefined, shown: string): string =>
  moment !== undefined && /^\d{4}-\d\d-\d\d/.test(moment) && moment > '1900-01' ? moment.slice(0, 10) : shown;

/** XML Spreadsheet 2003. */
const spreadsheetMl: Dialect = {
  sheet: 'worksheet',
  row: 'row',
  cells: ['cell'],
  column: 'column',
  skipped: new Set(['comment', 'documentproperties', 'excelworkbook', 'names']),
  texts: new Set(['data']),
  isHidden: ({ valueOf }) => valueOf('hidden') === '1',
  placeOf: ({ valueOf }) => placeIn(valueOf('index')),
  repeats: ({ valueOf }) => 1 + numberIn(valueOf('span'), 0),
  open: ({ valueOf }) => ({
    repeated: 1,
    across: 1 + numberIn(valueOf('mergeacross'), 0),
    down: 1 + numberIn(valueOf('mergedown'), 0),
  }),
  valueOf: (shown, cell, data, formats) => {
    const type = data?.valueOf('type')?.toLowerCase();
    if (type === 'datetime') return dayOf(shown, shown);
    if (type === 'boolean') return shown === '1' ? 'TRUE' : 'FALSE';
    const number = Number(shown);
    if (type !== 'number' || shown.trim() === '' || !Number.isFinite(number)) return shown;
    const named = formats.get(cell.valueOf('styleid') ?? '') ?? 'General';
    const format = namedFormats[named] ?? named;
    return numberCellText(number, format, formatted(format, number));
  },
};

/** OpenDocument. */
const openDocument: Dialect = {
  sheet: 'table',
  row: 'table-row',
  cells: ['table-cell', 'covered-table-cell'],
  column: 'table-column',
  skipped: new Set(['annotation', 'shapes', 'frame', 'tracked-changes', 'dde-links', 'note', 'named-expressions']),
  texts: new Set(['p']),
  isHidden: ({ valueOf }) => ['collapse', 'filter'].includes(valueOf('visibility') ?? ''),
  placeOf: () => undefined,
  repeats: ({ tag, valueOf }) =>
    numberIn(valueOf(tag === 'table-row' ? 'number-rows-repeated' : 'number-columns-repeated'), 1),
  open: ({ tag, valueOf }) => ({
    repeated: numberIn(valueOf('number-columns-repeated'), 1),
    across: 1,
    down: tag === 'table-cell' ? numberIn(valueOf('number-rows-spanned'), 1) : 1,
  }),
  valueOf: (shown, { valueOf }) => {
    const type = valueOf('value-type');
    if (type === 'date') return dayOf(valueOf('date-value'), shown);
    if (type === 'string') return shown === '' ? (valueOf('string-value') ?? '') : shown;
    const value = valueOf('value');
    const number = Number(value);
    const isNumber =
      value !== undefined && ['float', 'currency', 'percentage'].includes(type ?? '') && Number.isFinite(number);
    return isNumber ? numberText(number, shown) : shown;
  },
};

/** Reads an XML Spreadsheet 2003. */
export const readXml = (text: string, mostRows: number): TableSheet[] => read(text, mostRows, spreadsheetMl);
/** Reads the content of an OpenDocument spreadsheet. */
export const readOds = (text: string, mostRows: number): TableSheet[] => read(text, mostRows, openDocument);

/** Formats that SpreadsheetML names in words. */
const namedFormats: Readonly<Record<string, string>> = {
  'General Number': 'General',
  'General Date': 'dd/mm/yyyy',
  'Short Date': 'dd/mm/yyyy',
  'Medium Date': 'dd/mm/yyyy',
  'Long Date': 'dd/mm/yyyy',
  Currency: '#,##0.00',
  Fixed: '0.00',
  Standard: '#,##0.00',
  Percent: '0.00%',
  Scientific: '0.00E+00',
};
function formatted(format: string, value: number): string {
  try {
    return String(SSF.format(format, value));
  } catch {
    return String(value);
  }
}

function placeIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const place = numberIn(text, 0);
  if (place === 0 || place > LAST_ROW) throw new UnreadableFile(fileMessages.damaged);
  return place;
}

/**
 * Reads the sheets one cell after the other. What is repeated or merged is counted, and written out only up to the limits of an
 * upload, so that a small file cannot stand for a large sheet.
 */
function read(source: string, mostRows: number, dialect: Dialect): TableSheet[] {
  const sheets: TableSheet[] = [];
  const formats = new Map<string, string>();
  const hiddenStyles = new Set<string>();
  let style = '';
  let sheet: XmlSheet | undefined;
  let cell: { tag: Tag; open: Omit<XmlCell, 'text'>; data?: Tag } | undefined;
  let text: string | undefined;
  let shown: string[] = [];
  let skipped: string | undefined;
  const closeCell = (): void => {
    if (!cell || !sheet) return;
    const value = dialect.valueOf(shown.join('\n'), cell.tag, cell.data, formats);
    sheet.addCell({ ...cell.open, text: value });
    cell = undefined;
  };
  for (const token of tokensOf(source)) {
    if ('text' in token) {
      if (text !== undefined && skipped === undefined) text += token.text;
      continue;
    }
    const { tag, isEnd, isEmpty, valueOf } = token;
    if (skipped !== undefined) {
      if (isEnd && tag === skipped) skipped = undefined;
    } else if (dialect.skipped.has(tag)) {
      if (!isEnd && !isEmpty) skipped = tag;
    } else if (tag === 'style') style = valueOf('id') ?? valueOf('name') ?? '';
    else if (tag === 'numberformat') formats.set(style, valueOf('format') ?? 'General');
    else if (tag === 'table-properties' && valueOf('display') === 'false') hiddenStyles.add(style);
    else if (tag === 'visible' && sheet) {
      if (isEnd) sheet.isHidden ||= text?.includes('Hidden') ?? false;
      text = isEnd || isEmpty ? undefined : '';
    } else if (tag === dialect.sheet) {
      if (!isEnd && !isEmpty)
        sheet = new XmlSheet(valueOf('name') ?? '', mostRows, hiddenStyles.has(valueOf('style-name') ?? ''));
      else if (isEnd && sheet) {
        if (!sheet.isHidden) sheets.push(sheet.finish());
        sheet = undefined;
      }
    } else if (!sheet) continue;
    else if (tag === dialect.column) {
      if (!isEnd) sheet.addColumns(dialect.placeOf(token), dialect.repeats(token), dialect.isHidden(token));
    } else if (tag === dialect.row) {
      if (!isEnd)
        sheet.openRow(dialect.placeOf(token), tag === 'row' ? 1 : dialect.repeats(token), dialect.isHidden(token));
      if (isEnd || isEmpty) sheet.closeRow();
    } else if (dialect.cells.includes(tag)) {
      if (!isEnd) {
        sheet.goTo(dialect.placeOf(token));
        cell = { tag: token, open: dialect.open(token) };
        shown = [];
      }
      if (isEnd || isEmpty) closeCell();
    } else if (dialect.texts.has(tag)) {
      if (cell && !isEnd) cell.data = token;
      if (isEnd && text !== undefined) shown.push(text);
      text = isEnd || isEmpty ? undefined : '';
    } else if (text !== undefined && !isEnd && dialect === openDocument) {
      if (tag === 's') text += ' '.repeat(Math.min(numberIn(valueOf('c'), 1), 100));
      else if (tag === 'tab') text += '\t';
      else if (tag === 'line-break') text += '\n';
    }
  }
  return filled(sheets).slice(0, TABLE_MAX_SHEETS);
}

class XmlSheet {
  readonly #rows: { number: number; repeated: number; cells: string[]; isHidden: boolean }[] = [];
  readonly #merges: { column: number; first: number; last: number }[] = [];
  readonly #hiddenColumns = new Set<number>();
  readonly #name: string;
  readonly #mostRows: number;
  isHidden: boolean;
  #columns = 0;
  #next = 1;
  #column = 0;
  #row: { number: number; repeated: number; cells: string[]; isHidden: boolean } | undefined;

  constructor(name: string, mostRows: number, isHidden: boolean) {
    this.#name = name;
    this.#mostRows = mostRows;
    this.isHidden = isHidden;
  }

  addColumns(place: number | undefined, count: number, isHidden: boolean): void {
    if (place !== undefined) this.#columns = place - 1;
    const end = Math.min(this.#columns + count, LAST_COLUMN);
    if (isHidden)
      for (let at = this.#columns; at < Math.min(end, HSD_MAX_COLUMNS); at += 1) this.#hiddenColumns.add(at);
    this.#columns = end;
  }

  openRow(place: number | undefined, repeated: number, isHidden: boolean): void {
    this.#row = { number: place ?? this.#next, repeated, cells: [], isHidden };
    this.#column = 0;
  }

  closeRow(): void {
    const row = this.#row;
    if (!row) return;
    this.#next = row.number + row.repeated;
    // The blank rows below a sheet are often repeated to the end, or one beyond it.
    const isFilled = row.cells.some((text) => text !== '');
    if (isFilled && this.#next > LAST_ROW + 1) throw new UnreadableFile(fileMessages.damaged);
    if (isFilled) this.#rows.push(row);
    this.#row = undefined;
  }

  goTo(place: number | undefined): void {
    if (place !== undefined) this.#column = place - 1;
  }

  addCell({ text, repeated, across, down }: XmlCell): void {
    const row = this.#row;
    if (!row) return;
    if (text.trim() !== '') {
      if (this.#column + repeated > HSD_MAX_COLUMNS) throw new UnreadableFile(fileMessages.tooManyColumns);
      for (let at = 0; at < repeated; at += 1) {
        while (row.cells.length < this.#column + at) row.cells.push('');
        row.cells.push(text);
      }
      if (down > 1) this.#merges.push({ column: this.#column, first: row.number, last: row.number + down - 1 });
    }
    this.#column += repeated - 1 + across;
  }

  finish(): TableSheet {
    const builder = new SheetBuilder(this.#name, this.#mostRows, {
      merges: this.#merges,
      hiddenColumns: this.#hiddenColumns,
    });
    for (const { number, repeated, cells, isHidden } of this.#rows)
      for (let at = 0; at < repeated; at += 1) builder.add(number + at, cells, { isHidden });
    return builder.finish();
  }
}
