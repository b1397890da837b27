import { z } from 'zod';
import { dashboardQuery } from './accounting.ts';
import { endpoint } from './define.ts';
import { instant, pageQuery, pagination, sortQuery, total } from './scalars.ts';

/**
 * The most marks of a plot: more are hard to read and too narrow to click. Beyond 60 weeks the marks are months, beyond 60
 * months they are years.
 */
export const mostPeriods = 60;
const periodUnits = ['week', 'month', 'year'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/**
 * The challans deposited in a week (Monday to Sunday), month or year. Both days are included. The first and the last
 * period are cut to the requested range, so that a list of the period's days has exactly these challans.
 */
const period = z.object({
  startDate: z.string(),
  endDate: z.string(),
  challanCount: z.number(),
  totalAmount: total,
  paidCount: z.number(),
  paidAmount: total,
  unpaidCount: z.number(),
  unpaidAmount: total,
});
export type Period = z.output<typeof period>;

/**
 * Unpaid challans by the days from the deposited day to today in Asia/Kolkata; a deposited day in the future counts as 0.
 * The last two buckets have no upper end.
 */
export const ageBuckets = ['days0to7', 'days8to15', 'days16to30', 'days31to45', 'over45', 'notDeposited'] as const;
export type AgeBucket = (typeof ageBuckets)[number];
/** The highest age of a bucket in days. */
export const oldestDays = { days0to7: 7, days8to15: 15, days16to30: 30, days31to45: 45 } as const;

const unpaid = z.object({ count: z.number(), amount: total });
const byAge = z.object({
  total: unpaid,
  days0to7: unpaid,
  days8to15: unpaid,
  days16to30: unpaid,
  days31to45: unpaid,
  over45: unpaid,
  notDeposited: unpaid,
});
export type UnpaidByAge = z.output<typeof byAge>;

export const ageingSortKeys = ['oldest', 'total', 'ownerName'] as const;

const ownerAgeing = byAge.extend({ ownerId: z.string(), ownerName: z.string() });
export type OwnerAgeing = z.output<typeof ownerAgeing>;

export const dashboard = {
  listWeeks: endpoint('dashboard', 'GET /dashboard/weeks', {
    mayLag: true,
    summary: 'Challans and amounts by week of the deposited day; by month or year where the range is long',
    query: dashboardQuery,
    answer: z.object({ data: z.object({ unit: z.enum(periodUnits), periods: z.array(period) }) }),
  }),
  listOwnerAgeing: endpoint('dashboard', 'GET /dashboard/owner-ageing', {
    mayLag: true,
    summary: 'Unpaid challans by owner and days since deposit; totals over all owners',
    query: z.object({ ...pageQuery, ...sortQuery(ageingSortKeys, 'oldest') }),
    answer: z.object({
      data: z.array(ownerAgeing),
      meta: z.object({ today: z.string(), totals: byAge, generatedAt: instant }),
      pagination,
    }),
  }),
};
