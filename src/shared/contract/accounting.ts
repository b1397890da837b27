import { z } from 'zod';
import { dashboardFilters, ownerChallanFilters } from '../filters/challan-filters.ts';
import { columnsOfFile, orderQuery, sortByText, sortOrderText } from './challan-order.ts';
import { challan } from './challan.ts';
import { endpoint, filePair } from './define.ts';
import { dayQuery, filterAnswer, filterQuery, inRangeOrder, nullableFilterBody } from './filters.ts';
import { lineStates } from '../bank/lines.ts';
import { owner, ownerSortKeys } from './owners.ts';
import {
  amountOut,
  chosenSortQuery,
  day,
  inOrder,
  instant,
  pageQuery,
  pagination,
  requiredId,
  text,
  textQuery,
  total,
} from './scalars.ts';

/** The screen shows these messages before it calls the server (docs/specification.md §9.2). */
const ownerId = requiredId('Owner ID is required', 'Invalid owner ID format');

/** The sums of one owner's challans: of the whole filter, not of a page. */
const ownerSummary = z.object({
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

/** The filters as the server understood them. */
export const understoodFilters = z.object({
  ownerId: z.string(),
  ...filterAnswer(ownerChallanFilters),
  sortBy: sortByText,
  sortOrder: sortOrderText,
});

const { depositedStartDate, depositedEndDate, ...reportFilters } = nullableFilterBody(ownerChallanFilters);

/**
 * The body of the CSV and of the WhatsApp report (docs/specification.md §14.12). null means "no filter"; start and end are
 * days of the deposited date.
 */
const ownerReportInput = z.strictObject({
  ownerId,
  filters: z
    .strictObject({
      ...reportFilters,
      startDate: depositedStartDate,
      endDate: depositedEndDate,
      sortBy: sortByText.optional(),
      sortOrder: sortOrderText.optional(),
    })
    .refine(...inOrder('startDate', 'endDate'))
    .refine(...inOrder('paidStartDate', 'paidEndDate')),
  requestMetadata: z.strictObject({ timestamp: text(50).optional(), userAgent: text(1000).optional() }).optional(),
});
export type OwnerReportInput = z.output<typeof ownerReportInput>;
const ownerFileInput = ownerReportInput.extend({ columns: columnsOfFile.optional() });

/**
 * The figures of one tag (docs/specification.md §4.2). tagId is null for the challans without a tag. Shares and
 * percentages have two decimals.
 */
const tagFigures = z.object({
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

/** The same figures of all tags together. The share of a tag is its part of these. */
const tagTotals = tagFigures.omit({
  tagId: true,
  tagName: true,
  color: true,
  challanShare: true,
  amountShare: true,
});
export type TagTotals = z.output<typeof tagTotals>;

const tagAnalytics = z.object({
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

/** What one payment paid one owner. */
const ownerPayment = z.object({
  batchId: z.string(),
  number: z.string(),
  paidOn: day,
  challanCount: z.number(),
  amount: total,
  /** The part that was not reversed. */
  paidCount: z.number(),
  paidAmount: total,
  /** The state of its newest line in a bank file; null: it was not sent. */
  bankState: z.enum(lineStates).nullable(),
  utr: z.string(),
});
export type OwnerPayment = z.output<typeof ownerPayment>;

/** A challan of a payment to an owner, as it was when it was paid. */
const ownerTrip = z.object({
  challanId: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  loadingDate: instant.nullable(),
  route: z.string(),
  amount: amountOut,
  reversedAt: instant.nullable(),
});
export type OwnerTrip = z.output<typeof ownerTrip>;
const ownerPaymentWithTrips = ownerPayment.extend({ trips: z.array(ownerTrip) });
export type OwnerPaymentWithTrips = z.output<typeof ownerPaymentWithTrips>;

/** An owner with what it is owed and what it was paid (docs/specification.md §9.1). */
const ownerAccount = owner
  .pick({ id: true, name: true, contactNumber: true, address: true, holdReason: true, createdAt: true })
  .extend({
    trucksCount: z.number(),
    unpaidCount: z.number(),
    unpaidAmount: total,
    /** The overpaid amount that will be deducted from the owner's next payment (docs/specification.md §10.10). */
    carriedAmount: total,
    /** What the owner was owed besides its challans, by the newest entry (docs/specification.md §26.2). */
    openingBalance: total,
    /** The balance of the owner's statement at the end of the day `asOn` (docs/specification.md §26.1); absent without it. */
    balanceAsOn: total.optional(),
    /** The earliest deposited day among the unpaid challans; null: no unpaid challan was deposited. */
    oldestDue: day.nullable(),
    /** The day of the newest payment that is not wholly reversed. */
    lastPaidOn: day.nullable(),
    /** What the payments of this month paid, less what was reversed. */
    paidThisMonth: total,
    /** The newest few payments. */
    payments: z.array(ownerPayment),
  });
export type OwnerAccount = z.output<typeof ownerAccount>;

/** The sums of all owners that match. */
const ownerAccountTotals = z.object({
  totalTrucks: z.number(),
  unpaidCount: z.number(),
  unpaidAmount: total,
  carriedAmount: total,
  openingBalance: total,
  balanceAsOn: total.optional(),
  paidThisMonth: total,
});
export type OwnerAccountTotals = z.output<typeof ownerAccountTotals>;

/** The sums of all payments to the owner. */
const ownerPaymentTotals = ownerPayment.pick({ challanCount: true, amount: true, paidCount: true, paidAmount: true });
export type OwnerPaymentTotals = z.output<typeof ownerPaymentTotals>;

export const ownerAccountSortKeys = [
  ...ownerSortKeys,
  'unpaidAmount',
  'carriedAmount',
  'openingBalance',
  'balanceAsOn',
  'oldestDue',
  'lastPaidOn',
  'paidThisMonth',
] as const;
export type OwnerAccountSortKey = (typeof ownerAccountSortKeys)[number];

const dashboardShape = filterQuery(dashboardFilters);

/** The query of the dashboard's calls, where start and end are days of the deposited date. */
export const dashboardQuery = z
  .object({
    startDate: dashboardShape.depositedStartDate,
    endDate: dashboardShape.depositedEndDate,
    tagId: dashboardShape.tagId,
  })
  .refine(...inOrder('startDate', 'endDate'));

export const accounting = {
  listOwners: endpoint('accounting', 'GET /accounting/owners', {
    summary: 'Owners with what each is owed and was paid, and the sums of all that match',
    query: z.object({ ...pageQuery, search: textQuery, asOn: dayQuery, ...chosenSortQuery(ownerAccountSortKeys) }),
    answer: z.object({ data: z.array(ownerAccount), summary: ownerAccountTotals, pagination }),
  }),
  listOwnerPayments: endpoint('accounting', 'GET /accounting/owner/payments', {
    summary: "An owner's payments with their trips, newest first, and the sums of all of them",
    query: z.object({ ownerId, ...pageQuery }),
    answer: z.object({
      data: z.array(ownerPaymentWithTrips),
      meta: z.object({ owner: owner.pick({ id: true, name: true, contactNumber: true, holdReason: true }) }),
      summary: ownerPaymentTotals,
      pagination,
    }),
    errors: ['NOT_FOUND'],
  }),
  listOwnerChallans: endpoint('accounting', 'GET /accounting/owner/challans', {
    summary: "List an owner's challans with their sums",
    query: inRangeOrder(z.object({ ...ownerQuery, ...pageQuery, ...orderQuery }), ownerChallanFilters),
    answer: z.object({
      data: z.array(challan),
      meta: z.object({ summary: ownerSummary, filters: understoodFilters }),
      pagination,
    }),
    errors: ['NOT_FOUND'],
  }),
  getOwnerSummary: endpoint('accounting', 'GET /accounting/owner/challans/summary', {
    summary: "Sums of an owner's challans",
    query: inRangeOrder(z.object(ownerQuery), ownerChallanFilters),
    answer: z.object({ data: ownerSummary }),
    errors: ['NOT_FOUND'],
  }),
  ...filePair('accounting', 'POST /accounting/export-owner-challans-csv', {
    mayLag: true,
    summary: "An owner's challans as a CSV file; with columns named, as the table shows them",
    reads: true,
    body: ownerFileInput,
    errors: ['NOT_FOUND'],
  }),
  shareOnWhatsapp: endpoint('accounting', 'POST /accounting/generate-whatsapp-csv', {
    summary: "A WhatsApp message with an owner's totals and a link to the frozen file",
    body: ownerReportInput,
    answer: z.object({
      data: z.object({ whatsappUrl: z.string(), ownerName: z.string(), recordCount: z.number() }),
    }),
    errors: ['NO_DATA_FOUND', 'INVALID_REQUEST'],
    touches: ['shared-reports', 'history'],
  }),
  getTagAnalytics: endpoint('dashboard', 'GET /accounting/tag-analytics', {
    mayLag: true,
    summary: 'Challans, amounts and weights by tag',
    query: dashboardQuery,
    answer: z.object({ data: tagAnalytics }),
  }),
};
