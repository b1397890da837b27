import { z } from 'zod';
import { challanListFilters } from '../filters/challan-filters.ts';
import { formatCount } from '../calc/count-text.ts';
import { negativeOwners } from './negative-owners.ts';
import { challanFields, sentName, type InputShape, type SentName, type TypedField } from './challan-fields.ts';
import { columnsOfFile, sortByText, sortOrderText } from './challan-order.ts';
import { endpoint, workbook } from './define.ts';
import { filterBody, inRangeOrder } from './filters.ts';
import { documented, id, ids, signedTotal, total, trueOrFalse } from './scalars.ts';

/** The fields that can be set on many challans at once. Changing one of them never clears the HSD verification. */
export const bulkFields = [
  'tag',
  'depositedAt',
  'ratePerMT',
  'officeCharges',
  'loadingPlace',
  'unloadingPlace',
] as const satisfies readonly TypedField[];
export type BulkFieldName = (typeof bulkFields)[number];

/** How many challans a bulk change may have: it has to be done within the time limit of a call. */
export const mostBulkChallans = 20_000;
const inWords = formatCount(mostBulkChallans);
/** The message for a larger selection. It is refused as a whole: changing only a part of it would not be noticed. */
export const tooManyMessage = (count: number): string =>
  `${count > mostBulkChallans ? `More than ${inWords}` : formatCount(count)} challans are selected, but at most ${inWords} can be changed at once; narrow the filter.`;

const values = z
  .strictObject(
    // Safe: each of these fields can be sent, under this name and with this schema.
    Object.fromEntries(bulkFields.map((name) => [sentName(name), challanFields[name].input])) as Pick<
      InputShape,
      SentName<BulkFieldName>
    >,
  )
  .partial()
  .refine((given) => Object.values(given).some((value) => value !== undefined), 'must name a field to change')
  .register(documented, { minProperties: 1 });

/** What is done with the selection. */
export const bulkAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('set'), values }),
  z.strictObject({ kind: z.literal('paid'), value: trueOrFalse }),
  z.strictObject({ kind: z.literal('hsdVerified'), value: trueOrFalse }),
  /** Sets the TDS to 0 where a declaration of the owner is valid on the challan's day (docs/specification.md §27.7). */
  z.strictObject({ kind: z.literal('declared') }),
  z.strictObject({ kind: z.literal('delete') }),
]);
export type BulkAction = z.output<typeof bulkAction>;

const filters = inRangeOrder(z.strictObject(filterBody(challanListFilters)), challanListFilters);
const nothingChosen = 'Please select at least one challan';

/** Chosen challans, or all that match a filter less the exclusions. */
const bulkSelection = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('ids'), challanIds: ids(mostBulkChallans, nothingChosen) }),
  z.strictObject({
    by: z.literal('filter'),
    filters,
    excludeChallanIds: z.array(id).max(mostBulkChallans, `must be at most ${mostBulkChallans} at once`).default([]),
  }),
]);
export type BulkSelection = z.output<typeof bulkSelection>;

/** Challans that cannot be changed for the same reason. Only some of them are named. */
const refusedGroup = z.object({ reason: z.string(), count: z.number(), challanNumbers: z.array(z.string()) });
export const namedInGroup = 5;

const figures = {
  changedCount: z.number(),
  /** The net amount of the challans that change, before the change. */
  changedAmount: total,
  /** How much the change adds to that sum. A deleted challan keeps its net amount. */
  netChange: total,
  /** Paid challans, which stay as they are. */
  paidCount: z.number(),
  /** Challans that have the wanted value already. */
  sameCount: z.number(),
  refused: z.array(refusedGroup),
};

/** What the action would do to the selection as it is now. */
export const bulkPreview = z.object({
  count: z.number(),
  totalAmount: total,
  ...figures,
  /** Chosen challans that no longer exist. */
  goneCount: z.number(),
  /** For a payment: the owners that are left out because their sum is negative, and what is deducted from the others. */
  ...negativeOwners,
  deductedAmount: total,
  /** For a payment: why a second person has to release it; null: the caller may make it. */
  needsRelease: z.string().nullable(),
  /** A hash over the ids and versions of all challans in the selection. */
  fingerprint: z.string(),
});
export type BulkPreview = z.output<typeof bulkPreview>;

/** The batch that an undo takes back. */
export const undoableBatch = z.object({ id: z.string(), number: z.string() }).nullable();

const bulkResult = z.object({
  ...figures,
  /** The batch that can be undone; null where nothing was changed, and for a payment. */
  batch: undoableBatch,
  payment: z.object({ batchId: z.string(), number: z.string(), totalAmount: total }).nullable(),
});
export type BulkResult = z.output<typeof bulkResult>;

const asked = { selection: bulkSelection, act: bulkAction };
const bodyLimit = 4 * 1024 * 1024;

export const challansBulk = {
  previewMany: endpoint('challans', 'POST /challans/selection/preview', {
    summary: 'What a change of many challans would do: how many change, by how much, and which stay as they are',
    reads: true,
    body: z.strictObject(asked),
    answer: z.object({ data: bulkPreview }),
    errors: ['INVALID_REFERENCE'],
    bodyLimit,
  }),
  changeMany: endpoint('challans', 'POST /challans/selection/change', {
    summary: 'Change many challans in one act: pay, verify, set a field, delete',
    body: z.strictObject({
      ...asked,
      /** The figures of the preview; when they are no longer true, the change is refused. */
      expected: z
        .strictObject({ count: z.number().int().min(0), totalAmount: signedTotal, fingerprint: z.string().max(64) })
        .optional(),
    }),
    answer: z.object({ data: bulkResult }),
    errors: ['NOT_FOUND', 'NO_MATCHING_CHALLANS', 'INVALID_REFERENCE', 'SELECTION_CHANGED', 'LINE_AT_BANK', 'CARRIED'],
    touches: [
      'challans',
      'bank-statement',
      'accounting',
      'dashboard',
      'tags',
      'payment-batches',
      'batches',
      'hsd-verification',
    ],
    idempotent: true,
    bodyLimit,
  }),
  exportMany: endpoint('challans', 'POST /challans/selection/export', {
    summary: 'The challans of a selection as an Excel workbook, with the columns and in the order of a screen',
    reads: true,
    body: z.strictObject({
      selection: bulkSelection,
      columns: columnsOfFile.optional(),
      sortBy: sortByText.optional(),
      sortOrder: sortOrderText.optional(),
    }),
    answer: workbook,
    bodyLimit,
  }),
};
