import { normalizeTyped } from './money.ts';
import { hasLostDigits, tpKey } from './tp.ts';

/** Reading an HSD file's table (ruling 40): where the header stands, and what a row's two cells say. */

/** Limits of an upload (ruling 42; part 2 §9). */
export const HSD_MAX_BYTES = 10 * 1024 * 1024;
export const HSD_MAX_ROWS = 20_000;
export const HSD_MAX_COLUMNS = 64;
export const HSD_HEADER_ROWS = 20;

const tpHeaders = ['tpno', 'tpnumber', 'tp'];
const amountHeaders = ['hsdamount', 'hsdamountrs', 'hsdamountinr', 'amount', 'amountrs', 'amountinr'];

/** A header without case, spaces, dots, underscores and other signs: 'T.P. No' → 'tpno', 'Amount (Rs)' → 'amountrs'. */
export function headerKey(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

export type HeaderRow = { row: number; tpColumn: number; amountColumn: number };

function columnsNamed(row: readonly string[], names: readonly string[]): number[] {
  const keys = row.map(headerKey);
  // The more exact name wins: a sheet with 'Amount' and 'HSD Amount' means the latter.
  for (const name of names) {
    const columns = keys.flatMap((key, column) => (key === name ? [column] : []));
    if (columns.length > 0) return columns;
  }
  return [];
}

/** Finds the header in the first 20 rows; `row` counts from 0. The sentence says what is missing or there twice. */
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

export type TpCell = { tpNo: string; key: string } | { error: string };

/** A TP cell's text. `tpNo` is what to show, `key` what to compare by. */
export function readTpCell(text: string): TpCell {
  const key = tpKey(text);
  if (key === '') return { error: 'TP No is empty' };
  if (hasLostDigits(text)) return { error: `TP No ${text.trim()} has lost digits: format the column as text` };
  return { tpNo: /^\s*\d+\.0+\s*$/.test(text) ? key : text.trim(), key };
}

export type AmountCell = { amount: string } | { error: string };

/** An amount cell: may carry ₹, commas and spaces; compared to the paisa, so a cell's 9263.999999999998 is 9264.00. */
export function readAmountCell(text: string): AmountCell {
  const typed = normalizeTyped(text);
  if ('error' in typed) return { error: `Amount '${text.trim()}' is not an amount` };
  return typed.value === '' ? { error: 'Amount is empty' } : { amount: typed.value };
}
