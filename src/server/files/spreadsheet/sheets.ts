import { HSD_MAX_CELL, HSD_MAX_COLUMNS } from '../../../shared/reading/pump-bill.ts';
import type { TableKind } from '../../../shared/reading/tables.ts';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { fileMessages, UnreadableFile } from './messages.ts';

/** A file that was read: what it is by its content, and its visible sheets with a value. */
export interface ReadTables {
  kind: TableKind;
  sheets: TableSheet[];
}

/** The stream of an old workbook without a compound file around it, as some web sites write it: the record BOF of BIFF 2 to 8. */
export const isBareStream = ([first, version = 0xff, length = 0, rest]: Buffer): boolean =>
  first === 0x09 && [0, 2, 4, 8].includes(version) && length >= 4 && length <= 16 && rest === 0;

/** Cells that are merged down a column, by the numbers of their rows in the file. */
interface FileMerge {
  column: number;
  first: number;
  last: number;
}

/**
 * Collects the rows of a sheet one by one, under the limits of an upload. Blank rows are skipped, so that a file of blank lines
 * does not fill the memory, and hidden ones are counted.
 */
export class SheetBuilder {
  readonly #sheet: TableSheet;
  readonly #mostRows: number;
  readonly #merges: (FileMerge & { text?: string })[];
  readonly #mergesOf = new Map<number, (FileMerge & { text?: string })[]>();
  readonly #hiddenColumns: ReadonlySet<number>;

  constructor(
    name: string,
    mostRows: number,
    {
      merges = [],
      hiddenColumns = new Set(),
    }: { merges?: readonly FileMerge[]; hiddenColumns?: ReadonlySet<number> } = {},
  ) {
    this.#mostRows = mostRows;
    this.#merges = merges.map((merge) => ({ ...merge }));
    for (const merge of this.#merges)
      this.#mergesOf.set(merge.first, [...(this.#mergesOf.get(merge.first) ?? []), merge]);
    this.#hiddenColumns = hiddenColumns;
    this.#sheet = {
      name: name.slice(0, 100),
      rows: [],
      rowNumbers: [],
      merges: [],
      hiddenRows: 0,
      hiddenColumns: [],
      openQuotes: [],
    };
  }

  /** Adds the next row; `number` is its number in the file, from 1. */
  add(number: number, cells: readonly string[], { isHidden = false, hasOpenQuote = false } = {}): void {
    const texts = cells.map((text) => text.trim());
    while (texts.at(-1) === '') texts.pop();
    if (texts.length === 0) return;
    if (texts.length > HSD_MAX_COLUMNS) throw new UnreadableFile(fileMessages.tooManyColumns);
    if (texts.some((text) => text.length > HSD_MAX_CELL)) throw new UnreadableFile(fileMessages.longCell);
    for (const merge of this.#mergesOf.get(number) ?? []) merge.text = texts[merge.column] ?? '';
    const { rows, rowNumbers, openQuotes } = this.#sheet;
    if (isHidden) {
      this.#sheet.hiddenRows += 1;
      return;
    }
    if ((rowNumbers.at(-1) ?? 0) >= number) throw new UnreadableFile(fileMessages.damaged);
    if (hasOpenQuote) openQuotes.push(number);
    rowNumbers.push(number);
    if (rows.push(texts) > this.#mostRows) throw new UnreadableFile(fileMessages.tooManyRows);
  }

  finish(): TableSheet {
    const { rows, rowNumbers, hiddenColumns } = this.#sheet;
    for (const column of this.#hiddenColumns) if (rows.some((row) => row[column])) hiddenColumns.push(column);
    let cells = 0;
    for (const { column, first, last, text = '' } of this.#merges) {
      const from = placeOf(rowNumbers, first);
      const end = placeOf(rowNumbers, last + 1);
      cells += end - from;
      // Merged cells never overlap, so they are no more than the cells of the sheet.
      if (cells > rows.length * HSD_MAX_COLUMNS) throw new UnreadableFile(fileMessages.damaged);
      const row = rows[from];
      if (text === '' || !row || end === from) continue;
      // The text of a row that is hidden is seen in the next one.
      if (rowNumbers[from] !== first) {
        while (row.length < column) row.push('');
        row[column] ||= text;
      }
      if (end - from > 1) this.#sheet.merges.push({ column, first: from, last: end - 1 });
    }
    return this.#sheet;
  }
}

/** The index of the first row with this number or a higher one. */
function placeOf(rowNumbers: readonly number[], number: number): number {
  let [low, high] = [0, rowNumbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rowNumbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The sheets with a value. */
export const filled = (sheets: readonly TableSheet[]): TableSheet[] => sheets.filter(({ rows }) => rows.length > 0);
