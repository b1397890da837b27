import {
  columnsMessage,
  columnsToChoose,
  findColumns,
  HSD_MAX_COLUMNS,
  HSD_MAX_ROWS,
  readAmountCell,
  readTpCell,
  type HeaderRow,
  type HsdRecord,
  type RememberedColumns,
  type RowProblem,
  type TotalRow,
} from '../../../shared/reading/pump-bill.ts';
import { add } from '../../../shared/calc/money.ts';
import { readDay } from '../../../shared/reading/day.ts';
import { dayOf } from '../../../shared/calc/dates.ts';
import { saysTotal } from '../../../shared/sheet/total-rows.ts';
import { fileMessages, UnreadableFile } from './messages.ts';

/** Options for reading a pump's bill. */
export interface HsdReading {
  /** For a workbook: the only sheet to read. */
  sheet?: string | undefined;
  /** The columns that the user chose; `row` is -1 when the file has no headings. */
  chosen?: HeaderRow | undefined;
  remembered?: RememberedColumns | undefined;
  /** Whether rows of totals are recognised. Otherwise they are treated like other rows. */
  withTotals?: boolean;
}

/** The rows of a file, before anything is compared. */
export interface HsdTable {
  /** The number of rows below the header that have a TP No or an amount, without recognised rows of totals. */
  totalRecords: number;
  records: HsdRecord[];
  problems: RowProblem[];
  totals: TotalRow[];
  /** Messages that belong to no row. */
  notes: string[];
  /** The headings of the two columns and their positions; a missing heading is ''. */
  columns: RememberedColumns;
}

/** The text of a cell, or why it cannot be read. */
export type CellText = string | { error: string };

export interface HsdRow {
  tp: CellText;
  amount: CellText;
  vehicle: string;
  date: string;
  /** All cells as text; called only when they are needed. */
  texts: () => readonly string[];
}

const maxShownLength = 40;

/** Returns a day of the bill as YYYY-MM-DD, or unchanged when it is not recognised. */
function dayText(text: string): string {
  return readDay(text, dayOf(new Date())) ?? text.trim().slice(0, maxShownLength);
}

/** Collects the rows below the header one by one, so that a file of blank lines does not fill the memory. */
export class TableBuilder {
  readonly #table: HsdTable;
  readonly #withTotals: boolean;
  /** The sum of the rows since the last row of totals, and of all rows. */
  #sinceTotal = '0.00';
  #ofAll = '0.00';
  #rowsSinceTotal = 0;

  constructor(header: HeaderRow, headings: readonly string[], { withTotals = false }: HsdReading) {
    const { tpColumn, amountColumn } = header;
    const [tpHeading = '', amountHeading = ''] = [tpColumn, amountColumn].map((at) =>
      (headings[at] ?? '').slice(0, 200),
    );
    const columns = { tpHeading, amountHeading, tpColumn, amountColumn };
    this.#table = { totalRecords: 0, records: [], problems: [], totals: [], notes: [], columns };
    this.#withTotals = withTotals;
  }

  /**
   * Adds a row; `row` is numbered from 1 as in the spreadsheet. A row with neither TP No nor amount is blank and
   * skipped.
   */
  add(row: number, cells: HsdRow): void {
    const { tp: tpText, amount: amountText } = cells;
    if (isBlank(tpText) && isBlank(amountText)) return;
    const table = this.#table;
    const read = typeof amountText === 'string' ? readAmountCell(amountText) : amountText;
    const amount = 'amount' in read ? read.amount : undefined;
    if (this.#withTotals && this.#takeTotal(row, cells, amount)) return;
    table.totalRecords += 1;
    if (table.totalRecords > HSD_MAX_ROWS) throw new UnreadableFile(fileMessages.tooManyRows);
    if (amount !== undefined) {
      this.#sinceTotal = add(this.#sinceTotal, amount);
      this.#ofAll = add(this.#ofAll, amount);
    }
    this.#rowsSinceTotal += 1;
    const tp = typeof tpText === 'string' ? readTpCell(tpText) : tpText;
    if ('error' in tp) table.problems.push({ row, text: tp.error, amount });
    else if ('error' in read) table.problems.push({ row, text: `TP No ${tp.tpNo}: ${read.error}`, tpNo: tp.tpNo });
    else {
      const [vehicleNo, date] = [cells.vehicle.trim().slice(0, maxShownLength), dayText(cells.date)];
      table.records.push({ row, ...tp, ...read, ...(vehicleNo && { vehicleNo }), ...(date && { date }) });
    }
  }

  /**
   * Recognises a row of totals: a row that is labelled as a total, or one without a TP No whose amount is the sum of
   * the rows above it. Returns whether it was one.
   */
  #takeTotal(row: number, { tp, texts }: HsdRow, amount: string | undefined): boolean {
    if (typeof tp !== 'string') return false;
    const said = saysTotal(tp) ? tp : isBlank(tp) ? texts().find(saysTotal) : undefined;
    const isSum = isBlank(tp) && this.#rowsSinceTotal > 0 && (amount === this.#sinceTotal || amount === this.#ofAll);
    if (said === undefined && !isSum) return false;
    const { totals } = this.#table;
    if (totals.length >= HSD_MAX_ROWS) throw new UnreadableFile(fileMessages.tooManyRows);
    const isOfAll = totals.length > 0 && (amount === this.#ofAll || this.#rowsSinceTotal === 0);
    totals.push({
      row,
      text: (said ?? 'Total').trim().slice(0, maxShownLength),
      amount: amount ?? null,
      rowsAmount: isOfAll ? this.#ofAll : this.#sinceTotal,
    });
    this.#sinceTotal = '0.00';
    this.#rowsSinceTotal = 0;
    return true;
  }

  finish(): HsdTable {
    if (this.#table.totalRecords === 0) throw new UnreadableFile(fileMessages.noRows);
    return this.#table;
  }
}

function isBlank(text: CellText): boolean {
  return typeof text === 'string' && text.trim() === '';
}

/** Finds the columns in these first rows: the chosen ones, the remembered ones, or by their names. */
export function headerOf(
  rows: readonly (readonly string[])[],
  { chosen, remembered }: HsdReading,
): HeaderRow | { error: string } {
  return chosen ?? findColumns(rows, remembered);
}

/**
 * Chooses the most useful error of several attempts to find the header: a duplicate column comes before a missing one.
 */
export function refuseColumns(
  attempts: readonly { error: string; rows: readonly (readonly string[])[]; sheet?: string }[],
  sheets: string[] = [],
): UnreadableFile {
  const [first] = attempts;
  if (first === undefined) return new UnreadableFile(fileMessages.damaged);
  const said = attempts.find(({ error }) => error.startsWith('Row'));
  const choices = (said ? [said] : attempts).map(({ error, rows, sheet }) => ({
    error,
    columns: columnsToChoose(rows, sheet, sheets),
  }));
  const known = ({ columns }: (typeof choices)[number]): number =>
    (columns.tpColumns.length > 0 ? HSD_MAX_COLUMNS : 0) +
    (columns.amountColumns.length > 0 ? HSD_MAX_COLUMNS : 0) +
    Math.max(...columns.rows.map((cells) => cells.length), 0);
  const best = choices.reduce((a, b) => (known(b) > known(a) ? b : a));
  return new UnreadableFile(columnsMessage(best.error, best.columns), best.columns);
}
