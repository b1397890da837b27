import { addDays, financialYearStart, isDay } from './dates.ts';

/** Named ranges of days, relative to today. A week begins on Monday, a financial year in April. */
export const dayRangeLabels = {
  today: 'Today',
  yesterday: 'Yesterday',
  thisWeek: 'This week',
  lastWeek: 'Last week',
  thisMonth: 'This month',
  lastMonth: 'Last month',
  last30Days: 'Last 30 days',
  thisYear: 'This financial year',
  lastYear: 'Last financial year',
} as const;
export type DayRangeName = keyof typeof dayRangeLabels;
// Object.keys widens to string; these are the table's keys.
export const dayRangeNames = Object.keys(dayRangeLabels) as DayRangeName[];

export interface Days {
  from: string;
  to: string;
}

const ranges: Readonly<Record<DayRangeName, (today: string) => Days>> = {
  today: (today) => ({ from: today, to: today }),
  yesterday: (today) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  thisWeek: (today) => weekOf(today),
  lastWeek: (today) => weekOf(addDays(today, -7)),
  thisMonth: (today) => monthOf(today),
  lastMonth: (today) => monthOf(addDays(monthOf(today).from, -1)),
  last30Days: (today) => ({ from: addDays(today, -29), to: today }),
  thisYear: (today) => yearFrom(financialYearStart(today)),
  lastYear: (today) => yearFrom(financialYearStart(today) - 1),
};

/** The first and last day of a range; `today` is the day in India. */
export const dayRangeOf = (name: DayRangeName, today: string): Days => ranges[name](today);

/** The names of these days. On the 30th of a month of 30 days there are two: this month and the last 30 days. */
export const rangeNamesOf = ({ from, to }: Days, today: string): DayRangeName[] =>
  dayRangeNames.filter((name) => {
    const days = dayRangeOf(name, today);
    return days.from === from && days.to === to;
  });

const yearFrom = (year: number): Days => ({ from: `${year}-04-01`, to: `${year + 1}-03-31` });

function weekOf(day: string): Days {
  // Sunday is 0.
  const daysSinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const from = addDays(day, -daysSinceMonday);
  return { from, to: addDays(from, 6) };
}

/** The first and last day of the month of a day. */
export function monthOf(day: string): Days {
  const from = `${day.slice(0, 7)}-01`;
  const last = ['31', '30', '29', '28'].map((date) => `${day.slice(0, 8)}${date}`).find(isDay);
  return { from, to: last ?? from };
}
