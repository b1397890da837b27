import {
  HSD_MAX_CELL,
  HSD_MAX_COLUMNS,
  HSD_MAX_ROWS,
  readAmountCell,
  readTpCell,
  type HsdRecord,
  type RowProblem,
} from '../../../shared/calc/hsd.ts';
import { fileMessages, UnreadableFile } from './messages.ts';

/** What a file's rows say, before anything is compared. */
export interface HsdTable {
  /** Rows below the header with a TP No or an amount. */
  totalRecords: number;
  records: HsdRecord[];
  problems: RowProblem[];
  /** Sentences that belong to no row. */
  notes: string[];
}

/** A cell's text, or why it has none that could be read. */
export type CellText = string | { error: string };

/** Takes the rows below the header one by one, so that a file of blank lines fills no memory. */
export class TableBuilder {
  readonly #table: HsdTable = { totalRecords: 0, records: [], problems: [], notes: [] };

  /** `row` as the spreadsheet counts, from 1. A row with neither TP No nor amount is blank and skipped. */
  add(row: number, tpText: CellText, amountText: CellText): void {
    if (isBlank(tpText) && isBlank(amountText)) return;
    const table = this.#table;
    table.totalRecords += 1;
    if (table.totalRecords > HSD_MAX_ROWS) throw new UnreadableFile(fileMessages.tooManyRows);
    const tp = typeof tpText === 'string' ? readTpCell(tpText) : tpText;
    const amount = typeof amountText === 'string' ? readAmountCell(amountText) : amountText;
    if ('error' in tp) table.problems.push({ row, text: tp.error });
    else if ('error' in amount) table.problems.push({ row, text: `TP No ${tp.tpNo}: ${amount.error}` });
    else table.records.push({ row, ...tp, ...amount });
  }

  finish(): HsdTable {
    if (this.#table.totalRecords === 0) throw new UnreadableFile(fileMessages.noRows);
    return this.#table;
  }
}

function isBlank(text: CellText): boolean {
  return typeof text === 'string' && text.trim() === '';
}

/** Refuses a row that is wider than a pump's file is, or holds a cell that no file of this kind has. */
export function checkShape(cells: readonly string[]): void {
  for (const [column, text] of cells.entries()) {
    if (text === '') continue;
    if (column >= HSD_MAX_COLUMNS) throw new UnreadableFile(fileMessages.tooManyColumns);
    if (text.length > HSD_MAX_CELL) throw new UnreadableFile(fileMessages.longCell);
  }
}

/** Of several attempts at the header: a column that is there twice says more than one that is not there. */
export function sayMost(errors: readonly string[]): string {
  return errors.find((error) => error.startsWith('Row')) ?? errors[0] ?? fileMessages.damaged;
}
