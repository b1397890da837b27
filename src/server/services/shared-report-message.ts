import { formatDateTime } from '../../shared/calc/dates.ts';
import { formatINR } from '../../shared/calc/money.ts';
import { reportFilterWords } from '../../shared/columns/shared-report-columns.ts';
import type { SharedReportFilters } from '../../shared/contract/shared-reports.ts';

export interface ReportTotals {
  count: number;
  payable: string;
  paid: string;
  unpaid: string;
  tds: string;
}

interface Report {
  bannerName: string;
  ownerName: string;
  totals: ReportTotals;
  filters: SharedReportFilters;
  link: string;
  expiresAt: Date;
}

/** The message to the owner: who sends it, the figures of the file, and the link with its expiry. */
export function reportMessage({ bannerName, ownerName, totals, filters, link, expiresAt }: Report): string {
  // Without the filter an owner would take the sums of some challans for those of all.
  const chosen = reportFilterWords(filters);
  return [
    bannerName,
    `Challan report for ${ownerName}`,
    ...(chosen === '' ? [] : [chosen]),
    '',
    `Challans: ${totals.count.toLocaleString('en-IN')}`,
    `Total: ${formatINR(totals.payable)}`,
    `Paid: ${formatINR(totals.paid)}`,
    `Unpaid: ${formatINR(totals.unpaid)}`,
    `TDS: ${formatINR(totals.tds)}`,
    '',
    `Download the list (CSV) until ${formatDateTime(expiresAt)}:`,
    link,
  ].join('\n');
}

/**
 * Always this one address; an owner's contact is ten digits (migration 002), here of an Indian number
 * (docs/specification.md §9.4).
 */
export function whatsappUrl(contactNumber: string, message: string): string {
  return `https://wa.me/91${contactNumber}?text=${encodeURIComponent(message)}`;
}
