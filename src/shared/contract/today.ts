import { z } from 'zod';
import { endpoint } from './define.ts';
import { instant, moment, optionalQuery, total } from './scalars.ts';
import type { Right } from './seats.ts';

/** What the dashboard opens with: at most eight lines about the day (docs/specification.md §34). */

const figure = z.object({ count: z.number(), amount: total });
export type Figure = z.output<typeof figure>;

const trips = z.object({ count: z.number(), weight: total, freight: total });

/** What is unpaid and due by a day: what was deposited up to another one. */
const dueBy = figure.extend({ by: z.string(), depositedUntil: z.string() });

/** How many records others changed, and who: the most active first. */
const doneBy = z.object({ count: z.number(), people: z.array(z.string()) });

const figures = z.object({
  /** `usual`: the median of the same weekday; null: there are too few. The line is null without trips. */
  yesterday: trips.extend({ day: z.string(), usual: trips.nullable() }).nullable(),
  /** `afterDays`: the usual days from the deposit to the payment; null: too few were paid, so `by` is empty. */
  due: z.object({ unpaid: figure, afterDays: z.number().nullable(), by: z.array(dueBy) }),
  /** Of what is prepared, the caller may release `releases`. null for a seat that does not pay. */
  waiting: z
    .object({ releases: z.number(), prepared: z.number(), owners: z.number(), bankAccounts: z.number() })
    .nullable(),
  /** null for a seat that does not see the bank. */
  bank: z.object({ since: z.string(), noAnswer: figure, failed: figure, returned: figure }).nullable(),
  /** `bills`: the lines of the pump ledger with differences. */
  hsd: z.object({ since: z.string(), notVerified: figure, bills: figure }),
  notDeposited: figure,
  /** What others did since the moment that was asked for; null without one. */
  changes: z.object({ since: instant, challans: doneBy, payments: doneBy }).nullable(),
});
export type Today = z.output<typeof figures>;
export type TodayLine = keyof Today;

/** What a line needs of the seat, where it is more than to read. */
export const rightsOfLines: Readonly<Partial<Record<TodayLine, Right>>> = { waiting: 'pay', bank: 'readBank' };

export const today = {
  // Any write may change a figure, and every write touches the history.
  get: endpoint('history', 'GET /today', {
    summary: 'What the day asks for: yesterday, what is due, what waits, and what others did since a moment',
    query: z.object({ since: optionalQuery(moment) }),
    answer: z.object({ data: figures, day: z.string() }),
  }),
};
