import { z } from 'zod';
import { bankStatement, changedAccount, maximumIds } from './bank-statement.ts';
import { challansBulk } from './challans-bulk.ts';
import { endpoint } from './define.ts';
import {
  amountOut,
  decimal,
  documented,
  id,
  ids,
  instant,
  message,
  optionalQuery,
  pageQuery,
  pagination,
  text,
  total,
  version,
} from './scalars.ts';
import { reversalInput } from './payment-batches.ts';

/** What one person prepares and another releases (docs/specification.md §28.6). */

/** A prepared act that nobody has released by then is over. */
export const PREPARED_DAYS = 7;

/** What can be prepared: the body of the call that it is when it is released. */
const acts = {
  pay: bankStatement.markPaid.body,
  payMatching: bankStatement.markMatchingPaid.body,
  change: challansBulk.changeMany.body,
  reverse: z.strictObject({ id, ...reversalInput.shape }),
};
const preparedAct = z
  .strictObject(acts)
  .partial()
  .refine((act) => Object.values(act).filter((body) => body !== undefined).length === 1, 'must name one act to prepare')
  .refine(({ change }) => change === undefined || (change.act.kind === 'paid' && change.act.value), {
    path: ['change', 'act'],
    error: 'must mark as paid',
  })
  .register(documented, { minProperties: 1, maxProperties: 1 });
export type PreparedAct = z.output<typeof preparedAct>;

const preparedStates = ['prepared', 'released', 'sent-back', 'withdrawn', 'expired'] as const;
export type PreparedState = (typeof preparedStates)[number];

const preparedPayment = z.object({
  id: z.string(),
  /** 'PRP-2627-000012'. */
  number: z.string(),
  /** It takes a payment back; otherwise it pays. */
  isReversal: z.boolean(),
  challanCount: z.number(),
  ownerCount: z.number(),
  /** What it pays or takes back, as it was reviewed. */
  amount: total,
  preparedBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
  state: z.enum(preparedStates),
  /** Why it, or the owners that were left out of it, went back; '' otherwise. */
  reason: z.string(),
  /** The owners that its release left out; null: none. */
  leftOut: z.object({ ownerCount: z.number(), amount: total }).nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: instant.nullable(),
  /** The payment that it made or took back; null where there is none. */
  payment: z.object({ id: z.string(), number: z.string() }).nullable(),
  /** What is unusual about a payment that waits, a sentence each. */
  unusual: z.array(z.string()),
  /** The caller has prepared it. */
  isOwn: z.boolean(),
  /** Why the caller may not release it; null: the caller may. */
  cannotRelease: z.string().nullable(),
});
export type PreparedPayment = z.output<typeof preparedPayment>;

const preparedOwner = z.object({
  ownerId: z.string(),
  name: z.string(),
  challanCount: z.number(),
  amount: total,
  /** What is unusual about it while it waits, a sentence each. */
  unusual: z.array(z.string()),
  isLeftOut: z.boolean(),
});
export type PreparedOwner = z.output<typeof preparedOwner>;

/** Owners that a release leaves out, and why: their challans stay unpaid. */
const leaveOut = z.strictObject({
  ownerIds: ids(maximumIds, 'Please choose the owners to leave out'),
  ...reversalInput.pick({ reason: true }).shape,
});
export type LeaveOut = z.output<typeof leaveOut>;

const limit = decimal().nullable();
export const releaseRule = z.strictObject({
  /** A second person releases above this amount in one payment, and above this in a day of one person; null: no such limit. */
  aboveOne: limit,
  aboveDay: limit,
  /** Up to which amount an accountant releases; null: only owners do. */
  accountantUpTo: limit,
});
export type ReleaseRule = z.output<typeof releaseRule>;
const ruleOut = z.object({
  aboveOne: amountOut.nullable(),
  aboveDay: amountOut.nullable(),
  accountantUpTo: amountOut.nullable(),
});

/** A rule that was never saved has version 0. */
const ruleVersion = z
  .number({ error: 'must be a whole number' })
  .int('must be a whole number')
  .min(0, 'must be 0 or more');

const ruleNow = z.object({
  ...ruleOut.shape,
  /** A looser rule that waits: until `at`, or where that is null for another owner. */
  next: z.object({ ...ruleOut.shape, by: z.string(), at: instant.nullable(), isOwn: z.boolean() }).nullable(),
  /** How many people may release now. */
  releasers: z.number(),
  version: z.number(),
});
export type RuleNow = z.output<typeof ruleNow>;

export const accountConfirmation = z.strictObject({
  lastFour: text(4, { required: 'Please type the last four digits' }),
  called: text(20, { required: 'Please enter the number that you called' }),
});

const one = z.object({ data: preparedPayment });

export const preparedPayments = {
  list: endpoint('prepared-payments', 'GET /prepared-payments', {
    summary: 'Payments that wait for a second person, or those that are done with; newest first',
    query: z.object({ ...pageQuery, show: optionalQuery(z.enum(['open', 'done'])) }),
    answer: z.object({ data: z.array(preparedPayment), pagination }),
  }),
  owners: endpoint('prepared-payments', 'GET /prepared-payments/{id}/owners', {
    summary: 'The owners of a prepared payment: those with something unusual first, then by name',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(preparedOwner), pagination }),
  }),
  prepare: endpoint('prepared-payments', 'POST /prepared-payments', {
    summary: 'Prepare a payment, or taking one back, for a second person; nothing is paid',
    body: preparedAct,
    answer: one,
    status: 201,
    errors: [
      'NOT_FOUND',
      'ON_HOLD',
      'SELECTION_CHANGED',
      'NO_MATCHING_CHALLANS',
      'ALREADY_REVERSED',
      'LINE_AT_BANK',
      'CARRIED',
    ],
    idempotent: true,
    bodyLimit: bankStatement.markMatchingPaid.bodyLimit,
  }),
  release: endpoint('prepared-payments', 'POST /prepared-payments/{id}/release', {
    summary: 'Do what somebody else has prepared exactly as it was reviewed, or leave some owners out, or nothing',
    asksAgain: 'people',
    body: z.strictObject({ leaveOut: leaveOut.optional() }),
    answer: one,
    errors: [
      'ALREADY_DECIDED',
      'ON_HOLD',
      'SELECTION_CHANGED',
      'NO_MATCHING_CHALLANS',
      'ALREADY_REVERSED',
      'LINE_AT_BANK',
      'CARRIED',
    ],
    touches: [
      'prepared-payments',
      'challans',
      'bank-statement',
      'payment-batches',
      'bank-files',
      'bank-answers',
      'accounting',
      'dashboard',
      'tags',
      'batches',
      'hsd-verification',
    ],
    idempotent: true,
  }),
  sendBack: endpoint('prepared-payments', 'POST /prepared-payments/{id}/send-back', {
    summary: 'Send a prepared payment of somebody else back, with the reason',
    body: reversalInput.pick({ reason: true }),
    answer: one,
    errors: ['ALREADY_DECIDED'],
  }),
  withdraw: endpoint('prepared-payments', 'POST /prepared-payments/{id}/withdraw', {
    summary: "Withdraw one's own prepared payment",
    answer: one,
    errors: ['ALREADY_DECIDED'],
  }),
  listAccounts: endpoint('prepared-payments', 'GET /prepared-payments/accounts', {
    summary: 'Owners and paying accounts whose account was changed and is not confirmed, the newest first; at most 200',
    answer: z.object({ data: z.array(changedAccount) }),
  }),
  confirmAccount: endpoint('prepared-payments', 'POST /prepared-payments/accounts/{id}/confirm', {
    summary: 'Confirm a changed account by its last four digits, as they were read out on the phone',
    asksAgain: 'people',
    /** Of the owner or the paying account. */
    body: accountConfirmation,
    answer: message,
    touches: ['prepared-payments', 'owners', 'bank-accounts'],
  }),
  getRule: endpoint('prepared-payments', 'GET /prepared-payments/rule', {
    summary: 'Above which amounts a second person releases',
    answer: z.object({ data: ruleNow }),
  }),
  setRule: endpoint('prepared-payments', 'PUT /prepared-payments/rule', {
    summary: 'Change the rule; a looser one waits for a second owner, or for 24 hours',
    asksAgain: 'people',
    right: 'manage',
    body: releaseRule.extend({ version: ruleVersion.optional() }),
    answer: z.object({ data: ruleNow }),
  }),
  confirmRule: endpoint('prepared-payments', 'POST /prepared-payments/rule/confirm', {
    summary: 'Confirm the looser rule that another owner has set',
    asksAgain: 'people',
    right: 'manage',
    body: z.strictObject({ version }),
    answer: z.object({ data: ruleNow }),
  }),
};
