import { financialYear, isDay } from '../shared/calc/dates.ts';
import type { Random } from './random.ts';

/** Days are whole numbers since 1970 in Asia/Kolkata, because a million challans compare and add days all the time. */
const dayMs = 86_400_000;
const istMs = 330 * 60_000;

export function dayNumber(day: string): number {
  if (!isDay(day)) throw new Error(`Not a day: ${JSON.stringify(day)}`);
  return Date.parse(`${day}T00:00:00Z`) / dayMs;
}

export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The instant, in ms since 1970, at which `minutes` of a day in India have passed. */
export function instantMs(day: number, minutes: number = 0): number {
  return day * dayMs - istMs + minutes * 60_000;
}

const years = new Map<number, string>();

/** The financial year of a day: '2627' for 2026–27. */
export function financialYearOf(day: number): string {
  let year = years.get(day);
  if (year === undefined) {
    year = financialYear(dayText(day));
    years.set(day, year);
  }
  return year;
}

/** How busy each month is, January to December: less in the monsoon, most at the end of the financial year. */
const monthIndex = [112, 110, 120, 105, 108, 92, 70, 68, 74, 92, 102, 108];

/** Days with almost no traffic: Rath Yatra, Durga Puja, Diwali. */
const holidays = new Set(
  [
    ['2023-06-20', '2023-10-22', '2023-10-23', '2023-10-24', '2023-11-12'],
    ['2024-07-07', '2024-10-11', '2024-10-12', '2024-10-13', '2024-10-31', '2024-11-01'],
    ['2025-06-27', '2025-09-30', '2025-10-01', '2025-10-02', '2025-10-20', '2025-10-21'],
    ['2026-07-16', '2026-10-18', '2026-10-19', '2026-10-20', '2026-11-08'],
    ['2027-07-05', '2027-10-07', '2027-10-08', '2027-10-09', '2027-10-29'],
    ['2028-06-24', '2028-09-26', '2028-09-27', '2028-09-28', '2028-10-17'],
    ['2029-07-13', '2029-10-14', '2029-10-15', '2029-10-16', '2029-11-05'],
    ['2030-07-02', '2030-10-04', '2030-10-05', '2030-10-06', '2030-10-26'],
  ]
    .flat()
    .map(dayNumber),
);

/** How busy each day from `first` to `last` is. One strike of three to six days a year affects all businesses. */
export function dayWeights(first: number, last: number, random: Random): number[] {
  const weights: number[] = [];
  const strikes = strikeDays(first, last, random);
  for (let day = first; day <= last; day += 1) {
    const date = new Date(day * dayMs);
    const isQuiet = holidays.has(day) || strikes.has(day);
    const share = (monthIndex[date.getUTCMonth()] ?? 100) * (date.getUTCDay() === 0 ? 60 : 100);
    weights.push(isQuiet ? Math.floor(share / 40) : Math.floor((share * random.between(85, 115)) / 100));
  }
  return weights;
}

function strikeDays(first: number, last: number, random: Random): Set<number> {
  const days = new Set<number>();
  for (let year = Number(dayText(first).slice(0, 4)); year <= Number(dayText(last).slice(0, 4)); year += 1) {
    const draw = random.fork(`strike ${year}`);
    // A strike is never in March, the peak at the end of the year.
    const start = dayNumber(`${year}-04-15`) + draw.below(200);
    const length = draw.between(3, 6);
    for (let day = start; day < start + length; day += 1) days.add(day);
  }
  return days;
}

/** Spreads `total` over the days by weight, in whole numbers that add up to it exactly. */
export function spread(total: number, weights: readonly number[]): number[] {
  let all = 0;
  for (const weight of weights) all += weight;
  let [seen, given] = [0, 0];
  return weights.map((weight) => {
    seen += weight;
    const upTo = Math.floor((total * seen) / all);
    const count = upTo - given;
    given = upTo;
    return count;
  });
}

/**
 * The times at which challans are typed in, in milliseconds of the day and in order. Most are between 10:00 and 13:00 and
 * between 17:00 and 20:30. Some are between 00:00 and 05:30, when the day in India is not the day in UTC.
 */
export function entryTimes(count: number, random: Random): number[] {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const roll = random.below(100);
    const [from, to] = roll < 42 ? [600, 780] : roll < 84 ? [1020, 1230] : roll < 97 ? [540, 1320] : [0, 330];
    times.push(random.between(from * 60_000, to * 60_000 - 1));
  }
  return times.sort((a, b) => a - b);
}
