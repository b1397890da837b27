import { z } from 'zod';
import { endpoint, recorded, type HistoryRecord } from './define.ts';

export type { HistoryRecord };
import { amountOut, idParams, instant, pageQuery, pagination } from './scalars.ts';

/** How a value is to be written: figures and dates are sent raw and formatted for India by the client. */
const historyValueKinds = ['text', 'money', 'weight', 'liters', 'percent', 'date'] as const;
export type HistoryValueKind = (typeof historyValueKinds)[number];

const historyChange = z.object({
  field: z.string(),
  /** The label on the screens: 'Rate per MT'. */
  label: z.string(),
  kind: z.enum(historyValueKinds),
  /** In plain words ('Verified', the name of a tag, never its id); null for empty. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type HistoryChange = z.output<typeof historyChange>;

/** One thing that was done to a record. */
const historyEntry = z.object({
  id: z.string(),
  at: instant,
  /** The email of the account; 'admin' for an admin, 'another business' where the caller may not know it. */
  actor: z.string(),
  /** From which screen; '' where it is not known. */
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

/** What was done to one record, newest first; a deleted record keeps its history. */
const shape = { method: 'GET', query: z.object(pageQuery), answer } as const;

const listOf = (record: HistoryRecord) =>
  endpoint('history', {
    ...shape,
    params: idParams,
    path: `/${recorded[record]}/{id}/history`,
    summary: `List the changes of ${whose[record] ?? `a ${record.replace('-', ' ')}`}, newest first`,
    roles: [record === 'subadmin' ? 'admin' : 'subadmin'],
  });

/** How the document of the API calls a record, where that is not 'a' and its name. */
const whose: Readonly<Partial<Record<HistoryRecord, string>>> = {
  owner: 'an owner',
  challan: 'a challan and its payments',
  subadmin: 'a sub-admin account',
};

type Pascal<S extends string> = S extends `${infer A}-${infer B}` ? `${Capitalize<A>}${Capitalize<B>}` : Capitalize<S>;
type HistoryCall<R extends HistoryRecord> = `list${Pascal<R>}`;

/** 'petrol-pump' → 'listPetrolPump', the call that lists its history. */
export const historyCall = <R extends HistoryRecord>(record: R): HistoryCall<R> =>
  // Safe: Pascal says of a type what this does with a text.
  `list-${record}`.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as HistoryCall<R>;

// Safe: the keys of the table are exactly the records.
export const historyRecords = Object.keys(recorded) as HistoryRecord[];

// Safe: one call for each record, under the name that historyCall gives it.
const byRecord = Object.fromEntries(historyRecords.map((record) => [historyCall(record), listOf(record)])) as {
  [R in HistoryRecord as HistoryCall<R>]: ReturnType<typeof listOf>;
};

export const history = {
  ...byRecord,
  listProfile: endpoint('history', {
    ...shape,
    path: '/subadmins/profile/history',
    summary: "List the changes of the signed-in sub-admin's account, newest first",
    roles: ['subadmin'],
  }),
};
