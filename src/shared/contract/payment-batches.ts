import { z } from 'zod';
import { appliedFilters } from './bank-statement.ts';
import { endpoint, file, workbook } from './define.ts';
import { amountOut, idParams, instant, pageQuery, pagination, searchTerm, text, total } from './scalars.ts';

/** One payment: what was marked paid together. */
const paymentBatch = z.object({
  id: z.string(),
  number: z.string(),
  createdAt: instant,
  /** Email of the account. */
  createdBy: z.string(),
  /** How it was chosen: challan by challan, by filter, or one challan's own checkbox. */
  kind: z.enum(['selected', 'filter', 'single']),
  updatedCount: z.number(),
  totalAmount: total,
  ownerCount: z.number(),
  /**
   * What is still paid by it: without the lines that were reversed since, by undoing the payment or by unmarking
   * challans of it. Over all payments the amounts add up to what the challan list calls paid.
   */
  paidCount: z.number(),
  paidAmount: total,
  paidOwnerCount: z.number(),
  reversedAt: instant.nullable(),
  reversedReason: z.string().nullable(),
  reversedBy: z.string().nullable(),
  appliedFilters,
});
export type PaymentBatch = z.output<typeof paymentBatch>;

/** A payment as a search shows it. */
const paymentReference = paymentBatch.pick({
  id: true,
  number: true,
  createdAt: true,
  updatedCount: true,
  totalAmount: true,
});
export type PaymentReference = z.output<typeof paymentReference>;

/** One challan of a payment, as it was when it was paid. */
const paymentLine = z.object({
  challanId: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  amount: amountOut,
  /** When it was reversed: with the payment, or by unmarking the challan. */
  reversedAt: instant.nullable(),
});
export type PaymentLine = z.output<typeof paymentLine>;

export const reversalInput = z.strictObject({
  reason: text(500, { required: 'Please enter a reason', lines: true }),
});

const roles = ['subadmin'] as const;

export const paymentBatches = {
  list: endpoint('payment-batches', {
    method: 'GET',
    path: '/payment-batches',
    summary: 'List payments, newest first',
    roles,
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(paymentBatch), pagination }),
  }),
  findByNumber: endpoint('payment-batches', {
    method: 'GET',
    path: '/payment-batches/by-number',
    summary: 'Payments by their number, whole or without its beginning',
    roles,
    query: z.object({ q: searchTerm }),
    answer: z.object({ data: z.array(paymentReference) }),
    errors: ['VALIDATION_ERROR'],
  }),
  get: endpoint('payment-batches', {
    method: 'GET',
    path: '/payment-batches/{id}',
    summary: 'Get a payment with a page of its lines',
    roles,
    params: idParams,
    query: z.object(pageQuery),
    answer: z.object({ data: paymentBatch.extend({ lines: z.array(paymentLine) }), pagination }),
  }),
  exportCsv: endpoint('payment-batches', {
    method: 'GET',
    path: '/payment-batches/{id}/csv',
    summary: "A payment's file, the same bytes each time",
    roles,
    params: idParams,
    answer: file,
  }),
  exportXlsx: endpoint('payment-batches', {
    method: 'GET',
    path: '/payment-batches/{id}/xlsx',
    summary: "A payment's file as an Excel workbook, the same bytes each time",
    roles,
    params: idParams,
    answer: workbook,
  }),
  reverse: endpoint('payment-batches', {
    method: 'POST',
    path: '/payment-batches/{id}/reverse',
    summary: 'Make the challans still paid by this payment unpaid again',
    roles,
    params: idParams,
    body: reversalInput,
    answer: z.object({
      data: paymentBatch.extend({ reversedCount: z.number(), reversedAmount: total }),
    }),
    errors: ['ALREADY_REVERSED'],
    touches: ['challans', 'bank-statement', 'payment-batches', 'accounting', 'dashboard', 'tags'],
  }),
};
