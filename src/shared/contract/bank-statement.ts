import { z } from 'zod';
import { nothingSelected } from '../calc/selection.ts';
import { statementFilters } from '../filters/challan-filters.ts';
import { tagReference } from './challan-fields.ts';
import { endpoint, file, workbook } from './define.ts';
import { filterBody, filterEcho, filterQuery, inRangeOrder } from './filters.ts';
import { namedNegativeOwners, negativeOwners } from './negative-owners.ts';
import {
  amountOut,
  day,
  id,
  ids,
  instant,
  optionalQuery,
  pageQuery,
  pageSizeQuery,
  pagination,
  signedTotal,
  total,
} from './scalars.ts';

/** An unpaid challan under its owner. */
const statementChallan = z.object({
  challanId: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  material: z.string(),
  loadingPlace: z.string(),
  unloadingPlace: z.string(),
  loadingDate: instant,
  unloadingDate: instant,
  depositedAt: instant.nullable(),
  netAmountPayable: amountOut,
  tag: tagReference.nullable(),
  /** The reason why the challan is on hold and cannot be paid; '' where it is not. */
  holdReason: z.string(),
  paymentStatus: z.boolean(),
});
export type StatementChallan = z.output<typeof statementChallan>;

/** What is chosen and paid of a challan, without what is only shown of it. */
const owedChallan = statementChallan.pick({ challanId: true, netAmountPayable: true, holdReason: true });
export type OwedChallan = z.output<typeof owedChallan>;

/** The bank's answer that the last transfer to an account failed or was returned. */
export const failedTransfer = z.object({ state: z.enum(['failed', 'returned']), day, reason: z.string() });

/** An owner with all its unpaid challans under the filter, each only as far as it is chosen and paid. */
const owedOwner = z.object({
  id: z.string(),
  name: z.string(),
  contactNumber: z.string(),
  accountNo: z.string(),
  ifsc: z.string(),
  branchName: z.string(),
  /** How the last transfer to this account failed; null: it did not. */
  failedTransfer: failedTransfer.nullable(),
  /** The reason why the owner is on hold, so that none of its challans can be paid; '' where it is not. */
  holdReason: z.string(),
  unpaidAmount: total,
  unpaidCount: z.number(),
  /** The amount carried from an earlier payment, which the next payment deducts. */
  carriedAmount: total,
  /** How much of the unpaid is on hold, with the owner or challan by challan. */
  heldCount: z.number(),
  heldAmount: total,
  /** The earliest deposited day of the unpaid challans; null: none was deposited. */
  oldestDeposit: day.nullable(),
  challans: z.array(owedChallan),
});
export type OwedOwner = z.output<typeof owedOwner>;

/** The same with everything that is shown of the challans. */
const statementOwner = owedOwner.extend({ challans: z.array(statementChallan) });
export type StatementOwner = z.output<typeof statementOwner>;

/** All challans of owners whose sum is negative. A payment leaves them out unless the user asks to pay them. */
const negativeSums = {
  negativeChallanCount: z.number(),
  /** The sum of these challans. */
  negativeAmount: total,
  /** The carried amounts of the owners that are paid, and of those that are left out. */
  deductedAmount: total,
  negativeCarriedAmount: total,
};

/** A number of challans and an amount. */
const figures = z.object({ count: z.number(), amount: total });

const statementSummary = z.object({
  totalOwners: z.number(),
  totalChallans: z.number(),
  totalUnpaidAmount: total,
  /** How much of the unpaid is on hold: it is listed but never paid. */
  heldCount: z.number(),
  heldAmount: total,
  ...negativeOwners,
  ...negativeSums,
  /** What is not on hold, and what a payment of it pays: without owners below zero and less what is deducted. */
  matching: figures,
  payment: figures,
});
export type StatementSummary = z.output<typeof statementSummary>;

const pageOfOwners = { ...pageQuery, ...pageSizeQuery, ...filterQuery(statementFilters) };

/** The query of the list and of its files. A file has all owners, but the page is checked there too. */
const statementQueryWith = <F extends z.ZodType>(format: F) =>
  inRangeOrder(z.object({ ...pageOfOwners, format: optionalQuery(format) }), statementFilters);

const pageWith = <O extends z.ZodType>(owner: O) =>
  z.object({ data: z.object({ owners: z.array(owner), summary: statementSummary }), pagination });

/**
 * The statement's filter in a body. `{}` means every unpaid challan. The key is required, so that nobody means all
 * challans by leaving it out.
 */
export const statementFilterBody = inRangeOrder(z.strictObject(filterBody(statementFilters)), statementFilters);
export type StatementFilters = z.output<typeof statementFilterBody>;

/** The filter that a payment was made by, in an answer; null: the challans were chosen one by one. */
export const appliedFilters = z.object(filterEcho(statementFilters)).nullable();

/**
 * The answer to a payment (docs/specification.md §14.10). For more than 5,000 challans challanIds and csv are left out, and
 * csvUrl says where the file is.
 */
const paymentResult = z.object({
  /** null when every chosen challan was paid already: then there is no batch. */
  batchId: z.string().nullable(),
  /** The payment's number, 'PAY-2627-000012'; null without a batch. */
  number: z.string().nullable(),
  updatedCount: z.number(),
  skippedCount: z.number(),
  /** Challans that were left out because the sum of their owner is negative. */
  negativeCount: z.number(),
  totalAmount: total,
  paymentStatus: z.literal(true),
  challanIds: z.array(z.string()).optional(),
  timestamp: instant,
  appliedFilters,
  csv: z.object({ content: z.string(), filename: z.string(), contentType: z.string() }).optional(),
  csvUrl: z.string().optional(),
});
export type PaymentResult = z.output<typeof paymentResult>;

const namedChallan = z.object({ challanId: z.string(), ownerId: z.string(), netAmountPayable: amountOut });

/** An owner, or an account that owners are paid from, whose account was changed and is not confirmed (docs/specification.md §28.7). */
export const changedAccount = z.object({
  record: z.enum(['owner', 'bank-account']),
  id: z.string(),
  name: z.string(),
  changedBy: z.string(),
  changedAt: instant,
  /** Somebody else may confirm it, so nothing is transferred to it before. Otherwise it is said, and nothing else. */
  isBlocking: z.boolean(),
  /** The caller has changed it. */
  isOwn: z.boolean(),
});
export type ChangedAccount = z.output<typeof changedAccount>;

/** What a selection covers now. */
const selectionReview = z.object({
  count: z.number(),
  totalAmount: total,
  ownerCount: z.number(),
  ...negativeOwners,
  ...negativeSums,
  /** What a payment of the selection pays, with what is decided for owners below zero, and what of it is left out because of them. */
  payment: figures.extend({
    ownerCount: z.number(),
    deductedAmount: total,
    carriedAmount: total,
    leftOutCount: z.number(),
    leftOutOwnerCount: z.number(),
  }),
  /** What matches the filter, is not on hold, and is not paid by this payment, with the sum of its net amounts. */
  notPaid: figures,
  /** The challans that the selection names, chosen or excluded, as they are now: those still unpaid under the filter. */
  challans: z.array(namedChallan),
  /** The named challans that were paid in the meantime and are not deleted. */
  paid: z.array(namedChallan),
  /** How many of the named challans were paid, and how many are deleted or no longer match the filter. */
  paidCount: z.number(),
  goneCount: z.number(),
  /** How many of the named challans are on hold, and how many of all that match the filter. */
  heldCount: z.number(),
  heldMatchingCount: z.number(),
  /** The largest payment that the caller's account made in the last twelve weeks; null: there was none. */
  largestPayment: total.nullable(),
  /** Why a second person has to release this payment (docs/specification.md §28.6); null: the caller may pay it. */
  needsRelease: z.string().nullable(),
  /** Owners that are paid and whose changed account nobody has confirmed (docs/specification.md §28.7). */
  changedAccounts: z.array(changedAccount),
  /** How many of the chosen owners have no account number or no IFSC, and the first of them by name. */
  incompleteOwnerCount: z.number(),
  incompleteOwners: z.array(z.object({ id: z.string(), name: z.string(), missing: z.string() })),
  /** How many of the chosen owners have an account to which the last transfer failed, and the first of them by name. */
  failedOwnerCount: z.number(),
  failedOwners: z.array(z.object({ id: z.string(), name: z.string(), failedTransfer })),
});
export type SelectionReview = z.output<typeof selectionReview>;

/** `data` of a 409 SELECTION_CHANGED: what the filter matches now. */
export const selectionNow = z.object({ count: z.number(), totalAmount: total });
export type SelectionNow = z.output<typeof selectionNow>;

export const maximumIds = 5_000;
export const maximumExclusions = 50_000;

const touches = ['challans', 'bank-statement', 'payment-batches', 'accounting', 'dashboard', 'tags'] as const;
const megabyte = 1024 * 1024;
const paid = z.object({ data: paymentResult });
/**
 * What to do with owners whose sum is negative. `carries` carries what some of them owe into their next payment. The others are
 * left out unless `paysNegative` pays them.
 */
const negativeChoice = {
  paysNegative: z.boolean().default(false),
  carries: z
    .array(z.strictObject({ ownerId: id, amount: signedTotal }))
    .max(namedNegativeOwners)
    .default([]),
};
const idList = z.array(id).max(maximumExclusions, `must be at most ${maximumExclusions} at once`);

export const bankStatement = {
  list: endpoint('bank-statement', 'GET /challans/bank-report', {
    summary: 'Owners with their unpaid challans; pages count owners',
    query: statementQueryWith(z.never({ error: 'must be csv or xlsx' }).optional()),
    answer: pageWith(statementOwner),
  }),
  listOwners: endpoint('bank-statement', 'GET /challans/bank-report/owners', {
    summary: 'The same owners; of each challan only its id, amount and hold',
    query: inRangeOrder(z.object(pageOfOwners), statementFilters),
    answer: pageWith(owedOwner),
  }),
  exportCsv: endpoint('bank-statement', 'GET /challans/bank-report', {
    when: { format: 'csv' },
    summary: 'The bank statement of all matching owners as a CSV file',
    right: 'readBank',
    query: statementQueryWith(z.literal('csv')),
    answer: file,
  }),
  exportXlsx: endpoint('bank-statement', 'GET /challans/bank-report', {
    when: { format: 'xlsx' },
    summary: 'The same as an Excel workbook',
    right: 'readBank',
    query: statementQueryWith(z.literal('xlsx')),
    answer: workbook,
  }),
  review: endpoint('bank-statement', 'POST /challans/bank-report/selection', {
    summary: 'What a selection covers now: chosen challans, or everything of a filter less the exclusions',
    reads: true,
    body: z.strictObject({
      filters: statementFilterBody,
      challanIds: idList.min(1, nothingSelected).optional(),
      excludeChallanIds: idList.default([]),
      ...negativeChoice,
    }),
    answer: z.object({ data: selectionReview }),
    bodyLimit: 4 * megabyte,
  }),
  markPaid: endpoint('bank-statement', 'POST /challans/bank-report/bulk-payment', {
    summary: 'Mark chosen challans paid, all or nothing; paid ones are skipped and counted',
    body: z.strictObject({ challanIds: ids(maximumIds, nothingSelected), ...negativeChoice }),
    answer: paid,
    errors: ['NOT_FOUND', 'ON_HOLD', 'SELECTION_CHANGED'],
    touches,
    idempotent: true,
    bodyLimit: 2 * megabyte,
  }),
  markMatchingPaid: endpoint('bank-statement', 'PUT /challans/bank-report/bulk-payment-status', {
    summary: 'Mark every unpaid challan of a filter paid, less the exclusions',
    body: z.strictObject({
      filters: statementFilterBody,
      excludeChallanIds: idList.default([]),
      ...negativeChoice,
      paymentStatus: z.literal(true, { error: 'must be true' }),
      expected: z.strictObject({ count: z.number().int().min(0), totalAmount: signedTotal }).optional(),
    }),
    answer: paid,
    errors: ['SELECTION_CHANGED', 'NO_MATCHING_CHALLANS'],
    touches,
    idempotent: true,
    bodyLimit: 4 * megabyte,
  }),
};

/** The challans that a payment is asked for, and what is decided for owners below zero: what is reviewed. */
export type PaymentAsked = z.output<typeof bankStatement.review.body>;
