import { z } from 'zod';
import { tallyChangedFilters } from '../filters/tally-filters.ts';
import { TALLY_MAX_MASTERS, TALLY_MAX_NAME } from '../reading/tally-masters.ts';
import { binary, endpoint } from './define.ts';
import { filterBody, filterQuery } from './filters.ts';
import { amountOut, day, id, inOrder, instant, pageQuery, pagination, requiredDay, text, total } from './scalars.ts';

/** The files for Tally (docs/specification.md §31). */

/** What a business calls its ledgers in Tally until it says otherwise. */
export const shippedLedgers = {
  /** The group under which each owner has a ledger of its own name. */
  ownersGroup: 'Truck Owners',
  freight: 'Freight Charges',
  tds: 'TDS Payable',
  /** '': each petrol pump has a ledger of its own name. */
  pumps: '',
  advance: 'Cash',
  officeCharges: 'Office Charges',
  shortage: 'Shortage Recovered',
  /** Of what was paid without a bank file. */
  bank: 'Bank',
};
export type LedgerUse = keyof typeof shippedLedgers;
export const ledgerUses = Object.keys(shippedLedgers) as LedgerUse[];

const ledgerName = (required?: string) => text(TALLY_MAX_NAME, required === undefined ? {} : { required });
const needed = ledgerName('Please enter the name of the ledger');
const ledgers = {
  ownersGroup: ledgerName('Please enter the name of the group'),
  freight: needed,
  tds: needed,
  pumps: ledgerName(),
  advance: needed,
  officeCharges: needed,
  shortage: needed,
  bank: needed,
};

const tallyGroupings = ['day', 'challan'] as const;
export type TallyGrouping = (typeof tallyGroupings)[number];

const settings = z.object({
  ledgers: z.object(Object.fromEntries(ledgerUses.map((use) => [use, z.string()])) as Record<LedgerUse, z.ZodString>),
  /** The bank accounts with a ledger of another name than theirs. */
  accounts: z.array(z.object({ id: z.string(), ledger: z.string() })),
  /** Whether journals are by owner and day, or by challan. */
  grouping: z.enum(tallyGroupings),
  /** How many ledgers Tally has, as its masters were read in last. */
  masterCount: z.number(),
  updatedAt: instant.nullable(),
  /** 0 until it was saved for the first time. */
  version: z.number(),
});
export type TallySettings = z.output<typeof settings>;

export const tallySettingsChange = z.strictObject({
  ledgers: z.strictObject(ledgers),
  accounts: z.array(z.strictObject({ id, ledger: needed })).max(100, 'must be at most 100'),
  grouping: z.enum(tallyGroupings, { error: 'must be day or challan' }),
  /** The ledgers that Tally has, all of them. Absent: they stay as they were read in before. */
  masters: z.array(ledgerName('is required')).max(TALLY_MAX_MASTERS, `must be at most ${TALLY_MAX_MASTERS}`).optional(),
  version: z.number({ error: 'must be a whole number' }).int('must be a whole number').min(0, 'must be 0 or more'),
});
export type TallySettingsChange = z.output<typeof tallySettingsChange>;

const tallyExport = z.object({
  id: z.string(),
  number: z.string(),
  kind: z.enum(['period', 'changed']),
  from: day,
  to: day,
  challanCount: z.number(),
  transferCount: z.number(),
  voucherCount: z.number(),
  /** What its vouchers debit. */
  amount: total,
  createdAt: instant,
  createdBy: z.string(),
});
export type TallyExport = z.output<typeof tallyExport>;

/** A voucher of a file. One without ledgers takes back what went out under its id. */
export interface TallyVoucher {
  id: string;
  kind: 'journal' | 'payment' | 'receipt';
  day: string;
  reference: string;
  narration: string;
  ledgers: string[];
  /** What each ledger is debited; below zero it is credited. */
  amounts: string[];
}

/** A challan or a payment that is not in Tally as it is now. */
const tallyChanged = z.object({
  id: z.string(),
  record: z.enum(['challan', 'payment']),
  /** The id of the challan or of the payment. */
  recordId: z.string(),
  name: z.string(),
  ownerName: z.string(),
  change: z.enum(['changed', 'deleted', 'reversed', 'added']),
  day,
  /** null: it did not go out. */
  amountExported: amountOut.nullable(),
  /** null: it is there no more. */
  amountNow: amountOut.nullable(),
  exportNumber: z.string().nullable(),
  exportedAt: instant.nullable(),
});
export type TallyChanged = z.output<typeof tallyChanged>;

/** How many challans a file may have: it has to be made within the time limit of a call. */
export const mostTallyChallans = 100_000;

/** What goes into a file: a period, or what changed, all of it or what a filter leaves. */
const exported = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('period'),
      from: requiredDay('Please enter the first day'),
      to: requiredDay('Please enter the last day'),
    })
    .refine(...inOrder('from', 'to')),
  z.strictObject({ kind: z.literal('changed'), ...filterBody(tallyChangedFilters) }),
]);
export type TallyWanted = z.output<typeof exported>;

const right = 'readBank' as const;
/** What goes out belongs to 'accounting', as the TDS register does: changes of challans and payments refresh it. */
export const tally = {
  getSettings: endpoint('accounting', 'GET /accounting/tally/settings', {
    summary: 'What the ledgers of the business are called in Tally',
    right,
    answer: z.object({ data: settings }),
  }),
  updateSettings: endpoint('accounting', 'PUT /accounting/tally/settings', {
    summary: 'Change it',
    right: 'pay',
    body: tallySettingsChange,
    answer: z.object({ data: settings }),
    errors: ['INVALID_REFERENCE'],
    bodyLimit: 4 * 1024 * 1024,
  }),
  masters: endpoint('accounting', 'GET /accounting/tally/masters', {
    summary: 'A file with the ledgers that Tally does not have yet',
    right,
    answer: binary,
  }),
  list: endpoint('accounting', 'GET /accounting/tally/exports', {
    summary: 'The files made for Tally, the newest first',
    right,
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(tallyExport), pagination }),
  }),
  create: endpoint('accounting', 'POST /accounting/tally/exports', {
    summary: 'Make a file of a period, or of what changed since it was exported',
    right: 'pay',
    body: z.strictObject({ what: exported }),
    answer: z.object({ data: tallyExport }),
    status: 201,
    errors: ['INVALID_REQUEST'],
    idempotent: true,
    stopsWithClient: true,
  }),
  download: endpoint('accounting', 'GET /accounting/tally/exports/{id}/content', {
    summary: 'A file as it was made, the same bytes each time',
    right,
    answer: binary,
  }),
  listChanged: endpoint('accounting', 'GET /accounting/tally/changed', {
    summary: 'What is not in Tally as it is now, although it or its day was exported',
    right,
    query: z.object({ ...pageQuery, ...filterQuery(tallyChangedFilters) }),
    answer: z.object({ data: z.array(tallyChanged), pagination }),
  }),
};
