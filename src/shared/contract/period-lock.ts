import { z } from 'zod';
import { endpoint } from './define.ts';
import { day, instant } from './scalars.ts';

/**
 * The period lock: up to and including one day the books stay as they are (docs/specification.md §29). The list of challans loads
 * this call alone; what is done with the lock is in `period-lock-acts.ts`.
 */

const periodLockShape = z.object({
  /** The last locked day; null: nothing was ever locked. */
  upTo: day.nullable(),
  /** Who locked up to this day, and when. */
  lockedBy: z.string(),
  lockedAt: instant.nullable(),
  /** Until when the lock is lifted; null: it is not. Then it closes by itself. */
  openUntil: instant.nullable(),
  /** Who lifted it, and why; '' while it is not lifted. */
  liftedBy: z.string(),
  reason: z.string(),
  /** 0 until something was locked for the first time. */
  version: z.number(),
});
export type PeriodLock = z.output<typeof periodLockShape>;

export const onePeriodLock = z.object({ data: periodLockShape });

export const periodLock = {
  get: endpoint('period-lock', 'GET /accounting/period-lock', {
    summary: 'Up to which day the books are locked, and whether the lock is lifted',
    answer: onePeriodLock,
  }),
};
