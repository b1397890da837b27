import { z } from 'zod';
import { routes } from '../bank/layout.ts';
import { lineStates } from '../bank/lines.ts';
import { bankAccount } from './bank-accounts.ts';
import { failedTransfer } from './bank-statement.ts';
import { binary, endpoint } from './define.ts';
import { amountOut, day, id, ids, instant, pageQuery, pagination, signedAmount, text, total } from './scalars.ts';

/** The files that are sent to the bank (docs/specification.md §24). */

/** A line that could be sent: what a payment still pays to one owner, and what to check before it is sent. */
const sendableLine = z.object({
  batchId: z.string(),
  paymentNumber: z.string(),
  ownerId: z.string(),
  /** The owner's data as the payment froze them: these are sent unless the line is corrected. */
  name: z.string(),
  accountNo: z.string(),
  ifsc: z.string(),
  branch: z.string(),
  challanCount: z.number(),
  amount: amountOut,
  /** The reason of the hold, where the owner is on hold today; else null. */
  hold: z.string().nullable(),
  /** The owner's data of today, where they differ; null where they are the same or the owner was deleted. */
  today: z
    .object({
      name: z.string(),
      accountNo: z.string(),
      ifsc: z.string(),
      branch: z.string(),
      failedTransfer: failedTransfer.nullable(),
    })
    .nullable(),
  /** Its newest line in a bank file; null: it was not sent yet. */
  sent: z.object({ fileNumber: z.string(), state: z.enum(lineStates) }).nullable(),
  /** How the last transfer to this account failed; null: it did not. Such a line is sent only if it is confirmed. */
  failedTransfer: failedTransfer.nullable(),
  /** Whether the payment was imported as paid. Such a line is sent only if it is confirmed. */
  isImported: z.boolean(),
  /** The route that is used unless the user chooses another one. */
  route: z.enum(routes),
  /** How many lines of this payment were in bank files before: references are counted on from here. */
  linesBefore: z.number(),
});
export type CheckedLine = z.output<typeof sendableLine>;

const bankFile = z.object({
  id: z.string(),
  number: z.string(),
  createdAt: instant,
  /** Email of the account. */
  createdBy: z.string(),
  accountName: z.string(),
  layoutName: z.string(),
  fileName: z.string(),
  serial: z.number(),
  valueOn: day,
  sha256: z.string(),
  lineCount: z.number(),
  amount: total,
  leftOutCount: z.number(),
  leftOutAmount: total,
  /** The numbers of the payments that its lines belong to. */
  payments: z.array(z.string()),
  /** How many lines are in each state now. */
  inFileCount: z.number(),
  executedCount: z.number(),
  failedCount: z.number(),
  returnedCount: z.number(),
});
export type BankFile = z.output<typeof bankFile>;

export const bankFileLine = z.object({
  lineNo: z.number(),
  batchId: z.string(),
  paymentNumber: z.string(),
  ownerId: z.string(),
  name: z.string(),
  accountNo: z.string(),
  ifsc: z.string(),
  amount: amountOut,
  route: z.enum(routes),
  reference: z.string(),
  state: z.enum(lineStates),
  utr: z.string(),
  eventOn: day.nullable(),
  reason: z.string(),
});

const batchIds = ids(50, 'Please choose at least one payment');
/** A line of a file with the payment's account; null: it was sent to that account. */
const sentLine = bankFileLine.extend({ insteadOf: z.object({ accountNo: z.string(), ifsc: z.string() }).nullable() });
export type SentLine = z.output<typeof sentLine>;

/** Payments and the screens of the bank show the state of lines, so a change of lines changes their data too. */
const touches = ['bank-files', 'bank-answers', 'payment-batches', 'accounting'] as const;

export const withdrawalInput = z.strictObject({
  reason: text(400, { required: 'Please enter a reason', lines: true }),
});

export const bankFiles = {
  check: endpoint('bank-files', 'POST /bank-files/check', {
    summary: 'What a bank file of these payments could hold: a line per owner, and what is to be known of it',
    body: z.strictObject({ batchIds, bankAccountId: id }),
    answer: z.object({
      data: z.object({
        account: bankAccount,
        lines: z.array(sendableLine),
        /** What the payments still pay: the sum of the lines. */
        amount: total,
        /** Today in Asia/Kolkata, and the serial number that this account's next file gets today. */
        fileOn: day,
        serial: z.number(),
      }),
    }),
    errors: ['INVALID_REFERENCE', 'NOT_FOUND'],
    reads: true,
  }),
  create: endpoint('bank-files', 'POST /bank-files', {
    summary: 'Make a bank file of these lines; whatever else the payments still pay is left out on purpose',
    body: z.strictObject({
      batchIds,
      bankAccountId: id,
      /** The key of a shipped layout, or the id of a layout of the business. */
      layoutId: text(50, { required: 'Please choose a layout' }),
      valueOn: day,
      lines: z
        .array(
          z.strictObject({
            batchId: id,
            ownerId: id,
            amount: signedAmount,
            route: z.enum(routes),
            /** Sends a line although the last transfer to its account failed, or its payment was imported as paid. */
            isConfirmed: z.boolean().default(false),
            /** Sends the line with the owner's details of today, which the user has seen to be these, in place of the payment's. */
            corrected: z.strictObject({ name: text(200), accountNo: text(20), ifsc: text(11) }).optional(),
          }),
        )
        .min(1, 'No line can be sent.')
        .max(20_000, 'must be at most 20000 at once'),
    }),
    answer: z.object({ data: bankFile }),
    status: 201,
    errors: ['INVALID_REFERENCE', 'NOT_FOUND', 'LINE_AT_BANK', 'SELECTION_CHANGED', 'INVALID_REQUEST'],
    touches,
    idempotent: true,
    bodyLimit: 4 * 1024 * 1024,
  }),
  list: endpoint('bank-files', 'GET /bank-files', {
    summary: 'List bank files, newest first',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(bankFile), pagination }),
  }),
  get: endpoint('bank-files', 'GET /bank-files/{id}', {
    summary: 'Get a bank file with a page of its lines',
    query: z.object(pageQuery),
    answer: z.object({ data: bankFile.extend({ lines: z.array(sentLine) }), pagination }),
  }),
  download: endpoint('bank-files', 'GET /bank-files/{id}/content', {
    summary: 'The file as it was made, the same bytes each time',
    answer: binary,
  }),
  withdraw: endpoint('bank-files', 'POST /bank-files/{id}/withdraw', {
    summary: 'Say that the bank will not execute the lines without an answer, so that they can be sent again',
    body: withdrawalInput,
    answer: z.object({ data: bankFile }),
    errors: ['SELECTION_CHANGED'],
    touches,
  }),
};
