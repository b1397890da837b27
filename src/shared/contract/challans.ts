import { z } from 'zod';
import { challanFileFilters, challanListFilters } from '../filters/challan-filters.ts';
import { columnsOfFile, fieldsText, orderQuery, sortByText, sortOrderText } from './challan-order.ts';
import { challan, challanReference, challanSummary, challanWarning, listedChallan } from './challan.ts';
import { challanChange, challanInput } from './challan-input.ts';
import { sheetCheck, sheetCheckInput, sheetInput, sheetResult, sheetWarning } from './challan-sheet.ts';
import { challansBulk, undoableBatch } from './challans-bulk.ts';
import { endpoint, file, workbook } from './define.ts';
import { filterBody, filterQuery, inRangeOrder } from './filters.ts';
import {
  amountOut,
  dayOrInstant,
  holdInput,
  idParams,
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
const challanExportFilters = inRangeOrder(z.strictObject(filterBody(challanFileFilters)), challanFileFilters);

/** The resources whose data count or sum challans. */
const everySum = ['challans', 'bank-statement', 'accounting', 'dashboard', 'tags'] as const;

/** Enough for 1,000 rows with long texts. */
const sheetBytes = 4 * 1024 * 1024;

/** Columns and order of the screen; without columns the file has its own (docs/specification.md §13.2). */
const exportBody = z.strictObject({
  filters: challanExportFilters,
  columns: columnsOfFile.optional(),
  sortBy: sortByText.optional(),
  sortOrder: sortOrderText.optional(),
});

const roles = ['subadmin'] as const;
const one = z.object({ data: challan });
const saved = one.extend({ warnings: z.array(challanWarning) });

export const challans = {
  list: endpoint('challans', {
    method: 'GET',
    path: '/challans',
    summary: 'List challans with the sums of the whole filter',
    roles,
    query: challanListQuery,
    answer: z.object({ data: z.array(challan), pagination, summary: challanSummary }),
  }),
  // Before `listFields`, because it takes `fields` too.
  listRows: endpoint('challans', {
    method: 'GET',
    path: '/challans',
    whenGiven: 'totals',
    summary: 'With `totals=later` the rows do not wait for sums that must be counted, which are null then',
    roles,
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
  listFields: endpoint('challans', {
    method: 'GET',
    path: '/challans',
    whenGiven: 'fields',
    summary: 'With `fields` each challan has only those, and the ones that every list has',
    roles,
    query: inRangeOrder(z.object({ ...listShape, fields: fieldsText }), challanListFilters),
    answer: z.object({ data: z.array(listedChallan), pagination, summary: challanSummary }),
  }),
  getSums: endpoint('challans', {
    method: 'GET',
    path: '/challans/sums',
    summary: 'The sums of the challans of a filter',
    roles,
    query: inRangeOrder(z.object(filterQuery(challanListFilters)), challanListFilters),
    answer: z.object({ data: challanSummary }),
    stopsWithClient: true,
  }),
  get: endpoint('challans', {
    method: 'GET',
    path: '/challans/{id}',
    summary: 'Get a challan',
    roles,
    params: idParams,
    answer: one,
  }),
  findByNumber: endpoint('challans', {
    method: 'GET',
    path: '/challans/by-number',
    summary: 'Challans by their number, whole or without its beginning',
    roles,
    query: z.object({ q: searchTerm }),
    answer: z.object({ data: z.array(challanReference) }),
    errors: ['VALIDATION_ERROR'],
  }),
  findDuplicates: endpoint('challans', {
    method: 'GET',
    path: '/challans/duplicates',
    summary: 'Other challans with the same TP number, or the same vehicle on the same loading day',
    roles,
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
  findLastRate: endpoint('challans', {
    method: 'GET',
    path: '/challans/last-rate',
    summary: 'The rate per MT of the last challan from one place to another; null where there is none',
    roles,
    query: z.object({ loadingPlace: textQuery, unloadingPlace: textQuery, excludeId: idQuery }),
    answer: z.object({ data: z.object({ ratePerMT: amountOut }).nullable() }),
  }),
  create: endpoint('challans', {
    method: 'POST',
    path: '/challans',
    summary: 'Create a challan',
    roles,
    body: challanInput,
    answer: saved,
    status: 201,
    errors: ['INVALID_REFERENCE', 'AMOUNT_MISMATCH', 'ON_HOLD', 'PERIOD_LOCKED'],
    touches: [...everySum, 'payment-batches'],
    idempotent: true,
  }),
  checkSheet: endpoint('challans', {
    method: 'POST',
    path: '/challans/sheet/check',
    summary: 'Look up what the rows of an entry sheet name, and stored challans that may be the same trips',
    roles,
    body: sheetCheckInput,
    answer: z.object({ data: sheetCheck }),
    reads: true,
    bodyLimit: sheetBytes,
  }),
  createMany: endpoint('challans', {
    method: 'POST',
    path: '/challans/sheet',
    summary: 'Create the challans of an entry sheet in one batch: all of them, or the right ones',
    roles,
    body: sheetInput,
    answer: z.object({ data: sheetResult, warnings: z.array(sheetWarning) }),
    status: 201,
    errors: ['ROWS_REFUSED'],
    touches: [...everySum, 'payment-batches', 'batches'],
    idempotent: true,
    bodyLimit: sheetBytes,
  }),
  update: endpoint('challans', {
    method: 'PUT',
    path: '/challans/{id}',
    summary: 'Change a challan, or toggle its payment status',
    roles,
    params: idParams,
    body: challanChange,
    answer: saved,
    errors: ['INVALID_REFERENCE', 'AMOUNT_MISMATCH', 'ON_HOLD', 'LINE_AT_BANK', 'CARRIED', 'PERIOD_LOCKED'],
    touches: [...everySum, 'payment-batches'],
  }),
  remove: endpoint('challans', {
    method: 'DELETE',
    path: '/challans/{id}',
    summary: 'Delete a challan that is not paid',
    roles,
    params: idParams,
    answer: message.extend({ data: z.object({ batch: undoableBatch }) }),
    errors: ['CHALLAN_PAID', 'PERIOD_LOCKED'],
    touches: [...everySum, 'batches'],
  }),
  setHsdVerified: endpoint('challans', {
    method: 'PUT',
    path: '/challans/hsd-verification/{id}',
    summary: 'Mark the HSD of a challan as verified or not',
    roles,
    params: idParams,
    body: z.strictObject({ hsdVerified: trueOrFalse }),
    answer: one,
    errors: ['NO_PETROL_PUMP'],
    touches: ['challans', 'accounting', 'hsd-verification'],
  }),
  setHold: endpoint('challans', {
    method: 'PUT',
    path: '/challans/{id}/hold',
    summary: 'Put an unpaid challan on hold with a reason, or take it off with an empty one',
    roles,
    right: 'pay',
    params: idParams,
    body: holdInput,
    answer: one,
    errors: ['CHALLAN_PAID'],
    touches: ['challans', 'bank-statement', 'accounting'],
  }),
  exportCsv: endpoint('challans', {
    method: 'POST',
    path: '/challans/export-filtered-csv',
    mayLag: true,
    summary: 'Every challan of a filter as a CSV file; with columns named, as a table shows them',
    roles,
    reads: true,
    body: exportBody,
    answer: file,
  }),
  exportXlsx: endpoint('challans', {
    method: 'POST',
    path: '/challans/export-filtered-xlsx',
    mayLag: true,
    summary: 'The same as an Excel workbook',
    roles,
    reads: true,
    body: exportBody,
    answer: workbook,
  }),
  ...challansBulk,
};
