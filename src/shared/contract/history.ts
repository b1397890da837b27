import { z } from 'zod';
import { endpoint, type AccountRole } from './define.ts';
import { amountOut, idParams, instant, pageQuery, pagination } from './scalars.ts';

/** How a value is to be written: figures and dates are sent raw and formatted for India by the client. */
export const historyValueKinds = ['text', 'money', 'weight', 'liters', 'percent', 'date'] as const;
export type HistoryValueKind = (typeof historyValueKinds)[number];

export const historyChange = z.object({
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
export const historyEntry = z.object({
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
const shape = { method: 'GET', params: idParams, query: z.object(pageQuery), answer } as const;

const listOf = (path: `/${string}`, what: string, roles: readonly AccountRole[] = ['subadmin']) =>
  endpoint('history', {
    ...shape,
    path: `${path}/{id}/history`,
    summary: `List the changes of ${what}, newest first`,
    roles,
  });

export const history = {
  listOwner: listOf('/owners', 'an owner'),
  listTruck: listOf('/trucks', 'a truck'),
  listTag: listOf('/tags', 'a tag'),
  listPetrolPump: listOf('/petrol-pumps', 'a petrol pump'),
  listChallan: endpoint('history', {
    ...shape,
    path: '/challans/{id}/history',
    summary: 'List the changes and payments of a challan, newest first',
    roles: ['subadmin'],
  }),
  listSubadmin: listOf('/subadmins', 'a sub-admin account', ['admin']),
};

/** The records that have a history, and the call that lists it. */
export const historyCalls = {
  owner: 'listOwner',
  truck: 'listTruck',
  tag: 'listTag',
  'petrol-pump': 'listPetrolPump',
  challan: 'listChallan',
  subadmin: 'listSubadmin',
} as const satisfies Record<string, keyof typeof history>;
export type HistoryRecord = keyof typeof historyCalls;
