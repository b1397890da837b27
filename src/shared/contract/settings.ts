import { z } from 'zod';
import { formatCount } from '../calc/count-text.ts';
import { endpoint } from './define.ts';
import { instant, trueOrFalse, version } from './scalars.ts';

/** The highest limit that can be set: a higher one would limit nothing. */
const MOST_COPIES_PER_DAY = 10_000;
const copiesMessage = `Please enter a whole number from 0 to ${formatCount(MOST_COPIES_PER_DAY)}`;

/** The settings that the admin makes for the whole installation. */
export const settingsRecord = z.object({
  /** How many owners of other businesses one business may copy in a day; 0 switches copying off. */
  copiesPerDay: z.number(),
  /** false: no business sees the owners of another, and none can be copied (docs/specification.md §6.5). */
  isDirectoryOn: z.boolean(),
  updatedAt: instant,
  version: z.number(),
});
export type Settings = z.output<typeof settingsRecord>;

export const settingsChange = z.strictObject({
  copiesPerDay: z
    .number({ error: copiesMessage })
    .int(copiesMessage)
    .min(0, copiesMessage)
    .max(MOST_COPIES_PER_DAY, copiesMessage),
  isDirectoryOn: trueOrFalse.optional(),
  version: version.optional(),
});

const answer = z.object({ data: settingsRecord });

export const settings = {
  get: endpoint('settings', 'GET /admin/settings', {
    summary: 'Get the settings of the installation',
    answer,
  }),
  update: endpoint('settings', 'PUT /admin/settings', {
    summary: 'Change the settings of the installation',
    body: settingsChange,
    answer,
    // The list of owners to copy says how many more may be copied.
    touches: ['settings', 'owners'],
  }),
};
