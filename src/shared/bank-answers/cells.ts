import { isDay } from '../calc/dates.ts';
import { asciiDigits } from '../calc/keys.ts';
import { isZero, normalizeTyped } from '../calc/money.ts';

/** Reads cells of the files that banks send: days, amounts, and texts to compare. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * The day of a cell: 05/03/26, 05-03-2026, 5.3.2026, 05-Mar-2026, 05 MAR 26, 05032026, 2026-03-05 or 20260305, with or
 * without a time after it. The day always comes before the month, as in India. null: the text is none of these.
 */
export function readDay(text: string): string | null {
  const bare = asciiDigits(text)
    .trim()
    .replace(/^'/, '')
    .replace(/(?<=\d)[T ,]+\d{1,2}:\d{2}(:\d{2})?(\.\d+)?\s*([AaPp]\.?[Mm]\.?|Z)?$/, '');
  const ymd = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})$/.exec(bare);
  // Eight digits without separators begin with the year only where they make no day the other way round.
  if (ymd && (ymd[2] !== '' || /^20\d{6}$/.test(bare))) {
    const day = dayFrom(Number(ymd[1]), Number(ymd[3]), Number(ymd[4]));
    if (day !== null || ymd[2] !== '') return day;
  }
  const together = /^(\d{2})(\d{2})(\d{4})$/.exec(bare);
  if (together) return dayFrom(Number(together[3]), Number(together[2]), Number(together[1]));
  const dmy = /^(\d{1,2})\s?[-/. ]\s?(\d{1,2}|[A-Za-z]{3,9})\s?[-/., ]\s?(\d{2}|\d{4})$/.exec(bare);
  if (!dmy) return null;
  const [, dayText = '', monthText = '', yearText = ''] = dmy;
  const named = months.indexOf(monthText.slice(0, 3).toLowerCase()) + 1;
  const year = Number(yearText);
  return dayFrom(yearText.length === 2 ? 2000 + year : year, named || Number(monthText), Number(dayText));
}

function dayFrom(year: number, month: number, dayOfMonth: number): string | null {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const day = `${year}-${pad(month)}-${pad(dayOfMonth)}`;
  return isDay(day) && year >= 2000 && year < 2100 ? day : null;
}

export type Side = 'out' | 'in';

interface SignedAmount {
  /** Two decimals, never below 0; '' for an empty cell, a dash or zero. */
  amount: string;
  /** From Dr, Cr, a sign or brackets; null where the cell has none of them. */
  side: Side | null;
}

const nothing: SignedAmount = { amount: '', side: null };

/**
 * Reads an amount that may have a side: '1,23,456.00', '1,234.00 Dr', '(1,234.00)', '-1,234.00', '1,234.00-',
 * 'Rs. 500.00CR'. null: the text is no amount.
 */
export function readSignedAmount(text: string): SignedAmount | null {
  let bare = text.trim();
  if (/^[-–—.]*$/.test(bare) || /^(nil|n\/?a)$/i.test(bare)) return nothing;
  let side: Side | null = null;
  const marked = /^(.*?)[\s(]*\b(dr|cr|debit|credit)\b\.?[\s)]*$|^(.*\d)(dr|cr)\.?$/i.exec(bare);
  const leading = /^(dr|cr)\.?\s*(?=[\d₹])(.*)$/i.exec(bare);
  if (marked) {
    side = sideOf(marked[2] ?? marked[4] ?? '');
    bare = (marked[1] ?? marked[3] ?? '').trim();
  } else if (leading) {
    side = sideOf(leading[1] ?? '');
    bare = leading[2] ?? '';
  }
  const bracketed = /^\((.*)\)$/.exec(bare);
  const minus = /^[-−]\s*(.*)$/.exec(bare) ?? /^(.*\d)\s*[-−]$/.exec(bare);
  if (bracketed ?? minus) {
    side ??= 'out';
    bare = ((bracketed ?? minus)?.[1] ?? '').trim();
  } else if (bare.startsWith('+')) {
    side ??= 'in';
    bare = bare.slice(1).trim();
  }
  const read = normalizeTyped(bare);
  // Banks have no amounts with three decimals.
  if ('error' in read || read.isRounded || read.value === '') return null;
  return isZero(read.value) ? nothing : { amount: read.value, side };
}

const sideOf = (word: string): Side => (/^d/i.test(word) ? 'out' : 'in');

/** The side in a column of its own: Dr, D, Debit, Withdrawal … null: the text names none. */
export function readSide(text: string): Side | null {
  const word = text.trim().toLowerCase();
  if (/^(d|dr\.?|debit|withdrawal|db|out)$/.test(word)) return 'out';
  return /^(c|cr\.?|credit|deposit|in)$/.test(word) ? 'in' : null;
}

/** A text to compare: in capitals, with one space between words. */
export const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toUpperCase();

/** A text to compare: only its letters and digits, in capitals. */
export const bareText = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** The text of a row, to show it to a person. */
export const rowText = (cells: readonly string[]): string =>
  cells
    .filter((cell) => cell !== '')
    .join(' | ')
    .slice(0, 300);
