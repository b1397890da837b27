import { z } from 'zod';
import { endpoint } from './define.ts';
import { amountOut, idParams, instant, pageQuery, pagination } from './scalars.ts';

/** How a value is to be written: figures and dates travel raw, and are shown the Indian way. */
export const historyValueKinds = ['text', 'money', 'weight', 'liters', 'percent', 'date'] as const;
export type HistoryValueKind = (typeof historyValueKinds)[number];

export const historyChange = z.object({
  field: z.string(),
  /** As the screens name it: 'Rate per MT'. */
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
  /** The email of the account; 'admin' for an admin, 'another business' where that is not to be known. */
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

const subadmin = ['subadmin'] as const;
/** What was done to one record, newest first; a deleted record keeps its history. */
const shape = { method: 'GET', params: idParams, query: z.object(pageQuery), answer } as const;

export const history = {
  listOwner: endpoint('history', {
    ...shape,
    path: '/owners/{id}/history',
    summary: 'List the changes of an owner, newest first',
    roles: subadmin,
  }),
  listTruck: endpoint('history', {
    ...shape,
    path: '/trucks/{id}/history',
    summary: 'List the changes of a truck, newest first',
    roles: subadmin,
  }),
  listTag: endpoint('history', {
    ...shape,
    path: '/tags/{id}/history',
    summary: 'List the changes of a tag, newest first',
    roles: subadmin,
  }),
  listPetrolPump: endpoint('history', {
    ...shape,
    path: '/petrol-pumps/{id}/history',
    summary: 'List the changes of a petrol pump, newest first',
    roles: subadmin,
  }),
  listChallan: endpoint('history', {
    ...shape,
    path: '/challans/{id}/history',
    summary: 'List the changes and payments of a challan, newest first',
    roles: subadmin,
  }),
  listSubadmin: endpoint('history', {
    ...shape,
    path: '/subadmins/{id}/history',
    summary: 'List the changes of a sub-admin account, newest first',
    roles: ['admin'],
  }),
};
