import BigJs from 'big.js';
import { asciiDigits } from './keys.ts';

/**
 * Arithmetic with decimal amounts: rupees, weights in MT, litres, rates and percentages. Every function takes decimal
 * strings ("12345.5") and gives decimal strings ("12345.50"). No JavaScript number takes part, because floating point
 * would round wrongly (docs/specification.md §8.4.2: 1.005 is 1.01). Text that is no plain decimal is refused with a
 * MoneyError.
 */

// A constructor of our own, so that strict mode, in which numbers throw, applies to this module only.
const Decimal = BigJs();
Decimal.strict = true;
type Amount = BigJs.Big;

/** One amount has at most 12 digits before the point (docs/specification.md §14.2). A sum of many may be longer. */
const MAX_INTEGER_DIGITS = 12;

/** What the API accepts for money, weights, rates, litres and percentages. */
const AMOUNT_PATTERN = /^\d{1,12}(\.\d{1,2})?$/;
const DECIMAL_PATTERN = /^-?\d+(\.\d+)?$/;

/**
 * Thrown for text that should be a decimal and is not. It means an error in the calling code: text that people type goes
 * through normalizeTyped first.
 */
export class MoneyError extends Error {
  override name = 'MoneyError';
}

/** Parsed amounts by their text: thousands of challans have the same few rates, percentages and weights. */
const parsedAmounts = new Map<string, Amount>();
const mostParsedAmounts = 5_000;

function read(text: string): Amount {
  const known = parsedAmounts.get(text);
  if (known) return known;
  // A number may arrive although the type forbids it (JSON, a database driver); it is refused before it can be rounded.
  if (typeof text !== 'string' || text.length > 60 || !DECIMAL_PATTERN.test(text)) {
    throw new MoneyError(`Not a decimal amount: ${JSON.stringify(text)}`);
  }
  const amount = new Decimal(text);
  if (parsedAmounts.size >= mostParsedAmounts) parsedAmounts.clear();
  parsedAmounts.set(text, amount);
  return amount;
}

/**
 * An amount as text with at least two decimals, and with more only when the value has more (a product before it is
 * rounded). Zero is never "-0.00".
 */
function write(value: Amount): string {
  if (isZeroAmount(value)) return '0.00';
  const decimals = value.c.length - 1 - value.e;
  return decimals <= 2 ? value.toFixed(2) : value.toFixed();
}

/** big.js keeps 0 as the digits [0]. Comparing with '0' would parse that text each time, thousands of times for a list. */
const isZeroAmount = (value: Amount): boolean => value.c[0] === 0;

/** An amount that has the form of the API already. */
const WRITTEN_PATTERN = /^(0|[1-9]\d{0,11})\.\d\d$/;

/** Whether a text is an amount that the API accepts: 0 or more, at most 12 digits before the point and 2 after it. */
export function isAmount(text: string): boolean {
  return AMOUNT_PATTERN.test(text);
}

/** The amount in the form the API sends, two decimals ("5" → "5.00"). Throws MoneyError for anything isAmount refuses. */
export function parseAmount(text: string): string {
  if (!isAmount(text)) throw new MoneyError(`Not an amount: ${JSON.stringify(text)}`);
  return WRITTEN_PATTERN.test(text) ? text : write(read(text));
}

/** Rounded half-up (halves away from zero) to `decimals` places, written with exactly that many. "1.005" → "1.01". */
export function roundHalfUp(text: string, decimals: number = 2): string {
  const rounded = read(text).round(decimals, BigJs.roundHalfUp);
  return isZeroAmount(rounded) ? new Decimal('0').toFixed(decimals) : rounded.toFixed(decimals);
}

export function add(a: string, b: string): string {
  return write(read(a).plus(read(b)));
}

export function subtract(a: string, b: string): string {
  return write(read(a).minus(read(b)));
}

/** The exact product, not rounded. The caller rounds once, at the end of a line. */
export function multiply(a: string, b: string): string {
  return write(read(a).times(read(b)));
}

/** a / b rounded half-up to `decimals` places; null when b is 0. */
export function divide(a: string, b: string, decimals: number = 2): string | null {
  const [dividend, divisor] = [read(a), read(b)];
  if (divisor.eq('0')) return null;
  // Both become whole numbers of the same unit, so that the exact quotient is rounded only once.
  const places = Math.max(placesOf(a), placesOf(b));
  const [n, d] = [unitsOf(dividend, places), unitsOf(divisor, places)];
  const rounded = (2n * n * 10n ** BigInt(decimals) + d) / (2n * d);
  const isBelowZero = dividend.lt('0') !== divisor.lt('0') && rounded !== 0n;
  const digits = rounded.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${isBelowZero ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0;
const unitsOf = (value: Amount, places: number): bigint => BigInt(value.abs().toFixed(places).replace('.', ''));

export function sum(amounts: Iterable<string>): string {
  let total = new Decimal('0');
  for (const amount of amounts) total = total.plus(read(amount));
  return write(total);
}

export function compare(a: string, b: string): -1 | 0 | 1 {
  return read(a).cmp(read(b));
}

export function isNegative(text: string): boolean {
  return read(text).lt('0');
}

export function isZero(text: string): boolean {
  return isZeroAmount(read(text));
}

export function isPositive(text: string): boolean {
  return read(text).gt('0');
}

export function lesser(a: string, b: string): string {
  const [first, second] = [read(a), read(b)];
  return write(first.cmp(second) <= 0 ? first : second);
}

/** max(0, x), the specification's "floored at 0" (docs/specification.md §8.4.2). */
export function atLeastZero(text: string): string {
  const value = read(text);
  return value.s < 0 ? '0.00' : write(value);
}

/** Whether the value has more than 12 digits before the point, so that it can neither be sent nor stored. */
export function exceedsCeiling(text: string): boolean {
  return read(text).e >= MAX_INTEGER_DIGITS;
}

/** 1234567 → 12,34,567: the last three digits, then pairs (docs/specification.md §1.3). */
export function groupLakhs(integerDigits: string): string {
  const head = integerDigits.slice(0, -3);
  const tail = integerDigits.slice(-3);
  const even = head.length % 2 === 0 ? head : ` ${head}`;
  return head === '' ? tail : `${even.replace(/..(?=.)/g, '$&,').trimStart()},${tail}`;
}

function formatParts(text: string, decimals: number): { minus: string; digits: string } {
  const fixed = roundHalfUp(text, decimals);
  const unsigned = fixed.replace('-', '');
  const [integer = '', fraction] = unsigned.split('.');
  return {
    minus: fixed.startsWith('-') ? '-' : '',
    digits: fraction === undefined ? groupLakhs(integer) : `${groupLakhs(integer)}.${fraction}`,
  };
}

/** "1234567" → "₹12,34,567.00"; "-1234" → "-₹1,234.00". */
export function formatINR(text: string): string {
  const { minus, digits } = formatParts(text, 2);
  return `${minus}₹${digits}`;
}

/** "1234567" → "12,34,567.00", for a column or a field whose label names the unit. */
export function formatAmount(text: string): string {
  const { minus, digits } = formatParts(text, 2);
  return `${minus}${digits}`;
}

/** Weights in MT and quantities in litres: "27.5" → "27.50", without the unit. */
export function formatWeight(text: string): string {
  return formatAmount(text);
}

/** A percentage with one decimal and without the sign: "1" → "1.0". */
export function formatPercentage(text: string): string {
  const { minus, digits } = formatParts(text, 1);
  return `${minus}${digits}`;
}

export type TypedAmount = { value: string; isRounded: boolean } | { error: string };

export const numberExpected = 'Enter a number such as 12345.50.';
/** Digits without groups or in groups, 12,34,567 or 1,234,567, with commas or single spaces (also non-breaking ones). */
const GROUPED_PATTERN =
  /^\d*$|^\d{1,2}([, \u00a0\u202f])\d{2}(?:\1\d{2})*\1\d{3}$|^\d{1,3}([, \u00a0\u202f])\d{3}(?:\2\d{3})*$/;

/**
 * Reads text that was typed or pasted into an amount field, or found in a spreadsheet cell, as an amount
 * (docs/specification.md §3.5): "₹ 1,23,456.505" → value "123456.51", rounded. An empty field has the value "".
 * Accepted: ₹, Rs, INR before or behind, "/-", a dash alone for 0, digits of Indian scripts, and one kind of separator between groups of the Indian or the
 * western size. Anything else between digits is refused: "12,50" read as 1250 would be a hundred times too much, and
 * "1500 2000" is two numbers.
 */
export function normalizeTyped(text: string, decimals: number = 2): TypedAmount {
  const typed = asciiDigits(text).trim();
  if (typed === '') return { value: '', isRounded: false };
  // The accountants' format of spreadsheets shows 0 as a dash.
  if (/^[-\u2013\u2014\u2212]$/.test(typed)) return { value: roundHalfUp('0', decimals), isRounded: false };
  const bare = typed
    .replace(/^(₹|rs\.?|inr)\s*/i, '')
    .replace(/(?<=\d)\s*(₹|rs\.?|inr)$/i, '')
    .replace(/(?<!\s)\s*\/-$/, '');
  if (/^[-\u2212]/.test(bare)) return { error: 'Enter 0 or more, without a minus sign.' };
  const match = /^([\d,\s]*)(?:\.(\d*))?$/.exec(bare);
  const integer = match?.[1] ?? '';
  const fraction = match?.[2];
  if (match === null || (integer === '' && !fraction)) return { error: numberExpected };
  if (fraction === undefined && /\d[,\s]\d{1,2}$/.test(integer)) {
    return { error: 'Write decimals after a point: 12.50, not 12,50.' };
  }
  if (!GROUPED_PATTERN.test(integer)) return { error: numberExpected };
  const digits = integer.replace(/[,\s]/g, '').replace(/^0+(?=\d)/, '') || '0';
  if (digits.length > MAX_INTEGER_DIGITS || (fraction ?? '').length > 30) {
    return { error: `At most ${MAX_INTEGER_DIGITS} digits before the decimal point.` };
  }
  const exact = fraction ? `${digits}.${fraction}` : digits;
  // Nearly every amount of a file.
  if (fraction?.length === decimals) return { value: exact, isRounded: false };
  const value = roundHalfUp(exact, decimals);
  if (exceedsCeiling(value)) return { error: `At most ${MAX_INTEGER_DIGITS} digits before the decimal point.` };
  return { value, isRounded: compare(value, exact) !== 0 };
}
