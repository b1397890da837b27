import { z } from 'zod';
import { endpoint } from './define.ts';
import { instant } from './scalars.ts';

/** What was last done about the data: a check of the books or a backup. */
export const upkeepRecord = z.object({
  beganAt: instant,
  /** null: under way, or cut off. */
  endedAt: instant.nullable(),
  isGood: z.boolean(),
  /** One line, without values of anybody's records. */
  summary: z.string(),
  /** When one was last good, this one or an earlier one. */
  goodAt: instant.nullable(),
});
export type Upkeep = z.output<typeof upkeepRecord>;

/** How the archive of the embedded database's log fares: what a restore to a moment is made of. */
export const logRecord = z.object({
  /** Why nothing is archived at the moment. */
  trouble: z.string().nullable(),
  /** The end of what is archived. */
  archivedAt: instant.nullable(),
  /** Since when the first that is not archived waits, and how much waits. */
  waitingSince: instant.nullable(),
  waitingBytes: z.number().int(),
});
export type LogHealth = z.output<typeof logRecord>;

export const healthRecord = z.object({
  /** null: there was none yet. */
  check: upkeepRecord.nullable(),
  backup: upkeepRecord.nullable(),
  /** null: no log is archived (WAL_DIR), or a server does it. */
  log: logRecord.nullable(),
});
export type Health = z.output<typeof healthRecord>;

export const health = {
  get: endpoint('health', {
    method: 'GET',
    path: '/admin/health',
    summary: 'See when the books were last checked and backed up',
    roles: ['admin'],
    answer: z.object({ data: healthRecord }),
  }),
};
