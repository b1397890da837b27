import { z } from 'zod';
import { dashboardFilters, ownerChallanFilters } from '../filters/challan-filters.ts';
import { columnsOfFile, orderQuery, sortByText, sortOrderText } from './challan-order.ts';
import { challan } from './challan.ts';
import { endpoint, file, workbook } from './define.ts';
import { filterAnswer, filterQuery, inRangeOrder, nullableFilterBody } from './filters.ts';
import { amountOut, inOrder, instant, pageQuery, pagination, requiredId, text, total } from './scalars.ts';

/** The messages of docs/specification.md §9.2, which the screen shows before it asks the server. */
const ownerId = requiredId('Owner ID is required', 'Invalid owner ID format');

/** Sums of one owner's challans over the whole filter. */
export const ownerSummary = z.object({
  totalCount: z.number(),
  totalPayableAmount: total,
  totalPaidAmount: total,
  totalUnpaidAmount: total,
  totalTds: total,
  paidCount: z.number(),
  unpaidCount: z.number(),
});
export type OwnerSummary = z.output<typeof ownerSummary>;

const ownerQuery = { ownerId, ...filterQuery(ownerChallanFilters) };

/** The filters as the server read them. */
export const understoodFilters = z.object({
  ownerId: z.string(),
  ...filterAnswer(ownerChallanFilters),
  sortBy: sortByText,
  sortOrder: sortOrderText,
});

const { depositedStartDate, depositedEndDate, ...reportFilters } = nullableFilterBody(ownerChallanFilters);

/**
 * Of the CSV and the WhatsApp report (docs/specification.md §14.12): null is "no filter"; start and end mean the
 * deposited date.
 */
export const ownerReportInput = z.strictObject({
  ownerId,
  filters: z
    .strictObject({
      ...reportFilters,
      startDate: depositedStartDate,
      endDate: depositedEndDate,
      sortBy: sortByText.optional(),
      sortOrder: sortOrderText.optional(),
    })
    .refine(...inOrder('startDate', 'endDate')),
  requestMetadata: z.strictObject({ timestamp: text(50).optional(), userAgent: text(1000).optional() }).optional(),
});
export type OwnerReportInput = z.output<typeof ownerReportInput>;
const ownerFileInput = ownerReportInput.extend({ columns: columnsOfFile.optional() });

/**
 * One tag's figures; tagId null: challans without a tag (docs/specification.md §4.2). Shares and percent have two
 * decimals.
 */
export const tagFigures = z.object({
  tagId: z.string().nullable(),
  tagName: z.string(),
  color: z.string(),
  challanCount: z.number(),
  challanShare: amountOut,
  totalAmount: total,
  amountShare: amountOut,
  paidCount: z.number(),
  unpaidCount: z.number(),
  paidAmount: total,
  unpaidAmount: total,
  paidPercent: amountOut,
  averageValue: amountOut,
  loadingWeight: total,
  unloadingWeight: total,
  differenceWeight: total,
});
export type TagFigures = z.output<typeof tagFigures>;

/** The same figures over all tags of the answer: each row's shares are of these. */
export const tagTotals = tagFigures.omit({
  tagId: true,
  tagName: true,
  color: true,
  challanShare: true,
  amountShare: true,
});
export type TagTotals = z.output<typeof tagTotals>;

export const tagAnalytics = z.object({
  summary: z.object({
    totalTags: z.number(),
    totalChallans: z.number(),
    totalAmount: total,
    dateRange: z.object({ startDate: z.string().nullable(), endDate: z.string().nullable() }).nullable(),
  }),
  tagAnalytics: z.object({ tagBreakdown: z.array(tagFigures) }),
  totals: tagTotals,
  generatedAt: instant,
});
export type TagAnalytics = z.output<typeof tagAnalytics>;

const dashboardShape = filterQuery(dashboardFilters);

/** Of the dashboard's calls, where start and end mean the deposited date. */
export const dashboardQuery = z
  .object({
    startDate: dashboardShape.depositedStartDate,
    endDate: dashboardShape.depositedEndDate,
    tagId: dashboardShape.tagId,
  })
  .refine(...inOrder('startDate', 'endDate'));

const roles = ['subadmin'] as const;

export const accounting = {
  listOwnerChallans: endpoint('accounting', {
    method: 'GET',
    path: '/accounting/owner/challans',
    summary: "List an owner's challans with their sums",
    roles,
    query: inRangeOrder(z.object({ ...ownerQuery, ...pageQuery, ...orderQuery }), ownerChallanFilters),
    answer: z.object({
      data: z.array(challan),
      meta: z.object({ summary: ownerSummary, filters: understoodFilters }),
      pagination,
    }),
    errors: ['NOT_FOUND'],
  }),
  getOwnerSummary: endpoint('accounting', {
    method: 'GET',
    path: '/accounting/owner/challans/summary',
    summary: "Sums of an owner's challans",
    roles,
    query: inRangeOrder(z.object(ownerQuery), ownerChallanFilters),
    answer: z.object({ data: ownerSummary }),
    errors: ['NOT_FOUND'],
  }),
  exportCsv: endpoint('accounting', {
    method: 'POST',
    path: '/accounting/export-owner-challans-csv',
    summary: "An owner's challans as a CSV file; with columns named, as the table shows them",
    roles,
    reads: true,
    body: ownerFileInput,
    answer: file,
    errors: ['NOT_FOUND'],
  }),
  exportXlsx: endpoint('accounting', {
    method: 'POST',
    path: '/accounting/export-owner-challans-xlsx',
    summary: 'The same as an Excel workbook',
    roles,
    reads: true,
    body: ownerFileInput,
    answer: workbook,
    errors: ['NOT_FOUND'],
  }),
  shareOnWhatsapp: endpoint('accounting', {
    method: 'POST',
    path: '/accounting/generate-whatsapp-csv',
    summary: "A WhatsApp message with an owner's totals and a link to the frozen file",
    roles,
    body: ownerReportInput,
    answer: z.object({
      data: z.object({ whatsappUrl: z.string(), ownerName: z.string(), recordCount: z.number() }),
    }),
    errors: ['NO_DATA_FOUND', 'INVALID_REQUEST'],
    touches: ['shared-reports', 'history'],
  }),
  getTagAnalytics: endpoint('dashboard', {
    method: 'GET',
    path: '/accounting/tag-analytics',
    summary: 'Challans, amounts and weights by tag',
    roles,
    query: dashboardQuery,
    answer: z.object({ data: tagAnalytics }),
  }),
};
