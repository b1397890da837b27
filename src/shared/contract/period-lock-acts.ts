import { z } from 'zod';
import { countText } from '../calc/count-text.ts';
import { endpoint } from './define.ts';
import { historyEntry } from './history.ts';
import { onePeriodLock as one } from './period-lock.ts';
import { day, instant, pageQuery, pagination, requiredDay, text } from './scalars.ts';

/** What is done with the period lock (docs/specification.md §29). */

/** A lift ends by itself after at most so many hours. */
export const MOST_LIFT_HOURS = 72;

const lockAct = z.object({
  id: z.string(),
  kind: z.enum(['lock', 'lift']),
  upTo: day,
  at: instant,
  by: z.string(),
  reason: z.string(),
  /** Of a lift: when the books were locked again, by its end or by somebody. */
  endedAt: instant.nullable(),
  /** How many records were changed in locked days during the lift. */
  changedCount: z.number(),
});
export type LockAct = z.output<typeof lockAct>;

/** One line of what was changed in locked days while the lock was lifted. */
const lockChange = historyEntry.pick({ id: true, at: true, actor: true, action: true, changes: true }).extend({
  record: z.enum(['challan', 'opening-balance', 'payment']),
  /** The challan, the owner of the opening balance, or the payment. */
  recordId: z.string(),
  name: z.string(),
  ownerName: z.string(),
  /** The first locked day that the record changed during the lift. */
  day,
  /** Why the lock was lifted. */
  reason: z.string(),
});
export type LockChange = z.output<typeof lockChange>;

/** That of what the caller saw. Without it the act is done in any case. */
const version = z
  .number({ error: 'must be a whole number' })
  .int('must be a whole number')
  .min(0, 'must be 0 or more')
  .optional();
const hoursMessage = `must be 1 to ${countText(MOST_LIFT_HOURS, 'hour')}`;

export const periodLockActs = {
  lock: endpoint('period-lock', 'POST /accounting/period-lock', {
    summary: 'Lock the books up to a day, or end a lift; the day only moves forward',
    right: 'manage',
    body: z.strictObject({ upTo: requiredDay('Please enter the last day to lock'), version }),
    answer: one,
  }),
  lift: endpoint('period-lock', 'POST /accounting/period-lock/lift', {
    summary: 'Lift the lock for some hours',
    right: 'manage',
    body: z.strictObject({
      reason: text(500, { required: 'Please enter a reason', lines: true }),
      hours: z
        .number({ error: hoursMessage })
        .int(hoursMessage)
        .min(1, hoursMessage)
        .max(MOST_LIFT_HOURS, hoursMessage),
      version,
    }),
    answer: one,
  }),
  // Both count or list what any write may change, and every write touches the history.
  listActs: endpoint('history', 'GET /accounting/period-lock/acts', {
    summary: 'Who locked and lifted when, the newest first',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(lockAct), pagination }),
  }),
  listChanges: endpoint('history', 'GET /accounting/period-lock/changes', {
    summary: 'What was changed in locked days while the lock was lifted, the newest first',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(lockChange), pagination }),
  }),
};
