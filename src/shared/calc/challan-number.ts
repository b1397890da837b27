import { financialYear } from './dates.ts';

/**
 * CH-2627-000123: the financial year of the creation day in Asia/Kolkata, then the account's counter of that year
 * (docs/specification.md §8.5). A counter past six digits is written in full.
 */
export function challanNumber(createdAt: string | Date, counter: number): string {
  return numberOf('CH', financialYear(createdAt), counter);
}

/** The records that people find by typing a number. */
export type NumberedKind = 'CH' | 'PAY';

/** The number of a batch, counted in the same way: 'Sheet 2627-000012'. */
export const batchNumber = (word: string, createdAt: string | Date, counter: number): string =>
  `${word} ${financialYear(createdAt)}-${paddedCounter(counter)}`;

export const bankFileNumber = (createdAt: string | Date, counter: number): string =>
  numberOf('BF', financialYear(createdAt), counter);

export const preparedNumber = (createdAt: string | Date, counter: number): string =>
  numberOf('PRP', financialYear(createdAt), counter);

export const ownerStatementNumber = (createdAt: string | Date, counter: number): string =>
  numberOf('ST', financialYear(createdAt), counter);

export const tallyExportNumber = (createdAt: string | Date, counter: number): string =>
  numberOf('TLY', financialYear(createdAt), counter);

export const monthPackNumber = (createdAt: string | Date, counter: number): string =>
  numberOf('MP', financialYear(createdAt), counter);

const paddedCounter = (counter: number): string => String(counter).padStart(6, '0');

const numberOf = (kind: NumberedKind | 'BF' | 'MP' | 'PRP' | 'ST' | 'TLY', year: string, counter: number): string =>
  `${kind}-${year}-${paddedCounter(counter)}`;

/** How many financial years a typed number without a year may be of: the present one and those before it. */
const yearsTried = 10;

interface TypedNumber {
  /** undefined: the text names no year. */
  year: string | undefined;
  counter: number;
}

function parse(kind: NumberedKind, typed: string): TypedNumber | undefined {
  const [, prefix, start, end, digits] =
    /^(?:(CH|PAY)[\s-]*)?(?:(\d\d)(\d\d)[\s-]+)?(\d{1,9})$/i.exec(typed.trim()) ?? [];
  if (digits === undefined || (prefix !== undefined && prefix.toUpperCase() !== kind)) return undefined;
  if (start === undefined) return { year: undefined, counter: Number(digits) };
  const isYear = (Number(start) + 1) % 100 === Number(end);
  return isYear ? { year: `${start}${end}`, counter: Number(digits) } : undefined;
}

/**
 * The full numbers that a typed one may mean, the latest year first. 'CH-2627-000123', 'ch 2627 123' and '2627-123' mean
 * one number; 'CH-123' and '123' mean that number in each of the last years. Empty for a text that is no such number.
 */
export function possibleNumbers(kind: NumberedKind, typed: string, today: string): string[] {
  const meant = parse(kind, typed);
  if (!meant) return [];
  const { year, counter } = meant;
  if (year !== undefined) return [numberOf(kind, year, counter)];
  const thisYear = Number(financialYear(today).slice(0, 2));
  return Array.from({ length: yearsTried }, (_, back) => (thisYear - back + 100) % 100).map((start) =>
    numberOf(kind, [start, (start + 1) % 100].map((part) => String(part).padStart(2, '0')).join(''), counter),
  );
}
