import { z } from 'zod';
import { bankLineFilters } from '../filters/bank-line-filters.ts';
import { statementFields } from '../reading/statement-fields.ts';
import { bankFileLine } from './bank-files.ts';
import { endpoint } from './define.ts';
import { filterQuery, inRangeOrder } from './filters.ts';
import { amountOut, day, decimal, id, ids, instant, pageQuery, pagination, sortQuery, text, total } from './scalars.ts';

/** The bank's answers to the lines of bank files (docs/specification.md §25). */

const outcomes = ['executed', 'failed', 'returned', 'known'] as const;
export type Outcome = (typeof outcomes)[number];
const answerSources = ['reverse file', 'paste', 'statement'] as const;
export type AnswerSource = (typeof answerSources)[number];

export const bankLineSorts = ['sentOn', 'amount', 'name', 'reference', 'state'] as const;

/** A line of a bank file with the bank's answer, if there is one. */
const bankLine = bankFileLine.omit({ ifsc: true }).extend({
  /** Made of the bank file and the line's number in it. */
  id: z.string(),
  fileId: z.string(),
  fileNumber: z.string(),
  accountName: z.string(),
  sentOn: day,
  /** Whole days since then, in Asia/Kolkata. */
  days: z.number(),
  /** Where the answer came from; '' while there is none. */
  source: z.string(),
});
export type BankLineAtBank = z.output<typeof bankLine>;

const statementLine = z.object({
  id: z.string(),
  day,
  narration: z.string(),
  reference: z.string(),
  side: z.enum(['out', 'in']),
  amount: amountOut,
  balance: amountOut.nullable(),
});
export type AccountLine = z.output<typeof statementLine>;

const candidate = z.object({
  line: bankLine,
  /** Why it may be this line: 'Our reference PAY2627000444-07 and amount'. */
  why: z.string(),
});

/** What a line of the bank's answer may mean: a match that the program would accept, or several that a person chooses from. */
const proposal = z.object({
  /** The line of the account's statement; null for a reverse file and for pasted rows. */
  statementLine: statementLine.nullable(),
  /** The row of the reverse file or of what was pasted, from 1; null for a statement. */
  row: z.number().nullable(),
  outcome: z.enum(outcomes),
  isSure: z.boolean(),
  utr: z.string(),
  day: day.nullable(),
  /** As the bank says it; null where its file has none. */
  amount: amountOut.nullable(),
  reason: z.string(),
  /** The best one first; empty: it is about no payment of ours, or about one that was answered already. */
  candidates: z.array(candidate),
  /** The line that was answered already, so that there is nothing to accept. */
  answered: bankLine.nullable(),
  /** Whether the row says something else than the answer that the line has, so that a person looks at it. */
  isOtherwise: z.boolean(),
  /** Which answer it has: 'Answered already: executed on 21/04/2026 (Answer 2627-000012)'; '' without one. */
  note: z.string(),
});
export type Proposal = z.output<typeof proposal>;

const counts = z.object({
  sure: z.number(),
  choices: z.number(),
  /**
   * About no payment of ours, or otherwise than it was answered. So is a line of a statement whose payment failed or was
   * returned: it has to be set aside.
   */
  others: z.number(),
  /** Rows of a reverse file, and pasted ones, that were answered already. */
  answered: z.number(),
});
export type ProposalCounts = z.output<typeof counts>;

const answer = z.object({
  id: z.string(),
  /** 'Answer 2627-000012' */
  number: z.string(),
  source: z.enum(answerSources),
  fileName: z.string(),
  createdAt: instant,
  createdBy: z.string(),
  lineCount: z.number(),
  executedCount: z.number(),
  failedCount: z.number(),
  returnedCount: z.number(),
  knownCount: z.number(),
  undoneCount: z.number(),
  /** The challans that became unpaid because their lines failed or were returned, and their sum. */
  unpaidCount: z.number(),
  unpaidAmount: total,
});
export type BankAnswer = z.output<typeof answer>;

const money = [
  'bank-answers',
  'bank-files',
  'challans',
  'bank-statement',
  'payment-batches',
  'accounting',
  'dashboard',
  'tags',
] as const;

const mostAnswers = 5_000;
const reference = text(100);

/** One row of the bank's answer, as the client read it from the file. */
const answerRow = z.strictObject({
  row: z.number().int().min(1),
  reference,
  accountNo: text(40),
  /** '' where the file has none. */
  amount: z.union([z.literal(''), decimal()]),
  utr: text(40),
  day: z.union([z.literal(''), day]),
  state: z.enum(['executed', 'failed', 'returned']),
  reason: text(200),
  /** Why the row is not sure, as the client found it when it read the file. */
  doubt: text(200).optional(),
});

const answerItem = z.strictObject({
  fileId: id,
  lineNo: z.number().int().min(1),
  outcome: z.enum(outcomes),
  utr: text(40),
  day: day.nullable(),
  reason: text(300),
  statementLineId: id.nullable(),
});
export type AnswerItem = z.output<typeof answerItem>;

const statementLineIds = ids(mostAnswers, 'Please choose at least one line');

export const bankAnswers = {
  listLines: endpoint('bank-answers', 'GET /bank-answers/lines', {
    summary: 'What was sent to the bank, by state and age; usually what has no answer',
    query: inRangeOrder(
      z.object({
        ...pageQuery,
        ...filterQuery(bankLineFilters),
        ...sortQuery(bankLineSorts, 'sentOn', 'asc'),
      }),
      bankLineFilters,
    ),
    answer: z.object({
      data: z.array(bankLine),
      /** The sums of the whole filter. */
      totals: z.object({ lines: z.number(), amount: total }),
      pagination,
    }),
  }),
  preview: endpoint('bank-answers', 'POST /bank-answers/preview', {
    summary: 'Which lines a reverse file or pasted rows answer; nothing is changed',
    body: z.strictObject({
      rows: z
        .array(answerRow)
        .min(1, 'There is no row to compare')
        .max(mostAnswers, `must be at most ${mostAnswers} at once`),
    }),
    answer: z.object({ data: z.array(proposal), counts }),
    reads: true,
    bodyLimit: 4 * 1024 * 1024,
  }),
  importStatement: endpoint('bank-answers', 'POST /bank-answers/statements', {
    summary: "Keep the lines of an account's statement; lines that are there already are not added again",
    body: z.strictObject({
      bankAccountId: id,
      fileName: text(200, { required: 'must be given' }),
      /** The whole sheet, with its titles and totals. */
      rows: z
        .array(z.array(z.string().max(2_000)).max(100))
        .min(1, 'The file has no rows')
        .max(12_000),
      /** The columns as a person chose them; without them they are recognised by their headings. */
      mapping: z
        .strictObject({
          columns: z.array(z.enum(statementFields).nullable()).max(100),
          /** The index of the first row below the headings; 0: the table has none. */
          firstRow: z.number().int().min(0).max(12_000),
        })
        .optional(),
    }),
    answer: z.object({
      data: z.object({ lineCount: z.number(), newCount: z.number(), badCount: z.number() }),
    }),
    errors: ['INVALID_REFERENCE', 'INVALID_FILE'],
    bodyLimit: 8 * 1024 * 1024,
  }),
  proposals: endpoint('bank-answers', 'GET /bank-answers/proposals', {
    summary:
      "Lines of an account's statements that are open, with the payments they may be: sure ones, choices, others",
    query: z.object({ bankAccountId: id }),
    answer: z.object({
      /** At most 2,000, the sure ones first. */
      data: z.array(proposal),
      counts,
    }),
    errors: ['NOT_FOUND'],
  }),
  listStatementLines: endpoint('bank-answers', 'GET /bank-answers/statement-lines', {
    summary: "Lines of an account's statements that were set aside, newest first",
    query: z.object({ ...pageQuery, bankAccountId: id }),
    answer: z.object({
      data: z.array(statementLine.extend({ note: z.string(), setAsideAt: instant, setAsideBy: z.string() })),
      pagination,
    }),
  }),
  setAside: endpoint('bank-answers', 'POST /bank-answers/statement-lines/set-aside', {
    summary: 'Set aside lines of a statement that belong to no payment of ours',
    body: z.strictObject({ ids: statementLineIds, note: text(200, { required: 'Please enter a note' }) }),
    answer: z.object({ data: z.object({ count: z.number() }) }),
    errors: ['NOT_FOUND', 'LINE_ANSWERED'],
    bodyLimit: 512 * 1024,
  }),
  takeBack: endpoint('bank-answers', 'POST /bank-answers/statement-lines/take-back', {
    summary: 'Open lines of a statement again that were set aside',
    body: z.strictObject({ ids: statementLineIds }),
    answer: z.object({ data: z.object({ count: z.number() }) }),
    errors: ['NOT_FOUND', 'LINE_ANSWERED'],
    bodyLimit: 512 * 1024,
  }),
  accept: endpoint('bank-answers', 'POST /bank-answers', {
    summary: 'Accept answers, all or nothing; the challans of failed and returned lines become unpaid',
    body: z.strictObject({
      source: z.enum(answerSources),
      fileName: text(200),
      items: z
        .array(answerItem)
        .min(1, 'Please choose at least one line')
        .max(mostAnswers, `must be at most ${mostAnswers} at once`),
    }),
    answer: z.object({ data: answer }),
    status: 201,
    errors: ['NOT_FOUND', 'LINE_ANSWERED'],
    touches: money,
    idempotent: true,
    bodyLimit: 4 * 1024 * 1024,
  }),
  list: endpoint('bank-answers', 'GET /bank-answers', {
    summary: 'List what was accepted, newest first',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(answer), pagination }),
  }),
  undo: endpoint('bank-answers', 'POST /bank-answers/{id}/undo', {
    summary: 'Take back what was accepted, where nobody has changed it since',
    answer: z.object({
      data: answer.extend({
        undone: z.number(),
        /** The payments that pay the challans of failed and returned lines again: usually one, at most one line each of an owner. */
        payments: z.array(z.object({ id: z.string(), number: z.string(), amount: total })),
        left: z.array(z.object({ reference: z.string(), name: z.string(), reason: z.string() })),
      }),
    }),
    errors: ['ALREADY_UNDONE'],
    touches: money,
    idempotent: true,
  }),
};
