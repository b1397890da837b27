import { formatDate } from '../calc/dates.ts';
import type { SharedReport, SharedReportFilters } from '../contract/shared-reports.ts';
import type { Column, Status } from './define.ts';

/** The filters of a report in words, '' for all challans: the list and the message to the owner say the same. */
export function reportFilterWords({ paymentStatus, tagId, tagName, startDate, endDate }: SharedReportFilters): string {
  const parts: string[] = [];
  if (paymentStatus !== null) parts.push(paymentStatus ? 'Paid only' : 'Unpaid only');
  if (tagId !== null) parts.push(tagId === 'none' ? 'Without a tag' : `Tag ${tagName ?? ''}`);
  if (startDate !== null && endDate !== null)
    parts.push(`Deposited ${formatDate(startDate)} to ${formatDate(endDate)}`);
  else if (startDate !== null) parts.push(`Deposited from ${formatDate(startDate)}`);
  else if (endDate !== null) parts.push(`Deposited to ${formatDate(endDate)}`);
  return parts.join(', ');
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
    value: ({ filters }) => reportFilterWords(filters),
  },
  { key: 'recordCount', label: 'Challans', kind: 'count', width: 90 },
  { key: 'createdAt', label: 'Shared At', kind: 'datetime', width: 140 },
  { key: 'expiresAt', label: 'Valid Until', kind: 'datetime', width: 140 },
  { key: 'status', label: 'Status', kind: 'status', width: 96, value: ({ status }) => statuses[status] },
  { key: 'fileName', label: 'File', kind: 'text', width: 260, least: 200 },
  { key: 'createdBy', label: 'Shared By', kind: 'text', width: 144 },
];
