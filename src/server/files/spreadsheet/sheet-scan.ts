import { HSD_HEADER_ROWS, HSD_MAX_COLUMNS, HSD_MAX_ROWS } from '../../../shared/reading/pump-bill.ts';
import { fileMessages, UnreadableFile } from './messages.ts';

/** The last row and column of a spreadsheet: XFD1048576. */
export const LAST_ROW = 1_048_576;
export const LAST_COLUMN = 16_384;
/** The workbook reader visits each cell of a hyperlink's range. No bill of a pump links more cells than this in all. */
export const MAX_LINKED_CELLS = 100_000;
/** Ranges of columns with a width or a state of their own, all together. */
const maxColumnRanges = 100_000;
/** At most this much of a start tag is examined. */
const maxTagLength = 64 * 1024;

/**
 * Matches the start tag of a row, a cell, a range of columns, a link or a comment with its attributes, or a value that is not empty
 * (`<v>1`, `<is><t>a`), with or without a prefix. Attributes end at the next `<` at the latest, so that tags without an end
 * cost no more than their own length.
 */
const tagPattern =
  /<(?:\w+:)?(row|c|col|hyperlink|comment|threadedComment)(?=[\s/>])([^<>]*)(?=([<>])|$)|<(?:\w+:)?[vt](?:\s[^<>]*)?>[^<]/g;
const cellReference = /^\$?([A-Z]+)\$?(\d+)$/;

/**
 * Scans the tags of a part's XML piece by piece while it is unpacked. Refuses what no sheet of ours contains, before a
 * workbook is built from it: a reference beyond the last cell of a spreadsheet, a value beyond our own columns, too
 * many rows with a value. It scans every part, because a workbook may declare any part as a worksheet.
 */
export class SheetScan {
  /** The last row with a value, counted from 1; 0 when there is none. */
  lastRow = 0;
  /** The number of rows with a value. */
  #rows = 0;
  /** The position of the current cell, counted from 1; 0 outside the rows of a sheet. */
  #row = 0;
  #column = 0;
  #linked = 0;
  #columnRanges = 0;
  #rest = '';

  take(chunk: Buffer): void {
    const text = this.#rest + chunk.toString('latin1');
    // A tag may be split between two pieces, so what follows the last '<' is kept for the next one. After a complete
    // tag, the first character of its text is enough.
    const cut = text.lastIndexOf('<');
    const end = cut === -1 ? -1 : text.indexOf('>', cut);
    this.#rest = cut === -1 ? '' : text.slice(cut, end === -1 ? cut + maxTagLength : end + 2);
    const whole = cut === -1 ? text : text.slice(0, cut);
    for (const [found, tag, attributes = '', end] of whole.matchAll(tagPattern)) {
      if (tag !== undefined && end !== '>') {
        // XML has no `<` in a value. A reader that takes it would see attributes that are not checked here.
        if ((found.match(/["']/g)?.length ?? 0) % 2 === 1) throw new UnreadableFile(fileMessages.damaged);
      } else if (tag === undefined) this.#takeValue();
      else if (tag === 'row') this.#openRow(attributes);
      else if (tag === 'c') this.#openCell(attributes);
      else if (tag === 'col') this.#checkColumns(attributes);
      else this.#checkRange(attributes);
    }
  }

  #openRow(attributes: string): void {
    const number = valueOf(attributes, 'r');
    this.#row = number === undefined || !/^\d+$/.test(number) ? this.#row + 1 : Number(number);
    this.#column = 0;
    if (this.#row > LAST_ROW) throw new UnreadableFile(fileMessages.damaged);
  }

  #openCell(attributes: string): void {
    if (this.#row === 0) return;
    const place = placeOf(valueOf(attributes, 'r') ?? '');
    this.#column = place?.column ?? this.#column + 1;
    this.#row = place?.row ?? this.#row;
  }

  #takeValue(): void {
    if (this.#row === 0) return;
    if (this.#column > HSD_MAX_COLUMNS) throw new UnreadableFile(fileMessages.tooManyColumns);
    if (this.#row === this.lastRow) return;
    this.#rows += 1;
    if (this.#rows > HSD_MAX_ROWS + HSD_HEADER_ROWS) throw new UnreadableFile(fileMessages.tooManyRows);
    this.lastRow = Math.max(this.lastRow, this.#row);
  }

  /** The workbook reader writes out every column of a range. */
  #checkColumns(attributes: string): void {
    const [first, last] = [Number(valueOf(attributes, 'min')), Number(valueOf(attributes, 'max'))];
    if (!(first >= 1 && last >= first)) return;
    if (last > LAST_COLUMN) throw new UnreadableFile(fileMessages.damaged);
    this.#columnRanges += last - first + 1;
    if (this.#columnRanges > maxColumnRanges) throw new UnreadableFile(fileMessages.tooHard);
  }

  #checkRange(attributes: string): void {
    const [from, to] = (valueOf(attributes, 'ref') ?? '').split(':').map(placeOf);
    if (!from || !to) return;
    this.#linked += Math.max(0, to.row - from.row + 1) * Math.max(0, to.column - from.column + 1);
    if (this.#linked > MAX_LINKED_CELLS) throw new UnreadableFile(fileMessages.tooHard);
  }
}

const attribute = {
  r: /[\s:]r\s*=\s*["']([^"']*)/i,
  ref: /[\s:]ref\s*=\s*["']([^"']*)/i,
  min: /[\s:]min\s*=\s*["']([^"']*)/i,
  max: /[\s:]max\s*=\s*["']([^"']*)/i,
} as const;

const valueOf = (attributes: string, name: keyof typeof attribute): string | undefined =>
  attribute[name].exec(attributes)?.[1];

/**
 * Parses a cell reference to row and column, counted from 1; undefined when it is none. A reference beyond every sheet
 * ends the reading.
 */
function placeOf(reference: string): { row: number; column: number } | undefined {
  const [, letters, digits] = cellReference.exec(reference) ?? [];
  if (letters === undefined || digits === undefined) return undefined;
  const column = [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
  const row = Number(digits);
  if (row > LAST_ROW || column > LAST_COLUMN) throw new UnreadableFile(fileMessages.damaged);
  return { row, column };
}
