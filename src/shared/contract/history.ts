import { z } from 'zod';
import { camelCase, endpoint, type CamelCase } from './define.ts';
import { recorded, type HistoryRecord } from './nouns.ts';
import { amountOut, idQuery, instant, pageQuery, pagination } from './scalars.ts';

export type { HistoryRecord };

/** How a value is shown. Figures and dates are sent raw, and the client formats them for India. */
const historyValueKinds = ['text', 'money', 'weight', 'liters', 'percent', 'date'] as const;
export type HistoryValueKind = (typeof historyValueKinds)[number];

const historyChange = z.object({
  field: z.string(),
  /** The label on the screens: 'Rate per MT'. */
  label: z.string(),
  kind: z.enum(historyValueKinds),
  /** The value in plain words ('Verified'; a tag's name, never its id); null: it was empty. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type HistoryChange = z.output<typeof historyChange>;

/** One action on a record. */
export const historyEntry = z.object({
  id: z.string(),
  at: instant,
  /** The account's email; 'admin' for an admin; 'another business' where the caller must not know it. */
  actor: z.string(),
  /** The screen that it was done on; '' where it is not known. */
  screen: z.string(),
  /** 'Edited', 'Marked paid', 'Deactivated'. */
  action: z.string(),
  /** '' when none was given. */
  reason: z.string(),
  /** The payment that paid a challan or was taken back; null otherwise. */
  payment: z.object({ id: z.string(), number: z.string(), amount: amountOut }).nullable(),
  changes: z.array(historyChange),
});
export type HistoryEntry = z.output<typeof historyEntry>;

const answer = z.object({ data: z.array(historyEntry), pagination });

/** Every call lists the history of one record, newest first. A deleted record keeps its history. */
const shape = { query: z.object(pageQuery), answer };

/** The people who did something to the record: by which its history can be filtered. */
const people = z.array(z.object({ id: z.string(), name: z.string() }));
export type HistoryPeople = z.output<typeof people>;

/** What the API document calls a record, where 'a' and the record's name will not do. */
const whose: Readonly<Partial<Record<HistoryRecord, string>>> = {
  owner: 'an owner',
  challan: 'a challan and its payments',
  'tds-deposit': 'a deposit of TDS',
  subadmin: 'a sub-admin account',
};

const summaryOf = (record: HistoryRecord): string =>
  `List the changes of ${whose[record] ?? `a ${record.replace('-', ' ')}`}, newest first`;

const listOf = (record: HistoryRecord) =>
  endpoint('history', `GET /${recorded[record]}/{id}/history`, {
    summary: summaryOf(record),
    query: shape.query.extend({ personId: idQuery }),
    answer: answer.extend({ people }),
  });

const listSubadmin = endpoint('history', 'GET /subadmins/{id}/history', {
  ...shape,
  summary: summaryOf('subadmin'),
  roles: ['admin'],
});

type HistoryCall<R extends HistoryRecord> = CamelCase<`list-${R}`>;

/** The name of the call that lists a record's history: 'petrol-pump' → 'listPetrolPump'. */
export const historyCall = <R extends HistoryRecord>(record: R): HistoryCall<R> => camelCase(`list-${record}`);

// Safe: the keys of the table are exactly the records.
export const historyRecords = Object.keys(recorded) as HistoryRecord[];

// Safe: one call for each record, under the name that historyCall gives it.
const byRecord = Object.fromEntries(historyRecords.map((record) => [historyCall(record), listOf(record)])) as {
  [R in Exclude<HistoryRecord, 'subadmin'> as HistoryCall<R>]: ReturnType<typeof listOf>;
};

export const history = {
  ...byRecord,
  listSubadmin,
  listProfile: endpoint('history', 'GET /subadmins/profile/history', {
    ...shape,
    summary: "List the changes of the signed-in sub-admin's account, newest first",
  }),
};
