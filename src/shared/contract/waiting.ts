import { z } from 'zod';
import { endpoint } from './define.ts';

/** What waits for the caller, for the menu. A contract of its own: every screen of the browser loads it. */
export const waiting = {
  get: endpoint('prepared-payments', 'GET /waiting', {
    summary: 'How many prepared payments the caller may release now; counted up to 200',
    answer: z.object({ data: z.object({ releases: z.number() }) }),
  }),
};
