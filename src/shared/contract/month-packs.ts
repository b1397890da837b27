import { z } from 'zod';
import { monthOf } from '../calc/day-ranges.ts';
import { closeCheckIds, type MonthDays } from '../filters/close-checks.ts';
import { archive, endpoint } from './define.ts';
import { day, instant, pageQuery, pagination, total } from './scalars.ts';

/** The month closed, and its pack for the accountant (docs/specification.md §32). */

const monthMessage = 'must be a month such as 2026-04';
const month = z.string({ error: monthMessage }).regex(/^20\d\d-(0[1-9]|1[0-2])$/, monthMessage);

/** '2026-04' → its first and last day */
export const daysOfMonth = (of: string): MonthDays => monthOf(`${of}-01`);

const check = z.object({
  id: z.enum(closeCheckIds),
  count: z.number(),
  /** null: what is counted has no amount. */
  amount: total.nullable(),
});
export type CheckResult = z.output<typeof check>;

const monthPack = z.object({
  id: z.string(),
  number: z.string(),
  month: z.string(),
  challanCount: z.number(),
  netAmount: total,
  size: z.number(),
  sha256: z.string(),
  /** How many packs of the month were made before: this one differs from each of them. */
  earlierCount: z.number(),
  createdAt: instant,
  createdBy: z.string(),
});
export type MonthPack = z.output<typeof monthPack>;

const right = 'readBank' as const;

export const monthPacks = {
  // Any write may change what is open, and every write touches the history.
  checks: endpoint('history', 'GET /accounting/close', {
    summary: 'What is open before a month is closed',
    right,
    query: z.object({ month }),
    answer: z.object({ data: z.array(check), from: day, to: day }),
  }),
  list: endpoint('accounting', 'GET /accounting/month-packs', {
    summary: 'The packs that were made, the newest first',
    right,
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(monthPack), pagination }),
  }),
  create: endpoint('accounting', 'POST /accounting/month-packs', {
    summary:
      'Lock the books up to the end of a month, and make its pack; while nothing has changed, the last one again',
    right: 'manage',
    body: z.strictObject({ month }),
    answer: z.object({ data: monthPack }),
    status: 201,
    touches: ['accounting', 'period-lock'],
    idempotent: true,
    stopsWithClient: true,
  }),
  download: endpoint('accounting', 'GET /accounting/month-packs/{id}/content', {
    summary: 'A pack as it was made, the same bytes each time',
    right,
    answer: archive,
  }),
};
