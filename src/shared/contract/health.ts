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

export const healthRecord = z.object({
  /** null: there was none yet. */
  check: upkeepRecord.nullable(),
  backup: upkeepRecord.nullable(),
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
