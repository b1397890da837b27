import type { SharedReport, SharedReportFilters } from '../contract/shared-reports.ts';
import { ownerChallanFilters } from '../filters/challan-filters.ts';
import { textsOfFilter } from '../filters/filter-texts.ts';
import { partsOf } from '../filters/filter-words.ts';
import type { Column, Status } from './define.ts';

/** The filters of a report in words, '' for all challans. The owner's page has them in the owner's language. */
function reportFilterWords({ tagName, startDate, endDate, ...others }: SharedReportFilters): string {
  const filter = { ...others, depositedStartDate: startDate, depositedEndDate: endDate };
  const parts = partsOf(ownerChallanFilters, textsOfFilter(ownerChallanFilters, filter));
  const words = parts.map((part) => part.words(tagName ?? ''));
  return words.map((text) => text.charAt(0).toUpperCase() + text.slice(1)).join(', ');
}

const statuses: Record<SharedReport['status'], Status> = {
  active: { label: 'Active', tone: 'good' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'warn' },
};

/** The shared reports page. */
export const sharedReportColumns: readonly Column<SharedReport>[] = [
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 180, pin: 'left' },
  {
    key: 'filters',
    label: 'Chosen By',
    kind: 'text',
    width: 190,
    empty: 'All challans',
    value: ({ paymentNumber, filters }) =>
      paymentNumber === null ? reportFilterWords(filters) : `Payment ${paymentNumber} and unpaid`,
  },
  { key: 'recordCount', label: 'Challans', kind: 'count', width: 90 },
  { key: 'createdAt', label: 'Shared At', kind: 'datetime', width: 140 },
  { key: 'expiresAt', label: 'Valid Until', kind: 'datetime', width: 140 },
  { key: 'status', label: 'Status', kind: 'status', width: 96, value: ({ status }) => statuses[status] },
  { key: 'fileName', label: 'File', kind: 'text', width: 260, least: 194 },
  { key: 'createdBy', label: 'Shared By', kind: 'text', width: 144 },
];
