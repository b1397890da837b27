import { z } from 'zod';
import { endpoint } from './define.ts';
import { instant, optionalQuery, pageQuery, pagination, total } from './scalars.ts';

/** A batch is one act that wrote many records: an entry sheet, a bulk change, or an import (docs/specification.md §20). */
const batchKinds = ['sheet', 'change', 'import'] as const;
export type BatchKind = (typeof batchKinds)[number];

/** The kinds of records that a batch may have written. An opening balance is named by the id of its owner. */
export const batchRecords = [
  'challan',
  'owner',
  'truck',
  'tag',
  'petrol-pump',
  'opening-balance',
  'declaration',
] as const;
export type BatchRecord = (typeof batchRecords)[number];

export const batch = z.object({
  id: z.string(),
  kind: z.enum(batchKinds),
  /** 'Sheet 2627-000012' */
  number: z.string(),
  /** What the batch wrote, in words: '214 challans'. */
  title: z.string(),
  amount: total,
  lineCount: z.number(),
  createdAt: instant,
  /** Email of the account. */
  createdBy: z.string(),
  undoneAt: instant.nullable(),
  undoneBy: z.string().nullable(),
  /** How many of its records the undo reverted. */
  undoneCount: z.number(),
  /** Further facts of its kind, by name: an import keeps its file. */
  facts: z.record(z.string(), z.string()),
});
export type Batch = z.output<typeof batch>;

/** A record of a batch. Its name is what a sentence calls it: a challan's number, an owner's name. */
const batchLine = z.object({
  record: z.enum(batchRecords),
  id: z.string(),
  name: z.string(),
  /** true: the batch created it; false: the batch changed it. */
  isCreated: z.boolean(),
});
export type BatchLine = z.output<typeof batchLine>;

/** A record that an undo left as it is, and why. */
const leftRecord = batchLine.pick({ record: true, id: true, name: true }).extend({ reason: z.string() });
export type LeftRecord = z.output<typeof leftRecord>;

export const batches = {
  list: endpoint('batches', 'GET /batches', {
    summary: 'List what was done to many records at once, newest first',
    query: z.object({ ...pageQuery, kind: optionalQuery(z.enum(batchKinds)) }),
    answer: z.object({ data: z.array(batch), pagination }),
  }),
  get: endpoint('batches', 'GET /batches/{id}', {
    summary: 'Get a batch with a page of its records',
    query: z.object(pageQuery),
    answer: z.object({ data: batch.extend({ lines: z.array(batchLine) }), pagination }),
  }),
  undo: endpoint('batches', 'POST /batches/{id}/undo', {
    summary: 'Take back what a batch wrote and nobody has changed since',
    answer: z.object({
      data: batch.extend({
        /** How many records this call reverted. */
        undone: z.number(),
        leftCount: z.number(),
        /** The first 1,000 of them. */
        left: z.array(leftRecord),
      }),
    }),
    errors: ['ALREADY_UNDONE'],
    touches: [
      'batches',
      'challans',
      'bank-statement',
      'payment-batches',
      'prepared-payments',
      'accounting',
      'dashboard',
      'hsd-verification',
      'owners',
      'trucks',
      'tags',
      'petrol-pumps',
      'shared-reports',
      'owner-statements',
      'declarations',
    ],
    idempotent: true,
  }),
};
