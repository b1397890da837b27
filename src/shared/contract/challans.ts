import { z } from 'zod';
import { challanListFilters } from '../filters/challan-filters.ts';
import { columnsOfFile, fieldsText, orderQuery, sortByText, sortOrderText } from './challan-order.ts';
import { challan, challanReference, challanSummary, challanWarning, listedChallan } from './challan.ts';
import { challanChange, challanInput } from './challan-input.ts';
import { challansBulk, undoableBatch } from './challans-bulk.ts';
import { endpoint, filePair } from './define.ts';
import { filterBody, filterQuery, inRangeOrder } from './filters.ts';
import {
  amountOut,
  dayOrInstant,
  holdInput,
  idQuery,
  message,
  optionalQuery,
  pageQuery,
  pagination,
  searchTerm,
  textQuery,
  trueOrFalse,
} from './scalars.ts';

/** GET /challans; startDate and endDate are days of the loading date. */
const listShape = { ...pageQuery, ...orderQuery, ...filterQuery(challanListFilters) };
const challanListQuery = inRangeOrder(z.object(listShape), challanListFilters);

/** The filters of the export. They are in a body, so booleans are booleans and an absent key means no filter. */
const challanExportFilters = inRangeOrder(z.strictObject(filterBody(challanListFilters)), challanListFilters);

/** The resources whose data count or sum challans. */
export const everySum = ['challans', 'bank-statement', 'accounting', 'dashboard', 'tags'] as const;

/** Columns and order of the screen; without columns the file has its own (docs/specification.md §13.2). */
const exportBody = z.strictObject({
  filters: challanExportFilters,
  columns: columnsOfFile.optional(),
  sortBy: sortByText.optional(),
  sortOrder: sortOrderText.optional(),
});

const one = z.object({ data: challan });
const saved = one.extend({ warnings: z.array(challanWarning) });

export const challans = {
  list: endpoint('challans', 'GET /challans', {
    summary: 'List challans with the sums of the whole filter',
    query: challanListQuery,
    answer: z.object({ data: z.array(challan), pagination, summary: challanSummary }),
  }),
  // Before `listFields`, because it takes `fields` too.
  listRows: endpoint('challans', 'GET /challans', {
    whenGiven: 'totals',
    summary: 'With `totals=later` the rows do not wait for sums that must be counted, which are null then',
    query: inRangeOrder(
      z.object({ ...listShape, fields: optionalQuery(fieldsText), totals: z.literal('later') }),
      challanListFilters,
    ),
    answer: z.object({
      data: z.array(listedChallan),
      /** True where the rest is null: the server looked no further. */
      hasNext: z.boolean(),
      pagination: pagination.nullable(),
      summary: challanSummary.nullable(),
    }),
  }),
  listFields: endpoint('challans', 'GET /challans', {
    whenGiven: 'fields',
    summary: 'With `fields` each challan has only those, and the ones that every list has',
    query: inRangeOrder(z.object({ ...listShape, fields: fieldsText }), challanListFilters),
    answer: z.object({ data: z.array(listedChallan), pagination, summary: challanSummary }),
  }),
  getSums: endpoint('challans', 'GET /challans/sums', {
    summary: 'The sums of the challans of a filter',
    query: inRangeOrder(z.object(filterQuery(challanListFilters)), challanListFilters),
    answer: z.object({ data: challanSummary }),
    stopsWithClient: true,
  }),
  get: endpoint('challans', 'GET /challans/{id}', {
    summary: 'Get a challan',
    answer: one,
  }),
  findByNumber: endpoint('challans', 'GET /challans/by-number', {
    summary: 'Challans by their number, whole or without its beginning',
    query: z.object({ q: searchTerm }),
    answer: z.object({ data: z.array(challanReference) }),
    errors: ['VALIDATION_ERROR'],
  }),
  findDuplicates: endpoint('challans', 'GET /challans/duplicates', {
    summary: 'Other challans with the same TP number, or the same vehicle on the same loading day',
    query: z.object({
      tpNo: textQuery,
      vehicleNo: textQuery,
      loadingDate: optionalQuery(dayOrInstant()),
      excludeId: idQuery,
    }),
    answer: z.object({
      data: z.object({ sameTp: z.array(challanReference), sameTrip: z.array(challanReference) }),
    }),
  }),
  findLastRate: endpoint('challans', 'GET /challans/last-rate', {
    summary: 'The rate per MT of the last challan from one place to another; null where there is none',
    query: z.object({ loadingPlace: textQuery, unloadingPlace: textQuery, excludeId: idQuery }),
    answer: z.object({ data: z.object({ ratePerMT: amountOut }).nullable() }),
  }),
  create: endpoint('challans', 'POST /challans', {
    summary: 'Create a challan',
    body: challanInput,
    answer: saved,
    status: 201,
    errors: ['INVALID_REFERENCE', 'AMOUNT_MISMATCH', 'ON_HOLD', 'PERIOD_LOCKED'],
    touches: [...everySum, 'payment-batches'],
    idempotent: true,
  }),
  update: endpoint('challans', 'PUT /challans/{id}', {
    summary: 'Change a challan, or toggle its payment status',
    body: challanChange,
    answer: saved,
    errors: ['INVALID_REFERENCE', 'AMOUNT_MISMATCH', 'ON_HOLD', 'LINE_AT_BANK', 'CARRIED', 'PERIOD_LOCKED'],
    touches: [...everySum, 'payment-batches'],
  }),
  remove: endpoint('challans', 'DELETE /challans/{id}', {
    summary: 'Delete a challan that is not paid',
    answer: message.extend({ data: z.object({ batch: undoableBatch }) }),
    errors: ['CHALLAN_PAID', 'PERIOD_LOCKED'],
    touches: [...everySum, 'batches'],
  }),
  setHsdVerified: endpoint('challans', 'PUT /challans/hsd-verification/{id}', {
    summary: 'Mark the HSD of a challan as verified or not',
    body: z.strictObject({ hsdVerified: trueOrFalse }),
    answer: one,
    errors: ['NO_PETROL_PUMP'],
    touches: ['challans', 'accounting', 'hsd-verification'],
  }),
  setHold: endpoint('challans', 'PUT /challans/{id}/hold', {
    summary: 'Put an unpaid challan on hold with a reason, or take it off with an empty one',
    right: 'pay',
    body: holdInput,
    answer: one,
    errors: ['CHALLAN_PAID'],
    touches: ['challans', 'bank-statement', 'accounting'],
  }),
  ...filePair('challans', 'POST /challans/export-filtered-csv', {
    mayLag: true,
    summary: 'Every challan of a filter as a CSV file; with columns named, as a table shows them',
    reads: true,
    body: exportBody,
  }),
  ...challansBulk,
};
