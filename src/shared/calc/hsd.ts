import { compare, normalizeTyped, subtract } from './money.ts';
import { hasLostDigits, tpKey } from './tp.ts';

/**
 * Reading an HSD file's table (docs/specification.md §11.2 and §11.3): where the header is, and what a row's two cells
 * say.
 */

/** Limits of an upload (docs/specification.md §11.2). */
export const HSD_MAX_BYTES = 10 * 1024 * 1024;
export const HSD_MAX_ROWS = 20_000;
export const HSD_MAX_COLUMNS = 64;
export const HSD_MAX_CELL = 1_000;
export const HSD_HEADER_ROWS = 20;
/** As long as a challan's TP No may be. */
const TP_MAX = 100;

// The more exact name comes first: a sheet with 'Amount' and 'HSD Amount' means the latter.
const tpHeaders = ['tpno', 'tpnumber', 'tp', 'transitpassno', 'transitpassnumber', 'transitpass'];
const hsdAmountHeaders = ['hsdamount', 'hsdamountrs', 'hsdamountinr', 'hsdamountinrs', 'hsdamt'];
const amountHeaders = [...hsdAmountHeaders, 'amount', 'amountrs', 'amountinr', 'amountinrs', 'amt'];

/** A header without case, spaces, dots, underscores and other signs: 'T.P. No' → 'tpno', 'Amount (Rs)' → 'amountrs'. */
export function headerKey(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

export type HeaderRow = { row: number; tpColumn: number; amountColumn: number };

function columnsNamed(row: readonly string[], names: readonly string[]): number[] {
  const keys = row.map(headerKey);
  for (const name of names) {
    const columns = keys.flatMap((key, column) => (key === name ? [column] : []));
    if (columns.length > 0) return columns;
  }
  return [];
}

/** Finds the header in the first 20 rows; `row` counts from 0. The error says what is missing or occurs twice. */
export function findHeader(rows: readonly (readonly string[])[]): HeaderRow | { error: string } {
  for (const [row, cells] of rows.slice(0, HSD_HEADER_ROWS).entries()) {
    const tpColumns = columnsNamed(cells, tpHeaders);
    const amountColumns = columnsNamed(cells, amountHeaders);
    const [tpColumn] = tpColumns;
    const [amountColumn] = amountColumns;
    if (tpColumn === undefined || amountColumn === undefined) continue;
    if (tpColumns.length > 1) return { error: `Row ${row + 1} has more than one 'TP No' column.` };
    if (amountColumns.length > 1) return { error: `Row ${row + 1} has more than one 'Amount' column.` };
    return { row, tpColumn, amountColumn };
  }
  return { error: `The file needs a 'TP No' and an 'Amount' column within its first ${HSD_HEADER_ROWS} rows.` };
}

/** Invisible characters that come along when text is copied from a chat or a web page. */
const invisible = /[\p{Cc}\p{Cf}]/gu;

/** A cell's text as it is shown and compared: without invisible characters and without the apostrophe that marks text. */
function plainCell(text: string): string {
  return text
    .replace(/[\t\r\n]/g, ' ')
    .replace(invisible, '')
    .trim()
    .replace(/^'(?=.)/, '');
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

type TpCell = { tpNo: string; key: string } | { error: string };

/** A TP cell's text. `tpNo` is what to show, `key` what to compare by. */
export function readTpCell(text: string): TpCell {
  const plain = plainCell(text);
  const key = tpKey(plain);
  if (key === '') return { error: 'TP No is empty' };
  if (plain.length > TP_MAX) return { error: `TP No ${shortened(plain)} has more than ${TP_MAX} characters` };
  if (hasLostDigits(plain)) return { error: `TP No ${plain} has lost digits: format the column as text` };
  return { tpNo: /^\d+\.0+$/.test(plain) ? key : plain, key };
}

type AmountCell = { amount: string } | { error: string };

/** An amount cell: may carry ₹, commas and spaces; compared to the paisa, so a cell's 9263.999999999998 is 9264.00. */
export function readAmountCell(text: string): AmountCell {
  const plain = plainCell(text);
  const typed = normalizeTyped(plain);
  if ('error' in typed) return { error: `Amount '${shortened(plain)}' is not an amount` };
  return typed.value === '' ? { error: 'Amount is empty' } : { amount: typed.value };
}

/**
 * The number of a spreadsheet's cell as decimal text, in the 15 significant digits that spreadsheets work and show with:
 * 218.85 × 91.10 is kept there as 19937.234999999997 and means 19937.235, which rounds half-up to the challan's 19937.24.
 */
export function cellNumberText(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return String(value);
  const integerDigits = Math.trunc(Math.abs(value)).toFixed(0).length;
  const fixed = value.toFixed(15 - integerDigits);
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
}

/** A row of the file that could be read; `row` as the spreadsheet counts it, from 1. */
export interface HsdRecord {
  row: number;
  tpNo: string;
  key: string;
  amount: string;
}

export interface RowProblem {
  row: number;
  text: string;
}

export const problemText = ({ row, text }: RowProblem): string => `Row ${row}: ${text}`;

/**
 * docs/specification.md §11.3: a TP No that is in the file twice is matched by none of its rows, each of which says so.
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

/** uploaded − challan, signed; null where the two agree to the paisa. */
export function hsdDifference(uploaded: string, challan: string): string | null {
  // Most rows of a bill agree letter for letter, and 20,000 comparisons of decimals would block the server.
  return uploaded === challan || compare(uploaded, challan) === 0 ? null : subtract(uploaded, challan);
}
