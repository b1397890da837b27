import { z } from 'zod';
import { endpoint } from './define.ts';
import { instant } from './scalars.ts';

/** The last check of the books, or the last backup. */
const upkeepRecord = z.object({
  beganAt: instant,
  /** null: it is still running, or it was interrupted. */
  endedAt: instant.nullable(),
  isGood: z.boolean(),
  /** One line about the outcome, without values from anybody's records. */
  summary: z.string(),
  /** When the last good one ended: this one or an earlier one. */
  goodAt: instant.nullable(),
});
export type Upkeep = z.output<typeof upkeepRecord>;

/** The state of the archived log of the embedded database, which a restore to a moment needs. */
const logRecord = z.object({
  /** Why nothing can be archived at the moment; null: archiving works. */
  trouble: z.string().nullable(),
  /** The moment up to which the log is archived. */
  archivedAt: instant.nullable(),
  /** Since when the oldest segment waits to be archived, and how many bytes wait. */
  waitingSince: instant.nullable(),
  waitingBytes: z.number().int(),
});
export type LogHealth = z.output<typeof logRecord>;

/** The room on the disk of a directory that the program fills. */
const diskRoom = z.object({
  name: z.enum(['data', 'backups', 'log']),
  freeBytes: z.number().int(),
  totalBytes: z.number().int(),
});
export type DiskRoom = z.output<typeof diskRoom>;

const healthRecord = z.object({
  /** null: there was no check yet. */
  check: upkeepRecord.nullable(),
  backup: upkeepRecord.nullable(),
  /** null: no log is archived (WAL_DIR), or a database server archives it itself. */
  log: logRecord.nullable(),
  /** The version of PostgreSQL, and why a newer minor one should take its place; null: no newer one is known. */
  database: z.object({ version: z.string(), warning: z.string().nullable() }),
  /** Only disks of the machine that answers: none with a database server and without backups. */
  disks: z.array(diskRoom),
});
export type Health = z.output<typeof healthRecord>;

export const health = {
  get: endpoint('health', 'GET /admin/health', {
    summary: 'See when the books were last checked and backed up',
    answer: z.object({ data: healthRecord }),
  }),
};
