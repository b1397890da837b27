import { asciiDigits } from '../calc/keys.ts';
import { isZero, normalizeTyped, subtract, type TypedAmount } from '../calc/money.ts';
import { readTdsPercentage } from '../calc/tds-percentage.ts';
import { isPlaceholder } from './no-value.ts';
import { cleanText, plainMarks } from './text.ts';

/** Which way money goes: out of an account or what is owed (Dr, minus, brackets), or into it (Cr). */
export type Side = 'out' | 'in';

/** An amount without its sign, and the sign; the side is null where the text has none. '' is an empty text. */
type SidedAmount = { amount: string; side: Side | null; isRounded: boolean } | { error: string };

const signTwice = 'It has two signs: write only one of minus, brackets, Dr or Cr.';

/** The ways in which a sign is written, each with the figure that is left. */
const signs: readonly [pattern: RegExp, side: Side | 'word'][] = [
  [/^((?:.*[^\s(])?)[\s(]*\b(dr|cr|debit|credit)\b\.?[\s)]*$/i, 'word'],
  [/^(.*\d)(dr|cr)\.?$/i, 'word'],
  [/^()(dr|cr)\.?\s*(?=[\d₹])(.*)$/i, 'word'],
  [/^\((.*)\)$/, 'out'],
  [/^((?:₹|rs\.?|inr)?\s*)-\s*(.*)$/i, 'out'],
  [/^(.*\d)\s*-$/, 'out'],
  [/^\+\s*(.*)$/, 'in'],
];

/**
 * Reads an amount that may have a sign: '1,23,456.00', '1,234.00 Dr', 'Dr 1,234', '(1,234.00)', '-1,234.00', '1,234.00-',
 * 'Rs. 500.00CR'. A dash alone, NIL and NA are 0. A sign that is given twice is refused, because one of the two may be meant.
 */
export function readSided(text: string): SidedAmount {
  let bare = plainMarks(asciiDigits(cleanText(text)));
  if (bare !== '' && isPlaceholder(bare)) return { amount: '0.00', side: null, isRounded: false };
  let side: Side | null = null;
  for (;;) {
    const found = signs.flatMap(([pattern, of]) => {
      const match = pattern.exec(bare);
      return match ? [{ match, of }] : [];
    })[0];
    if (!found) break;
    if (side !== null) return { error: signTwice };
    const { match, of } = found;
    const [, before = '', word = '', behind = ''] = match;
    side = of === 'word' ? sideOf(word) : of;
    bare = (of === 'word' ? before + behind : before + word).trim();
  }
  const read = normalizeTyped(bare);
  return 'error' in read ? read : { amount: read.value, side, isRounded: read.isRounded };
}

const sideOf = (word: string): Side => (/^d/i.test(word) ? 'out' : 'in');

/** The side in a column of its own: Dr, D, Debit, Withdrawal … null: the text names none. */
export function readSide(text: string): Side | null {
  const word = cleanText(text).toLowerCase();
  if (/^(d|dr\.?|debit|withdrawal|db|out)$/.test(word)) return 'out';
  return /^(c|cr\.?|credit|deposit|in)$/.test(word) ? 'in' : null;
}

/** Reads an amount that may be below zero: with a minus, brackets or Dr. */
export function readSigned(text: string): TypedAmount {
  const read = readSided(text);
  if ('error' in read) return read;
  const { amount, side, isRounded } = read;
  return { value: side === 'out' && amount !== '' && !isZero(amount) ? subtract('0.00', amount) : amount, isRounded };
}

/** What the figure of a field measures. A money field may have ₹ and the like, the others their unit. */
export type FigureKind = 'money' | 'weight' | 'liters' | 'percent';

const units = {
  weight: /(?<=\d)\s*(mts?|m\.t\.?|t|tons?|tonnes?)\.?$/i,
  liters: /(?<=\d)\s*(l|ltrs?|lits?|lit(er|re)s?)\.?$/i,
};
const otherWeight = /\d\s*(kgs?|kilo(gram)?s?|q|qtls?|quintals?)\.?$/i;

/** Reads a figure of 0 or more with its unit: '25.34 MT', '200 L', '1 %'. Another unit is named and never converted. */
export function readFigure(kind: FigureKind, text: string): TypedAmount {
  const clean = asciiDigits(cleanText(text));
  if (kind === 'percent') return readTdsPercentage(clean);
  if (kind === 'money') return normalizeTyped(clean);
  const [other] = (kind === 'weight' && otherWeight.exec(clean)) || [];
  if (other) return { error: `${clean} is not in MT: write it in MT.` };
  return normalizeTyped(clean.replace(units[kind], ''));
}
