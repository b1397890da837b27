import { z } from 'zod';
import { ownerChallanFilters } from '../filters/challan-filters.ts';
import { endpoint } from './define.ts';
import { filterAnswer } from './filters.ts';
import type { Language } from './languages.ts';
import { instant, pageQuery, pagination } from './scalars.ts';

const { depositedStartDate, depositedEndDate, ...otherFilters } = filterAnswer(ownerChallanFilters);

/** The filters of a report, with the tag's name at the time of the report. */
const sharedReportFilters = z.object({
  ...otherFilters,
  tagName: z.string().nullable(),
  startDate: depositedStartDate,
  endDate: depositedEndDate,
});
export type SharedReportFilters = z.output<typeof sharedReportFilters>;

/** A report that was sent to an owner. Its link cannot be shown again, because only the hash of the token is kept. */
const sharedReport = z.object({
  id: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  fileName: z.string(),
  recordCount: z.number(),
  /** The payment that the report is about: it has what it pays and what is unpaid. null: it has the challans of the filters. */
  paymentNumber: z.string().nullable(),
  filters: sharedReportFilters,
  createdAt: instant,
  /** Email of the account. */
  createdBy: z.string(),
  expiresAt: instant,
  revokedAt: instant.nullable(),
  status: z.enum(['active', 'expired', 'revoked']),
});
export type SharedReport = z.output<typeof sharedReport>;

/** A trip as its owner sees it, without anything internal (docs/specification.md §9.7). */
export interface OwnerTrip {
  challanNumber: string;
  tpNo: string;
  vehicleNo: string;
  material: string;
  from: string;
  to: string;
  loadedOn: string;
  unloadedOn: string;
  loadingWeight: string;
  unloadingWeight: string;
  rate: string;
  freight: string;
  tds: string;
  hsd: string;
  advance: string;
  office: string;
  shortage: string;
  net: string;
  paidOn: string | null;
  paymentNumber: string | null;
}

/** A payment for trips of this page. `bankOn` is the day on which the bank executed it. */
export interface OwnerPayment {
  number: string;
  paidOn: string;
  count: number;
  amount: string;
  /** The part of the amount that was carried or deducted, with its sign. */
  carried?: string;
  utr: string;
  bankOn: string | null;
}

/** The part of the owner's page above its trips. */
export interface OwnerPage {
  language: Language;
  business: string;
  owner: string;
  /** The last four digits of the account number. */
  account: string;
  asOf: string;
  validUntil: string;
  /** The filter in words; '' where the page has all trips. */
  chosen: string;
  count: number;
  total: string;
  paid: string;
  /** What the owner is owed: the unpaid trips less what the next payment deducts. */
  unpaid: string;
  /** What the next payment deducts; only on a page with all trips. */
  carried?: string;
  tds: string;
  /** Newest first. */
  payments: readonly OwnerPayment[];
}

export const sharedReports = {
  list: endpoint('shared-reports', 'GET /accounting/shared-reports', {
    summary: 'List reports shared by link, newest first',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(sharedReport), pagination }),
  }),
  revoke: endpoint('shared-reports', 'POST /accounting/shared-reports/{id}/revoke', {
    summary: "End a shared report's link at once; one that has ended stays as it is",
    answer: z.object({ data: sharedReport }),
  }),
};
