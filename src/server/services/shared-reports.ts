import { CSV_BOM } from '../../shared/calc/csv-text.ts';
import { dayOf, formatDateTime } from '../../shared/calc/dates.ts';
import { ownerChallansFileName } from '../../shared/calc/file-names.ts';
import { formatINR, subtract, sum } from '../../shared/calc/money.ts';
import { canRevokeReport } from '../../shared/access.ts';
import { challanExportColumns } from '../../shared/columns/challan-export-columns.ts';
import { reportFilterWords } from '../../shared/columns/shared-report-columns.ts';
import type { ChallanOrder } from '../../shared/contract/challan-order.ts';
import type { SharedReport, SharedReportFilters } from '../../shared/contract/shared-reports.ts';
import { ownerChallanFilters } from '../../shared/filters/challan-filters.ts';
import { orNull } from '../../shared/filters/define.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { csvHeader, csvRow } from '../files/csv.ts';
import type { OwnerChallanFilter } from '../queries/accounting.ts';
import { challanExportRows } from '../queries/challans-export.ts';
import { insertHistory } from '../queries/history.ts';
import { selectNames } from '../queries/records.ts';
import {
  insertSharedReport,
  lockLiveReports,
  lockReportOwner,
  lockSharedReport,
  selectLiveReports,
  updateRevoked,
} from '../queries/shared-reports.ts';
import { notFound, Refusal } from '../refusal.ts';

/**
 * A frozen file lives in the database for three days, so its size is limited: enough for a year of one owner, also with
 * long remarks.
 */
const mostRows = 20_000;
const mostBytes = 8 * 1024 * 1024;

/** A business reports to its owners every few days; two hundred open files are more than enough. */
const mostLive = 200;

export interface ReportLink {
  /** All that is kept of the token. */
  tokenHash: Buffer;
  /** The whole address, which only the message ever holds. */
  address: string;
}

/** Freezes an owner's challans as they are now and writes the message that takes the link to the owner. */
export async function shareReport(
  db: TenantDb,
  caller: Caller,
  filter: OwnerChallanFilter,
  order: ChallanOrder,
  link: ReportLink,
): Promise<{ whatsappUrl: string; ownerName: string; recordCount: number }> {
  // A first check before the work; the one that counts follows under the lock.
  refuseBeyondMost(await selectLiveReports(db));
  const owner = await lockReportOwner(db, filter.ownerId);
  // Another account's owner is answered like one that does not exist (docs/security.md §1.3).
  if (!owner) throw noData();
  const { content, totals } = await freeze(db, filter, order);
  if (totals.count === 0) throw noData();

  const filters = await understood(db, filter);
  const fileName = ownerChallansFileName(owner.name, dayOf(new Date()));
  await lockLiveReports(db);
  refuseBeyondMost(await selectLiveReports(db));
  const expiresAt = await insertSharedReport(db, caller, {
    tokenHash: link.tokenHash,
    ownerId: filter.ownerId,
    fileName,
    content,
    recordCount: totals.count,
    filters,
  });
  const message = reportMessage({
    bannerName: caller.bannerName,
    ownerName: owner.name,
    totals,
    filters,
    link: link.address,
    expiresAt,
  });
  await insertHistory(db, caller, {
    entity: 'owner',
    entityId: filter.ownerId,
    action: 'report shared',
    changes: { fileName: [null, fileName], recordCount: [null, totals.count] },
  });
  return { whatsappUrl: whatsappUrl(owner.contactNumber, message), ownerName: owner.name, recordCount: totals.count };
}

/** The file of docs/specification.md §13.2 and the sums of exactly its rows. */
async function freeze(
  db: TenantDb,
  filter: OwnerChallanFilter,
  order: ChallanOrder,
): Promise<{ content: string; totals: ReportTotals }> {
  const parts = [CSV_BOM + csvHeader(challanExportColumns)];
  const totals: ReportTotals = { count: 0, payable: '0.00', paid: '0.00', unpaid: '0.00', tds: '0.00' };
  let bytes = 0;
  for await (const rows of challanExportRows(db, filter, order)) {
    totals.count += rows.length;
    totals.payable = sum([totals.payable, ...rows.map((row) => row.netAmountPayable)]);
    totals.paid = sum([totals.paid, ...rows.filter((row) => row.paymentStatus).map((row) => row.netAmountPayable)]);
    totals.tds = sum([totals.tds, ...rows.map((row) => row.tdsAmount)]);
    const part = rows.map((row) => csvRow(challanExportColumns, row)).join('');
    bytes += Buffer.byteLength(part);
    if (totals.count > mostRows || bytes > mostBytes) {
      throw new Refusal(
        'INVALID_REQUEST',
        `This report is too large to share: at most ${mostRows.toLocaleString('en-IN')} challans, or 8 MB, fit into one. Choose fewer with the filters, for example by the deposited date.`,
      );
    }
    parts.push(part);
  }
  totals.unpaid = subtract(totals.payable, totals.paid);
  return { content: parts.join(''), totals };
}

async function nameOfTag(db: TenantDb, id: string): Promise<string | null> {
  return (await selectNames(db, 'tags', [id])).get(id) ?? null;
}

async function understood(db: TenantDb, filter: OwnerChallanFilter): Promise<SharedReportFilters> {
  const { tagId } = filter;
  const { depositedStartDate, depositedEndDate, ...others } = orNull(ownerChallanFilters, filter);
  return {
    ...others,
    tagName: tagId === undefined || tagId === 'none' ? null : await nameOfTag(db, tagId),
    startDate: depositedStartDate,
    endDate: depositedEndDate,
  };
}

/** Ends the link at once. One that has already expired or was revoked stays as it is. */
export async function revokeReport(db: TenantDb, caller: Caller, id: string): Promise<SharedReport> {
  const report = await lockSharedReport(db, id);
  if (!report) throw notFound('Shared report');
  if (!canRevokeReport(report).allowed) return report;
  await updateRevoked(db, id);
  await insertHistory(db, caller, {
    entity: 'owner',
    entityId: report.ownerId,
    action: 'report link revoked',
    changes: { fileName: [report.fileName, null] },
  });
  const revoked = await lockSharedReport(db, id);
  if (!revoked) throw new Error('A report that was locked is still there');
  return revoked;
}

/** Too soon after the others. */
export function tooManyReports(waitSeconds: number): Refusal {
  const wait = waitSeconds === 1 ? '1 second' : `${waitSeconds} seconds`;
  return new Refusal('TOO_MANY_REQUESTS', `Many reports were sent just now. Please try again in ${wait}.`, {
    retryAfterSeconds: waitSeconds,
  });
}

function refuseBeyondMost({ count, secondsToNextEnd }: { count: number; secondsToNextEnd: number }): void {
  if (count < mostLive) return;
  throw new Refusal(
    'TOO_MANY_REQUESTS',
    `${mostLive} report links are open, the most at one time. Revoke some on the Shared Reports page, or wait until one has expired.`,
    { retryAfterSeconds: secondsToNextEnd },
  );
}

function noData(): Refusal {
  return new Refusal('NO_DATA_FOUND', 'No challans found for the specified criteria');
}

interface ReportTotals {
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
function reportMessage({ bannerName, ownerName, totals, filters, link, expiresAt }: Report): string {
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
 * Always this one address; an owner's contact is ten digits, here of an Indian number
 * (docs/specification.md §9.4).
 */
function whatsappUrl(contactNumber: string, message: string): string {
  return `https://wa.me/91${contactNumber}?text=${encodeURIComponent(message)}`;
}
