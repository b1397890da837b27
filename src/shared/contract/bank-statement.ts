import { z } from 'zod';
import { tagReference } from './challan.ts';
import { endpoint, file } from './define.ts';
import {
  amountOut,
  day,
  dayQuery,
  id,
  idQuery,
  ids,
  inOrder,
  instant,
  pageQuery,
  pageSizeQuery,
  pagination,
  signedTotal,
  tagChoice,
  tagQuery,
  text,
  textQuery,
  total,
} from './scalars.ts';

/** An unpaid challan under its owner. */
export const statementChallan = z.object({
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
  paymentStatus: z.boolean(),
});
export type StatementChallan = z.output<typeof statementChallan>;

/** An owner with all its unpaid challans under the filter. */
export const statementOwner = z.object({
  id: z.string(),
  name: z.string(),
  contactNumber: z.string(),
  accountNo: z.string(),
  ifsc: z.string(),
  branchName: z.string(),
  unpaidAmount: total,
  unpaidCount: z.number(),
  challans: z.array(statementChallan),
});
export type StatementOwner = z.output<typeof statementOwner>;

export const statementSummary = z.object({
  totalOwners: z.number(),
  totalChallans: z.number(),
  totalUnpaidAmount: total,
});
export type StatementSummary = z.output<typeof statementSummary>;

const filterQuery = {
  ownerId: idQuery,
  ownerName: textQuery,
  tagId: tagQuery,
  depositedStartDate: dayQuery,
  depositedEndDate: dayQuery,
};

/** The statement's filter in a body. `{}` means every unpaid challan, and is sent on purpose: the key is required. */
export const statementFilters = z
  .strictObject({
    ownerId: id.optional(),
    ownerName: text(200).optional(),
    tagId: tagChoice.optional(),
    depositedStartDate: day.optional(),
    depositedEndDate: day.optional(),
  })
  .refine(...inOrder('depositedStartDate', 'depositedEndDate'));
export type StatementFilters = z.output<typeof statementFilters>;

/** The filter of a payment as an answer gives it; null: the challans were chosen one by one. */
export const appliedFilters = z
  .object({
    ownerId: z.string().optional(),
    ownerName: z.string().optional(),
    tagId: z.string().optional(),
    depositedStartDate: z.string().optional(),
    depositedEndDate: z.string().optional(),
  })
  .nullable();

/** What a payment answers (part 2 §3). For more than 5,000 challans challanIds and csv are left out: see csvUrl. */
export const paymentResult = z.object({
  /** null when every chosen challan was paid already: then there is no batch. */
  batchId: z.string().nullable(),
  updatedCount: z.number(),
  skippedCount: z.number(),
  totalAmount: total,
  paymentStatus: z.literal(true),
  challanIds: z.array(z.string()).optional(),
  timestamp: instant,
  appliedFilters,
  csv: z.object({ content: z.string(), filename: z.string(), contentType: z.string() }).optional(),
  csvUrl: z.string().optional(),
});
export type PaymentResult = z.output<typeof paymentResult>;

/** `data` of a 409 SELECTION_CHANGED: what the filter matches now. */
export const selectionNow = z.object({ count: z.number(), totalAmount: total });
export type SelectionNow = z.output<typeof selectionNow>;

export const maximumIds = 5_000;
export const maximumExclusions = 50_000;
export const nothingSelected = 'Please select at least one challan to mark as paid';

const touches = ['challans', 'bank-statement', 'payment-batches', 'accounting', 'dashboard', 'tags'] as const;
const megabyte = 1024 * 1024;
const roles = ['subadmin'] as const;
const paid = z.object({ data: paymentResult });

export const bankStatement = {
  list: endpoint('bank-statement', {
    method: 'GET',
    path: '/challans/bank-report',
    summary: 'Owners with their unpaid challans; pages count owners',
    roles,
    query: z
      .object({ ...pageQuery, ...pageSizeQuery, ...filterQuery })
      .refine(...inOrder('depositedStartDate', 'depositedEndDate')),
    answer: z.object({
      data: z.object({ owners: z.array(statementOwner), summary: statementSummary }),
      pagination,
    }),
  }),
  exportCsv: endpoint('bank-statement', {
    method: 'GET',
    path: '/challans/bank-report',
    when: { format: 'csv' },
    summary: 'The bank statement of all matching owners as a CSV file',
    roles,
    query: z
      .object({ ...filterQuery, format: z.literal('csv') })
      .refine(...inOrder('depositedStartDate', 'depositedEndDate')),
    answer: file,
  }),
  markPaid: endpoint('bank-statement', {
    method: 'POST',
    path: '/challans/bank-report/bulk-payment',
    summary: 'Mark chosen challans paid, all or nothing; paid ones are skipped and counted',
    roles,
    body: z.strictObject({ challanIds: ids(maximumIds, nothingSelected) }),
    answer: paid,
    errors: ['NOT_FOUND'],
    touches,
    idempotent: true,
    bodyLimit: 2 * megabyte,
  }),
  markMatchingPaid: endpoint('bank-statement', {
    method: 'PUT',
    path: '/challans/bank-report/bulk-payment-status',
    summary: 'Mark every unpaid challan of a filter paid, less the exclusions',
    roles,
    body: z.strictObject({
      filters: statementFilters,
      excludeChallanIds: z.array(id).max(maximumExclusions, `must be at most ${maximumExclusions} at once`).default([]),
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
