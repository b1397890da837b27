import { z } from 'zod';
import { ACTIVITY_DAYS, activityFilters } from '../filters/activity-filters.ts';
import { endpoint } from './define.ts';
import { recorded, type HistoryRecord } from './nouns.ts';
import { filterQuery, inRangeOrder } from './filters.ts';
import { historyEntry } from './history.ts';
import { day, id, pageQuery, pagination, total } from './scalars.ts';

/** What was done in a business, by person and day (docs/specification.md §28.5). */

/** What one person did on one day in India. */
const activityDay = z.object({
  /** The person and the day: '…uuid… 2026-11-28'. */
  id: z.string(),
  day,
  personId: z.string(),
  person: z.string(),
  /** Changes of people, rights, settings and the profile. */
  settings: z.number(),
  /** Challans. */
  recorded: z.number(),
  changed: z.number(),
  deleted: z.number(),
  /** Changes of owners, trucks, tags, pumps, declarations and paying accounts. */
  masterData: z.number(),
  paid: z.number(),
  paidAmount: total,
  takenBack: z.number(),
  takenBackAmount: total,
});
export type ActivityDay = z.output<typeof activityDay>;

// Safe: the keys of the table are the records.
const records = Object.keys(recorded) as [HistoryRecord, ...HistoryRecord[]];

const activityEntry = historyEntry.extend({
  /** What it was done to; null for an act on many records and for the business itself. */
  record: z.object({ noun: z.enum(records), id: z.string(), name: z.string() }).nullable(),
});
export type ActivityEntry = z.output<typeof activityEntry>;

export const activity = {
  list: endpoint('history', 'GET /activity', {
    right: 'manage',
    summary: `List what was done, a line for each person and day, newest first: by default in the last ${ACTIVITY_DAYS} days`,
    query: inRangeOrder(z.object({ ...pageQuery, ...filterQuery(activityFilters) }), activityFilters),
    answer: z.object({ data: z.array(activityDay), pagination }),
  }),
  listEntries: endpoint('history', 'GET /activity/entries', {
    right: 'manage',
    summary: 'List what one person did on one day: changes of people, rights and settings first, then the newest first',
    query: z.object({ ...pageQuery, personId: id, day }),
    answer: z.object({ data: z.array(activityEntry), pagination }),
  }),
};
