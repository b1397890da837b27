import { z } from 'zod';
import { lineStates } from '../bank/lines.ts';
import { paymentFilters } from '../filters/payment-filters.ts';
import { appliedFilters } from './bank-statement.ts';
import { endpoint, file, pdf, workbook } from './define.ts';
import { filterQuery, inRangeOrder } from './filters.ts';
import { languages } from './languages.ts';
import { paymentReference } from './palette.ts';
import {
  amountOut,
  day,
  id,
  idQuery,
  instant,
  pageQuery,
  pagination,
  searchTerm,
  sortQuery,
  text,
  textQuery,
  total,
} from './scalars.ts';

/** A payment: the challans that were marked paid together. */
const paymentBatch = z.object({
  id: z.string(),
  number: z.string(),
  createdAt: instant,
  /** The day of the payment in India: that of createdAt, or an earlier day where the payment was recorded later. */
  paidOn: day,
  /** Email of the account. */
  createdBy: z.string(),
  /** How its challans were chosen: one by one, by a filter, by a challan's own checkbox, or by an import. */
  kind: z.enum(['selected', 'filter', 'single', 'import']),
  updatedCount: z.number(),
  totalAmount: total,
  ownerCount: z.number(),
  /**
   * What the payment still pays: without lines that were reversed since, by undoing the payment or by unmarking challans.
   * The amounts of all payments add up to what the challan list calls paid, plus what is carried and not deducted yet.
   */
  paidCount: z.number(),
  paidAmount: total,
  paidOwnerCount: z.number(),
  /** The owner of a payment to a single owner, as it was when it was paid; else null. */
  owner: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The challan of a payment for a single challan; else null. */
  challan: z.object({ id: z.string(), challanNumber: z.string() }).nullable(),
  reversedAt: instant.nullable(),
  reversedReason: z.string().nullable(),
  reversedBy: z.string().nullable(),
  appliedFilters,
});
export type PaymentBatch = z.output<typeof paymentBatch>;

/** One challan of a payment, as it was when it was paid. */
const paymentLine = z.object({
  challanId: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  amount: amountOut,
  /** When the line was reversed: with the whole payment, or by unmarking the challan. */
  reversedAt: instant.nullable(),
});
export type PaymentLine = z.output<typeof paymentLine>;

/** An amount that a payment carried into the owner's next payment, or deducted because an earlier payment carried it. */
const paymentCarry = z.object({
  kind: z.enum(['carry', 'deduct']),
  /** What it adds to the amount that the owner gets: above 0 where it is carried, below 0 where it is deducted. */
  amount: amountOut,
  /** For a carry the payment that deducted it, if there is one; for a deduction the payment that carried it. */
  otherId: z.string().nullable(),
  otherNumber: z.string().nullable(),
  /** It was taken back. */
  isBack: z.boolean(),
});
export type PaymentCarry = z.output<typeof paymentCarry>;

/** An owner of a payment with its challans, as they were when they were paid: one line of what is sent to the bank. */
const paymentOwner = z.object({
  ownerId: z.string(),
  name: z.string(),
  contactNumber: z.string(),
  accountNo: z.string(),
  ifsc: z.string(),
  branchName: z.string(),
  challanCount: z.number(),
  amount: total,
  /** The part that was not reversed. */
  paidCount: z.number(),
  paidAmount: total,
  /** The state of its newest line in a bank file; null: it was not sent. */
  bankState: z.enum(lineStates).nullable(),
  bankFile: z.string().nullable(),
  utr: z.string(),
  carries: z.array(paymentCarry),
  challans: z.array(paymentLine),
});
export type PaymentOwner = z.output<typeof paymentOwner>;

/** The sums of the whole filter. */
const paymentTotals = z.object({
  updatedCount: z.number(),
  totalAmount: total,
  paidCount: z.number(),
  paidAmount: total,
});
export type PaymentTotals = z.output<typeof paymentTotals>;

export const paymentSortKeys = ['paidOn', 'number', 'updatedCount', 'ownerCount', 'totalAmount', 'paidAmount'] as const;
export type PaymentSortKey = (typeof paymentSortKeys)[number];

export const reversalInput = z.strictObject({
  reason: text(500, { required: 'Please enter a reason', lines: true }),
  /**
   * 'failed' says that the bank will not execute the lines that are in a bank file and have no answer. Without it a payment
   * with such lines is not reversed.
   */
  bankLines: z.literal('failed', { error: "must be 'failed'" }).optional(),
});

/**
 * An owner that a payment still pays and that can get a message (docs/specification.md §10.9). Phone and language are
 * those of today.
 */
const ownerToWrite = z.object({
  ownerId: z.string(),
  name: z.string(),
  contactNumber: z.string(),
  language: z.enum(languages),
  /** What the payment still pays the owner. */
  challanCount: z.number(),
  amount: total,
  /** '' until the bank has given one. */
  utr: z.string(),
  /** When the last message was written, the email of the account that did it, and how many there were. */
  sentAt: instant.nullable(),
  sentBy: z.string().nullable(),
  sentCount: z.number(),
});
export type OwnerToWrite = z.output<typeof ownerToWrite>;

export const paymentBatches = {
  list: endpoint('payment-batches', 'GET /payment-batches', {
    summary: 'Payments of a filter, newest first, with the sums of all of them',
    query: inRangeOrder(
      z.object({ ...pageQuery, ...sortQuery(paymentSortKeys, 'paidOn'), ...filterQuery(paymentFilters) }),
      paymentFilters,
    ),
    answer: z.object({ data: z.array(paymentBatch), summary: paymentTotals, pagination }),
  }),
  findByNumber: endpoint('payment-batches', 'GET /payment-batches/by-number', {
    summary: 'Payments by their number, whole or without its beginning',
    query: z.object({ q: searchTerm }),
    answer: z.object({ data: z.array(paymentReference) }),
    errors: ['VALIDATION_ERROR'],
  }),
  get: endpoint('payment-batches', 'GET /payment-batches/{id}', {
    summary: 'Get a payment with a page of its lines',
    query: z.object(pageQuery),
    answer: z.object({ data: paymentBatch.extend({ lines: z.array(paymentLine) }), pagination }),
  }),
  owners: endpoint('payment-batches', 'GET /payment-batches/{id}/owners', {
    summary: "A payment's owners with their challans; pages count owners",
    query: z.object({ ...pageQuery, search: textQuery }),
    answer: z.object({ data: z.array(paymentOwner), pagination }),
  }),
  exportCsv: endpoint('payment-batches', 'GET /payment-batches/{id}/csv', {
    summary: "A payment's file, the same bytes each time",
    right: 'readBank',
    answer: file,
  }),
  exportXlsx: endpoint('payment-batches', 'GET /payment-batches/{id}/xlsx', {
    summary: "A payment's file as an Excel workbook, the same bytes each time",
    right: 'readBank',
    answer: workbook,
    errors: ['VALIDATION_ERROR'],
  }),
  advice: endpoint('payment-batches', 'GET /payment-batches/{id}/advice', {
    summary: 'What was paid for which trips, to print: one owner, or a page for each',
    right: 'readBank',
    query: z.object({ ownerId: idQuery }),
    answer: pdf,
    errors: ['NO_DATA_FOUND'],
  }),
  listMessages: endpoint('payment-batches', 'GET /payment-batches/{id}/messages', {
    summary: 'The owners that a payment still pays, by name, and who of them was written to',
    answer: z.object({ data: z.array(ownerToWrite) }),
  }),
  writeTo: endpoint('payment-batches', 'POST /payment-batches/{id}/messages', {
    summary: "A WhatsApp message that tells an owner of this payment, with a link to the owner's page",
    body: z.strictObject({ ownerId: id }),
    answer: z.object({ data: z.object({ whatsappUrl: z.string(), ownerName: z.string() }) }),
    errors: ['NO_DATA_FOUND', 'VALIDATION_ERROR', 'INVALID_REQUEST'],
    touches: ['payment-batches', 'shared-reports', 'history'],
  }),
  takeBackCarry: endpoint('payment-batches', 'POST /payment-batches/{id}/carries/{ownerId}/take-back', {
    summary:
      'Take back what this payment carried of an owner, with the challans that it settled, while nothing deducted it',
    params: z.strictObject({ id, ownerId: id }),
    answer: z.object({ data: paymentBatch.extend({ reversedCount: z.number(), reversedAmount: total }) }),
    errors: ['NOT_FOUND', 'CARRIED'],
    touches: ['challans', 'bank-statement', 'payment-batches', 'accounting', 'dashboard', 'tags'],
    idempotent: true,
  }),
  reverse: endpoint('payment-batches', 'POST /payment-batches/{id}/reverse', {
    summary: 'Make the challans still paid by this payment unpaid again',
    body: reversalInput,
    answer: z.object({
      data: paymentBatch.extend({ reversedCount: z.number(), reversedAmount: total }),
    }),
    errors: ['ALREADY_REVERSED', 'LINE_AT_BANK', 'CARRIED'],
    touches: [
      'challans',
      'bank-statement',
      'payment-batches',
      'bank-files',
      'bank-answers',
      'accounting',
      'dashboard',
      'tags',
    ],
  }),
};
