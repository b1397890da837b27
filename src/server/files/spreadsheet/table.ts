import { HSD_MAX_ROWS, readAmountCell, readTpCell, type HsdRecord, type RowProblem } from '../../../shared/calc/hsd.ts';
import { fileMessages, UnreadableFile } from './messages.ts';

/** The rows of a file, before anything is compared. */
export interface HsdTable {
  /** Rows below the header with a TP No or an amount. */
  totalRecords: number;
  records: HsdRecord[];
  problems: RowProblem[];
  /** Sentences that belong to no row. */
  notes: string[];
}

/** A cell's text, or why it cannot be read. */
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

/** Of several attempts at the header the most useful error: a duplicate column before a missing one. */
export function sayMost(errors: readonly string[]): string {
  return errors.find((error) => error.startsWith('Row')) ?? errors[0] ?? fileMessages.damaged;
}
