import { z } from 'zod';
import { ownerChallanFilters } from '../filters/challan-filters.ts';
import { endpoint } from './define.ts';
import { filterAnswer } from './filters.ts';
import { idParams, instant, pageQuery, pagination } from './scalars.ts';

const { depositedStartDate, depositedEndDate, ...otherFilters } = filterAnswer(ownerChallanFilters);

/** The filters of a report; the tag's name as it was then. */
const sharedReportFilters = z.object({
  ...otherFilters,
  tagName: z.string().nullable(),
  startDate: depositedStartDate,
  endDate: depositedEndDate,
});
export type SharedReportFilters = z.output<typeof sharedReportFilters>;

/** A report sent to an owner. Neither the token nor the link is ever shown again: only its hash is kept. */
const sharedReport = z.object({
  id: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  fileName: z.string(),
  recordCount: z.number(),
  filters: sharedReportFilters,
  createdAt: instant,
  /** Email of the account. */
  createdBy: z.string(),
  expiresAt: instant,
  revokedAt: instant.nullable(),
  status: z.enum(['active', 'expired', 'revoked']),
});
export type SharedReport = z.output<typeof sharedReport>;

const roles = ['subadmin'] as const;

export const sharedReports = {
  list: endpoint('shared-reports', {
    method: 'GET',
    path: '/accounting/shared-reports',
    summary: 'List reports shared by link, newest first',
    roles,
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(sharedReport), pagination }),
  }),
  revoke: endpoint('shared-reports', {
    method: 'POST',
    path: '/accounting/shared-reports/{id}/revoke',
    summary: "End a shared report's link at once; one that has ended stays as it is",
    roles,
    params: idParams,
    answer: z.object({ data: sharedReport }),
    touches: ['shared-reports', 'history'],
  }),
};
