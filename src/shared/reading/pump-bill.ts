import { headingKey, headingKeys } from '../calc/column-headings.ts';
import { compare, isNegative, subtract } from '../calc/money.ts';
import { tpKey } from '../calc/keys.ts';
import { cleanText } from './text.ts';
import { readValue } from './values.ts';

/**
 * Reads the table of a petrol pump's bill, the HSD file (docs/specification.md §11.2 and §11.3): where the header row is,
 * and what the TP cell and the amount cell of a row say.
 */

/** Limits of an upload (docs/specification.md §11.2). */
export const HSD_MAX_BYTES = 10 * 1024 * 1024;
export const HSD_MAX_ROWS = 20_000;
export const HSD_MAX_COLUMNS = 64;
export const HSD_MAX_CELL = 1_000;
export const HSD_HEADER_ROWS = 20;
/** As long as a challan's TP No may be. */
const TP_MAX = 100;

/** The headings that an error message names as accepted; more spellings are recognised. */
const acceptedHeadings = {
  tp: ['TP No', 'TP Number', 'Transit Pass No', 'Permit No', 'टीपी नं'],
  amount: ['Amount', 'Amt (Rs.)', 'Total Amount', 'Bill Amount', 'HSD Amount', 'Diesel Amount', 'राशि'],
} as const;

export type HeaderRow = { row: number; tpColumn: number; amountColumn: number };

/** The columns whose header is the first of the wanted names that occurs at all. */
function columnsNamed(keys: readonly string[], wanted: readonly string[]): number[] {
  for (const name of wanted) {
    const columns = keys.flatMap((key, column) => (key === name ? [column] : []));
    if (columns.length > 0) return columns;
  }
  return [];
}

/** The columns whose header is any of the wanted names. */
const allNamed = (keys: readonly string[], wanted: readonly string[]): number[] =>
  keys.flatMap((key, column) => (wanted.includes(key) ? [column] : []));

/**
 * The columns that could hold the TP numbers and those that could hold the amounts, by the headings of a row. Where there
 * are two or more, a person has to choose.
 */
function possibleColumns(cells: readonly string[]): { tp: readonly number[]; amount: readonly number[] } {
  const keys = cells.map(headingKey);
  const firstOf = (...choices: (() => number[])[]): number[] => {
    for (const choice of choices) {
      const columns = choice();
      if (columns.length > 0) return columns;
    }
    return [];
  };
  return {
    tp: firstOf(
      () => columnsNamed(keys, headingKeys('tpNo')),
      () => allNamed(keys, headingKeys('permitNo')),
    ),
    amount: firstOf(
      () => allNamed(keys, headingKeys('hsdAmount')),
      () => allNamed(keys, headingKeys('amount', 'totalAmount')),
      // The HSD amount of our own challan file comes last: a pump's file may have liters there, and the amount elsewhere.
      () => columnsNamed(keys, headingKeys('hsd')),
    ),
  };
}

/** Finds the header row within the first 20 rows; `row` counts from 0. The error says what is missing or occurs twice. */
export function findHeader(rows: readonly (readonly string[])[]): HeaderRow | { error: string } {
  for (const [row, cells] of rows.slice(0, HSD_HEADER_ROWS).entries()) {
    const { tp, amount } = possibleColumns(cells);
    const [tpColumn] = tp;
    const [amountColumn] = amount;
    if (tpColumn === undefined || amountColumn === undefined) continue;
    if (tp.length > 1) return { error: `Row ${row + 1} has more than one 'TP No' column.` };
    if (amount.length > 1) return { error: `Row ${row + 1} has more than one 'Amount' column.` };
    return { row, tpColumn, amountColumn };
  }
  return { error: `The file needs a 'TP No' and an 'Amount' column within its first ${HSD_HEADER_ROWS} rows.` };
}

/** The columns that were chosen for an earlier file of the same pump. A heading is '' where that file had none. */
export interface RememberedColumns {
  tpHeading: string;
  amountHeading: string;
  tpColumn: number;
  amountColumn: number;
}

/** Finds the header by the columns that are remembered for this pump, else by known names of headings. */
export function findColumns(
  rows: readonly (readonly string[])[],
  remembered: RememberedColumns | undefined,
): HeaderRow | { error: string } {
  const known = remembered && findRemembered(rows, remembered);
  if (known) return known;
  const named = findHeader(rows);
  if (!('error' in named) || !remembered || remembered.tpHeading !== '' || remembered.amountHeading !== '')
    return named;
  return { row: -1, tpColumn: remembered.tpColumn, amountColumn: remembered.amountColumn };
}

function findRemembered(rows: readonly (readonly string[])[], remembered: RememberedColumns): HeaderRow | undefined {
  const { tpHeading, amountHeading } = remembered;
  if (headingKey(tpHeading) === '' || headingKey(amountHeading) === '') return undefined;
  for (const [row, cells] of rows.slice(0, HSD_HEADER_ROWS).entries()) {
    const keys = cells.map(headingKey);
    const placeOf = (heading: string, usual: number): number =>
      keys[usual] === headingKey(heading) ? usual : keys.indexOf(headingKey(heading));
    const tpColumn = placeOf(tpHeading, remembered.tpColumn);
    const amountColumn = placeOf(amountHeading, remembered.amountColumn);
    if (tpColumn !== -1 && amountColumn !== -1 && tpColumn !== amountColumn) return { row, tpColumn, amountColumn };
  }
  return undefined;
}

/** The vehicle and date columns that a bill may have as well. They are shown and never compared. */
export function otherColumns(headings: readonly string[]): { vehicle: number | undefined; date: number | undefined } {
  const keys = headings.map(headingKey);
  return {
    vehicle: columnsNamed(keys, headingKeys('vehicleNo'))[0],
    date: columnsNamed(keys, headingKeys('date', 'billDate', 'loadingDate'))[0],
  };
}

/** What a person needs to choose the columns of a file: its first rows and the best guess. Columns count from 0. */
export interface ColumnsToChoose {
  /** '' for a .csv file. */
  sheet: string;
  /** All sheets that could be chosen. */
  sheets: string[];
  /** What the file was read as, in one line. */
  readAs: string;
  rows: string[][];
  /** Index of the row that looks like headings; -1: none does. */
  headingRow: number;
  tpColumns: number[];
  amountColumns: number[];
}

const noGuess: { row: number; tp: readonly number[]; amount: readonly number[]; score: number } = {
  row: -1,
  tp: [],
  amount: [],
  score: 1,
};

export function columnsToChoose(
  rows: readonly (readonly string[])[],
  { sheet, sheets, readAs }: Pick<ColumnsToChoose, 'sheet' | 'sheets' | 'readAs'>,
): ColumnsToChoose {
  const shown = rows.slice(0, HSD_HEADER_ROWS).map((cells) => cells.map((text) => shortened(plainCell(text))));
  const guesses = shown.map((cells, row) => {
    const { tp, amount } = possibleColumns(cells);
    const words = cells.filter((text) => /\p{L}/u.test(text)).length;
    const known = (tp.length > 0 ? 1 : 0) + (amount.length > 0 ? 1 : 0);
    return { row, tp, amount, score: words === 0 ? 0 : known * HSD_MAX_COLUMNS + words };
  });
  // A row with a single word is a title: the score of noGuess beats it.
  const best = guesses.reduce((a, b) => (b.score > a.score ? b : a), noGuess);
  return {
    sheet,
    sheets,
    readAs,
    rows: shown,
    headingRow: best.row,
    tpColumns: [...best.tp],
    amountColumns: [...best.amount],
  };
}

const namedInMessage = 12;

/** The message for a file whose columns were not found: which headings it has, and which headings are accepted. */
export function columnsMessage(error: string, { rows, headingRow, tpColumns, amountColumns }: ColumnsToChoose): string {
  const headings = rows[headingRow] ?? [];
  if (tpColumns.length > 1 || amountColumns.length > 1) {
    const columns = amountColumns.length > 1 ? amountColumns : tpColumns;
    const choices = columns.map((column) => `'${headings[column]}' (column ${column + 1})`);
    return `${error} Choose one of them: ${choices.slice(0, namedInMessage).join(', ')}.`;
  }
  const seen = headings.filter((text) => text !== '');
  const more = seen.length > namedInMessage ? ` and ${seen.length - namedInMessage} more` : '';
  const saw =
    seen.length === 0 ? 'No headings were seen.' : `Seen: ${seen.slice(0, namedInMessage).join(', ')}${more}.`;
  const { tp, amount } = acceptedHeadings;
  return `${error} ${saw} Accepted: ${tp.join(', ')}; ${amount.join(', ')}.`;
}

/** A cell's text in one line. */
const plainCell = (text: string): string => cleanText(text.replace(/[\t\r\n]/g, ' '));

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

type TpCell = { tpNo: string; key: string } | { error: string };

/** Only whether a TP number is a date depends on the day. Then a year of two digits is one of this century. */
const context = { today: '2050-01-01', label: 'TP No' };

/** Reads the text of a TP cell. `tpNo` is shown, `key` is compared. */
export function readTpCell(text: string): TpCell {
  const plain = plainCell(text);
  const read = readValue('tp', plain, context);
  if ('problem' in read) return { error: read.problem };
  if (read.value === '') return { error: 'TP No is empty' };
  if (plain.length > TP_MAX) return { error: `TP No ${shortened(plain)} has more than ${TP_MAX} characters` };
  return { tpNo: read.value, key: tpKey(read.value) };
}

type AmountCell = { amount: string } | { error: string };

/**
 * Reads an amount cell, which may have ₹, commas and spaces. The amount is rounded to the paisa, so that a cell with
 * 9263.999999999998 is 9264.00.
 */
export function readAmountCell(text: string): AmountCell {
  const plain = plainCell(text);
  const read = readValue('money', plain, context);
  if ('problem' in read) return { error: `Amount '${shortened(plain)}' is not an amount` };
  return read.value === '' ? { error: 'Amount is empty' } : { amount: read.value };
}

/**
 * The number of a spreadsheet's cell as decimal text with 15 significant digits, which is what spreadsheets calculate and
 * show with. 218.85 × 91.10 is stored there as 19937.234999999997 but means 19937.235, which rounds half-up to the
 * challan's 19937.24.
 */
export function cellNumberText(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return String(value);
  const integerDigits = Math.trunc(Math.abs(value)).toFixed(0).length;
  const fixed = value.toFixed(15 - integerDigits);
  return fixed.includes('.') ? fixed.replace(/(?:\.|(?<!0))0+$/, '') : fixed;
}

/** A row of the file that could be read. `row` counts from 1, as the spreadsheet does. */
export interface HsdRecord {
  row: number;
  tpNo: string;
  key: string;
  amount: string;
  /** The vehicle and the date of the bill, where it has such columns. */
  vehicleNo?: string | undefined;
  date?: string | undefined;
}

export interface RowProblem {
  row: number;
  text: string;
  /** The TP No and the amount of the row, where they could be read. */
  tpNo?: string | undefined;
  amount?: string | undefined;
}

/** A row of the bill's own sum: `text` is what the row says, `rowsAmount` what the rows it adds up come to. */
export interface TotalRow {
  row: number;
  text: string;
  amount: string | null;
  rowsAmount: string;
}

export const problemText = ({ row, text }: RowProblem): string => `Row ${row}: ${text}`;

/**
 * Separates rows whose TP No occurs more than once in the file (docs/specification.md §11.3): none of them is matched, and
 * each gets a problem that says so.
 */
export function separateRepeated(records: readonly HsdRecord[]): { single: HsdRecord[]; repeated: RowProblem[] } {
  const rowsOf = new Map<string, number[]>();
  for (const { key, row } of records) {
    const rows = rowsOf.get(key);
    if (rows === undefined) rowsOf.set(key, [row]);
    else rows.push(row);
  }
  const single: HsdRecord[] = [];
  const repeated: RowProblem[] = [];
  for (const record of records) {
    const rows = rowsOf.get(record.key) ?? [];
    if (rows.length === 1) {
      single.push(record);
      continue;
    }
    const other = rows[0] === record.row ? rows[1] : rows[0];
    const more = rows.length > 2 ? ` and ${rows.length - 2} more` : '';
    repeated.push({
      row: record.row,
      text: `TP No ${record.tpNo} is also in row ${other}${more}: leave it in the file once`,
    });
  }
  return { single, repeated };
}

/** The signed difference, uploaded − challan; null where the two agree to the paisa. */
export function hsdDifference(uploaded: string, challan: string): string | null {
  // Most rows of a bill agree letter for letter. Comparing 20,000 decimals instead would block the server.
  return uploaded === challan || compare(uploaded, challan) === 0 ? null : subtract(uploaded, challan);
}

/** Whether a difference is within the tolerance, so that the row still matches (docs/specification.md §11.5). */
export function isWithin(difference: string | null, tolerance: string): boolean {
  if (difference === null) return true;
  const size = isNegative(difference) ? difference.slice(1) : difference;
  return compare(size, tolerance) <= 0;
}
