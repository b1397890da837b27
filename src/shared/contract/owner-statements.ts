import { z } from 'zod';
import { endpoint, pdf, workbook } from './define.ts';
import {
  amountOut,
  day,
  id,
  inOrder,
  instant,
  optionalQuery,
  pageQuery,
  pagination,
  requiredId,
  signedAmount,
  text,
  total,
} from './scalars.ts';

/** The statements that say what an owner is owed and why (docs/specification.md §26). */

const ownerId = requiredId('Owner ID is required', 'Invalid owner ID format');

const statementLineKinds = ['challan', 'payment', 'reversal', 'carry', 'hold', 'release', 'opening'] as const;

/**
 * A line of a statement: a challan, what a payment paid for the owner's challans, what of it was reversed, an amount that
 * was carried or deducted, a hold or its end, or an opening balance.
 */
const statementLine = z.object({
  /** The line's position in the statement, from 1. */
  id: z.string(),
  kind: z.enum(statementLineKinds),
  day,
  /** The challan or the payment; null where the line is about the owner. */
  recordId: z.string().nullable(),
  number: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  loadingPlace: z.string(),
  unloadingPlace: z.string(),
  /** How many challans a payment or its reversal has in this line. */
  challanCount: z.number().nullable(),
  utr: z.string(),
  /** A note of the business for itself: files for the owner leave it out. */
  note: z.string(),
  freight: amountOut.nullable(),
  tds: amountOut.nullable(),
  hsd: amountOut.nullable(),
  advance: amountOut.nullable(),
  office: amountOut.nullable(),
  shortage: amountOut.nullable(),
  /** What the line adds to what the owner is owed, and what it takes off. */
  payable: total.nullable(),
  paid: total.nullable(),
  /** The balance after the line. Below 0 the owner owes the business. */
  balance: total,
});
export type StatementLine = z.output<typeof statementLine>;

const statement = z.object({
  owner: z.object({ id: z.string(), name: z.string(), contactNumber: z.string() }),
  /** null: the statement starts with the owner's first line. */
  startDate: day.nullable(),
  endDate: day,
  opening: total,
  closing: total,
  totals: z.object({
    freight: total,
    tds: total,
    hsd: total,
    advance: total,
    office: total,
    shortage: total,
    payable: total,
    paid: total,
  }),
  lines: z.array(statementLine),
});
export type Statement = z.output<typeof statement>;

/** A printed statement: it is frozen under a number. */
const statementPrint = z.object({
  id: z.string(),
  number: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  startDate: day.nullable(),
  endDate: day,
  opening: total,
  closing: total,
  lineCount: z.number(),
  createdAt: instant,
  /** Email of the account. */
  createdBy: z.string(),
  /** When something of its days was changed last while the lock was lifted (docs/specification.md §29.3); null: never. */
  changedAt: instant.nullable(),
});
export type StatementPrint = z.output<typeof statementPrint>;

const openingEntry = z.object({
  entryNo: z.number(),
  asOf: day,
  amount: amountOut,
  note: z.string(),
  createdAt: instant,
  /** Email of the account. */
  createdBy: z.string(),
});
export type OpeningEntry = z.output<typeof openingEntry>;

const openingBalance = z.strictObject({
  ownerId,
  /** The amount is the balance at the end of this day. */
  asOf: day,
  /** Above 0 the business owes it to the owner, below 0 the owner owes it; 0 removes the opening balance. */
  amount: signedAmount,
  note: text(200).default(''),
});

/** How many opening balances one call may enter. */
const mostOpenings = 1_000;

export const ownerStatements = {
  // It belongs to 'accounting', the resource that every change of money touches.
  current: endpoint('accounting', 'GET /owner-statements/current', {
    summary: "An owner's statement of a period, as the figures are now",
    query: z
      .object({ ownerId, startDate: optionalQuery(day), endDate: day })
      .refine(...inOrder('startDate', 'endDate')),
    answer: z.object({ data: statement }),
    errors: ['NOT_FOUND'],
  }),
  list: endpoint('owner-statements', 'GET /owner-statements', {
    summary: "An owner's statements that were printed, newest first",
    query: z.object({ ownerId, ...pageQuery }),
    answer: z.object({ data: z.array(statementPrint), pagination }),
    errors: ['NOT_FOUND'],
  }),
  print: endpoint('owner-statements', 'POST /owner-statements', {
    summary: 'Freeze a statement under a number of its own',
    idempotent: true,
    body: z
      .strictObject({ ownerId, startDate: day.nullable(), endDate: day })
      .refine(...inOrder('startDate', 'endDate')),
    answer: z.object({ data: statementPrint }),
    status: 201,
    errors: ['NOT_FOUND'],
  }),
  get: endpoint('owner-statements', 'GET /owner-statements/{id}', {
    summary: 'A printed statement with its lines, the same for ever',
    answer: z.object({ data: statementPrint.extend({ statement }) }),
  }),
  pdf: endpoint('owner-statements', 'GET /owner-statements/{id}/pdf', {
    summary: 'A printed statement on A4',
    answer: pdf,
  }),
  xlsx: endpoint('owner-statements', 'GET /owner-statements/{id}/xlsx', {
    summary: 'A printed statement as an Excel workbook',
    answer: workbook,
  }),
  listOpenings: endpoint('owner-statements', 'GET /owner-statements/opening-balances/{id}', {
    summary: "The entries of an owner's opening balance, the one that counts first",
    params: z.object({ id }),
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(openingEntry), pagination }),
  }),
  setOpenings: endpoint('owner-statements', 'POST /owner-statements/opening-balances', {
    summary: 'Enter or correct the opening balances of owners, all or none',
    right: 'pay',
    idempotent: true,
    body: z.strictObject({
      entries: z
        .array(openingBalance, { error: 'Please enter an opening balance' })
        .min(1, 'Please enter an opening balance')
        .max(mostOpenings, `must be at most ${mostOpenings} at once`),
    }),
    answer: z.object({ data: z.object({ count: z.number() }) }),
    status: 201,
    errors: ['NOT_FOUND', 'PERIOD_LOCKED'],
    touches: ['owner-statements', 'accounting'],
  }),
};
