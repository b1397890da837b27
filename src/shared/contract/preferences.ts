import { z } from 'zod';
import { endpoint } from './define.ts';
import { instant, text } from './scalars.ts';

/** The longest value of a preference: JSON text of a screen, which the server does not read. */
export const MOST_CHARACTERS = 20_000;
/** How many preferences one account may have. */
export const MOST_PREFERENCES = 100;

const preference = z.object({ key: z.string(), value: z.string(), updatedAt: instant });
export type Preference = z.output<typeof preference>;

const key = text(100, { required: 'must be given' });

export const preferences = {
  list: endpoint('preferences', 'GET /preferences', {
    summary: 'What the account has arranged for itself: views of lists and the looks of tables',
    answer: z.object({ data: z.array(preference) }),
  }),
  put: endpoint('preferences', 'PUT /preferences', {
    summary: 'Keep one of them; null forgets it',
    body: z.strictObject({
      key,
      value: text(MOST_CHARACTERS, { lines: true }).nullable(),
    }),
    answer: z.object({ data: preference.nullable() }),
    errors: ['VALIDATION_ERROR'],
    touches: ['preferences'],
  }),
};
