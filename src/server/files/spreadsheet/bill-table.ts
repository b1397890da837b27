import {
  columnsMessage,
  columnsToChoose,
  findColumns,
  HSD_HEADER_ROWS,
  HSD_MAX_COLUMNS,
  HSD_MAX_ROWS,
  otherColumns,
  type ColumnsToChoose,
  readAmountCell,
  readTpCell,
  type HeaderRow,
  type HsdRecord,
  type RememberedColumns,
  type RowProblem,
  type TotalRow,
} from '../../../shared/reading/pump-bill.ts';
import { add, sum } from '../../../shared/calc/money.ts';
import { readDay } from '../../../shared/reading/day.ts';
import { dayOf } from '../../../shared/calc/dates.ts';
import { saysTotal } from '../../../shared/sheet/total-rows.ts';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { readAs, rowsTooLong, tooLongReason, type TableKind } from '../../../shared/reading/tables.ts';
import { filledDown } from '../../../shared/sheet/table-cells.ts';
import type { ReadTables } from './sheets.ts';
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
  /** What the file was read as, in one line. */
  readAs: string;
  /** Messages that belong to no row. */
  notes: string[];
  /** The headings of the two columns and their positions; a missing heading is ''. */
  columns: RememberedColumns;
}

interface BillRow {
  tp: string;
  amount: string;
  vehicle: string;
  date: string;
  /** All cells of the row. */
  texts: readonly string[];
}

const maxShownLength = 40;

/** Returns a day of the bill as YYYY-MM-DD, or unchanged when it is not recognised. */
function dayText(text: string): string {
  if (text === '') return '';
  return readDay(text, dayOf(new Date())) ?? text.trim().slice(0, maxShownLength);
}

/** Collects the rows below the header. */
class TableBuilder {
  readonly #table: HsdTable;
  readonly #withTotals: boolean;
  /** The sum of the rows up to the last row of totals, and the amounts of those since, which only a row of totals adds up. */
  #untilTotal = '0.00';
  #amountsSinceTotal: string[] = [];
  #rowsSinceTotal = 0;

  constructor(header: HeaderRow, headings: readonly string[], readAsText: string, { withTotals = false }: HsdReading) {
    const { tpColumn, amountColumn } = header;
    const [tpHeading = '', amountHeading = ''] = [tpColumn, amountColumn].map((at) =>
      (headings[at] ?? '').slice(0, 200),
    );
    const columns = { tpHeading, amountHeading, tpColumn, amountColumn };
    this.#table = { totalRecords: 0, records: [], problems: [], totals: [], readAs: readAsText, notes: [], columns };
    this.#withTotals = withTotals;
  }

  /**
   * Adds a row; `row` is numbered from 1 as in the spreadsheet. A row with neither TP No nor amount is blank and
   * skipped. `doubt` says why its cells may stand in wrong columns.
   */
  add(row: number, cells: BillRow, doubt?: string): void {
    if (isBlank(cells.tp) && isBlank(cells.amount)) return;
    const table = this.#table;
    const read = readAmountCell(cells.amount);
    const amount = 'amount' in read ? read.amount : undefined;
    if (doubt === undefined && this.#withTotals && this.#takeTotal(row, cells, amount)) return;
    table.totalRecords += 1;
    if (table.totalRecords > HSD_MAX_ROWS) throw new UnreadableFile(fileMessages.tooManyRows);
    if (doubt !== undefined) {
      table.problems.push({ row, text: doubt });
      return;
    }
    if (amount !== undefined) this.#amountsSinceTotal.push(amount);
    this.#rowsSinceTotal += 1;
    const tp = readTpCell(cells.tp);
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
  #takeTotal(row: number, { tp, texts }: BillRow, amount: string | undefined): boolean {
    const said = saysTotal(tp) ? tp : isBlank(tp) ? texts.find(saysTotal) : undefined;
    if (said === undefined && !isBlank(tp)) return false;
    const since = sum(this.#amountsSinceTotal);
    this.#amountsSinceTotal = [since];
    const ofAll = add(this.#untilTotal, since);
    const { totals } = this.#table;
    const isSum = (this.#rowsSinceTotal > 0 && amount === since) || (totals.length > 0 && amount === ofAll);
    if (said === undefined && !isSum) return false;
    if (totals.length >= HSD_MAX_ROWS) throw new UnreadableFile(fileMessages.tooManyRows);
    const isOfAll = totals.length > 0 && (amount === ofAll || this.#rowsSinceTotal === 0);
    totals.push({
      row,
      text: (said ?? 'Total').trim().slice(0, maxShownLength),
      amount: amount ?? null,
      rowsAmount: isOfAll ? ofAll : since,
    });
    this.#untilTotal = ofAll;
    this.#amountsSinceTotal = [];
    this.#rowsSinceTotal = 0;
    return true;
  }

  finish(): HsdTable {
    if (this.#table.totalRecords === 0) throw new UnreadableFile(fileMessages.noRows);
    return this.#table;
  }
}

const isBlank = (text: string): boolean => text.trim() === '';

/** Text has no cells of its own: a separator inside a value moves what follows it. */
const isText = (kind: TableKind): boolean => ['comma', 'semicolon', 'tab', 'pipe', 'tilde'].includes(kind);

/**
 * Reads the bill in a file. Only one sheet is read: the one with the two columns, or the one that the user has chosen.
 * @throws UnreadableFile with what the user may choose from, where no sheet has the columns, or more than one
 */
export function readBill({ kind, sheets }: ReadTables, reading: HsdReading): HsdTable {
  // The only sheet of a text has no name.
  const named = sheets.map((sheet, place) => ({ ...sheet, name: isText(kind) ? '' : sheet.name, place }));
  const names = isText(kind) ? [] : named.map(({ name }) => name);
  const asked = named.filter(({ name }) => !reading.sheet || name === reading.sheet);
  if (asked.length === 0) throw new UnreadableFile(fileMessages.noSheet);
  const found = asked.map((sheet) => ({ sheet, header: headerOf(headOf(sheet), reading) }));
  const bills = found.flatMap(({ sheet, header }) => ('error' in header ? [] : [{ sheet, header }]));
  const [bill, ...others] = bills;
  const choiceOf = (sheet: (typeof named)[number]): ColumnsToChoose =>
    columnsToChoose(headOf(sheet), { sheet: sheet.name, sheets: names, readAs: readAs(kind, sheets, sheet.place) });
  if (bill === undefined) {
    throw refuseColumns(
      found.flatMap(({ sheet, header }) => ('error' in header ? [{ ...header, columns: choiceOf(sheet) }] : [])),
    );
  }
  if (others.length > 0) throw new UnreadableFile(fileMessages.whichSheet, choiceOf(bill.sheet));
  const table = readSheet(kind, bill.sheet, bill.header, readAs(kind, sheets, bill.sheet.place), reading);
  const isTable = ({ rows }: TableSheet): boolean => rows.length > 1 && rows.some((cells) => cells.length > 1);
  const unread = asked.filter((sheet) => sheet !== bill.sheet && isTable(sheet));
  return {
    ...table,
    notes: unread.map(
      ({ name }) => `Sheet '${name.slice(0, 40)}' was not compared: it has no 'TP No' and 'Amount' columns`,
    ),
  };
}

/** The first rows of a sheet by their numbers, blank ones too. */
function headOf({ rows, rowNumbers }: TableSheet): string[][] {
  const head: string[][] = Array.from({ length: HSD_HEADER_ROWS }, () => []);
  for (const [at, number] of rowNumbers.entries()) {
    if (number > HSD_HEADER_ROWS) break;
    head[number - 1] = rows[at] ?? [];
  }
  return head.slice(0, head.findLastIndex((cells) => cells.length > 0) + 1);
}

function readSheet(
  kind: TableKind,
  { rows, rowNumbers, merges, openQuotes }: TableSheet,
  header: HeaderRow,
  readAsText: string,
  reading: HsdReading,
): HsdTable {
  const { tpColumn, amountColumn } = header;
  const headings = rows[rowNumbers.indexOf(header.row + 1)] ?? [];
  const { vehicle = -1, date = -1 } = otherColumns(headings);
  const table = new TableBuilder(header, headings, readAsText, reading);
  const first = rowNumbers.findIndex((number) => number > header.row + 1);
  const tooLong = new Set(isText(kind) ? rowsTooLong(rows, headings, first) : []);
  const open = new Set(openQuotes);
  const filled = filledDown(rows, merges, (column) => [tpColumn, vehicle, date].includes(column));
  for (const [at, cells] of filled.entries()) {
    const number = rowNumbers[at] ?? 0;
    if (number <= header.row + 1) continue;
    const cell = (column: number): string => cells[column] ?? '';
    const doubt = open.has(number)
      ? 'A quotation mark is never closed: correct it in the file'
      : tooLong.has(at)
        ? `It has more cells than there are headings. ${tooLongReason}`
        : undefined;
    table.add(
      number,
      { tp: cell(tpColumn), amount: cell(amountColumn), vehicle: cell(vehicle), date: cell(date), texts: cells },
      doubt,
    );
  }
  return table.finish();
}

/** Finds the columns in these first rows: the chosen ones, the remembered ones, or by their names. */
function headerOf(
  rows: readonly (readonly string[])[],
  { chosen, remembered }: HsdReading,
): HeaderRow | { error: string } {
  return chosen ?? findColumns(rows, remembered);
}

/**
 * Chooses the most useful error of several attempts to find the header: a duplicate column comes before a missing one.
 */
function refuseColumns(attempts: readonly { error: string; columns: ColumnsToChoose }[]): UnreadableFile {
  const said = attempts.find(({ error }) => error.startsWith('Row'));
  const known = ({ columns }: (typeof attempts)[number]): number =>
    (columns.tpColumns.length > 0 ? HSD_MAX_COLUMNS : 0) +
    (columns.amountColumns.length > 0 ? HSD_MAX_COLUMNS : 0) +
    Math.max(...columns.rows.map((cells) => cells.length), 0);
  const [first, ...others] = said ? [said] : attempts;
  if (first === undefined) return new UnreadableFile(fileMessages.damaged);
  const best = others.reduce((a, b) => (known(b) > known(a) ? b : a), first);
  return new UnreadableFile(columnsMessage(best.error, best.columns), best.columns);
}
