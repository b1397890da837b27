import { monthOf } from './day-ranges.ts';
import { addDays, financialYearStart } from './dates.ts';

/** Financial years of India, April to March, and their quarters (docs/specification.md §27.1). */

export const quarters = ['q1', 'q2', 'q3', 'q4'] as const;
export type Quarter = (typeof quarters)[number];

/** First and last day of each quarter. The days of q4 are in the next calendar year. */
const days: Readonly<Record<Quarter, readonly [string, string]>> = {
  q1: ['04-01', '06-30'],
  q2: ['07-01', '09-30'],
  q3: ['10-01', '12-31'],
  q4: ['01-01', '03-31'],
};

/** 2026 → '2026-27' */
export const yearLabel = (start: number): string => `${start}-${String((start + 1) % 100).padStart(2, '0')}`;

/** The financial year of a day: '2026-11-22' → '2026-27'. */
export const yearOf = (day: string): string => yearLabel(financialYearStart(day));

export interface TaxPeriod {
  /** '2026-27' */
  year: string;
  quarter: Quarter | undefined;
  /** First day of the financial year. */
  yearFrom: string;
  from: string;
  to: string;
}

/** The financial year and the quarter of a day: '2026-27 q3'. */
export function quarterOf(day: string): string {
  const month = day.slice(5);
  const quarter = quarters.find((one) => month >= days[one][0] && month <= days[one][1])!;
  return `${yearOf(day)} ${quarter}`;
}

/** Until when what was deducted in the month of a day is deposited, by the settings of the business. */
export function depositDue(day: string, { dueDay, marchDueDay }: { dueDay: number; marchDueDay: number }): string {
  const next = monthOf(addDays(monthOf(day).to, 1));
  const due = `${next.from.slice(0, 8)}${String(day.slice(5, 7) === '03' ? marchDueDay : dueDay).padStart(2, '0')}`;
  // A month may be shorter than the day says.
  return due > next.to ? next.to : due;
}

/** The period of a financial year or of one of its quarters. Without a year it is the present one. */
export function taxPeriod(today: string, year: string = yearOf(today), quarter?: Quarter): TaxPeriod {
  const start = Number(year.slice(0, 4));
  const [from] = days[quarter ?? 'q1'];
  const [, to] = days[quarter ?? 'q4'];
  const yearFor = (day: string): number => (day < '04-01' ? start + 1 : start);
  return {
    year,
    quarter,
    yearFrom: `${start}-04-01`,
    from: `${yearFor(from)}-${from}`,
    to: `${yearFor(to)}-${to}`,
  };
}
